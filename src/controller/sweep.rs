//! Bodies that came before there was a dictionary, or under an older one, are packed bit by bit while nothing else is to do.

use std::time::Duration;

use bytes::Bytes;

use crate::{
    object::{Codec, SAMPLES},
    store::Snapshot,
};

/// Where the sweep stands.
#[derive(Debug, Default)]
pub(super) struct Sweep {
    next: u32,
    /// The dictionary under which everything was swept.
    done: u64,
}

/// Between two steps: a step is a millisecond or two, so a sweep takes a tenth of a core.
pub(super) const PAUSE: Duration = Duration::from_millis(20);
const STEP: u32 = 256;

// === impl Sweep ===

impl Sweep {
    /// Something is to be packed.
    pub(super) fn is_due(&self, codec: &Codec) -> bool {
        codec.generation() > self.done
    }

    /// Packs some more of the store.
    pub(super) fn step(&mut self, snapshot: &Snapshot, codec: &Codec) {
        let generation = codec.generation();
        let end = self.next.saturating_add(STEP);
        for slot in self.next..end.min(snapshot.slots()) {
            if let Some(slot) = snapshot.slot(slot) {
                slot.object.body().settle();
            }
        }
        self.next = end;
        if end >= snapshot.slots() {
            (self.next, self.done) = (0, generation);
        }
    }
}

/// Bodies from all over the store.
pub(super) fn samples(snapshot: &Snapshot) -> Vec<Bytes> {
    let step = (snapshot.slots() as usize / SAMPLES).max(1);
    (0..snapshot.slots())
        .step_by(step)
        .filter_map(|slot| Some(snapshot.slot(slot)?.object.body().bytes()))
        .collect()
}

#[cfg(test)]
mod tests;
