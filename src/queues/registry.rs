//! All queues of the process.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use parking_lot::RwLock;
use tokio::time::Instant;

use super::{LiveQueue, QueueSpec};
use crate::{clock::Clock, informer::is_id};

/// Creates, finds and drops queues.
pub struct Queues {
    clock: Clock,
    epoch: String,
    started: Instant,
    incarnations: AtomicU64,
    queues: RwLock<BTreeMap<String, Arc<LiveQueue>>>,
}

/// A queue cannot be had.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueueError {
    /// No queue of that name.
    #[error("there is no queue {0:?}")]
    NotFound(String),
    /// The id belongs to a queue with another spec.
    #[error("queues/{0} exists with another spec")]
    Conflict(String),
    /// The id cannot be used.
    #[error("queue_id {0:?}: use 1-63 characters of a-z, 0-9, '-' and '.', starting with a letter")]
    InvalidId(String),
    /// Items are leased.
    #[error("{name} has {leased} leased items; complete them or delete with force")]
    InUse {
        /// The queue.
        name: String,
        /// Leases.
        leased: usize,
    },
    /// Too many queues.
    #[error("this server holds its limit of {0} queues; delete one first")]
    TooMany(usize),
}

/// Most queues.
const MAX_QUEUES: usize = 256;

// === impl Queues ===

impl Queues {
    /// No queues yet; `epoch` must be random per process.
    pub fn new(clock: Clock, epoch: String) -> Arc<Self> {
        Arc::new(Self {
            clock,
            epoch,
            started: Instant::now(),
            incarnations: AtomicU64::new(0),
            queues: RwLock::default(),
        })
    }

    /// Declares a queue. The same spec under the same id gives the same queue.
    pub fn create(&self, id: &str, spec: QueueSpec) -> Result<Arc<LiveQueue>, QueueError> {
        if !is_id(id) {
            return Err(QueueError::InvalidId(id.to_owned()));
        }
        let mut queues = self.queues.write();
        if let Some(existing) = queues.get(id) {
            if existing.spec().declaration == spec.declaration {
                return Ok(existing.clone());
            }
            return Err(QueueError::Conflict(id.to_owned()));
        }
        if queues.len() >= MAX_QUEUES {
            return Err(QueueError::TooMany(MAX_QUEUES));
        }
        let incarnation = self.incarnations.fetch_add(1, Ordering::Relaxed);
        let epoch = format!("{}-{incarnation}", self.epoch);
        let hold_until = self.started + spec.restart_hold;
        let queue = LiveQueue::start(id, epoch, spec, self.clock, hold_until);
        tracing::info!(queue = queue.name(), "queue created");
        queues.insert(id.to_owned(), queue.clone());
        Ok(queue)
    }

    /// The queue of this name, "queues/{id}".
    pub fn get(&self, name: &str) -> Result<Arc<LiveQueue>, QueueError> {
        let id = name.strip_prefix("queues/").unwrap_or(name);
        let found = self.queues.read().get(id).cloned();
        found.ok_or_else(|| QueueError::NotFound(name.to_owned()))
    }

    /// All queues, by name.
    pub fn list(&self) -> Vec<Arc<LiveQueue>> {
        self.queues.read().values().cloned().collect()
    }

    /// Drops a queue with its keys.
    pub fn delete(&self, name: &str, force: bool) -> Result<(), QueueError> {
        let queue = self.get(name)?;
        let leased = queue.inspect(|core| core.stats(Instant::now()).leased);
        if leased > 0 && !force {
            return Err(QueueError::InUse {
                name: queue.name().to_owned(),
                leased,
            });
        }
        let id = queue.name().trim_start_matches("queues/").to_owned();
        self.queues.write().remove(&id);
        queue.delete();
        tracing::info!(queue = queue.name(), "queue deleted");
        Ok(())
    }
}
