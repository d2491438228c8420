//! informerd with a queue that has no sources.

use std::{fs, time::Duration};

use informerd::{
    cli::connect::ServerAddress,
    proto::v1alpha1::{
        AddItemsRequest, CreateQueueRequest, GetQueueStatsRequest, ObjectKey, QueueSpec, QueueStats,
        work_queue_service_client::WorkQueueServiceClient,
    },
    sim::Sim,
};
use support::{Process, Spawn, eventually};
use tempfile::TempDir;
use tonic::transport::Channel;

pub(crate) const QUEUE: &str = "queues/bench";
/// Keys in one AddItems, the most that is allowed.
const ADD: usize = 10_000;
const NAMESPACES: usize = 50;

pub(crate) struct Rig {
    pub(crate) queues: WorkQueueServiceClient<Channel>,
    process: Process,
    _sim: Sim,
    _dir: TempDir,
}

// === impl Rig ===

impl Rig {
    pub(crate) async fn start() -> Self {
        let sim = Sim::builder().start().await.expect("a simulated cluster");
        let dir = TempDir::with_prefix("informerd-bench-").expect("a temporary directory");
        let (kubeconfig, socket) = (dir.path().join("kubeconfig"), dir.path().join("informerd.sock"));
        sim.write_kubeconfig(&kubeconfig).expect("a kubeconfig");
        let process = Spawn::new("informerd", env!("CARGO_BIN_EXE_informerd"), dir.path())
            .arg("serve")
            .args(["--socket".to_owned(), socket.display().to_string()])
            .args(["--kubeconfig".to_owned(), kubeconfig.display().to_string()])
            .start();
        let address = ServerAddress::Unix(socket);
        let channel = eventually("informerd listens", || async { address.connect().await.ok() }).await;
        let mut queues = WorkQueueServiceClient::new(channel);
        let request = CreateQueueRequest {
            queue_id: QUEUE.trim_start_matches("queues/").into(),
            spec: Some(QueueSpec {
                restart_hold: Some(prost_types::Duration::default()),
                lease_duration: Some(prost_types::Duration { seconds: 600, nanos: 0 }),
                ..QueueSpec::default()
            }),
        };
        queues.create_queue(request).await.expect("a queue");
        Self {
            queues,
            process,
            _sim: sim,
            _dir: dir,
        }
    }

    /// Adds keys `0..adds`, each number modulo `keys`.
    pub(crate) async fn add(&mut self, adds: usize, keys: usize) {
        for first in (0..adds).step_by(ADD) {
            let numbers = first..adds.min(first + ADD);
            let request = AddItemsRequest {
                queue: QUEUE.into(),
                keys: numbers.map(|i| key(i % keys)).collect(),
                ..AddItemsRequest::default()
            };
            self.queues.add_items(request).await.expect("added");
        }
    }

    pub(crate) async fn stats(&mut self) -> QueueStats {
        let request = GetQueueStatsRequest { queue: QUEUE.into() };
        let response = self.queues.get_queue_stats(request).await.expect("stats");
        response.into_inner().stats.unwrap_or_default()
    }

    /// Resident bytes of informerd.
    pub(crate) fn resident(&self) -> u64 {
        let text = fs::read_to_string(format!("/proc/{}/status", self.process.pid())).expect("the process runs");
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix("VmRSS:"))
            .unwrap_or_default();
        let kilobytes: Option<u64> = line.split_whitespace().next().and_then(|n| n.parse().ok());
        kilobytes.expect("a number") * 1024
    }
}

/// As long as those of pods are.
fn key(i: usize) -> ObjectKey {
    ObjectKey {
        namespace: format!("namespace-{}", i % NAMESPACES),
        name: format!("deployment-5d8f9c7b6d-{i:07}"),
    }
}

/// On what the figures are.
pub(crate) fn machine() -> String {
    let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
    let cpu = read("/proc/cpuinfo");
    let cpu = cpu
        .lines()
        .find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let load = read("/proc/loadavg");
    format!(
        "{} cores ({}), Linux {}; load average before the run {}. informerd {}.",
        std::thread::available_parallelism().map_or(0, usize::from),
        cpu.map_or("unknown", |(_, name)| name.trim()),
        read("/proc/sys/kernel/osrelease").trim(),
        load.split_whitespace().next().unwrap_or("unknown"),
        env!("CARGO_PKG_VERSION"),
    )
}

/// 1234567 as "1,234,567".
pub(crate) fn thousands(n: f64) -> String {
    let digits = format!("{n:.0}");
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

pub(crate) fn per_second(count: usize, time: Duration) -> String {
    thousands(count as f64 / time.as_secs_f64())
}
