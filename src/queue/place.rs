//! How an entry goes from one place to another. All other operations are made of these.

use std::{cmp::Reverse, mem, sync::Arc, time::Duration};

use super::{
    Failure, Lost, WorkQueue,
    drain::DrainMode,
    lease::Held,
    session::LOST_KEPT,
    table::{Pending, Place},
};

impl WorkQueue {
    /// Takes an entry out of its place; the lease, if it was leased.
    pub(super) fn detach(&mut self, slot: u32) -> Option<Held> {
        let entry = self.table.get_mut(slot)?;
        let pending = entry.pending;
        match mem::replace(&mut entry.place, Place::Nowhere) {
            Place::Nowhere => {}
            Place::Ready => self.ready.remove(slot),
            Place::Delayed(timer) => {
                self.timers.cancel(timer);
                self.counters.delayed -= 1;
            }
            Place::Gated(timer) => {
                self.timers.cancel(timer);
                self.counters.gated -= 1;
                self.counters.gated_queued -= usize::from(pending.is_some());
            }
            Place::Parked(number) => {
                self.parked.remove(&number);
            }
            Place::Stale => self.counters.stale_kept -= 1,
            Place::Leased(token) => {
                self.count_dirty(pending, false);
                let held = self.leases.remove(token)?;
                self.timers.cancel(held.timer);
                return Some(held);
            }
        }
        None
    }

    /// Puts an entry that is nowhere where it belongs, or forgets it if nothing is left to remember.
    pub(super) fn settle(&mut self, slot: u32) {
        let now = self.time.now;
        let gate = self.gates.get(slot).map(|record| record.cap);
        let Some(entry) = self.table.get_mut(slot) else {
            return;
        };
        match entry.pending {
            pending if gate.is_some_and(|cap| cap > now) => {
                let timer = self.timers.set(gate.unwrap_or(now), slot);
                entry.place = Place::Gated(timer);
                self.counters.gated += 1;
                self.counters.gated_queued += usize::from(pending.is_some());
            }
            Some(pending) if pending.ready_at <= now => {
                entry.pending = Some(Pending { due: true, ..pending });
                entry.place = Place::Ready;
                self.counters.adds += u64::from(!pending.due);
                self.ready.push(slot, pending.priority, entry.key.shared_namespace());
            }
            Some(pending) => {
                entry.place = Place::Delayed(self.timers.set(pending.ready_at, slot));
                self.counters.delayed += 1;
            }
            None if entry.terminal => self.park(slot),
            None if gate.is_some() => {
                entry.place = Place::Stale;
                self.counters.stale_kept += 1;
            }
            None => self.forget_entry(slot),
        }
    }

    /// The one timer of an entry has come.
    pub(super) fn timer_fired(&mut self, slot: u32) {
        match self.table.get(slot).map(|entry| entry.place) {
            Some(Place::Leased(token)) => self.lose(slot, token),
            Some(_) => {
                self.detach(slot);
                self.settle(slot);
            }
            None => {}
        }
    }

    /// Leases an entry that is nowhere.
    pub(super) fn grant(&mut self, slot: u32, worker: Arc<str>, priority: i32) -> u64 {
        let timer = self.timers.set(self.time.after(self.config.lease), slot);
        let token = self.leases.grant(Held {
            slot,
            worker,
            priority,
            granted: self.time.now,
            timer,
            lost_by: Failure::LeaseExpired,
        });
        if let Some(entry) = self.table.get_mut(slot) {
            entry.place = Place::Leased(token);
            let pending = entry.pending;
            self.count_dirty(pending, true);
        }
        token
    }

    /// Adds to an entry's wish; it keeps the higher priority and the earlier time (row Y1).
    pub(super) fn merge(&mut self, slot: u32, new: Pending) {
        if let Some(entry) = self.table.get_mut(slot) {
            let merged = entry.pending.map_or(new, |old| old.merge(new));
            self.counters.adds += u64::from(merged.due && !entry.pending.is_some_and(|old| old.due));
            entry.pending = Some(merged);
        }
    }

    /// As a failure of the key: its delay by the limiter, and one failure more (row Q7).
    pub(super) fn next_failure(&mut self, slot: u32) -> Pending {
        let at = self.time.instant(self.time.now);
        let failures = self.table.get(slot).map_or(0, |entry| entry.failures);
        let delay = self.config.limiter.when(failures, at);
        if let Some(entry) = self.table.get_mut(slot) {
            entry.failures = failures.saturating_add(1);
        }
        self.counters.retries += 1;
        self.pending(self.time.after(delay), 0)
    }

    pub(super) fn pending(&self, ready_at: u64, priority: i32) -> Pending {
        Pending {
            ready_at,
            priority,
            due: ready_at <= self.time.now,
        }
    }

    /// A lease has run out: Done and AddRateLimited, so that a key that kills its workers backs off.
    fn lose(&mut self, slot: u32, token: u64) {
        let Some(held) = self.detach(slot) else { return };
        self.counters.expired += 1;
        let worked = Duration::from_nanos(self.time.now - held.granted);
        self.counters.worked.observe(worked);
        if let Some(entry) = self.table.get_mut(slot) {
            entry.last_failure = Some(held.lost_by);
            let lost = Lost {
                token,
                worker: held.worker.clone(),
                key: entry.key.clone(),
                reason: held.lost_by,
            };
            if self.lost.len() < LOST_KEPT {
                self.lost.push(lost);
            }
        }
        // A drain that finishes hands it out again: nobody has worked on it to the end.
        if self.draining != Some(DrainMode::Stop) {
            let again = self.next_failure(slot);
            self.merge(
                slot,
                Pending {
                    priority: held.priority,
                    ..again
                },
            );
        }
        self.settle(slot);
    }

    fn park(&mut self, slot: u32) {
        if self.parked.len() >= self.config.max_parked
            && let Some((_, oldest)) = self.parked.pop_first()
        {
            self.forget_entry(oldest);
        }
        if self.config.max_parked == 0 {
            return self.forget_entry(slot);
        }
        self.next_parked += 1;
        self.parked.insert(self.next_parked, slot);
        if let Some(entry) = self.table.get_mut(slot) {
            entry.place = Place::Parked(self.next_parked);
        }
    }

    fn forget_entry(&mut self, slot: u32) {
        self.gates.remove(slot);
        self.errors.remove(&slot);
        if self.table.remove(slot) {
            self.ready.shrink();
        }
    }

    /// Counts a leased key that is due again, or no longer.
    pub(super) fn count_dirty(&mut self, pending: Option<Pending>, up: bool) {
        let Some(pending) = pending.filter(|pending| pending.due) else {
            return;
        };
        let depth = self.dirty.entry(Reverse(pending.priority)).or_default();
        if up {
            *depth += 1;
        } else {
            *depth -= 1;
            if *depth == 0 {
                self.dirty.remove(&Reverse(pending.priority));
            }
        }
    }
}

// === impl Pending ===

impl Pending {
    fn merge(self, new: Self) -> Self {
        Self {
            ready_at: self.ready_at.min(new.ready_at),
            priority: self.priority.max(new.priority),
            due: self.due || new.due,
        }
    }
}
