//! Sockets, TLS and HTTP of the connections to the API server.
//!
//! ```text
//!  Config ──TLS, auth, proxy──▶ Transport ──client()──▶ Client with connections of its own
//!                               (shared)                (one for each reflector)
//! ```
//!
//! Where the server agrees (ALPN), HTTP/2 is spoken, for its pings: a peer that does not answer one is gone, whatever TCP
//! believes (field case 7). A server of HTTP/1.1 alone leaves the kernel's probes, which a middlebox that is half dead may go
//! on answering, and the reflector's idle limit.

use std::{sync::Arc, time::Duration};

use base64::Engine as _;
use http::{HeaderValue, Uri};
use hyper_rustls::{FixedServerNameResolver, HttpsConnectorBuilder};
use hyper_util::{
    client::legacy::connect::{
        Connect, HttpConnector,
        proxy::{SocksV5, Tunnel},
    },
    rt::{TokioExecutor, TokioTimer},
};
use kube::{
    Client, Config,
    client::{Body, ConfigExt},
};
use percent_encoding::percent_decode_str;
use rustls::pki_types::ServerName;
use tower::{BoxError, ServiceBuilder};

/// How connections are made and how their death is noticed. With the defaults, and the reflector's, a watch on a dead
/// connection is open again in less than 60 seconds, even if the first new connection meets the same black hole.
#[derive(Clone, Debug)]
pub struct TransportConfig {
    /// Offer HTTP/2.
    pub http2: bool,
    /// Silence on a connection of HTTP/2 after which a ping is sent, while no request is open too.
    pub ping_interval: Duration,
    /// Wait for the answer to a ping. TCP gives up data that is not acknowledged after both together.
    pub ping_timeout: Duration,
    /// Credentials that the server rejects are asked for again, from the plugin that issued them, at most so often.
    pub renew_interval: Duration,
    /// The files of the configuration are looked at, before a request, at most so often.
    pub check_interval: Duration,
}

/// Makes clients after one configuration. TLS sessions and tokens are shared between them, connections are not.
#[derive(Clone)]
pub(super) struct Transport {
    make: Arc<dyn Fn() -> Client + Send + Sync>,
}

/// What one client holds of data that nobody has read: the window of its only long stream. kube-apiserver fills it in one go
/// where a list is concerned, so that a smaller one would cost round trips.
const WINDOW: u32 = 2 << 20;
/// Probes that the kernel sends before it gives a silent connection up.
const PROBES: u32 = 3;
/// Connections that nobody uses are closed after so long.
const POOL_IDLE: Duration = Duration::from_secs(90);

// === impl TransportConfig ===

impl Default for TransportConfig {
    fn default() -> Self {
        Self {
            http2: true,
            ping_interval: Duration::from_secs(15),
            ping_timeout: Duration::from_secs(10),
            renew_interval: Duration::from_secs(10),
            check_interval: Duration::from_secs(1),
        }
    }
}

// === impl Transport ===

impl Transport {
    /// Reads certificates and runs the exec plugin, so it must be called where blocking is allowed.
    pub(super) fn new(config: &Config, options: &TransportConfig) -> Result<Self, kube::Error> {
        let http = http_connector(config, options);
        match config.proxy_url.as_ref().map(|url| (url, url.scheme_str())) {
            None => Self::over(config, options, http),
            Some((url, Some("socks5"))) => Self::over(config, options, SocksV5::new(url.clone(), http)),
            Some((url, Some("http"))) => Self::over(config, options, tunnel(url, http)),
            Some((url, Some("https"))) => {
                let secure = config.rustls_https_connector_with_connector(http)?;
                Self::over(config, options, tunnel(url, secure))
            }
            Some((url, _)) => Err(kube::Error::ProxyProtocolUnsupported {
                proxy_url: Box::new(url.clone()),
            }),
        }
    }

    /// A client with connections of its own.
    pub(super) fn client(&self) -> Client {
        (self.make)()
    }

    fn over<C>(config: &Config, options: &TransportConfig, connector: C) -> Result<Self, kube::Error>
    where
        C: tower::Service<Uri> + Clone + Send + Sync + 'static,
        C::Response: hyper_util::client::legacy::connect::Connection
            + hyper::rt::Read
            + hyper::rt::Write
            + Send
            + Unpin
            + 'static,
        C::Future: Send + 'static,
        C::Error: Into<BoxError>,
        hyper_rustls::HttpsConnector<C>: Connect,
    {
        let builder = HttpsConnectorBuilder::new()
            .with_tls_config(config.rustls_client_config()?)
            .https_or_http();
        let builder = match &config.tls_server_name {
            Some(name) => {
                let name = ServerName::try_from(name.clone()).map_err(|e| kube::Error::Service(e.into()))?;
                builder.with_server_name_resolver(FixedServerNameResolver::new(name))
            }
            None => builder,
        };
        let https = if options.http2 {
            builder.enable_all_versions().wrap_connector(connector)
        } else {
            builder.enable_http1().wrap_connector(connector)
        };
        let base_uri = config.base_uri_layer();
        let auth = config.auth_layer()?.map(Arc::new);
        let headers = config.extra_headers_layer()?;
        let namespace = config.default_namespace.clone();
        let pool = pool(options);
        let make = move || {
            let connections: hyper_util::client::legacy::Client<_, Body> = pool.build(https.clone());
            let service = ServiceBuilder::new()
                .layer(base_uri.clone())
                .option_layer(
                    auth.clone()
                        .map(|auth| tower::layer::layer_fn(move |s| tower::Layer::layer(&*auth, s))),
                )
                .layer(headers.clone())
                .map_err(BoxError::from)
                .service(connections);
            Client::new(service, namespace.clone())
        };
        Ok(Self { make: Arc::new(make) })
    }
}

/// Without TCP_NODELAY the first request of each connection waits for the server's delayed acknowledgement of the TLS
/// handshake, 40 ms for each watch that is opened.
fn http_connector(config: &Config, options: &TransportConfig) -> HttpConnector {
    let mut http = HttpConnector::new();
    http.enforce_http(false);
    http.set_nodelay(true);
    http.set_keepalive(Some(options.ping_interval));
    http.set_keepalive_interval(Some(options.ping_timeout / PROBES));
    http.set_keepalive_retries(Some(PROBES));
    #[cfg(any(target_os = "android", target_os = "fuchsia", target_os = "linux"))]
    http.set_tcp_user_timeout(Some(options.ping_interval + options.ping_timeout));
    http.set_connect_timeout(config.connect_timeout);
    http
}

fn pool(options: &TransportConfig) -> hyper_util::client::legacy::Builder {
    let mut pool = hyper_util::client::legacy::Client::builder(TokioExecutor::new());
    pool.timer(TokioTimer::new())
        .pool_timer(TokioTimer::new())
        .pool_idle_timeout(POOL_IDLE)
        .http2_keep_alive_interval(options.ping_interval)
        .http2_keep_alive_timeout(options.ping_timeout)
        .http2_keep_alive_while_idle(true)
        .http2_initial_stream_window_size(WINDOW)
        .http2_initial_connection_window_size(WINDOW);
    pool
}

fn tunnel<C>(proxy: &Uri, connector: C) -> Tunnel<C> {
    let tunnel = Tunnel::new(proxy.clone(), connector);
    // A URI keeps its escapes; the proxy wants the words themselves.
    let user = proxy.authority().and_then(|a| Some(a.as_str().split_once('@')?.0));
    let header = user.and_then(|user| {
        let plain: Vec<u8> = percent_decode_str(user).collect();
        let encoded = base64::engine::general_purpose::STANDARD.encode(plain);
        HeaderValue::from_str(&format!("Basic {encoded}")).ok()
    });
    match header {
        Some(header) => tunnel.with_auth(header),
        None => tunnel,
    }
}
