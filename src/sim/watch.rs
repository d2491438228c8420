//! Watches: from the history to a stream of items.
//!
//! An object that comes to match the selectors is ADDED, one that ceases to is DELETED in its last matching state
//! under the version of the change, as kube-apiserver's watch cache tells it.

use std::sync::Arc;
use std::time::Duration;

use async_stream::stream;
use bytes::Bytes;
use futures::Stream;
use tokio::time::Instant;

use super::filter::Filter;
use super::json as encoding;
use super::query::Query;
use super::resource::ResourceType;
use super::status::StatusError;
use super::store::{Batch, Change, Store, with_version};

/// No watch is promised a longer life; it also keeps a client's number from overflowing the clock.
const LONGEST: Duration = Duration::from_secs(7 * 86_400);

/// Changes read under one lock.
const BATCH: usize = 256;

/// One line of a watch, without its end.
#[derive(Debug, Clone)]
pub(super) enum Item {
    Event(Bytes),
    Bookmark(Bytes),
    /// The bookmark that ends the initial events of a watch-list.
    InitialEventsEnd(Bytes),
    Error(Bytes),
}

/// A watch as it was asked for.
pub(super) struct Watch {
    pub(super) kind: Arc<ResourceType>,
    pub(super) filter: Filter,
    start: Start,
    bookmarks: bool,
    timeout: Duration,
    /// How often bookmarks come.
    period: Duration,
}

#[derive(Debug, Clone, Copy)]
enum Start {
    /// The present state as ADDED events, then what follows; `end` asks for the bookmark in between.
    State {
        end: bool,
    },
    Now,
    After(u64),
}

// === impl Watch ===

impl Watch {
    /// Reads the parameters; waits if the version asked for is ahead of the server (watch-list only).
    pub(super) async fn parse(
        store: &Store,
        kind: Arc<ResourceType>,
        filter: Filter,
        query: &Query,
        watch_list: bool,
        period: Duration,
        default_timeout: Duration,
    ) -> Result<Self, StatusError> {
        let version = query.resource_version()?;
        let initial = query.given_flag("sendInitialEvents");
        let forbidden = |why: &str| Err(StatusError::invalid("ListOptions.meta.k8s.io", "", why));
        match (initial, query.get("resourceVersionMatch")) {
            (Some(_), _) if !watch_list => {
                return forbidden(
                    "sendInitialEvents: Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled",
                );
            }
            (Some(_), Some("NotOlderThan")) | (None, None) => {}
            (Some(_), _) => {
                return forbidden(
                    "resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan",
                );
            }
            (None, Some(_)) => {
                return forbidden(
                    "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided",
                );
            }
        }
        let bookmarks = query.flag("allowWatchBookmarks");
        let start = match (initial, version.unwrap_or(0)) {
            (Some(true), rv) => {
                store.wait_fresh(rv).await?;
                Start::State { end: bookmarks }
            }
            (Some(false), 0) => Start::Now,
            (None, 0) => Start::State { end: false },
            // A version of the future is not refused: the watch is silent until it has come (case of a restored etcd).
            (_, rv) => Start::After(rv),
        };
        let timeout = query.number("timeoutSeconds")?.filter(|seconds| *seconds > 0);
        let timeout = timeout.map_or(default_timeout, |seconds| Duration::from_secs(seconds).min(LONGEST));
        Ok(Self {
            kind,
            filter,
            start,
            bookmarks,
            timeout,
            period,
        })
    }

    /// The lines, until the timeout, or until the version lies below the history.
    pub(super) fn items(self, store: Arc<Store>) -> impl Stream<Item = Item> + Send {
        let deadline = Instant::now() + self.timeout;
        stream! {
            let mut versions = store.subscribe();
            let mut cursor = match self.start {
                Start::State { end } => {
                    let (table, rv) = {
                        let state = store.read();
                        (state.table(&self.kind.id), state.rv())
                    };
                    for (_, object) in table.iter().filter(|(_, object)| self.filter.matches(object)) {
                        yield Item::Event(line("ADDED", &encoding::render(&self.kind, object)));
                    }
                    if end {
                        yield Item::InitialEventsEnd(self.bookmark(rv, true));
                    }
                    rv
                }
                Start::Now => store.read().rv(),
                Start::After(rv) => rv,
            };
            let mut next_bookmark = Instant::now() + self.period;
            loop {
                versions.borrow_and_update();
                let batch = store.read().changes_after(cursor, &self.kind.id, BATCH);
                let Batch { changes, upto, more } = match batch {
                    Ok(batch) => batch,
                    Err(status) => {
                        yield Item::Error(line("ERROR", status.body().as_bytes()));
                        return;
                    }
                };
                for event in changes.iter().filter_map(|change| self.event(change)) {
                    yield Item::Event(event);
                }
                cursor = upto;
                if more {
                    continue;
                }
                let wake = tokio::select! {
                    _ = tokio::time::sleep_until(deadline) => Wake::Deadline,
                    changed = versions.changed() => if changed.is_ok() { Wake::Change } else { Wake::Deadline },
                    _ = tokio::time::sleep_until(next_bookmark), if self.bookmarks => Wake::Bookmark,
                };
                match wake {
                    Wake::Change => {}
                    // Everything up to the cursor has been told, so a bookmark may say so.
                    Wake::Bookmark => {
                        yield Item::Bookmark(self.bookmark(cursor, false));
                        next_bookmark += self.period;
                    }
                    Wake::Deadline => return,
                }
            }
        }
    }

    fn event(&self, change: &Change) -> Option<Bytes> {
        let before = change.old.as_deref().filter(|old| self.filter.matches(old));
        let after = Some(&*change.new).filter(|new| !change.deleted && self.filter.matches(new));
        let render = |object| encoding::render(&self.kind, object);
        match (before, after) {
            (None, Some(new)) => Some(line("ADDED", &render(new))),
            (Some(_), Some(new)) => Some(line("MODIFIED", &render(new))),
            (Some(_), None) if change.deleted => Some(line("DELETED", &render(&change.new))),
            (Some(old), None) => {
                let last = super::store::Object {
                    key: old.key.clone(),
                    body: with_version(&self.kind, old, change.rv),
                };
                Some(line("DELETED", &render(&last)))
            }
            (None, None) => None,
        }
    }

    fn bookmark(&self, rv: u64, ends_initial_events: bool) -> Bytes {
        line(
            "BOOKMARK",
            encoding::bookmark(&self.kind, rv, ends_initial_events).as_bytes(),
        )
    }
}

enum Wake {
    Change,
    Bookmark,
    Deadline,
}

/// A watch event around an object.
pub(super) fn line(kind: &str, object: &[u8]) -> Bytes {
    let mut line = Vec::with_capacity(object.len() + 40);
    line.extend_from_slice(br#"{"type":""#);
    line.extend_from_slice(kind.as_bytes());
    line.extend_from_slice(br#"","object":"#);
    line.extend_from_slice(object);
    line.extend_from_slice(b"}\n");
    line.into()
}
