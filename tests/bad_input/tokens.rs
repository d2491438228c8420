//! Tokens that are garbage, of something else, or too old.

use informerd::proto::v1alpha1::{
    Filter, InformerSelector, ListObjectKeysRequest, ListObjectsRequest, ReadOptions, ResetReason, ResumeFailure,
    StartResume, WatchRequest, WatchResponse, read_options::Freshness, watch_request::Start, watch_response::Control,
};
use serde_json::json;
use support::DEADLINE;
use tokio::time::timeout;
use tonic::{Code, Streaming};

use super::{
    World, in_a, patient,
    refusal::{Refusal, refused},
    sidecar::{Bench, resource},
};

fn list() -> ListObjectsRequest {
    ListObjectsRequest {
        informer: resource("pods"),
        filter: in_a(),
        page_size: 1,
        read: patient(),
        ..ListObjectsRequest::default()
    }
}

fn resume(informer: Option<InformerSelector>, token: &[u8], on_failure: ResumeFailure) -> WatchRequest {
    WatchRequest {
        informer,
        filter: in_a(),
        start: Some(Start::Resume(StartResume {
            token: token.to_vec().into(),
            on_failure: on_failure.into(),
            ..StartResume::default()
        })),
        ..WatchRequest::default()
    }
}

async fn message(stream: &mut Streaming<WatchResponse>) -> WatchResponse {
    let next = timeout(DEADLINE, stream.message()).await.expect("a message in time");
    next.expect("the watch goes on").expect("the watch does not end")
}

/// A resume token of a watch that is synced.
async fn token(bench: &Bench, name: &str) -> Vec<u8> {
    let request = WatchRequest {
        informer: resource(name),
        filter: in_a(),
        ..WatchRequest::default()
    };
    let mut stream = bench
        .subscriptions()
        .watch(request)
        .await
        .expect("a watch")
        .into_inner();
    loop {
        let message = message(&mut stream).await;
        if let Some(Control::Synced(_)) = message.control {
            return message.resume_token.into();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resume_token_that_is_garbage_or_of_another_resource_is_refused() {
    let World { bench, sim, _dir } = World::start().await;
    let good = token(&bench, "pods").await;
    let mut altered = good.clone();
    altered[good.len() / 2] ^= 1;
    let of_configs = token(&bench, "configmaps").await;
    let expected = Refusal::new(Code::InvalidArgument, "INVALID_TOKEN", "resume.token");
    for bad in [
        &b"garbage"[..],
        b"",
        &[0xff; 4096],
        &good[..good.len() - 1],
        &altered,
        &of_configs,
    ] {
        for on_failure in [ResumeFailure::Reset, ResumeFailure::Fail] {
            let request = resume(resource("pods"), bad, on_failure);
            assert_eq!(
                refused(bench.subscriptions().watch(request).await.map(drop)),
                expected,
                "{bad:?}"
            );
        }
    }
    let mut request = resume(resource("pods"), &good, ResumeFailure::Reset);
    if let Some(Start::Resume(start)) = &mut request.start {
        start.on_failure = 99;
    }
    let answer = refused(bench.subscriptions().watch(request).await.map(drop));
    assert_eq!(
        answer,
        Refusal::new(Code::InvalidArgument, "INVALID_FIELD", "resume.on_failure")
    );
    bench.stop().await;
    drop(sim);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_resume_token_of_another_filter_or_process_resets_or_fails_as_asked() {
    let World { bench, sim, _dir } = World::start().await;
    let other = World::start().await;
    let foreign = token(&other.bench, "pods").await;
    let good = token(&bench, "pods").await;
    let narrower = Some(Filter {
        names: vec!["p1".into()],
        ..in_a().expect("a filter")
    });
    for (token, filter, reason) in [
        (&good, narrower, ResetReason::FilterChanged),
        (&foreign, in_a(), ResetReason::EpochChanged),
    ] {
        let request = |on_failure| WatchRequest {
            filter: filter.clone(),
            ..resume(resource("pods"), token, on_failure)
        };
        let answer = refused(
            bench
                .subscriptions()
                .watch(request(ResumeFailure::Fail))
                .await
                .map(drop),
        );
        assert_eq!(
            answer,
            Refusal::new(Code::Aborted, "RESUME_TOKEN_EXPIRED", "resume.token")
        );
        let stream = bench
            .subscriptions()
            .watch(request(ResumeFailure::Reset))
            .await
            .expect("a watch");
        let mut stream = stream.into_inner();
        assert!(matches!(message(&mut stream).await.control, Some(Control::Created(_))));
        match message(&mut stream).await.control {
            Some(Control::Reset(reset)) => assert_eq!(reset.reason(), reason),
            other => panic!("{other:?}"),
        }
    }
    bench.stop().await;
    other.bench.stop().await;
    drop(sim);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_token_that_is_garbage_or_of_another_request_is_refused() {
    let World { bench, sim, _dir } = World::start().await;
    let mut cache = bench.cache();
    let good = cache
        .list_objects(list())
        .await
        .expect("a page")
        .into_inner()
        .next_page_token;
    let expected = Refusal::new(Code::InvalidArgument, "INVALID_TOKEN", "page_token");
    let mut altered = good.clone().into_bytes();
    altered[good.len() / 2] ^= 1;
    let altered = String::from_utf8_lossy(&altered).into_owned();
    for bad in ["garbage", "1", "äöü", &good[..good.len() - 2], &altered] {
        let request = ListObjectsRequest {
            page_token: bad.to_owned(),
            ..list()
        };
        assert_eq!(refused(cache.list_objects(request).await), expected, "{bad}");
    }
    let other_filter = ListObjectsRequest {
        filter: None,
        page_token: good.clone(),
        ..list()
    };
    assert_eq!(refused(cache.list_objects(other_filter).await), expected);
    let other_resource = ListObjectsRequest {
        informer: resource("configmaps"),
        page_token: good.clone(),
        ..list()
    };
    assert_eq!(refused(cache.list_objects(other_resource).await), expected);
    let other_call = ListObjectKeysRequest {
        informer: resource("pods"),
        filter: in_a(),
        page_token: good.clone(),
        ..ListObjectKeysRequest::default()
    };
    assert_eq!(refused(cache.list_object_keys(other_call).await), expected);
    let at = |token: &str| ListObjectsRequest {
        read: Some(ReadOptions {
            freshness: Some(Freshness::AtSnapshot(token.to_owned())),
            ..ReadOptions::default()
        }),
        ..list()
    };
    // A page token is no snapshot token.
    for bad in ["garbage", "", &good] {
        let expected = Refusal::new(Code::InvalidArgument, "INVALID_TOKEN", "read.at_snapshot");
        assert_eq!(refused(cache.list_objects(at(bad)).await), expected, "{bad}");
    }
    let next = ListObjectsRequest {
        page_token: good,
        ..list()
    };
    assert_eq!(
        cache
            .list_objects(next)
            .await
            .expect("the next page")
            .into_inner()
            .objects
            .len(),
        1
    );
    bench.stop().await;
    drop(sim);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_whose_snapshot_was_displaced_says_so_and_can_go_on_by_key() {
    let World { bench, sim, _dir } = World::start().await;
    let mut cache = bench.cache();
    let first = cache.list_objects(list()).await.expect("a page").into_inner();
    let pin = ListObjectsRequest {
        read: Some(ReadOptions {
            pin_snapshot: true,
            ..ReadOptions::default()
        }),
        ..list()
    };
    let pinned = cache.list_objects(pin).await.expect("a page").into_inner().snapshot;
    // Each list pins another state, until there is no room for the first one.
    for round in 0..32 {
        let patch = json!({"metadata": {"labels": {"round": round.to_string()}}});
        let written = sim.patch_merge("pods", Some("a"), "p3", patch).expect("a patch");
        let version = written["metadata"]["resourceVersion"]
            .as_str()
            .expect("a version")
            .to_owned();
        let read = ReadOptions {
            freshness: Some(Freshness::MinResourceVersion(version)),
            ..patient().expect("options")
        };
        let page = cache
            .list_objects(ListObjectsRequest {
                read: Some(read),
                ..list()
            })
            .await
            .expect("a page");
        assert!(!page.into_inner().next_page_token.is_empty());
    }
    let next = |allow_unpinned| ListObjectsRequest {
        page_token: first.next_page_token.clone(),
        allow_unpinned,
        ..list()
    };
    let answer = refused(cache.list_objects(next(false)).await);
    assert_eq!(
        answer,
        Refusal::new(Code::Aborted, "PAGE_SNAPSHOT_EXPIRED", "page_token")
    );
    let read = ReadOptions {
        freshness: Some(Freshness::AtSnapshot(pinned)),
        ..ReadOptions::default()
    };
    let answer = refused(
        cache
            .list_objects(ListObjectsRequest {
                read: Some(read),
                ..list()
            })
            .await,
    );
    assert_eq!(
        answer,
        Refusal::new(Code::Aborted, "PAGE_SNAPSHOT_EXPIRED", "read.at_snapshot")
    );
    let page = cache
        .list_objects(next(true))
        .await
        .expect("goes on by key")
        .into_inner();
    let name = page
        .objects
        .first()
        .and_then(|o| o.r#ref.as_ref())
        .map(|r| r.name.as_str());
    assert_eq!(name, Some("p2"));
    bench.stop().await;
}
