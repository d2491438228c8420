//! Clients that do not read or do not acknowledge (protocol.md 3.4: 60 s, then 10 min).

use super::*;

fn acking(max_outstanding_events: u64) -> pb::WatchRequest {
    pb::WatchRequest {
        flow: Some(pb::FlowControl {
            max_outstanding_events,
            ..Default::default()
        }),
        batch: Some(pb::BatchOptions {
            max_events: 1,
            ..Default::default()
        }),
        // Out of the way: heartbeats go on while a watch is blocked.
        bookmark_interval: Some(crate::service::convert::duration_pb(Duration::from_secs(7200))),
        ..pods()
    }
}

impl Rig {
    async fn states(&self) -> Vec<(pb::ListenerState, u64)> {
        let list = pb::ListWatchesRequest::default();
        let listed = self.api.list_watches(Request::new(list)).await.unwrap().into_inner();
        listed.watches.iter().map(|w| (w.state(), w.lag_events)).collect()
    }

    async fn ack(&self, sequence: u64) {
        let list = pb::ListWatchesRequest::default();
        let listed = self.api.list_watches(Request::new(list)).await.unwrap().into_inner();
        let watch_id = listed.watches[0].watch_id.clone();
        let request = pb::AckWatchRequest { watch_id, sequence };
        self.api.ack_watch(Request::new(request)).await.unwrap();
    }
}

/// Lets time pass with the stream polled, as a transport with room does.
async fn idle(responses: &mut Responses, seconds: u64) {
    tokio::select! {
        next = responses.next() => panic!("{next:?}"),
        () = tokio::time::sleep(Duration::from_secs(seconds)) => {}
    }
}

#[tokio::test(start_paused = true)]
async fn p1_who_acknowledges_nothing_for_a_minute_gets_the_latest_state_of_each_key() {
    let rig = rig();
    let (mut responses, reflector) = rig.synced(acking(1), &[]).await;
    reflector.added(&object("a/x", 11, "")).await;
    assert_eq!(read(&mut responses).await, "ADDED/LIVE x, token");
    for rv in 12..20 {
        reflector.updated(&object("a/x", rv, "")).await;
    }
    idle(&mut responses, 59).await;
    assert_eq!(rig.states().await, [(pb::ListenerState::Blocked, 8)]);
    idle(&mut responses, 2).await;
    assert_eq!(rig.states().await, [(pb::ListenerState::Dirty, 8)]);
    // After `created` and `synced` that was the third message.
    rig.ack(3).await;
    // Eight changes in one, although the history holds them all.
    assert_eq!(read(&mut responses).await, "UPDATED/CATCH_UP x, token");
    rig.ack(4).await;
    reflector.updated(&object("a/x", 20, "")).await;
    assert_eq!(read(&mut responses).await, "UPDATED/LIVE x, token");
}

#[tokio::test(start_paused = true)]
async fn p1_who_acknowledges_within_the_minute_gets_every_change() {
    let rig = rig();
    let (mut responses, reflector) = rig.synced(acking(1), &[]).await;
    reflector.added(&object("a/x", 10, "")).await;
    for rv in 11..15 {
        reflector.updated(&object("a/x", rv, "")).await;
    }
    assert!(read(&mut responses).await.starts_with("ADDED/LIVE x"));
    for sequence in 3..7 {
        idle(&mut responses, 50).await;
        rig.ack(sequence).await;
        assert!(read(&mut responses).await.starts_with("UPDATED/LIVE x"));
    }
}

#[tokio::test(start_paused = true)]
async fn p1_who_acknowledges_nothing_for_ten_minutes_is_closed_with_its_last_token() {
    let rig = rig();
    let (mut responses, reflector) = rig.synced(acking(1), &[]).await;
    reflector.added(&object("a/x", 11, "")).await;
    let token = next(&mut responses).await.resume_token;
    reflector.updated(&object("a/x", 12, "")).await;
    idle(&mut responses, 599).await;
    let last = next(&mut responses).await;
    let Some(Control::Terminating(terminating)) = &last.control else {
        panic!("{last:?}");
    };
    assert_eq!(terminating.reason(), pb::TerminatingReason::SlowConsumer);
    assert_eq!(last.resume_token, token);
    let status = responses.next().await.unwrap().unwrap_err();
    assert_eq!(
        (status.code(), described(&status).1.as_str()),
        (Code::ResourceExhausted, "SLOW_CONSUMER")
    );
    assert!(responses.next().await.is_none());
    // Nothing is lost, although the history has forgotten the change by age.
    let mut again = rig.watch(resume(token, pb::ResumeFailure::Fail)).await;
    assert_eq!(read(&mut again).await, "created WATCH_MODE_REPLAY");
    assert_eq!(read(&mut again).await, "UPDATED/CATCH_UP x, token");
}

#[tokio::test(start_paused = true)]
async fn case_26_a_client_that_never_reads_is_let_go_and_what_it_held_is_freed() {
    let rig = rig();
    let mut stuck = rig.watch(pods()).await;
    let reflector = rig.upstream.reflector("pods").await;
    reflector.list([object("a/x", 5, ""), object("a/y", 6, "")], 10).await;
    assert!(read(&mut stuck).await.starts_with("created"));
    assert!(read(&mut stuck).await.starts_with("ADDED/INITIAL x"));
    let informer = rig.api.factory.get("informers/pods").unwrap();
    let held = Arc::downgrade(&informer.processor().load());
    reflector.updated(&object("a/x", 11, "")).await;
    assert!(held.upgrade().is_some(), "it is inside its snapshot");
    tokio::time::sleep(Duration::from_secs(599)).await;
    assert_eq!(informer.processor().listeners(), 1);
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert!(held.upgrade().is_none(), "the snapshot is let go while nobody polls");
    assert_eq!((informer.processor().listeners(), rig.states().await.len()), (0, 0));
    // When it asks at last it is told.
    assert_eq!(read(&mut stuck).await, "terminating TERMINATING_REASON_SLOW_CONSUMER");
    let status = stuck.next().await.unwrap().unwrap_err();
    assert_eq!(described(&status).1, "SLOW_CONSUMER");
    assert!(stuck.next().await.is_none());
}

#[tokio::test(start_paused = true)]
async fn p1_a_client_that_reads_again_after_a_minute_gets_the_latest_state_and_goes_on() {
    let rig = rig();
    let (mut responses, reflector) = rig.synced(pods(), &[object("a/x", 5, "")]).await;
    for rv in 11..20 {
        reflector.updated(&object("a/x", rv, "")).await;
    }
    tokio::time::sleep(Duration::from_secs(61)).await;
    assert_eq!(rig.states().await, [(pb::ListenerState::Dirty, 9)]);
    // The overdue heartbeat first.
    assert!(read(&mut responses).await.starts_with("bookmark 1 synced=true lag=9"));
    assert_eq!(read(&mut responses).await, "UPDATED/CATCH_UP x, token");
    reflector.updated(&object("a/x", 20, "")).await;
    assert_eq!(read(&mut responses).await, "UPDATED/LIVE x, token");
}
