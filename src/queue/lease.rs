//! Who holds which key, and until when.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

use super::{Failure, table::TimerId};

/// A lease.
#[derive(Debug)]
pub(super) struct Held {
    pub(super) slot: u32,
    pub(super) worker: Arc<str>,
    /// Priority that the key was handed out with; a retry keeps it (row E7).
    pub(super) priority: i32,
    pub(super) granted: u64,
    pub(super) timer: TimerId,
    /// Why it is lost if the timer comes first.
    pub(super) lost_by: Failure,
}

/// The leases of a queue.
#[derive(Debug)]
pub(super) struct Leases {
    /// Tokens grow, so the first one is the oldest.
    by_token: BTreeMap<u64, Held>,
    workers: HashMap<Arc<str>, BTreeSet<u64>>,
    next_token: u64,
    /// Sum of `granted`, for the sum of all ages.
    granted: u128,
}

// === impl Leases ===

impl Leases {
    pub(super) fn new(first_token: u64) -> Self {
        Self {
            by_token: BTreeMap::new(),
            workers: HashMap::new(),
            // 0 is what an unset field of a message reads as.
            next_token: first_token.max(1),
            granted: 0,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.by_token.len()
    }

    /// Leases that a worker holds.
    pub(super) fn outstanding(&self, worker: &str) -> usize {
        self.workers.get(worker).map_or(0, BTreeSet::len)
    }

    /// Workers that hold something, with how much.
    pub(super) fn workers(&self) -> impl Iterator<Item = (&Arc<str>, usize)> {
        self.workers.iter().map(|(worker, tokens)| (worker, tokens.len()))
    }

    pub(super) fn get(&self, token: u64) -> Option<&Held> {
        self.by_token.get(&token)
    }

    pub(super) fn get_mut(&mut self, token: u64) -> Option<&mut Held> {
        self.by_token.get_mut(&token)
    }

    /// A worker's tokens, oldest first.
    pub(super) fn tokens_of(&self, worker: &str) -> Vec<u64> {
        self.workers.get(worker).into_iter().flatten().copied().collect()
    }

    /// The id under which a worker's leases are kept: shared by all of them.
    pub(super) fn worker(&self, worker: &str) -> Arc<str> {
        match self.workers.get_key_value(worker) {
            Some((shared, _)) => shared.clone(),
            None => worker.into(),
        }
    }

    /// Gives a lease; its token is greater than all before.
    pub(super) fn grant(&mut self, held: Held) -> u64 {
        let token = self.next_token;
        self.next_token += 1;
        self.granted += u128::from(held.granted);
        self.workers.entry(held.worker.clone()).or_default().insert(token);
        self.by_token.insert(token, held);
        token
    }

    /// Ends a lease.
    pub(super) fn remove(&mut self, token: u64) -> Option<Held> {
        let held = self.by_token.remove(&token)?;
        self.granted -= u128::from(held.granted);
        if let Some(tokens) = self.workers.get_mut(&held.worker) {
            tokens.remove(&token);
            if tokens.is_empty() {
                self.workers.remove(&held.worker);
            }
        }
        Some(held)
    }

    /// Sum of the ages, and the greatest one, in nanoseconds (row Q10).
    pub(super) fn ages(&self, now: u64) -> (u128, u64) {
        let sum = u128::from(now) * self.by_token.len() as u128 - self.granted;
        let oldest = self.by_token.first_key_value().map_or(0, |(_, h)| now - h.granted);
        (sum, oldest)
    }
}
