//! Time inside the queue: nanoseconds since the queue was made, so that a moment takes 8 bytes; and the one timer that an
//! entry may have.

use std::{collections::BTreeMap, time::Duration};

use tokio::time::Instant;

use super::table::TimerId;

/// The queue's time. It never goes back, whatever the caller says.
#[derive(Debug)]
pub(super) struct Timeline {
    start: Instant,
    pub(super) now: u64,
}

/// Timers in the order in which they are due; equal ones in the order of their setting.
#[derive(Debug, Default)]
pub(super) struct Timers {
    due: BTreeMap<TimerId, u32>,
    seq: u64,
}

// === impl Timeline ===

impl Timeline {
    pub(super) fn new(start: Instant) -> Self {
        Self { start, now: 0 }
    }

    /// The moment that `instant` is, not before now.
    pub(super) fn moment(&self, instant: Instant) -> u64 {
        nanos(instant.saturating_duration_since(self.start)).max(self.now)
    }

    /// The moment `delay` from now.
    pub(super) fn after(&self, delay: Duration) -> u64 {
        self.now.saturating_add(nanos(delay))
    }

    pub(super) fn instant(&self, moment: u64) -> Instant {
        let since = Duration::from_nanos(moment);
        // Beyond what the platform's clock can name: far enough.
        self.start.checked_add(since).unwrap_or(self.start + FAR)
    }
}

/// A century, which each platform's clock can add.
const FAR: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

fn nanos(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

// === impl Timers ===

impl Timers {
    pub(super) fn set(&mut self, at: u64, slot: u32) -> TimerId {
        self.seq += 1;
        let id = TimerId { at, seq: self.seq };
        self.due.insert(id, slot);
        id
    }

    pub(super) fn cancel(&mut self, id: TimerId) {
        self.due.remove(&id);
    }

    /// Takes the first timer that is due at `now`.
    pub(super) fn pop(&mut self, now: u64) -> Option<(TimerId, u32)> {
        let first = self.due.first_entry().filter(|first| first.key().at <= now)?;
        Some(first.remove_entry())
    }

    pub(super) fn first(&self) -> Option<u64> {
        self.due.first_key_value().map(|(id, _)| id.at)
    }

    /// Slots that have a timer.
    pub(super) fn slots(&self) -> impl Iterator<Item = u32> {
        self.due.values().copied()
    }
}
