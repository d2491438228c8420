//! What each informer holds, how current it is, and what its reflector does.

use std::{fmt, sync::Arc, time::UNIX_EPOCH};

use prometheus_client::{collector::Collector, encoding::DescriptorEncoder};
use tokio::time::Instant;

use super::{Watches, family::Families};
use crate::{
    informer::{SharedInformer, SharedInformerFactory},
    processor::Published,
    upstream::{UpstreamState, UpstreamStatus},
};

/// Reads all informers.
pub(super) struct InformerCollector {
    pub(super) factory: Arc<SharedInformerFactory>,
    pub(super) watches: Box<WatchSource>,
}

/// Tells what the watches of some informers do, in their order.
type WatchSource = dyn Fn(&[Arc<SharedInformer>]) -> Vec<Watches> + Send + Sync;

/// One informer at the moment of the scrape.
struct Row {
    id: String,
    informer: Arc<SharedInformer>,
    published: Arc<Published>,
    upstream: UpstreamStatus,
    watches: Watches,
}

/// The states and their words in label `state`: always all of them, one is 1.
const STATES: [(UpstreamState, &str); 7] = [
    (UpstreamState::Starting, "starting"),
    (UpstreamState::Listing, "listing"),
    (UpstreamState::Watching, "watching"),
    (UpstreamState::Backoff, "backoff"),
    (UpstreamState::Forbidden, "forbidden"),
    (UpstreamState::Gone, "gone"),
    (UpstreamState::Waiting, "waiting"),
];

// === impl InformerCollector ===

impl Collector for InformerCollector {
    fn encode(&self, encoder: DescriptorEncoder<'_>) -> fmt::Result {
        let informers = self.factory.list();
        let watches = (self.watches)(&informers);
        let rows: Vec<Row> = informers
            .into_iter()
            .zip(watches.into_iter().chain(std::iter::repeat_with(Watches::default)))
            .map(|(informer, watches)| Row::read(informer, watches))
            .collect();
        let now = Instant::now();
        let each = || rows.iter().map(|row| ([("informer", row.id.as_str())], row));
        let mut out = Families(encoder);
        out.gauge(
            "informerd_informer_objects",
            "Objects in the cache",
            each().map(|(informer, row)| (informer, row.published.snapshot.len())),
        )?;
        out.gauge(
            "informerd_informer_object_bytes",
            "Bytes of the bodies of all objects in the cache",
            each().map(|(informer, row)| (informer, row.published.snapshot.bytes())),
        )?;
        out.gauge(
            "informerd_informer_revision",
            "Revision of the cache: one more for each change and each relist",
            each().map(|(informer, row)| (informer, row.published.snapshot.position().revision)),
        )?;
        out.gauge(
            "informerd_informer_synced",
            "1 once the first complete list is in the cache",
            each().map(|(informer, row)| (informer, u32::from(row.published.snapshot.position().synced))),
        )?;
        out.gauge(
            "informerd_informer_upstream_state",
            "What the reflector does: 1 for its state, 0 for the others; of several namespaces the worst counts",
            rows.iter().flat_map(|row| {
                STATES.map(|(state, word)| {
                    let labels = [("informer", row.id.as_str()), ("state", word)];
                    (labels, u32::from(row.upstream.state == state))
                })
            }),
        )?;
        let reflectors: Vec<_> = rows
            .iter()
            .flat_map(|row| row.informer.reflectors().into_iter().map(|r| (row.id.as_str(), r)))
            .collect();
        out.gauge(
            "informerd_reflector_state",
            "What the reflector of a namespace does (empty: all namespaces): 1 for its state, 0 for the others",
            reflectors.iter().flat_map(|(id, reflector)| {
                STATES.map(|(state, word)| {
                    let labels = [("informer", *id), ("namespace", &reflector.namespace), ("state", word)];
                    (labels, u32::from(reflector.status.state == state))
                })
            }),
        )?;
        out.counter(
            "informerd_informer_restarts",
            "Times that a task of the informer died and was started again",
            each().map(|(informer, row)| (informer, row.informer.restarts())),
        )?;
        out.gauge(
            "informerd_informer_current_as_of_seconds",
            "Unix time at which the API server last proved the cache complete; absent before the first sync",
            each().filter_map(|(informer, row)| Some((informer, row.current_as_of()?))),
        )?;
        out.gauge(
            "informerd_informer_staleness_seconds",
            "Seconds since the API server last proved the cache complete; absent before the first sync",
            each().filter_map(|(informer, row)| Some((informer, row.staleness(now)?))),
        )?;
        out.gauge(
            "informerd_informer_last_change_age_seconds",
            "Seconds since an object was last added, changed or removed; absent before the first change after the sync",
            each().filter_map(|(informer, row)| Some((informer, row.last_change_age(now)?))),
        )?;
        out.gauge(
            "informerd_informer_history_bytes",
            "Bytes of bodies that only the history keeps",
            each().map(|(informer, row)| (informer, row.published.history.bytes())),
        )?;
        out.gauge(
            "informerd_informer_watch_streams",
            "Open Watch streams of clients",
            each().map(|(informer, row)| (informer, row.watches.open)),
        )?;
        out.gauge(
            "informerd_informer_watch_lag_revisions",
            "Revisions that the slowest open Watch stream is behind the cache",
            each().map(|(informer, row)| (informer, row.watches.worst_lag)),
        )?;
        out.counter(
            "informerd_informer_watch_resets",
            "Resets sent to Watch streams",
            each().map(|(informer, row)| (informer, row.watches.resets)),
        )?;
        out.counter(
            "informerd_informer_failures",
            "Lists and watches that failed, by reason: the API server's word, or Unreachable and the like",
            rows.iter().flat_map(|row| {
                let failures = row.upstream.failures.iter();
                failures.map(|(reason, n)| ([("informer", row.id.as_str()), ("reason", reason)], n))
            }),
        )?;
        out.gauge(
            "informerd_informer_watches",
            "Open watches and queue sources that the informer feeds",
            each().map(|(informer, row)| (informer, row.informer.processor().listeners())),
        )?;
        out.counter(
            "informerd_informer_lists",
            "Lists and watch-lists started at the API server",
            each().map(|(informer, row)| (informer, row.upstream.lists)),
        )?;
        out.counter(
            "informerd_informer_upstream_watches",
            "Watches opened at the API server",
            each().map(|(informer, row)| (informer, row.upstream.watches)),
        )?;
        out.counter(
            "informerd_informer_skipped",
            "Frames and objects of the API server that could not be used",
            each().map(|(informer, row)| (informer, row.upstream.skipped)),
        )
    }
}

impl fmt::Debug for InformerCollector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("InformerCollector").finish_non_exhaustive()
    }
}

// === impl Row ===

impl Row {
    fn read(informer: Arc<SharedInformer>, watches: Watches) -> Self {
        Self {
            watches,
            id: informer.name().trim_start_matches("informers/").to_owned(),
            published: informer.processor().load(),
            upstream: informer.upstream(),
            informer,
        }
    }

    fn staleness(&self, now: Instant) -> Option<f64> {
        let position = self.published.snapshot.position();
        let at = position.as_of.filter(|_| position.synced)?;
        Some(now.saturating_duration_since(at).as_secs_f64())
    }

    fn last_change_age(&self, now: Instant) -> Option<f64> {
        let at = self.published.history.newest()?;
        Some(now.saturating_duration_since(at).as_secs_f64())
    }

    fn current_as_of(&self) -> Option<f64> {
        let position = self.published.snapshot.position();
        let at = position.as_of.filter(|_| position.synced)?;
        let wall = self.informer.clock().wall_of(at);
        Some(wall.duration_since(UNIX_EPOCH).ok()?.as_secs_f64())
    }
}
