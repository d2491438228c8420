//! The API server stops, or dies, while the cluster goes on changing through another one.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use informerd::proto::v1alpha1::UpstreamState;
use serde_json::json;
use support::eventually;

use crate::recorder::informer;
use crate::replay::Kind;
use crate::scene::{Disturbed, Scene, setting};
use crate::truth::{Witness, list, touch};

/// Field case 7: a peer that is gone is noticed in this time.
const NOTICED: Duration = Duration::from_secs(60);

#[tokio::test(flavor = "multi_thread")]
async fn case_8_while_the_api_server_is_stopped_replies_come_and_say_how_old_they_are_and_then_streams_catch_up() {
    let stall = Duration::from_secs(setting("INFORMERD_TEST_STALL", 15));
    let turn = Disturbed::turn().await;
    let mut scene = Scene::new(turn.peer.client().await, &turn.plane.kubeconfig(), "stall", 40).await;
    let (recorder, version) = scene.record().await;
    let witness = Witness::start(&scene.client, &scene.path, version);
    let newest = touch(&scene.workload, "before").await;
    let told = recorder.has_seen(newest).await;
    let before = scene.status().await;
    assert_eq!(before.upstream_state(), UpstreamState::Watching);

    turn.plane.pause();
    let stopped = Instant::now();
    scene.workload.churn(60, &scene.namespaces).await;
    let newest = touch(&scene.workload, "while it was stopped").await;
    let (mut reads, mut slowest, mut flagged) = (0, Duration::ZERO, None);
    let mut pace = tokio::time::interval(Duration::from_millis(100));
    while stopped.elapsed() < stall {
        pace.tick().await;
        let asked = Instant::now();
        let reply = tokio::time::timeout(stall, scene.get()).await;
        let status = reply
            .expect("a reply before the server goes on")
            .expect("GetObject")
            .status;
        let status = status.expect("a status");
        slowest = slowest.max(asked.elapsed());
        reads += 1;
        assert!(status.synced);
        assert_eq!(status.revision, before.revision);
        assert_eq!(status.current_as_of, before.current_as_of, "nobody proved it current");
        if status.upstream_state() != UpstreamState::Watching {
            assert!(status.last_error.is_some(), "{status:?}");
            flagged.get_or_insert(stopped.elapsed());
        }
    }
    assert!(stall < NOTICED || flagged.is_some(), "nobody was told in {stall:?}");
    let now = recorder.until("what was told", |_| true).await;
    assert_eq!(
        now.deltas().count(),
        told.deltas().count(),
        "an event of a stopped server"
    );
    turn.plane.resume();

    let on = Instant::now();
    let record = recorder.has_seen(newest).await;
    let caught_up = on.elapsed();
    let wanted = witness.up_to(newest).await;
    assert!(wanted.len() > 60, "{}", wanted.len());
    assert_eq!(record.live(), wanted);
    scene.agrees(&record).await;
    let after = eventually("the watch is open", || async {
        let status = scene.status().await;
        (status.upstream_state() == UpstreamState::Watching).then_some(status)
    })
    .await;
    assert_eq!(after.epoch, before.epoch, "it was never restarted");
    assert!(after.current_as_of.map(|t| (t.seconds, t.nanos)) > before.current_as_of.map(|t| (t.seconds, t.nanos)));
    assert_eq!(informer(&scene.channel).await.list_count, 1);
    eprintln!(
        "stopped for {stall:?}: {reads} reads, the slowest {slowest:?}; told after {flagged:?}; {} events {caught_up:?} \
         after it went on",
        wanted.len()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn case_4_a_hundred_changes_while_the_api_server_is_dead_are_a_hundred_deltas() {
    let down = Duration::from_secs(setting("INFORMERD_TEST_DOWN", 0));
    let turn = Disturbed::turn().await;
    let mut scene = Scene::new(turn.peer.client().await, &turn.plane.kubeconfig(), "dead", 90).await;
    let (recorder, version) = scene.record().await;
    let newest = touch(&scene.workload, "before").await;
    let before = recorder.has_seen(newest).await;
    let epoch = scene.status().await.epoch;

    turn.plane.kill_apiserver();
    let witness = Witness::start(&scene.client, &scene.path, version.max(newest));
    let there = scene.workload.pods();
    for (namespace, name) in &there[..30] {
        scene.workload.delete_pod(namespace, name).await;
    }
    for (namespace, name) in &there[30..70] {
        let path = format!("/api/v1/namespaces/{namespace}/pods/{name}");
        let patch = json!({"metadata": {"labels": {"changed": "once"}}});
        scene.workload.patch(&path, &patch).await;
    }
    scene.workload.create_pods(30, &scene.namespaces).await;
    tokio::time::sleep(down).await;
    let flagged = eventually("it is told that the server is gone", || async {
        let status = scene.get().await.expect("GetObject").status.expect("a status");
        (status.upstream_state() == UpstreamState::Backoff).then_some(status)
    })
    .await;
    assert!(flagged.last_error.is_some(), "{flagged:?}");
    let now = recorder.until("what was told", |_| true).await;
    assert_eq!(
        now.deltas().count(),
        before.deltas().count(),
        "an event of a dead server"
    );
    turn.plane.start_apiserver();

    let started = Instant::now();
    let (truth, version) = list(&scene.client, &scene.path).await;
    recorder
        .until("what the cluster holds", |record| *record.replay.view() == truth)
        .await;
    let caught_up = started.elapsed();
    // A change after all: had there been more to say, it would have come before.
    let last = touch(&scene.workload, "after").await;
    let record = recorder.has_seen(last).await;
    let mut deltas: Vec<_> = record.deltas().skip(before.deltas().count()).collect();
    assert_eq!(deltas.pop().map(|delta| delta.position), Some(last));
    // A pod's deletion is two writes: of each key the last one counts.
    let made = witness.up_to(last).await.into_iter().filter(|c| c.position <= version);
    let made: BTreeMap<_, _> = made.map(|c| (c.key.clone(), c)).collect();
    assert_eq!((made.len(), deltas.len()), (100, 100));
    let made: BTreeSet<_> = made
        .values()
        .map(|c| outcome(c.kind, &c.key, &c.uid, c.position))
        .collect();
    let told = deltas
        .iter()
        .map(|d| outcome(d.kind, &d.key, &d.state.uid, d.state.version));
    let told: BTreeSet<_> = told.collect();
    assert_eq!(told, made);
    scene.agrees(&record).await;
    assert_eq!(scene.status().await.epoch, epoch, "it was never restarted");
    let lists = informer(&scene.channel).await.list_count;
    eprintln!("100 deltas {caught_up:?} after the start, {lists} lists");
}

/// What a change did. The version at which an object was deleted is not known to who only finds it gone.
fn outcome(kind: Kind, key: &str, uid: &str, version: u64) -> (String, String, String, Option<u64>) {
    let version = (kind != Kind::Deleted).then_some(version);
    (format!("{kind:?}"), key.to_owned(), uid.to_owned(), version)
}
