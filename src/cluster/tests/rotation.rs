//! Tokens that are rotated and rejected (field case 23), against a server that accepts one token at a time.

use std::{convert::Infallible, fs, net::SocketAddr, sync::Arc, time::Duration};

use http::{Request, Response, StatusCode, header};
use http_body_util::Full;
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::TokioIo;
use kube::client::Body;
use parking_lot::Mutex;
use tokio::net::TcpListener;

use super::*;

/// Answers 200 to the token that it is told, and 401 to others.
#[derive(Clone, Default)]
struct Server {
    token: Arc<Mutex<String>>,
    /// Requests rejected.
    rejected: Arc<Mutex<u64>>,
}

// === impl Server ===

impl Server {
    async fn start() -> (Self, SocketAddr) {
        let this = Self::default();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let server = this.clone();
        tokio::spawn(async move {
            while let Ok((socket, _)) = listener.accept().await {
                let server = server.clone();
                let service = service_fn(move |request| {
                    let answer = server.answer(&request);
                    async move { Ok::<_, Infallible>(answer) }
                });
                tokio::spawn(http1::Builder::new().serve_connection(TokioIo::new(socket), service));
            }
        });
        (this, address)
    }

    fn answer(&self, request: &Request<Incoming>) -> Response<Full<bytes::Bytes>> {
        let wanted = format!("Bearer {}", self.token.lock());
        let given = request
            .headers()
            .get(header::AUTHORIZATION)
            .and_then(|v| v.to_str().ok());
        let mut answer = Response::new(Full::default());
        if given != Some(&wanted) {
            *self.rejected.lock() += 1;
            *answer.status_mut() = StatusCode::UNAUTHORIZED;
        }
        answer
    }

    fn accept(&self, token: &str) {
        *self.token.lock() = token.into();
    }
}

async fn ask(client: &kube::Client) -> u16 {
    let request = Request::get("/api").body(Body::empty()).unwrap();
    client.send(request).await.unwrap().status().as_u16()
}

async fn over(dir: &tempfile::TempDir, server: &str, user: &str, transport: TransportConfig) -> Cluster {
    let path = kubeconfig(dir, user);
    let text = fs::read_to_string(&path).unwrap().replace("http://127.0.0.1:1", server);
    fs::write(&path, text).unwrap();
    Cluster::connect(ClusterOptions {
        kubeconfig: Some(path),
        transport,
        ..ClusterOptions::default()
    })
    .await
    .unwrap()
}

#[tokio::test]
async fn case_23_a_token_file_that_is_rotated_breaks_no_request_though_the_old_token_is_rejected() {
    let (server, address) = Server::start().await;
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("token");
    fs::write(&file, "first").unwrap();
    server.accept("first");
    // Looking at the files before requests is not what finds it here: that is an hour away.
    let transport = TransportConfig {
        check_interval: Duration::from_secs(3600),
        ..TransportConfig::default()
    };
    let user = format!("{{tokenFile: '{}'}}", file.display());
    let cluster = over(&dir, &format!("http://{address}"), &user, transport).await;
    assert_eq!(ask(cluster.client()).await, 200);
    for n in 0..20 {
        let token = format!("token-{n}");
        fs::write(&file, &token).unwrap();
        server.accept(&token);
        assert_eq!(ask(cluster.client()).await, 200, "rotation {n}");
    }
    assert_eq!(*server.rejected.lock(), 20);
    // A token that is wrong for good is told, and not tried for ever.
    server.accept("another");
    assert_eq!(ask(cluster.client()).await, 401);
    assert_eq!(*server.rejected.lock(), 21);
}

#[tokio::test]
async fn case_23_a_changed_token_file_is_noticed_before_the_server_has_to_reject_the_old_token() {
    let (server, address) = Server::start().await;
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("token");
    fs::write(&file, "first").unwrap();
    server.accept("first");
    let transport = TransportConfig {
        check_interval: Duration::ZERO,
        ..TransportConfig::default()
    };
    let user = format!("{{tokenFile: '{}'}}", file.display());
    let cluster = over(&dir, &format!("http://{address}"), &user, transport).await;
    for n in 0..20 {
        let token = format!("token-{n}");
        fs::write(&file, &token).unwrap();
        server.accept(&token);
        assert_eq!(ask(cluster.client()).await, 200, "rotation {n}");
    }
    assert_eq!(*server.rejected.lock(), 0);
}

#[tokio::test]
async fn case_23_an_exec_plugin_runs_again_when_its_token_is_rejected() {
    let (server, address) = Server::start().await;
    let dir = tempfile::tempdir().unwrap();
    let credential = dir.path().join("credential");
    let issue = |token: &str| {
        let text = format!(
            r#"{{"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{{"token":"{token}"}}}}"#
        );
        fs::write(&credential, text).unwrap();
    };
    let plugin = format!(
        "{{exec: {{apiVersion: client.authentication.k8s.io/v1, command: cat, args: ['{}'], interactiveMode: Never}}}}",
        credential.display()
    );
    issue("first");
    server.accept("first");
    let transport = TransportConfig {
        renew_interval: Duration::ZERO,
        ..TransportConfig::default()
    };
    let cluster = over(&dir, &format!("http://{address}"), &plugin, transport).await;
    assert_eq!(ask(cluster.client()).await, 200);
    for n in 0..5 {
        let token = format!("token-{n}");
        issue(&token);
        server.accept(&token);
        assert_eq!(ask(cluster.client()).await, 200, "rotation {n}");
    }
    // While the plugin is broken the last credentials are kept.
    fs::write(&credential, "nonsense").unwrap();
    assert_eq!(ask(cluster.client()).await, 200);
    server.accept("unheard of");
    assert_eq!(ask(cluster.client()).await, 401);
}

#[tokio::test]
async fn a_kubeconfig_that_suddenly_names_another_server_is_not_followed() {
    let (server, address) = Server::start().await;
    let dir = tempfile::tempdir().unwrap();
    server.accept("t");
    let transport = TransportConfig {
        check_interval: Duration::ZERO,
        ..TransportConfig::default()
    };
    let cluster = over(&dir, &format!("http://{address}"), "{token: t}", transport).await;
    assert_eq!(ask(cluster.client()).await, 200);
    // Port 1: nobody would answer.
    kubeconfig(&dir, "{token: t}");
    assert_eq!(ask(cluster.client()).await, 200);
    assert_eq!(cluster.server(), format!("http://{address}/"));
}
