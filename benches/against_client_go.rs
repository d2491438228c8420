//! informerd beside client-go's informer: the same API server, the same pods, one run.
//!
//! ```text
//!                         ┌──▶ yardstick      (client-go, a process)        report, /proc
//!  etcd ◀── apiserver ────┼──▶ informerd      (release binary, a process)   /proc
//!    ▲                    │        └──socket──▶ this process                GetObject, Watch
//!    └── Workload, -load  └──▶ kube::Client   (this process)                GET
//! ```
//!
//! ```text
//! eval "$(tests/build-tools controlplane)"
//! cargo bench --bench against_client_go       # 2,000 pods; INFORMERD_BENCH_PODS, INFORMERD_BENCH_NAMESPACES
//! ```
//!
//! client-go is measured as it comes, which for built-in types is protobuf; without managedFields, since informerd cuts
//! them by default; and, without them, made to ask for JSON as informerd does.
//!
//! Correctness is asserted (how many objects, how many lists), time and memory never: those are what is to be found out.
//! The table that it prints is what `docs/measurements.md` holds.

#[path = "against_client_go/calls.rs"]
mod calls;
#[path = "against_client_go/delivery.rs"]
mod delivery;
#[path = "against_client_go/machine.rs"]
mod machine;
#[path = "against_client_go/proc.rs"]
mod proc;
#[path = "against_client_go/relist.rs"]
mod relist;
#[path = "against_client_go/sidecar.rs"]
mod sidecar;
#[path = "against_client_go/sync.rs"]
mod sync;
#[path = "against_client_go/table.rs"]
mod table;
#[path = "against_client_go/yardstick.rs"]
mod yardstick;

use support::{ControlPlane, Options, Workload};

use crate::{sidecar::Sidecar, table::Table};

/// How often each initial sync is measured; the table has the median.
const ROUNDS: usize = 3;

/// What to measure with.
struct Settings {
    pods: usize,
    namespaces: usize,
}

/// The control plane with its pods.
struct Cluster {
    plane: ControlPlane,
    client: kube::Client,
    pods: Vec<(String, String)>,
    settings: Settings,
}

fn main() {
    // One thread: nothing of this process competes with what is measured while it waits.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    // `cargo bench` passes --bench, and a filter if one was given; there is only one benchmark.
    let table = runtime.block_on(run(Settings::from_environment()));
    println!("{table}");
}

async fn run(settings: Settings) -> Table {
    let load = machine::load();
    let mut cluster = Cluster::start(settings).await;
    let mut table = Table::new(machine::describe(&cluster, &load).await);

    say("initial sync");
    sync::measure(&cluster, &mut table).await;
    say("relist");
    let theirs = relist::client_go(&mut cluster).await;
    let mut sidecar = Sidecar::start(&cluster.plane, "held").await;
    let synced = sidecar.sync().await;
    let ours = relist::informerd(&mut cluster, &sidecar, &synced).await;
    relist::report(cluster.settings.pods, theirs, ours, &mut table);
    say("single reads");
    calls::measure(&cluster, &sidecar, &mut table).await;
    say("delivery");
    delivery::measure(&cluster, &sidecar, &mut table).await;
    table
}

/// Progress goes to standard error; standard output has the table alone.
fn say(what: &str) {
    eprintln!("against_client_go: {what} ...");
}

// === impl Settings ===

impl Settings {
    fn from_environment() -> Self {
        let number = |name: &str, default| match std::env::var(name) {
            Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text} is not a number")),
            Err(_) => default,
        };
        Self {
            pods: number("INFORMERD_BENCH_PODS", 2000),
            namespaces: number("INFORMERD_BENCH_NAMESPACES", 50),
        }
    }
}

// === impl Cluster ===

impl Cluster {
    async fn start(settings: Settings) -> Self {
        say("starting the control plane");
        let plane = ControlPlane::start(Options::new());
        let client = plane.client().await;
        let mut workload = Workload::new(client.clone(), 1);
        workload.create_nodes().await;
        let namespaces = workload.create_namespaces("bench", settings.namespaces).await;
        say(&format!(
            "creating {} pods in {} namespaces",
            settings.pods, settings.namespaces
        ));
        workload.create_pods(settings.pods, &namespaces).await;
        Self {
            pods: workload.pods(),
            plane,
            client,
            settings,
        }
    }

    async fn get(&self, path: &str) -> String {
        let request = http::Request::get(path).body(Vec::new()).expect("a valid request");
        match self.client.request_text(request).await {
            Ok(text) => text,
            Err(error) => panic!("GET {path}: {error}"),
        }
    }
}
