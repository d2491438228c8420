//! A small HTTP server with one page.

use std::{convert::Infallible, io, net::SocketAddr, sync::Arc, time::Duration};

use http_body_util::Full;
use hyper::{
    Method, Request, Response, StatusCode,
    body::{Bytes, Incoming},
    header::{ALLOW, CONTENT_TYPE, HeaderValue},
    server::conn::http1,
    service::service_fn,
};
use hyper_util::rt::{TokioIo, TokioTimer};
use prometheus_client::{encoding::text, registry::Registry};
use tokio::{
    net::{TcpListener, TcpStream},
    task::JoinSet,
};

/// The metrics cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum TelemetryError {
    /// The address cannot be bound.
    #[error("cannot listen on {address} for metrics: {source}")]
    Bind {
        /// The address.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
}

/// Serves a registry, once [`MetricsServer::serve`] runs.
pub struct MetricsServer {
    listener: TcpListener,
    address: SocketAddr,
    registry: Arc<Registry>,
}

const OPEN_METRICS: HeaderValue =
    HeaderValue::from_static("application/openmetrics-text; version=1.0.0; charset=utf-8");
const PLAIN: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");
/// Connections at a time: a few scrapers need no more, and whoever opens more waits.
const MAX_CONNECTIONS: usize = 16;
/// How long a connection may take until its next request; then it gives its place to others.
const IDLE: Duration = Duration::from_secs(30);
/// How long accepting rests after a failure, such as too many open files.
const REST: Duration = Duration::from_millis(100);

// === impl MetricsServer ===

impl MetricsServer {
    /// Binds the address; port 0 means any.
    pub async fn bind(address: SocketAddr, registry: Registry) -> Result<Self, TelemetryError> {
        let failed = |source| TelemetryError::Bind { address, source };
        let listener = TcpListener::bind(address).await.map_err(failed)?;
        Ok(Self {
            address: listener.local_addr().map_err(failed)?,
            listener,
            registry: Arc::new(registry),
        })
    }

    /// Where it is.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until dropped, which ends the connections too.
    pub async fn serve(self) {
        let mut connections = JoinSet::new();
        loop {
            while connections.len() >= MAX_CONNECTIONS {
                connections.join_next().await;
            }
            tokio::select! {
                accepted = self.listener.accept() => match accepted {
                    Ok((stream, _)) => {
                        connections.spawn(connection(stream, self.registry.clone()));
                    }
                    Err(error) => {
                        tracing::debug!(%error, "cannot accept a scrape");
                        tokio::time::sleep(REST).await;
                    }
                },
                Some(_) = connections.join_next() => {}
            }
        }
    }
}

async fn connection(stream: TcpStream, registry: Arc<Registry>) {
    let service = service_fn(|request: Request<Incoming>| {
        let response = answer(request.method(), request.uri().path(), &registry);
        async move { Ok::<_, Infallible>(response) }
    });
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(IDLE)
        .serve_connection(TokioIo::new(stream), service)
        .await;
    if let Err(error) = served {
        tracing::debug!(%error, "a scrape ended early");
    }
}

fn answer(method: &Method, path: &str, registry: &Registry) -> Response<Full<Bytes>> {
    if path != "/metrics" {
        return plain(StatusCode::NOT_FOUND, "the metrics are at /metrics\n");
    }
    if method != Method::GET && method != Method::HEAD {
        let mut refused = plain(StatusCode::METHOD_NOT_ALLOWED, "only GET\n");
        refused
            .headers_mut()
            .insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
        return refused;
    }
    let mut page = String::new();
    match text::encode(&mut page, registry) {
        Ok(()) => respond(StatusCode::OK, OPEN_METRICS, page),
        Err(_) => plain(StatusCode::INTERNAL_SERVER_ERROR, "the metrics cannot be written\n"),
    }
}

fn plain(status: StatusCode, body: &str) -> Response<Full<Bytes>> {
    respond(status, PLAIN, body.to_owned())
}

fn respond(status: StatusCode, kind: HeaderValue, body: String) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from(body)));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, kind);
    response
}
