//! What is old or cannot be waited for is refused by name: `max_staleness`, versions that do not compare, and searches
//! that would hold up others.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

use tokio::time::{Instant, advance};

use super::*;

/// Synced pods that may be so old.
async fn rig_with(max_staleness: Option<Duration>) -> (Rig, FakeReflector) {
    let rig = rig();
    let request = SpecRequest {
        resource: ResourceQuery::named("pods"),
        max_staleness,
        ..rig.api.factory.options().template.clone()
    };
    rig.api.factory.create(Some("pods"), request).await.unwrap();
    let reflector = rig.upstream.reflector("pods").await;
    reflector.list(&[object("a/p", 7, "app=web")], 100).await;
    (rig, reflector)
}

fn list(read: Option<pb::ReadOptions>) -> pb::ListObjectsRequest {
    pb::ListObjectsRequest {
        informer: resource("pods"),
        read,
        ..pb::ListObjectsRequest::default()
    }
}

#[tokio::test(start_paused = true)]
async fn q10_max_staleness_refuses_reads_of_an_old_cache_until_it_is_proven_current() {
    let (rig, reflector) = rig_with(Some(Duration::from_secs(80))).await;
    let pinned = rig.list(list(pin())).await.unwrap().snapshot;
    let at = at(&pinned);
    advance(Duration::from_secs(40)).await;
    rig.list(list(at.clone())).await.unwrap();
    advance(Duration::from_secs(40)).await;
    rig.get(get("a/p")).await.unwrap();
    advance(Duration::from_millis(1)).await;
    reflector.fail(UpstreamState::Backoff, 503, "ServiceUnavailable");
    let stale = rig.get(get("a/p")).await;
    let cache = pb::CacheStatus::of_error(stale.as_ref().unwrap_err()).unwrap();
    assert_eq!(cache.upstream_state(), pb::UpstreamState::Backoff);
    assert_eq!(cache.last_error.unwrap().http_status, 503);
    assert!(cache.current_as_of.is_some() && cache.synced);
    let details = refused(stale, Code::Unavailable, "CACHE_STALE");
    assert_eq!(details.retry_info().unwrap().retry_delay, Some(Duration::from_secs(1)));
    assert_eq!(metadata(&details, "max_staleness"), "80s");
    // Every kind of read.
    refused(rig.list(list(None)).await, Code::Unavailable, "CACHE_STALE");
    refused(rig.list(list(at.clone())).await, Code::Unavailable, "CACHE_STALE");
    let count = pb::CountObjectsRequest {
        informer: resource("pods"),
        ..pb::CountObjectsRequest::default()
    };
    let counted = rig
        .api
        .count_objects(Request::new(count))
        .await
        .map(Response::into_inner);
    refused(counted, Code::Unavailable, "CACHE_STALE");
    // Past the cache there is nothing stale.
    rig.upstream.live.put("a/p", object("a/p", 8, ""));
    let live = pb::GetObjectRequest {
        read: fresh(pb::read_options::Freshness::Live(true)),
        ..get("a/p")
    };
    rig.get(live).await.unwrap();
    // A bookmark proves the cache.
    reflector.bookmark(120).await;
    rig.get(get("a/p")).await.unwrap();
    rig.list(list(at)).await.unwrap();
}

#[tokio::test(start_paused = true)]
async fn q10_without_max_staleness_an_old_cache_is_served_and_tells_its_age() {
    let (rig, reflector) = rig_with(None).await;
    let before = rig.get(get("a/p")).await.unwrap().status.unwrap();
    reflector.fail(UpstreamState::Backoff, 0, "Unreachable");
    advance(Duration::from_secs(86_400)).await;
    let after = rig.get(get("a/p")).await.unwrap().status.unwrap();
    assert_eq!(after.current_as_of, before.current_as_of);
    assert_eq!(after.upstream_state(), pb::UpstreamState::Backoff);
}

#[tokio::test(start_paused = true)]
async fn case_34_a_version_that_the_cache_can_never_compare_fails_at_once() {
    let (rig, reflector) = rig_with(None).await;
    let read = |rv: &str| fresh(pb::read_options::Freshness::MinResourceVersion(rv.into()));
    let began = Instant::now();
    for wrong in ["", "0", "007", "abc", "-1"] {
        let refusal = rig.list(list(read(wrong))).await;
        refused(refusal, Code::FailedPrecondition, "RESOURCE_VERSION_INCOMPARABLE");
    }
    // An aggregated API server may count in any way.
    let odd = object("a/p", 7, "").replace(r#""resourceVersion":"7""#, r#""resourceVersion":"r-8""#);
    reflector.updated(&odd).await;
    let refusal = rig.list(list(read("50"))).await;
    let details = refused(refusal, Code::FailedPrecondition, "RESOURCE_VERSION_INCOMPARABLE");
    assert_eq!(metadata(&details, "resource_version"), "r-8");
    assert_eq!(began.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn case_34_a_wait_ends_at_once_when_the_versions_stop_to_compare() {
    let (rig, reflector) = rig_with(None).await;
    let read = fresh(pb::read_options::Freshness::MinResourceVersion("500".into()));
    let began = Instant::now();
    let odd = object("a/p", 7, "").replace(r#""resourceVersion":"7""#, r#""resourceVersion":"r-8""#);
    let (listed, ()) = tokio::join!(rig.list(list(read)), reflector.updated(&odd));
    refused(listed, Code::FailedPrecondition, "RESOURCE_VERSION_INCOMPARABLE");
    assert_eq!(began.elapsed(), Duration::ZERO);
}

/// How often another task had its turn while `call` ran, on one thread.
async fn turns<T>(call: impl Future<Output = T>) -> (u64, T) {
    let turns = Arc::new(AtomicU64::new(0));
    let counter = turns.clone();
    let other = tokio::spawn(async move {
        loop {
            counter.fetch_add(1, Ordering::Relaxed);
            tokio::task::yield_now().await;
        }
    });
    tokio::task::yield_now().await;
    let before = turns.load(Ordering::Relaxed);
    let result = call.await;
    let after = turns.load(Ordering::Relaxed);
    other.abort();
    (after - before, result)
}

#[tokio::test]
async fn case_34_a_sparse_search_leaves_room_for_other_tasks() {
    let rig = rig();
    let mut pods: Vec<_> = (0..10_000).map(|n| object(&format!("a/p{n:05}"), n + 1, "")).collect();
    pods.push(padded("a/zz", 20_000, 77));
    rig.pods(&pods).await;
    // In the body, and of one object.
    let sparse = || {
        Some(pb::Filter {
            field_selector: format!("spec.pad={}", "x".repeat(77)),
            ..pb::Filter::default()
        })
    };
    let listed = pb::ListObjectsRequest {
        filter: sparse(),
        ..list(None)
    };
    let (while_listing, listed) = turns(rig.list(listed)).await;
    assert_eq!(names(&listed.unwrap().objects), ["zz@20000"]);
    let counted = pb::CountObjectsRequest {
        informer: resource("pods"),
        filter: sparse(),
        ..pb::CountObjectsRequest::default()
    };
    let (while_counting, counted) = turns(rig.api.count_objects(Request::new(counted))).await;
    assert_eq!(counted.unwrap().into_inner().object_count, 1);
    // A turn at least after each few hundred objects.
    assert!(while_listing >= 25, "{while_listing} turns");
    assert!(while_counting >= 25, "{while_counting} turns");
}
