//! Ties the parts together: the API server's side and the gRPC side meet only here.
//!
//! ```text
//!   Cluster (Upstream) ──▶ SharedInformerFactory ──▶ BoundServer
//!              informers, queues ──▶ MetricsServer
//!   demo: Sim + Scenario ──▶ the same, with a live view as its client
//! ```

use std::{
    collections::BTreeSet, future::Future, io::IsTerminal, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration,
};

use anyhow::{Context as _, Result};
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

use crate::{
    cli::{args::DemoArgs, connect::ServerAddress, demo_view::DemoView},
    clock::Clock,
    cluster::{Cluster, ClusterOptions, Denials, Pod},
    config::{ServeConfig, SocketChoice},
    informer::{FactoryOptions, SharedInformer, SharedInformerFactory, SpecRequest},
    queues::Queues,
    selector::LabelSelector,
    service::{BoundServer, ServerOptions},
    sim::{Sim, scenario::Scenario},
    telemetry::{self, MetricsServer, Watches},
    upstream::{ResourceQuery, Upstream},
};

/// Pause between two tries to create an informer whose resource cannot be resolved yet.
const RETRY: Duration = Duration::from_secs(2);

/// `informerd serve`: runs until `stop`.
pub async fn serve(config: ServeConfig, stop: impl Future<Output = ()>) -> Result<()> {
    let cluster = Cluster::connect(ClusterOptions {
        kubeconfig: config.kubeconfig.clone(),
        context: config.context.clone(),
        ..ClusterOptions::default()
    })
    .await
    .context("cannot find the API server")?;
    tracing::info!(server = cluster.server(), "API server");
    let options = FactoryOptions {
        namespaces: config.namespaces.clone(),
        namespace_selector: LabelSelector::parse(&config.namespace_selector)
            .context("--namespace-selector")?
            .normalized(),
        label_selector: config.selector.clone(),
        template: SpecRequest {
            resync: config.resync,
            ..SpecRequest::default()
        },
        ..FactoryOptions::default()
    };
    let listen = ServerOptions {
        socket: config.socket.clone(),
        listen: config.listen.clone(),
    };
    let client = cluster.client().clone();
    let mut sidecar = Sidecar::start(Arc::new(cluster), options, &listen, &config.resources).await?;
    if let Some(pod) = Pod::of(|name| std::env::var(name).ok()) {
        sidecar.announce_denials(Denials::new(client, pod));
    }
    if config.tcp_admin {
        sidecar.allow_tcp_admin();
    }
    if let Some(address) = config.metrics_listen {
        sidecar.serve_metrics(address).await?;
    }
    sidecar.run(stop).await
}

/// `informerd demo`: a simulated cluster, the sidecar over it, and a view of what the sidecar's own Watch says.
pub async fn demo(args: DemoArgs, stop: impl Future<Output = ()>) -> Result<()> {
    let directory = DemoDirectory::create()?;
    let mut builder = Sim::builder();
    if let Some(seed) = args.seed {
        builder = builder.seed(seed);
    }
    let sim = builder.start().await.context("cannot start the simulated cluster")?;
    let kubeconfig = directory.0.join("kubeconfig");
    sim.write_kubeconfig(&kubeconfig)?;
    let cluster = Cluster::connect(ClusterOptions {
        kubeconfig: Some(kubeconfig),
        ..ClusterOptions::default()
    })
    .await?;
    // The view needs a socket, whatever else is asked for.
    let socket = match &args.socket {
        Some(SocketChoice::Path(path)) => path.clone(),
        Some(SocketChoice::None) | None => directory.0.join("informerd.sock"),
    };
    let listen = ServerOptions {
        socket: Some(socket.clone()),
        listen: args.listen.clone(),
    };
    let sidecar = Sidecar::start(Arc::new(cluster), FactoryOptions::default(), &listen, &[]).await?;
    let playing = CancellationToken::new();
    let scenario = tokio::spawn(Scenario::run(sim.clone(), args.rate, playing.clone()));
    let view = async {
        let channel = ServerAddress::Unix(socket).connect().await?;
        let view = DemoView {
            run_for: args.run_for,
            color: std::io::stdout().is_terminal(),
        };
        view.run(channel, &mut tokio::io::stdout(), stop).await
    };
    let (ended, viewed) = (CancellationToken::new(), view);
    let finished = ended.clone();
    let (served, viewed) = tokio::join!(sidecar.run(ended.cancelled_owned()), async {
        let viewed = viewed.await;
        finished.cancel();
        viewed
    });
    playing.cancel();
    scenario.await.context("the scenario ended unexpectedly")??;
    viewed?;
    served
}

/// Factory and server over one API server.
pub struct Sidecar {
    factory: Arc<SharedInformerFactory>,
    queues: Arc<Queues>,
    server: BoundServer,
    metrics: Option<MetricsServer>,
    shutdown: CancellationToken,
    /// Tries to create the informers that were asked for at the start; announces denials.
    starting: JoinSet<()>,
}

// === impl Sidecar ===

impl Sidecar {
    /// Binds the server and starts the informers of `resources`. The API server need not be up.
    pub async fn start(
        upstream: Arc<dyn Upstream>,
        options: FactoryOptions,
        listen: &ServerOptions,
        resources: &[String],
    ) -> Result<Self> {
        let clock = Clock::start();
        let epoch = format!("{:016x}", rand::random::<u64>());
        let queues = Queues::new(clock, epoch.clone());
        let factory = SharedInformerFactory::new(upstream, options, clock, epoch);
        let shutdown = CancellationToken::new();
        let server = BoundServer::bind(listen, factory.clone(), queues.clone(), shutdown.clone()).await?;
        for address in server.addresses() {
            tracing::info!(%address, "listening");
        }
        if let Some(socket) = &listen.socket {
            tracing::info!(socket = %socket.display(), "listening");
        }
        let wanted: BTreeSet<_> = resources.iter().cloned().collect();
        let mut starting = JoinSet::new();
        for name in wanted {
            factory.expect(&name);
            starting.spawn(create_eagerly(factory.clone(), name));
        }
        Ok(Self {
            factory,
            queues,
            server,
            metrics: None,
            shutdown,
            starting,
        })
    }

    /// Serves the metrics at `address` too, while the sidecar runs; where they are, as port 0 means any.
    pub async fn serve_metrics(&mut self, address: SocketAddr) -> Result<SocketAddr> {
        let watches = self.server.watches();
        let totals = move |informers: &[Arc<SharedInformer>]| {
            let told = watches(informers).into_iter().map(|w| Watches {
                open: w.open,
                worst_lag: w.worst_lag,
                resets: w.resets,
            });
            told.collect()
        };
        let registry = telemetry::registry(self.factory.clone(), self.queues.clone(), totals);
        let metrics = MetricsServer::bind(address, registry).await?;
        let address = metrics.address();
        tracing::info!(%address, "serving metrics");
        self.metrics = Some(metrics);
        Ok(address)
    }

    /// Posts an Event where the API server denies something, while the sidecar runs.
    pub fn announce_denials(&mut self, denials: Denials) {
        self.starting.spawn(denials.run(self.factory.clone()));
    }

    /// Lets callers over TCP delete and change what others declared.
    pub fn allow_tcp_admin(&mut self) {
        self.server.allow_tcp_admin();
    }

    /// The informers.
    pub fn factory(&self) -> &Arc<SharedInformerFactory> {
        &self.factory
    }

    /// The TCP addresses that it listens on.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.server.addresses()
    }

    /// Serves until `stop`; then tells the watches and ends.
    pub async fn run(mut self, stop: impl Future<Output = ()>) -> Result<()> {
        let shutdown = self.shutdown.clone();
        // Ends after the last gRPC call: what happens while the sidecar ends can still be scraped.
        let mut beside = JoinSet::new();
        if let Some(metrics) = self.metrics.take() {
            beside.spawn(metrics.serve());
        }
        let serving = self.server.serve();
        tokio::pin!(serving);
        let served = tokio::select! {
            result = &mut serving => result,
            () = stop => {
                tracing::info!("shutting down");
                self.starting.abort_all();
                shutdown.cancel();
                serving.await
            }
        };
        beside.shutdown().await;
        Ok(served?)
    }
}

/// Creates an informer as soon as its resource can be resolved. Says so once for each new reason, not at each try.
async fn create_eagerly(factory: Arc<SharedInformerFactory>, name: String) {
    let mut said = String::new();
    loop {
        let query = ResourceQuery::named(name.as_str());
        match factory.for_scope(&query).await {
            Ok(_) => {
                factory.arrived(&name);
                return;
            }
            Err(error) => {
                let message = error.to_string();
                factory.still_waiting(&name, &message);
                if message != said {
                    tracing::warn!(resource = name, error = message, "waiting for the resource");
                    said = message;
                }
            }
        }
        tokio::time::sleep(RETRY).await;
    }
}

/// A directory of the demo's own, removed when it ends.
struct DemoDirectory(PathBuf);

// === impl DemoDirectory ===

impl DemoDirectory {
    fn create() -> Result<Self> {
        let path = std::env::temp_dir().join(format!("informerd-demo-{:016x}", rand::random::<u64>()));
        std::fs::create_dir(&path).with_context(|| format!("cannot create {}", path.display()))?;
        Ok(Self(path))
    }
}

impl Drop for DemoDirectory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
