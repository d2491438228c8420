//! Looking into the queue without changing it.

use std::sync::Arc;

use tokio::time::Instant;

use super::{
    Failure, WaitFor, WorkQueue,
    table::{Entry, Place},
};
use crate::object::ObjectKey;

/// Where a key is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemState {
    /// Can be handed out.
    Ready,
    /// Waits for a delay.
    Delayed,
    /// Leased.
    Leased,
    /// Withheld by a gate.
    Gated,
    /// Parked by TERMINAL.
    Parked,
    /// Not queued; only remembered because a write that it waited for has not been seen within the cap.
    Stale,
}

/// A key as introspection shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The key.
    pub key: ObjectKey,
    /// Where it is.
    pub state: ItemState,
    /// If it is to be handed out (again): its priority, and when it is due.
    pub queued: Option<(i32, Instant)>,
    /// Failures since it was last done or forgotten.
    pub failures: u32,
    /// Why it was not done the last time.
    pub last_failure: Option<Failure>,
    /// What the worker said about it.
    pub error: String,
    /// Its lease.
    pub lease: Option<LeaseView>,
    /// Writes that the cache has not seen yet.
    pub wait_for: Vec<WaitFor>,
    /// When it is handed out even so.
    pub gate_ends: Option<Instant>,
}

/// A lease as introspection shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaseView {
    /// Fencing token.
    pub token: u64,
    /// Who holds it.
    pub worker: Arc<str>,
    /// Since when.
    pub granted: Instant,
    /// Until when.
    pub expires: Instant,
}

/// A part of all keys.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Page {
    /// The keys, in no order.
    pub items: Vec<Item>,
    /// Where the next page starts; `None` at the end.
    pub next: Option<u32>,
}

/// Most entries that one page looks at, so that a filter that matches little does not hold up the queue.
const SCAN: u32 = 65_536;

// === impl WorkQueue ===

impl WorkQueue {
    /// One key; `None` if the queue knows nothing of it.
    pub fn find(&self, key: &ObjectKey) -> Option<Item> {
        self.item(self.table.find(key)?)
    }

    /// The keys that would be handed out next, in that order.
    pub fn peek(&self, max: usize) -> Vec<Item> {
        let slots = self.ready.peek(max.min(self.ready.len()));
        slots.into_iter().filter_map(|slot| self.item(slot)).collect()
    }

    /// Up to `max` keys that `accept` takes, from `from` on (0 at first). A page may be short or empty before the end. A
    /// key keeps its place while the queue knows it, so one that stays is shown exactly once.
    pub fn page(&self, from: u32, max: usize, mut accept: impl FnMut(ItemState, &ObjectKey) -> bool) -> Page {
        let end = self.table.slots();
        let mut page = Page::default();
        for slot in from..end {
            if page.items.len() == max.max(1) || slot - from == SCAN {
                page.next = Some(slot);
                break;
            }
            let Some(entry) = self.table.get(slot) else { continue };
            if state_of(entry).is_some_and(|state| accept(state, &entry.key)) {
                page.items.extend(self.item(slot));
            }
        }
        page
    }

    fn item(&self, slot: u32) -> Option<Item> {
        let entry = self.table.get(slot)?;
        let gate = self.gates.get(slot);
        let lease = match entry.place {
            Place::Leased(token) => self.leases.get(token).map(|held| LeaseView {
                token,
                worker: held.worker.clone(),
                granted: self.time.instant(held.granted),
                expires: self.time.instant(held.timer.at),
            }),
            _ => None,
        };
        Some(Item {
            key: entry.key.clone(),
            state: state_of(entry)?,
            queued: entry.pending.map(|p| (p.priority, self.time.instant(p.ready_at))),
            failures: entry.failures,
            last_failure: entry.last_failure,
            error: self.errors.get(&slot).map(|e| e.to_string()).unwrap_or_default(),
            lease,
            wait_for: gate.map(|record| record.conditions.clone()).unwrap_or_default(),
            gate_ends: gate.map(|record| self.time.instant(record.cap)),
        })
    }
}

fn state_of(entry: &Entry) -> Option<ItemState> {
    Some(match entry.place {
        Place::Nowhere => return None,
        Place::Ready => ItemState::Ready,
        Place::Delayed(_) => ItemState::Delayed,
        Place::Gated(_) => ItemState::Gated,
        Place::Leased(_) => ItemState::Leased,
        Place::Parked(_) => ItemState::Parked,
        Place::Stale => ItemState::Stale,
    })
}
