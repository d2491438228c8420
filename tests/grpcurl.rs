//! A stranger with grpcurl and nothing else: no proto files, only what the server tells by reflection, over the Unix socket
//! and over TCP.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
};

use informerd::{
    cluster::{Cluster, ClusterOptions},
    informer::FactoryOptions,
    run::Sidecar,
    service::ServerOptions,
    sim::Sim,
};
use serde_json::{Deserializer, Value, json};
use support::test_tool;
use tokio_util::sync::CancellationToken;

const CACHE: &str = "informer.v1alpha1.CacheService";
const SUBSCRIPTIONS: &str = "informer.v1alpha1.SubscriptionService";
const INFORMERS: &str = "informer.v1alpha1.InformerService";
const HEALTH: &str = "grpc.health.v1.Health";

/// Where grpcurl finds the server.
enum Address {
    Socket(PathBuf),
    Tcp(SocketAddr),
}

// === impl Address ===

impl Address {
    /// Runs grpcurl with these options and words; its standard output, or else what it said.
    fn try_call(&self, options: &[&str], words: &[&str]) -> Result<String, String> {
        let mut command = Command::new(test_tool("grpcurl"));
        command.arg("-plaintext").args(options);
        match self {
            // gRPC takes the path for the authority, which is no valid one: HTTP/2 servers reject it.
            Self::Socket(path) => command.args(["-unix", "-authority", "localhost"]).arg(path),
            Self::Tcp(address) => command.arg(address.to_string()),
        };
        let output = command.args(words).output().expect("run grpcurl");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        if output.status.success() {
            Ok(text(&output.stdout))
        } else {
            Err(text(&output.stderr) + &text(&output.stdout))
        }
    }

    fn call(&self, options: &[&str], words: &[&str]) -> String {
        self.try_call(options, words)
            .unwrap_or_else(|said| panic!("grpcurl {options:?} {words:?}: {said}"))
    }

    /// Calls a method with a JSON request; the answers.
    fn ask(&self, method: &str, request: Value) -> Vec<Value> {
        values(&self.call(&["-d", &request.to_string()], &[method]))
    }
}

fn values(text: &str) -> Vec<Value> {
    let values = Deserializer::from_str(text).into_iter::<Value>();
    values.map(|value| value.expect("JSON")).collect()
}

/// The body of an object, which JSON carries in base64.
fn body(object: &Value) -> Value {
    use base64::Engine as _;
    let data = object["object"]["data"].as_str().expect("a body");
    let bytes = base64::engine::general_purpose::STANDARD.decode(data).expect("base64");
    serde_json::from_slice(&bytes).expect("JSON")
}

fn pod(name: &str, app: &str) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"namespace": "shop", "name": name, "labels": {"app": app}},
        "spec": {"containers": []},
    })
}

/// All that a stranger does, at one address.
fn explore(address: &Address, sim: &Sim) {
    let listed = address.call(&[], &["list"]);
    let listed: Vec<_> = listed.lines().collect();
    for service in [CACHE, SUBSCRIPTIONS, INFORMERS, HEALTH] {
        assert!(listed.contains(&service), "{listed:?}");
    }
    let methods = address.call(&[], &["list", CACHE]);
    assert!(
        methods.lines().any(|m| m == format!("{CACHE}.ListObjects")),
        "{methods}"
    );
    let described = address.call(&[], &["describe", &format!("{SUBSCRIPTIONS}.Watch")]);
    assert!(
        described.contains("returns ( stream .informer.v1alpha1.WatchResponse )"),
        "{described}"
    );
    let described = address.call(&[], &["describe", "informer.v1alpha1.GetObjectRequest"]);
    assert!(described.contains("ObjectKey key = 2"), "{described}");

    let pods = json!({"resource": {"resource": "pods"}});
    let key = json!({"namespace": "shop", "name": "web-1"});
    let got = address.ask(&format!("{CACHE}/GetObject"), json!({"informer": pods, "key": key}));
    assert_eq!(got.len(), 1);
    let stored = sim.get("pods", Some("shop"), "web-1").expect("the pod");
    assert_eq!(body(&got[0]["object"])["spec"], stored["spec"]);
    assert_eq!(got[0]["object"]["ref"]["uid"], stored["metadata"]["uid"]);
    assert_eq!(got[0]["status"]["synced"], true);

    let index = json!({"name": "label:app", "values": ["web"]});
    let request = json!({"informer": pods, "filter": {"index": index}, "projection": {"view": "VIEW_REFERENCE"}});
    let found = address.ask(&format!("{CACHE}/ListObjects"), request);
    let names: Vec<_> = found[0]["objects"]
        .as_array()
        .expect("objects")
        .iter()
        .map(|o| &o["ref"]["name"])
        .collect();
    assert_eq!(names, ["web-1", "web-2"]);

    // The stream goes on for ever: grpcurl is told how long to listen and then fails, with what it has read on its output.
    let request = json!({"informer": pods, "filter": {"labelSelector": "app=web"}}).to_string();
    let options = ["-max-time", "3", "-d", &request];
    let said = address
        .try_call(&options, &[&format!("{SUBSCRIPTIONS}/Watch")])
        .expect_err("the watch does not end");
    assert!(said.contains("DeadlineExceeded"), "{said}");
    let start = said.find('{').expect("messages");
    let messages = values(said[start..].trim_end());
    assert_eq!(messages[0]["created"]["mode"], "WATCH_MODE_SNAPSHOT");
    let events = messages.iter().filter_map(|m| m["events"].as_array()).flatten();
    let told: Vec<_> = events.map(|e| (e["type"].clone(), e["ref"]["name"].clone())).collect();
    assert_eq!(
        told,
        [
            ("EVENT_TYPE_ADDED".into(), "web-1".into()),
            ("EVENT_TYPE_ADDED".into(), "web-2".into())
        ]
    );
    let synced = messages.iter().find(|m| !m["synced"].is_null()).expect("synced");
    assert_eq!(synced["synced"]["objectCount"], "2");

    for service in ["", "informers/pods"] {
        let answer = address.ask(&format!("{HEALTH}/Check"), json!({"service": service}));
        assert_eq!(answer[0]["status"], "SERVING", "{service:?}");
    }
    let informers = address.ask(&format!("{INFORMERS}/ListInformers"), json!({}));
    assert_eq!(informers[0]["informers"][0]["name"], "informers/pods");

    let wrong = json!({"informer": {"resource": {"resource": "unicorns"}}}).to_string();
    let said = address
        .try_call(&["-d", &wrong], &[&format!("{CACHE}/ListObjects")])
        .expect_err("no such resource");
    assert!(
        said.contains("NotFound") && said.contains("RESOURCE_NOT_FOUND"),
        "{said}"
    );
}

async fn start(sim: &Sim, dir: &Path) -> Sidecar {
    let kubeconfig = dir.join("kubeconfig");
    sim.write_kubeconfig(&kubeconfig).expect("write the kubeconfig");
    let cluster = Cluster::connect(ClusterOptions {
        kubeconfig: Some(kubeconfig),
        ..ClusterOptions::default()
    });
    let cluster = Arc::new(cluster.await.expect("a usable kubeconfig"));
    let listen = ServerOptions {
        socket: Some(dir.join("informerd.sock")),
        listen: vec![([127, 0, 0, 1], 0).into()],
    };
    Sidecar::start(cluster, FactoryOptions::default(), &listen, &["pods".to_owned()])
        .await
        .expect("a sidecar")
}

#[tokio::test(flavor = "multi_thread")]
async fn grpcurl_finds_everything_by_reflection_over_socket_and_tcp() {
    let sim = Sim::builder().start().await.expect("a simulated cluster");
    for (name, app) in [("web-2", "web"), ("web-1", "web"), ("db-1", "db")] {
        sim.create(pod(name, app)).expect("a pod");
    }
    let dir = tempfile::tempdir().expect("a directory");
    let sidecar = start(&sim, dir.path()).await;
    let tcp = sidecar.addresses();
    assert_eq!(tcp.len(), 1);
    let stop = CancellationToken::new();
    let served = tokio::spawn(sidecar.run(stop.clone().cancelled_owned()));
    for address in [Address::Socket(dir.path().join("informerd.sock")), Address::Tcp(tcp[0])] {
        let sim = sim.clone();
        let explored = tokio::task::spawn_blocking(move || explore(&address, &sim)).await;
        explored.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()));
    }
    stop.cancel();
    served.await.expect("no panic").expect("ends in good order");
}
