//! Durations in client-go's buckets (row Q10): ten, from 10 ns to 10 s, each ten times the one before.

use std::time::Duration;

/// Upper bounds in nanoseconds, and the same in seconds as they are shown.
const BOUNDS: [(u64, f64); 10] = [
    (10, 1e-8),
    (100, 1e-7),
    (1_000, 1e-6),
    (10_000, 1e-5),
    (100_000, 1e-4),
    (1_000_000, 1e-3),
    (10_000_000, 1e-2),
    (100_000_000, 0.1),
    (1_000_000_000, 1.0),
    (10_000_000_000, 10.0),
];

/// A histogram of durations. Kept in the queue, which is locked by its caller: an observation is two additions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// Observations of each bucket, not cumulated; the last one has no bound.
    counts: [u64; BOUNDS.len() + 1],
    nanos: u128,
}

// === impl Histogram ===

impl Histogram {
    pub(super) fn observe(&mut self, duration: Duration) {
        let nanos = duration.as_nanos();
        let bucket = BOUNDS.partition_point(|(bound, _)| u128::from(*bound) < nanos);
        self.counts[bucket] += 1;
        self.nanos += nanos;
    }

    /// Observations.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Sum of all observations in seconds.
    pub fn sum(&self) -> f64 {
        self.nanos as f64 / 1e9
    }

    /// Upper bounds in seconds, the last one infinite, each with the observations between it and the bound before.
    pub fn buckets(&self) -> Vec<(f64, u64)> {
        let bounds = BOUNDS.iter().map(|(_, seconds)| *seconds).chain([f64::INFINITY]);
        bounds.zip(self.counts).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_falls_into_the_first_bucket_that_bounds_it() {
        for (duration, bound) in [
            (Duration::ZERO, 1e-8),
            (Duration::from_nanos(10), 1e-8),
            (Duration::from_nanos(11), 1e-7),
            (Duration::from_millis(1), 1e-3),
            (Duration::from_secs(10), 10.0),
            (Duration::from_nanos(10_000_000_001), f64::INFINITY),
            (Duration::MAX, f64::INFINITY),
        ] {
            let mut histogram = Histogram::default();
            histogram.observe(duration);
            let hit: Vec<_> = histogram.buckets().into_iter().filter(|(_, n)| *n > 0).collect();
            assert_eq!(hit, [(bound, 1)], "{duration:?}");
            assert_eq!((histogram.count(), histogram.sum()), (1, duration.as_secs_f64()));
        }
    }
}
