//! Coming back: with a token, with hashes, too late, or with something else.

use super::*;

#[tokio::test]
async fn a_resumed_watch_gets_exactly_what_it_missed() {
    let rig = rig();
    let (mut first, reflector) = rig.synced(pods(), &[object("a/x", 5, ""), object("a/y", 6, "")]).await;
    reflector.updated(&object("a/x", 11, "")).await;
    let token = next(&mut first).await.resume_token;
    drop(first);
    reflector.deleted(&object("a/y", 12, "")).await;
    reflector.added(&object("a/z", 13, "")).await;
    let mut second = rig.watch(resume(token.clone(), pb::ResumeFailure::Reset)).await;
    assert_eq!(read(&mut second).await, "created WATCH_MODE_REPLAY");
    assert_eq!(read(&mut second).await, "DELETED/LIVE y, ADDED/LIVE z, token");
    assert_eq!(read(&mut second).await, "synced 2, token");
    // Another filter is another view; its client did nothing wrong.
    let mut other = resume(token, pb::ResumeFailure::Reset);
    other.filter = Some(pb::Filter {
        names: vec!["z".into()],
        ..Default::default()
    });
    let mut other = rig.watch(other).await;
    assert_eq!(read(&mut other).await, "created WATCH_MODE_SNAPSHOT");
    assert_eq!(read(&mut other).await, "reset RESET_REASON_FILTER_CHANGED");
    assert_eq!(read(&mut other).await, "ADDED/INITIAL z");
}

#[tokio::test]
async fn tokens_that_cannot_be_resumed_from_are_reset_or_refused() {
    let first = rig();
    let (mut watch, _) = first.synced(pods(), &[object("a/x", 5, "")]).await;
    let token = {
        let request = pb::WatchRequest {
            start: Some(pb::watch_request::Start::Now(pb::StartNow {})),
            ..pods()
        };
        let mut now = first.watch(request).await;
        assert_eq!(read(&mut now).await, "created WATCH_MODE_NOW");
        next(&mut now).await.resume_token
    };
    // Deleted and created again in the same process.
    first.api.factory.delete("informers/pods", true).unwrap();
    assert_eq!(
        read(&mut watch).await,
        "terminating TERMINATING_REASON_INFORMER_DELETED, token"
    );
    assert_eq!(
        described(&watch.next().await.unwrap().unwrap_err()).1,
        "INFORMER_NOT_FOUND"
    );
    let mut again = first.watch(resume(token.clone(), pb::ResumeFailure::Reset)).await;
    assert_eq!(read(&mut again).await, "created WATCH_MODE_SNAPSHOT");
    assert_eq!(read(&mut again).await, "reset RESET_REASON_INFORMER_REPLACED");
    let refused = first.refused(resume(token.clone(), pb::ResumeFailure::Fail)).await;
    assert_eq!(
        refused,
        (Code::Aborted, "RESUME_TOKEN_EXPIRED".into(), "resume.token".into())
    );
    // Garbage, a cut token, and a token of another resource are mistakes of the client.
    let nodes = pb::WatchRequest {
        informer: watch_of("nodes").informer,
        ..resume(token.clone(), pb::ResumeFailure::Reset)
    };
    for request in [
        resume("garbage", pb::ResumeFailure::Reset),
        resume(token.slice(..token.len() - 1), pb::ResumeFailure::Reset),
        resume("", pb::ResumeFailure::Reset),
        nodes,
    ] {
        let refused = first.refused(request).await;
        assert_eq!(
            refused,
            (Code::InvalidArgument, "INVALID_TOKEN".into(), "resume.token".into())
        );
    }
}

#[tokio::test]
async fn after_a_restart_a_client_with_hashes_gets_only_what_differs() {
    let held = |rig: &Rig| {
        let published = rig.api.factory.get("informers/pods").unwrap().processor().load();
        let objects = published.snapshot.in_namespace(None);
        objects.map(|(_, o)| crate::object::object_hash(o)).collect::<Vec<_>>()
    };
    let with_hashes = |token: &bytes::Bytes, known_object_hashes: &[u64]| {
        let mut request = resume(token.clone(), pb::ResumeFailure::Fail);
        if let Some(pb::watch_request::Start::Resume(resume)) = &mut request.start {
            resume.known_object_hashes = known_object_hashes.to_vec();
        }
        request
    };
    let objects = [object("a/gone", 5, ""), object("a/same", 6, ""), object("a/upd", 7, "")];
    let before = rig();
    let (mut watch, reflector) = before.synced(pods(), &objects).await;
    reflector.bookmark(8).await;
    reflector.updated(&object("a/upd", 9, "")).await;
    let token = next(&mut watch).await.resume_token;
    let hashes = held(&before);

    // Nothing has changed: nothing is sent, although the process is another one.
    let after = rig_of_epoch("another");
    let (opened, reflector) = tokio::join!(after.watch(with_hashes(&token, &hashes)), async {
        let reflector = after.upstream.reflector("pods").await;
        let same = [object("a/gone", 5, ""), object("a/same", 6, ""), object("a/upd", 9, "")];
        reflector.list(same, 20).await;
        reflector
    });
    let mut watch = opened;
    assert_eq!(read(&mut watch).await, "created WATCH_MODE_UNCHANGED");
    assert_eq!(read(&mut watch).await, "synced 3, token");
    reflector.deleted(&object("a/gone", 21, "")).await;
    assert_eq!(read(&mut watch).await, "DELETED/LIVE gone, token");

    // One is gone, one has changed, one is new: only these cost a body, and what is not mentioned is gone.
    let other = rig_of_epoch("a third");
    let (mut watch, _reflector) = tokio::join!(other.watch(with_hashes(&token, &hashes)), async {
        let reflector = other.upstream.reflector("pods").await;
        let now = [
            object("a/new", 30, ""),
            object("a/same", 6, ""),
            object("a/upd", 31, ""),
        ];
        reflector.list(now, 40).await;
        reflector
    });
    assert_eq!(read(&mut watch).await, "created WATCH_MODE_DIFF");
    let snapshot = next(&mut watch).await;
    let omitted = |e: &pb::WatchEvent| e.object.as_ref().unwrap().omitted();
    let told: Vec<_> = snapshot
        .events
        .iter()
        .map(|e| (e.r#ref.as_ref().unwrap().name.as_str(), omitted(e)))
        .collect();
    let want = [
        ("new", pb::Omitted::Unspecified),
        ("same", pb::Omitted::Unchanged),
        ("upd", pb::Omitted::Unspecified),
    ];
    assert_eq!(told, want);
    assert_eq!(read(&mut watch).await, "synced 3, token");
}
