//! One reflector at work: the outer loop (row R1), what it remembers, and how it reports.

use std::{convert::Infallible, sync::Arc, time::Duration};

use kube::Client;
use tracing::{Level, debug, event_enabled, info, warn};

use super::{
    ClientSource, ReflectorConfig,
    backoff::{Backoff, RequestFloor},
    decode::Decoder,
    failure::{Failure, FailureKind},
    request::Requests,
    stream::WatchStream,
};
use crate::{
    clock::Clock,
    delta::{Replacing, Stopped},
    object::ResourceVersion,
    upstream::{ListMode, ReflectorJob, UpstreamState},
};

/// The state of one reflector.
pub(super) struct Run {
    clients: Arc<dyn ClientSource>,
    pub(super) client: Client,
    pub(super) config: ReflectorConfig,
    pub(super) job: ReflectorJob,
    pub(super) requests: Requests,
    pub(super) decoder: Decoder,
    pub(super) floor: RequestFloor,
    backoff: Backoff,
    clock: Clock,
    /// Newest version seen; empty before the first list.
    pub(super) version: ResourceVersion,
    /// The version is of no use to the server: list without one (row R3).
    pub(super) expired: bool,
    /// The server's history is another one than that of `version`: the next list begins anew (field case 14).
    pub(super) anew: bool,
    /// A list at version 0 came in pages: the server has no watch cache for this resource (row R4).
    pub(super) paginated: bool,
    /// Watch-list was refused, or its end never came, so it is not tried again.
    watch_list_refused: bool,
    /// Watch-lists in a row that broke off.
    incomplete: u32,
    /// Watch-lists in a row without the bookmark that ends the initial events.
    without_end: u32,
    /// The failure that was logged last, while it lasts.
    told: Option<(UpstreamState, u16, String)>,
    /// The server did not answer, or was in trouble, and has not been watched since.
    outage: bool,
    skipped: u64,
}

/// Attempts at a watch-list that breaks off, before this round lists instead.
const MAX_INCOMPLETE: u32 = 3;
/// Attempts at a watch-list whose end never comes, before it is given up for good.
const MAX_WITHOUT_END: u32 = 2;

// === impl Run ===

impl Run {
    pub(super) fn new(clients: Arc<dyn ClientSource>, config: ReflectorConfig, job: ReflectorJob) -> Self {
        Self {
            client: clients.client(),
            clients,
            requests: Requests::new(&job),
            decoder: Decoder::new(&job),
            floor: RequestFloor::new(),
            backoff: Backoff::new(config.randomness.clone()),
            clock: Clock::start(),
            config,
            job,
            version: ResourceVersion::default(),
            expired: false,
            anew: false,
            paginated: false,
            watch_list_refused: false,
            incomplete: 0,
            without_end: 0,
            told: None,
            outage: false,
            skipped: 0,
        }
    }

    /// Works until the informer stops.
    pub(super) async fn run(mut self) {
        let Err(Stopped) = self.forever().await;
        debug!(resource = %self.job.resource, "reflector stopped");
    }

    async fn forever(&mut self) -> Result<Infallible, Stopped> {
        loop {
            match self.initial_state().await? {
                Ok(stream) => self.follow(stream).await?,
                Err(failure) => self.wait(&failure).await,
            }
        }
    }

    /// Brings the store to the present. Returns the watch that goes on from there if it is open already.
    async fn initial_state(&mut self) -> Result<Result<Option<WatchStream>, Failure>, Stopped> {
        while self.job.list_mode != ListMode::List && !self.watch_list_refused {
            let failure = match self.watch_list().await? {
                Ok(stream) => {
                    (self.incomplete, self.without_end) = (0, 0);
                    return Ok(Ok(Some(stream)));
                }
                Err(failure) => failure,
            };
            if failure.kind == FailureKind::Backwards {
                // Once: anew, no list is older than another.
                continue;
            }
            if failure.kind == FailureKind::Expired && !self.expired {
                // Once without a version, at once (rows R3, R15).
                self.expired = true;
                continue;
            }
            if self.job.list_mode == ListMode::WatchList || !self.falls_back(&failure) {
                return Ok(Err(failure));
            }
            if self.watch_list_refused {
                self.job.status.lists_only();
            }
            info!(resource = %self.job.resource, for_good = self.watch_list_refused,
                "no watch-list, listing instead: {} {}", failure.reason, failure.message);
            break;
        }
        Ok(self.list().await?.map(|()| None))
    }

    /// Whether a failed watch-list is followed by a list (row R15, bounded).
    fn falls_back(&mut self, failure: &Failure) -> bool {
        match failure.kind {
            // A list would fare no better, or add load where there is too much.
            FailureKind::Expired
            | FailureKind::Backwards
            | FailureKind::RateLimited
            | FailureKind::Connection
            | FailureKind::Unauthorized => false,
            FailureKind::Incomplete => {
                self.incomplete += 1;
                self.incomplete.is_multiple_of(MAX_INCOMPLETE)
            }
            FailureKind::NoInitialEnd => {
                self.without_end += 1;
                self.watch_list_refused = self.without_end >= MAX_WITHOUT_END;
                self.watch_list_refused
            }
            FailureKind::Refused => {
                self.watch_list_refused = true;
                true
            }
            // Rights may cover list alone; the others may be the watch-list's own trouble.
            FailureKind::Forbidden
            | FailureKind::NotFound
            | FailureKind::Server
            | FailureKind::Malformed
            | FailureKind::ShortWatch => true,
        }
    }

    /// Reports a failure and waits as long as backoff and server demand.
    pub(super) async fn wait(&mut self, failure: &Failure) {
        match failure.kind {
            FailureKind::Connection | FailureKind::Server => self.outage = true,
            // The server is back, and all that it says is that a list is needed: what it did not answer before is no reason
            // to wait for that. Once for each outage, so that this cannot loop.
            FailureKind::Expired if std::mem::take(&mut self.outage) => self.backoff.restart(),
            _ => {}
        }
        let delay = self
            .backoff
            .next_delay()
            .max(failure.retry_after.unwrap_or(Duration::ZERO));
        self.report(failure);
        if failure.is_timeout() {
            self.reconnect();
        }
        debug!(resource = %self.job.resource, ?delay, "waiting");
        tokio::time::sleep(delay).await;
    }

    /// Whether a list at `found` is older than what was seen before. A server does not answer so of its own accord: it was
    /// restored from a backup, or it is another one. Then this list is dropped, because it was compared with objects of the other
    /// history, and the next one is not compared with anything.
    pub(super) fn went_backwards(&mut self, found: &ResourceVersion) -> bool {
        let backwards = !self.anew && found.compare(&self.version) == Some(std::cmp::Ordering::Less);
        if backwards {
            warn!(resource = %self.job.resource, namespace = self.job.namespace.as_deref(),
                "the API server's versions went backwards, from {} to {found}: everything is read anew, as a new epoch", self.version);
            (self.anew, self.expired) = (true, true);
        }
        backwards
    }

    /// A list of version `version` is queued.
    pub(super) fn listed(&mut self, version: ResourceVersion) {
        self.version = version;
        (self.anew, self.expired) = (false, false);
    }

    /// Starts a relist.
    pub(super) async fn begin_replace(&mut self) -> Result<Replacing, Stopped> {
        let replacing = self.job.deltas.begin_replace().await?;
        Ok(if self.anew { replacing.anew() } else { replacing })
    }

    /// Something did not answer. Whether that was the connection or the server behind it cannot be known, so the next request
    /// goes over a new one.
    pub(super) fn reconnect(&mut self) {
        self.client = self.clients.client();
    }

    /// Shows a failure in the status, and logs it if it is another one than before.
    pub(super) fn report(&mut self, failure: &Failure) {
        let state = failure.state();
        let error = failure.to_error(self.clock.wall());
        let told = (state, failure.http_status, failure.reason.clone());
        if self.told.as_ref() != Some(&told) {
            warn!(resource = %self.job.resource, namespace = self.job.namespace.as_deref(), state = ?state, "{error}");
            self.told = Some(told);
        } else if event_enabled!(Level::DEBUG) {
            debug!(resource = %self.job.resource, state = ?state, "{error}");
        }
        self.job.status.failed(state, error);
    }

    /// A watch is open: what was wrong is over.
    pub(super) fn recovered(&mut self) {
        self.outage = false;
        if self.told.take().is_some() {
            info!(resource = %self.job.resource, namespace = self.job.namespace.as_deref(), "watching again");
        }
    }

    /// Counts a frame or object that is of no use (row R17). Logged ever more rarely: a server that sends one sends many.
    pub(super) fn skip(&mut self, why: &str) {
        self.job.status.skipped();
        self.skipped += 1;
        if self.skipped.is_power_of_two() {
            warn!(resource = %self.job.resource, skipped = self.skipped, "skipped what the API server sent: {why}");
        }
    }

    /// How long the next watch asks to last (row R11).
    pub(super) fn watch_timeout(&self) -> Duration {
        self.config.watch_timeout.mul_f64(self.config.randomness.factor())
    }
}
