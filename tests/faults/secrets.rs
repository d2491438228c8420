//! What must not be in the sidecar's memory is not there.

use futures::StreamExt;
use informerd::cli::connect::MAX_MESSAGE_BYTES;
use informerd::proto::v1alpha1::{
    CreateInformerRequest, InformerSelector, InformerSpec, ResourceRef, StreamObjectsRequest, View,
    WaitForCacheSyncRequest, cache_service_client::CacheServiceClient, informer_selector::By,
    informer_service_client::InformerServiceClient,
};
use kube::Client;
use serde_json::{Value, json};
use support::inspect::{memory_holds, resident_bytes};
use support::{ControlPlane, Sidecar, Workload};
use tonic::transport::Channel;

use crate::INFORMERD;
use crate::recorder::connect;
use crate::scene::setting;

/// Base64 of three quarters as many bytes.
const SECRET: usize = 10_000;
/// In each secret's data, as it stands in JSON: base64 of something.
const MARKER: &str = "SW5mb3JtZXJkTXVzdE5vdEtub3dUaGlz";
/// In each secret's annotations, which are metadata.
const LABEL: &str = "informerd.test/may-be-known";
/// A sidecar that knows metadata alone takes no more than this for each object, with the room that lists need.
const PER_OBJECT: u64 = 2_000;
const ROOM: u64 = 12 << 20;

async fn create(client: &Client, namespace: &str, count: u64) {
    let path = format!("/api/v1/namespaces/{namespace}/secrets?fieldManager=proof");
    let post = |i: u64| {
        let name = format!("secret-{i:05}");
        let secret = json!({
            "apiVersion": "v1",
            "kind": "Secret",
            "metadata": {"name": name, "namespace": namespace, "annotations": {LABEL: name}},
            "data": {"token": format!("{MARKER}{}", "QUJD".repeat((SECRET - MARKER.len()) / 4))},
        });
        let request = http::Request::post(&path).header("Content-Type", "application/json");
        let request = request.body(secret.to_string().into_bytes()).expect("a valid request");
        async move { client.request::<Value>(request).await.map(drop) }
    };
    let mut created = futures::stream::iter((0..count).map(post)).buffer_unordered(16);
    while let Some(result) = created.next().await {
        result.expect("a secret");
    }
}

/// Caches the secrets of a namespace in this view; returns every body.
async fn cache(channel: &Channel, namespace: &str, view: View) -> Vec<String> {
    let spec = InformerSpec {
        resource: Some(ResourceRef {
            resource: "secrets".into(),
            ..ResourceRef::default()
        }),
        namespaces: vec![namespace.to_owned()],
        store_view: view.into(),
        ..InformerSpec::default()
    };
    let mut informers = InformerServiceClient::new(channel.clone());
    let create = CreateInformerRequest {
        informer_id: "secrets".into(),
        spec: Some(spec),
    };
    let created = informers
        .create_informer(create)
        .await
        .expect("an informer")
        .into_inner();
    let name = created.informer.expect("an informer").name;
    let wait = WaitForCacheSyncRequest {
        names: vec![name.clone()],
        timeout: Some(prost_types::Duration { seconds: 120, nanos: 0 }),
    };
    informers.wait_for_cache_sync(wait).await.expect("synced");
    let request = StreamObjectsRequest {
        informer: Some(InformerSelector {
            by: Some(By::Name(name)),
        }),
        ..StreamObjectsRequest::default()
    };
    let mut caches = CacheServiceClient::new(channel.clone()).max_decoding_message_size(MAX_MESSAGE_BYTES);
    let mut stream = caches.stream_objects(request).await.expect("a stream").into_inner();
    let mut bodies = Vec::new();
    while let Some(message) = stream.message().await.expect("no error") {
        let body = |object: informerd::proto::v1alpha1::CachedObject| object.object.expect("a body").data;
        bodies.extend(
            message
                .objects
                .into_iter()
                .map(body)
                .map(|data| String::from_utf8_lossy(&data).into_owned()),
        );
    }
    bodies
}

#[tokio::test(flavor = "multi_thread")]
async fn case_24_metadata_of_secrets_costs_little_and_no_byte_of_a_secret_is_in_memory() {
    let count = setting("INFORMERD_TEST_SECRETS", 1_000);
    let plane = ControlPlane::shared();
    let client = plane.client().await;
    let namespace = Workload::new(client.clone(), 1)
        .create_namespaces("secrets", 1)
        .await
        .remove(0);
    create(&client, &namespace, count).await;

    let sidecar = Sidecar::start(INFORMERD, &plane.kubeconfig(), &[]);
    let channel = connect(&sidecar.socket()).await;
    let before = resident_bytes(sidecar.pid());
    let bodies = cache(&channel, &namespace, View::Metadata).await;
    let growth = resident_bytes(sidecar.pid()).saturating_sub(before);
    assert_eq!(bodies.len() as u64, count);
    assert!(bodies.iter().all(|body| body.contains(LABEL)), "metadata is there");
    assert!(
        !bodies.iter().any(|body| body.contains("managedFields")),
        "dropped by default"
    );
    assert!(
        memory_holds(sidecar.pid(), namespace.as_bytes()),
        "the search finds what is there"
    );
    assert!(!memory_holds(sidecar.pid(), MARKER.as_bytes()), "a secret is in memory");
    let bound = ROOM + count * PER_OBJECT;
    assert!(growth < bound, "{growth} bytes for {count} secrets, more than {bound}");
    eprintln!("{count} secrets of {SECRET} bytes: RSS grew by {} KiB", growth / 1024);

    // Whoever asks for the whole has it in memory: so the search would have found it.
    let whole = Sidecar::start(INFORMERD, &plane.kubeconfig(), &[]);
    let channel = connect(&whole.socket()).await;
    let bodies = cache(&channel, &namespace, View::Full).await;
    assert!(bodies.iter().all(|body| body.contains(MARKER)));
    assert!(
        !bodies.iter().any(|body| body.contains("managedFields")),
        "dropped by default"
    );
    assert!(memory_holds(whole.pid(), MARKER.as_bytes()));
}
