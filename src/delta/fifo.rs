//! The queue between reflector and controller. When it is full the reflector stops reading, and TCP pushes back to the
//! API server: memory stays bounded and no delta is lost (client-go's queue has no bound, row F10).

use std::sync::Arc;

use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, mpsc},
    time::Instant,
};

use super::{Delta, KnownObjects, Replacing};

/// Consumer side of the queue.
#[derive(Debug)]
pub struct DeltaFifo {
    items: mpsc::Receiver<Queued>,
}

/// Producer side of the queue, one for each scope (a namespace, or all of them).
#[derive(Clone)]
pub struct Sender {
    scope: usize,
    items: mpsc::Sender<Queued>,
    room: Arc<Semaphore>,
    capacity: u32,
    known: Arc<dyn KnownObjects>,
}

/// A queued delta. Its bytes count against the bound until it is dropped, so the controller drops it after applying it.
#[derive(Debug)]
pub struct Queued {
    /// Which reflector it came from.
    pub scope: usize,
    /// When it arrived from the API server.
    pub received: Instant,
    /// The delta.
    pub delta: Delta,
    _room: OwnedSemaphorePermit,
}

/// The controller is gone: the informer was stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the informer was stopped")]
pub struct Stopped;

/// Bytes are counted in units, so that 32 bits of permits cover any bound.
const UNIT: usize = 1024;
/// Deltas queued at most, whatever their size.
const MAX_ITEMS: usize = 8192;

// === impl DeltaFifo ===

impl DeltaFifo {
    /// A queue of at most `capacity_bytes` (a larger single delta passes alone) and 8192 deltas. `known` is the store that relists
    /// are compared with. Returns the consumer and the producer of scope 0.
    pub fn new(capacity_bytes: usize, known: Arc<dyn KnownObjects>) -> (Self, Sender) {
        let capacity = u32::try_from(capacity_bytes / UNIT).unwrap_or(u32::MAX).max(1);
        let capacity = capacity.min((Semaphore::MAX_PERMITS as u64).min(u64::from(u32::MAX)) as u32);
        let (tx, items) = mpsc::channel(MAX_ITEMS);
        let sender = Sender {
            scope: 0,
            items: tx,
            room: Arc::new(Semaphore::new(capacity as usize)),
            capacity,
            known,
        };
        (Self { items }, sender)
    }

    /// Waits for a delta and takes what else is there, up to `max` (row F7). `None` when all senders are gone.
    pub async fn pop_batch(&mut self, max: usize) -> Option<Vec<Queued>> {
        let mut batch = Vec::new();
        (self.items.recv_many(&mut batch, max).await > 0).then_some(batch)
    }
}

// === impl Sender ===

impl Sender {
    /// A producer for another scope of the same queue.
    pub fn for_scope(&self, scope: usize) -> Self {
        Self { scope, ..self.clone() }
    }

    /// Appends a delta, waiting for room.
    pub async fn push(&self, delta: Delta) -> Result<(), Stopped> {
        let received = Instant::now();
        let units = u32::try_from(delta.cost() / UNIT + 1).unwrap_or(u32::MAX);
        let room = self
            .room
            .clone()
            .acquire_many_owned(units.min(self.capacity))
            .await
            .map_err(|_| Stopped)?;
        self.items
            .send(Queued {
                scope: self.scope,
                received,
                delta,
                _room: room,
            })
            .await
            .map_err(|_| Stopped)
    }

    /// Starts a relist. Waits until everything pushed so far is applied, so that the comparison sees it.
    pub async fn begin_replace(&self) -> Result<Replacing, Stopped> {
        // All room is free exactly when no delta is queued or being applied.
        let all = self.room.acquire_many(self.capacity).await.map_err(|_| Stopped)?;
        drop(all);
        if self.items.is_closed() {
            return Err(Stopped);
        }
        Ok(Replacing::new(self.known.clone()))
    }
}

impl std::fmt::Debug for Sender {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sender")
            .field("scope", &self.scope)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::{ObjectKey, ResourceVersion};

    struct Nothing;

    impl KnownObjects for Nothing {
        fn known(&self, _: &ObjectKey) -> Option<(u32, Arc<crate::object::Object>)> {
            None
        }
    }

    fn bookmark(n: u64) -> Delta {
        Delta::Bookmark(ResourceVersion::parse(&n.to_string()))
    }

    #[tokio::test]
    async fn order_is_kept_and_batches_are_capped() {
        let (mut fifo, sender) = DeltaFifo::new(1 << 20, Arc::new(Nothing));
        for n in 1..=5 {
            sender.push(bookmark(n)).await.unwrap();
        }
        drop(sender);
        let mut seen = Vec::new();
        while let Some(batch) = fifo.pop_batch(2).await {
            assert!(batch.len() <= 2);
            for item in batch {
                let Delta::Bookmark(rv) = &item.delta else { panic!() };
                seen.push(rv.to_string());
            }
        }
        assert_eq!(seen, ["1", "2", "3", "4", "5"]);
    }

    #[tokio::test]
    async fn a_full_queue_makes_the_reflector_wait_until_a_delta_is_applied() {
        let (mut fifo, sender) = DeltaFifo::new(2 * UNIT, Arc::new(Nothing));
        sender.push(bookmark(1)).await.unwrap();
        sender.push(bookmark(2)).await.unwrap();
        let mut third = tokio_test_task(sender.push(bookmark(3)));
        assert!(third().is_none(), "no room yet");
        let popped = fifo.pop_batch(1).await.unwrap();
        assert!(third().is_none(), "popped, but not applied yet");
        drop(popped);
        assert_eq!(third(), Some(Ok(())));
    }

    #[tokio::test]
    async fn a_relist_waits_for_what_is_queued() {
        let (mut fifo, sender) = DeltaFifo::new(1 << 20, Arc::new(Nothing));
        sender.push(bookmark(1)).await.unwrap();
        let mut begin = tokio_test_task(sender.begin_replace());
        assert!(begin().is_none());
        drop(fifo.pop_batch(10).await);
        assert!(begin().is_some_and(|r| r.is_ok()));
    }

    #[tokio::test]
    async fn a_stopped_informer_ends_its_producers() {
        let (fifo, sender) = DeltaFifo::new(1 << 20, Arc::new(Nothing));
        drop(fifo);
        assert_eq!(sender.push(bookmark(1)).await, Err(Stopped));
        assert!(sender.begin_replace().await.is_err());
    }

    /// Polls a future once at each call.
    fn tokio_test_task<F: Future>(future: F) -> impl FnMut() -> Option<F::Output> {
        let mut future = Box::pin(future);
        move || {
            let mut context = std::task::Context::from_waker(std::task::Waker::noop());
            match future.as_mut().poll(&mut context) {
                std::task::Poll::Ready(output) => Some(output),
                std::task::Poll::Pending => None,
            }
        }
    }
}
