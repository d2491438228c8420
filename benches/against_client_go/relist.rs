//! Peak memory while everything is listed again, because the resource version has expired.

use std::time::Duration;

use serde_json::json;
use support::{Workload, eventually};

use crate::{
    Cluster, proc,
    sidecar::{Sidecar, Synced},
    table::{Cell, Table},
    yardstick::{Held, Variant},
};

/// Lists of pods that an API server answers to itself: one of its admission plugins has an informer.
const OWN_LISTS: u64 = 1;

/// What a relist took.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Relist {
    /// Resident after the initial sync, when nothing has been done about it.
    after_sync: u64,
    /// Resident just before.
    before: u64,
    peak: u64,
    cpu: Duration,
}

/// Each of client-go's informers alone, so that they do not compete while they list.
pub(crate) async fn client_go(cluster: &mut Cluster) -> [Relist; 3] {
    let [full, stripped, json] = Variant::ALL;
    [
        one_of_client_go(cluster, full).await,
        one_of_client_go(cluster, stripped).await,
        one_of_client_go(cluster, json).await,
    ]
}

async fn one_of_client_go(cluster: &mut Cluster, variant: Variant) -> Relist {
    let (mut held, report) = Held::start(&cluster.plane, variant, None);
    let again = async |cluster: &Cluster| {
        let listed = || async { (lists(cluster).await > OWN_LISTS).then_some(()) };
        eventually("client-go lists again", listed).await;
    };
    let relist = relist(cluster, held.pid(), report.rss_after_sync, again).await;
    assert_eq!(lists(cluster).await, OWN_LISTS + 1, "client-go lists once");
    assert_eq!(held.report().objects, cluster.settings.pods);
    relist
}

/// The same for informerd.
pub(crate) async fn informerd(cluster: &mut Cluster, sidecar: &Sidecar, synced: &Synced) -> Relist {
    let again = async |_: &Cluster| {
        sidecar.listed(2).await;
    };
    let relist = relist(cluster, sidecar.pid(), synced.rss, again).await;
    let informer = sidecar.informer().await;
    assert_eq!(informer.list_count, 2, "informerd lists once");
    assert_eq!(informer.object_count, cluster.settings.pods as u64);
    relist
}

pub(crate) fn report(pods: usize, theirs: [Relist; 3], ours: Relist, table: &mut Table) {
    let mut row = |what: &str, figure: &dyn Fn(Relist) -> f64| {
        let cell = |relist| Cell::one(figure(relist));
        table.row(what, theirs.map(cell), cell(ours));
    };
    row("relist: peak RSS, MiB", &|r| r.peak as f64 / f64::from(1 << 20));
    row("relist: peak RSS over RSS after sync", &|r| {
        r.peak as f64 / r.after_sync as f64
    });
    row(
        "relist: peak RSS over RSS just before (client-go: after forced GC)",
        &|r| r.peak as f64 / r.before as f64,
    );
    row("relist: CPU µs per object", &|r| {
        r.cpu.as_secs_f64() * 1e6 / pods as f64
    });
}

/// Restarts the API server and measures the process until it has listed again and rests.
async fn relist(cluster: &mut Cluster, pid: u32, after_sync: u64, listed: impl AsyncFn(&Cluster)) -> Relist {
    let used = proc::quiet(pid).await;
    let resident = proc::rss(pid);
    proc::reset_peak(pid);
    // Moves the cluster's revision past every version that the informer can hold, so that the new API server, whose
    // watch cache begins at its revision, cannot continue the watch.
    let workload = Workload::new(cluster.client.clone(), 2);
    let patch = json!({"metadata": {"annotations": {"bench": format!("{pid}")}}});
    workload.patch("/api/v1/namespaces/default", &patch).await;
    cluster.plane.restart_apiserver();
    cluster.client = cluster.plane.client().await;
    listed(cluster).await;
    let cpu = proc::quiet(pid).await.saturating_sub(used);
    Relist {
        after_sync,
        before: resident,
        peak: proc::peak(pid),
        cpu,
    }
}

/// Lists of pods that this API server has answered: watch-lists and ordinary ones.
async fn lists(cluster: &Cluster) -> u64 {
    let metrics = cluster.get("/metrics").await;
    let count = |name: &str, labels: &[&str]| -> u64 {
        metrics
            .lines()
            .filter(|line| line.starts_with(name) && labels.iter().all(|label| line.contains(label)))
            .filter_map(|line| line.rsplit(' ').next()?.parse::<f64>().ok())
            .sum::<f64>() as u64
    };
    count("apiserver_watch_list_duration_seconds_count{", &["resource=\"pods\""])
        + count(
            "apiserver_request_total{",
            &["resource=\"pods\"", "verb=\"LIST\"", "code=\"200\""],
        )
}
