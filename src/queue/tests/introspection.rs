//! Looking into the queue changes nothing.

use super::*;

#[test]
fn pages_show_each_key_once_while_others_come_and_go() {
    let mut b = Bench::new();
    for i in 0..100 {
        b.add(&format!("stay/{i}"));
        b.add(&format!("go/{i}"));
    }
    let mut seen = Vec::new();
    let mut from = Some(0);
    while let Some(at) = from {
        let page = b.queue.page(at, 7, |state, key| {
            state == ItemState::Ready && key.namespace() == "stay"
        });
        assert!(page.items.len() <= 7);
        seen.extend(page.items.into_iter().map(|item| item.key));
        from = page.next;
        b.add_with(&format!("go/new-{at}"), 1);
        let lease = b.try_get().unwrap();
        b.done(&lease);
    }
    let mut want: Vec<_> = (0..100).map(|i| key(&format!("stay/{i}"))).collect();
    want.sort();
    seen.sort();
    assert_eq!(seen, want);
}

#[test]
fn a_filter_that_matches_nothing_gives_short_pages_that_go_on() {
    let mut b = Bench::new();
    for i in 0..70_000 {
        b.add(&format!("{i}"));
    }
    let first = b.queue.page(0, 10, |_, _| false);
    assert!(first.items.is_empty());
    let second = b.queue.page(first.next.unwrap(), 10, |_, _| false);
    assert_eq!(second, Page::default());
}

#[test]
fn an_item_tells_its_lease_failure_and_what_is_queued_behind_it() {
    let mut b = Bench::new();
    b.add_with("a", 5);
    let lease = b.get("a");
    let error = "é".repeat(200);
    b.queue
        .complete(lease.token, Outcome::Retry, &[], &error, b.now)
        .unwrap();
    b.step(ms(1));
    let lease = b.get("a");
    b.add_with("a", 9);
    let item = b.queue.find(&key("a")).unwrap();
    assert_eq!((item.state, item.queued), (ItemState::Leased, Some((9, b.now))));
    assert_eq!((item.failures, item.last_failure), (1, Some(Failure::Retry)));
    assert_eq!(item.error, "é".repeat(128));
    let view = item.lease.unwrap();
    assert_eq!((view.token, &*view.worker), (lease.token, WORKER));
    assert_eq!((view.granted, view.expires), (b.now, lease.expires));
    b.done(&lease);
    assert_eq!(b.queue.find(&key("a")).unwrap().error, "");
}

#[test]
fn peek_shows_the_order_of_handing_out_and_takes_nothing() {
    let mut b = Bench::new();
    for i in 0..30 {
        b.add_with(&format!("{}/{i}", ["x", "y", "z"][i % 7 % 3]), (i % 4) as i32);
    }
    let peeked: Vec<_> = b.queue.peek(100).into_iter().map(|item| item.key).collect();
    assert_eq!(b.queue.peek(3).len(), 3);
    let handed: Vec<_> = b.queue.acquire(WORKER, 100, b.now).into_iter().map(|l| l.key).collect();
    assert_eq!(peeked, handed);
    assert_eq!(handed.len(), 30);
}

#[test]
fn a_queue_that_was_long_gives_its_memory_back() {
    let mut b = Bench::new();
    for i in 0..10_000 {
        b.add(&format!("{}/{i}", i % 100));
    }
    for lease in b.queue.acquire(WORKER, 10_000, b.now) {
        b.done(&lease);
    }
    assert_eq!((b.stats().keys, b.queue.page(0, 1, |_, _| true)), (0, Page::default()));
    assert_eq!(b.queue.table.slots(), 0);
    b.add("again");
    b.get("again");
}

#[test]
fn durations_run_from_due_to_handed_out_and_from_there_to_done_or_lost() {
    fn hit(histogram: &Histogram) -> Vec<(f64, u64)> {
        histogram.buckets().into_iter().filter(|(_, n)| *n > 0).collect()
    }
    let mut b = Bench::new();
    b.add("a");
    b.step(Duration::from_micros(50));
    let lease = b.get("a");
    assert_eq!(hit(&b.stats().queued), [(1e-4, 1)]);
    assert_eq!(b.stats().worked.count(), 0);
    // Added while it is worked on: it waits from now, though nobody could have it.
    b.add("a");
    b.step(Duration::from_micros(25));
    b.done(&lease);
    assert_eq!(hit(&b.stats().worked), [(1e-4, 1)]);
    b.get("a");
    assert_eq!(hit(&b.stats().queued), [(1e-4, 2)]);
    assert_eq!(b.stats().queued.sum(), 75e-6);

    // A lost lease ends the work when it is lost, however late that is noticed.
    b.now += secs(3600);
    assert_eq!(hit(&b.stats().worked), [(1e-4, 1), (f64::INFINITY, 1)]);
    assert_eq!(b.stats().worked.sum(), 30.000_025);

    // A delay is no time in the queue.
    b.step(secs(1));
    b.get("a");
    b.add_after("b", secs(20));
    b.step(secs(20));
    b.get("b");
    assert_eq!(b.stats().queued.buckets()[0], (1e-8, 1));
}
