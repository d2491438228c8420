//! CPU and memory of the initial sync.
//!
//! CPU counts from just before the informer is made until it is synced, TLS and JSON included; for informerd its
//! discovery too. Memory is read right after. What the API server spends meanwhile is the other half of the price.

use std::time::Duration;

use crate::{
    Cluster, ROUNDS, proc,
    sidecar::{Sidecar, Synced},
    table::{Cell, Table},
    yardstick::{Held, Report, Variant},
};

/// Rounds of one of client-go's informers, with the size of the process when it has synced no object.
struct ClientGo {
    empty: Report,
    rounds: Vec<(Report, Duration)>,
}

/// What the API server uses from here on.
struct ServerCpu(u32, Duration);

pub(crate) async fn measure(cluster: &Cluster, table: &mut Table) {
    let mut go = Variant::ALL.map(|variant| {
        // A namespace without pods: what is there then is not there for the sake of objects.
        let (_held, empty) = Held::start(&cluster.plane, variant, Some("default"));
        assert_eq!(empty.objects, 0);
        ClientGo {
            empty,
            rounds: Vec::new(),
        }
    });
    let mut rounds = Vec::new();
    // In turns, so that a busy minute of the machine does not hit only one of them.
    for round in 0..ROUNDS {
        for (variant, go) in Variant::ALL.into_iter().zip(&mut go) {
            let server = ServerCpu::start(cluster);
            let (_held, report) = Held::start(&cluster.plane, variant, None);
            let server = server.end();
            assert_eq!(report.objects, cluster.settings.pods);
            go.rounds.push((report, server));
        }
        let mut sidecar = Sidecar::start(&cluster.plane, &format!("sync-{round}")).await;
        let server = ServerCpu::start(cluster);
        let synced = sidecar.sync().await;
        let server = server.end();
        assert_eq!(synced.objects, cluster.settings.pods as u64);
        assert_eq!(sidecar.informer().await.list_count, 1);
        rounds.push((synced, server));
    }
    report(cluster.settings.pods as f64, &go, &rounds, table);
}

fn report(objects: f64, go: &[ClientGo; 3], informerd: &[(Synced, Duration)], table: &mut Table) {
    let mut row = |what: &str, theirs: &dyn Fn(&ClientGo, &Report) -> f64, ours: &dyn Fn(&Synced) -> f64| {
        let theirs = go
            .each_ref()
            .map(|go| Cell::of(go.rounds.iter().map(|(r, _)| theirs(go, r))));
        let ours = Cell::of(informerd.iter().map(|(s, _)| ours(s)));
        table.row(what, theirs, ours);
    };
    let over = |bytes: u64, empty: u64| bytes.saturating_sub(empty) as f64 / objects;
    let megabytes = |bytes: u64| bytes as f64 / f64::from(1 << 20);
    row(
        "initial sync: CPU µs per object",
        &|_, r| r.cpu_micros_per_object,
        &|s| s.cpu.as_secs_f64() * 1e6 / objects,
    );
    row("initial sync: wall ms", &|_, r| r.wall_millis, &|s| {
        s.wall.as_secs_f64() * 1e3
    });
    row(
        "RSS of the process without objects, MiB",
        &|go, _| megabytes(go.empty.rss_after_sync),
        &|s| megabytes(s.empty_rss),
    );
    row("RSS after sync, MiB", &|_, r| megabytes(r.rss_after_sync), &|s| {
        megabytes(s.rss)
    });
    row(
        "RSS after sync and forced GC, MiB",
        &|_, r| megabytes(r.rss_after_gc),
        &|s| megabytes(s.rss),
    );
    row(
        "bytes per pod: RSS after sync",
        &|_, r| over(r.rss_after_sync, 0),
        &|s| over(s.rss, 0),
    );
    row(
        "bytes per pod: RSS after sync, less that without objects",
        &|go, r| over(r.rss_after_sync, go.empty.rss_after_sync),
        &|s| over(s.rss, s.empty_rss),
    );
    row(
        "bytes per pod: RSS after forced GC",
        &|_, r| over(r.rss_after_gc, 0),
        &|s| over(s.rss, 0),
    );
    row(
        "bytes per pod: RSS after forced GC, less that without objects",
        &|go, r| over(r.rss_after_gc, go.empty.rss_after_gc),
        &|s| over(s.rss, s.empty_rss),
    );
    row("initial sync: peak RSS, MiB", &|_, r| megabytes(r.peak_rss), &|s| {
        megabytes(s.peak)
    });
    let per_object = |server: &Duration| server.as_secs_f64() * 1e6 / objects;
    table.row(
        "initial sync: CPU µs per object of the API server",
        go.each_ref()
            .map(|go| Cell::of(go.rounds.iter().map(|(_, server)| per_object(server)))),
        Cell::of(informerd.iter().map(|(_, server)| per_object(server))),
    );
    let bodies = informerd.first().map_or(0, |(s, _)| s.body_bytes);
    table.note(format!(
        "informerd keeps {:.0} bytes of JSON per pod; the rest of its RSS is indexes, metadata, allocator and code.",
        bodies as f64 / objects
    ));
}

// === impl ServerCpu ===

impl ServerCpu {
    fn start(cluster: &Cluster) -> Self {
        let pid = cluster.plane.apiserver_pid().expect("the API server runs");
        Self(pid, proc::cpu(pid))
    }

    fn end(self) -> Duration {
        proc::cpu(self.0).saturating_sub(self.1)
    }
}
