//! Stale gates: what a key waits for before it is handed out again (KEP-5647).
//!
//! ```text
//!   complete(wait_for) ─▶ record { conditions, cap } ─▶ seen(informer, version) meets conditions ─▶ open
//!                                                    └▶ cap passed: handed out, but flagged until they are met
//! ```

use std::{
    cmp::Ordering,
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

use crate::object::ResourceVersion;

/// A write that the cache has to see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitFor {
    /// The informer that caches what was written.
    pub informer: Arc<str>,
    /// The version that the write was answered with.
    pub version: ResourceVersion,
}

/// The gates of a queue.
#[derive(Debug, Default)]
pub(super) struct Gates {
    records: HashMap<u32, Record>,
    informers: HashMap<Arc<str>, Followed>,
}

/// What one key waits for.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) conditions: Vec<WaitFor>,
    /// Until then the key is withheld.
    pub(super) cap: u64,
}

/// How far an informer is, and who waits for it.
#[derive(Debug, Default)]
struct Followed {
    seen: Option<Position>,
    waiting: BTreeSet<(Position, u32)>,
}

/// A version that can be compared with all others of its kind.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Position(ResourceVersion);

impl Ord for Position {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.compare(&other.0).unwrap_or(Ordering::Equal)
    }
}

impl PartialOrd for Position {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Position {
    fn of(version: &ResourceVersion) -> Option<Self> {
        version.is_comparable().then(|| Self(version.clone()))
    }
}

// === impl Gates ===

impl Gates {
    pub(super) fn get(&self, slot: u32) -> Option<&Record> {
        self.records.get(&slot)
    }

    /// Adds conditions to a key's gate, which is then withheld until `cap`. What has been seen already is no condition,
    /// and of two conditions on one informer the newer counts. Versions that do not compare are left out: check first.
    pub(super) fn add(&mut self, slot: u32, wait_for: &[WaitFor], cap: u64) {
        for wait in wait_for {
            let Some(position) = Position::of(&wait.version) else {
                continue;
            };
            let informer = self.informers.entry(wait.informer.clone()).or_default();
            if informer.seen.as_ref().is_some_and(|seen| *seen >= position) {
                continue;
            }
            let record = self.records.entry(slot).or_insert_with(|| Record {
                conditions: Vec::with_capacity(1),
                cap,
            });
            record.cap = cap;
            match record.conditions.iter_mut().find(|c| c.informer == wait.informer) {
                Some(old) => {
                    let before = Position(old.version.clone());
                    if before < position {
                        informer.waiting.remove(&(before, slot));
                        informer.waiting.insert((position, slot));
                        old.version = wait.version.clone();
                    }
                }
                None => {
                    informer.waiting.insert((position, slot));
                    record.conditions.push(wait.clone());
                }
            }
        }
    }

    /// An informer has come this far: the keys for which nothing is left to wait.
    pub(super) fn seen(&mut self, informer: &str, version: &ResourceVersion) -> Vec<u32> {
        let Some(position) = Position::of(version) else {
            return Vec::new();
        };
        let Some(followed) = self.informers.get_mut(informer) else {
            let followed = Followed {
                seen: Some(position),
                ..Followed::default()
            };
            self.informers.insert(informer.into(), followed);
            return Vec::new();
        };
        // An informer never goes back, whatever an API server restored from a backup says: its writes are gone too.
        if followed.seen.as_ref().is_none_or(|seen| *seen < position) {
            followed.seen = Some(position.clone());
        }
        let mut met = Vec::new();
        while let Some((waits_for, _)) = followed.waiting.first()
            && *waits_for <= position
            && let Some((_, slot)) = followed.waiting.pop_first()
        {
            met.push(slot);
        }
        met.retain(|slot| self.drop_condition(*slot, informer));
        met
    }

    /// An informer is gone, and nothing will be seen of it: as [`Gates::seen`] with an endless version.
    pub(super) fn informer_gone(&mut self, informer: &str) -> Vec<u32> {
        let waiting = self.informers.remove(informer).map(|f| f.waiting).unwrap_or_default();
        let mut met: Vec<_> = waiting.into_iter().map(|(_, slot)| slot).collect();
        met.retain(|slot| self.drop_condition(*slot, informer));
        met
    }

    /// The key is gone.
    pub(super) fn remove(&mut self, slot: u32) {
        let Some(record) = self.records.remove(&slot) else {
            return;
        };
        for condition in record.conditions {
            if let Some(informer) = self.informers.get_mut(&condition.informer) {
                informer.waiting.remove(&(Position(condition.version), slot));
            }
        }
    }

    /// True if it was the last one.
    fn drop_condition(&mut self, slot: u32, informer: &str) -> bool {
        let Some(record) = self.records.get_mut(&slot) else {
            return false;
        };
        record.conditions.retain(|c| *c.informer != *informer);
        let open = record.conditions.is_empty();
        if open {
            self.records.remove(&slot);
        }
        open
    }
}
