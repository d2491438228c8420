//! One subscriber: a cursor into the history and a filter.
//!
//! ```text
//!   (not synced) ──▶ SNAPSHOT ──▶ LIVE ◀──▶ REPLAY (cursor inside the ring)
//!                        ▲                    │
//!                        └────── RESET ◀──────┘ cursor fell out of the ring
//! ```
//!
//! A slow listener costs its cursor, and nobody else anything.

use std::{collections::VecDeque, sync::Arc, time::Duration};

use tokio::{sync::watch, time::Instant};

use super::{Cause, Closed, Delivery, EventKind, Processor, Published, Registration, Revision, Tick};
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

/// How much one step may deliver.
pub struct Budget<'a> {
    /// Most events.
    pub events: usize,
    /// Most bytes, unless one event alone is larger.
    pub bytes: usize,
    /// Bytes of an event as it will be sent.
    pub size_of: &'a (dyn Fn(&Delivery) -> usize + Send + Sync),
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
        /// The listener has seen everything up to this revision; `None` inside a snapshot or group.
        complete_to: Option<u64>,
    },
    /// The view equals the store at the listener's revision: the snapshot, or the replay, is complete.
    Synced,
    /// The cursor fell out of the history: a snapshot follows.
    Reset,
}

/// A subscriber of one informer.
pub struct Listener {
    registration: Registration,
    ticks: watch::Receiver<Tick>,
    query: Query,
    mode: Mode,
    /// Everything up to this revision was taken from the history.
    cursor: u64,
    /// Taken from the history and not delivered yet: the rest of the group of revision `cursor`.
    pending: VecDeque<Delivery>,
    digest: Digest,
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
}

struct Resync {
    period: Duration,
    due: Instant,
    /// A pass is under way and has delivered up to this key.
    pass: Option<Option<ObjectKey>>,
}

/// Events gathered for one step.
#[derive(Default)]
struct Batch {
    events: Vec<Delivery>,
    bytes: usize,
}

// === impl Listener ===

impl Listener {
    /// Subscribes. `resync` is the period at which all objects are delivered again.
    pub fn new(processor: Arc<Processor>, query: Query, start: Start, resync: Option<Duration>) -> Self {
        let head = processor.load();
        let mut this = Self {
            ticks: processor.ticks(),
            registration: Registration::new(processor),
            query,
            mode: Mode::Waiting(start),
            cursor: 0,
            pending: VecDeque::new(),
            digest: Digest::default(),
            resync: resync.map(|period| Resync {
                period,
                due: Instant::now() + period,
                pass: None,
            }),
        };
        // "Now" is the moment of subscribing, not that of the first read.
        if start == Start::Now && head.snapshot.position().synced {
            this.begin(start, &head);
        }
        this
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

    /// Count and hash sum of the objects in the view.
    pub fn digest(&self) -> Digest {
        self.digest
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
            let due = self
                .resync
                .as_ref()
                .filter(|_| !matches!(self.mode, Mode::Waiting(_)))
                .map(|r| r.due);
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
            return Some(self.take_pending(budget));
        }
        match &self.mode {
            Mode::Waiting(_) => None,
            Mode::Snapshot(state, after) => {
                let (state, after) = (state.clone(), after.clone());
                Some(self.snapshot_step(&state, after, budget))
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
                self.digest = digest_of(head, &self.query);
                self.cursor = revision;
                self.mode = Mode::Replay(revision);
            }
            Start::After(from) if from > revision || from < head.history.floor(revision) => {
                return Some(self.reset(head));
            }
            Start::After(from) => {
                // The view at `from` is today's minus what has happened since.
                let mut digest = digest_of(head, &self.query);
                let mut at = from;
                while let Some(next) = head.history.after(at) {
                    for (old, new) in next.digest_steps(&self.query) {
                        new.inspect(|o| digest.remove(o));
                        old.inspect(|o| digest.add(o));
                    }
                    at = next.number;
                }
                self.digest = digest;
                self.cursor = from;
                self.mode = Mode::Replay(revision);
            }
        }
        None
    }

    fn reset(&mut self, head: &Arc<Published>) -> Step {
        self.pending.clear();
        self.digest = Digest::default();
        self.mode = Mode::Snapshot(head.clone(), None);
        Step::Reset
    }

    fn snapshot_step(&mut self, state: &Arc<Published>, after: Option<ObjectKey>, budget: &Budget<'_>) -> Step {
        let position = state.snapshot.position();
        let mut batch = Batch::default();
        for object in state.snapshot.select(&self.query, after.as_ref()) {
            let delivery = unchanged(EventKind::Added, Cause::Initial, object, position.revision);
            if !batch.has_room(&delivery, budget) {
                break;
            }
            self.digest.add(object);
            batch.events.push(delivery);
        }
        let events = batch.events;
        match events.last() {
            Some(last) => {
                self.mode = Mode::Snapshot(state.clone(), Some(last.object.key.clone()));
                Step::Events {
                    events,
                    continued: false,
                    complete_to: None,
                }
            }
            None => {
                self.cursor = position.revision;
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
                return Some(self.reset(head));
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
        self.resync_step(head, budget)
    }

    /// Takes a revision out of the history: from now on the digest is that of the view after it.
    fn take(&mut self, revision: &Arc<Revision>) {
        for (old, new) in revision.digest_steps(&self.query) {
            old.inspect(|o| self.digest.remove(o));
            new.inspect(|o| self.digest.add(o));
        }
        self.pending.extend(revision.deliveries(&self.query));
        self.cursor = revision.number;
    }

    fn take_pending(&mut self, budget: &Budget<'_>) -> Step {
        let mut batch = Batch::default();
        batch.fill(&mut self.pending, budget);
        self.events(batch.events)
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

    /// Resync (rows H13, H14) happens only while the view is the newest, so that what is sent again is what the client
    /// holds; a change in between is delivered first and the pass goes on behind its last key.
    fn resync_step(&mut self, head: &Arc<Published>, budget: &Budget<'_>) -> Option<Step> {
        let resync = self.resync.as_mut()?;
        let now = Instant::now();
        if resync.pass.is_none() {
            if now < resync.due {
                return None;
            }
            resync.pass = Some(None);
            resync.due = now + resync.period;
        }
        let after = resync.pass.clone().flatten();
        let mut batch = Batch::default();
        for object in head.snapshot.select(&self.query, after.as_ref()) {
            let delivery = unchanged(EventKind::Resync, Cause::Resync, object, self.cursor);
            if !batch.has_room(&delivery, budget) {
                break;
            }
            batch.events.push(delivery);
        }
        let events = batch.events;
        resync.pass = events.last().map(|last| Some(last.object.key.clone()));
        (!events.is_empty()).then_some(Step::Events {
            events,
            continued: false,
            complete_to: Some(self.cursor),
        })
    }
}

// === impl Batch ===

impl Batch {
    /// Counts an event; false if it does not fit any more. The first always fits.
    fn has_room(&mut self, next: &Delivery, budget: &Budget<'_>) -> bool {
        self.bytes += (budget.size_of)(next);
        self.events.is_empty() || (self.bytes <= budget.bytes && self.events.len() < budget.events)
    }

    /// Takes what fits; false if something is left.
    fn fill(&mut self, pending: &mut VecDeque<Delivery>, budget: &Budget<'_>) -> bool {
        while let Some(next) = pending.front() {
            if !self.has_room(next, budget) {
                return false;
            }
            self.events.extend(pending.pop_front());
        }
        true
    }
}

/// An object as it stands in the store.
fn unchanged(kind: EventKind, cause: Cause, object: &Arc<Object>, revision: u64) -> Delivery {
    Delivery {
        kind,
        cause,
        object: object.clone(),
        old: None,
        revision,
        resource_version: object.resource_version().clone(),
        final_state_unknown: false,
        recreated: false,
    }
}

fn digest_of(state: &Published, query: &Query) -> Digest {
    let mut digest = Digest::default();
    for object in state.snapshot.select(query, None) {
        digest.add(object);
    }
    digest
}

async fn sleep_until(due: Option<Instant>) {
    match due {
        Some(due) => tokio::time::sleep_until(due).await,
        None => std::future::pending().await,
    }
}
