//! Reads past the cache: `read.live`.

use informerd::{
    proto::v1alpha1::{CountObjectsRequest, GetObjectRequest, ObjectKey, read_options::Freshness},
    reflector::ReflectorConfig,
};
use serde_json::{Value, json};
use tonic::{Code, Status};
use tonic_types::StatusExt as _;

use super::{
    backend::{Backend, Kind, configs},
    requests::{kept, patient, within},
    sidecar::{Bench, resource},
};

fn refusal(status: &Status) -> (Code, String) {
    let reason = status.get_details_error_info().expect("a reason").reason;
    (status.code(), reason)
}

async fn body(bench: &Bench, freshness: Option<Freshness>) -> Result<Value, Status> {
    let request = GetObjectRequest {
        informer: resource("configmaps"),
        key: Some(ObjectKey {
            namespace: "read-through".into(),
            name: "a".into(),
        }),
        read: patient(freshness),
        ..GetObjectRequest::default()
    };
    let reply = bench.cache().get_object(request).await?.into_inner();
    let payload = reply.object.expect("the object").object.expect("a body");
    Ok(serde_json::from_slice(&payload.data).expect("JSON"))
}

pub(crate) async fn q3_live_reads_see_what_the_api_server_has(kind: Kind) {
    let cluster = Backend::shared(kind).await;
    cluster.namespace("read-through").await;
    let bench = cluster.sidecar(ReflectorConfig::default()).await;
    let live = || Some(Freshness::Live(true));
    let missing = body(&bench, live()).await.expect_err("not there yet");
    assert_eq!(refusal(&missing), (Code::NotFound, "OBJECT_NOT_FOUND".into()));
    cluster.config("read-through", "a", "").await;
    for round in 0..5 {
        let data = json!({"data": {"round": round.to_string()}});
        let written = cluster.patch(&configs("read-through", "a"), data).await;
        // At once, whatever the cache has seen by now; and cut as the cache cuts it.
        assert_eq!(
            body(&bench, live()).await.expect("the object"),
            kept(written, "v1", "ConfigMap")
        );
    }
    // The real API server sends bookmarks once a minute: too long for a test that must not depend on other writers.
    if kind == Kind::Sim {
        let count = CountObjectsRequest {
            informer: resource("configmaps"),
            filter: within("read-through"),
            read: patient(live()),
            ..CountObjectsRequest::default()
        };
        for n in 1..5 {
            let counted = bench
                .cache()
                .count_objects(count.clone())
                .await
                .expect("counted")
                .into_inner();
            assert_eq!(counted.object_count, n);
            cluster.config("read-through", &format!("more-{n}"), "").await;
        }
    }
    cluster.delete(&configs("read-through", "a")).await;
    let missing = body(&bench, live()).await.expect_err("gone");
    assert_eq!(refusal(&missing), (Code::NotFound, "OBJECT_NOT_FOUND".into()));
    // Without the API server the cache still answers, and who reads past it is told.
    let cached = body(&bench, None).await;
    cluster.cut_off();
    let unreachable = body(&bench, live()).await.expect_err("no API server");
    assert_eq!(
        refusal(&unreachable),
        (Code::Unavailable, "UPSTREAM_UNAVAILABLE".into())
    );
    assert!(unreachable.get_details_retry_info().is_some());
    if let Err(status) = cached {
        assert_eq!(status.code(), Code::NotFound, "{status}");
    }
    bench.stop().await;
}
