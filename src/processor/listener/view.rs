//! What the client holds if it has applied everything delivered: its digest, and where that can be needed its keys.

use std::collections::HashSet;

use super::CatchUp;
use crate::{
    hash::Fnv64,
    object::{Digest, Object, ObjectKey},
    processor::{Published, Revision},
    store::Query,
};

/// A client's view through a filter.
pub(super) struct View {
    query: Query,
    digest: Digest,
    /// Hashes of the keys in the view, kept only if an object can leave the filter while it lives: without them a catch-up
    /// could not tell who has left. 8 bytes for each object in the view; equal hashes of two keys cost a superfluous event.
    held: Option<HashSet<u64>>,
}

// === impl View ===

impl View {
    pub(super) fn new(query: Query) -> Self {
        Self {
            held: query.is_mutable().then(HashSet::new),
            query,
            digest: Digest::default(),
        }
    }

    pub(super) fn query(&self) -> &Query {
        &self.query
    }

    pub(super) fn digest(&self) -> Digest {
        self.digest
    }

    pub(super) fn set_digest(&mut self, digest: Digest) {
        self.digest = digest;
    }

    pub(super) fn clear(&mut self) {
        self.digest = Digest::default();
        if let Some(held) = &mut self.held {
            held.clear();
        }
    }

    pub(super) fn add(&mut self, object: &Object) {
        self.digest.add(object);
        if let Some(held) = &mut self.held {
            held.insert(hash(&object.key));
        }
    }

    pub(super) fn remove(&mut self, object: &Object) {
        self.digest.remove(object);
        if let Some(held) = &mut self.held {
            held.remove(&hash(&object.key));
        }
    }

    /// The view is that of this state.
    pub(super) fn take_state(&mut self, state: &Published) {
        let query = self.query.clone();
        for object in state.snapshot.select(&query, None) {
            self.add(object);
        }
    }

    /// The view is that of an earlier revision, which the history still reaches: today's, minus what has happened since,
    /// newest first.
    pub(super) fn take_state_at(&mut self, state: &Published, revision: u64) {
        self.take_state(state);
        let mut since = Vec::new();
        let mut at = revision;
        while let Some(next) = state.history.after(at) {
            since.push(next.clone());
            at = next.number;
        }
        let query = self.query.clone();
        for undone in since.iter().rev() {
            for (old, new) in undone.digest_steps(&query).collect::<Vec<_>>().into_iter().rev() {
                new.inspect(|o| self.remove(o));
                old.inspect(|o| self.add(o));
            }
        }
    }

    /// The view moves over a revision.
    pub(super) fn apply(&mut self, revision: &Revision) {
        let query = self.query.clone();
        for (old, new) in revision.digest_steps(&query) {
            old.inspect(|o| self.remove(o));
            new.inspect(|o| self.add(o));
        }
    }

    /// True if what changed after `revision` is known, and who was in the view then.
    pub(super) fn can_catch_up(&self, state: &Published, revision: u64) -> bool {
        state.snapshot.changes().reach_back_to(revision)
            && (self.held.is_some() || CatchUp::is_possible(state, &self.query, revision))
    }

    /// Whether a key was in the view; `None` if that follows from the key and the age of the object.
    pub(super) fn holds(&self, key: &ObjectKey) -> Option<bool> {
        self.held.as_ref().map(|held| held.contains(&hash(key)))
    }

    /// Remembers that a key is in the view, or is not.
    pub(super) fn set_held(&mut self, key: &ObjectKey, held_now: bool) {
        if let Some(held) = &mut self.held {
            if held_now {
                held.insert(hash(key));
            } else {
                held.remove(&hash(key));
            }
        }
    }
}

fn hash(key: &ObjectKey) -> u64 {
    let mut hash = Fnv64::default();
    hash.update(key.namespace().as_bytes());
    hash.update(b"/");
    hash.update(key.name().as_bytes());
    hash.finish()
}
