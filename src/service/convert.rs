//! Between the contract's messages and the core's types.

use std::{
    sync::Arc,
    time::{Duration, SystemTime},
};

use bytes::Bytes;

use super::error::ApiError;
use crate::{
    informer::SharedInformer,
    object::{Cut, MAX_POINTERS, Object, ObjectKey, TransformError},
    processor::Published,
    proto::v1alpha1 as pb,
    store::{Position, QuerySpec, Tombstone},
    upstream::{ResourceQuery, UpstreamError, UpstreamState},
};

/// How bodies are sent, checked.
#[derive(Clone, Debug)]
pub(crate) enum View {
    Reference,
    Metadata,
    Full,
    /// What some pointers name, and what identifies the object.
    Parts(Arc<Cut>),
}

/// The default of gRPC libraries.
const DEFAULT_MAX_RECEIVE: usize = 4 << 20;
const MIN_MAX_RECEIVE: usize = 256 << 10;
/// Room in a message for what is not bodies.
pub(crate) const HEADROOM: usize = 64 << 10;

/// The client's largest message: default 4 MiB, at least 256 KiB.
pub(crate) fn max_receive(bytes: u64) -> Result<usize, ApiError> {
    match usize::try_from(bytes).unwrap_or(usize::MAX) {
        0 => Ok(DEFAULT_MAX_RECEIVE),
        bytes if bytes < MIN_MAX_RECEIVE => Err(ApiError::invalid(
            "max_receive_bytes",
            "INVALID_FIELD",
            format!("max_receive_bytes: at least {MIN_MAX_RECEIVE}, or 0 for the default of {DEFAULT_MAX_RECEIVE}"),
        )),
        bytes => Ok(bytes),
    }
}

/// The filter of a request.
pub(crate) fn query_spec(filter: Option<pb::Filter>) -> QuerySpec {
    let filter = filter.unwrap_or_default();
    QuerySpec {
        namespaces: filter.namespaces,
        names: filter.names,
        label_selector: filter.label_selector,
        field_selector: filter.field_selector,
        index: filter.index.map(|i| (i.name, i.values)),
    }
}

/// The projection of a request.
pub(crate) fn view(projection: Option<pb::Projection>) -> Result<View, ApiError> {
    let projection = projection.unwrap_or_default();
    match pb::Encoding::try_from(projection.encoding) {
        Ok(pb::Encoding::Unspecified | pb::Encoding::Json) => {}
        _ => {
            return Err(ApiError::invalid(
                "projection.encoding",
                "ENCODING_NOT_AVAILABLE",
                "only ENCODING_JSON is available",
            )
            .remedy("leave projection.encoding unset"));
        }
    }
    let pointers = &projection.json_pointers;
    match pb::View::try_from(projection.view) {
        Ok(pb::View::Unspecified | pb::View::Full) if pointers.is_empty() => Ok(View::Full),
        Ok(pb::View::Unspecified | pb::View::Full) => Cut::projection(pointers.iter().map(String::as_str))
            .map(|cut| View::Parts(Arc::new(cut)))
            .map_err(|e| pointer_error("projection.json_pointers", &e)),
        Ok(_) if !pointers.is_empty() => Err(ApiError::invalid(
            "projection.json_pointers",
            "INVALID_FIELD",
            "projection.json_pointers needs VIEW_FULL",
        )
        .remedy("leave projection.view unset")),
        Ok(pb::View::Metadata) => Ok(View::Metadata),
        Ok(pb::View::Reference) => Ok(View::Reference),
        Err(_) => Err(unknown_enum("projection.view", projection.view)),
    }
}

/// Pointers that cannot be used.
pub(crate) fn pointer_error(field: &str, error: &TransformError) -> ApiError {
    let reason = match error {
        TransformError::TooMany(_) => "INVALID_FIELD",
        TransformError::Pointer(_) | TransformError::Identity { .. } => "INVALID_POINTER",
    };
    let refused = ApiError::invalid(field, reason, format!("{field}: {error}"));
    match error {
        TransformError::TooMany(_) => refused.remedy(format!(
            "send at most {MAX_POINTERS}; \"*\" stands for every element or member"
        )),
        TransformError::Pointer(_) => {
            refused.remedy("write RFC 6901 pointers, for example /metadata/annotations/example.com~1note")
        }
        TransformError::Identity { field, .. } => refused.remedy(format!("name parts that leave {field} as it is")),
    }
}

/// An enum value that this server does not know.
pub(crate) fn unknown_enum(field: &str, value: i32) -> ApiError {
    ApiError::invalid(field, "INVALID_FIELD", format!("{field}: unknown value {value}"))
}

/// A duration, not negative.
pub(crate) fn duration(field: &str, value: Option<prost_types::Duration>) -> Result<Option<Duration>, ApiError> {
    value
        .map(|d| {
            Duration::try_from(d).map_err(|_| {
                ApiError::invalid(
                    field,
                    "INVALID_FIELD",
                    format!("{field}: the duration must not be negative"),
                )
            })
        })
        .transpose()
}

/// A key of a request.
pub(crate) fn object_key(key: Option<pb::ObjectKey>) -> Result<ObjectKey, ApiError> {
    match key {
        Some(key) if !key.name.is_empty() => Ok(ObjectKey::new(key.namespace, key.name)),
        _ => Err(ApiError::invalid("key.name", "INVALID_FIELD", "key.name is required")),
    }
}

/// A resource of a request.
pub(crate) fn resource_query(resource: pb::ResourceRef) -> Result<ResourceQuery, ApiError> {
    if resource.resource.is_empty() {
        return Err(ApiError::invalid(
            "resource.resource",
            "INVALID_FIELD",
            "resource.resource is required, for example \"pods\" or \"deployments.apps\"",
        ));
    }
    Ok(ResourceQuery {
        group: resource.group,
        version: resource.version,
        resource: resource.resource,
    })
}

/// A key of a reply.
pub(crate) fn key_pb(key: &ObjectKey) -> pb::ObjectKey {
    pb::ObjectKey {
        namespace: key.namespace().to_owned(),
        name: key.name().to_owned(),
    }
}

/// The reference of a reply.
pub(crate) fn object_ref(object: &Object) -> pb::ObjectRef {
    pb::ObjectRef {
        namespace: object.key.namespace().to_owned(),
        name: object.key.name().to_owned(),
        uid: object.meta.uid.to_string(),
        resource_version: object.meta.resource_version.to_string(),
        generation: object.meta.generation,
        deletion_timestamp_set: object.meta.deleting,
    }
}

/// The bytes of an object in a view; no copy for whole objects.
pub(crate) fn body(object: &Object, view: &View) -> Bytes {
    match view {
        View::Reference => Bytes::new(),
        View::Metadata => object.metadata_json(),
        View::Full => object.body().bytes(),
        View::Parts(cut) => cut.apply(&object.body().bytes()),
    }
}

/// The body of a reply.
pub(crate) fn payload(object: &Object, view: &View) -> pb::ObjectPayload {
    pb::ObjectPayload {
        encoding: pb::Encoding::Json.into(),
        data: body(object, view),
        omitted: match view {
            View::Reference => pb::Omitted::View.into(),
            _ => pb::Omitted::Unspecified.into(),
        },
    }
}

/// A body that does not fit.
pub(crate) fn too_large() -> pb::ObjectPayload {
    omitted(pb::Omitted::TooLarge)
}

/// A body that is not sent.
pub(crate) fn omitted(why: pb::Omitted) -> pb::ObjectPayload {
    pb::ObjectPayload {
        encoding: pb::Encoding::Json.into(),
        data: Bytes::new(),
        omitted: why.into(),
    }
}

/// The reference of an object that is gone.
pub(crate) fn tombstone_ref(tombstone: &Tombstone) -> pb::ObjectRef {
    pb::ObjectRef {
        namespace: tombstone.key.namespace().to_owned(),
        name: tombstone.key.name().to_owned(),
        uid: tombstone.uid.to_string(),
        resource_version: tombstone.resource_version.to_string(),
        ..Default::default()
    }
}

/// An object of a reply.
pub(crate) fn cached_object(object: &Object, view: &View) -> pb::CachedObject {
    pb::CachedObject {
        r#ref: Some(object_ref(object)),
        object: Some(payload(object, view)),
    }
}

/// Bytes that an object takes in a message, close enough for bounds.
pub(crate) fn sent_size(object: &Object, view: &View) -> usize {
    let body = match view {
        View::Reference => 0,
        // The whole body is an upper bound that costs nothing to know.
        View::Metadata | View::Full | View::Parts(_) => object.body().len(),
    };
    body + object.key.namespace().len() + object.key.name().len() + 160
}

/// The truth about the state that a reply was served from.
pub(crate) fn cache_status(informer: &SharedInformer, served: &Published) -> pb::CacheStatus {
    status_at(informer, served.snapshot.position())
}

/// As [`cache_status`], for a position.
pub(crate) fn status_at(informer: &SharedInformer, position: &Position) -> pb::CacheStatus {
    let upstream = informer.upstream();
    let watching = upstream.state == UpstreamState::Watching;
    pb::CacheStatus {
        informer: informer.name().to_owned(),
        epoch: informer.epoch_of(position),
        revision: position.revision,
        resource_version: position.resource_version.to_string(),
        synced: position.synced,
        upstream_state: state_pb(upstream.state).into(),
        current_as_of: position
            .as_of
            .filter(|_| position.synced)
            .map(|at| timestamp(informer.clock().wall_of(at))),
        last_error: upstream.last_error.filter(|_| !watching).map(|e| upstream_error(&e)),
    }
}

/// What a reflector does.
pub(crate) fn state_pb(state: UpstreamState) -> pb::UpstreamState {
    match state {
        UpstreamState::Starting => pb::UpstreamState::Starting,
        UpstreamState::Listing => pb::UpstreamState::Listing,
        UpstreamState::Watching => pb::UpstreamState::Watching,
        UpstreamState::Backoff => pb::UpstreamState::Backoff,
        UpstreamState::Forbidden => pb::UpstreamState::Forbidden,
        UpstreamState::Gone => pb::UpstreamState::Gone,
        UpstreamState::Waiting => pb::UpstreamState::Waiting,
    }
}

/// A failure of a reflector.
pub(crate) fn upstream_error(error: &UpstreamError) -> pb::UpstreamError {
    pb::UpstreamError {
        http_status: error.http_status.into(),
        reason: error.reason.clone(),
        message: error.message.clone(),
        time: Some(timestamp(error.time)),
    }
}

/// A wall time of a reply.
pub(crate) fn timestamp(time: SystemTime) -> prost_types::Timestamp {
    time.into()
}

/// A duration of a reply.
pub(crate) fn duration_pb(duration: Duration) -> prost_types::Duration {
    prost_types::Duration::try_from(duration).unwrap_or_default()
}
