//! CustomResourceDefinitions that come late, go, come back, and change (cases 28 and 30).

use informerd::{
    informer::FactoryOptions,
    proto::v1alpha1::{
        GetObjectRequest, InformerSelector, InformerSpec, ListInformersRequest, ObjectKey, ReadOptions, ResourceRef,
        UpstreamState, WaitForCacheSyncRequest, WatchRequest, informer_selector::By,
    },
};
use serde_json::json;
use support::Sidecar;
use tonic::Code;

use super::{
    sidecar::{named, resource},
    view::{View, becomes, create, get, state, trouble},
    world::{Kind, World},
};

const INFORMERD: &str = env!("CARGO_BIN_EXE_informerd");

fn widgets(group: &str, version: &str) -> InformerSpec {
    InformerSpec {
        resource: Some(ResourceRef {
            group: group.into(),
            version: version.into(),
            resource: "widgets".into(),
        }),
        ..InformerSpec::default()
    }
}

fn watch(name: &str) -> WatchRequest {
    WatchRequest {
        informer: named(name),
        ..WatchRequest::default()
    }
}

pub(crate) async fn case_28_a_crd_that_does_not_exist_yet_is_waited_for_and_disturbs_nobody(kind: Kind) {
    let world = World::new(kind).await;
    let group = "late.informerd.test";
    world.namespace("late", json!({})).await;
    let bench = world.sidecar(FactoryOptions::default()).await;
    let name = create(&bench, widgets(group, "")).await;
    let waiting = becomes(&bench, &name, "WAITING", |i| state(i) == UpstreamState::Waiting).await;
    assert!(trouble(&waiting).contains(&format!("widgets.{group}")), "{waiting:?}");
    let listed = bench.informers().list_informers(ListInformersRequest::default()).await;
    let listed = listed.expect("a list").into_inner().informers;
    assert_eq!(listed.iter().map(|i| &i.name).collect::<Vec<_>>(), [&name]);
    // Readiness names it.
    let look = WaitForCacheSyncRequest {
        names: Vec::new(),
        timeout: Some(prost_types::Duration::default()),
    };
    let unready = bench
        .informers()
        .wait_for_cache_sync(look)
        .await
        .expect_err("not ready");
    assert!(unready.message().contains(group), "{unready:?}");
    // Two watches wait: one of the informer, one that names the resource in full and finds the same.
    let mut view = View::open(&bench, watch(&name)).await;
    let full = By::Resource(widgets(group, "v1").resource.expect("a resource"));
    let mut second = View::open(
        &bench,
        WatchRequest {
            informer: Some(InformerSelector { by: Some(full) }),
            ..WatchRequest::default()
        },
    )
    .await;
    // A slip is told at once, and so is a read of what is not there.
    let read = |resource| GetObjectRequest {
        informer: resource,
        key: Some(ObjectKey {
            namespace: "late".into(),
            name: "w".into(),
        }),
        read: Some(ReadOptions {
            freshness_timeout: Some(prost_types::Duration { seconds: 1, nanos: 0 }),
            ..ReadOptions::default()
        }),
        ..GetObjectRequest::default()
    };
    let slip = bench
        .cache()
        .get_object(read(resource("wigdets")))
        .await
        .expect_err("a slip");
    assert_eq!(slip.code(), Code::NotFound, "{slip:?}");
    let early = bench.cache().get_object(read(named(&name))).await.expect_err("early");
    assert_eq!(early.code(), Code::Unavailable, "{early:?}");
    // Others are served meanwhile.
    world.config("late", "other").await;
    let mut others = View::open(
        &bench,
        WatchRequest {
            informer: resource("configmaps"),
            filter: super::namespaces::within(&["late"]),
            ..WatchRequest::default()
        },
    )
    .await;
    others.until("another kind", |v| v.keys().contains(&"late/other")).await;

    world.define(group, &[("v1", true, true)]).await;
    world.widget(group, "v1", "late", "w", json!({"size": 1})).await;
    view.holds(&["late/w"]).await;
    second.holds(&["late/w"]).await;
    let served = becomes(&bench, &name, "WATCHING", |i| state(i) == UpstreamState::Watching).await;
    assert_eq!((served.kind.as_str(), served.restart_count), ("Widget", 0));
    assert_eq!(served.spec.and_then(|s| s.resource).expect("a resource").version, "v1");
    bench.cache().get_object(read(named(&name))).await.expect("served");
    bench.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn case_28_serve_resource_waits_for_a_crd_and_status_says_so() {
    let world = World::new(Kind::Sim).await;
    let group = "asked.informerd.test";
    let sidecar = Sidecar::start(
        INFORMERD,
        world.kubeconfig(),
        &["--resource", &format!("pods,widgets.{group}")],
    );
    let line = |text: &str| {
        let line = text.lines().find(|l| l.starts_with("widgets"));
        line.unwrap_or_default()
            .split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    support::until("WAITING", || {
        line(&sidecar.run(&["status"]))
            .contains(&"WAITING".to_owned())
            .then_some(())
    });
    let unready = sidecar.try_run(&["status", "--wait-synced", "0s"]);
    assert!(!unready.status.success());
    let said = String::from_utf8_lossy(&unready.stderr).into_owned();
    assert!(said.contains(&format!("widgets.{group}")), "{said}");
    world.define(group, &[("v1", true, true)]).await;
    support::until("WATCHING", || {
        line(&sidecar.run(&["status"]))
            .contains(&"WATCHING".to_owned())
            .then_some(())
    });
    sidecar.run(&["status", "--wait-synced", "10s"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn case_28_any_number_of_waiting_informers_share_one_look() {
    let world = World::new(Kind::Sim).await;
    let bench = world.sidecar(FactoryOptions::default()).await;
    for n in 0..20 {
        create(&bench, widgets(&format!("g{n}.informerd.test"), "")).await;
    }
    let sim = world.sim();
    let looks = |log: &[informerd::sim::LoggedRequest]| log.iter().filter(|r| r.path == "/apis").count();
    sim.clear_request_log();
    sim.wait_for_requests(|log| looks(log) >= 2).await;
    world.define("g7.informerd.test", &[("v1", true, true)]).await;
    becomes(&bench, "informers/widgets.g7.informerd.test", "served", |i| {
        i.kind == "Widget"
    })
    .await;
    // Twenty that looked by themselves would have made twenty times as many.
    let log = sim.request_log();
    assert!(looks(&log) <= 4, "{}", looks(&log));
    bench.stop().await;
}

pub(crate) async fn case_30_a_crd_deleted_and_created_again_needs_no_restart(kind: Kind) {
    let world = World::new(kind).await;
    let group = "again.informerd.test";
    world.namespace("again", json!({})).await;
    world.define(group, &[("v1", true, true)]).await;
    world.widget(group, "v1", "again", "w", json!({"size": 1})).await;
    let bench = world.sidecar(FactoryOptions::default()).await;
    let name = create(&bench, widgets(group, "v1")).await;
    let mut view = View::open(&bench, watch(&name)).await;
    view.holds(&["again/w"]).await;
    let uid = view.held["again/w"].0.uid.clone();
    world.undefine(group).await;
    let gone = becomes(&bench, &name, "GONE", |i| state(i) == UpstreamState::Gone).await;
    assert!(gone.status.as_ref().is_some_and(|s| s.synced), "{gone:?}");
    // A read still answers from what is there, and says what it is worth.
    let count = informerd::proto::v1alpha1::CountObjectsRequest {
        informer: named(&name),
        ..Default::default()
    };
    let counted = bench
        .cache()
        .count_objects(count)
        .await
        .expect("an answer")
        .into_inner();
    let status = counted.status.expect("a status");
    assert_eq!(status.upstream_state(), UpstreamState::Gone);
    assert!(!status.last_error.expect("why").message.is_empty());
    world.define(group, &[("v1", true, true)]).await;
    world.widget(group, "v1", "again", "w", json!({"size": 2})).await;
    view.until("the new object", |v| {
        v.held.get("again/w").is_some_and(|(o, _)| o.uid != uid)
    })
    .await;
    let told = view.told();
    assert_eq!(
        told.last().map(String::as_str),
        told.iter().rev().find(|t| t.starts_with("ADDED")).map(String::as_str)
    );
    assert!(told.iter().any(|t| t.starts_with("DELETED")), "{told:?}");
    let back = becomes(&bench, &name, "WATCHING", |i| state(i) == UpstreamState::Watching).await;
    assert_eq!((back.object_count, back.restart_count), (1, 0));
    bench.stop().await;
}

pub(crate) async fn case_30_a_version_that_is_no_longer_served(kind: Kind) {
    let world = World::new(kind).await;
    let group = "moves.informerd.test";
    world.namespace("moves", json!({})).await;
    world.define(group, &[("v1alpha1", true, true)]).await;
    world.widget(group, "v1alpha1", "moves", "w", json!({"size": 1})).await;
    let bench = world.sidecar(FactoryOptions::default()).await;
    let follows = create(&bench, widgets(group, "")).await;
    let pinned = create(
        &bench,
        InformerSpec {
            namespaces: vec!["moves".into()],
            ..widgets(group, "v1alpha1")
        },
    )
    .await;
    let mut view = View::open(&bench, watch(&follows)).await;
    view.holds(&["moves/w"]).await;
    let mut stays = View::open(&bench, watch(&pinned)).await;
    stays.holds(&["moves/w"]).await;
    let version = view.held["moves/w"].0.resource_version.clone();
    world
        .define(group, &[("v1", true, false), ("v1alpha1", false, true)])
        .await;
    let v1 = format!("\"{group}/v1\"");
    view.until("the new version", |v| {
        v.held.get("moves/w").is_some_and(|(_, body)| body.contains(&v1))
    })
    .await;
    // Nothing was written: the same state came in another version, as a change.
    assert_eq!(view.held["moves/w"].0.resource_version, version);
    assert_eq!(view.told().last().map(String::as_str), Some("UPDATED/REPLACED moves/w"));
    let moved = becomes(&bench, &follows, "WATCHING", |i| state(i) == UpstreamState::Watching).await;
    assert_eq!(moved.spec.and_then(|s| s.resource).expect("a resource").version, "v1");
    world.widget(group, "v1", "moves", "next", json!({})).await;
    view.holds(&["moves/next", "moves/w"]).await;
    // Who named the version is told which there are, and keeps what was there.
    let gone = becomes(&bench, &pinned, "named", |i| trouble(i).contains("it serves v1")).await;
    assert_eq!((state(&gone), gone.object_count), (UpstreamState::Gone, 1));
    assert!(trouble(&gone).contains("v1alpha1"), "{gone:?}");
    assert_eq!(stays.keys(), ["moves/w"]);
    world
        .define(group, &[("v1", true, false), ("v1alpha1", true, true)])
        .await;
    stays.holds(&["moves/next", "moves/w"]).await;
    assert_eq!(get(&bench, &pinned).await.restart_count, 0);
    bench.stop().await;
}

pub(crate) async fn case_30_a_changed_schema_and_unknown_fields_pass_unharmed(kind: Kind) {
    let world = World::new(kind).await;
    let group = "odd.informerd.test";
    world.namespace("odd", json!({})).await;
    world.define(group, &[("v1", true, true)]).await;
    world.widget(group, "v1", "odd", "a", json!({"size": 1})).await;
    let bench = world.sidecar(FactoryOptions::default()).await;
    let name = create(&bench, widgets(group, "v1")).await;
    let mut view = View::open(&bench, watch(&name)).await;
    view.holds(&["odd/a"]).await;
    // While it streams: the field has another type, and there are fields that nobody knows.
    let odd =
        json!({"size": "1", "big": 9_007_199_254_740_993_i64, "deep": [[{"x": null}], true, 1.5e-7], "ü\n": "\u{0}€"});
    world.widget(group, "v1", "odd", "b", odd.clone()).await;
    let path = format!("/apis/{group}/v1/namespaces/odd/widgets/a");
    world
        .patch(&path, json!({"spec": {"size": {"cm": 3}, "new": []}}))
        .await;
    // A version more is no concern of who watches this one.
    world.define(group, &[("v1", true, true), ("v2", true, false)]).await;
    world.widget(group, "v2", "odd", "c", json!({"size": 3})).await;
    view.until("all three", |v| {
        v.keys() == ["odd/a", "odd/b", "odd/c"] && v.held["odd/a"].1.contains("\"cm\"")
    })
    .await;
    let body: serde_json::Value = serde_json::from_str(&view.held["odd/b"].1).expect("JSON");
    assert_eq!(body["spec"], odd);
    let informer = get(&bench, &name).await;
    assert_eq!((informer.skipped_count, informer.restart_count), (0, 0));
    bench.stop().await;
}
