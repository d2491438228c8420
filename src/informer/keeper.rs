//! Keeps one informer as its declaration wants it, whatever the world does: the resource comes, goes or changes its version;
//! namespaces come and go; rights are missing; tasks die.
//!
//! ```text
//!   declaration ─┐
//!   namespaces  ─┼─▶ wanted scopes ──Rescope──▶ Controller
//!   discovery   ─┘        └──────────────start, end──▶ reflectors (supervised)
//!   states of the reflectors ──▶ gone: look in discovery; forbidden: the first sync waits no longer
//! ```
//!
//! It alone starts and ends reflectors. Those that end are ended before the controller hears of it, and new ones start after it
//! has answered, so a list is never compared with a store that is about to change (see `controller/scopes.rs`).

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, atomic::Ordering},
};

use futures::future::BoxFuture;
use tokio::{
    sync::{Notify, mpsc, oneshot},
    task::{AbortHandle, JoinSet},
    time::Instant,
};

use super::{
    namespaces::{Namespaces, Selected},
    rounds::{MAX_AGE, Rounds},
    shared::{Live, Shared},
    supervise::{self, Lives},
};
use crate::{
    clock::Clock,
    controller::{Command, Controller, ScopeSpec},
    delta::{DeltaFifo, Sender},
    object::Scanner,
    store::Indexer,
    upstream::{
        ReflectorJob, ResolveError, Resource, ResourceQuery, StatusCell, Upstream, UpstreamError, UpstreamState,
        UpstreamStatus,
    },
};

/// What all informers of a factory share.
#[derive(Clone)]
pub(super) struct Surroundings {
    pub(super) upstream: Arc<dyn Upstream>,
    pub(super) clock: Clock,
    pub(super) fifo_bytes: usize,
    pub(super) rounds: Arc<Rounds>,
    /// The informer of namespaces itself selects none.
    pub(super) namespaces: Option<Arc<Namespaces>>,
}

/// Something was changed in the declaration; answered when it is carried out.
pub(super) type Order = oneshot::Sender<()>;

/// The task.
pub(super) struct Keeper {
    shared: Arc<Shared>,
    around: Surroundings,
    scanner: Arc<Scanner>,
    orders: mpsc::Receiver<Order>,
    /// Carried out with the next round of the loop.
    unanswered: Vec<Order>,
    /// States of the reflectors change.
    changed: Arc<Notify>,
    controller: JoinSet<()>,
    controller_lives: Lives,
    deltas: Sender,
    reflectors: JoinSet<()>,
    ends: BTreeMap<usize, AbortHandle>,
    next_scope: usize,
    /// The resource that the reflectors are for.
    running: Option<Resource>,
    /// The controller knows the scopes.
    settled: bool,
    selected: Option<Selected>,
    /// A look into discovery that is under way.
    look: Option<BoxFuture<'static, Result<Resource, ResolveError>>>,
    /// Discovery said that the resource is not served.
    absent: bool,
}

// === impl Keeper ===

impl Keeper {
    /// A keeper with its controller at work, and no reflector yet.
    pub(super) fn new(
        shared: Arc<Shared>,
        around: Surroundings,
        scanner: Arc<Scanner>,
        indexer: Indexer,
        changed: Arc<Notify>,
        orders: mpsc::Receiver<Order>,
    ) -> Self {
        let (fifo, deltas) = DeltaFifo::new(around.fifo_bytes, shared.processor.clone());
        let mut this = Self {
            shared,
            around,
            scanner,
            orders,
            unanswered: Vec::new(),
            changed,
            controller: JoinSet::new(),
            controller_lives: Lives::new(),
            deltas,
            reflectors: JoinSet::new(),
            ends: BTreeMap::new(),
            next_scope: 0,
            running: None,
            settled: false,
            selected: None,
            look: None,
            absent: false,
        };
        this.control(fifo, indexer);
        this
    }

    /// Runs until it is dropped.
    pub(super) async fn run(mut self) {
        let mut start = self.shared.start.subscribe();
        loop {
            let started = *start.borrow_and_update();
            if started {
                self.reconcile().await;
                self.inspect().await;
            }
            for order in self.unanswered.drain(..) {
                // Who asked may have gone.
                let _ = order.send(());
            }
            self.shared.news.send_modify(|n| *n += 1);
            let known = (
                self.shared.selected.lock().clone(),
                self.shared.selection.lock().clone(),
            );
            tokio::select! {
                Ok(()) = start.changed(), if !started => {}
                Some(order) = self.orders.recv() => self.unanswered.push(order),
                () = self.changed.notified() => {}
                () = selection(self.selected.as_ref(), known) => {}
                found = look(&mut self.look) => self.looked(found),
                ended = self.controller.join_next() => {
                    let why = ended.and_then(Result::err).map_or_else(|| "it ended by itself".into(), |e| e.to_string());
                    self.revive(why).await;
                }
                // Only those that were ended come here; this gives their memory back.
                Some(_) = self.reflectors.join_next() => {}
            }
        }
    }

    /// Brings the reflectors to what is wanted now.
    async fn reconcile(&mut self) {
        let spec = self.shared.spec.lock().clone();
        if spec.is_waiting() {
            return self.wait_for_resource();
        }
        if self.running.as_ref() != Some(&spec.resource) {
            // Another version: what it serves is listed anew by new reflectors, over the objects that are there.
            self.end(|_| true);
            self.scanner.set_default_type(spec.resource.type_meta());
            self.running = Some(spec.resource.clone());
            self.settled = false;
            self.absent = false;
            self.shared.own.set(UpstreamState::Starting, None);
        }
        let Some(wanted) = self.wanted_namespaces(&spec.namespace_selector, &spec.namespaces) else {
            return;
        };
        let has = |live: &[Live], ns: &Option<Arc<str>>| live.iter().any(|l| l.scope.namespace == *ns);
        let live = self.shared.reflectors.read().clone();
        let ending = live.iter().any(|l| !wanted.contains(&l.scope.namespace));
        let coming: Vec<_> = wanted.iter().filter(|ns| !has(&live, ns)).cloned().collect();
        if self.settled && coming.is_empty() && !ending {
            return;
        }
        self.end(|live| !wanted.contains(&live.scope.namespace));
        let jobs: Vec<_> = coming.into_iter().map(|namespace| self.job(&spec, namespace)).collect();
        let mut live = self.shared.reflectors.read().clone();
        live.extend(jobs.iter().map(|(live, _)| live.clone()));
        live.sort_by(|a, b| a.scope.namespace.cmp(&b.scope.namespace));
        let scopes: Vec<ScopeSpec> = live.iter().map(|l| l.scope.clone()).collect();
        *self.shared.reflectors.write() = live;
        let (done, answer) = oneshot::channel();
        let sent = self.shared.command(Command::Rescope(scopes, done)).await;
        if sent.is_err() || answer.await.is_err() {
            // The controller has died: once it lives again, all of this is done again.
            return;
        }
        self.settled = true;
        self.shared.own.set(UpstreamState::Watching, None);
        for (live, job) in jobs {
            let (upstream, clock) = (self.around.upstream.clone(), self.around.clock);
            let task = supervise::reflect(upstream, job, clock, self.shared.restarts.clone());
            self.ends.insert(live.scope.id, self.reflectors.spawn(task));
        }
    }

    /// The resource is not served yet.
    fn wait_for_resource(&mut self) {
        if self.shared.own.get().state != UpstreamState::Waiting {
            let spec = self.shared.spec.lock();
            let message = format!("the API server serves no resource {:?} yet", spec.query.to_string());
            drop(spec);
            self.say(UpstreamState::Waiting, "NotServed", message);
        }
    }

    /// `None` while they are not known.
    fn wanted_namespaces(&mut self, selector: &str, namespaces: &BTreeSet<String>) -> Option<Vec<Option<Arc<str>>>> {
        let several = |names: &BTreeSet<String>| names.iter().map(|n| Some(n.as_str().into())).collect();
        if selector.is_empty() {
            self.selected = None;
            *self.shared.selected.lock() = None;
            *self.shared.selection.lock() = None;
            return Some(if namespaces.is_empty() {
                vec![None]
            } else {
                several(namespaces)
            });
        }
        if self.selected.as_ref().is_none_or(|s| s.selector != selector) {
            let source = self.around.namespaces.as_ref();
            self.selected = source.and_then(|n| n.select(selector));
        }
        let selected = self.selected.as_ref()?;
        *self.shared.selection.lock() = Some(selected.upstream());
        let now = selected.now();
        self.shared.selected.lock().clone_from(&now);
        now.as_ref().map(several)
    }

    fn job(&mut self, spec: &super::InformerSpec, namespace: Option<Arc<str>>) -> (Live, ReflectorJob) {
        let text = |s: &String| (!s.is_empty()).then(|| s.clone());
        let id = self.next_scope;
        self.next_scope += 1;
        let status = StatusCell::telling(self.changed.clone());
        let job = ReflectorJob {
            resource: spec.resource.clone(),
            namespace: namespace.clone(),
            label_selector: text(&spec.label_selector),
            field_selector: text(&spec.field_selector),
            metadata_only: spec.metadata_only,
            list_mode: spec.list_mode,
            scanner: self.scanner.clone(),
            deltas: self.deltas.for_scope(id),
            status: status.clone(),
        };
        let scope = ScopeSpec {
            id,
            namespace,
            progress: Arc::default(),
        };
        (
            Live {
                scope,
                status,
                excused: false,
            },
            job,
        )
    }

    /// Ends reflectors; what they have counted goes on counting for the informer.
    fn end(&mut self, which: impl Fn(&Live) -> bool) {
        let mut live = self.shared.reflectors.write();
        let (ending, staying) = live.drain(..).partition(|l| which(l));
        *live = staying;
        let ending: Vec<Live> = ending;
        for ended in &ending {
            if let Some(task) = self.ends.remove(&ended.scope.id) {
                task.abort();
            }
            self.shared.past.lock().count(&ended.status.get());
        }
    }

    /// What the states of the reflectors ask for.
    async fn inspect(&mut self) {
        let live = self.shared.reflectors.read().clone();
        let refused = |l: &&Live| !l.excused && l.status.get().is_denied();
        for refused in live.iter().filter(refused) {
            // One namespace without rights does not keep the others from being served; its state says so (field case 29).
            let id = refused.scope.id;
            if self.shared.command(Command::Excuse(id)).await.is_ok() {
                let mut live = self.shared.reflectors.write();
                live.iter_mut()
                    .filter(|l| l.scope.id == id)
                    .for_each(|l| l.excused = true);
            }
        }
        // Attempts in between do not end the look that is under way.
        let gone = live.iter().any(|l| l.status.get().is_gone());
        let spec = self.shared.spec.lock().clone();
        if !gone && !spec.is_waiting() {
            self.look = None;
            if std::mem::take(&mut self.absent) {
                self.shared.own.set(UpstreamState::Watching, None);
            }
            return;
        }
        if self.look.is_none() {
            let query = if spec.is_waiting() {
                spec.query.clone()
            } else {
                ResourceQuery {
                    version: if spec.query.names_version() {
                        spec.resource.version.clone()
                    } else {
                        String::new()
                    },
                    ..ResourceQuery::from(&spec.resource)
                }
            };
            let (upstream, at) = (self.around.upstream.clone(), self.around.rounds.after(Instant::now()));
            self.look = Some(Box::pin(async move {
                tokio::time::sleep_until(at).await;
                upstream.resolve_anew(&query, MAX_AGE).await
            }));
        }
    }

    /// Discovery has answered.
    fn looked(&mut self, found: Result<Resource, ResolveError>) {
        self.look = None;
        let mut spec = self.shared.spec.lock();
        let waiting = spec.is_waiting();
        match found {
            Ok(resource) if waiting => {
                tracing::info!(informer = self.shared.name, %resource, "the resource is served now");
                if let Err(error) = spec.adopt(resource) {
                    drop(spec);
                    self.say(UpstreamState::Waiting, "InvalidSpec", error.to_string());
                }
            }
            // The core group cannot be named, so the query may have found another one's.
            Ok(resource) if resource.name() != spec.resource.name() => {}
            Ok(resource) if resource != spec.resource => {
                tracing::warn!(informer = self.shared.name, from = %spec.resource, to = %resource, "the served version changes");
                if let Err(error) = spec.adopt(resource) {
                    drop(spec);
                    self.say(UpstreamState::Gone, "InvalidSpec", error.to_string());
                }
            }
            Ok(_) => {
                // It was away and is back: the reflectors need not wait for their next attempt.
                let back = std::mem::take(&mut self.absent);
                drop(spec);
                if back {
                    self.running = None;
                }
            }
            Err(
                error @ (ResolveError::NotFound(_)
                | ResolveError::VersionNotServed { .. }
                | ResolveError::NotWatchable { .. }),
            ) => {
                drop(spec);
                self.absent = !waiting;
                let state = if waiting {
                    UpstreamState::Waiting
                } else {
                    UpstreamState::Gone
                };
                self.say(state, "NotServed", error.to_string());
            }
            // Nothing is known: what was said before holds.
            Err(ResolveError::Unavailable(_)) => {}
        }
    }

    /// Says what no reflector can.
    fn say(&self, state: UpstreamState, reason: &str, message: String) {
        let known = self.shared.own.get();
        let same = known.state == state && known.last_error.as_ref().is_some_and(|e| e.message == message);
        if !same {
            let error = UpstreamError {
                http_status: 0,
                reason: reason.to_owned(),
                message,
                time: self.around.clock.wall(),
            };
            tracing::warn!(informer = self.shared.name, ?state, %error, "the resource is not served");
            self.shared.own.set(state, Some(error));
        }
    }

    /// Runs a controller over `indexer`.
    fn control(&mut self, fifo: DeltaFifo, indexer: Indexer) {
        let (commands, receiver) = mpsc::channel(16);
        *self.shared.commands.lock() = commands;
        let limits = self.shared.spec.lock().history;
        let processor = self.shared.processor.clone();
        let controller = Controller::new([], indexer, limits, self.scanner.clone(), processor);
        let _task = self.controller.spawn(controller.run(fifo, receiver));
        #[cfg(test)]
        self.shared.controller.lock().replace(_task);
    }

    /// The controller died: another one goes on from what was published, and all reflectors begin anew, for what was queued is
    /// lost.
    async fn revive(&mut self, why: String) {
        self.shared.restarts.fetch_add(1, Ordering::Relaxed);
        tracing::error!(
            informer = self.shared.name,
            why,
            "the controller died and is started again"
        );
        self.end(|_| true);
        let error = supervise::died("ControllerDied", why, &self.around.clock);
        self.shared.own.set(UpstreamState::Backoff, Some(error));
        self.shared.news.send_modify(|n| *n += 1);
        self.controller_lives.next().await;
        let (fifo, deltas) = DeltaFifo::new(self.around.fifo_bytes, self.shared.processor.clone());
        self.deltas = deltas;
        self.settled = false;
        let indexer = Indexer::resume(self.shared.processor.load().snapshot.clone());
        self.scanner.set_pointers(indexer.pointers());
        self.control(fifo, indexer);
    }
}

/// Waits for another selection; for ever without one.
async fn selection(selected: Option<&Selected>, known: (Option<BTreeSet<String>>, Option<UpstreamStatus>)) {
    match selected {
        Some(selected) => selected.changed(known.0.as_ref(), &known.1.unwrap_or_default()).await,
        None => std::future::pending().await,
    }
}

/// Waits for the look that is under way; for ever without one.
async fn look(look: &mut Option<BoxFuture<'static, Result<Resource, ResolveError>>>) -> Result<Resource, ResolveError> {
    match look {
        Some(look) => look.await,
        None => std::future::pending().await,
    }
}

impl std::fmt::Debug for Surroundings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Surroundings").finish_non_exhaustive()
    }
}
