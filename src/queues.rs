//! The work queues of the process: each is a [`crate::queue::WorkQueue`] fed by listeners.
//!
//! ```text
//!   Listener (informer, filter) ──▶ mapper: old and new object become keys ──▶ WorkQueue ──▶ Grant to the poll that waits longest
//!        └ position ──▶ opens stale gates                                         ▲ deadlines (leases, delays, gates)
//! ```
//!
//! Keys never travel to a client and back, and a key is queued after the cache holds the object: the listener reads what the
//! controller has published.

mod live;
mod mapper;
mod polls;
mod registry;
mod source;
mod spec;

pub use live::LiveQueue;
pub use mapper::{KeyNamespace, MapFrom, Mapper};
pub use polls::Grant;
pub use registry::{QueueError, Queues};
pub use source::Predicate;
pub use spec::{QueueSpec, SourceSpec};
