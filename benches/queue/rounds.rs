//! Acquire and complete: each request brings the completions of the reply before.

use std::time::Instant;

use informerd::proto::v1alpha1::{
    AcquireItemsRequest, Completion, Outcome, work_queue_service_client::WorkQueueServiceClient,
};
use prost_types::Duration;
use tonic::transport::Channel;

use crate::rig::{self, Rig};

const KEYS_BATCHED: usize = 200_000;
const KEYS_SINGLE: usize = 20_000;

/// A row: `in_flight` workers, all on one connection.
pub(crate) async fn measure(max_items: u32, in_flight: usize) -> String {
    let keys = if max_items > 1 { KEYS_BATCHED } else { KEYS_SINGLE };
    let mut rig = Rig::start().await;
    rig.add(keys, keys).await;
    let started = Instant::now();
    let workers: Vec<_> = (0..in_flight)
        .map(|i| tokio::spawn(work(rig.queues.clone(), format!("worker-{i}"), max_items)))
        .collect();
    let mut worked = 0;
    for worker in workers {
        worked += worker.await.expect("a worker");
    }
    let time = started.elapsed();
    assert_eq!(worked, keys, "each key once");
    let stats = rig.stats().await;
    assert_eq!((stats.succeeded, stats.leased, stats.ready), (keys as u64, 0, 0));
    format!(
        "| acquire+complete, max_items {max_items}, {in_flight} in flight on one connection | {} a second |",
        rig::per_second(keys, time)
    )
}

/// Works until there is nothing left; how many items it had.
async fn work(mut queues: WorkQueueServiceClient<Channel>, worker_id: String, max_items: u32) -> usize {
    let mut completions = Vec::new();
    let mut worked = 0;
    loop {
        let request = AcquireItemsRequest {
            queue: rig::QUEUE.into(),
            worker_id: worker_id.clone(),
            max_items,
            wait_timeout: Some(Duration::default()),
            completions: std::mem::take(&mut completions),
            ..AcquireItemsRequest::default()
        };
        let response = queues.acquire_items(request).await.expect("a queue").into_inner();
        assert!(response.completions.iter().all(|result| result.code == 0));
        if response.items.is_empty() {
            return worked;
        }
        worked += response.items.len();
        completions.extend(response.items.into_iter().map(|item| Completion {
            lease_id: item.lease.unwrap_or_default().lease_id,
            outcome: Outcome::Success.into(),
            ..Completion::default()
        }));
    }
}
