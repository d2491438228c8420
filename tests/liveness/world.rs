//! An informer on ConfigMaps of some namespaces, and what happens to it.

use std::{path::Path, sync::Arc, time::Duration};

use informerd::{
    clock::Clock,
    cluster::{Cluster, ClusterOptions, TransportConfig},
    informer::{FactoryOptions, SharedInformer, SharedInformerFactory, SpecRequest},
    object::ObjectKey,
    reflector::ReflectorConfig,
    store::QuerySpec,
    upstream::{ResourceQuery, UpstreamState, UpstreamStatus},
};
use kube::Client;
use serde_json::json;
use support::DEADLINE;
use tokio::time::{Instant, timeout};

/// One informer over one API server.
pub(crate) struct World {
    pub(crate) informer: Arc<SharedInformer>,
    pub(crate) namespace: String,
    reflectors: usize,
}

/// Options for tests: what takes a quarter of a minute in the field takes a second.
pub(crate) fn quick(kubeconfig: &Path) -> ClusterOptions {
    ClusterOptions {
        kubeconfig: Some(kubeconfig.to_owned()),
        reflector: ReflectorConfig {
            watch_header_timeout: Duration::from_secs(2),
            ..ReflectorConfig::default()
        },
        transport: TransportConfig {
            ping_interval: Duration::from_secs(1),
            ping_timeout: Duration::from_secs(1),
            check_interval: Duration::ZERO,
            ..TransportConfig::default()
        },
        ..ClusterOptions::default()
    }
}

/// Writes a ConfigMap.
pub(crate) async fn write(client: &Client, namespace: &str, name: &str) {
    let body = json!({"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}}).to_string();
    let path = format!("/api/v1/namespaces/{namespace}/configmaps");
    let request = http::Request::post(path)
        .header("Content-Type", "application/json")
        .body(body.into_bytes())
        .expect("a valid request");
    let made: Result<serde_json::Value, _> = client.request(request).await;
    made.expect("create a ConfigMap");
}

// === impl World ===

impl World {
    /// Starts the informer; it need not come to anything.
    pub(crate) async fn start(options: ClusterOptions, namespaces: &[String]) -> Self {
        let cluster = Arc::new(Cluster::connect(options).await.expect("a usable kubeconfig"));
        let factory = SharedInformerFactory::new(
            cluster,
            FactoryOptions {
                namespaces: namespaces.to_vec(),
                template: SpecRequest::default(),
                ..FactoryOptions::default()
            },
            Clock::start(),
            "epoch".into(),
        );
        let query = ResourceQuery::named("configmaps");
        let informer = factory
            .for_resource(&query, &QuerySpec::default())
            .await
            .expect("an informer");
        informer.ensure_started();
        Self {
            informer,
            namespace: namespaces[0].clone(),
            reflectors: namespaces.len(),
        }
    }

    /// Waits until a ConfigMap is in the cache.
    pub(crate) async fn sees(&self, name: &str) {
        self.sees_in(&self.namespace, name).await;
    }

    /// The same, in any namespace.
    pub(crate) async fn sees_in(&self, namespace: &str, name: &str) {
        let key = ObjectKey::new(namespace, name);
        let found = self
            .informer
            .processor()
            .wait_for(Instant::now() + DEADLINE, |p| p.snapshot.get(&key).is_some());
        assert!(
            found.await.is_ok(),
            "{name} does not come: {:?}",
            self.informer.upstream()
        );
    }

    /// The status of the reflectors together, once that of each is as wanted.
    pub(crate) async fn status(&self, what: &str, wanted: impl Fn(&UpstreamStatus) -> bool) -> UpstreamStatus {
        let all = || {
            let reflectors = self.informer.reflectors();
            reflectors.len() == self.reflectors && reflectors.iter().all(|r| wanted(&r.status))
        };
        if timeout(DEADLINE, self.informer.upstream_reaches(|_| all()))
            .await
            .is_err()
        {
            panic!("{what}: {:?}", self.informer.reflectors());
        }
        self.informer.upstream()
    }

    /// Waits until all watches are open.
    pub(crate) async fn watching(&self) -> UpstreamStatus {
        self.status("not watching", |s| s.state == UpstreamState::Watching)
            .await
    }
}
