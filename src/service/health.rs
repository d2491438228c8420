//! grpc.health.v1, one service name for each informer, computed when asked.
//!
//! - `""`: the process is up and every informer that started eagerly has been synced once. An outage of the API server does
//!   not change it: a restart or a lost endpoint would take the cache from its clients when they need it most.
//! - `informer.v1alpha1.CacheService` and its sisters: the process is up.
//! - `informers/{id}`: the informer is synced, the API server has neither denied nor dropped its resource, and its watch has
//!   not been gone for longer than [`GRACE`] (field case 2).
//!
//! ```text
//!   each second: not WATCHING? note since when ──▶ check: for longer than GRACE? ──▶ NOT_SERVING
//!                WATCHING? forget it           ──▶ check: WATCHING now?          ──▶ SERVING at once
//! ```

use std::{
    collections::BTreeMap,
    pin::Pin,
    sync::Arc,
    time::{Duration, SystemTime},
};

use futures::Stream;
use parking_lot::Mutex;
use tokio::{
    task::JoinSet,
    time::{Instant, MissedTickBehavior},
};
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
    absences: Arc<Absences>,
    /// Looks at the informers; ends with the service.
    _looking: JoinSet<()>,
}

/// Since when each informer is without a watch.
#[derive(Debug, Default)]
struct Absences(Mutex<BTreeMap<Identity, Instant>>);

/// Name and creation: a name may come again, and an epoch ends while the informer goes on.
type Identity = (String, SystemTime);

/// How long an informer may be without a watch and is still called healthy. An ordinary re-watch takes milliseconds, a relist
/// seconds, and a rolling restart of the API servers some tens of seconds with the longest pause between two tries, 30 s:
/// nobody should be paged for those. Together with the 60 s in which a half-open connection is found out, an informer
/// that hears nothing is reported within a minute and a half.
const GRACE: Duration = Duration::from_secs(30);
/// How exactly it is known since when.
const LOOK: Duration = Duration::from_secs(1);

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
    /// Must be called inside a tokio runtime.
    pub(crate) fn new(factory: Arc<SharedInformerFactory>) -> Self {
        let absences = Arc::<Absences>::default();
        let mut looking = JoinSet::new();
        let (watched, noted) = (factory.clone(), absences.clone());
        looking.spawn(async move {
            let mut looks = tokio::time::interval(LOOK);
            looks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                looks.tick().await;
                noted.look(&watched.list());
            }
        });
        Self {
            factory,
            absences,
            _looking: looking,
        }
    }
}

// === impl Absences ===

impl Absences {
    fn look(&self, informers: &[Arc<SharedInformer>]) {
        let now = Instant::now();
        let absent: Vec<_> = informers
            .iter()
            .filter(|i| i.upstream().state != UpstreamState::Watching)
            .map(|i| identity(i))
            .collect();
        let mut since = self.0.lock();
        since.retain(|informer, _| absent.contains(informer));
        for informer in absent {
            since.entry(informer).or_insert(now);
        }
    }

    fn too_long(&self, informer: &SharedInformer) -> bool {
        let since = self.0.lock().get(&identity(informer)).copied();
        since.is_some_and(|since| since.elapsed() > GRACE)
    }

    fn is_serving(&self, informer: &SharedInformer) -> bool {
        let upstream = informer.upstream();
        let healthy = match upstream.state {
            UpstreamState::Watching => true,
            // A credential is refused while it is being renewed; an answer about rights stands until somebody changes them.
            UpstreamState::Forbidden if upstream.last_error.is_some_and(|e| e.http_status == 401) => {
                !self.too_long(informer)
            }
            UpstreamState::Forbidden | UpstreamState::Gone | UpstreamState::Waiting => false,
            UpstreamState::Starting | UpstreamState::Listing | UpstreamState::Backoff => !self.too_long(informer),
        };
        healthy && informer.processor().load().snapshot.position().synced
    }
}

fn identity(informer: &SharedInformer) -> Identity {
    (informer.name().to_owned(), informer.created())
}

/// `None` if there is no such service.
fn status_of(factory: &SharedInformerFactory, absences: &Absences, service: &str) -> Option<ServingStatus> {
    let serving = match service {
        "" => {
            let informers = factory.list();
            let mut eager = informers.iter().filter(|i| i.spec().start == StartPolicy::Eager);
            factory.expected().is_empty() && eager.all(|i| i.processor().load().snapshot.position().synced)
        }
        known if SERVICES.contains(&known) => true,
        name => absences.is_serving(&*factory.get(name).ok()?),
    };
    Some(if serving {
        ServingStatus::Serving
    } else {
        ServingStatus::NotServing
    })
}

fn response(status: ServingStatus) -> HealthCheckResponse {
    HealthCheckResponse { status: status.into() }
}

#[tonic::async_trait]
impl Health for HealthApi {
    type WatchStream = Pin<Box<dyn Stream<Item = Result<HealthCheckResponse, Status>> + Send + 'static>>;

    async fn check(&self, request: Request<HealthCheckRequest>) -> Result<Response<HealthCheckResponse>, Status> {
        let service = &request.get_ref().service;
        match status_of(&self.factory, &self.absences, service) {
            Some(status) => Ok(Response::new(response(status))),
            None => Err(Status::not_found(format!("unknown service {service:?}"))),
        }
    }

    async fn watch(&self, request: Request<HealthCheckRequest>) -> Result<Response<Self::WatchStream>, Status> {
        let service = request.into_inner().service;
        let (factory, absences) = (self.factory.clone(), self.absences.clone());
        Ok(Response::new(Box::pin(async_stream::stream! {
            let mut last = None;
            loop {
                let now = status_of(&factory, &absences, &service).unwrap_or(ServingStatus::ServiceUnknown);
                if last.replace(now) != Some(now) {
                    yield Ok(response(now));
                }
                tokio::time::sleep(POLL).await;
            }
        })))
    }
}

#[cfg(test)]
mod tests;
