//! Single reads, batches, values, counts, freshness and their errors.

use super::*;
use crate::processor::Published;

fn wait(rv: &str) -> pb::WaitForResourceVersionRequest {
    pb::WaitForResourceVersionRequest {
        informer: resource("pods"),
        resource_version: rv.into(),
        timeout: None,
    }
}

async fn count(rig: &Rig, filter: Option<pb::Filter>, group: &str) -> Result<pb::CountObjectsResponse, Status> {
    let request = pb::CountObjectsRequest {
        informer: resource("pods"),
        filter,
        group_by_index: group.into(),
        read: None,
    };
    rig.api
        .count_objects(Request::new(request))
        .await
        .map(Response::into_inner)
}

fn groups(values: &[pb::IndexValue]) -> Vec<String> {
    values
        .iter()
        .map(|v| format!("{}={}", v.value, v.object_count))
        .collect()
}

#[tokio::test]
async fn get_sends_the_view_and_the_status() {
    let rig = rig();
    rig.pods(&[object("a/p", 7, "app=web")]).await;
    let full = rig.get(get("a/p")).await.unwrap();
    let status = full.status.unwrap();
    assert_eq!((status.informer.as_str(), status.synced), ("informers/pods", true));
    assert_eq!((status.revision, status.resource_version.as_str()), (1, "100"));
    assert_eq!(status.upstream_state(), pb::UpstreamState::Watching);
    let found = full.object.unwrap();
    assert_eq!(found.r#ref.unwrap().uid, "uid-p");
    assert!(found.object.unwrap().data.windows(8).any(|w| w == b"nodeName"));
    let projected = |v| pb::GetObjectRequest {
        projection: view(v),
        ..get("a/p")
    };
    let metadata = rig
        .get(projected(pb::View::Metadata))
        .await
        .unwrap()
        .object
        .unwrap()
        .object
        .unwrap();
    let json: serde_json::Value = serde_json::from_slice(&metadata.data).unwrap();
    assert_eq!(json["metadata"]["labels"]["app"], "web");
    assert_eq!(json["spec"], serde_json::Value::Null);
    let reference = rig
        .get(projected(pb::View::Reference))
        .await
        .unwrap()
        .object
        .unwrap()
        .object
        .unwrap();
    assert_eq!((reference.omitted(), reference.data.len()), (pb::Omitted::View, 0));
}

#[tokio::test]
async fn s11_a_miss_tells_what_and_how_fresh() {
    let rig = rig();
    rig.pods(&pods(1)).await;
    let details = refused(rig.get(get("a/none")).await, Code::NotFound, "OBJECT_NOT_FOUND");
    let resource = details.resource_info().unwrap();
    assert_eq!(
        (resource.resource_type.as_str(), resource.resource_name.as_str()),
        ("pods", "a/none")
    );
    assert_eq!(metadata(&details, "resource_version"), "100");
    assert_eq!(metadata(&details, "synced"), "true");
    let details = refused(rig.get(get("p000")).await, Code::NotFound, "OBJECT_NOT_FOUND");
    assert!(metadata(&details, "remedy").contains("namespace"));
}

#[tokio::test]
async fn k7_a_namespace_means_nothing_for_a_cluster_scoped_object() {
    let rig = rig();
    rig.create("nodes", "nodes", &[])
        .await
        .list([object("n1", 1, "")], 5)
        .await;
    let request = pb::GetObjectRequest {
        informer: resource("nodes"),
        ..get("a/n1")
    };
    assert_eq!(
        rig.get(request).await.unwrap().object.unwrap().r#ref.unwrap().name,
        "n1"
    );
}

#[tokio::test]
async fn a_key_chooses_the_informer_that_caches_its_namespace() {
    let rig = rig();
    rig.create("only-b", "pods", &["b"])
        .await
        .list([object("b/p", 1, "")], 5)
        .await;
    let found = rig.get(get("b/p")).await.unwrap();
    assert_eq!(found.status.unwrap().informer, "informers/only-b");
    let outside = pb::GetObjectRequest {
        informer: informer("only-b"),
        ..get("a/p")
    };
    assert_eq!(
        refused_field(rig.get(outside).await, "NAMESPACE_NOT_CACHED"),
        "filter.namespaces"
    );
}

#[tokio::test]
async fn requests_are_checked_before_they_wait() {
    let rig = rig();
    rig.create("pods", "pods", &[]).await;
    let nameless = pb::GetObjectRequest {
        key: Some(key("a/")),
        ..get("a/p")
    };
    assert_eq!(refused_field(rig.get(nameless).await, "INVALID_FIELD"), "key.name");
    let no_informer = pb::GetObjectRequest {
        informer: None,
        ..get("a/p")
    };
    assert_eq!(refused_field(rig.get(no_informer).await, "INVALID_FIELD"), "informer");
    let unknown = pb::GetObjectRequest {
        informer: informer("none"),
        ..get("a/p")
    };
    refused(rig.get(unknown).await, Code::NotFound, "INFORMER_NOT_FOUND");
    let unknown = pb::GetObjectRequest {
        informer: resource("wombats"),
        ..get("a/p")
    };
    refused(rig.get(unknown).await, Code::NotFound, "RESOURCE_NOT_FOUND");
    let list = |filter| pb::ListObjectsRequest {
        informer: resource("pods"),
        filter,
        ..pb::ListObjectsRequest::default()
    };
    let selector = rig.list(list(labels("a in"))).await;
    assert_eq!(refused_field(selector, "INVALID_SELECTOR"), "filter.label_selector");
    let index = |values| {
        let name = "nowhere".into();
        Some(pb::Filter {
            index: Some(pb::IndexFilter { name, values }),
            ..pb::Filter::default()
        })
    };
    refused(
        rig.list(list(index(vec!["x".into()]))).await,
        Code::NotFound,
        "INDEX_NOT_FOUND",
    );
    assert_eq!(
        refused_field(rig.list(list(index(vec![]))).await, "INVALID_FIELD"),
        "filter.index.values"
    );
}

#[tokio::test]
async fn a_batch_keeps_order_names_the_missing_and_stays_below_its_bound() {
    let rig = rig();
    let large = |n: u64| padded(&format!("a/large{n}"), n, 1_400_000);
    let mut objects = pods(2);
    objects.extend((1..=4).map(large));
    rig.pods(&objects).await;
    let batch = |keys: Vec<pb::ObjectKey>| pb::BatchGetObjectsRequest {
        informer: resource("pods"),
        keys,
        read: pin(),
        ..pb::BatchGetObjectsRequest::default()
    };
    let keys = ["a/p001", "a/none", "a/large1", "a/large2", "a/large3", "a/p000"]
        .map(key)
        .to_vec();
    let reply = rig
        .api
        .batch_get_objects(Request::new(batch(keys)))
        .await
        .unwrap()
        .into_inner();
    assert_eq!(
        names(&reply.objects),
        ["p001@2", "large1@1", "large2@2", "large3@3", "p000@1"]
    );
    let omitted: Vec<_> = reply
        .objects
        .iter()
        .map(|o| o.object.as_ref().unwrap().omitted())
        .collect();
    let (sent, too_large) = (pb::Omitted::Unspecified, pb::Omitted::TooLarge);
    assert_eq!(omitted, [sent, sent, sent, too_large, sent]);
    assert_eq!(reply.missing, [key("a/none")]);
    assert!(!reply.snapshot.is_empty());
    assert!(prost::Message::encoded_len(&reply) < MAX_REPLY + (64 << 10));
    for wrong in [vec![], vec![key("a/p001"); 1001]] {
        let wrong = rig.api.batch_get_objects(Request::new(batch(wrong))).await;
        assert_eq!(refused_field(wrong, "INVALID_FIELD"), "keys");
    }
    let nameless = rig
        .api
        .batch_get_objects(Request::new(batch(vec![key("a/p001"), key("a/")])))
        .await;
    assert_eq!(refused_field(nameless, "INVALID_FIELD"), "keys[1].name");
}

#[tokio::test]
async fn s4_index_values_are_paged_from_one_snapshot() {
    let rig = rig();
    let objects: Vec<_> = (0..5)
        .map(|n| object(&format!("a/p{n}"), 1, &format!("app=v{}", n % 3)))
        .collect();
    let watch = rig.pods(&objects).await;
    let values = |index: &str, token: &str| pb::ListIndexValuesRequest {
        informer: resource("pods"),
        index: index.into(),
        page_size: 2,
        page_token: token.into(),
        read: None,
    };
    let call = async |r| {
        rig.api
            .list_index_values(Request::new(r))
            .await
            .map(Response::into_inner)
    };
    let first = call(values("label:app", "")).await.unwrap();
    assert_eq!(groups(&first.values), ["v0=2", "v1=2"]);
    watch.added(&object("a/new", 200, "app=v2")).await;
    watch.added(&object("a/new2", 201, "app=v3")).await;
    let second = call(values("label:app", &first.next_page_token)).await.unwrap();
    assert_eq!(
        (groups(&second.values), second.next_page_token),
        (vec!["v2=1".into()], String::new())
    );
    assert_eq!(second.status, first.status);
    let other = call(values("namespace", &first.next_page_token)).await;
    assert_eq!(refused_field(other, "INVALID_TOKEN"), "page_token");
    assert_eq!(groups(&call(values("namespace", "")).await.unwrap().values), ["a=7"]);
    let details = refused(call(values("nowhere", "")).await, Code::NotFound, "INDEX_NOT_FOUND");
    assert_eq!(metadata(&details, "field"), "index");
    assert_eq!(refused_field(call(values("", "")).await, "INVALID_FIELD"), "index");
}

#[tokio::test]
async fn counts_with_and_without_a_filter_and_groups() {
    let rig = rig();
    rig.pods(&pods(5)).await;
    let all = count(&rig, None, "").await.unwrap();
    assert_eq!(
        (all.object_count, all.groups.len(), all.groups_truncated),
        (5, 0, false)
    );
    let by_app = count(&rig, None, "label:app").await.unwrap();
    assert_eq!(
        (by_app.object_count, groups(&by_app.groups).join(" ").as_str()),
        (5, "even=3 odd=2")
    );
    let odd = count(&rig, labels("app=odd"), "node").await.unwrap();
    assert_eq!(
        (odd.object_count, groups(&odd.groups)),
        (2, vec!["node-0=2".to_owned()])
    );
    let details = refused(count(&rig, None, "nowhere").await, Code::NotFound, "INDEX_NOT_FOUND");
    assert_eq!(metadata(&details, "field"), "group_by_index");
}

#[tokio::test]
async fn groups_are_bounded() {
    let rig = rig();
    let objects = (0..10_001).map(|n| object(&format!("a/p{n:05}"), 1, &format!("id=v{n:05}")));
    rig.pods(&objects.collect::<Vec<_>>()).await;
    for filter in [None, labels("id")] {
        let reply = count(&rig, filter, "label:id").await.unwrap();
        assert_eq!(
            (reply.object_count, reply.groups.len(), reply.groups_truncated),
            (10_001, 10_000, true)
        );
        assert_eq!(reply.groups[9_999].value, "v09999");
    }
}

#[tokio::test(start_paused = true)]
async fn an_unsynced_informer_is_unavailable_unless_that_is_allowed() {
    let rig = rig();
    rig.create("pods", "pods", &[]).await;
    let started = tokio::time::Instant::now();
    let details = refused(rig.get(get("a/p")).await, Code::Unavailable, "CACHE_NOT_SYNCED");
    assert_eq!(started.elapsed().as_secs(), 3);
    assert_eq!(details.retry_info().unwrap().retry_delay, Some(Duration::from_secs(1)));
    assert_eq!(metadata(&details, "synced"), "false");
    let request = pb::ListObjectsRequest {
        informer: resource("pods"),
        read: Some(pb::ReadOptions {
            allow_unsynced: true,
            ..pb::ReadOptions::default()
        }),
        ..pb::ListObjectsRequest::default()
    };
    let partial = rig.list(request).await.unwrap();
    assert_eq!((partial.objects.len(), partial.status.unwrap().synced), (0, false));
}

#[tokio::test]
async fn a_forbidden_resource_fails_at_once_with_the_reason() {
    let rig = rig();
    let reflector = rig.create("pods", "pods", &[]).await;
    reflector.fail(UpstreamState::Forbidden, 403, "Forbidden");
    let details = refused(
        rig.get(get("a/p")).await,
        Code::FailedPrecondition,
        "UPSTREAM_FORBIDDEN",
    );
    assert_eq!(
        details.precondition_failure().unwrap().violations[0].subject,
        "informers/pods"
    );
    assert_eq!(metadata(&details, "upstream_state"), "UPSTREAM_STATE_FORBIDDEN");
}

#[tokio::test]
async fn a_read_waits_for_a_resource_version_until_a_bookmark_brings_it() {
    let rig = rig();
    let watch = rig.pods(&pods(1)).await;
    let read = fresh(pb::read_options::Freshness::MinResourceVersion("150".into()));
    let waiting = rig.get(pb::GetObjectRequest { read, ..get("a/p000") });
    tokio::pin!(waiting);
    assert!(futures::poll!(&mut waiting).is_pending());
    watch.bookmark(149).await;
    assert!(futures::poll!(&mut waiting).is_pending());
    watch.bookmark(150).await;
    assert_eq!(waiting.await.unwrap().status.unwrap().resource_version, "150");
    let waiting = rig.api.wait_for_resource_version(Request::new(wait("160")));
    tokio::pin!(waiting);
    assert!(futures::poll!(&mut waiting).is_pending());
    watch.updated(&object("a/p000", 161, "")).await;
    assert_eq!(
        waiting.await.unwrap().into_inner().status.unwrap().resource_version,
        "161"
    );
}

#[tokio::test(start_paused = true)]
async fn waits_are_bounded_and_say_where_the_cache_stands() {
    let rig = rig();
    rig.pods(&pods(1)).await;
    let started = tokio::time::Instant::now();
    let call = async |r| rig.api.wait_for_resource_version(Request::new(r)).await;
    let details = refused(call(wait("200")).await, Code::Unavailable, "CACHE_NOT_FRESH");
    assert_eq!(started.elapsed().as_secs(), 3);
    assert!(details.retry_info().is_some());
    assert_eq!(metadata(&details, "resource_version"), "100");
    let for_seconds = |seconds| pb::WaitForResourceVersionRequest {
        timeout: Some(prost_types::Duration { seconds, nanos: 0 }),
        ..wait("200")
    };
    refused(call(for_seconds(60)).await, Code::Unavailable, "CACHE_NOT_FRESH");
    assert_eq!(started.elapsed().as_secs(), 63);
    for seconds in [61, -1] {
        assert_eq!(
            refused_field(call(for_seconds(seconds)).await, "INVALID_FIELD"),
            "timeout"
        );
    }
    assert_eq!(refused_field(call(wait("")).await, "INVALID_FIELD"), "resource_version");
    refused(
        call(wait("0")).await,
        Code::FailedPrecondition,
        "RESOURCE_VERSION_INCOMPARABLE",
    );
    let revision = fresh(pb::read_options::Freshness::MinRevision(2));
    refused(
        rig.get(pb::GetObjectRequest {
            read: revision,
            ..get("a/p000")
        })
        .await,
        Code::Unavailable,
        "CACHE_NOT_FRESH",
    );
}

#[tokio::test]
async fn a_wait_ends_when_the_informer_is_deleted() {
    let rig = rig();
    rig.pods(&pods(1)).await;
    let waiting = rig.api.wait_for_resource_version(Request::new(wait("200")));
    tokio::pin!(waiting);
    assert!(futures::poll!(&mut waiting).is_pending());
    rig.api.factory.delete("informers/pods", false).unwrap();
    refused(waiting.await, Code::NotFound, "INFORMER_NOT_FOUND");
}

#[tokio::test]
async fn a_pinned_index_outlives_its_removal() {
    let rig = rig();
    rig.pods(&pods(2)).await;
    let pinned = rig
        .get(pb::GetObjectRequest {
            read: pin(),
            ..get("a/p000")
        })
        .await
        .unwrap();
    let informer = rig.api.factory.get("informers/pods").unwrap();
    informer.remove_indexers(vec!["node".into()]).await.unwrap();
    informer
        .processor()
        .wait_for(
            tokio::time::Instant::now() + Duration::from_secs(60),
            |p: &Published| p.snapshot.indexes().find("node").is_err(),
        )
        .await
        .unwrap();
    let grouped = |read| pb::CountObjectsRequest {
        informer: resource("pods"),
        group_by_index: "node".into(),
        read,
        ..pb::CountObjectsRequest::default()
    };
    let then = rig
        .api
        .count_objects(Request::new(grouped(at(&pinned.snapshot))))
        .await
        .unwrap()
        .into_inner();
    assert_eq!(groups(&then.groups), ["node-0=1", "node-1=1"]);
    refused(
        rig.api.count_objects(Request::new(grouped(None))).await,
        Code::NotFound,
        "INDEX_NOT_FOUND",
    );
}
