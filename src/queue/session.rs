//! Workers that come and go, and the time after a restart.

use std::{collections::HashSet, mem, sync::Arc};

use tokio::time::Instant;

use super::{Failure, Lease, Refused, WorkQueue, table::Place};
use crate::object::ObjectKey;

/// A key that a worker says it works on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeldKey {
    /// The key.
    pub key: ObjectKey,
    /// Its lease; `None` if that is of an earlier run, whose tokens mean nothing here.
    pub token: Option<u64>,
}

/// A lease that ended without a completion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lost {
    /// The lease.
    pub token: u64,
    /// Who had it.
    pub worker: Arc<str>,
    /// The key.
    pub key: ObjectKey,
    /// Why.
    pub reason: Failure,
}

/// Nothing is handed out yet.
#[derive(Debug)]
pub(super) struct Hold {
    pub(super) until: u64,
    /// Workers of the last run that have not registered.
    missing: HashSet<Arc<str>>,
}

/// Most notices kept for [`WorkQueue::take_lost`]. They are hints: what a lost lease means is said by its completion.
pub(super) const LOST_KEPT: usize = 4096;

// === impl WorkQueue ===

impl WorkQueue {
    /// Hands nothing out until `until`, or until each of `workers` has registered, if any are named. For the time after a
    /// restart, in which workers of the last run may still hold keys.
    pub fn hold(&mut self, until: Instant, workers: impl IntoIterator<Item = Arc<str>>, now: Instant) {
        self.advance(now);
        let until = self.time.moment(until);
        if until > self.time.now {
            let missing = workers.into_iter().collect();
            self.hold = Some(Hold { until, missing });
        }
    }

    /// Leases keys to a worker of the last run, as far as they are free: for a caller that has a record of what was held,
    /// and then need not hold the whole queue. The worker confirms by [`WorkQueue::register`]; else the leases expire.
    pub fn restore(&mut self, worker: &str, keys: impl IntoIterator<Item = ObjectKey>, now: Instant) {
        self.advance(now);
        for key in keys {
            let slot = self.table.find_or_insert(key);
            self.adopt(slot, worker);
        }
    }

    /// A worker says what it works on. Valid leases are extended; what it held in an earlier run is leased to it anew
    /// while the queue holds, since nobody else can have got it. What it does not name stays as it is.
    pub fn register(&mut self, worker: &str, held: &[HeldKey], now: Instant) -> Vec<Result<Lease, Refused>> {
        self.advance(now);
        let leases = held.iter().map(|held| self.register_key(worker, held)).collect();
        if let Some(hold) = &mut self.hold
            && hold.missing.remove(worker)
            && hold.missing.is_empty()
        {
            self.hold = None;
        }
        leases
    }

    /// A worker is gone: its leases end at `until` at the latest, unless it registers or extends them before.
    pub fn worker_lost(&mut self, worker: &str, until: Instant, now: Instant) {
        self.advance(now);
        let until = self.time.moment(until);
        for token in self.leases.tokens_of(worker) {
            if let Some(held) = self.leases.get_mut(token)
                && held.timer.at > until
            {
                self.timers.cancel(held.timer);
                held.timer = self.timers.set(until, held.slot);
                held.lost_by = Failure::WorkerLost;
            }
        }
    }

    /// The leases lost since the last call, at most 4096.
    pub fn take_lost(&mut self) -> Vec<Lost> {
        mem::take(&mut self.lost)
    }

    fn register_key(&mut self, worker: &str, held: &HeldKey) -> Result<Lease, Refused> {
        let known = self.table.find(&held.key);
        let leased = known.and_then(|slot| self.leased_to(slot, worker));
        let token = match (leased, held.token) {
            // An own lease: that of the token, or one restored from a record.
            (Some(token), None) => Some(token),
            (Some(token), Some(named)) if token == named => Some(token),
            (None, None) if self.hold.is_some() => {
                let slot = self.table.find_or_insert(held.key.clone());
                self.adopt(slot, worker)
            }
            _ => None,
        };
        match token.filter(|token| self.extend_lease(*token).is_some()) {
            Some(token) => self.lease(token).ok_or(Refused::LeaseLost),
            None => Err(self.refuse()),
        }
    }

    fn leased_to(&self, slot: u32, worker: &str) -> Option<u64> {
        match self.table.get(slot)?.place {
            Place::Leased(token) => self.leases.get(token).filter(|h| *h.worker == *worker).map(|_| token),
            _ => None,
        }
    }

    /// Leases a key out of turn, unless it is leased. What is queued for it stays queued: it may be an event that the
    /// worker has not seen.
    fn adopt(&mut self, slot: u32, worker: &str) -> Option<u64> {
        let entry = self.table.get(slot)?;
        if matches!(entry.place, Place::Leased(_)) {
            return None;
        }
        let priority = entry.pending.map_or(0, |pending| pending.priority);
        self.detach(slot);
        let worker = self.leases.worker(worker);
        Some(self.grant(slot, worker, priority))
    }
}
