//! The gRPC server: services, reflection and health, on a Unix socket, on TCP, or on both.

use std::{io, net::SocketAddr, path::PathBuf, sync::Arc, time::Duration};

use tokio::{net::TcpListener, task::JoinSet};
use tokio_stream::wrappers::UnixListenerStream;
use tokio_util::sync::CancellationToken;
use tonic::{
    Request,
    service::{InterceptorLayer, Routes},
    transport::{Server, server::TcpIncoming},
};

use super::{
    access::NoAdmin,
    cache::CacheApi,
    health::HealthApi,
    informers::InformerApi,
    queue::QueueApi,
    socket::{self, BoundSocket, SocketError},
    watch::{MAX_WATCHES, Registry, SubscriptionApi, WatchTotals},
};
use crate::{
    informer::{SharedInformer, SharedInformerFactory},
    proto::{
        FILE_DESCRIPTOR_SET,
        v1alpha1::{
            cache_service_server::CacheServiceServer, informer_service_server::InformerServiceServer,
            subscription_service_server::SubscriptionServiceServer, work_queue_service_server::WorkQueueServiceServer,
        },
    },
    queues::Queues,
};

/// Where the server listens.
#[derive(Clone, Debug, Default)]
pub struct ServerOptions {
    /// Unix socket.
    pub socket: Option<PathBuf>,
    /// TCP addresses.
    pub listen: Vec<SocketAddr>,
}

/// A server that is bound and not yet serving.
pub struct BoundServer {
    unix: Option<(tokio::net::UnixListener, BoundSocket)>,
    tcp: Vec<TcpListener>,
    routes: Routes,
    watches: Arc<Registry>,
    tcp_admin: bool,
    shutdown: CancellationToken,
}

/// The server cannot serve.
#[derive(Debug, thiserror::Error)]
pub enum ServerError {
    /// No address was given.
    #[error("there is nothing to listen on: give --socket or --listen")]
    Nowhere,
    /// The socket cannot be bound.
    #[error(transparent)]
    Socket(#[from] SocketError),
    /// A TCP address cannot be bound.
    #[error("cannot listen on {address}: {source}")]
    Tcp {
        /// The address.
        address: SocketAddr,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// The descriptor set that is built in cannot be served.
    #[error("reflection: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// Serving failed.
    #[error("transport: {0}")]
    Transport(#[from] tonic::transport::Error),
}

/// Inbound windows: the connection's is far above streams times stream window, so that one unread stream cannot hang the
/// others of its connection (protocol.md, question 5).
const CONNECTION_WINDOW: u32 = 64 << 20;
const STREAM_WINDOW: u32 = 256 << 10;
/// Streams of one connection: all watches and some calls beside them.
const MAX_STREAMS: u32 = MAX_WATCHES as u32 + 200;
/// Dead TCP peers are found by pings; a Unix socket says by itself when its peer is gone.
const KEEPALIVE: Duration = Duration::from_secs(30);
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(20);
/// How long open calls may take to end once the server shuts down.
const DRAIN: Duration = Duration::from_secs(5);

// === impl BoundServer ===

impl BoundServer {
    /// Binds all addresses. `shutdown` ends the watches, and then the server.
    pub async fn bind(
        options: &ServerOptions,
        factory: Arc<SharedInformerFactory>,
        queues: Arc<Queues>,
        shutdown: CancellationToken,
    ) -> Result<Self, ServerError> {
        if options.socket.is_none() && options.listen.is_empty() {
            return Err(ServerError::Nowhere);
        }
        let unix = match &options.socket {
            Some(path) => Some(socket::bind(path).await?),
            None => None,
        };
        let mut tcp = Vec::new();
        for address in &options.listen {
            let listener = TcpListener::bind(address).await.map_err(|source| ServerError::Tcp {
                address: *address,
                source,
            })?;
            tcp.push(listener);
        }
        let watches = SubscriptionApi::new(factory.clone(), shutdown.clone());
        Ok(Self {
            unix,
            tcp,
            watches: watches.registry().clone(),
            routes: routes(factory, queues, watches, shutdown.clone())?,
            tcp_admin: false,
            shutdown,
        })
    }

    /// What the watches of some informers do, in their order, whenever it is called.
    pub fn watches(&self) -> impl Fn(&[Arc<SharedInformer>]) -> Vec<WatchTotals> + Send + Sync + use<> {
        let watches = self.watches.clone();
        move |informers| watches.totals(informers)
    }

    /// Lets callers over TCP make calls that take something away from others, which else only callers over the socket may:
    /// who may open the socket is said by its mode, and nobody says who may connect (field case G).
    pub fn allow_tcp_admin(&mut self) {
        self.tcp_admin = true;
    }

    /// The TCP addresses that were bound.
    pub fn addresses(&self) -> Vec<SocketAddr> {
        self.tcp.iter().filter_map(|l| l.local_addr().ok()).collect()
    }

    /// Serves until shutdown.
    pub async fn serve(self) -> Result<(), ServerError> {
        let mut servers = JoinSet::new();
        let mut socket_file = None;
        if let Some((listener, bound)) = self.unix {
            socket_file = Some(bound);
            let incoming = UnixListenerStream::new(listener);
            let (routes, shutdown) = (self.routes.clone(), self.shutdown.clone());
            servers.spawn(async move {
                builder(None)
                    .add_routes(routes)
                    .serve_with_incoming_shutdown(incoming, shutdown.cancelled_owned())
                    .await
            });
        }
        for listener in self.tcp {
            let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
            let (routes, shutdown) = (self.routes.clone(), self.shutdown.clone());
            let admin = self.tcp_admin;
            let marked = InterceptorLayer::new(move |mut request: Request<()>| {
                if !admin {
                    request.extensions_mut().insert(NoAdmin);
                }
                Ok(request)
            });
            servers.spawn(async move {
                builder(Some(KEEPALIVE))
                    .layer(marked)
                    .add_routes(routes)
                    .serve_with_incoming_shutdown(incoming, shutdown.cancelled_owned())
                    .await
            });
        }
        let all = async {
            while let Some(ended) = servers.join_next().await {
                match ended {
                    Ok(result) => result?,
                    Err(e) if e.is_panic() => std::panic::resume_unwind(e.into_panic()),
                    Err(_) => {}
                }
            }
            Ok(())
        };
        let cut = async {
            self.shutdown.cancelled().await;
            tokio::time::sleep(DRAIN).await;
        };
        let result = tokio::select! {
            result = all => result,
            () = cut => Ok(()),
        };
        drop(socket_file);
        result
    }
}

fn builder(keepalive: Option<Duration>) -> Server {
    Server::builder()
        .initial_connection_window_size(CONNECTION_WINDOW)
        .initial_stream_window_size(STREAM_WINDOW)
        .max_concurrent_streams(MAX_STREAMS)
        .http2_keepalive_interval(keepalive)
        .http2_keepalive_timeout(Some(KEEPALIVE_TIMEOUT))
}

fn routes(
    factory: Arc<SharedInformerFactory>,
    queues: Arc<Queues>,
    watches: SubscriptionApi,
    shutdown: CancellationToken,
) -> Result<Routes, ServerError> {
    let reflection = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(FILE_DESCRIPTOR_SET)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
            // The details of errors, which stand in no method: a client that knows nothing else can read them too.
            .register_encoded_file_descriptor_set(tonic_types::pb::FILE_DESCRIPTOR_SET)
    };
    let health = tonic_health::pb::health_server::HealthServer::new(HealthApi::new(factory.clone()));
    Ok(
        Routes::new(InformerServiceServer::new(InformerApi::new(factory.clone())))
            .add_service(SubscriptionServiceServer::new(watches))
            .add_service(WorkQueueServiceServer::new(QueueApi::new(
                factory.clone(),
                queues,
                shutdown.clone(),
            )))
            .add_service(CacheServiceServer::new(CacheApi::new(factory)))
            .add_service(health)
            .add_service(reflection().build_v1()?)
            .add_service(reflection().build_v1alpha()?),
    )
}
