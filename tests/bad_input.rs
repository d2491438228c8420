//! What goes wrong is said: each mistake with a code and a reason of its own, the field named, and never by a panic or an
//! answer that looks like an empty success.

#[path = "bad_input/ask.rs"]
mod ask;
#[path = "bad_input/cluster.rs"]
mod cluster;
#[path = "bad_input/large.rs"]
mod large;
#[path = "bad_input/refusal.rs"]
mod refusal;
#[path = "bad_input/requests.rs"]
mod requests;
#[path = "bench/sidecar.rs"]
mod sidecar;
#[path = "bad_input/tokens.rs"]
mod tokens;
#[path = "bad_input/values.rs"]
mod values;

use informerd::{
    informer::FactoryOptions,
    proto::v1alpha1::{Filter, ReadOptions},
    reflector::ReflectorConfig,
    sim::Sim,
};
use serde_json::{Value, json};
use sidecar::Bench;

/// A simulated cluster and a sidecar over it.
pub(crate) struct World {
    pub(crate) sim: Sim,
    pub(crate) bench: Bench,
    _dir: tempfile::TempDir,
}

// === impl World ===

impl World {
    /// With some pods and ConfigMaps in the namespace `a`.
    pub(crate) async fn start() -> Self {
        let sim = Sim::builder().start().await.expect("a simulated cluster");
        for name in ["p1", "p2", "p3"] {
            sim.create(pod(name)).expect("a pod");
            sim.create(config(name, json!({"key": name}))).expect("a ConfigMap");
        }
        let dir = tempfile::tempdir().expect("a directory");
        let kubeconfig = dir.path().join("kubeconfig");
        sim.write_kubeconfig(&kubeconfig).expect("write the kubeconfig");
        let bench = Bench::start(&kubeconfig, ReflectorConfig::default(), FactoryOptions::default()).await;
        Self { sim, bench, _dir: dir }
    }
}

/// A pod of the namespace `a`.
pub(crate) fn pod(name: &str) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"namespace": "a", "name": name},
        "spec": {"containers": [{"name": "main", "image": "registry.example/main:1"}]},
    })
}

/// A ConfigMap of the namespace `a`.
pub(crate) fn config(name: &str, data: Value) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"namespace": "a", "name": name},
        "data": data,
    })
}

/// The filter for the namespace `a`.
pub(crate) fn in_a() -> Option<Filter> {
    Some(Filter {
        namespaces: vec!["a".into()],
        ..Filter::default()
    })
}

/// Waits long for what the API server is slow with.
pub(crate) fn patient() -> Option<ReadOptions> {
    Some(ReadOptions {
        freshness_timeout: Some(prost_types::Duration { seconds: 60, nanos: 0 }),
        ..ReadOptions::default()
    })
}
