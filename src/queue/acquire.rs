//! Handing out keys under leases (rows Q2, Y2, Y4).

use std::time::Duration;

use tokio::time::Instant;

use super::{Failure, Refused, WorkQueue, table::Place};
use crate::object::ObjectKey;

/// The right to work on a key for some time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// Fencing token: greater than that of each lease before. It also names the lease.
    pub token: u64,
    /// The key.
    pub key: ObjectKey,
    /// Priority that it was queued with.
    pub priority: i32,
    /// Failures since it was last done or forgotten.
    pub failures: u32,
    /// Why it was not done the last time.
    pub last_failure: Option<Failure>,
    /// A write that it waited for has not been seen within the cap.
    pub stale: bool,
    /// When the lease ends.
    pub expires: Instant,
    /// How long the key was due before it was handed out.
    pub queued_for: Duration,
}

// === impl WorkQueue ===

impl WorkQueue {
    /// Hands out up to `max` keys, fewer if the worker would hold more than it may.
    pub fn acquire(&mut self, worker: &str, max: usize, now: Instant) -> Vec<Lease> {
        self.advance(now);
        let room = self
            .config
            .max_per_worker
            .saturating_sub(self.leases.outstanding(worker));
        let max = max.min(room).min(self.ready.len());
        if self.hold.is_some() || max == 0 {
            return Vec::new();
        }
        let worker = self.leases.worker(worker);
        let mut leases = Vec::with_capacity(max);
        while leases.len() < max
            && let Some(slot) = self.ready.pop()
            && let Some(entry) = self.table.get_mut(slot)
        {
            entry.place = Place::Nowhere;
            let pending = entry.pending.take();
            let priority = pending.map_or(0, |pending| pending.priority);
            let token = self.grant(slot, worker.clone(), priority);
            let Some(lease) = self.lease(token) else { continue };
            let since = pending.map_or(self.time.now, |pending| pending.ready_at);
            self.counters.acquired += 1;
            self.counters.stale += u64::from(lease.stale);
            let queued_for = Duration::from_nanos(self.time.now.saturating_sub(since));
            self.counters.queued.observe(queued_for);
            leases.push(Lease { queued_for, ..lease });
        }
        leases
    }

    /// Gives a lease its full duration again, from now; when it ends then.
    pub fn extend(&mut self, token: u64, now: Instant) -> Result<Instant, Refused> {
        self.advance(now);
        self.extend_lease(token).ok_or_else(|| self.refuse())
    }

    /// Extends all leases of a worker; how many.
    pub fn extend_worker(&mut self, worker: &str, now: Instant) -> usize {
        self.advance(now);
        let tokens = self.leases.tokens_of(worker);
        for token in &tokens {
            self.extend_lease(*token);
        }
        tokens.len()
    }

    /// As [`WorkQueue::extend`]. A worker that was thought lost is no longer.
    pub(super) fn extend_lease(&mut self, token: u64) -> Option<Instant> {
        let expires = self.time.after(self.config.lease);
        let held = self.leases.get_mut(token)?;
        self.timers.cancel(held.timer);
        held.timer = self.timers.set(expires, held.slot);
        held.lost_by = Failure::LeaseExpired;
        Some(self.time.instant(expires))
    }

    /// A lease as its worker sees it.
    pub(super) fn lease(&self, token: u64) -> Option<Lease> {
        let held = self.leases.get(token)?;
        let entry = self.table.get(held.slot)?;
        Some(Lease {
            token,
            key: entry.key.clone(),
            priority: held.priority,
            failures: entry.failures,
            last_failure: entry.last_failure,
            stale: self.gates.get(held.slot).is_some(),
            expires: self.time.instant(held.timer.at),
            queued_for: Duration::ZERO,
        })
    }

    pub(super) fn refuse(&mut self) -> Refused {
        self.counters.refused += 1;
        Refused::LeaseLost
    }
}
