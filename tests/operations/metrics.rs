//! `--metrics-listen`: what a scrape sees.

use std::collections::{BTreeMap, BTreeSet};

use informerd::proto::v1alpha1::{AddItemsRequest, Completion, Outcome, QueueSpec};
use informerd::sim::{Action, Rule, StatusError};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::rig::Rig;

/// One page.
struct Page {
    head: String,
    text: String,
    samples: BTreeMap<String, f64>,
}

impl Page {
    async fn get(rig: &Rig) -> Self {
        let (head, text) = request(rig, "GET /metrics").await;
        let samples = text.lines().filter(|l| !l.starts_with('#'));
        let sample = |line: &str| {
            let (series, value) = line.rsplit_once(' ').expect("a sample");
            (series.to_owned(), value.parse().expect("a number"))
        };
        Self {
            samples: samples.map(sample).collect(),
            head,
            text,
        }
    }

    fn value(&self, series: &str) -> f64 {
        *self
            .samples
            .get(series)
            .unwrap_or_else(|| panic!("no {series} in:\n{}", self.text))
    }

    /// Names of samples with the names of their labels.
    fn names(&self, prefix: &str) -> BTreeSet<String> {
        let name = |series: &String| match series.split_once('{') {
            Some((name, labels)) => {
                let labels: Vec<_> = labels.split(',').filter_map(|l| l.split('=').next()).collect();
                let labels: BTreeSet<_> = labels.into_iter().collect();
                format!("{name} {}", labels.into_iter().collect::<Vec<_>>().join(","))
            }
            None => series.clone(),
        };
        self.samples
            .keys()
            .map(name)
            .filter(|n| n.starts_with(prefix))
            .collect()
    }
}

/// Head and body of the answer.
async fn request(rig: &Rig, request: &str) -> (String, String) {
    let mut stream = TcpStream::connect(rig.metrics).await.expect("connected");
    let request = format!("{request} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.expect("read");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head");
    (head.to_owned(), body.to_owned())
}

#[tokio::test]
async fn queues_have_client_gos_names_and_labels_and_right_values() {
    let mut rig = Rig::start(&[]).await;
    rig.create("q", QueueSpec::default()).await;
    rig.create("idle", QueueSpec::default()).await;
    rig.add(&["a/1", "a/2", "a/3"], AddItemsRequest::default()).await;
    rig.add(&["a/1"], AddItemsRequest::default()).await;
    let low = AddItemsRequest {
        priority: -100,
        ..AddItemsRequest::default()
    };
    rig.add(&["a/low"], low).await;
    let later = AddItemsRequest {
        after: Some(prost_types::Duration {
            seconds: 3600,
            nanos: 0,
        }),
        ..AddItemsRequest::default()
    };
    rig.add(&["a/later"], later).await;
    let first = rig.acquire().await;
    let second = rig.acquire().await;
    let done = Completion {
        outcome: Outcome::Success.into(),
        ..Completion::default()
    };
    rig.complete(&first, done).await;
    // Due again while it is leased: part of the depth.
    let again = AddItemsRequest::default();
    let key = second.key.expect("a key");
    rig.add(&[&format!("{}/{}", key.namespace, key.name)], again).await;

    let page = Page::get(&rig).await;
    for (series, want) in [
        (r#"workqueue_depth{name="q",priority="0"}"#, 2.0),
        (r#"workqueue_depth{name="q",priority="-100"}"#, 1.0),
        (r#"workqueue_depth{name="idle",priority="0"}"#, 0.0),
        (r#"workqueue_adds_total{name="q"}"#, 5.0),
        (r#"workqueue_adds_total{name="idle"}"#, 0.0),
        (r#"workqueue_retries_total{name="q"}"#, 1.0),
        (r#"workqueue_queue_duration_seconds_count{name="q"}"#, 2.0),
        (r#"workqueue_queue_duration_seconds_bucket{le="+Inf",name="q"}"#, 2.0),
        (r#"workqueue_work_duration_seconds_count{name="q"}"#, 1.0),
        (r#"workqueue_work_duration_seconds_bucket{le="+Inf",name="q"}"#, 1.0),
        (r#"workqueue_unfinished_work_seconds{name="idle"}"#, 0.0),
    ] {
        assert_eq!(page.value(series), want, "{series}");
    }
    let unfinished = page.value(r#"workqueue_unfinished_work_seconds{name="q"}"#);
    let longest = page.value(r#"workqueue_longest_running_processor_seconds{name="q"}"#);
    assert!(
        unfinished > 0.0 && unfinished == longest,
        "one lease: {unfinished}, {longest}"
    );
    let bounds = page
        .samples
        .keys()
        .filter(|s| s.starts_with("workqueue_work_duration_seconds_bucket{"));
    let bounds = bounds.filter(|s| s.contains(r#"name="q""#)).count();
    assert_eq!(bounds, 11, "client-go's ten buckets and the one without a bound");
    let want: BTreeSet<_> = [
        "workqueue_adds_total name",
        "workqueue_depth name,priority",
        "workqueue_longest_running_processor_seconds name",
        "workqueue_queue_duration_seconds_bucket le,name",
        "workqueue_queue_duration_seconds_count name",
        "workqueue_queue_duration_seconds_sum name",
        "workqueue_retries_total name",
        "workqueue_unfinished_work_seconds name",
        "workqueue_work_duration_seconds_bucket le,name",
        "workqueue_work_duration_seconds_count name",
        "workqueue_work_duration_seconds_sum name",
    ]
    .map(str::to_owned)
    .into();
    assert_eq!(page.names("workqueue_"), want);
    rig.stop().await;
}

#[tokio::test]
async fn informers_show_what_they_hold_and_what_their_reflector_does() {
    let rig = Rig::start(&[]).await;
    for name in ["a", "b"] {
        let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": name, "namespace": "default"}});
        rig.sim.create(pod).expect("created");
    }
    // Creates the informer and waits until it is synced.
    let pods = rig.informerd("get pods -A -o name").await;
    assert_eq!((pods.code, pods.out.as_str()), (0, "pod/a\npod/b\n"), "{}", pods.notes);

    let page = Page::get(&rig).await;
    let value = |metric: &str| page.value(&format!("informerd_informer_{metric}{{informer=\"pods\"}}"));
    assert_eq!((value("objects"), value("synced"), value("watches")), (2.0, 1.0, 0.0));
    assert!(value("object_bytes") > 0.0 && value("revision") > 0.0 && value("current_as_of_seconds") > 1e9);
    assert_eq!((value("lists_total"), value("skipped_total")), (1.0, 0.0));
    assert!(value("upstream_watches_total") <= 1.0);
    let states = page
        .samples
        .iter()
        .filter(|(s, _)| s.starts_with("informerd_informer_upstream_state{"));
    let states: Vec<_> = states.map(|(_, value)| *value).collect();
    assert_eq!((states.len(), states.iter().sum::<f64>()), (7, 1.0), "one state of all");
    // Case 29: the same for each namespace; here there is one reflector for all of them.
    let mut reflectors = page
        .samples
        .iter()
        .filter(|(s, _)| s.starts_with("informerd_reflector_state{"));
    assert!(
        reflectors.any(|(s, value)| s.contains("informer=\"pods\",namespace=\"\",state=\"watching\"") && *value <= 1.0)
    );
    assert_eq!(value("restarts_total"), 0.0);
    assert!(value("staleness_seconds") >= 0.0);
    let streams = ["watch_streams", "watch_lag_revisions", "watch_resets_total"].map(&value);
    assert_eq!(streams, [0.0; 3]);
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(
        page.value(&format!("informerd_build_info{{version=\"{version}\"}}")),
        1.0
    );
    let want: BTreeSet<_> = [
        "current_as_of_seconds informer",
        "history_bytes informer",
        "lists_total informer",
        "object_bytes informer",
        "objects informer",
        "restarts_total informer",
        "staleness_seconds informer",
        "watch_lag_revisions informer",
        "watch_resets_total informer",
        "watch_streams informer",
        "revision informer",
        "skipped_total informer",
        "synced informer",
        "upstream_state informer,state",
        "upstream_watches_total informer",
        "watches informer",
    ]
    .map(|name| format!("informerd_informer_{name}"))
    .into();
    assert_eq!(page.names("informerd_informer_"), want);
    rig.stop().await;
}

#[tokio::test]
async fn case_40_metrics_tell_of_an_informer_that_is_behind_and_of_one_that_fails() {
    let rig = Rig::start(&["pods"]).await;
    let mut watch = rig.watch("pods").await;
    watch.synced().await;
    let pod = json!({"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a", "namespace": "default"}});
    rig.sim.create(pod).expect("created");
    watch.events(1).await;
    let of = |metric: &str| format!("informerd_informer_{metric}{{informer=\"pods\"}}");
    let page = Page::get(&rig).await;
    assert_eq!(
        (page.value(&of("watch_streams")), page.value(&of("watches"))),
        (1.0, 1.0)
    );
    assert_eq!(page.value(&of("watch_lag_revisions")), 0.0);
    let (stale, last) = (
        page.value(&of("staleness_seconds")),
        page.value(&of("last_change_age_seconds")),
    );
    assert!(
        (0.0..=last).contains(&stale),
        "the change was the last proof: {stale} {last}"
    );
    assert!(
        !page.text.contains("informerd_informer_failures_total{"),
        "nothing has failed yet"
    );

    // The API server goes away for this client.
    rig.sim.faults().add(Rule::on_any(Action::Status(StatusError::new(
        503,
        "ServiceUnavailable",
        "as the test wants it",
    ))));
    rig.sim.cut_all();
    let failures = "informerd_informer_failures_total{informer=\"pods\",reason=\"ServiceUnavailable\"}";
    let page = support::eventually("a failure is counted", || async {
        let page = Page::get(&rig).await;
        page.samples.contains_key(failures).then_some(page)
    })
    .await;
    assert!(page.value(failures) >= 1.0);
    let state = |state: &str| format!("informerd_informer_upstream_state{{informer=\"pods\",state=\"{state}\"}}");
    assert_eq!(
        (page.value(&state("backoff")), page.value(&state("watching"))),
        (1.0, 0.0)
    );
    // Who reads no farther shows as lag, and as no stream once it has gone.
    drop(watch);
    support::eventually("the stream is gone", || async {
        let page = Page::get(&rig).await;
        (page.value(&of("watch_streams")) == 0.0 && page.value(&of("watches")) == 0.0).then_some(())
    })
    .await;
    rig.stop().await;
}

/// Every metric that a page shows stands in docs/metrics.md with its unit, and nothing else does.
#[tokio::test]
async fn case_40_each_metric_is_documented() {
    let rig = Rig::start(&["pods"]).await;
    let mut watch = rig.watch("pods").await;
    watch.synced().await;
    let page = Page::get(&rig).await;
    let helped: BTreeSet<_> = page
        .text
        .lines()
        .filter_map(|l| l.strip_prefix("# HELP ")?.split(' ').next())
        .collect();
    let table = include_str!("../../docs/metrics.md");
    let told: BTreeSet<_> = table
        .lines()
        .filter_map(|l| l.strip_prefix("| `")?.split('`').next())
        .map(|name| {
            name.strip_suffix("_total")
                .or(name.strip_suffix("_info"))
                .unwrap_or(name)
        })
        .collect();
    assert_eq!(told, helped);
    rig.stop().await;
}

#[tokio::test]
async fn the_page_is_open_metrics_and_ends_with_the_sidecar() {
    let rig = Rig::start(&[]).await;
    let page = Page::get(&rig).await;
    assert!(page.head.starts_with("HTTP/1.1 200 "), "{}", page.head);
    assert!(
        page.head.contains("application/openmetrics-text; version=1.0.0"),
        "{}",
        page.head
    );
    assert!(page.text.ends_with("# EOF\n"), "{}", page.text);
    for (line, want) in [
        ("GET /", "HTTP/1.1 404 "),
        ("POST /metrics", "HTTP/1.1 405 "),
        ("HEAD /metrics", "HTTP/1.1 200 "),
    ] {
        let (head, _) = request(&rig, line).await;
        assert!(head.starts_with(want), "{line}: {head}");
    }
    // A scraper that keeps its connection does not hold up the end.
    let mut idle = TcpStream::connect(rig.metrics).await.expect("connected");
    let address = rig.metrics;
    rig.stop().await;
    assert!(
        matches!(idle.read(&mut [0]).await, Ok(0) | Err(_)),
        "the connection is closed"
    );
    assert!(TcpStream::connect(address).await.is_err(), "nobody listens");
}
