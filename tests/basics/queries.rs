//! What is asked for: selectors, namespaces, indexes.

use std::time::Duration;

use informerd::{
    proto::v1alpha1::{
        AddIndexersRequest, Filter, Indexer, InformerSpec, ListIndexValuesRequest, ListObjectsRequest,
        RemoveIndexersRequest, WaitForResourceVersionRequest, WatchRequest,
    },
    reflector::ReflectorConfig,
};
use serde_json::json;
use tonic::Code;

use super::{
    backend::{Backend, Kind, configs, version},
    follow::{Follow, briefs},
    requests::{by_index, duration, informer, list, name, reference, watch_configs, within},
    sidecar::named,
};

pub(crate) async fn a_filter_tells_of_objects_that_enter_and_leave(kind: Kind) {
    let cluster = Backend::shared(kind).await;
    cluster.namespace("filter").await;
    for (name, tier) in [("in", "front"), ("out", "back")] {
        cluster.config("filter", name, tier).await;
    }
    let bench = cluster.sidecar(ReflectorConfig::default()).await;
    let filter = Filter {
        label_selector: "tier in (front)".into(),
        field_selector: "data.key!=gone".into(),
        ..within("filter").expect("a filter")
    };
    let request = WatchRequest {
        filter: Some(filter),
        ..watch_configs("filter")
    };
    let (mut follow, _) = Follow::open(&bench, request).await;
    let (events, _) = follow.synced().await;
    assert_eq!(briefs(&events), ["ADDED in INITIAL"]);
    let tier = |tier: &str| json!({"metadata": {"labels": {"tier": tier}}});
    cluster.patch(&configs("filter", "out"), tier("front")).await;
    cluster.patch(&configs("filter", "in"), tier("back")).await;
    cluster
        .patch(&configs("filter", "in"), json!({"data": {"unseen": "1"}}))
        .await;
    cluster
        .patch(&configs("filter", "out"), json!({"data": {"key": "gone"}}))
        .await;
    cluster
        .patch(&configs("filter", "out"), json!({"data": {"key": "back"}}))
        .await;
    cluster.delete(&configs("filter", "in")).await;
    cluster.delete(&configs("filter", "out")).await;
    let events = follow.events(5).await;
    let told = [
        "ADDED out SELECTOR",
        "DELETED in SELECTOR",
        "DELETED out SELECTOR",
        "ADDED out SELECTOR",
        "DELETED out LIVE",
    ];
    assert_eq!(briefs(&events), told);
    bench.stop().await;
}

pub(crate) async fn the_api_servers_own_selectors_tell_of_objects_that_enter_and_leave(kind: Kind) {
    let cluster = Backend::shared(kind).await;
    cluster.namespace("select").await;
    for (name, tier) in [("in", "front"), ("out", "back"), ("never", "front")] {
        cluster.config("select", name, tier).await;
    }
    let bench = cluster.sidecar(ReflectorConfig::default()).await;
    let spec = InformerSpec {
        resource: reference("configmaps"),
        namespaces: vec!["select".into()],
        label_selector: "tier=front".into(),
        field_selector: "metadata.name!=never".into(),
        ..InformerSpec::default()
    };
    let name = informer(&bench, spec).await;
    let request = WatchRequest {
        informer: named(&name),
        ..WatchRequest::default()
    };
    let (mut follow, _) = Follow::open(&bench, request).await;
    let (events, _) = follow.synced().await;
    assert_eq!(briefs(&events), ["ADDED in INITIAL"]);
    let tier = |tier: &str| json!({"metadata": {"labels": {"tier": tier}}});
    cluster.patch(&configs("select", "out"), tier("front")).await;
    let left = cluster.patch(&configs("select", "in"), tier("back")).await;
    cluster
        .patch(&configs("select", "never"), json!({"data": {"key": "1"}}))
        .await;
    cluster.patch(&configs("select", "in"), tier("front")).await;
    cluster.delete(&configs("select", "out")).await;
    let events = follow.events(4).await;
    // The API server's watch does not say whether an object went or ceased to match.
    assert_eq!(
        briefs(&events),
        ["ADDED out LIVE", "DELETED in LIVE", "ADDED in LIVE", "DELETED out LIVE"]
    );
    assert_eq!(
        events[1].resource_version,
        version(&left),
        "the version of the change that made it leave"
    );
    bench.stop().await;
}

pub(crate) async fn only_the_namespaces_asked_for_are_cached(kind: Kind) {
    let cluster = Backend::shared(kind).await;
    for namespace in ["only-a", "only-b", "only-c"] {
        cluster.namespace(namespace).await;
        cluster.config(namespace, "one", "").await;
    }
    let bench = cluster.sidecar(ReflectorConfig::default()).await;
    let spec = InformerSpec {
        resource: reference("configmaps"),
        namespaces: vec!["only-b".into(), "only-a".into()],
        ..InformerSpec::default()
    };
    let name = informer(&bench, spec).await;
    let all = WatchRequest {
        informer: named(&name),
        ..WatchRequest::default()
    };
    let (mut follow, _) = Follow::open(&bench, all).await;
    let (_, synced) = follow.synced().await;
    assert_eq!(synced.object_count, 2);
    assert!(follow.view.contains_key(&("only-a".into(), "one".into())));
    cluster.config("only-c", "two", "").await;
    cluster.config("only-b", "two", "").await;
    cluster.delete(&configs("only-a", "one")).await;
    // Two namespaces are two watches: there is no order between them.
    let mut told = briefs(&follow.events(2).await);
    told.sort();
    assert_eq!(told, ["ADDED two LIVE", "DELETED one LIVE"]);
    let found = list(&bench, named(&name), within("only-b")).await;
    assert_eq!(found.iter().map(self::name).collect::<Vec<_>>(), ["one", "two"]);
    // Nothing would look like an empty namespace.
    let request = ListObjectsRequest {
        informer: named(&name),
        filter: within("only-c"),
        ..ListObjectsRequest::default()
    };
    let refused = bench.cache().list_objects(request).await.expect_err("not cached");
    assert_eq!(refused.code(), Code::InvalidArgument, "{refused}");
    bench.stop().await;
}

pub(crate) async fn indexes_follow_the_objects(kind: Kind) {
    let cluster = Backend::shared(kind).await;
    cluster.namespace("index").await;
    let owner = cluster.config("index", "owner", "back").await;
    let uid = owner["metadata"]["uid"].as_str().expect("a uid").to_owned();
    let pod = |name: &str, tier: &str, node: &str, secrets: &[&str]| {
        let volumes: Vec<_> = secrets
            .iter()
            .map(|s| json!({"name": s, "secret": {"secretName": s}}))
            .collect();
        json!({
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {
                "name": name,
                "namespace": "index",
                "labels": {"tier": tier},
                "ownerReferences": [{"apiVersion": "v1", "kind": "ConfigMap", "name": "owner", "uid": uid}],
            },
            "spec": {
                "nodeName": node,
                "volumes": volumes,
                "containers": [{"name": "main", "image": "registry.example/main:1"}],
            },
        })
    };
    let pods = "/api/v1/namespaces/index/pods";
    cluster.create(pods, pod("p1", "front", "n1", &["s1", "s2"])).await;
    cluster.create(pods, pod("p2", "front", "n2", &["s2"])).await;
    cluster.create(pods, pod("p3", "back", "n1", &[])).await;
    let bench = cluster.sidecar(ReflectorConfig::default()).await;
    let spec = InformerSpec {
        resource: reference("pods"),
        namespaces: vec!["index".into()],
        ..InformerSpec::default()
    };
    let informer = informer(&bench, spec).await;
    assert_eq!(by_index(&bench, &informer, "label:tier", "front").await, ["p1", "p2"]);
    assert_eq!(by_index(&bench, &informer, "owner-uid", &uid).await, ["p1", "p2", "p3"]);
    assert_eq!(
        by_index(&bench, &informer, "namespace", "index").await,
        ["p1", "p2", "p3"]
    );

    let declared = [
        ("node", "/spec/nodeName"),
        ("secret", "/spec/volumes/*/secret/secretName"),
    ];
    let indexers = declared.map(|(name, pointer)| Indexer {
        name: name.into(),
        json_pointer: pointer.into(),
    });
    let request = AddIndexersRequest {
        name: informer.clone(),
        indexers: indexers.into(),
    };
    bench
        .informers()
        .add_indexers(request)
        .await
        .expect("indexes at run time");
    // What was cached before is indexed when the call returns.
    assert_eq!(by_index(&bench, &informer, "node", "n1").await, ["p1", "p3"]);
    assert_eq!(by_index(&bench, &informer, "secret", "s2").await, ["p1", "p2"]);

    cluster.create(pods, pod("p4", "front", "n1", &["s3"])).await;
    cluster.delete(&format!("{pods}/p1")).await;
    let patch = json!({"metadata": {"labels": {"tier": "back"}, "ownerReferences": null}});
    let moved = cluster.patch(&format!("{pods}/p2"), patch).await;
    let request = WaitForResourceVersionRequest {
        informer: named(&informer),
        resource_version: version(&moved),
        timeout: duration(Duration::from_secs(60)),
    };
    bench
        .cache()
        .wait_for_resource_version(request)
        .await
        .expect("the writes arrive");
    for (index, value, expected) in [
        ("label:tier", "front", &["p4"][..]),
        ("label:tier", "back", &["p2", "p3"]),
        ("owner-uid", &uid, &["p3", "p4"]),
        ("node", "n1", &["p3", "p4"]),
        ("secret", "s1", &[]),
        ("secret", "s2", &["p2"]),
        ("secret", "s3", &["p4"]),
    ] {
        assert_eq!(
            by_index(&bench, &informer, index, value).await,
            expected,
            "{index}={value}"
        );
    }
    let request = ListIndexValuesRequest {
        informer: named(&informer),
        index: "node".into(),
        ..ListIndexValuesRequest::default()
    };
    let values = bench
        .cache()
        .list_index_values(request)
        .await
        .expect("values")
        .into_inner()
        .values;
    let values: Vec<_> = values.iter().map(|v| (v.value.as_str(), v.object_count)).collect();
    assert_eq!(values, [("n1", 2), ("n2", 1)]);

    let request = RemoveIndexersRequest {
        name: informer.clone(),
        index_names: vec!["node".into()],
    };
    bench.informers().remove_indexers(request).await.expect("removed");
    let request = ListIndexValuesRequest {
        informer: named(&informer),
        index: "node".into(),
        ..ListIndexValuesRequest::default()
    };
    let refused = bench.cache().list_index_values(request).await.expect_err("removed");
    assert_eq!(refused.code(), Code::NotFound, "{refused}");
    bench.stop().await;
}
