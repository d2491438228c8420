//! Rights that are missing, granted and revoked, per namespace, on the real API server's RBAC (cases 29 and 31).

use std::sync::Arc;

use informerd::{
    cluster::{Cluster, ClusterOptions, Denials, Pod},
    informer::FactoryOptions,
    proto::v1alpha1::{Informer, ListInformersRequest, UpstreamState, WatchRequest},
    run::Sidecar,
    service::ServerOptions,
    sim::{Action, Rule, StatusError},
};
use serde_json::json;
use support::{ControlPlane, eventually};
use tonic::Code;

use super::{
    namespaces::{configs, watch, within},
    sidecar::{named, resource},
    view::{View, becomes, create, get, state},
    world::{Kind, World},
};

const RBAC: &str = "/apis/rbac.authorization.k8s.io/v1";

/// Lets a user read ConfigMaps in one namespace, by a Role alone.
async fn grant(admin: &World, user: &str, namespace: &str) {
    let role = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "reads"},
        "rules": [{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["get", "list", "watch"]}],
    });
    let binding = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "metadata": {"name": "reads"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "reads"},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": user}],
    });
    admin.post(&format!("{RBAC}/namespaces/{namespace}/roles"), role).await;
    admin
        .post(&format!("{RBAC}/namespaces/{namespace}/rolebindings"), binding)
        .await;
}

async fn revoke(admin: &World, namespace: &str) {
    admin
        .delete(&format!("{RBAC}/namespaces/{namespace}/rolebindings/reads"))
        .await;
    admin
        .delete(&format!("{RBAC}/namespaces/{namespace}/roles/reads"))
        .await;
}

/// States by namespace.
fn states(informer: &Informer) -> Vec<(&str, UpstreamState)> {
    informer
        .reflectors
        .iter()
        .map(|r| (r.namespace.as_str(), r.state()))
        .collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn case_29_a_namespace_without_rights_is_said_and_the_others_go_on() {
    let admin = World::new(Kind::Real).await;
    for namespace in ["rights-a", "rights-b"] {
        admin.namespace(namespace, json!({})).await;
        admin.config(namespace, "x").await;
    }
    grant(&admin, "alice", "rights-a").await;
    let bench = World::as_user("alice").await.sidecar(FactoryOptions::default()).await;
    let name = create(&bench, configs("", &["rights-a", "rights-b"])).await;
    let mut view = watch(&bench, &name).await;
    view.holds(&["rights-a/x"]).await;
    let shown = becomes(&bench, &name, "FORBIDDEN", |i| state(i) == UpstreamState::Forbidden).await;
    assert_eq!(
        states(&shown),
        [
            ("rights-a", UpstreamState::Watching),
            ("rights-b", UpstreamState::Forbidden)
        ]
    );
    let error = shown.reflectors[1].last_error.as_ref().expect("why");
    assert_eq!(error.http_status, 403);
    assert!(error.message.contains("rights-b"), "{error:?}");
    let refused = WatchRequest {
        informer: named(&name),
        filter: within(&["rights-b"]),
        ..WatchRequest::default()
    };
    let refused = bench
        .subscriptions()
        .watch(refused)
        .await
        .map(|_| ())
        .expect_err("no rights");
    assert_eq!(refused.code(), Code::FailedPrecondition, "{refused:?}");
    admin.config("rights-a", "live").await;
    view.holds(&["rights-a/live", "rights-a/x"]).await;

    // Granted: its objects come, and nothing of the others again.
    view.told();
    grant(&admin, "alice", "rights-b").await;
    view.holds(&["rights-a/live", "rights-a/x", "rights-b/x"]).await;
    assert_eq!(view.told().len(), 1);

    // Revoked: the open watch goes on until it is opened anew; then it is said, and the cache stays.
    revoke(&admin, "rights-b").await;
    let shown = becomes(&bench, &name, "FORBIDDEN", |i| state(i) == UpstreamState::Forbidden).await;
    assert_eq!(states(&shown)[0].1, UpstreamState::Watching);
    assert_eq!((shown.object_count, shown.restart_count), (3, 0));
    admin.delete("/api/v1/namespaces/rights-b/configmaps/x").await;
    admin.config("rights-a", "more").await;
    view.until("the others go on", |v| v.keys().contains(&"rights-a/more"))
        .await;
    assert!(view.keys().contains(&"rights-b/x"), "nobody can know");
    grant(&admin, "alice", "rights-b").await;
    view.holds(&["rights-a/live", "rights-a/more", "rights-a/x"]).await;
    becomes(&bench, &name, "WATCHING", |i| state(i) == UpstreamState::Watching).await;
    bench.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn case_29_a_kind_without_rights_disturbs_no_other_kind() {
    let admin = World::new(Kind::Real).await;
    admin.namespace("kinds", json!({})).await;
    admin.config("kinds", "x").await;
    grant(&admin, "bob", "kinds").await;
    let options = FactoryOptions {
        namespaces: vec!["kinds".into()],
        ..FactoryOptions::default()
    };
    let bench = World::as_user("bob").await.sidecar(options).await;
    let request = |kind: &str| WatchRequest {
        informer: resource(kind),
        ..WatchRequest::default()
    };
    let _denied = View::open(&bench, request("secrets")).await;
    let mut view = View::open(&bench, request("configmaps")).await;
    view.until("the other kind", |v| v.keys().contains(&"kinds/x")).await;
    let denied = eventually("FORBIDDEN", || async {
        let list = bench.informers().list_informers(ListInformersRequest::default()).await;
        let list = list.expect("a list").into_inner().informers;
        let found = list.into_iter().find(|i| i.kind == "Secret");
        found.filter(|i| state(i) == UpstreamState::Forbidden)
    })
    .await;
    assert!(denied.status.is_some_and(|s| !s.synced));
    bench.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn case_31_namespaces_by_label_need_only_roles_in_them() {
    let admin = World::new(Kind::Real).await;
    // Of the cluster it may see nothing but namespaces.
    let sees = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": {"name": "sees-namespaces"},
        "rules": [{"apiGroups": [""], "resources": ["namespaces"], "verbs": ["list", "watch"]}],
    });
    let binding = json!({
        "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRoleBinding", "metadata": {"name": "sees-namespaces"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "sees-namespaces"},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "alice"}],
    });
    for namespace in ["roles-a", "roles-b"] {
        admin.namespace(namespace, json!({"team": "roles"})).await;
        admin.config(namespace, "x").await;
    }
    grant(&admin, "alice", "roles-a").await;
    let bench = World::as_user("alice").await.sidecar(FactoryOptions::default()).await;
    let name = create(&bench, configs("team=roles", &[])).await;
    let blind = becomes(&bench, &name, "FORBIDDEN", |i| state(i) == UpstreamState::Forbidden).await;
    assert!(blind.reflectors.is_empty() && blind.status.is_some_and(|s| !s.synced));
    admin.post(&format!("{RBAC}/clusterroles"), sees).await;
    admin.post(&format!("{RBAC}/clusterrolebindings"), binding).await;
    let mut view = watch(&bench, &name).await;
    view.holds(&["roles-a/x"]).await;
    let shown = becomes(&bench, &name, "both known", |i| i.reflectors.len() == 2).await;
    assert!(shown.status.as_ref().is_some_and(|s| s.synced));
    becomes(&bench, &name, "one refused", |i| {
        states(i).contains(&("roles-b", UpstreamState::Forbidden))
    })
    .await;
    grant(&admin, "alice", "roles-b").await;
    view.holds(&["roles-a/x", "roles-b/x"]).await;
    admin.label("roles-a", json!({"team": null})).await;
    view.holds(&["roles-b/x"]).await;
    assert_eq!(
        view.told().last().map(String::as_str),
        Some("DELETED/SELECTOR roles-a/x")
    );
    admin.label("roles-a", json!({"team": "roles"})).await;
    view.holds(&["roles-a/x", "roles-b/x"]).await;
    assert_eq!(view.told().last().map(String::as_str), Some("ADDED/SELECTOR roles-a/x"));
    let log = ControlPlane::shared().apiserver_log();
    assert!(!log.contains("panic"), "{log}");
    assert_eq!(get(&bench, &name).await.restart_count, 0);
    bench.stop().await;
}

/// Events on the sidecar's pod so far.
async fn announced(admin: &World, namespace: &str) -> Vec<serde_json::Value> {
    let list = admin.get(&format!("/api/v1/namespaces/{namespace}/events")).await;
    let items = list["items"].as_array().cloned().unwrap_or_default();
    items
        .into_iter()
        .filter(|e| e["involvedObject"]["name"] == "sidecar-0")
        .collect()
}

pub(crate) async fn case_29_a_denial_is_an_event_on_the_own_pod(kind: Kind) {
    let admin = World::new(kind).await;
    admin.namespace("tells", json!({})).await;
    let world = match kind {
        Kind::Real => {
            let role = json!({
                "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role", "metadata": {"name": "tells"},
                "rules": [{"apiGroups": [""], "resources": ["events"], "verbs": ["create"]}],
            });
            let binding = json!({
                "apiVersion": "rbac.authorization.k8s.io/v1", "kind": "RoleBinding", "metadata": {"name": "tells"},
                "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "tells"},
                "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "bob"}],
            });
            admin.post(&format!("{RBAC}/namespaces/tells/roles"), role).await;
            admin
                .post(&format!("{RBAC}/namespaces/tells/rolebindings"), binding)
                .await;
            World::as_user("bob").await
        }
        Kind::Sim => {
            let denied = StatusError::new(403, "Forbidden", "secrets is forbidden");
            admin
                .sim()
                .faults()
                .add(Rule::on_any(Action::Status(denied)).resource("secrets"));
            World::over(&admin).await
        }
    };
    let cluster = Cluster::connect(ClusterOptions {
        kubeconfig: Some(world.kubeconfig().to_owned()),
        ..ClusterOptions::default()
    });
    let cluster = cluster.await.expect("a cluster");
    let client = cluster.client().clone();
    let listen = ServerOptions {
        socket: None,
        listen: vec!["127.0.0.1:0".parse().expect("an address")],
    };
    let options = FactoryOptions {
        namespaces: vec!["tells".into()],
        ..FactoryOptions::default()
    };
    let started = Sidecar::start(Arc::new(cluster), options, &listen, &["secrets".into()]).await;
    let mut sidecar = started.expect("a sidecar");
    let pod = Pod {
        name: "sidecar-0".into(),
        namespace: "tells".into(),
        uid: None,
    };
    sidecar.announce_denials(Denials::new(client, pod));
    let events = eventually("an Event", || async {
        let events = announced(&admin, "tells").await;
        (!events.is_empty()).then_some(events)
    })
    .await;
    assert_eq!(events.len(), 1, "{events:?}");
    let event = &events[0];
    assert_eq!(
        (&event["reason"], &event["type"]),
        (&json!("UpstreamForbidden"), &json!("Warning"))
    );
    let said = event["message"].as_str().unwrap_or_default();
    assert!(said.contains("secrets") && said.contains("namespace tells"), "{said}");
}
