//! Adding keys (rows Q1, Q6, Q7, Y1-Y4).

use std::time::Duration;

use tokio::time::Instant;

use super::{
    WorkQueue,
    table::{Pending, Place},
};
use crate::object::ObjectKey;

/// How a key is added. The default is a plain add.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Add {
    /// Not before this long from now; zero is at once.
    pub after: Duration,
    /// Delay by the limiter and count a failure. With `after` the shorter delay counts (row Y5).
    pub rate_limited: bool,
    /// Higher first.
    pub priority: i32,
}

/// What became of an added key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// It was not queued before.
    Queued,
    /// It was queued already.
    Merged,
    /// It is leased, and will be handed out again after the completion.
    Dirty,
    /// The queue drains.
    Refused,
}

// === impl WorkQueue ===

impl WorkQueue {
    /// Adds a key. A parked one is queued again: this is its next event.
    pub fn add(&mut self, key: ObjectKey, how: Add, now: Instant) -> Added {
        self.advance(now);
        if self.draining.is_some() {
            return Added::Refused;
        }
        let slot = self.table.find_or_insert(key);
        let mut delay = self.time.after(how.after);
        if how.rate_limited {
            let limited = self.next_failure(slot).ready_at;
            delay = if how.after.is_zero() {
                limited
            } else {
                limited.min(delay)
            };
        } else if !how.after.is_zero() {
            self.counters.retries += 1;
        }
        self.enqueue(slot, self.pending(delay, how.priority))
    }

    /// Clears a key's failures (row Q7); true if it had some. The key stays where it is.
    pub fn forget(&mut self, key: &ObjectKey) -> bool {
        let entry = self.table.find(key).and_then(|slot| self.table.get_mut(slot));
        entry.is_some_and(|entry| std::mem::take(&mut entry.failures) > 0)
    }

    /// A key's failures since it was last done or forgotten.
    pub fn num_requeues(&self, key: &ObjectKey) -> u32 {
        let entry = self.table.find(key).and_then(|slot| self.table.get(slot));
        entry.map_or(0, |entry| entry.failures)
    }

    fn enqueue(&mut self, slot: u32, new: Pending) -> Added {
        let Some(entry) = self.table.get_mut(slot) else {
            return Added::Refused;
        };
        entry.terminal = false;
        let (place, old) = (entry.place, entry.pending);
        match (place, old) {
            // Only a higher priority moves a ready key, to the end of its new level (row Y1).
            (Place::Ready, Some(old)) if new.priority <= old.priority => {}
            // Its delay is the shorter one, and only its priority may change.
            (Place::Delayed(_), Some(old)) if new.ready_at >= old.ready_at => self.merge(slot, new),
            (Place::Leased(_), _) => {
                self.count_dirty(old, false);
                self.merge(slot, new);
                let merged = self.table.get(slot).and_then(|entry| entry.pending);
                self.count_dirty(merged, true);
                return Added::Dirty;
            }
            (Place::Gated(_), _) => {
                self.counters.gated_queued += usize::from(old.is_none());
                self.merge(slot, new);
            }
            _ => {
                self.detach(slot);
                self.merge(slot, new);
                self.settle(slot);
            }
        }
        if old.is_some() { Added::Merged } else { Added::Queued }
    }
}
