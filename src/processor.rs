//! What the controller publishes and who follows it.
//!
//! ```text
//!   Controller ──publish──▶ Published { Snapshot, History } ──wake──▶ Listener (a cursor and a filter) ──▶ service
//!                           one immutable pair, swapped at once          costs 8 bytes of position while it is slow
//! ```
//!
//! Snapshot and history are published together, so a listener can go from one to the other without a gap (client-go
//! stops the whole informer to do that, row H3).

mod change;
mod history;
mod listener;

pub use change::{Cause, Change, ChangeKind, Delivery, EventKind, Revision, Subject};
pub use history::{History, HistoryLimits};
pub use listener::{Budget, Listener, Overflow, Start, Step};

use std::sync::{
    Arc,
    atomic::{AtomicU32, Ordering},
};

use arc_swap::ArcSwap;
use tokio::{sync::watch, time::Instant};

use crate::{
    delta::KnownObjects,
    object::{Object, ObjectKey},
    store::Snapshot,
};

/// One state with the changes that led to it.
#[derive(Debug, Default)]
pub struct Published {
    /// The store.
    pub snapshot: Snapshot,
    /// The changes up to `snapshot`'s revision.
    pub history: History,
}

/// Publishes states and wakes listeners.
#[derive(Debug)]
pub struct Processor {
    published: ArcSwap<Published>,
    /// Counts publications. Closing is a publication too, so nobody sleeps through it.
    ticks: watch::Sender<Tick>,
    listeners: AtomicU32,
}

/// Counts what has been published.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tick {
    count: u64,
    closed: bool,
}

/// The informer was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the informer was deleted")]
pub struct Closed;

/// Counts as a listener of a processor while it lives.
#[derive(Debug)]
struct Registration(Arc<Processor>);

// === impl Processor ===

impl Processor {
    /// A processor that has published an empty, unsynced state.
    pub fn new(first: Snapshot) -> Arc<Self> {
        Arc::new(Self {
            published: ArcSwap::from_pointee(Published {
                snapshot: first,
                history: History::default(),
            }),
            ticks: watch::Sender::new(Tick::default()),
            listeners: AtomicU32::new(0),
        })
    }

    /// The newest state. Never blocks.
    pub fn load(&self) -> Arc<Published> {
        self.published.load_full()
    }

    /// Makes a state visible to all readers and listeners.
    pub fn publish(&self, published: Published) {
        self.published.store(Arc::new(published));
        self.ticks.send_modify(|t| t.count += 1);
    }

    /// Ends all listeners and waits.
    pub fn close(&self) {
        self.ticks.send_modify(|t| t.closed = true);
    }

    /// True once closed.
    pub fn is_closed(&self) -> bool {
        self.ticks.borrow().closed
    }

    /// Open listeners.
    pub fn listeners(&self) -> u32 {
        self.listeners.load(Ordering::Relaxed)
    }

    /// Waits until a published state satisfies `accept`; gives the last one seen when `deadline` passes first.
    pub async fn wait_for(
        &self,
        deadline: Instant,
        mut accept: impl FnMut(&Published) -> bool,
    ) -> Result<Arc<Published>, WaitError> {
        let mut ticks = self.ticks.subscribe();
        loop {
            let closed = ticks.borrow_and_update().closed;
            let now = self.load();
            if accept(&now) {
                return Ok(now);
            }
            if closed {
                return Err(WaitError::Closed);
            }
            match tokio::time::timeout_at(deadline, ticks.changed()).await {
                Ok(Ok(())) => {}
                Ok(Err(_)) => return Err(WaitError::Closed),
                Err(_) => return Err(WaitError::TimedOut(now)),
            }
        }
    }

    fn ticks(&self) -> watch::Receiver<Tick> {
        self.ticks.subscribe()
    }
}

/// Why a wait ended without success.
#[derive(Clone, Debug, thiserror::Error)]
pub enum WaitError {
    /// The deadline passed; the last state seen.
    #[error("the deadline passed")]
    TimedOut(Arc<Published>),
    /// The informer was stopped.
    #[error("the informer was deleted")]
    Closed,
}

impl KnownObjects for Processor {
    fn known(&self, key: &ObjectKey) -> Option<(u32, Arc<Object>)> {
        let published = self.published.load();
        published.snapshot.slot_of(key).map(|(slot, o)| (slot, o.clone()))
    }
}

// === impl Registration ===

impl Registration {
    fn new(processor: Arc<Processor>) -> Self {
        processor.listeners.fetch_add(1, Ordering::Relaxed);
        Self(processor)
    }
}

impl Drop for Registration {
    fn drop(&mut self) {
        self.0.listeners.fetch_sub(1, Ordering::Relaxed);
    }
}
