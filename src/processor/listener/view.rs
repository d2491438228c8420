//! What the client holds if it has applied everything delivered: its digest, and where that can be needed its keys.

use std::{
    collections::HashSet,
    sync::atomic::{AtomicU64, Ordering},
};

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
    held: Option<Held>,
    budget: &'static KeyBudget,
}

/// Bounds the keys that all listeners of the process remember together. One that finds no room forgets its own: it works on,
/// but where it is overtaken it is reset.
#[derive(Debug)]
pub(super) struct KeyBudget {
    most: u64,
    taken: AtomicU64,
}

struct Held {
    keys: HashSet<u64>,
    budget: &'static KeyBudget,
}

/// 16 million keys take about 300 MiB.
static SENT_KEYS: KeyBudget = KeyBudget::new(16 << 20);

// === impl View ===

impl View {
    pub(super) fn new(query: Query) -> Self {
        Self::bounded(query, &SENT_KEYS)
    }

    fn bounded(query: Query, budget: &'static KeyBudget) -> Self {
        Self {
            held: query.is_mutable().then(|| Held::new(budget)),
            query,
            digest: Digest::default(),
            budget,
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
        // From an empty view it can be tried again.
        self.held = self.query.is_mutable().then(|| Held::new(self.budget));
    }

    pub(super) fn add(&mut self, object: &Object) {
        self.digest.add(object);
        if let Some(held) = &mut self.held {
            held.insert(hash(&object.key));
            if self.budget.is_exceeded() {
                self.held = None;
            }
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
        self.held.as_ref().map(|held| held.keys.contains(&hash(key)))
    }

    /// Remembers that a key is in the view, or is not. Inside a catch-up, which needs what is remembered until its end.
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

// === impl KeyBudget ===

impl KeyBudget {
    const fn new(most: u64) -> Self {
        Self {
            most,
            taken: AtomicU64::new(0),
        }
    }

    fn is_exceeded(&self) -> bool {
        self.taken.load(Ordering::Relaxed) > self.most
    }
}

// === impl Held ===

impl Held {
    fn new(budget: &'static KeyBudget) -> Self {
        Self {
            keys: HashSet::new(),
            budget,
        }
    }

    fn insert(&mut self, key: u64) {
        if self.keys.insert(key) {
            self.budget.taken.fetch_add(1, Ordering::Relaxed);
        }
    }

    fn remove(&mut self, key: &u64) {
        if self.keys.remove(key) {
            self.budget.taken.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.budget.taken.fetch_sub(self.keys.len() as u64, Ordering::Relaxed);
    }
}

fn hash(key: &ObjectKey) -> u64 {
    let mut hash = Fnv64::default();
    hash.update(key.namespace().as_bytes());
    hash.update(b"/");
    hash.update(key.name().as_bytes());
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        object::{PointerSet, Scanner, Transform, TypeMeta},
        store::{Indexes, QuerySpec},
    };

    static SMALL: KeyBudget = KeyBudget::new(3);

    #[test]
    fn p1_listeners_together_remember_no_more_keys_than_the_bound_and_give_them_back() {
        let scanner = Scanner::new(TypeMeta::new("v1", "Pod"), Transform::none(), PointerSet::default());
        let object = |name: &str| {
            let raw = format!(r#"{{"metadata":{{"name":"{name}","labels":{{"a":"b"}}}}}}"#);
            scanner.scan(raw.as_bytes()).unwrap()
        };
        let spec = QuerySpec {
            label_selector: "a=b".into(),
            ..QuerySpec::default()
        };
        let query = Query::compile(&spec, &Indexes::default()).unwrap();
        let taken = || SMALL.taken.load(Ordering::Relaxed);
        let mut first = View::bounded(query.clone(), &SMALL);
        let mut second = View::bounded(query, &SMALL);
        for name in ["x", "y"] {
            first.add(&object(name));
            // Once is enough.
            first.add(&object(name));
        }
        second.add(&object("x"));
        assert_eq!((taken(), second.held.is_some()), (3, true));
        // The one that finds no room forgets; the other keeps what it has.
        second.add(&object("y"));
        assert_eq!((taken(), second.held.is_some(), first.held.is_some()), (2, false, true));
        // After a reset it tries again.
        second.clear();
        second.add(&object("z"));
        assert_eq!((taken(), second.held.is_some()), (3, true));
        first.remove(&object("x"));
        assert_eq!(taken(), 2);
        drop((first, second));
        assert_eq!(taken(), 0);
    }
}
