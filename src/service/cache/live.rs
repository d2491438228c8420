//! `read.live`: past the cache, and never into it.
//!
//! ```text
//!   GetObject   ask for the object ──▶ the informer's transform, the request's projection ──▶ reply
//!   others      ask for the newest version of each namespace ──▶ wait until the cache has reached it ──▶ the cache
//! ```
//!
//! Whatever happens ends within `freshness_timeout`. At most [`MAX_LIVE`](super::MAX_LIVE) requests run at a time.

use std::{future::Future, sync::Arc, time::Duration};

use futures::future::try_join_all;
use tokio::time::{Instant, timeout_at};
use tonic::Code;

use super::{
    CacheApi, MAX_LIVE,
    list::{fitting, missing},
};
use crate::{
    informer::{InformerSpec, SharedInformer},
    object::{ObjectKey, PointerSet, ResourceVersion, Scanner},
    proto::v1alpha1 as pb,
    service::{
        access::{Freshness, Wanted, compile, incomparable, with_status},
        convert::{View, cache_status},
        error::ApiError,
    },
    store::{QuerySpec, Snapshot},
    upstream::{LiveError, LiveRead},
};

/// The API server gives no other advice.
const RETRY: Duration = Duration::from_secs(1);

/// True if a read goes past the cache.
pub(super) fn is_live(read: Option<&pb::ReadOptions>) -> bool {
    use pb::read_options::Freshness::Live;
    matches!(read.and_then(|r| r.freshness.as_ref()), Some(Live(true)))
}

// === impl CacheApi ===

impl CacheApi {
    /// The object as the API server has it now. The informer need not be synced: who asks so trusts no cache.
    pub(super) async fn get_live(
        &self,
        informer: &SharedInformer,
        key: ObjectKey,
        view: View,
        freshness: &Freshness,
    ) -> Result<pb::GetObjectResponse, ApiError> {
        if freshness.pin {
            return Err(ApiError::invalid(
                "read.pin_snapshot",
                "INVALID_FIELD",
                "read.pin_snapshot: an object that is read live comes from no snapshot",
            ));
        }
        let deadline = Instant::now() + freshness.timeout;
        let spec = informer.spec();
        let none = || {
            let status = cache_status(informer, &informer.processor().load());
            missing(informer, "the API server", &key, &status)
        };
        if spec.resource.namespaced && key.namespace().is_empty() {
            return Err(none());
        }
        let namespace = Some(key.namespace()).filter(|ns| !ns.is_empty());
        let read = live_read(&spec, namespace);
        let asked = self.factory.upstream().live_object(&read, key.name());
        let body = self.ask(informer, deadline, asked).await?.ok_or_else(none)?;
        // As the cache would have stored it.
        let scanner = Scanner::new(spec.resource.type_meta(), spec.transform, PointerSet::default());
        let object = scanner.scan(&body).map_err(|e| {
            let message = format!(
                "the API server's {} {:?} cannot be read: {e}",
                spec.resource,
                key.to_string()
            );
            let error = ApiError::new(Code::Internal, "UPSTREAM_MALFORMED", message);
            with_status(error, &cache_status(informer, &informer.processor().load()))
        })?;
        if object.key != key {
            return Err(none());
        }
        Ok(pb::GetObjectResponse {
            object: Some(fitting(&object, &view)),
            status: Some(cache_status(informer, &informer.processor().load())),
            snapshot: String::new(),
        })
    }

    /// The cache, once it has seen all that the API server had acknowledged when the call came. It is proven current by
    /// that, so `max_staleness` has no say.
    pub(super) async fn newest(
        &self,
        informer: &SharedInformer,
        spec: &QuerySpec,
        freshness: &Freshness,
    ) -> Result<Snapshot, ApiError> {
        compile(informer, spec)?;
        let deadline = Instant::now() + freshness.timeout;
        // The namespaces of a selector are known only then.
        let synced = freshness.wait(informer).await?;
        let asked = scopes(informer, spec).into_iter().map(|namespace| {
            let read = live_read(&informer.spec(), namespace.as_deref());
            async move {
                let asked = self.factory.upstream().live_version(&read);
                self.ask(informer, deadline, asked).await
            }
        });
        let mut newest = None::<ResourceVersion>;
        for version in try_join_all(asked).await? {
            if newest.as_ref().is_none_or(|newest| !newest.reaches(&version)) {
                newest = Some(version);
            }
        }
        let Some(newest) = newest else {
            return Ok(synced.snapshot.clone());
        };
        if !newest.is_comparable() {
            return Err(incomparable(informer, &synced, &newest));
        }
        let reached = Freshness {
            wanted: Wanted::ResourceVersion(newest),
            timeout: deadline.saturating_duration_since(Instant::now()),
            ..freshness.clone()
        };
        Ok(reached.wait(informer).await?.snapshot.clone())
    }

    /// One request to the API server, when there is room for it.
    async fn ask<T>(
        &self,
        informer: &SharedInformer,
        deadline: Instant,
        request: impl Future<Output = Result<T, LiveError>>,
    ) -> Result<T, ApiError> {
        let status = || cache_status(informer, &informer.processor().load());
        let permit = match self.live.try_acquire() {
            Ok(permit) => Some(permit),
            Err(_) => {
                let waited = timeout_at(deadline, self.live.acquire()).await;
                // Those who held the permits may have run out of time at the same moment.
                waited.ok().and_then(Result::ok).filter(|_| Instant::now() < deadline)
            }
        };
        let Some(_permit) = permit else {
            let error = ApiError::new(
                Code::ResourceExhausted,
                "TOO_MANY_LIVE_READS",
                format!("{MAX_LIVE} live reads are under way and none of them ended in time"),
            )
            .retry_after(RETRY)
            .remedy("read from the cache where its current_as_of will do; retry the others");
            return Err(with_status(error, &status()));
        };
        match timeout_at(deadline, request).await {
            Ok(Ok(answer)) => Ok(answer),
            Ok(Err(error)) => Err(with_status(refused(informer, &error), &status())),
            Err(_) => {
                let error = unavailable("the API server has not answered within freshness_timeout".to_owned());
                Err(with_status(error.retry_after(RETRY), &status()))
            }
        }
    }
}

/// The namespaces to ask for; `None` is all of them.
fn scopes(informer: &SharedInformer, filter: &QuerySpec) -> Vec<Option<Arc<str>>> {
    let spec = informer.spec();
    let named = |namespaces: &mut dyn Iterator<Item = &String>| namespaces.map(|ns| Some(ns.as_str().into())).collect();
    match informer.namespaces() {
        _ if !spec.resource.namespaced => vec![None],
        _ if !filter.namespaces.is_empty() => named(&mut filter.namespaces.iter()),
        Some(cached) => named(&mut cached.iter()),
        // Not known yet, and the client did not want to wait for it.
        None if !spec.namespace_selector.is_empty() => Vec::new(),
        None => vec![None],
    }
}

fn live_read(spec: &InformerSpec, namespace: Option<&str>) -> LiveRead {
    LiveRead {
        resource: spec.resource.clone(),
        namespace: namespace.map(Into::into),
        label_selector: spec.label_selector.clone(),
        field_selector: spec.field_selector.clone(),
        metadata_only: spec.metadata_only,
    }
}

fn refused(informer: &SharedInformer, error: &LiveError) -> ApiError {
    let resource = informer.spec().resource;
    let message = format!("{resource} cannot be read from the API server: {}", error.error);
    match error.error.http_status {
        401 | 403 => ApiError::new(Code::PermissionDenied, "UPSTREAM_FORBIDDEN", message)
            .resource(resource.to_string(), informer.name())
            .remedy("grant get and list on the resource to the sidecar's identity"),
        404 => ApiError::new(Code::NotFound, "RESOURCE_NOT_FOUND", message)
            .resource("Resource", resource.to_string())
            .remedy("the API server does not serve the resource any more, or not yet"),
        429 => ApiError::new(Code::Unavailable, "UPSTREAM_THROTTLED", message)
            .retry_after(error.retry_after.unwrap_or(RETRY))
            .remedy("retry when RetryInfo says so; or read from the cache"),
        400..500 if error.error.http_status != 408 && error.error.http_status != 410 => {
            ApiError::new(Code::FailedPrecondition, "UPSTREAM_REFUSED", message)
                .resource(resource.to_string(), informer.name())
        }
        _ => unavailable(message).retry_after(error.retry_after.unwrap_or(RETRY)),
    }
}

fn unavailable(message: String) -> ApiError {
    ApiError::new(Code::Unavailable, "UPSTREAM_UNAVAILABLE", message)
        .remedy("retry; or read from the cache, whose status says how current it is")
}
