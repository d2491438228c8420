//! The real assembly in this process, stopped and started anew on one socket: a new epoch each time.

use std::{path::PathBuf, sync::Arc};

use informerd::{
    cli::connect::ServerAddress,
    cluster::{Cluster, ClusterOptions},
    informer::FactoryOptions,
    proto::v1alpha1::{
        CreateInformerRequest, HistoryLimits, InformerSpec, ResourceRef, WaitForCacheSyncRequest,
        informer_service_client::InformerServiceClient,
    },
    run::Sidecar,
    service::ServerOptions,
    sim::Sim,
};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tonic::transport::Channel;

/// An informer to declare: id, namespaces, revisions of history.
pub(crate) type Declared = (&'static str, &'static [&'static str], u32);

/// A sidecar that can be restarted.
pub(crate) struct Restartable {
    kubeconfig: PathBuf,
    pub(crate) socket: PathBuf,
    informers: &'static [Declared],
    running: Option<(CancellationToken, JoinHandle<anyhow::Result<()>>)>,
    _dir: tempfile::TempDir,
}

// === impl Restartable ===

impl Restartable {
    /// Starts one over a simulated cluster, with informers of ConfigMaps.
    pub(crate) async fn start(sim: &Sim, informers: &'static [Declared]) -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let kubeconfig = dir.path().join("kubeconfig");
        sim.write_kubeconfig(&kubeconfig).expect("a kubeconfig");
        let mut this = Self {
            socket: dir.path().join("informerd.sock"),
            kubeconfig,
            informers,
            running: None,
            _dir: dir,
        };
        this.up().await;
        this
    }

    /// Ends it in good order and starts another one.
    pub(crate) async fn restart(&mut self) {
        self.down().await;
        self.up().await;
    }

    pub(crate) async fn channel(&self) -> Channel {
        let address = ServerAddress::Unix(self.socket.clone());
        address.connect().await.expect("the sidecar listens")
    }

    /// Waits until the informers have all that there is.
    pub(crate) async fn synced(&self) {
        let request = WaitForCacheSyncRequest {
            names: self
                .informers
                .iter()
                .map(|(id, ..)| format!("informers/{id}"))
                .collect(),
            ..WaitForCacheSyncRequest::default()
        };
        let mut service = InformerServiceClient::new(self.channel().await);
        service.wait_for_cache_sync(request).await.expect("the informers sync");
    }

    async fn up(&mut self) {
        let cluster = Cluster::connect(ClusterOptions {
            kubeconfig: Some(self.kubeconfig.clone()),
            ..ClusterOptions::default()
        });
        let cluster = Arc::new(cluster.await.expect("a usable kubeconfig"));
        let listen = ServerOptions {
            socket: Some(self.socket.clone()),
            listen: Vec::new(),
        };
        let sidecar = Sidecar::start(cluster, FactoryOptions::default(), &listen, &[]).await;
        let sidecar = sidecar.expect("a sidecar");
        let stop = CancellationToken::new();
        let served = tokio::spawn(sidecar.run(stop.clone().cancelled_owned()));
        self.running = Some((stop, served));
        let mut service = InformerServiceClient::new(self.channel().await);
        for (id, namespaces, max_revisions) in self.informers {
            let request = CreateInformerRequest {
                informer_id: (*id).to_owned(),
                spec: Some(InformerSpec {
                    resource: Some(ResourceRef {
                        resource: "configmaps".to_owned(),
                        ..ResourceRef::default()
                    }),
                    namespaces: namespaces.iter().map(|name| (*name).to_owned()).collect(),
                    history: Some(HistoryLimits {
                        max_revisions: *max_revisions,
                        ..HistoryLimits::default()
                    }),
                    ..InformerSpec::default()
                }),
            };
            service
                .create_informer(request)
                .await
                .expect("the informer is declared");
        }
    }

    async fn down(&mut self) {
        if let Some((stop, served)) = self.running.take() {
            stop.cancel();
            let served = served.await.expect("the sidecar does not panic");
            served.expect("the sidecar ends in good order");
        }
    }
}
