//! The stale gate: keys are withheld until the cache has seen the worker's own writes.

use super::*;
use crate::object::ResourceVersion;

fn wait(informer: &str, version: &str) -> WaitFor {
    WaitFor {
        informer: informer.into(),
        version: ResourceVersion::parse(version),
    }
}

impl Bench {
    fn done_waiting(&mut self, lease: &Lease, wait_for: &[WaitFor]) {
        self.queue
            .complete(lease.token, Outcome::Success, wait_for, "", self.now)
            .unwrap();
    }

    fn seen(&mut self, informer: &str, version: &str) {
        self.queue.seen(informer, &ResourceVersion::parse(version), self.now);
    }

    fn gated(wait_for: &[WaitFor]) -> Self {
        let mut b = Self::new();
        b.add("a");
        let lease = b.get("a");
        b.done_waiting(&lease, wait_for);
        b
    }
}

#[test]
fn a_key_is_withheld_until_its_write_is_seen() {
    let mut b = Bench::gated(&[wait("pods", "100")]);
    assert_eq!(b.add("a"), Added::Queued);
    assert_eq!(b.add("a"), Added::Merged);
    b.add("other");
    b.get("other");
    b.get_none();
    b.seen("pods", "99");
    b.seen("nodes", "500");
    b.get_none();
    assert_eq!(b.stats().gated, 1);
    b.seen("pods", "100");
    let lease = b.get("a");
    assert!(!lease.stale);
    b.done(&lease);
    assert_eq!((b.stats().keys, b.stats().adds), (1, 3));
}

#[test]
fn versions_compare_by_number_not_by_text() {
    let mut b = Bench::gated(&[wait("pods", "1000")]);
    b.add("a");
    b.seen("pods", "999");
    b.get_none();
    b.seen("pods", "1001");
    b.get("a");
}

#[test]
fn each_informer_has_to_see_its_write() {
    let mut b = Bench::gated(&[wait("pods", "10"), wait("nodes", "20")]);
    b.add("a");
    b.seen("nodes", "20");
    b.get_none();
    assert_eq!(b.queue.find(&key("a")).unwrap().wait_for, [wait("pods", "10")]);
    b.seen("pods", "11");
    b.get("a");
}

#[test]
fn what_was_seen_before_the_completion_withholds_nothing() {
    let mut b = Bench::new();
    b.seen("pods", "10");
    b.add("a");
    let lease = b.get("a");
    b.add("a");
    b.done_waiting(&lease, &[wait("pods", "10")]);
    b.get("a");
}

#[test]
fn a_gate_that_opens_with_nothing_queued_leaves_nothing() {
    let mut b = Bench::gated(&[wait("pods", "10")]);
    assert_eq!(b.state("a"), Some(ItemState::Gated));
    b.seen("pods", "10");
    assert_eq!((b.stats().keys, b.deadline_in()), (0, None));
}

#[test]
fn after_the_cap_the_key_is_handed_out_flagged_until_the_write_is_seen() {
    let mut b = Bench::gated(&[wait("pods", "10")]);
    b.add("a");
    assert_eq!(b.deadline_in(), Some(secs(70)));
    b.step(secs(70));
    let lease = b.get("a");
    assert!(lease.stale);
    b.done(&lease);
    // Nothing waits any more, but the cache is as old as before.
    assert_eq!(b.state("a"), Some(ItemState::Stale));
    b.add("a");
    let lease = b.get("a");
    assert!(lease.stale);
    b.seen("pods", "10");
    b.complete(&lease, Outcome::Release).unwrap();
    assert!(!b.get("a").stale);
    assert_eq!(b.stats().stale, 2);
}

#[test]
fn a_stale_key_is_forgotten_when_its_write_is_seen() {
    let mut b = Bench::gated(&[wait("pods", "10")]);
    b.step(secs(70));
    assert_eq!((b.state("a"), b.deadline_in()), (Some(ItemState::Stale), None));
    b.seen("pods", "12");
    assert_eq!(b.stats().keys, 0);
}

#[test]
fn a_delay_and_a_gate_have_both_to_be_over() {
    for (seen_first, want) in [(true, ItemState::Delayed), (false, ItemState::Gated)] {
        let mut b = Bench::new();
        b.add("a");
        let lease = b.get("a");
        let wait_for = [wait("pods", "10")];
        b.queue
            .complete(lease.token, Outcome::RequeueAfter(secs(5)), &wait_for, "", b.now)
            .unwrap();
        if seen_first {
            b.seen("pods", "10");
        } else {
            b.step(secs(5));
        }
        assert_eq!(b.state("a"), Some(want));
        b.get_none();
        if seen_first {
            b.step(secs(5));
        } else {
            b.seen("pods", "10");
        }
        b.get("a");
    }
}

#[test]
fn a_newer_write_moves_the_gate() {
    let mut b = Bench::gated(&[wait("pods", "10")]);
    b.add("a");
    b.step(secs(70));
    let lease = b.get("a");
    b.done_waiting(&lease, &[wait("pods", "30"), wait("pods", "20")]);
    b.add("a");
    b.seen("pods", "20");
    b.get_none();
    b.seen("pods", "30");
    assert!(!b.get("a").stale);
}

#[test]
fn a_version_that_does_not_compare_is_refused_before_anything_happens() {
    for version in ["", "0", "abc", "007"] {
        let mut b = Bench::new();
        b.add("a");
        let lease = b.get("a");
        let waits = [wait("pods", "10"), wait("pods", version)];
        let refused = b.queue.complete(lease.token, Outcome::Success, &waits, "", b.now);
        assert_eq!(refused, Err(Refused::Incomparable), "{version:?}");
        b.done(&lease);
        assert_eq!(b.stats().keys, 0);
    }
}

#[test]
fn an_informer_that_is_gone_holds_nothing_up() {
    let mut b = Bench::gated(&[wait("pods", "10"), wait("nodes", "10")]);
    b.add("a");
    b.queue.informer_gone("pods", b.now);
    b.get_none();
    b.queue.informer_gone("nodes", b.now);
    b.get("a");
}

#[test]
fn parked_keys_wait_behind_their_gate_and_stay_parked() {
    let mut b = Bench::new();
    b.add("a");
    let lease = b.get("a");
    b.queue
        .complete(lease.token, Outcome::Terminal, &[wait("pods", "10")], "", b.now)
        .unwrap();
    assert_eq!(b.state("a"), Some(ItemState::Gated));
    b.seen("pods", "10");
    assert_eq!(b.state("a"), Some(ItemState::Parked));
    b.get_none();
}

#[test]
fn a_drain_waits_for_the_gate_of_a_queued_key() {
    for mode in [DrainMode::Stop, DrainMode::Finish] {
        let mut b = Bench::gated(&[wait("pods", "10")]);
        b.add("a");
        b.queue.drain(mode, b.now);
        b.get_none();
        assert_eq!(b.queue.phase(), Phase::Draining);
        b.seen("pods", "10");
        let lease = b.get("a");
        b.done(&lease);
        assert_eq!(b.queue.phase(), Phase::Drained);
    }
}
