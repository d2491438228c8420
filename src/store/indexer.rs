//! The writer of the store. It works on its own snapshot; handing out a clone of it publishes.

use std::sync::Arc;

use super::{IndexError, IndexSpec, Position, Snapshot, snapshot::Entry};
use crate::object::{Object, ObjectKey, PointerSet};

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

    /// Stores an object; returns the one that had its key.
    pub fn upsert(&mut self, object: Arc<Object>) -> Option<Arc<Object>> {
        let old = self.current.slot_of(&object.key).map(|(slot, old)| (slot, old.clone()));
        let current = &mut self.current;
        current.bytes += object.body().len() as u64;
        let slot = match &old {
            Some((slot, old)) => {
                current.bytes -= old.body().len() as u64;
                *slot
            }
            None => self.free.pop().unwrap_or_else(|| {
                current.slots.push_back(None);
                // 2^32 objects do not fit into memory.
                (current.slots.len() - 1) as u32
            }),
        };
        let old = old.map(|(_, old)| old);
        current.indexes.replace(slot, old.as_deref(), Some(&object));
        current.slots.set(slot as usize, Some(object.clone()));
        current.objects.insert(Entry { slot, object });
        old
    }

    /// Removes an object; `None` if there was none.
    pub fn remove(&mut self, key: &ObjectKey) -> Option<Arc<Object>> {
        let entry = self.current.objects.remove(key)?;
        let current = &mut self.current;
        current.bytes -= entry.object.body().len() as u64;
        current.indexes.replace(entry.slot, Some(&entry.object), None);
        current.slots.set(entry.slot as usize, None);
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
#[path = "indexer/tests.rs"]
mod tests;
