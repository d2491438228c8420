//! From a request to the informer and the state that it is served from: find or create the informer, wait for sync and
//! freshness, compile the filter.

use std::{sync::Arc, time::Duration};

use tokio::time::Instant;
use tonic::{Code, Request};

use super::{
    convert::{cache_status, duration, query_spec, resource_query},
    error::ApiError,
};
use crate::{
    informer::{SharedInformer, SharedInformerFactory, scoped},
    object::ResourceVersion,
    processor::{Published, WaitError},
    proto::v1alpha1 as pb,
    store::{Query, QuerySpec},
    upstream::UpstreamState,
};

/// How fresh a read must be, checked.
#[derive(Clone, Debug)]
pub(crate) struct Freshness {
    pub(crate) wanted: Wanted,
    pub(crate) timeout: Duration,
    pub(crate) allow_unsynced: bool,
    pub(crate) pin: bool,
}

/// What a read waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    Anything,
    ResourceVersion(ResourceVersion),
    Revision(u64),
    /// A pinned snapshot's token.
    Snapshot(String),
    /// What the API server has now.
    Live,
}

/// Marks a request of a caller who may not take anything away from others.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NoAdmin;

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(3);
const MAX_TIMEOUT: Duration = Duration::from_secs(60);
/// The API server's own advice for "too large resource version".
const RETRY: Duration = Duration::from_secs(1);

/// Refuses a call that takes something away from others, or changes it under their hands, unless the caller may (field case G).
pub(crate) fn administer<T>(request: &Request<T>) -> Result<(), ApiError> {
    if request.extensions().get::<NoAdmin>().is_none() {
        return Ok(());
    }
    Err(ApiError::new(
        Code::PermissionDenied,
        "ADMIN_NOT_ALLOWED",
        "callers over TCP may not delete or change what others declared",
    )
    .remedy("call over the Unix socket, or start the server with --tcp-admin"))
}

/// The informer of a request and the filter as it applies to it.
pub(crate) async fn informer_for(
    factory: &SharedInformerFactory,
    selector: Option<pb::InformerSelector>,
    filter: Option<pb::Filter>,
) -> Result<(Arc<SharedInformer>, QuerySpec), ApiError> {
    find(factory, selector, filter, false).await
}

/// As [`informer_for`], for a stream, which can wait for a resource that does not exist yet.
pub(crate) async fn informer_to_watch(
    factory: &SharedInformerFactory,
    selector: Option<pb::InformerSelector>,
    filter: Option<pb::Filter>,
) -> Result<(Arc<SharedInformer>, QuerySpec), ApiError> {
    find(factory, selector, filter, true).await
}

async fn find(
    factory: &SharedInformerFactory,
    selector: Option<pb::InformerSelector>,
    filter: Option<pb::Filter>,
    patient: bool,
) -> Result<(Arc<SharedInformer>, QuerySpec), ApiError> {
    let spec = query_spec(filter);
    let informer = match selector.and_then(|s| s.by) {
        None => {
            return Err(ApiError::invalid(
                "informer",
                "INVALID_FIELD",
                "informer is required: set informer.name or informer.resource",
            ));
        }
        Some(pb::informer_selector::By::Name(name)) => factory
            .get(&name)
            .map_err(|e| ApiError::from(e).field("informer.name"))?,
        Some(pb::informer_selector::By::Resource(resource)) => {
            let query = resource_query(resource)?;
            if patient {
                factory.for_watch(&query, &spec).await?
            } else {
                factory.for_resource(&query, &spec).await?
            }
        }
    };
    let spec = scoped(&spec, &informer.spec().resource);
    SharedInformerFactory::check_namespaces(&informer, &spec)?;
    informer.ensure_started();
    Ok((informer, spec))
}

/// Compiles a filter against the informer's indexes.
pub(crate) fn compile(informer: &SharedInformer, spec: &QuerySpec) -> Result<Query, ApiError> {
    let published = informer.processor().load();
    Ok(Query::compile(spec, published.snapshot.indexes())?)
}

// === impl Freshness ===

impl Freshness {
    /// Reads the options of a request.
    pub(crate) fn of(read: Option<pb::ReadOptions>) -> Result<Self, ApiError> {
        use pb::read_options::Freshness as F;
        let read = read.unwrap_or_default();
        let wanted = match read.freshness {
            None | Some(F::Live(false)) => Wanted::Anything,
            Some(F::MinResourceVersion(rv)) => Wanted::ResourceVersion(comparable("read.min_resource_version", &rv)?),
            Some(F::MinRevision(revision)) => Wanted::Revision(revision),
            Some(F::AtSnapshot(token)) => Wanted::Snapshot(token),
            Some(F::Live(true)) => Wanted::Live,
        };
        Ok(Self {
            wanted,
            timeout: timeout("read.freshness_timeout", read.freshness_timeout)?,
            allow_unsynced: read.allow_unsynced,
            pin: read.pin_snapshot,
        })
    }

    /// Waits until the informer is synced and fresh enough.
    pub(crate) async fn wait(&self, informer: &SharedInformer) -> Result<Arc<Published>, ApiError> {
        let synced = |p: &Published| self.allow_unsynced || p.snapshot.position().synced;
        let fresh = |p: &Published| {
            let position = p.snapshot.position();
            match &self.wanted {
                Wanted::Anything | Wanted::Snapshot(_) | Wanted::Live => true,
                Wanted::ResourceVersion(rv) => position.resource_version.reaches(rv),
                Wanted::Revision(revision) => position.revision >= *revision,
            }
        };
        // No wait makes versions comparable that are not.
        let hopeless = |p: &Published| {
            let version = &p.snapshot.position().resource_version;
            matches!(self.wanted, Wanted::ResourceVersion(_)) && !version.is_empty() && !version.is_comparable()
        };
        let answer = |p: Arc<Published>| match hopeless(&p) {
            true => Err(incomparable(informer, &p, &p.snapshot.position().resource_version)),
            false => Ok(p),
        };
        let settled = |p: &Published| synced(p) && (fresh(p) || hopeless(p));
        let now = informer.processor().load();
        if settled(&now) {
            return answer(now);
        }
        let deadline = Instant::now() + self.timeout;
        let waited = informer.processor().wait_for(deadline, settled);
        // A resource that the sidecar may not read does not become synced by waiting.
        let refused = informer.refused();
        tokio::pin!(waited);
        let error = tokio::select! {
            biased;
            waited = &mut waited => match waited {
                Ok(published) => return answer(published),
                Err(WaitError::TimedOut(last)) if synced(&last) => not_fresh(informer, &last, &self.wanted),
                Err(WaitError::TimedOut(_)) => not_synced(informer),
                Err(WaitError::Closed) => crate::processor::Closed.into(),
            },
            () = refused, if !synced(&now) => not_synced(informer),
        };
        Err(error)
    }
}

/// A version that a client wants to wait for must be comparable (KEP-5504).
pub(crate) fn comparable(field: &str, rv: &str) -> Result<ResourceVersion, ApiError> {
    let version = ResourceVersion::parse(rv);
    if version.is_comparable() {
        return Ok(version);
    }
    Err(ApiError::new(
        Code::FailedPrecondition,
        "RESOURCE_VERSION_INCOMPARABLE",
        format!("{field}: {rv:?} cannot be compared; it must be a decimal number as the API server returned it"),
    )
    .field(field)
    .resource("resourceVersion", rv))
}

/// A freshness timeout: default 3 s, at most 60 s.
pub(crate) fn timeout(field: &str, value: Option<prost_types::Duration>) -> Result<Duration, ApiError> {
    let timeout = duration(field, value)?.unwrap_or(DEFAULT_TIMEOUT);
    if timeout > MAX_TIMEOUT {
        return Err(ApiError::invalid(
            field,
            "INVALID_FIELD",
            format!("{field}: at most 60 s can be waited for; call again to wait longer"),
        ));
    }
    Ok(timeout)
}

fn not_synced(informer: &SharedInformer) -> ApiError {
    let status = cache_status(informer, &informer.processor().load());
    let upstream = informer.upstream();
    let cause = upstream
        .last_error
        .as_ref()
        .map(|e| format!(": {e}"))
        .unwrap_or_default();
    let error = match upstream.state {
        UpstreamState::Forbidden => ApiError::new(
            Code::FailedPrecondition,
            "UPSTREAM_FORBIDDEN",
            format!("{} cannot be read from the API server{cause}", informer.name()),
        )
        .resource("informer.v1alpha1.Informer", informer.name())
        .remedy("grant get, list and watch on the resource to the sidecar's identity; it recovers by itself"),
        state => ApiError::new(
            Code::Unavailable,
            "CACHE_NOT_SYNCED",
            format!(
                "{} has not been synced yet (the reflector is {state:?}){cause}",
                informer.name()
            ),
        )
        .retry_after(RETRY)
        .remedy("retry, or read what is there with read.allow_unsynced"),
    };
    with_status(error, &status)
}

/// The API server of an informer gives a version that no other one can be compared with.
pub(crate) fn incomparable(informer: &SharedInformer, last: &Published, version: &ResourceVersion) -> ApiError {
    let status = cache_status(informer, last);
    let version = version.to_string();
    let error = ApiError::new(
        Code::FailedPrecondition,
        "RESOURCE_VERSION_INCOMPARABLE",
        format!(
            "{} is at resourceVersion {version:?}, which its API server did not make to be compared",
            informer.name()
        ),
    )
    .resource("informer.v1alpha1.Informer", informer.name())
    .remedy("read without a minimal resourceVersion; read.min_revision orders what this server gives");
    with_status(error, &status)
}

fn not_fresh(informer: &SharedInformer, last: &Published, wanted: &Wanted) -> ApiError {
    let status = cache_status(informer, last);
    let wanted = match wanted {
        Wanted::ResourceVersion(rv) => format!("resourceVersion {rv}"),
        Wanted::Revision(revision) => format!("revision {revision}"),
        Wanted::Anything | Wanted::Snapshot(_) | Wanted::Live => String::new(),
    };
    let error = ApiError::new(
        Code::Unavailable,
        "CACHE_NOT_FRESH",
        format!(
            "{} is at resourceVersion {}, revision {}; {wanted} was not reached in time",
            informer.name(),
            status.resource_version,
            status.revision
        ),
    )
    .retry_after(RETRY)
    .remedy("retry; a write that the informer's selector hides shows only with the API server's next bookmark");
    with_status(error, &status)
}

/// Where the cache stands, as a detail and, for clients that read no details of ours, as ErrorInfo metadata.
pub(crate) fn with_status(error: ApiError, status: &pb::CacheStatus) -> ApiError {
    let state = pb::UpstreamState::try_from(status.upstream_state).unwrap_or_default();
    error
        .with("informer", &status.informer)
        .with("resource_version", &status.resource_version)
        .with("revision", status.revision.to_string())
        .with("synced", status.synced.to_string())
        .with("upstream_state", state.as_str_name())
        .status(status)
}
