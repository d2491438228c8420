//! A listener that the history has overtaken gets the latest state of each key that has changed since, oldest change first,
//! deletions included. It walks one immutable state, so it always comes to an end however fast the store changes, and what the
//! listener cost while it slept was its cursor.

use std::{collections::HashSet, sync::Arc};

use super::{Batch, Budget, Mode, View};
use crate::{
    object::Object,
    processor::{Cause, Delivery, EventKind, Published, Subject},
    store::{Query, Slot, Tombstone},
};

/// A catch-up under way.
pub(super) struct CatchUp {
    state: Arc<Published>,
    from: u64,
    /// The last live object looked at: revision of its change, slot.
    live: (u64, u32),
    /// The next tombstone to look at.
    dead: usize,
    /// Slots of objects that have taken over the key of one whose end was told.
    heirs: HashSet<u32>,
    sync_after: bool,
    finished: bool,
}

enum Next<'a> {
    Live((u64, u32), &'a Slot),
    Dead(&'a Arc<Tombstone>),
}

// === impl CatchUp ===

impl CatchUp {
    /// True if a listener that has only its cursor can be caught up: the changes are known, and who was in the view follows
    /// from key and age alone.
    pub(super) fn is_possible(state: &Published, query: &Query, revision: u64) -> bool {
        !query.is_mutable() && state.snapshot.changes().reach_back_to(revision)
    }

    pub(super) fn new(state: Arc<Published>, from: u64, sync_after: bool) -> Self {
        Self {
            dead: state.snapshot.changes().tombstones_after(from),
            state,
            from,
            live: (from, u32::MAX),
            heirs: HashSet::new(),
            sync_after,
            finished: false,
        }
    }

    /// The next events. Moves the view; when there is nothing left the view is that of the state.
    pub(super) fn events(&mut self, view: &mut View, budget: &Budget<'_>) -> Vec<Delivery> {
        let state = self.state.clone();
        let mut batch = Batch::default();
        while let Some(next) = self.peek(&state) {
            let (delivery, key, held) = match &next {
                Next::Live((_, at), slot) => {
                    let was = view.holds(&slot.object.key).unwrap_or(slot.created <= self.from);
                    let is = view.query().matches(&slot.object);
                    let recreated = self.heirs.contains(at);
                    let delivery = self.live_event(slot, was, is).map(|d| Delivery { recreated, ..d });
                    (delivery, &slot.object.key, is)
                }
                Next::Dead(tombstone) => {
                    let was = view.holds(&tombstone.key).unwrap_or_else(|| {
                        // Came and went unseen, or is not wanted at all: nothing to tell.
                        tombstone.created <= self.from && view.query().matches_key(&tombstone.key)
                    });
                    let heir = was.then(|| self.heir(tombstone)).flatten();
                    self.heirs.extend(heir);
                    let delivery = was.then(|| Delivery {
                        recreated: heir.is_some(),
                        ..self.event(
                            EventKind::Deleted,
                            Subject::Gone((*tombstone).clone()),
                            tombstone.deleted,
                        )
                    });
                    (delivery, &tombstone.key, false)
                }
            };
            if let Some(delivery) = delivery
                && !batch.push(delivery, budget)
            {
                return batch.events;
            }
            view.set_held(key, held);
            match next {
                Next::Live(position, _) => self.live = position,
                Next::Dead(_) => self.dead += 1,
            }
        }
        view.set_digest(state.snapshot.digest(view.query()));
        self.finished = true;
        batch.events
    }

    /// The revision reached, once there is nothing left.
    pub(super) fn finished(&self) -> Option<u64> {
        self.finished.then(|| self.state.snapshot.position().revision)
    }

    /// How the listener goes on.
    pub(super) fn then(&self) -> Mode {
        if self.sync_after {
            Mode::Replay(self.state.snapshot.position().revision)
        } else {
            Mode::Live
        }
    }

    /// Whichever changed first; of one revision the deletions (row C3).
    fn peek<'s>(&self, state: &'s Published) -> Option<Next<'s>> {
        let changes = state.snapshot.changes();
        let live = changes
            .live_after(self.live)
            .and_then(|at| Some((at, state.snapshot.slot(at.1)?)));
        match (live, changes.tombstone(self.dead)) {
            (Some((at, slot)), Some(tombstone)) if at.0 < tombstone.deleted => Some(Next::Live(at, slot)),
            (_, Some(tombstone)) => Some(Next::Dead(tombstone)),
            (Some((at, slot)), None) => Some(Next::Live(at, slot)),
            (None, None) => None,
        }
    }

    /// The slot of the object to which the key has passed in the same step (row C5).
    fn heir(&self, tombstone: &Tombstone) -> Option<u32> {
        let (at, _) = self.state.snapshot.slot_of(&tombstone.key)?;
        let slot = self.state.snapshot.slot(at)?;
        (slot.created == tombstone.deleted).then_some(at)
    }

    fn live_event(&self, slot: &Slot, was: bool, is: bool) -> Option<Delivery> {
        let object = || Subject::Object(slot.object.clone());
        match (was, is) {
            (true, true) => Some(self.event(EventKind::Updated, object(), slot.changed)),
            (false, true) => Some(self.event(EventKind::Added, object(), slot.changed)),
            // Left the filter; its last matching state is not kept.
            (true, false) => {
                let gone = Subject::Gone(Arc::new(departed(slot)));
                Some(self.event(EventKind::Deleted, gone, slot.changed))
            }
            (false, false) => None,
        }
    }

    /// `revision` is that of the last of the changes that are folded into the event.
    fn event(&self, kind: EventKind, object: Subject, revision: u64) -> Delivery {
        Delivery {
            kind,
            cause: Cause::CatchUp,
            resource_version: object.resource_version().clone(),
            object,
            old: None,
            revision,
            final_state_unknown: false,
            recreated: false,
        }
    }
}

fn departed(slot: &Slot) -> Tombstone {
    let object: &Object = &slot.object;
    Tombstone {
        key: object.key.clone(),
        uid: object.meta.uid.clone(),
        resource_version: object.resource_version().clone(),
        created: slot.created,
        deleted: slot.changed,
    }
}
