//! The watch in trouble (rows R2, R7 to R10, field cases 10 and 12).

use std::time::Duration;

use http::Response;

use super::harness::*;
use crate::upstream::{ListMode, UpstreamState};

#[tokio::test(start_paused = true)]
async fn r7_case_11_410_at_the_start_of_a_watch_leads_to_one_list_without_version() {
    let (mut h, watch) = Harness::listed(7).await;
    watch.status(410, &status(410, "Gone"));
    let relist = h.next_is(LIST).await;
    assert_eq!(relist.version(), "");
    relist.json(&list("50", "", &[]));
    h.delta_is("REPLACED @50").await;
    let watch = h.next_is(WATCH).await;
    assert_eq!(watch.version(), "50");
    let _open = watch.stream();
    h.no_request_for(Duration::from_secs(60)).await;
    assert_eq!(h.status.get().lists, 2);
}

#[tokio::test(start_paused = true)]
async fn r7_case_11_410_in_the_stream_leads_to_one_list_that_keeps_what_is_unchanged() {
    let mut h = Harness::start(ListMode::List);
    h.next_is(LIST).await.json(&list("7", "", &[pod("a", 1), pod("b", 2)]));
    h.delta_is("REPLACED @7 +a@1 +b@2").await;
    h.next_is(WATCH).await.json(&event("ERROR", &status(410, "Expired")));
    let relist = h.next_is(LIST).await;
    assert_eq!(relist.version(), "");
    relist.json(&list("50", "", &[pod("a", 1), pod("c", 9)]));
    h.delta_is("REPLACED @50 =a@1 -b +c@9").await;
    let _open = h.next_is(WATCH).await.stream();
    h.no_request_for(Duration::from_secs(60)).await;
}

#[tokio::test(start_paused = true)]
async fn r8_transport_errors_and_5xx_watch_again_from_the_same_version_and_never_list() {
    let (mut h, watch) = Harness::listed(7).await;
    watch.refuse();
    let mut last = h.next_is(WATCH).await;
    for code in [500, 502, 503, 504] {
        assert_eq!(last.version(), "7");
        last.status(code, "no");
        last = h.next_is(WATCH).await;
        assert_eq!(h.status.get().last_error.unwrap().http_status, code);
    }
    for _ in 0..20 {
        let (answer, next) = (last, h.next_is(WATCH));
        answer.refuse();
        last = next.await;
    }
    assert_eq!(last.version(), "7");
    let stream = last.stream();
    stream.send(&added("a", 8));
    h.delta_is("ADDED a@8").await;
    let status = h.state(UpstreamState::Watching).await;
    assert_eq!((status.lists, status.last_error), (1, None));
}

#[tokio::test(start_paused = true)]
async fn r2_delays_grow_to_the_cap_over_all_kinds_of_failure() {
    let (mut h, watch) = Harness::listed(7).await;
    let mut at = watch.at;
    let mut asked = watch;
    for want in [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000] {
        if want % 1600 == 0 {
            asked.refuse()
        } else {
            asked.status(503, "")
        }
        asked = h.next_is(WATCH).await;
        assert_eq!((asked.at - at).as_millis(), want);
        at = asked.at;
    }
}

#[tokio::test(start_paused = true)]
async fn r8_429_waits_as_told_and_watches_from_the_same_version() {
    let (mut h, watch) = Harness::listed(7).await;
    let mut at = watch.at;
    watch.full(Response::builder().status(429).header("retry-after", "33"), "");
    let again = h.next_is(WATCH).await;
    assert_eq!(
        (again.version().as_str(), again.at - at),
        ("7", Duration::from_secs(33))
    );
    at = again.at;
    again.json(&event(
        "ERROR",
        r#"{"kind":"Status","code":429,"reason":"TooManyRequests","details":{"retryAfterSeconds":21}}"#,
    ));
    let third = h.next_is(WATCH).await;
    assert_eq!(
        (third.version().as_str(), third.at - at),
        ("7", Duration::from_secs(21))
    );
    assert_eq!(h.status.get().lists, 1);
}

#[tokio::test(start_paused = true)]
async fn a_watch_without_an_answer_is_given_up_and_tried_again() {
    let (mut h, watch) = Harness::listed(7).await;
    let at = watch.at;
    let again = h.next_is(WATCH).await;
    assert_eq!((again.at - at).as_millis(), 30_000 + 800);
    assert_eq!(h.status.get().last_error.unwrap().reason, "Timeout");
    assert_eq!(h.clients(), 2, "the old connection may be dead");
    drop(watch);
    assert_eq!(again.version(), "7");
}

#[tokio::test(start_paused = true)]
async fn r9_internal_errors_in_the_stream_watch_again_and_list_after_three() {
    let (mut h, watch) = Harness::listed(7).await;
    let error = event("ERROR", &status(500, "InternalError"));
    watch.json(&error);
    h.next_is(WATCH).await.json(&error);
    h.next_is(WATCH).await.json(&error);
    assert_eq!(h.next_is(LIST).await.version(), "7");
    // After a good watch the count starts again.
    let (mut h, watch) = Harness::listed(7).await;
    watch.json(&error);
    h.next_is(WATCH).await.json(&error);
    h.next_is(WATCH).await.json(&bookmark(8));
    h.next_is(WATCH).await.json(&error);
    h.next_is(WATCH).await.json(&error);
    assert_eq!(h.next_is(WATCH).await.version(), "8");
}

#[tokio::test(start_paused = true)]
async fn r24_an_object_that_the_server_cannot_read_leads_to_a_list() {
    let (mut h, watch) = Harness::listed(7).await;
    watch.json(&event("ERROR", &status(500, "StoreReadError")));
    h.next_is(LIST).await;
}

#[tokio::test(start_paused = true)]
async fn case_12_watches_that_close_at_once_are_few_and_lead_to_a_list() {
    let (mut h, watch) = Harness::listed(7).await;
    let start = watch.at;
    watch.stream().close();
    let mut kinds = Vec::new();
    let mut end = start;
    for _ in 0..10 {
        let asked = h.next().await;
        kinds.push(asked.kind());
        end = asked.at;
        if asked.kind() == LIST {
            asked.json(&list("7", "", &[]));
        } else {
            asked.stream().close();
        }
    }
    assert_eq!(
        kinds,
        [WATCH, WATCH, LIST, WATCH, WATCH, WATCH, LIST, WATCH, WATCH, WATCH]
    );
    assert!(end - start > Duration::from_secs(60), "{:?}", end - start);
}

#[tokio::test(start_paused = true)]
async fn case_12_watches_that_bring_one_event_and_close_are_no_hot_loop() {
    let (mut h, mut asked) = Harness::listed(7).await;
    let start = asked.at;
    let mut requests = 0u64;
    while asked.at - start < Duration::from_secs(100) {
        asked.json(&bookmark(8 + requests));
        asked = h.next_is(WATCH).await;
        requests += 1;
    }
    assert!((190..=212).contains(&requests), "{requests}");
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_breaks_is_replaced_at_once_and_nothing_is_lost_or_doubled() {
    let (mut h, mut watch) = Harness::listed(7).await;
    for n in 0..20u64 {
        let (at, stream) = (watch.at, watch.stream());
        stream.send(&added(&format!("p{n:02}"), 8 + n));
        h.delta_is(&format!("ADDED p{n:02}@{}", 8 + n)).await;
        tokio::time::sleep(Duration::from_secs(2)).await;
        stream.cut();
        watch = h.next_is(WATCH).await;
        assert_eq!(
            (watch.version(), watch.at - at),
            ((8 + n).to_string(), Duration::from_secs(2))
        );
        assert_eq!(h.status.get().state, UpstreamState::Backoff, "no watch is open now");
    }
    h.no_delta();
    assert_eq!(h.status.get().lists, 1);
}

#[tokio::test(start_paused = true)]
async fn rights_that_are_missing_show_as_forbidden_and_may_be_granted_later() {
    for code in [401, 403] {
        let mut h = Harness::start(ListMode::Auto);
        for _ in 0..3 {
            h.next_is(WATCH_LIST).await.status(code, &status(code, "No"));
            if code == 403 {
                h.next_is(LIST).await.status(code, &status(code, "No"));
            }
            let error = h.state(UpstreamState::Forbidden).await.last_error.unwrap();
            assert_eq!((error.http_status, &*error.message), (code, "said so"));
        }
        let stream = h.next_is(WATCH_LIST).await.stream();
        stream.send(&initial_end(1));
        h.delta_is("REPLACED @1").await;
        h.state(UpstreamState::Watching).await;
    }
}

#[tokio::test(start_paused = true)]
async fn rights_for_list_alone_give_the_state_and_forbidden_until_watch_is_granted() {
    let mut h = Harness::start(ListMode::Auto);
    h.next_is(WATCH_LIST).await.status(403, &status(403, "Forbidden"));
    h.next_is(LIST).await.json(&list("7", "", &[pod("a", 1)]));
    h.delta_is("REPLACED @7 +a@1").await;
    for _ in 0..5 {
        h.next_is(WATCH).await.status(403, &status(403, "Forbidden"));
        h.state(UpstreamState::Forbidden).await;
    }
    let stream = h.next_is(WATCH).await.stream();
    stream.send(&added("b", 8));
    h.delta_is("ADDED b@8").await;
}

#[tokio::test(start_paused = true)]
async fn a_resource_that_is_gone_shows_so_and_is_listed_when_it_comes_back() {
    let (mut h, watch) = Harness::listed(7).await;
    watch.status(404, "404 page not found");
    h.state(UpstreamState::Gone).await;
    for _ in 0..3 {
        h.next_is(LIST).await.status(404, "404 page not found");
        let error = h.state(UpstreamState::Gone).await.last_error.unwrap();
        assert_eq!((&*error.reason, &*error.message), ("NotFound", "404 page not found"));
    }
    h.next_is(LIST).await.json(&list("9", "", &[pod("new", 9)]));
    h.delta_is("REPLACED @9 +new@9").await;
}

#[tokio::test(start_paused = true)]
async fn a_watch_that_is_refused_three_times_is_listed() {
    let (mut h, watch) = Harness::listed(7).await;
    watch.status(400, &status(400, "BadRequest"));
    h.next_is(WATCH).await.status(400, "");
    h.next_is(WATCH).await.status(400, "");
    h.next_is(LIST).await;
}

#[tokio::test(start_paused = true)]
async fn case_4_after_an_outage_a_410_is_followed_by_a_list_without_the_outages_delay() {
    let (mut h, mut asked) = Harness::listed(7).await;
    for _ in 0..8 {
        asked.refuse();
        asked = h.next_is(WATCH).await;
    }
    let at = asked.at;
    asked.status(410, &status(410, "Expired"));
    let relist = h.next_is(LIST).await;
    assert_eq!((relist.at - at).as_millis(), 800);
    relist.json(&list("50", "", &[]));
}
