//! Lists and watches one resource of the API server and turns what it says into deltas. Built on kube's client, not on
//! its runtime.
//!
//! ```text
//!            ┌──────────── initial state ────────────┐      ┌───────────── follow ──────────────┐
//!  start ──▶ │ watch-list ──refused──▶ list (paged)  │ ───▶ │ watch ──closed, cut, idle──▶ watch│──┐
//!            └───▲───────────────────────────────────┘      └───────────────────────────────────┘  │
//!                └──────── version expired (410), resource gone, several strange ends ◀────────────┘
//! ```
//!
//! The rows R1 to R17 are followed, with these deviations:
//! - R8: every transport error watches again from the same version before it lists. A version that is still in the
//!   server's window costs no list, one that is not answers 410.
//! - R7: after a 410 the list asks for no version, because the one we have is known to be too old for this server.
//! - R10: short watches back off first, and list only after several in a row.
//! - R15, R16: watch-lists that do not complete are given up after some attempts instead of never.
//! - Beyond R11, a watch that stays silent is replaced, so that a dead connection is noticed.

mod backoff;
mod decode;
mod failure;
mod frames;
mod list;
mod request;
mod run;
mod split;
mod stream;
mod value;
mod watch;
mod watch_list;

pub use backoff::{Backoff, Randomness, RequestFloor};
pub(crate) use failure::{Failure, FailureKind};
pub use frames::{Bookmark, Event, EventType, FrameBuffer, FrameError, FrameTooLarge, MAX_FRAME_BYTES};
pub(crate) use request::{JSON, METADATA, METADATA_LIST, collection, escaped};
pub use split::{ListEnd, MAX_ITEM_BYTES, SplitError, Splitter};
pub(crate) use stream::fetch;

use std::{sync::Arc, time::Duration};

use crate::upstream::ReflectorJob;

/// Limits of a reflector. The defaults suit kube-apiserver.
#[derive(Clone, Debug)]
pub struct ReflectorConfig {
    /// Objects a page of a list (row R4).
    pub page_size: u32,
    /// A watch without a byte for so long is replaced, on a new connection, from the same version; nothing is lost and nothing
    /// listed. This is for what pings and the kernel's probes cannot see: HTTP/1.1 through a middlebox that answers for a dead
    /// server, or a server that answers pings and serves nothing. It cannot be shorter: the server sends a bookmark every 60 to
    /// 75 seconds on a quiet watch, and only longer silence is a sign. A resource without bookmarks (events have none) costs
    /// one request each time.
    pub idle_timeout: Duration,
    /// Wait for the answer to a watch request.
    pub watch_header_timeout: Duration,
    /// Wait for the answer to a list request. Servers without streaming encode the whole list first, and give up after 60
    /// seconds themselves.
    pub list_header_timeout: Duration,
    /// Longest silence inside a list's body.
    pub list_stall_timeout: Duration,
    /// Watches ask the server to end them after a random time between this and its double (row R11).
    pub watch_timeout: Duration,
    /// Longest time without a new object in a watch-list that has not ended (row R16). A server that ignores the parameter
    /// never ends it.
    pub initial_events_stall: Duration,
    /// Longest time for a whole watch-list; a list has no such limit.
    pub initial_events_limit: Duration,
    /// Source of jitter.
    pub randomness: Randomness,
}

/// Where reflectors get their clients.
pub trait ClientSource: Send + Sync + 'static {
    /// A client, if possible with connections of its own: then one reflector cannot hold up another, and a new client means
    /// new connections.
    fn client(&self) -> kube::Client;
}

/// Runs reflector jobs, each over a client of its own.
#[derive(Clone)]
pub struct Reflector {
    clients: Arc<dyn ClientSource>,
    config: ReflectorConfig,
}

// === impl ReflectorConfig ===

impl Default for ReflectorConfig {
    fn default() -> Self {
        Self {
            page_size: 500,
            idle_timeout: Duration::from_secs(90),
            watch_header_timeout: Duration::from_secs(30),
            list_header_timeout: Duration::from_secs(70),
            list_stall_timeout: Duration::from_secs(30),
            watch_timeout: Duration::from_secs(300),
            initial_events_stall: Duration::from_secs(15),
            initial_events_limit: Duration::from_secs(300),
            randomness: Randomness::default(),
        }
    }
}

// === impl Reflector ===

impl Reflector {
    /// A reflector over `clients`, which should not retry by themselves: the delays are ours.
    pub fn new(clients: Arc<dyn ClientSource>, config: ReflectorConfig) -> Self {
        Self { clients, config }
    }

    /// Lists and watches until the informer stops; never gives up (field case 10). Dropping the future closes the
    /// connection of the watch.
    pub async fn run(&self, job: ReflectorJob) {
        run::Run::new(self.clients.clone(), self.config.clone(), job)
            .run()
            .await;
    }
}

// === impl ClientSource ===

/// One client for all, as a test has it.
impl ClientSource for kube::Client {
    fn client(&self) -> kube::Client {
        self.clone()
    }
}

impl std::fmt::Debug for Reflector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reflector")
            .field("config", &self.config)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests;
