//! One running pipeline.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, SystemTime},
};

use parking_lot::Mutex;
use tokio::{
    sync::{mpsc, oneshot},
    task::JoinSet,
};

use super::{InformerSpec, StartPolicy};
use crate::{
    clock::Clock,
    controller::{Command, Controller},
    delta::DeltaFifo,
    object::Scanner,
    processor::{Closed, Processor},
    store::{IndexError, IndexSpec, Indexer},
    upstream::{ReflectorJob, StatusCell, Upstream, UpstreamError, UpstreamState, UpstreamStatus},
};

/// A shared informer: reflectors, queue, controller and what they have published.
pub struct SharedInformer {
    name: String,
    epoch: String,
    spec: Mutex<InformerSpec>,
    clock: Clock,
    created: SystemTime,
    processor: Arc<Processor>,
    scanner: Arc<Scanner>,
    statuses: Vec<StatusCell>,
    commands: mpsc::Sender<Command>,
    /// The reflectors that have not been started.
    waiting: Mutex<Vec<ReflectorJob>>,
    stopped: AtomicBool,
    upstream: Arc<dyn Upstream>,
    tasks: Mutex<JoinSet<()>>,
}

// === impl SharedInformer ===

impl SharedInformer {
    /// Builds the pipeline; starts it at once if the spec says so. Must be called inside a tokio runtime.
    pub(super) fn new(
        id: &str,
        epoch: String,
        spec: InformerSpec,
        fifo_bytes: usize,
        clock: Clock,
        upstream: Arc<dyn Upstream>,
    ) -> Result<Arc<Self>, IndexError> {
        let indexer = Indexer::new(&spec.indexers)?;
        let scanner = Arc::new(Scanner::new(
            spec.resource.type_meta(),
            spec.transform.clone(),
            indexer.pointers(),
        ));
        let processor = Processor::new(indexer.snapshot());
        let (fifo, deltas) = DeltaFifo::new(fifo_bytes, processor.clone());
        let namespaces: Vec<Option<Arc<str>>> = if spec.namespaces.is_empty() {
            vec![None]
        } else {
            spec.namespaces.iter().map(|n| Some(n.as_str().into())).collect()
        };
        let text = |s: &String| (!s.is_empty()).then(|| s.clone());
        let jobs: Vec<_> = namespaces
            .iter()
            .enumerate()
            .map(|(scope, namespace)| ReflectorJob {
                resource: spec.resource.clone(),
                namespace: namespace.clone(),
                label_selector: text(&spec.label_selector),
                field_selector: text(&spec.field_selector),
                metadata_only: spec.metadata_only,
                list_mode: spec.list_mode,
                scanner: scanner.clone(),
                deltas: deltas.for_scope(scope),
                status: StatusCell::new(),
            })
            .collect();
        let controller = Controller::new(namespaces, indexer, spec.history, scanner.clone(), processor.clone());
        let (commands, receiver) = mpsc::channel(16);
        let mut tasks = JoinSet::new();
        tasks.spawn(controller.run(fifo, receiver));
        let start = spec.start;
        let this = Arc::new(Self {
            name: format!("informers/{id}"),
            epoch,
            spec: Mutex::new(spec),
            clock,
            created: clock.wall(),
            processor,
            scanner,
            statuses: jobs.iter().map(|j| j.status.clone()).collect(),
            commands,
            waiting: Mutex::new(jobs),
            stopped: AtomicBool::new(false),
            upstream,
            tasks: Mutex::new(tasks),
        });
        if start == StartPolicy::Eager {
            this.ensure_started();
        }
        Ok(this)
    }

    /// Starts the reflectors if they are not running yet.
    pub fn ensure_started(&self) {
        let jobs = std::mem::take(&mut *self.waiting.lock());
        if jobs.is_empty() || self.is_stopped() {
            return;
        }
        let mut tasks = self.tasks.lock();
        for job in jobs {
            tasks.spawn(supervise(self.upstream.clone(), job, self.clock));
        }
    }

    /// Stops reflectors and controller; listeners end.
    pub(super) fn stop(&self) {
        self.stopped.store(true, Ordering::Release);
        self.tasks.lock().abort_all();
        self.processor.close();
    }

    /// True once deleted.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Acquire)
    }

    /// "informers/{id}".
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Objects of which nothing was cut because the transform could not be applied to them.
    pub fn kept_whole(&self) -> u64 {
        self.scanner.kept_whole()
    }

    /// Random per process and incarnation.
    pub fn epoch(&self) -> &str {
        &self.epoch
    }

    /// What it caches.
    pub fn spec(&self) -> InformerSpec {
        self.spec.lock().clone()
    }

    /// What it has published.
    pub fn processor(&self) -> &Arc<Processor> {
        &self.processor
    }

    /// When it was created.
    pub fn created(&self) -> SystemTime {
        self.created
    }

    /// The clock of its positions.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// State of its reflectors together.
    pub fn upstream(&self) -> UpstreamStatus {
        UpstreamStatus::worst_of(self.statuses.iter().map(StatusCell::get))
    }

    /// The reflectors' cells, to follow them.
    pub fn statuses(&self) -> &[StatusCell] {
        &self.statuses
    }

    /// Adds indexes; what is stored is indexed when this returns (row S5).
    pub async fn add_indexers(&self, specs: Vec<IndexSpec>) -> Result<(), IndexerError> {
        let added = specs.clone();
        self.command(|reply| Command::AddIndexers(specs, reply)).await?;
        let mut spec = self.spec.lock();
        spec.indexers.extend(added);
        spec.indexers.sort();
        spec.indexers.dedup();
        Ok(())
    }

    /// Removes declared indexes.
    pub async fn remove_indexers(&self, names: Vec<String>) -> Result<(), IndexerError> {
        let removed = names.clone();
        self.command(|reply| Command::RemoveIndexers(names, reply)).await?;
        self.spec
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
        self.commands.send(make(reply)).await.map_err(|_| Closed)?;
        Ok(result.await.map_err(|_| Closed)??)
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
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// Runs a reflector and starts it again should it panic: an informer that died unnoticed is the worst failure (case 35).
async fn supervise(upstream: Arc<dyn Upstream>, job: ReflectorJob, clock: Clock) {
    loop {
        let mut task = JoinSet::new();
        task.spawn(upstream.reflect(job.clone()));
        match task.join_next().await {
            Some(Err(error)) if error.is_panic() => {
                tracing::error!(resource = %job.resource, %error, "the reflector panicked and is started again");
                job.status.failed(
                    UpstreamState::Backoff,
                    UpstreamError {
                        http_status: 0,
                        reason: "ReflectorPanicked".into(),
                        message: error.to_string(),
                        time: clock.wall(),
                    },
                );
                tokio::time::sleep(Duration::from_secs(1)).await;
            }
            _ => return,
        }
    }
}
