//! The work queue: deduplicated, rate limited, leased, and gated on a fresh cache. A pure state machine: the caller says
//! what time it is, and nothing here waits, sleeps or talks.
//!
//! ```text
//!   add ──▶ DELAYED ──due──▶ READY ──acquire──▶ LEASED ──complete──▶ gone, READY, DELAYED or PARKED
//!    │                         ▲                  │ └─ not in time: as RETRY (LEASE_EXPIRED)
//!    └─────── at once ─────────┘                  └─ wait_for ──▶ GATED ──seen, or cap (stale)──▶ as above
//! ```
//!
//! There is one entry per key, in exactly one of these places (row Y1); what is added to a leased or gated key waits in its
//! entry (rows Q1, Y4). Each call first applies what has become due, so a late caller changes no outcome.
//! Calls take O(log n); [`WorkQueue::drain`] walks over the keys once.

mod acquire;
mod add;
mod complete;
mod drain;
mod gate;
mod histogram;
mod lease;
mod limiter;
mod place;
mod ready;
mod session;
mod stats;
mod table;
mod time;
mod view;

pub use acquire::Lease;
pub use add::{Add, Added};
pub use complete::{Completed, Outcome, Refused};
pub use drain::{DrainMode, Phase};
pub use gate::WaitFor;
pub use histogram::Histogram;
pub use limiter::{Bucket, LONGEST, RateLimiter};
pub use session::{HeldKey, Lost};
pub use stats::Stats;
pub use view::{Item, ItemState, LeaseView, Page};

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    time::Duration,
};

use tokio::time::Instant;

use self::{
    gate::Gates,
    lease::Leases,
    ready::Ready,
    session::Hold,
    stats::Counters,
    table::Table,
    time::{Timeline, Timers},
};

/// How a queue behaves.
#[derive(Clone, Debug, PartialEq)]
pub struct QueueConfig {
    /// Delays of failed keys (row Q8).
    pub limiter: RateLimiter,
    /// How long a lease lasts without an extension.
    pub lease: Duration,
    /// Most keys that one worker may hold.
    pub max_per_worker: usize,
    /// Namespaces take turns inside a priority; else first come, first served.
    pub fair: bool,
    /// How long a completion's `wait_for` withholds its key at most.
    pub gate_cap: Duration,
    /// Most parked keys that are remembered; beyond it the oldest is forgotten, which loses no work: an event adds an
    /// unknown key as well as a parked one.
    pub max_parked: usize,
    /// The first fencing token. A caller that takes it from the wall clock gets tokens that grow over restarts.
    pub first_token: u64,
}

/// Why a key was not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The worker said RETRY.
    Retry,
    /// The lease expired.
    LeaseExpired,
    /// The worker was lost and its grace has passed.
    WorkerLost,
    /// The worker said TERMINAL.
    Terminal,
}

/// A work queue.
#[derive(Debug)]
pub struct WorkQueue {
    config: QueueConfig,
    time: Timeline,
    table: Table,
    ready: Ready,
    /// Delays, leases and gate caps: each entry has at most one.
    timers: Timers,
    leases: Leases,
    gates: Gates,
    /// Parked keys, the oldest first.
    parked: BTreeMap<u64, u32>,
    next_parked: u64,
    /// Leased keys that are due again, by priority: with the ready ones they are the depth (row Q10).
    dirty: BTreeMap<Reverse<i32>, usize>,
    /// What workers said about failures. Few keys have one, so it is not in the entry.
    errors: HashMap<u32, Box<str>>,
    hold: Option<Hold>,
    draining: Option<DrainMode>,
    lost: Vec<Lost>,
    counters: Counters,
}

// === impl QueueConfig ===

impl Default for QueueConfig {
    fn default() -> Self {
        Self {
            limiter: RateLimiter::default(),
            lease: Duration::from_secs(30),
            max_per_worker: 10_000,
            fair: true,
            gate_cap: Duration::from_secs(70),
            max_parked: 10_000,
            first_token: 1,
        }
    }
}

// === impl WorkQueue ===

impl WorkQueue {
    /// An empty queue.
    pub fn new(config: QueueConfig, now: Instant) -> Self {
        Self {
            time: Timeline::new(now),
            table: Table::default(),
            ready: Ready::new(config.fair),
            timers: Timers::default(),
            leases: Leases::new(config.first_token),
            gates: Gates::default(),
            parked: BTreeMap::new(),
            next_parked: 0,
            dirty: BTreeMap::new(),
            errors: HashMap::new(),
            hold: None,
            draining: None,
            lost: Vec::new(),
            counters: Counters::default(),
            config,
        }
    }

    /// How it behaves.
    pub fn config(&self) -> &QueueConfig {
        &self.config
    }

    /// Applies everything that has become due: delays that are over, leases and gates that have run out.
    pub fn advance(&mut self, now: Instant) {
        let now = self.time.moment(now);
        while let Some((timer, slot)) = self.timers.pop(now) {
            // What happens at a moment happens in the state of that moment, so it does not matter how late we are.
            self.time.now = self.time.now.max(timer.at);
            self.timer_fired(slot);
        }
        self.time.now = now;
        if self.hold.as_ref().is_some_and(|hold| hold.until <= now) {
            self.hold = None;
        }
    }

    /// When to call [`WorkQueue::advance`] next, if nothing else happens before.
    pub fn next_deadline(&self) -> Option<Instant> {
        let hold = self
            .hold
            .as_ref()
            .filter(|_| self.ready.len() > 0)
            .map(|hold| hold.until);
        let first = self.timers.first().into_iter().chain(hold).min()?;
        Some(self.time.instant(first))
    }

    /// Keys that can be handed out (row Q4): without leased, delayed and withheld ones.
    pub fn len(&self) -> usize {
        self.ready.len()
    }

    /// True if no key can be handed out.
    pub fn is_empty(&self) -> bool {
        self.ready.len() == 0
    }
}

#[cfg(test)]
mod tests;
