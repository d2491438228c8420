//! A writer that takes over from one that died.

use super::{Indexer, Snapshot};

impl Indexer {
    /// A writer that goes on from what was published: what its predecessor had not published was seen by nobody.
    pub fn resume(current: Snapshot) -> Self {
        let free = current.slots.iter().enumerate().filter(|(_, slot)| slot.is_none());
        // 2^32 objects do not fit into memory.
        let free = free.map(|(slot, _)| slot as u32).collect();
        Self { current, free }
    }
}
