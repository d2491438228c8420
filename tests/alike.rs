//! The simulated cluster and a real kube-apiserver, asked the same: the raw answers must be alike to the letter, apart from
//! what no two runs share.
//!
//! ```text
//!   script ──plain HTTP──▶ sim, real ──▶ transcript ──▶ versions, uids, times, names of clients made equal ──▶ compared
//! ```

#[path = "alike/transcript.rs"]
mod transcript;

use informerd::sim::Sim;
use kube::Client;
use serde_json::{Value, json};
use support::{ControlPlane, Options};
use transcript::{Ask, Transcript};

const CONFIGS: &str = "/api/v1/namespaces/alike/configmaps";
const WIDGETS: &str = "/apis/informerd.test/v1/namespaces/alike/widgets";

fn config(name: &str, tier: &str) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"name": name, "labels": {"tier": tier}},
        "data": {"key": name},
    })
}

fn widget(name: &str) -> Value {
    json!({
        "apiVersion": "informerd.test/v1",
        "kind": "Widget",
        "metadata": {"name": name},
        "spec": {"size": 1},
    })
}

fn widget_definition() -> Value {
    let schema = json!({"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}});
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.informerd.test"},
        "spec": {
            "group": "informerd.test",
            "scope": "Namespaced",
            "names": {"plural": "widgets", "singular": "widget", "kind": "Widget", "shortNames": ["wd"]},
            "versions": [{"name": "v1", "served": true, "storage": true, "schema": schema}],
        },
    })
}

async fn client(kubeconfig: &std::path::Path) -> Client {
    let kubeconfig = kube::config::Kubeconfig::read_from(kubeconfig).expect("read the kubeconfig");
    let config = kube::Config::from_custom_kubeconfig(kubeconfig, &Default::default()).await;
    let mut config = config.expect("use the kubeconfig");
    // A refusal is what is asked for here.
    config.default_retry = false;
    Client::try_from(config).expect("a client")
}

/// Everything that the sidecar relies on, asked of one server; `forget` makes older versions unavailable to watches.
async fn script(client: Client, forget: impl AsyncFnOnce()) -> Transcript {
    let mut t = Transcript::new(client);
    let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "alike"}});
    // What the server adds to namespaces is none of the sidecar's concern.
    t.quietly(Ask::post("/api/v1/namespaces", namespace)).await;

    t.section("an empty list");
    let empty = t.ask(Ask::get(CONFIGS)).await;
    let start = version(&empty);

    t.section("create, read, change");
    for (name, tier) in [("b", "front"), ("a", "back"), ("c", "front")] {
        t.ask(Ask::post(CONFIGS, config(name, tier))).await;
    }
    t.ask(Ask::get(&format!("{CONFIGS}/a"))).await;
    t.ask(Ask::patch(
        &format!("{CONFIGS}/a"),
        json!({"metadata": {"labels": {"tier": "front"}}}),
    ))
    .await;
    t.ask(Ask::patch(
        &format!("{CONFIGS}/b"),
        json!({"metadata": {"labels": {"tier": "back"}}}),
    ))
    .await;
    let hold = json!({"metadata": {"finalizers": ["example.org/hold"]}});
    t.ask(Ask::patch(&format!("{CONFIGS}/c"), hold)).await;
    t.ask(Ask::delete(&format!("{CONFIGS}/c"))).await;
    t.ask(Ask::patch(
        &format!("{CONFIGS}/c"),
        json!({"metadata": {"finalizers": null}}),
    ))
    .await;
    t.ask(Ask::delete(&format!("{CONFIGS}/b"))).await;
    t.ask(Ask::post(CONFIGS, config("b", "front"))).await;

    t.section("lists: order, selectors, pages");
    let list = t.ask(Ask::get(CONFIGS)).await;
    let now = version(&list);
    t.ask(Ask::get(&format!("{CONFIGS}?labelSelector=tier%3Dfront"))).await;
    t.ask(Ask::get(&format!("{CONFIGS}?labelSelector=tier%20notin%20(front)")))
        .await;
    t.ask(Ask::get(&format!("{CONFIGS}?fieldSelector=metadata.name%3Db")))
        .await;
    t.ask(Ask::get(&format!("{CONFIGS}?resourceVersion=0"))).await;
    t.ask(Ask::get(&format!(
        "{CONFIGS}?resourceVersion={now}&resourceVersionMatch=NotOlderThan"
    )))
    .await;
    let page = t.ask(Ask::get(&format!("{CONFIGS}?limit=1"))).await;
    let next = page["metadata"]["continue"]
        .as_str()
        .expect("a continue token")
        .to_owned();
    let next = t.ask(Ask::get(&format!("{CONFIGS}?limit=1&continue={next}"))).await;
    assert_eq!(next["items"][0]["metadata"]["name"], "b");

    let exact = format!("resourceVersion={start}&resourceVersionMatch=Exact");
    t.ask(Ask::get(&format!("{CONFIGS}?{exact}"))).await;
    t.ask(Ask::get(&format!("{CONFIGS}?limit=1&resourceVersion={now}")))
        .await;

    t.section("watches from a version, with selectors and without");
    for (selector, events) in [
        ("", 10),
        ("&labelSelector=tier%3Dfront", 7),
        ("&fieldSelector=metadata.name%3Db", 4),
    ] {
        t.watch(
            &format!("{CONFIGS}?watch=true&resourceVersion={start}{selector}"),
            events,
        )
        .await;
    }
    t.watch(&format!("{CONFIGS}?watch=true&resourceVersion=0"), 2).await;
    t.watch(&format!("{CONFIGS}?watch=true"), 2).await;

    t.section("watch-lists, with the bookmark that ends the initial events");
    let initial = "watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
    t.watch(&format!("{CONFIGS}?{initial}"), 3).await;
    t.watch(&format!("{CONFIGS}?{initial}&labelSelector=tier%3Dnone"), 1)
        .await;
    t.watch(&format!("{CONFIGS}?{initial}&resourceVersion={now}"), 3).await;

    t.section("custom resources");
    t.quietly(Ask::post(
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        widget_definition(),
    ))
    .await;
    t.until_served(WIDGETS).await;
    for name in ["w2", "w1"] {
        t.ask(Ask::post(WIDGETS, widget(name))).await;
    }
    t.ask(Ask::get(WIDGETS)).await;
    t.ask(Ask::get(&format!("{WIDGETS}?limit=1"))).await;
    t.watch(&format!("{WIDGETS}?{initial}"), 3).await;
    t.ask(Ask::delete(&format!("{WIDGETS}/w1"))).await;

    t.section("refusals");
    t.ask(Ask::get(&format!("{CONFIGS}/none"))).await;
    t.ask(Ask::post(CONFIGS, config("a", "front"))).await;
    t.ask(Ask::get("/apis/none.example/v1/things")).await;
    t.ask(Ask::get("/api/v1/namespaces/alike/things")).await;
    t.ask(Ask::get(&format!("{CONFIGS}?labelSelector=tier%3D%3D%3D"))).await;
    t.ask(Ask::get(&format!("{CONFIGS}?fieldSelector=data.key%3Da"))).await;
    t.ask(Ask::get(&format!("{CONFIGS}?limit=1&continue=garbage"))).await;
    t.ask(Ask::get(&format!("{CONFIGS}?resourceVersion=garbage"))).await;
    t.ask(Ask::get(&format!(
        "{CONFIGS}?resourceVersion=900000000&resourceVersionMatch=NotOlderThan"
    )))
    .await;
    t.ask(Ask::get(&format!("{CONFIGS}?watch=true&sendInitialEvents=true")))
        .await;
    t.ask(Ask::get(&format!(
        "{CONFIGS}?watch=true&resourceVersionMatch=NotOlderThan"
    )))
    .await;

    for options in [
        "resourceVersionMatch=Exact".to_owned(),
        "resourceVersion=0&resourceVersionMatch=Exact".to_owned(),
        format!("resourceVersion={now}&resourceVersionMatch=Sometimes"),
    ] {
        t.ask(Ask::get(&format!("{CONFIGS}?{options}"))).await;
    }
    t.ask(Ask::get("/apis/informerd.test")).await;
    t.ask(Ask::get("/apis/informerd.test/v1")).await;
    t.ask(Ask::get("/apis/informerd.test/v2")).await;
    t.ask(Ask::get("/apis/none.example")).await;
    t.ask(Ask::get("/nonsense")).await;

    t.section("a watch from a version that is gone");
    forget().await;
    t.watch(&format!("{CONFIGS}?watch=true&resourceVersion={start}"), 1)
        .await;
    t
}

fn version(object: &Value) -> String {
    object["metadata"]["resourceVersion"]
        .as_str()
        .expect("a version")
        .to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_simulated_cluster_answers_as_the_real_one_does() {
    let dir = tempfile::tempdir().expect("a directory");
    let sim = Sim::builder().start().await.expect("a simulated cluster");
    let kubeconfig = dir.path().join("kubeconfig");
    sim.write_kubeconfig(&kubeconfig).expect("write the kubeconfig");
    let simulated = script(client(&kubeconfig).await, async || sim.compact()).await;

    let plane = ControlPlane::start(Options::new());
    let real = script(client(&plane.kubeconfig()).await, async || plane.restart_apiserver()).await;
    let differences = real.differences(&simulated);
    assert!(
        differences.is_empty(),
        "real against simulated:\n{}",
        differences.join("\n")
    );
}
