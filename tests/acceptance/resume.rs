//! A client comes back with its token.

use informerd::proto::v1alpha1::{
    CreateInformerRequest, HistoryLimits, InformerSelector, InformerSpec, Overflow, ResourceRef, ResumeFailure,
    StartResume, WatchRequest, informer_selector::By, informer_service_client::InformerServiceClient,
};
use kube::Client;
use support::{ControlPlane, Sidecar, Workload};
use tonic::{Code, Status, transport::Channel};
use tonic_types::StatusExt;

use crate::INFORMERD;
use crate::recorder::{Record, Recorder, connect, pods, resource, resuming};
use crate::replay::{Item, Replay};
use crate::truth::{Witness, list, touch};

/// With the informer from the start.
const PODS: &[&str] = &["--resource=pods"];

/// Pods in one namespace and a sidecar for them, whose first client has gone.
struct Scene {
    sidecar: Sidecar,
    client: Client,
    workload: Workload,
    namespaces: Vec<String>,
    path: String,
}

// === impl Scene ===

impl Scene {
    async fn new(prefix: &str, args: &[&str]) -> Self {
        let plane = ControlPlane::shared();
        let client = plane.client().await;
        let mut workload = Workload::new(client.clone(), 31);
        let namespaces = workload.create_namespaces(prefix, 1).await;
        workload.create_pods(40, &namespaces).await;
        let namespace = format!("--namespace={}", namespaces[0]);
        Self {
            sidecar: Sidecar::start(INFORMERD, &plane.kubeconfig(), &[args, &[&namespace]].concat()),
            client,
            workload,
            path: format!("/api/v1/namespaces/{}/pods", namespaces[0]),
            namespaces,
        }
    }

    async fn channel(&self) -> Channel {
        connect(&self.sidecar.socket()).await
    }

    /// Makes changes and waits until a watch has told of all of them.
    async fn change(&mut self, steps: usize, recorder: &Recorder) -> Record {
        self.workload.churn(steps, &self.namespaces).await;
        let newest = touch(&self.workload, &recorder.count().to_string()).await;
        recorder.has_seen(newest).await
    }

    /// Makes changes that the client does not see. Returns the newest version.
    async fn change_unseen(&mut self, steps: usize, mark: &str) -> u64 {
        self.workload.churn(steps, &self.namespaces).await;
        touch(&self.workload, mark).await
    }

    async fn agrees(&self, record: &Record) {
        let (truth, _) = list(&self.client, &self.path).await;
        assert_eq!(*record.replay.view(), truth);
    }
}

/// A snapshot came in place of the missed deltas, and the view lost what is gone.
async fn is_reset(scene: &Scene, recorder: &Recorder, newest: u64, reason: &str) {
    let record = recorder
        .until("the new snapshot", |record| {
            record.replay.synced() && record.replay.newest() >= newest
        })
        .await;
    assert_eq!(
        record.controls(),
        ["created SNAPSHOT", &format!("reset {reason}"), "synced"]
    );
    scene.agrees(&record).await;
    // And the new token is a good one.
    assert!(!record.token.is_empty());
}

/// The watch as it ends when the server refuses a start, with or without frames before.
async fn refusal(channel: &Channel, request: WatchRequest) -> Status {
    match Recorder::try_open(channel, request, Replay::default()).await {
        Err(status) => status,
        Ok(recorder) => {
            let ended = recorder.end().await;
            assert_eq!(ended.controls(), Vec::<String>::new(), "a frame before the refusal");
            ended.end.expect("an end")
        }
    }
}

fn assert_refused(status: &Status, code: Code, reason: &str) {
    assert_eq!(status.code(), code, "{status:?}");
    let details = status.get_error_details();
    let info = details.error_info().expect("ErrorInfo");
    assert_eq!(info.reason, reason, "{status:?}");
}

fn token(record: &Record) -> StartResume {
    assert!(!record.token.is_empty());
    assert_eq!(record.complete, record.items.len(), "the view is past the token");
    StartResume {
        token: record.token.clone(),
        ..StartResume::default()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn inside_the_window_it_receives_exactly_what_it_missed() {
    let mut scene = Scene::new("window", PODS).await;
    let channel = scene.channel().await;
    let first = Recorder::open(&channel, pods(), Replay::default()).await;
    let at_sync = first.synced().await;
    scene.agrees(&at_sync).await;
    let (_, version) = list(&scene.client, &scene.path).await;
    let witness = Witness::start(&scene.client, &scene.path, version);
    let at_end = scene.change(20, &first).await;
    drop(first);
    let newest = scene.change_unseen(40, "unseen").await;

    // From the token of `synced` and from that of the last event: each receives what came after its own.
    for (record, from) in [(&at_sync, version), (&at_end, at_end.replay.newest())] {
        let request = resuming(pods(), token(record));
        let resumed = Recorder::open(&channel, request, record.replay.clone().resumed()).await;
        let back = resumed
            .until("what was missed", |record| {
                record.replay.synced() && record.replay.newest() >= newest
            })
            .await;
        let missed: Vec<_> = witness.up_to(newest).await;
        let missed: Vec<_> = missed.into_iter().filter(|c| c.position > from).collect();
        assert!(missed.len() > 20);
        assert_eq!(back.live(), missed);
        assert_eq!(back.controls(), ["created REPLAY", "synced"]);
        scene.agrees(&back).await;
        // Nothing was missed by who comes back at once: only the view's proof comes.
        let request = resuming(pods(), token(&back));
        let again = Recorder::open(&channel, request, back.replay.clone().resumed()).await;
        let nothing = again.synced().await;
        assert_eq!(nothing.deltas().count(), 0);
        assert!(
            matches!(nothing.items.last(), Some(Item::Synced { count, .. }) if *count == back.replay.view().len() as u64)
        );
        eprintln!("{} missed deltas replayed", missed.len());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_of_another_process_brings_a_reset_and_a_new_snapshot() {
    let mut scene = Scene::new("epoch", PODS).await;
    let channel = scene.channel().await;
    let first = Recorder::open(&channel, pods(), Replay::default()).await;
    first.synced().await;
    let before = scene.change(10, &first).await;
    let start = token(&before);
    scene.sidecar.restart();
    let newest = scene.change_unseen(20, "while it was away").await;

    let channel = scene.channel().await;
    let request = resuming(pods(), start.clone());
    let resumed = Recorder::open(&channel, request, before.replay.clone().resumed()).await;
    is_reset(&scene, &resumed, newest, "EPOCH_CHANGED").await;
    let after = scene.change(10, &resumed).await;
    scene.agrees(&after).await;

    let fail = StartResume {
        on_failure: ResumeFailure::Fail.into(),
        ..start
    };
    let status = refusal(&channel, resuming(pods(), fail)).await;
    assert_refused(&status, Code::Aborted, "RESUME_TOKEN_EXPIRED");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_the_window_has_passed_brings_a_reset_or_a_failure() {
    let mut scene = Scene::new("passed", &[]).await;
    let channel = scene.channel().await;
    let small = InformerSpec {
        resource: Some(ResourceRef {
            resource: "pods".into(),
            ..ResourceRef::default()
        }),
        namespaces: scene.namespaces.clone(),
        history: Some(HistoryLimits {
            max_revisions: 5,
            ..HistoryLimits::default()
        }),
        ..InformerSpec::default()
    };
    let create = CreateInformerRequest {
        informer_id: "small".into(),
        spec: Some(small),
    };
    let created = InformerServiceClient::new(channel.clone())
        .create_informer(create)
        .await;
    let created = created
        .expect("CreateInformer")
        .into_inner()
        .informer
        .expect("an informer");
    assert_eq!(created.name, "informers/small");
    let request = WatchRequest {
        informer: Some(InformerSelector {
            by: Some(By::Name(created.name)),
        }),
        overflow: Overflow::Reset.into(),
        ..pods()
    };
    let first = Recorder::open(&channel, request.clone(), Replay::default()).await;
    let before = first.synced().await;
    let start = token(&before);
    // A reader that keeps up needs no window, and proves that the cache has all the changes.
    let present = scene.change(30, &first).await;
    assert_eq!(present.controls(), ["created SNAPSHOT", "synced"]);
    let newest = present.replay.newest();
    drop(first);

    let resumed = Recorder::open(
        &channel,
        resuming(request.clone(), start.clone()),
        before.replay.clone().resumed(),
    )
    .await;
    is_reset(&scene, &resumed, newest, "RESUME_EXPIRED").await;
    // Unless the client takes one event for each key that changed: then there is no need to begin again.
    let coalescing = WatchRequest {
        overflow: Overflow::Coalesce.into(),
        ..request.clone()
    };
    let caught_up = Recorder::open(
        &channel,
        resuming(coalescing, start.clone()),
        before.replay.clone().resumed(),
    )
    .await;
    let record = caught_up
        .until("the catch-up", |record| {
            record.replay.synced() && record.replay.newest() >= newest
        })
        .await;
    assert_eq!(record.controls(), ["created REPLAY", "synced"]);
    scene.agrees(&record).await;
    let fail = StartResume {
        on_failure: ResumeFailure::Fail.into(),
        ..start.clone()
    };
    let status = refusal(&channel, resuming(request.clone(), fail)).await;
    assert_refused(&status, Code::Aborted, "RESUME_TOKEN_EXPIRED");

    // Tokens that are of something else, or of nothing.
    let garbage = StartResume {
        token: bytes::Bytes::from_static(b"garbage"),
        ..StartResume::default()
    };
    let status = refusal(&channel, resuming(request.clone(), garbage)).await;
    assert_refused(&status, Code::InvalidArgument, "INVALID_TOKEN");
    let others = WatchRequest {
        informer: Some(resource("configmaps")),
        ..pods()
    };
    let status = refusal(&channel, resuming(others, start.clone())).await;
    assert_refused(&status, Code::InvalidArgument, "INVALID_TOKEN");
}
