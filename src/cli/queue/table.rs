//! Tables of queues and of their keys.

use prost_types::{Duration, Timestamp};

use crate::{
    cli::{
        print::{age, table::Table},
        watch::encode::word,
    },
    proto::v1alpha1::{FailureReason, ItemState, Queue, QueueItem, QueueState},
};

/// Queues.
pub(super) fn queues(list: &[Queue], header: bool) -> String {
    let names = [
        "NAME",
        "STATE",
        "READY",
        "DELAYED",
        "LEASED",
        "GATED",
        "PARKED",
        "OLDEST",
        "RETRIES",
        "POLLS",
        "INFORMERS",
    ];
    render(&names, list.iter().map(queue).collect(), header)
}

/// Keys.
pub(super) fn items(list: &[QueueItem], now: i64, header: bool) -> String {
    let names = [
        "NAMESPACE",
        "NAME",
        "STATE",
        "PRIORITY",
        "FAILURES",
        "READY",
        "WORKER",
        "ENDS",
        "WAITS FOR",
        "LAST ERROR",
    ];
    render(&names, list.iter().map(|i| item(i, now)).collect(), header)
}

fn render(names: &[&str], rows: Vec<Vec<String>>, header: bool) -> String {
    let header_row = names.iter().map(|name| (*name).to_owned()).collect();
    Table {
        header: header_row,
        rows,
    }
    .render(header)
}

/// The word of a queue's state.
pub(super) fn queue_state(queue: &Queue) -> &'static str {
    QueueState::try_from(queue.state).map_or("UNKNOWN", |s| word(s.as_str_name(), "QUEUE_STATE_"))
}

/// The word of a key's state.
pub(super) fn item_state(item: &QueueItem) -> &'static str {
    ItemState::try_from(item.state).map_or("UNKNOWN", |s| word(s.as_str_name(), "ITEM_STATE_"))
}

/// The word of a key's last failure; empty if there was none.
pub(super) fn failure(item: &QueueItem) -> &'static str {
    match FailureReason::try_from(item.last_failure) {
        Ok(FailureReason::Unspecified) => "",
        Ok(reason) => word(reason.as_str_name(), "FAILURE_REASON_"),
        Err(_) => "UNKNOWN",
    }
}

fn queue(queue: &Queue) -> Vec<String> {
    let stats = queue.stats.clone().unwrap_or_default();
    let oldest = match stats.oldest_ready {
        Some(oldest) if stats.ready > 0 => age::human(oldest.seconds),
        _ => "-".into(),
    };
    let informers: Vec<_> = queue.informers.iter().map(|i| short(i, "informers/")).collect();
    vec![
        short(&queue.name, "queues/").to_owned(),
        queue_state(queue).to_owned(),
        stats.ready.to_string(),
        stats.delayed.to_string(),
        if stats.dirty == 0 {
            stats.leased.to_string()
        } else {
            format!("{} ({} again)", stats.leased, stats.dirty)
        },
        stats.gated.to_string(),
        stats.parked.to_string(),
        oldest,
        stats.retries.to_string(),
        stats.waiting_polls.to_string(),
        or_dash(informers.join(",")),
    ]
}

fn item(item: &QueueItem, now: i64) -> Vec<String> {
    let key = item.key.clone().unwrap_or_default();
    let ready = item.ready_time.as_ref().map(|t| since_or_until(t, now));
    let lease = item.lease.as_ref().and_then(|l| l.expires_in);
    let ends = match (lease, &item.gate_end_time) {
        // The server's own measure: its clock may differ from ours.
        (Some(Duration { seconds, .. }), _) => format!("in {}", age::human(seconds.max(0))),
        (None, Some(end)) => since_or_until(end, now),
        (None, None) => "-".into(),
    };
    let waits: Vec<_> = item
        .wait_for
        .iter()
        .map(|w| format!("{}@{}", short(&w.informer, "informers/"), w.resource_version))
        .collect();
    let error = match (failure(item), item.last_error.as_str()) {
        (reason, "") => reason.to_owned(),
        ("", error) => error.to_owned(),
        (reason, error) => format!("{reason}: {error}"),
    };
    vec![
        or_dash(key.namespace),
        key.name,
        item_state(item).to_owned(),
        if item.queued {
            item.priority.to_string()
        } else {
            "-".into()
        },
        item.failures.to_string(),
        ready.unwrap_or_else(|| "-".into()),
        or_dash(item.worker_id.clone()),
        ends,
        or_dash(waits.join(",")),
        error,
    ]
}

/// `45s ago` or `in 45s`.
fn since_or_until(time: &Timestamp, now: i64) -> String {
    if time.seconds > now {
        format!("in {}", age::human(time.seconds - now))
    } else {
        format!("{} ago", age::human(now - time.seconds))
    }
}

fn short<'a>(name: &'a str, prefix: &str) -> &'a str {
    name.strip_prefix(prefix).unwrap_or(name)
}

fn or_dash(text: String) -> String {
    if text.is_empty() { "-".into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proto::v1alpha1::{Lease, ObjectKey, QueueStats, WrittenVersion};

    fn words(line: &str) -> Vec<&str> {
        line.split("   ").map(str::trim).filter(|w| !w.is_empty()).collect()
    }

    fn at(seconds: i64) -> Option<Timestamp> {
        Some(Timestamp { seconds, nanos: 0 })
    }

    fn of(name: &str, state: ItemState) -> QueueItem {
        QueueItem {
            key: Some(ObjectKey {
                namespace: "ns".into(),
                name: name.into(),
            }),
            state: state.into(),
            ..QueueItem::default()
        }
    }

    #[test]
    fn a_queues_row_shows_where_its_keys_are() {
        let stats = QueueStats {
            ready: 3,
            delayed: 2,
            leased: 4,
            dirty: 1,
            retries: 9,
            waiting_polls: 5,
            oldest_ready: Some(Duration { seconds: 130, nanos: 0 }),
            ..QueueStats::default()
        };
        let busy = Queue {
            name: "queues/q".into(),
            state: QueueState::Draining.into(),
            informers: vec!["informers/pods".into(), "informers/nodes".into()],
            stats: Some(stats),
            ..Queue::default()
        };
        for (queue, want) in [
            (
                busy,
                [
                    "q",
                    "DRAINING",
                    "3",
                    "2",
                    "4 (1 again)",
                    "0",
                    "0",
                    "2m10s",
                    "9",
                    "5",
                    "pods,nodes",
                ],
            ),
            (
                Queue {
                    name: "queues/idle".into(),
                    state: 99,
                    ..Queue::default()
                },
                ["idle", "UNKNOWN", "0", "0", "0", "0", "0", "-", "0", "0", "-"],
            ),
        ] {
            assert_eq!(words(&queues(&[queue], false)), want);
        }
        assert!(queues(&[Queue::default()], true).starts_with("NAME   STATE"));
    }

    #[test]
    fn a_keys_row_says_why_it_is_where_it_is() {
        let cases = [
            (
                QueueItem {
                    queued: true,
                    priority: -100,
                    ready_time: at(95),
                    ..of("ready", ItemState::Ready)
                },
                vec!["ns", "ready", "READY", "-100", "0", "5s ago", "-", "-", "-"],
            ),
            (
                QueueItem {
                    queued: true,
                    ready_time: at(160),
                    failures: 4,
                    last_failure: FailureReason::Retry.into(),
                    last_error: "no\nroute".into(),
                    ..of("delayed", ItemState::Delayed)
                },
                vec![
                    "ns",
                    "delayed",
                    "DELAYED",
                    "0",
                    "4",
                    "in 60s",
                    "-",
                    "-",
                    "-",
                    "RETRY: no...",
                ],
            ),
            (
                QueueItem {
                    worker_id: "w".into(),
                    lease: Some(Lease {
                        expires_in: Some(Duration { seconds: 25, nanos: 0 }),
                        ..Lease::default()
                    }),
                    last_failure: FailureReason::LeaseExpired.into(),
                    ..of("leased", ItemState::Leased)
                },
                vec![
                    "ns",
                    "leased",
                    "LEASED",
                    "-",
                    "0",
                    "-",
                    "w",
                    "in 25s",
                    "-",
                    "LEASE_EXPIRED",
                ],
            ),
            (
                QueueItem {
                    gate_end_time: at(170),
                    wait_for: vec![WrittenVersion {
                        informer: "informers/pods".into(),
                        resource_version: "77".into(),
                    }],
                    ..of("gated", ItemState::Gated)
                },
                vec!["ns", "gated", "GATED", "-", "0", "-", "-", "in 70s", "pods@77"],
            ),
            (
                QueueItem {
                    last_failure: FailureReason::Terminal.into(),
                    last_error: "bad spec".into(),
                    ..of("parked", ItemState::Parked)
                },
                vec![
                    "ns",
                    "parked",
                    "PARKED",
                    "-",
                    "0",
                    "-",
                    "-",
                    "-",
                    "-",
                    "TERMINAL: bad spec",
                ],
            ),
        ];
        for (item, want) in cases {
            assert_eq!(words(&items(&[item], 100, false)), want);
        }
    }
}
