//! A watch whose client does not read. The transport then does not ask for the next message, so the stream itself cannot notice;
//! a task beside it does, and lets go of what the stream holds: its listener, and a snapshot if it was inside one.
//!
//! ```text
//!   transport ──poll──▶ Guarded ──▶ inner stream (listener, snapshot, sent keys)
//!                          ▲             ✕ dropped after 10 min without a poll
//!                          └── asks again later: terminating SLOW_CONSUMER with the last token, then the status
//! ```

use std::{
    pin::Pin,
    sync::{Arc, Weak},
    task::{Context, Poll, ready},
};

use bytes::Bytes;
use futures::Stream;
use parking_lot::Mutex;
use tokio::{task::AbortHandle, time::Instant};
use tonic::Status;

use super::{
    registry::{CLOSE_AFTER, Pulse},
    stream::{last_words, stalled},
};
use crate::proto::v1alpha1 as pb;

type Inner = Pin<Box<dyn Stream<Item = Result<pb::WatchResponse, Status>> + Send>>;

/// A watch's stream that ends when its client stops reading.
pub(crate) struct Guarded {
    inner: Arc<Mutex<Option<Inner>>>,
    pulse: Pulse,
    /// The last token that went out, as long as it is valid: not inside a group or snapshot.
    token: Bytes,
    end: End,
    guard: AbortHandle,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Open,
    Told,
    Closed,
}

// === impl Guarded ===

impl Guarded {
    /// Must be called inside a tokio runtime.
    pub(crate) fn new(
        stream: impl Stream<Item = Result<pb::WatchResponse, Status>> + Send + 'static,
        pulse: Pulse,
    ) -> Self {
        let inner: Arc<Mutex<Option<Inner>>> = Arc::new(Mutex::new(Some(Box::pin(stream))));
        let guard = tokio::spawn(watch_over(Arc::downgrade(&inner), pulse.clone()));
        Self {
            inner,
            pulse,
            token: Bytes::new(),
            end: End::Open,
            guard: guard.abort_handle(),
        }
    }

    fn pass(&mut self, response: pb::WatchResponse) -> pb::WatchResponse {
        self.pulse.parked();
        if !response.resume_token.is_empty() {
            self.token = response.resume_token.clone();
        }
        response
    }
}

impl Stream for Guarded {
    type Item = Result<pb::WatchResponse, Status>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let inner = self.inner.clone();
        let mut inner = inner.lock();
        self.pulse.polled();
        if let Some(stream) = &mut *inner {
            let next = ready!(stream.as_mut().poll_next(cx));
            return Poll::Ready(next.map(|r| r.map(|response| self.pass(response))));
        }
        let (end, last) = match self.end {
            End::Open => {
                let response = pb::WatchResponse {
                    control: Some(last_words(pb::TerminatingReason::SlowConsumer)),
                    resume_token: self.token.clone(),
                    ..pb::WatchResponse::default()
                };
                (End::Told, Some(Ok(response)))
            }
            End::Told => (End::Closed, Some(Err(stalled().into()))),
            End::Closed => (End::Closed, None),
        };
        self.end = end;
        Poll::Ready(last)
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        self.guard.abort();
    }
}

/// Takes the stream away when the transport has not come back for too long.
async fn watch_over(inner: Weak<Mutex<Option<Inner>>>, pulse: Pulse) {
    loop {
        let look_at = pulse.close_at().unwrap_or_else(|| Instant::now() + CLOSE_AFTER);
        tokio::time::sleep_until(look_at).await;
        let Some(inner) = inner.upgrade() else { return };
        // One that is being polled is not stalled.
        let Some(mut stream) = inner.try_lock() else { continue };
        if pulse.close_at().is_some_and(|at| at <= Instant::now()) {
            *stream = None;
            return;
        }
    }
}
