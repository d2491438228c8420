//! The end of a queue (row Q5).

use tokio::time::Instant;

use super::{WorkQueue, table::Place};

/// How a queue ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrainMode {
    /// client-go's ShutDownWithDrain: waits for the leases too.
    Finish,
    /// client-go's ShutDown: hands out what is queued.
    Stop,
}

/// The phase of a queue's life.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Takes keys and hands them out.
    Active,
    /// Takes keys but hands none out yet.
    Holding,
    /// Takes no keys; hands out the rest.
    Draining,
    /// Has none to hand out any more.
    Drained,
}

// === impl WorkQueue ===

impl WorkQueue {
    /// Takes no keys from now on and forgets the delayed ones. STOP ends a FINISH that is under way, not the other way
    /// round. Keys withheld by a gate are queued ones: they are handed out when it opens.
    pub fn drain(&mut self, mode: DrainMode, now: Instant) {
        self.advance(now);
        if self.draining.is_none() || mode == DrainMode::Stop {
            self.draining = Some(mode);
            self.forget_delayed();
        }
    }

    /// How it drains, if it does.
    pub fn drain_mode(&self) -> Option<DrainMode> {
        self.draining
    }

    /// Where it stands.
    pub fn phase(&self) -> Phase {
        let left = match self.draining {
            None if self.hold.is_some() => return Phase::Holding,
            None => return Phase::Active,
            Some(DrainMode::Stop) => self.ready.len() + self.counters.gated_queued,
            // Delayed keys are those whose lease expired during the drain.
            Some(DrainMode::Finish) => {
                self.ready.len() + self.counters.gated_queued + self.counters.delayed + self.leases.len()
            }
        };
        if left == 0 { Phase::Drained } else { Phase::Draining }
    }

    fn forget_delayed(&mut self) {
        let now = self.time.now;
        // Delayed, leased and gated entries: those that have a timer are those that can have a later wish.
        for slot in self.timers.slots().collect::<Vec<_>>() {
            let Some(entry) = self.table.get_mut(slot) else {
                continue;
            };
            if entry.pending.is_none_or(|pending| pending.ready_at <= now) {
                continue;
            }
            if matches!(entry.place, Place::Leased(_)) {
                entry.pending = None;
            } else {
                self.detach(slot);
                if let Some(entry) = self.table.get_mut(slot) {
                    entry.pending = None;
                }
                self.settle(slot);
            }
        }
    }
}
