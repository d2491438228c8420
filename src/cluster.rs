//! Access to the API server: configuration, credentials, discovery, and the reflectors that run over it.
//!
//! ```text
//!  ClusterOptions ──config──▶ kube Config ──renew──▶ kube Client ──┬──▶ Discovery (resolve)
//!   flag, KUBECONFIG,          auth, TLS,             rebuilt when   └──▶ Reflector (list, watch)
//!   in-cluster                 proxy                  credentials change
//! ```
//!
//! Each reflector has connections of its own, of HTTP/2 where the server agrees and else of HTTP/1.1. That is one socket for each
//! watch, and buys independence: an informer that cannot take more pushes back on its own connection and on nobody else's, and a
//! connection that died holds up one reflector. Whether a connection is alive is asked by pings (HTTP/2), by the kernel's probes
//! and by the reflector's idle limit; see [`TransportConfig`].

mod config;
mod denials;
mod discovery;
mod read;
mod renew;
mod source;
mod transport;

pub use config::ClusterError;
pub use denials::{Denials, Pod};
pub use discovery::Discovery;
pub use transport::TransportConfig;

use std::{fmt, path::PathBuf, sync::Arc, time::Duration};

use bytes::Bytes;
use futures::future::BoxFuture;

use self::{renew::Renewing, source::Source};
use crate::{
    object::ResourceVersion,
    reflector::{ClientSource, Reflector, ReflectorConfig},
    upstream::{LiveError, LiveRead, ReflectorJob, ResolveError, Resource, ResourceQuery, Upstream},
};

/// How to find the API server, and how to treat it.
#[derive(Clone, Debug, Default)]
pub struct ClusterOptions {
    /// Kubeconfig file. Without one: the files of KUBECONFIG, else ~/.kube/config, else the pod's service account.
    pub kubeconfig: Option<PathBuf>,
    /// Context of the kubeconfig; without one its current context.
    pub context: Option<String>,
    /// Limits of the reflectors.
    pub reflector: ReflectorConfig,
    /// Connections.
    pub transport: TransportConfig,
}

/// An API server, up or not.
#[derive(Clone)]
pub struct Cluster {
    client: kube::Client,
    server: Arc<str>,
    discovery: Arc<Discovery>,
    reflector: Reflector,
}

// === impl Cluster ===

impl Cluster {
    /// Reads the configuration. The API server need not be up: only a configuration that cannot work is an error.
    pub async fn connect(options: ClusterOptions) -> Result<Self, ClusterError> {
        let source = Source {
            kubeconfig: options.kubeconfig,
            context: options.context,
        };
        let renewing = Renewing::new(source, options.transport).await?;
        let server = renewing.server().to_string();
        Ok(Self::from_clients(Arc::new(renewing), server, options.reflector))
    }

    /// The API server behind a client that was made elsewhere; `server` is how messages name it. The client must not retry
    /// by itself.
    pub fn over(client: kube::Client, server: impl Into<Arc<str>>, reflector: ReflectorConfig) -> Self {
        Self::from_clients(Arc::new(client), server, reflector)
    }

    fn from_clients(clients: Arc<dyn ClientSource>, server: impl Into<Arc<str>>, reflector: ReflectorConfig) -> Self {
        let client = clients.client();
        Self {
            discovery: Arc::new(Discovery::new(client.clone())),
            reflector: Reflector::new(clients, reflector),
            client,
            server: server.into(),
        }
    }

    /// The context's namespace, in a pod its own.
    pub fn namespace(&self) -> &str {
        self.client.default_namespace()
    }

    /// The API server's address.
    pub fn server(&self) -> &str {
        &self.server
    }

    /// The client, for other requests. It does not retry.
    pub fn client(&self) -> &kube::Client {
        &self.client
    }

    /// Discovery of this API server.
    pub fn discovery(&self) -> &Discovery {
        &self.discovery
    }
}

#[async_trait::async_trait]
impl Upstream for Cluster {
    async fn resolve(&self, query: &ResourceQuery) -> Result<Resource, ResolveError> {
        self.discovery.resolve(query).await
    }

    async fn resolve_anew(&self, query: &ResourceQuery, max_age: Duration) -> Result<Resource, ResolveError> {
        self.discovery.resolve_anew(query, max_age).await
    }

    fn reflect(&self, job: ReflectorJob) -> BoxFuture<'static, ()> {
        let reflector = self.reflector.clone();
        Box::pin(async move { reflector.run(job).await })
    }

    async fn live_object(&self, read: &LiveRead, name: &str) -> Result<Option<Bytes>, LiveError> {
        read::object(&self.client, read, name).await
    }

    async fn live_version(&self, read: &LiveRead) -> Result<ResourceVersion, LiveError> {
        read::version(&self.client, read).await
    }
}

impl fmt::Debug for Cluster {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cluster")
            .field("server", &self.server)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
