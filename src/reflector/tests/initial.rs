//! Watch-list (rows R14 to R16).

use std::time::Duration;

use http::Response;

use super::harness::*;
use crate::upstream::{ListMode, UpstreamState};

#[tokio::test(start_paused = true)]
async fn r14_a_watch_list_is_one_replaced_delta_and_its_stream_goes_on_as_the_watch() {
    let mut h = Harness::start(ListMode::Auto);
    assert_eq!(h.status.get().state, UpstreamState::Starting);
    let asked = h.next_is(WATCH_LIST).await;
    assert_eq!(
        asked.request.uri(),
        "/api/v1/pods?watch=true&allowWatchBookmarks=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&timeoutSeconds=300"
    );
    assert_eq!(
        (asked.header("accept"), asked.header("accept-encoding")),
        ("application/json", "identity")
    );
    let stream = asked.stream();
    stream.send(&added("a", 3));
    h.state(UpstreamState::Listing).await;
    stream.send(&added("b", 4));
    stream.send(&added("c", 5));
    // What changes meanwhile comes in between.
    stream.send(&event("DELETED", &pod("b", 6)));
    stream.send(&event("MODIFIED", &pod("c", 7)));
    stream.send(&bookmark(7));
    h.no_request_for(Duration::from_secs(5)).await;
    h.no_delta();
    stream.send(&initial_end(9));
    h.delta_is("REPLACED @9 +a@3 +c@7").await;
    stream.send(&event("MODIFIED", &pod("a", 10)));
    h.delta_is("UPDATED a@10").await;
    let status = h.state(UpstreamState::Watching).await;
    assert_eq!((status.lists, status.watches, status.last_error), (1, 1, None));
    stream.close();
    assert_eq!(h.next_is(WATCH).await.version(), "10");
}

#[tokio::test(start_paused = true)]
async fn r15_a_server_that_refuses_watch_lists_is_listed_from_then_on() {
    for code in [400, 405, 422] {
        let mut h = Harness::start(ListMode::Auto);
        h.next_is(WATCH_LIST).await.status(code, &status(code, "Invalid"));
        h.next_is(LIST).await.json(&list("5", "", &[pod("a", 2)]));
        h.delta_is("REPLACED @5 +a@2").await;
        h.next_is(WATCH).await.status(410, &status(410, "Expired"));
        let relist = h.next().await;
        assert_eq!(relist.kind(), LIST, "{code} is remembered");
    }
}

#[tokio::test(start_paused = true)]
async fn r15_other_errors_list_this_time_and_try_the_watch_list_next_time() {
    for code in [403, 404, 500, 503] {
        let mut h = Harness::start(ListMode::Auto);
        h.next_is(WATCH_LIST).await.status(code, &status(code, "Whatever"));
        h.next_is(LIST).await.json(&list("5", "", &[]));
        h.delta_is("REPLACED @5").await;
        h.next_is(WATCH).await.status(410, &status(410, "Expired"));
        let again = h.next_is(WATCH_LIST).await;
        assert_eq!(again.version(), "", "a version that expired is not asked for again");
    }
}

#[tokio::test(start_paused = true)]
async fn r15_429_obeys_retry_after_and_never_lists() {
    let mut h = Harness::start(ListMode::Auto);
    for _ in 0..5 {
        let asked = h.next_is(WATCH_LIST).await;
        let at = asked.at;
        asked.full(Response::builder().status(429).header("retry-after", "40"), "");
        let again = h.next_is(WATCH_LIST).await;
        assert!(again.at - at >= Duration::from_secs(40), "{:?}", again.at - at);
        again.full(Response::builder().status(429), "");
    }
}

#[tokio::test(start_paused = true)]
async fn no_api_server_shows_backoff_and_is_recovered_from() {
    let mut h = Harness::start(ListMode::Auto);
    for _ in 0..20 {
        h.next_is(WATCH_LIST).await.refuse();
    }
    let status = h.state(UpstreamState::Backoff).await;
    let error = status.last_error.unwrap();
    assert_eq!((error.http_status, &*error.reason), (0, "Unreachable"));
    assert!(error.message.contains("connection refused"), "{}", error.message);
    assert_eq!(status.lists, 0);
    let stream = h.next_is(WATCH_LIST).await.stream();
    stream.send(&initial_end(1));
    h.delta_is("REPLACED @1").await;
    assert_eq!(h.state(UpstreamState::Watching).await.last_error, None);
}

#[tokio::test(start_paused = true)]
async fn r15_an_expired_version_is_dropped_at_once_and_only_once_without_waiting() {
    let mut h = Harness::start(ListMode::Auto);
    let stream = h.next_is(WATCH_LIST).await.stream();
    stream.send(&initial_end(7));
    h.delta_is("REPLACED @7").await;
    stream.close();
    h.next_is(WATCH).await.status(404, &status(404, "NotFound"));
    let first = h.next_is(WATCH_LIST).await;
    assert_eq!(first.version(), "7");
    let at = first.at;
    first.status(410, &status(410, "Expired"));
    let second = h.next_is(WATCH_LIST).await;
    assert_eq!((second.version().as_str(), second.at - at), ("", Duration::ZERO));
    second.status(410, &status(410, "Expired"));
    let third = h.next_is(WATCH_LIST).await;
    assert!(third.at - at >= Duration::from_millis(800));
}

#[tokio::test(start_paused = true)]
async fn r15_a_watch_list_that_breaks_off_is_begun_anew_and_listed_after_three() {
    let mut h = Harness::start(ListMode::Auto);
    for n in 0..3 {
        let stream = h.next_is(WATCH_LIST).await.stream();
        stream.send(&added("ghost", n + 1));
        if n == 1 { stream.close() } else { stream.cut() }
    }
    h.next_is(LIST).await.json(&list("9", "", &[pod("a", 2)]));
    h.delta_is("REPLACED @9 +a@2").await;
    h.no_delta();
}

#[tokio::test(start_paused = true)]
async fn r15_a_watch_list_closed_at_once_is_followed_by_a_list() {
    let mut h = Harness::start(ListMode::Auto);
    h.next_is(WATCH_LIST).await.stream().close();
    h.next_is(LIST).await;
}

#[tokio::test(start_paused = true)]
async fn r16_a_server_that_ignores_send_initial_events_is_listed_after_two_attempts() {
    let mut h = Harness::start(ListMode::Auto);
    for _ in 0..2 {
        let stream = h.next_is(WATCH_LIST).await.stream();
        stream.send(&added("a", 1));
        // A busy resource must not hide that the end does not come.
        for n in 0..20 {
            tokio::time::sleep(Duration::from_secs(1)).await;
            stream.send(&event("MODIFIED", &pod("a", 2 + n)));
        }
        stream.dropped().await;
    }
    h.next_is(LIST).await.json(&list("30", "", &[pod("a", 21)]));
    h.delta_is("REPLACED @30 +a@21").await;
    h.next_is(WATCH).await.status(410, &status(410, "Expired"));
    h.next_is(LIST).await;
}

#[tokio::test(start_paused = true)]
async fn r16_a_slow_watch_list_is_waited_for_while_objects_come() {
    let mut h = Harness::start(ListMode::Auto);
    let stream = h.next_is(WATCH_LIST).await.stream();
    for n in 1..=20 {
        tokio::time::sleep(Duration::from_secs(10)).await;
        stream.send(&added(&format!("p{n}"), n));
    }
    stream.send(&initial_end(20));
    assert!(h.delta().await.starts_with("REPLACED @20 +p1@1"));
}

#[tokio::test(start_paused = true)]
async fn watch_list_mode_never_lists() {
    let mut h = Harness::start(ListMode::WatchList);
    for _ in 0..5 {
        h.next_is(WATCH_LIST).await.status(422, &status(422, "Invalid"));
    }
    let error = h.state(UpstreamState::Backoff).await.last_error.unwrap();
    assert_eq!((error.http_status, &*error.reason), (422, "Invalid"));
}

#[tokio::test(start_paused = true)]
async fn a_relist_by_watch_list_tells_only_what_changed() {
    let mut h = Harness::start(ListMode::Auto);
    let stream = h.next_is(WATCH_LIST).await.stream();
    stream.send(&[added("a", 1), added("b", 2), added("c", 3), initial_end(3)].concat());
    h.delta_is("REPLACED @3 +a@1 +b@2 +c@3").await;
    stream.send(&event("ERROR", &status(410, "Expired")));
    let stream = h.next_is(WATCH_LIST).await.stream();
    stream.send(&[added("a", 1), added("c", 9), initial_end(9)].concat());
    h.delta_is("REPLACED @9 =a@1 -b +c@9").await;
    assert_eq!(h.store.all(), ["a@1", "c@9"]);
}
