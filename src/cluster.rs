//! Access to the API server: configuration, credentials, discovery, and the reflectors that run over it.
//!
//! ```text
//!  ClusterOptions ──config──▶ kube Config ──renew──▶ kube Client ──┬──▶ Discovery (resolve)
//!   flag, KUBECONFIG,          auth, TLS,             rebuilt when   └──▶ Reflector (list, watch)
//!   in-cluster                 proxy                  its cert expires
//! ```
//!
//! Connections are HTTP/1.1, as in kube's own stack, so each open watch has a connection to itself. That is one socket for
//! each watch, and buys independence: dropping a watch closes its connection and nothing else, and a connection that died
//! holds up only the request that was on it. Lists share a pool; a dead connection that sits there costs one request its
//! header timeout and is closed by that, and none stays in the pool for longer than 90 seconds.

mod config;
mod denials;
mod discovery;
mod read;
mod renew;

pub use config::ClusterError;
pub use denials::{Denials, Pod};
pub use discovery::Discovery;

use std::{fmt, path::PathBuf, sync::Arc, time::Duration};

use bytes::Bytes;
use futures::future::BoxFuture;

use crate::{
    object::ResourceVersion,
    reflector::{Reflector, ReflectorConfig},
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
        let config = config::load(options.kubeconfig.as_deref(), options.context.as_deref()).await?;
        let server = config.cluster_url.to_string();
        let client = renew::client(config).await?;
        Ok(Self::over(client, server, options.reflector))
    }

    /// The API server behind a client that was made elsewhere; `server` is how messages name it. The client must not retry
    /// by itself.
    pub fn over(client: kube::Client, server: impl Into<Arc<str>>, reflector: ReflectorConfig) -> Self {
        Self {
            discovery: Arc::new(Discovery::new(client.clone())),
            reflector: Reflector::new(client.clone(), reflector),
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
