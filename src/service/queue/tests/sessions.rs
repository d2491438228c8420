//! Workers that come, go, and come back after a restart.

use super::*;

#[tokio::test(start_paused = true)]
async fn a_broken_session_frees_its_leases_after_the_grace_and_a_live_one_learns_what_it_lost() {
    let rig = rig();
    rig.create(spec(vec![])).await;
    rig.add(&["a/x"]).await;
    let session = |worker: &str| {
        let request = pb::RunWorkerSessionRequest {
            queue: "queues/q".into(),
            worker_id: worker.into(),
            ..Default::default()
        };
        rig.api.run_worker_session(Request::new(request))
    };
    let mut dead = session("dead").await.unwrap().into_inner();
    assert!(matches!(
        dead.next().await.unwrap().unwrap().event,
        Some(Event::Started(_))
    ));
    assert_eq!(rig.acquire("dead", 1).await.len(), 1);
    drop(dead);
    tokio::time::advance(Duration::from_secs(3)).await;
    let item = rig.acquire("alive", 1).await.remove(0);
    assert_eq!(item.last_failure(), pb::FailureReason::WorkerLost);
    let mut alive = session("alive").await.unwrap().into_inner();
    tokio::time::advance(Duration::from_secs(31)).await;
    let lost = loop {
        if let Some(Event::LeasesLost(lost)) = alive.next().await.unwrap().unwrap().event {
            break lost;
        }
    };
    assert_eq!(lost.leases[0].lease_id, item.lease.unwrap().lease_id);
    // A newer session of the same worker takes over; the old one ends without harm.
    let _newer = session("alive").await.unwrap().into_inner();
    let end = loop {
        if let Some(Event::Terminating(end)) = alive.next().await.unwrap().unwrap().event {
            break end;
        }
    };
    assert_eq!(end.reason(), pb::SessionEndReason::Replaced);
}

#[tokio::test(start_paused = true)]
async fn a_session_is_told_how_its_queue_drains() {
    let rig = rig();
    rig.create(spec(vec![])).await;
    let request = pb::RunWorkerSessionRequest {
        queue: "queues/q".into(),
        worker_id: "w".into(),
        ..Default::default()
    };
    let mut session = rig
        .api
        .run_worker_session(Request::new(request))
        .await
        .unwrap()
        .into_inner();
    let drain = pb::DrainQueueRequest {
        name: "queues/q".into(),
        mode: pb::DrainMode::Stop.into(),
        timeout: None,
    };
    rig.api.drain_queue(Request::new(drain)).await.unwrap();
    let told = loop {
        if let Some(Event::Draining(told)) = session.next().await.unwrap().unwrap().event {
            break told;
        }
    };
    assert_eq!(told.mode(), pb::DrainMode::Stop);
}

#[tokio::test(start_paused = true)]
async fn after_a_restart_nothing_is_handed_out_for_one_lease() {
    let rig = rig();
    let mut held = spec(vec![]);
    held.restart_hold = None;
    let queue = rig.create(held).await;
    assert_eq!(queue.state(), pb::QueueState::Holding);
    rig.add(&["a/x"]).await;
    let mut now = rig.poll("w", 1);
    now.wait_timeout = seconds(0);
    assert!(rig.acquire_as(now.clone()).await.items.is_empty());
    tokio::time::advance(Duration::from_secs(10)).await;
    // Who still works on a key says so, and gets a lease of the new epoch.
    let request = pb::RunWorkerSessionRequest {
        queue: "queues/q".into(),
        worker_id: "survivor".into(),
        held_items: vec![pb::HeldItem {
            key: Some(key("a/held")),
            lease_id: "before-0.1".into(),
        }],
        ..Default::default()
    };
    let mut session = rig
        .api
        .run_worker_session(Request::new(request))
        .await
        .unwrap()
        .into_inner();
    let Some(Event::Started(started)) = session.next().await.unwrap().unwrap().event else {
        panic!("no start");
    };
    assert!(started.held_items[0].lease.is_some());
    rig.add(&["a/held"]).await;
    tokio::time::advance(Duration::from_secs(19)).await;
    assert!(rig.acquire_as(now).await.items.is_empty());
    assert_eq!(names(&rig.acquire("w", 10).await), ["a/x"]);
}
