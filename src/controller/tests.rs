use super::*;
use crate::{
    delta::DeltaFifo,
    object::{Compression, PointerSet, Transform, TypeMeta},
    processor::{Budget, Closed, Delivery, EventKind, Listener, Overflow, Start, Step, Subject},
    store::{Query, QuerySpec, Snapshot},
};

mod deltas;
mod model;
mod scopes;

struct Rig {
    controller: Controller,
    scanner: Arc<Scanner>,
    processor: Arc<Processor>,
    overflow: Overflow,
}

fn rig_of(namespaces: Vec<Option<Arc<str>>>) -> Rig {
    let scanner = Arc::new(Scanner::packing(
        // What is settled is packed however small it is: nothing may depend on it.
        Compression::Always,
        TypeMeta::new("v1", "Pod"),
        Transform::default(),
        PointerSet::default(),
    ));
    let processor = Processor::new(Snapshot::default());
    let controller = Controller::new(
        namespaces,
        Indexer::default(),
        HistoryLimits::default(),
        scanner.clone(),
        processor.clone(),
    );
    Rig {
        controller,
        scanner,
        processor,
        overflow: Overflow::Reset,
    }
}

fn rig() -> Rig {
    rig_of(vec![None])
}

impl Rig {
    fn object(&self, key: &str, uid: &str, rv: u64, app: &str) -> Object {
        let (namespace, name) = key.split_once('/').unwrap();
        let raw = format!(
            r#"{{"metadata":{{"namespace":"{namespace}","name":"{name}","uid":"{uid}","resourceVersion":"{rv}","labels":{{"app":"{app}"}}}}}}"#
        );
        self.scanner.scan(raw.as_bytes()).unwrap()
    }

    fn shared(&self, key: &str, uid: &str, rv: u64, app: &str) -> Arc<Object> {
        Arc::new(self.object(key, uid, rv, app))
    }

    fn apply(&mut self, delta: Delta) {
        self.controller.apply(0, Instant::now(), &delta);
        self.controller.publish();
    }

    /// A relist as the reflector makes it.
    async fn relist(&mut self, scope: usize, objects: Vec<Object>, rv: u64) {
        let (mut fifo, sender) = DeltaFifo::new(1 << 20, self.processor.clone());
        let mut replacing = sender.begin_replace().await.unwrap();
        for object in objects {
            replacing.observe(object);
        }
        replacing
            .commit(&sender, ResourceVersion::parse(&rv.to_string()))
            .await
            .unwrap();
        let batch = fifo.pop_batch(1).await.unwrap();
        self.controller.apply(scope, Instant::now(), &batch[0].delta);
        self.controller.publish();
    }

    fn listen(&self, labels: &str, start: Start) -> Listener {
        let spec = QuerySpec {
            label_selector: labels.into(),
            ..QuerySpec::default()
        };
        let query = Query::compile(&spec, self.processor.load().snapshot.indexes()).unwrap();
        Listener::new(self.processor.clone(), query, start, self.overflow, None)
    }

    fn revision(&self) -> u64 {
        self.processor.load().snapshot.position().revision
    }
}

fn line(d: &Delivery) -> String {
    let mut line = format!(
        "{:?}/{:?} {} rv={}",
        d.kind,
        d.cause,
        d.object.key(),
        d.object.resource_version()
    );
    if let Subject::Gone(_) = &d.object {
        line += " gone";
    }
    if let Some(old) = &d.old {
        line += &format!(" old={}", old.resource_version());
    }
    if d.final_state_unknown {
        line += " unknown";
    }
    if d.recreated {
        line += " recreated";
    }
    line
}

/// Everything a listener has to tell now.
async fn drain(listener: &mut Listener, events: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let budget = Budget {
        events,
        bytes: usize::MAX,
        size_of: &|_| 1,
    };
    loop {
        let step = tokio::select! {
            biased;
            step = listener.next(&budget) => step,
            () = std::future::ready(()) => break,
        };
        match step {
            Ok(Step::Events { events, continued, .. }) => {
                lines.extend(events.iter().map(line));
                if continued {
                    lines.push("…".into());
                }
            }
            Ok(Step::Synced) => lines.push(format!("synced {}", listener.digest().count)),
            Ok(Step::Reset) => lines.push("reset".into()),
            Ok(Step::Replaced) => lines.push("replaced".into()),
            Err(Closed) => {
                lines.push("closed".into());
                break;
            }
        }
    }
    lines
}

#[tokio::test]
async fn c1_c2_live_deltas_are_exact() {
    let mut rig = rig();
    rig.relist(0, vec![rig.object("a/x", "1", 5, "web")], 9).await;
    let mut all = rig.listen("", Start::Snapshot);
    assert_eq!(drain(&mut all, 100).await, ["Added/Initial a/x rv=5", "synced 1"]);
    rig.apply(Delta::Added(rig.shared("a/y", "2", 10, "web")));
    rig.apply(Delta::Updated(rig.shared("a/x", "1", 11, "db")));
    rig.apply(Delta::Deleted(rig.shared("a/y", "2", 12, "web")));
    assert_eq!(
        drain(&mut all, 100).await,
        [
            "Added/Live a/y rv=10",
            "Updated/Live a/x rv=11 old=5",
            "Deleted/Live a/y rv=12"
        ]
    );
    let published = rig.processor.load();
    assert_eq!(published.snapshot.position().resource_version.to_string(), "12");
    assert_eq!(published.snapshot.position().revision, 4);
}

#[tokio::test]
async fn f6_unknown_deletions_and_overtaken_states_are_dropped() {
    let mut rig = rig();
    rig.relist(0, vec![rig.object("a/x", "1", 5, "web")], 9).await;
    let before = rig.revision();
    rig.apply(Delta::Deleted(rig.shared("a/none", "7", 10, "web")));
    rig.apply(Delta::Deleted(rig.shared("a/x", "other uid", 11, "web")));
    rig.apply(Delta::Updated(rig.shared("a/x", "1", 5, "web")));
    rig.apply(Delta::Updated(rig.shared("a/x", "1", 4, "web")));
    assert_eq!(rig.revision(), before);
}

#[tokio::test]
async fn h11_case_19_a_relist_of_unchanged_objects_changes_nothing() {
    let mut rig = rig();
    let objects = |rig: &Rig| {
        (0..50)
            .map(|i| rig.object(&format!("a/p{i}"), "1", 5, "web"))
            .collect::<Vec<_>>()
    };
    rig.relist(0, objects(&rig), 9).await;
    let mut all = rig.listen("", Start::Now);
    let before = rig.revision();
    rig.relist(0, objects(&rig), 20).await;
    assert_eq!(drain(&mut all, 100).await, ["synced 50"]);
    assert_eq!(rig.revision(), before);
    assert_eq!(
        rig.processor.load().snapshot.position().resource_version.to_string(),
        "20"
    );
}

#[tokio::test]
async fn c3_case_21_22_a_relist_is_one_revision_deletions_first() {
    let mut rig = rig();
    rig.relist(
        0,
        vec![
            rig.object("a/gone", "1", 5, "web"),
            rig.object("a/new-uid", "2", 5, "web"),
            rig.object("a/same", "3", 5, "web"),
            rig.object("a/upd", "4", 5, "web"),
        ],
        9,
    )
    .await;
    let mut all = rig.listen("", Start::Now);
    let before = rig.revision();
    rig.relist(
        0,
        vec![
            rig.object("a/added", "9", 18, "web"),
            rig.object("a/new-uid", "22", 17, "web"),
            rig.object("a/same", "3", 5, "web"),
            rig.object("a/upd", "4", 16, "web"),
        ],
        20,
    )
    .await;
    assert_eq!(rig.revision(), before + 1);
    let want = [
        "Deleted/Replaced a/gone rv=5 unknown",
        "Deleted/Replaced a/new-uid rv=5 unknown recreated",
        "Added/Replaced a/added rv=18",
        "Added/Replaced a/new-uid rv=17 recreated",
        "Updated/Replaced a/upd rv=16 old=5",
    ];
    let mut lines = vec!["synced 4".to_owned()];
    lines.extend(want.map(String::from));
    assert_eq!(drain(&mut all, 100).await, lines);
    // The group is marked when it does not fit into one step.
    let mut small = rig.listen("", Start::After(before));
    let mut lines: Vec<_> = want.iter().flat_map(|l| [l.to_string(), "…".into()]).collect();
    lines.pop();
    lines.push("synced 4".into());
    assert_eq!(drain(&mut small, 1).await, lines);
}

#[tokio::test]
async fn leaving_and_entering_the_filter_is_deleted_and_added_with_cause_selector() {
    let mut rig = rig();
    rig.relist(0, vec![rig.object("a/x", "1", 5, "web")], 9).await;
    let mut web = rig.listen("app=web", Start::Snapshot);
    assert_eq!(drain(&mut web, 9).await, ["Added/Initial a/x rv=5", "synced 1"]);
    rig.apply(Delta::Updated(rig.shared("a/x", "1", 10, "db")));
    rig.apply(Delta::Updated(rig.shared("a/x", "1", 11, "db")));
    rig.apply(Delta::Updated(rig.shared("a/x", "1", 12, "web")));
    rig.apply(Delta::Updated(rig.shared("a/x", "1", 13, "web")));
    assert_eq!(
        drain(&mut web, 9).await,
        [
            "Deleted/Selector a/x rv=5",
            "Added/Selector a/x rv=12",
            "Updated/Live a/x rv=13 old=12"
        ]
    );
    assert_eq!(web.digest().count, 1);
}

#[tokio::test]
async fn case_20_a_resumed_listener_gets_exactly_what_it_missed_or_a_reset() {
    let mut rig = rig();
    rig.controller.limits.max_revisions = 3;
    rig.relist(0, vec![rig.object("a/x", "1", 5, "web")], 9).await;
    let from = rig.revision();
    for rv in 10..13 {
        rig.apply(Delta::Updated(rig.shared("a/x", "1", rv, "web")));
    }
    let mut resumed = rig.listen("app=web", Start::After(from));
    assert_eq!(
        drain(&mut resumed, 2).await,
        [
            "Updated/Live a/x rv=10 old=5",
            "Updated/Live a/x rv=11 old=10",
            "Updated/Live a/x rv=12 old=11",
            "synced 1"
        ]
    );
    let mut fresh = rig.listen("app=web", Start::Snapshot);
    drain(&mut fresh, 9).await;
    assert_eq!(fresh.digest(), resumed.digest());
    rig.apply(Delta::Updated(rig.shared("a/x", "1", 13, "web")));
    for start in [Start::After(from), Start::After(99)] {
        let mut late = rig.listen("", start);
        assert_eq!(
            drain(&mut late, 9).await,
            ["reset", "Added/Initial a/x rv=13", "synced 1"]
        );
    }
}

#[tokio::test]
async fn a_listener_that_falls_out_of_the_ring_is_reset_and_converges() {
    let mut rig = rig();
    rig.controller.limits.max_revisions = 3;
    rig.relist(
        0,
        vec![rig.object("a/x", "1", 5, "web"), rig.object("a/y", "2", 6, "web")],
        9,
    )
    .await;
    let mut slow = rig.listen("", Start::Snapshot);
    drain(&mut slow, 9).await;
    rig.apply(Delta::Deleted(rig.shared("a/y", "2", 10, "web")));
    for rv in 11..20 {
        rig.apply(Delta::Updated(rig.shared("a/x", "1", rv, "web")));
    }
    assert_eq!(
        drain(&mut slow, 9).await,
        ["reset", "Added/Initial a/x rv=19", "synced 1"]
    );
    rig.processor.close();
    assert_eq!(drain(&mut slow, 9).await, ["closed"]);
}

#[tokio::test]
async fn namespaces_sync_and_relist_each_by_itself() {
    let mut rig = rig_of(vec![Some("a".into()), Some("b".into())]);
    rig.relist(0, vec![rig.object("a/x", "1", 5, "web")], 9).await;
    assert!(!rig.processor.load().snapshot.position().synced);
    rig.relist(1, vec![rig.object("b/y", "2", 6, "web")], 7).await;
    let position = rig.processor.load().snapshot.position().clone();
    assert!(position.synced);
    // Everything is seen only up to the slower of the two.
    assert_eq!(position.resource_version.to_string(), "7");
    let mut all = rig.listen("", Start::Now);
    rig.relist(0, vec![], 20).await;
    assert_eq!(
        drain(&mut all, 9).await,
        ["synced 2", "Deleted/Replaced a/x rv=5 unknown"]
    );
}

#[tokio::test]
async fn an_overtaken_listener_gets_one_event_for_each_key_that_changed() {
    let mut rig = rig();
    rig.overflow = Overflow::Coalesce;
    rig.controller.limits.max_revisions = 2;
    let objects = ["a/gone", "a/kept", "a/new-uid", "a/upd"];
    let objects = objects.map(|key| rig.object(key, "1", 5, "web"));
    rig.relist(0, objects.into(), 9).await;
    let mut slow = rig.listen("", Start::Snapshot);
    drain(&mut slow, 9).await;
    let at = slow.revision();
    rig.apply(Delta::Updated(rig.shared("a/gone", "1", 10, "web")));
    rig.apply(Delta::Deleted(rig.shared("a/gone", "1", 11, "web")));
    rig.apply(Delta::Added(rig.shared("a/came-and-went", "2", 12, "web")));
    rig.apply(Delta::Deleted(rig.shared("a/came-and-went", "2", 13, "web")));
    rig.apply(Delta::Updated(rig.shared("a/new-uid", "22", 14, "web")));
    rig.apply(Delta::Added(rig.shared("a/added", "3", 15, "web")));
    for rv in 16..30 {
        rig.apply(Delta::Updated(rig.shared("a/upd", "1", rv, "web")));
    }
    let want = [
        "Deleted/CatchUp a/gone rv=11 gone",
        "Deleted/CatchUp a/new-uid rv=5 gone recreated",
        "Added/CatchUp a/new-uid rv=14 recreated",
        "Added/CatchUp a/added rv=15",
        "Updated/CatchUp a/upd rv=29",
    ];
    assert_eq!(drain(&mut slow, 2).await, want);
    // Exact again from here on, and the digest proves the view.
    rig.apply(Delta::Updated(rig.shared("a/upd", "1", 30, "web")));
    assert_eq!(drain(&mut slow, 9).await, ["Updated/Live a/upd rv=30 old=29"]);
    let mut fresh = rig.listen("", Start::Snapshot);
    drain(&mut fresh, 9).await;
    assert_eq!(slow.digest(), fresh.digest());
    // A client that comes back with an old token is served the same way, and told when it is complete.
    let mut back = rig.listen("", Start::After(at));
    let lines = drain(&mut back, 9).await;
    assert_eq!(lines.last().unwrap(), "synced 4");
    assert_eq!(lines.len(), want.len() + 1);
    assert_eq!(back.digest(), fresh.digest());
}

#[tokio::test]
async fn an_overtaken_listener_with_a_filter_learns_who_has_left_it() {
    let mut rig = rig();
    rig.overflow = Overflow::Coalesce;
    rig.controller.limits.max_revisions = 1;
    let objects = ["a/leaves", "a/stays", "a/dies"].map(|key| rig.object(key, "1", 5, "web"));
    rig.relist(0, objects.into(), 9).await;
    let mut web = rig.listen("app=web", Start::Snapshot);
    drain(&mut web, 9).await;
    let at = web.revision();
    rig.apply(Delta::Updated(rig.shared("a/leaves", "1", 10, "db")));
    rig.apply(Delta::Added(rig.shared("a/never-in", "2", 11, "db")));
    rig.apply(Delta::Deleted(rig.shared("a/dies", "1", 12, "web")));
    rig.apply(Delta::Deleted(rig.shared("a/never-in", "2", 13, "db")));
    rig.apply(Delta::Added(rig.shared("a/enters", "3", 14, "web")));
    assert_eq!(
        drain(&mut web, 9).await,
        [
            "Deleted/CatchUp a/leaves rv=10 gone",
            "Deleted/CatchUp a/dies rv=12 gone",
            "Added/CatchUp a/enters rv=14"
        ]
    );
    let mut fresh = rig.listen("app=web", Start::Snapshot);
    drain(&mut fresh, 9).await;
    assert_eq!(web.digest(), fresh.digest());
    // Only a token: who was in the view then is not known any more.
    let mut back = rig.listen("app=web", Start::After(at));
    assert_eq!(drain(&mut back, 9).await[0], "reset");
}
