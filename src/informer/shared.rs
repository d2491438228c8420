//! One running pipeline, as everybody sees it. What keeps it running is the keeper.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::{Duration, SystemTime},
};

use parking_lot::{Mutex, RwLock};
use tokio::{
    sync::{Notify, mpsc, oneshot, watch},
    task::JoinSet,
};

use super::{
    InformerSpec, StartPolicy,
    keeper::{Keeper, Order, Surroundings},
    spec::Scope,
};
use crate::{
    clock::Clock,
    controller::{Command, ScopeSpec},
    object::{ResourceVersion, Scanner},
    processor::{Closed, Processor},
    store::{IndexError, IndexSpec, Indexer, Position},
    upstream::{Resource, StatusCell, UpstreamState, UpstreamStatus},
};

/// A shared informer: reflectors, queue, controller and what they have published.
pub struct SharedInformer {
    shared: Arc<Shared>,
    orders: mpsc::Sender<Order>,
    stopped: AtomicBool,
    tasks: Mutex<JoinSet<()>>,
}

/// What the informer and its keeper share.
pub(super) struct Shared {
    pub(super) name: String,
    epoch: String,
    pub(super) spec: Mutex<InformerSpec>,
    clock: Clock,
    created: SystemTime,
    pub(super) processor: Arc<Processor>,
    scanner: Arc<Scanner>,
    /// To the controller that lives now.
    pub(super) commands: Mutex<mpsc::Sender<Command>>,
    /// What no reflector can say: that there is nothing to reflect, and why.
    pub(super) own: StatusCell,
    /// Those at work, by namespace.
    pub(super) reflectors: RwLock<Vec<Live>>,
    /// What reflectors that have ended had counted.
    pub(super) past: Mutex<UpstreamStatus>,
    pub(super) restarts: Arc<AtomicU64>,
    pub(super) start: watch::Sender<bool>,
    /// The namespaces of the selector, once they are known.
    pub(super) selected: Mutex<Option<BTreeSet<String>>>,
    /// How the watch of namespaces fares, if there is a selector.
    pub(super) selection: Mutex<Option<UpstreamStatus>>,
    /// Counts what the keeper has seen, so that states can be waited for.
    pub(super) news: watch::Sender<u64>,
    /// The controller's task, for tests that kill it.
    #[cfg(test)]
    pub(super) controller: Mutex<Option<tokio::task::AbortHandle>>,
}

/// A reflector at work.
#[derive(Clone, Debug)]
pub(super) struct Live {
    pub(super) scope: ScopeSpec,
    pub(super) status: StatusCell,
    /// The first sync does not wait for it.
    pub(super) excused: bool,
}

/// One reflector, as it is shown.
#[derive(Clone, Debug)]
pub struct ReflectorStatus {
    /// Its namespace; empty for all.
    pub namespace: String,
    /// What it does.
    pub status: UpstreamStatus,
    /// The newest version that was applied.
    pub resource_version: ResourceVersion,
}

// === impl SharedInformer ===

impl SharedInformer {
    /// Builds the pipeline; starts it at once if the spec says so. Must be called inside a tokio runtime.
    pub(super) fn new(
        id: &str,
        epoch: String,
        spec: InformerSpec,
        around: Surroundings,
    ) -> Result<Arc<Self>, IndexError> {
        let indexer = Indexer::new(&spec.indexers)?;
        let scanner = Arc::new(Scanner::new(
            spec.resource.type_meta(),
            spec.transform.clone(),
            indexer.pointers(),
        ));
        let start = spec.start == StartPolicy::Eager;
        let shared = Arc::new(Shared {
            name: format!("informers/{id}"),
            epoch,
            spec: Mutex::new(spec),
            clock: around.clock,
            created: around.clock.wall(),
            processor: Processor::new(indexer.snapshot()),
            scanner: scanner.clone(),
            commands: Mutex::new(mpsc::channel(1).0),
            own: StatusCell::new(),
            reflectors: RwLock::default(),
            past: Mutex::default(),
            restarts: Arc::default(),
            start: watch::Sender::new(start),
            selected: Mutex::default(),
            selection: Mutex::default(),
            news: watch::Sender::default(),
            #[cfg(test)]
            controller: Mutex::default(),
        });
        let (orders, receiver) = mpsc::channel(16);
        let changed = Arc::new(Notify::new());
        let keeper = Keeper::new(shared.clone(), around, scanner, indexer, changed, receiver);
        let mut tasks = JoinSet::new();
        tasks.spawn(keeper.run());
        Ok(Arc::new(Self {
            shared,
            orders,
            stopped: AtomicBool::new(false),
            tasks: Mutex::new(tasks),
        }))
    }

    /// Starts the reflectors if they are not running yet.
    pub fn ensure_started(&self) {
        self.shared
            .start
            .send_if_modified(|started| !std::mem::replace(started, true));
    }

    /// Stops reflectors and controller; listeners end.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
        self.tasks.lock().abort_all();
        self.shared.processor.close();
    }

    /// Kills the task that is the controller now.
    #[cfg(test)]
    pub(crate) fn kill_controller(&self) {
        let controller = self.shared.controller.lock().take();
        controller.expect("a controller").abort();
    }

    /// True once deleted.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Acquire)
    }

    /// "informers/{id}".
    pub fn name(&self) -> &str {
        &self.shared.name
    }

    /// Objects of which nothing was cut because the transform could not be applied to them.
    pub fn kept_whole(&self) -> u64 {
        self.shared.scanner.kept_whole()
    }

    /// Random per process and incarnation, and another one for each history of the API server (field case 14): the epoch to
    /// which a position belongs.
    pub fn epoch_of(&self, position: &Position) -> String {
        let before = u32::from(position.revision < position.era_began);
        match position.era - before.min(position.era) {
            0 => self.shared.epoch.clone(),
            era => format!("{}.{era}", self.shared.epoch),
        }
    }

    /// The epoch of its present state.
    pub fn epoch(&self) -> String {
        self.epoch_of(self.processor().load().snapshot.position())
    }

    /// What it caches.
    pub fn spec(&self) -> InformerSpec {
        self.shared.spec.lock().clone()
    }

    /// What it has published.
    pub fn processor(&self) -> &Arc<Processor> {
        &self.shared.processor
    }

    /// When it was created.
    pub fn created(&self) -> SystemTime {
        self.shared.created
    }

    /// The clock of its positions.
    pub fn clock(&self) -> &Clock {
        &self.shared.clock
    }

    /// State of its reflectors together, and of what no reflector can say.
    pub fn upstream(&self) -> UpstreamStatus {
        let shared = &self.shared;
        let live = shared.reflectors.read();
        let cells = live.iter().map(|l| l.status.get());
        let mut whole = UpstreamStatus::worst_of(
            std::iter::once(shared.own.get())
                .chain(shared.selection.lock().clone().map(UpstreamStatus::without_counts))
                .chain(cells),
        );
        whole.count(&shared.past.lock());
        whole
    }

    /// Each of its reflectors, by namespace.
    pub fn reflectors(&self) -> Vec<ReflectorStatus> {
        let live = self.shared.reflectors.read();
        let shown = live.iter().map(|l| ReflectorStatus {
            namespace: l.scope.namespace.as_deref().unwrap_or_default().to_owned(),
            status: l.status.get(),
            resource_version: l.scope.progress.resource_version(),
        });
        shown.collect()
    }

    /// Times that a reflector or the controller died and was started again (field case 35).
    pub fn restarts(&self) -> u64 {
        self.shared.restarts.load(Ordering::Relaxed)
    }

    /// The namespaces that it caches; `None` means all. Those of a selector are known once it is synced.
    pub fn namespaces(&self) -> Option<BTreeSet<String>> {
        let spec = self.shared.spec.lock();
        if spec.namespace_selector.is_empty() {
            Some(spec.namespaces.clone()).filter(|n| !n.is_empty())
        } else {
            self.shared.selected.lock().clone()
        }
    }

    /// Waits until its state is as wanted.
    pub async fn upstream_reaches(&self, mut wanted: impl FnMut(&UpstreamStatus) -> bool) {
        let mut news = self.shared.news.subscribe();
        loop {
            news.borrow_and_update();
            if wanted(&self.upstream()) {
                return;
            }
            if news.changed().await.is_err() {
                // It has ended: no state will come.
                std::future::pending::<()>().await;
            }
        }
    }

    /// Waits until the API server refuses all of it, so that it cannot sync.
    pub async fn refused(&self) {
        let refuses = |s: UpstreamState| {
            matches!(
                s,
                UpstreamState::Forbidden | UpstreamState::Gone | UpstreamState::Waiting
            )
        };
        let shared = self.shared.clone();
        let all = move || {
            let live = shared.reflectors.read();
            !live.is_empty() && live.iter().all(|l| refuses(l.status.get().state))
        };
        let shared = self.shared.clone();
        let selection = move || shared.selection.lock().as_ref().is_some_and(|s| refuses(s.state));
        let shared = self.shared.clone();
        self.upstream_reaches(move |_| refuses(shared.own.get().state) || selection() || all())
            .await;
    }

    /// Changes the declaration; see [`Self::carried_out`].
    pub(super) fn declare(&self, scope: Scope, max_staleness: Option<Duration>) {
        let mut spec = self.shared.spec.lock();
        spec.namespaces = scope.namespaces;
        spec.namespace_selector = scope.selector;
        spec.max_staleness = max_staleness;
        // Somebody has chosen it: it is no default any more.
        spec.default_scope = false;
    }

    /// Waits until what is declared is carried out.
    pub(super) async fn carried_out(&self) -> Result<(), Closed> {
        if !*self.shared.start.borrow() {
            // Nothing runs yet: it will start with what is declared then.
            return Ok(());
        }
        let (done, answer) = oneshot::channel();
        self.orders.send(done).await.map_err(|_| Closed)?;
        answer.await.map_err(|_| Closed)
    }

    /// The resource that it waits for is served, as somebody else has found out.
    pub(super) fn found(&self, resource: &Resource) {
        let mut spec = self.shared.spec.lock();
        // If it does not fit, the keeper finds out for itself and says why.
        if spec.waits_for(resource) && spec.adopt(resource.clone()).is_ok() {
            drop(spec);
            let (done, _) = oneshot::channel();
            // Full means that the keeper is about to look anyway.
            let _ = self.orders.try_send(done);
        }
    }

    /// Adds indexes; what is stored is indexed when this returns (row S5).
    pub async fn add_indexers(&self, specs: Vec<IndexSpec>) -> Result<(), IndexerError> {
        let added = specs.clone();
        self.command(|reply| Command::AddIndexers(specs, reply)).await?;
        let mut spec = self.shared.spec.lock();
        spec.indexers.extend(added);
        spec.indexers.sort();
        spec.indexers.dedup();
        Ok(())
    }

    /// Removes declared indexes.
    pub async fn remove_indexers(&self, names: Vec<String>) -> Result<(), IndexerError> {
        let removed = names.clone();
        self.command(|reply| Command::RemoveIndexers(names, reply)).await?;
        self.shared
            .spec
            .lock()
            .indexers
            .retain(|i| !removed.iter().any(|n| **n == *i.name));
        Ok(())
    }

    async fn command(
        &self,
        make: impl FnOnce(oneshot::Sender<Result<(), IndexError>>) -> Command,
    ) -> Result<(), IndexerError> {
        let (reply, result) = oneshot::channel();
        self.shared.command(make(reply)).await?;
        Ok(result.await.map_err(|_| Closed)??)
    }
}

// === impl Shared ===

impl Shared {
    /// Tells the controller.
    pub(super) async fn command(&self, command: Command) -> Result<(), Closed> {
        let commands = self.commands.lock().clone();
        commands.send(command).await.map_err(|_| Closed)
    }
}

/// Indexes could not be changed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum IndexerError {
    /// The change itself is wrong.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// The informer was deleted meanwhile.
    #[error(transparent)]
    Closed(#[from] Closed),
}

impl std::fmt::Debug for SharedInformer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SharedInformer")
            .field("name", &self.shared.name)
            .finish_non_exhaustive()
    }
}
