//! The simulated etcd: objects as bytes, one global version, a bounded history.
//!
//! ```text
//!   put/remove --> version + 1 --> table (persistent map, key order) and history ring (old, new)
//!   snapshot at an earlier version = the table now, with the history undone back to it
//!   versions below the floor (ring overrun, or compact()) are gone: 410
//! ```

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use imbl::OrdMap;
use parking_lot::{Mutex, MutexGuard};
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde_json::Value;
use tokio::sync::watch;
use tokio::time::Instant;

use super::resource::{Registry, ResourceType};
use super::status::StatusError;
use super::{json, meta};

/// A stored object: its key and its bytes in the storage version.
#[derive(Debug)]
pub(super) struct Object {
    pub(super) key: String,
    pub(super) body: Bytes,
}

/// The objects of one resource, in the order of lists.
pub(super) type Table = OrdMap<String, Arc<Object>>;

/// One write.
#[derive(Debug)]
pub(super) struct Change {
    pub(super) rv: u64,
    /// The resource, by id.
    pub(super) id: Arc<str>,
    pub(super) old: Option<Arc<Object>>,
    /// What is stored now; of a deletion the last state, under the deletion's version.
    pub(super) new: Arc<Object>,
    pub(super) deleted: bool,
    /// Watches never tell of it: how a missed event is simulated.
    pub(super) hidden: bool,
}

/// What a watch reads at a time.
pub(super) struct Batch {
    pub(super) changes: Vec<Arc<Change>>,
    /// Everything up to here has been looked at.
    pub(super) upto: u64,
    /// Whether the newest version lies beyond `upto`.
    pub(super) more: bool,
}

pub(super) struct Store {
    state: Mutex<State>,
    version: watch::Sender<u64>,
}

pub(super) struct State {
    pub(super) registry: Registry,
    pub(super) rng: StdRng,
    tables: HashMap<Arc<str>, Table>,
    history: VecDeque<Arc<Change>>,
    history_limit: usize,
    rv: u64,
    floor: u64,
    hide: bool,
    epoch: (SystemTime, Instant),
}

// === impl Object ===

impl Object {
    pub(super) fn value(&self) -> Result<Value, StatusError> {
        serde_json::from_slice(&self.body).map_err(|e| StatusError::internal(format!("stored object: {e}")))
    }

    pub(super) fn namespace(&self) -> Option<&str> {
        self.key.split_once('/').map(|(namespace, _)| namespace)
    }

    pub(super) fn name(&self) -> &str {
        self.key.split_once('/').map_or(&self.key, |(_, name)| name)
    }
}

// === impl Store ===

impl Store {
    pub(super) fn new(seed: u64, first_version: u64, history_limit: usize) -> Self {
        let state = State {
            registry: Registry::with_builtin(),
            rng: StdRng::seed_from_u64(seed),
            tables: HashMap::new(),
            history: VecDeque::new(),
            history_limit: history_limit.max(1),
            rv: first_version,
            floor: first_version,
            hide: false,
            epoch: (SystemTime::now(), Instant::now()),
        };
        Self {
            state: Mutex::new(state),
            version: watch::Sender::new(first_version),
        }
    }

    pub(super) fn read(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    /// Runs a write and wakes the watches.
    pub(super) fn write<T>(&self, write: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.state.lock();
        let result = write(&mut state);
        let rv = state.rv;
        self.version
            .send_if_modified(|version| std::mem::replace(version, rv) != rv);
        result
    }

    /// Is told of each new version.
    pub(super) fn subscribe(&self) -> watch::Receiver<u64> {
        self.version.subscribe()
    }

    /// Waits, as the server's watch cache does, until a version has been reached.
    pub(super) async fn wait_fresh(&self, rv: u64) -> Result<(), StatusError> {
        const PATIENCE: Duration = Duration::from_secs(3);
        let mut versions = self.subscribe();
        let reached = tokio::time::timeout(PATIENCE, versions.wait_for(|current| *current >= rv)).await;
        match reached {
            Ok(Ok(_)) => Ok(()),
            _ => Err(StatusError::too_large_version(rv, self.read().rv)),
        }
    }
}

// === impl State ===

impl State {
    pub(super) fn rv(&self) -> u64 {
        self.rv
    }

    pub(super) fn floor(&self) -> u64 {
        self.floor
    }

    /// Now, on the clock that tokio may have paused.
    pub(super) fn now(&self) -> String {
        meta::timestamp(self.epoch.0 + self.epoch.1.elapsed())
    }

    pub(super) fn table(&self, id: &str) -> Table {
        self.tables.get(id).cloned().unwrap_or_default()
    }

    pub(super) fn get(&self, id: &str, key: &str) -> Option<Arc<Object>> {
        self.tables.get(id)?.get(key).cloned()
    }

    /// The table as it was at a version.
    pub(super) fn table_at(&self, id: &str, rv: u64) -> Result<Table, StatusError> {
        if rv < self.floor {
            return Err(StatusError::expired());
        }
        if rv > self.rv {
            return Err(StatusError::too_large_version(rv, self.rv));
        }
        let mut table = self.table(id);
        let later = self.history.iter().rev().take_while(|change| change.rv > rv);
        later
            .filter(|change| &*change.id == id)
            .for_each(|change| undo(&mut table, change));
        Ok(table)
    }

    /// Stores an object under the next version.
    pub(super) fn put(&mut self, kind: &ResourceType, key: String, mut value: Value) -> Arc<Object> {
        self.rv += 1;
        meta::set(&mut value, "resourceVersion", self.rv.to_string());
        let new = Arc::new(Object {
            body: json::encode(kind, &value),
            key,
        });
        let table = self.tables.entry(kind.id.clone()).or_default();
        let old = table.insert(new.key.clone(), new.clone());
        self.record(kind, old, new.clone(), false);
        new
    }

    /// Takes an object out; its last state gets the deletion's version.
    pub(super) fn remove(&mut self, kind: &ResourceType, key: &str) -> Option<Arc<Object>> {
        let old = self.tables.get_mut(&kind.id)?.remove(key)?;
        self.rv += 1;
        let new = Arc::new(Object {
            body: with_version(kind, &old, self.rv),
            key: key.to_owned(),
        });
        self.record(kind, Some(old), new.clone(), true);
        Some(new)
    }

    /// Forgets a resource with its objects, as when its CRD goes.
    pub(super) fn drop_resource(&mut self, kind: &ResourceType) {
        for key in self.table(&kind.id).keys() {
            self.remove(kind, key);
        }
        self.registry.remove(&kind.id);
    }

    /// The next changes of a resource after a version, some at a time.
    pub(super) fn changes_after(&self, rv: u64, id: &str, limit: usize) -> Result<Batch, StatusError> {
        if rv < self.floor {
            let message = format!("too old resource version: {rv} ({})", self.floor);
            return Err(StatusError::new(410, "Expired", message));
        }
        let start = self.history.partition_point(|change| change.rv <= rv);
        let (mut changes, mut upto) = (Vec::new(), rv.max(self.rv));
        for change in self.history.iter().skip(start) {
            if changes.len() == limit {
                upto = change.rv - 1;
                break;
            }
            if &*change.id == id && !change.hidden {
                changes.push(change.clone());
            }
        }
        Ok(Batch {
            changes,
            upto,
            more: upto < self.rv,
        })
    }

    /// Drops the history: older versions than the present one are gone.
    pub(super) fn compact(&mut self) {
        self.history.clear();
        self.floor = self.rv;
    }

    /// Whether changes from now on are hidden from watches.
    pub(super) fn hide(&mut self, hide: bool) {
        self.hide = hide;
    }

    /// Moves the version ahead without a change, as writes to resources that nobody looks at do.
    pub(super) fn skip_versions(&mut self, by: u64) {
        self.rv += by;
    }

    /// Goes back to an earlier version, as when etcd is restored from a backup: what came later never was.
    pub(super) fn restore(&mut self, rv: u64) -> Result<(), StatusError> {
        if rv < self.floor || rv > self.rv {
            return Err(StatusError::expired());
        }
        while let Some(change) = self.history.pop_back_if(|change| change.rv > rv) {
            undo(self.tables.entry(change.id.clone()).or_default(), &change);
        }
        self.rv = rv;
        Ok(())
    }

    fn record(&mut self, kind: &ResourceType, old: Option<Arc<Object>>, new: Arc<Object>, deleted: bool) {
        let change = Change {
            rv: self.rv,
            id: kind.id.clone(),
            old,
            new,
            deleted,
            hidden: self.hide,
        };
        self.history.push_back(Arc::new(change));
        while self.history.len() > self.history_limit {
            if let Some(oldest) = self.history.pop_front() {
                self.floor = oldest.rv;
            }
        }
    }
}

fn undo(table: &mut Table, change: &Change) {
    match &change.old {
        Some(old) => table.insert(old.key.clone(), old.clone()),
        None => table.remove(&change.new.key),
    };
}

/// An object's bytes under another version.
pub(super) fn with_version(kind: &ResourceType, object: &Object, rv: u64) -> Bytes {
    let Ok(mut value) = object.value() else {
        return object.body.clone();
    };
    meta::set(&mut value, "resourceVersion", rv.to_string());
    json::encode(kind, &value)
}
