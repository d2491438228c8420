//! One consistent snapshot of any size. Pull-driven: a message is built when the transport asks for it, so a slow
//! client costs one message and the snapshot, not a copy of everything.

use bytes::Bytes;
use futures::{StreamExt as _, stream::BoxStream};
use tonic::Status;

use super::{CacheApi, read::Opened, walk::Walk};
use crate::{
    object::{Digest, Object},
    proto::v1alpha1 as pb,
    service::{
        convert::{HEADROOM, View, body, cached_object, max_receive, object_ref, view},
        error::ApiError,
        pins::Pins,
    },
};

/// Larger messages are no faster and cost clients memory.
const MESSAGE: usize = 256 << 10;

type Message = pb::StreamObjectsResponse;

// === impl CacheApi ===

impl CacheApi {
    pub(super) async fn stream(
        &self,
        request: pb::StreamObjectsRequest,
    ) -> Result<BoxStream<'static, Result<Message, Status>>, ApiError> {
        let view = view(request.projection)?;
        let largest = max_receive(request.max_receive_bytes)? - HEADROOM;
        let opened = self.open(request.informer, request.filter, request.read).await?;
        Ok(messages(opened, view, largest, self.pins.clone()).map(Ok).boxed())
    }
}

fn messages(opened: Opened, view: View, largest: usize, pins: Pins) -> impl futures::Stream<Item = Message> + Send {
    async_stream::stream! {
        let full = MESSAGE.min(largest);
        let mut digest = Digest::default();
        let (mut objects, mut bytes) = (Vec::new(), 0);
        let mut found = Walk::new(&opened.snapshot, &opened.query, None);
        while let Some(object) = found.next().await {
            digest.add(object);
            let item = cached_object(object, &view);
            let size = prost::Message::encoded_len(&item);
            if bytes + size > full && !objects.is_empty() {
                bytes = 0;
                yield batch(std::mem::take(&mut objects));
            }
            let body = item.object.as_ref().map_or(0, |o| o.data.len());
            if body <= largest {
                bytes += size;
                objects.push(item);
            } else {
                for chunk in chunks(object, &view, full) {
                    yield chunk;
                }
            }
        }
        if !objects.is_empty() {
            yield batch(objects);
        }
        yield Message {
            summary: Some(pb::StreamSummary {
                object_count: digest.count,
                digest: digest.sum,
                status: Some(opened.status()),
                // Pinned now and not at the start: a long stream would outlive the pin.
                snapshot: if opened.pin { opened.pin(&pins) } else { String::new() },
            }),
            ..Message::default()
        };
    }
}

fn batch(objects: Vec<pb::CachedObject>) -> Message {
    Message {
        objects,
        ..Message::default()
    }
}

/// The parts of a body that fits into no message; none is copied.
fn chunks(object: &Object, view: &View, part: usize) -> impl Iterator<Item = Message> {
    let body = body(object, view);
    let whole = object_ref(object);
    // Later parts say only whose they are.
    let short = pb::ObjectRef {
        namespace: whole.namespace.clone(),
        name: whole.name.clone(),
        uid: whole.uid.clone(),
        ..pb::ObjectRef::default()
    };
    (0..body.len()).step_by(part).map(move |offset| {
        let end = body.len().min(offset + part);
        let data: Bytes = body.slice(offset..end);
        Message {
            chunk: Some(pb::ObjectChunk {
                r#ref: Some(if offset == 0 { whole.clone() } else { short.clone() }),
                encoding: pb::Encoding::Json.into(),
                data,
                offset: offset as u64,
                last: end == body.len(),
            }),
            ..Message::default()
        }
    })
}
