//! A client that outlives its credentials. kube refreshes tokens by itself, but a client certificate that an exec plugin
//! issued is part of the TLS setup: when it expires, the client must be built again.

use std::{
    sync::{Arc, Once},
    time::Duration,
};

use http::Request;
use hyper_util::{client::legacy::connect::HttpConnector, rt::TokioExecutor};
use kube::{
    Client, Config,
    client::{Body, ClientBuilder, ConfigExt},
};
use tokio::sync::Mutex;
use tower::{BoxError, ServiceBuilder, service_fn};
use tracing::{info, warn};

use super::ClusterError;

struct Renewing {
    config: Config,
    current: Mutex<Option<Client>>,
}

/// Lets the kernel find dead connections of requests that wait for their answer.
const KEEPALIVE: Duration = Duration::from_secs(30);

/// A client after `config`. If its credentials cannot be had yet (an exec plugin fails), that is told by each request.
pub(super) async fn client(config: Config) -> Result<Client, ClusterError> {
    install_crypto();
    let namespace = config.default_namespace.clone();
    let current = match build(config.clone()).await {
        Ok(client) => Some(client),
        Err(e @ kube::Error::Auth(_)) => {
            warn!("credentials are not available yet: {e}");
            None
        }
        Err(e) => return Err(ClusterError::Client(e)),
    };
    let renewing = Arc::new(Renewing {
        config,
        current: Mutex::new(current),
    });
    let service = service_fn(move |request: Request<Body>| {
        let renewing = renewing.clone();
        async move { renewing.client().await?.send(request).await }
    });
    Ok(Client::new(service, namespace))
}

/// rustls takes its cryptography from the process. Whoever installed one before us has their reasons.
fn install_crypto() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}

/// Runs exec plugins, which are processes, and reads files.
async fn build(config: Config) -> Result<Client, kube::Error> {
    tokio::task::spawn_blocking(move || {
        // kube's own stack does what ours cannot reach: proxies, and the expiry of certificates from exec plugins.
        if config.proxy_url.is_some() || config.auth_info.exec.is_some() {
            Ok(ClientBuilder::try_from(config)?.build())
        } else {
            direct(&config)
        }
    })
    .await
    .map_err(|e| kube::Error::Service(e.into()))?
}

/// kube's stack, but for the socket: without TCP_NODELAY the first request of each connection waits for the server's
/// delayed acknowledgement of the TLS handshake, 40 ms for each watch that is opened.
fn direct(config: &Config) -> Result<Client, kube::Error> {
    let mut http = HttpConnector::new();
    http.enforce_http(false);
    http.set_nodelay(true);
    http.set_keepalive(Some(KEEPALIVE));
    http.set_connect_timeout(config.connect_timeout);
    let https = config.rustls_https_connector_with_connector(http)?;
    let service = ServiceBuilder::new()
        .layer(config.base_uri_layer())
        .option_layer(config.auth_layer()?)
        .layer(config.extra_headers_layer()?)
        .map_err(BoxError::from)
        .service(hyper_util::client::legacy::Client::builder(TokioExecutor::new()).build(https));
    Ok(Client::new(service, config.default_namespace.clone()))
}

// === impl Renewing ===

impl Renewing {
    async fn client(&self) -> Result<Client, kube::Error> {
        let mut current = self.current.lock().await;
        if let Some(client) = &*current {
            let now = std::time::SystemTime::now();
            let expired = client
                .valid_until()
                .is_some_and(|until| std::time::SystemTime::from(until) <= now);
            if !expired {
                return Ok(client.clone());
            }
            info!("the client certificate has expired, building the client again");
        }
        // Open watches keep the old client's connections until the server ends them.
        let client = build(self.config.clone()).await?;
        *current = Some(client.clone());
        Ok(client)
    }
}
