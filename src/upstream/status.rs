//! What a reflector tells about itself. Never silent: each change of state is visible to every reader at once.

use std::{collections::BTreeMap, fmt, sync::Arc, time::SystemTime};

use tokio::sync::{Notify, watch};

/// What the reflector is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum UpstreamState {
    /// The watch is open.
    Watching,
    /// The initial state is streaming in.
    Listing,
    /// Not connected yet.
    #[default]
    Starting,
    /// Waiting after a failure.
    Backoff,
    /// The API server has never served the resource; it is looked for (field case 28).
    Waiting,
    /// The API server does not serve the resource any more; retried.
    Gone,
    /// The API server denies list or watch; retried.
    Forbidden,
}

/// A failure of list or watch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UpstreamError {
    /// HTTP status, 0 if there was no answer.
    pub http_status: u16,
    /// metav1.Status reason, or a word for the failure.
    pub reason: String,
    /// For people.
    pub message: String,
    /// When.
    pub time: SystemTime,
}

/// State of one reflector, or of all reflectors of an informer together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UpstreamStatus {
    /// What it does.
    pub state: UpstreamState,
    /// Last failure, kept until the watch is open again.
    pub last_error: Option<Arc<UpstreamError>>,
    /// Lists and watch-lists started.
    pub lists: u64,
    /// Watches opened.
    pub watches: u64,
    /// Frames or objects that could not be used and were skipped (row R17).
    pub skipped: u64,
    /// Watch-lists were refused for good: the initial state is listed (row R15).
    pub lists_only: bool,
    /// Attempts that failed.
    pub failures: Failures,
}

/// Failures, counted by reason. The words come from API servers: beyond some they are counted together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failures(BTreeMap<Arc<str>, u64>);

/// Where one reflector writes its status and everyone reads it.
#[derive(Clone, Debug)]
pub struct StatusCell {
    cell: Arc<watch::Sender<UpstreamStatus>>,
    /// Told of each change of state: whoever keeps many cells waits for one thing.
    changed: Arc<Notify>,
}

// === impl StatusCell ===

impl StatusCell {
    /// A cell in state Starting.
    pub fn new() -> Self {
        Self::telling(Arc::default())
    }

    /// As [`Self::new`]; each change of state is a permit for `changed`.
    pub fn telling(changed: Arc<Notify>) -> Self {
        Self {
            cell: Arc::new(watch::Sender::new(UpstreamStatus::default())),
            changed,
        }
    }

    /// The current status.
    pub fn get(&self) -> UpstreamStatus {
        self.cell.borrow().clone()
    }

    /// Follows the status.
    pub fn subscribe(&self) -> watch::Receiver<UpstreamStatus> {
        self.cell.subscribe()
    }

    /// A list or watch-list starts.
    pub fn listing(&self) {
        self.modify(|s| {
            s.state = UpstreamState::Listing;
            s.lists += 1;
        });
    }

    /// A watch request was accepted.
    pub fn watching(&self) {
        self.modify(|s| {
            s.state = UpstreamState::Watching;
            s.last_error = None;
            s.watches += 1;
        });
    }

    /// The initial events of a watch-list are complete: the same stream goes on as the watch.
    pub fn initial_events_complete(&self) {
        self.watching();
    }

    /// An attempt failed; the reflector waits in `state`.
    pub fn failed(&self, state: UpstreamState, error: UpstreamError) {
        self.modify(|s| {
            s.state = state;
            s.failures.add(&error.reason, 1);
            s.last_error = Some(Arc::new(error));
        });
    }

    /// What a cell says that belongs to no reflector: a state, and why.
    pub fn set(&self, state: UpstreamState, error: Option<UpstreamError>) {
        self.modify(|s| {
            s.state = state;
            s.last_error = error.map(Arc::new);
        });
    }

    /// Watch-lists are refused: from now on the initial state is listed.
    pub fn lists_only(&self) {
        self.modify(|s| s.lists_only = true);
    }

    /// A frame or object was skipped.
    pub fn skipped(&self) {
        self.modify(|s| s.skipped += 1);
    }

    fn modify(&self, change: impl FnOnce(&mut UpstreamStatus)) {
        let mut told = false;
        self.cell.send_modify(|s| {
            let before = s.state;
            change(s);
            told = s.state != before;
        });
        if told {
            self.changed.notify_one();
        }
    }
}

impl Default for StatusCell {
    fn default() -> Self {
        Self::new()
    }
}

// === impl UpstreamStatus ===

impl UpstreamStatus {
    /// The status of several reflectors as one: the worst state, the sums of the counts.
    pub fn worst_of(all: impl IntoIterator<Item = Self>) -> Self {
        all.into_iter()
            .reduce(|a, b| {
                let worse = if b.state > a.state { &b } else { &a };
                let mut failures = a.failures.clone();
                failures.add_all(&b.failures);
                Self {
                    failures,
                    state: worse.state,
                    last_error: worse.last_error.clone(),
                    lists: a.lists + b.lists,
                    watches: a.watches + b.watches,
                    skipped: a.skipped + b.skipped,
                    lists_only: a.lists_only || b.lists_only,
                }
            })
            .unwrap_or_default()
    }

    /// Adds what another one has counted.
    pub fn count(&mut self, other: &Self) {
        self.lists += other.lists;
        self.watches += other.watches;
        self.skipped += other.skipped;
        self.failures.add_all(&other.failures);
    }

    /// The resource was not found, and nothing has shown since that it is served: also while the next attempt is under way.
    pub fn is_gone(&self) -> bool {
        self.lacks(UpstreamState::Gone, &[404])
    }

    /// List or watch was denied, and nothing has shown since that it is allowed.
    pub fn is_denied(&self) -> bool {
        self.lacks(UpstreamState::Forbidden, &[401, 403])
    }

    fn lacks(&self, state: UpstreamState, codes: &[u16]) -> bool {
        let last = self.last_error.as_ref().map(|e| e.http_status);
        self.state == state || (self.state == UpstreamState::Listing && last.is_some_and(|code| codes.contains(&code)))
    }

    /// Its state alone.
    pub fn without_counts(self) -> Self {
        Self {
            state: self.state,
            last_error: self.last_error,
            ..Self::default()
        }
    }
}

// === impl Failures ===

impl Failures {
    const MAX_REASONS: usize = 24;
    /// All whose own word found no room.
    const OTHER: &str = "Other";

    /// Number of each reason.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().map(|(reason, n)| (&**reason, *n))
    }

    fn add(&mut self, reason: &str, n: u64) {
        if let Some(known) = self.0.get_mut(reason) {
            *known += n;
        } else {
            let room = self.0.len() < Self::MAX_REASONS && !reason.is_empty();
            let word = if room { reason } else { Self::OTHER };
            *self.0.entry(word.into()).or_default() += n;
        }
    }

    fn add_all(&mut self, other: &Self) {
        for (reason, n) in other.iter() {
            self.add(reason, n);
        }
    }
}

impl fmt::Display for UpstreamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.http_status == 0 {
            write!(f, "{}: {}", self.reason, self.message)
        } else {
            write!(f, "{} {}: {}", self.http_status, self.reason, self.message)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_forbidden_namespace_shows_in_the_whole() {
        let of = |state, lists| UpstreamStatus {
            state,
            lists,
            ..UpstreamStatus::default()
        };
        let all = UpstreamStatus::worst_of([
            of(UpstreamState::Watching, 1),
            of(UpstreamState::Forbidden, 2),
            of(UpstreamState::Backoff, 3),
        ]);
        assert_eq!((all.state, all.lists), (UpstreamState::Forbidden, 6));
    }

    #[test]
    fn case_40_failures_are_counted_by_reason_and_the_words_of_a_server_take_bounded_room() {
        let cell = StatusCell::new();
        let fail = |reason: &str| {
            let error = UpstreamError {
                http_status: 500,
                reason: reason.into(),
                message: String::new(),
                time: SystemTime::UNIX_EPOCH,
            };
            cell.failed(UpstreamState::Backoff, error);
        };
        for n in 0..100 {
            fail("Unreachable");
            fail(&format!("Made up {n}"));
        }
        let mut all = UpstreamStatus::worst_of([cell.get(), cell.get()]);
        all.count(&cell.get());
        let counted: Vec<_> = all.failures.iter().collect();
        assert_eq!(counted.len(), Failures::MAX_REASONS + 1);
        assert_eq!(counted.iter().map(|(_, n)| n).sum::<u64>(), 600);
        assert!(counted.contains(&("Unreachable", 300)), "{counted:?}");
        assert!(counted.iter().any(|(reason, _)| *reason == "Other"));
    }
}
