//! The open watches: what they have sent, what was acknowledged, how far they are behind.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::{Arc, Weak},
    time::{Duration, SystemTime},
};

use parking_lot::Mutex;
use tokio::{sync::Notify, time::Instant};
use tonic::Code;

use super::request::WatchParams;
use crate::{informer::SharedInformer, proto::v1alpha1 as pb, service::error::ApiError};

/// Most open watches in the process; clients would otherwise queue silently at the HTTP/2 limit.
pub(crate) const MAX_WATCHES: usize = 1000;

/// A client that has taken nothing for this long gets the latest state of each key instead of every change.
pub(crate) const REST_AFTER: Duration = Duration::from_secs(60);
/// A client that has taken nothing for this long is let go, with what is kept for it.
pub(crate) const CLOSE_AFTER: Duration = Duration::from_secs(600);

/// Whether a watch may send.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Room {
    /// It may; `rested`: after nothing was taken for [`REST_AFTER`].
    Free { rested: bool },
    /// Nothing was acknowledged for [`CLOSE_AFTER`].
    Stalled,
}

/// What the transport does with a watch.
#[derive(Clone, Debug)]
pub(crate) struct Pulse(Arc<Shared>);

/// All open watches.
#[derive(Debug, Default)]
pub(crate) struct Registry {
    watches: Mutex<BTreeMap<String, Arc<Shared>>>,
    /// Resets of all watches of an informer, also of those that have ended. Kept by name and creation: a name may come
    /// again, and an epoch ends while the informer goes on.
    resets: Mutex<BTreeMap<(String, SystemTime), u64>>,
}

/// The open watches of one informer together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WatchTotals {
    /// How many.
    pub open: u64,
    /// Revisions that the slowest of them is behind.
    pub worst_lag: u64,
    /// Resets that were sent since the informer was created, also to watches that have ended.
    pub resets: u64,
}

/// One open watch; it leaves the registry when dropped.
#[derive(Debug)]
pub(crate) struct Entry {
    shared: Arc<Shared>,
    registry: Weak<Registry>,
}

#[derive(Debug)]
struct Shared {
    id: String,
    client_id: String,
    informer: Arc<SharedInformer>,
    max_events: u64,
    max_bytes: u64,
    progress: Mutex<Progress>,
    acked: Notify,
}

#[derive(Debug, Default)]
struct Progress {
    state: pb::ListenerState,
    revision: u64,
    sent: u64,
    acked: u64,
    events: u64,
    resets: u64,
    /// Sent and not acknowledged: number, events, bytes. Kept only under flow control, whose limits bound it.
    outstanding: VecDeque<(u64, u64, u64)>,
    outstanding_events: u64,
    outstanding_bytes: u64,
    /// Waits for acknowledgements since then, or since the last one.
    blocked_since: Option<Instant>,
    /// A message waits for the transport since then.
    parked_since: Option<Instant>,
    rested: bool,
}

// === impl Registry ===

impl Registry {
    /// Registers a watch, or refuses it when there are too many.
    pub(crate) fn register(
        self: &Arc<Self>,
        informer: &Arc<SharedInformer>,
        params: &WatchParams,
    ) -> Result<Entry, ApiError> {
        let mut watches = self.watches.lock();
        if watches.len() >= MAX_WATCHES {
            return Err(ApiError::new(
                Code::ResourceExhausted,
                "TOO_MANY_WATCHES",
                format!("this server holds its limit of {MAX_WATCHES} open watches"),
            )
            .retry_after(Duration::from_secs(5))
            .remedy("end watches that are not needed; ListWatches shows them"));
        }
        let shared = Arc::new(Shared {
            id: format!("{:016x}", rand::random::<u64>()),
            client_id: params.client_id.clone(),
            informer: informer.clone(),
            max_events: params.max_outstanding_events,
            max_bytes: params.max_outstanding_bytes,
            progress: Mutex::default(),
            acked: Notify::new(),
        });
        watches.insert(shared.id.clone(), shared.clone());
        Ok(Entry {
            shared,
            registry: Arc::downgrade(self),
        })
    }

    /// What the watches of these informers do, in their order.
    pub(crate) fn totals(&self, informers: &[Arc<SharedInformer>]) -> Vec<WatchTotals> {
        let all: Vec<_> = self.watches.lock().values().cloned().collect();
        let mut resets = self.resets.lock();
        // Those of informers that are gone will not be asked for again.
        resets.retain(|kept, _| informers.iter().any(|i| identity(i) == *kept));
        let totals = informers.iter().map(|informer| {
            let of = all.iter().filter(|w| Arc::ptr_eq(&w.informer, informer));
            let mut totals = WatchTotals {
                resets: resets.get(&identity(informer)).copied().unwrap_or_default(),
                ..WatchTotals::default()
            };
            for watch in of {
                let revision = watch.progress.lock().revision;
                totals.open += 1;
                totals.worst_lag = totals.worst_lag.max(watch.lag(revision));
            }
            totals
        });
        totals.collect()
    }

    /// Acknowledges messages up to `sequence`.
    pub(crate) fn ack(&self, id: &str, sequence: u64) -> Result<pb::AckWatchResponse, ApiError> {
        let found = self.watches.lock().get(id).cloned();
        let Some(shared) = found else {
            return Err(ApiError::new(
                Code::NotFound,
                "WATCH_NOT_FOUND",
                format!("there is no open watch {id:?}"),
            )
            .resource("watch", id)
            .remedy("acknowledge only while the stream is open"));
        };
        let mut progress = shared.progress.lock();
        if sequence > progress.sent {
            return Err(ApiError::invalid(
                "sequence",
                "INVALID_FIELD",
                format!(
                    "sequence {sequence} was not sent yet; the last one is {}",
                    progress.sent
                ),
            ));
        }
        if sequence > progress.acked {
            progress.acked = sequence;
            if let Some(since) = &mut progress.blocked_since {
                *since = Instant::now();
            }
        }
        while let Some((_, events, bytes)) = progress.outstanding.pop_front_if(|(n, ..)| *n <= sequence) {
            progress.outstanding_events -= events;
            progress.outstanding_bytes -= bytes;
        }
        let response = pb::AckWatchResponse {
            acked_sequence: progress.acked,
            sent_sequence: progress.sent,
            lag_events: shared.lag(progress.revision),
        };
        drop(progress);
        shared.acked.notify_one();
        Ok(response)
    }

    /// Lists watches.
    pub(crate) fn list(&self, request: &pb::ListWatchesRequest) -> Result<pb::ListWatchesResponse, ApiError> {
        let size = match usize::try_from(request.page_size) {
            Ok(0) => MAX_WATCHES,
            Ok(size) => size.min(MAX_WATCHES),
            Err(_) => {
                return Err(ApiError::invalid(
                    "page_size",
                    "INVALID_FIELD",
                    "page_size must not be negative",
                ));
            }
        };
        let all: Vec<_> = self.watches.lock().values().cloned().collect();
        let mut matching = all
            .iter()
            .filter(|w| w.id > request.page_token)
            .filter(|w| request.informer.is_empty() || w.informer.name() == request.informer);
        let watches: Vec<_> = matching.by_ref().take(size).map(|w| w.info()).collect();
        let next_page_token = match (matching.next(), watches.last()) {
            (Some(_), Some(last)) => last.watch_id.clone(),
            _ => String::new(),
        };
        Ok(pb::ListWatchesResponse {
            watches,
            next_page_token,
        })
    }
}

fn identity(informer: &SharedInformer) -> (String, SystemTime) {
    (informer.name().to_owned(), informer.created())
}

// === impl Entry ===

impl Entry {
    pub(crate) fn id(&self) -> &str {
        &self.shared.id
    }

    /// A message is about to be sent.
    pub(crate) fn sent(&self, events: usize, bytes: usize, state: pb::ListenerState, revision: u64) {
        let mut progress = self.shared.progress.lock();
        progress.sent += 1;
        progress.events += events as u64;
        progress.state = state;
        progress.revision = revision;
        if self.shared.has_limits() && events > 0 {
            let item = (progress.sent, events as u64, bytes as u64);
            progress.outstanding_events += item.1;
            progress.outstanding_bytes += item.2;
            progress.outstanding.push_back(item);
        }
    }

    /// A reset was sent.
    pub(crate) fn reset(&self) {
        self.shared.progress.lock().resets += 1;
        if let Some(registry) = self.registry.upgrade() {
            let informer = identity(&self.shared.informer);
            *registry.resets.lock().entry(informer).or_default() += 1;
        }
    }

    /// The view moves on without a message.
    pub(crate) fn moved(&self, state: pb::ListenerState, revision: u64) {
        let mut progress = self.shared.progress.lock();
        progress.state = state;
        progress.revision = revision;
    }

    /// For the transport's side of the watch.
    pub(crate) fn pulse(&self) -> Pulse {
        Pulse(self.shared.clone())
    }

    /// Waits until the client has acknowledged enough for another message.
    pub(crate) async fn room(&self) -> Room {
        loop {
            let acked = self.shared.acked.notified();
            let wake = {
                let mut progress = self.shared.progress.lock();
                if !self.shared.is_full(&progress) {
                    progress.blocked_since = None;
                    return Room::Free {
                        rested: std::mem::take(&mut progress.rested),
                    };
                }
                let now = Instant::now();
                let since = *progress.blocked_since.get_or_insert(now);
                if now >= since + CLOSE_AFTER {
                    return Room::Stalled;
                }
                progress.rested |= now >= since + REST_AFTER;
                progress.state = if progress.rested {
                    pb::ListenerState::Dirty
                } else {
                    pb::ListenerState::Blocked
                };
                since
                    + if now < since + REST_AFTER {
                        REST_AFTER
                    } else {
                        CLOSE_AFTER
                    }
            };
            tokio::select! {
                () = acked => {}
                () = tokio::time::sleep_until(wake) => {}
            }
        }
    }
}

// === impl Pulse ===

impl Pulse {
    /// The transport has a message and has not come back for the next.
    pub(crate) fn parked(&self) {
        self.0.progress.lock().parked_since = Some(Instant::now());
    }

    /// The transport asks for the next message.
    pub(crate) fn polled(&self) {
        let mut progress = self.0.progress.lock();
        if let Some(since) = progress.parked_since.take() {
            progress.rested |= since.elapsed() >= REST_AFTER;
        }
    }

    /// When the watch is to be let go, if nothing happens until then.
    pub(crate) fn close_at(&self) -> Option<Instant> {
        self.0.progress.lock().parked_since.map(|since| since + CLOSE_AFTER)
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        if let Some(registry) = self.registry.upgrade() {
            registry.watches.lock().remove(&self.shared.id);
        }
    }
}

// === impl Shared ===

impl Shared {
    fn has_limits(&self) -> bool {
        self.max_events > 0 || self.max_bytes > 0
    }

    fn is_full(&self, progress: &Progress) -> bool {
        (self.max_events > 0 && progress.outstanding_events >= self.max_events)
            || (self.max_bytes > 0 && progress.outstanding_bytes >= self.max_bytes)
    }

    fn lag(&self, revision: u64) -> u64 {
        let head = self.informer.processor().load().snapshot.position().revision;
        head.saturating_sub(revision)
    }

    fn info(&self) -> pb::WatchInfo {
        let progress = self.progress.lock();
        let lag_events = self.lag(progress.revision);
        let state = match progress.state {
            pb::ListenerState::Live if lag_events > 0 => {
                let parked = progress.parked_since.is_some_and(|since| since.elapsed() >= REST_AFTER);
                if parked || progress.rested {
                    pb::ListenerState::Dirty
                } else {
                    pb::ListenerState::Replay
                }
            }
            state => state,
        };
        pb::WatchInfo {
            watch_id: self.id.clone(),
            informer: self.informer.name().to_owned(),
            client_id: self.client_id.clone(),
            state: state.into(),
            revision: progress.revision,
            lag_events,
            sent_sequence: progress.sent,
            acked_sequence: progress.acked,
            sent_events: progress.events,
            resets: progress.resets,
        }
    }
}
