//! Snapshots that clients still read from: later pages, and reads at a pinned snapshot. Kept by random id until some time after their last
//! use, a bounded number for each informer; a pin costs what has changed since, because snapshots share their parts.

use std::{collections::HashMap, sync::Arc, time::Duration};

use parking_lot::Mutex;
use tokio::time::Instant;

use crate::store::Snapshot;

/// Pinned snapshots, by informer incarnation. Clones share them.
///
/// Only the store is pinned, not the history published with it: a pin must not keep the bodies of past changes alive.
#[derive(Clone, Debug)]
pub(crate) struct Pins {
    capacity: usize,
    ttl: Duration,
    shelves: Arc<Mutex<HashMap<String, Vec<Pin>>>>,
}

#[derive(Debug)]
struct Pin {
    id: String,
    used: Instant,
    snapshot: Snapshot,
}

// === impl Pins ===

impl Pins {
    /// Room for `capacity` pins of each informer, the least recently used one making room, each kept for `ttl` after its last use.
    pub(crate) fn new(capacity: usize, ttl: Duration) -> Self {
        Self {
            capacity: capacity.max(1),
            ttl,
            shelves: Arc::default(),
        }
    }

    /// Pins a snapshot of the incarnation `epoch` and returns its id. Equal snapshots are one pin, so that any number of clients
    /// that page through the same state take one place.
    pub(crate) fn pin(&self, epoch: &str, snapshot: &Snapshot) -> String {
        let mut shelves = self.shelves.lock();
        expire(&mut shelves, self.ttl);
        let shelf = shelves.entry(epoch.to_owned()).or_default();
        let id = match shelf.iter().position(|p| same(&p.snapshot, snapshot)) {
            Some(found) => shelf.remove(found).id,
            // 128 random bits: a client cannot guess what another one has pinned.
            None => format!("{:032x}", rand::random::<u128>()),
        };
        if shelf.len() >= self.capacity {
            shelf.remove(0);
        }
        shelf.push(Pin {
            id: id.clone(),
            used: Instant::now(),
            snapshot: snapshot.clone(),
        });
        id
    }

    /// The snapshot pinned under `id`, if it still is; that is a use of it.
    pub(crate) fn get(&self, epoch: &str, id: &str) -> Option<Snapshot> {
        let mut shelves = self.shelves.lock();
        expire(&mut shelves, self.ttl);
        let shelf = shelves.get_mut(epoch)?;
        let mut pin = shelf.remove(shelf.iter().position(|p| p.id == id)?);
        pin.used = Instant::now();
        let snapshot = pin.snapshot.clone();
        shelf.push(pin);
        Some(snapshot)
    }

    /// Forgets what has expired. Every read calls it, so that pins of a deleted informer go too.
    pub(crate) fn sweep(&self) {
        expire(&mut self.shelves.lock(), self.ttl);
    }
}

/// Shelves are ordered by last use: what has expired stands in front.
fn expire(shelves: &mut HashMap<String, Vec<Pin>>, ttl: Duration) {
    let now = Instant::now();
    shelves.retain(|_, shelf| {
        let expired = shelf.partition_point(|p| now.saturating_duration_since(p.used) >= ttl);
        shelf.drain(..expired);
        !shelf.is_empty()
    });
}

/// Inside an incarnation equal positions mean equal objects; indexes change without moving the position.
fn same(a: &Snapshot, b: &Snapshot) -> bool {
    a.position() == b.position() && a.indexes().declared().eq(b.indexes().declared())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Indexer;

    const TTL: Duration = Duration::from_secs(60);

    fn snapshot(revision: u64) -> Snapshot {
        let mut indexer = Indexer::default();
        indexer.position_mut().revision = revision;
        indexer.snapshot()
    }

    fn revision(pins: &Pins, epoch: &str, id: &str) -> Option<u64> {
        pins.get(epoch, id).map(|s| s.position().revision)
    }

    #[tokio::test(start_paused = true)]
    async fn a_pin_ends_60_seconds_after_its_last_use() {
        let pins = Pins::new(32, TTL);
        let id = pins.pin("e", &snapshot(7));
        for _ in 0..3 {
            tokio::time::advance(TTL - Duration::from_millis(1)).await;
            assert_eq!(revision(&pins, "e", &id), Some(7));
        }
        tokio::time::advance(TTL).await;
        assert_eq!(revision(&pins, "e", &id), None);
        assert!(pins.shelves.lock().is_empty(), "an empty shelf is dropped");
    }

    #[tokio::test(start_paused = true)]
    async fn a_sweep_drops_expired_pins_of_every_informer() {
        let pins = Pins::new(32, TTL);
        pins.pin("a", &snapshot(1));
        tokio::time::advance(TTL / 2).await;
        pins.pin("b", &snapshot(1));
        tokio::time::advance(TTL / 2).await;
        pins.sweep();
        assert_eq!(pins.shelves.lock().keys().collect::<Vec<_>>(), ["b"]);
    }

    #[tokio::test]
    async fn the_least_recently_used_pin_makes_room_in_its_own_informer_only() {
        let pins = Pins::new(2, TTL);
        let other = pins.pin("other", &snapshot(9));
        let (one, two) = (pins.pin("e", &snapshot(1)), pins.pin("e", &snapshot(2)));
        assert_eq!(revision(&pins, "e", &one), Some(1));
        let three = pins.pin("e", &snapshot(3));
        assert_eq!(revision(&pins, "e", &two), None);
        assert_eq!(revision(&pins, "e", &one), Some(1));
        assert_eq!(revision(&pins, "e", &three), Some(3));
        assert_eq!(revision(&pins, "other", &other), Some(9));
        assert_eq!(revision(&pins, "e", &other), None, "an id counts only for its informer");
    }

    #[tokio::test]
    async fn the_same_state_is_pinned_once() {
        let pins = Pins::new(32, TTL);
        let first = pins.pin("e", &snapshot(1));
        assert_eq!(pins.pin("e", &snapshot(1)), first);
        assert_ne!(pins.pin("e", &snapshot(2)), first);
        assert_eq!(pins.shelves.lock()["e"].len(), 2);
    }
}
