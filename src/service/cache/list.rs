//! Objects and keys: one, some, or a page of them (rows S9, S11).

use std::collections::BTreeSet;

use prost::Message as _;
use tonic::Code;

use super::{CacheApi, LIMITS, MAX_REPLY, live::is_live, read::PageRequest, walk::Walk};
use crate::{
    informer::SharedInformer,
    object::{Object, ObjectKey},
    proto::v1alpha1 as pb,
    service::{
        access::{Freshness, informer_for, with_status},
        convert::{View, cached_object, key_pb, object_key, too_large, view},
        error::ApiError,
        page::page_size,
    },
};

/// Default sizes of pages.
const OBJECTS: usize = 500;
const KEYS: usize = 5000;

// === impl CacheApi ===

impl CacheApi {
    pub(super) async fn get(&self, request: pb::GetObjectRequest) -> Result<pb::GetObjectResponse, ApiError> {
        let view = view(request.projection)?;
        let key = object_key(request.key)?;
        let filter = filter_of(std::slice::from_ref(&key));
        if is_live(request.read.as_ref()) {
            let (informer, _) = informer_for(&self.factory, request.informer, Some(filter)).await?;
            let freshness = Freshness::of(request.read)?;
            return self.get_live(&informer, scoped(&informer, key), view, &freshness).await;
        }
        let opened = self.open(request.informer, Some(filter), request.read).await?;
        let key = scoped(&opened.informer, key);
        let Some(object) = opened.snapshot.get(&key) else {
            return Err(missing(
                &opened.informer,
                opened.informer.name(),
                &key,
                &opened.status(),
            ));
        };
        Ok(pb::GetObjectResponse {
            object: Some(fitting(object, &view)),
            status: Some(opened.status()),
            snapshot: opened.pin_token(self),
        })
    }

    pub(super) async fn batch_get(
        &self,
        request: pb::BatchGetObjectsRequest,
    ) -> Result<pb::BatchGetObjectsResponse, ApiError> {
        let view = view(request.projection)?;
        if !(1..=LIMITS.batch_keys).contains(&request.keys.len()) {
            return Err(ApiError::invalid(
                "keys",
                "INVALID_FIELD",
                format!(
                    "keys: 1 to {} keys can be asked for, not {}",
                    LIMITS.batch_keys,
                    request.keys.len()
                ),
            ));
        }
        let keys = request.keys.into_iter().enumerate();
        let keys = keys
            .map(|(i, key)| object_key(Some(key)).map_err(|e| e.field(format!("keys[{i}].name"))))
            .collect::<Result<Vec<_>, _>>()?;
        let opened = self
            .open(request.informer, Some(filter_of(&keys)), request.read)
            .await?;
        let (mut objects, mut missing) = (Vec::new(), Vec::new());
        for key in keys {
            let key = scoped(&opened.informer, key);
            match opened.snapshot.get(&key) {
                Some(object) => objects.push(cached_object(object, &view)),
                None => missing.push(key_pb(&key)),
            }
        }
        omit_what_does_not_fit(&mut objects, missing.iter().map(|k| k.encoded_len() + FRAMING).sum());
        Ok(pb::BatchGetObjectsResponse {
            objects,
            missing,
            status: Some(opened.status()),
            snapshot: opened.pin_token(self),
        })
    }

    pub(super) async fn list(&self, request: pb::ListObjectsRequest) -> Result<pb::ListObjectsResponse, ApiError> {
        let view = view(request.projection)?;
        let size = page_size(request.page_size, OBJECTS, LIMITS.page_size)?;
        let page = self
            .open_page(PageRequest {
                call: ["ListObjects".into(), format!("{view:?}")],
                informer: request.informer,
                filter: request.filter,
                read: request.read,
                token: request.page_token,
                allow_unpinned: Some(request.allow_unpinned),
            })
            .await?;
        let opened = &page.opened;
        let (mut objects, mut next_page_token) = (Vec::new(), String::new());
        let (mut last, mut bodies, mut total) = (None::<&ObjectKey>, 0, 0);
        let mut found = Walk::new(&opened.snapshot, &opened.query, page.after().as_ref());
        while let Some(object) = found.next().await {
            let item = fitting(object, &view);
            let body = body_len(&item);
            let whole = item.encoded_len() + FRAMING;
            let full = objects.len() == size || bodies + body > LIMITS.page_bytes || total + whole > MAX_REPLY;
            // The first object always goes, however large, or paging would not end.
            if let (true, Some(last)) = (full, last) {
                next_page_token = self.next_token(&page, last.namespace(), last.name());
                break;
            }
            (last, bodies, total) = (Some(&object.key), bodies + body, total + whole);
            objects.push(item);
        }
        Ok(pb::ListObjectsResponse {
            objects,
            next_page_token,
            status: Some(opened.status()),
            snapshot: opened.pin_token(self),
        })
    }

    pub(super) async fn list_keys(
        &self,
        request: pb::ListObjectKeysRequest,
    ) -> Result<pb::ListObjectKeysResponse, ApiError> {
        let size = page_size(request.page_size, KEYS, LIMITS.page_size)?;
        let page = self
            .open_page(PageRequest {
                call: ["ListObjectKeys".into(), String::new()],
                informer: request.informer,
                filter: request.filter,
                read: request.read,
                token: request.page_token,
                allow_unpinned: Some(request.allow_unpinned),
            })
            .await?;
        let opened = &page.opened;
        let after = page.after();
        let mut found = Walk::new(&opened.snapshot, &opened.query, after.as_ref());
        let (mut keys, mut next_page_token) = (Vec::<pb::ObjectKey>::new(), String::new());
        while let Some(object) = found.next().await {
            if let (true, Some(last)) = (keys.len() == size, keys.last()) {
                next_page_token = self.next_token(&page, &last.namespace, &last.name);
                break;
            }
            keys.push(key_pb(&object.key));
        }
        Ok(pb::ListObjectKeysResponse {
            keys,
            next_page_token,
            status: Some(opened.status()),
            snapshot: opened.pin_token(self),
        })
    }
}

/// Namespaces mean nothing for a cluster-scoped resource (row K7).
fn scoped(informer: &SharedInformer, key: ObjectKey) -> ObjectKey {
    if informer.spec().resource.namespaced {
        key
    } else {
        ObjectKey::new("", key.name())
    }
}

/// Absence has a freshness too.
pub(super) fn missing(informer: &SharedInformer, holder: &str, key: &ObjectKey, status: &pb::CacheStatus) -> ApiError {
    let resource = informer.spec().resource;
    let error = ApiError::new(
        Code::NotFound,
        "OBJECT_NOT_FOUND",
        format!("{holder} holds no {resource} {:?}", key.to_string()),
    )
    .resource(resource.to_string(), key.to_string());
    let error = if resource.namespaced && key.namespace().is_empty() {
        error.remedy(format!("set key.namespace: {resource} are namespaced"))
    } else {
        error
    };
    with_status(error, status)
}

/// Tag and length of an element of a repeated field.
const FRAMING: usize = 6;

/// The filter by which the informer is chosen that caches these keys.
fn filter_of(keys: &[ObjectKey]) -> pb::Filter {
    let namespaces: BTreeSet<_> = keys
        .iter()
        .map(ObjectKey::namespace)
        .filter(|n| !n.is_empty())
        .collect();
    pb::Filter {
        namespaces: namespaces.into_iter().map(str::to_owned).collect(),
        ..pb::Filter::default()
    }
}

/// An object whose body fits into a reply of its own; StreamObjects sends larger ones.
pub(super) fn fitting(object: &Object, view: &View) -> pb::CachedObject {
    let mut item = cached_object(object, view);
    if body_len(&item) > MAX_REPLY {
        item.object = Some(too_large());
    }
    item
}

/// Keeps bodies, in order, as long as the whole reply stays below its bound.
fn omit_what_does_not_fit(objects: &mut [pb::CachedObject], other: usize) {
    let bodies: usize = objects.iter().map(body_len).sum();
    let all: usize = objects.iter().map(|o| o.encoded_len() + FRAMING).sum();
    let mut total = other + all - bodies;
    for item in objects {
        if total + body_len(item) > MAX_REPLY {
            item.object = Some(too_large());
        }
        total += body_len(item);
    }
}

fn body_len(item: &pb::CachedObject) -> usize {
    item.object.as_ref().map_or(0, |o| o.data.len())
}
