//! client-go's queue tests: `queue_test.go`, `delaying_queue_test.go`, `rate_limiting_queue_test.go`, `metrics_test.go`. Their
//! goroutines become interleavings, since this queue has no threads.

use super::*;

const MODES: [DrainMode; 2] = [DrainMode::Stop, DrainMode::Finish];

#[test]
fn test_basic_50_producers_10_consumers_nothing_after_shutdown() {
    for mode in MODES {
        let mut b = Bench::new();
        let mut held: Vec<Lease> = Vec::new();
        let mut seen = 0;
        for round in 0..50 {
            for producer in 0..50 {
                b.add(&format!("{producer}"));
                // Ten consumers: the one that got a key ten keys ago is done with it.
                held.extend(b.try_get());
                if held.len() > 10 || round == 49 && producer == 49 {
                    seen += 1;
                    let lease = held.remove(0);
                    b.done(&lease);
                }
                assert!(
                    held.iter()
                        .enumerate()
                        .all(|(i, l)| held[..i].iter().all(|o| o.key != l.key))
                );
            }
        }
        b.queue.drain(mode, b.now);
        assert_eq!(b.add("added after shutdown!"), Added::Refused);
        while b.queue.phase() != Phase::Drained || !held.is_empty() {
            held.extend(b.try_get());
            let lease = held.remove(0);
            assert_ne!(lease.key, key("added after shutdown!"));
            b.done(&lease);
            seen += 1;
        }
        assert!(seen >= 50);
        assert_eq!(b.queue.len(), 0);
        b.get_none();
    }
}

#[test]
fn test_add_while_processing() {
    for mode in MODES {
        let mut b = Bench::new();
        for i in 0..50 {
            b.add(&format!("{i}"));
        }
        let mut counters = std::collections::HashMap::new();
        while let Some(lease) = b.try_get() {
            let count = counters.entry(lease.key.clone()).or_insert(0);
            *count += 1;
            if *count < 2 {
                assert_eq!(b.queue.add(lease.key.clone(), Add::default(), b.now), Added::Dirty);
            }
            b.done(&lease);
        }
        b.queue.drain(mode, b.now);
        assert_eq!(b.queue.phase(), Phase::Drained);
        assert!(counters.len() == 50 && counters.values().all(|n| *n == 2));
        assert_eq!(b.queue.len(), 0);
    }
}

#[test]
fn test_find() {
    let mut b = Bench::new();
    assert_eq!(b.state("foo"), None);
    b.add("foo");
    assert_eq!(b.state("foo"), Some(ItemState::Ready));
    let lease = b.get("foo");
    assert_eq!(b.state("foo"), Some(ItemState::Leased));
    b.done(&lease);
    assert_eq!(b.state("foo"), None);
}

#[test]
fn test_len() {
    let mut b = Bench::new();
    b.add("foo");
    assert_eq!(b.queue.len(), 1);
    b.add("bar");
    assert_eq!(b.queue.len(), 2);
    assert_eq!(b.add("foo"), Added::Merged);
    assert_eq!(b.queue.len(), 2);
    // Row Q4: neither processing nor delayed keys count.
    b.get("foo");
    b.add_after("baz", ms(1));
    b.add("foo");
    assert_eq!(b.queue.len(), 1);
}

#[test]
fn test_reinsert() {
    let mut b = Bench::new();
    b.add("foo");
    let lease = b.get("foo");
    b.add("foo");
    b.get_none();
    b.done(&lease);
    let lease = b.get("foo");
    b.done(&lease);
    assert_eq!(b.queue.len(), 0);
    assert_eq!(b.stats().keys, 0);
}

#[test]
fn test_collapse_and_reinsert_at_the_tail() {
    let mut b = Bench::new();
    for _ in 0..3 {
        b.add("bar");
    }
    b.add("foo");
    let bar = b.get("bar");
    b.add("bar");
    b.add("baz");
    b.done(&bar);
    // Row Q3: back to the tail.
    for path in ["foo", "baz", "bar"] {
        let lease = b.get(path);
        b.done(&lease);
    }
    b.get_none();
}

#[test]
fn test_collapse_while_processing() {
    let mut b = Bench::new();
    b.add("foo");
    let lease = b.get("foo");
    for _ in 0..3 {
        assert_eq!(b.add("foo"), Added::Dirty);
    }
    b.done(&lease);
    let lease = b.get("foo");
    b.done(&lease);
    b.get_none();
}

#[test]
fn test_queue_drainage_using_shut_down_with_drain() {
    let mut b = Bench::new();
    b.add("foo");
    b.add("bar");
    let (first, second) = (b.get("foo"), b.get("bar"));
    b.queue.drain(DrainMode::Finish, b.now);
    b.get_none();
    assert_eq!(b.queue.phase(), Phase::Draining);
    b.done(&first);
    assert_eq!(b.queue.phase(), Phase::Draining);
    b.done(&second);
    assert_eq!(b.queue.phase(), Phase::Drained);
}

#[test]
fn test_queue_drainage_using_shut_down_with_drain_with_dirty_item() {
    let mut b = Bench::new();
    b.add("foo");
    let gotten = b.get("foo");
    b.add("foo");
    b.queue.drain(DrainMode::Finish, b.now);
    b.get_none();
    b.done(&gotten);
    assert_eq!(b.queue.phase(), Phase::Draining);
    let again = b.get("foo");
    b.done(&again);
    assert_eq!(b.queue.phase(), Phase::Drained);
    b.get_none();
}

#[test]
fn test_no_queue_drainage_using_shut_down() {
    let mut b = Bench::new();
    b.add("foo");
    b.add("bar");
    b.get("foo");
    b.get("bar");
    b.queue.drain(DrainMode::Stop, b.now);
    assert_eq!(b.queue.phase(), Phase::Drained);
}

#[test]
fn test_force_queue_shutdown_using_shut_down() {
    let mut b = Bench::new();
    b.add("foo");
    b.add("bar");
    b.get("foo");
    b.get("bar");
    b.queue.drain(DrainMode::Finish, b.now);
    assert_eq!(b.queue.phase(), Phase::Draining);
    b.queue.drain(DrainMode::Stop, b.now);
    assert_eq!(b.queue.phase(), Phase::Drained);
    // And not back.
    b.queue.drain(DrainMode::Finish, b.now);
    assert_eq!(b.queue.phase(), Phase::Drained);
}

#[test]
fn a_drain_serves_what_is_queued_and_loses_what_is_delayed() {
    for mode in MODES {
        let mut b = Bench::new();
        b.add("queued");
        b.add_after("delayed", ms(5));
        b.queue.drain(mode, b.now);
        b.step(ms(10));
        let lease = b.get("queued");
        assert!(b.complete(&lease, Outcome::Retry).is_ok());
        b.step(secs(2));
        b.get_none();
        assert_eq!((b.queue.phase(), b.stats().keys), (Phase::Drained, 0));
    }
}

#[test]
fn a_finishing_drain_hands_out_again_what_was_released_or_expired() {
    let mut b = Bench::new();
    b.add("released");
    b.add("expired");
    let released = b.get("released");
    b.get("expired");
    b.queue.drain(DrainMode::Finish, b.now);
    b.complete(&released, Outcome::Release).unwrap();
    let again = b.get("released");
    b.done(&again);
    b.step(secs(30));
    assert_eq!(b.queue.phase(), Phase::Draining);
    b.step(ms(1));
    let again = b.get("expired");
    b.done(&again);
    assert_eq!(b.queue.phase(), Phase::Drained);
}

#[test]
fn test_simple_queue() {
    let mut b = Bench::new();
    b.add_after("foo", ms(50));
    assert_eq!(b.queue.len(), 0);
    b.step(ms(60));
    assert_eq!(b.queue.len(), 1);
    let lease = b.get("foo");
    b.done(&lease);
    b.step(secs(10));
    assert_eq!(b.queue.len(), 0);
}

#[test]
fn test_deduping_earlier_wins_later_is_ignored() {
    let mut b = Bench::new();
    b.add_after("foo", ms(50));
    b.add_after("foo", ms(70));
    assert_eq!(b.queue.len(), 0);
    b.step(ms(60));
    let lease = b.get("foo");
    b.done(&lease);
    b.step(ms(20));
    assert_eq!(b.queue.len(), 0);

    b.add_after("foo", ms(50));
    b.add_after("foo", ms(30));
    assert_eq!(b.queue.len(), 0);
    b.step(ms(40));
    let lease = b.get("foo");
    b.done(&lease);
    b.step(ms(20));
    assert_eq!(b.queue.len(), 0);

    b.add("foo");
    let lease = b.get("foo");
    b.add_after("foo", ms(5));
    assert!(b.state("foo").is_some());
    b.done(&lease);
    assert_eq!(b.state("foo"), Some(ItemState::Delayed));
}

#[test]
fn test_add_two_fire_early() {
    let mut b = Bench::new();
    b.add_after("foo", secs(1));
    b.add_after("bar", ms(50));
    assert_eq!(b.queue.len(), 0);
    b.step(ms(60));
    b.get("bar");
    b.add_after("baz", secs(2));
    b.step(secs(1));
    b.get("foo");
    b.step(secs(2));
    b.get("baz");
}

#[test]
fn test_copy_shifting() {
    let mut b = Bench::new();
    b.add_after("foo", secs(1));
    b.add_after("bar", ms(500));
    b.add_after("baz", ms(250));
    assert_eq!(b.queue.len(), 0);
    b.step(secs(2));
    for path in ["baz", "bar", "foo"] {
        b.get(path);
    }
}

/// Unlike client-go, where the key then runs twice (row Q6).
#[test]
fn a_plain_add_cancels_the_pending_delay() {
    let mut b = Bench::new();
    b.add_after("foo", ms(50));
    b.add("foo");
    let lease = b.get("foo");
    b.done(&lease);
    b.step(ms(60));
    b.get_none();
    assert_eq!(b.deadline_in(), None);
}

#[test]
fn test_rate_limiting_queue() {
    let mut b = Bench::new();
    // Each delay is looked at alone: client-go's test takes the entry out of the channel.
    let delay_of = |b: &mut Bench, path: &str| {
        let failures = b.queue.num_requeues(&key(path));
        let mut limiter = b.queue.config().limiter.clone();
        b.add_limited(path);
        limiter.when(failures, b.now)
    };
    assert_eq!(delay_of(&mut b, "one"), ms(1));
    assert_eq!(b.deadline_in(), Some(ms(1)));
    assert_eq!(delay_of(&mut b, "one"), ms(2));
    assert_eq!(b.queue.num_requeues(&key("one")), 2);
    assert_eq!(delay_of(&mut b, "two"), ms(1));
    assert_eq!(delay_of(&mut b, "two"), ms(2));
    assert!(b.queue.forget(&key("one")));
    assert_eq!(b.queue.num_requeues(&key("one")), 0);
    assert_eq!(delay_of(&mut b, "one"), ms(1));
    // Forget does not take it out.
    b.step(ms(1));
    assert_eq!(b.queue.len(), 2);
    assert!(!b.queue.forget(&key("unknown")));
}

#[test]
fn the_default_limiter_spreads_failures_over_all_keys() {
    let mut b = Bench::with(|config| config.limiter = RateLimiter::default());
    for i in 0..101 {
        b.add_limited(&format!("{i}"));
    }
    // 100 fit into the burst and wait 5 ms; the next one waits for a token.
    b.step(ms(5));
    assert_eq!(b.queue.len(), 100);
    assert_eq!(b.deadline_in(), Some(ms(95)));
}

#[test]
fn test_metrics_exact_counts() {
    let mut b = Bench::new();
    let counts = |b: &mut Bench| {
        let stats = b.stats();
        (stats.adds, stats.depth, stats.retries)
    };
    b.add("foo");
    assert_eq!(counts(&mut b), (1, vec![(0, 1)], 0));
    b.step(ms(50));
    let lease = b.get("foo");
    assert_eq!(lease.queued_for, ms(50));
    assert_eq!(counts(&mut b), (1, vec![], 0));
    // Add it back while processing: it counts once, and is in the depth at once.
    b.add("foo");
    b.add("foo");
    assert_eq!(counts(&mut b), (2, vec![(0, 1)], 0));
    b.step(ms(25));
    let stats = b.stats();
    assert_eq!((stats.unfinished, stats.longest, stats.dirty), (ms(25), ms(25), 1));
    let completed = b.complete(&lease, Outcome::Success).unwrap();
    assert_eq!(completed.worked, ms(25));
    assert_eq!(counts(&mut b), (2, vec![(0, 1)], 0));
    b.step(ms(10));
    let lease = b.get("foo");
    assert_eq!(lease.queued_for, ms(35));
    b.done(&lease);
    assert_eq!(counts(&mut b), (2, vec![], 0));
    // Each delayed or rate limited add is a retry; it is an add when it becomes due.
    b.add_after("foo", ms(5));
    b.add_limited("bar");
    assert_eq!(counts(&mut b), (2, vec![], 2));
    b.step(ms(5));
    assert_eq!(counts(&mut b), (4, vec![(0, 2)], 2));
}

#[test]
fn a_million_adds_of_a_thousand_keys_are_a_thousand_entries() {
    let mut b = Bench::new();
    let keys: Vec<_> = (0..1000).map(|i| key(&format!("ns/{i}"))).collect();
    for i in 0..1_000_000 {
        b.queue.add(keys[i % 1000].clone(), Add::default(), b.now);
    }
    assert_eq!((b.queue.len(), b.stats().keys, b.stats().adds), (1000, 1000, 1000));
}

#[test]
fn an_entry_is_small() {
    assert!(size_of::<table::Entry>() <= 88, "{}", size_of::<table::Entry>());
}
