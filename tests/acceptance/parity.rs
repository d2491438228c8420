//! `informerd get` and `informerd watch` beside kubectl, at a size that `INFORMERD_TEST_PODS` and `INFORMERD_TEST_CHURN` set.

use std::time::Instant;

use serde::Deserialize;
use serde_json::Value;
use support::{ControlPlane, Kubectl, Options, Process, Sidecar, Tail, Workload, eventually};

use crate::INFORMERD;
use crate::replay::{Delta, Item, Kind, Replay, State};
use crate::truth::{list, touch};

const NAMESPACES: usize = 50;
const LAST_APPLIED: &str = "kubectl.kubernetes.io/last-applied-configuration";

/// Label selectors, each for some of the pods.
const LABELS: &[&str] = &[
    "app=app-3",
    "!tier",
    "shard notin (1, 2,3)",
    "app=app-3,shard in (3,4,5,6,7,8,9,10),!legacy",
    "app==app-3",
    "app!=app-3",
    "app.kubernetes.io/component in (api,web)",
    "tier",
    "shard=1,app.kubernetes.io/managed-by!=Tiller",
];

/// Field selectors, each for at least one pod.
const FIELDS: &[&str] = &[
    "spec.nodeName=node-3",
    "status.phase=Pending",
    "spec.nodeName=",
    "spec.nodeName!=node-3",
    "metadata.namespace=edge-0,spec.nodeName!=node-5",
    "metadata.name=applied",
];

/// Objects that kubectl has applied, without labels, and with numbers and strings that are easily spelt in another way.
const APPLIED: &str = r#"
apiVersion: v1
kind: Pod
metadata:
  name: applied
  namespace: edge-0
  annotations: {other: "a <b> & \"c\" \\ é \u2028 \t 😀"}
spec: {containers: [{name: main, image: "registry.example/main:1", args: ["--last-applied", "\"managedFields\""]}]}
---
apiVersion: v1
kind: Pod
metadata: {name: bare, namespace: edge-0}
spec: {containers: [{name: main, image: "registry.example/main:1"}]}
---
apiVersion: informerd.test/v1
kind: Widget
metadata: {name: applied, namespace: edge-0}
spec: {big: 9007199254740993, float: 1.50, small: 1.0e-7, no: null, yes: "yes", empty: {}, none: [], text: "a\nb\n"}
"#;

/// The cluster, kubectl and informerd.
struct Pair {
    kubectl: Kubectl,
    sidecar: Sidecar,
}

fn size(variable: &str, default: usize) -> usize {
    match std::env::var(variable) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{variable} is no number: {text}")),
        Err(_) => default,
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn get_and_watch_are_what_kubectl_says_before_and_after_random_changes() {
    let plane = ControlPlane::start(Options::new());
    let client = plane.client().await;
    let mut workload = Workload::new(client.clone(), 11);
    // `edge-0-0/x` stands before `edge-0/x` in the API server's order, although `edge-0` stands before `edge-0-0`.
    let mut namespaces = workload.create_namespaces("parity", NAMESPACES - 2).await;
    namespaces.extend(workload.create_namespaces("edge", 1).await);
    namespaces.extend(workload.create_namespaces("edge-0", 1).await);
    workload.create_nodes().await;
    workload.create_crd().await;
    for namespace in namespaces.iter().rev().take(4) {
        workload.create_deployments(namespace, 6, 3).await;
        workload.create_widgets(namespace, 9).await;
    }
    plane.kubectl().apply(APPLIED);
    let pods = size("INFORMERD_TEST_PODS", 1000);
    let started = Instant::now();
    workload.create_pods(pods, &namespaces).await;
    eprintln!("{pods} pods created in {:?}", started.elapsed());

    let started = Instant::now();
    let pair = Pair {
        kubectl: plane.kubectl(),
        sidecar: Sidecar::start(INFORMERD, &plane.kubeconfig(), &["--resource=pods"]),
    };
    pair.sidecar.run(&["status", "--wait-synced", "60s"]);
    eprintln!("synced in {:?}", started.elapsed());
    let started = Instant::now();
    pair.pods_agree(LABELS, FIELDS);
    pair.others_agree();
    pair.documents_agree(&workload);
    pair.misses_agree();
    eprintln!("compared in {:?}", started.elapsed());

    let watch = pair
        .sidecar
        .follow("watch", &["watch", "pods", "-A", "-o", "json", "--old", "reference"]);
    let mut follower = Follower::new(&watch);
    follower.until("the snapshot", |replay| replay.synced()).await;
    assert_eq!(
        follower.replay.deltas,
        pods + 2,
        "one ADDED for each object of the snapshot"
    );

    let steps = size("INFORMERD_TEST_CHURN", 300);
    let started = Instant::now();
    let churn = workload.churn(steps, &namespaces).await;
    let newest = touch(&workload, "after the churn").await;
    eprintln!("{churn:?} in {:?}", started.elapsed());

    // The output proves itself fresh: it comes from a cache that has seen the newest write.
    let newest_text = newest.to_string();
    let fresh = [
        "get",
        "pods",
        "-A",
        "-o",
        "name",
        "--min-resource-version",
        &newest_text,
    ];
    let names = pair.sidecar.run(&fresh);
    assert_eq!(names, pair.kubectl.run(&["get", "pods", "-A", "-o", "name"]));
    pair.pods_agree(&LABELS[..4], &FIELDS[..3]);
    pair.documents_agree(&workload);

    let position = |replay: &Replay| replay.newest() >= newest;
    follower.until("the newest write", position).await;
    let (truth, _) = list(&client, "/api/v1/pods").await;
    assert_eq!(follower.replay.view().len(), truth.len());
    assert_eq!(*follower.replay.view(), truth);
    let live = follower.replay.deltas - pods - 2;
    eprintln!("{live} deltas replayed over {} objects", truth.len());
    // The API server deletes a pod on a node by two writes, and a patch that changes nothing is none.
    let most = churn.created + churn.patched + 2 * churn.deleted + 1;
    assert!(live > steps / 2 && live <= most, "{live} deltas for {churn:?}");
    let status: Value = serde_json::from_str(&pair.sidecar.run(&["status", "-o", "json"])).expect("JSON");
    for informer in status["informers"].as_array().expect("informers") {
        assert_eq!(informer["listCount"], 1, "{informer}");
    }
}

// === impl Pair ===

impl Pair {
    /// What both print, run at the same time.
    fn both(&self, args: &[&str]) -> (String, String) {
        std::thread::scope(|scope| {
            let theirs = scope.spawn(|| self.kubectl.run(args));
            let ours = self.sidecar.run(args);
            (ours, theirs.join().expect("kubectl"))
        })
    }

    /// Compares what both print for the same arguments, byte for byte, and returns how many lines that is.
    fn same(&self, args: &[&str]) -> usize {
        let (ours, theirs) = self.both(args);
        assert_eq_text(&ours, &theirs, args);
        ours.lines().count()
    }

    fn names(&self, args: &[&str]) -> usize {
        self.same(&[&["get"], args, &["-o", "name"]].concat())
    }

    /// Tables, but for the ages.
    fn tables(&self, tables: &[&[&str]]) {
        for args in tables {
            let args = [&["get"], *args].concat();
            let (ours, theirs) = self.both(&args);
            assert_eq_text(&ageless(&ours), &ageless(&theirs), &args);
        }
    }

    fn pods_agree(&self, labels: &[&str], fields: &[&str]) {
        let all = self.names(&["pods", "-A"]);
        assert!(self.names(&["po", "-n", "parity-7"]) > 0);
        assert!(self.names(&["pod", "-n", "edge-0"]) > 2);
        assert_eq!(self.names(&["pods"]), 0, "in the namespace default");
        for selector in labels {
            let some = self.names(&["pods", "-A", "-l", selector]);
            assert!(some > 0 && some < all, "{selector}: {some} of {all}");
        }
        self.names(&["pods", "-n", "parity-3", "-l", "tier=front"]);
        for selector in fields {
            let some = self.names(&["pods", "-A", "--field-selector", selector]);
            assert!(some > 0, "{selector}");
        }
        self.names(&["pods", "-A", "--field-selector", "status.phase!=Pending"]);
        self.names(&["pods", "-A", "--field-selector", "status.phase=Running", "-l", "tier"]);
        self.tables(&[
            &["pods", "-A"],
            &["pods", "-A", "-o", "wide"],
            &["pods", "-n", "edge-0"],
            &["pods", "-A", "--no-headers", "-l", "app=app-1"],
        ]);
    }

    fn others_agree(&self) {
        for deployments in [
            "deployments",
            "deploy",
            "deployment",
            "deployments.apps",
            "Deployment.v1.apps",
        ] {
            assert_eq!(self.names(&[deployments, "-A"]), 24);
        }
        assert_eq!(self.names(&["deployments", "-n", "edge-0", "-l", "tier=back"]), 3);
        for widgets in [
            "widgets.informerd.test",
            "wd",
            "widget",
            "Widget",
            "widgets.v1.informerd.test",
            "widgets.v1alpha1.informerd.test",
        ] {
            assert_eq!(self.names(&[widgets, "-A"]), 37);
        }
        assert_eq!(self.names(&["wd", "-n", "edge-0-0", "-l", "color in (red,blue)"]), 6);
        for nodes in ["nodes", "no", "node"] {
            assert_eq!(self.names(&[nodes]), 20);
        }
        assert!(self.names(&["nodes", "-l", "topology.kubernetes.io/zone=zone-1"]) < 20);
        assert!(self.names(&["namespaces"]) > NAMESPACES);
        self.tables(&[
            &["deployments", "-A"],
            &["deployments", "-n", "edge-0-0", "-o", "wide"],
            &["widgets", "-A"],
            &["wd", "-n", "edge-0"],
            &["nodes"],
            &["nodes", "-o", "wide"],
        ]);
    }

    /// Whole objects: the same bytes, except for what the transform cuts.
    fn documents_agree(&self, workload: &Workload) {
        let (namespace, name) = workload.pods().pop().expect("a pod");
        for output in ["json", "yaml"] {
            self.same(&["get", "pod", &name, "-n", &namespace, "-o", output]);
            self.same(&["get", "pods", "-n", "parity-0", "-o", output]);
            self.same(&["get", "wd", "widget-0003", "-n", "edge-0", "-o", output]);
            self.same(&[
                "get",
                "widgets.v1alpha1.informerd.test/widget-0001",
                "-n",
                "edge-0",
                "-o",
                output,
            ]);
            self.same(&["get", "node/node-1", "-o", output]);
            self.same(&["get", "deployments", "-n", "edge-0", "-o", output]);
        }
        for object in ["pod/applied", "pod/bare", "widgets.informerd.test/applied"] {
            let args = ["get", object, "-n", "edge-0", "-o", "json"];
            let read = |text: String| serde_json::from_str::<Value>(&text).expect("JSON");
            let (ours, mut theirs) = (read(self.sidecar.run(&args)), read(self.kubectl.run(&args)));
            let annotations = theirs["metadata"]["annotations"].as_object_mut().expect("annotations");
            assert!(annotations.remove(LAST_APPLIED).is_some(), "{object} was applied");
            assert_eq!(ours, theirs, "{object}");
        }
    }

    /// What is not there: the same words and the same exit code.
    fn misses_agree(&self) {
        for (args, code) in [
            (&["get", "pods", "-n", "default"][..], 0),
            (&["get", "pods", "-A", "-l", "app=none"], 0),
            (&["get", "pod", "none", "-n", "edge-0"], 1),
            (&["get", "deployments.apps/none", "-n", "edge-0"], 1),
            (&["get", "nodes", "node-1", "none", "-o", "name"], 1),
        ] {
            let (ours, theirs) = (self.sidecar.try_run(args), self.kubectl.try_run(args));
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            assert_eq!(ours.status.code(), Some(code), "{args:?}");
            assert_eq!(theirs.status.code(), Some(code), "{args:?}");
            assert_eq!(text(&ours.stdout), text(&theirs.stdout), "{args:?}");
            assert_eq!(text(&ours.stderr), text(&theirs.stderr), "{args:?}");
        }
    }
}

/// Says where two long texts differ, not all of both.
fn assert_eq_text(ours: &str, theirs: &str, args: &[&str]) {
    let difference = ours.lines().zip(theirs.lines()).enumerate().find(|(_, (a, b))| a != b);
    if let Some((line, (ours, theirs))) = difference {
        panic!(
            "{args:?}, line {}:\ninformerd: {ours:?}\nkubectl:   {theirs:?}",
            line + 1
        );
    }
    let lines = |text: &str| text.lines().count();
    assert_eq!((lines(ours), ours.len()), (lines(theirs), theirs.len()), "{args:?}");
}

/// A table without what depends on the second in which it was printed: the age. Where that is the last column, the layout
/// of the others is kept; elsewhere it is a word of the line.
fn ageless(table: &str) -> String {
    let header: Vec<&str> = table.lines().next().unwrap_or_default().split_whitespace().collect();
    let age = header.iter().position(|column| *column == "AGE");
    let line = |line: &str| match age {
        Some(age) if age + 1 < header.len() => {
            let mut words: Vec<&str> = line.split_whitespace().collect();
            words.remove(age);
            words.join(" ")
        }
        _ => line.rsplit_once(' ').map_or("", |(others, _)| others).to_owned(),
    };
    table.lines().map(|text| line(text) + "\n").collect()
}

// === the watch ===

/// Reads the lines of `informerd watch -o json` into a view.
struct Follower {
    tail: Tail,
    replay: Replay,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    #[serde(rename = "type")]
    kind: Option<String>,
    control: Option<String>,
    #[serde(default)]
    cause: String,
    #[serde(default)]
    namespace: String,
    #[serde(default)]
    name: String,
    #[serde(default)]
    uid: String,
    #[serde(default)]
    resource_version: String,
    #[serde(default)]
    revision: u64,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    mode: String,
    #[serde(default)]
    object_count: u64,
    #[serde(default)]
    digest: String,
    object: Option<Body>,
    old: Option<Metadata>,
}

#[derive(Deserialize)]
struct Body {
    kind: String,
    metadata: Metadata,
    spec: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    #[serde(default)]
    namespace: String,
    #[serde(default)]
    name: String,
    uid: String,
    resource_version: String,
}

impl Follower {
    fn new(watch: &Process) -> Self {
        Self {
            tail: Tail::of(watch),
            replay: Replay::default(),
        }
    }

    async fn until(&mut self, what: &str, enough: impl Fn(&Replay) -> bool) {
        let mut probe = || {
            for line in self.tail.lines() {
                let item = item_of(&line).unwrap_or_else(|why| panic!("{why}: {line}"));
                self.replay.apply(&item).unwrap_or_else(|why| panic!("{why}: {line}"));
            }
            enough(&self.replay).then_some(())
        };
        eventually(what, || std::future::ready(probe())).await;
    }
}

fn item_of(line: &str) -> Result<Item, String> {
    let line: Line = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("{text:?} is no version"));
    let digest = || u64::from_str_radix(&line.digest, 16).map_err(|error| error.to_string());
    let (count, revision) = (line.object_count, line.revision);
    let kind = match line.kind.as_deref() {
        Some("ADDED") => Kind::Added,
        Some("UPDATED") => Kind::Updated,
        Some("DELETED") => Kind::Deleted,
        Some(other) => return Err(format!("the type {other}")),
        None => {
            return Ok(match line.control.as_deref() {
                Some("created") => Item::Created { mode: line.mode },
                Some("reset") => Item::Reset { reason: line.reason },
                Some("synced") => {
                    let digest = digest()?;
                    Item::Synced {
                        count,
                        digest,
                        revision,
                    }
                }
                Some("bookmark") => {
                    let digest = digest()?;
                    Item::Bookmark {
                        count,
                        digest,
                        revision,
                    }
                }
                other => return Err(format!("the control {other:?}")),
            });
        }
    };
    let body = line.object.ok_or("an event without its object")?;
    let metadata = body.metadata;
    if (&metadata.namespace, &metadata.name, &metadata.uid) != (&line.namespace, &line.name, &line.uid) {
        return Err("a body of another object".into());
    }
    if body.kind != "Pod" || !body.spec["containers"].is_array() {
        return Err("a body that is no pod".into());
    }
    Ok(Item::Delta(Delta {
        kind,
        cause: line.cause,
        key: format!("{}/{}", line.namespace, line.name),
        state: State {
            uid: line.uid,
            version: number(&metadata.resource_version)?,
        },
        position: number(&line.resource_version)?,
        revision,
        old_version: line.old.map(|old| number(&old.resource_version)).transpose()?,
        final_state_unknown: false,
        recreated: false,
    }))
}
