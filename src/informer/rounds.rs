//! When to look again for resources that are not served: everybody at the same moments, so that one discovery request
//! answers all of them.

use std::time::Duration;

use tokio::time::Instant;

use crate::hash::fnv64;

/// The moments of one process.
#[derive(Debug)]
pub(super) struct Rounds {
    start: Instant,
    /// Of this process, so that sidecars that start together do not ask together.
    salt: u64,
}

/// A round begins at a random moment in the first [`JITTER`] of each. Two are at most 8.5 s apart, so with the request and
/// the list a new resource is there within 10 s (field case 28).
const ROUND: Duration = Duration::from_secs(7);
const JITTER: Duration = Duration::from_millis(1500);
/// Answers of the same round are shared, those of the one before are not.
pub(super) const MAX_AGE: Duration = Duration::from_secs(4);

// === impl Rounds ===

impl Rounds {
    pub(super) fn new(epoch: &str) -> Self {
        Self {
            start: Instant::now(),
            salt: fnv64(epoch.as_bytes()),
        }
    }

    /// The first moment after `now`.
    pub(super) fn after(&self, now: Instant) -> Instant {
        let at = |round: u32| self.start + ROUND * round + self.jitter(round);
        let current = (now - self.start).as_secs() / ROUND.as_secs();
        let current = u32::try_from(current).unwrap_or(u32::MAX - 1);
        let this = at(current);
        if this > now { this } else { at(current + 1) }
    }

    fn jitter(&self, round: u32) -> Duration {
        let chance = fnv64(&(self.salt ^ u64::from(round)).to_le_bytes());
        JITTER.mul_f64((chance % 1000) as f64 / 1000.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn case_28_rounds_are_shared_and_never_more_than_10_s_apart() {
        let rounds = Rounds::new("epoch");
        let mut last = rounds.after(Instant::now());
        for _ in 0..500 {
            let next = rounds.after(last);
            let between = next - last;
            assert!(between > MAX_AGE && between < Duration::from_secs(9), "{between:?}");
            // Whoever asks in between waits for the same moment.
            assert_eq!(rounds.after(last + between / 2), next);
            last = next;
        }
    }
}
