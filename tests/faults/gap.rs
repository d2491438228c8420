//! The watch is down while objects change, and the history that would tell of it is gone.

use std::collections::HashMap;

use bytes::Bytes;
use informerd::cli::connect::MAX_MESSAGE_BYTES;
use informerd::proto::v1alpha1::{
    EventCause, EventType, WatchEvent, subscription_service_client::SubscriptionServiceClient, watch_response::Control,
};
use serde_json::Value;
use support::{ADMIN, DEADLINE, Proxy, eventually};
use tokio::sync::MutexGuard;
use tonic::{Streaming, transport::Channel};

use crate::recorder::{informer, pods};
use crate::scene::{Disturbed, Scene};
use crate::truth::touch;

/// A scene whose sidecar is cut off while the test makes its changes.
struct Gap {
    turn: MutexGuard<'static, Disturbed>,
    proxy: Proxy,
    scene: Scene,
}

/// The events of a watch, with their bodies.
struct Bodies {
    stream: Streaming<informerd::proto::v1alpha1::WatchResponse>,
}

// === impl Gap ===

impl Gap {
    async fn new(prefix: &str, count: usize) -> Self {
        let turn = Disturbed::turn().await;
        let proxy = Proxy::start(turn.plane.address());
        let kubeconfig = turn.plane.kubeconfig_via(ADMIN, &proxy);
        let scene = Scene::new(turn.peer.client().await, &kubeconfig, prefix, count).await;
        Self { turn, proxy, scene }
    }

    fn begins(&self) {
        self.proxy.refuse(true);
        self.proxy.cut_all();
    }

    /// Nothing that happened in the gap can be watched any more.
    fn ends(&self) {
        self.turn.plane.compact_etcd();
        self.turn.plane.restart_apiserver();
        self.proxy.refuse(false);
    }
}

// === impl Bodies ===

impl Bodies {
    async fn open(channel: &Channel) -> Self {
        let mut client = SubscriptionServiceClient::new(channel.clone()).max_decoding_message_size(MAX_MESSAGE_BYTES);
        let stream = client.watch(pods()).await.expect("a watch").into_inner();
        Self { stream }
    }

    /// What comes until `enough` is true of all that came.
    async fn until(&mut self, enough: impl Fn(&[WatchEvent], Option<&Control>) -> bool) -> Vec<WatchEvent> {
        let mut events = Vec::new();
        let reading = async {
            loop {
                let message = self.stream.message().await.expect("no error").expect("no end");
                events.extend(message.events);
                if enough(&events, message.control.as_ref()) {
                    return;
                }
            }
        };
        tokio::time::timeout(DEADLINE, reading).await.expect("the events");
        events
    }

    async fn synced(&mut self) -> HashMap<String, WatchEvent> {
        let synced = |_: &[WatchEvent], control: Option<&Control>| matches!(control, Some(Control::Synced(_)));
        let events = self.until(synced).await;
        events.into_iter().map(|event| (key(&event), event)).collect()
    }
}

fn key(event: &WatchEvent) -> String {
    let r = event.r#ref.as_ref().expect("a ref");
    format!("{}/{}", r.namespace, r.name)
}

fn uid(event: &WatchEvent) -> &str {
    &event.r#ref.as_ref().expect("a ref").uid
}

fn body(event: &WatchEvent) -> Bytes {
    event.object.as_ref().expect("a body").data.clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn case_21_ten_deletions_that_no_watch_saw_are_told_with_the_last_state_known() {
    let mut gap = Gap::new("deleted", 30).await;
    let mut watch = Bodies::open(&gap.scene.channel).await;
    let known = watch.synced().await;
    assert_eq!(known.len(), 30);
    gap.begins();
    let victims = gap.scene.workload.pods().split_off(20);
    for (namespace, name) in &victims {
        gap.scene.workload.delete_pod(namespace, name).await;
    }
    gap.ends();
    let told = watch.until(|events, _| events.len() >= 10).await;
    let newest = touch(&gap.scene.workload, "after").await;
    let rest = watch.until(|events, _| !events.is_empty()).await;
    assert_eq!(rest.len(), 1, "{rest:?}");
    assert_eq!(rest[0].resource_version, newest.to_string());
    let mut keys: Vec<String> = told.iter().map(key).collect();
    keys.sort();
    let wanted: Vec<String> = victims
        .iter()
        .map(|(namespace, name)| format!("{namespace}/{name}"))
        .collect();
    assert_eq!(keys, wanted);
    for event in &told {
        let last = &known[&key(event)];
        assert_eq!(
            (event.r#type(), event.cause()),
            (EventType::Deleted, EventCause::Replaced)
        );
        assert!(event.final_state_unknown, "{event:?}");
        assert_eq!(event.r#ref, last.r#ref);
        assert!(!body(event).is_empty());
        assert_eq!(body(event), body(last), "the last object known");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_22_an_object_that_was_made_anew_in_the_gap_is_deleted_and_then_added() {
    let mut gap = Gap::new("anew", 10).await;
    let mut watch = Bodies::open(&gap.scene.channel).await;
    let known = watch.synced().await;
    let (namespace, name) = gap.scene.workload.pods().remove(4);
    let old = &known[&format!("{namespace}/{name}")];
    let mut pod: Value = serde_json::from_slice(&body(old)).expect("JSON");
    for field in ["uid", "resourceVersion", "creationTimestamp"] {
        pod["metadata"].as_object_mut().expect("metadata").remove(field);
    }
    gap.begins();
    gap.scene.workload.delete_pod(&namespace, &name).await;
    let post = http::Request::post(&gap.scene.path)
        .header("Content-Type", "application/json")
        .body(pod.to_string().into_bytes());
    let created: Value = gap
        .scene
        .client
        .request(post.expect("a valid request"))
        .await
        .expect("created");
    gap.ends();
    let told = watch.until(|events, _| events.len() >= 2).await;
    let kinds: Vec<_> = told.iter().map(|event| (event.r#type(), uid(event))).collect();
    let new = created["metadata"]["uid"].as_str().expect("a uid");
    assert_ne!(new, uid(old));
    assert_eq!(kinds, [(EventType::Deleted, uid(old)), (EventType::Added, new)]);
    assert!(
        told.iter().all(|event| event.recreated && key(event) == key(old)),
        "{told:?}"
    );
    assert!(told[0].final_state_unknown && !told[1].final_state_unknown);
    assert_eq!(told[0].revision, told[1].revision, "one change, not two");
    assert_eq!(body(&told[0]), body(old));
}

#[tokio::test(flavor = "multi_thread")]
async fn case_19_a_relist_of_unchanged_objects_says_nothing() {
    let gap = Gap::new("same", 60).await;
    let (recorder, _) = gap.scene.record().await;
    let before = informer(&gap.scene.channel).await;
    gap.begins();
    // The position of the cache is too old even though nothing of it changed.
    gap.scene.workload.create_namespaces("same-elsewhere", 2).await;
    gap.ends();
    let after = eventually("a list and then a watch", || async {
        let informer = informer(&gap.scene.channel).await;
        let more =
            informer.list_count > before.list_count && informer.upstream_watch_count > before.upstream_watch_count;
        more.then_some(informer)
    })
    .await;
    assert_eq!(after.list_count, 2, "{after:?}");
    let newest = touch(&gap.scene.workload, "after").await;
    let record = recorder.has_seen(newest).await;
    assert_eq!(record.live().len(), 1);
    // The relist is no revision of its own: nothing changed.
    let revision = before.status.map_or(0, |status| status.revision);
    eprintln!(
        "revision {revision} before the relist, {} after one change",
        record.replay.revision()
    );
    gap.scene.agrees(&record).await;
}
