//! Leases: fencing, expiry, extension, limits.

use super::*;

#[test]
fn tokens_grow_from_the_first_one() {
    let mut b = Bench::with(|config| config.first_token = 1000);
    b.add("a");
    b.add("b");
    let (a, other) = (b.get("a"), b.get("b"));
    assert_eq!((a.token, other.token), (1000, 1001));
    b.complete(&a, Outcome::Release).unwrap();
    assert_eq!(b.get("a").token, 1002);
}

#[test]
fn an_expired_lease_backs_off_counts_an_attempt_and_its_completion_is_refused() {
    let mut b = Bench::new();
    b.add_with("a", 3);
    let lease = b.get("a");
    assert_eq!(lease.expires, b.now + secs(30));
    b.step(secs(30));
    b.get_none();
    assert_eq!(b.complete(&lease, Outcome::Success), Err(Refused::LeaseLost));
    let lost = b.queue.take_lost();
    assert_eq!(lost.len(), 1);
    assert_eq!((lost[0].token, lost[0].reason), (lease.token, Failure::LeaseExpired));
    assert!(b.queue.take_lost().is_empty());
    b.step(ms(1));
    let again = b.get("a");
    assert!(again.token > lease.token);
    assert_eq!((again.failures, again.priority), (1, 3));
    assert_eq!(again.last_failure, Some(Failure::LeaseExpired));
    assert_eq!(b.complete(&lease, Outcome::Terminal), Err(Refused::LeaseLost));
    assert_eq!(b.queue.extend(lease.token, b.now), Err(Refused::LeaseLost));
    b.done(&again);
    assert_eq!((b.stats().expired, b.stats().refused, b.stats().keys), (1, 3, 0));
}

#[test]
fn a_completion_counts_at_the_last_moment_of_the_lease_but_not_at_its_end() {
    for (late, taken) in [(false, true), (true, false)] {
        let mut b = Bench::new();
        b.add("a");
        let lease = b.get("a");
        // Nobody has advanced the queue since: the time of the call decides.
        b.now += secs(30) - Duration::from_nanos(u64::from(!late));
        assert_eq!(b.complete(&lease, Outcome::Success).is_ok(), taken);
    }
}

#[test]
fn a_completion_sent_twice_is_refused_the_second_time_and_changes_nothing() {
    let mut b = Bench::new();
    b.add("a");
    let lease = b.get("a");
    b.done(&lease);
    b.add("a");
    assert_eq!(b.complete(&lease, Outcome::Terminal), Err(Refused::LeaseLost));
    b.get("a");
}

#[test]
fn an_extension_counts_from_now() {
    let mut b = Bench::new();
    b.add("a");
    b.add("b");
    let (first, second) = (b.get("a"), b.get("b"));
    b.step(secs(20));
    assert_eq!(b.queue.extend(first.token, b.now), Ok(b.now + secs(30)));
    b.step(secs(10));
    assert_eq!(b.complete(&second, Outcome::Success), Err(Refused::LeaseLost));
    b.step(secs(19));
    assert_eq!(b.queue.extend_worker(WORKER, b.now), 1);
    assert_eq!(b.queue.extend_worker("nobody", b.now), 0);
    b.step(secs(29));
    b.done(&first);
}

#[test]
fn a_released_key_comes_again_at_once_and_counts_nothing() {
    let mut b = Bench::new();
    b.add("a");
    let lease = b.get("a");
    b.complete(&lease, Outcome::Release).unwrap();
    assert_eq!(b.get("a").failures, 0);
    assert_eq!((b.stats().released, b.stats().retries), (1, 0));
}

#[test]
fn a_worker_holds_no_more_than_it_may() {
    let mut b = Bench::with(|config| config.max_per_worker = 2);
    for path in ["a", "b", "c", "d"] {
        b.add(path);
    }
    let leases = b.queue.acquire("one", 10, b.now);
    assert_eq!(leases.len(), 2);
    assert!(b.queue.acquire("one", 10, b.now).is_empty());
    assert_eq!(b.queue.acquire("two", 1, b.now).len(), 1);
    b.done(&leases[0]);
    assert_eq!(b.queue.acquire("one", 10, b.now).len(), 1);
    let mut workers: Vec<_> = b.queue.workers().map(|(w, n)| (w.to_string(), n)).collect();
    workers.sort();
    assert_eq!(workers, [("one".into(), 2), ("two".into(), 1)]);
}

#[test]
fn a_lost_worker_has_a_grace_and_can_come_back_in_it() {
    let mut b = Bench::new();
    b.add("a");
    b.add("b");
    let (a, other) = (b.get("a"), b.get("b"));
    b.queue.worker_lost(WORKER, b.now + secs(2), b.now);
    assert_eq!(b.deadline_in(), Some(secs(2)));
    b.step(secs(1));
    let held = HeldKey {
        key: key("a"),
        token: Some(a.token),
    };
    let back = b.queue.register(WORKER, &[held], b.now).remove(0).unwrap();
    assert_eq!((back.token, back.expires), (a.token, b.now + secs(30)));
    b.step(secs(1));
    assert_eq!(b.complete(&other, Outcome::Success), Err(Refused::LeaseLost));
    assert_eq!(b.queue.take_lost()[0].reason, Failure::WorkerLost);
    b.step(secs(20));
    b.done(&a);
    let again = b.get("b");
    assert_eq!(again.last_failure, Some(Failure::WorkerLost));
}

#[test]
fn a_worker_cannot_register_the_lease_of_another_or_an_old_one() {
    let mut b = Bench::new();
    b.add("a");
    let lease = b.get("a");
    let held = |token| HeldKey { key: key("a"), token };
    let claims = [held(Some(lease.token)), held(None)];
    let refused = Err(Refused::LeaseLost);
    assert_eq!(
        b.queue.register("thief", &claims, b.now),
        [refused.clone(), refused.clone()]
    );
    assert_eq!(
        b.queue.register(WORKER, &[held(Some(lease.token - 1))], b.now),
        [refused]
    );
    b.done(&lease);
}

#[test]
fn notices_of_lost_leases_are_bounded() {
    let mut b = Bench::new();
    for i in 0..5000 {
        b.add(&format!("{i}"));
    }
    assert_eq!(b.queue.acquire(WORKER, 5000, b.now).len(), 5000);
    b.step(secs(30));
    assert_eq!(b.stats().expired, 5000);
    assert_eq!(b.queue.take_lost().len(), session::LOST_KEPT);
}
