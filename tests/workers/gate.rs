//! The stale gate against the real API server. The informer lags (its connection is frozen) while a worker writes its own
//! object: without the gate the worker gets its key back with the object as it was before the write.

use std::time::Duration;

use informerd::proto::v1alpha1::{
    AcquireItemsRequest, AddItemsRequest, CompleteItemsRequest, Completion, Filter, ItemState, ListItemsRequest,
    ObjectKey, ObjectRequest, Outcome, QueueSource, QueueSpec, WorkItem, WrittenVersion,
};
use serde_json::{Value, json};
use support::{ADMIN, ControlPlane, DEADLINE, Proxy, Sidecar, Workload};

use crate::{
    INFORMERD,
    rpc::{self, Queues},
};

const NAME: &str = "own";
const WORKER: &str = "writer";

/// A config map, a sidecar whose connection can be frozen, and its only worker.
struct Scene {
    proxy: Proxy,
    workload: Workload,
    queues: Queues,
    informer: String,
    namespace: String,
    _sidecar: Sidecar,
}

// === impl Scene ===

impl Scene {
    async fn new(prefix: &str, cap: i64) -> Self {
        let plane = ControlPlane::shared();
        let proxy = Proxy::start(plane.address());
        let client = plane.client().await;
        let workload = Workload::new(client.clone(), 5);
        let namespace = workload.create_namespaces(prefix, 1).await.remove(0);
        let body = json!({
            "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": NAME, "namespace": namespace},
            "data": {"writes": "0"},
        });
        let request = http::Request::post(format!("/api/v1/namespaces/{namespace}/configmaps"))
            .header("content-type", "application/json")
            .body(body.to_string().into_bytes())
            .expect("a valid request");
        client.request::<Value>(request).await.expect("created");
        let sidecar = Sidecar::start(INFORMERD, &plane.kubeconfig_via(ADMIN, &proxy), &[]);
        let mut queues = rpc::connect(&sidecar.socket()).await.expect("informerd listens");
        let spec = QueueSpec {
            sources: vec![QueueSource {
                filter: Some(Filter {
                    namespaces: vec![namespace.clone()],
                    names: vec![NAME.into()],
                    ..Filter::default()
                }),
                ..rpc::config_maps()
            }],
            stale_gate_cap: rpc::seconds(cap),
            restart_hold: rpc::seconds(0),
            ..QueueSpec::default()
        };
        rpc::create(&mut queues, spec).await.expect("a queue");
        Self {
            proxy,
            workload,
            queues,
            informer: String::new(),
            namespace,
            _sidecar: sidecar,
        }
    }

    /// The next item, or none if `wait` passes.
    async fn acquire(&mut self, wait: Duration) -> Option<WorkItem> {
        let request = AcquireItemsRequest {
            queue: rpc::QUEUE.into(),
            worker_id: WORKER.into(),
            wait_timeout: Some(wait.try_into().expect("a short time")),
            object: Some(ObjectRequest::default()),
            ..AcquireItemsRequest::default()
        };
        let response = self.queues.acquire_items(request).await.expect("a queue").into_inner();
        self.informer = response.statuses[0].informer.clone();
        response.items.into_iter().next()
    }

    /// The next item, however long it takes.
    async fn next(&mut self) -> WorkItem {
        let next = async {
            loop {
                if let Some(item) = self.acquire(Duration::from_secs(30)).await {
                    return item;
                }
            }
        };
        tokio::time::timeout(DEADLINE, next).await.expect("an item")
    }

    /// The worker's own write, past the sidecar.
    async fn write(&self, value: usize) -> u64 {
        let path = format!("/api/v1/namespaces/{}/configmaps/{NAME}", self.namespace);
        let patch = json!({"data": {"writes": value.to_string()}});
        let written = self.workload.patch(&path, &patch).await;
        let version = written["metadata"]["resourceVersion"].as_str();
        version.and_then(|v| v.parse().ok()).expect("a resource version")
    }

    async fn release(&mut self, item: &WorkItem, wait_for: Option<u64>) {
        let lease = item.lease.as_ref().expect("a lease");
        let wait_for = wait_for.map(|version| WrittenVersion {
            informer: self.informer.clone(),
            resource_version: version.to_string(),
        });
        let completion = Completion {
            wait_for: wait_for.into_iter().collect(),
            ..rpc::completion(&lease.lease_id, Outcome::Release)
        };
        let request = CompleteItemsRequest {
            queue: rpc::QUEUE.into(),
            completions: vec![completion],
        };
        let results = self
            .queues
            .complete_items(request)
            .await
            .expect("a queue")
            .into_inner()
            .results;
        assert!(results.iter().all(|result| result.code == 0), "{results:?}");
    }

    /// An event of another source, as it were.
    async fn add(&mut self) {
        let request = AddItemsRequest {
            queue: rpc::QUEUE.into(),
            keys: vec![ObjectKey {
                namespace: self.namespace.clone(),
                name: NAME.into(),
            }],
            priority: 100,
            ..AddItemsRequest::default()
        };
        self.queues.add_items(request).await.expect("a queue");
    }

    async fn state(&mut self) -> Option<ItemState> {
        let request = ListItemsRequest {
            queue: rpc::QUEUE.into(),
            ..ListItemsRequest::default()
        };
        let items = self
            .queues
            .list_items(request)
            .await
            .expect("a queue")
            .into_inner()
            .items;
        items.first().map(|item| item.state())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_gate_a_worker_is_handed_its_object_as_it_was_before_its_write() {
    let mut scene = Scene::new("ungated", 70).await;
    let item = scene.next().await;
    let before = rpc::version_of(&item);
    scene.proxy.freeze(true);
    let written = scene.write(1).await;
    scene.release(&item, None).await;
    let again = scene.next().await;
    assert_eq!(rpc::version_of(&again), before);
    assert!(before < Some(written));
    assert!(!again.stale, "nobody said what was written");
    scene.proxy.freeze(false);
}

#[tokio::test(flavor = "multi_thread")]
async fn with_the_gate_a_worker_is_never_handed_an_object_older_than_its_write() {
    const LAGS: usize = 5;
    const WRITES: usize = 100;
    let mut scene = Scene::new("gated", 600).await;
    let mut item = scene.next().await;
    for lag in 0..LAGS {
        scene.proxy.freeze(true);
        let written = scene.write(lag + 1).await;
        scene.release(&item, Some(written)).await;
        // Not for an event that wants it at once, either.
        scene.add().await;
        assert_eq!(scene.acquire(Duration::ZERO).await, None);
        assert_eq!(scene.state().await, Some(ItemState::Gated));
        scene.proxy.freeze(false);
        item = scene.next().await;
        assert!(rpc::version_of(&item) >= Some(written), "{item:?} after {written}");
        assert!(!item.stale);
    }
    // And with the lag that the API server itself has: the write's answer races its watch event.
    for write in LAGS + 1..LAGS + WRITES {
        let written = scene.write(write).await;
        scene.release(&item, Some(written)).await;
        scene.add().await;
        item = scene.next().await;
        assert!(rpc::version_of(&item) >= Some(written), "{item:?} after {written}");
        assert!(!item.stale);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn after_the_cap_the_key_comes_with_the_old_object_and_says_so() {
    let mut scene = Scene::new("capped", 1).await;
    let item = scene.next().await;
    let before = rpc::version_of(&item);
    scene.proxy.freeze(true);
    let written = scene.write(1).await;
    scene.release(&item, Some(written)).await;
    let stale = scene.next().await;
    assert_eq!(rpc::version_of(&stale), before);
    assert!(stale.stale);
    // Once the cache has caught up, the flag is gone.
    scene.release(&stale, Some(written)).await;
    scene.proxy.freeze(false);
    let fresh = loop {
        let item = scene.next().await;
        if !item.stale {
            break item;
        }
        scene.release(&item, None).await;
    };
    assert!(rpc::version_of(&fresh) >= Some(written));
}
