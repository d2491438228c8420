//! Goes through what a query selects without holding up the thread: a selector that reads the bodies of a hundred thousand
//! objects to find three takes a second, and the heartbeats of others must not wait for it.

use std::sync::Arc;

use crate::{
    object::{Object, ObjectKey},
    store::{Query, Snapshot},
};

/// The objects that match, in key order.
pub(super) struct Walk<'a>(Box<dyn Iterator<Item = Option<&'a Arc<Object>>> + Send + 'a>);

// === impl Walk ===

impl<'a> Walk<'a> {
    pub(super) fn new(snapshot: &'a Snapshot, query: &'a Query, after: Option<&ObjectKey>) -> Self {
        Self(snapshot.steps(query, after))
    }

    /// The next object. Other tasks have their turn after some steps, whether those found something or not.
    pub(super) async fn next(&mut self) -> Option<&'a Arc<Object>> {
        for step in self.0.by_ref() {
            tokio::task::consume_budget().await;
            if step.is_some() {
                return step;
            }
        }
        None
    }
}
