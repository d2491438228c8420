//! Periodic resync from the cache (rows H13, H14). It happens only while the view is the newest, so that what is sent again is
//! what the client holds; a change in between is delivered first and the pass goes on behind its last key.
//!
//! ```text
//!   0             P             2P            3P       nothing in the first period; then each object once in every one,
//!   |             | ·· · ·· · · |· ·· · · ··· |        some in each slot, at a random moment of it: never all at once
//! ```
//!
//! An object that has changed since the pass began was told then and is left out (row F5). There is no request upstream.

use std::time::Duration;

use tokio::time::Instant;

use super::{Batch, Budget, View, unchanged};
use crate::{
    object::ObjectKey,
    processor::{Cause, Delivery, EventKind, Published},
};

/// When to send everything again.
pub(super) struct Resync {
    period: Duration,
    jitter: Box<dyn FnMut() -> f64 + Send>,
    /// The next thing to do: to begin a pass, or to deliver a slot of it.
    due: Instant,
    pass: Option<Pass>,
}

/// All objects once, in the order of their keys.
struct Pass {
    start: Instant,
    /// The view when it began.
    revision: u64,
    slots: u32,
    slot: u32,
    /// Objects in a slot, and how many of them are left.
    size: usize,
    left: usize,
    after: Option<ObjectKey>,
}

/// Slots are not shorter.
const SLOT: Duration = Duration::from_millis(100);

// === impl Resync ===

impl Resync {
    pub(super) fn new(period: Duration, jitter: impl FnMut() -> f64 + Send + 'static) -> Self {
        Self {
            period,
            jitter: Box::new(jitter),
            due: Instant::now() + period,
            pass: None,
        }
    }

    pub(super) fn with_jitter(self, jitter: impl FnMut() -> f64 + Send + 'static) -> Self {
        Self {
            jitter: Box::new(jitter),
            ..self
        }
    }

    pub(super) fn due(&self) -> Instant {
        self.due
    }

    /// What is due, if anything is.
    pub(super) fn events(
        &mut self,
        head: &Published,
        view: &View,
        revision: u64,
        budget: &Budget<'_>,
    ) -> Vec<Delivery> {
        let now = Instant::now();
        if now >= self.due && self.pass.is_none() {
            self.begin(now, view, revision);
        }
        if now < self.due {
            return Vec::new();
        }
        let Some(pass) = &mut self.pass else {
            return Vec::new();
        };
        let is_last = pass.slot + 1 >= pass.slots;
        let mut batch = Batch::default();
        let mut objects = head.snapshot.select(view.query(), pass.after.as_ref());
        let all_told = loop {
            if pass.left == 0 && !is_last {
                break false;
            }
            let Some(object) = objects.next() else { break true };
            let changed = head
                .snapshot
                .slot_of(&object.key)
                .and_then(|(at, _)| head.snapshot.slot(at));
            let is_told = changed.is_some_and(|slot| slot.changed > pass.revision);
            if !is_told && !batch.push(unchanged(EventKind::Resync, Cause::Resync, object, revision), budget) {
                // The slot goes on in the next step.
                return batch.events;
            }
            pass.after = Some(object.key.clone());
            pass.left = pass.left.saturating_sub(1);
        };
        if all_told {
            self.due = (pass.start + self.period).max(now + SLOT);
            self.pass = None;
        } else {
            self.due = pass.next_slot(now, self.period, (self.jitter)());
        }
        batch.events
    }

    fn begin(&mut self, now: Instant, view: &View, revision: u64) {
        let objects = usize::try_from(view.digest().count).unwrap_or(usize::MAX);
        if objects == 0 {
            self.due = now + self.period;
            return;
        }
        let most = (self.period.as_millis() / SLOT.as_millis()).max(1);
        let slots = u32::try_from(most)
            .unwrap_or(u32::MAX)
            .min(u32::try_from(objects).unwrap_or(u32::MAX));
        let size = objects.div_ceil(slots as usize);
        let pass = Pass {
            start: now,
            revision,
            slots,
            slot: 0,
            size,
            left: size,
            after: None,
        };
        self.due = pass.moment(self.period, (self.jitter)());
        self.pass = Some(pass);
    }
}

// === impl Pass ===

impl Pass {
    /// A moment inside the slot.
    fn moment(&self, period: Duration, jitter: f64) -> Instant {
        let slots = f64::from(self.slots);
        self.start + period.mul_f64(((f64::from(self.slot) + jitter.clamp(0.0, 1.0)) / slots).min(1.0))
    }

    /// Goes on to the next slot; the moment in it. A listener that was late by more than a slot does not make up for it in
    /// a burst: the rest of the pass moves.
    fn next_slot(&mut self, now: Instant, period: Duration, jitter: f64) -> Instant {
        self.slot += 1;
        self.left = self.size;
        let begins = self.moment(period, 0.0);
        let slot = period / self.slots.max(1);
        if now > begins + slot {
            self.start += now - begins + slot;
        }
        self.moment(period, jitter)
    }
}
