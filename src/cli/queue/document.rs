//! `-o json` of queues and keys: field names are those of the API in camelCase, as protobuf's own JSON has them.

use prost_types::{Duration, Timestamp};
use serde::Serialize;
use serde_json::Value;

use super::table::{failure, item_state, queue_state};
use crate::{
    cli::{error::CliError, print::json},
    proto::v1alpha1::{Queue, QueueItem, QueueStats, WrittenVersion},
};

#[derive(Serialize)]
struct Queues<'a> {
    queues: Vec<QueueEntry<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct QueueEntry<'a> {
    name: &'a str,
    state: &'static str,
    epoch: &'a str,
    create_time: Option<String>,
    hold_end_time: Option<String>,
    informers: &'a [String],
    stats: Option<Stats>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Stats {
    ready: u64,
    delayed: u64,
    gated: u64,
    leased: u64,
    dirty: u64,
    parked: u64,
    depth: Vec<Depth>,
    adds: u64,
    retries: u64,
    acquired: u64,
    succeeded: u64,
    failed: u64,
    requeued: u64,
    released: u64,
    terminal: u64,
    expired: u64,
    refused: u64,
    stale: u64,
    unfinished_work: Option<String>,
    longest_running: Option<String>,
    oldest_ready: Option<String>,
    waiting_polls: u32,
}

#[derive(Serialize)]
struct Depth {
    priority: i32,
    depth: u64,
}

#[derive(Serialize)]
struct Items<'a> {
    items: Vec<ItemEntry<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ItemEntry<'a> {
    key: Key<'a>,
    state: &'static str,
    queued: bool,
    priority: i32,
    failures: u32,
    last_failure: &'static str,
    last_error: &'a str,
    ready_time: Option<String>,
    worker_id: &'a str,
    lease: Option<Lease<'a>>,
    lease_time: Option<String>,
    wait_for: Vec<Written<'a>>,
    gate_end_time: Option<String>,
}

#[derive(Default, Serialize)]
struct Key<'a> {
    namespace: &'a str,
    name: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Lease<'a> {
    lease_id: &'a str,
    fencing_token: u64,
    expire_time: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Written<'a> {
    informer: &'a str,
    resource_version: &'a str,
}

/// All queues.
pub(super) fn queues(list: &[Queue]) -> Result<String, CliError> {
    let queues = list
        .iter()
        .map(|queue| QueueEntry {
            name: &queue.name,
            state: queue_state(queue),
            epoch: &queue.epoch,
            create_time: queue.create_time.as_ref().map(Timestamp::to_string),
            hold_end_time: queue.hold_end_time.as_ref().map(Timestamp::to_string),
            informers: &queue.informers,
            stats: queue.stats.as_ref().map(stats),
        })
        .collect();
    render(&Queues { queues })
}

/// Keys, in the order given.
pub(super) fn items(list: &[QueueItem]) -> Result<String, CliError> {
    render(&Items {
        items: list.iter().map(item).collect(),
    })
}

fn render(document: &impl Serialize) -> Result<String, CliError> {
    let value: Value = serde_json::to_value(document).map_err(|e| CliError::Failed(e.to_string()))?;
    Ok(json::object(&value))
}

fn stats(s: &QueueStats) -> Stats {
    Stats {
        ready: s.ready,
        delayed: s.delayed,
        gated: s.gated,
        leased: s.leased,
        dirty: s.dirty,
        parked: s.parked,
        depth: s
            .depth
            .iter()
            .map(|d| Depth {
                priority: d.priority,
                depth: d.depth,
            })
            .collect(),
        adds: s.adds,
        retries: s.retries,
        acquired: s.acquired,
        succeeded: s.succeeded,
        failed: s.failed,
        requeued: s.requeued,
        released: s.released,
        terminal: s.terminal,
        expired: s.expired,
        refused: s.refused,
        stale: s.stale,
        unfinished_work: s.unfinished_work.as_ref().map(Duration::to_string),
        longest_running: s.longest_running.as_ref().map(Duration::to_string),
        oldest_ready: s.oldest_ready.as_ref().map(Duration::to_string),
        waiting_polls: s.waiting_polls,
    }
}

fn item(i: &QueueItem) -> ItemEntry<'_> {
    ItemEntry {
        key: i
            .key
            .as_ref()
            .map(|k| Key {
                namespace: &k.namespace,
                name: &k.name,
            })
            .unwrap_or_default(),
        state: item_state(i),
        queued: i.queued,
        priority: i.priority,
        failures: i.failures,
        last_failure: failure(i),
        last_error: &i.last_error,
        ready_time: i.ready_time.as_ref().map(Timestamp::to_string),
        worker_id: &i.worker_id,
        lease: i.lease.as_ref().map(|l| Lease {
            lease_id: &l.lease_id,
            fencing_token: l.fencing_token,
            expire_time: l.expire_time.as_ref().map(Timestamp::to_string),
        }),
        lease_time: i.lease_time.as_ref().map(Timestamp::to_string),
        wait_for: i.wait_for.iter().map(written).collect(),
        gate_end_time: i.gate_end_time.as_ref().map(Timestamp::to_string),
    }
}

fn written(w: &WrittenVersion) -> Written<'_> {
    Written {
        informer: &w.informer,
        resource_version: &w.resource_version,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::v1alpha1::{FailureReason, ItemState, Lease as LeasePb, ObjectKey, PriorityDepth, QueueState};

    #[test]
    fn a_document_has_the_apis_names_and_spells_out_enums_and_times() {
        let queue = Queue {
            name: "queues/q".into(),
            state: QueueState::Holding.into(),
            hold_end_time: Some(Timestamp { seconds: 60, nanos: 0 }),
            stats: Some(QueueStats {
                depth: vec![PriorityDepth {
                    priority: -100,
                    depth: 7,
                }],
                oldest_ready: Some(Duration {
                    seconds: 1,
                    nanos: 500_000_000,
                }),
                ..QueueStats::default()
            }),
            ..Queue::default()
        };
        let read = |text: String| serde_json::from_str::<Value>(&text).expect("JSON");
        let value = read(queues(&[queue]).expect("rendered"));
        let queue = &value["queues"][0];
        assert_eq!(queue["state"], "HOLDING");
        assert_eq!(queue["holdEndTime"], "1970-01-01T00:01:00Z");
        assert_eq!(queue["stats"]["depth"][0]["priority"], -100);
        assert_eq!(queue["stats"]["oldestReady"], "1.500s");

        let item = QueueItem {
            key: Some(ObjectKey {
                namespace: "a".into(),
                name: "b".into(),
            }),
            state: ItemState::Leased.into(),
            last_failure: FailureReason::WorkerLost.into(),
            lease: Some(LeasePb {
                fencing_token: 12,
                ..LeasePb::default()
            }),
            ..QueueItem::default()
        };
        let value = read(items(&[item]).expect("rendered"));
        let item = &value["items"][0];
        assert_eq!(
            (&item["key"]["namespace"], &item["key"]["name"]),
            (&"a".into(), &"b".into())
        );
        assert_eq!(item["lastFailure"], "WORKER_LOST");
        assert_eq!(item["lease"]["fencingToken"], 12);
        assert_eq!(items(&[]).expect("rendered"), "{\n    \"items\": []\n}\n");
    }
}
