//! The one writer: takes deltas from the queue, applies them to the Indexer, records what changed and publishes.
//!
//! ```text
//!   DeltaFifo ──batch──▶ apply to Indexer ──▶ append to History ──▶ publish both, wake listeners
//! ```
//!
//! What an Added, Updated or Deleted does is decided against the store, as in client-go (rows C1-C3), with the deviations of
//! informer-semantics.md section 5: unknown deletions are dropped (F6), a relist of unchanged objects changes nothing (H11), and a key
//! that passes to another uid is a deletion and an addition (C5). A list of another history of the API server begins a new era.

mod scopes;
mod sweep;

pub use scopes::{Progress, ScopeSpec};

use std::{collections::BTreeMap, sync::Arc};

use tokio::{
    sync::{mpsc, oneshot},
    time::Instant,
};

use sweep::Sweep;

use crate::{
    delta::{Delta, DeltaFifo, Queued, Replacement},
    object::{Object, ObjectKey, ResourceVersion, Scanner},
    processor::{Cause, Change, ChangeKind, History, HistoryLimits, Processor, Published, Revision},
    store::{IndexError, IndexSpec, Indexer},
};

/// Applies deltas of one informer.
#[derive(Debug)]
pub struct Controller {
    indexer: Indexer,
    history: History,
    limits: HistoryLimits,
    scopes: BTreeMap<usize, Scope>,
    /// The scopes are known, so that having none means that there is nothing to cache.
    settled: bool,
    scanner: Arc<Scanner>,
    sweep: Sweep,
    processor: Arc<Processor>,
}

/// Something to do between two batches.
#[derive(Debug)]
pub enum Command {
    /// Add indexes (row S5).
    AddIndexers(Vec<IndexSpec>, oneshot::Sender<Result<(), IndexError>>),
    /// Remove indexes.
    RemoveIndexers(Vec<String>, oneshot::Sender<Result<(), IndexError>>),
    /// These and no others are the scopes from now on. What none of them covers leaves (field case 31).
    Rescope(Vec<ScopeSpec>, oneshot::Sender<()>),
    /// The first sync does not wait for this scope: the API server refuses it.
    Excuse(usize),
}

/// What one reflector covers and how far it has come.
#[derive(Clone, Debug, Default)]
struct Scope {
    namespace: Option<Arc<str>>,
    resource_version: ResourceVersion,
    synced: bool,
    as_of: Option<Instant>,
    /// It came to an informer that did not cover its namespace before.
    entering: bool,
    /// The first sync of the informer does not wait for it.
    excused: bool,
    progress: Arc<Progress>,
}

/// Deltas applied before a publication at most (row F7).
const MAX_BATCH: usize = 1000;

// === impl Controller ===

impl Controller {
    /// A controller over reflectors for these namespaces, numbered from 0; one `None` stands for all. Without any it waits for
    /// [`Command::Rescope`]. It goes on where the processor stands: an indexer that holds what was published continues it.
    pub fn new(
        namespaces: impl IntoIterator<Item = Option<Arc<str>>>,
        indexer: Indexer,
        limits: HistoryLimits,
        scanner: Arc<Scanner>,
        processor: Arc<Processor>,
    ) -> Self {
        let scope = |namespace| Scope {
            namespace,
            ..Scope::default()
        };
        let scopes: BTreeMap<_, _> = namespaces.into_iter().map(scope).enumerate().collect();
        Self {
            indexer,
            history: processor.load().history.clone(),
            limits,
            settled: !scopes.is_empty(),
            scopes,
            scanner,
            sweep: Sweep::default(),
            processor,
        }
    }

    /// Runs until the queue and the command channel are closed.
    pub async fn run(mut self, mut fifo: DeltaFifo, mut commands: mpsc::Receiver<Command>) {
        // Old revisions are forgotten on a quiet informer too.
        let mut age = tokio::time::interval((self.limits.max_age / 8).max(std::time::Duration::from_millis(100)));
        age.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let codec = self.scanner.codec().clone();
        let mut pause = tokio::time::interval(sweep::PAUSE);
        pause.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        loop {
            let sweeping = self.sweep.is_due(&codec);
            tokio::select! {
                batch = fifo.pop_batch(MAX_BATCH) => {
                    let Some(batch) = batch else { break };
                    for Queued { scope, received, delta, .. } in &batch {
                        self.apply(*scope, *received, delta);
                    }
                    self.publish();
                    // Only now does the batch give its room back: a relist waits for what is published.
                    drop(batch);
                }
                Some(command) = commands.recv() => self.execute(command),
                // Only to look again whether the sweep is due.
                () = codec.news() => {
                    if codec.takes_samples() {
                        codec.learn(sweep::samples(self.indexer.current()));
                    }
                }
                _ = pause.tick(), if sweeping => self.sweep.step(self.indexer.current(), &codec),
                _ = age.tick() => {
                    if self.history.trim(Instant::now(), &self.limits) {
                        self.publish();
                    }
                }
            }
        }
    }

    fn publish(&self) {
        self.report();
        self.processor.publish(Published {
            snapshot: self.indexer.snapshot(),
            history: self.history.clone(),
        });
    }

    fn execute(&mut self, command: Command) {
        let (result, reply) = match command {
            Command::AddIndexers(specs, reply) => (self.indexer.add_indexers(&specs), reply),
            Command::RemoveIndexers(names, reply) => (self.indexer.remove_indexers(&names), reply),
            Command::Rescope(scopes, reply) => return self.rescope(scopes, reply),
            Command::Excuse(scope) => return self.excuse(scope),
        };
        if result.is_ok() {
            self.scanner.set_pointers(self.indexer.pointers());
            self.publish();
        }
        // The caller may have gone away; the change stands.
        let _ = reply.send(result);
    }

    /// Applies one delta that arrived at `received`.
    pub fn apply(&mut self, scope: usize, received: Instant, delta: &Delta) {
        if !self.scopes.contains_key(&scope) {
            // Told by a reflector whose scope has left: whatever it says was cut off with it.
            return;
        }
        let version = match delta {
            Delta::Added(object) | Delta::Updated(object) => {
                let changes = self.upsert(object);
                let version = object.resource_version().clone();
                self.record(Cause::Live, version.clone(), received, changes);
                version
            }
            Delta::Deleted(object) => {
                let changes = self.delete(object).into_iter().collect();
                let version = object.resource_version().clone();
                self.record(Cause::Live, version.clone(), received, changes);
                version
            }
            Delta::Replaced(replacement) => {
                self.replace(scope, received, replacement);
                replacement.resource_version.clone()
            }
            Delta::Bookmark(version) => version.clone(),
        };
        if let Some(scope) = self.scopes.get_mut(&scope) {
            scope.resource_version = version;
            scope.as_of = Some(received);
        }
        self.update_position();
    }

    fn record(&mut self, cause: Cause, resource_version: ResourceVersion, at: Instant, changes: Vec<Change>) {
        if changes.is_empty() {
            return;
        }
        let number = self.next_revision();
        // Before the first sync there is no view that could be continued.
        if self.indexer.current().position().synced {
            let revision = Revision {
                number,
                cause,
                resource_version,
                at,
                changes: changes.into(),
            };
            self.history.push(revision, &self.limits);
        }
    }

    fn next_revision(&mut self) -> u64 {
        let next = self.coming_revision();
        self.indexer.position_mut().revision = next;
        next
    }

    /// The API server's versions went backwards, as after etcd was restored from a backup (field case 14). What was changes
    /// between two states of one history is none between states of two: listeners start over, and positions do not compare.
    fn begin_era(&mut self) {
        let revision = self.next_revision();
        self.history.clear();
        let position = self.indexer.position_mut();
        position.era += 1;
        position.era_began = revision;
    }

    /// The revision that the changes being applied will have.
    fn coming_revision(&self) -> u64 {
        self.indexer.current().position().revision + 1
    }

    fn upsert(&mut self, object: &Arc<Object>) -> Vec<Change> {
        let known = self.indexer.current().get(&object.key).cloned();
        if let Some(known) = &known
            && known.meta.uid == object.meta.uid
        {
            // The same state again, or one that a newer has overtaken: versions of an object only rise (case 33).
            let versions = object.resource_version().compare(known.resource_version());
            if versions.is_some_and(std::cmp::Ordering::is_le) {
                return Vec::new();
            }
        }
        self.store(object, known)
    }

    /// Stores a state that differs from the known one and says what that is for listeners.
    fn store(&mut self, object: &Arc<Object>, known: Option<Arc<Object>>) -> Vec<Change> {
        self.indexer.upsert(object.clone(), self.coming_revision());
        let change = |kind, object: &Arc<Object>, old, recreated| Change {
            kind,
            object: object.clone(),
            old,
            final_state_unknown: recreated && kind == ChangeKind::Deleted,
            recreated,
        };
        match known {
            None => vec![change(ChangeKind::Added, object, None, false)],
            Some(known) if known.meta.uid != object.meta.uid => vec![
                change(ChangeKind::Deleted, &known, Some(known.clone()), true),
                change(ChangeKind::Added, object, None, true),
            ],
            Some(known) => vec![change(ChangeKind::Updated, object, Some(known), false)],
        }
    }

    fn delete(&mut self, object: &Arc<Object>) -> Option<Change> {
        let known = self.indexer.current().get(&object.key)?;
        if known.meta.uid != object.meta.uid {
            // The deletion of an earlier holder of the key, which is gone already.
            return None;
        }
        let last = Some(object.resource_version());
        let old = self.indexer.remove(&object.key, last, self.coming_revision());
        Some(Change {
            kind: ChangeKind::Deleted,
            object: object.clone(),
            old,
            final_state_unknown: false,
            recreated: false,
        })
    }

    /// A whole list as one revision, deletions first (row C3). What is unchanged was sorted out while it streamed in.
    fn replace(&mut self, scope: usize, at: Instant, list: &Replacement) {
        let Some(Scope {
            namespace, entering, ..
        }) = self.scopes.get(&scope)
        else {
            return;
        };
        let (namespace, entering) = (namespace.clone(), *entering);
        let gone: Vec<ObjectKey> = self
            .indexer
            .current()
            .in_namespace(namespace.as_deref())
            .filter(|(slot, o)| !list.unchanged.contains(*slot) && !list.changed.contains_key(&o.key))
            .map(|(_, o)| o.key.clone())
            .collect();
        let mut deleted = Vec::new();
        for key in gone {
            let Some(old) = self.indexer.remove(&key, None, self.coming_revision()) else {
                continue;
            };
            deleted.push(Change {
                kind: ChangeKind::Deleted,
                object: old.clone(),
                old: Some(old),
                final_state_unknown: true,
                recreated: false,
            });
        }
        let mut stored = Vec::new();
        for object in list.changed.values() {
            let known = self.indexer.current().get(&object.key).cloned();
            for change in self.store(object, known) {
                match change.kind {
                    ChangeKind::Deleted => deleted.push(change),
                    ChangeKind::Added | ChangeKind::Updated => stored.push(change),
                }
            }
        }
        let arriving = self.arrive(scope);
        if list.anew && !arriving {
            self.begin_era();
            return;
        }
        deleted.append(&mut stored);
        if arriving && deleted.is_empty() && !self.indexer.current().position().synced {
            // The first list counts even when it is empty (row F9); later every revision has its changes.
            self.next_revision();
            return;
        }
        // Nothing of a namespace that enters was in view, so its first list holds only additions.
        let cause = if entering { Cause::Selector } else { Cause::Replaced };
        self.record(cause, list.resource_version.clone(), at, deleted);
    }
}

#[cfg(test)]
mod tests;
