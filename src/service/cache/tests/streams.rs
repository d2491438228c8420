//! StreamObjects.

use super::*;

async fn open(
    rig: &Rig,
    request: pb::StreamObjectsRequest,
) -> Result<BoxStream<'static, Result<pb::StreamObjectsResponse, Status>>, Status> {
    rig.api
        .stream_objects(Request::new(request))
        .await
        .map(Response::into_inner)
}

fn request(max_receive_bytes: u64) -> pb::StreamObjectsRequest {
    pb::StreamObjectsRequest {
        informer: resource("pods"),
        max_receive_bytes,
        ..pb::StreamObjectsRequest::default()
    }
}

/// Digest of objects, computed apart from the service.
fn digest(objects: &[String]) -> (u64, u64) {
    let scanner = Scanner::new(TypeMeta::new("v1", "Pod"), Transform::default(), PointerSet::default());
    let mut digest = Digest::default();
    for object in objects {
        digest.add(&scanner.scan(object.as_bytes()).unwrap());
    }
    (digest.count, digest.sum)
}

#[tokio::test]
async fn a_stream_is_one_snapshot_in_bounded_messages_with_a_proof_at_the_end() {
    let rig = rig();
    let objects: Vec<_> = (0..40).map(|n| padded(&format!("a/p{n:03}"), n + 1, 50_000)).collect();
    let watch = rig.pods(&objects).await;
    let mut stream = open(
        &rig,
        pb::StreamObjectsRequest {
            read: pin(),
            ..request(0)
        },
    )
    .await
    .unwrap();
    let mut messages = vec![stream.next().await.unwrap().unwrap()];
    // What changes now is not part of the stream.
    watch.deleted(&padded("a/p039", 200, 10)).await;
    while let Some(message) = stream.next().await {
        messages.push(message.unwrap());
    }
    assert!(messages.len() > 8);
    assert!(
        messages
            .iter()
            .all(|m| prost::Message::encoded_len(m) <= (256 << 10) + 4096)
    );
    let summary = messages.pop().unwrap().summary.unwrap();
    assert!(messages.iter().all(|m| m.summary.is_none() && !m.objects.is_empty()));
    let sent: Vec<_> = messages.into_iter().flat_map(|m| m.objects).collect();
    assert_eq!((sent.len(), names(&sent)[39].as_str()), (40, "p039@40"));
    assert_eq!((summary.object_count, summary.digest), digest(&objects));
    assert_eq!(summary.status.unwrap().resource_version, "100");
    let then = rig
        .get(pb::GetObjectRequest {
            read: at(&summary.snapshot),
            ..get("a/p039")
        })
        .await;
    assert!(then.is_ok(), "the stream's snapshot is pinned");
}

#[tokio::test]
async fn a_body_that_fits_into_no_message_comes_in_parts() {
    let rig = rig();
    let large = padded("a/large", 7, 1_400_000);
    rig.pods(&[object("a/before", 1, ""), large.clone(), object("a/small", 2, "")])
        .await;
    let limit = 256 << 10;
    let messages: Vec<_> = open(&rig, request(limit))
        .await
        .unwrap()
        .map(Result::unwrap)
        .collect()
        .await;
    assert!(
        messages
            .iter()
            .all(|m| prost::Message::encoded_len(m) <= limit as usize)
    );
    let sent: Vec<_> = messages.iter().flat_map(|m| m.objects.clone()).collect();
    assert_eq!(names(&sent), ["before@1", "small@2"]);
    let chunks: Vec<_> = messages.iter().filter_map(|m| m.chunk.clone()).collect();
    assert_eq!(chunks[0].r#ref.as_ref().unwrap().resource_version, "7");
    let mut body = Vec::new();
    for (at, chunk) in chunks.iter().enumerate() {
        assert_eq!(chunk.offset, body.len() as u64);
        assert_eq!(chunk.r#ref.as_ref().unwrap().name, "large");
        assert_eq!(chunk.last, at + 1 == chunks.len());
        body.extend_from_slice(&chunk.data);
    }
    assert_eq!(chunks.len(), 1_400_000 / ((256 << 10) - (64 << 10)) + 1);
    let whole = rig.get(get("a/large")).await.unwrap().object.unwrap().object.unwrap();
    assert_eq!(body, whole.data);
    assert_eq!(messages.last().unwrap().summary.as_ref().unwrap().object_count, 3);
    // With the usual limit it is one object as any other.
    let messages: Vec<_> = open(&rig, request(0))
        .await
        .unwrap()
        .map(Result::unwrap)
        .collect()
        .await;
    assert!(messages.iter().all(|m| m.chunk.is_none()));
    assert_eq!(messages.iter().map(|m| m.objects.len()).sum::<usize>(), 3);
}

#[tokio::test]
async fn an_empty_stream_still_ends_with_a_summary() {
    let rig = rig();
    rig.pods(&pods(3)).await;
    let none = pb::StreamObjectsRequest {
        filter: labels("app=none"),
        ..request(0)
    };
    let messages: Vec<_> = open(&rig, none).await.unwrap().map(Result::unwrap).collect().await;
    assert_eq!(messages.len(), 1);
    let summary = messages[0].summary.as_ref().unwrap();
    assert_eq!(
        (summary.object_count, summary.digest, summary.snapshot.as_str()),
        (0, 0, "")
    );
}

#[tokio::test]
async fn a_limit_that_leaves_no_room_is_refused() {
    let rig = rig();
    rig.pods(&pods(1)).await;
    let refused = open(&rig, request((256 << 10) - 1)).await.map(|_| ());
    assert_eq!(refused_field(refused, "INVALID_FIELD"), "max_receive_bytes");
    assert!(open(&rig, request(u64::MAX)).await.is_ok());
}
