//! What a request can say about the connection that it came over.

use std::sync::atomic::{AtomicBool, Ordering};

/// How a connection will end.
#[derive(Debug, Default)]
pub(super) struct Control {
    reset: AtomicBool,
}

// === impl Control ===

impl Control {
    /// Dropping the connection sends RST instead of FIN.
    pub(super) fn reset_on_drop(&self) {
        self.reset.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_reset(&self) -> bool {
        self.reset.load(Ordering::Relaxed)
    }
}
