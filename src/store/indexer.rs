//! The writer of the store. It works on its own snapshot; handing out a clone of it publishes.

mod resume;

use std::sync::Arc;

use super::{IndexError, IndexSpec, Position, Slot, Snapshot, snapshot::Entry};
use crate::object::{Object, ObjectKey, PointerSet, ResourceVersion};

/// Store and indexes under change.
#[derive(Debug, Default)]
pub struct Indexer {
    current: Snapshot,
    free: Vec<u32>,
}

// === impl Indexer ===

impl Indexer {
    /// An empty store with these indexes.
    pub fn new(specs: &[IndexSpec]) -> Result<Self, IndexError> {
        let mut this = Self::default();
        this.add_indexers(specs)?;
        Ok(this)
    }

    /// The state now, immutable. Cheap.
    pub fn snapshot(&self) -> Snapshot {
        self.current.clone()
    }

    /// The state now, for looking things up.
    pub fn current(&self) -> &Snapshot {
        &self.current
    }

    /// Where the store stands.
    pub fn position_mut(&mut self) -> &mut Position {
        &mut self.current.position
    }

    /// Stores an object as of a revision; returns the one that had its key.
    pub fn upsert(&mut self, object: Arc<Object>, revision: u64) -> Option<Arc<Object>> {
        let found = self.current.slot_of(&object.key).map(|(slot, _)| slot);
        let current = &mut self.current;
        let slot = found.or_else(|| self.free.pop()).unwrap_or_else(|| {
            current.slots.push_back(None);
            // 2^32 objects do not fit into memory.
            (current.slots.len() - 1) as u32
        });
        let old = current.slots.get(slot as usize).cloned().flatten();
        current.bytes += object.body().len() as u64;
        current.bytes -= old.as_ref().map_or(0, |o| o.object.body().len() as u64);
        current
            .indexes
            .replace(slot, old.as_ref().map(|o| &*o.object), Some(&object));
        current.changes.touch(slot, old.as_ref().map(|o| o.changed), revision);
        let created = match &old {
            Some(old) if old.object.meta.uid == object.meta.uid => old.created,
            Some(old) => {
                let last = old.object.resource_version();
                current.changes.bury(&old.object, last, old.created, revision);
                revision
            }
            None => revision,
        };
        let stored = Slot {
            object: object.clone(),
            created,
            changed: revision,
        };
        current.slots.set(slot as usize, Some(stored));
        current.objects.insert(Entry { slot, object });
        old.map(|o| o.object)
    }

    /// Removes an object as of a revision; `None` if there was none. `last` is the version of the deletion, if it is known.
    pub fn remove(&mut self, key: &ObjectKey, last: Option<&ResourceVersion>, revision: u64) -> Option<Arc<Object>> {
        let entry = self.current.objects.remove(key)?;
        let current = &mut self.current;
        current.bytes -= entry.object.body().len() as u64;
        current.indexes.replace(entry.slot, Some(&entry.object), None);
        if let Some(old) = current.slots.set(entry.slot as usize, None) {
            current.changes.forget(entry.slot, old.changed);
            let last = last.unwrap_or(entry.object.resource_version());
            current.changes.bury(&entry.object, last, old.created, revision);
        }
        self.free.push(entry.slot);
        Some(entry.object)
    }

    /// Adds indexes over what is stored: all of them, or none on an error (row S5).
    pub fn add_indexers(&mut self, specs: &[IndexSpec]) -> Result<(), IndexError> {
        let mut indexes = self.current.indexes.clone();
        for spec in specs {
            let objects = self.current.objects.iter().map(|e| (e.slot, &*e.object));
            indexes.declare(spec, objects)?;
        }
        self.current.indexes = indexes;
        Ok(())
    }

    /// Removes indexes: all of them, or none if one does not exist.
    pub fn remove_indexers(&mut self, names: &[String]) -> Result<(), IndexError> {
        let mut indexes = self.current.indexes.clone();
        for name in names {
            if !indexes.undeclare(name) {
                // Built-in indexes cannot be removed: for this call they do not exist.
                return Err(IndexError::NotFound {
                    name: name.clone(),
                    declared: String::new(),
                });
            }
        }
        self.current.indexes = indexes;
        Ok(())
    }

    /// The pointers that the declared indexes read, for the scanner.
    pub fn pointers(&self) -> PointerSet {
        PointerSet::new(self.current.indexes.declared().map(|s| s.pointer.clone()))
    }
}

#[cfg(test)]
mod tests;
