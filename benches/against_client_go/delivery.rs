//! Time from a write to its delivery: the same writes, seen by client-go and by a Watch of informerd.

use std::{
    collections::HashMap,
    sync::mpsc,
    time::{SystemTime, UNIX_EPOCH},
};

use informerd::proto::v1alpha1::{
    Filter, StartNow, WatchRequest, subscription_service_client::SubscriptionServiceClient, watch_request::Start,
    watch_response::Control,
};
use serde::Deserialize;
use support::{Process, Spawn, eventually};

use crate::{
    Cluster,
    sidecar::Sidecar,
    table::{Quantiles, Table},
    yardstick::{self, Variant},
};

const NAMESPACE: &str = "bench-load";
const PODS: usize = 100;
const WRITES: usize = 600;
const PER_SECOND: usize = 30;

/// One write, as `yardstick -load` prints it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Write {
    write: String,
    resource_version: String,
    before_nanos: u64,
}

/// One event, as `yardstick -latency` prints it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event {
    event: String,
    #[serde(default)]
    resource_version: String,
    received_nanos: u64,
}

/// When which version was received.
type Receipts = HashMap<String, u64>;

pub(crate) async fn measure(cluster: &Cluster, sidecar: &Sidecar, table: &mut Table) {
    let go = spawn(cluster, "latency")
        .args(Variant::Stripped.flags().iter().copied())
        .arg("-latency")
        .start();
    eventually("client-go is synced", || async {
        go.stdout().contains("\"synced\"").then_some(())
    })
    .await;
    let watch = Watch::start(sidecar);

    let mut load = spawn(cluster, "load")
        .args(["-load", "-namespace", NAMESPACE])
        .args(["-pods".to_owned(), PODS.to_string()])
        .args(["-requests".to_owned(), WRITES.to_string()])
        .args(["-rate".to_owned(), PER_SECOND.to_string()])
        .start();
    // Nothing else is done meanwhile: what this process does would delay what it measures.
    let code = eventually("the writes are done", || std::future::ready(load.exit_code())).await;
    assert_eq!(code, 0, "{}", load.log_tail());
    let patches: Vec<Write> = lines(&load.stdout())
        .into_iter()
        .filter(|write: &Write| write.write == "patch")
        .collect();
    assert_eq!(patches.len(), WRITES);

    let ours = watch.end();
    let theirs = eventually("client-go has received everything", || async {
        let receipts = receipts(&go);
        patches
            .iter()
            .all(|write| receipts.contains_key(&write.resource_version))
            .then_some(receipts)
    })
    .await;
    let quantiles = |receipts: &Receipts| {
        Quantiles::of(patches.iter().map(|write| {
            let received = receipts.get(&write.resource_version);
            let received = *received.unwrap_or_else(|| panic!("{} was not received", write.resource_version));
            received.saturating_sub(write.before_nanos) as f64 / 1e3
        }))
    };
    table.pair(
        &format!("write to delivery, {PER_SECOND}/s"),
        "client-go's handler",
        quantiles(&theirs),
        "Watch over the socket",
        quantiles(&ours),
    );
    let later = Quantiles::of(patches.iter().map(|write| {
        let received = |receipts: &Receipts| receipts[&write.resource_version] as f64 / 1e3;
        received(&ours) - received(&theirs)
    }));
    table.note(format!(
        "Of the same {WRITES} writes, informerd's client had each {:.0} µs later than client-go's handler (median of the \
         differences; p99 {:.0} µs). From just before the write, so the API server's own work is in both.",
        later.p50, later.p99
    ));
    let informer = sidecar.informer().await;
    assert_eq!(informer.object_count, (cluster.settings.pods + PODS) as u64);
    assert_eq!(informer.list_count, 2, "no list since the relist");
}

fn spawn(cluster: &Cluster, name: &str) -> Spawn {
    let dir = cluster.plane.dir();
    Spawn::new(&format!("yardstick-{name}"), yardstick::program(), dir)
        .stdout_apart()
        .args([
            "-kubeconfig".to_owned(),
            cluster.plane.kubeconfig().display().to_string(),
        ])
}

fn receipts(go: &Process) -> Receipts {
    let events: Vec<Event> = lines(&go.stdout());
    let updates = events.into_iter().filter(|event| event.event == "update");
    updates
        .map(|event| (event.resource_version, event.received_nanos))
        .collect()
}

/// Complete lines; the last one may still be written.
fn lines<T: for<'de> Deserialize<'de>>(text: &str) -> Vec<T> {
    let complete = text.rsplit_once('\n').map_or("", |(complete, _)| complete);
    complete
        .lines()
        .map(|line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line:?}: {error}")))
        .collect()
}

// === the watch ===

/// A Watch on a thread and connection of its own. It ends by itself with the last write.
struct Watch(std::thread::JoinHandle<Receipts>);

impl Watch {
    /// Returns when the stream is open.
    fn start(sidecar: &Sidecar) -> Self {
        let (address, informer) = (sidecar.address(), sidecar.selector());
        let (synced, wait) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .expect("a runtime");
            runtime.block_on(async {
                let channel = address.connect().await.expect("informerd listens");
                let request = WatchRequest {
                    informer: Some(informer),
                    filter: Some(Filter {
                        namespaces: vec![NAMESPACE.into()],
                        ..Filter::default()
                    }),
                    start: Some(Start::Now(StartNow {})),
                    ..WatchRequest::default()
                };
                let mut client = SubscriptionServiceClient::new(channel);
                let mut stream = client.watch(request).await.expect("a watch").into_inner();
                let mut receipts = Receipts::new();
                while receipts.len() < PODS + WRITES {
                    let message = stream.message().await.expect("the watch goes on");
                    let received = now();
                    let message = message.expect("the watch goes on");
                    if let Some(Control::Synced(_)) = message.control {
                        let _ = synced.send(());
                    }
                    for event in message.events {
                        receipts.insert(event.resource_version, received);
                    }
                }
                receipts
            })
        });
        wait.recv().expect("the watch opens");
        Self(thread)
    }

    fn end(self) -> Receipts {
        self.0.join().expect("the watch received everything")
    }
}

/// The clock that yardstick's lines have.
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_nanos() as u64
}
