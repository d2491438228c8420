//! Periodic resync from the cache (rows H13, H14). It happens only while the view is the newest, so that what is sent again is
//! what the client holds; a change in between is delivered first and the pass goes on behind its last key.

use std::time::Duration;

use tokio::time::Instant;

use super::{Batch, Budget, unchanged};
use crate::{
    object::ObjectKey,
    processor::{Cause, Delivery, EventKind, Published},
    store::Query,
};

/// When to send everything again.
pub(super) struct Resync {
    period: Duration,
    due: Instant,
    /// A pass is under way and has delivered up to this key.
    pass: Option<Option<ObjectKey>>,
}

// === impl Resync ===

impl Resync {
    pub(super) fn new(period: Duration) -> Self {
        Self {
            period,
            due: Instant::now() + period,
            pass: None,
        }
    }

    pub(super) fn due(&self) -> Instant {
        self.due
    }

    /// What is due, if anything is.
    pub(super) fn events(
        &mut self,
        head: &Published,
        query: &Query,
        revision: u64,
        budget: &Budget<'_>,
    ) -> Vec<Delivery> {
        let now = Instant::now();
        if self.pass.is_none() {
            if now < self.due {
                return Vec::new();
            }
            self.pass = Some(None);
            self.due = now + self.period;
        }
        let after = self.pass.clone().flatten();
        let mut batch = Batch::default();
        for object in head.snapshot.select(query, after.as_ref()) {
            let delivery = unchanged(EventKind::Resync, Cause::Resync, object, revision);
            if !batch.push(delivery, budget) {
                break;
            }
        }
        self.pass = batch.events.last().map(|last| Some(last.object.key().clone()));
        batch.events
    }
}
