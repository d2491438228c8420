//! Errors as protocol.md 3.8 wants them: a canonical code, exactly one ErrorInfo with reason and domain, the field named,
//! the remedy said.

use std::{collections::HashMap, time::Duration};

use prost::Message as _;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

use crate::{
    informer::{FactoryError, IndexerError, SpecError},
    processor::Closed,
    proto::v1alpha1 as pb,
    store::{IndexError, QueryError},
    upstream::ResolveError,
};

/// Domain of all reasons: the package.
pub(crate) const DOMAIN: &str = "informer.v1alpha1";

/// Builds a status with details. Boxed, so that results stay small where nothing fails.
#[derive(Debug)]
pub(crate) struct ApiError(Box<Inner>);

#[derive(Debug)]
struct Inner {
    code: Code,
    reason: &'static str,
    message: String,
    metadata: HashMap<String, String>,
    field: Option<String>,
    retry: Option<Duration>,
    resource: Option<(String, String)>,
    status: Option<pb::CacheStatus>,
}

/// Type of the detail that says where the cache stands, as any client unpacks it.
const CACHE_STATUS: &str = "type.googleapis.com/informer.v1alpha1.CacheStatus";
/// Details travel in trailers, whose size clients limit: what an API server says at length is cut.
const MAX_MESSAGE_CHARS: usize = 300;

// === impl ApiError ===

impl ApiError {
    pub(crate) fn new(code: Code, reason: &'static str, message: impl Into<String>) -> Self {
        Self(Box::new(Inner {
            code,
            reason,
            message: message.into(),
            metadata: HashMap::new(),
            field: None,
            retry: None,
            resource: None,
            status: None,
        }))
    }

    /// INVALID_ARGUMENT for a field.
    pub(crate) fn invalid(field: impl Into<String>, reason: &'static str, message: impl Into<String>) -> Self {
        Self::new(Code::InvalidArgument, reason, message).field(field)
    }

    pub(crate) fn field(mut self, field: impl Into<String>) -> Self {
        let field = field.into();
        self.0.metadata.insert("field".into(), field.clone());
        self.0.field = Some(field);
        self
    }

    /// What the caller can do about it.
    pub(crate) fn remedy(self, remedy: impl Into<String>) -> Self {
        self.with("remedy", remedy)
    }

    pub(crate) fn with(mut self, key: &str, value: impl Into<String>) -> Self {
        self.0.metadata.insert(key.into(), value.into());
        self
    }

    pub(crate) fn retry_after(mut self, delay: Duration) -> Self {
        self.0.retry = Some(delay);
        self
    }

    pub(crate) fn resource(mut self, kind: impl Into<String>, name: impl Into<String>) -> Self {
        self.0.resource = Some((kind.into(), name.into()));
        self
    }

    /// Where the cache stood, as a detail of its own.
    pub(crate) fn status(mut self, status: &pb::CacheStatus) -> Self {
        let mut status = status.clone();
        if let Some(error) = &mut status.last_error {
            error.message = error.message.chars().take(MAX_MESSAGE_CHARS).collect();
        }
        self.0.status = Some(status);
        self
    }
}

impl ApiError {
    /// As the result of one item of a batch.
    pub(crate) fn into_item(self) -> pb::ItemResult {
        pb::ItemResult {
            code: self.0.code.into(),
            reason: self.0.reason.to_owned(),
            message: self.0.message,
        }
    }
}

impl From<ApiError> for Status {
    fn from(ApiError(error): ApiError) -> Self {
        let error = *error;
        let mut details = ErrorDetails::with_error_info(error.reason, DOMAIN, error.metadata);
        if let (Some(field), Code::InvalidArgument) = (error.field, error.code) {
            details.add_bad_request_violation(field, error.message.clone());
        }
        if let (Code::FailedPrecondition, Some((_, name))) = (error.code, &error.resource) {
            details.add_precondition_failure_violation(error.reason, name.clone(), error.message.clone());
        }
        if let Some((kind, name)) = error.resource {
            details.set_resource_info(kind, name, "", error.message.clone());
        }
        if let Some(delay) = error.retry {
            details.set_retry_info(Some(delay));
        }
        let status = Status::with_error_details(error.code, error.message, details);
        match error.status {
            Some(cache) => with_detail(&status, &cache),
            None => status,
        }
    }
}

/// Adds a detail that is not among google.rpc's own.
fn with_detail(status: &Status, cache: &pb::CacheStatus) -> Status {
    let Ok(mut whole) = tonic_types::Status::decode(status.details()) else {
        return status.clone();
    };
    whole.details.push(prost_types::Any {
        type_url: CACHE_STATUS.to_owned(),
        value: cache.encode_to_vec(),
    });
    Status::with_details(status.code(), status.message(), whole.encode_to_vec().into())
}

#[cfg(test)]
impl pb::CacheStatus {
    /// The detail of an error, if it has one.
    pub(crate) fn of_error(status: &Status) -> Option<Self> {
        let whole = tonic_types::Status::decode(status.details()).ok()?;
        let found = whole.details.iter().find(|d| d.type_url == CACHE_STATUS)?;
        Self::decode(&*found.value).ok()
    }
}

impl From<SpecError> for ApiError {
    fn from(error: SpecError) -> Self {
        let reason = match error.field {
            "label_selector" | "field_selector" | "namespace_selector" => "INVALID_SELECTOR",
            _ => "INVALID_FIELD",
        };
        Self::invalid(format!("spec.{}", error.field), reason, error.to_string())
    }
}

impl From<IndexError> for ApiError {
    fn from(error: IndexError) -> Self {
        let message = error.to_string();
        match error {
            IndexError::NotFound { name, .. } => Self::new(Code::NotFound, "INDEX_NOT_FOUND", message)
                .resource("informer.v1alpha1.Indexer", name)
                .remedy("declare it with AddIndexers, or use a built-in index"),
            IndexError::Conflict { name, .. } => Self::new(Code::AlreadyExists, "INDEX_CONFLICT", message)
                .resource("informer.v1alpha1.Indexer", name)
                .remedy("choose another name, or remove the index first"),
            IndexError::InvalidName(_) => Self::invalid("indexers.name", "INVALID_FIELD", message),
        }
    }
}

impl From<QueryError> for ApiError {
    fn from(error: QueryError) -> Self {
        let message = error.to_string();
        match error {
            QueryError::Labels(_) => Self::invalid("filter.label_selector", "INVALID_SELECTOR", message),
            QueryError::Fields(_) | QueryError::FieldPath(_) => {
                Self::invalid("filter.field_selector", "INVALID_SELECTOR", message)
            }
            QueryError::Index(error) => Self::from(error).field("filter.index.name"),
            QueryError::NoIndexValues => Self::invalid("filter.index.values", "INVALID_FIELD", message)
                .remedy("give at least one value; ListIndexValues lists them"),
        }
    }
}

impl From<ResolveError> for ApiError {
    fn from(error: ResolveError) -> Self {
        let message = error.to_string();
        match error {
            ResolveError::NotFound(name) => Self::new(Code::NotFound, "RESOURCE_NOT_FOUND", message)
                .field("informer.resource")
                .resource("Resource", name)
                .remedy(
                    "use a name that `kubectl api-resources` lists, as plural, plural.group or plural.version.group; \
                     to wait for a resource that does not exist yet, declare it with its group by CreateInformer or --resource",
                ),
            ResolveError::VersionNotServed { resource, .. } => {
                Self::new(Code::NotFound, "RESOURCE_NOT_FOUND", message)
                    .field("informer.resource")
                    .resource("Resource", resource)
                    .remedy("name one of these versions, or none for the preferred one")
            }
            ResolveError::NotWatchable { resource, .. } => {
                Self::new(Code::FailedPrecondition, "RESOURCE_NOT_WATCHABLE", message)
                    .field("informer.resource")
                    .resource("Resource", resource)
                    .remedy("choose a resource that supports list and watch")
            }
            ResolveError::Unavailable(cause) if cause.http_status == 401 || cause.http_status == 403 => {
                Self::new(Code::FailedPrecondition, "UPSTREAM_FORBIDDEN", message)
                    .resource("API server", "discovery")
                    .remedy("give the sidecar's identity the right to read discovery (system:discovery)")
            }
            ResolveError::Unavailable(_) => Self::new(Code::Unavailable, "UPSTREAM_UNAVAILABLE", message)
                .retry_after(Duration::from_secs(1))
                .remedy("the API server cannot be reached; the sidecar keeps trying"),
        }
    }
}

impl From<FactoryError> for ApiError {
    fn from(error: FactoryError) -> Self {
        let message = error.to_string();
        match error {
            FactoryError::Resolve(error) => error.into(),
            FactoryError::Spec(error) => error.into(),
            FactoryError::Index(error) => Self::from(error).field("spec.indexers"),
            FactoryError::NotFound(name) => Self::new(Code::NotFound, "INFORMER_NOT_FOUND", message)
                .resource("informer.v1alpha1.Informer", name)
                .remedy("ListInformers lists those that exist; CreateInformer makes one"),
            FactoryError::NoneCovers(resource) => Self::new(Code::NotFound, "INFORMER_NOT_FOUND", message)
                .field("informer.resource")
                .resource("informer.v1alpha1.Informer", resource),
            FactoryError::Conflict { name } => Self::new(Code::AlreadyExists, "INFORMER_SPEC_CONFLICT", message)
                .field("informer_id")
                .resource("informer.v1alpha1.Informer", name)
                .remedy("choose another id, or delete the informer first"),
            FactoryError::InvalidId(_) => Self::invalid("informer_id", "INVALID_FIELD", message),
            FactoryError::InUse { name, .. } => Self::new(Code::FailedPrecondition, "INFORMER_IN_USE", message)
                .resource("informer.v1alpha1.Informer", name)
                .remedy("end the watches, or set force"),
            FactoryError::TooMany(_) => Self::new(Code::ResourceExhausted, "TOO_MANY_INFORMERS", message),
            FactoryError::NamespaceRefused { informer, .. } => {
                Self::new(Code::FailedPrecondition, "UPSTREAM_FORBIDDEN", message)
                    .resource("informer.v1alpha1.Informer", informer)
                    .remedy(
                        "grant get, list and watch in this namespace to the sidecar's identity; it recovers by itself",
                    )
            }
            FactoryError::NamespaceNotCached { .. } => {
                Self::invalid("filter.namespaces", "NAMESPACE_NOT_CACHED", message)
                    .remedy("ask for a namespace that is cached, or create an informer for this one")
            }
        }
    }
}

impl From<Closed> for ApiError {
    fn from(closed: Closed) -> Self {
        Self::new(Code::NotFound, "INFORMER_NOT_FOUND", closed.to_string())
            .remedy("the informer was deleted while the call ran; create it again")
    }
}

impl From<IndexerError> for ApiError {
    fn from(error: IndexerError) -> Self {
        match error {
            IndexerError::Index(error) => error.into(),
            IndexerError::Closed(closed) => closed.into(),
        }
    }
}
