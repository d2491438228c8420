//! informerd over a simulated cluster, and subscribers that note when an event came.

use std::{
    fs,
    path::PathBuf,
    time::{Duration, Instant},
};

use informerd::{
    cli::connect::ServerAddress,
    proto::v1alpha1::{
        InformerSelector, ResourceRef, WatchRequest, WatchResponse, informer_selector::By,
        subscription_service_client::SubscriptionServiceClient, watch_request::Start, watch_response::Control,
    },
    sim::{Sim, Verb},
};
use serde_json::{Value, json};
use support::{Process, Spawn, eventually};
use tempfile::TempDir;
use tonic::{Streaming, transport::Channel};

/// When something was written or came, by resource version.
pub(crate) type Times = Vec<(u64, Instant)>;

pub(crate) struct Rig {
    pub(crate) sim: Sim,
    pub(crate) pid: u32,
    socket: PathBuf,
    _process: Process,
    _dir: TempDir,
}

/// A subscriber with a connection of its own.
pub(crate) struct Subscriber {
    pub(crate) stream: Streaming<WatchResponse>,
    pub(crate) token: Vec<u8>,
}

// === impl Rig ===

impl Rig {
    pub(crate) async fn start() -> Self {
        let sim = Sim::builder().history_limit(50_000).start().await.expect("a cluster");
        let dir = TempDir::with_prefix("informerd-bench-").expect("a temporary directory");
        let (kubeconfig, socket) = (dir.path().join("kubeconfig"), dir.path().join("informerd.sock"));
        sim.write_kubeconfig(&kubeconfig).expect("a kubeconfig");
        let process = Spawn::new("informerd", env!("CARGO_BIN_EXE_informerd"), dir.path())
            .arg("serve")
            .args(["--socket".to_owned(), socket.display().to_string()])
            .args(["--kubeconfig".to_owned(), kubeconfig.display().to_string()])
            .start();
        let this = Self {
            sim,
            pid: process.pid(),
            socket,
            _process: process,
            _dir: dir,
        };
        this.channel().await;
        this
    }

    /// Fills the cluster.
    pub(crate) fn fill(&self, objects: usize) {
        for i in 0..objects {
            self.sim.create(object(i, 0)).expect("it is not there");
        }
    }

    /// A subscriber that has read nothing yet.
    pub(crate) async fn watch(&self, start: Option<Start>) -> Subscriber {
        let mut service = SubscriptionServiceClient::new(self.channel().await);
        let request = WatchRequest {
            informer: Some(InformerSelector {
                by: Some(By::Resource(ResourceRef {
                    resource: "configmaps".to_owned(),
                    ..ResourceRef::default()
                })),
            }),
            start,
            ..WatchRequest::default()
        };
        let stream = service.watch(request).await.expect("a stream").into_inner();
        Subscriber {
            stream,
            token: Vec::new(),
        }
    }

    /// Lists and watches of ConfigMaps upstream since the log was cleared.
    pub(crate) fn upstream(&self) -> (usize, usize) {
        let log = self.sim.request_log();
        let log = log.iter().filter(|r| r.resource.as_deref() == Some("configmaps"));
        let verbs: Vec<_> = log.map(|request| request.verb).collect();
        let lists = verbs.iter().filter(|v| matches!(v, Verb::List | Verb::WatchList));
        let watches = verbs.iter().filter(|v| matches!(v, Verb::Watch));
        (lists.count(), watches.count())
    }

    async fn channel(&self) -> Channel {
        let address = ServerAddress::Unix(self.socket.clone());
        eventually("informerd listens", || async { address.connect().await.ok() }).await
    }
}

// === impl Subscriber ===

impl Subscriber {
    async fn next(&mut self) -> WatchResponse {
        let message = self.stream.message().await.expect("a good stream").expect("it goes on");
        if !message.resume_token.is_empty() {
            self.token = message.resume_token.to_vec();
        }
        message
    }

    /// Reads until all that there is has come.
    pub(crate) async fn synced(&mut self) {
        while !matches!(self.next().await.control, Some(Control::Synced(_))) {}
    }

    /// Reads until an event of this version has come; all that came.
    pub(crate) async fn until(&mut self, last: u64) -> Times {
        let mut times = Times::new();
        loop {
            let message = self.next().await;
            let now = Instant::now();
            for event in message.events {
                let version = event.resource_version.parse().expect("a number");
                times.push((version, now));
                if version >= last {
                    return times;
                }
            }
        }
    }
}

/// A ConfigMap of about 2 KB.
pub(crate) fn object(i: usize, change: usize) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": format!("c{i}"), "namespace": "default"},
        "data": {"change": change.to_string(), "text": "x".repeat(1_700)},
    })
}

pub(crate) fn version(object: &Value) -> u64 {
    let version = object["metadata"]["resourceVersion"].as_str();
    version.and_then(|text| text.parse().ok()).expect("a number")
}

/// Delays from write to arrival, ascending. Versions that were folded into later ones have none.
pub(crate) fn delays(written: &Times, came: &Times) -> Vec<Duration> {
    // Both ascend, and what came is a part of what was written.
    let mut written = written.iter();
    let delay = |(version, at): &(u64, Instant)| {
        let (_, then) = written.find(|(candidate, _)| candidate == version)?;
        Some(at.saturating_duration_since(*then))
    };
    let mut delays: Vec<_> = came.iter().filter_map(delay).collect();
    delays.sort_unstable();
    delays
}

pub(crate) fn percentile(sorted: &[Duration], percent: usize) -> Duration {
    let at = (sorted.len() * percent / 100).min(sorted.len().saturating_sub(1));
    sorted.get(at).copied().unwrap_or_default()
}

pub(crate) fn mib(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

pub(crate) fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// A size from the environment.
pub(crate) fn size(name: &str, otherwise: usize) -> usize {
    let given = std::env::var(format!("PRESSURE_{name}"));
    given.map_or(otherwise, |text| text.parse().expect("a number"))
}

pub(crate) fn load() -> String {
    let load = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    format!(
        "{} cores; load average before the run {}. informerd {}.",
        std::thread::available_parallelism().map_or(0, usize::from),
        load.split_whitespace().next().unwrap_or("unknown"),
        env!("CARGO_PKG_VERSION"),
    )
}
