//! The stream of one watch. It is driven by the transport: nothing is built before the client has room for it.

use std::{sync::Arc, time::Duration};

use futures::Stream;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tonic::{Code, Status};

use super::{
    frame,
    registry::{CLOSE_AFTER, Entry, Room},
    request::{Known, Overflow, WatchParams},
    token::{Begin, mint},
};
use crate::{
    informer::SharedInformer,
    object::Digest,
    processor::{self, Budget, Listener, Step},
    proto::v1alpha1::{self as pb, watch_response::Control},
    service::{
        convert::{cache_status, duration_pb, status_at},
        error::ApiError,
    },
    store::Query,
};

/// When a client should come back after `terminating`.
const RETRY_DELAY: Duration = Duration::from_secs(1);

struct Watch {
    informer: Arc<SharedInformer>,
    query: Query,
    params: WatchParams,
    entry: Entry,
    listener: Listener,
    /// Part of an atomic group was sent, and not yet that it is complete.
    group_open: bool,
}

/// What happens next on a stream.
enum Next {
    Step(Step),
    Deleted,
    /// Nothing was acknowledged for too long.
    Stalled,
    BookmarkDue,
    Shutdown,
}

/// The responses of a watch.
pub(crate) fn run(
    informer: Arc<SharedInformer>,
    query: Query,
    params: WatchParams,
    begin: Begin,
    entry: Entry,
    shutdown: CancellationToken,
) -> impl Stream<Item = Result<pb::WatchResponse, Status>> + Send + 'static {
    let resync = params.resync_period(informer.spec().resync);
    let overflow = match params.overflow {
        Overflow::Coalesce => processor::Overflow::Coalesce,
        // The listener's reset is where a watch that may not be reset fails.
        Overflow::Reset | Overflow::Fail => processor::Overflow::Reset,
    };
    let listener = Listener::new(
        informer.processor().clone(),
        query.clone(),
        begin.start,
        overflow,
        resync,
    );
    let mut watch = Watch {
        informer,
        query,
        params,
        entry,
        listener,
        group_open: false,
    };
    async_stream::stream! {
        yield Ok(watch.created(begin.mode));
        if let Some(reason) = begin.reset {
            yield Ok(watch.reset(reason));
        }
        let mut bookmark_due = Instant::now() + watch.params.bookmark_interval;
        let mut not_before = None;
        loop {
            match watch.next(bookmark_due, not_before, &shutdown).await {
                Next::Step(Step::Events { events, continued, complete_to }) => {
                    // Where nothing is left to send the next bookmark says how far the view is; but the end of a group
                    // of which something was sent is told.
                    if let Some(response) = watch.events(&events, continued, complete_to) {
                        if watch.params.linger > Duration::ZERO {
                            not_before = Some(Instant::now() + watch.params.linger);
                        }
                        yield Ok(response);
                    }
                }
                Next::Step(Step::Synced) => {
                    bookmark_due = Instant::now() + watch.params.bookmark_interval;
                    watch.params.known = Known::default();
                    yield Ok(watch.synced());
                }
                Next::Step(Step::Reset) if watch.params.overflow == Overflow::Fail => {
                    yield Ok(watch.terminating(pb::TerminatingReason::SlowConsumer));
                    yield Err(slow_consumer().into());
                    break;
                }
                Next::Step(Step::Reset) => yield Ok(watch.reset(pb::ResetReason::Overflow)),
                Next::Step(Step::Replaced) => {
                    // What the client said it holds is of the other history, where the same version was another state.
                    watch.params.known = Known::default();
                    yield Ok(watch.reset(pb::ResetReason::InformerReplaced));
                }
                Next::BookmarkDue => {
                    bookmark_due = Instant::now() + watch.params.bookmark_interval;
                    if let Some(bookmark) = watch.bookmark() {
                        yield Ok(bookmark);
                    }
                }
                Next::Stalled => {
                    yield Ok(watch.terminating(pb::TerminatingReason::SlowConsumer));
                    yield Err(stalled().into());
                    break;
                }
                Next::Deleted => {
                    yield Ok(watch.terminating(pb::TerminatingReason::InformerDeleted));
                    yield Err(ApiError::from(crate::processor::Closed).into());
                    break;
                }
                Next::Shutdown => {
                    yield Ok(watch.terminating(pb::TerminatingReason::Shutdown));
                    yield Err(shutting_down().into());
                    break;
                }
            }
        }
    }
}

/// The server ends.
pub(crate) fn shutting_down() -> ApiError {
    ApiError::new(Code::Unavailable, "SHUTTING_DOWN", "the server is shutting down")
        .retry_after(RETRY_DELAY)
        .remedy("reconnect with the last resume_token")
}

/// The client takes nothing any more.
pub(crate) fn stalled() -> ApiError {
    ApiError::new(
        Code::ResourceExhausted,
        "SLOW_CONSUMER",
        format!("nothing was read or acknowledged for {} s", CLOSE_AFTER.as_secs()),
    )
    .retry_after(RETRY_DELAY)
    .remedy("resume with the last resume_token; read the stream, and acknowledge if flow limits are set")
}

/// The last message of a watch that the server ends.
pub(crate) fn last_words(reason: pb::TerminatingReason) -> Control {
    Control::Terminating(pb::Terminating {
        reason: reason.into(),
        retry_delay: Some(duration_pb(RETRY_DELAY)),
    })
}

fn slow_consumer() -> ApiError {
    ApiError::new(
        Code::ResourceExhausted,
        "SLOW_CONSUMER",
        "the watch fell out of the history window",
    )
    .field("overflow")
    .retry_after(RETRY_DELAY)
    .remedy("read faster, filter more, or allow OVERFLOW_RESET")
}

// === impl Watch ===

impl Watch {
    async fn next(&mut self, bookmark_due: Instant, not_before: Option<Instant>, shutdown: &CancellationToken) -> Next {
        let Self {
            params,
            entry,
            listener,
            ..
        } = self;
        let size_of = |d: &_| frame::size_of(d, params);
        let budget = Budget {
            events: params.batch_events,
            bytes: params.batch_bytes,
            size_of: &size_of,
        };
        let step = async {
            match entry.room().await {
                Room::Stalled => return Next::Stalled,
                Room::Free { rested } if rested => listener.take_latest(),
                Room::Free { .. } => {}
            }
            if let Some(not_before) = not_before {
                tokio::time::sleep_until(not_before).await;
            }
            match listener.next(&budget).await {
                Ok(step) => Next::Step(step),
                Err(_) => Next::Deleted,
            }
        };
        tokio::select! {
            // A bookmark is due on a busy watch too, so it comes before the next events.
            biased;
            () = shutdown.cancelled() => Next::Shutdown,
            () = tokio::time::sleep_until(bookmark_due) => Next::BookmarkDue,
            next = step => next,
        }
    }

    fn created(&self, mode: pb::WatchMode) -> pb::WatchResponse {
        let status = cache_status(&self.informer, &self.informer.processor().load());
        self.control(
            Control::Created(pb::Created {
                watch_id: self.entry.id().to_owned(),
                mode: mode.into(),
                status: Some(status),
                max_receive_bytes: self.params.max_receive_bytes as u64,
                max_batch_bytes: self.params.batch_bytes as u64,
                bookmark_interval: Some(duration_pb(self.params.bookmark_interval)),
            }),
            false,
        )
    }

    fn reset(&self, reason: pb::ResetReason) -> pb::WatchResponse {
        self.entry.reset();
        self.control(Control::Reset(pb::Reset { reason: reason.into() }), false)
    }

    fn synced(&self) -> pb::WatchResponse {
        let digest = self.digest();
        self.control(
            Control::Synced(pb::Synced {
                object_count: digest.count,
                digest: digest.sum,
                status: Some(self.status()),
            }),
            true,
        )
    }

    /// A client that is not told every change holds older versions: it could not compare hashes, so it gets none.
    fn digest(&self) -> Digest {
        let digest = self.listener.digest();
        match self.params.suppress_versions {
            Some(_) => Digest { sum: 0, ..digest },
            None => digest,
        }
    }

    /// A heartbeat: before the informer's first sync it says only that; inside a snapshot there is none.
    fn bookmark(&self) -> Option<pb::WatchResponse> {
        let waiting = !self.informer.processor().load().snapshot.position().synced;
        if !waiting && !self.listener.is_at_revision() {
            return None;
        }
        let digest = self.digest();
        Some(self.control(
            Control::Bookmark(pb::Bookmark {
                object_count: digest.count,
                digest: digest.sum,
                status: Some(self.status()),
                lag_events: self.listener.lag(),
            }),
            !waiting,
        ))
    }

    fn terminating(&self, reason: pb::TerminatingReason) -> pb::WatchResponse {
        self.control(last_words(reason), self.listener.is_at_revision())
    }

    fn events(
        &mut self,
        deliveries: &[crate::processor::Delivery],
        continued: bool,
        complete_to: Option<u64>,
    ) -> Option<pb::WatchResponse> {
        let revision = complete_to.unwrap_or(self.listener.revision());
        let wanted = || deliveries.iter().filter(|d| frame::wanted(d, &self.params));
        let events: Vec<_> = wanted().map(|d| frame::event(d, &self.params)).collect();
        if events.is_empty() && (continued || !self.group_open) {
            self.entry.moved(self.state(), revision);
            return None;
        }
        let bytes = wanted().map(|d| frame::size_of(d, &self.params)).sum();
        self.entry.sent(events.len(), bytes, self.state(), revision);
        self.group_open = continued;
        Some(pb::WatchResponse {
            events,
            continued,
            resume_token: complete_to
                .filter(|_| !continued)
                .map(|revision| mint(&self.informer, &self.query, revision).into())
                .unwrap_or_default(),
            control: None,
        })
    }

    fn control(&self, control: Control, token: bool) -> pb::WatchResponse {
        let revision = self.listener.revision();
        self.entry.sent(0, 0, self.state(), revision);
        pb::WatchResponse {
            resume_token: if token {
                mint(&self.informer, &self.query, revision).into()
            } else {
                Default::default()
            },
            control: Some(control),
            ..Default::default()
        }
    }

    fn state(&self) -> pb::ListenerState {
        if self.listener.in_snapshot() {
            pb::ListenerState::Snapshot
        } else if self.listener.in_catch_up() {
            pb::ListenerState::Dirty
        } else {
            pb::ListenerState::Live
        }
    }

    /// The informer's status, at the revision of this view.
    fn status(&self) -> pb::CacheStatus {
        let published = self.informer.processor().load();
        let mut position = published.snapshot.position().clone();
        let revision = self.listener.revision();
        if revision < position.revision {
            // The view is behind: it has seen the API server only up to its own revision.
            let own = revision
                .checked_sub(1)
                .and_then(|before| published.history.after(before));
            position.resource_version = own.map(|r| r.resource_version.clone()).unwrap_or_default();
            position.revision = revision;
        }
        status_at(&self.informer, &position)
    }
}
