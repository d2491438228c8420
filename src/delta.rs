//! What flows from the reflector to the controller.
//!
//! ```text
//!  Reflector ──push──▶ DeltaFifo (bounded in bytes, in order) ──pop_batch──▶ Controller
//!      │ relist: Replacing compares each item with the known objects while it streams in,
//!      └ and becomes one Replaced delta, or nothing if the list fails half way
//! ```
//!
//! Of client-go's five delta types, Added, Updated, Deleted and Replaced pass through here (rows F1, F2). Resync does not:
//! it is made by each listener from the cache at its own period (row H14), where it cannot delay a delta.

mod fifo;
mod replace;

pub use fifo::{DeltaFifo, Queued, Sender, Stopped};
pub use replace::{KnownObjects, Replacement, Replacing};

use std::sync::Arc;

use crate::object::{Object, ResourceVersion};

/// One change, as the API server told it.
#[derive(Debug)]
pub enum Delta {
    /// The watch said ADDED.
    Added(Arc<Object>),
    /// The watch said MODIFIED.
    Updated(Arc<Object>),
    /// The watch said DELETED; the object is the last state, stamped with the deletion's resourceVersion.
    Deleted(Arc<Object>),
    /// A whole list, already compared with the store (rows F2, C3).
    Replaced(Replacement),
    /// The API server is complete up to this version (rows R12, F4).
    Bookmark(ResourceVersion),
}

// === impl Delta ===

impl Delta {
    /// Bytes that the delta keeps alive.
    fn cost(&self) -> usize {
        match self {
            Self::Added(o) | Self::Updated(o) | Self::Deleted(o) => o.cost(),
            Self::Replaced(r) => r.cost(),
            Self::Bookmark(_) => 0,
        }
    }
}
