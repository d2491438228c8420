//! API servers that refuse, or are not there.

use std::path::Path;

use informerd::{
    cli::connect::ServerAddress,
    informer::FactoryOptions,
    proto::v1alpha1::{
        GetInformerRequest, ListObjectsRequest, UpstreamState, WatchRequest, cache_service_client::CacheServiceClient,
        watch_response::Control,
    },
    reflector::ReflectorConfig,
};
use support::{ControlPlane, DEADLINE, Options, Sidecar, eventually};
use tokio::time::timeout;
use tonic::Code;

use super::{
    patient,
    refusal::{Refusal, refused},
    sidecar::{Bench, resource},
};

fn list(name: &str) -> ListObjectsRequest {
    ListObjectsRequest {
        informer: resource(name),
        read: patient(),
        ..ListObjectsRequest::default()
    }
}

/// Lets a user list and watch a resource.
fn grant(plane: &ControlPlane, user: &str, resource: &str) {
    let kubectl = plane.kubectl();
    let (role, subject) = (format!("reads-{resource}"), format!("--user={user}"));
    let resource = format!("--resource={resource}");
    kubectl.run(&["create", "clusterrole", &role, "--verb=get,list,watch", &resource]);
    kubectl.run(&[
        "create",
        "clusterrolebinding",
        &role,
        &format!("--clusterrole={role}"),
        &subject,
    ]);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_rights_for_one_resource_that_one_says_forbidden_and_the_others_go_on() {
    let plane = ControlPlane::shared();
    grant(plane, "alice", "pods");
    let alice = plane.client_from(&plane.kubeconfig_for("alice")).await;
    // The authorizer learns of the binding by a watch of its own.
    let request = || http::Request::get("/api/v1/pods").body(Vec::new()).expect("a request");
    eventually("alice may list pods", || async {
        alice.request::<serde_json::Value>(request()).await.ok()
    })
    .await;
    let kubeconfig = plane.kubeconfig_for("alice");
    let bench = Bench::start(&kubeconfig, ReflectorConfig::default(), FactoryOptions::default()).await;
    let expected = Refusal::new(Code::FailedPrecondition, "UPSTREAM_FORBIDDEN", "");
    assert_eq!(refused(bench.cache().list_objects(list("secrets")).await), expected);
    let request = GetInformerRequest {
        name: "informers/secrets".into(),
    };
    let informer = bench
        .informers()
        .get_informer(request)
        .await
        .expect("it exists")
        .into_inner();
    let status = informer.informer.and_then(|i| i.status).expect("a status");
    assert_eq!(status.upstream_state(), UpstreamState::Forbidden);
    assert!(!status.synced);
    let error = status.last_error.expect("the error");
    assert_eq!((error.http_status, error.reason.as_str()), (403, "Forbidden"));
    assert!(
        error.message.contains("secrets") && error.message.contains("alice"),
        "{}",
        error.message
    );
    // A watch waits and says so; it is not an empty view.
    let request = WatchRequest {
        informer: resource("secrets"),
        bookmark_interval: Some(prost_types::Duration { seconds: 1, nanos: 0 }),
        ..WatchRequest::default()
    };
    let mut watch = bench
        .subscriptions()
        .watch(request)
        .await
        .expect("a watch")
        .into_inner();
    let mut said = Vec::new();
    while said.len() < 2 {
        let next = timeout(DEADLINE, watch.message())
            .await
            .expect("in time")
            .expect("goes on")
            .expect("no end");
        let status = match next.control {
            Some(Control::Created(created)) => created.status,
            Some(Control::Bookmark(bookmark)) => bookmark.status,
            other => panic!("{other:?}"),
        };
        let status = status.expect("a status");
        said.push((status.synced, status.upstream_state()));
    }
    assert_eq!(said, [(false, UpstreamState::Forbidden); 2]);
    bench.cache().list_objects(list("pods")).await.expect("pods go on");

    grant(plane, "alice", "secrets");
    loop {
        let next = timeout(DEADLINE, watch.message())
            .await
            .expect("in time")
            .expect("goes on")
            .expect("no end");
        if let Some(Control::Synced(synced)) = next.control {
            assert!(synced.status.expect("a status").synced);
            break;
        }
    }
    bench.cache().list_objects(list("secrets")).await.expect("it recovered");
    bench.stop().await;
}

/// Lists pods through a process.
async fn list_at(socket: &Path) -> Result<usize, tonic::Status> {
    let channel = ServerAddress::Unix(socket.to_owned())
        .connect()
        .await
        .expect("a channel");
    let reply = CacheServiceClient::new(channel).list_objects(list("pods")).await?;
    Ok(reply.into_inner().objects.len())
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_api_server_serve_starts_says_so_and_recovers() {
    let plane = ControlPlane::start(Options::new());
    let client = plane.client().await;
    let mut workload = support::Workload::new(client, 1);
    let namespaces = workload.create_namespaces("late", 1).await;
    workload.create_pods(3, &namespaces).await;
    plane.kill_apiserver();

    let program = env!("CARGO_BIN_EXE_informerd");
    let sidecar = Sidecar::start(program, &plane.kubeconfig(), &["--resource=pods"]);
    let expected = Refusal::new(Code::Unavailable, "UPSTREAM_UNAVAILABLE", "");
    assert_eq!(refused(list_at(&sidecar.socket()).await), expected);
    // Once it has tried, status says what is missing and why; as a probe it fails.
    eventually("status shows the trouble", || async {
        let output = sidecar.try_run(&["status"]);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{text}");
        (text.contains("pods") && text.contains("Unreachable")).then_some(())
    })
    .await;
    let probe = sidecar.try_run(&["status", "--wait-synced=1s"]);
    let text = String::from_utf8_lossy(&probe.stderr).into_owned();
    assert_eq!(probe.status.code(), Some(1), "{text}");
    assert!(text.contains("pods"), "{text}");
    let watch = sidecar.try_run(&["get", "pods", "-A"]);
    let text = String::from_utf8_lossy(&watch.stderr).into_owned();
    assert_eq!(watch.status.code(), Some(1), "{text}");
    assert!(watch.stdout.is_empty(), "no answer is no empty list");

    plane.start_apiserver();
    sidecar.run(&["status", "--wait-synced=2m"]);
    assert_eq!(list_at(&sidecar.socket()).await.expect("it recovered"), 3);
    let names = sidecar.run(&["get", "pods", "-A", "-o", "name"]);
    assert_eq!(names.lines().count(), 3, "{names}");
}
