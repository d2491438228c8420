//! Scopes that come and go (field case 31).

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;

use super::{model::Client, *};

fn spec(id: usize, namespace: &str) -> ScopeSpec {
    ScopeSpec {
        id,
        namespace: (!namespace.is_empty()).then(|| namespace.into()),
        progress: Arc::default(),
    }
}

impl Rig {
    /// Scopes by number and namespace ("" for all).
    fn rescope(&mut self, scopes: &[(usize, &str)]) -> Vec<Arc<Progress>> {
        let specs: Vec<_> = scopes.iter().map(|(id, namespace)| spec(*id, namespace)).collect();
        let progress = specs.iter().map(|s| s.progress.clone()).collect();
        let (done, mut answer) = oneshot::channel();
        self.controller.execute(Command::Rescope(specs, done));
        answer.try_recv().expect("carried out");
        progress
    }

    fn live(&mut self, scope: usize, delta: Delta) {
        self.controller.apply(scope, Instant::now(), &delta);
        self.controller.publish();
    }

    fn position(&self) -> crate::store::Position {
        self.processor.load().snapshot.position().clone()
    }
}

#[tokio::test]
async fn case_31_a_namespace_that_enters_is_added_and_one_that_leaves_deleted_with_its_last_state() {
    let mut rig = rig_of(vec![]);
    let progress = rig.rescope(&[(0, "a"), (1, "b")]);
    rig.relist(0, vec![rig.object("a/x", "1", 5, "web")], 9).await;
    rig.relist(1, vec![rig.object("b/y", "2", 6, "web")], 7).await;
    assert_eq!(progress[0].resource_version().to_string(), "9");
    let mut all = rig.listen("", Start::Now);
    assert_eq!(drain(&mut all, 9).await, ["synced 2"]);

    rig.rescope(&[(0, "a"), (1, "b"), (2, "c")]);
    assert!(drain(&mut all, 9).await.is_empty());
    assert!(rig.position().synced, "always synced");
    assert_eq!(
        rig.position().resource_version.to_string(),
        "7",
        "it does not count yet"
    );
    rig.relist(2, vec![rig.object("c/z", "3", 4, "web")], 8).await;
    assert_eq!(drain(&mut all, 9).await, ["Added/Selector c/z rv=4"]);

    rig.rescope(&[(0, "a"), (2, "c")]);
    assert_eq!(drain(&mut all, 9).await, ["Deleted/Selector b/y rv=6"]);
    assert_eq!(rig.position().resource_version.to_string(), "8");
    // What its reflector had queued by then is void, as is a list that it had under way.
    rig.live(1, Delta::Added(rig.shared("b/late", "9", 20, "web")));
    rig.relist(1, vec![rig.object("b/late", "9", 20, "web")], 21).await;
    assert!(drain(&mut all, 9).await.is_empty());
    assert_eq!(rig.position().resource_version.to_string(), "8");
}

#[tokio::test]
async fn case_31_from_a_list_to_all_and_back_nothing_that_stays_is_touched() {
    let mut rig = rig_of(vec![]);
    rig.rescope(&[(0, "a"), (1, "b")]);
    rig.relist(0, vec![rig.object("a/x", "1", 5, "web")], 9).await;
    rig.relist(1, vec![rig.object("b/y", "2", 6, "web")], 9).await;
    let mut all = rig.listen("", Start::Now);
    drain(&mut all, 9).await;
    rig.rescope(&[(2, "")]);
    // Until the wider one has listed, the view is as old as before and says so.
    assert_eq!(rig.position().resource_version.to_string(), "9");
    let objects = ["a/x", "b/y", "c/z"];
    let objects = objects.map(|key| rig.object(key, &(1 + "abc".find(&key[..1]).unwrap()).to_string(), 5, "web"));
    let [x, _, z] = objects;
    rig.relist(2, vec![x, rig.object("b/y", "2", 6, "web"), z], 12).await;
    assert_eq!(drain(&mut all, 9).await, ["Added/Replaced c/z rv=5"]);
    rig.rescope(&[(3, "b")]);
    assert_eq!(
        drain(&mut all, 9).await,
        ["Deleted/Selector a/x rv=5", "Deleted/Selector c/z rv=5"]
    );
    assert_eq!(rig.position().resource_version.to_string(), "12");
    // What happened while nobody watched is found by the list, and is no entering.
    rig.relist(3, vec![rig.object("b/y", "2", 13, "web")], 14).await;
    assert_eq!(drain(&mut all, 9).await, ["Updated/Replaced b/y rv=13 old=6"]);
}

#[tokio::test]
async fn case_31_who_takes_over_counts_from_where_the_others_stood() {
    let mut rig = rig_of(vec![]);
    rig.rescope(&[(0, "")]);
    let objects = vec![rig.object("a/x", "1", 5, "web"), rig.object("b/y", "2", 6, "web")];
    rig.relist(0, objects, 9).await;
    rig.rescope(&[(1, "a"), (2, "b")]);
    rig.relist(1, vec![rig.object("a/x", "1", 5, "web")], 20).await;
    // Of b nobody has seen anything since 9, so a read that asks for more must wait.
    assert_eq!(rig.position().resource_version.to_string(), "9");
    rig.relist(2, vec![rig.object("b/y", "2", 6, "web")], 19).await;
    assert_eq!(rig.position().resource_version.to_string(), "19");
}

#[tokio::test]
async fn case_29_a_namespace_that_is_refused_does_not_keep_the_others_from_syncing() {
    let mut rig = rig_of(vec![]);
    rig.rescope(&[(0, "a"), (1, "b")]);
    rig.controller.execute(Command::Excuse(1));
    assert!(!rig.position().synced, "nothing is there yet");
    rig.relist(0, vec![rig.object("a/x", "1", 5, "web")], 9).await;
    assert!(rig.position().synced);
    assert_eq!(rig.position().resource_version.to_string(), "9");
    let mut all = rig.listen("", Start::Now);
    drain(&mut all, 9).await;
    rig.relist(1, vec![rig.object("b/y", "2", 6, "web")], 10).await;
    assert_eq!(drain(&mut all, 9).await, ["Added/Replaced b/y rv=6"], "granted");
}

#[tokio::test]
async fn case_31_no_namespace_at_all_is_a_complete_state() {
    let mut rig = rig_of(vec![]);
    assert!(!rig.position().synced, "not known yet");
    rig.rescope(&[]);
    assert!(rig.position().synced);
    assert_eq!(rig.revision(), 1);
    let mut all = rig.listen("", Start::Snapshot);
    assert_eq!(drain(&mut all, 9).await, ["synced 0"]);
    rig.rescope(&[(0, "a")]);
    rig.relist(0, vec![rig.object("a/x", "1", 5, "web")], 9).await;
    assert_eq!(drain(&mut all, 9).await, ["Added/Selector a/x rv=5"]);
    rig.rescope(&[]);
    assert_eq!(drain(&mut all, 9).await, ["Deleted/Selector a/x rv=5"]);
}

#[tokio::test]
async fn case_30_the_same_state_in_another_version_is_an_update() {
    let mut rig = rig_of(vec![]);
    rig.rescope(&[(0, "")]);
    rig.relist(0, vec![rig.object("a/x", "1", 5, "web")], 9).await;
    let mut all = rig.listen("", Start::Now);
    drain(&mut all, 9).await;
    rig.relist(0, vec![rig.object("a/x", "1", 5, "web")], 9).await;
    assert!(drain(&mut all, 9).await.is_empty(), "unchanged");
    rig.scanner.set_default_type(TypeMeta::new("v2", "Pod"));
    rig.rescope(&[(1, "")]);
    rig.relist(1, vec![rig.object("a/x", "1", 5, "web")], 9).await;
    assert_eq!(drain(&mut all, 9).await, ["Updated/Replaced a/x rv=5 old=5"]);
}

#[tokio::test]
async fn case_35_a_controller_that_takes_over_continues_what_was_published() {
    let mut rig = rig_of(vec![]);
    rig.rescope(&[(0, "a"), (1, "b")]);
    rig.relist(
        0,
        vec![rig.object("a/x", "1", 5, "web"), rig.object("a/y", "2", 6, "web")],
        9,
    )
    .await;
    rig.relist(1, vec![], 9).await;
    rig.live(0, Delta::Deleted(rig.shared("a/y", "2", 10, "web")));
    let mut all = rig.listen("", Start::Now);
    drain(&mut all, 9).await;
    let before = rig.position();
    rig.controller = Controller::new(
        [],
        Indexer::resume(rig.processor.load().snapshot.clone()),
        HistoryLimits::default(),
        rig.scanner.clone(),
        rig.processor.clone(),
    );
    rig.rescope(&[(2, "a"), (3, "b")]);
    assert_eq!(rig.position(), before);
    let objects = vec![rig.object("a/x", "1", 5, "web"), rig.object("a/z", "3", 11, "web")];
    rig.relist(2, objects, 12).await;
    assert_eq!(drain(&mut all, 9).await, ["Added/Replaced a/z rv=11"]);
    assert_eq!(rig.position().revision, before.revision + 1);
    rig.live(2, Delta::Added(rig.shared("a/q", "4", 13, "web")));
    assert_eq!(drain(&mut all, 9).await, ["Added/Live a/q rv=13"]);
}

// === model ===

#[derive(Clone, Debug)]
enum Op {
    Put(usize, u8),
    Delete(usize, u8),
    /// Which namespaces are wanted (bits; all of them = no list), and whether those that stay begin anew.
    Rescope(u8, bool),
    /// The reflector of a namespace lists.
    List(usize),
    /// A reflector that was ended has something queued still.
    Late(usize, u8),
    Read(u8),
}

const NAMESPACES: [&str; 3] = ["a", "b", "c"];

fn ops() -> impl Strategy<Value = Vec<Op>> {
    let op = prop_oneof![
        6 => (0..3usize, 0..4u8).prop_map(|(ns, key)| Op::Put(ns, key)),
        2 => (0..3usize, 0..4u8).prop_map(|(ns, key)| Op::Delete(ns, key)),
        2 => (0..8u8, any::<bool>()).prop_map(|(wanted, anew)| Op::Rescope(wanted, anew)),
        4 => (0..3usize).prop_map(Op::List),
        1 => (0..3usize, 0..4u8).prop_map(|(ns, key)| Op::Late(ns, key)),
        3 => (1..4u8).prop_map(Op::Read),
    ];
    prop::collection::vec(op, 1..80)
}

/// The API server, and the reflectors over it.
struct World {
    /// resourceVersion by key.
    objects: BTreeMap<String, u64>,
    /// Namespace ("" for all) by number, and whether it has listed.
    scopes: BTreeMap<usize, (&'static str, bool)>,
    next: usize,
    version: u64,
}

impl World {
    fn key(ns: usize, key: u8) -> String {
        format!("{}/k{key}", NAMESPACES[ns])
    }

    fn covering(&self, key: &str) -> Option<(usize, bool)> {
        let covers = |ns: &str| ns.is_empty() || key.starts_with(&format!("{ns}/"));
        let found = self.scopes.iter().find(|(_, (ns, _))| covers(ns));
        found.map(|(id, (_, listed))| (*id, *listed))
    }

    fn rescope(&mut self, rig: &mut Rig, wanted: u8, anew: bool) {
        let all = [""];
        let some: Vec<_> = (0..3)
            .filter(|n| wanted & (1 << n) != 0)
            .map(|n| NAMESPACES[n])
            .collect();
        let wanted: &[&'static str] = if some.len() == 3 { &all } else { &some };
        if anew {
            self.scopes.clear();
        }
        self.scopes.retain(|_, (ns, _)| wanted.contains(ns));
        for ns in wanted {
            if !self.scopes.values().any(|(have, _)| have == ns) {
                self.scopes.insert(self.next, (ns, false));
                self.next += 1;
            }
        }
        let scopes: Vec<_> = self.scopes.iter().map(|(id, (ns, _))| (*id, *ns)).collect();
        rig.rescope(&scopes);
    }

    async fn list(&mut self, rig: &mut Rig, id: usize) {
        let Some((ns, listed)) = self.scopes.get_mut(&id) else {
            return;
        };
        *listed = true;
        let prefix = if ns.is_empty() { String::new() } else { format!("{ns}/") };
        let objects = self.objects.iter().filter(|(key, _)| key.starts_with(&prefix));
        let objects = objects.map(|(key, rv)| rig.object(key, "u", *rv, "a1")).collect();
        rig.relist(id, objects, self.version).await;
    }

    /// The store holds nothing that is not covered, and of what has listed exactly what the API server has.
    fn check(&self, rig: &Rig) {
        let state = rig.processor.load();
        let held: BTreeMap<String, u64> = state
            .snapshot
            .in_namespace(None)
            .map(|(_, o)| (o.key.to_string(), o.resource_version().to_string().parse().unwrap()))
            .collect();
        for key in held.keys().chain(self.objects.keys()).collect::<BTreeSet<_>>() {
            match self.covering(key) {
                None => assert!(!held.contains_key(key), "{key} has left"),
                Some((_, true)) => assert_eq!(held.get(key), self.objects.get(key), "{key}"),
                Some((_, false)) => {}
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]
    #[test]
    fn case_31_narrowing_and_widening_under_churn_loses_and_doubles_nothing(ops in ops(), ring in 1..6usize) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut rig = rig_of(vec![]);
            rig.controller.limits.max_revisions = ring;
            rig.overflow = Overflow::Coalesce;
            let mut world = World { objects: BTreeMap::new(), scopes: BTreeMap::new(), next: 0, version: 10 };
            rig.rescope(&[]);
            let mut slow = rig.listen("", Start::Snapshot);
            let mut fast = rig.listen("", Start::Now);
            let (mut slow_client, mut fast_client) = (Client::default(), Client::default());
            for op in &ops {
                world.version += 1;
                let version = world.version;
                match *op {
                    Op::Put(ns, key) => {
                        let key = World::key(ns, key);
                        world.objects.insert(key.clone(), version);
                        if let Some((id, true)) = world.covering(&key) {
                            rig.live(id, Delta::Updated(rig.shared(&key, "u", version, "a1")));
                        }
                    }
                    Op::Delete(ns, key) => {
                        let key = World::key(ns, key);
                        if world.objects.remove(&key).is_some() && let Some((id, true)) = world.covering(&key) {
                            rig.live(id, Delta::Deleted(rig.shared(&key, "u", version, "a1")));
                        }
                    }
                    Op::Rescope(wanted, anew) => world.rescope(&mut rig, wanted, anew),
                    Op::List(ns) => {
                        if let Some((id, _)) = world.covering(&World::key(ns, 0)) {
                            world.list(&mut rig, id).await;
                        }
                    }
                    Op::Late(ns, key) => {
                        let dead = (0..world.next).rev().find(|id| !world.scopes.contains_key(id));
                        if let Some(dead) = dead {
                            let key = World::key(ns, key);
                            rig.live(dead, Delta::Updated(rig.shared(&key, "u", version, "a1")));
                        }
                    }
                    Op::Read(steps) => slow_client.read(&rig, &mut slow, steps.into()).await,
                }
                world.check(&rig);
                fast_client.read(&rig, &mut fast, usize::MAX).await;
            }
            slow_client.read(&rig, &mut slow, usize::MAX).await;
            assert_eq!(slow.lag(), 0);
            assert_eq!(slow_client.view, fast_client.view);
            assert_eq!(slow.digest(), fast.digest());
        });
    }
}
