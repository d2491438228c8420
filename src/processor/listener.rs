//! One subscriber: a cursor into the history and a filter.
//!
//! ```text
//!   (not synced) ──▶ SNAPSHOT ──▶ LIVE ◀──▶ REPLAY (cursor inside the ring)
//!                        ▲          ▲         │ cursor fell out of the ring
//!                        │          └── CATCH-UP ◀─┤ one event for each key that changed since
//!                        └───────────── RESET ◀────┘ or, if the listener wants no catch-up or is too far behind
//! ```
//!
//! A slow listener costs its cursor, and nobody else anything.

mod batch;
mod catch_up;
mod resync;
mod view;

pub use batch::Budget;

use std::{collections::VecDeque, sync::Arc, time::Duration};

use tokio::{sync::watch, time::Instant};

use self::{batch::Batch, catch_up::CatchUp, resync::Resync, view::View};
use super::{Cause, Closed, Delivery, EventKind, Processor, Published, Registration, Revision, Subject, Tick};
use crate::{
    object::{Digest, Object, ObjectKey},
    store::Query,
};

/// Where a listener starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Start {
    /// With all objects.
    Snapshot,
    /// With the next change.
    Now,
    /// After a revision of this processor's history.
    After(u64),
}

/// What happens to a listener that is overtaken by the history.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Overflow {
    /// It gets the latest state of each key that has changed.
    #[default]
    Coalesce,
    /// It starts over with a snapshot.
    Reset,
}

/// What a listener has to tell.
#[derive(Debug)]
pub enum Step {
    /// Events, in order.
    Events {
        /// The events.
        events: Vec<Delivery>,
        /// The atomic group goes on in the next step.
        continued: bool,
        /// The listener has seen everything up to this revision; `None` inside a snapshot, a catch-up or a group.
        complete_to: Option<u64>,
    },
    /// The view equals the store at the listener's revision: the snapshot, or the replay, is complete.
    Synced,
    /// The cursor fell out of the history: a snapshot follows.
    Reset,
    /// The API server's history is another one than the view's: a snapshot follows.
    Replaced,
}

/// A subscriber of one informer.
pub struct Listener {
    registration: Registration,
    ticks: watch::Receiver<Tick>,
    view: View,
    mode: Mode,
    /// Everything up to this revision was taken from the history.
    cursor: u64,
    /// Taken from the history and not delivered yet: the rest of the group of revision `cursor`.
    pending: VecDeque<Delivery>,
    overflow: Overflow,
    resync: Option<Resync>,
}

enum Mode {
    /// Waits for the informer's first sync.
    Waiting(Start),
    /// Delivers this state, after the last key delivered.
    Snapshot(Arc<Published>, Option<ObjectKey>),
    /// Replays up to the revision that was newest when the listener started.
    Replay(u64),
    /// Follows.
    Live,
    /// Was overtaken.
    CatchUp(CatchUp),
}

// === impl Listener ===

impl Listener {
    /// Subscribes. `resync` is the period at which all objects are delivered again.
    pub fn new(
        processor: Arc<Processor>,
        query: Query,
        start: Start,
        overflow: Overflow,
        resync: Option<Duration>,
    ) -> Self {
        let head = processor.load();
        let mut this = Self {
            ticks: processor.ticks(),
            registration: Registration::new(processor),
            view: View::new(query),
            mode: Mode::Waiting(start),
            cursor: 0,
            pending: VecDeque::new(),
            overflow,
            resync: resync.map(|period| Resync::new(period, rand::random::<f64>)),
        };
        // "Now" is the moment of subscribing, not that of the first read.
        if start == Start::Now && head.snapshot.position().synced {
            this.begin(start, &head);
        }
        this
    }

    /// Where the paces of resync get their randomness from: numbers in [0, 1).
    pub fn with_jitter(mut self, jitter: impl FnMut() -> f64 + Send + 'static) -> Self {
        self.resync = self.resync.map(|resync| resync.with_jitter(jitter));
        self
    }

    /// True if a listener with this filter can continue after `revision` without a snapshot.
    pub fn can_continue(state: &Published, query: &Query, revision: u64) -> bool {
        let position = state.snapshot.position();
        let head = position.revision;
        (position.era_began..=head).contains(&revision)
            && (revision >= state.history.floor(head) || CatchUp::is_possible(state, query, revision))
    }

    /// The revision that the view has reached.
    pub fn revision(&self) -> u64 {
        self.cursor
    }

    /// True if the view is exactly that of [`Listener::revision`], so that it can be resumed from there.
    pub fn is_at_revision(&self) -> bool {
        self.pending.is_empty() && matches!(self.mode, Mode::Replay(_) | Mode::Live)
    }

    /// True while the snapshot is being sent.
    pub fn in_snapshot(&self) -> bool {
        matches!(self.mode, Mode::Snapshot(..) | Mode::Waiting(_))
    }

    /// True while keys that changed are being sent in one event each.
    pub fn in_catch_up(&self) -> bool {
        matches!(self.mode, Mode::CatchUp(_))
    }

    /// Count and hash sum of the objects in the view.
    pub fn digest(&self) -> Digest {
        self.view.digest()
    }

    /// Revisions that the store is ahead.
    pub fn lag(&self) -> u64 {
        let head = self.registration.0.load().snapshot.position().revision;
        head.saturating_sub(self.cursor)
    }

    /// Waits for the next thing to tell. Cancel-safe: a dropped call loses nothing.
    pub async fn next(&mut self, budget: &Budget<'_>) -> Result<Step, Closed> {
        loop {
            let closed = self.ticks.borrow_and_update().closed;
            let head = self.registration.0.load();
            // What was published before closing is still delivered.
            if let Some(step) = self.step(&head, budget) {
                return Ok(step);
            }
            if closed {
                return Err(Closed);
            }
            let waiting = matches!(self.mode, Mode::Waiting(_));
            let due = self.resync.as_ref().filter(|_| !waiting).map(Resync::due);
            tokio::select! {
                changed = self.ticks.changed() => if changed.is_err() { return Err(Closed) },
                () = sleep_until(due) => {}
            }
        }
    }

    fn step(&mut self, head: &Arc<Published>, budget: &Budget<'_>) -> Option<Step> {
        if let Mode::Waiting(start) = self.mode {
            if !head.snapshot.position().synced {
                return None;
            }
            if let Some(step) = self.begin(start, head) {
                return Some(step);
            }
        }
        if !self.pending.is_empty() {
            let mut batch = Batch::default();
            batch.fill(&mut self.pending, budget);
            return Some(self.events(batch.events));
        }
        match &mut self.mode {
            Mode::Waiting(_) => None,
            Mode::Snapshot(state, after) => {
                let (state, after) = (state.clone(), after.clone());
                Some(self.snapshot_step(&state, after, budget))
            }
            Mode::CatchUp(catch_up) => {
                let events = catch_up.events(&mut self.view, budget);
                let complete_to = catch_up.finished();
                if let Some(revision) = complete_to {
                    self.mode = catch_up.then();
                    self.cursor = revision;
                }
                Some(Step::Events {
                    events,
                    continued: false,
                    complete_to,
                })
            }
            Mode::Replay(until) if self.cursor >= *until => {
                self.mode = Mode::Live;
                Some(Step::Synced)
            }
            Mode::Replay(_) | Mode::Live => self.history_step(head, budget),
        }
    }

    /// Decides how to start, now that the informer is synced. `Some` if the wanted position is gone.
    fn begin(&mut self, start: Start, head: &Arc<Published>) -> Option<Step> {
        let revision = head.snapshot.position().revision;
        match start {
            Start::Snapshot => self.mode = Mode::Snapshot(head.clone(), None),
            Start::Now => {
                self.view.take_state(head);
                self.cursor = revision;
                self.mode = Mode::Replay(revision);
            }
            Start::After(from) if !Self::can_continue(head, self.view.query(), from) => return Some(self.reset(head)),
            Start::After(from) => {
                self.cursor = from;
                self.mode = Mode::Replay(revision);
                if from >= head.history.floor(revision) {
                    self.view.take_state_at(head, from);
                } else {
                    return self.overtaken(head);
                }
            }
        }
        None
    }

    fn reset(&mut self, head: &Arc<Published>) -> Step {
        self.pending.clear();
        self.view.clear();
        self.mode = Mode::Snapshot(head.clone(), None);
        Step::Reset
    }

    /// The revision after the cursor is no longer in the history.
    fn overtaken(&mut self, head: &Arc<Published>) -> Option<Step> {
        if self.cursor < head.snapshot.position().era_began {
            self.reset(head);
            return Some(Step::Replaced);
        }
        let allowed = self.overflow == Overflow::Coalesce && self.view.can_catch_up(head, self.cursor);
        if !allowed {
            return Some(self.reset(head));
        }
        let sync_after = matches!(self.mode, Mode::Replay(_));
        self.mode = Mode::CatchUp(CatchUp::new(head.clone(), self.cursor, sync_after));
        None
    }

    /// The client was away for long: where it may be, it gets the latest state of each key instead of every change, even
    /// if the history still has them all.
    pub fn take_latest(&mut self) {
        let head = self.registration.0.load();
        let behind = self.cursor < head.snapshot.position().revision;
        let between = self.pending.is_empty() && matches!(self.mode, Mode::Live | Mode::Replay(_));
        if behind && between && self.overflow == Overflow::Coalesce && self.view.can_catch_up(&head, self.cursor) {
            // Allowed, so it is no reset.
            let _ = self.overtaken(&head);
        }
    }

    fn snapshot_step(&mut self, state: &Arc<Published>, after: Option<ObjectKey>, budget: &Budget<'_>) -> Step {
        let revision = state.snapshot.position().revision;
        let mut batch = Batch::default();
        for object in state.snapshot.select(self.view.query(), after.as_ref()) {
            let delivery = unchanged(EventKind::Added, Cause::Initial, object, revision);
            if !batch.push(delivery, budget) {
                break;
            }
        }
        let events = batch.events;
        for event in &events {
            if let Subject::Object(object) = &event.object {
                self.view.add(object);
            }
        }
        match events.last() {
            Some(last) => {
                self.mode = Mode::Snapshot(state.clone(), Some(last.object.key().clone()));
                Step::Events {
                    events,
                    continued: false,
                    complete_to: None,
                }
            }
            None => {
                self.cursor = revision;
                self.mode = Mode::Live;
                Step::Synced
            }
        }
    }

    fn history_step(&mut self, head: &Arc<Published>, budget: &Budget<'_>) -> Option<Step> {
        let newest = head.snapshot.position().revision;
        let mut batch = Batch::default();
        while self.cursor < newest {
            let Some(revision) = head.history.after(self.cursor) else {
                // Only the front of the ring is ever missing, so nothing was gathered before.
                return self.overtaken(head).or_else(|| self.step(head, budget));
            };
            self.take(revision);
            if !batch.fill(&mut self.pending, budget) {
                return Some(self.events(batch.events));
            }
            if matches!(self.mode, Mode::Replay(until) if self.cursor >= until) {
                break;
            }
        }
        if !batch.events.is_empty() {
            return Some(self.events(batch.events));
        }
        if matches!(self.mode, Mode::Replay(until) if self.cursor >= until) {
            self.mode = Mode::Live;
            return Some(Step::Synced);
        }
        let events = self.resync.as_mut()?.events(head, &self.view, self.cursor, budget);
        (!events.is_empty()).then_some(Step::Events {
            events,
            continued: false,
            complete_to: Some(self.cursor),
        })
    }

    /// Takes a revision out of the history: from now on the view is that after it.
    fn take(&mut self, revision: &Arc<Revision>) {
        self.view.apply(revision);
        self.pending.extend(revision.deliveries(self.view.query()));
        self.cursor = revision.number;
    }

    fn events(&self, events: Vec<Delivery>) -> Step {
        // What is pending belongs to revision `cursor`: if the last event does too, its group goes on.
        let continued = match (self.pending.front(), events.last()) {
            (Some(next), Some(last)) => next.revision == last.revision,
            _ => false,
        };
        Step::Events {
            continued,
            complete_to: match (self.pending.front(), events.last()) {
                (None, _) => Some(self.cursor),
                (Some(next), Some(last)) if next.revision != last.revision => Some(next.revision - 1),
                _ => None,
            },
            events,
        }
    }
}

/// An object as it stands in the store.
fn unchanged(kind: EventKind, cause: Cause, object: &Arc<Object>, revision: u64) -> Delivery {
    Delivery {
        kind,
        cause,
        object: Subject::Object(object.clone()),
        old: None,
        revision,
        resource_version: object.resource_version().clone(),
        final_state_unknown: false,
        recreated: false,
    }
}

async fn sleep_until(due: Option<Instant>) {
    match due {
        Some(due) => tokio::time::sleep_until(due).await,
        None => std::future::pending().await,
    }
}
