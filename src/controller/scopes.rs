//! The scopes of an informer: what each reflector covers, and what of it counts.
//!
//! ```text
//!   Rescope(all that are wanted) ──▶ those that stay keep their state
//!                                    those that go are deaf at once; what nobody covers any more is DELETED / SELECTOR
//!                                    those that come count from their first list on; it is ADDED / SELECTOR
//! ```
//!
//! It happens between two batches and is one publication, so no reader sees half of it. A scope's number is never used
//! again: deltas of a scope that has left can still be queued, and are told apart by it.

use std::{cmp::Ordering, collections::BTreeSet, sync::Arc};

use parking_lot::Mutex;
use tokio::{sync::oneshot, time::Instant};

use super::{Controller, Scope};
use crate::{
    object::ResourceVersion,
    processor::{Cause, Change, ChangeKind},
};

/// A scope that is wanted.
#[derive(Clone, Debug)]
pub struct ScopeSpec {
    /// Its number, never used before for another scope.
    pub id: usize,
    /// Its namespace, or all.
    pub namespace: Option<Arc<str>>,
    /// Where the controller says how far it is.
    pub progress: Arc<Progress>,
}

/// How far one scope is, as published.
#[derive(Debug, Default)]
pub struct Progress {
    at: Mutex<ResourceVersion>,
}

// === impl Progress ===

impl Progress {
    /// The newest version that was applied; empty before the first list.
    pub fn resource_version(&self) -> ResourceVersion {
        self.at.lock().clone()
    }
}

// === impl Controller ===

impl Controller {
    /// Once these are the scopes, the answer is given; only then may their reflectors start, for what they compare a list with is
    /// what is published.
    pub(super) fn rescope(&mut self, wanted: Vec<ScopeSpec>, done: oneshot::Sender<()>) {
        let position = self.indexer.current().position().clone();
        // It goes on from what an earlier controller published: all of that is covered, however old it is.
        let recovered = !self.settled && position.synced;
        let before = std::mem::take(&mut self.scopes);
        for spec in wanted {
            let scope = before.get(&spec.id).cloned().unwrap_or_else(|| {
                let mut scope = Scope {
                    namespace: spec.namespace,
                    progress: spec.progress,
                    ..Scope::default()
                };
                if recovered {
                    scope.resource_version = position.resource_version.clone();
                    scope.as_of = position.as_of;
                } else if let Some(slowest) = slowest(before.values().filter(|s| s.covers_some_of(&scope))) {
                    // Until it has listed, it is as far as those from whom it takes over.
                    scope.resource_version = slowest.resource_version.clone();
                    scope.as_of = slowest.as_of;
                } else {
                    scope.entering = position.synced;
                }
                scope
            });
            self.scopes.insert(spec.id, scope);
        }
        let first = !std::mem::replace(&mut self.settled, true);
        self.drop_uncovered();
        self.update_position();
        if first && self.scopes.is_empty() && !position.synced {
            // Nothing to cache is a complete state too (row F9).
            self.next_revision();
        }
        self.publish();
        // Who asked may have gone; the change stands.
        let _ = done.send(());
    }

    /// The first sync waits for this scope no longer.
    pub(super) fn excuse(&mut self, scope: usize) {
        if let Some(scope) = self.scopes.get_mut(&scope) {
            scope.excused = true;
            self.update_position();
            self.publish();
        }
    }

    /// A list of the scope is complete; true if it is the first.
    pub(super) fn arrive(&mut self, scope: usize) -> bool {
        let Some(scope) = self.scopes.get_mut(&scope) else {
            return false;
        };
        scope.entering = false;
        !std::mem::replace(&mut scope.synced, true)
    }

    /// Objects that no scope covers leave in one revision, with the state that is known of them.
    fn drop_uncovered(&mut self) {
        let covered: Option<BTreeSet<Arc<str>>> = self.scopes.values().map(|s| s.namespace.clone()).collect();
        let Some(covered) = covered else {
            return;
        };
        let leaving: Vec<_> = self
            .indexer
            .current()
            .in_namespace(None)
            .filter(|(_, o)| !covered.contains(o.key.namespace()))
            .map(|(_, o)| o.key.clone())
            .collect();
        let mut changes = Vec::new();
        for key in leaving {
            if let Some(old) = self.indexer.remove(&key, None, self.coming_revision()) {
                changes.push(Change {
                    kind: ChangeKind::Deleted,
                    object: old.clone(),
                    old: Some(old),
                    // It has not gone, as far as anybody knows: it has left the view.
                    final_state_unknown: false,
                    recreated: false,
                });
            }
        }
        let version = self.indexer.current().position().resource_version.clone();
        self.record(Cause::Selector, version, Instant::now(), changes);
    }

    /// The informer stands where its slowest scope stands: only up to there is everything seen. A scope that enters counts from
    /// its first list on. Once synced, always synced (row H7).
    pub(super) fn update_position(&mut self) {
        let counted = || self.scopes.values().filter(|s| s.counts());
        let slowest = slowest(counted()).map(|s| s.resource_version.clone());
        let as_of = counted()
            .map(|s| s.as_of)
            .reduce(|a, b| a.zip(b).map(|(a, b)| a.min(b)))
            .flatten();
        let complete = self.settled
            && self.scopes.values().all(|s| s.synced || s.excused)
            && (self.scopes.is_empty() || counted().next().is_some());
        let position = self.indexer.position_mut();
        position.synced |= complete;
        // While nothing is counted, what was said last still holds.
        if let Some(slowest) = slowest.filter(|_| position.synced) {
            position.resource_version = slowest;
            position.as_of = as_of;
        }
    }

    /// Says how far each scope is.
    pub(super) fn report(&self) {
        for scope in self.scopes.values().filter(|s| s.synced) {
            let mut at = scope.progress.at.lock();
            if *at != scope.resource_version {
                at.clone_from(&scope.resource_version);
            }
        }
    }
}

// === impl Scope ===

impl Scope {
    /// Something of it is in the store, as of its version.
    fn counts(&self) -> bool {
        self.synced || !self.resource_version.is_empty()
    }

    /// It has answered for objects of the other one.
    fn covers_some_of(&self, other: &Self) -> bool {
        self.counts()
            && match (&self.namespace, &other.namespace) {
                (Some(this), Some(other)) => this == other,
                _ => true,
            }
    }
}

fn slowest<'s>(scopes: impl Iterator<Item = &'s Scope>) -> Option<&'s Scope> {
    scopes.reduce(|a, b| match b.resource_version.compare(&a.resource_version) {
        Some(Ordering::Less) => b,
        _ => a,
    })
}
