//! CacheService: lister and index queries over one immutable snapshot each (row S2).
//!
//! ```text
//!   read    informer, filter, freshness or pin or page token ──▶ Opened { snapshot, query }
//!   list    one object, a batch, a page of objects or of keys
//!   values  an index's values, counts
//!   stream  a whole snapshot, built message by message as the client takes them
//!   live    past the cache: the object, or the version that the cache must reach, from the API server
//!   stale   refuses what is older than the informer allows
//!   walk    the objects that match, with room for other tasks between those that do not
//! ```

mod list;
mod live;
mod read;
mod stale;
mod stream;
mod values;
mod walk;

#[cfg(test)]
mod tests;

use std::{sync::Arc, time::Duration};

use futures::stream::BoxStream;
use tokio::sync::Semaphore;
use tonic::{Request, Response, Status};

use super::{error::ApiError, pins::Pins};
use crate::{
    informer::SharedInformerFactory,
    proto::v1alpha1::{self as pb, cache_service_server::CacheService},
};

/// The service.
pub(crate) struct CacheApi {
    factory: Arc<SharedInformerFactory>,
    pins: Pins,
    /// One permit for each request to the API server.
    live: Semaphore,
}

/// Bounds of the service, as GetServerInfo tells them.
pub(crate) struct Limits {
    /// Objects, keys or values of a page.
    pub(crate) page_size: usize,
    /// Bytes of bodies, or of values, in a page.
    pub(crate) page_bytes: usize,
    /// Keys of a BatchGetObjects.
    pub(crate) batch_keys: usize,
    /// Pinned snapshots of an informer.
    pub(crate) pins: usize,
    /// A pin ends this long after its last use.
    pub(crate) pin_ttl: Duration,
}

/// See [`Limits`].
pub(crate) const LIMITS: Limits = Limits {
    page_size: 10_000,
    page_bytes: 1 << 20,
    batch_keys: 1000,
    pins: 32,
    pin_ttl: Duration::from_secs(60),
};
/// Bytes of a reply that a client with gRPC's usual limit of 4 MiB takes for sure.
const MAX_REPLY: usize = 7 << 19;
/// Requests to the API server at a time, for live reads of all clients together: few enough that a client which reads
/// everything live does no more harm to the API server than a busy controller.
const MAX_LIVE: usize = 16;

// === impl CacheApi ===

impl CacheApi {
    /// Serves the informers of `factory`.
    pub(crate) fn new(factory: Arc<SharedInformerFactory>) -> Self {
        Self {
            factory,
            pins: Pins::new(LIMITS.pins, LIMITS.pin_ttl),
            live: Semaphore::new(MAX_LIVE),
        }
    }
}

#[tonic::async_trait]
impl CacheService for CacheApi {
    async fn get_object(
        &self,
        request: Request<pb::GetObjectRequest>,
    ) -> Result<Response<pb::GetObjectResponse>, Status> {
        reply(self.get(request.into_inner()).await)
    }

    async fn batch_get_objects(
        &self,
        request: Request<pb::BatchGetObjectsRequest>,
    ) -> Result<Response<pb::BatchGetObjectsResponse>, Status> {
        reply(self.batch_get(request.into_inner()).await)
    }

    async fn list_objects(
        &self,
        request: Request<pb::ListObjectsRequest>,
    ) -> Result<Response<pb::ListObjectsResponse>, Status> {
        reply(self.list(request.into_inner()).await)
    }

    async fn list_object_keys(
        &self,
        request: Request<pb::ListObjectKeysRequest>,
    ) -> Result<Response<pb::ListObjectKeysResponse>, Status> {
        reply(self.list_keys(request.into_inner()).await)
    }

    type StreamObjectsStream = BoxStream<'static, Result<pb::StreamObjectsResponse, Status>>;

    async fn stream_objects(
        &self,
        request: Request<pb::StreamObjectsRequest>,
    ) -> Result<Response<Self::StreamObjectsStream>, Status> {
        reply(self.stream(request.into_inner()).await)
    }

    async fn list_index_values(
        &self,
        request: Request<pb::ListIndexValuesRequest>,
    ) -> Result<Response<pb::ListIndexValuesResponse>, Status> {
        reply(self.index_values(request.into_inner()).await)
    }

    async fn count_objects(
        &self,
        request: Request<pb::CountObjectsRequest>,
    ) -> Result<Response<pb::CountObjectsResponse>, Status> {
        reply(self.count(request.into_inner()).await)
    }

    async fn wait_for_resource_version(
        &self,
        request: Request<pb::WaitForResourceVersionRequest>,
    ) -> Result<Response<pb::WaitForResourceVersionResponse>, Status> {
        reply(self.wait_for(request.into_inner()).await)
    }
}

fn reply<T>(result: Result<T, ApiError>) -> Result<Response<T>, Status> {
    Ok(Response::new(result?))
}
