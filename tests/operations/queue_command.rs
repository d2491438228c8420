//! `informerd queue`.

use informerd::proto::v1alpha1::{self as pb, AddItemsRequest, Completion, ObjectKey, QueueSpec};
use serde_json::Value;

use crate::rig::{Outcome, Rig};

/// The cells of a column, by its header.
fn column(outcome: &Outcome, name: &str) -> Vec<String> {
    assert_eq!(outcome.code, 0, "{}", outcome.notes);
    let mut lines = outcome.out.lines();
    let header = lines.next().expect("a header");
    let start = header.find(name).expect("the column");
    let cell = |line: &str| {
        line.get(start..)
            .and_then(|l| l.split("   ").next())
            .unwrap_or("")
            .trim()
            .to_owned()
    };
    lines.map(cell).collect()
}

async fn rig() -> Rig {
    let mut rig = Rig::start(&[]).await;
    rig.create("q", QueueSpec::default()).await;
    rig
}

#[tokio::test]
async fn ls_shows_the_numbers_of_each_queue() {
    let mut rig = Rig::start(&[]).await;
    let none = rig.queue("ls").await;
    assert_eq!((none.code, none.out.as_str()), (0, ""));
    assert!(none.notes.starts_with("No queues"), "{}", none.notes);

    rig.create("q", QueueSpec::default()).await;
    rig.create("other", QueueSpec::default()).await;
    rig.add(&["a/1", "a/2", "a/3"], AddItemsRequest::default()).await;
    rig.acquire().await;
    let table = rig.queue("ls").await;
    assert_eq!(column(&table, "NAME"), ["other", "q"]);
    assert_eq!(column(&table, "STATE"), ["ACTIVE", "ACTIVE"]);
    assert_eq!(column(&table, "READY"), ["0", "2"]);
    assert_eq!(column(&table, "LEASED"), ["0", "1"]);

    let json: Value = serde_json::from_str(&rig.queue("ls -o json").await.out).expect("JSON");
    assert_eq!(json["queues"][1]["name"], "queues/q");
    assert_eq!(json["queues"][1]["stats"]["ready"], 2);
    rig.stop().await;
}

#[tokio::test]
async fn peek_shows_keys_in_the_order_of_handing_out_and_leases_none() {
    let mut rig = rig().await;
    rig.add(&["a/low"], AddItemsRequest::default()).await;
    let high = AddItemsRequest {
        priority: 5,
        ..AddItemsRequest::default()
    };
    rig.add(&["a/high"], high).await;
    let later = AddItemsRequest {
        after: Some(prost_types::Duration {
            seconds: 3600,
            nanos: 0,
        }),
        ..AddItemsRequest::default()
    };
    rig.add(&["b/delayed", "c/delayed"], later).await;

    for _ in 0..2 {
        let next = rig.queue("peek q").await;
        assert_eq!(column(&next, "NAME "), ["high", "low"]);
        assert_eq!(column(&next, "PRIORITY"), ["5", "0"]);
    }
    assert_eq!(column(&rig.queue("peek q --max 1").await, "NAME "), ["high"]);
    let json: Value = serde_json::from_str(&rig.queue("peek queues/q -o json").await.out).expect("JSON");
    assert_eq!(json["items"][0]["key"]["name"], "high");

    let delayed = rig.queue("peek q --state delayed -n b").await;
    assert_eq!(column(&delayed, "NAMESPACE"), ["b"]);
    assert_eq!(column(&delayed, "STATE"), ["DELAYED"]);
    let both = rig.queue("peek q --state delayed,ready --no-headers").await;
    assert_eq!(both.out.lines().count(), 4);
    let cut = rig.queue("peek q --state delayed --max 1").await;
    assert_eq!(column(&cut, "STATE"), ["DELAYED"]);
    assert!(cut.notes.contains("may be more"), "{}", cut.notes);
    let none = rig.queue("peek q --state parked").await;
    assert_eq!(
        (none.code, none.out.as_str(), none.notes.as_str()),
        (0, "", "No such keys.\n")
    );
    rig.stop().await;
}

#[tokio::test]
async fn requeue_has_parked_keys_handed_out_again() {
    let mut rig = rig().await;
    rig.add(&["a/bad"], AddItemsRequest::default()).await;
    let item = rig.acquire().await;
    let terminal = Completion {
        outcome: pb::Outcome::Terminal.into(),
        error: "cannot be helped".into(),
        ..Completion::default()
    };
    rig.complete(&item, terminal).await;
    let parked = rig.queue("peek q --state parked").await;
    assert_eq!(column(&parked, "LAST ERROR"), ["TERMINAL: cannot be helped"]);

    let queued = rig.queue("requeue q a/bad node-1").await;
    assert_eq!(
        (queued.code, queued.out.as_str()),
        (0, "queues/q: 2 queued\n"),
        "{}",
        queued.notes
    );
    let item = rig.acquire().await;
    let leased = item.key.expect("a key");
    let again = rig.queue(&format!("requeue q {}", full(&leased))).await;
    assert_eq!(
        again.out,
        "queues/q: 0 queued, 1 again after the worker that has it is done\n"
    );
    let other = rig.acquire().await.key.expect("a key");
    let mut both = [full(&leased), full(&other)];
    both.sort();
    assert_eq!(both, ["a/bad", "node-1"]);

    let wrong = rig.queue("requeue q x/y a/b/c").await;
    assert_eq!((wrong.code, wrong.out.as_str()), (2, ""));
    assert_eq!(rig.queue("peek q").await.out, "", "nothing was queued");
    rig.stop().await;
}

fn full(key: &ObjectKey) -> String {
    if key.namespace.is_empty() {
        key.name.clone()
    } else {
        format!("{}/{}", key.namespace, key.name)
    }
}

#[tokio::test]
async fn drain_fails_while_a_worker_holds_a_key_and_stop_does_not_wait_for_it() {
    let mut rig = rig().await;
    rig.add(&["a/1"], AddItemsRequest::default()).await;
    rig.acquire().await;
    let held = rig.queue("drain q --timeout 50ms").await;
    assert_eq!((held.code, held.out.as_str()), (1, ""));
    assert_eq!(
        held.notes,
        "error: queues/q is not drained yet: 0 ready, 1 leased, 0 withheld; it goes on draining\n"
    );
    let refused = rig.queue("requeue q a/2").await;
    assert_eq!(refused.code, 1);
    assert!(refused.notes.contains("QUEUE_DRAINING"), "{}", refused.notes);
    let stopped = rig.queue("drain q --stop").await;
    assert_eq!(
        (stopped.code, stopped.out.as_str()),
        (0, "queues/q drained\n"),
        "{}",
        stopped.notes
    );
    rig.stop().await;
}

#[tokio::test]
async fn delete_wants_force_while_keys_are_leased() {
    let mut rig = rig().await;
    rig.add(&["a/1"], AddItemsRequest::default()).await;
    rig.acquire().await;
    let refused = rig.queue("delete q").await;
    assert_eq!((refused.code, refused.out.as_str()), (1, ""));
    assert!(
        refused.notes.contains("FAILED_PRECONDITION/QUEUE_IN_USE"),
        "{}",
        refused.notes
    );
    let deleted = rig.queue("delete q --force").await;
    assert_eq!((deleted.code, deleted.out.as_str()), (0, "queues/q deleted\n"));
    for line in ["delete q", "peek q", "peek q --state ready", "requeue q a", "drain q"] {
        let gone = rig.queue(line).await;
        assert_eq!((gone.code, gone.out.as_str()), (1, ""), "{line}");
        assert!(
            gone.notes.starts_with("error: NOT_FOUND/QUEUE_NOT_FOUND: "),
            "{line}: {}",
            gone.notes
        );
        assert_eq!(gone.notes.lines().count(), 1, "{line}");
    }
    rig.stop().await;
}
