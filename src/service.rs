//! The gRPC side: the contract of `proto/` over the core. Knows nothing of Kubernetes' API beyond what the core knows.
//!
//! ```text
//!   request ──▶ access (informer, filter, freshness) ──▶ Published ──▶ convert ──▶ reply with CacheStatus
//!               └ error: canonical code, ErrorInfo, field, remedy
//! ```

mod access;
mod cache;
mod convert;
mod error;
mod health;
mod informers;
mod page;
mod pins;
mod queue;
mod server;
mod socket;
#[cfg(test)]
mod testing;
mod watch;

pub use server::{BoundServer, ServerError, ServerOptions};
pub use socket::SocketError;
pub use watch::WatchTotals;
