//! A fake API server behind the [`Upstream`] port: a test says what the reflectors see, and when.
//!
//! ```text
//!   FakeUpstream::new() ──▶ factory ──▶ reflect(job) ── registers the job and sleeps
//!   reflector("pods") waits for that job; list, added, updated, deleted, bookmark and fail act through it
//! ```
//!
//! Each of them returns once the controller has published the result, so tests neither sleep nor poll.

mod live;

pub(crate) use live::FakeLive;

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::{Duration, SystemTime},
};

use bytes::Bytes;
use futures::future::BoxFuture;
use parking_lot::Mutex;
use tokio::sync::watch;

use crate::{
    clock::Clock,
    delta::Delta,
    informer::{FactoryOptions, SharedInformerFactory},
    object::{Object, ResourceVersion},
    upstream::{
        LiveError, LiveRead, ReflectorJob, ResolveError, Resource, ResourceQuery, Upstream, UpstreamError,
        UpstreamState,
    },
};

/// Serves "pods" (namespaced) and "nodes" (cluster-scoped), and what tests add to them.
pub(crate) struct FakeUpstream {
    /// Started, not handed out yet.
    jobs: watch::Sender<Vec<ReflectorJob>>,
    served: Mutex<Vec<Resource>>,
    /// Reflectors that are to die as soon as they run.
    doomed: AtomicU32,
    /// Looks for resources that come and go.
    looks: AtomicU32,
    /// What is there for reads past the cache.
    pub(crate) live: FakeLive,
}

/// One reflector that a test plays.
pub(crate) struct FakeReflector {
    job: ReflectorJob,
}

/// A Pod as JSON; `key` is "namespace/name", or "name" for a cluster-scoped object; `labels` are "a=b,c=d" or "".
/// Its uid is "uid-{name}".
pub(crate) fn object(key: &str, rv: u64, labels: &str) -> String {
    document(
        key,
        rv,
        labels,
        &format!("uid-{}", key.rsplit('/').next().unwrap_or(key)),
        0,
    )
}

/// As [`object`] with another uid.
pub(crate) fn object_with_uid(key: &str, rv: u64, labels: &str, uid: &str) -> String {
    document(key, rv, labels, uid, 0)
}

/// As [`object`] with a body of about `bytes` bytes.
pub(crate) fn padded(key: &str, rv: u64, bytes: usize) -> String {
    document(key, rv, "", "uid", bytes)
}

fn document(key: &str, rv: u64, labels: &str, uid: &str, padding: usize) -> String {
    let (namespace, name) = key.split_once('/').unwrap_or(("", key));
    let labels: serde_json::Map<_, _> = labels
        .split(',')
        .filter_map(|l| l.split_once('='))
        .map(|(k, v)| (k.to_owned(), v.into()))
        .collect();
    let mut metadata = serde_json::json!({
        "name": name, "uid": uid, "resourceVersion": rv.to_string(), "labels": labels,
    });
    if !namespace.is_empty() {
        metadata["namespace"] = namespace.into();
    }
    let pad = "x".repeat(padding);
    serde_json::json!({ "metadata": metadata, "spec": { "nodeName": format!("node-{}", rv % 2), "pad": pad } })
        .to_string()
}

// === impl FakeUpstream ===

impl FakeUpstream {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            jobs: watch::Sender::new(Vec::new()),
            served: Mutex::new(vec![resource("pods", "v1", true), resource("nodes", "v1", false)]),
            doomed: AtomicU32::new(0),
            looks: AtomicU32::new(0),
            live: FakeLive::default(),
        })
    }

    /// Serves a resource in this version, and in no other any more: "plural", or "plural.group".
    pub(crate) fn serve(&self, name: &str, version: &str) {
        self.withdraw(name);
        self.served.lock().push(resource(name, version, true));
    }

    /// Serves it no more.
    pub(crate) fn withdraw(&self, name: &str) {
        self.served.lock().retain(|r| r.name() != name);
    }

    /// So many of the next reflectors die as soon as they run.
    pub(crate) fn doom(&self, reflectors: u32) {
        self.doomed.store(reflectors, Ordering::Relaxed);
    }

    /// How often it was asked for what has come or gone.
    pub(crate) fn looks(&self) -> u32 {
        self.looks.load(Ordering::Relaxed)
    }

    /// A factory over this upstream.
    pub(crate) fn factory(self: &Arc<Self>, options: FactoryOptions) -> Arc<SharedInformerFactory> {
        SharedInformerFactory::new(self.clone(), options, Clock::start(), "epoch".into())
    }

    /// Waits until a reflector for the plural name runs. Each is handed out once, in the order in which they started.
    pub(crate) async fn reflector(&self, plural: &str) -> FakeReflector {
        let of = |j: &ReflectorJob| j.resource.plural == plural;
        loop {
            let mut started = self.jobs.subscribe();
            let mut next = None;
            self.jobs.send_if_modified(|jobs| {
                next = jobs.iter().position(of).map(|at| jobs.remove(at));
                false
            });
            if let Some(job) = next {
                return FakeReflector { job };
            }
            started.changed().await.unwrap();
        }
    }
}

#[async_trait::async_trait]
impl Upstream for FakeUpstream {
    async fn resolve(&self, query: &ResourceQuery) -> Result<Resource, ResolveError> {
        let wanted = query.to_string();
        let served = self.served.lock();
        if let Some(found) = served
            .iter()
            .find(|r| [r.plural.clone(), r.name(), r.to_string()].contains(&wanted))
        {
            return Ok(found.clone());
        }
        let other = query.provisional().filter(|r| !r.version.is_empty());
        match other.and_then(|want| served.iter().find(|r| r.name() == want.name())) {
            Some(other) => Err(ResolveError::VersionNotServed {
                resource: other.name(),
                version: query.version.clone(),
                served: vec![other.version.clone()],
            }),
            None => Err(ResolveError::NotFound(wanted)),
        }
    }

    async fn resolve_anew(&self, query: &ResourceQuery, _: Duration) -> Result<Resource, ResolveError> {
        self.looks.fetch_add(1, Ordering::Relaxed);
        self.resolve(query).await
    }

    fn reflect(&self, job: ReflectorJob) -> BoxFuture<'static, ()> {
        let doomed = self.doomed.load(Ordering::Relaxed);
        if doomed > 0 {
            self.doomed.store(doomed - 1, Ordering::Relaxed);
            return Box::pin(async { panic!("as the test wants it") });
        }
        self.jobs.send_modify(|jobs| jobs.push(job));
        Box::pin(std::future::pending())
    }

    async fn live_object(&self, read: &LiveRead, name: &str) -> Result<Option<Bytes>, LiveError> {
        self.live.object(read, name).await
    }

    async fn live_version(&self, read: &LiveRead) -> Result<ResourceVersion, LiveError> {
        self.live.version(read).await
    }
}

// === impl FakeReflector ===

impl FakeReflector {
    /// Its namespace; "" for all.
    pub(crate) fn namespace(&self) -> &str {
        self.job.namespace.as_deref().unwrap_or_default()
    }

    /// Its resource.
    pub(crate) fn resource(&self) -> &Resource {
        &self.job.resource
    }

    /// A complete list at `rv`; then the watch is open.
    pub(crate) async fn list<S: AsRef<str>>(&self, objects: impl IntoIterator<Item = S>, rv: u64) {
        let replacing = self.job.deltas.begin_replace().await.unwrap();
        self.replace(replacing, objects, rv).await;
    }

    /// A list of another history of the API server.
    pub(crate) async fn list_anew<S: AsRef<str>>(&self, objects: impl IntoIterator<Item = S>, rv: u64) {
        let replacing = self.job.deltas.begin_replace().await.unwrap();
        self.replace(replacing.anew(), objects, rv).await;
    }

    async fn replace<S: AsRef<str>>(
        &self,
        mut replacing: crate::delta::Replacing,
        objects: impl IntoIterator<Item = S>,
        rv: u64,
    ) {
        self.job.status.listing();
        for object in objects {
            replacing.observe(self.scan(object.as_ref()));
        }
        replacing.commit(&self.job.deltas, version(rv)).await.unwrap();
        self.job.status.watching();
        self.settled().await;
    }

    /// The watch says ADDED.
    pub(crate) async fn added(&self, object: &str) {
        self.push(Delta::Added(Arc::new(self.scan(object)))).await;
    }

    /// The watch says MODIFIED.
    pub(crate) async fn updated(&self, object: &str) {
        self.push(Delta::Updated(Arc::new(self.scan(object)))).await;
    }

    /// The watch says DELETED.
    pub(crate) async fn deleted(&self, object: &str) {
        self.push(Delta::Deleted(Arc::new(self.scan(object)))).await;
    }

    /// The watch says BOOKMARK.
    pub(crate) async fn bookmark(&self, rv: u64) {
        self.push(Delta::Bookmark(version(rv))).await;
    }

    /// The next attempt begins.
    pub(crate) fn attempt(&self) {
        self.job.status.listing();
    }

    /// An attempt fails.
    pub(crate) fn fail(&self, state: UpstreamState, http_status: u16, reason: &str) {
        let error = UpstreamError {
            http_status,
            reason: reason.into(),
            message: "as the test wants it".into(),
            time: SystemTime::now(),
        };
        self.job.status.failed(state, error);
    }

    async fn push(&self, delta: Delta) {
        self.job.deltas.push(delta).await.unwrap();
        self.settled().await;
    }

    /// A relist may begin only when all that was pushed is applied and published.
    async fn settled(&self) {
        self.job.deltas.begin_replace().await.unwrap();
    }

    fn scan(&self, object: &str) -> Object {
        self.job.scanner.scan(object.as_bytes()).unwrap()
    }
}

fn resource(name: &str, version: &str, namespaced: bool) -> Resource {
    let (plural, group) = name.split_once('.').unwrap_or((name, ""));
    let mut kind = plural.trim_end_matches('s').to_owned();
    kind[..1].make_ascii_uppercase();
    Resource {
        group: group.into(),
        version: version.into(),
        plural: plural.into(),
        kind,
        namespaced,
    }
}

fn version(rv: u64) -> ResourceVersion {
    ResourceVersion::parse(&rv.to_string())
}
