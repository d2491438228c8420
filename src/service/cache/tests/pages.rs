//! Pages and pins.

use super::*;

fn page(token: &str) -> pb::ListObjectsRequest {
    pb::ListObjectsRequest {
        informer: resource("pods"),
        page_size: 2,
        page_token: token.into(),
        ..pb::ListObjectsRequest::default()
    }
}

async fn first_page(rig: &Rig) -> String {
    let first = rig.list(page("")).await.unwrap();
    assert_eq!(names(&first.objects), ["p000@1", "p001@2"]);
    first.next_page_token
}

#[tokio::test]
async fn later_pages_come_from_the_first_ones_snapshot_while_objects_change() {
    let rig = rig();
    let pods = pods(5);
    let watch = rig.pods(&pods).await;
    let first = rig.list(page("")).await.unwrap();
    let status = first.status.unwrap();
    watch.deleted(&object("a/p002", 200, "")).await;
    watch.updated(&object("a/p003", 201, "")).await;
    watch.added(&object("a/p0025", 202, "")).await;
    let second = rig.list(page(&first.next_page_token)).await.unwrap();
    assert_eq!(names(&second.objects), ["p002@3", "p003@4"]);
    assert_eq!(second.status.unwrap(), status);
    // A new read option on a later page does not matter.
    let last = rig
        .list(pb::ListObjectsRequest {
            read: fresh(pb::read_options::Freshness::MinRevision(1000)),
            ..page(&second.next_page_token)
        })
        .await
        .unwrap();
    assert_eq!(names(&last.objects), ["p004@5"]);
    assert_eq!(last.next_page_token, "");
    let now = rig
        .list(pb::ListObjectsRequest {
            page_size: 0,
            ..page("")
        })
        .await
        .unwrap();
    assert_eq!(
        names(&now.objects),
        ["p000@1", "p001@2", "p0025@202", "p003@201", "p004@5"]
    );
    assert_eq!(now.status.unwrap().resource_version, "202");
}

#[tokio::test]
async fn a_pin_is_made_only_for_a_next_page() {
    let rig = rig();
    rig.pods(&pods(2)).await;
    let only = rig.list(page("")).await.unwrap();
    assert_eq!((only.objects.len(), only.next_page_token.as_str()), (2, ""));
    assert_eq!(only.snapshot, "");
    let epoch = rig.api.factory.get("informers/pods").unwrap().epoch().to_owned();
    let snapshot = rig.api.factory.get("pods").unwrap().processor().load().snapshot.clone();
    // Nothing was pinned: this pin is the first, and the only one that is found.
    let id = rig.api.pins.pin(&epoch, &snapshot);
    assert!(rig.api.pins.get(&epoch, &id).is_some());
    assert_eq!(format!("{:?}", rig.api.pins).matches("Pin {").count(), 1);
}

#[tokio::test(start_paused = true)]
async fn an_expired_page_says_what_to_do_and_allow_unpinned_goes_on_by_key() {
    let rig = rig();
    let watch = rig.pods(&pods(5)).await;
    let token = first_page(&rig).await;
    tokio::time::advance(Duration::from_secs(59)).await;
    assert!(rig.list(page(&token)).await.is_ok(), "that use keeps it");
    tokio::time::advance(Duration::from_secs(59)).await;
    assert!(rig.list(page(&token)).await.is_ok());
    watch.deleted(&object("a/p002", 200, "")).await;
    tokio::time::advance(Duration::from_secs(60)).await;
    let details = refused(rig.list(page(&token)).await, Code::Aborted, "PAGE_SNAPSHOT_EXPIRED");
    assert_eq!(metadata(&details, "field"), "page_token");
    assert!(metadata(&details, "remedy").contains("allow_unpinned"));
    let unpinned = pb::ListObjectsRequest {
        allow_unpinned: true,
        ..page(&token)
    };
    let next = rig.list(unpinned).await.unwrap();
    assert_eq!(names(&next.objects), ["p003@4", "p004@5"]);
    assert_eq!(next.status.unwrap().resource_version, "200");
}

#[tokio::test]
async fn a_token_of_an_earlier_incarnation_has_expired() {
    let rig = rig();
    rig.pods(&pods(5)).await;
    let token = first_page(&rig).await;
    rig.api.factory.delete("informers/pods", false).unwrap();
    rig.pods(&pods(5)).await;
    refused(rig.list(page(&token)).await, Code::Aborted, "PAGE_SNAPSHOT_EXPIRED");
    let unpinned = pb::ListObjectsRequest {
        allow_unpinned: true,
        ..page(&token)
    };
    let next = rig.list(unpinned).await.unwrap();
    assert_eq!(names(&next.objects), ["p002@3", "p003@4"]);
}

#[tokio::test]
async fn a_token_counts_only_for_its_request() {
    let rig = rig();
    rig.pods(&pods(5)).await;
    rig.create("other", "pods", &["a"]).await.list(pods(5), 100).await;
    let token = first_page(&rig).await;
    let others = [
        page("garbage"),
        page("AAAA"),
        page(&token[..token.len() - 2]),
        pb::ListObjectsRequest {
            filter: labels("app=odd"),
            ..page(&token)
        },
        pb::ListObjectsRequest {
            projection: view(pb::View::Reference),
            ..page(&token)
        },
        pb::ListObjectsRequest {
            informer: informer("other"),
            ..page(&token)
        },
    ];
    for other in others {
        assert_eq!(refused_field(rig.list(other).await, "INVALID_TOKEN"), "page_token");
    }
    let keys = pb::ListObjectKeysRequest {
        informer: resource("pods"),
        page_token: token.clone(),
        ..pb::ListObjectKeysRequest::default()
    };
    let keys = rig.api.list_object_keys(Request::new(keys)).await;
    assert_eq!(refused_field(keys, "INVALID_TOKEN"), "page_token");
    // The page size may change, and the informer may be named otherwise.
    let more = pb::ListObjectsRequest {
        informer: informer("pods"),
        page_size: 1,
        ..page(&token)
    };
    assert_eq!(names(&rig.list(more).await.unwrap().objects), ["p002@3"]);
}

#[tokio::test]
async fn page_sizes_are_checked() {
    let rig = rig();
    rig.pods(&pods(1)).await;
    let negative = pb::ListObjectsRequest {
        page_size: -1,
        ..page("")
    };
    assert_eq!(refused_field(rig.list(negative).await, "INVALID_FIELD"), "page_size");
}

#[tokio::test]
async fn keys_are_paged_and_a_filter_reads_its_index() {
    let rig = rig();
    rig.pods(&pods(7)).await;
    let (mut token, mut seen, mut calls) = (String::new(), Vec::new(), 0);
    loop {
        let request = pb::ListObjectKeysRequest {
            informer: resource("pods"),
            filter: Some(pb::Filter {
                index: Some(pb::IndexFilter {
                    name: "node".into(),
                    values: vec!["node-1".into()],
                }),
                ..pb::Filter::default()
            }),
            page_size: 3,
            page_token: token,
            ..pb::ListObjectKeysRequest::default()
        };
        let reply = rig
            .api
            .list_object_keys(Request::new(request))
            .await
            .unwrap()
            .into_inner();
        seen.extend(reply.keys.into_iter().map(|k| k.name));
        calls += 1;
        token = reply.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    assert_eq!((seen.join(" ").as_str(), calls), ("p000 p002 p004 p006", 2));
}

#[tokio::test]
async fn a_large_object_is_alone_on_its_page() {
    let rig = rig();
    let large = padded("a/p001", 2, 1_400_000);
    rig.pods(&[object("a/p000", 1, ""), large, object("a/p002", 3, "")])
        .await;
    let (mut token, mut pages) = (String::new(), Vec::new());
    loop {
        let reply = rig
            .list(pb::ListObjectsRequest {
                page_size: 0,
                ..page(&token)
            })
            .await
            .unwrap();
        let bytes: usize = reply
            .objects
            .iter()
            .map(|o| o.object.as_ref().unwrap().data.len())
            .sum();
        pages.push((names(&reply.objects), bytes > 1_400_000));
        token = reply.next_page_token;
        if token.is_empty() {
            break;
        }
    }
    let page = |name: &str, large| (vec![name.to_owned()], large);
    assert_eq!(
        pages,
        [page("p000@1", false), page("p001@2", true), page("p002@3", false)]
    );
}

#[tokio::test(start_paused = true)]
async fn a_pinned_snapshot_answers_get_list_and_counts_alike_until_it_expires() {
    let rig = rig();
    let watch = rig.pods(&pods(3)).await;
    let pinned = rig
        .get(pb::GetObjectRequest {
            read: pin(),
            ..get("a/p000")
        })
        .await
        .unwrap();
    let read = at(&pinned.snapshot);
    watch.deleted(&object("a/p000", 200, "")).await;
    watch.added(&object_with_uid("a/p000", 201, "", "another")).await;
    let then = rig
        .get(pb::GetObjectRequest {
            read: read.clone(),
            ..get("a/p000")
        })
        .await
        .unwrap();
    assert_eq!((then.object, then.status), (pinned.object, pinned.status));
    assert_eq!(then.snapshot, "", "not asked for");
    let now = rig.get(get("a/p000")).await.unwrap();
    assert_eq!(now.object.unwrap().r#ref.unwrap().uid, "another");
    let list = rig
        .list(pb::ListObjectsRequest {
            read: read.clone(),
            ..page("")
        })
        .await
        .unwrap();
    assert_eq!(names(&list.objects), ["p000@1", "p001@2"]);
    watch.deleted(&object("a/p002", 202, "")).await;
    let count = pb::CountObjectsRequest {
        informer: resource("pods"),
        read: read.clone(),
        ..pb::CountObjectsRequest::default()
    };
    assert_eq!(
        rig.api
            .count_objects(Request::new(count))
            .await
            .unwrap()
            .into_inner()
            .object_count,
        3
    );
    tokio::time::advance(Duration::from_secs(61)).await;
    let late = rig.get(pb::GetObjectRequest { read, ..get("a/p000") }).await;
    let details = refused(late, Code::Aborted, "PAGE_SNAPSHOT_EXPIRED");
    assert_eq!(metadata(&details, "field"), "read.at_snapshot");
}

#[tokio::test]
async fn a_snapshot_token_stays_with_its_informer() {
    let rig = rig();
    rig.pods(&pods(3)).await;
    let pinned = rig
        .get(pb::GetObjectRequest {
            read: pin(),
            ..get("a/p000")
        })
        .await
        .unwrap();
    // Now a narrower informer suits the key better.
    rig.create("narrow", "pods", &["a"])
        .await
        .list(Vec::<String>::new(), 300)
        .await;
    refused(rig.get(get("a/p000")).await, Code::NotFound, "OBJECT_NOT_FOUND");
    let read = at(&pinned.snapshot);
    let found = rig
        .get(pb::GetObjectRequest {
            read: read.clone(),
            ..get("a/p000")
        })
        .await
        .unwrap();
    assert_eq!(found.status.unwrap().informer, "informers/pods");
    for (informer, read) in [(informer("narrow"), read), (resource("pods"), at("garbage"))] {
        let wrong = rig
            .get(pb::GetObjectRequest {
                informer,
                read,
                ..get("a/p000")
            })
            .await;
        assert_eq!(refused_field(wrong, "INVALID_TOKEN"), "read.at_snapshot");
    }
}
