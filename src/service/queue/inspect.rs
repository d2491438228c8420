//! Looking into queues.

use std::{collections::BTreeMap, sync::Arc};

use tokio::time::Instant;

use super::{failure_pb, lease_until, queue_pb, state_pb};
use crate::{
    proto::v1alpha1 as pb,
    queue::{Item, ItemState},
    queues::{LiveQueue, Queues},
    service::{
        convert::{duration_pb, key_pb, object_key, timestamp, unknown_enum},
        error::ApiError,
        page::page_size,
    },
};

const MAX_KEYS: usize = 1000;
const MAX_WORKERS: usize = 1000;

/// A page of queues.
pub(super) fn list(queues: &Queues, request: &pb::ListQueuesRequest) -> Result<pb::ListQueuesResponse, ApiError> {
    let size = page_size(request.page_size, usize::MAX, usize::MAX)?;
    let all = queues.list();
    let mut after = all.iter().filter(|q| q.name() > request.page_token.as_str());
    let queues: Vec<_> = after.by_ref().take(size).map(|q| queue_pb(q)).collect();
    let next_page_token = match (after.next(), queues.last()) {
        (Some(_), Some(last)) => last.name.clone(),
        _ => String::new(),
    };
    Ok(pb::ListQueuesResponse {
        queues,
        next_page_token,
    })
}

/// The numbers of a queue.
pub(super) fn stats(queue: &LiveQueue) -> pb::QueueStats {
    let stats = queue.inspect(|core| core.stats(Instant::now()));
    pb::QueueStats {
        ready: stats.ready as u64,
        delayed: stats.delayed as u64,
        gated: stats.gated as u64,
        leased: stats.leased as u64,
        dirty: stats.dirty as u64,
        parked: stats.parked as u64,
        depth: stats
            .depth
            .iter()
            .map(|(priority, depth)| pb::PriorityDepth {
                priority: *priority,
                depth: *depth as u64,
            })
            .collect(),
        adds: stats.adds,
        retries: stats.retries,
        acquired: stats.acquired,
        succeeded: stats.succeeded,
        failed: stats.failed,
        requeued: stats.requeued,
        released: stats.released,
        terminal: stats.terminal,
        expired: stats.expired,
        refused: stats.refused,
        stale: stats.stale,
        unfinished_work: Some(duration_pb(stats.unfinished)),
        longest_running: Some(duration_pb(stats.longest)),
        oldest_ready: Some(duration_pb(stats.oldest_ready)),
        waiting_polls: queue.waiting_polls() as u32,
    }
}

/// Numbers and workers.
pub(super) fn queue_stats(queue: &LiveQueue) -> pb::GetQueueStatsResponse {
    let mut workers: BTreeMap<Arc<str>, (usize, bool)> = BTreeMap::new();
    queue.inspect(|core| {
        for (worker, leased) in core.workers() {
            workers.insert(worker.clone(), (leased, false));
        }
    });
    for worker in queue.sessions() {
        workers.entry(worker).or_default().1 = true;
    }
    pb::GetQueueStatsResponse {
        state: state_pb(queue.phase()).into(),
        stats: Some(stats(queue)),
        workers: workers
            .into_iter()
            .take(MAX_WORKERS)
            .map(|(worker, (leased, session))| pb::WorkerStats {
                worker_id: worker.to_string(),
                leased: leased as u32,
                session,
            })
            .collect(),
    }
}

/// The keys that would be handed out next.
pub(super) fn peek(queue: &LiveQueue, max: u32) -> pb::PeekItemsResponse {
    let max = if max == 0 { 10 } else { max.min(1000) } as usize;
    let items = queue.inspect(|core| core.peek(max));
    pb::PeekItemsResponse {
        items: items.iter().map(|i| item(queue, i)).collect(),
    }
}

/// A page of keys.
pub(super) fn items(queue: &LiveQueue, request: &pb::ListItemsRequest) -> Result<pb::ListItemsResponse, ApiError> {
    let size = page_size(request.page_size, 500, 10_000)?;
    let mut states = Vec::new();
    for state in &request.states {
        states.push(match pb::ItemState::try_from(*state) {
            Ok(pb::ItemState::Ready) => ItemState::Ready,
            Ok(pb::ItemState::Delayed) => ItemState::Delayed,
            Ok(pb::ItemState::Leased) => ItemState::Leased,
            Ok(pb::ItemState::Gated) => ItemState::Gated,
            Ok(pb::ItemState::Parked) => ItemState::Parked,
            Ok(pb::ItemState::Stale) => ItemState::Stale,
            Ok(pb::ItemState::Unspecified) | Err(_) => return Err(unknown_enum("states", *state)),
        });
    }
    let wanted = |state: ItemState, namespace: &str| {
        (states.is_empty() || states.contains(&state))
            && (request.namespaces.is_empty() || request.namespaces.iter().any(|n| n == namespace))
    };
    if !request.keys.is_empty() {
        if request.keys.len() > MAX_KEYS {
            return Err(ApiError::invalid(
                "keys",
                "INVALID_FIELD",
                format!("keys: at most {MAX_KEYS}"),
            ));
        }
        let keys: Result<Vec<_>, _> = request.keys.iter().map(|k| object_key(Some(k.clone()))).collect();
        let keys = keys?;
        let found = queue.inspect(|core| keys.iter().filter_map(|key| core.find(key)).collect::<Vec<_>>());
        return Ok(pb::ListItemsResponse {
            items: found
                .iter()
                .filter(|i| wanted(i.state, i.key.namespace()))
                .map(|i| item(queue, i))
                .collect(),
            next_page_token: String::new(),
        });
    }
    let from = match request.page_token.as_str() {
        "" => 0,
        token => page_start(queue, token)?,
    };
    let page = queue.inspect(|core| core.page(from, size, |state, key| wanted(state, key.namespace())));
    Ok(pb::ListItemsResponse {
        items: page.items.iter().map(|i| item(queue, i)).collect(),
        next_page_token: page
            .next
            .map(|next| format!("{}.{next:x}", queue.epoch()))
            .unwrap_or_default(),
    })
}

fn page_start(queue: &LiveQueue, token: &str) -> Result<u32, ApiError> {
    token
        .rsplit_once('.')
        .filter(|(epoch, _)| *epoch == queue.epoch())
        .and_then(|(_, at)| u32::from_str_radix(at, 16).ok())
        .ok_or_else(|| {
            ApiError::invalid("page_token", "INVALID_TOKEN", "page_token is not one of this queue")
                .remedy("start the listing again")
        })
}

fn item(queue: &LiveQueue, item: &Item) -> pb::QueueItem {
    let wall = |at: Instant| timestamp(queue.clock().wall_of(at));
    pb::QueueItem {
        key: Some(key_pb(&item.key)),
        state: match item.state {
            ItemState::Ready => pb::ItemState::Ready,
            ItemState::Delayed => pb::ItemState::Delayed,
            ItemState::Leased => pb::ItemState::Leased,
            ItemState::Gated => pb::ItemState::Gated,
            ItemState::Parked => pb::ItemState::Parked,
            ItemState::Stale => pb::ItemState::Stale,
        }
        .into(),
        queued: item.queued.is_some(),
        priority: item.queued.map_or(0, |(priority, _)| priority),
        failures: item.failures,
        last_failure: failure_pb(item.last_failure).into(),
        last_error: item.error.clone(),
        ready_time: item.queued.map(|(_, at)| wall(at)),
        worker_id: item.lease.as_ref().map(|l| l.worker.to_string()).unwrap_or_default(),
        lease: item.lease.as_ref().map(|l| lease_until(queue, l.token, l.expires)),
        lease_time: item.lease.as_ref().map(|l| wall(l.granted)),
        wait_for: item
            .wait_for
            .iter()
            .map(|w| pb::WrittenVersion {
                informer: w.informer.to_string(),
                resource_version: w.version.to_string(),
            })
            .collect(),
        gate_end_time: item.gate_ends.map(wall),
    }
}
