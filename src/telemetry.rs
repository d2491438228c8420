//! Metrics in the words of Prometheus. They are read when they are scraped, so that nothing pays for them in between.
//!
//! ```text
//!   Queues ──▶ QueueCollector ───────┐
//!   SharedInformerFactory            ├──▶ Registry ──▶ MetricsServer: GET /metrics
//!          └─▶ InformerCollector ────┘
//! ```
//! Names and labels of the queues' metrics are those of client-go's workqueue, and controller-runtime's `priority`
//! (rows Q10, E8), so that dashboards and alerts made for those work here.

mod family;
mod informers;
mod queues;
mod server;

pub use server::{MetricsServer, TelemetryError};

use std::sync::Arc;

use prometheus_client::{metrics::info::Info, registry::Registry};

use crate::{informer::SharedInformerFactory, queues::Queues};

/// All metrics of a sidecar.
pub fn registry(factory: Arc<SharedInformerFactory>, queues: Arc<Queues>) -> Registry {
    let mut registry = Registry::default();
    registry.register(
        "informerd_build",
        "What is running",
        Info::new(vec![("version", env!("CARGO_PKG_VERSION"))]),
    );
    registry.register_collector(Box::new(informers::InformerCollector(factory)));
    registry.register_collector(Box::new(queues::QueueCollector(queues)));
    registry
}
