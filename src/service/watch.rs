//! SubscriptionService: one stream for one subscriber.
//!
//! ```text
//!   WatchRequest ──▶ request.rs (checked) ──▶ Listener ──▶ stream.rs (frames, built when the transport asks)
//!                     token.rs (resume)                     registry.rs (acks, ListWatches)
//!                                                           stall.rs (ends what nobody reads)
//! ```

mod frame;
mod registry;
mod request;
mod stall;
mod stream;
mod token;

pub use registry::WatchTotals;
pub(crate) use registry::{MAX_WATCHES, Registry};

use std::{pin::Pin, sync::Arc, time::Duration};

use futures::Stream;
use tokio_util::sync::CancellationToken;
use tonic::{Request, Response, Status};

use self::{request::WatchParams, stall::Guarded};
use super::{
    access::{compile, informer_to_watch},
    error::ApiError,
};
use crate::{informer::SharedInformerFactory, proto::v1alpha1 as pb};

/// How long a client that comes back with hashes waits for the informer's first sync before its stream begins.
const SYNC_PATIENCE: Duration = Duration::from_secs(10);

/// The service.
pub(crate) struct SubscriptionApi {
    factory: Arc<SharedInformerFactory>,
    registry: Arc<Registry>,
    shutdown: CancellationToken,
}

// === impl SubscriptionApi ===

impl SubscriptionApi {
    pub(crate) fn new(factory: Arc<SharedInformerFactory>, shutdown: CancellationToken) -> Self {
        Self {
            factory,
            registry: Arc::default(),
            shutdown,
        }
    }

    /// The open watches.
    pub(crate) fn registry(&self) -> &Arc<Registry> {
        &self.registry
    }

    async fn open(&self, request: pb::WatchRequest) -> Result<Guarded, ApiError> {
        let mut params = WatchParams::of(&request)?;
        let (informer, spec) = informer_to_watch(&self.factory, request.informer, request.filter).await?;
        let query = compile(&informer, &spec)?;
        let begin = token::begin(&params, &informer, &query)?;
        let begin = token::compare(begin, &informer, &query, SYNC_PATIENCE).await;
        params.known = begin.known.clone();
        let entry = self.registry.register(&informer, &params)?;
        let pulse = entry.pulse();
        let stream = stream::run(informer, query, params, begin, entry, self.shutdown.clone());
        Ok(Guarded::new(stream, pulse))
    }
}

#[tonic::async_trait]
impl pb::subscription_service_server::SubscriptionService for SubscriptionApi {
    type WatchStream = Pin<Box<dyn Stream<Item = Result<pb::WatchResponse, Status>> + Send + 'static>>;

    async fn watch(&self, request: Request<pb::WatchRequest>) -> Result<Response<Self::WatchStream>, Status> {
        let stream = self.open(request.into_inner()).await?;
        Ok(Response::new(Box::pin(stream)))
    }

    async fn ack_watch(&self, request: Request<pb::AckWatchRequest>) -> Result<Response<pb::AckWatchResponse>, Status> {
        let request = request.into_inner();
        Ok(Response::new(self.registry.ack(&request.watch_id, request.sequence)?))
    }

    async fn list_watches(
        &self,
        request: Request<pb::ListWatchesRequest>,
    ) -> Result<Response<pb::ListWatchesResponse>, Status> {
        Ok(Response::new(self.registry.list(&request.into_inner())?))
    }
}

#[cfg(test)]
mod tests;
