//! The Go, Python and Java examples as real processes, against a real informerd process, over the socket and over TCP.
//!
//! ```text
//! Sim (this process) <── informerd serve (killed, restarted) <── example (Go | Python | Java)
//!       │ truth                                                      │ JSON lines
//!       └──────────────────────── compared ──────────────────────────┘
//! ```

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::Command;

use informerd::sim::Sim;
use serde_json::{Value, json};
use support::{Process, Spawn, eventually, free_port};

const NAMESPACE: &str = "shop";
/// More than half of the 4 MiB that gRPC libraries accept by default, less than the 1.5 MiB that etcd takes.
const LARGE: usize = 1_400_000;

/// Name to resourceVersion of the pods in [`NAMESPACE`].
type View = BTreeMap<String, String>;

#[derive(Clone, Copy, Debug)]
enum Language {
    Go,
    Python,
    Java,
}

#[derive(Clone, Copy, Debug)]
enum Transport {
    Socket,
    Tcp,
}

/// A cluster, the sidecar before it, and the example of one language.
struct Bench {
    sim: Sim,
    dir: tempfile::TempDir,
    language: Language,
    transport: Transport,
    port: u16,
    informerd: Option<Process>,
    started: u32,
}

/// A running `follow`.
struct Follower {
    process: Process,
}

// === impl Language ===

impl Language {
    /// The command line of the example.
    fn command(self) -> Vec<String> {
        match self {
            Self::Go => vec![prepared("INFORMERD_GO_EXAMPLE")],
            Self::Python => vec![prepared("INFORMERD_PYTHON"), prepared("INFORMERD_PYTHON_EXAMPLE")],
            Self::Java => prepared("INFORMERD_JAVA_CMD")
                .split_whitespace()
                .map(str::to_owned)
                .collect(),
        }
    }
}

/// What `clients/prepare` built. Without it the test fails: one that skips itself proves nothing.
fn prepared(variable: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| {
        panic!(
            "{variable} is not set: run the tests with `tests/run` (it takes the arguments of `cargo test`), or first \
             `eval \"$(clients/prepare)\"`"
        )
    })
}

// === impl Bench ===

impl Bench {
    async fn new(language: Language, transport: Transport) -> Self {
        let sim = Sim::builder().start().await.expect("a simulated cluster");
        let dir = tempfile::tempdir().expect("a directory");
        sim.write_kubeconfig(dir.path().join("kubeconfig"))
            .expect("write the kubeconfig");
        Self {
            sim,
            dir,
            language,
            transport,
            port: free_port(),
            informerd: None,
            started: 0,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn server(&self) -> String {
        match self.transport {
            Transport::Socket => format!("unix://{}", self.path("informerd.sock").display()),
            Transport::Tcp => format!("http://127.0.0.1:{}", self.port),
        }
    }

    /// A new process each time, always at the same address.
    fn start_informerd(&mut self) {
        self.started += 1;
        let spawn = Spawn::new(
            &format!("informerd-{}", self.started),
            env!("CARGO_BIN_EXE_informerd"),
            self.dir.path(),
        )
        .arg("serve")
        .args(["--kubeconfig".to_owned(), self.path("kubeconfig").display().to_string()]);
        let spawn = match self.transport {
            Transport::Socket => spawn.args(["--socket".to_owned(), self.path("informerd.sock").display().to_string()]),
            Transport::Tcp => spawn.args([
                "--no-socket".to_owned(),
                "--listen".to_owned(),
                format!("127.0.0.1:{}", self.port),
            ]),
        };
        self.informerd = Some(spawn.start());
    }

    /// As the kernel's out-of-memory killer would: no goodbye to the clients, the socket file stays.
    fn kill_informerd(&mut self) {
        self.informerd.take().expect("informerd runs").kill();
    }

    fn follow(&mut self, name: &str) -> Follower {
        let command = self.language.command();
        let token = self.path("token").display().to_string();
        let process = Spawn::new(name, &command[0], self.dir.path())
            .args(&command[1..])
            .args([
                "follow",
                "--server",
                &self.server(),
                "--namespace",
                NAMESPACE,
                "--token-file",
                &token,
            ])
            .stdout_apart()
            .start();
        Follower { process }
    }

    /// Runs the example to its end; its lines.
    fn example(&self, arguments: &[&str]) -> Vec<Value> {
        let command = self.language.command();
        let output = Command::new(&command[0])
            .args(&command[1..])
            .args(arguments)
            // The examples find the server by themselves.
            .env("INFORMERD_SERVER", self.server())
            .output()
            .expect("run the example");
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        assert!(output.status.success(), "{arguments:?}: {stderr}");
        stdout.lines().map(parse).collect()
    }

    fn create_pod(&self, namespace: &str, name: &str, app: &str) {
        let pod = json!({
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"namespace": namespace, "name": name, "labels": {"app": app}},
            "spec": {"containers": [{"name": "main", "image": "registry.example/main:1"}]},
        });
        self.sim.create(pod).expect("create a pod");
    }

    fn touch_pod(&self, name: &str) {
        let patch = json!({"metadata": {"annotations": {"touched-at": self.sim.resource_version().to_string()}}});
        self.sim
            .patch_merge("pods", Some(NAMESPACE), name, patch)
            .expect("patch a pod");
    }

    fn delete_pod(&self, name: &str) {
        self.sim.delete("pods", Some(NAMESPACE), name).expect("delete a pod");
    }

    /// What the cluster holds.
    fn truth(&self) -> View {
        let pods = self.sim.list("pods").expect("list pods");
        pods.iter()
            .map(|pod| &pod["metadata"])
            .filter(|metadata| metadata["namespace"] == NAMESPACE)
            .map(|metadata| (string(&metadata["name"]), string(&metadata["resourceVersion"])))
            .collect()
    }
}

// === impl Follower ===

impl Follower {
    /// Everything printed so far; a line that is still being written is left out.
    fn lines(&self) -> Vec<Value> {
        let stdout = self.process.stdout();
        let whole = stdout.rfind('\n').map_or("", |end| &stdout[..end]);
        whole.lines().map(parse).collect()
    }

    /// Waits until what was printed, applied to `before`, is what the cluster holds.
    async fn holds_the_truth(&self, bench: &Bench, before: &View) {
        let truth = bench.truth();
        let what = format!("{:?} over {:?} holds {truth:?}", bench.language, bench.transport);
        eventually(&what, || async {
            let lines = self.lines();
            (apply(before.clone(), &lines) == truth).then_some(())
        })
        .await;
    }

    async fn printed(&self, what: &str, matches: impl Fn(&Value) -> bool) -> Value {
        eventually(what, || async { self.lines().into_iter().find(&matches) }).await
    }

    /// As a kubelet ends a container; an example must then say that it ended well.
    fn stop(mut self) -> Vec<Value> {
        self.process.signal("TERM");
        let code = self.process.wait();
        assert_eq!(code, 0, "{}", self.process.log_tail());
        self.lines()
    }
}

/// What a client that applies these lines holds.
fn apply(mut view: View, lines: &[Value]) -> View {
    for line in lines.iter().filter(|line| line.get("type").is_some()) {
        assert_eq!(line["namespace"], NAMESPACE, "another namespace's object: {line}");
        let name = string(&line["name"]);
        match line["type"].as_str() {
            Some("ADDED" | "UPDATED") => view.insert(name, string(&line["resourceVersion"])),
            Some("DELETED" | "SWEPT") => view.remove(&name),
            _ => panic!("unexpected type: {line}"),
        };
    }
    view
}

fn events(lines: &[Value]) -> Vec<(String, String)> {
    lines
        .iter()
        .filter(|line| line.get("type").is_some())
        .map(|line| (string(&line["type"]), string(&line["name"])))
        .collect()
}

fn control<'a>(name: &'a str, key: &'a str, value: &'a str) -> impl Fn(&Value) -> bool + 'a {
    move |line| line["control"] == name && (key.is_empty() || line[key] == value)
}

fn parse(line: &str) -> Value {
    serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"))
}

fn string(value: &Value) -> String {
    value
        .as_str()
        .unwrap_or_else(|| panic!("not a string: {value}"))
        .to_owned()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// From an absent server through snapshot, live deltas, two kinds of restart, and back.
async fn follows_through_everything(language: Language, transport: Transport) {
    let mut bench = Bench::new(language, transport).await;
    for name in ["a", "b", "c", "d"] {
        bench.create_pod(NAMESPACE, name, "web");
    }
    bench.create_pod("other", "a", "web");
    let nothing = View::new();

    // The application may start before the sidecar (field case D).
    let follower = bench.follow("follow-1");
    bench.start_informerd();
    follower.holds_the_truth(&bench, &nothing).await;
    let synced = follower.printed("synced", control("synced", "", "")).await;
    assert_eq!(synced["objectCount"], 4, "{synced}");
    assert!(
        follower
            .lines()
            .iter()
            .all(|line| line.get("type").is_none() || line["cause"] == "INITIAL"),
        "a snapshot looks like one"
    );

    bench.create_pod(NAMESPACE, "e", "web");
    bench.create_pod("other", "b", "web");
    bench.touch_pod("a");
    bench.delete_pod("b");
    follower.holds_the_truth(&bench, &nothing).await;

    // The sidecar crashes and the cluster goes on: the next process has another epoch, so what vanished meanwhile shows
    // only by not coming again.
    bench.kill_informerd();
    bench.delete_pod("c");
    bench.delete_pod("d");
    bench.create_pod(NAMESPACE, "d", "recreated");
    bench.create_pod(NAMESPACE, "f", "web");
    bench.start_informerd();
    follower.holds_the_truth(&bench, &nothing).await;
    follower
        .printed("a reset", control("reset", "reason", "EPOCH_CHANGED"))
        .await;
    bench.touch_pod("f");
    follower.holds_the_truth(&bench, &nothing).await;
    let lines = follower.stop();
    let swept: Vec<_> = events(&lines).into_iter().filter(|(kind, _)| kind == "SWEPT").collect();
    assert_eq!(swept, [("SWEPT".to_owned(), "c".to_owned())]);
    let before = apply(View::new(), &lines);

    // The client restarts, the sidecar does not: exactly what was missed.
    bench.touch_pod("a");
    bench.delete_pod("e");
    let follower = bench.follow("follow-2");
    follower.holds_the_truth(&bench, &before).await;
    let synced = follower.printed("synced", control("synced", "", "")).await;
    assert_eq!(synced["objectCount"], 3, "{synced}");
    let lines = follower.stop();
    assert!(lines.iter().any(control("created", "mode", "REPLAY")), "{lines:?}");
    let missed = [("UPDATED", "a"), ("DELETED", "e")].map(|(kind, name)| (kind.to_owned(), name.to_owned()));
    assert_eq!(events(&lines), missed);
    let before = apply(before, &lines);

    // Both restart: the client knows from its file what it held.
    bench.kill_informerd();
    bench.delete_pod("f");
    bench.start_informerd();
    let follower = bench.follow("follow-3");
    follower.holds_the_truth(&bench, &before).await;
    let lines = follower.stop();
    assert!(
        events(&lines).contains(&("SWEPT".to_owned(), "f".to_owned())),
        "{lines:?}"
    );
}

/// An object of the size that exceeds careless limits, index lookups in pages, and a get.
async fn queries(language: Language, transport: Transport) {
    let mut bench = Bench::new(language, transport).await;
    for i in 0..7 {
        bench.create_pod(NAMESPACE, &format!("pod-{i}"), if i % 3 == 0 { "db" } else { "web" });
    }
    let large = json!({
        "apiVersion": "v1",
        "kind": "ConfigMap",
        "metadata": {"namespace": NAMESPACE, "name": "large"},
        "data": {"content": "x".repeat(LARGE)},
    });
    bench.sim.create(large).expect("create a ConfigMap");
    bench.start_informerd();
    // Unary calls do not wait for a server; this one does.
    let synced = bench.example(&["follow", "--until-synced"]);
    assert_eq!(apply(View::new(), &synced), bench.truth());

    let follow = [
        "follow",
        "--resource",
        "configmaps",
        "--namespace",
        NAMESPACE,
        "--view",
        "full",
        "--until-synced",
    ];
    let lines = bench.example(&follow);
    let bytes = lines
        .iter()
        .find(|line| line["name"] == "large")
        .map(|line| &line["bytes"]);
    assert!(bytes.and_then(Value::as_u64) > Some(LARGE as u64), "{lines:?}");

    let index = ["index", "--index", "label:app", "--value", "web", "--page-size", "2"];
    let names: Vec<String> = bench.example(&index).iter().map(|line| string(&line["name"])).collect();
    assert_eq!(names, ["pod-1", "pod-2", "pod-4", "pod-5"]);
    let none = bench.example(&["index", "--index", "label:app", "--value", "nothing"]);
    assert!(none.is_empty(), "{none:?}");

    let got = bench.example(&["get", "--namespace", NAMESPACE, "--name", "pod-3"]);
    let mut wanted = bench.sim.get("pods", Some(NAMESPACE), "pod-3").expect("the pod");
    if let Some(metadata) = wanted["metadata"].as_object_mut() {
        metadata.remove("managedFields"); // informerd cuts it
    }
    assert_eq!(got, [wanted]);
}

/// A misuse is said, with the exit code for it, and nothing on standard output.
fn misuse_fails(language: Language) {
    let command = language.command();
    let run = |arguments: &[&str]| {
        let output = Command::new(&command[0]).args(&command[1..]).args(arguments).output();
        let output = output.expect("run the example");
        assert_eq!(text(&output.stdout), "", "{arguments:?}");
        assert_ne!(text(&output.stderr), "", "{arguments:?}");
        output.status.code()
    };
    assert_eq!(run(&[]), Some(2));
    assert_eq!(run(&["follow", "--server", "ftp://127.0.0.1:1"]), Some(2));
    assert_eq!(
        run(&["get", "--server", "unix:///nonexistent/informerd.sock", "--name", "a"]),
        Some(1)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn go_follows_through_restarts_over_the_socket() {
    follows_through_everything(Language::Go, Transport::Socket).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn go_follows_through_restarts_over_tcp() {
    follows_through_everything(Language::Go, Transport::Tcp).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn python_follows_through_restarts_over_the_socket() {
    follows_through_everything(Language::Python, Transport::Socket).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn python_follows_through_restarts_over_tcp() {
    follows_through_everything(Language::Python, Transport::Tcp).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn java_follows_through_restarts_over_the_socket() {
    follows_through_everything(Language::Java, Transport::Socket).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn java_follows_through_restarts_over_tcp() {
    follows_through_everything(Language::Java, Transport::Tcp).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn go_looks_up_and_gets_over_both_transports() {
    queries(Language::Go, Transport::Socket).await;
    queries(Language::Go, Transport::Tcp).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn python_looks_up_and_gets_over_both_transports() {
    queries(Language::Python, Transport::Socket).await;
    queries(Language::Python, Transport::Tcp).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn java_looks_up_and_gets_over_both_transports() {
    queries(Language::Java, Transport::Socket).await;
    queries(Language::Java, Transport::Tcp).await;
}

#[test]
fn every_example_refuses_misuse() {
    for language in [Language::Go, Language::Python, Language::Java] {
        misuse_fails(language);
    }
}
