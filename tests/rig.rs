//! Proves the test rig itself: what the other tests take for granted about the control plane,
//! the proxy, and the faults.

use futures::StreamExt;
use kube::Client;
use kube::api::{DynamicObject, WatchEvent};
use serde_json::Value;
use support::{ADMIN, ControlPlane, Options, Proxy, Spawn, Workload, eventually, pod, until};

const PODS: &str = "/api/v1/pods";

async fn get(client: &Client, path: &str) -> Result<Value, kube::Error> {
    client
        .request(http::Request::get(path).body(Vec::new()).expect("a valid request"))
        .await
}

/// Follows pods from a resource version until the stream ends, an error event comes or
/// `enough` events are there.
async fn watch(client: &Client, resource_version: &str, enough: usize) -> Vec<WatchEvent<DynamicObject>> {
    let uri = format!("{PODS}?watch=true&resourceVersion={resource_version}");
    let request = http::Request::get(uri).body(Vec::new()).expect("a valid request");
    let events = client.request_events::<DynamicObject>(request).await;
    let mut events = std::pin::pin!(events.expect("a watch"));
    let mut seen = Vec::new();
    while seen.len() < enough {
        // A broken connection ends the stream, with or without an error.
        let Some(Ok(event)) = events.next().await else {
            break;
        };
        seen.push(event);
    }
    seen
}

/// The code of the error event, if the watch began with one.
fn error_code(events: &[WatchEvent<DynamicObject>]) -> Option<u16> {
    match events.first() {
        Some(WatchEvent::Error(status)) => Some(status.code),
        _ => None,
    }
}

async fn resource_version(client: &Client) -> String {
    let list = get(client, PODS).await.expect("list pods");
    list["metadata"]["resourceVersion"]
        .as_str()
        .expect("a resource version")
        .to_owned()
}

#[tokio::test]
async fn kubectl_and_a_client_see_the_same_two_hundred_pods() {
    let plane = ControlPlane::shared();
    let mut workload = Workload::new(plane.client().await, 1);
    let namespaces = workload.create_namespaces("bulk", 4).await;
    workload.create_pods(200, &namespaces).await;

    let mut seen = 0;
    for namespace in &namespaces {
        let expected: Vec<String> = workload
            .pods()
            .into_iter()
            .filter(|(of, _)| of == namespace)
            .map(|(_, name)| format!("pod/{name}"))
            .collect();
        let listed = plane.kubectl().lines(&["get", "pods", "-n", namespace, "-o", "name"]);
        assert_eq!(listed, expected);
        seen += listed.len();
    }
    assert_eq!(seen, 200);
    let size = pod(&Default::default(), "bulk-0", 0).to_string().len();
    assert!((5_000..8_000).contains(&size), "pods of {size} bytes are not realistic");
}

#[tokio::test]
async fn the_version_is_one_that_clients_can_parse() {
    let version = get(&ControlPlane::shared().client().await, "/version")
        .await
        .expect("version");
    assert_eq!(version["major"], "1");
    assert!(
        version["gitVersion"].as_str().is_some_and(|v| v.starts_with("v1.")),
        "{version}"
    );
}

#[tokio::test]
async fn a_user_without_rights_is_refused_and_rbac_lets_in() {
    let plane = ControlPlane::shared();
    let alice = plane.client_from(&plane.kubeconfig_for("alice")).await;
    let refused = get(&alice, "/api/v1/namespaces/default/secrets")
        .await
        .expect_err("no rights");
    assert!(
        matches!(&refused, kube::Error::Api(status) if status.code == 403),
        "{refused}"
    );

    plane
        .kubectl()
        .run(&["create", "clusterrole", "reader", "--verb=list", "--resource=secrets"]);
    plane.kubectl().run(&[
        "create",
        "clusterrolebinding",
        "alice-reads",
        "--clusterrole=reader",
        "--user=alice",
    ]);
    // The authorizer learns of the binding by a watch of its own.
    eventually("alice may list", || async {
        get(&alice, "/api/v1/namespaces/default/secrets").await.ok()
    })
    .await;
}

#[tokio::test]
async fn custom_resources_deployments_and_nodes_are_created() {
    let plane = ControlPlane::shared();
    let workload = Workload::new(plane.client().await, 2);
    let namespaces = workload.create_namespaces("kinds", 1).await;
    workload.create_crd().await;
    workload.create_widgets(&namespaces[0], 7).await;
    workload.create_deployments(&namespaces[0], 3, 0).await;
    workload.create_nodes().await;
    let count = |what| {
        plane
            .kubectl()
            .lines(&["get", what, "-n", &namespaces[0], "-o", "name"])
            .len()
    };
    assert_eq!((count("wd"), count("deployments"), count("nodes")), (7, 3, 20));
}

#[tokio::test]
async fn the_same_seed_makes_the_same_changes() {
    let plane = ControlPlane::shared();
    let mut results = Vec::new();
    for name in ["first", "second"] {
        let mut workload = Workload::new(plane.client().await, 7);
        let namespaces = workload.create_namespaces(name, 2).await;
        workload.create_pods(10, &namespaces).await;
        let churn = workload.churn(40, &namespaces).await;
        assert_eq!(churn.created + churn.patched + churn.deleted, 40);
        let strip = |(namespace, pod): (String, String)| (namespace.replace(name, ""), pod);
        results.push((churn, workload.pods().into_iter().map(strip).collect::<Vec<_>>()));
        for namespace in &namespaces {
            let expected = workload.pods().iter().filter(|(of, _)| of == namespace).count();
            let listed = plane.kubectl().lines(&["get", "pods", "-n", namespace, "-o", "name"]);
            assert_eq!(listed.len(), expected);
        }
    }
    assert_eq!(results[0], results[1]);
}

#[tokio::test]
async fn a_cut_ends_the_watch_and_a_resumed_one_misses_nothing() {
    let plane = ControlPlane::start(Options::new());
    let proxy = Proxy::start(plane.address());
    let direct = plane.client().await;
    let through = plane.client_from(&plane.kubeconfig_via(ADMIN, &proxy)).await;
    let mut workload = Workload::new(direct, 3);
    let namespaces = workload.create_namespaces("cut", 1).await;
    let start = resource_version(&through).await;

    let watching = tokio::spawn({
        let (through, start) = (through.clone(), start.clone());
        async move { watch(&through, &start, usize::MAX).await }
    });
    // The watch connection is there and has delivered once its bytes can be cut.
    workload.create_pods(1, &namespaces).await;
    eventually("the proxy has a connection", || async {
        (proxy.open() > 0).then_some(())
    })
    .await;
    proxy.refuse(true);
    eventually("the watch ends", || async {
        proxy.cut_all();
        watching.is_finished().then_some(())
    })
    .await;
    assert_eq!(proxy.open(), 0);
    assert!(
        get(&through, PODS).await.is_err(),
        "a request passed a proxy that refuses"
    );
    assert!(proxy.refused() > 0);

    workload.create_pods(9, &namespaces).await;
    // Compaction alone must not matter: the watch cache has the events in memory.
    plane.compact_etcd();
    proxy.refuse(false);
    let events = watch(&through, &start, 10).await;
    assert_eq!(events.len(), 10);
    assert!(
        events.iter().all(|event| matches!(event, WatchEvent::Added(_))),
        "{events:?}"
    );
}

#[tokio::test]
async fn frozen_connections_stay_open_and_go_on_after_the_thaw() {
    let plane = ControlPlane::shared();
    let proxy = Proxy::start(plane.address());
    let through = plane.client_from(&plane.kubeconfig_via(ADMIN, &proxy)).await;
    get(&through, "/version").await.expect("version");
    let accepted = proxy.accepted();
    proxy.freeze(true);
    let mut request = std::pin::pin!(get(&through, "/version"));
    // The request is sent and stays without an answer; a direct one has its answer meanwhile.
    let direct = plane.client().await;
    tokio::select! {
        biased;
        answer = &mut request => panic!("answered through a frozen proxy: {answer:?}"),
        answer = get(&direct, "/version") => drop(answer.expect("version")),
    }
    assert_eq!(proxy.open(), 1);
    proxy.freeze(false);
    request.await.expect("the answer after the thaw");
    assert_eq!(proxy.accepted(), accepted, "the connection was replaced");
}

#[tokio::test]
async fn a_restarted_apiserver_answers_an_older_version_with_410() {
    let plane = ControlPlane::start(Options::new());
    let client = plane.client().await;
    let mut workload = Workload::new(client.clone(), 4);
    let namespaces = workload.create_namespaces("restart", 1).await;
    let start = resource_version(&client).await;
    workload.create_pods(3, &namespaces).await;

    plane.restart_apiserver();
    let events = watch(&client, &start, 1).await;
    assert_eq!(error_code(&events), Some(410), "{events:?}");
    // The data outlived the process, and the newest version is still good.
    let newest = resource_version(&client).await;
    workload.create_pods(1, &namespaces).await;
    let events = watch(&client, &newest, 1).await;
    assert!(matches!(events[..], [WatchEvent::Added(_)]), "{events:?}");
}

#[tokio::test]
async fn without_watch_cache_a_compaction_gives_410_to_watches_and_pages() {
    let plane = ControlPlane::start(Options::new().apiserver_arg("--watch-cache=false"));
    let client = plane.client().await;
    let mut workload = Workload::new(client.clone(), 5);
    let namespaces = workload.create_namespaces("compact", 1).await;
    workload.create_pods(4, &namespaces).await;
    let page = get(&client, &format!("{PODS}?limit=2")).await.expect("the first page");
    let token = page["metadata"]["continue"]
        .as_str()
        .expect("a continue token")
        .to_owned();
    let start = resource_version(&client).await;
    workload.create_pods(2, &namespaces).await;

    let revision = plane.compact_etcd();
    assert!(revision > start.parse().expect("a number"));
    let events = watch(&client, &start, 1).await;
    assert_eq!(error_code(&events), Some(410), "{events:?}");

    let next = get(&client, &format!("{PODS}?limit=2&continue={token}")).await;
    let error = next.expect_err("a page of a compacted revision");
    assert!(
        matches!(&error, kube::Error::Api(status) if status.code == 410),
        "{error}"
    );
}

#[tokio::test]
async fn a_paused_apiserver_answers_after_it_resumed() {
    let plane = ControlPlane::start(Options::new());
    let client = plane.client().await;
    get(&client, "/version").await.expect("version");
    plane.pause();
    let pid = plane.apiserver_pid().expect("it runs");
    until("the process is stopped", || (state(pid)? == 'T').then_some(()));
    let request = tokio::spawn(async move { get(&client, "/version").await });
    plane.resume();
    request.await.expect("no panic").expect("version after the pause");
}

#[tokio::test]
async fn the_controller_manager_turns_a_deployment_into_pods() {
    let plane = ControlPlane::start(Options::new().with_controller_manager());
    let workload = Workload::new(plane.client().await, 6);
    let namespaces = workload.create_namespaces("managed", 1).await;
    workload.create_deployments(&namespaces[0], 1, 3).await;
    let pods = || {
        plane
            .kubectl()
            .lines(&["get", "pods", "-n", &namespaces[0], "-o", "name"])
    };
    until("three pods", || (pods().len() == 3).then_some(()));
    plane
        .kubectl()
        .run(&["delete", "namespace", &namespaces[0], "--wait=false"]);
    until("the namespace is gone", || {
        let output = plane.kubectl().try_run(&["get", "namespace", &namespaces[0]]);
        (!output.status.success()).then_some(())
    });
}

#[test]
fn dropping_a_control_plane_leaves_no_process_and_no_file() {
    let plane = ControlPlane::start(Options::new());
    let (pids, dir) = (plane.pids(), plane.dir().to_owned());
    assert_eq!(pids.len(), 2);
    assert!(pids.iter().all(|pid| state(*pid).is_some()));
    drop(plane);
    assert_eq!(pids.into_iter().filter_map(state).collect::<String>(), "");
    assert!(!dir.exists());
}

#[test]
fn a_killed_holder_takes_its_process_along() {
    let dir = tempfile::tempdir().expect("a directory");
    // A guard inside a guard: the inner one is the killed test, its sleep the server. The
    // shell keeps the pipe of the inner guard open until it is killed itself.
    let guard = support::test_bin().join("guard").display().to_string();
    let script = format!("sleep 1000 | '{guard}' sleep 1001");
    let mut outer = Spawn::new("outer", "sh", dir.path()).args(["-c", &script]).start();
    outer.wait_for_log("pid ");
    let log = outer.log();
    let inner = log.trim().strip_prefix("pid ").and_then(|pid| pid.parse().ok());
    let inner: u32 = inner.expect("a pid in the log");
    assert!(state(inner).is_some());
    outer.kill();
    until("the inner process is gone", || state(inner).is_none().then_some(()));
}

/// The state letter of a process in /proc, without zombies, which hold nothing any more.
fn state(pid: u32) -> Option<char> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let state = stat.rsplit_once(") ")?.1.chars().next()?;
    (state != 'Z').then_some(state)
}
