//! client-go's workqueue metrics, of each queue.

use std::{fmt, sync::Arc};

use prometheus_client::{collector::Collector, encoding::DescriptorEncoder};
use tokio::time::Instant;

use super::family::Families;
use crate::{queue::Stats, queues::Queues};

/// Reads all queues.
pub(super) struct QueueCollector(pub(super) Arc<Queues>);

/// A queue's id and numbers.
type Row = (String, Stats);

// === impl QueueCollector ===

impl Collector for QueueCollector {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let rows: Vec<Row> = self
            .0
            .list()
            .iter()
            .map(|queue| {
                let id = queue.name().trim_start_matches("queues/").to_owned();
                (id, queue.inspect(|core| core.stats(Instant::now())))
            })
            .collect();
        let each = || rows.iter().map(|(id, stats)| ([("name", id.as_str())], stats));
        let mut out = Families(encoder);
        out.gauge(
            "workqueue_depth",
            "Current depth of workqueue by workqueue and priority",
            rows.iter().flat_map(depths),
        )?;
        out.counter(
            "workqueue_adds",
            "Total number of adds handled by workqueue",
            each().map(|(name, s)| (name, s.adds)),
        )?;
        out.histogram(
            "workqueue_queue_duration_seconds",
            "How long in seconds an item stays in workqueue before being requested",
            each().map(|(name, s)| (name, &s.queued)),
        )?;
        out.histogram(
            "workqueue_work_duration_seconds",
            "How long in seconds processing an item from workqueue takes.",
            each().map(|(name, s)| (name, &s.worked)),
        )?;
        out.gauge(
            "workqueue_unfinished_work_seconds",
            "How many seconds of work has been done that is in progress and hasn't been observed by work_duration. \
             Large values indicate stuck threads. One can deduce the number of stuck threads by observing the rate at \
             which this increases.",
            each().map(|(name, s)| (name, s.unfinished.as_secs_f64())),
        )?;
        out.gauge(
            "workqueue_longest_running_processor_seconds",
            "How many seconds has the longest running processor for workqueue been running.",
            each().map(|(name, s)| (name, s.longest.as_secs_f64())),
        )?;
        out.counter(
            "workqueue_retries",
            "Total number of retries handled by workqueue",
            each().map(|(name, s)| (name, s.retries)),
        )
    }
}

impl fmt::Debug for QueueCollector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("QueueCollector").finish_non_exhaustive()
    }
}

/// Priority 0 is there even when it is empty: a queue without work shows a depth of 0, not a gap.
fn depths((id, stats): &Row) -> Vec<([(&'static str, String); 2], u64)> {
    let mut depth = stats.depth.clone();
    if !depth.iter().any(|(priority, _)| *priority == 0) {
        depth.push((0, 0));
    }
    let sample = |(priority, n): (i32, usize)| ([("name", id.clone()), ("priority", priority.to_string())], n as u64);
    depth.into_iter().map(sample).collect()
}
