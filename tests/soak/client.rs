//! A subscriber that never stops: it watches, is cut off or leaves, and comes back with what it has.
//!
//! ```text
//!   connect ──▶ Watch(snapshot | token | token and hashes) ──▶ messages ──▶ View ──▶ the run, which compares
//!      ▲───────────── stream ends, or the client leaves ◀──────────┘
//! ```

use std::{path::PathBuf, sync::Arc, time::Duration};

use informerd::{
    cli::connect::ServerAddress,
    proto::v1alpha1::{
        AckWatchRequest, BatchOptions, Filter, FlowControl, InformerSelector, Overflow, StartResume, WatchMode,
        WatchRequest, WatchResponse, informer_selector::By, subscription_service_client::SubscriptionServiceClient,
        watch_request::Start, watch_response::Control,
    },
};
use parking_lot::Mutex;
use rand::{RngExt, SeedableRng, rngs::StdRng};
use tokio::{
    sync::watch,
    time::{sleep, timeout},
};
use tonic::{Code, transport::Channel};

use super::view::View;

/// Between two tries to reach a sidecar that is not there.
const RETRY: Duration = Duration::from_millis(50);
/// A stream that says nothing for so long is left: bookmarks come each second.
const SILENCE: Duration = Duration::from_secs(20);

/// How a client behaves.
#[derive(Clone, Debug)]
pub(crate) struct Habits {
    pub(crate) name: &'static str,
    pub(crate) informer: &'static str,
    pub(crate) namespaces: &'static [&'static str],
    pub(crate) labels: &'static str,
    pub(crate) overflow: Overflow,
    /// Longest pause after a message.
    pub(crate) pause: Duration,
    /// Most events outstanding, if it limits them.
    pub(crate) outstanding: u64,
    /// Acknowledges each so many messages; 0 = never, unless asked to hurry.
    pub(crate) ack_every: u64,
    /// Resumes with the hashes of what it holds, too.
    pub(crate) hashes: bool,
    /// Leaves after up to so many messages, to come back with its token; 0 = never by itself.
    pub(crate) leaves_after: u64,
    pub(crate) resync: Option<i64>,
}

/// What the run sees of a client.
pub(crate) struct Seen {
    pub(crate) habits: Habits,
    pub(crate) view: Mutex<View>,
    /// Streams by how they started, resets, messages.
    pub(crate) modes: Mutex<[u64; 6]>,
    /// Rises when the view changes; holds the violation if there was one.
    pub(crate) state: watch::Sender<(u64, Option<String>)>,
}

/// A running client.
struct Client {
    seen: Arc<Seen>,
    socket: PathBuf,
    /// While true nobody is slow and all acknowledge, so that all views can be compared.
    hurry: watch::Receiver<bool>,
    rng: StdRng,
    token: Vec<u8>,
}

/// Starts a client.
pub(crate) fn start(habits: Habits, socket: PathBuf, hurry: watch::Receiver<bool>, seed: u64) -> Arc<Seen> {
    let seen = Arc::new(Seen {
        habits,
        view: Mutex::default(),
        modes: Mutex::default(),
        state: watch::Sender::default(),
    });
    let client = Client {
        seen: seen.clone(),
        socket,
        hurry,
        rng: StdRng::seed_from_u64(seed),
        token: Vec::new(),
    };
    tokio::spawn(client.run());
    seen
}

// === impl Client ===

impl Client {
    async fn run(mut self) {
        loop {
            if let Err(violation) = self.session().await {
                self.seen.state.send_modify(|(_, failure)| *failure = Some(violation));
                return;
            }
            self.seen.view.lock().broken();
            sleep(RETRY).await;
        }
    }

    /// One stream. Its end is none of the client's concern; what it says wrongly is.
    async fn session(&mut self) -> Result<(), String> {
        let Ok(channel) = ServerAddress::Unix(self.socket.clone()).connect().await else {
            return Ok(());
        };
        let mut service = SubscriptionServiceClient::new(channel);
        let opened = match service.watch(self.request()).await {
            Ok(opened) => opened,
            // The informer is not declared again yet, or the server goes.
            Err(status)
                if matches!(
                    status.code(),
                    Code::NotFound | Code::Unavailable | Code::Unknown | Code::Cancelled
                ) =>
            {
                return Ok(());
            }
            Err(status) => return Err(format!("the watch is refused: {status}")),
        };
        let mut stream = opened.into_inner();
        let leaves = self.seen.habits.leaves_after;
        let leaves = if leaves == 0 {
            u64::MAX
        } else {
            self.rng.random_range(1..=leaves)
        };
        let (mut sequence, mut watch_id) = (0, String::new());
        loop {
            // A broken stream and a silent one are the same: come back.
            let Ok(Ok(Some(message))) = timeout(SILENCE, stream.message()).await else {
                return Ok(());
            };
            sequence += 1;
            if let Some(Control::Created(created)) = &message.control {
                watch_id.clone_from(&created.watch_id);
            }
            self.take(message)?;
            if !self.settle(&mut service, &watch_id, sequence).await && sequence >= leaves {
                return Ok(());
            }
        }
    }

    /// Pauses and acknowledges as the client's habits are; answers whether there is a hurry.
    async fn settle(&mut self, service: &mut SubscriptionServiceClient<Channel>, id: &str, sequence: u64) -> bool {
        let (pause, every) = (self.seen.habits.pause, self.seen.habits.ack_every);
        let hurry = *self.hurry.borrow_and_update();
        if !hurry && !pause.is_zero() {
            let pause = pause.mul_f64(self.rng.random());
            // Ends early when there is a hurry.
            let _ = timeout(pause, self.hurry.changed()).await;
        }
        let due = every > 0 && sequence.is_multiple_of(every);
        if self.seen.habits.outstanding > 0 && (hurry || due) {
            let request = AckWatchRequest {
                watch_id: id.to_owned(),
                sequence,
            };
            // Of a stream that has ended meanwhile nothing is to be acknowledged.
            let _ = service.ack_watch(request).await;
        }
        hurry
    }

    fn request(&self) -> WatchRequest {
        let habits = &self.seen.habits;
        let known_object_hashes = if habits.hashes {
            self.seen.view.lock().hashes()
        } else {
            Vec::new()
        };
        let start = (!self.token.is_empty()).then(|| {
            Start::Resume(StartResume {
                token: self.token.clone().into(),
                known_object_hashes,
                ..StartResume::default()
            })
        });
        WatchRequest {
            informer: Some(InformerSelector {
                by: Some(By::Name(format!("informers/{}", habits.informer))),
            }),
            filter: Some(Filter {
                namespaces: habits.namespaces.iter().map(|name| (*name).to_owned()).collect(),
                label_selector: habits.labels.to_owned(),
                ..Filter::default()
            }),
            start,
            overflow: habits.overflow.into(),
            flow: Some(FlowControl {
                max_outstanding_events: habits.outstanding,
                ..FlowControl::default()
            }),
            batch: Some(BatchOptions {
                max_events: if habits.pause.is_zero() { 0 } else { 50 },
                ..BatchOptions::default()
            }),
            bookmark_interval: Some(prost_types::Duration { seconds: 1, nanos: 0 }),
            resync_period: Some(prost_types::Duration {
                seconds: habits.resync.unwrap_or(0),
                nanos: 0,
            }),
            client_id: habits.name.to_owned(),
            ..WatchRequest::default()
        }
    }

    fn take(&mut self, message: WatchResponse) -> Result<(), String> {
        let mut view = self.seen.view.lock();
        for event in message.events {
            view.stage(event);
        }
        let mut modes = self.seen.modes.lock();
        match message.control {
            Some(Control::Created(created)) => {
                modes[(created.mode as usize).min(4)] += 1;
                match created.mode() {
                    WatchMode::Snapshot | WatchMode::Diff => view.mark(),
                    WatchMode::Replay => {}
                    WatchMode::Unchanged => view.rebase(),
                    other => return Err(format!("a stream starts with {other:?}")),
                }
            }
            Some(Control::Reset(_)) => {
                modes[5] += 1;
                view.mark();
            }
            Some(Control::Synced(synced)) => {
                let revision = synced.status.map_or(0, |status| status.revision);
                view.synced(synced.object_count, synced.digest, revision)?;
            }
            // Before the informer's first sync there is nothing to compare.
            Some(Control::Bookmark(bookmark)) if bookmark.status.as_ref().is_some_and(|status| status.synced) => {
                let revision = bookmark.status.map_or(0, |status| status.revision);
                if !message.resume_token.is_empty() {
                    view.marker(bookmark.object_count, bookmark.digest, revision)?;
                }
            }
            Some(Control::Bookmark(_) | Control::Terminating(_)) | None => {}
        }
        if !message.resume_token.is_empty() {
            if message.continued {
                return Err("a token inside a group".into());
            }
            view.commit()?;
            self.token = message.resume_token.to_vec();
        }
        drop(view);
        self.seen.state.send_modify(|(count, _)| *count += 1);
        Ok(())
    }
}
