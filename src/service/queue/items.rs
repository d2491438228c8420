//! Keys in, leases out, completions back.

use std::{sync::Arc, time::Duration};

use tonic::Code;

use super::{QueueApi, epoch_changed, failure_pb, lease_pb, lease_token, state_pb};
use crate::{
    informer::SharedInformer,
    object::{ObjectKey, ResourceVersion},
    proto::v1alpha1 as pb,
    queue::{Add, Added, Lease, Outcome, Refused, WaitFor},
    queues::LiveQueue,
    service::{
        access::informer_for,
        convert::{
            HEADROOM, View, cache_status, cached_object, duration_pb, key_pb, object_key, sent_size, timestamp,
            too_large, view,
        },
        error::ApiError,
    },
};

const MAX_BATCH: usize = 10_000;
const MAX_ITEMS: u32 = 1000;
const MAX_WAIT_FOR: usize = 16;
const DEFAULT_WAIT: Duration = Duration::from_secs(10);
const MAX_WAIT: Duration = Duration::from_secs(30);
/// Bytes of objects in a reply: what every gRPC client takes.
const MAX_REPLY: usize = (4 << 20) - 2 * HEADROOM;

// === impl QueueApi ===

impl QueueApi {
    pub(super) fn add(&self, request: pb::AddItemsRequest) -> Result<pb::AddItemsResponse, ApiError> {
        let queue = self.queue(&request.queue)?;
        let how = Add {
            // Zero and negative delays mean now (row Q6).
            after: request
                .after
                .and_then(|d| Duration::try_from(d).ok())
                .unwrap_or_default(),
            rate_limited: request.rate_limited,
            priority: request.priority,
        };
        let keys = batch("keys", request.keys)?;
        let keys: Result<Vec<_>, _> = keys.into_iter().map(|key| object_key(Some(key))).collect();
        let added = queue.add(keys?.into_iter().map(|key| (key, how)).collect());
        if added.contains(&Added::Refused) {
            return Err(ApiError::new(
                Code::FailedPrecondition,
                "QUEUE_DRAINING",
                format!("{} drains and takes no keys", queue.name()),
            )
            .resource("informer.v1alpha1.Queue", queue.name())
            .remedy("delete the queue and create it again"));
        }
        let count = |what: Added| added.iter().filter(|a| **a == what).count() as u32;
        Ok(pb::AddItemsResponse {
            queued: count(Added::Queued),
            merged: count(Added::Merged),
            dirty: count(Added::Dirty),
        })
    }

    pub(super) fn forget(&self, request: pb::ForgetItemsRequest) -> Result<pb::ForgetItemsResponse, ApiError> {
        let queue = self.queue(&request.queue)?;
        let keys = batch("keys", request.keys)?;
        let keys: Result<Vec<_>, _> = keys.into_iter().map(|key| object_key(Some(key))).collect();
        let forgotten = queue.forget(&keys?);
        Ok(pb::ForgetItemsResponse {
            forgotten: forgotten.into_iter().filter(|f| *f).count() as u32,
        })
    }

    pub(super) async fn acquire(&self, request: pb::AcquireItemsRequest) -> Result<pb::AcquireItemsResponse, ApiError> {
        let queue = self.queue(&request.queue)?;
        worker_id(&request.worker_id)?;
        if !request.epoch.is_empty() && request.epoch != queue.epoch() {
            return Err(epoch_changed("epoch"));
        }
        let wait = match request.wait_timeout {
            None => DEFAULT_WAIT,
            // Negative means not to wait.
            Some(wait) => Duration::try_from(wait).unwrap_or_default().min(MAX_WAIT),
        };
        let objects = match request.object {
            None => None,
            Some(wanted) => Some(self.objects(&queue, wanted).await?),
        };
        let completions = self.complete(&queue, request.completions)?;
        let extensions = batch("extensions", request.extensions)?;
        let extensions = extensions.iter().map(|e| extension(&queue, &e.lease_id)).collect();
        let max = request.max_items.clamp(1, MAX_ITEMS) as usize;
        let grant = tokio::select! {
            grant = queue.acquire(&request.worker_id, max, wait) => Some(grant),
            () = self.shutdown.cancelled() => None,
        };
        if queue.is_deleted() {
            return Err(self
                .queue(&request.queue)
                .err()
                .unwrap_or_else(|| epoch_changed("queue")));
        }
        // Read after the keys were leased: a change after this adds the key again.
        let mut room = MAX_REPLY;
        let leases = grant.map(|g| g.take()).unwrap_or_default();
        let items = leases
            .iter()
            .map(|lease| item(&queue, lease, objects.as_ref(), &mut room))
            .collect();
        let mut statuses: Vec<_> = queue
            .spec()
            .sources
            .iter()
            .map(|s| cache_status(&s.informer, &s.informer.processor().load()))
            .collect();
        if let Some((informer, _)) = &objects
            && !statuses.iter().any(|s| s.informer == informer.name())
        {
            statuses.push(cache_status(informer, &informer.processor().load()));
        }
        Ok(pb::AcquireItemsResponse {
            items,
            completions,
            extensions,
            state: state_pb(queue.phase()).into(),
            epoch: queue.epoch().to_owned(),
            statuses,
        })
    }

    /// Where the objects of the items come from.
    async fn objects(
        &self,
        queue: &LiveQueue,
        wanted: pb::ObjectRequest,
    ) -> Result<(Arc<SharedInformer>, View), ApiError> {
        let view = view(wanted.projection)?;
        if wanted.informer.is_some() {
            let (informer, _) = informer_for(&self.factory, wanted.informer, None).await?;
            return Ok((informer, view));
        }
        let identity = queue.spec().sources.iter().find(|s| s.mapper.is_identity());
        let Some(source) = identity else {
            return Err(ApiError::invalid(
                "object.informer",
                "INVALID_FIELD",
                "object.informer is required: no source of the queue maps objects to their own keys",
            ));
        };
        Ok((source.informer.clone(), view))
    }

    pub(super) fn complete(
        &self,
        queue: &Arc<LiveQueue>,
        completions: Vec<pb::Completion>,
    ) -> Result<Vec<pb::ItemResult>, ApiError> {
        let completions = batch("completions", completions)?;
        Ok(completions
            .into_iter()
            .map(|completion| result_of(self.complete_one(queue, completion)))
            .collect())
    }

    fn complete_one(&self, queue: &Arc<LiveQueue>, completion: pb::Completion) -> Result<(), ApiError> {
        let token = lease_token(queue, &completion.lease_id)?;
        let outcome = match pb::Outcome::try_from(completion.outcome) {
            Ok(pb::Outcome::Success) => Outcome::Success,
            Ok(pb::Outcome::Retry) => Outcome::Retry,
            Ok(pb::Outcome::RequeueAfter) => {
                let after = completion.after.and_then(|d| Duration::try_from(d).ok());
                Outcome::RequeueAfter(after.unwrap_or_default())
            }
            Ok(pb::Outcome::Release) => Outcome::Release,
            Ok(pb::Outcome::Terminal) => Outcome::Terminal,
            Ok(pb::Outcome::Unspecified) | Err(_) => {
                return Err(ApiError::invalid("outcome", "INVALID_FIELD", "outcome is required"));
            }
        };
        if completion.wait_for.len() > MAX_WAIT_FOR {
            return Err(ApiError::invalid(
                "wait_for",
                "INVALID_FIELD",
                format!("wait_for: at most {MAX_WAIT_FOR} versions"),
            ));
        }
        let mut written = Vec::with_capacity(completion.wait_for.len());
        for wait in completion.wait_for {
            let informer = self.factory.get(&wait.informer)?;
            let version = ResourceVersion::parse(&wait.resource_version);
            let name: Arc<str> = informer.name().into();
            written.push((
                informer,
                WaitFor {
                    informer: name,
                    version,
                },
            ));
        }
        queue
            .complete(token, outcome, &written, &completion.error)
            .map(|_| ())
            .map_err(refused)
    }

    pub(super) fn extend(&self, request: pb::ExtendLeasesRequest) -> Result<pb::ExtendLeasesResponse, ApiError> {
        let queue = self.queue(&request.queue)?;
        if !request.worker_id.is_empty() {
            if !request.extensions.is_empty() {
                return Err(ApiError::invalid(
                    "extensions",
                    "INVALID_FIELD",
                    "extensions must be empty with worker_id",
                ));
            }
            let extended = queue.extend_worker(&request.worker_id);
            let end = tokio::time::Instant::now() + queue.spec().config.lease;
            return Ok(pb::ExtendLeasesResponse {
                results: Vec::new(),
                extended: extended as u32,
                expire_time: (extended > 0).then(|| timestamp(queue.clock().wall_of(end))),
            });
        }
        let extensions = batch("extensions", request.extensions)?;
        let results: Vec<_> = extensions.iter().map(|e| extension(&queue, &e.lease_id)).collect();
        Ok(pb::ExtendLeasesResponse {
            extended: results.iter().filter(|r| r.expire_time.is_some()).count() as u32,
            expire_time: results.iter().rev().find_map(|r| r.expire_time),
            results,
        })
    }
}

/// A worker's name, checked.
pub(super) fn worker_id(id: &str) -> Result<(), ApiError> {
    if (1..=253).contains(&id.len()) && id.chars().all(|c| !c.is_control()) {
        return Ok(());
    }
    Err(ApiError::invalid(
        "worker_id",
        "INVALID_FIELD",
        "worker_id is required: 1-253 bytes without control characters, unique among the workers",
    ))
}

/// A batch within its bound.
pub(super) fn batch<T>(field: &str, items: Vec<T>) -> Result<Vec<T>, ApiError> {
    if items.len() > MAX_BATCH {
        return Err(ApiError::invalid(
            field,
            "INVALID_FIELD",
            format!("{field}: at most {MAX_BATCH} at once"),
        ));
    }
    Ok(items)
}

pub(super) fn refused(refused: Refused) -> ApiError {
    match refused {
        Refused::LeaseLost => ApiError::new(Code::Aborted, "LEASE_LOST", refused.to_string())
            .remedy("stop work on the key; it is handed out again"),
        Refused::Incomparable => ApiError::new(
            Code::FailedPrecondition,
            "RESOURCE_VERSION_INCOMPARABLE",
            refused.to_string(),
        )
        .field("wait_for.resource_version"),
    }
}

/// The result of one item of a batch.
pub(super) fn result_of(result: Result<(), ApiError>) -> pb::ItemResult {
    match result {
        Ok(()) => pb::ItemResult::default(),
        Err(error) => error.into_item(),
    }
}

fn extension(queue: &LiveQueue, lease_id: &str) -> pb::ExtensionResult {
    let extended = lease_token(queue, lease_id).and_then(|token| queue.extend(token).map_err(refused));
    pb::ExtensionResult {
        expire_time: extended.as_ref().ok().map(|end| timestamp(queue.clock().wall_of(*end))),
        result: Some(result_of(extended.map(|_| ()))),
    }
}

fn item(
    queue: &LiveQueue,
    lease: &Lease,
    objects: Option<&(Arc<SharedInformer>, View)>,
    room: &mut usize,
) -> pb::WorkItem {
    let object = objects.map(|(informer, view)| {
        let published = informer.processor().load();
        published.snapshot.get(&scoped_key(informer, &lease.key)).map(|object| {
            let mut sent = cached_object(object, view);
            match room.checked_sub(sent_size(object, view)) {
                Some(left) => *room = left,
                None => sent.object = Some(too_large()),
            }
            sent
        })
    });
    pb::WorkItem {
        key: Some(key_pb(&lease.key)),
        lease: Some(lease_pb(queue, lease)),
        priority: lease.priority,
        failures: lease.failures,
        last_failure: failure_pb(lease.last_failure).into(),
        stale: lease.stale,
        queued_for: Some(duration_pb(lease.queued_for)),
        object_missing: matches!(object, Some(None)),
        object: object.flatten(),
    }
}

/// Cluster-scoped objects have no namespace, whatever the key says.
fn scoped_key(informer: &SharedInformer, key: &ObjectKey) -> ObjectKey {
    if informer.spec().resource.namespaced {
        key.clone()
    } else {
        ObjectKey::new("", key.name())
    }
}
