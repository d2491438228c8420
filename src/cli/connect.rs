//! Finds the server and opens a channel to it.
//!
//! `--server`, else `INFORMERD_SERVER` (clap has merged both), else the default socket.

use std::{io, path::PathBuf, time::Duration};

use hyper_util::rt::TokioIo;
use tokio::net::UnixStream;
use tonic::transport::{Channel, Endpoint};
use tower::service_fn;

use crate::{cli::error::CliError, config::DEFAULT_SOCKET};

/// Largest message accepted. Servers keep below 4 MiB unless a watch says more; the room is for one large object.
pub const MAX_MESSAGE_BYTES: usize = 16 << 20;

/// tonic's default windows let three streams that nobody reads freeze a connection: the connection window must hold
/// every stream's window at once.
const CONNECTION_WINDOW: u32 = 64 << 20;
const STREAM_WINDOW: u32 = 1 << 20;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
const KEEP_ALIVE: Duration = Duration::from_secs(20);

/// A server's address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServerAddress {
    /// A Unix socket.
    Unix(PathBuf),
    /// `http://host:port`.
    Http(String),
}

// === impl ServerAddress ===

impl ServerAddress {
    /// Reads what `--server` was given; `None` means the default socket.
    pub fn parse(server: Option<&str>) -> Result<Self, CliError> {
        let Some(text) = server.filter(|text| !text.is_empty()) else {
            return Ok(Self::Unix(DEFAULT_SOCKET.into()));
        };
        let usage = |why: &str| {
            CliError::Usage(format!(
                "--server `{text}`: {why}; give unix:///path/to.sock or http://host:port"
            ))
        };
        if let Some(rest) = text.strip_prefix("unix:") {
            // `unix:///path` and gRPC's own `unix:/path`; `unix://path` would be a host name.
            let path = match rest.strip_prefix("//") {
                Some(path) if path.starts_with('/') => path,
                Some(_) => {
                    return Err(usage("a socket needs an absolute path, that is three slashes"));
                }
                None => rest,
            };
            return if path.is_empty() {
                Err(usage("the path is missing"))
            } else {
                Ok(Self::Unix(path.into()))
            };
        }
        if text.starts_with('/') {
            return Ok(Self::Unix(text.into()));
        }
        if text.starts_with("https:") {
            return Err(usage("TLS is not supported in this build"));
        }
        let url = url::Url::parse(text).map_err(|e| usage(&e.to_string()))?;
        match (url.scheme(), url.host_str()) {
            ("http", Some(host)) if matches!(url.path(), "" | "/") => {
                // `url` drops the scheme's own port.
                Ok(Self::Http(format!(
                    "http://{host}:{}",
                    url.port_or_known_default().unwrap_or(80)
                )))
            }
            ("http", Some(_)) => Err(usage("a path is not expected")),
            (scheme, _) => Err(usage(&format!("scheme `{scheme}` is unknown"))),
        }
    }

    /// Opens a channel. It reconnects by itself on the next call when the connection breaks later.
    pub async fn connect(&self) -> Result<Channel, CliError> {
        let result = match self {
            Self::Unix(path) => {
                let path = path.clone();
                // The authority is a fixed `localhost`: a socket path is no valid one, and servers reject it.
                endpoint("http://localhost")?
                    .connect_with_connector(service_fn(move |_| {
                        let path = path.clone();
                        async move { Ok::<_, io::Error>(TokioIo::new(UnixStream::connect(path).await?)) }
                    }))
                    .await
            }
            Self::Http(url) => {
                // A peer that is gone without a word (half-open TCP) must not look like an idle watch.
                let endpoint = endpoint(url)?
                    .http2_keep_alive_interval(KEEP_ALIVE)
                    .keep_alive_timeout(KEEP_ALIVE)
                    .keep_alive_while_idle(false);
                endpoint.connect().await
            }
        };
        result.map_err(|error| {
            CliError::Failed(format!(
                "no server at {self}: {}; start one with \"informerd serve\" or \"informerd demo\", or say where it is with \
                 --server unix:///path|http://host:port",
                root_cause(&error)
            ))
        })
    }
}

impl std::fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Unix(path) => write!(f, "unix://{}", path.display()),
            Self::Http(url) => f.write_str(url),
        }
    }
}

fn endpoint(url: &str) -> Result<Endpoint, CliError> {
    Ok(Endpoint::from_shared(url.to_owned())
        .map_err(|e| CliError::Usage(format!("--server `{url}`: {e}")))?
        .user_agent(concat!("informerd-cli/", env!("CARGO_PKG_VERSION")))
        .map_err(|e| CliError::Failed(e.to_string()))?
        .initial_connection_window_size(CONNECTION_WINDOW)
        .initial_stream_window_size(STREAM_WINDOW)
        .tcp_nodelay(true)
        .connect_timeout(CONNECT_TIMEOUT))
}

/// tonic's own text is only "transport error".
fn root_cause(error: &dyn std::error::Error) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        let unix = |path: &str| ServerAddress::Unix(path.into());
        let http = |url: &str| ServerAddress::Http(url.into());
        for (text, want) in [
            (None, unix(DEFAULT_SOCKET)),
            (Some(""), unix(DEFAULT_SOCKET)),
            (Some("unix:///a/b.sock"), unix("/a/b.sock")),
            (Some("unix:/a/b.sock"), unix("/a/b.sock")),
            (Some("unix:b.sock"), unix("b.sock")),
            (Some("/a/b.sock"), unix("/a/b.sock")),
            (Some("http://127.0.0.1:7443"), http("http://127.0.0.1:7443")),
            (Some("http://[::1]:7443/"), http("http://[::1]:7443")),
            (Some("http://example"), http("http://example:80")),
        ] {
            assert_eq!(ServerAddress::parse(text).expect("valid"), want, "{text:?}");
        }
    }

    #[test]
    fn wrong_addresses_are_usage_errors_that_show_the_right_form() {
        for text in [
            "unix://b.sock",
            "unix:",
            "https://h:1",
            "localhost:1",
            "ftp://h",
            "http://h:1/path",
            "nonsense",
        ] {
            let error = ServerAddress::parse(Some(text)).expect_err(text);
            assert_eq!(error.exit_code(), 2, "{text}");
            assert!(error.to_string().contains("http://host:port"), "{error}");
        }
    }

    #[test]
    fn https_says_that_this_build_has_no_tls() {
        let error = ServerAddress::parse(Some("https://h:1"))
            .expect_err("no TLS")
            .to_string();
        assert!(error.contains("not supported in this build"), "{error}");
    }

    #[tokio::test]
    async fn without_a_server_the_message_says_what_to_do() {
        let dir = tempfile::tempdir().expect("directory");
        let address = ServerAddress::Unix(dir.path().join("none.sock"));
        let error = address.connect().await.expect_err("nobody listens");
        assert_eq!(error.exit_code(), 1);
        let text = error.to_string();
        for part in ["none.sock", "informerd serve", "informerd demo", "--server"] {
            assert!(text.contains(part), "{text}");
        }
    }
}
