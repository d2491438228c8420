//! The API server's versions went backwards (field case 14).

use super::*;

fn status_of(response: &pb::WatchResponse) -> pb::CacheStatus {
    match &response.control {
        Some(Control::Synced(synced)) => synced.status.clone().unwrap(),
        other => panic!("{other:?}"),
    }
}

/// Reads up to `synced`; all messages in words, and the last.
async fn to_synced(responses: &mut Responses) -> (Vec<String>, pb::WatchResponse) {
    let mut words = Vec::new();
    loop {
        // A watch that is not reset says nothing at all.
        let waited = tokio::time::timeout(Duration::from_secs(60), next(responses)).await;
        let response = waited.expect("a message");
        let mut one: Responses = Box::pin(futures::stream::iter([Ok(response.clone())]));
        words.push(read(&mut one).await);
        if matches!(response.control, Some(Control::Synced(_))) {
            return (words, response);
        }
    }
}

#[tokio::test]
async fn case_14_watches_are_reset_and_the_epoch_changes_when_versions_go_backwards() {
    let rig = rig();
    let mut watch = rig.watch(pods()).await;
    let mut fails = rig
        .watch(pb::WatchRequest {
            overflow: pb::Overflow::Fail.into(),
            ..pods()
        })
        .await;
    let reflector = rig.upstream.reflector("pods").await;
    reflector
        .list(&[object("a/x", 800, ""), object("a/y", 50, "")], 900)
        .await;
    let (_, before) = to_synced(&mut watch).await;
    to_synced(&mut fails).await;
    // `y` is what it was, and is told again: its version proves nothing.
    reflector.list_anew(&[object("a/y", 50, "")], 100).await;
    for watch in [&mut watch, &mut fails] {
        let (words, after) = to_synced(watch).await;
        assert_eq!(
            words,
            [
                "reset RESET_REASON_INFORMER_REPLACED",
                "ADDED/INITIAL y",
                "synced 1, token"
            ]
        );
        let (before, after) = (status_of(&before), status_of(&after));
        assert_ne!(before.epoch, after.epoch);
        assert_eq!(
            (before.resource_version.as_str(), after.resource_version.as_str()),
            ("900", "100")
        );
        assert!(after.revision > before.revision);
    }
    // Then it goes on as ever, with versions lower than before.
    reflector.added(&object("a/z", 101, "")).await;
    assert_eq!(read(&mut watch).await, "ADDED/LIVE z, token");
    reflector.updated(&object("a/y", 102, "")).await;
    assert_eq!(read(&mut watch).await, "UPDATED/LIVE y, token");
}

#[tokio::test]
async fn case_14_tokens_of_the_time_before_get_a_reset_even_with_hashes() {
    let rig = rig();
    let (mut watch, reflector) = rig.synced(pods(), &[object("a/x", 800, "")]).await;
    reflector.updated(&object("a/x", 900, "")).await;
    let token = next(&mut watch).await.resume_token;
    reflector.list_anew(&[object("a/x", 900, "")], 100).await;
    reflector.added(&object("a/y", 101, "")).await;
    let mut resumed = rig.watch(resume(token.clone(), pb::ResumeFailure::Reset)).await;
    assert_eq!(read(&mut resumed).await, "created WATCH_MODE_SNAPSHOT");
    assert_eq!(read(&mut resumed).await, "reset RESET_REASON_INFORMER_REPLACED");
    let refused = rig.refused(resume(token.clone(), pb::ResumeFailure::Fail)).await;
    assert_eq!((refused.0, &*refused.1), (Code::Aborted, "RESUME_TOKEN_EXPIRED"));
    // The client holds x at 900 of the other history: that may be another state, so it is sent.
    let published = rig.api.factory.get("informers/pods").unwrap().processor().load();
    let objects = published.snapshot.in_namespace(None);
    let mut hashed = resume(token, pb::ResumeFailure::Reset);
    if let Some(pb::watch_request::Start::Resume(resume)) = &mut hashed.start {
        resume.known_object_hashes = objects.map(|(_, o)| crate::object::object_hash(o)).collect();
    }
    let mut hashed = rig.watch(hashed).await;
    assert_eq!(read(&mut hashed).await, "created WATCH_MODE_SNAPSHOT");
    assert_eq!(read(&mut hashed).await, "reset RESET_REASON_INFORMER_REPLACED");
    let x = next(&mut hashed).await.events.remove(0).object.unwrap();
    assert!(x.omitted() == pb::Omitted::Unspecified && !x.data.is_empty(), "{x:?}");
    // A token of the new epoch is good.
    let (_, synced) = to_synced(&mut resumed).await;
    let mut again = rig.watch(resume(synced.resume_token, pb::ResumeFailure::Fail)).await;
    assert_eq!(read(&mut again).await, "created WATCH_MODE_REPLAY");
}
