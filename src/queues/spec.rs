//! What a queue is, as declared and normalised.

use std::{sync::Arc, time::Duration};

use super::{Mapper, Predicate};
use crate::{informer::SharedInformer, processor::EventKind, queue::QueueConfig, store::Query};

/// A queue.
#[derive(Clone)]
pub struct QueueSpec {
    /// Where keys come from.
    pub sources: Vec<SourceSpec>,
    /// How the queue behaves.
    pub config: QueueConfig,
    /// Nothing is handed out for so long after the process started.
    pub restart_hold: Duration,
    /// How long a worker's leases outlive its broken session.
    pub session_grace: Duration,
    /// The declaration as normalised, in the encoding of whoever declared it; equal for equal queues.
    pub declaration: Vec<u8>,
}

/// A source of keys.
#[derive(Clone)]
pub struct SourceSpec {
    /// The informer.
    pub informer: Arc<SharedInformer>,
    /// Which objects.
    pub query: Query,
    /// Which events; empty = all.
    pub events: Vec<EventKind>,
    /// Conditions on updates: each group must have one that holds.
    pub predicates: Vec<Vec<Predicate>>,
    /// How an object becomes keys.
    pub mapper: Mapper,
    /// Priority of keys from live events.
    pub priority: i32,
    /// Priority of keys from the initial list (row E6).
    pub initial_priority: i32,
    /// Priority of keys from resyncs and updates that changed nothing (row E6).
    pub resync_priority: i32,
    /// Resync period.
    pub resync: Option<Duration>,
}
