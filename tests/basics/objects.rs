//! What is cached: objects of all kinds, in the right order, under the right names.

use informerd::{
    proto::v1alpha1::{Filter, ListObjectsRequest, OldObject, UpstreamState, WatchMode, WatchRequest},
    reflector::ReflectorConfig,
};
use serde_json::{Value, json};
use support::{Workload, eventually};
use tonic::Code;

use super::{
    backend::{Backend, Kind, configs},
    follow::{Follow, briefs},
    requests::{items, kept, list, patient, watch_configs, within},
    sidecar::resource,
};

pub(crate) async fn a_snapshot_is_what_the_api_server_has(kind: Kind) {
    let cluster = Backend::shared(kind).await;
    for (namespace, names) in [("snap", ["b", "a", "c"]), ("snap-b", ["x", "a", "y"])] {
        cluster.namespace(namespace).await;
        for name in names {
            cluster.config(namespace, name, "front").await;
        }
    }
    let bench = cluster.sidecar(ReflectorConfig::default()).await;
    let (mut follow, created) = Follow::open(&bench, watch_configs("snap")).await;
    assert_eq!(created.mode(), WatchMode::Snapshot);
    let (events, synced) = follow.synced().await;
    assert_eq!(
        briefs(&events),
        ["ADDED a INITIAL", "ADDED b INITIAL", "ADDED c INITIAL"],
        "ordered by name"
    );
    let status = synced.status.expect("a status");
    assert!(status.synced && status.revision >= 1);
    // The snapshot may be told before the watch counts as open.
    let open = [UpstreamState::Listing, UpstreamState::Watching];
    assert!(open.contains(&status.upstream_state()), "{status:?}");

    for namespace in ["snap", "snap-b"] {
        let truth = items(cluster.get(&configs(namespace, "")).await, "v1", "ConfigMap");
        assert_eq!(list(&bench, resource("cm"), within(namespace)).await, truth);
    }
    let both = Filter {
        namespaces: vec!["snap".into(), "snap-b".into()],
        names: vec!["a".into()],
        ..Filter::default()
    };
    let found = list(&bench, resource("ConfigMap"), Some(both)).await;
    // The order of the API server, in which `snap-b/` stands before `snap/`.
    let found: Vec<_> = found
        .iter()
        .map(|o| o["metadata"]["namespace"].as_str().expect("a namespace"))
        .collect();
    assert_eq!(found, ["snap-b", "snap"]);
    bench.stop().await;
}

pub(crate) async fn changes_come_live_and_in_order(kind: Kind) {
    let cluster = Backend::shared(kind).await;
    cluster.namespace("live").await;
    for name in ["a", "b"] {
        cluster.config("live", name, "").await;
    }
    let bench = cluster.sidecar(ReflectorConfig::default()).await;
    let request = WatchRequest {
        old_object: OldObject::Full.into(),
        ..watch_configs("live")
    };
    let (mut follow, _) = Follow::open(&bench, request).await;
    follow.synced().await;

    let before = cluster.get(&configs("live", "a")).await;
    let created = cluster.config("live", "c", "").await;
    let patched = cluster
        .patch(&configs("live", "a"), json!({"data": {"key": "new"}}))
        .await;
    cluster.delete(&configs("live", "b")).await;
    cluster.delete(&configs("live", "c")).await;
    let again = cluster.config("live", "c", "").await;

    let events = follow.events(5).await;
    let told = [
        "ADDED c LIVE",
        "UPDATED a LIVE",
        "DELETED b LIVE",
        "DELETED c LIVE",
        "ADDED c LIVE",
    ];
    assert_eq!(briefs(&events), told);
    let body = |i: usize| -> Value {
        let payload = events[i].object.as_ref().expect("a body");
        serde_json::from_slice(&payload.data).expect("JSON")
    };
    assert_eq!(body(0), kept(created, "v1", "ConfigMap"));
    assert_eq!(body(1), kept(patched, "v1", "ConfigMap"));
    assert_eq!(body(2)["data"]["key"], "b", "the last known state");
    assert_eq!(body(4), kept(again, "v1", "ConfigMap"));
    let old = events[1].old_object.as_ref().expect("the old object");
    assert_eq!(
        serde_json::from_slice::<Value>(&old.data).expect("JSON"),
        kept(before, "v1", "ConfigMap")
    );
    // Each change is one revision, and each has a version of its own.
    let revisions: Vec<u64> = events.iter().map(|e| e.revision).collect();
    assert_eq!(revisions, (revisions[0]..revisions[0] + 5).collect::<Vec<_>>());
    let versions: Vec<u64> = events
        .iter()
        .map(|e| e.resource_version.parse().expect("a number"))
        .collect();
    assert!(versions.is_sorted_by(|a, b| a < b), "{versions:?}");
    bench.stop().await;
}

pub(crate) async fn finalizers_show_as_an_update_before_the_deletion(kind: Kind) {
    let cluster = Backend::shared(kind).await;
    cluster.namespace("final").await;
    cluster.config("final", "a", "").await;
    let bench = cluster.sidecar(ReflectorConfig::default()).await;
    let (mut follow, _) = Follow::open(&bench, watch_configs("final")).await;
    follow.synced().await;
    let finalizers = json!({"metadata": {"finalizers": ["example.org/hold"]}});
    cluster.patch(&configs("final", "a"), finalizers).await;
    cluster.delete(&configs("final", "a")).await;
    let events = follow.events(2).await;
    assert_eq!(briefs(&events), ["UPDATED a LIVE", "UPDATED a LIVE"]);
    let deleting: Vec<_> = events
        .iter()
        .map(|e| e.r#ref.as_ref().is_some_and(|r| r.deletion_timestamp_set))
        .collect();
    assert_eq!(deleting, [false, true]);
    assert_eq!(
        list(&bench, resource("configmaps"), within("final")).await.len(),
        1,
        "it is still there"
    );
    cluster
        .patch(&configs("final", "a"), json!({"metadata": {"finalizers": null}}))
        .await;
    assert_eq!(briefs(&follow.events(1).await), ["DELETED a LIVE"]);
    assert!(list(&bench, resource("configmaps"), within("final")).await.is_empty());
    bench.stop().await;
}

pub(crate) async fn a_cluster_scoped_resource_has_no_namespaces(kind: Kind) {
    let cluster = Backend::shared(kind).await;
    let node = |name: &str| json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": name, "labels": {"row": "scope"}}});
    for name in ["scope-2", "scope-1"] {
        cluster.create("/api/v1/nodes", node(name)).await;
    }
    let bench = cluster.sidecar(ReflectorConfig::default()).await;
    let filter = Some(Filter {
        label_selector: "row=scope".into(),
        // Means nothing here, as with kubectl.
        namespaces: vec!["default".into()],
        ..Filter::default()
    });
    let request = WatchRequest {
        informer: resource("node"),
        filter: filter.clone(),
        ..WatchRequest::default()
    };
    let (mut follow, _) = Follow::open(&bench, request).await;
    let (events, _) = follow.synced().await;
    assert_eq!(briefs(&events), ["ADDED scope-1 INITIAL", "ADDED scope-2 INITIAL"]);
    assert!(follow.view.keys().all(|(namespace, _)| namespace.is_empty()));
    let truth = cluster.get("/api/v1/nodes?labelSelector=row%3Dscope").await;
    assert_eq!(
        list(&bench, resource("nodes"), filter).await,
        items(truth, "v1", "Node")
    );
    cluster
        .patch("/api/v1/nodes/scope-1", json!({"metadata": {"labels": {"row": null}}}))
        .await;
    cluster.delete("/api/v1/nodes/scope-2").await;
    assert_eq!(
        briefs(&follow.events(2).await),
        ["DELETED scope-1 SELECTOR", "DELETED scope-2 LIVE"]
    );
    bench.stop().await;
}

pub(crate) async fn custom_resources_are_cached_under_all_their_names(kind: Kind) {
    let cluster = Backend::shared(kind).await;
    cluster.namespace("custom").await;
    let bench = cluster.sidecar(ReflectorConfig::default()).await;
    // Asked for before it exists: the name must not stay unknown.
    let unknown = ListObjectsRequest {
        informer: resource("widgets.informerd.test"),
        ..ListObjectsRequest::default()
    };
    let refused = bench
        .cache()
        .list_objects(unknown)
        .await
        .expect_err("no such resource yet");
    assert_eq!(refused.code(), Code::NotFound, "{refused}");
    let workload = Workload::new(cluster.client.clone(), 1);
    workload.create_crd().await;
    workload.create_widgets("custom", 5).await;
    let path = "/apis/informerd.test/v1/namespaces/custom/widgets";
    for name in [
        "widgets",
        "widget",
        "wd",
        "Widget",
        "widgets.informerd.test",
        "widgets.v1.informerd.test",
    ] {
        // Discovery may have been asked just before the resource came.
        let found = eventually(name, || async {
            let request = ListObjectsRequest {
                informer: resource(name),
                read: patient(None),
                ..ListObjectsRequest::default()
            };
            bench.cache().list_objects(request).await.ok()
        });
        found.await;
        let truth = items(cluster.get(path).await, "informerd.test/v1", "Widget");
        assert_eq!(truth.len(), 5);
        assert_eq!(list(&bench, resource(name), within("custom")).await, truth, "{name}");
    }
    let truth = cluster.get(&path.replace("/v1/", "/v1alpha1/")).await;
    let found = list(&bench, resource("widgets.v1alpha1.informerd.test"), within("custom")).await;
    assert_eq!(
        found,
        items(truth, "informerd.test/v1alpha1", "Widget"),
        "the version asked for"
    );

    let request = WatchRequest {
        informer: resource("wd"),
        filter: within("custom"),
        ..WatchRequest::default()
    };
    let (mut follow, _) = Follow::open(&bench, request).await;
    follow.synced().await;
    cluster
        .patch(&format!("{path}/widget-0001"), json!({"spec": {"size": 100}}))
        .await;
    cluster.delete(&format!("{path}/widget-0002")).await;
    let told = ["UPDATED widget-0001 LIVE", "DELETED widget-0002 LIVE"];
    assert_eq!(briefs(&follow.events(2).await), told);
    bench.stop().await;
}
