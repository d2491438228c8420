//! WorkQueueService over the queues of the process.
//!
//! ```text
//!   declare   QueueSpec ──▶ normalised, its sources resolved ──▶ Queues
//!   items     add, forget, acquire (long poll), complete, extend
//!   session   a worker's liveness and its lost leases
//!   inspect   numbers, keys in any state
//! ```

mod declare;
mod inspect;
mod items;
mod session;

#[cfg(test)]
mod tests;

use std::{pin::Pin, sync::Arc, time::Duration};

use futures::Stream;
use prost::Message as _;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tonic::{Code, Request, Response, Status};

use super::{
    access::administer,
    convert::{duration, timestamp, unknown_enum},
    error::ApiError,
};
use crate::{
    informer::SharedInformerFactory,
    proto::v1alpha1::{self as pb, work_queue_service_server::WorkQueueService},
    queue::{DrainMode, Failure, Lease, Phase},
    queues::{LiveQueue, QueueError, Queues},
};

/// The service.
pub(crate) struct QueueApi {
    factory: Arc<SharedInformerFactory>,
    queues: Arc<Queues>,
    shutdown: CancellationToken,
}

const MAX_DRAIN_WAIT: Duration = Duration::from_secs(600);

// === impl QueueApi ===

impl QueueApi {
    pub(crate) fn new(factory: Arc<SharedInformerFactory>, queues: Arc<Queues>, shutdown: CancellationToken) -> Self {
        Self {
            factory,
            queues,
            shutdown,
        }
    }

    fn queue(&self, name: &str) -> Result<Arc<LiveQueue>, ApiError> {
        Ok(self.queues.get(name)?)
    }

    async fn drain(&self, request: pb::DrainQueueRequest) -> Result<pb::Queue, ApiError> {
        let queue = self.queue(&request.name)?;
        let mode = match pb::DrainMode::try_from(request.mode) {
            Ok(pb::DrainMode::Unspecified | pb::DrainMode::Finish) => DrainMode::Finish,
            Ok(pb::DrainMode::Stop) => DrainMode::Stop,
            Err(_) => return Err(unknown_enum("mode", request.mode)),
        };
        let wait = duration("timeout", request.timeout)?.unwrap_or_default();
        queue.drain(mode);
        let drained = tokio::time::timeout(wait.min(MAX_DRAIN_WAIT), queue.drained());
        // In time or not: the reply says which.
        let _ = drained.await;
        Ok(queue_pb(&queue))
    }
}

/// A lease's name: opaque to workers, and it tells a lost lease from one of another epoch.
fn lease_id(queue: &LiveQueue, token: u64) -> String {
    format!("{}.{token:x}", queue.epoch())
}

/// The token of a lease of this queue's epoch.
fn lease_token(queue: &LiveQueue, id: &str) -> Result<u64, ApiError> {
    let parts = id.rsplit_once('.');
    let Some((epoch, token)) = parts.and_then(|(e, t)| Some((e, u64::from_str_radix(t, 16).ok()?))) else {
        return Err(ApiError::invalid(
            "lease_id",
            "INVALID_FIELD",
            format!("{id:?} is not a lease_id"),
        ));
    };
    if epoch != queue.epoch() {
        return Err(epoch_changed("lease_id"));
    }
    Ok(token)
}

fn epoch_changed(field: &str) -> ApiError {
    ApiError::new(
        Code::Aborted,
        "EPOCH_CHANGED",
        format!("{field} is of another epoch: the server was restarted, or the queue was created again"),
    )
    .field(field)
    .remedy("open a RunWorkerSession with the items that are still worked on")
}

fn lease_pb(queue: &LiveQueue, lease: &Lease) -> pb::Lease {
    lease_until(queue, lease.token, lease.expires)
}

fn lease_until(queue: &LiveQueue, token: u64, expires: Instant) -> pb::Lease {
    pb::Lease {
        lease_id: lease_id(queue, token),
        fencing_token: token,
        expire_time: Some(timestamp(queue.clock().wall_of(expires))),
        expires_in: Some(super::convert::duration_pb(
            expires.saturating_duration_since(Instant::now()),
        )),
    }
}

fn failure_pb(failure: Option<Failure>) -> pb::FailureReason {
    match failure {
        None => pb::FailureReason::Unspecified,
        Some(Failure::Retry) => pb::FailureReason::Retry,
        Some(Failure::LeaseExpired) => pb::FailureReason::LeaseExpired,
        Some(Failure::WorkerLost) => pb::FailureReason::WorkerLost,
        Some(Failure::Terminal) => pb::FailureReason::Terminal,
    }
}

fn state_pb(phase: Phase) -> pb::QueueState {
    match phase {
        Phase::Active => pb::QueueState::Active,
        Phase::Holding => pb::QueueState::Holding,
        Phase::Draining => pb::QueueState::Draining,
        Phase::Drained => pb::QueueState::Drained,
    }
}

fn queue_pb(queue: &LiveQueue) -> pb::Queue {
    let stats = inspect::stats(queue);
    let phase = queue.phase();
    pb::Queue {
        name: queue.name().to_owned(),
        // What was encoded by `declare`.
        spec: pb::QueueSpec::decode(queue.spec().declaration.as_slice()).ok(),
        epoch: queue.epoch().to_owned(),
        state: state_pb(phase).into(),
        create_time: Some(timestamp(queue.created())),
        hold_end_time: queue.hold_end().filter(|_| phase == Phase::Holding).map(timestamp),
        informers: queue
            .spec()
            .sources
            .iter()
            .map(|s| s.informer.name().to_owned())
            .collect(),
        stats: Some(stats),
    }
}

impl From<QueueError> for ApiError {
    fn from(error: QueueError) -> Self {
        let message = error.to_string();
        match error {
            QueueError::NotFound(name) => Self::new(Code::NotFound, "QUEUE_NOT_FOUND", message)
                .resource("informer.v1alpha1.Queue", name)
                .remedy("ListQueues lists those that exist; CreateQueue makes one"),
            QueueError::Conflict(id) => Self::new(Code::AlreadyExists, "QUEUE_SPEC_CONFLICT", message)
                .field("queue_id")
                .resource("informer.v1alpha1.Queue", format!("queues/{id}"))
                .remedy("choose another id, or delete the queue first"),
            QueueError::InvalidId(_) => Self::invalid("queue_id", "INVALID_FIELD", message),
            QueueError::InUse { name, .. } => Self::new(Code::FailedPrecondition, "QUEUE_IN_USE", message)
                .resource("informer.v1alpha1.Queue", name)
                .remedy("complete the leases, or set force"),
            QueueError::TooMany(_) => Self::new(Code::ResourceExhausted, "TOO_MANY_QUEUES", message),
        }
    }
}

#[tonic::async_trait]
impl WorkQueueService for QueueApi {
    type RunWorkerSessionStream =
        Pin<Box<dyn Stream<Item = Result<pb::RunWorkerSessionResponse, Status>> + Send + 'static>>;

    async fn create_queue(
        &self,
        request: Request<pb::CreateQueueRequest>,
    ) -> Result<Response<pb::CreateQueueResponse>, Status> {
        let request = request.into_inner();
        let spec = declare::spec(&self.factory, request.spec.unwrap_or_default()).await?;
        let queue = self.queues.create(&request.queue_id, spec).map_err(ApiError::from)?;
        Ok(Response::new(pb::CreateQueueResponse {
            queue: Some(queue_pb(&queue)),
        }))
    }

    async fn get_queue(&self, request: Request<pb::GetQueueRequest>) -> Result<Response<pb::GetQueueResponse>, Status> {
        let queue = self.queue(&request.get_ref().name)?;
        Ok(Response::new(pb::GetQueueResponse {
            queue: Some(queue_pb(&queue)),
        }))
    }

    async fn list_queues(
        &self,
        request: Request<pb::ListQueuesRequest>,
    ) -> Result<Response<pb::ListQueuesResponse>, Status> {
        Ok(Response::new(inspect::list(&self.queues, &request.into_inner())?))
    }

    async fn delete_queue(
        &self,
        request: Request<pb::DeleteQueueRequest>,
    ) -> Result<Response<pb::DeleteQueueResponse>, Status> {
        administer(&request)?;
        let request = request.into_inner();
        self.queues
            .delete(&request.name, request.force)
            .map_err(ApiError::from)?;
        Ok(Response::new(pb::DeleteQueueResponse {}))
    }

    async fn drain_queue(
        &self,
        request: Request<pb::DrainQueueRequest>,
    ) -> Result<Response<pb::DrainQueueResponse>, Status> {
        administer(&request)?;
        let queue = self.drain(request.into_inner()).await?;
        Ok(Response::new(pb::DrainQueueResponse { queue: Some(queue) }))
    }

    async fn add_items(&self, request: Request<pb::AddItemsRequest>) -> Result<Response<pb::AddItemsResponse>, Status> {
        Ok(Response::new(self.add(request.into_inner())?))
    }

    async fn forget_items(
        &self,
        request: Request<pb::ForgetItemsRequest>,
    ) -> Result<Response<pb::ForgetItemsResponse>, Status> {
        Ok(Response::new(self.forget(request.into_inner())?))
    }

    async fn acquire_items(
        &self,
        request: Request<pb::AcquireItemsRequest>,
    ) -> Result<Response<pb::AcquireItemsResponse>, Status> {
        Ok(Response::new(self.acquire(request.into_inner()).await?))
    }

    async fn complete_items(
        &self,
        request: Request<pb::CompleteItemsRequest>,
    ) -> Result<Response<pb::CompleteItemsResponse>, Status> {
        let request = request.into_inner();
        let queue = self.queue(&request.queue)?;
        let results = self.complete(&queue, request.completions)?;
        Ok(Response::new(pb::CompleteItemsResponse { results }))
    }

    async fn extend_leases(
        &self,
        request: Request<pb::ExtendLeasesRequest>,
    ) -> Result<Response<pb::ExtendLeasesResponse>, Status> {
        Ok(Response::new(self.extend(request.into_inner())?))
    }

    async fn run_worker_session(
        &self,
        request: Request<pb::RunWorkerSessionRequest>,
    ) -> Result<Response<Self::RunWorkerSessionStream>, Status> {
        let stream = self.session(request.into_inner())?;
        Ok(Response::new(Box::pin(stream)))
    }

    async fn get_queue_stats(
        &self,
        request: Request<pb::GetQueueStatsRequest>,
    ) -> Result<Response<pb::GetQueueStatsResponse>, Status> {
        let queue = self.queue(&request.get_ref().queue)?;
        Ok(Response::new(inspect::queue_stats(&queue)))
    }

    async fn list_items(
        &self,
        request: Request<pb::ListItemsRequest>,
    ) -> Result<Response<pb::ListItemsResponse>, Status> {
        let request = request.into_inner();
        let queue = self.queue(&request.queue)?;
        Ok(Response::new(inspect::items(&queue, &request)?))
    }

    async fn peek_items(
        &self,
        request: Request<pb::PeekItemsRequest>,
    ) -> Result<Response<pb::PeekItemsResponse>, Status> {
        let request = request.into_inner();
        let queue = self.queue(&request.queue)?;
        Ok(Response::new(inspect::peek(&queue, request.max_items)))
    }
}
