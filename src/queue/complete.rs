//! Ending leases (rows Q3, E7), and what the cache has seen.

use std::time::Duration;

use tokio::time::Instant;

use super::{
    Failure, WaitFor, WorkQueue,
    table::{Pending, Place},
};
use crate::object::{ObjectKey, ResourceVersion};

/// How work on a key ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Done and Forget.
    Success,
    /// Done and AddRateLimited, with the same priority.
    Retry,
    /// Done, Forget and AddAfter, with the same priority.
    RequeueAfter(Duration),
    /// Done and Add, with the same priority; counts nothing.
    Release,
    /// Done and Forget; parked until the key is added again.
    Terminal,
}

/// A completion that was taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completed {
    /// The key.
    pub key: ObjectKey,
    /// How long it was leased.
    pub worked: Duration,
}

/// A completion or extension that had no effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// The lease has expired, was completed already, or never was.
    #[error("the lease is lost")]
    LeaseLost,
    /// A version to wait for cannot be compared with those that the cache sees.
    #[error("a resource version to wait for is not comparable")]
    Incomparable,
}

/// What is kept of a worker's error.
const MAX_ERROR: usize = 256;

// === impl WorkQueue ===

impl WorkQueue {
    /// Ends a lease. The key is then withheld until the informers in `wait_for` have seen what it names, or the cap has
    /// passed. `error` is kept for introspection if the outcome is a failure.
    ///
    /// A key that was added while it was leased is due again at once, whatever the outcome: the addition is an event that
    /// the worker may not have seen (row Q3). So it is not parked then either.
    pub fn complete(
        &mut self,
        token: u64,
        outcome: Outcome,
        wait_for: &[WaitFor],
        error: &str,
        now: Instant,
    ) -> Result<Completed, Refused> {
        self.advance(now);
        let Some(slot) = self.leases.get(token).map(|held| held.slot) else {
            return Err(self.refuse());
        };
        if wait_for.iter().any(|wait| !wait.version.is_comparable()) {
            return Err(Refused::Incomparable);
        }
        let (Some(held), Some(entry)) = (self.detach(slot), self.table.get_mut(slot)) else {
            return Err(self.refuse());
        };
        let completed = Completed {
            key: entry.key.clone(),
            worked: Duration::from_nanos(self.time.now - held.granted),
        };
        entry.terminal = outcome == Outcome::Terminal && entry.pending.is_none();
        entry.last_failure = match outcome {
            Outcome::Success | Outcome::RequeueAfter(_) => None,
            Outcome::Retry => Some(Failure::Retry),
            Outcome::Terminal => Some(Failure::Terminal),
            Outcome::Release => entry.last_failure,
        };
        if matches!(outcome, Outcome::Success | Outcome::RequeueAfter(_) | Outcome::Terminal) {
            entry.failures = 0;
        }
        self.keep_error(slot, outcome, error);
        if let Some(again) = self.again(slot, outcome) {
            let priority = held.priority;
            self.merge(slot, Pending { priority, ..again });
        }
        self.gates.add(slot, wait_for, self.time.after(self.config.gate_cap));
        self.settle(slot);
        self.counters.completed(outcome);
        self.counters.worked.observe(completed.worked);
        Ok(completed)
    }

    /// An informer has come this far: opens the gates that waited for it. To be called after the cache is published.
    pub fn seen(&mut self, informer: &str, version: &ResourceVersion, now: Instant) {
        self.advance(now);
        let open = self.gates.seen(informer, version);
        self.open(open);
    }

    /// An informer is gone: nobody waits for it any more.
    pub fn informer_gone(&mut self, informer: &str, now: Instant) {
        self.advance(now);
        let open = self.gates.informer_gone(informer);
        self.open(open);
    }

    fn open(&mut self, slots: Vec<u32>) {
        for slot in slots {
            let place = self.table.get(slot).map(|entry| entry.place);
            if matches!(place, Some(Place::Gated(_) | Place::Stale)) {
                self.detach(slot);
                self.settle(slot);
            }
        }
    }

    /// The wish that an outcome makes. A draining queue takes no adds (row Q5); what a worker gives back unworked is
    /// none.
    fn again(&mut self, slot: u32, outcome: Outcome) -> Option<Pending> {
        match outcome {
            Outcome::Success | Outcome::Terminal => None,
            Outcome::Release => Some(self.pending(self.time.now, 0)),
            Outcome::Retry | Outcome::RequeueAfter(_) if self.draining.is_some() => None,
            Outcome::Retry => Some(self.next_failure(slot)),
            Outcome::RequeueAfter(after) => {
                self.counters.retries += 1;
                Some(self.pending(self.time.after(after), 0))
            }
        }
    }

    fn keep_error(&mut self, slot: u32, outcome: Outcome, error: &str) {
        match outcome {
            Outcome::Release => {}
            Outcome::Retry | Outcome::Terminal if !error.is_empty() => {
                let end = error.floor_char_boundary(MAX_ERROR);
                self.errors.insert(slot, error[..end].into());
            }
            _ => {
                self.errors.remove(&slot);
            }
        }
    }
}
