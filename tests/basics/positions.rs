//! Where the cache stands: broken connections, forgotten versions, bookmarks, writes, resumed watches.

use std::time::Duration;

use informerd::{
    proto::v1alpha1::{
        GetInformerRequest, GetObjectRequest, InformerSpec, ObjectKey, ResetReason, WaitForResourceVersionRequest,
        WatchMode, WatchRequest, read_options::Freshness,
    },
    reflector::ReflectorConfig,
};
use serde_json::{Value, json};
use tonic::Code;

use super::{
    backend::{Backend, Kind, configs, version},
    follow::{Follow, briefs},
    requests::{duration, informer, kept, patient, reference, watch_configs},
    sidecar::{Bench, named, resource},
};

pub(crate) async fn a_broken_connection_costs_no_list_and_loses_nothing(kind: Kind) {
    let cluster = Backend::shared(kind).await;
    cluster.namespace("cut").await;
    cluster.config("cut", "a", "").await;
    let bench = cluster.sidecar(ReflectorConfig::default()).await;
    let (mut follow, created) = Follow::open(&bench, watch_configs("cut")).await;
    follow.synced().await;
    let informer = created.status.expect("a status").informer;
    let lists = lists(&bench, &informer).await;
    for round in 0..3 {
        cluster.cut_off();
        cluster.config("cut", &format!("new-{round}"), "").await;
        cluster
            .patch(&configs("cut", "a"), json!({"data": {"round": round.to_string()}}))
            .await;
        cluster.delete(&configs("cut", &format!("new-{round}"))).await;
        cluster.reconnect();
        let told = [
            format!("ADDED new-{round} LIVE"),
            "UPDATED a LIVE".into(),
            format!("DELETED new-{round} LIVE"),
        ];
        assert_eq!(briefs(&follow.events(3).await), told);
    }
    assert_eq!(self::lists(&bench, &informer).await, lists);
    bench.stop().await;
}

async fn lists(bench: &Bench, informer: &str) -> u64 {
    let request = GetInformerRequest { name: informer.into() };
    let informer = bench.informers().get_informer(request).await.expect("the informer");
    informer.into_inner().informer.expect("the informer").list_count
}

pub(crate) async fn after_410_one_list_brings_exactly_the_differences(kind: Kind) {
    let cluster = Backend::own(kind).await;
    cluster.namespace("gone").await;
    for name in ["changes", "goes", "recreated", "stays"] {
        cluster.config("gone", name, "").await;
    }
    let bench = cluster.sidecar(ReflectorConfig::default()).await;
    let (mut follow, created) = Follow::open(&bench, watch_configs("gone")).await;
    follow.synced().await;
    let informer = created.status.expect("a status").informer;
    let lists = lists(&bench, &informer).await;

    cluster.cut_off();
    cluster.config("gone", "comes", "").await;
    cluster
        .patch(&configs("gone", "changes"), json!({"data": {"key": "new"}}))
        .await;
    cluster.delete(&configs("gone", "goes")).await;
    cluster.delete(&configs("gone", "recreated")).await;
    cluster.config("gone", "recreated", "").await;
    cluster.forget_history();
    cluster.reconnect();

    let events = follow.events(5).await;
    let mut told = briefs(&events);
    assert!(
        told[0].starts_with("DELETED"),
        "a relist tells deletions first: {told:?}"
    );
    told.sort();
    let expected = [
        "ADDED comes REPLACED",
        "ADDED recreated REPLACED recreated",
        "DELETED goes REPLACED unknown",
        "DELETED recreated REPLACED unknown recreated",
        "UPDATED changes REPLACED",
    ];
    assert_eq!(told, expected);
    let revisions: Vec<_> = events.iter().map(|e| e.revision).collect();
    assert!(
        revisions.iter().all(|r| *r == revisions[0]),
        "one relist is one revision: {revisions:?}"
    );
    assert_eq!(self::lists(&bench, &informer).await, lists + 1);
    // And it goes on.
    cluster.config("gone", "later", "").await;
    assert_eq!(briefs(&follow.events(1).await), ["ADDED later LIVE"]);
    bench.stop().await;
}

pub(crate) async fn bookmarks_move_the_resource_version_without_changes(kind: Kind) {
    let cluster = Backend::shared(kind).await;
    for namespace in ["mark", "mark-elsewhere"] {
        cluster.namespace(namespace).await;
    }
    // kube-apiserver sends a bookmark each minute, and one shortly before a watch ends by its own timeout.
    let reflector = ReflectorConfig {
        watch_timeout: Duration::from_secs(4),
        ..ReflectorConfig::default()
    };
    let bench = cluster.sidecar(reflector).await;
    let spec = InformerSpec {
        resource: reference("configmaps"),
        namespaces: vec!["mark".into()],
        ..InformerSpec::default()
    };
    let name = informer(&bench, spec).await;
    let request = WatchRequest {
        informer: named(&name),
        bookmark_interval: duration(Duration::from_secs(1)),
        ..WatchRequest::default()
    };
    let (mut follow, _) = Follow::open(&bench, request).await;
    follow.synced().await;
    // The informer's selector hides this one.
    let hidden = version(&cluster.config("mark-elsewhere", "hidden", "").await);
    let number = |text: &str| text.parse::<u64>().unwrap_or(0);
    let reached = follow
        .bookmark(|b| {
            b.status
                .as_ref()
                .is_some_and(|s| number(&s.resource_version) >= number(&hidden))
        })
        .await;
    assert_eq!(reached.object_count, 0);
    let request = WaitForResourceVersionRequest {
        informer: named(&name),
        resource_version: hidden,
        timeout: None,
    };
    bench.cache().wait_for_resource_version(request).await.expect("reached");
    bench.stop().await;
}

pub(crate) async fn a_write_can_be_waited_for(kind: Kind) {
    let cluster = Backend::shared(kind).await;
    cluster.namespace("wait").await;
    let bench = cluster.sidecar(ReflectorConfig::default()).await;
    let get = |min: Freshness| GetObjectRequest {
        informer: resource("configmaps"),
        key: Some(ObjectKey {
            namespace: "wait".into(),
            name: "a".into(),
        }),
        read: patient(Some(min)),
        ..GetObjectRequest::default()
    };
    cluster.config("wait", "a", "").await;
    for round in 0..5 {
        let data = json!({"data": {"round": round.to_string()}});
        let written = cluster.patch(&configs("wait", "a"), data).await;
        let freshness = Freshness::MinResourceVersion(version(&written));
        let reply = bench
            .cache()
            .get_object(get(freshness))
            .await
            .expect("the object")
            .into_inner();
        let object = reply.object.expect("the object");
        let body = object.object.expect("a body").data;
        let body: Value = serde_json::from_slice(&body).expect("JSON");
        assert_eq!(body, kept(written, "v1", "ConfigMap"));
    }
    // A version that nobody has written does not come by waiting.
    let request = WaitForResourceVersionRequest {
        informer: resource("configmaps"),
        resource_version: "9000000000000000000".into(),
        timeout: duration(Duration::from_millis(200)),
    };
    let refused = bench
        .cache()
        .wait_for_resource_version(request)
        .await
        .expect_err("the future");
    assert_eq!(refused.code(), Code::Unavailable, "{refused}");
    bench.stop().await;
}

pub(crate) async fn a_resumed_watch_brings_what_was_missed_or_says_reset(kind: Kind) {
    let cluster = Backend::shared(kind).await;
    cluster.namespace("resume").await;
    for name in ["a", "b", "c"] {
        cluster.config("resume", name, "").await;
    }
    let bench = cluster.sidecar(ReflectorConfig::default()).await;
    let (mut follow, _) = Follow::open(&bench, watch_configs("resume")).await;
    follow.synced().await;
    cluster.config("resume", "d", "").await;
    follow.events(1).await;

    // While nobody watches:
    cluster
        .patch(&configs("resume", "a"), json!({"data": {"key": "new"}}))
        .await;
    cluster.delete(&configs("resume", "b")).await;
    let last = cluster.config("resume", "e", "").await;
    let request = WaitForResourceVersionRequest {
        informer: resource("configmaps"),
        resource_version: version(&last),
        timeout: duration(Duration::from_secs(60)),
    };
    bench
        .cache()
        .wait_for_resource_version(request)
        .await
        .expect("the writes arrive");
    let (mut follow, created) = follow.resume(&bench, watch_configs("resume")).await;
    assert_eq!(created.mode(), WatchMode::Replay);
    let (missed, _) = follow.synced().await;
    assert_eq!(briefs(&missed), ["UPDATED a LIVE", "DELETED b LIVE", "ADDED e LIVE"]);
    // A view that is up to date misses nothing.
    let (mut follow, created) = follow.resume(&bench, watch_configs("resume")).await;
    assert_eq!(created.mode(), WatchMode::Replay);
    assert!(follow.synced().await.0.is_empty());

    let other = cluster.sidecar(ReflectorConfig::default()).await;
    let (mut follow, created) = follow.resume(&other, watch_configs("resume")).await;
    assert_eq!(created.mode(), WatchMode::Snapshot);
    assert_eq!(follow.reset().await, i32::from(ResetReason::EpochChanged));
    follow.synced().await;
    assert_eq!(follow.names(), ["a", "c", "d", "e"]);
    bench.stop().await;
    other.stop().await;
}
