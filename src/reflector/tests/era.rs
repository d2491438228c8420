//! Versions that go backwards (field case 14): etcd was restored from a backup, or an aggregated API server began anew.

use std::time::Duration;

use super::harness::*;
use crate::upstream::{ListMode, UpstreamState};

#[tokio::test(start_paused = true)]
async fn case_14_an_older_list_is_read_again_and_compared_with_nothing() {
    let mut h = Harness::start(ListMode::List);
    h.next_is(LIST)
        .await
        .json(&list("900", "", &[pod("a", 5), pod("b", 800)]));
    h.delta_is("REPLACED @900 +a@5 +b@800").await;
    h.next_is(WATCH).await.status(410, &status(410, "Expired"));
    h.next_is(LIST).await.json(&list("100", "", &[pod("a", 5)]));
    // `a` has the version that we know, and may be another state all the same.
    let again = h.next_is(LIST).await;
    assert_eq!(again.version(), "");
    h.no_delta();
    again.json(&list("101", "", &[pod("a", 5)]));
    h.delta_is("ANEW @101 -b +a@5").await;
    let watch = h.next_is(WATCH).await;
    assert_eq!(watch.version(), "101");
    watch.status(410, &status(410, "Expired"));
    // From here on it is the new history that counts.
    h.next_is(LIST).await.json(&list("102", "", &[pod("a", 5)]));
    h.delta_is("REPLACED @102 =a@5").await;
}

#[tokio::test(start_paused = true)]
async fn case_14_an_older_watch_list_is_read_again_at_once() {
    let mut h = Harness::start(ListMode::Auto);
    let stream = h.next_is(WATCH_LIST).await.stream();
    stream.send(&(added("a", 5) + &initial_end(900)));
    h.delta_is("REPLACED @900 +a@5").await;
    stream.send(&event("ERROR", &status(410, "Expired")));
    let again = h.next_is(WATCH_LIST).await;
    assert_eq!(again.version(), "");
    let at = again.at + Duration::ZERO;
    let older = again.stream();
    older.send(&(added("a", 5) + &initial_end(100)));
    let anew = h.next_is(WATCH_LIST).await;
    assert_eq!((anew.version().as_str(), anew.at), ("", at));
    let stream = anew.stream();
    stream.send(&(added("a", 5) + &initial_end(100)));
    h.delta_is("ANEW @100 +a@5").await;
    stream.send(&added("b", 101));
    h.delta_is("ADDED b@101").await;
    assert_eq!(h.state(UpstreamState::Watching).await.last_error, None);
}

/// A watch from the future of a restored server is open and silent: it hides all events, and bookmarks too.
#[tokio::test(start_paused = true)]
async fn case_14_a_watch_that_is_silent_because_its_version_lies_in_the_future_is_found_out() {
    let (mut h, watch) = Harness::listed(900).await;
    let _silent = watch.stream();
    let probe = h.next_is(LIST).await;
    assert_eq!(
        (probe.param("limit").as_deref(), probe.version().as_str()),
        (Some("1"), "")
    );
    probe.json(&list("100", "more", &[pod("a", 5)]));
    let relist = h.next_is(LIST).await;
    assert_eq!(
        (relist.param("limit").as_deref(), relist.version().as_str()),
        (Some("500"), "")
    );
    relist.json(&list("100", "", &[pod("a", 5)]));
    h.delta_is("ANEW @100 +a@5").await;
    assert_eq!(h.next_is(WATCH).await.version(), "100");
}

#[tokio::test(start_paused = true)]
async fn case_14_an_older_bookmark_is_found_out() {
    let (mut h, watch) = Harness::listed(900).await;
    let stream = watch.stream();
    stream.send(&bookmark(100));
    h.next_is(LIST).await.json(&list("100", "", &[]));
    h.delta_is("ANEW @100").await;
}

#[tokio::test(start_paused = true)]
async fn case_14_versions_that_do_not_compare_are_no_sign() {
    let mut h = Harness::start(ListMode::List);
    h.next_is(LIST).await.json(&list("z", "", &[]));
    h.delta_is("REPLACED @z").await;
    h.next_is(WATCH).await.status(410, &status(410, "Expired"));
    h.next_is(LIST).await.json(&list("a", "", &[]));
    h.delta_is("REPLACED @a").await;
}
