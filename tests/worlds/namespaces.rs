//! Namespaces by list and by label (cases 25, 31 and 32).

use std::collections::BTreeSet;

use informerd::{
    informer::FactoryOptions,
    proto::v1alpha1::{Filter, InformerSpec, ResourceRef, UpstreamState, WatchRequest},
};
use serde_json::{Value, json};
use tonic::Code;

use super::{
    sidecar::{Bench, named, resource},
    view::{View, becomes, create, get, state, update},
    world::{Kind, World},
};

pub(crate) fn within(namespaces: &[&str]) -> Option<Filter> {
    Some(Filter {
        namespaces: namespaces.iter().map(|n| (*n).to_owned()).collect(),
        ..Filter::default()
    })
}

pub(crate) fn configs(selector: &str, namespaces: &[&str]) -> InformerSpec {
    InformerSpec {
        resource: Some(ResourceRef {
            resource: "configmaps".into(),
            ..ResourceRef::default()
        }),
        namespaces: namespaces.iter().map(|n| (*n).to_owned()).collect(),
        namespace_selector: selector.into(),
        // The real cluster puts one ConfigMap into every namespace.
        field_selector: "metadata.name!=kube-root-ca.crt".into(),
        ..InformerSpec::default()
    }
}

pub(crate) async fn watch(bench: &Bench, name: &str) -> View {
    let request = WatchRequest {
        informer: named(name),
        ..WatchRequest::default()
    };
    View::open(bench, request).await
}

pub(crate) async fn case_31_namespaces_by_label_come_and_go(kind: Kind) {
    let world = World::new(kind).await;
    let (one, two, three) = ("label-1", "label-2", "label-3");
    world.namespace(one, json!({"team": "label-red"})).await;
    world.namespace(two, json!({"team": "label-blue"})).await;
    for namespace in [one, two] {
        world.config(namespace, "first").await;
    }
    let bench = world.sidecar(FactoryOptions::default()).await;
    let name = create(&bench, configs("team=label-red", &[])).await;
    let mut view = watch(&bench, &name).await;
    view.holds(&["label-1/first"]).await;
    assert_eq!(view.told(), ["ADDED/INITIAL label-1/first"]);
    world.label(two, json!({"team": "label-red"})).await;
    view.holds(&["label-1/first", "label-2/first"]).await;
    assert_eq!(view.told(), ["ADDED/SELECTOR label-2/first"]);
    world.config(two, "second").await;
    view.until("live", |v| v.keys().contains(&"label-2/second")).await;
    assert_eq!(view.told(), ["ADDED/LIVE label-2/second"]);
    world.label(one, json!({"team": null})).await;
    view.holds(&["label-2/first", "label-2/second"]).await;
    assert_eq!(view.told(), ["DELETED/SELECTOR label-1/first"]);
    // A namespace that is new has its label from the start.
    world.namespace(three, json!({"team": "label-red"})).await;
    world.config(three, "first").await;
    view.holds(&["label-2/first", "label-2/second", "label-3/first"]).await;
    let shown = get(&bench, &name).await;
    let scopes: Vec<_> = shown.reflectors.iter().map(|r| r.namespace.as_str()).collect();
    assert_eq!(scopes, [two, three]);
    assert_eq!(
        shown.spec.as_ref().map(|s| s.namespace_selector.as_str()),
        Some("team=label-red")
    );
    // A question about another namespace is refused: an empty answer would be a lie.
    let outside = WatchRequest {
        informer: named(&name),
        filter: within(&[one]),
        ..WatchRequest::default()
    };
    let refused = bench
        .subscriptions()
        .watch(outside)
        .await
        .map(|_| ())
        .expect_err("outside");
    assert_eq!(refused.code(), Code::InvalidArgument, "{refused:?}");
    bench.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn case_31_a_deleted_namespace_takes_its_objects_along() {
    let world = World::new(Kind::Sim).await;
    for namespace in ["keeps", "goes"] {
        world.namespace(namespace, json!({"team": "red"})).await;
        world.config(namespace, "x").await;
    }
    let bench = world.sidecar(FactoryOptions::default()).await;
    let name = create(&bench, configs("team", &[])).await;
    let mut view = watch(&bench, &name).await;
    view.holds(&["goes/x", "keeps/x"]).await;
    world.delete("/api/v1/namespaces/goes").await;
    view.holds(&["keeps/x"]).await;
    becomes(&bench, &name, "one scope", |i| i.reflectors.len() == 1).await;
    bench.stop().await;
}

pub(crate) async fn case_31_update_informer_moves_the_namespaces_of_an_open_watch(kind: Kind) {
    let world = World::new(kind).await;
    for namespace in ["update-1", "update-2", "update-3"] {
        world.namespace(namespace, json!({"update": "yes"})).await;
        world.config(namespace, "x").await;
    }
    let bench = world.sidecar(FactoryOptions::default()).await;
    let name = create(&bench, configs("", &["update-1", "update-2"])).await;
    let mut view = watch(&bench, &name).await;
    view.holds(&["update-1/x", "update-2/x"]).await;
    view.told();
    update(&bench, &name, configs("", &["update-2", "update-3"]), &["namespaces"]).await;
    view.holds(&["update-2/x", "update-3/x"]).await;
    assert_eq!(
        view.told(),
        ["DELETED/SELECTOR update-1/x", "ADDED/SELECTOR update-3/x"]
    );
    let both = ["namespaces", "namespace_selector"];
    update(&bench, &name, configs("update=yes", &[]), &both).await;
    view.holds(&["update-1/x", "update-2/x", "update-3/x"]).await;
    assert_eq!(view.told(), ["ADDED/SELECTOR update-1/x"], "what stays is not touched");
    let shown = get(&bench, &name).await;
    assert!(shown.status.is_some_and(|s| s.synced));
    bench.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn case_25_with_a_namespace_list_every_kind_is_asked_for_in_these_alone() {
    let world = World::new(Kind::Sim).await;
    for namespace in ["mine", "yours", "others"] {
        world.namespace(namespace, json!({})).await;
        world.config(namespace, "x").await;
    }
    let options = FactoryOptions {
        namespaces: vec!["mine".into(), "yours".into()],
        ..FactoryOptions::default()
    };
    let bench = world.sidecar(options).await;
    let kinds = [
        "configmaps",
        "secrets",
        "pods",
        "deployments.apps",
        "serviceaccounts",
        "nodes",
    ];
    let mut views = Vec::new();
    for kind in kinds {
        let request = WatchRequest {
            informer: resource(kind),
            ..WatchRequest::default()
        };
        let mut view = View::open(&bench, request).await;
        view.until(kind, |v| v.synced).await;
        views.push(view);
    }
    assert_eq!(views[0].keys(), ["mine/x", "yours/x"]);
    for view in &mut views[..1] {
        world.config("mine", "y").await;
        view.holds(&["mine/x", "mine/y", "yours/x"]).await;
    }
    let asked = world.asked();
    for kind in kinds {
        let plural = kind.split('.').next().unwrap_or(kind);
        let paths: BTreeSet<_> = asked
            .iter()
            .filter(|r| r.resource.as_deref() == Some(plural))
            .map(|r| r.path.as_str())
            .collect();
        let wanted: Vec<_> = if kind == "nodes" {
            vec!["/api/v1/nodes".to_owned()]
        } else {
            let group = if kind.contains('.') { "apis/apps" } else { "api" };
            ["mine", "yours"]
                .map(|ns| format!("/{group}/v1/namespaces/{ns}/{plural}"))
                .into()
        };
        assert_eq!(paths.into_iter().collect::<Vec<_>>(), wanted, "{kind}");
    }
    bench.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn case_32_two_subscriptions_of_a_kind_are_disjoint_over_one_upstream_watch() {
    let world = World::new(Kind::Sim).await;
    for namespace in ["left", "right"] {
        world.namespace(namespace, json!({})).await;
    }
    let config = async |namespace: &str, name: &str, tier: &str| {
        let object = json!({
            "apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name, "labels": {"tier": tier}}, "data": {},
        });
        world
            .post(&format!("/api/v1/namespaces/{namespace}/configmaps"), object)
            .await;
    };
    for (namespace, name, tier) in [
        ("left", "a", "web"),
        ("left", "b", "db"),
        ("right", "a", "web"),
        ("right", "b", "db"),
    ] {
        config(namespace, name, tier).await;
    }
    let bench = world.sidecar(FactoryOptions::default()).await;
    world.sim().clear_request_log();
    let open = async |namespace: &str, labels: &str| {
        let filter = Filter {
            label_selector: labels.into(),
            ..within(&[namespace]).expect("a filter")
        };
        let request = WatchRequest {
            informer: resource("configmaps"),
            filter: Some(filter),
            ..WatchRequest::default()
        };
        View::open(&bench, request).await
    };
    let (mut left, mut right) = (open("left", "tier=web").await, open("right", "tier=db").await);
    left.holds(&["left/a"]).await;
    right.holds(&["right/b"]).await;
    config("left", "c", "web").await;
    config("right", "c", "web").await;
    config("right", "d", "db").await;
    left.holds(&["left/a", "left/c"]).await;
    right.holds(&["right/b", "right/d"]).await;
    // Watches end and are opened again, but never two beside each other: one informer, one reflector.
    let name = "informers/configmaps";
    let shown = get(&bench, name).await;
    assert_eq!((shown.reflectors.len(), shown.list_count, shown.watch_count), (1, 1, 2));
    let paths: BTreeSet<_> = world.asked().into_iter().map(|r| r.path).collect();
    assert_eq!(paths.into_iter().collect::<Vec<_>>(), ["/api/v1/configmaps"]);
    bench.stop().await;
}

/// A small generator, so that a failing run can be repeated by its seed.
struct Chance(u64);

// === impl Chance ===

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn case_31_labels_that_flip_under_churn_lose_and_double_nothing() {
    const SEED: u64 = 31;
    let world = World::new(Kind::Sim).await;
    let namespaces: Vec<_> = (0..5).map(|n| format!("flip-{n}")).collect();
    for namespace in &namespaces {
        world.namespace(namespace, json!({"on": "yes"})).await;
    }
    let bench = world.sidecar(FactoryOptions::default()).await;
    let name = create(&bench, configs("on=yes", &[])).await;
    let mut view = watch(&bench, &name).await;
    view.until("synced", |v| v.synced).await;
    let mut chance = Chance(SEED);
    let sim = world.sim();
    for round in 0..30 {
        for _ in 0..20 {
            let namespace = &namespaces[chance.below(namespaces.len())];
            let object = format!("o{}", chance.below(6));
            if chance.below(4) == 0 {
                // It may be gone already.
                let _ = sim.delete("configmaps", Some(namespace), &object);
            } else {
                let data = chance.below(1000).to_string();
                let object = json!({
                    "apiVersion": "v1", "kind": "ConfigMap",
                    "metadata": {"name": object, "namespace": namespace}, "data": {"n": data},
                });
                sim.apply(object).expect("applied");
            }
            if chance.below(5) == 0 {
                let on = if chance.below(2) == 0 { "yes" } else { "no" };
                let patch = json!({"metadata": {"labels": {"on": on}}});
                sim.patch_merge("namespaces", None, namespace, patch).expect("patched");
            }
        }
        // Some rounds run into each other, some are waited for.
        if round % 3 == 0 {
            let truth = truth(&world);
            view.until(&format!("round {round}, seed {SEED}: {truth:?}"), |v| held(v) == truth)
                .await;
        }
    }
    let truth = truth(&world);
    view.until(&format!("the end, seed {SEED}: {truth:?}"), |v| held(v) == truth)
        .await;
    let checks = view.checks;
    view.until("a marker at the end", |v| v.checks > checks).await;
    let shown = becomes(&bench, &name, "WATCHING", |i| state(i) == UpstreamState::Watching).await;
    assert!(shown.status.is_some_and(|s| s.synced));
    assert_eq!(shown.restart_count, 0);
    bench.stop().await;
}

/// Versions by key, in the namespaces that have the label.
fn truth(world: &World) -> Vec<(String, String)> {
    let text = |o: &Value, field: &str| o["metadata"][field].as_str().unwrap_or_default().to_owned();
    let namespaces = world.sim().list("namespaces").expect("a list");
    let on: Vec<_> = namespaces
        .iter()
        .filter(|n| n["metadata"]["labels"]["on"] == "yes")
        .map(|n| text(n, "name"))
        .collect();
    let objects = world.sim().list("configmaps").expect("a list");
    objects
        .iter()
        .filter(|o| on.contains(&text(o, "namespace")))
        .map(|o| {
            (
                format!("{}/{}", text(o, "namespace"), text(o, "name")),
                text(o, "resourceVersion"),
            )
        })
        .collect()
}

fn held(view: &View) -> Vec<(String, String)> {
    let held = view.held.iter();
    held.map(|(key, (o, _))| (key.clone(), o.resource_version.clone()))
        .collect()
}
