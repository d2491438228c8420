//! A cluster, simulated or real, and the plain requests by which a test changes it.

use std::path::PathBuf;

use informerd::{
    informer::FactoryOptions,
    reflector::ReflectorConfig,
    sim::{LoggedRequest, Sim},
};
use kube::Client;
use serde_json::{Value, json};
use support::{ControlPlane, eventually};

use super::sidecar::Bench;

/// Which kind of cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// [`informerd::sim`].
    Sim,
    /// kube-apiserver and etcd as released.
    Real,
}

/// A cluster. The real one is shared: each test has namespaces and groups of its own.
pub(crate) struct World {
    sim: Option<Sim>,
    client: Client,
    kubeconfig: PathBuf,
    _dir: tempfile::TempDir,
}

// === impl World ===

impl World {
    pub(crate) async fn new(kind: Kind) -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let (sim, kubeconfig) = match kind {
            Kind::Sim => {
                let period = std::time::Duration::from_secs(1);
                let sim = Sim::builder().bookmark_period(period).start().await;
                let sim = sim.expect("a simulated cluster");
                let path = dir.path().join("kubeconfig");
                sim.write_kubeconfig(&path).expect("write the kubeconfig");
                (Some(sim), path)
            }
            Kind::Real => (None, ControlPlane::shared().kubeconfig()),
        };
        Self {
            sim,
            client: client(&kubeconfig).await,
            kubeconfig,
            _dir: dir,
        }
    }

    /// The real cluster for a user who has only what it was granted.
    pub(crate) async fn as_user(user: &str) -> Self {
        Self {
            kubeconfig: ControlPlane::shared().kubeconfig_for(user),
            ..Self::new(Kind::Real).await
        }
    }

    /// The same simulated cluster once more.
    pub(crate) async fn over(other: &Self) -> Self {
        Self {
            sim: other.sim.clone(),
            client: other.client.clone(),
            kubeconfig: other.kubeconfig.clone(),
            _dir: tempfile::tempdir().expect("a directory"),
        }
    }

    /// A sidecar whose watches are opened anew every few seconds, which is when the API server looks at rights.
    pub(crate) async fn sidecar(&self, options: FactoryOptions) -> Bench {
        let reflector = ReflectorConfig {
            watch_timeout: std::time::Duration::from_secs(2),
            ..ReflectorConfig::default()
        };
        Bench::start(&self.kubeconfig, reflector, options).await
    }

    pub(crate) fn kubeconfig(&self) -> &std::path::Path {
        &self.kubeconfig
    }

    /// The requests of lists and watches so far; only of the simulated cluster.
    pub(crate) fn asked(&self) -> Vec<LoggedRequest> {
        let log = self.sim.as_ref().expect("a simulated cluster").request_log();
        log.into_iter()
            .filter(|r| r.resource.is_some() && r.method == "GET")
            .collect()
    }

    /// The simulated cluster.
    pub(crate) fn sim(&self) -> &Sim {
        self.sim.as_ref().expect("a simulated cluster")
    }

    /// Creates a namespace, or sets its labels.
    pub(crate) async fn namespace(&self, name: &str, labels: Value) {
        let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name, "labels": labels}});
        self.post("/api/v1/namespaces", namespace).await;
    }

    /// Merges a patch into a namespace's labels; null removes one.
    pub(crate) async fn label(&self, name: &str, labels: Value) {
        let patch = json!({"metadata": {"labels": labels}});
        self.patch(&format!("/api/v1/namespaces/{name}"), patch).await;
    }

    /// Creates a ConfigMap.
    pub(crate) async fn config(&self, namespace: &str, name: &str) {
        let object =
            json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}, "data": {"key": name}});
        self.post(&format!("/api/v1/namespaces/{namespace}/configmaps"), object)
            .await;
    }

    /// Declares widgets of a group; versions as (name, served, stored). Answers when the first served one is.
    pub(crate) async fn define(&self, group: &str, versions: &[(&str, bool, bool)]) {
        let path = format!("{CRDS}/widgets.{group}");
        let definition = definition(group, versions);
        if self.send("GET", &path, "", Value::Null).await.is_ok() {
            let versions = json!({"spec": {"versions": definition["spec"]["versions"]}});
            self.patch(&path, versions).await;
        } else {
            self.post(CRDS, definition).await;
        }
        for (version, served, _) in versions {
            let list = format!("/apis/{group}/{version}/widgets");
            eventually("the definition takes effect", || async {
                let answer = self.send("GET", &list, "", Value::Null).await;
                (answer.is_ok() == *served).then_some(())
            })
            .await;
        }
    }

    /// Deletes what [`World::define`] declared; answers when it is gone.
    pub(crate) async fn undefine(&self, group: &str) {
        let path = format!("{CRDS}/widgets.{group}");
        self.must("DELETE", &path, "application/json", json!({})).await;
        eventually("the definition is gone", || async {
            self.send("GET", &path, "", Value::Null).await.is_err().then_some(())
        })
        .await;
    }

    /// Creates a widget with any spec.
    pub(crate) async fn widget(&self, group: &str, version: &str, namespace: &str, name: &str, spec: Value) {
        let object = json!({
            "apiVersion": format!("{group}/{version}"), "kind": "Widget", "metadata": {"name": name}, "spec": spec,
        });
        let path = format!("/apis/{group}/{version}/namespaces/{namespace}/widgets");
        self.post(&path, object).await;
    }

    pub(crate) async fn get(&self, path: &str) -> Value {
        let answer = self.send("GET", path, "", Value::Null).await;
        answer.unwrap_or_else(|error| panic!("GET {path}: {error}"))
    }

    pub(crate) async fn post(&self, path: &str, object: Value) {
        self.must("POST", path, "application/json", object).await;
    }

    pub(crate) async fn patch(&self, path: &str, patch: Value) {
        self.must("PATCH", path, "application/merge-patch+json", patch).await;
    }

    pub(crate) async fn delete(&self, path: &str) {
        self.must("DELETE", path, "application/json", json!({"gracePeriodSeconds": 0}))
            .await;
    }

    async fn must(&self, method: &str, path: &str, content_type: &str, body: Value) {
        if let Err(error) = self.send(method, path, content_type, body).await {
            panic!("{method} {path}: {error}");
        }
    }

    async fn send(&self, method: &str, path: &str, content_type: &str, body: Value) -> Result<Value, kube::Error> {
        let body = if body.is_null() {
            Vec::new()
        } else {
            body.to_string().into_bytes()
        };
        let mut request = http::Request::builder().method(method).uri(path);
        if !content_type.is_empty() {
            request = request.header(http::header::CONTENT_TYPE, content_type);
        }
        self.client.request(request.body(body).expect("a valid request")).await
    }
}

const CRDS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

fn definition(group: &str, versions: &[(&str, bool, bool)]) -> Value {
    let schema = json!({"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}});
    let versions: Vec<_> = versions
        .iter()
        .map(|(name, served, storage)| json!({"name": name, "served": served, "storage": storage, "schema": schema}))
        .collect();
    json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": format!("widgets.{group}")},
        "spec": {
            "group": group,
            "scope": "Namespaced",
            "names": {"plural": "widgets", "singular": "widget", "kind": "Widget"},
            "versions": versions,
        },
    })
}

async fn client(path: &std::path::Path) -> Client {
    let kubeconfig = kube::config::Kubeconfig::read_from(path).expect("read the kubeconfig");
    let config = kube::Config::from_custom_kubeconfig(kubeconfig, &Default::default()).await;
    let mut config = config.expect("use the kubeconfig");
    // What is not there is an answer here.
    config.default_retry = false;
    Client::try_from(config).expect("a client")
}
