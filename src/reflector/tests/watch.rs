//! The watch while all is well (rows R10 to R13, R17).

use std::time::Duration;

use super::harness::*;
use crate::{
    reflector::Randomness,
    upstream::{ListMode, UpstreamState},
};

#[tokio::test(start_paused = true)]
async fn r10_a_normal_close_rewatches_at_once_from_the_last_version() {
    let (mut h, watch) = Harness::listed(7).await;
    let stream = watch.stream();
    stream.send(&added("a", 8));
    stream.send(&event("MODIFIED", &pod("a", 9)));
    stream.send(&event("DELETED", &pod("a", 11)));
    stream.close();
    let again = h.next_is(WATCH).await;
    assert_eq!(again.version(), "11");
    let at = again.at;
    // An empty watch that lived a second is as good.
    let stream = again.stream();
    h.state(UpstreamState::Watching).await;
    tokio::time::sleep(Duration::from_millis(1001)).await;
    stream.close();
    let third = h.next_is(WATCH).await;
    assert_eq!(
        (third.version().as_str(), third.at - at),
        ("11", Duration::from_millis(1001))
    );
    for want in ["ADDED a@8", "UPDATED a@9", "DELETED a@11"] {
        h.delta_is(want).await;
    }
    assert_eq!(h.status.get().lists, 1);
}

#[tokio::test(start_paused = true)]
async fn r11_watches_ask_for_a_random_time_between_5_and_10_minutes() {
    for (random, want) in [(0.0, "300"), (0.5, "450"), (0.999, "599")] {
        let mut h = Harness::with(|_, config| config.randomness = Randomness::new(move || random));
        assert_eq!(h.next().await.param("timeoutSeconds").as_deref(), Some(want));
    }
}

#[tokio::test(start_paused = true)]
async fn r12_a_bookmark_advances_the_version_and_is_passed_on() {
    let (mut h, watch) = Harness::listed(7).await;
    let stream = watch.stream();
    stream.send(&added("a", 8));
    stream.send(&bookmark(42));
    h.delta_is("ADDED a@8").await;
    h.delta_is("BOOKMARK @42").await;
    stream.cut();
    assert_eq!(h.next_is(WATCH).await.version(), "42");
    assert_eq!(h.store.all(), ["a@8"]);
}

#[tokio::test(start_paused = true)]
async fn r13_a_watch_from_no_version_counts_only_from_its_first_real_event() {
    let mut h = Harness::start(ListMode::List);
    h.next_is(LIST).await.json(&list("", "", &[]));
    h.delta_is("REPLACED @").await;
    let watch = h.next_is(WATCH).await;
    assert_eq!(watch.version(), "");
    let stream = watch.stream();
    stream.send(&[added("z", 90), added("a", 3)].concat());
    stream.close();
    let watch = h.next_is(WATCH).await;
    assert_eq!(watch.version(), "", "initial events are in no order");
    let stream = watch.stream();
    stream.send(&[added("a", 3), bookmark(91), added("b", 92)].concat());
    stream.close();
    assert_eq!(h.next_is(WATCH).await.version(), "92");
}

#[tokio::test(start_paused = true)]
async fn r17_what_cannot_be_used_is_skipped_counted_and_advances_nothing() {
    let (mut h, watch) = Harness::listed(7).await;
    let stream = watch.stream();
    stream.send(&added("a", 8));
    let bad = [
        event(
            "ADDED",
            r#"{"kind":"Secret","apiVersion":"v1","metadata":{"name":"s","resourceVersion":"90"}}"#,
        ),
        event(
            "ADDED",
            r#"{"kind":"Pod","apiVersion":"v2","metadata":{"name":"s","resourceVersion":"91"}}"#,
        ),
        event(
            "MODIFIED",
            r#"{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"92"},"rows":[]}"#,
        ),
        event("RENAMED", &pod("a", 93)),
        event(
            "ADDED",
            r#"{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"94"}}"#,
        ),
        event("ADDED", "{\"kind\":\"Pod\",,}"),
        event("BOOKMARK", r#"{"metadata":{}}"#),
        "garbage\n".to_owned(),
        "\u{1f600}\n".to_owned(),
    ];
    for frame in &bad {
        stream.send(frame);
    }
    // Not the usual form, but right.
    stream.send(&format!("{{\"object\":{},\"type\":\"ADDED\"}}\n", pod("b", 9)));
    stream.send(&format!(
        "{{\"type\":\"ADDED\",\"object\":{},\"more\":{{}}}}\n",
        pod("c", 10)
    ));
    for want in ["ADDED a@8", "ADDED b@9", "ADDED c@10"] {
        h.delta_is(want).await;
    }
    stream.close();
    assert_eq!(h.next_is(WATCH).await.version(), "10");
    assert_eq!(h.status.get().skipped, bad.len() as u64);
}

#[tokio::test(start_paused = true)]
async fn frames_may_be_cut_anywhere() {
    let (mut h, watch) = Harness::listed(7).await;
    let stream = watch.stream();
    let frames = [added("a", 8), event("MODIFIED", &pod("a", 9)), bookmark(10)].concat();
    for n in 0..frames.len() {
        stream.send(&frames[n..=n]);
    }
    for want in ["ADDED a@8", "UPDATED a@9", "BOOKMARK @10"] {
        h.delta_is(want).await;
    }
    // The end of the stream inside a frame is no normal close, and the half frame is not used.
    let half = added("b", 11);
    stream.send(&half[..half.len() - 3]);
    stream.close();
    assert_eq!(h.next_is(WATCH).await.version(), "10");
    assert_eq!(h.status.get().last_error.unwrap().reason, "Interrupted");
    h.no_delta();
}

#[tokio::test(start_paused = true)]
async fn case_1_a_silent_watch_is_replaced_from_the_same_version_without_a_list() {
    let (mut h, watch) = Harness::listed(7).await;
    let at = watch.at;
    let stream = watch.stream();
    tokio::time::sleep(Duration::from_secs(80)).await;
    stream.send(&bookmark(9));
    // One object, to learn the server's version (field case 14).
    let probe = h.next_is(LIST).await;
    assert_eq!(
        probe.at - at,
        Duration::from_secs(80 + 90),
        "counted from the last byte"
    );
    assert_eq!(probe.request.uri().query(), Some("limit=1"));
    probe.json(&list("9", "more", &[pod("a", 1)]));
    let again = h.next_is(WATCH).await;
    assert_eq!(again.version(), "9");
    stream.dropped().await;
    let _open = again.stream();
    h.no_request_for(Duration::from_secs(1)).await;
    let status = h.status.get();
    assert_eq!(
        (status.state, status.lists, status.watches),
        (UpstreamState::Watching, 1, 2)
    );
    assert_eq!(status.last_error, None, "silence alone is no error");
}

#[tokio::test(start_paused = true)]
async fn time_that_we_take_to_apply_is_no_silence_of_the_server() {
    let (mut h, watch) = Harness::listed(7).await;
    let stream = watch.stream();
    let gate = h.gate.clone().lock_owned().await;
    // Fills the queue, so that the reflector waits for room with the next event in its hand.
    let big = pod("big", 8).replace(r#""name""#, &format!(r#""x":"{}","name""#, "x".repeat(2 << 20)));
    stream.send(&event("ADDED", &big));
    stream.send(&added("a", 9));
    h.no_request_for(Duration::from_secs(600)).await;
    h.no_delta();
    drop(gate);
    h.delta_is("ADDED big@8").await;
    h.delta_is("ADDED a@9").await;
    assert_eq!(h.status.get().watches, 1);
    h.no_request_for(Duration::from_secs(89)).await;
    h.next_is(LIST).await.json(&list("9", "", &[]));
    h.next_is(WATCH).await;
}

#[tokio::test(start_paused = true)]
async fn dropping_the_reflector_drops_the_watch() {
    let (h, watch) = Harness::listed(7).await;
    let stream = watch.stream();
    h.state(UpstreamState::Watching).await;
    h.reflector.abort();
    stream.dropped().await;
}

#[tokio::test(start_paused = true)]
async fn a_stopped_informer_ends_its_reflector() {
    let (mut h, watch) = Harness::listed(7).await;
    let stream = watch.stream();
    h.state(UpstreamState::Watching).await;
    h.stop();
    tokio::task::yield_now().await;
    stream.send(&bookmark(9));
    stream.dropped().await;
    assert!((&mut h.reflector).await.is_ok(), "ended by itself");
}
