//! What has changed since a revision, without the changes themselves: each object stands at the revision of its last change, and
//! deletions leave a tombstone. So a listener that has fallen far behind is brought up to date with one event for each key,
//! and what that costs while it sleeps is nothing: neither a queue nor a set of keys is kept for it.

use std::{ops::Bound, sync::Arc};

use imbl::{OrdSet, Vector};

use crate::object::{Object, ObjectKey, ResourceVersion, Uid};

/// Objects by their last change, and the deletions that are still remembered.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    live: OrdSet<(u64, u32)>,
    tombstones: Vector<Arc<Tombstone>>,
    /// Deletions up to this revision may have been forgotten.
    floor: u64,
}

/// An object that is gone.
#[derive(Debug)]
pub struct Tombstone {
    /// Its key.
    pub key: ObjectKey,
    /// Its uid.
    pub uid: Uid,
    /// Its last resourceVersion; that of the deletion if the watch told it.
    pub resource_version: ResourceVersion,
    /// The revision in which it came.
    pub created: u64,
    /// The revision in which it went.
    pub deleted: u64,
}

/// Deletions remembered: about 10 MiB at the most.
const MAX_TOMBSTONES: usize = 65_536;

// === impl Changes ===

impl Changes {
    /// The last change of everything after `revision` is still known.
    pub fn reach_back_to(&self, revision: u64) -> bool {
        revision >= self.floor
    }

    /// The object that changed next after this position (revision, slot).
    pub fn live_after(&self, position: (u64, u32)) -> Option<(u64, u32)> {
        self.live
            .range((Bound::Excluded(position), Bound::Unbounded))
            .next()
            .copied()
    }

    /// The tombstone at an index.
    pub fn tombstone(&self, index: usize) -> Option<&Arc<Tombstone>> {
        self.tombstones.get(index)
    }

    /// Index of the first tombstone after `revision`.
    pub fn tombstones_after(&self, revision: u64) -> usize {
        let found = self.tombstones.binary_search_by(|t| {
            // Never equal, so that the search ends between the last at `revision` and the first after it.
            t.deleted.cmp(&revision).then(std::cmp::Ordering::Less)
        });
        found.unwrap_or_else(|index| index)
    }

    pub(super) fn touch(&mut self, slot: u32, before: Option<u64>, now: u64) {
        if let Some(before) = before {
            self.live.remove(&(before, slot));
        }
        self.live.insert((now, slot));
    }

    pub(super) fn forget(&mut self, slot: u32, changed: u64) {
        self.live.remove(&(changed, slot));
    }

    pub(super) fn bury(&mut self, object: &Object, last: &ResourceVersion, created: u64, deleted: u64) {
        self.tombstones.push_back(Arc::new(Tombstone {
            key: object.key.clone(),
            uid: object.meta.uid.clone(),
            resource_version: last.clone(),
            created,
            deleted,
        }));
        if self.tombstones.len() > MAX_TOMBSTONES
            && let Some(forgotten) = self.tombstones.pop_front()
        {
            self.floor = forgotten.deleted;
        }
    }
}
