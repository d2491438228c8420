//! What users of other informers have met in the field, by the number of the case.

use std::time::Duration;

use http::Response;

use super::harness::*;
use crate::upstream::{ListMode, UpstreamState};

#[tokio::test(start_paused = true)]
async fn case_5_a_relist_that_fails_in_five_ways_succeeds_the_sixth_time() {
    let (mut h, watch) = Harness::listed(7).await;
    watch.status(410, &status(410, "Expired"));
    h.next_is(LIST).await.status(500, "");
    // The connection is reset.
    h.next_is(LIST).await.refuse();
    h.next_is(LIST).await.json("{\"items\":[nonsense");
    // No answer at all.
    let unanswered = h.next_is(LIST).await;
    let next = h.next_is(LIST).await;
    drop(unanswered);
    next.status(403, &status(403, "Forbidden"));
    h.next_is(LIST).await.json(&list("50", "", &[pod("a", 9)]));
    h.delta_is("REPLACED @50 +a@9").await;
    let stream = h.next_is(WATCH).await.stream();
    stream.send(&added("b", 51));
    h.delta_is("ADDED b@51").await;
    h.state(UpstreamState::Watching).await;
}

#[tokio::test(start_paused = true)]
async fn case_6_429_with_retry_after_for_30_seconds_is_obeyed_and_recovered_from() {
    let (mut h, mut watch) = Harness::listed(7).await;
    let start = watch.at;
    let mut requests = 0;
    while watch.at - start < Duration::from_secs(30) {
        let at = watch.at;
        watch.full(Response::builder().status(429).header("retry-after", "3"), "");
        watch = h.next_is(WATCH).await;
        assert!(watch.at - at >= Duration::from_secs(3), "{:?}", watch.at - at);
        requests += 1;
    }
    assert!(requests <= 10, "{requests}");
    assert_eq!(watch.version(), "7");
    let stream = watch.stream();
    stream.send(&added("a", 8));
    h.delta_is("ADDED a@8").await;
    assert_eq!(h.status.get().lists, 1);
}

#[tokio::test(start_paused = true)]
async fn case_9_an_idle_watch_that_is_cut_every_50_seconds_for_half_an_hour_is_opened_again_at_once() {
    let (mut h, mut watch) = Harness::listed(7).await;
    for n in 0..36u64 {
        let stream = watch.stream();
        tokio::time::sleep(Duration::from_secs(50)).await;
        let cut = tokio::time::Instant::now();
        stream.cut();
        watch = h.next_is(WATCH).await;
        assert_eq!(watch.at, cut, "cut {n}");
    }
    // And a failure waits as the first one ever.
    let at = watch.at;
    watch.refuse();
    assert_eq!((h.next_is(WATCH).await.at - at).as_millis(), 800);
    h.no_delta();
    assert_eq!(h.status.get().lists, 1);
}

#[tokio::test(start_paused = true)]
async fn case_8_10_16_an_api_server_that_is_away_for_ten_minutes_is_asked_seldom_and_never_given_up() {
    let (mut h, mut watch) = Harness::listed(7).await;
    let start = watch.at;
    let mut asked = Vec::new();
    while watch.at - start < Duration::from_secs(600) {
        asked.push(watch.at - start);
        watch.refuse();
        watch = h.next_is(WATCH).await;
        let status = h.status.get();
        assert_eq!(status.state, UpstreamState::Backoff, "it shows all the time");
        assert!(status.last_error.is_some());
    }
    let first_minute = asked.iter().filter(|at| at.as_secs() < 60).count();
    assert!(first_minute <= 8 && asked.len() <= 26, "{asked:?}");
    assert!(asked.windows(2).all(|w| w[1] - w[0] <= Duration::from_secs(30)));
    assert_eq!(watch.version(), "7");
    let stream = watch.stream();
    stream.send(&added("a", 8));
    h.delta_is("ADDED a@8").await;
    let status = h.state(UpstreamState::Watching).await;
    assert_eq!((status.lists, status.last_error), (1, None));
}

#[tokio::test(start_paused = true)]
async fn case_13_after_a_list_in_any_order_the_watch_goes_on_from_the_lists_version() {
    let mut h = Harness::start(ListMode::List);
    let items = [pod("c", 40), pod("a", 3), pod("b", 12)];
    h.next_is(LIST).await.json(&list("44", "", &items));
    h.delta_is("REPLACED @44 +a@3 +b@12 +c@40").await;
    let watch = h.next_is(WATCH).await;
    assert_eq!(watch.version(), "44");
    watch.stream().cut();
    assert_eq!(h.next_is(WATCH).await.version(), "44");
    h.no_delta();
}

#[tokio::test(start_paused = true)]
async fn case_15_a_continue_token_that_expires_on_page_7_leads_to_one_list_and_one_delta() {
    let mut h = Harness::start(ListMode::List);
    for page in 1..7 {
        let items = [pod(&format!("p{page}"), page)];
        h.next_is(LIST).await.json(&list("44", &format!("token{page}"), &items));
    }
    let seventh = h.next_is(LIST).await;
    assert_eq!(seventh.param("continue").as_deref(), Some("token6"));
    h.no_delta();
    seventh.status(410, &status(410, "Expired"));
    let whole = h.next_is(LIST).await;
    assert_eq!((whole.param("continue"), whole.param("limit")), (None, None));
    assert_eq!(h.status.get().state, UpstreamState::Listing);
    whole.json(&list("60", "", &[pod("p1", 1), pod("p9", 55)]));
    h.delta_is("REPLACED @60 +p1@1 +p9@55").await;
    assert_eq!(h.next_is(WATCH).await.version(), "60");
}

#[tokio::test(start_paused = true)]
async fn case_17_fifty_drops_without_a_change_are_no_event() {
    let (mut h, mut watch) = Harness::listed(7).await;
    for n in 0..50 {
        let stream = watch.stream();
        tokio::time::sleep(Duration::from_secs(5)).await;
        if n % 2 == 0 {
            stream.cut()
        } else {
            stream.close()
        }
        watch = h.next_is(WATCH).await;
        assert_eq!(watch.version(), "7");
    }
    h.no_delta();
    assert_eq!(h.status.get().lists, 1);
}

#[tokio::test(start_paused = true)]
async fn r17_half_frames_tables_and_other_kinds_cost_nothing_but_a_count() {
    let (mut h, watch) = Harness::listed(7).await;
    let stream = watch.stream();
    let table = r#"{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"99"},"rows":[]}"#;
    stream.send(&event("ADDED", table));
    stream.send(&event("ADDED", &pod("x", 98).replace("\"Pod\"", "\"Secret\"")));
    stream.send("\u{0}\u{1}garbage\n{\"type\":\"ADDED\"}\n[]\nnull\n");
    stream.send(&added("a", 8));
    h.delta_is("ADDED a@8").await;
    assert_eq!(h.status.get().skipped, 6);
    // A frame that the end of the connection cuts off counts as never sent.
    let whole = added("b", 9);
    stream.send(&whole[..whole.len() / 2]);
    stream.close();
    let watch = h.next_is(WATCH).await;
    assert_eq!(watch.version(), "8");
    let stream = watch.stream();
    stream.send(&whole);
    h.delta_is("ADDED b@9").await;
    assert_eq!(h.status.get().lists, 1);
}

#[tokio::test(start_paused = true)]
async fn an_event_of_20_mib_passes_and_one_over_the_bound_does_not_become_memory() {
    let (mut h, watch) = Harness::listed(7).await;
    let stream = watch.stream();
    let large = |name: &str, version, bytes| {
        let text = "x".repeat(bytes);
        added(name, version).replace("\"metadata\":", &format!("\"data\":\"{text}\",\"metadata\":"))
    };
    stream.send(&large("large", 8, 20 << 20));
    h.delta_is("ADDED large@8").await;
    stream.send(&added("small", 9));
    h.delta_is("ADDED small@9").await;
    // Nothing ends the frame; what is held stays under the bound and the watch is given up.
    stream.send(&format!("{{\"type\":\"ADDED\",\"object\":\"{}", "x".repeat(65 << 20)));
    let again = h.next_is(WATCH).await;
    assert_eq!(
        (again.version().as_str(), &*h.status.get().last_error.unwrap().reason),
        ("9", "FrameTooLarge")
    );
}
