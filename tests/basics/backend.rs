//! One cluster, simulated or real, behind the same plain HTTP client and the same proxy.

use std::path::{Path, PathBuf};

use informerd::{informer::FactoryOptions, reflector::ReflectorConfig, sim::Sim};
use kube::Client;
use serde_json::{Value, json};
use support::{ADMIN, ControlPlane, Options, Proxy};

use super::sidecar::Bench;

/// Which kind of cluster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// [`informerd::sim`].
    Sim,
    /// kube-apiserver and etcd as released.
    Real,
}

/// A cluster, and the way to it that the sidecar takes.
pub(crate) struct Backend {
    cluster: Cluster,
    /// Between sidecar and cluster; the test itself goes straight there.
    pub(crate) proxy: Proxy,
    /// For the test's own requests.
    pub(crate) client: Client,
    kubeconfig: PathBuf,
    _dir: tempfile::TempDir,
}

enum Cluster {
    Sim(Sim),
    Shared,
    Own(Box<ControlPlane>),
}

// === impl Backend ===

impl Backend {
    /// A cluster that others may use at the same time: each keeps to namespaces of its own.
    pub(crate) async fn shared(kind: Kind) -> Self {
        match kind {
            Kind::Sim => Self::sim().await,
            Kind::Real => Self::real(Cluster::Shared).await,
        }
    }

    /// A cluster of one's own.
    pub(crate) async fn own(kind: Kind) -> Self {
        match kind {
            Kind::Sim => Self::sim().await,
            Kind::Real => Self::real(Cluster::Own(Box::new(ControlPlane::start(Options::new())))).await,
        }
    }

    async fn sim() -> Self {
        let period = std::time::Duration::from_secs(1);
        let sim = Sim::builder()
            .bookmark_period(period)
            .start()
            .await
            .expect("a simulated cluster");
        let address = sim.url().trim_start_matches("http://").parse().expect("an address");
        let proxy = Proxy::start(address);
        let dir = tempfile::tempdir().expect("a directory");
        let (direct, kubeconfig) = (dir.path().join("direct"), dir.path().join("proxied"));
        sim.write_kubeconfig(&direct).expect("write the kubeconfig");
        let proxied = sim
            .kubeconfig_yaml()
            .replace(&sim.url(), &format!("http://{}", proxy.address()));
        std::fs::write(&kubeconfig, proxied).expect("write the kubeconfig");
        Self {
            client: client(&direct).await,
            cluster: Cluster::Sim(sim),
            proxy,
            kubeconfig,
            _dir: dir,
        }
    }

    async fn real(cluster: Cluster) -> Self {
        let plane = match &cluster {
            Cluster::Own(plane) => plane,
            _ => ControlPlane::shared(),
        };
        let proxy = Proxy::start(plane.address());
        Self {
            client: plane.client().await,
            kubeconfig: plane.kubeconfig_via(ADMIN, &proxy),
            proxy,
            cluster,
            _dir: tempfile::tempdir().expect("a directory"),
        }
    }

    /// A sidecar that reaches the cluster through the proxy.
    pub(crate) async fn sidecar(&self, reflector: ReflectorConfig) -> Bench {
        Bench::start(&self.kubeconfig, reflector, FactoryOptions::default()).await
    }

    /// Cuts the sidecar off and lets nothing through until [`Backend::reconnect`].
    pub(crate) fn cut_off(&self) {
        self.proxy.refuse(true);
        self.proxy.cut_all();
    }

    /// Lets the sidecar through again.
    pub(crate) fn reconnect(&self) {
        self.proxy.refuse(false);
    }

    /// From now on every older resource version is answered with 410. Only while the sidecar is cut off.
    pub(crate) fn forget_history(&self) {
        match &self.cluster {
            Cluster::Sim(sim) => sim.compact(),
            // The new process fills its watch cache at the present version (see the rig).
            Cluster::Own(plane) => plane.restart_apiserver(),
            Cluster::Shared => panic!("a shared control plane is not restarted"),
        }
    }

    /// Creates a namespace of this name.
    pub(crate) async fn namespace(&self, name: &str) {
        let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}});
        self.create("/api/v1/namespaces", namespace).await;
    }

    /// POST; answers the object.
    pub(crate) async fn create(&self, path: &str, object: Value) -> Value {
        self.must("POST", path, "application/json", object).await
    }

    /// A JSON merge patch; answers the object.
    pub(crate) async fn patch(&self, path: &str, patch: Value) -> Value {
        self.must("PATCH", path, "application/merge-patch+json", patch).await
    }

    /// DELETE, without waiting for a kubelet that there is not.
    pub(crate) async fn delete(&self, path: &str) -> Value {
        let options = json!({"gracePeriodSeconds": 0});
        self.must("DELETE", path, "application/json", options).await
    }

    /// GET of an object or a list.
    pub(crate) async fn get(&self, path: &str) -> Value {
        self.must("GET", path, "", Value::Null).await
    }

    /// Creates a ConfigMap with one label; answers it.
    pub(crate) async fn config(&self, namespace: &str, name: &str, label: &str) -> Value {
        let labels = if label.is_empty() {
            json!({})
        } else {
            json!({"tier": label})
        };
        let object = json!({
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {"name": name, "namespace": namespace, "labels": labels},
            "data": {"key": name},
        });
        self.create(&configs(namespace, ""), object).await
    }

    async fn must(&self, method: &str, path: &str, content_type: &str, body: Value) -> Value {
        let body = if body.is_null() {
            Vec::new()
        } else {
            body.to_string().into_bytes()
        };
        let mut request = http::Request::builder().method(method).uri(path);
        if !content_type.is_empty() {
            request = request.header(http::header::CONTENT_TYPE, content_type);
        }
        let request = request.body(body).expect("a valid request");
        match self.client.request(request).await {
            Ok(answer) => answer,
            Err(error) => panic!("{method} {path}: {error}"),
        }
    }
}

/// The path of the ConfigMaps of a namespace, or of one.
pub(crate) fn configs(namespace: &str, name: &str) -> String {
    let path = format!("/api/v1/namespaces/{namespace}/configmaps/{name}");
    path.trim_end_matches('/').to_owned()
}

/// An object's resourceVersion.
pub(crate) fn version(object: &Value) -> String {
    let version = object["metadata"]["resourceVersion"].as_str();
    version.unwrap_or_else(|| panic!("no version: {object}")).to_owned()
}

async fn client(path: &Path) -> Client {
    let kubeconfig = kube::config::Kubeconfig::read_from(path).expect("read the kubeconfig");
    let config = kube::Config::from_custom_kubeconfig(kubeconfig, &Default::default()).await;
    Client::try_from(config.expect("use the kubeconfig")).expect("a client")
}
