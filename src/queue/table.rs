//! One entry per key (row Y1): slots, found by key through a table of slot numbers, so that a key is stored once.

use std::{collections::hash_map::RandomState, hash::BuildHasher};

use hashbrown::HashTable;

use super::Failure;
use crate::object::ObjectKey;

/// What the queue knows of a key.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) key: ObjectKey,
    /// Where it is.
    pub(super) place: Place,
    /// It is to be handed out (again). Always set in READY and DELAYED.
    pub(super) pending: Option<Pending>,
    /// Failures since it was last done or forgotten (row Q7).
    pub(super) failures: u32,
    /// Why it was not done the last time.
    pub(super) last_failure: Option<Failure>,
    /// Its last outcome was TERMINAL and nothing has been added since.
    pub(super) terminal: bool,
}

/// Which structure holds the slot besides the table: exactly one, so that no key is in two places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// None: between two others, inside one operation.
    Nowhere,
    /// `Ready`.
    Ready,
    /// A timer, until the delay is over.
    Delayed(TimerId),
    /// A timer, until the gate's cap; the gates name what it waits for.
    Gated(TimerId),
    /// The leases, under this token.
    Leased(u64),
    /// The parked keys, under this number.
    Parked(u64),
    /// The gates only: it waits for nothing but is flagged when it comes again.
    Stale,
}

/// A wish to be handed out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pending {
    /// Not before.
    pub(super) ready_at: u64,
    pub(super) priority: i32,
    /// Counted as an add: it was due when it was added, or has become due since (row Q10).
    pub(super) due: bool,
}

/// Names a timer: when, and a number that orders equal times by their setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TimerId {
    pub(super) at: u64,
    pub(super) seq: u64,
}

/// The entries.
#[derive(Debug, Default)]
pub(super) struct Table {
    slots: Vec<Option<Entry>>,
    free: Vec<u32>,
    index: HashTable<u32>,
    hasher: RandomState,
}

/// Below this many slots an empty table keeps its memory.
const KEEP: usize = 4096;

// === impl Table ===

impl Table {
    /// Entries.
    pub(super) fn len(&self) -> usize {
        self.index.len()
    }

    /// Slots, used or not: the end of a walk over them.
    pub(super) fn slots(&self) -> u32 {
        self.slots.len() as u32
    }

    pub(super) fn get(&self, slot: u32) -> Option<&Entry> {
        self.slots.get(slot as usize)?.as_ref()
    }

    pub(super) fn get_mut(&mut self, slot: u32) -> Option<&mut Entry> {
        self.slots.get_mut(slot as usize)?.as_mut()
    }

    pub(super) fn find(&self, key: &ObjectKey) -> Option<u32> {
        let hash = self.hasher.hash_one(key);
        self.index.find(hash, |slot| self.holds(*slot, key)).copied()
    }

    /// The key's slot, new (and nowhere) if it has none.
    pub(super) fn find_or_insert(&mut self, key: ObjectKey) -> u32 {
        if let Some(slot) = self.find(&key) {
            return slot;
        }
        let hash = self.hasher.hash_one(&key);
        let entry = Entry {
            key,
            place: Place::Nowhere,
            pending: None,
            failures: 0,
            last_failure: None,
            terminal: false,
        };
        let slot = match self.free.pop() {
            Some(slot) => {
                self.slots[slot as usize] = Some(entry);
                slot
            }
            None => {
                self.slots.push(Some(entry));
                // 2^32 keys do not fit into memory.
                (self.slots.len() - 1) as u32
            }
        };
        let Self {
            slots, index, hasher, ..
        } = self;
        index.insert_unique(hash, slot, |slot| {
            slots[*slot as usize].as_ref().map_or(0, |e| hasher.hash_one(&e.key))
        });
        slot
    }

    /// Forgets an entry. True if it was the last of many: the memory was given back, and slots count from 0 again.
    pub(super) fn remove(&mut self, slot: u32) -> bool {
        let Some(entry) = self.slots.get_mut(slot as usize).and_then(Option::take) else {
            return false;
        };
        let hash = self.hasher.hash_one(&entry.key);
        if let Ok(found) = self.index.find_entry(hash, |s| *s == slot) {
            found.remove();
        }
        self.free.push(slot);
        let shrink = self.index.is_empty() && self.slots.len() > KEEP;
        if shrink {
            *self = Self::default();
        }
        shrink
    }

    fn holds(&self, slot: u32, key: &ObjectKey) -> bool {
        self.get(slot).is_some_and(|e| e.key == *key)
    }
}
