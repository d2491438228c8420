//! Changes as the history keeps them and as a listener sees them through its filter.

use std::sync::Arc;

use tokio::time::Instant;

use crate::{
    object::{Object, ObjectKey, ResourceVersion},
    store::{Query, Tombstone},
};

/// What happened to an object in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// It was not there before.
    Added,
    /// It was there in another state.
    Updated,
    /// It is gone.
    Deleted,
}

/// Why an event is delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Part of a snapshot.
    Initial,
    /// The watch told it.
    Live,
    /// A relist found it.
    Replaced,
    /// Resync period.
    Resync,
    /// It entered or left the filter.
    Selector,
    /// The listener was overtaken: any number of changes of the object are folded into this one.
    CatchUp,
}

/// One change of one object.
#[derive(Clone, Debug)]
pub struct Change {
    /// What happened.
    pub kind: ChangeKind,
    /// The new state; for Deleted the last state that the API server told.
    pub object: Arc<Object>,
    /// The state that the store held before.
    pub old: Option<Arc<Object>>,
    /// Deleted, but nobody saw the last state (client-go's DeletedFinalStateUnknown).
    pub final_state_unknown: bool,
    /// The key has passed to an object with another uid.
    pub recreated: bool,
}

/// All changes of one step of the store: one change, a recreated pair, or a whole relist. Applied atomically.
#[derive(Debug)]
pub struct Revision {
    /// Its number; gapless.
    pub number: u64,
    /// Live or Replaced.
    pub cause: Cause,
    /// The API server's position after it.
    pub resource_version: ResourceVersion,
    /// When it was applied.
    pub at: Instant,
    /// The changes, deletions first (row C3).
    pub changes: Box<[Change]>,
}

/// What an event is about.
#[derive(Clone, Debug)]
pub enum Subject {
    /// A state of an object.
    Object(Arc<Object>),
    /// An object whose last state is no longer kept (only for Deleted with cause CatchUp).
    Gone(Arc<Tombstone>),
}

/// What to do with a delivered event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventKind {
    /// New to this listener.
    Added,
    /// Changed.
    Updated,
    /// Gone from this listener's view.
    Deleted,
    /// Nothing changed: resync.
    Resync,
}

/// An event as one listener sees it.
#[derive(Clone, Debug)]
pub struct Delivery {
    /// What to do.
    pub kind: EventKind,
    /// Why.
    pub cause: Cause,
    /// The object; for Deleted its last known state.
    pub object: Subject,
    /// For Updated the previous state.
    pub old: Option<Arc<Object>>,
    /// Revision of the store.
    pub revision: u64,
    /// Position of the API server.
    pub resource_version: ResourceVersion,
    /// See [`Change`].
    pub final_state_unknown: bool,
    /// See [`Change`].
    pub recreated: bool,
}

// === impl Subject ===

impl Subject {
    /// Its key.
    pub fn key(&self) -> &ObjectKey {
        match self {
            Self::Object(object) => &object.key,
            Self::Gone(tombstone) => &tombstone.key,
        }
    }

    /// Its version.
    pub fn resource_version(&self) -> &ResourceVersion {
        match self {
            Self::Object(object) => object.resource_version(),
            Self::Gone(tombstone) => &tombstone.resource_version,
        }
    }
}

// === impl Change ===

impl Change {
    /// Bytes that only the history keeps alive: states that the store no longer holds.
    fn cost(&self) -> usize {
        let old = self.old.as_ref().map_or(0, |o| o.cost());
        match self.kind {
            ChangeKind::Deleted => old.max(self.object.cost()),
            ChangeKind::Added | ChangeKind::Updated => old,
        }
    }
}

// === impl Revision ===

impl Revision {
    /// Bytes that it keeps alive.
    pub fn cost(&self) -> usize {
        size_of::<Self>()
            + self
                .changes
                .iter()
                .map(|c| size_of::<Change>() + c.cost())
                .sum::<usize>()
    }

    /// Length of the states that came with it.
    pub(super) fn fresh(&self) -> usize {
        self.changes.iter().map(|c| c.object.body().len()).sum()
    }

    /// Packs what the store still holds of it.
    pub(super) fn settle(&self) {
        for change in &self.changes {
            if change.kind != ChangeKind::Deleted && Arc::strong_count(&change.object) > 1 {
                change.object.body().settle();
            }
        }
    }

    /// What a listener with this filter sees of it. An update can enter or leave the filter: both states are matched.
    pub fn deliveries<'a>(&'a self, query: &'a Query) -> impl Iterator<Item = Delivery> + 'a {
        self.changes.iter().filter_map(|change| {
            let was = change.old.as_deref().is_some_and(|o| query.matches(o));
            let (kind, cause, object, old) = match change.kind {
                ChangeKind::Deleted if was => (EventKind::Deleted, self.cause, &change.object, None),
                ChangeKind::Deleted => return None,
                ChangeKind::Added | ChangeKind::Updated => match (was, query.matches(&change.object)) {
                    (true, true) => (EventKind::Updated, self.cause, &change.object, change.old.clone()),
                    // The last state that matched.
                    (true, false) => (EventKind::Deleted, Cause::Selector, change.old.as_ref()?, None),
                    (false, true) if change.old.is_some() => (EventKind::Added, Cause::Selector, &change.object, None),
                    (false, true) => (EventKind::Added, self.cause, &change.object, None),
                    (false, false) => return None,
                },
            };
            Some(Delivery {
                kind,
                cause,
                object: Subject::Object(object.clone()),
                old,
                revision: self.number,
                resource_version: self.resource_version.clone(),
                final_state_unknown: change.final_state_unknown,
                recreated: change.recreated,
            })
        })
    }

    /// What the change does to the digest of a view: the states that it removes and adds.
    pub(super) fn digest_steps<'a>(
        &'a self,
        query: &'a Query,
    ) -> impl Iterator<Item = (Option<&'a Object>, Option<&'a Object>)> + 'a {
        self.changes.iter().map(|change| {
            let old = change.old.as_deref().filter(|o| query.matches(o));
            let new = (change.kind != ChangeKind::Deleted)
                .then_some(&*change.object)
                .filter(|o| query.matches(o));
            (old, new)
        })
    }
}
