//! How long to wait after a failure, and how often to ask at all.

use std::{fmt, sync::Arc, time::Duration};

use tokio::time::Instant;

/// Random numbers in [0, 1), injected so that tests know them.
#[derive(Clone)]
pub struct Randomness(Arc<dyn Fn() -> f64 + Send + Sync>);

/// The reflector's delays (row R2): 0.8 s, doubled up to 30 s, each times a random factor in [1, 2), from the start again
/// after 2 minutes without a failure. One for all requests of a reflector.
#[derive(Debug)]
pub struct Backoff {
    random: Randomness,
    next: Duration,
    last: Option<Instant>,
}

/// A token bucket under all requests of one reflector: whatever goes wrong, it cannot become a hot loop (field case 12).
#[derive(Debug)]
pub struct RequestFloor {
    tokens: f64,
    at: Instant,
}

const FIRST: Duration = Duration::from_millis(800);
const CAP: Duration = Duration::from_secs(30);
const RESET: Duration = Duration::from_secs(120);

/// Requests that may follow each other at once.
const BURST: f64 = 10.0;
/// Requests per second in the long run.
const RATE: f64 = 2.0;

// === impl Randomness ===

impl Randomness {
    /// Numbers from `source`, which must lie in [0, 1).
    pub fn new(source: impl Fn() -> f64 + Send + Sync + 'static) -> Self {
        Self(Arc::new(source))
    }

    /// A factor in [1, 2).
    pub(super) fn factor(&self) -> f64 {
        1.0 + (self.0)().clamp(0.0, 1.0 - f64::EPSILON)
    }
}

impl Default for Randomness {
    fn default() -> Self {
        Self::new(rand::random::<f64>)
    }
}

impl fmt::Debug for Randomness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Randomness")
    }
}

// === impl Backoff ===

impl Backoff {
    /// A backoff that has seen no failure.
    pub fn new(random: Randomness) -> Self {
        Self {
            random,
            next: FIRST,
            last: None,
        }
    }

    /// The next delay is the first again.
    pub fn restart(&mut self) {
        self.next = FIRST;
    }

    /// The delay after a failure that happened now.
    pub fn next_delay(&mut self) -> Duration {
        let now = Instant::now();
        if self
            .last
            .is_some_and(|last| now.saturating_duration_since(last) > RESET)
        {
            self.next = FIRST;
        }
        let base = self.next;
        let delay = base.mul_f64(self.random.factor());
        self.next = (base * 2).min(CAP);
        // Health begins when the wait is over.
        self.last = Some(now + delay);
        delay
    }
}

// === impl RequestFloor ===

impl RequestFloor {
    /// A full bucket.
    pub fn new() -> Self {
        Self {
            tokens: BURST,
            at: Instant::now(),
        }
    }

    /// Waits until one more request may be sent.
    pub async fn wait(&mut self) {
        let now = Instant::now();
        let gained = now.saturating_duration_since(self.at).as_secs_f64() * RATE;
        self.tokens = (self.tokens + gained).min(BURST) - 1.0;
        self.at = now;
        if self.tokens < 0.0 {
            tokio::time::sleep(Duration::from_secs_f64(-self.tokens / RATE)).await;
        }
    }
}

impl Default for RequestFloor {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn r2_delays_double_from_800_ms_to_30_s_times_up_to_2() {
        let mut low = Backoff::new(Randomness::new(|| 0.0));
        let delays: Vec<_> = (0..8).map(|_| low.next_delay().as_millis()).collect();
        assert_eq!(delays, [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
        let mut high = Backoff::new(Randomness::new(|| 0.5));
        assert_eq!(high.next_delay().as_millis(), 1200);
        let mut broken = Backoff::new(Randomness::new(|| 7.0));
        assert!(broken.next_delay() <= Duration::from_millis(1600));
    }

    #[tokio::test(start_paused = true)]
    async fn r2_starts_again_after_two_minutes_of_health() {
        let mut backoff = Backoff::new(Randomness::new(|| 0.0));
        for _ in 0..5 {
            let delay = backoff.next_delay();
            tokio::time::advance(delay).await;
        }
        tokio::time::advance(Duration::from_secs(119)).await;
        assert_eq!(backoff.next_delay().as_millis(), 25_600);
        tokio::time::advance(Duration::from_secs_f64(25.6 + 121.0)).await;
        assert_eq!(backoff.next_delay().as_millis(), 800);
    }

    #[tokio::test(start_paused = true)]
    async fn the_floor_lets_a_burst_through_and_then_two_a_second() {
        let mut floor = RequestFloor::new();
        let start = Instant::now();
        for _ in 0..10 {
            floor.wait().await;
        }
        assert_eq!(start.elapsed(), Duration::ZERO);
        for _ in 0..20 {
            floor.wait().await;
        }
        assert!(
            (9.9..10.2).contains(&start.elapsed().as_secs_f64()),
            "{:?}",
            start.elapsed()
        );
    }
}
