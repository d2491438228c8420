//! Long polls, served in the order of their arrival. What is handed to a poll whose client has gone comes back at once.

use std::{collections::VecDeque, sync::Arc};

use tokio::{sync::oneshot, time::Instant};

use super::LiveQueue;
use crate::queue::{Lease, Outcome, WorkQueue};

/// Leases on their way to a worker. Dropped before they were taken, they are released.
pub struct Grant {
    leases: Vec<Lease>,
    queue: Arc<LiveQueue>,
}

/// Polls that wait, the longest first.
#[derive(Default)]
pub(super) struct Polls {
    waiting: VecDeque<Poll>,
}

struct Poll {
    worker: String,
    max: usize,
    reply: oneshot::Sender<Grant>,
}

// === impl Grant ===

impl Grant {
    pub(super) fn new(leases: Vec<Lease>, queue: Arc<LiveQueue>) -> Self {
        Self { leases, queue }
    }

    /// The worker has them now.
    pub fn take(mut self) -> Vec<Lease> {
        std::mem::take(&mut self.leases)
    }
}

impl Drop for Grant {
    fn drop(&mut self) {
        if !self.leases.is_empty() {
            let tokens = self.leases.iter().map(|l| l.token).collect();
            self.queue.release(tokens);
        }
    }
}

// === impl Polls ===

impl Polls {
    pub(super) fn len(&self) -> usize {
        self.waiting.iter().filter(|p| !p.reply.is_closed()).count()
    }

    pub(super) fn push(&mut self, worker: String, max: usize) -> oneshot::Receiver<Grant> {
        let (reply, grant) = oneshot::channel();
        self.waiting.push_back(Poll { worker, max, reply });
        grant
    }

    /// Hands out what is ready. A worker that holds all that it may keeps its place and is passed over.
    pub(super) fn serve(&mut self, core: &mut WorkQueue, queue: &Arc<LiveQueue>, now: Instant) {
        let mut kept = VecDeque::new();
        while let Some(poll) = self.waiting.pop_front() {
            if poll.reply.is_closed() {
                continue;
            }
            if core.is_empty() {
                kept.push_back(poll);
                kept.append(&mut self.waiting);
                break;
            }
            let leases = core.acquire(&poll.worker, poll.max, now);
            if leases.is_empty() {
                kept.push_back(poll);
            } else if let Err(returned) = poll.reply.send(Grant::new(leases, queue.clone())) {
                // Taken, not dropped: dropping it would lock the queue again.
                for lease in returned.take() {
                    // The lease is valid: it was given in this very call.
                    let _ = core.complete(lease.token, Outcome::Release, &[], "", now);
                }
            }
        }
        self.waiting = kept;
    }

    /// Ends all polls: they find their channel closed.
    pub(super) fn clear(&mut self) {
        self.waiting.clear();
    }
}
