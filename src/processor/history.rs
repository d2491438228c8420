//! The ring of past revisions. Persistent like the store: a listener keeps the part that it reads without a lock, and the ring
//! itself forgets by count, bytes and age.

use std::{sync::Arc, time::Duration};

use imbl::Vector;
use tokio::time::Instant;

use super::Revision;

/// Past revisions, oldest first, gapless.
#[derive(Clone, Debug, Default)]
pub struct History {
    /// When the newest revision was applied, also when it is forgotten.
    newest: Option<Instant>,
    revisions: Vector<Arc<Revision>>,
    bytes: usize,
    /// Revisions up to this one are settled: their objects are packed.
    settled: u64,
    /// Bytes of the new states after that.
    fresh: usize,
}

/// The newest changes stay as they came: they are what listeners are about to read, each of them once.
const FRESH_BYTES: usize = 8 << 20;

/// Bounds of the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HistoryLimits {
    /// Most revisions.
    pub max_revisions: usize,
    /// Most bytes of bodies that only the ring keeps alive.
    pub max_bytes: usize,
    /// Greatest age.
    pub max_age: Duration,
}

// === impl History ===

impl History {
    /// Appends the next revision and forgets what no longer fits. A revision that is larger than the ring is forgotten at
    /// once: its listeners are reset.
    pub fn push(&mut self, revision: Revision, limits: &HistoryLimits) {
        self.newest = Some(revision.at);

        self.bytes += revision.cost();
        self.fresh += revision.fresh();
        let now = revision.at;
        if self.revisions.is_empty() {
            self.settled = revision.number - 1;
            self.fresh = revision.fresh();
        }
        self.revisions.push_back(Arc::new(revision));
        self.trim(now, limits);
        while self.fresh > FRESH_BYTES
            && let Some(oldest) = self.after(self.settled).cloned()
        {
            self.settle(&oldest);
        }
    }

    fn settle(&mut self, revision: &Revision) {
        if revision.number > self.settled {
            self.settled = revision.number;
            self.fresh -= revision.fresh();
            revision.settle();
        }
    }

    /// Forgets what has become too old. Returns true if anything was.
    pub fn trim(&mut self, now: Instant, limits: &HistoryLimits) -> bool {
        let before = self.revisions.len();
        while let Some(oldest) = self.revisions.front() {
            let fits = self.revisions.len() <= limits.max_revisions
                && self.bytes <= limits.max_bytes
                && now.saturating_duration_since(oldest.at) <= limits.max_age;
            if fits {
                break;
            }
            self.bytes -= oldest.cost();
            if let Some(oldest) = self.revisions.pop_front() {
                self.settle(&oldest);
            }
        }
        self.revisions.len() != before
    }

    /// Forgets everything, as before a position from which nothing can be replayed.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// The revision after `revision`, or `None` if that is not in the ring.
    pub fn after(&self, revision: u64) -> Option<&Arc<Revision>> {
        let first = self.revisions.front()?.number;
        let index = (revision + 1).checked_sub(first)?;
        self.revisions.get(usize::try_from(index).ok()?)
    }

    /// The oldest revision that a listener can continue from, given the store's revision.
    pub fn floor(&self, head: u64) -> u64 {
        self.revisions.front().map_or(head, |first| first.number - 1)
    }

    /// When the newest change was applied; none since the start, or since the ring was cleared.
    pub fn newest(&self) -> Option<Instant> {
        self.newest
    }

    /// Revisions in the ring.
    pub fn len(&self) -> usize {
        self.revisions.len()
    }

    /// True if nothing can be replayed.
    pub fn is_empty(&self) -> bool {
        self.revisions.is_empty()
    }

    /// Bytes that only the ring keeps alive.
    pub fn bytes(&self) -> usize {
        self.bytes
    }
}

impl Default for HistoryLimits {
    fn default() -> Self {
        Self {
            max_revisions: 8192,
            max_bytes: 64 << 20,
            max_age: Duration::from_secs(300),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{object::ResourceVersion, processor::Cause};

    fn revision(number: u64, at: Instant) -> Revision {
        Revision {
            number,
            cause: Cause::Live,
            resource_version: ResourceVersion::default(),
            at,
            changes: Box::new([]),
        }
    }

    #[tokio::test(start_paused = true)]
    async fn the_ring_is_bounded_by_count_bytes_and_age() {
        let limits = HistoryLimits {
            max_revisions: 3,
            max_bytes: usize::MAX,
            max_age: Duration::from_secs(10),
        };
        let mut history = History::default();
        assert_eq!(history.floor(7), 7);
        for n in 1..=5 {
            history.push(revision(n, Instant::now()), &limits);
        }
        assert_eq!((history.len(), history.floor(5)), (3, 2));
        assert!(history.after(1).is_none());
        assert_eq!(history.after(2).unwrap().number, 3);
        assert!(history.after(5).is_none());
        tokio::time::advance(Duration::from_secs(11)).await;
        assert!(history.trim(Instant::now(), &limits));
        assert_eq!((history.len(), history.floor(5), history.bytes()), (0, 5, 0));
        let small = HistoryLimits { max_bytes: 1, ..limits };
        history.push(revision(6, Instant::now()), &small);
        assert_eq!((history.len(), history.floor(6)), (0, 6));
    }
}
