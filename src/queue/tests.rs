//! One file per source of expectations. All run on a clock of their own, so nothing waits.

mod client_go;
mod controller_runtime;
mod gates;
mod introspection;
mod leases;
mod model;
mod restart;

use std::time::Duration;

use tokio::time::Instant;

use super::*;
use crate::object::ObjectKey;

/// A queue and its clock.
struct Bench {
    queue: WorkQueue,
    now: Instant,
}

const WORKER: &str = "w";

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

fn secs(n: u64) -> Duration {
    Duration::from_secs(n)
}

/// "ns/name", or a name without a namespace.
fn key(path: &str) -> ObjectKey {
    let (namespace, name) = path.split_once('/').unwrap_or(("", path));
    ObjectKey::new(namespace, name)
}

impl Bench {
    fn new() -> Self {
        Self::with(|_| {})
    }

    /// Failures back off by 1 ms, 2 ms, 4 ms, … 1 s.
    fn with(change: impl FnOnce(&mut QueueConfig)) -> Self {
        let mut config = QueueConfig {
            limiter: RateLimiter::Exponential {
                base: ms(1),
                max: secs(1),
            },
            ..QueueConfig::default()
        };
        change(&mut config);
        let now = Instant::now();
        Self {
            queue: WorkQueue::new(config, now),
            now,
        }
    }

    fn step(&mut self, by: Duration) {
        self.now += by;
        self.queue.advance(self.now);
    }

    fn add(&mut self, path: &str) -> Added {
        self.queue.add(key(path), Add::default(), self.now)
    }

    fn add_after(&mut self, path: &str, after: Duration) -> Added {
        let how = Add {
            after,
            ..Add::default()
        };
        self.queue.add(key(path), how, self.now)
    }

    fn add_limited(&mut self, path: &str) -> Added {
        let rate_limited = true;
        let how = Add {
            rate_limited,
            ..Add::default()
        };
        self.queue.add(key(path), how, self.now)
    }

    fn add_with(&mut self, path: &str, priority: i32) -> Added {
        let how = Add {
            priority,
            ..Add::default()
        };
        self.queue.add(key(path), how, self.now)
    }

    fn try_get(&mut self) -> Option<Lease> {
        self.queue.acquire(WORKER, 1, self.now).pop()
    }

    /// The next key, which must be this one.
    fn get(&mut self, path: &str) -> Lease {
        let lease = self.try_get().unwrap_or_else(|| panic!("{path} should be ready"));
        assert_eq!(lease.key, key(path));
        lease
    }

    fn get_none(&mut self) {
        assert_eq!(self.try_get(), None);
    }

    fn complete(&mut self, lease: &Lease, outcome: Outcome) -> Result<Completed, Refused> {
        self.queue.complete(lease.token, outcome, &[], "", self.now)
    }

    fn done(&mut self, lease: &Lease) {
        self.complete(lease, Outcome::Success).unwrap();
    }

    fn stats(&mut self) -> Stats {
        self.queue.stats(self.now)
    }

    fn deadline_in(&self) -> Option<Duration> {
        self.queue.next_deadline().map(|at| at - self.now)
    }

    fn state(&self, path: &str) -> Option<ItemState> {
        self.queue.find(&key(path)).map(|item| item.state)
    }
}
