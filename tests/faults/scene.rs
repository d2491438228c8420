//! Pods in a namespace, a sidecar process that caches them, and the control plane that is disturbed.

use std::path::Path;
use std::sync::OnceLock;

use informerd::proto::v1alpha1::{
    CacheStatus, GetObjectRequest, GetObjectResponse, ObjectKey, cache_service_client::CacheServiceClient,
};
use kube::Client;
use support::{ControlPlane, Options, Peer, Sidecar, Workload};
use tokio::sync::{Mutex, MutexGuard};
use tonic::{Status, transport::Channel};

use crate::INFORMERD;
use crate::recorder::{Record, Recorder, connect, informer, pods, resource};
use crate::replay::Replay;
use crate::truth::list;

/// A control plane whose API server tests stop and kill, one test at a time, and another API server on its etcd.
pub(crate) struct Disturbed {
    pub(crate) plane: ControlPlane,
    pub(crate) peer: Peer,
}

/// Pods, and the only sidecar for them.
pub(crate) struct Scene {
    pub(crate) client: Client,
    pub(crate) workload: Workload,
    pub(crate) namespaces: Vec<String>,
    /// The collection that is cached.
    pub(crate) path: String,
    pub(crate) sidecar: Sidecar,
    pub(crate) channel: Channel,
    /// Namespace and name of a pod that was there from the start.
    pub(crate) pod: (String, String),
}

/// A number that the environment may set.
pub(crate) fn setting(name: &str, default: u64) -> u64 {
    match std::env::var(name) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")),
        Err(_) => default,
    }
}

// === impl Disturbed ===

impl Disturbed {
    /// Waits for its turn. What the last test left stopped or dead is up again.
    pub(crate) async fn turn() -> MutexGuard<'static, Self> {
        static SHARED: OnceLock<Mutex<Disturbed>> = OnceLock::new();
        let shared = SHARED.get_or_init(|| {
            let plane = ControlPlane::start(Options::new());
            let peer = plane.start_peer();
            Mutex::new(Self { plane, peer })
        });
        let turn = shared.lock().await;
        turn.plane.start_apiserver();
        turn.plane.resume();
        turn
    }
}

// === impl Scene ===

impl Scene {
    /// Creates `count` pods through `client` and starts a sidecar with `kubeconfig`.
    pub(crate) async fn new(client: Client, kubeconfig: &Path, prefix: &str, count: usize) -> Self {
        let mut workload = Workload::new(client.clone(), 41);
        let namespaces = workload.create_namespaces(prefix, 1).await;
        workload.create_pods(count, &namespaces).await;
        let namespace = format!("--namespace={}", namespaces[0]);
        let sidecar = Sidecar::start(INFORMERD, kubeconfig, &["--resource=pods", &namespace]);
        Self {
            client,
            path: format!("/api/v1/namespaces/{}/pods", namespaces[0]),
            channel: connect(&sidecar.socket()).await,
            pod: workload.pods().remove(0),
            workload,
            namespaces,
            sidecar,
        }
    }

    /// A watch that holds what the cluster holds, and the version at which that was compared.
    pub(crate) async fn record(&self) -> (Recorder, u64) {
        let recorder = Recorder::open(&self.channel, pods(), Replay::default()).await;
        let (truth, version) = list(&self.client, &self.path).await;
        let record = recorder.synced().await;
        assert_eq!(*record.replay.view(), truth);
        (recorder, version)
    }

    /// The watch was never told to begin again, and its view is the cluster's.
    pub(crate) async fn agrees(&self, record: &Record) {
        assert_eq!(record.controls(), ["created SNAPSHOT", "synced"]);
        let (truth, _) = list(&self.client, &self.path).await;
        assert_eq!(*record.replay.view(), truth);
    }

    /// Reads the first pod from the cache, as it was when the cache last followed.
    pub(crate) async fn get(&self) -> Result<GetObjectResponse, Status> {
        get(&self.channel, self.pod.clone()).await
    }

    /// The informer's status.
    pub(crate) async fn status(&self) -> CacheStatus {
        informer(&self.channel).await.status.expect("a status")
    }
}

/// Reads a pod from the cache of a sidecar.
pub(crate) async fn get(channel: &Channel, (namespace, name): (String, String)) -> Result<GetObjectResponse, Status> {
    let request = GetObjectRequest {
        informer: Some(resource("pods")),
        key: Some(ObjectKey { namespace, name }),
        ..GetObjectRequest::default()
    };
    let reply = CacheServiceClient::new(channel.clone()).get_object(request).await;
    reply.map(tonic::Response::into_inner)
}
