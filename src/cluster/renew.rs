//! A client that outlives its credentials. kube refreshes tokens by itself, but a client certificate that an exec plugin
//! issued is part of the TLS setup: when it expires, the client must be built again.

use std::sync::{Arc, Once};

use http::Request;
use kube::{
    Client, Config,
    client::{Body, ClientBuilder},
};
use tokio::sync::Mutex;
use tower::service_fn;
use tracing::{info, warn};

use super::ClusterError;

struct Renewing {
    config: Config,
    current: Mutex<Option<Client>>,
}

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
    tokio::task::spawn_blocking(move || Ok(ClientBuilder::try_from(config)?.build()))
        .await
        .map_err(|e| kube::Error::Service(e.into()))?
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
