//! Worker sessions: a stream whose end tells that the worker is gone, long before its leases expire.

use std::{sync::Arc, time::Duration};

use futures::Stream;
use tokio::time::Instant;
use tonic::Status;

use super::{
    QueueApi, failure_pb,
    items::{batch, refused, result_of, worker_id},
    lease_id, lease_pb, lease_token, state_pb,
};
use crate::{
    proto::v1alpha1::{self as pb, run_worker_session_response::Event},
    queue::{DrainMode, HeldKey, Lease, Phase, Refused},
    queues::LiveQueue,
    service::{
        convert::{duration, duration_pb, key_pb, object_key},
        error::ApiError,
    },
};

const DEFAULT_HEARTBEAT: Duration = Duration::from_secs(15);
const SECOND: Duration = Duration::from_secs(1);

/// An open session. Dropped with its stream: then the worker is gone, unless the server ended it.
struct Session {
    queue: Arc<LiveQueue>,
    worker: String,
    number: u64,
    broke: bool,
}

// === impl QueueApi ===

impl QueueApi {
    pub(super) fn session(
        &self,
        request: pb::RunWorkerSessionRequest,
    ) -> Result<impl Stream<Item = Result<pb::RunWorkerSessionResponse, Status>> + Send + 'static, ApiError> {
        let queue = self.queue(&request.queue)?;
        worker_id(&request.worker_id)?;
        let heartbeat = duration("heartbeat_interval", request.heartbeat_interval)?
            .filter(|d| !d.is_zero())
            .map_or(DEFAULT_HEARTBEAT, |d| d.max(SECOND));
        let held = batch("held_items", request.held_items)?;
        let keys: Result<Vec<_>, ApiError> = held.into_iter().map(|item| held_key(&queue, item)).collect();
        let (number, leases) = queue.open_session(&request.worker_id, &keys?);
        let started = started(&queue, leases);
        let mut session = Session {
            queue: queue.clone(),
            worker: request.worker_id,
            number,
            broke: true,
        };
        let shutdown = self.shutdown.clone();
        Ok(async_stream::stream! {
            let mut changes = queue.changes();
            yield Ok(message(started));
            let mut heartbeat_due = Instant::now() + heartbeat;
            let mut hint_due = Instant::now();
            let mut draining_told = false;
            loop {
                let lost = queue.take_lost(&session.worker);
                if !lost.is_empty() {
                    yield Ok(message(leases_lost(&queue, &lost)));
                }
                if let Some(end) = session.ended(shutdown.is_cancelled()) {
                    session.end();
                    yield Ok(message(Event::Terminating(pb::SessionTerminating {
                        reason: end.into(),
                        retry_delay: Some(duration_pb(SECOND)),
                    })));
                    break;
                }
                let phase = queue.phase();
                if !draining_told && matches!(phase, Phase::Draining | Phase::Drained) {
                    draining_told = true;
                    yield Ok(message(draining(&queue)));
                }
                let now = Instant::now();
                if now >= hint_due && phase == Phase::Active && queue.waiting_polls() == 0 {
                    let ready = queue.inspect(|core| core.len()) as u64;
                    if ready > 0 {
                        hint_due = now + SECOND;
                        yield Ok(message(Event::WorkAvailable(pb::WorkAvailable { ready })));
                    }
                }
                if now >= heartbeat_due {
                    heartbeat_due = now + heartbeat;
                    yield Ok(message(Event::Heartbeat(pb::SessionHeartbeat {})));
                }
                tokio::select! {
                    changed = next_change(&mut changes) => if changed.is_err() { break },
                    () = tokio::time::sleep_until(heartbeat_due) => {}
                    () = shutdown.cancelled() => {}
                }
            }
        })
    }
}

// === impl Session ===

impl Session {
    /// The server ends the session: its end says nothing about the worker.
    fn end(&mut self) {
        self.broke = false;
    }

    /// Why the server ends the session, if it does.
    fn ended(&self, shutdown: bool) -> Option<pb::SessionEndReason> {
        if shutdown {
            Some(pb::SessionEndReason::Shutdown)
        } else if self.queue.is_deleted() {
            Some(pb::SessionEndReason::QueueDeleted)
        } else if !self.queue.is_current(&self.worker, self.number) {
            Some(pb::SessionEndReason::Replaced)
        } else {
            None
        }
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.queue.close_session(&self.worker, self.number, self.broke);
    }
}

/// Waits for a change, but wakes a session ten times a second at the most, however busy the queue is.
async fn next_change(
    changes: &mut tokio::sync::watch::Receiver<u64>,
) -> Result<(), tokio::sync::watch::error::RecvError> {
    changes.changed().await?;
    tokio::time::sleep(Duration::from_millis(100)).await;
    changes.borrow_and_update();
    Ok(())
}

fn message(event: Event) -> pb::RunWorkerSessionResponse {
    pb::RunWorkerSessionResponse { event: Some(event) }
}

/// What a worker says it holds: a lease of another epoch is no token here, but the key counts while the queue holds.
fn held_key(queue: &LiveQueue, item: pb::HeldItem) -> Result<HeldKey, ApiError> {
    Ok(HeldKey {
        key: object_key(item.key)?,
        token: lease_token(queue, &item.lease_id).ok(),
    })
}

fn draining(queue: &LiveQueue) -> Event {
    let mode = match queue.inspect(|core| core.drain_mode()) {
        Some(DrainMode::Stop) => pb::DrainMode::Stop,
        Some(DrainMode::Finish) | None => pb::DrainMode::Finish,
    };
    Event::Draining(pb::QueueDraining { mode: mode.into() })
}

fn started(queue: &LiveQueue, leases: Vec<Result<Lease, Refused>>) -> Event {
    Event::Started(pb::SessionStarted {
        epoch: queue.epoch().to_owned(),
        state: state_pb(queue.phase()).into(),
        held_items: leases
            .into_iter()
            .map(|lease| pb::HeldItemResult {
                lease: lease.as_ref().ok().map(|l| lease_pb(queue, l)),
                result: Some(result_of(lease.map(|_| ()).map_err(refused))),
            })
            .collect(),
    })
}

fn leases_lost(queue: &LiveQueue, lost: &[crate::queue::Lost]) -> Event {
    Event::LeasesLost(pb::LeasesLost {
        leases: lost
            .iter()
            .map(|lost| pb::LostLease {
                lease_id: lease_id(queue, lost.token),
                key: Some(key_pb(&lost.key)),
                reason: failure_pb(Some(lost.reason)).into(),
            })
            .collect(),
    })
}
