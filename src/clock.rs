//! Time as the whole pipeline sees it. Durations come from tokio's clock, so a paused test clock drives everything; the
//! wall clock is derived from it, so that a stepped system clock changes no lease, timeout or lag.

use std::time::SystemTime;

use tokio::time::Instant;

/// A wall clock that moves with tokio's monotonic clock.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    instant: Instant,
    wall: SystemTime,
}

// === impl Clock ===

impl Clock {
    /// A clock that is right now and then follows the monotonic clock.
    pub fn start() -> Self {
        Self {
            instant: Instant::now(),
            wall: SystemTime::now(),
        }
    }

    /// The monotonic time.
    pub fn now(&self) -> Instant {
        Instant::now()
    }

    /// The wall time.
    pub fn wall(&self) -> SystemTime {
        self.wall_of(Instant::now())
    }

    /// The wall time of a monotonic one.
    pub fn wall_of(&self, instant: Instant) -> SystemTime {
        self.wall + instant.saturating_duration_since(self.instant)
    }
}
