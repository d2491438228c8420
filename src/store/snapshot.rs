//! One immutable state of the store.

use std::{borrow::Borrow, cmp::Ordering, ops::Bound, sync::Arc};

use imbl::{OrdSet, Vector};
use tokio::time::Instant;

use super::{Changes, Indexes, Query};
use crate::object::{Digest, Object, ObjectKey, ResourceVersion};

/// Where a snapshot stands.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Ours: +1 for each applied change and each whole relist; 0 before the first sync.
    pub revision: u64,
    /// The API server's: the newest version seen, bookmarks included.
    pub resource_version: ResourceVersion,
    /// The first complete list was applied (row H7).
    pub synced: bool,
    /// When the API server last proved that this state is complete.
    pub as_of: Option<Instant>,
    /// Histories of the API server before this one: its versions went backwards so often (field case 14).
    pub era: u32,
    /// The revision with which the era began. Nothing before it can be continued.
    pub era_began: u64,
}

/// An immutable state of the store with its indexes.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    pub(super) position: Position,
    pub(super) objects: OrdSet<Entry>,
    pub(super) slots: Vector<Option<Slot>>,
    pub(super) indexes: Indexes,
    pub(super) changes: Changes,
    pub(super) bytes: u64,
}

/// An object under its key; the object is its own key, so no key is stored twice.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) slot: u32,
    pub(super) object: Arc<Object>,
}

/// What stands in a slot.
#[derive(Clone, Debug)]
pub struct Slot {
    /// The object.
    pub object: Arc<Object>,
    /// The revision in which it came, under this uid.
    pub created: u64,
    /// The revision of its last change.
    pub changed: u64,
}

/// Up to this many candidates are sorted; more are found by walking in key order and testing membership.
const SORT_AT_MOST: u64 = 4096;

// === impl Snapshot ===

impl Snapshot {
    /// Where it stands.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Number of objects.
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// True if it holds no object.
    pub fn is_empty(&self) -> bool {
        self.objects.is_empty()
    }

    /// Bytes of all bodies.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The indexes.
    pub fn indexes(&self) -> &Indexes {
        &self.indexes
    }

    /// One object.
    pub fn get(&self, key: &ObjectKey) -> Option<&Arc<Object>> {
        self.objects.get(key).map(|e| &e.object)
    }

    /// Slot and object of a key.
    pub fn slot_of(&self, key: &ObjectKey) -> Option<(u32, &Arc<Object>)> {
        self.objects.get(key).map(|e| (e.slot, &e.object))
    }

    /// Slots so far; some may be empty.
    pub fn slots(&self) -> u32 {
        u32::try_from(self.slots.len()).unwrap_or(u32::MAX)
    }

    /// What stands in a slot.
    pub fn slot(&self, slot: u32) -> Option<&Slot> {
        self.slots.get(slot as usize)?.as_ref()
    }

    /// What has changed when.
    pub fn changes(&self) -> &Changes {
        &self.changes
    }

    /// What `query` selects, in key order, after the key `after`.
    pub fn select<'a>(
        &'a self,
        query: &'a Query,
        after: Option<&ObjectKey>,
    ) -> impl Iterator<Item = &'a Arc<Object>> + Send + use<'a> {
        self.steps(query, after).flatten()
    }

    /// As [`Self::select`], with `None` for each object that was looked at in vain: whoever searches a large store for little
    /// can pause between them.
    pub fn steps<'a>(
        &'a self,
        query: &'a Query,
        after: Option<&ObjectKey>,
    ) -> Box<dyn Iterator<Item = Option<&'a Arc<Object>>> + Send + 'a> {
        match query.candidates(&self.indexes) {
            Some(slots) if slots.len() <= SORT_AT_MOST => {
                let mut found: Vec<_> = slots
                    .iter()
                    .filter_map(|slot| self.slot(slot).map(|s| &s.object))
                    .filter(|o| after.is_none_or(|a| o.key > *a) && query.matches(o))
                    .collect();
                found.sort_unstable_by(|a, b| a.key.cmp(&b.key));
                Box::new(found.into_iter().map(Some))
            }
            Some(slots) => Box::new(self.walk(after).map(move |e| {
                let found = slots.contains(e.slot) && query.matches(&e.object);
                found.then_some(&e.object)
            })),
            None if query.is_everything() => Box::new(self.walk(after).map(|e| Some(&e.object))),
            None => Box::new(self.walk(after).map(|e| query.matches(&e.object).then_some(&e.object))),
        }
    }

    /// How many objects `query` selects.
    pub fn count(&self, query: &Query) -> u64 {
        if query.is_everything() {
            return self.len() as u64;
        }
        self.select(query, None).count() as u64
    }

    /// Count and hash sum of what `query` selects.
    pub fn digest(&self, query: &Query) -> Digest {
        let mut digest = Digest::default();
        for object in self.select(query, None) {
            digest.add(object);
        }
        digest
    }

    /// Slot and object of each object of a namespace, or of all, in key order.
    pub fn in_namespace<'a>(&'a self, namespace: Option<&'a str>) -> impl Iterator<Item = (u32, &'a Arc<Object>)> + 'a {
        let first = namespace.map(|ns| ObjectKey::new(ns, ""));
        self.walk(first.as_ref())
            .take_while(move |e| namespace.is_none_or(|ns| e.object.key.namespace() == ns))
            .map(|e| (e.slot, &e.object))
    }

    fn walk<'a>(&'a self, after: Option<&ObjectKey>) -> impl Iterator<Item = &'a Entry> + Send + use<'a> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        self.objects.range::<_, ObjectKey>((from, Bound::Unbounded))
    }
}

// === impl Entry ===

impl Borrow<ObjectKey> for Entry {
    fn borrow(&self) -> &ObjectKey {
        &self.object.key
    }
}

impl Ord for Entry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.object.key.cmp(&other.object.key)
    }
}

impl PartialOrd for Entry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.object.key == other.object.key
    }
}

impl Eq for Entry {}
