//! A sidecar in the test's own process, and clients with gRPC's default limits over its socket.

use std::{path::Path, sync::Arc};

use informerd::{
    cli::connect::ServerAddress,
    cluster::{Cluster, ClusterOptions},
    informer::FactoryOptions,
    proto::v1alpha1::{
        InformerSelector, ResourceRef, cache_service_client::CacheServiceClient, informer_selector::By,
        informer_service_client::InformerServiceClient, subscription_service_client::SubscriptionServiceClient,
    },
    reflector::ReflectorConfig,
    run::Sidecar,
    service::ServerOptions,
};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tonic::transport::Channel;

/// A running sidecar.
pub(crate) struct Bench {
    channel: Channel,
    stop: CancellationToken,
    served: JoinHandle<anyhow::Result<()>>,
    _dir: tempfile::TempDir,
}

// === impl Bench ===

impl Bench {
    /// Starts one over the API server of a kubeconfig.
    pub(crate) async fn start(kubeconfig: &Path, reflector: ReflectorConfig, options: FactoryOptions) -> Self {
        let cluster = Cluster::connect(ClusterOptions {
            kubeconfig: Some(kubeconfig.to_owned()),
            reflector,
            ..ClusterOptions::default()
        });
        let cluster = Arc::new(cluster.await.expect("a usable kubeconfig"));
        let dir = tempfile::tempdir().expect("a directory");
        let socket = dir.path().join("informerd.sock");
        let listen = ServerOptions {
            socket: Some(socket.clone()),
            listen: Vec::new(),
        };
        let sidecar = Sidecar::start(cluster, options, &listen, &[]).await.expect("a sidecar");
        let stop = CancellationToken::new();
        let served = tokio::spawn(sidecar.run(stop.clone().cancelled_owned()));
        let channel = ServerAddress::Unix(socket).connect().await.expect("a channel");
        Self {
            channel,
            stop,
            served,
            _dir: dir,
        }
    }

    /// Lister and index queries.
    pub(crate) fn cache(&self) -> CacheServiceClient<Channel> {
        CacheServiceClient::new(self.channel.clone())
    }

    /// Watches.
    pub(crate) fn subscriptions(&self) -> SubscriptionServiceClient<Channel> {
        SubscriptionServiceClient::new(self.channel.clone())
    }

    /// Informers.
    pub(crate) fn informers(&self) -> InformerServiceClient<Channel> {
        InformerServiceClient::new(self.channel.clone())
    }

    /// Ends it; that must be in good order.
    pub(crate) async fn stop(self) {
        self.stop.cancel();
        let served = self.served.await.expect("the sidecar does not panic");
        served.expect("the sidecar ends in good order");
    }
}

/// The informer of a resource, as kubectl names it.
pub(crate) fn resource(name: &str) -> Option<InformerSelector> {
    Some(InformerSelector {
        by: Some(By::Resource(ResourceRef {
            resource: name.to_owned(),
            ..ResourceRef::default()
        })),
    })
}

/// The informer of a name.
pub(crate) fn named(name: &str) -> Option<InformerSelector> {
    Some(InformerSelector {
        by: Some(By::Name(name.to_owned())),
    })
}
