//! Two sidecars beside one API server, each of its own: when one dies, its clients go on at the other.
//!
//! What is claimed, and no more: a sidecar shares nothing with another one. Its cache is warm, because it watches by itself,
//! and its queue holds every key that its own sources gave, because nothing was completed there. So nothing is lost, and keys
//! that the dead one's workers had completed are handed out once more. Two sidecars that live can hand the same key to two
//! workers: who uses two queues needs leader election among the workers, or writes that carry a resourceVersion.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use informerd::proto::v1alpha1::{
    AcquireItemsRequest, CompleteItemsRequest, Completion, CreateQueueRequest, Outcome, QueueSource, QueueSpec,
    UpstreamState, WorkItem, work_queue_service_client::WorkQueueServiceClient,
};
use support::{ControlPlane, DEADLINE, Sidecar};
use tonic::Code;
use tonic::transport::Channel;

use crate::INFORMERD;
use crate::recorder::{Recorder, connect, informer, pods, resource};
use crate::replay::Replay;
use crate::scene::{Scene, get};
use crate::truth::touch;

const QUEUE: &str = "standby";
/// Field case 39.
const RESUMED: Duration = Duration::from_secs(15);

/// A worker of the queue, at one of the sidecars.
struct Worker(WorkQueueServiceClient<Channel>);

// === impl Worker ===

impl Worker {
    /// Declares the queue of all pods, as every replica of an application does when it starts.
    async fn start(channel: &Channel) -> Self {
        let mut queues = WorkQueueServiceClient::new(channel.clone());
        let spec = QueueSpec {
            sources: vec![QueueSource {
                informer: Some(resource("pods")),
                ..QueueSource::default()
            }],
            // The hold is for workers of this process's last run.
            restart_hold: Some(prost_types::Duration::default()),
            ..QueueSpec::default()
        };
        let create = CreateQueueRequest {
            queue_id: QUEUE.into(),
            spec: Some(spec),
        };
        queues.create_queue(create).await.expect("a queue");
        Self(queues)
    }

    async fn acquire(&mut self, most: u32) -> Vec<WorkItem> {
        let request = AcquireItemsRequest {
            queue: format!("queues/{QUEUE}"),
            worker_id: "worker".into(),
            max_items: most,
            wait_timeout: Some(prost_types::Duration { seconds: 10, nanos: 0 }),
            ..AcquireItemsRequest::default()
        };
        self.0
            .acquire_items(request)
            .await
            .expect("AcquireItems")
            .into_inner()
            .items
    }

    async fn complete(&mut self, items: &[WorkItem]) {
        let completion = |item: &WorkItem| Completion {
            lease_id: item.lease.as_ref().expect("a lease").lease_id.clone(),
            outcome: Outcome::Success.into(),
            ..Completion::default()
        };
        let request = CompleteItemsRequest {
            queue: format!("queues/{QUEUE}"),
            completions: items.iter().map(completion).collect(),
        };
        self.0.complete_items(request).await.expect("CompleteItems");
    }
}

fn key(item: &WorkItem) -> (String, String) {
    let key = item.key.clone().expect("a key");
    (key.namespace, key.name)
}

#[tokio::test(flavor = "multi_thread")]
async fn case_39_when_a_sidecar_dies_the_other_one_answers_at_once_and_has_every_key() {
    let plane = ControlPlane::shared();
    let mut scene = Scene::new(plane.client().await, &plane.kubeconfig(), "standby", 40).await;
    let namespace = format!("--namespace={}", scene.namespaces[0]);
    let standby = Sidecar::start(INFORMERD, &plane.kubeconfig(), &["--resource=pods", &namespace]);
    let other = connect(&standby.socket()).await;
    let (recorder, _) = scene.record().await;
    let follower = Recorder::open(&other, pods(), Replay::default()).await;
    follower.synced().await;
    let mut leader = Worker::start(&scene.channel).await;
    let mut spare = Worker::start(&other).await;
    let held = leader.acquire(10).await;
    leader.complete(&held[..5]).await;
    let newest = touch(&scene.workload, "the last before the end").await;
    recorder.has_seen(newest).await;
    follower.has_seen(newest).await;
    let lists = informer(&other).await.list_count;

    let killed = Instant::now();
    scene.sidecar.kill();
    let reply = get(&other, scene.pod.clone()).await.expect("GetObject");
    let (status, object) = (reply.status.expect("a status"), reply.object.expect("an object"));
    assert_eq!(status.upstream_state(), UpstreamState::Watching);
    assert_eq!(object.r#ref.expect("a ref").resource_version, newest.to_string());
    let answered = killed.elapsed();
    assert!(
        recorder.end().await.end.is_some_and(|end| end.code() != Code::Ok),
        "the stream of the dead one ended"
    );

    let mut got = BTreeSet::new();
    let resuming = async {
        while got.len() < scene.workload.pods().len() {
            let items = spare.acquire(100).await;
            got.extend(items.iter().map(key));
            spare.complete(&items).await;
        }
    };
    tokio::time::timeout(RESUMED, resuming)
        .await
        .expect("the queue's work goes on");
    let resumed = killed.elapsed();
    let all: BTreeSet<_> = scene.workload.pods().into_iter().collect();
    assert_eq!(got, all, "nothing is lost: neither what was held nor what waited");

    // And what happens from now on arrives.
    let newest = touch(&scene.workload, "after the end").await;
    let next = tokio::time::timeout(DEADLINE, spare.acquire(1)).await.expect("a key");
    assert_eq!(key(&next[0]), scene.workload.pods().remove(0));
    let record = follower.has_seen(newest).await;
    scene.agrees(&record).await;
    assert_eq!(
        informer(&other).await.list_count,
        lists,
        "the standby had no need to list"
    );
    eprintln!("a read after {answered:?}, every key after {resumed:?}");
}
