//! A client's view, built from nothing but what a stream says, with the contract checked at each step:
//!
//! - ADDED is for keys that are not in the view, UPDATED and DELETED for those that are;
//! - what is said about a key never goes back and never repeats: its positions rise;
//! - revisions rise, except inside an atomic group (a relist, a recreated object), which has one;
//! - `synced` and `bookmark` carry count and digest of exactly this view;
//! - after `reset` everything that does not come again until `synced` is gone.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use support::object_hash;

/// `namespace/name`.
pub(crate) type Key = String;

/// Which object, in which state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) uid: String,
    pub(crate) version: u64,
}

/// Keys and states of a set of objects.
pub(crate) type View = BTreeMap<Key, State>;

/// What a delta says; the names are those of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Added,
    Updated,
    Deleted,
}

/// One delta.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Delta {
    pub(crate) kind: Kind,
    pub(crate) cause: String,
    pub(crate) key: Key,
    /// For Deleted the last state that was seen.
    pub(crate) state: State,
    /// Position of the API server.
    pub(crate) position: u64,
    pub(crate) revision: u64,
    /// The previous state's version, where it was sent.
    pub(crate) old_version: Option<u64>,
    pub(crate) final_state_unknown: bool,
    pub(crate) recreated: bool,
}

/// One thing that a stream says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Item {
    Delta(Delta),
    Created { mode: String },
    Reset { reason: String },
    Synced { count: u64, digest: u64, revision: u64 },
    Bookmark { count: u64, digest: u64, revision: u64 },
    Terminating { reason: String },
}

/// The view and what it needs to check the next step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Replay {
    view: View,
    /// Newest position of each key, also of deleted ones.
    said: HashMap<Key, u64>,
    revision: u64,
    /// The last delta, whose group may go on.
    last: Option<Delta>,
    /// Between `reset` and `synced`: the keys that have come.
    sweep: Option<BTreeSet<Key>>,
    synced: bool,
    pub(crate) deltas: usize,
}

// === impl Delta ===

impl Delta {
    /// Kind, key, uid and position: what the API server says about a change, too.
    pub(crate) fn change(&self) -> Change {
        Change {
            kind: self.kind,
            key: self.key.clone(),
            uid: self.state.uid.clone(),
            position: self.position,
        }
    }
}

/// A change as both the API server and informerd tell it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Change {
    pub(crate) kind: Kind,
    pub(crate) key: Key,
    pub(crate) uid: String,
    pub(crate) position: u64,
}

// === impl Replay ===

impl Replay {
    /// Continues from the view of an earlier stream.
    pub(crate) fn resumed(mut self) -> Self {
        self.synced = false;
        self.last = None;
        self
    }

    pub(crate) fn view(&self) -> &View {
        &self.view
    }

    pub(crate) fn synced(&self) -> bool {
        self.synced
    }

    pub(crate) fn revision(&self) -> u64 {
        self.revision
    }

    /// The newest position of any key.
    pub(crate) fn newest(&self) -> u64 {
        self.said.values().copied().max().unwrap_or(0)
    }

    /// Applies one item; an error says which rule of the contract it breaks.
    pub(crate) fn apply(&mut self, item: &Item) -> Result<(), String> {
        match item {
            Item::Delta(delta) => self.delta(delta).map_err(|why| format!("{why}: {delta:?}"))?,
            Item::Reset { .. } => {
                self.sweep = Some(BTreeSet::new());
                self.synced = false;
                self.last = None;
                // Revisions of another epoch do not compare.
                self.revision = 0;
            }
            Item::Synced {
                count,
                digest,
                revision,
            } => {
                if let Some(came) = self.sweep.take() {
                    self.view.retain(|key, _| came.contains(key));
                }
                self.synced = true;
                self.proof(*count, *digest, *revision)?;
            }
            Item::Bookmark {
                count,
                digest,
                revision,
            } => self.proof(*count, *digest, *revision)?,
            Item::Created { .. } | Item::Terminating { .. } => {}
        }
        Ok(())
    }

    fn delta(&mut self, delta: &Delta) -> Result<(), &'static str> {
        self.deltas += 1;
        let group = |last: &Delta| {
            last.revision == delta.revision
                && last.cause == delta.cause
                && (delta.cause == "INITIAL" || delta.cause == "REPLACED" || delta.recreated)
        };
        if delta.revision <= self.revision && !self.last.as_ref().is_some_and(group) {
            return Err("a revision comes again or goes back");
        }
        self.revision = delta.revision;
        self.last = Some(delta.clone());
        let before = self.said.insert(delta.key.clone(), delta.position);
        if let Some(came) = &mut self.sweep {
            if delta.kind != Kind::Added {
                return Err("not an object of a snapshot");
            }
            if before.is_some_and(|before| delta.position < before) {
                return Err("a key goes back");
            }
            if !came.insert(delta.key.clone()) {
                return Err("a key twice in a snapshot");
            }
            self.view.insert(delta.key.clone(), delta.state.clone());
            return Ok(());
        }
        // Both halves of a recreated pair stand at the position of its relist, if one found it.
        let pair = delta.recreated && delta.cause == "REPLACED";
        if before.is_some_and(|before| delta.position < before || (delta.position == before && !pair)) {
            return Err("a key's position does not rise");
        }
        let held = match delta.kind {
            Kind::Added | Kind::Updated => self.view.insert(delta.key.clone(), delta.state.clone()),
            Kind::Deleted => self.view.remove(&delta.key),
        };
        match (delta.kind, held) {
            (Kind::Added, None) => Ok(()),
            (Kind::Added, Some(_)) => Err("ADDED for an object of the view"),
            (Kind::Updated | Kind::Deleted, None) => Err("a change of an object that is not in the view"),
            (_, Some(held)) if held.uid != delta.state.uid => Err("a change of another object of this name"),
            (Kind::Updated, Some(held)) if held.version >= delta.state.version => Err("an older state"),
            (Kind::Updated, Some(held)) if delta.old_version.is_some_and(|old| old != held.version) => {
                Err("the old object is not the one of the view")
            }
            _ => Ok(()),
        }
    }

    fn proof(&mut self, count: u64, digest: u64, revision: u64) -> Result<(), String> {
        let mine = (self.view.len() as u64, digest_of(&self.view));
        if mine != (count, digest) {
            return Err(format!("the view is {mine:x?}, the stream says {count:x} {digest:x}"));
        }
        if revision < self.revision {
            return Err(format!("at revision {}, the stream says {revision}", self.revision));
        }
        self.revision = revision;
        Ok(())
    }
}

/// The digest that the contract documents.
pub(crate) fn digest_of(view: &View) -> u64 {
    let hash = |(key, state): (&Key, &State)| object_hash(key, &state.uid, state.version);
    view.iter().map(hash).fold(0, u64::wrapping_add)
}
