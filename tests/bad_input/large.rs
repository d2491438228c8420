//! Objects near the size that etcd allows, through clients that were never told to expect large messages.

use informerd::proto::v1alpha1::{
    CachedObject, GetObjectRequest, ListObjectsRequest, ObjectKey, ObjectPayload, OldObject, Omitted,
    StreamObjectsRequest, WatchEvent, WatchRequest, WatchResponse, watch_response::Control,
};
use informerd::{informer::FactoryOptions, reflector::ReflectorConfig};
use serde_json::{Value, json};
use support::{ControlPlane, DEADLINE, Workload};
use tokio::time::timeout;
use tonic::Streaming;

use super::{
    World, config, in_a, patient,
    sidecar::{Bench, resource},
};

const MIB: usize = 1 << 20;
/// 1.4 MiB: with the rest of the object just below etcd's limit for one request, 1.5 MiB.
const LARGE: usize = 14 * MIB / 10;

async fn events(stream: &mut Streaming<WatchResponse>, count: usize) -> Vec<WatchEvent> {
    let mut events = Vec::new();
    while events.len() < count {
        let next = timeout(DEADLINE, stream.message()).await.expect("a message in time");
        events.extend(next.expect("the watch goes on").expect("the watch does not end").events);
    }
    events
}

async fn synced(stream: &mut Streaming<WatchResponse>) -> Vec<WatchEvent> {
    let mut events = Vec::new();
    loop {
        let next = timeout(DEADLINE, stream.message()).await.expect("a message in time");
        let message = next.expect("the watch goes on").expect("the watch does not end");
        events.extend(message.events);
        if let Some(Control::Synced(_)) = message.control {
            return events;
        }
    }
}

/// The bytes of the large text in a body.
fn whole(payload: Option<&ObjectPayload>, pointer: &str) -> usize {
    let payload = payload.expect("a payload");
    assert_eq!(payload.omitted(), Omitted::Unspecified);
    length(&payload.data, pointer)
}

fn length(body: &[u8], pointer: &str) -> usize {
    let body: Value = serde_json::from_slice(body).expect("a whole JSON document");
    body.pointer(pointer).and_then(Value::as_str).expect("the text").len()
}

/// GetObject, ListObjects and Watch deliver it whole to clients with default limits; then it changes.
async fn is_delivered(bench: &Bench, name: &str, pointer: &str, change: impl AsyncFnOnce()) {
    let get = GetObjectRequest {
        informer: resource(name),
        key: Some(ObjectKey {
            namespace: "a".into(),
            name: "large".into(),
        }),
        read: patient(),
        ..GetObjectRequest::default()
    };
    let got = bench.cache().get_object(get).await.expect("the object").into_inner();
    let object = got.object.expect("the object");
    assert_eq!(whole(object.object.as_ref(), pointer), LARGE);
    let list = ListObjectsRequest {
        informer: resource(name),
        filter: in_a(),
        ..ListObjectsRequest::default()
    };
    let (mut found, mut request) = (Vec::<CachedObject>::new(), list);
    loop {
        let page = bench
            .cache()
            .list_objects(request.clone())
            .await
            .expect("a page")
            .into_inner();
        found.extend(page.objects);
        if page.next_page_token.is_empty() {
            break;
        }
        request.page_token = page.next_page_token;
    }
    let large: Vec<_> = found
        .iter()
        .filter(|o| o.r#ref.as_ref().is_some_and(|r| r.name == "large"))
        .collect();
    assert_eq!(large.len(), 1);
    assert_eq!(whole(large[0].object.as_ref(), pointer), LARGE);

    let request = WatchRequest {
        informer: resource(name),
        filter: in_a(),
        old_object: OldObject::Full.into(),
        ..WatchRequest::default()
    };
    let watch = |limit: usize| {
        // A client that accepts less says so; one with default limits need not.
        let max_receive_bytes = if limit == 4 * MIB { 0 } else { limit as u64 };
        let client = bench.subscriptions();
        let mut client = if max_receive_bytes == 0 {
            client
        } else {
            client.max_decoding_message_size(limit)
        };
        let request = WatchRequest {
            max_receive_bytes,
            ..request.clone()
        };
        async move { client.watch(request).await.expect("a watch").into_inner() }
    };
    let (mut usual, mut tight, mut tiny) = (watch(4 * MIB).await, watch(2 * MIB).await, watch(MIB).await);
    let of_large = |events: Vec<WatchEvent>| -> WatchEvent {
        let large = |e: &WatchEvent| e.r#ref.as_ref().is_some_and(|r| r.name == "large");
        events.into_iter().find(large).expect("an event of the large object")
    };
    for stream in [&mut usual, &mut tight] {
        let event = of_large(synced(stream).await);
        assert_eq!(whole(event.object.as_ref(), pointer), LARGE);
    }
    let event = of_large(synced(&mut tiny).await);
    assert_eq!(event.object.expect("a payload").omitted(), Omitted::TooLarge);

    change().await;
    let event = of_large(events(&mut usual, 1).await);
    assert_eq!(whole(event.object.as_ref(), pointer), LARGE);
    assert_eq!(whole(event.old_object.as_ref(), pointer), LARGE);
    // There is no room for both: the old one stays away, the new one and the reference come.
    let event = of_large(events(&mut tight, 1).await);
    assert_eq!(whole(event.object.as_ref(), pointer), LARGE);
    assert_eq!(
        event.old_object.as_ref().expect("a payload").omitted(),
        Omitted::TooLarge
    );
    assert!(event.old_ref.is_some());
    let event = of_large(events(&mut tiny, 1).await);
    assert_eq!(event.object.as_ref().expect("a payload").omitted(), Omitted::TooLarge);

    // Who got no body takes it in pieces.
    let request = StreamObjectsRequest {
        informer: resource(name),
        filter: in_a(),
        max_receive_bytes: MIB as u64,
        ..StreamObjectsRequest::default()
    };
    let mut cache = bench.cache().max_decoding_message_size(MIB);
    let mut stream = cache.stream_objects(request).await.expect("a stream").into_inner();
    let (mut body, mut last) = (Vec::new(), false);
    while let Some(part) = timeout(DEADLINE, stream.message())
        .await
        .expect("in time")
        .expect("no error")
    {
        if let Some(chunk) = part.chunk {
            assert_eq!(chunk.offset, body.len() as u64);
            body.extend_from_slice(&chunk.data);
            last = chunk.last;
        }
    }
    assert!(last);
    assert_eq!(length(&body, pointer), LARGE);
}

#[tokio::test(flavor = "multi_thread")]
async fn case_a_a_large_object_of_the_simulated_cluster_is_delivered() {
    let World { bench, sim, _dir } = World::start().await;
    sim.create(config("large", json!({"text": "x".repeat(LARGE)})))
        .expect("a ConfigMap");
    is_delivered(&bench, "configmaps", "/data/text", async || {
        let patch = json!({"metadata": {"labels": {"changed": "yes"}}});
        sim.patch_merge("configmaps", Some("a"), "large", patch)
            .expect("a patch");
    })
    .await;
    bench.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn case_a_a_large_object_of_the_real_api_server_is_delivered() {
    let plane = ControlPlane::shared();
    let client = plane.client().await;
    let workload = Workload::new(client.clone(), 1);
    plane.kubectl().run(&["create", "namespace", "a"]);
    workload.create_crd().await;
    // A ConfigMap may hold 1 MiB of data at most; a custom resource what etcd allows.
    let path = "/apis/informerd.test/v1/namespaces/a/widgets";
    let object = json!({
        "apiVersion": "informerd.test/v1",
        "kind": "Widget",
        "metadata": {"name": "large"},
        "spec": {"text": "x".repeat(LARGE)},
    });
    let request = http::Request::post(path).header(http::header::CONTENT_TYPE, "application/json");
    let request = request.body(object.to_string().into_bytes()).expect("a request");
    client.request::<Value>(request).await.expect("created");
    workload.create_widgets("a", 2).await;
    let bench = Bench::start(
        &plane.kubeconfig(),
        ReflectorConfig::default(),
        FactoryOptions::default(),
    )
    .await;
    is_delivered(&bench, "widgets", "/spec/text", async || {
        let patch = json!({"metadata": {"labels": {"changed": "yes"}}});
        workload.patch(&format!("{path}/large"), &patch).await;
    })
    .await;
    bench.stop().await;
}
