//! A sidecar over the simulated cluster, a worker's connection to it, and the command line.

use std::{io::Cursor, net::SocketAddr, sync::Arc};

use informerd::{
    cli::{self, Handlers, Io, args::DemoArgs, connect::ServerAddress},
    cluster::{Cluster, ClusterOptions},
    config::ServeConfig,
    informer::FactoryOptions,
    proto::v1alpha1::{work_queue_service_client::WorkQueueServiceClient, *},
    run::Sidecar,
    service::ServerOptions,
    sim::Sim,
};
use tokio::task::JoinHandle;
use tokio_util::sync::{CancellationToken, DropGuard};
use tonic::transport::Channel;

pub(crate) struct Rig {
    pub(crate) sim: Sim,
    /// Of the metrics.
    pub(crate) metrics: SocketAddr,
    pub(crate) worker: WorkQueueServiceClient<Channel>,
    /// Over the socket.
    pub(crate) channel: Channel,
    /// The sidecar's address over TCP.
    pub(crate) tcp: SocketAddr,
    url: String,
    stop: DropGuard,
    serving: JoinHandle<anyhow::Result<()>>,
    _directory: tempfile::TempDir,
}

/// What a command did.
pub(crate) struct Outcome {
    pub(crate) code: u8,
    pub(crate) out: String,
    pub(crate) notes: String,
}

/// The command line without the commands that run a server.
struct ClientOnly;

impl Handlers for ClientOnly {
    async fn serve(&self, _: ServeConfig) -> anyhow::Result<()> {
        anyhow::bail!("no server")
    }

    async fn demo(&self, _: DemoArgs) -> anyhow::Result<()> {
        anyhow::bail!("no server")
    }
}

impl Rig {
    pub(crate) async fn start(resources: &[&str]) -> Self {
        Self::start_with(resources, |_| {}).await
    }

    /// As [`Self::start`], with a sidecar that is set up further before it serves.
    pub(crate) async fn start_with(resources: &[&str], set_up: impl FnOnce(&mut Sidecar)) -> Self {
        let directory = tempfile::tempdir().expect("directory");
        let sim = Sim::builder().start().await.expect("simulated cluster");
        let kubeconfig = directory.path().join("kubeconfig");
        sim.write_kubeconfig(&kubeconfig).expect("written");
        let cluster = Cluster::connect(ClusterOptions {
            kubeconfig: Some(kubeconfig),
            ..ClusterOptions::default()
        });
        let cluster = Arc::new(cluster.await.expect("cluster"));
        let socket = directory.path().join("s");
        let listen = ServerOptions {
            socket: Some(socket.clone()),
            listen: vec![SocketAddr::from(([127, 0, 0, 1], 0))],
        };
        let resources: Vec<_> = resources.iter().map(|r| (*r).to_owned()).collect();
        let sidecar = Sidecar::start(cluster, FactoryOptions::default(), &listen, &resources);
        let mut sidecar = sidecar.await.expect("sidecar");
        set_up(&mut sidecar);
        let tcp = *sidecar.addresses().first().expect("an address");
        let any = SocketAddr::from(([127, 0, 0, 1], 0));
        let metrics = sidecar.serve_metrics(any).await.expect("metrics");
        let stop = CancellationToken::new();
        let serving = tokio::spawn(sidecar.run(stop.clone().cancelled_owned()));
        let channel = ServerAddress::Unix(socket.clone()).connect().await.expect("connected");
        Self {
            sim,
            metrics,
            worker: WorkQueueServiceClient::new(channel.clone()),
            channel,
            tcp,
            url: format!("unix://{}", socket.display()),
            stop: stop.drop_guard(),
            serving,
            _directory: directory,
        }
    }

    /// Ends the sidecar and waits for it.
    pub(crate) async fn stop(self) {
        drop(self.stop);
        self.serving.await.expect("no panic").expect("served");
    }

    /// `informerd queue ...`
    pub(crate) async fn queue(&self, line: &str) -> Outcome {
        self.informerd(&format!("queue {line}")).await
    }

    /// `informerd ...`
    pub(crate) async fn informerd(&self, line: &str) -> Outcome {
        let (mut out, mut notes) = (Cursor::new(Vec::new()), Vec::new());
        let args = ["informerd"].into_iter().chain(line.split_whitespace());
        let code = cli::run(
            args.chain(["--server", &self.url]),
            &ClientOnly,
            &mut Io {
                out: &mut out,
                notes: &mut notes,
            },
        )
        .await;
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        Outcome {
            code,
            out: text(out.into_inner()),
            notes: text(notes),
        }
    }

    /// A queue that starts at once.
    pub(crate) async fn create(&mut self, id: &str, spec: QueueSpec) {
        let spec = QueueSpec {
            restart_hold: Some(prost_types::Duration::default()),
            ..spec
        };
        let request = CreateQueueRequest {
            queue_id: id.into(),
            spec: Some(spec),
        };
        self.worker.create_queue(request).await.expect("created");
    }

    pub(crate) async fn add(&mut self, keys: &[&str], request: AddItemsRequest) {
        let keys = keys.iter().map(|k| key(k)).collect();
        let request = AddItemsRequest {
            queue: "queues/q".into(),
            keys,
            ..request
        };
        self.worker.add_items(request).await.expect("added");
    }

    /// Takes one key.
    pub(crate) async fn acquire(&mut self) -> WorkItem {
        let request = AcquireItemsRequest {
            queue: "queues/q".into(),
            worker_id: "w1".into(),
            max_items: 1,
            ..AcquireItemsRequest::default()
        };
        let reply = self.worker.acquire_items(request).await.expect("acquired").into_inner();
        reply.items.into_iter().next().expect("an item")
    }

    pub(crate) async fn complete(&mut self, item: &WorkItem, completion: Completion) {
        let lease_id = item.lease.as_ref().expect("a lease").lease_id.clone();
        let request = CompleteItemsRequest {
            queue: "queues/q".into(),
            completions: vec![Completion { lease_id, ..completion }],
        };
        let reply = self
            .worker
            .complete_items(request)
            .await
            .expect("completed")
            .into_inner();
        assert_eq!(reply.results[0].code, 0, "{:?}", reply.results);
    }
}

pub(crate) fn key(text: &str) -> ObjectKey {
    let (namespace, name) = text.split_once('/').unwrap_or(("", text));
    ObjectKey {
        namespace: namespace.into(),
        name: name.into(),
    }
}
