//! Rows F, C and H: what listeners see of relists, recreations, filters and resyncs. Where client-go has a test of it, it is named.

use std::time::Duration;

use proptest::prelude::*;

use super::*;

const PERIOD: Duration = Duration::from_secs(10);

impl Rig {
    async fn with(objects: &[(&str, &str, u64, &str)]) -> Self {
        let mut rig = rig();
        rig.lists(objects, 9).await;
        rig
    }

    async fn lists(&mut self, objects: &[(&str, &str, u64, &str)], rv: u64) {
        let objects = objects
            .iter()
            .map(|(key, uid, rv, app)| self.object(key, uid, *rv, app));
        let objects = objects.collect();
        self.relist(0, objects, rv).await;
    }

    fn resynced(&self, period: Duration, jitter: f64) -> Listener {
        let query = Query::compile(&QuerySpec::default(), self.processor.load().snapshot.indexes()).unwrap();
        Listener::new(
            self.processor.clone(),
            query,
            Start::Now,
            Overflow::Coalesce,
            Some(period),
        )
        .with_jitter(move || jitter)
    }

    /// A listener that has had its snapshot.
    async fn synced(&self, labels: &str) -> Listener {
        let mut listener = self.listen(labels, Start::Snapshot);
        drain(&mut listener, 100).await;
        listener
    }
}

/// What comes in each of the next `steps` tenths of a second.
async fn tenths(listener: &mut Listener, steps: usize) -> Vec<Vec<String>> {
    let mut told = Vec::new();
    for _ in 0..steps {
        tokio::time::advance(Duration::from_millis(100)).await;
        told.push(drain(listener, 100).await);
    }
    told
}

#[tokio::test(start_paused = true)]
async fn h14_resync_tells_each_object_once_in_every_period_spread_over_it() {
    let keys: Vec<_> = (0..40).map(|i| format!("a/p{i:02}")).collect();
    let objects: Vec<_> = keys.iter().map(|k| (k.as_str(), "1", 5, "web")).collect();
    let rig = Rig::with(&objects).await;
    let before = rig.revision();
    let mut resynced = rig.resynced(PERIOD, 0.5);
    assert_eq!(drain(&mut resynced, 9).await, ["synced 40"]);
    let first: usize = tenths(&mut resynced, 99).await.iter().map(Vec::len).sum();
    assert_eq!(first, 0, "nothing before the first period is over");
    for _ in 0..3 {
        let told = tenths(&mut resynced, 100).await;
        let all: Vec<_> = told.concat();
        let want: Vec<_> = keys.iter().map(|k| format!("Resync/Resync {k} rv=5")).collect();
        assert_eq!(all, want);
        assert!(
            told.iter().all(|t| t.len() <= 1),
            "never more than a slot's share at once"
        );
    }
    assert_eq!(rig.revision(), before);
}

#[tokio::test(start_paused = true)]
async fn h14_resync_moments_differ_by_jitter_but_stay_in_their_slots() {
    let rig = Rig::with(&[("a/x", "1", 5, "web"), ("a/y", "2", 6, "web")]).await;
    for (jitter, moments) in [(0.0, [100, 150]), (0.5, [125, 175]), (0.98, [149, 199])] {
        let mut resynced = rig.resynced(PERIOD, jitter);
        drain(&mut resynced, 9).await;
        let told = tenths(&mut resynced, 220).await;
        let at: Vec<_> = (1..)
            .zip(&told)
            .filter(|(_, t)| !t.is_empty())
            .map(|(i, _)| i)
            .collect();
        assert_eq!(at[..2], moments, "{jitter}");
    }
}

#[tokio::test(start_paused = true)]
async fn f5_h14_resync_leaves_out_what_has_changed_since_the_pass_began() {
    let mut rig = Rig::with(&[("a/x", "1", 5, "web"), ("a/y", "2", 6, "web"), ("a/z", "3", 7, "web")]).await;
    let mut resynced = rig.resynced(PERIOD, 0.0);
    drain(&mut resynced, 9).await;
    tokio::time::advance(PERIOD).await;
    assert_eq!(drain(&mut resynced, 9).await, ["Resync/Resync a/x rv=5"]);
    rig.apply(Delta::Updated(rig.shared("a/y", "2", 10, "web")));
    rig.apply(Delta::Added(rig.shared("a/w", "4", 11, "web")));
    let told = tenths(&mut resynced, 99).await.concat();
    assert_eq!(
        told,
        [
            "Updated/Live a/y rv=10 old=6",
            "Added/Live a/w rv=11",
            "Resync/Resync a/z rv=7"
        ]
    );
    let told = tenths(&mut resynced, 100).await.concat();
    assert_eq!(told.len(), 4, "{told:?}");
}

#[tokio::test(start_paused = true)]
async fn h13_test_listener_resync_periods_each_listener_has_its_own() {
    let rig = Rig::with(&[("a/x", "1", 5, "web")]).await;
    let mut never = rig.synced("").await;
    let mut two = rig.resynced(Duration::from_secs(2), 0.0);
    let mut three = rig.resynced(Duration::from_secs(3), 0.0);
    drain(&mut two, 9).await;
    drain(&mut three, 9).await;
    let mut told = [0, 0, 0];
    for _ in 0..125 {
        tokio::time::advance(Duration::from_millis(100)).await;
        told[0] += drain(&mut never, 9).await.len();
        told[1] += drain(&mut two, 9).await.len();
        told[2] += drain(&mut three, 9).await.len();
    }
    assert_eq!(told, [0, 6, 4]);
}

#[tokio::test(start_paused = true)]
async fn h14_a_late_reader_gets_no_burst_of_resyncs() {
    let keys: Vec<_> = (0..50).map(|i| format!("a/p{i:02}")).collect();
    let objects: Vec<_> = keys.iter().map(|k| (k.as_str(), "1", 5, "web")).collect();
    let rig = Rig::with(&objects).await;
    let mut resynced = rig.resynced(PERIOD, 0.0);
    drain(&mut resynced, 9).await;
    tokio::time::advance(PERIOD).await;
    drain(&mut resynced, 9).await;
    tokio::time::advance(PERIOD * 5).await;
    assert_eq!(drain(&mut resynced, 100).await.len(), 1);
    // The rest of the pass, before the next one begins.
    let told = tenths(&mut resynced, 97).await;
    assert!(told.iter().all(|t| t.len() <= 1), "{told:?}");
    assert_eq!(told.concat().len(), 50 - 2);
}

#[tokio::test(start_paused = true)]
async fn case_18_without_a_period_a_quiet_hour_is_silent() {
    let rig = Rig::with(&[("a/x", "1", 5, "web")]).await;
    let mut listener = rig.synced("").await;
    for _ in 0..60 {
        tokio::time::advance(Duration::from_secs(60)).await;
        assert!(drain(&mut listener, 9).await.is_empty());
    }
}

#[tokio::test]
async fn case_17_p4_fifty_relists_of_unchanged_objects_tell_nothing() {
    let objects = [("a/x", "1", 5, "web"), ("a/y", "2", 6, "db")];
    let mut rig = Rig::with(&objects).await;
    let mut all = rig.synced("").await;
    let mut web = rig.synced("app=web").await;
    let before = rig.revision();
    for i in 0..50 {
        rig.lists(&objects, 20 + i).await;
    }
    assert!(drain(&mut all, 9).await.is_empty() && drain(&mut web, 9).await.is_empty());
    assert_eq!(rig.revision(), before);
}

#[tokio::test]
async fn h11_test_watch_disruption_hidden_changes_are_told_and_the_unchanged_is_not() {
    let mut rig = Rig::with(&[("a/1", "1", 1, "web"), ("a/2", "2", 2, "web")]).await;
    let mut listener = rig.synced("").await;
    // The watch was lost over an update and an addition.
    rig.lists(
        &[("a/1", "1", 1, "web"), ("a/2", "2", 12, "web"), ("a/3", "3", 13, "web")],
        14,
    )
    .await;
    assert_eq!(
        drain(&mut listener, 9).await,
        ["Updated/Replaced a/2 rv=12 old=2", "Added/Replaced a/3 rv=13"]
    );
}

#[tokio::test]
async fn c3_test_replace_events_deletes_come_first_and_the_store_is_final() {
    let mut rig = Rig::with(&[]).await;
    let mut listener = rig.synced("").await;
    rig.lists(&[("a/1", "1", 1, "web")], 10).await;
    assert_eq!(drain(&mut listener, 9).await, ["Added/Replaced a/1 rv=1"]);
    rig.lists(
        &[("a/0", "0", 12, "web"), ("a/1", "1", 13, "web"), ("a/2", "2", 3, "web")],
        14,
    )
    .await;
    drain(&mut listener, 9).await;
    rig.lists(&[("a/0", "0", 15, "web"), ("a/3", "3", 16, "web")], 17).await;
    // The store is there before the first event of the group is read.
    let stored: Vec<_> = {
        let published = rig.processor.load();
        published
            .snapshot
            .in_namespace(None)
            .map(|(_, o)| o.key.to_string())
            .collect()
    };
    assert_eq!(stored, ["a/0", "a/3"]);
    assert_eq!(
        drain(&mut listener, 1).await,
        [
            "Deleted/Replaced a/1 rv=13 unknown",
            "…",
            "Deleted/Replaced a/2 rv=3 unknown",
            "…",
            "Updated/Replaced a/0 rv=15 old=12",
            "…",
            "Added/Replaced a/3 rv=16"
        ]
    );
    rig.lists(&[], 18).await;
    let told = drain(&mut listener, 9).await;
    assert_eq!(
        told,
        [
            "Deleted/Replaced a/0 rv=15 unknown",
            "Deleted/Replaced a/3 rv=16 unknown"
        ]
    );
}

#[tokio::test]
async fn c3_relists_move_objects_through_a_filter() {
    let mut rig = Rig::with(&[
        ("a/in", "1", 1, "web"),
        ("a/out", "2", 2, "db"),
        ("a/gone", "3", 3, "db"),
    ])
    .await;
    let mut web = rig.synced("app=web").await;
    rig.lists(
        &[
            ("a/in", "1", 11, "db"),
            ("a/out", "2", 12, "web"),
            ("a/new", "4", 13, "web"),
        ],
        14,
    )
    .await;
    let mut told = drain(&mut web, 9).await;
    told.sort();
    assert_eq!(
        told,
        [
            "Added/Replaced a/new rv=13",
            "Added/Selector a/out rv=12",
            // The last state that matched.
            "Deleted/Selector a/in rv=1"
        ]
    );
    let fresh = rig.synced("app=web").await;
    assert_eq!(web.digest(), fresh.digest());
}

#[tokio::test]
async fn c5_case_22_a_recreation_through_a_filter_is_told_by_the_part_that_matches() {
    let mut rig = Rig::with(&[("a/x", "1", 1, "web"), ("a/y", "1", 2, "db"), ("a/z", "1", 3, "web")]).await;
    let mut web = rig.synced("app=web").await;
    rig.apply(Delta::Updated(rig.shared("a/x", "2", 11, "db")));
    rig.apply(Delta::Updated(rig.shared("a/y", "2", 12, "web")));
    rig.apply(Delta::Added(rig.shared("a/z", "2", 13, "web")));
    assert_eq!(
        drain(&mut web, 1).await,
        [
            "Deleted/Live a/x rv=1 unknown recreated",
            "Added/Live a/y rv=12 recreated",
            "Deleted/Live a/z rv=3 unknown recreated",
            "…",
            "Added/Live a/z rv=13 recreated"
        ]
    );
    // In a relist the deletion stands with the deletions.
    rig.lists(&[("a/z", "3", 20, "web")], 21).await;
    assert_eq!(
        drain(&mut web, 9).await,
        [
            "Deleted/Replaced a/y rv=12 unknown",
            "Deleted/Replaced a/z rv=13 unknown recreated",
            "Added/Replaced a/z rv=20 recreated"
        ]
    );
}

#[tokio::test]
async fn c2_f6_a_deletion_carries_its_own_version_and_one_of_another_uid_is_dropped() {
    let mut rig = Rig::with(&[("a/x", "1", 1, "web")]).await;
    let mut listener = rig.synced("").await;
    rig.apply(Delta::Deleted(rig.shared("a/x", "0", 11, "web")));
    rig.apply(Delta::Deleted(rig.shared("a/never", "9", 12, "web")));
    assert!(drain(&mut listener, 9).await.is_empty());
    rig.apply(Delta::Deleted(rig.shared("a/x", "1", 13, "web")));
    rig.apply(Delta::Deleted(rig.shared("a/x", "1", 14, "web")));
    assert_eq!(drain(&mut listener, 9).await, ["Deleted/Live a/x rv=13"]);
}

#[tokio::test]
async fn h3_h5_listeners_come_and_go_without_touching_each_other() {
    // TestAddWhileActive, TestRemoveWhileActive, TestMultipleRegistration.
    let mut rig = Rig::with(&[("a/x", "1", 1, "web")]).await;
    let mut first = rig.listen("", Start::Snapshot);
    let twin = rig.listen("", Start::Snapshot);
    assert_eq!(rig.processor.listeners(), 2);
    assert_eq!(drain(&mut first, 9).await, ["Added/Initial a/x rv=1", "synced 1"]);
    rig.apply(Delta::Added(rig.shared("a/y", "2", 11, "web")));
    let mut late = rig.listen("", Start::Snapshot);
    rig.apply(Delta::Updated(rig.shared("a/y", "2", 12, "web")));
    // Each exactly once, with no gap between snapshot and changes.
    let told = drain(&mut late, 1).await;
    assert_eq!(told[..2], ["Added/Initial a/x rv=1", "Added/Initial a/y rv=12"]);
    drop(twin);
    assert_eq!(rig.processor.listeners(), 2);
    rig.apply(Delta::Deleted(rig.shared("a/x", "1", 13, "web")));
    assert_eq!(drain(&mut late, 9).await, ["Deleted/Live a/x rv=13"]);
    assert_eq!(
        drain(&mut first, 9).await,
        [
            "Added/Live a/y rv=11",
            "Updated/Live a/y rv=12 old=11",
            "Deleted/Live a/x rv=13"
        ]
    );
}

#[tokio::test]
async fn p1_a_snapshot_ends_although_the_store_changes_between_all_of_its_batches() {
    for overflow in [Overflow::Coalesce, Overflow::Reset] {
        let keys: Vec<_> = (0..30).map(|i| format!("a/p{i:02}")).collect();
        let objects: Vec<_> = keys.iter().map(|k| (k.as_str(), "1", 5, "web")).collect();
        let mut rig = Rig::with(&objects).await;
        rig.overflow = overflow;
        // Far less than changes during the snapshot.
        rig.controller.limits.max_revisions = 8;
        let mut listener = rig.listen("app=web", Start::Snapshot);
        let budget = Budget {
            events: 1,
            bytes: usize::MAX,
            size_of: &|_| 1,
        };
        let (mut steps, mut rv) = (0, 100);
        while !matches!(listener.next(&budget).await.unwrap(), Step::Synced) {
            steps += 1;
            assert!(steps <= 30, "the snapshot is that of one state");
            for key in ["a/p00", "a/p29"] {
                rv += 2;
                rig.apply(Delta::Deleted(rig.shared(key, "1", rv, "web")));
                rig.apply(Delta::Added(rig.shared(
                    key,
                    "1",
                    rv + 1,
                    if rv % 3 == 0 { "db" } else { "web" },
                )));
            }
        }
        drain(&mut listener, 9).await;
        let fresh = rig.synced("app=web").await;
        assert_eq!(listener.digest(), fresh.digest(), "{overflow:?}");
    }
}

proptest! {
    /// TestUpdate: what is told as the old state is the state that was told before, through any relist and deletion.
    #[test]
    fn c1_test_update_the_old_state_is_always_the_one_told_before(
        ops in prop::collection::vec((0..4u8, 0..5u8, 0..2u8), 1..60),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            let mut rig = Rig::with(&[]).await;
            let mut listener = rig.synced("").await;
            let mut told = std::collections::BTreeMap::<String, (String, String)>::new();
            for (rv, (op, key, uid)) in (100_u64..).zip(ops) {
                let (key, uid) = (format!("a/{key}"), uid.to_string());
                match op {
                    0 => rig.lists(&[(&key, &uid, rv, "web")], rv).await,
                    1 => rig.apply(Delta::Deleted(rig.shared(&key, &uid, rv, "web"))),
                    _ => rig.apply(Delta::Updated(rig.shared(&key, &uid, rv, "web"))),
                }
                let budget = Budget { events: 100, bytes: usize::MAX, size_of: &|_| 1 };
                let step = tokio::select! {
                    biased;
                    step = listener.next(&budget) => step.unwrap(),
                    () = std::future::ready(()) => continue,
                };
                let Step::Events { events, .. } = step else { panic!("{step:?}") };
                for event in events {
                    let Subject::Object(object) = &event.object else { panic!("{event:?}") };
                    let key = object.key.to_string();
                    let state = |o: &Object| (o.meta.uid.to_string(), o.resource_version().to_string());
                    match event.kind {
                        EventKind::Added => assert!(told.insert(key, state(object)).is_none()),
                        EventKind::Updated => {
                            assert_eq!(told.insert(key, state(object)), event.old.as_deref().map(state));
                        }
                        EventKind::Deleted => {
                            let (uid, _) = told.remove(&key).expect("only what was told is deleted");
                            assert_eq!(uid, object.meta.uid.to_string());
                        }
                        EventKind::Resync => panic!("nobody asked for it"),
                    }
                }
            }
        });
    }
}
