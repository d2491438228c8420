//! The connection to the API server breaks, vanishes, or is away for too long.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use informerd::cluster::{Cluster, ClusterOptions};
use informerd::informer::FactoryOptions;
use informerd::proto::v1alpha1::UpstreamState;
use informerd::reflector::ReflectorConfig;
use informerd::service::ServerOptions;
use kube::Client;
use support::{ADMIN, ControlPlane, Options, Proxy, Sidecar, Workload, eventually};
use tonic::transport::Channel;

use crate::INFORMERD;
use crate::recorder::{Recorder, connect, informer, pods};
use crate::replay::{Delta, Kind, Replay};
use crate::truth::{Witness, list, touch};

const CUTS: usize = 20;

/// Pods in two namespaces, an informer on one of them or on all, and a watch that is synced.
struct Scene {
    proxy: Proxy,
    client: Client,
    workload: Workload,
    namespaces: Vec<String>,
    /// The collection that the informer caches.
    path: String,
}

// === impl Scene ===

impl Scene {
    async fn new(plane: &ControlPlane, prefix: &str, count: usize) -> Self {
        let client = plane.client().await;
        let mut workload = Workload::new(client.clone(), 23);
        let namespaces = workload.create_namespaces(prefix, count).await;
        workload.create_pods(60, &namespaces).await;
        let path = match &namespaces[..] {
            [one] => format!("/api/v1/namespaces/{one}/pods"),
            _ => "/api/v1/pods".to_owned(),
        };
        Self {
            proxy: Proxy::start(plane.address()),
            client,
            workload,
            namespaces,
            path,
        }
    }

    /// Opens a watch of the informer's pods and compares its first view with the cluster's.
    async fn record(&self, channel: &Channel) -> (Recorder, Witness) {
        let recorder = Recorder::open(channel, pods(), Replay::default()).await;
        let record = recorder.synced().await;
        let (truth, version) = list(&self.client, &self.path).await;
        assert_eq!(*record.replay.view(), truth);
        (recorder, Witness::start(&self.client, &self.path, version))
    }

    /// The stream told exactly what the API server's own watch told, the view is the cluster's, and the initial list was
    /// the only one.
    async fn nothing_lost_nothing_doubled(&self, channel: &Channel, recorder: &Recorder, witness: &Witness) -> usize {
        let newest = touch(&self.workload, "the end").await;
        let record = recorder.has_seen(newest).await;
        let told = record.live();
        let wanted = witness.up_to(newest).await;
        let difference = told.iter().zip(&wanted).find(|(ours, theirs)| ours != theirs);
        assert_eq!(difference, None, "the first difference");
        assert_eq!(told.len(), wanted.len());
        assert_eq!(record.controls(), ["created SNAPSHOT", "synced"]);
        let (truth, _) = list(&self.client, &self.path).await;
        assert_eq!(*record.replay.view(), truth);
        let informer = informer(channel).await;
        assert_eq!(informer.list_count, 1, "{informer:?}");
        assert_eq!(informer.object_count, truth.len() as u64);
        // One revision for the initial state and one for each change: nothing was applied twice either.
        assert_eq!(record.replay.revision(), 1 + wanted.len() as u64);
        wanted.len()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn twenty_cuts_during_churn_lose_nothing_double_nothing_and_cost_no_list() {
    let plane = ControlPlane::shared();
    let mut scene = Scene::new(plane, "cuts", 1).await;
    let kubeconfig = plane.kubeconfig_via(ADMIN, &scene.proxy);
    let namespace = format!("--namespace={}", scene.namespaces[0]);
    let sidecar = Sidecar::start(INFORMERD, &kubeconfig, &["--resource=pods", &namespace]);
    let channel = connect(&sidecar.socket()).await;
    let (recorder, witness) = scene.record(&channel).await;

    let started = Instant::now();
    let over = Arc::new(AtomicBool::new(false));
    let churning = tokio::spawn({
        let (over, namespaces) = (over.clone(), scene.namespaces.clone());
        let mut workload = std::mem::replace(&mut scene.workload, Workload::new(scene.client.clone(), 0));
        async move {
            while !over.load(Ordering::Relaxed) {
                workload.churn(5, &namespaces).await;
            }
            workload
        }
    });
    let mut cut = 0;
    for _ in 0..CUTS {
        let watches = informer(&channel).await.upstream_watch_count;
        cut += scene.proxy.cut_all();
        eventually("the reflector watches again", || async {
            (informer(&channel).await.upstream_watch_count > watches).then_some(())
        })
        .await;
        // The new watch has delivered, so that the next cut meets a watch at work.
        let before = recorder.count();
        recorder
            .until("an event after the cut", |record| record.items.len() > before)
            .await;
    }
    over.store(true, Ordering::Relaxed);
    scene.workload = churning.await.expect("the churn");
    let changes = scene.nothing_lost_nothing_doubled(&channel, &recorder, &witness).await;
    assert!(
        cut >= CUTS && changes > CUTS,
        "{cut} connections cut, {changes} changes"
    );
    eprintln!(
        "{cut} connections cut during {changes} changes in {:?}",
        started.elapsed()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_version_that_is_gone_costs_one_list_and_gives_exactly_the_differences() {
    let plane = ControlPlane::start(Options::new());
    let mut scene = Scene::new(&plane, "gone", 2).await;
    let kubeconfig = plane.kubeconfig_via(ADMIN, &scene.proxy);
    let sidecar = Sidecar::start(INFORMERD, &kubeconfig, &["--resource=pods"]);
    let channel = connect(&sidecar.socket()).await;
    let (recorder, _witness) = scene.record(&channel).await;
    // A live change first, so that the informer's position is past its list's.
    let newest = touch(&scene.workload, "before").await;
    let before = recorder.has_seen(newest).await;

    scene.proxy.refuse(true);
    scene.proxy.cut_all();
    let victims: Vec<_> = scene.workload.pods().into_iter().rev().take(5).collect();
    for (namespace, name) in &victims {
        scene.workload.delete_pod(namespace, name).await;
    }
    let changed: Vec<_> = scene.workload.pods().into_iter().skip(3).take(5).collect();
    for round in 0..2 {
        for (namespace, name) in &changed {
            let patch = serde_json::json!({"metadata": {"labels": {"round": round.to_string()}}});
            let path = format!("/api/v1/namespaces/{namespace}/pods/{name}");
            scene.workload.patch(&path, &patch).await;
        }
    }
    // Came and went: nobody will ever know.
    let there = scene.workload.pods();
    scene.workload.create_pods(2, &scene.namespaces).await;
    for (namespace, name) in scene.workload.pods() {
        if !there.contains(&(namespace.clone(), name.clone())) {
            scene.workload.delete_pod(&namespace, &name).await;
        }
    }
    scene.workload.create_pods(5, &scene.namespaces).await;
    // One that is another object by the same name.
    let (namespace, name) = scene.workload.pods().into_iter().nth(20).expect("a pod");
    recreate(&scene.client, &mut scene.workload, &namespace, &name).await;
    plane.compact_etcd();
    plane.restart_apiserver();
    let (truth, _) = list(&scene.client, &scene.path).await;
    assert_eq!(
        recorder.count(),
        before.items.len(),
        "an event came through a proxy that refuses"
    );
    assert!(scene.proxy.refused() > 0);
    let started = Instant::now();
    scene.proxy.refuse(false);

    recorder
        .until("the differences", |record| *record.replay.view() == truth)
        .await;
    let after = started.elapsed();
    // What is told from here on is live again; all before it is the relist.
    let newest = touch(&scene.workload, "after").await;
    let record = recorder.has_seen(newest).await;
    let mut deltas: Vec<&Delta> = record.deltas().skip(before.deltas().count()).collect();
    let last = deltas.pop().expect("the last delta");
    assert_eq!(
        (last.kind, last.cause.as_str(), last.position),
        (Kind::Updated, "LIVE", newest)
    );
    for delta in &deltas {
        assert_eq!(delta.cause, "REPLACED", "{delta:?}");
        assert_eq!(delta.revision, before.replay.revision() + 1, "{delta:?}");
        assert_eq!(delta.final_state_unknown, delta.kind == Kind::Deleted, "{delta:?}");
    }
    let key = |(namespace, name): &(String, String)| format!("{namespace}/{name}");
    let again = key(&(namespace, name));
    let of = |kind, recreated| {
        let mut keys: Vec<String> = deltas
            .iter()
            .filter(|delta| delta.kind == kind && delta.recreated == recreated)
            .map(|delta| delta.key.clone())
            .collect();
        keys.sort();
        keys
    };
    let sorted = |pods: &[(String, String)]| {
        let mut keys: Vec<String> = pods.iter().map(key).collect();
        keys.sort();
        keys
    };
    let new: Vec<String> = truth
        .keys()
        .filter(|key| !before.replay.view().contains_key(*key))
        .cloned()
        .collect();
    assert_eq!(new.len(), 5);
    assert_eq!(of(Kind::Deleted, false), sorted(&victims));
    assert_eq!(of(Kind::Updated, false), sorted(&changed));
    assert_eq!(of(Kind::Added, false), new);
    assert_eq!(of(Kind::Deleted, true), [again.as_str()]);
    assert_eq!(of(Kind::Added, true), [again.as_str()]);
    assert_eq!(deltas.len(), 17);
    for delta in deltas.iter().filter(|delta| delta.kind == Kind::Deleted) {
        // The last state that was seen, not the final one.
        assert_eq!(Some(&delta.state), before.replay.view().get(&delta.key));
    }
    assert_eq!(
        record.controls(),
        ["created SNAPSHOT", "synced"],
        "a relist is no reset"
    );
    let informer = informer(&channel).await;
    assert_eq!(informer.list_count, 2, "{informer:?}");
    eprintln!("{} differences {after:?} after the way was free", deltas.len());
}

/// Deletes a pod and creates another one with its name and content.
async fn recreate(client: &Client, workload: &mut Workload, namespace: &str, name: &str) {
    let path = format!("/api/v1/namespaces/{namespace}/pods");
    let get = http::Request::get(format!("{path}/{name}")).body(Vec::new());
    let mut pod: serde_json::Value = client.request(get.expect("a valid request")).await.expect("the pod");
    for field in ["uid", "resourceVersion", "creationTimestamp", "managedFields"] {
        pod["metadata"].as_object_mut().expect("metadata").remove(field);
    }
    workload.delete_pod(namespace, name).await;
    let post = http::Request::post(path)
        .header("Content-Type", "application/json")
        .body(pod.to_string().into_bytes());
    let created: Result<serde_json::Value, _> = client.request(post.expect("a valid request")).await;
    created.expect("create the pod again");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_connection_that_died_silently_is_replaced_and_nothing_is_lost() {
    let plane = ControlPlane::shared();
    let mut scene = Scene::new(plane, "frozen", 1).await;
    let second = Duration::from_secs(1);
    let cluster = Cluster::connect(ClusterOptions {
        kubeconfig: Some(plane.kubeconfig_via(ADMIN, &scene.proxy)),
        reflector: ReflectorConfig {
            idle_timeout: 2 * second,
            watch_header_timeout: second,
            ..ReflectorConfig::default()
        },
        ..ClusterOptions::default()
    });
    let dir = tempfile::tempdir().expect("a directory");
    let socket = dir.path().join("informerd.sock");
    let options = FactoryOptions {
        namespaces: scene.namespaces.clone(),
        ..FactoryOptions::default()
    };
    let listen = ServerOptions {
        socket: Some(socket.clone()),
        listen: Vec::new(),
    };
    let resources = ["pods".to_owned()];
    let cluster = Arc::new(cluster.await.expect("a cluster"));
    let sidecar = informerd::run::Sidecar::start(cluster, options, &listen, &resources);
    let (ended, end) = tokio::sync::oneshot::channel::<()>();
    let serving = tokio::spawn(sidecar.await.expect("a sidecar").run(async move {
        // Dropping the sender is the end, too.
        let _ = end.await;
    }));
    let channel = connect(&socket).await;
    let (recorder, witness) = scene.record(&channel).await;

    for _ in 0..2 {
        let (accepted, told) = (scene.proxy.accepted(), recorder.count());
        scene.proxy.freeze(true);
        scene.workload.churn(15, &scene.namespaces).await;
        eventually("the silence is noticed", || async {
            let state = informer(&channel).await.status.map(|status| status.upstream_state());
            (scene.proxy.accepted() > accepted && state == Some(UpstreamState::Backoff)).then_some(())
        })
        .await;
        scene.workload.churn(15, &scene.namespaces).await;
        assert_eq!(recorder.count(), told, "an event came through a frozen proxy");
        scene.proxy.freeze(false);
        let newest = touch(&scene.workload, &told.to_string()).await;
        recorder.has_seen(newest).await;
    }
    let changes = scene.nothing_lost_nothing_doubled(&channel, &recorder, &witness).await;
    assert!(changes > 30, "{changes}");
    drop(recorder);
    drop(ended);
    serving.await.expect("no panic").expect("an orderly end");
}
