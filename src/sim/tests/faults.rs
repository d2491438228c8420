use futures::{FutureExt, StreamExt};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::time::Instant;

use super::*;
use crate::sim::body;
use crate::sim::fault::{Asked, Plan};

const WATCH_LIST: &str =
    "/api/v1/pods?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";

async fn with_pods(count: usize) -> (Sim, Http) {
    let (sim, http) = start().await;
    for i in 0..count {
        sim.create(pod("default", &format!("p{i}"), "web")).unwrap();
    }
    (sim, http)
}

/// Sends a request by hand and reads to the end of the connection.
async fn raw(sim: &Sim, path: &str) -> (Vec<u8>, std::io::Result<usize>) {
    let address = sim.url().trim_start_matches("http://").to_owned();
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: sim\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut bytes = Vec::new();
    let end = stream.read_to_end(&mut bytes).await;
    (bytes, end)
}

#[tokio::test]
async fn a_status_comes_instead_with_retry_after_for_the_nth_call_only() {
    let (sim, http) = with_pods(1).await;
    let rule = Rule::on(Verb::List, Action::Status(StatusError::too_many_requests(7)))
        .resource("pods")
        .nth(2);
    let id = sim.faults().add(rule);
    assert_eq!(http.get("/api/v1/pods").await.0, 200);
    assert_eq!(http.get("/api/v1/services").await.0, 200);
    let (head, body) = http.send(Request::get("/api/v1/pods").body(Vec::new()).unwrap()).await;
    assert_eq!(head.status, 429);
    assert_eq!(head.headers["retry-after"], "7");
    let status: Value = serde_json::from_slice(&body.collect().await.unwrap().to_bytes()).unwrap();
    assert_eq!(
        (&status["reason"], &status["details"]["retryAfterSeconds"]),
        (&json!("TooManyRequests"), &json!(7))
    );
    assert_eq!(http.get("/api/v1/pods").await.0, 200);
    assert_eq!(sim.faults().hits(id), 1);
}

#[tokio::test]
async fn rules_last_until_removed_and_can_be_read_from_a_file() {
    let (sim, http) = with_pods(1).await;
    let script = r#"{"verb": "watch", "resource": "pods", "action": {"status": {"code": 410, "reason": "Expired"}}}"#;
    let id = sim.faults().add(serde_json::from_str(script).unwrap());
    for _ in 0..3 {
        assert_eq!(http.get("/api/v1/pods?watch=1&resourceVersion=1").await.0, 410);
    }
    sim.faults().remove(id);
    http.watch("/api/v1/pods?watch=1").await;
    sim.faults()
        .add(Rule::on_any(Action::Status(StatusError::internal("all down"))));
    assert_eq!(http.get("/version").await.0, 500);
    sim.faults().clear();
    assert_eq!(http.get("/version").await.0, 200);
}

#[tokio::test]
async fn a_reset_is_a_tcp_reset() {
    let (sim, _) = with_pods(3).await;
    sim.faults().add(Rule::on(Verb::List, Action::Reset).once());
    let (bytes, end) = raw(&sim, "/api/v1/pods").await;
    assert_eq!(bytes, b"");
    assert_eq!(end.unwrap_err().kind(), std::io::ErrorKind::ConnectionReset);
    sim.faults()
        .add(Rule::on(Verb::Watch, Action::ResetAfter { events: 2 }));
    let (_, end) = raw(&sim, "/api/v1/pods?watch=1").await;
    assert_eq!(end.unwrap_err().kind(), std::io::ErrorKind::ConnectionReset);
}

#[tokio::test]
async fn silence_accepts_and_never_answers() {
    let (sim, http) = with_pods(1).await;
    sim.faults().add(Rule::on(Verb::List, Action::Silence).once());
    let silent = http
        .client
        .send(Request::get("/api/v1/pods").body(kube::client::Body::empty()).unwrap());
    let mut silent = Box::pin(silent);
    tokio::select! {
        _ = &mut silent => panic!("answered"),
        () = sim.wait_for_requests(|log| log.iter().any(|r| r.verb == Verb::List)) => {}
    }
    // Another connection is served meanwhile, and the silent one ends only when it is cut.
    assert_eq!(http.get("/version").await.0, 200);
    assert!(silent.as_mut().now_or_never().is_none());
    sim.cut_all();
    assert!(silent.await.is_err());
}

#[tokio::test]
async fn a_watch_can_close_at_once_or_after_some_events() {
    let (sim, http) = with_pods(3).await;
    for events in [0, 2] {
        let id = sim.faults().add(Rule::on(Verb::Watch, Action::CloseAfter { events }));
        let mut watch = http.watch("/api/v1/pods?watch=1").await;
        for i in 0..events {
            assert_eq!(watch.event().await, format!("ADDED p{i}"));
        }
        assert_eq!(watch.line().await, None);
        sim.faults().remove(id);
    }
}

#[tokio::test]
async fn a_frozen_watch_stays_open_and_says_nothing() {
    let (sim, http) = with_pods(2).await;
    sim.faults()
        .add(Rule::on(Verb::Watch, Action::FreezeAfter { events: 1 }).once());
    let mut frozen = http.watch("/api/v1/pods?watch=1").await;
    assert_eq!(frozen.event().await, "ADDED p0");
    let mut healthy = http.watch("/api/v1/pods?watch=1").await;
    assert_eq!(healthy.events().await, ["ADDED p0", "ADDED p1"]);
    assert!(frozen.line().now_or_never().is_none());
    sim.cut_all();
    assert!(frozen.line().await.unwrap().is_err());
}

#[tokio::test]
async fn bodies_can_break_off_in_the_middle() {
    let (sim, http) = with_pods(3).await;
    sim.faults()
        .add(Rule::on(Verb::Watch, Action::TruncateAfter { events: 1 }));
    let mut watch = http.watch("/api/v1/pods?watch=1").await;
    assert_eq!(watch.event().await, "ADDED p0");
    assert!(watch.line().await.unwrap().is_err());
    assert!(
        watch.buffer.starts_with(br#"{"type":"ADDED","object":{"#),
        "{:?}",
        watch.buffer
    );
    sim.faults()
        .add(Rule::on(Verb::List, Action::TruncateBody { bytes: 100 }));
    let mut list = http.watch("/api/v1/pods").await;
    assert!(list.line().await.unwrap().is_err());
    assert_eq!(list.buffer.len(), 100);
}

#[tokio::test]
async fn garbage_is_no_json() {
    let (sim, _) = with_pods(1).await;
    sim.faults().add(Rule::on(Verb::List, Action::Garbage { bytes: 64 }));
    let (bytes, end) = raw(&sim, "/api/v1/pods").await;
    end.unwrap();
    let body = bytes.windows(4).position(|w| w == b"\r\n\r\n").unwrap() + 4;
    assert!(bytes.starts_with(b"HTTP/1.1 200 OK\r\n"));
    assert!(serde_json::from_slice::<Value>(&bytes[body..]).is_err());
}

#[tokio::test]
async fn error_events_end_the_stream_and_injected_lines_do_not() {
    let (sim, http) = with_pods(2).await;
    let line = r#"{"type":"ADDED","object":{"kind":"Table","apiVersion":"meta.k8s.io/v1"}}"#;
    sim.faults().add(Rule::on(
        Verb::Watch,
        Action::InjectAfter {
            events: 1,
            line: line.to_owned(),
        },
    ));
    let status = StatusError::internal("etcd is away");
    sim.faults()
        .add(Rule::on(Verb::Watch, Action::ErrorAfter { events: 2, status }));
    let mut watch = http.watch("/api/v1/pods?watch=1").await;
    assert_eq!(watch.event().await, "ADDED p0");
    assert_eq!(watch.line().await.unwrap().unwrap(), line);
    assert_eq!(watch.event().await, "ADDED p1");
    let error = watch.value().await;
    assert_eq!(
        (&error["type"], &error["object"]["code"]),
        (&json!("ERROR"), &json!(500))
    );
    assert_eq!(watch.line().await, None);
}

#[tokio::test]
async fn a_watch_list_can_be_refused_or_left_without_its_end() {
    let sim = Sim::builder()
        .bookmark_period(Duration::from_millis(5))
        .start()
        .await
        .unwrap();
    let http = Http::new(&sim);
    sim.create(pod("default", "p0", "web")).unwrap();
    let refusal = StatusError::new(400, "BadRequest", "no");
    let id = sim.faults().add(Rule::on(Verb::WatchList, Action::Status(refusal)));
    assert_eq!(http.get(WATCH_LIST).await.0, 400);
    http.watch("/api/v1/pods?watch=1").await;
    sim.faults().remove(id);
    sim.faults()
        .add(Rule::on(Verb::WatchList, Action::WithholdInitialEventsEnd).once());
    let mut watch = http.watch(WATCH_LIST).await;
    assert_eq!(watch.event().await, "ADDED p0");
    let next = watch.value().await;
    assert_eq!(next["type"], "BOOKMARK", "periodic ones still come");
    assert!(next["object"]["metadata"].get("annotations").is_none());
    sim.faults().add(Rule::on(Verb::WatchList, Action::WithholdBookmarks));
    let mut watch = http.watch(WATCH_LIST).await;
    assert_eq!(watch.event().await, "ADDED p0");
    sim.create(pod("default", "p1", "web")).unwrap();
    assert_eq!(watch.event().await, "ADDED p1");
}

#[tokio::test]
async fn events_can_be_hidden_from_one_watch_or_from_all() {
    let (sim, http) = with_pods(1).await;
    let rv = sim.resource_version();
    sim.faults()
        .add(Rule::on(Verb::Watch, Action::HideEvents { after: 1, count: 2 }).once());
    let mut partial = http.watch(&format!("/api/v1/pods?watch=1&resourceVersion={rv}")).await;
    let mut whole = http.watch(&format!("/api/v1/pods?watch=1&resourceVersion={rv}")).await;
    for name in ["a", "b", "c", "d"] {
        sim.create(pod("default", name, "web")).unwrap();
    }
    assert_eq!(partial.events().await, ["ADDED a", "ADDED d"]);
    assert_eq!(whole.events().await, ["ADDED a", "ADDED b", "ADDED c", "ADDED d"]);
    sim.hide_changes(true);
    sim.delete("pods", Some("default"), "a").unwrap();
    sim.hide_changes(false);
    sim.create(pod("default", "e", "web")).unwrap();
    assert_eq!(
        (partial.event().await, whole.event().await),
        ("ADDED e".to_owned(), "ADDED e".to_owned())
    );
    assert_eq!(
        names(&http.get("/api/v1/pods").await.1),
        ["b", "c", "d", "e", "p0"].map(|n| format!("default/{n}"))
    );
}

#[tokio::test]
async fn lists_can_come_in_another_order() {
    let (sim, http) = with_pods(20).await;
    let (_, ordered) = http.get("/api/v1/pods").await;
    sim.faults().add(Rule::on(Verb::List, Action::ShuffleList));
    let (_, shuffled) = http.get("/api/v1/pods").await;
    let (a, mut b) = (names(&ordered), names(&shuffled));
    assert_ne!(a, b);
    b.sort();
    let mut sorted = a.clone();
    sorted.sort();
    assert_eq!(sorted, b);
}

#[tokio::test(start_paused = true)]
async fn a_slow_body_takes_its_time_and_loses_nothing() {
    let plan = Plan {
        bytes_per_second: Some(100),
        ..Plan::default()
    };
    let bytes = bytes::Bytes::from(vec![7; 1_000]);
    let started = Instant::now();
    let slow = body::shaped(futures::stream::iter([Ok(bytes.clone())]), &plan);
    assert_eq!(slow.collect().await.unwrap().to_bytes(), bytes);
    assert_eq!(started.elapsed().as_secs(), 10);
}

#[tokio::test]
async fn delays_add_up_and_a_delayed_answer_is_whole() {
    let (sim, http) = with_pods(1).await;
    sim.faults().add(Rule::on(Verb::List, Action::Delay { millis: 20 }));
    sim.faults()
        .add(Rule::on(Verb::List, Action::Delay { millis: 5 }).once());
    sim.faults().add(Rule::on(
        Verb::List,
        Action::SlowBody {
            bytes_per_second: 1_000_000,
        },
    ));
    let asked = Asked {
        verb: Verb::List,
        resource: Some("pods"),
        namespace: None,
        agent: "",
    };
    let plans = [(); 2].map(|()| sim.faults().plan(asked).delay.as_millis());
    assert_eq!(plans, [25, 20]);
    assert_eq!(names(&http.get("/api/v1/pods").await.1), ["default/p0"]);
}

#[tokio::test]
async fn all_connections_can_be_cut_and_the_server_can_go_and_come() {
    let (sim, http) = with_pods(1).await;
    let mut watches = Vec::new();
    for _ in 0..3 {
        let mut watch = http.watch("/api/v1/pods?watch=1").await;
        watch.event().await;
        watches.push(watch);
    }
    sim.cut_all();
    for watch in &mut watches {
        assert!(watch.line().await.unwrap().is_err());
    }
    assert_eq!(http.get("/version").await.0, 200);
    sim.go_down().await;
    let down = http
        .client
        .send(Request::get("/version").body(kube::client::Body::empty()).unwrap())
        .await;
    assert!(down.is_err());
    sim.come_up().await.unwrap();
    assert_eq!(http.get("/version").await.0, 200);
    let (url, mut watch) = (sim.url(), http.watch("/api/v1/pods?watch=1").await);
    watch.event().await;
    drop(sim);
    assert!(watch.line().await.unwrap().is_err());
    assert!(
        tokio::net::TcpStream::connect(url.trim_start_matches("http://"))
            .await
            .is_err()
    );
}

#[tokio::test]
async fn requests_are_logged_with_what_they_do() {
    let (sim, http) = with_pods(1).await;
    http.get("/api/v1/pods?limit=5&labelSelector=app%3Dweb").await;
    http.watch(WATCH_LIST).await;
    http.get("/version").await;
    let log = sim.request_log();
    let verbs: Vec<_> = log
        .iter()
        .map(|request| (request.verb, request.resource.as_deref()))
        .collect();
    let expected = [
        (Verb::List, Some("pods")),
        (Verb::WatchList, Some("pods")),
        (Verb::Discovery, None),
    ];
    assert_eq!(verbs, expected);
    assert_eq!((log[0].method.as_str(), log[0].path.as_str()), ("GET", "/api/v1/pods"));
    assert_eq!(log[0].parameter("labelSelector").as_deref(), Some("app=web"));
    sim.clear_request_log();
    assert!(sim.request_log().is_empty());
}

#[tokio::test]
async fn a_watch_is_read_on_demand_and_tells_what_changed_since_it_began() {
    // A watch is made on demand: a reader that reads nothing holds one line, not the history.
    let (sim, _) = with_pods(50).await;
    let kind = sim.kind("pods").unwrap();
    let query = crate::sim::query::Query::parse("watch=1");
    let period = Duration::from_secs(60);
    let watch =
        crate::sim::watch::Watch::parse(&sim.inner.store, kind, Default::default(), &query, true, period, period);
    let items = watch.await.unwrap().items(sim.inner.store.clone());
    let mut items = Box::pin(items);
    assert!(items.next().await.is_some());
    sim.delete("pods", Some("default"), "p49").unwrap();
    // Begun before the deletion, the initial state still has it; the deletion follows.
    let rest: Vec<_> = items.by_ref().take(50).collect().await;
    let last = format!("{:?}", rest.last());
    assert!(last.contains("DELETED") && last.contains("p49"), "{last}");
}

#[tokio::test]
async fn a_script_from_a_file_picks_requests_by_namespace_agent_verb_and_number() {
    let (sim, http) = with_pods(1).await;
    sim.create(pod("other", "q", "web")).unwrap();
    let script = r#"
- {namespace: other, action: {status: {code: 403, reason: Forbidden}}}
- {agent: nobody, action: {status: {code: 500}}}
- {verb: list, resource: services, skip: 1, times: 1, action: {status: {code: 503, retry_after_seconds: 3}}}
- {verb: watch-list, action: {status: {code: 422, reason: Invalid}}}
"#;
    let ids = sim.faults().load(script).unwrap();
    assert_eq!(http.get("/api/v1/namespaces/other/pods").await.0, 403);
    assert_eq!(http.get("/api/v1/namespaces/default/pods").await.0, 200);
    assert_eq!(http.get("/api/v1/pods").await.0, 200);
    let mut services = Vec::new();
    for _ in 0..3 {
        services.push(http.get("/api/v1/services").await.0);
    }
    assert_eq!(services, [200, 503, 200]);
    assert_eq!(http.get(WATCH_LIST).await.0, 422);
    let agent = Request::get("/api/v1/pods").header("user-agent", "nobody/1.0");
    let (head, _) = http.send(agent.body(Vec::new()).unwrap()).await;
    assert_eq!(head.status, 500);
    let hits: Vec<_> = ids.iter().map(|id| sim.faults().hits(*id)).collect();
    assert_eq!(hits, [1, 1, 1, 1]);
    assert!(sim.faults().load("- {verb: never, action: reset}").is_err());
}

#[tokio::test]
async fn exact_bytes_come_instead_of_an_answer() {
    let (sim, _) = with_pods(1).await;
    let table = r#"{"kind":"Table","apiVersion":"meta.k8s.io/v1","rows":[]}"#;
    let action = Action::Answer {
        code: 206,
        content_type: "text/html".to_owned(),
        body: table.to_owned(),
    };
    sim.faults().add(Rule::on(Verb::List, action).once());
    let (bytes, end) = raw(&sim, "/api/v1/pods").await;
    end.unwrap();
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    assert!(
        head.starts_with("HTTP/1.1 206") && head.contains("content-type: text/html"),
        "{head}"
    );
    assert!(body.contains(table), "{body}");
}

#[tokio::test]
async fn writes_that_no_watch_tells_of_are_found_by_a_list() {
    let (sim, http) = with_pods(2).await;
    let from = sim.resource_version();
    sim.hide_changes(true);
    sim.create(pod("default", "added", "web")).unwrap();
    sim.patch_merge(
        "pods",
        Some("default"),
        "p0",
        json!({"metadata": {"labels": {"app": "other"}}}),
    )
    .unwrap();
    sim.delete("pods", Some("default"), "p1").unwrap();
    sim.hide_changes(false);
    sim.create(pod("default", "told", "web")).unwrap();
    let mut watch = http
        .watch(&format!("/api/v1/pods?watch=1&resourceVersion={from}"))
        .await;
    assert_eq!(watch.event().await, "ADDED told");
    let (_, list) = http.get("/api/v1/pods").await;
    let names: Vec<_> = list["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|pod| &pod["metadata"]["name"])
        .collect();
    assert_eq!(names, ["added", "p0", "told"]);
}
