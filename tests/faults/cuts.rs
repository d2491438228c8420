//! Many watches lose their connections at once, again and again.

use std::collections::BTreeMap;

use informerd::proto::v1alpha1::{
    CreateInformerRequest, Informer, InformerSelector, InformerSpec, ListInformersRequest, ResourceRef, UpstreamState,
    WatchRequest, informer_selector::By, informer_service_client::InformerServiceClient,
};
use kube::Client;
use support::inspect::sockets;
use support::{ADMIN, ControlPlane, Proxy, Sidecar, Workload, eventually};
use tonic::transport::Channel;

use crate::INFORMERD;
use crate::recorder::{Recorder, connect, informer, pods};
use crate::replay::Replay;
use crate::truth::{Witness, list};

const WATCHES: usize = 8;
const ROUNDS: usize = 20;

/// Informers on pods, each of a namespace of its own, behind one proxy.
struct Scene {
    client: Client,
    workload: Workload,
    namespaces: Vec<String>,
    proxy: Proxy,
    sidecar: Sidecar,
    channel: Channel,
}

// === impl Scene ===

impl Scene {
    async fn new(prefix: &str, count: usize) -> Self {
        let plane = ControlPlane::shared();
        let client = plane.client().await;
        let mut workload = Workload::new(client.clone(), 43);
        let namespaces = workload.create_namespaces(prefix, count).await;
        workload.create_pods(12 * count, &namespaces).await;
        let proxy = Proxy::start(plane.address());
        let sidecar = Sidecar::start(INFORMERD, &plane.kubeconfig_via(ADMIN, &proxy), &[]);
        let channel = connect(&sidecar.socket()).await;
        Self {
            client,
            workload,
            namespaces,
            proxy,
            sidecar,
            channel,
        }
    }

    /// Declares an informer of pods, named as its first namespace.
    async fn declare(&self, namespaces: &[String]) {
        let spec = InformerSpec {
            resource: Some(ResourceRef {
                resource: "pods".into(),
                ..ResourceRef::default()
            }),
            namespaces: namespaces.to_vec(),
            ..InformerSpec::default()
        };
        let request = CreateInformerRequest {
            informer_id: namespaces[0].clone(),
            spec: Some(spec),
        };
        let mut informers = InformerServiceClient::new(self.channel.clone());
        informers.create_informer(request).await.expect("an informer");
    }

    async fn watch(&self, namespace: &str) -> Recorder {
        let name = format!("informers/{namespace}");
        let request = WatchRequest {
            informer: Some(InformerSelector {
                by: Some(By::Name(name)),
            }),
            ..pods()
        };
        Recorder::open(&self.channel, request, Replay::default()).await
    }

    async fn informers(&self) -> Vec<Informer> {
        let mut informers = InformerServiceClient::new(self.channel.clone());
        let reply = informers.list_informers(ListInformersRequest::default()).await;
        reply.expect("ListInformers").into_inner().informers
    }

    /// Watches opened so far by each informer, once all of them are open.
    async fn all_watch(&self) -> BTreeMap<String, u64> {
        eventually("all watch", || async {
            let informers = self.informers().await;
            let watching = |i: &Informer| {
                i.status
                    .as_ref()
                    .is_some_and(|s| s.upstream_state() == UpstreamState::Watching)
            };
            let watches = |i: Informer| (i.name, i.upstream_watch_count);
            informers
                .iter()
                .all(watching)
                .then(|| informers.into_iter().map(watches).collect())
        })
        .await
    }

    fn sockets(&self) -> usize {
        sockets(self.sidecar.pid())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_3_eight_watches_killed_at_once_twenty_times_all_resume_and_leave_nothing_behind() {
    let mut scene = Scene::new("eight", WATCHES).await;
    let mut watches = Vec::new();
    for namespace in scene.namespaces.clone() {
        scene.declare(std::slice::from_ref(&namespace)).await;
        let recorder = scene.watch(&namespace).await;
        recorder.synced().await;
        let path = format!("/api/v1/namespaces/{namespace}/pods");
        let (_, version) = list(&scene.client, &path).await;
        let witness = Witness::start(&scene.client, &path, version);
        watches.push((recorder, witness, path));
    }
    let mut opened = scene.all_watch().await;
    assert_eq!(opened.len(), WATCHES);
    // The first cut takes discovery's connection along, which nobody opens again.
    let (mut open, mut before) = (0, 0);
    for round in 0..=ROUNDS {
        let cut = scene.proxy.cut_all();
        assert!(cut >= 1, "{cut}");
        // An event for each, made while it is cut off or resumes.
        scene.workload.churn(WATCHES, &scene.namespaces).await;
        for (recorder, _, path) in &watches {
            let newest = touch_in(&scene.workload, path, round).await;
            recorder.has_seen(newest).await;
        }
        let now = scene.all_watch().await;
        assert!(
            now.iter().all(|(name, watches)| *watches > opened[name]),
            "{opened:?} {now:?}"
        );
        opened = now;
        if round == 0 {
            (open, before) = (scene.proxy.open(), scene.sockets());
        }
    }
    let mut changes = 0;
    for (recorder, witness, path) in &watches {
        let newest = touch_in(&scene.workload, path, ROUNDS + 1).await;
        let record = recorder.has_seen(newest).await;
        let wanted = witness.up_to(newest).await;
        assert_eq!(record.live(), wanted, "{path}");
        assert_eq!(record.controls(), ["created SNAPSHOT", "synced"]);
        changes += wanted.len();
    }
    for informer in scene.informers().await {
        assert_eq!(informer.list_count, 1, "{informer:?}");
    }
    let back = || async { (scene.proxy.open() <= open && scene.sockets() <= before).then_some(()) };
    eventually(&format!("back to {open} connections and {before} sockets"), back).await;
    eprintln!(
        "{changes} changes, {} connections in all; {before} sockets after the first cut, {} after the last",
        scene.proxy.accepted(),
        scene.sockets()
    );
}

/// Changes the first pod of a collection; its new version.
async fn touch_in(workload: &Workload, path: &str, round: usize) -> u64 {
    let pods = workload.pods();
    let of_path = |(namespace, _): &&(String, String)| path == format!("/api/v1/namespaces/{namespace}/pods");
    let (_, name) = pods.iter().find(of_path).expect("a pod in each namespace");
    let patch = serde_json::json!({"metadata": {"annotations": {"informerd.test/round": round.to_string()}}});
    let pod = workload.patch(&format!("{path}/{name}"), &patch).await;
    crate::truth::version_of(&pod["metadata"])
}

#[tokio::test(flavor = "multi_thread")]
async fn case_17_fifty_watches_dropped_without_a_change_say_nothing() {
    const NAMESPACES: usize = 17;
    const CUTS: u64 = 3;
    let scene = Scene::new("still", NAMESPACES).await;
    scene.declare(&scene.namespaces).await;
    let recorder = scene.watch(&scene.namespaces[0]).await;
    let before = recorder.synced().await;
    scene.all_watch().await;
    for _ in 0..CUTS {
        let watches = informer(&scene.channel).await.upstream_watch_count;
        scene.proxy.cut_all();
        eventually("every reflector watches again", || async {
            (informer(&scene.channel).await.upstream_watch_count >= watches + NAMESPACES as u64).then_some(())
        })
        .await;
    }
    let after = informer(&scene.channel).await;
    assert_eq!(after.list_count, NAMESPACES as u64, "{after:?}");
    assert!(after.upstream_watch_count > 50, "{after:?}");
    // Had anything been said, it would stand before this.
    let path = format!("/api/v1/namespaces/{}/pods", scene.namespaces[0]);
    let newest = touch_in(&scene.workload, &path, 0).await;
    let record = recorder.has_seen(newest).await;
    assert_eq!(record.deltas().count(), before.deltas().count() + 1);
    assert_eq!(record.replay.revision(), before.replay.revision() + 1);
}
