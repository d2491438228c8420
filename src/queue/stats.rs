//! Numbers (rows Q10, E8).

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;

use super::{Histogram, Outcome, WorkQueue};

/// Counts that are kept, because they cannot be had from the structures.
#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) delayed: usize,
    pub(super) gated: usize,
    /// Gated keys that are to be handed out.
    pub(super) gated_queued: usize,
    /// Keys of which only an unmet gate is remembered.
    pub(super) stale_kept: usize,
    pub(super) adds: u64,
    pub(super) retries: u64,
    pub(super) acquired: u64,
    pub(super) succeeded: u64,
    pub(super) failed: u64,
    pub(super) requeued: u64,
    pub(super) released: u64,
    pub(super) terminal: u64,
    pub(super) expired: u64,
    pub(super) refused: u64,
    pub(super) stale: u64,
    pub(super) queued: Histogram,
    pub(super) worked: Histogram,
}

/// The numbers of a queue.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Entries: keys in any state.
    pub keys: usize,
    /// Keys that can be handed out (row Q4).
    pub ready: usize,
    /// Keys that wait for a delay.
    pub delayed: usize,
    /// Keys withheld by a gate.
    pub gated: usize,
    /// Keys leased.
    pub leased: usize,
    /// Leased keys that were due again when they were added.
    pub dirty: usize,
    /// Keys parked by TERMINAL.
    pub parked: usize,
    /// Ready and dirty keys by priority, highest first (workqueue_depth).
    pub depth: Vec<(i32, usize)>,
    /// workqueue_adds_total: keys that became due and were not.
    pub adds: u64,
    /// workqueue_retries_total: delayed and rate limited adds.
    pub retries: u64,
    /// Leases given by acquire.
    pub acquired: u64,
    /// Completions with SUCCESS.
    pub succeeded: u64,
    /// Completions with RETRY.
    pub failed: u64,
    /// Completions with REQUEUE_AFTER.
    pub requeued: u64,
    /// Completions with RELEASE.
    pub released: u64,
    /// Completions with TERMINAL.
    pub terminal: u64,
    /// Leases that ended without a completion.
    pub expired: u64,
    /// Completions, extensions and registrations of lost leases.
    pub refused: u64,
    /// Keys handed out though a gate's write had not been seen.
    pub stale: u64,
    /// workqueue_queue_duration_seconds: from due to handed out.
    pub queued: Histogram,
    /// workqueue_work_duration_seconds: from handed out to completed or lost.
    pub worked: Histogram,
    /// Sum of the ages of all leases (workqueue_unfinished_work_seconds).
    pub unfinished: Duration,
    /// Age of the oldest lease (workqueue_longest_running_processor_seconds).
    pub longest: Duration,
    /// How long the next key has been due; zero if there is none.
    pub oldest_ready: Duration,
}

/// Most priorities in [`Stats::depth`] (row E8).
const MAX_PRIORITIES: usize = 25;

// === impl Counters ===

impl Counters {
    pub(super) fn completed(&mut self, outcome: Outcome) {
        let counter = match outcome {
            Outcome::Success => &mut self.succeeded,
            Outcome::Retry => &mut self.failed,
            Outcome::RequeueAfter(_) => &mut self.requeued,
            Outcome::Release => &mut self.released,
            Outcome::Terminal => &mut self.terminal,
        };
        *counter += 1;
    }
}

// === impl WorkQueue ===

impl WorkQueue {
    /// The numbers now.
    pub fn stats(&mut self, now: Instant) -> Stats {
        self.advance(now);
        let now = self.time.now;
        let (unfinished, longest) = self.leases.ages(now);
        let next = self.ready.first().and_then(|slot| self.table.get(slot));
        let since = next
            .and_then(|entry| entry.pending)
            .map_or(now, |pending| pending.ready_at);
        let c = &self.counters;
        Stats {
            keys: self.table.len(),
            ready: self.ready.len(),
            delayed: c.delayed,
            gated: c.gated,
            leased: self.leases.len(),
            dirty: self.dirty.values().sum(),
            parked: self.parked.len(),
            depth: self.depth(),
            adds: c.adds,
            retries: c.retries,
            acquired: c.acquired,
            succeeded: c.succeeded,
            failed: c.failed,
            requeued: c.requeued,
            released: c.released,
            terminal: c.terminal,
            expired: c.expired,
            refused: c.refused,
            stale: c.stale,
            queued: c.queued.clone(),
            worked: c.worked.clone(),
            unfinished: Duration::from_nanos_u128(unfinished),
            longest: Duration::from_nanos(longest),
            oldest_ready: Duration::from_nanos(now.saturating_sub(since)),
        }
    }

    /// Workers that hold leases, with how many.
    pub fn workers(&self) -> impl Iterator<Item = (&Arc<str>, usize)> {
        self.leases.workers()
    }

    fn depth(&self) -> Vec<(i32, usize)> {
        let mut depth = self.dirty.iter().map(|(p, n)| (p.0, *n)).collect::<Vec<_>>();
        for (priority, n) in self.ready.depths() {
            match depth.iter_mut().find(|(p, _)| *p == priority) {
                Some((_, sum)) => *sum += n,
                None => depth.push((priority, n)),
            }
        }
        depth.sort_unstable_by(|a, b| b.cmp(a));
        depth.truncate(MAX_PRIORITIES);
        depth
    }
}
