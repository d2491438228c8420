//! The time after a restart: workers of the last run may still hold keys that this run knows nothing about.

use super::*;

fn old(path: &str) -> HeldKey {
    HeldKey {
        key: key(path),
        token: None,
    }
}

fn holding(workers: &[&str]) -> Bench {
    let mut b = Bench::new();
    let workers = workers.iter().map(|w| (*w).into());
    b.queue.hold(b.now + secs(30), workers, b.now);
    b
}

#[test]
fn nothing_is_handed_out_during_the_hold_and_everything_after_it() {
    let mut b = holding(&[]);
    b.add_with("a", -100);
    b.get_none();
    assert_eq!((b.queue.phase(), b.queue.len()), (Phase::Holding, 1));
    assert_eq!(b.deadline_in(), Some(secs(30)));
    b.step(secs(29));
    b.get_none();
    b.step(secs(1));
    assert_eq!(b.queue.phase(), Phase::Active);
    b.get("a");
}

#[test]
fn the_hold_ends_when_each_known_worker_has_registered() {
    let mut b = holding(&["one", "two"]);
    b.add("a");
    b.add("b");
    let lease = b.queue.register("one", &[old("a")], b.now).remove(0).unwrap();
    b.get_none();
    b.queue.register("stranger", &[], b.now);
    b.get_none();
    b.queue.register("two", &[], b.now);
    assert_eq!(b.queue.phase(), Phase::Active);
    b.get("b");
    b.get_none();
    // What was queued for the held key may be an event that its worker has not seen.
    b.done(&lease);
    b.get("a");
}

#[test]
fn a_key_is_adopted_once_and_only_during_the_hold() {
    let mut b = holding(&[]);
    let registered = b.queue.register("one", &[old("a"), old("a")], b.now);
    let tokens: Vec<_> = registered.iter().map(|r| r.as_ref().unwrap().token).collect();
    assert_eq!(tokens[0], tokens[1]);
    assert_eq!(b.queue.register("two", &[old("a")], b.now), [Err(Refused::LeaseLost)]);
    b.step(secs(30));
    assert_eq!(b.queue.register("two", &[old("b")], b.now), [Err(Refused::LeaseLost)]);
    assert_eq!(b.state("b"), None);
}

#[test]
fn an_adopted_key_whose_worker_dies_is_handed_out_after_its_lease() {
    let mut b = holding(&[]);
    b.queue.register("one", &[old("a")], b.now);
    b.step(secs(30));
    b.step(ms(1));
    assert_eq!(b.get("a").last_failure, Some(Failure::LeaseExpired));
}

#[test]
fn a_record_of_what_was_held_replaces_the_hold() {
    let mut b = Bench::new();
    b.add("a");
    b.add_after("b", secs(5));
    b.add("c");
    b.queue.restore("one", [key("a"), key("b"), key("unknown")], b.now);
    b.get("c");
    b.get_none();
    let back = b.queue.register("one", &[old("a")], b.now).remove(0).unwrap();
    assert_eq!(b.queue.register("two", &[old("b")], b.now), [Err(Refused::LeaseLost)]);
    b.done(&back);
    b.get("a");
    assert_eq!((b.stats().leased, b.stats().dirty), (4, 0));
}

#[test]
fn parked_delayed_and_gated_keys_can_be_adopted() {
    let mut b = Bench::new();
    b.add("parked");
    let lease = b.get("parked");
    b.complete(&lease, Outcome::Terminal).unwrap();
    b.add_after("delayed", secs(1));
    b.queue.hold(b.now + secs(30), [], b.now);
    for path in ["parked", "delayed"] {
        let lease = b.queue.register("one", &[old(path)], b.now).remove(0).unwrap();
        assert_eq!(b.state(path), Some(ItemState::Leased));
        b.done(&lease);
    }
    assert_eq!((b.stats().keys, b.stats().parked, b.stats().delayed), (1, 0, 1));
}

#[test]
fn a_hold_in_the_past_is_none() {
    let mut b = Bench::new();
    b.add("a");
    b.queue.hold(b.now, [], b.now);
    b.get("a");
}
