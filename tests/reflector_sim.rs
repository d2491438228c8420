//! The whole way from a kubeconfig to a cache, against the simulated cluster over real connections, with faults.

use std::{collections::BTreeSet, path::PathBuf, sync::Arc, time::Duration};

use informerd::{
    clock::Clock,
    cluster::{Cluster, ClusterOptions},
    informer::{FactoryOptions, SharedInformer, SharedInformerFactory},
    sim::{Action, LoggedRequest, Rule, Sim, Verb},
    store::QuerySpec,
    upstream::{ResolveError, ResourceQuery, Upstream, UpstreamState},
};
use serde_json::{Value, json};
use tokio::time::{Instant, timeout};

const SOON: Duration = Duration::from_secs(60);

struct World {
    sim: Sim,
    cluster: Arc<Cluster>,
    factory: Arc<SharedInformerFactory>,
    _dir: tempfile::TempDir,
}

fn pod(namespace: &str, name: &str, node: &str) -> Value {
    json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"namespace": namespace, "name": name, "labels": {"app": name}},
        "spec": {"nodeName": node, "containers": []}})
}

async fn world(sim: Sim) -> World {
    let dir = tempfile::tempdir().unwrap();
    let path: PathBuf = dir.path().join("kubeconfig");
    sim.write_kubeconfig(&path).unwrap();
    let cluster = Cluster::connect(ClusterOptions {
        kubeconfig: Some(path),
        ..ClusterOptions::default()
    });
    let cluster = Arc::new(cluster.await.unwrap());
    let options = FactoryOptions {
        max_informers: 100,
        fifo_bytes: 8 << 20,
        ..FactoryOptions::default()
    };
    let factory = SharedInformerFactory::new(cluster.clone(), options, Clock::start(), "epoch".into());
    World {
        sim,
        cluster,
        factory,
        _dir: dir,
    }
}

// === impl World ===

impl World {
    async fn informer(&self, resource: &str) -> Arc<SharedInformer> {
        let query = ResourceQuery::named(resource);
        let informer = self.factory.for_resource(&query, &QuerySpec::default()).await.unwrap();
        informer.ensure_started();
        informer
    }

    /// What the API server has, as namespace/name@version.
    fn truth(&self, resource: &str) -> BTreeSet<String> {
        let text = |v: &Value, p: &str| v.pointer(p).and_then(Value::as_str).unwrap_or_default().to_owned();
        let of = |o: &Value| {
            let (ns, name) = (text(o, "/metadata/namespace"), text(o, "/metadata/name"));
            format!("{ns}/{name}@{}", text(o, "/metadata/resourceVersion"))
        };
        self.sim.list(resource).unwrap().iter().map(of).collect()
    }

    /// Waits until the cache holds exactly what the API server has.
    async fn agrees(&self, informer: &SharedInformer, resource: &str) {
        let want = self.truth(resource);
        let cached = |p: &informerd::processor::Published| -> BTreeSet<String> {
            let objects = p.snapshot.in_namespace(None);
            objects
                .map(|(_, o)| format!("{}/{}@{}", o.key.namespace(), o.key.name(), o.resource_version()))
                .collect()
        };
        let found = informer
            .processor()
            .wait_for(Instant::now() + SOON, |p| cached(p) == want);
        let found = found.await;
        assert!(found.is_ok(), "{:?} {:?}", found.err(), informer.upstream());
    }

    async fn state(&self, informer: &SharedInformer, state: UpstreamState) {
        let found = timeout(SOON, informer.upstream_reaches(|s| s.state == state)).await;
        assert!(found.is_ok(), "{:?}", informer.upstream());
    }

    async fn asked(&self, enough: impl Fn(&[LoggedRequest]) -> bool) {
        let waited = timeout(SOON, self.sim.wait_for_requests(enough)).await;
        assert!(waited.is_ok(), "{:#?}", self.sim.request_log());
    }
}

fn watches(log: &[LoggedRequest]) -> usize {
    log.iter()
        .filter(|r| r.verb == Verb::Watch && r.parameter("sendInitialEvents").is_none())
        .count()
}

fn relists(log: &[LoggedRequest]) -> usize {
    let initial = |r: &&LoggedRequest| {
        r.resource.is_some() && (r.verb == Verb::List || r.parameter("sendInitialEvents").is_some())
    };
    log.iter().filter(initial).count()
}

/// A world with 1200 pods in 7 namespaces.
async fn filled(builder: informerd::sim::Builder) -> World {
    let sim = builder.start().await.unwrap();
    for n in 0..1200 {
        sim.create(pod(&format!("ns{}", n % 7), &format!("pod-{n}"), "n1"))
            .unwrap();
    }
    world(sim).await
}

/// 10 changes: some pods are new, some change, some go.
fn churn(sim: &Sim, round: usize) {
    for n in 0..4 {
        sim.create(pod("ns1", &format!("new-{round}-{n}"), "n2")).unwrap();
    }
    for n in 0..4 {
        let name = format!("pod-{}", 7 * (round * 4 + n) % 700);
        let namespace = format!("ns{}", (7 * (round * 4 + n) % 700) % 7);
        let patch = json!({"metadata": {"labels": {"round": round.to_string()}}});
        sim.patch_merge("pods", Some(&namespace), &name, patch).unwrap();
    }
    for n in 0..2 {
        sim.delete("pods", Some("ns1"), &format!("new-{round}-{n}")).unwrap();
    }
}

#[tokio::test]
async fn every_kind_of_resource_is_cached_by_watch_list() {
    let w = filled(Sim::builder()).await;
    w.sim
        .create(json!({"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1"}}))
        .unwrap();
    for resource in ["pods", "po", "nodes", "namespaces"] {
        let informer = w.informer(resource).await;
        w.agrees(&informer, if resource == "po" { "pods" } else { resource })
            .await;
    }
    let log = w.sim.request_log();
    assert_eq!(log.iter().filter(|r| r.verb == Verb::List).count(), 0, "{log:#?}");
    assert_eq!(relists(&log), 3, "pods and po are one");
}

#[tokio::test]
async fn a_server_without_watch_list_and_aggregated_discovery_is_listed_in_pages() {
    let w = filled(Sim::builder().watch_list(false).aggregated_discovery(false)).await;
    let informer = w.informer("pods").await;
    w.agrees(&informer, "pods").await;
    churn(&w.sim, 1);
    w.agrees(&informer, "pods").await;
}

#[tokio::test]
async fn twenty_broken_connections_during_churn_lose_nothing_and_cost_no_list() {
    let w = filled(Sim::builder()).await;
    let informer = w.informer("pods").await;
    w.agrees(&informer, "pods").await;
    let before = informer.upstream().lists;
    for round in 0..20 {
        churn(&w.sim, round);
        w.sim.cut_all();
        churn(&w.sim, round + 100);
        w.agrees(&informer, "pods").await;
    }
    assert_eq!(informer.upstream().lists, before);
    let history = informer.processor().load().snapshot.position().revision;
    // One revision for the first state, one for each of 40 times 10 changes: none doubled.
    assert_eq!(history, 1 + 400);
}

#[tokio::test]
async fn r7_a_version_that_was_compacted_away_meanwhile_costs_one_list() {
    let w = filled(Sim::builder()).await;
    let informer = w.informer("pods").await;
    w.agrees(&informer, "pods").await;
    w.sim.go_down().await;
    churn(&w.sim, 1);
    w.sim.compact();
    w.state(&informer, UpstreamState::Backoff).await;
    let before = relists(&w.sim.request_log());
    w.sim.come_up().await.unwrap();
    w.agrees(&informer, "pods").await;
    w.state(&informer, UpstreamState::Watching).await;
    assert_eq!(relists(&w.sim.request_log()) - before, 1);
    assert_eq!(informer.upstream().lists, 2);
}

#[tokio::test]
async fn garbage_and_errors_inside_watches_are_survived() {
    let w = filled(Sim::builder()).await;
    let informer = w.informer("pods").await;
    w.agrees(&informer, "pods").await;
    for (round, action) in [
        Action::InjectAfter {
            events: 1,
            line: "{\"type\":\"RENAMED\",\"object\":{}}".into(),
        },
        Action::TruncateAfter { events: 3 },
        Action::ResetAfter { events: 2 },
        Action::CloseAfter { events: 1 },
        Action::Garbage { bytes: 5000 },
    ]
    .into_iter()
    .enumerate()
    {
        let watching = watches(&w.sim.request_log());
        w.sim
            .faults()
            .add(Rule::on(Verb::Watch, action).resource("pods").once());
        w.sim.cut_all();
        w.asked(|log| watches(log) > watching).await;
        churn(&w.sim, 200 + round);
        w.agrees(&informer, "pods").await;
    }
    assert!(informer.upstream().skipped >= 1);
}

#[tokio::test]
async fn no_api_server_at_start_is_said_and_recovered_from() {
    let w = filled(Sim::builder()).await;
    w.sim.go_down().await;
    let error = w.cluster.resolve(&ResourceQuery::named("pods")).await.unwrap_err();
    let ResolveError::Unavailable(error) = error else {
        panic!("{error}")
    };
    assert_eq!(error.reason, "Unreachable");
    w.sim.come_up().await.unwrap();
    let informer = w.informer("pods").await;
    w.agrees(&informer, "pods").await;
}

#[tokio::test]
async fn a_new_crd_is_found_and_cached() {
    let w = filled(Sim::builder()).await;
    let missing = w.cluster.resolve(&ResourceQuery::named("widgets")).await;
    assert!(matches!(missing, Err(ResolveError::NotFound(_))));
    let crd = r#"
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.org}
spec:
  group: example.org
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, shortNames: [wd]}
  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}]
---
{apiVersion: example.org/v1, kind: Widget, metadata: {namespace: default, name: w1}, spec: {size: 3}}
"#;
    w.sim.apply_yaml(crd).unwrap();
    for name in ["widgets", "wd", "Widget.v1.example.org"] {
        let informer = w.informer(name).await;
        w.agrees(&informer, "widgets").await;
    }
}
