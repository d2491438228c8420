use std::collections::BTreeMap;

use tokio_util::sync::CancellationToken;

use super::*;
use crate::sim::scenario::Scenario;

#[tokio::test]
async fn the_story_creates_changes_and_deletes_and_repeats_by_seed() {
    let mut kinds = Vec::new();
    for _ in 0..2 {
        let sim = Sim::builder().start().await.unwrap();
        let rv = sim.resource_version();
        let mut scenario = Scenario::new(3);
        scenario.set_stage(&sim).unwrap();
        for _ in 0..400 {
            scenario.step(&sim).unwrap();
        }
        let mut seen = BTreeMap::<String, usize>::new();
        for id in ["pods", "configmaps", "deployments.apps"] {
            let changes = sim
                .inner
                .store
                .read()
                .changes_after(rv, id, usize::MAX)
                .unwrap()
                .changes;
            for change in changes {
                let what = match (&change.old, change.deleted) {
                    (None, _) => "ADDED",
                    (_, true) => "DELETED",
                    (_, false) => "MODIFIED",
                };
                *seen.entry(format!("{id} {what}")).or_default() += 1;
            }
        }
        for expected in [
            "pods ADDED",
            "pods MODIFIED",
            "pods DELETED",
            "configmaps MODIFIED",
            "deployments.apps MODIFIED",
        ] {
            assert!(seen.contains_key(expected), "{expected} in {seen:?}");
        }
        assert!(
            sim.list("pods")
                .unwrap()
                .iter()
                .any(|pod| pod["status"]["phase"] == "Running")
        );
        kinds.push(seen);
    }
    assert_eq!(kinds[0], kinds[1]);
}

#[tokio::test(start_paused = true)]
async fn the_story_keeps_its_pace_and_stops_when_told() {
    let sim = Sim::builder().start().await.unwrap();
    let shutdown = CancellationToken::new();
    let story = tokio::spawn(Scenario::run(sim.clone(), 10.0, shutdown.clone()));
    tokio::time::sleep(std::time::Duration::from_secs(60)).await;
    shutdown.cancel();
    story.await.unwrap().unwrap();
    let changes = sim.resource_version() - 1_000;
    assert!(
        (400..800).contains(&changes),
        "{changes} changes in a minute at 10 a second"
    );
}
