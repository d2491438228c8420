use std::{
    collections::BTreeMap,
    io,
    sync::{Arc, Mutex},
};

use bytes::Bytes;
use http::{Request, Response};
use http_body_util::Full;
use kube::client::Body;
use serde_json::{Value, json};

use super::*;

/// Documents by path; a path without one answers 503, and "down" refuses the connection.
#[derive(Clone, Default)]
struct Server(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    documents: BTreeMap<String, Value>,
    down: bool,
    asked: Vec<String>,
}

// === impl Server ===

impl Server {
    fn set(&self, path: &str, document: Value) {
        self.0.lock().unwrap().documents.insert(path.into(), document);
    }

    fn asked(&self) -> usize {
        self.0.lock().unwrap().asked.len()
    }

    fn discovery(&self) -> Discovery {
        let state = self.0.clone();
        let service = tower::service_fn(move |request: Request<Body>| {
            let mut state = state.lock().unwrap();
            let path = request.uri().path().to_owned();
            let answer = if state.down {
                Err(io::Error::new(io::ErrorKind::ConnectionRefused, "connection refused"))
            } else {
                let (code, body) = match state.documents.get(&path) {
                    Some(document) => (200, document.to_string()),
                    None => (503, "service unavailable".to_owned()),
                };
                Ok(Response::builder()
                    .status(code)
                    .body(Full::new(Bytes::from(body)))
                    .unwrap())
            };
            state.asked.push(path);
            async move { answer }
        });
        Discovery::new(Client::new(service, "default"))
    }
}

const ALL: [&str; 3] = ["get", "list", "watch"];

fn resource(plural: &str, singular: &str, kind: &str, short: &[&str], verbs: &[&str]) -> Value {
    json!({"resource": plural, "singularResource": singular, "responseKind": {"group": "", "version": "", "kind": kind},
        "scope": if kind == "Node" { "Cluster" } else { "Namespaced" }, "shortNames": short, "verbs": verbs,
        "subresources": [{"subresource": "status", "verbs": ["get"]}]})
}

fn group(name: &str, versions: &[(&str, Value)]) -> Value {
    let versions: Vec<_> = versions
        .iter()
        .map(|(v, resources)| json!({"version": v, "freshness": "Current", "resources": resources}))
        .collect();
    json!({"metadata": {"name": name}, "versions": versions})
}

fn aggregated(groups: Value) -> Value {
    json!({"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": {}, "items": groups})
}

fn modern() -> Server {
    let server = Server::default();
    server.set(
        "/api",
        aggregated(json!([group(
            "",
            &[(
                "v1",
                json!([
                    resource("events", "event", "Event", &["ev"], &ALL),
                    resource("pods", "pod", "Pod", &["po"], &ALL),
                    resource("nodes", "node", "Node", &["no"], &ALL),
                    resource("services", "service", "Service", &["svc"], &ALL),
                    resource(
                        "componentstatuses",
                        "componentstatus",
                        "ComponentStatus",
                        &["cs"],
                        &["get", "list"]
                    ),
                    resource("bindings", "binding", "Binding", &[], &["create"]),
                ])
            )]
        )])),
    );
    server.set(
        "/apis",
        aggregated(json!([
            group(
                "apps",
                &[(
                    "v1",
                    json!([resource("deployments", "deployment", "Deployment", &["deploy"], &ALL)])
                )]
            ),
            group(
                "events.k8s.io",
                &[("v1", json!([resource("events", "event", "Event", &["ev"], &ALL)]))]
            ),
            group(
                "networking.k8s.io",
                &[(
                    "v1",
                    json!([resource("ingresses", "ingress", "Ingress", &["ing"], &ALL)])
                )]
            ),
            group(
                "metrics.k8s.io",
                &[(
                    "v1beta1",
                    json!([resource("pods", "", "PodMetrics", &[], &["get", "list"])])
                )]
            ),
            group(
                "serving.example.org",
                &[
                    (
                        "v1",
                        json!([resource("services", "service", "Service", &["ksvc"], &ALL)])
                    ),
                    (
                        "v1beta1",
                        json!([
                            resource("services", "service", "Service", &["ksvc"], &ALL),
                            resource("domains", "domain", "Domain", &[], &ALL)
                        ])
                    )
                ]
            ),
        ])),
    );
    server
}

async fn name(discovery: &Discovery, query: &str) -> String {
    match discovery.resolve(&ResourceQuery::named(query)).await {
        Ok(r) => format!("{r} {}", r.kind),
        Err(ResolveError::NotFound(_)) => "not found".into(),
        Err(ResolveError::NotWatchable { missing, .. }) => format!("no {missing}"),
        Err(ResolveError::Unavailable(e)) => format!("unavailable {}", e.reason),
        Err(ResolveError::VersionNotServed { served, .. }) => format!("served: {}", served.join(" ")),
    }
}

#[tokio::test(start_paused = true)]
async fn resources_are_named_as_kubectl_accepts_it() {
    let server = modern();
    let discovery = server.discovery();
    for (query, want) in [
        ("pods", "pods Pod"),
        ("pod", "pods Pod"),
        ("po", "pods Pod"),
        ("Pod", "pods Pod"),
        ("PODS", "pods Pod"),
        ("deploy", "deployments.v1.apps Deployment"),
        ("deployments.apps", "deployments.v1.apps Deployment"),
        ("deployments.v1.apps", "deployments.v1.apps Deployment"),
        ("Deployment.v1.apps", "deployments.v1.apps Deployment"),
        ("deploy.apps", "deployments.v1.apps Deployment"),
        ("ingresses.networking.k8s.io", "ingresses.v1.networking.k8s.io Ingress"),
        ("ing.v1.networking.k8s.io", "ingresses.v1.networking.k8s.io Ingress"),
        ("ing.networking", "ingresses.v1.networking.k8s.io Ingress"),
        // The core group goes first, then the server's order.
        ("events", "events Event"),
        ("events.events.k8s.io", "events.v1.events.k8s.io Event"),
        ("services", "services Service"),
        ("svc", "services Service"),
        ("ksvc", "services.v1.serving.example.org Service"),
        (
            "services.v1beta1.serving.example.org",
            "services.v1beta1.serving.example.org Service",
        ),
        // Only a version that is not preferred has it.
        ("domains", "domains.v1beta1.serving.example.org Domain"),
        ("pods.v1.", "pods Pod"),
        ("PodMetrics", "no watch"),
        ("pods.metrics.k8s.io", "no watch"),
        ("cs", "no watch"),
        ("bindings", "no list and watch"),
        ("deployments.v2.apps", "served: v1"),
        ("deployments.extensions", "not found"),
        ("pods/status", "not found"),
        ("pods/log", "not found"),
        ("status", "not found"),
        ("", "not found"),
        (".", "not found"),
        ("..", "not found"),
        ("unicorns", "not found"),
    ] {
        assert_eq!(name(&discovery, query).await, want, "{query:?}");
    }
    let explicit = |group: &str, version: &str, resource: &str| ResourceQuery {
        group: group.into(),
        version: version.into(),
        resource: resource.into(),
    };
    for (query, want) in [
        (explicit("serving.example.org", "", "services"), Some("v1")),
        (explicit("serving.example.org", "v1beta1", "Service"), Some("v1beta1")),
        (explicit("", "v1beta1", "services.serving.example.org"), Some("v1beta1")),
        (explicit("apps", "v1", "pods"), None),
    ] {
        let got = discovery.resolve(&query).await.ok().map(|r| r.version);
        assert_eq!(got.as_deref(), want, "{query:?}");
    }
    let nodes = discovery.resolve(&ResourceQuery::named("no")).await.unwrap();
    assert!(!nodes.namespaced);
    let pods = discovery.resolve(&ResourceQuery::named("po")).await.unwrap();
    assert!(pods.namespaced);
}

#[tokio::test(start_paused = true)]
async fn hits_ask_nothing_and_misses_ask_once_a_second_at_most() {
    let server = modern();
    let discovery = Arc::new(server.discovery());
    for _ in 0..100 {
        name(&discovery, "pods").await;
    }
    assert_eq!(server.asked(), 2);
    let start = Instant::now();
    let many = (0..50).map(|n| {
        let discovery = discovery.clone();
        async move { name(&discovery, &format!("unicorn{n}")).await }
    });
    for got in futures::future::join_all(many).await {
        assert_eq!(got, "not found");
    }
    assert_eq!(server.asked(), 4, "one refresh for all who waited");
    for _ in 0..5 {
        name(&discovery, "unicorns").await;
    }
    assert!(start.elapsed() >= Duration::from_secs(6), "{:?}", start.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_new_crd_is_found_by_the_first_who_asks() {
    let server = modern();
    let discovery = server.discovery();
    assert_eq!(name(&discovery, "widgets").await, "not found");
    server.set(
        "/apis",
        aggregated(json!([group(
            "example.org",
            &[("v1", json!([resource("widgets", "widget", "Widget", &[], &ALL)]))]
        )])),
    );
    assert_eq!(name(&discovery, "widgets").await, "widgets.v1.example.org Widget");
}

#[tokio::test(start_paused = true)]
async fn an_old_server_is_asked_group_by_group_and_one_that_fails_breaks_no_other() {
    let server = Server::default();
    server.set("/api", json!({"kind": "APIVersions", "versions": ["v1"]}));
    server.set(
        "/api/v1",
        json!({"kind": "APIResourceList", "groupVersion": "v1", "resources": [
            {"name": "pods", "singularName": "", "namespaced": true, "kind": "Pod", "shortNames": ["po"], "verbs": ALL},
            {"name": "pods/log", "singularName": "", "namespaced": true, "kind": "Pod", "verbs": ["get"]},
        ]}),
    );
    let version = |group: &str, v: &str| json!({"groupVersion": format!("{group}/{v}"), "version": v});
    server.set(
        "/apis",
        json!({"kind": "APIGroupList", "groups": [
            {"name": "apps", "versions": [version("apps", "v1beta1"), version("apps", "v1")], "preferredVersion": version("apps", "v1")},
            {"name": "broken.example.org", "versions": [version("broken.example.org", "v1")]},
        ]}),
    );
    for v in ["v1", "v1beta1"] {
        server.set(
            &format!("/apis/apps/{v}"),
            json!({"kind": "APIResourceList", "groupVersion": format!("apps/{v}"), "resources": [
                {"name": "deployments", "singularName": "deployment", "namespaced": true, "kind": "Deployment", "verbs": ALL},
            ]}),
        );
    }
    let discovery = server.discovery();
    for (query, want) in [
        ("pod", "pods Pod"),
        ("po", "pods Pod"),
        ("deployment", "deployments.v1.apps Deployment"),
        ("deployments.v1beta1.apps", "deployments.v1beta1.apps Deployment"),
        ("pods/log", "not found"),
        ("things", "not found"),
        // Nobody knows whether it exists.
        ("things.broken.example.org", "unavailable ServiceUnavailable"),
    ] {
        assert_eq!(name(&discovery, query).await, want, "{query:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_stale_group_breaks_no_other() {
    let server = modern();
    server.set(
        "/apis",
        aggregated(json!([
            {"metadata": {"name": "metrics.k8s.io"}, "versions": [{"version": "v1beta1", "freshness": "Stale"}]},
            group("apps", &[("v1", json!([resource("deployments", "deployment", "Deployment", &["deploy"], &ALL)]))]),
        ])),
    );
    let discovery = server.discovery();
    assert_eq!(name(&discovery, "deploy").await, "deployments.v1.apps Deployment");
    assert_eq!(name(&discovery, "nodes.metrics.k8s.io").await, "unavailable StaleGroup");
    assert_eq!(name(&discovery, "unicorns").await, "not found");
}

#[tokio::test(start_paused = true)]
async fn without_an_api_server_it_is_unavailable_and_what_was_known_stays_known() {
    let server = modern();
    server.0.lock().unwrap().down = true;
    let discovery = server.discovery();
    let error = discovery.resolve(&ResourceQuery::named("pods")).await.unwrap_err();
    assert!(error.to_string().contains("connection refused"), "{error}");
    server.0.lock().unwrap().down = false;
    assert_eq!(name(&discovery, "pods").await, "pods Pod");
    server.0.lock().unwrap().down = true;
    tokio::time::advance(MAX_AGE * 2).await;
    assert_eq!(name(&discovery, "pods").await, "pods Pod");
    assert_eq!(name(&discovery, "unicorns").await, "unavailable Unreachable");
}

#[tokio::test(start_paused = true)]
async fn garbage_is_unavailable_and_no_panic() {
    for document in [
        json!([]),
        json!(7),
        json!({"kind": "APIGroupDiscoveryList", "items": 7}),
        json!({"kind": "Pod"}),
    ] {
        let server = modern();
        server.set("/apis", document);
        assert_eq!(
            name(&server.discovery(), "unicorns").await,
            "unavailable MalformedDiscovery"
        );
    }
}

#[tokio::test(start_paused = true)]
async fn case_28_those_who_wait_share_one_request_and_see_what_comes_and_goes() {
    let server = modern();
    let discovery = Arc::new(server.discovery());
    let age = Duration::from_secs(4);
    let query = |n: usize| ResourceQuery::named(format!("unicorn{n}.example.com"));
    let many = |discovery: &Arc<Discovery>| {
        let discovery = discovery.clone();
        futures::future::join_all((0..50).map(move |n| {
            let discovery = discovery.clone();
            async move { discovery.resolve_anew(&query(n), age).await.is_ok() }
        }))
    };
    assert!(!many(&discovery).await.contains(&true));
    assert_eq!(server.asked(), 2, "one look for all fifty: /api and /apis");
    // What was known is no answer here once it is old: deployments could have gone.
    tokio::time::advance(Duration::from_secs(5)).await;
    server.set("/apis", aggregated(json!([])));
    let deployments = ResourceQuery::named("deployments.apps");
    assert!(discovery.resolve(&deployments).await.is_ok(), "believed for long");
    let anew = discovery.resolve_anew(&deployments, age).await;
    assert!(matches!(anew, Err(ResolveError::NotFound(_))), "{anew:?}");
    assert_eq!(server.asked(), 4);
}
