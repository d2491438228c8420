//! grpc.health.v1, one service name for each informer, computed when asked: it cannot lag behind what it reports.
//!
//! - `""`: the process is up and every informer that started eagerly is synced.
//! - `informer.v1alpha1.CacheService` and its sisters: the process is up.
//! - `informers/{id}`: the informer is synced and the API server has neither denied nor dropped its resource.

use std::{pin::Pin, sync::Arc, time::Duration};

use futures::Stream;
use tonic::{Request, Response, Status};
use tonic_health::pb::{
    HealthCheckRequest, HealthCheckResponse, health_check_response::ServingStatus, health_server::Health,
};

use crate::{
    informer::{SharedInformer, SharedInformerFactory, StartPolicy},
    upstream::UpstreamState,
};

/// The service.
pub(crate) struct HealthApi {
    factory: Arc<SharedInformerFactory>,
}

/// Services that serve as long as the process is up.
const SERVICES: &[&str] = &[
    "informer.v1alpha1.InformerService",
    "informer.v1alpha1.SubscriptionService",
    "informer.v1alpha1.CacheService",
    "informer.v1alpha1.WorkQueueService",
];
/// How often a Watch looks for a change. Informers come and go, so there is no one thing to wait on.
const POLL: Duration = Duration::from_millis(500);

// === impl HealthApi ===

impl HealthApi {
    pub(crate) fn new(factory: Arc<SharedInformerFactory>) -> Self {
        Self { factory }
    }
}

/// `None` if there is no such service.
fn status_of(factory: &SharedInformerFactory, service: &str) -> Option<ServingStatus> {
    let serving = match service {
        "" => {
            let informers = factory.list();
            let mut eager = informers.iter().filter(|i| i.spec().start == StartPolicy::Eager);
            factory.expected().is_empty() && eager.all(|i| i.processor().load().snapshot.position().synced)
        }
        known if SERVICES.contains(&known) => true,
        name => is_serving(&*factory.get(name).ok()?),
    };
    Some(if serving {
        ServingStatus::Serving
    } else {
        ServingStatus::NotServing
    })
}

fn is_serving(informer: &SharedInformer) -> bool {
    let refused = matches!(
        informer.upstream().state,
        UpstreamState::Forbidden | UpstreamState::Gone | UpstreamState::Waiting
    );
    informer.processor().load().snapshot.position().synced && !refused
}

fn response(status: ServingStatus) -> HealthCheckResponse {
    HealthCheckResponse { status: status.into() }
}

#[tonic::async_trait]
impl Health for HealthApi {
    type WatchStream = Pin<Box<dyn Stream<Item = Result<HealthCheckResponse, Status>> + Send + 'static>>;

    async fn check(&self, request: Request<HealthCheckRequest>) -> Result<Response<HealthCheckResponse>, Status> {
        let service = &request.get_ref().service;
        match status_of(&self.factory, service) {
            Some(status) => Ok(Response::new(response(status))),
            None => Err(Status::not_found(format!("unknown service {service:?}"))),
        }
    }

    async fn watch(&self, request: Request<HealthCheckRequest>) -> Result<Response<Self::WatchStream>, Status> {
        let service = request.into_inner().service;
        let factory = self.factory.clone();
        Ok(Response::new(Box::pin(async_stream::stream! {
            let mut last = None;
            loop {
                let now = status_of(&factory, &service).unwrap_or(ServingStatus::ServiceUnknown);
                if last.replace(now) != Some(now) {
                    yield Ok(response(now));
                }
                tokio::time::sleep(POLL).await;
            }
        })))
    }
}
