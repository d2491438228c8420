//! Clients that outlive their credentials. A token, a client certificate or an authority that is rotated needs another TLS
//! setup or another token, so the common part of all clients is built again, without a restart (field case 23):
//!
//! - before a request, if a file of the configuration has changed;
//! - after a request, if the server rejected the credentials (401, or an error of TLS) and there is something new to try: the
//!   files have changed meanwhile, or a plugin can be run again. Then the request is sent once more.
//!
//! Open watches stay on the connections they have until the server ends them.

use std::{
    path::PathBuf,
    sync::{Arc, Once},
};

use http::{Method, Request, Response, StatusCode, Uri};
use kube::{Client, Config, client::Body};
use parking_lot::Mutex;
use tokio::time::Instant;
use tower::{BoxError, service_fn};
use tracing::{info, warn};

use super::{
    ClusterError,
    source::{Fingerprint, Source},
    transport::{Transport, TransportConfig},
};
use crate::reflector::ClientSource;

/// Hands out clients that renew themselves.
#[derive(Clone)]
pub(super) struct Renewing(Arc<Shared>);

struct Shared {
    source: Source,
    options: TransportConfig,
    /// A configuration that suddenly names another API server is another cluster: what is cached is not there.
    server: Uri,
    namespace: String,
    state: tokio::sync::Mutex<State>,
}

struct State {
    /// `None` while an exec plugin has issued no credentials yet.
    current: Option<Transport>,
    /// Counts what `current` was.
    generation: u64,
    files: Vec<PathBuf>,
    /// Of the files when `current` was built, or when building failed.
    fingerprint: Fingerprint,
    /// Credentials come from a program that can be run again.
    plugin: bool,
    checked: Instant,
    built: Instant,
}

/// One client's own connections, of the generation that it has seen last.
struct Handle {
    shared: Arc<Shared>,
    own: Mutex<Option<(u64, Client)>>,
}

// === impl Renewing ===

impl Renewing {
    /// If the credentials cannot be had yet (an exec plugin fails), that is told by each request.
    pub(super) async fn new(source: Source, options: TransportConfig) -> Result<Self, ClusterError> {
        install_crypto();
        let loaded = source.load().await?;
        let fingerprint = fingerprint(loaded.files.clone()).await;
        let config = loaded.config;
        let (server, namespace) = (config.cluster_url.clone(), config.default_namespace.clone());
        let plugin = config.auth_info.exec.is_some() || config.auth_info.auth_provider.is_some();
        let current = match build(config, options.clone()).await {
            Ok(transport) => Some(transport),
            Err(e @ kube::Error::Auth(_)) => {
                warn!("credentials are not available yet: {e}");
                None
            }
            Err(e) => return Err(ClusterError::Client(e)),
        };
        let now = Instant::now();
        Ok(Self(Arc::new(Shared {
            source,
            options,
            server,
            namespace,
            state: tokio::sync::Mutex::new(State {
                current,
                generation: 0,
                files: loaded.files,
                fingerprint,
                plugin,
                checked: now,
                built: now,
            }),
        })))
    }

    /// The API server's address.
    pub(super) fn server(&self) -> &Uri {
        &self.0.server
    }
}

impl ClientSource for Renewing {
    fn client(&self) -> Client {
        let handle = Arc::new(Handle {
            shared: self.0.clone(),
            own: Mutex::new(None),
        });
        let service = service_fn(move |request: Request<Body>| {
            let handle = handle.clone();
            async move { handle.send(request).await }
        });
        Client::new(service, self.0.namespace.clone())
    }
}

// === impl Handle ===

impl Handle {
    async fn send(&self, request: Request<Body>) -> Result<Response<Body>, BoxError> {
        let (generation, client) = self.client(None).await?;
        let again = copy_of(&request);
        let outcome = client.send(request).await;
        let rejected = match &outcome {
            Ok(response) => response.status() == StatusCode::UNAUTHORIZED,
            Err(error) => is_tls(error),
        };
        match again {
            Some(again) if rejected => match self.client(Some(generation)).await? {
                // Nothing new to try.
                (same, _) if same == generation => Ok(outcome?),
                (_, client) => Ok(client.send(again).await?),
            },
            _ => Ok(outcome?),
        }
    }

    /// This handle's client of the newest generation; `rejected` is a generation that the server does not accept.
    async fn client(&self, rejected: Option<u64>) -> Result<(u64, Client), kube::Error> {
        let (generation, transport) = self.shared.newest(rejected).await?;
        let mut own = self.own.lock();
        match &*own {
            Some((known, client)) if *known == generation => Ok((generation, client.clone())),
            _ => {
                let client = transport.client();
                *own = Some((generation, client.clone()));
                Ok((generation, client))
            }
        }
    }
}

// === impl Shared ===

impl Shared {
    async fn newest(&self, rejected: Option<u64>) -> Result<(u64, Transport), kube::Error> {
        let mut state = self.state.lock().await;
        let state = &mut *state;
        let refused = rejected == Some(state.generation);
        let mut stale = state.current.is_none();
        if refused || state.checked.elapsed() >= self.options.check_interval {
            state.checked = Instant::now();
            let found = fingerprint(state.files.clone()).await;
            stale |= std::mem::replace(&mut state.fingerprint, found) != found;
        }
        stale |= refused && state.plugin && state.built.elapsed() >= self.options.renew_interval;
        if stale {
            match self.rebuild(state).await {
                Ok(transport) => {
                    state.current = Some(transport);
                    state.generation += 1;
                }
                Err(e) if state.current.is_none() => return Err(e),
                // Half of a rotation: the rest is another change.
                Err(e) => warn!("the client's configuration has changed and is of no use, keeping the last: {e}"),
            }
        }
        match &state.current {
            Some(transport) => Ok((state.generation, transport.clone())),
            None => Err(kube::Error::Service("there are no credentials".into())),
        }
    }

    async fn rebuild(&self, state: &mut State) -> Result<Transport, kube::Error> {
        let first = state.current.is_none();
        state.built = Instant::now();
        let loaded = self.source.load().await.map_err(|e| kube::Error::Service(e.into()))?;
        if loaded.config.cluster_url != self.server {
            let text = format!(
                "it names another API server, {}, which takes a restart",
                loaded.config.cluster_url
            );
            return Err(kube::Error::Service(text.into()));
        }
        let auth = &loaded.config.auth_info;
        let plugin = auth.exec.is_some() || auth.auth_provider.is_some();
        let transport = build(loaded.config, self.options.clone()).await?;
        if loaded.files != state.files {
            state.fingerprint = fingerprint(loaded.files.clone()).await;
            state.files = loaded.files;
        }
        state.plugin = plugin;
        if !first {
            info!("the client was built again, after new credentials");
        }
        Ok(transport)
    }
}

/// rustls takes its cryptography from the process. Whoever installed one before us has their reasons.
fn install_crypto() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
}

/// Runs exec plugins, which are processes, and reads files.
async fn build(config: Config, options: TransportConfig) -> Result<Transport, kube::Error> {
    blocking(move || Transport::new(&config, &options)).await?
}

async fn fingerprint(files: Vec<PathBuf>) -> Fingerprint {
    match blocking(move || Fingerprint::of(&files)).await {
        Ok(found) => found,
        // The runtime is going down.
        Err(_) => Fingerprint::of(&[]),
    }
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, kube::Error> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(|e| kube::Error::Service(e.into()))
}

/// The same request once more; only what has no body can be repeated.
fn copy_of(request: &Request<Body>) -> Option<Request<Body>> {
    if request.method() != Method::GET {
        return None;
    }
    let mut copy = Request::new(Body::empty());
    *copy.method_mut() = request.method().clone();
    *copy.uri_mut() = request.uri().clone();
    *copy.headers_mut() = request.headers().clone();
    Some(copy)
}

/// Whether TLS is what failed: a certificate is of no use to one of the two sides.
fn is_tls(error: &(dyn std::error::Error + 'static)) -> bool {
    let mut cause = Some(error);
    while let Some(e) = cause {
        if e.is::<rustls::Error>() {
            return true;
        }
        // An io::Error passes over what it wraps when it is asked for its source.
        cause = match e.downcast_ref::<std::io::Error>().and_then(|io| io.get_ref()) {
            Some(inner) => Some(inner),
            None => e.source(),
        };
    }
    false
}
