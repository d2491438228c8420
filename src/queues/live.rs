//! One running queue: the pure core behind a lock that is never held across a wait, its sources, its clock, and the polls that
//! wait for it.

use std::{
    collections::{BTreeMap, HashSet},
    sync::{
        Arc, Weak,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, SystemTime},
};

use parking_lot::Mutex;
use tokio::{
    sync::{Notify, watch},
    task::JoinSet,
    time::Instant,
};

use super::{Grant, QueueSpec, polls::Polls, source};
use crate::{
    clock::Clock,
    informer::SharedInformer,
    object::ObjectKey,
    queue::{Add, Added, Completed, DrainMode, HeldKey, Lease, Lost, Outcome, Phase, Refused, WaitFor, WorkQueue},
};

/// A queue with its sources.
pub struct LiveQueue {
    name: String,
    epoch: String,
    spec: QueueSpec,
    clock: Clock,
    created: SystemTime,
    hold_end: Option<SystemTime>,
    state: Mutex<State>,
    /// The next deadline may have come nearer.
    rescheduled: Notify,
    /// Counts changes, for whoever waits for a phase or for lost leases.
    changes: watch::Sender<u64>,
    deleted: AtomicBool,
    /// For grants, which give leases back to where they are from.
    me: Weak<Self>,
    tasks: Mutex<JoinSet<()>>,
}

struct State {
    core: WorkQueue,
    polls: Polls,
    /// Open worker sessions; a newer one replaces an older.
    sessions: BTreeMap<Arc<str>, u64>,
    next_session: u64,
    /// Lost leases that their worker's session has not been told.
    lost: BTreeMap<Arc<str>, Vec<Lost>>,
    /// Informers whose position opens gates.
    followed: HashSet<String>,
}

// === impl LiveQueue ===

impl LiveQueue {
    pub(super) fn start(id: &str, epoch: String, spec: QueueSpec, clock: Clock, hold_until: Instant) -> Arc<Self> {
        let now = Instant::now();
        let mut core = WorkQueue::new(spec.config.clone(), now);
        let hold_end = (hold_until > now).then(|| clock.wall_of(hold_until));
        core.hold(hold_until, [], now);
        let this = Arc::new_cyclic(|me| Self {
            me: me.clone(),
            name: format!("queues/{id}"),
            epoch,
            clock,
            created: clock.wall(),
            hold_end,
            state: Mutex::new(State {
                core,
                polls: Polls::default(),
                sessions: BTreeMap::new(),
                next_session: 1,
                lost: BTreeMap::new(),
                followed: HashSet::new(),
            }),
            rescheduled: Notify::new(),
            changes: watch::Sender::new(0),
            deleted: AtomicBool::new(false),
            tasks: Mutex::new(JoinSet::new()),
            spec,
        });
        let mut tasks = this.tasks.lock();
        for source in &this.spec.sources {
            source.informer.ensure_started();
            tasks.spawn(source::run(this.clone(), source.clone()));
        }
        tasks.spawn(keep_time(this.clone()));
        drop(tasks);
        this
    }

    /// "queues/{id}".
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Random per process and incarnation.
    pub fn epoch(&self) -> &str {
        &self.epoch
    }

    /// What it is.
    pub fn spec(&self) -> &QueueSpec {
        &self.spec
    }

    /// The clock of its deadlines.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// When it was created.
    pub fn created(&self) -> SystemTime {
        self.created
    }

    /// End of the hold after a restart, if there was one.
    pub fn hold_end(&self) -> Option<SystemTime> {
        self.hold_end
    }

    /// True once deleted.
    pub fn is_deleted(&self) -> bool {
        self.deleted.load(Ordering::Acquire)
    }

    /// Looks at the core; what changed by the passing of time is applied first.
    pub fn inspect<T>(&self, look: impl FnOnce(&mut WorkQueue) -> T) -> T {
        self.change(|core, _| look(core))
    }

    /// Changes the core, then hands out what has become ready.
    fn change<T>(&self, change: impl FnOnce(&mut WorkQueue, Instant) -> T) -> T {
        let now = Instant::now();
        let mut state = self.state.lock();
        let State { core, polls, lost, .. } = &mut *state;
        let result = change(core, now);
        core.advance(now);
        if let Some(me) = self.me.upgrade() {
            polls.serve(core, &me, now);
        }
        for gone in core.take_lost() {
            let told = lost.entry(gone.worker.clone()).or_default();
            // Hints: what a lost lease means is said by its completion.
            if told.len() < MAX_LOST_HINTS {
                told.push(gone);
            }
        }
        drop(state);
        self.rescheduled.notify_one();
        self.changes.send_modify(|n| *n += 1);
        result
    }

    /// Adds keys.
    pub fn add(&self, keys: Vec<(ObjectKey, Add)>) -> Vec<Added> {
        self.change(|core, now| keys.into_iter().map(|(key, how)| core.add(key, how, now)).collect())
    }

    /// Clears failure counts; says which keys had one.
    pub fn forget(&self, keys: &[ObjectKey]) -> Vec<bool> {
        self.change(|core, _| keys.iter().map(|key| core.forget(key)).collect())
    }

    /// Ends a lease. What the worker wrote is waited for in the informers named.
    pub fn complete(
        self: &Arc<Self>,
        token: u64,
        outcome: Outcome,
        written: &[(Arc<SharedInformer>, WaitFor)],
        error: &str,
    ) -> Result<Completed, Refused> {
        for (informer, _) in written {
            self.follow(informer);
        }
        let wait_for: Vec<_> = written.iter().map(|(_, wait)| wait.clone()).collect();
        self.change(|core, now| {
            // The cache may have seen the write already.
            for (informer, wait) in written {
                let position = informer.processor().load().snapshot.position().resource_version.clone();
                core.seen(&wait.informer, &position, now);
            }
            core.complete(token, outcome, &wait_for, error, now)
        })
    }

    /// Extends a lease; its new end.
    pub fn extend(&self, token: u64) -> Result<Instant, Refused> {
        self.change(|core, now| core.extend(token, now))
    }

    /// Extends all leases of a worker; how many.
    pub fn extend_worker(&self, worker: &str) -> usize {
        self.change(|core, now| core.extend_worker(worker, now))
    }

    /// Gives back leases that nobody has received.
    pub(super) fn release(&self, tokens: Vec<u64>) {
        self.change(|core, now| {
            for token in tokens {
                // An expired one is back already.
                let _ = core.complete(token, Outcome::Release, &[], "", now);
            }
        });
    }

    /// Hands out keys, waiting up to `wait` for the first one. Waits behind the polls that came before.
    pub async fn acquire(self: &Arc<Self>, worker: &str, max: usize, wait: Duration) -> Grant {
        let deadline = Instant::now() + wait;
        let mut reply = {
            let mut state = self.state.lock();
            state.polls.push(worker.to_owned(), max)
        };
        self.change(|_, _| ());
        let grant = tokio::select! {
            biased;
            grant = &mut reply => grant.ok(),
            () = self.drained() => None,
            () = tokio::time::sleep_until(deadline) => {
                reply.close();
                // Handed over in the same moment.
                reply.try_recv().ok()
            }
        };
        grant.unwrap_or_else(|| Grant::new(Vec::new(), self.clone()))
    }

    /// Ends when there is nothing left to hand out, ever.
    pub async fn drained(&self) {
        let mut changes = self.changes.subscribe();
        loop {
            changes.borrow_and_update();
            if self.is_deleted() || self.phase() == Phase::Drained {
                return;
            }
            if changes.changed().await.is_err() {
                return;
            }
        }
    }

    /// Where it stands.
    pub fn phase(&self) -> Phase {
        self.state.lock().core.phase()
    }

    /// Polls that wait.
    pub fn waiting_polls(&self) -> usize {
        self.state.lock().polls.len()
    }

    /// Takes no more keys.
    pub fn drain(&self, mode: DrainMode) {
        self.change(|core, now| core.drain(mode, now));
    }

    /// Ends the queue: sources stop and polls return.
    pub(super) fn delete(&self) {
        self.deleted.store(true, Ordering::Release);
        self.tasks.lock().abort_all();
        self.state.lock().polls.clear();
        self.changes.send_modify(|n| *n += 1);
    }

    /// Follows changes.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// A worker begins a session and says what it works on.
    pub fn open_session(&self, worker: &str, held: &[HeldKey]) -> (u64, Vec<Result<Lease, Refused>>) {
        let session = {
            let mut state = self.state.lock();
            let session = state.next_session;
            state.next_session += 1;
            state.sessions.insert(worker.into(), session);
            session
        };
        let leases = self.change(|core, now| core.register(worker, held, now));
        (session, leases)
    }

    /// True while no newer session of the worker has taken over.
    pub fn is_current(&self, worker: &str, session: u64) -> bool {
        self.state.lock().sessions.get(worker) == Some(&session)
    }

    /// A session has ended; if it `broke`, the worker's leases end after the grace.
    pub fn close_session(&self, worker: &str, session: u64, broke: bool) {
        {
            let mut state = self.state.lock();
            if state.sessions.get(worker) != Some(&session) {
                return;
            }
            state.sessions.remove(worker);
            state.lost.remove(worker);
        }
        if broke {
            let grace = self.spec.session_grace;
            self.change(|core, now| core.worker_lost(worker, now + grace, now));
        }
    }

    /// Leases of a worker that were lost since the last call.
    pub fn take_lost(&self, worker: &str) -> Vec<Lost> {
        self.state.lock().lost.remove(worker).unwrap_or_default()
    }

    /// Workers with an open session.
    pub fn sessions(&self) -> Vec<Arc<str>> {
        self.state.lock().sessions.keys().cloned().collect()
    }

    /// Lets an informer's position open gates from now on.
    fn follow(self: &Arc<Self>, informer: &Arc<SharedInformer>) {
        if !self.state.lock().followed.insert(informer.name().to_owned()) {
            return;
        }
        self.tasks.lock().spawn(follow(self.clone(), informer.clone()));
    }
}

/// Lost leases remembered for a session that is slow to read.
const MAX_LOST_HINTS: usize = 1000;

/// Applies what becomes due.
async fn keep_time(queue: Arc<LiveQueue>) {
    loop {
        let deadline = queue.state.lock().core.next_deadline();
        let rescheduled = queue.rescheduled.notified();
        match deadline {
            None => rescheduled.await,
            Some(deadline) => {
                tokio::select! {
                    () = rescheduled => {}
                    () = tokio::time::sleep_until(deadline) => queue.change(|_, _| ()),
                }
            }
        }
    }
}

/// Tells the queue how far an informer has come, after it has published that.
async fn follow(queue: Arc<LiveQueue>, informer: Arc<SharedInformer>) {
    let mut seen = None;
    loop {
        let far = Instant::now() + Duration::from_secs(3600);
        let newer = informer
            .processor()
            .wait_for(far, |p| Some(&p.snapshot.position().resource_version) != seen.as_ref())
            .await;
        match newer {
            Ok(published) => {
                let position = published.snapshot.position().resource_version.clone();
                queue.change(|core, now| core.seen(informer.name(), &position, now));
                seen = Some(position);
            }
            Err(crate::processor::WaitError::TimedOut(_)) => {}
            Err(crate::processor::WaitError::Closed) => {
                queue.state.lock().followed.remove(informer.name());
                queue.change(|core, now| core.informer_gone(informer.name(), now));
                return;
            }
        }
    }
}
