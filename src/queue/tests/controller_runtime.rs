//! controller-runtime's `priorityqueue_test.go` and the queue side of its controller tests.

use super::*;

#[test]
fn returns_items_in_order() {
    let mut b = Bench::new();
    b.add("foo");
    b.add("bar");
    b.get("foo");
    b.get("bar");
    let stats = b.stats();
    assert_eq!((stats.adds, stats.retries, stats.depth), (2, 0, vec![]));
}

#[test]
fn does_not_return_an_item_that_is_currently_locked() {
    let mut b = Bench::new();
    b.add("foo");
    b.get("foo");
    b.add("foo");
    b.add("bar");
    b.get("bar");
    b.get_none();
    let stats = b.stats();
    assert_eq!((stats.adds, stats.depth), (3, vec![(0, 1)]));
}

/// There the key keeps the place of its add; here it goes to the tail, as in client-go (row Q3).
#[test]
fn returns_an_item_once_it_is_unlocked() {
    let mut b = Bench::new();
    b.add("foo");
    let foo = b.get("foo");
    b.add("foo");
    b.add("bar");
    b.get("bar");
    b.add("baz");
    b.done(&foo);
    b.get("baz");
    b.get("foo");
    assert_eq!(b.stats().adds, 4);
}

#[test]
fn de_duplicates_items() {
    let mut b = Bench::new();
    b.add("foo");
    b.add("foo");
    let stats = b.stats();
    assert_eq!((b.queue.len(), stats.adds, stats.depth), (1, 1, vec![(0, 1)]));
}

#[test]
fn retains_the_highest_priority() {
    let mut b = Bench::new();
    b.add_with("foo", 1);
    b.add_with("foo", 2);
    assert_eq!(b.get("foo").priority, 2);
    let stats = b.stats();
    assert_eq!((b.queue.len(), stats.adds, stats.depth), (0, 1, vec![]));
}

#[test]
fn will_not_decrease_the_priority() {
    let mut b = Bench::new();
    b.add_with("foo", 2);
    b.add_with("foo", 1);
    assert_eq!(b.get("foo").priority, 2);
    assert_eq!(b.stats().adds, 1);
}

#[test]
fn gets_pushed_to_the_front_if_the_priority_increases() {
    let mut b = Bench::new();
    for path in ["foo", "bar", "baz"] {
        b.add(path);
    }
    b.add_with("baz", 1);
    assert_eq!(b.get("baz").priority, 1);
    let stats = b.stats();
    assert_eq!((b.queue.len(), stats.adds, stats.depth), (2, 3, vec![(0, 2)]));
}

#[test]
fn retains_the_lowest_after_duration() {
    let mut b = Bench::new();
    b.add("foo");
    b.add_after("foo", secs(3600));
    assert_eq!(b.get("foo").priority, 0);
    assert_eq!((b.queue.len(), b.stats().adds), (0, 1));
}

#[test]
fn does_not_include_non_ready_items_in_len() {
    let mut b = Bench::new();
    b.add_after("foo", secs(60));
    b.add("baz");
    b.add_after("bar", secs(60));
    b.add("bal");
    assert_eq!((b.queue.len(), b.stats().depth), (2, vec![(0, 2)]));
}

/// A queue that is shut down says so instead of waiting for what was added late.
#[test]
fn get_does_not_get_stuck_when_the_queue_is_shut_down() {
    let mut b = Bench::new();
    b.add("baz");
    b.queue.drain(DrainMode::Stop, b.now);
    assert_eq!(b.add_after("foo", secs(1)), Added::Refused);
    b.get("baz");
    for _ in 0..2 {
        b.get_none();
        assert_eq!((b.queue.phase(), b.queue.len()), (Phase::Drained, 0));
    }
    b.step(secs(1));
    b.get_none();
}

#[test]
fn follows_fifo_order_in_the_new_priority_when_item_priority_changes() {
    let mut b = Bench::new();
    b.add_with("foo", 0);
    b.add_with("bar", 1);
    b.add_with("foo", 1);
    assert_eq!(b.queue.len(), 2);
    assert_eq!(b.get("bar").priority, 1);
    assert_eq!(b.get("foo").priority, 1);
    assert_eq!(b.queue.len(), 0);
}

#[test]
fn metrics_of_an_item_added_with_after_and_then_without() {
    for priority in [0, 1] {
        let mut b = Bench::new();
        b.add_after("foo", secs(3600));
        assert_eq!((b.queue.len(), b.stats().depth), (0, vec![]));
        b.add_with("foo", priority);
        assert_eq!((b.queue.len(), b.stats().depth), (1, vec![(priority, 1)]));
        assert_eq!(b.get("foo").priority, priority);
        let stats = b.stats();
        assert_eq!((b.queue.len(), stats.depth, stats.adds), (0, vec![], 1));
    }
}

#[test]
fn high_priority_items_are_returned_before_low_priority_items_multiple_times() {
    for after in [Duration::ZERO, secs(1)] {
        let mut b = Bench::new();
        let priorities = [10, 5, 0, -5, -10];
        for i in 0..1000 {
            for priority in priorities {
                let how = Add {
                    after,
                    priority,
                    ..Add::default()
                };
                b.queue.add(key(&format!("{priority}-{i}")), how, b.now);
            }
        }
        b.step(after);
        for priority in priorities {
            for i in 0..1000 {
                assert_eq!(b.get(&format!("{priority}-{i}")).priority, priority);
            }
        }
        let stats = b.stats();
        let retries = if after.is_zero() { 0 } else { 5000 };
        assert_eq!((stats.adds, stats.retries, stats.depth), (5000, retries, vec![]));
    }
}

/// Row Y2: a delayed item is ordered by when it became ready, also if nobody looked at that moment.
#[test]
fn a_delayed_item_is_ordered_by_when_it_became_ready() {
    let mut b = Bench::new();
    b.add_after("delayed", ms(10));
    b.now += ms(20);
    b.add("later");
    b.get("delayed");
    b.get("later");
}

/// Row Y5.
#[test]
fn with_after_and_rate_limit_the_shorter_delay_counts() {
    for (after, want) in [(ms(5), ms(1)), (Duration::from_micros(10), Duration::from_micros(10))] {
        let mut b = Bench::new();
        let how = Add {
            after,
            rate_limited: true,
            ..Add::default()
        };
        b.queue.add(key("foo"), how, b.now);
        assert_eq!((b.deadline_in(), b.queue.num_requeues(&key("foo"))), (Some(want), 1));
    }
}

/// Row E7: a failed item keeps its backoff until a result without an error, and its priority.
#[test]
fn the_backoff_is_kept_until_a_non_error_result_and_the_priority_too() {
    let mut b = Bench::new();
    b.add_with("foo", 7);
    for (failures, delay) in [(0, 1), (1, 2), (2, 4)] {
        let lease = b.get("foo");
        assert_eq!((lease.failures, lease.priority), (failures, 7));
        b.complete(&lease, Outcome::Retry).unwrap();
        assert_eq!(b.deadline_in(), Some(ms(delay)));
        b.step(ms(delay));
    }
    let lease = b.get("foo");
    assert_eq!((lease.failures, lease.last_failure), (3, Some(Failure::Retry)));
    b.complete(&lease, Outcome::RequeueAfter(secs(5))).unwrap();
    assert_eq!(b.deadline_in(), Some(secs(5)));
    b.step(secs(5));
    let lease = b.get("foo");
    assert_eq!((lease.failures, lease.priority, lease.last_failure), (0, 7, None));
}

#[test]
fn a_terminal_error_parks_the_item_until_its_next_event() {
    let mut b = Bench::new();
    b.add("foo");
    let lease = b.get("foo");
    b.complete(&lease, Outcome::Retry).unwrap();
    b.step(ms(1));
    let lease = b.get("foo");
    b.queue
        .complete(lease.token, Outcome::Terminal, &[], "no such zone", b.now)
        .unwrap();
    b.step(secs(3600));
    b.get_none();
    let item = b.queue.find(&key("foo")).unwrap();
    assert_eq!((item.state, item.error.as_str()), (ItemState::Parked, "no such zone"));
    assert_eq!(item.last_failure, Some(Failure::Terminal));
    assert_eq!(b.add("foo"), Added::Queued);
    let lease = b.get("foo");
    assert_eq!((lease.failures, lease.last_failure), (0, Some(Failure::Terminal)));
    // An event during the work is the next event.
    b.add("foo");
    b.complete(&lease, Outcome::Terminal).unwrap();
    b.get("foo");
    assert_eq!(b.stats().terminal, 2);
}

#[test]
fn the_oldest_parked_item_is_forgotten_at_the_bound_and_its_event_adds_it_all_the_same() {
    for bound in [0, 2] {
        let mut b = Bench::with(|config| config.max_parked = bound);
        for path in ["a", "b", "c"] {
            b.add(path);
            let lease = b.get(path);
            b.complete(&lease, Outcome::Terminal).unwrap();
        }
        assert_eq!((b.stats().parked, b.stats().keys), (bound, bound));
        assert_eq!(b.state("a"), None);
        assert_eq!(b.add("a"), Added::Queued);
        b.get("a");
    }
}

#[test]
fn namespaces_take_turns_inside_a_priority() {
    let paths = ["a/1", "a/2", "a/3", "b/1", "c/1", "c/2"];
    let fill = |b: &mut Bench| {
        for path in paths {
            b.add(path);
        }
        b.add_with("a/urgent", 1);
    };
    let mut b = Bench::new();
    fill(&mut b);
    let want = ["a/urgent", "a/1", "b/1", "c/1", "a/2", "c/2", "a/3"];
    let peeked: Vec<_> = b.queue.peek(10).into_iter().map(|item| item.key).collect();
    assert_eq!(peeked, want.map(key));
    for path in want {
        b.get(path);
    }

    let mut plain = Bench::with(|config| config.fair = false);
    fill(&mut plain);
    plain.get("a/urgent");
    for path in paths {
        plain.get(path);
    }
}
