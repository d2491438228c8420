//! Consumers that are away, and consumers whose sidecar is.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use informerd::proto::v1alpha1::StartResume;
use serde_json::Value;
use support::{ControlPlane, Process, Sidecar, Spawn, Tail, Workload, eventually};
use tempfile::TempDir;

use crate::recorder::{Recorder, pods, resuming};
use crate::replay::Kind;
use crate::scene::{Scene, setting};
use crate::truth::{Witness, list, touch};

/// A client program that prints deltas as lines of JSON.
struct Consumer {
    name: &'static str,
    process: Process,
    tail: Tail,
    lines: Vec<Value>,
}

// === impl Consumer ===

impl Consumer {
    fn new(name: &'static str, process: Process) -> Self {
        let tail = Tail::of(&process);
        Self {
            name,
            process,
            tail,
            lines: Vec::new(),
        }
    }

    fn read(&mut self) -> &[Value] {
        let parse = |line: String| -> Value { serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}")) };
        self.lines.extend(self.tail.lines().into_iter().map(parse));
        &self.lines
    }

    async fn until(&mut self, what: &str, enough: impl Fn(&[Value]) -> bool) {
        let what = format!("{} {what}", self.name);
        let deadline = tokio::time::Instant::now() + support::DEADLINE;
        let mut pace = tokio::time::interval(Duration::from_millis(25));
        while !enough(self.read()) {
            let late = tokio::time::Instant::now() > deadline;
            assert!(!late, "{what}\n{:?}\n{}", self.lines.last(), self.process.log_tail());
            pace.tick().await;
        }
    }

    fn synced(&self) -> usize {
        self.lines.iter().filter(|line| line["control"] == "synced").count()
    }

    /// Names and versions that a client that applies the lines holds, each step checked: a change that the server calls
    /// live is told once, and never takes an object back.
    fn view(&self) -> BTreeMap<String, u64> {
        let mut view = BTreeMap::new();
        let mut told = BTreeSet::new();
        let mut sweep: Option<BTreeSet<String>> = None;
        for line in &self.lines {
            match line["control"].as_str() {
                Some("reset") => sweep = Some(BTreeSet::new()),
                Some("synced") => {
                    // The examples say themselves what a reset swept, the command line leaves it to its reader.
                    if let Some(came) = sweep.take() {
                        view.retain(|name, _| came.contains(name));
                    }
                    assert_eq!(line["objectCount"], view.len(), "{}: {line}", self.name);
                }
                _ => {}
            }
            let Some(kind) = line["type"].as_str() else { continue };
            let name = line["name"].as_str().expect("a name").to_owned();
            let version = || -> u64 {
                line["resourceVersion"]
                    .as_str()
                    .and_then(|v| v.parse().ok())
                    .expect("a version")
            };
            if kind == "SWEPT" {
                view.remove(&name);
                continue;
            }
            if line["cause"] == "LIVE" {
                let new = told.insert((name.clone(), version()));
                assert!(new, "{}: told twice: {line}", self.name);
            }
            let held = match kind {
                "DELETED" => view.remove(&name),
                _ => view.insert(name.clone(), version()),
            };
            assert!(
                held.is_none_or(|held| held <= version()),
                "{}: goes back: {line}",
                self.name
            );
            if let Some(came) = &mut sweep {
                came.insert(name);
            }
        }
        view
    }
}

/// The clients of `clients/`, as `clients/prepare` built them, and the command line.
fn everybody(sidecar: &Sidecar, namespace: &str, dir: &TempDir) -> Vec<Consumer> {
    let prepared = |variable: &str| {
        std::env::var(variable).unwrap_or_else(|_| {
            panic!("{variable} is not set: run the tests with `tests/run`, or first `eval \"$(clients/prepare)\"`")
        })
    };
    let java = prepared("INFORMERD_JAVA_CMD");
    let commands = [
        ("go", vec![prepared("INFORMERD_GO_EXAMPLE")]),
        (
            "python",
            vec![prepared("INFORMERD_PYTHON"), prepared("INFORMERD_PYTHON_EXAMPLE")],
        ),
        ("java", java.split_whitespace().map(str::to_owned).collect()),
    ];
    let server = format!("unix://{}", sidecar.socket().display());
    let mut consumers: Vec<Consumer> = commands
        .into_iter()
        .map(|(name, command)| {
            let token = dir.path().join(name).display().to_string();
            let process = Spawn::new(&format!("{name}.client"), &command[0], dir.path())
                .args(&command[1..])
                .args([
                    "follow",
                    "--server",
                    &server,
                    "--namespace",
                    namespace,
                    "--token-file",
                    &token,
                ])
                .stdout_apart()
                .start();
            Consumer::new(name, process)
        })
        .collect();
    let cli = sidecar.follow("cli", &["watch", "pods", "-n", namespace, "-o", "json"]);
    consumers.push(Consumer::new("informerd watch", cli));
    consumers
}

#[tokio::test(flavor = "multi_thread")]
async fn case_c_the_sidecar_restarts_under_load_and_every_client_resumes_by_itself() {
    let restarts = setting("INFORMERD_TEST_RESTARTS", 5);
    let plane = ControlPlane::shared();
    let mut scene = Scene::new(plane.client().await, &plane.kubeconfig(), "restarts", 30).await;
    let dir = tempfile::tempdir().expect("a directory");
    let namespace = scene.namespaces[0].clone();
    let mut consumers = everybody(&scene.sidecar, &namespace, &dir);
    for consumer in &mut consumers {
        consumer
            .until("is synced", |lines| {
                lines.iter().any(|line| line["control"] == "synced")
            })
            .await;
    }
    let (stop, mut stopped) = tokio::sync::watch::channel(false);
    let mut workload = std::mem::replace(&mut scene.workload, Workload::new(scene.client.clone(), 0));
    let namespaces = scene.namespaces.clone();
    let load = tokio::spawn(async move {
        let mut changes = 0;
        while !*stopped.borrow_and_update() {
            workload.churn(2, &namespaces).await;
            changes += 2;
        }
        (workload, changes)
    });
    for _ in 0..restarts {
        let before: Vec<usize> = consumers.iter().map(Consumer::synced).collect();
        scene.sidecar.restart();
        for (consumer, before) in consumers.iter_mut().zip(before) {
            let again = |lines: &[Value]| lines.iter().filter(|line| line["control"] == "synced").count() > before;
            consumer.until("is synced again", again).await;
        }
    }
    stop.send_replace(true);
    let (workload, changes) = load.await.expect("the load");
    touch(&workload, "the end").await;
    let (truth, _) = list(&scene.client, &scene.path).await;
    let truth: BTreeMap<String, u64> = truth
        .into_iter()
        .map(|(key, state)| (key.split_once('/').expect("a namespace").1.to_owned(), state.version))
        .collect();
    for consumer in &mut consumers {
        eventually("the client holds what the cluster holds", || {
            consumer.read();
            let same = consumer.view() == truth;
            async move { same.then_some(()) }
        })
        .await;
    }
    eprintln!("{restarts} restarts during {changes} changes, {} objects", truth.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn case_20_a_consumer_that_was_away_resumes_with_exactly_what_it_missed() {
    let away = Duration::from_secs(setting("INFORMERD_TEST_AWAY", 0));
    let plane = ControlPlane::shared();
    let mut scene = Scene::new(plane.client().await, &plane.kubeconfig(), "away", 30).await;
    let (here, _) = scene.record().await;
    let file = scene.sidecar.socket().with_file_name("token").display().to_string();
    let args = [
        "watch",
        "pods",
        "-n",
        &scene.namespaces[0],
        "-o",
        "json",
        "--resume-file",
        &file,
    ];
    let mut first = Consumer::new("the first", scene.sidecar.follow("first", &args));
    first
        .until("is synced", |lines| {
            lines.iter().any(|line| line["control"] == "synced")
        })
        .await;
    let newest = touch(&scene.workload, "before").await;
    let seen = |position: u64| {
        let position = position.to_string();
        move |lines: &[Value]| {
            lines
                .iter()
                .any(|line| line.get("type").is_some() && line["resourceVersion"] == position.as_str())
        }
    };
    first.until("has the last change", seen(newest)).await;
    // The token goes to the file after the lines that it covers.
    first.process.signal("TERM");
    first.process.wait();
    let gone = here.has_seen(newest).await;
    let witness = Witness::start(&scene.client, &scene.path, newest);

    scene.workload.churn(100, &scene.namespaces).await;
    let newest = touch(&scene.workload, "while it was away").await;
    let seen = here.has_seen(newest).await;
    tokio::time::sleep(away).await;
    assert!(here.count() >= seen.items.len());

    let mut second = Consumer::new("the second", scene.sidecar.follow("second", &args));
    second
        .until("is synced", |lines| {
            lines.iter().any(|line| line["control"] == "synced")
        })
        .await;
    let missed = witness.up_to(newest).await;
    assert!(missed.len() > 100);
    let created = &second.lines[0];
    assert_eq!(
        (&created["control"], &created["mode"]),
        (&"created".into(), &"REPLAY".into()),
        "{created}"
    );
    let word = |kind| match kind {
        Kind::Added => "ADDED",
        Kind::Updated => "UPDATED",
        Kind::Deleted => "DELETED",
    };
    let wanted: Vec<_> = missed
        .iter()
        .map(|c| (word(c.kind).to_owned(), c.key.clone(), c.position.to_string()))
        .collect();
    let text = |line: &Value, field: &str| line[field].as_str().unwrap_or_default().to_owned();
    let told: Vec<_> = second
        .lines
        .iter()
        .filter(|line| line.get("type").is_some())
        .map(|line| (text(line, "type"), text(line, "key"), text(line, "resourceVersion")))
        .collect();
    assert_eq!(told, wanted);

    // The same for a client of the API that left at that moment.
    let start = StartResume {
        token: gone.token.clone(),
        ..StartResume::default()
    };
    let view = gone.replay.clone().resumed();
    let back = Recorder::open(&scene.channel, resuming(pods(), start), view).await;
    let back = back
        .until("what was missed", |r| r.replay.synced() && r.replay.newest() >= newest)
        .await;
    assert_eq!(back.controls(), ["created REPLAY", "synced"]);
    assert_eq!(back.live(), missed);
    let (truth, _) = list(&scene.client, &scene.path).await;
    assert_eq!(*back.replay.view(), truth);
    eprintln!("{} missed deltas after {away:?}", told.len());
}
