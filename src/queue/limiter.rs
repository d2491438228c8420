//! How long a failed key waits (rows Q7, Q8). Limiters keep no table of keys: the failures of a key stand in its queue
//! entry, so that Forget and the end of a key leave nothing behind.

use std::time::Duration;

use tokio::time::Instant;

/// The longest delay there is; what overflows is clamped to it.
pub const LONGEST: Duration = Duration::from_nanos(i64::MAX as u64);

/// A rate limiter, as client-go composes them.
#[derive(Clone, Debug, PartialEq)]
pub enum RateLimiter {
    /// `base * 2^failures`, at most `max`.
    Exponential {
        /// Delay of the first failure.
        base: Duration,
        /// Longest delay.
        max: Duration,
    },
    /// `fast` for the first tries, then `slow`.
    FastSlow {
        /// Delay of the fast tries.
        fast: Duration,
        /// Delay of the others.
        slow: Duration,
        /// How many tries are fast.
        max_fast: u32,
    },
    /// One token bucket for all keys.
    Bucket(Bucket),
    /// The longest delay of several.
    MaxOf(Vec<RateLimiter>),
    /// Another limiter's delay, at most this long.
    MaxWait(Box<RateLimiter>, Duration),
}

/// A token bucket that lends: a token that is not there yet is reserved, and its holder waits for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Bucket {
    qps: f64,
    burst: u32,
    tokens: f64,
    filled: Option<Instant>,
}

// === impl RateLimiter ===

impl RateLimiter {
    /// The delay after `failures` earlier failures. Counting them is the caller's.
    pub fn when(&mut self, failures: u32, now: Instant) -> Duration {
        match self {
            Self::Exponential { base, max } => exponential(*base, *max, failures),
            Self::FastSlow { fast, max_fast, .. } if failures < *max_fast => *fast,
            Self::FastSlow { slow, .. } => *slow,
            Self::Bucket(bucket) => bucket.reserve(now),
            // Each part is asked, also after a longer one was found: buckets count every failure.
            Self::MaxOf(parts) => parts
                .iter_mut()
                .map(|part| part.when(failures, now))
                .fold(Duration::ZERO, Duration::max),
            Self::MaxWait(inner, max) => inner.when(failures, now).min(*max),
        }
    }
}

/// client-go's DefaultTypedControllerRateLimiter.
impl Default for RateLimiter {
    fn default() -> Self {
        Self::MaxOf(vec![
            Self::Exponential {
                base: Duration::from_millis(5),
                max: Duration::from_secs(1000),
            },
            Self::Bucket(Bucket::new(10.0, 100)),
        ])
    }
}

fn exponential(base: Duration, max: Duration, failures: u32) -> Duration {
    // 2^64 times the smallest base is beyond any delay.
    let factor = 1u128 << failures.min(64);
    match base.as_nanos().checked_mul(factor) {
        Some(nanos) if nanos < max.as_nanos() => Duration::from_nanos_u128(nanos),
        _ => max,
    }
}

// === impl Bucket ===

impl Bucket {
    /// A full bucket that gains `qps` tokens a second and holds `burst`.
    pub fn new(qps: f64, burst: u32) -> Self {
        Self {
            qps,
            burst,
            tokens: f64::from(burst),
            filled: None,
        }
    }

    /// Takes a token and returns how long to wait for it.
    fn reserve(&mut self, now: Instant) -> Duration {
        // A bucket that can hold no token never has one: nothing is taken, so that it does not sink for ever.
        if self.burst == 0 || self.qps <= 0.0 && self.tokens < 1.0 {
            return LONGEST;
        }
        let last = *self.filled.get_or_insert(now);
        let gained = now.saturating_duration_since(last).as_secs_f64() * self.qps.max(0.0);
        self.tokens = (self.tokens + gained).min(f64::from(self.burst)) - 1.0;
        self.filled = Some(last.max(now));
        if self.tokens >= 0.0 {
            return Duration::ZERO;
        }
        Duration::try_from_secs_f64(-self.tokens / self.qps).map_or(LONGEST, |wait| wait.min(LONGEST))
    }
}

#[cfg(test)]
mod tests;
