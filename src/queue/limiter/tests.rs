//! client-go's `default_rate_limiters_test.go`. Its limiters count by themselves; here a small table does.

use std::collections::HashMap;

use super::*;

struct Counting {
    limiter: RateLimiter,
    failures: HashMap<&'static str, u32>,
    now: Instant,
}

impl Counting {
    fn new(limiter: RateLimiter) -> Self {
        Self {
            limiter,
            failures: HashMap::new(),
            now: Instant::now(),
        }
    }

    fn when(&mut self, key: &'static str) -> Duration {
        let failures = self.failures.entry(key).or_default();
        let delay = self.limiter.when(*failures, self.now);
        *failures += 1;
        delay
    }

    fn expect(&mut self, key: &'static str, delays: &[Duration]) {
        for (i, want) in delays.iter().enumerate() {
            assert_eq!(self.when(key), *want, "{key}, try {i}");
        }
    }

    fn requeues(&self, key: &str) -> u32 {
        self.failures.get(key).copied().unwrap_or(0)
    }
}

fn ms(n: u64) -> Duration {
    Duration::from_millis(n)
}

fn exponential_of(base: Duration, max: Duration) -> RateLimiter {
    RateLimiter::Exponential { base, max }
}

#[test]
fn test_item_exponential_failure_rate_limiter() {
    let mut limiter = Counting::new(exponential_of(ms(1), Duration::from_secs(1)));
    limiter.expect("one", &[ms(1), ms(2), ms(4), ms(8), ms(16)]);
    assert_eq!(limiter.requeues("one"), 5);
    limiter.expect("two", &[ms(1), ms(2)]);
    assert_eq!(limiter.requeues("two"), 2);
    limiter.failures.remove("one");
    assert_eq!(limiter.requeues("one"), 0);
    limiter.expect("one", &[ms(1)]);
}

#[test]
fn test_item_exponential_failure_rate_limiter_overflow() {
    let mut limiter = Counting::new(exponential_of(ms(1), Duration::from_secs(1000)));
    for _ in 0..5 {
        limiter.when("one");
    }
    limiter.expect("one", &[ms(32)]);
    for _ in 0..1000 {
        limiter.when("overflow1");
    }
    limiter.expect("overflow1", &[Duration::from_secs(1000)]);

    let mut limiter = Counting::new(exponential_of(
        Duration::from_secs(60),
        Duration::from_secs(1000 * 3600),
    ));
    for _ in 0..2 {
        limiter.when("two");
    }
    limiter.expect("two", &[Duration::from_secs(240)]);
    for _ in 0..1000 {
        limiter.when("overflow2");
    }
    limiter.expect("overflow2", &[Duration::from_secs(1000 * 3600)]);
    assert_eq!(exponential(Duration::MAX, LONGEST, u32::MAX), LONGEST);
}

#[test]
fn test_item_fast_slow_rate_limiter() {
    let mut limiter = Counting::new(RateLimiter::FastSlow {
        fast: ms(5),
        slow: Duration::from_secs(10),
        max_fast: 3,
    });
    let slow = Duration::from_secs(10);
    limiter.expect("one", &[ms(5), ms(5), ms(5), slow, slow]);
    assert_eq!(limiter.requeues("one"), 5);
    limiter.expect("two", &[ms(5), ms(5)]);
    limiter.failures.remove("one");
    limiter.expect("one", &[ms(5)]);
}

#[test]
fn test_max_of_rate_limiter() {
    let mut limiter = Counting::new(RateLimiter::MaxOf(vec![
        RateLimiter::FastSlow {
            fast: ms(5),
            slow: Duration::from_secs(3),
            max_fast: 3,
        },
        exponential_of(ms(1), Duration::from_secs(1)),
    ]));
    let slow = Duration::from_secs(3);
    limiter.expect("one", &[ms(5), ms(5), ms(5), slow, slow]);
    assert_eq!(limiter.requeues("one"), 5);
    limiter.expect("two", &[ms(5), ms(5)]);
    limiter.failures.remove("one");
    limiter.expect("one", &[ms(5)]);
}

#[test]
fn test_with_max_wait_rate_limiter() {
    let max = Duration::from_secs(10);
    // client-go sets the reset time to a bucket that is empty for long: 1 token in 100 s.
    let bucket = RateLimiter::Bucket(Bucket::new(0.01, 1));
    let mut limiter = Counting::new(RateLimiter::MaxWait(Box::new(bucket), max));
    limiter.expect("one", &[Duration::ZERO, max, max]);
    let mut limiter = Counting::new(RateLimiter::MaxWait(Box::default(), ms(30)));
    limiter.expect("one", &[ms(5), ms(10), ms(20), ms(30), ms(30)]);
}

#[test]
fn a_bucket_lends_after_its_burst_and_refills() {
    let start = Instant::now();
    let mut bucket = Bucket::new(10.0, 2);
    assert_eq!(bucket.reserve(start), Duration::ZERO);
    assert_eq!(bucket.reserve(start), Duration::ZERO);
    assert_eq!(bucket.reserve(start), ms(100));
    assert_eq!(bucket.reserve(start), ms(200));
    assert_eq!(bucket.reserve(start + ms(300)), Duration::ZERO);
    assert_eq!(bucket.reserve(start + Duration::from_secs(60)), Duration::ZERO);
}

#[test]
fn a_bucket_without_tokens_delays_as_long_as_can_be() {
    let now = Instant::now();
    assert_eq!(Bucket::new(10.0, 0).reserve(now), LONGEST);
    let mut bucket = Bucket::new(0.0, 1);
    assert_eq!(bucket.reserve(now), Duration::ZERO);
    assert_eq!(bucket.reserve(now), LONGEST);
}
