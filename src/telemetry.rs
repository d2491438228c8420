//! Metrics in the words of Prometheus. They are read when they are scraped, so that nothing pays for them in between.
//!
//! ```text
//!   Queues ──▶ QueueCollector ───────┐
//!   SharedInformerFactory            ├──▶ Registry ──▶ MetricsServer: GET /metrics
//!          └─▶ InformerCollector ────┘
//!   open watches ────▲
//! ```
//! docs/metrics.md says what each of them means and when to worry.
//!
//! Names and labels of the queues' metrics are those of client-go's workqueue, and controller-runtime's `priority`
//! (rows Q10, E8), so that dashboards and alerts made for those work here.

mod family;
mod informers;
mod queues;
mod server;

pub use server::{MetricsServer, TelemetryError};

use std::sync::Arc;

use prometheus_client::{metrics::info::Info, registry::Registry};

use crate::{
    informer::{SharedInformer, SharedInformerFactory},
    queues::Queues,
};

/// The open watches of one informer, as whoever serves them tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Watches {
    /// How many.
    pub open: u64,
    /// Revisions that the slowest of them is behind.
    pub worst_lag: u64,
    /// Resets that were sent, also to watches that have ended.
    pub resets: u64,
}

/// All metrics of a sidecar. `watches` is asked at each scrape, for all informers at once.
pub fn registry(
    factory: Arc<SharedInformerFactory>,
    queues: Arc<Queues>,
    watches: impl Fn(&[Arc<SharedInformer>]) -> Vec<Watches> + Send + Sync + 'static,
) -> Registry {
    let mut registry = Registry::default();
    registry.register(
        "informerd_build",
        "What is running",
        Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]),
    );
    registry.register_collector(Box::new(informers::InformerCollector {
        factory,
        watches: Box::new(watches),
    }));
    registry.register_collector(Box::new(queues::QueueCollector(queues)));
    registry
}
