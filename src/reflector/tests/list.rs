//! The paged list (rows R3 to R6, R17, R25).

use super::harness::*;
use crate::upstream::{ListMode, UpstreamState};

#[tokio::test(start_paused = true)]
async fn r3_r4_the_first_list_is_at_version_0_in_pages_and_one_delta() {
    let mut h = Harness::start(ListMode::List);
    let first = h.next_is(LIST).await;
    assert_eq!(
        first.request.uri(),
        "/api/v1/pods?limit=500&resourceVersion=0&resourceVersionMatch=NotOlderThan"
    );
    first.json(&list("7", "a+/=", &[pod("a", 1), pod("b", 2)]));
    let second = h.next_is(LIST).await;
    assert_eq!(second.request.uri(), "/api/v1/pods?limit=500&continue=a%2B%2F%3D");
    assert_eq!(h.status.get().state, UpstreamState::Listing);
    h.no_delta();
    second.json(&list("7", "", &[pod("c", 3)]));
    h.delta_is("REPLACED @7 +a@1 +b@2 +c@3").await;
    let watch = h.next_is(WATCH).await;
    assert_eq!(
        watch.request.uri(),
        "/api/v1/pods?watch=true&allowWatchBookmarks=true&timeoutSeconds=300&resourceVersion=7"
    );
    assert_eq!(h.status.get().lists, 1, "pages are not lists");
}

#[tokio::test(start_paused = true)]
async fn r3_r4_a_relist_is_not_older_than_what_was_seen_and_has_no_limit() {
    let (mut h, watch) = Harness::listed(7).await;
    watch.status(404, &status(404, "NotFound"));
    let relist = h.next_is(LIST).await;
    assert_eq!(
        relist.request.uri(),
        "/api/v1/pods?resourceVersion=7&resourceVersionMatch=NotOlderThan"
    );
}

#[tokio::test(start_paused = true)]
async fn r4_a_server_without_watch_cache_is_listed_in_pages_ever_after() {
    let mut h = Harness::start(ListMode::List);
    h.next_is(LIST).await.json(&list("7", "x", &[]));
    h.next_is(LIST).await.json(&list("7", "", &[]));
    h.next_is(WATCH).await.status(404, "");
    let relist = h.next_is(LIST).await;
    assert_eq!(
        (relist.version().as_str(), relist.param("limit").as_deref()),
        ("7", Some("500"))
    );
}

#[tokio::test(start_paused = true)]
async fn r5_a_continue_token_that_expires_leads_to_one_list_without_pages() {
    let mut h = Harness::start(ListMode::List);
    h.next_is(LIST)
        .await
        .json(&list("7", "x", &[pod("gone", 1), pod("b", 2)]));
    h.next_is(LIST).await.status(410, &status(410, "Expired"));
    let full = h.next_is(LIST).await;
    assert_eq!(
        full.request.uri(),
        "/api/v1/pods?resourceVersion=0&resourceVersionMatch=NotOlderThan"
    );
    full.json(&list("9", "", &[pod("b", 2), pod("c", 8)]));
    h.delta_is("REPLACED @9 +b@2 +c@8").await;
    assert_eq!(h.next_is(WATCH).await.version(), "9");
}

#[tokio::test(start_paused = true)]
async fn r6_a_version_too_large_for_the_server_is_dropped_at_once() {
    let (mut h, watch) = Harness::listed(7).await;
    watch.status(404, "");
    let relist = h.next_is(LIST).await;
    let at = relist.at;
    relist.status(
        504,
        r#"{"reason":"Timeout","message":"x","details":{"retryAfterSeconds":1,"causes":[{"reason":"ResourceVersionTooLarge"}]}}"#,
    );
    let again = h.next_is(LIST).await;
    assert_eq!(
        (again.request.uri().to_string().as_str(), again.at),
        ("/api/v1/pods?limit=500", at)
    );
    again.json(&list("3", "", &[]));
    // An older version than before is another history (field case 14).
    h.next_is(LIST).await.json(&list("3", "", &[]));
    // The flag clears on success (row R3).
    h.next_is(WATCH).await.status(404, "");
    assert_eq!(h.next_is(LIST).await.version(), "3");
}

#[tokio::test(start_paused = true)]
async fn a_list_that_breaks_half_way_changes_nothing() {
    let (mut h, watch) = Harness::listed(7).await;
    let stream = watch.stream();
    stream.send(&added("a", 8));
    h.delta_is("ADDED a@8").await;
    stream.send(&event("ERROR", &status(410, "Expired")));
    let body = list("9", "", &[pod("b", 9), pod("c", 9)]);
    let half = h.next_is(LIST).await.stream();
    half.send(&body[..body.len() / 2]);
    half.cut();
    let silent = h.next_is(LIST).await.stream();
    silent.send(&body[..body.len() - 1]);
    silent.dropped().await;
    let short = h.next_is(LIST).await;
    assert_eq!(h.status.get().state, UpstreamState::Backoff);
    assert_eq!(h.store.all(), ["a@8"]);
    h.no_delta();
    short.json(&body);
    h.delta_is("REPLACED @9 -a +b@9 +c@9").await;
}

#[tokio::test(start_paused = true)]
async fn r17_what_is_no_list_fails_and_deletes_nothing() {
    let (mut h, watch) = Harness::listed(7).await;
    let stream = watch.stream();
    stream.send(&added("a", 8));
    stream.send(&event("ERROR", &status(410, "Expired")));
    h.delta_is("ADDED a@8").await;
    let mut asked = h.next_is(LIST).await;
    for body in [
        "{}",
        "<html>",
        r#"{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"9"},"rows":[]}"#,
        &status(200, "Success"),
    ] {
        asked.json(body);
        asked = h.next_is(LIST).await;
        let now = h.status.get();
        assert_eq!(now.state, UpstreamState::Backoff);
        assert_eq!(now.last_error.unwrap().reason, "MalformedList", "{body}");
    }
    h.no_delta();
    assert_eq!(h.store.all(), ["a@8"]);
}

#[tokio::test(start_paused = true)]
async fn r17_one_bad_item_is_counted_and_the_others_are_seen() {
    let mut h = Harness::start(ListMode::List);
    h.next_is(LIST)
        .await
        .json(&list("7", "", &[pod("a", 1), r#"{"metadata":{}}"#.into(), pod("b", 2)]));
    h.delta_is("REPLACED @7 +a@1 +b@2").await;
    assert_eq!(h.status.get().skipped, 1);
}

#[tokio::test(start_paused = true)]
async fn items_of_built_in_types_come_without_type_and_are_taken() {
    let mut h = Harness::start(ListMode::List);
    let item = r#"{"metadata":{"name":"a","namespace":"n","uid":"u","resourceVersion":"1"}}"#;
    h.next_is(LIST).await.json(&list("7", "", &[item.into()]));
    h.delta_is("REPLACED @7 +a@1").await;
}

#[tokio::test(start_paused = true)]
async fn r25_namespace_and_selectors_go_into_every_request() {
    let mut h = Harness::with(|job, _| {
        job.namespace = Some("prod".into());
        job.label_selector = Some("app in (a,b),x!=y".into());
        job.field_selector = Some("spec.nodeName=n1".into());
    });
    let check = |asked: &Asked| {
        assert_eq!(asked.request.uri().path(), "/api/v1/namespaces/prod/pods");
        assert_eq!(asked.param("labelSelector").as_deref(), Some("app in (a,b),x!=y"));
        assert_eq!(asked.param("fieldSelector").as_deref(), Some("spec.nodeName=n1"));
    };
    let asked = h.next_is(WATCH_LIST).await;
    check(&asked);
    asked.status(422, "");
    let asked = h.next_is(LIST).await;
    check(&asked);
    asked.json(&list("7", "x", &[]));
    let asked = h.next_is(LIST).await;
    check(&asked);
    asked.json(&list("7", "", &[]));
    check(&h.next_is(WATCH).await);
}

#[tokio::test(start_paused = true)]
async fn metadata_only_asks_for_partial_objects_and_takes_them() {
    let mut h = Harness::with(|job, _| job.metadata_only = true);
    let asked = h.next_is(WATCH_LIST).await;
    assert!(
        asked
            .header("accept")
            .starts_with("application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,")
    );
    asked.status(422, "");
    let asked = h.next_is(LIST).await;
    assert!(
        asked
            .header("accept")
            .starts_with("application/json;as=PartialObjectMetadataList;")
    );
    asked.json(&list("7", "", &[]));
    h.delta_is("REPLACED @7").await;
    let partial = pod("a", 8).replace(
        r#""kind":"Pod","apiVersion":"v1""#,
        r#""kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1""#,
    );
    let stream = h.next_is(WATCH).await.stream();
    stream.send(&event("ADDED", &partial));
    h.delta_is("ADDED a@8").await;
}

#[tokio::test(start_paused = true)]
async fn a_chain_of_empty_pages_is_no_hot_loop() {
    let mut h = Harness::start(ListMode::List);
    let first = h.next_is(LIST).await;
    let start = first.at;
    first.json(&list("7", "x", &[]));
    let mut last = start;
    for _ in 0..50 {
        let asked = h.next_is(LIST).await;
        last = asked.at;
        asked.json(&list("7", "x", &[]));
    }
    assert!((last - start).as_secs() >= 20, "{:?}", last - start);
}
