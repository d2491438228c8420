//! `read.live`: past the cache, and never into it.

use std::time::Duration;

use tokio::time::Instant;

use super::*;

fn live() -> Option<pb::ReadOptions> {
    fresh(pb::read_options::Freshness::Live(true))
}

fn get_live(name: &str) -> pb::GetObjectRequest {
    pb::GetObjectRequest {
        read: live(),
        ..get(name)
    }
}

fn list_live() -> pb::ListObjectsRequest {
    pb::ListObjectsRequest {
        informer: resource("pods"),
        read: live(),
        ..pb::ListObjectsRequest::default()
    }
}

fn version_of(reply: &pb::GetObjectResponse) -> &str {
    let object = reply.object.as_ref().unwrap();
    object.r#ref.as_ref().unwrap().resource_version.as_str()
}

#[tokio::test(start_paused = true)]
async fn q3_a_live_get_sees_past_the_cache_and_leaves_it_alone() {
    let rig = rig();
    rig.pods(&[object("a/p", 7, "")]).await;
    rig.upstream.live.put("a/p", object("a/p", 900, ""));
    let reply = rig.get(get_live("a/p")).await.unwrap();
    assert_eq!(version_of(&reply), "900");
    // The status is the cache's, which has not moved.
    assert_eq!(reply.status.unwrap().resource_version, "100");
    let cached = rig.get(get("a/p")).await.unwrap();
    assert_eq!(version_of(&cached), "7");
    assert_eq!(cached.status.unwrap().revision, 1);
    assert_eq!(rig.upstream.live.asked(), ["get pods a/p"]);
}

#[tokio::test(start_paused = true)]
async fn q3_a_live_get_has_the_transform_and_the_projection_of_the_cache() {
    let rig = rig();
    let raw = r#"{"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"a","uid":"u","resourceVersion":"9",
        "managedFields":[{"manager":"m"}],"labels":{"x":"y"}},"spec":{"nodeName":"n"}}"#;
    rig.pods(&[raw.to_owned()]).await;
    rig.upstream.live.put("a/p", raw.to_owned());
    for v in [pb::View::Full, pb::View::Metadata, pb::View::Reference] {
        let of = |read| pb::GetObjectRequest {
            projection: view(v),
            read,
            ..get("a/p")
        };
        let (past, cached) = (rig.get(of(live())).await.unwrap(), rig.get(of(None)).await.unwrap());
        assert_eq!(past.object, cached.object, "{v:?}");
    }
    let whole = rig.get(get_live("a/p")).await.unwrap().object.unwrap().object.unwrap();
    assert!(!String::from_utf8_lossy(&whole.data).contains("managedFields"));
}

#[tokio::test(start_paused = true)]
async fn q3_a_live_get_needs_no_synced_cache_and_asks_with_the_informers_selectors() {
    let rig = rig();
    let request = SpecRequest {
        resource: ResourceQuery::named("pods"),
        label_selector: "app=web".into(),
        metadata_only: true,
        ..SpecRequest::default()
    };
    rig.api.factory.create(Some("web"), request).await.unwrap();
    rig.upstream.live.put("a/p", object("a/p", 9, "app=web"));
    let request = pb::GetObjectRequest {
        informer: informer("web"),
        ..get_live("a/p")
    };
    let reply = rig.get(request).await.unwrap();
    assert!(!reply.status.unwrap().synced);
    assert_eq!(rig.upstream.live.asked(), ["get pods a/p labels=app=web metadata"]);
}

#[tokio::test(start_paused = true)]
async fn q10_live_failures_are_typed() {
    for (http_status, reason, retry_after, code, want) in [
        (403, "Forbidden", None, Code::PermissionDenied, "UPSTREAM_FORBIDDEN"),
        (401, "Unauthorized", None, Code::PermissionDenied, "UPSTREAM_FORBIDDEN"),
        (429, "TooManyRequests", Some(7), Code::Unavailable, "UPSTREAM_THROTTLED"),
        (400, "BadRequest", None, Code::FailedPrecondition, "UPSTREAM_REFUSED"),
        (
            503,
            "ServiceUnavailable",
            None,
            Code::Unavailable,
            "UPSTREAM_UNAVAILABLE",
        ),
        (0, "Unreachable", None, Code::Unavailable, "UPSTREAM_UNAVAILABLE"),
    ] {
        let rig = rig();
        rig.pods(&[object("a/p", 7, "")]).await;
        rig.upstream
            .live
            .refuse(http_status, reason, retry_after.map(Duration::from_secs));
        let retry = retry_after.unwrap_or(1);
        let got = rig.get(get_live("a/p")).await;
        let cache = pb::CacheStatus::of_error(got.as_ref().unwrap_err()).unwrap();
        assert_eq!((cache.resource_version.as_str(), cache.synced), ("100", true));
        for details in [
            refused(got, code, want),
            refused(rig.list(list_live()).await, code, want),
        ] {
            let told = details.retry_info().and_then(|r| r.retry_delay);
            let retriable = code == Code::Unavailable;
            assert_eq!(told, retriable.then_some(Duration::from_secs(retry)), "{http_status}");
        }
    }
    // Not there is no failure of the API server.
    let rig = rig();
    rig.pods(&[object("a/p", 7, "")]).await;
    let missing = rig.get(get_live("a/p")).await;
    let cache = pb::CacheStatus::of_error(missing.as_ref().unwrap_err()).unwrap();
    assert_eq!(cache.informer, "informers/pods");
    refused(missing, Code::NotFound, "OBJECT_NOT_FOUND");
    // Nobody is asked for what cannot be.
    refused(rig.get(get_live("p")).await, Code::NotFound, "OBJECT_NOT_FOUND");
    assert_eq!(rig.upstream.live.asked().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn q3_a_live_list_waits_until_the_cache_has_reached_the_newest_version() {
    let rig = rig();
    let reflector = rig.pods(&[object("a/p", 7, "")]).await;
    rig.upstream.live.at("150");
    let began = Instant::now();
    let details = refused(rig.list(list_live()).await, Code::Unavailable, "CACHE_NOT_FRESH");
    assert_eq!(began.elapsed(), Duration::from_secs(3));
    assert_eq!(metadata(&details, "resource_version"), "100");
    let listing = rig.list(list_live());
    let arriving = async {
        reflector.added(&object("a/q", 140, "")).await;
        reflector.bookmark(150).await;
    };
    let (listed, ()) = tokio::join!(listing, arriving);
    let listed = listed.unwrap();
    assert_eq!(names(&listed.objects), ["p@7", "q@140"]);
    assert_eq!(listed.status.unwrap().resource_version, "150");
    let counted = pb::CountObjectsRequest {
        informer: resource("pods"),
        read: live(),
        ..pb::CountObjectsRequest::default()
    };
    let counted = rig.api.count_objects(Request::new(counted)).await.unwrap();
    assert_eq!(counted.into_inner().object_count, 2);
    assert_eq!(rig.upstream.live.asked(), ["version pods "; 3]);
}

#[tokio::test(start_paused = true)]
async fn q3_a_live_list_asks_for_the_namespaces_that_it_covers() {
    let rig = rig();
    rig.create("ab", "pods", &["a", "b", "c"])
        .await
        .list::<&str>([], 10)
        .await;
    rig.upstream.reflector("pods").await.list::<&str>([], 10).await;
    rig.upstream.reflector("pods").await.list::<&str>([], 10).await;
    rig.upstream.live.at("10");
    let list = |namespaces: &[&str]| pb::ListObjectsRequest {
        informer: informer("ab"),
        filter: Some(pb::Filter {
            namespaces: namespaces.iter().map(|n| n.to_string()).collect(),
            ..pb::Filter::default()
        }),
        ..list_live()
    };
    rig.list(list(&[])).await.unwrap();
    rig.list(list(&["b"])).await.unwrap();
    let asked = ["a", "b", "c", "b"].map(|ns| format!("version pods {ns}"));
    assert_eq!(rig.upstream.live.asked(), asked);
}

#[tokio::test(start_paused = true)]
async fn q3_versions_that_do_not_compare_fail_at_once() {
    let rig = rig();
    rig.pods(&[object("a/p", 7, "")]).await;
    rig.upstream.live.at("not-a-number");
    let began = Instant::now();
    refused(
        rig.list(list_live()).await,
        Code::FailedPrecondition,
        "RESOURCE_VERSION_INCOMPARABLE",
    );
    assert_eq!(began.elapsed(), Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn q10_live_reads_are_bounded_in_number_and_in_time() {
    let rig = rig();
    rig.pods(&[object("a/p", 7, "")]).await;
    rig.upstream.live.fall_silent();
    let began = Instant::now();
    let asked = (0..MAX_LIVE + 4).map(|_| rig.get(get_live("a/p")));
    let answers = futures::future::join_all(asked).await;
    assert_eq!(began.elapsed(), Duration::from_secs(3));
    let reasons: Vec<_> = answers
        .into_iter()
        .map(|a| a.unwrap_err().get_details_error_info().unwrap().reason)
        .collect();
    let of = |reason| reasons.iter().filter(|r| *r == reason).count();
    assert_eq!(of("UPSTREAM_UNAVAILABLE"), MAX_LIVE);
    assert_eq!(of("TOO_MANY_LIVE_READS"), 4);
    assert_eq!(rig.upstream.live.asked().len(), MAX_LIVE);
    // The cache serves all the while.
    rig.get(get("a/p")).await.unwrap();
}
