//! A relist, compared with the store while it streams in, so that it costs the memory of what changed and not a second
//! copy of everything (pain P3).

use std::{collections::BTreeMap, sync::Arc};

use roaring::RoaringBitmap;

use super::{Delta, Sender, fifo::Stopped};
use crate::object::{Object, ObjectKey, ResourceVersion};

/// The store, as the comparison needs it (client-go's KnownObjects).
pub trait KnownObjects: Send + Sync + 'static {
    /// The store's slot and object of a key.
    fn known(&self, key: &ObjectKey) -> Option<(u32, Arc<Object>)>;
}

/// A list that is coming in. Dropped without [`Replacing::commit`] it changes nothing.
pub struct Replacing {
    known: Arc<dyn KnownObjects>,
    anew: bool,
    unchanged: RoaringBitmap,
    changed: BTreeMap<ObjectKey, Arc<Object>>,
}

/// A complete list: what of the store it confirms and what it changes. Objects of the scope that are in neither part are gone.
#[derive(Debug)]
pub struct Replacement {
    /// Slots whose object the list holds in the same state (same uid and resourceVersion).
    pub unchanged: RoaringBitmap,
    /// New and changed objects.
    pub changed: BTreeMap<ObjectKey, Arc<Object>>,
    /// The list's version.
    pub resource_version: ResourceVersion,
    /// The API server's history is another one than before: versions do not compare with those of earlier deltas, and equal
    /// ones need not mean equal objects. Nothing is `unchanged` then.
    pub anew: bool,
}

// === impl Replacing ===

impl Replacing {
    pub(super) fn new(known: Arc<dyn KnownObjects>) -> Self {
        Self {
            known,
            anew: false,
            unchanged: RoaringBitmap::new(),
            changed: BTreeMap::new(),
        }
    }

    /// Takes the list as the beginning of another history. Must be said before the first object.
    pub fn anew(mut self) -> Self {
        self.anew = true;
        self
    }

    /// The list holds this object; a later call for the same key wins (row R14: initial events of a watch-list can be
    /// followed by updates before the bookmark).
    pub fn observe(&mut self, object: Object) {
        if !self.anew
            && let Some((slot, known)) = self.known.known(&object.key)
        {
            // The same state in another API version is another object to its readers (field case 30).
            let same = known.meta.uid == object.meta.uid
                && (Arc::ptr_eq(&known.type_meta, &object.type_meta) || known.type_meta == object.type_meta)
                && known.meta.resource_version == object.meta.resource_version
                && !object.meta.resource_version.is_empty();
            if same {
                self.changed.remove(&object.key);
                self.unchanged.insert(slot);
                return;
            }
            self.unchanged.remove(slot);
        }
        // Few read what a list brings right away, and a list is large: it is packed while it streams in.
        object.body().settle();
        self.changed.insert(object.key.clone(), Arc::new(object));
    }

    /// The object was deleted before the list was complete.
    pub fn forget(&mut self, key: &ObjectKey) {
        self.changed.remove(key);
        if let Some((slot, _)) = self.known.known(key) {
            self.unchanged.remove(slot);
        }
    }

    /// Objects seen so far.
    pub fn len(&self) -> usize {
        self.changed.len() + self.unchanged.len() as usize
    }

    /// True if no object was seen yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The list is complete at `resource_version`: queues it as one delta.
    pub async fn commit(self, sender: &Sender, resource_version: ResourceVersion) -> Result<(), Stopped> {
        sender
            .push(Delta::Replaced(Replacement {
                unchanged: self.unchanged,
                changed: self.changed,
                resource_version,
                anew: self.anew,
            }))
            .await
    }
}

// === impl Replacement ===

impl Replacement {
    pub(super) fn cost(&self) -> usize {
        self.changed.values().map(|o| o.cost()).sum()
    }
}
