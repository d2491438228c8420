//! From an informer's events to keys.

use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};

use super::{LiveQueue, SourceSpec};
use crate::{
    object::{Object, ObjectKey},
    processor::{Budget, Cause, Delivery, EventKind, Listener, Overflow, Start, Step, Subject},
    queue::Add,
};

/// Compares the old and the new object of an update (row E4).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Predicate {
    /// metadata.generation changed.
    GenerationChanged,
    /// metadata.labels changed.
    LabelsChanged,
    /// metadata.annotations changed.
    AnnotationsChanged,
    /// metadata.resourceVersion changed.
    ResourceVersionChanged,
}

/// What a source has made keys of: needed where an object's last state is not kept any more.
struct Feed {
    source: SourceSpec,
    /// The keys of each object in the view; none stands for its own key.
    known: HashMap<ObjectKey, Box<[ObjectKey]>>,
    /// After a reset: objects that the new snapshot has not confirmed.
    unconfirmed: Option<HashSet<ObjectKey>>,
}

/// Events taken from the listener at once.
const BATCH: usize = 1000;

/// Feeds a queue from one informer until that is deleted. A listener that is overtaken gets each key that changed once, which
/// is all that a queue wants.
pub(super) async fn run(queue: Arc<LiveQueue>, source: SourceSpec) {
    let mut listener = Listener::new(
        source.informer.processor().clone(),
        source.query.clone(),
        Start::Snapshot,
        Overflow::Coalesce,
        source.resync,
    );
    let budget = Budget {
        events: BATCH,
        bytes: usize::MAX,
        size_of: &|_| 0,
    };
    let mut feed = Feed {
        source,
        known: HashMap::new(),
        unconfirmed: None,
    };
    while let Ok(step) = listener.next(&budget).await {
        let adds = match step {
            Step::Events { events, .. } => events.iter().flat_map(|event| feed.adds(event)).collect(),
            Step::Reset | Step::Replaced => {
                feed.unconfirmed = Some(feed.known.keys().cloned().collect());
                Vec::new()
            }
            Step::Synced => feed.vanished(),
        };
        if !adds.is_empty() {
            queue.add(adds);
        }
    }
}

// === impl Feed ===

impl Feed {
    /// The keys of an event, and how they are queued.
    fn adds(&mut self, event: &Delivery) -> Vec<(ObjectKey, Add)> {
        let key = event.object.key();
        if let Some(unconfirmed) = &mut self.unconfirmed {
            unconfirmed.remove(key);
        }
        let before = match event.kind {
            EventKind::Deleted => self.known.remove(key),
            EventKind::Added | EventKind::Updated | EventKind::Resync => None,
        };
        let mut keys = Vec::new();
        let mut passes = self.source.events.is_empty() || self.source.events.contains(&event.kind);
        match &event.object {
            Subject::Object(object) => {
                if let Some(old) = &event.old {
                    passes &= holds(&self.source.predicates, old, object);
                    self.source.mapper.keys(old, &mut keys);
                }
                let own = keys.len();
                self.source.mapper.keys(object, &mut keys);
                if event.kind != EventKind::Deleted {
                    self.remember(key, object, &mut keys, own);
                }
            }
            Subject::Gone(_) => match before.as_deref() {
                Some([]) if self.source.mapper.is_identity() => keys.push(key.clone()),
                Some(mapped) => keys.extend_from_slice(mapped),
                None => {}
            },
        }
        if !passes {
            return Vec::new();
        }
        let priority = self.priority(event);
        keys.into_iter().map(|key| (key, plain(priority))).collect()
    }

    /// Remembers what an object maps to; a catch-up brings no old object, so what it mapped to before is added from memory.
    fn remember(&mut self, key: &ObjectKey, object: &Object, keys: &mut Vec<ObjectKey>, own: usize) {
        let mapped: Box<[ObjectKey]> = if self.source.mapper.is_identity() {
            Box::default()
        } else {
            let mut mapped = Vec::new();
            self.source.mapper.keys(object, &mut mapped);
            mapped.into()
        };
        let before = self.known.insert(key.clone(), mapped);
        if own == 0 {
            for key in before.into_iter().flatten() {
                if !keys.contains(&key) {
                    keys.push(key);
                }
            }
        }
    }

    /// Keys of objects that a snapshot after a reset does not hold: they were deleted unseen.
    fn vanished(&mut self) -> Vec<(ObjectKey, Add)> {
        let mut adds = Vec::new();
        for key in self.unconfirmed.take().unwrap_or_default() {
            let mapped = self.known.remove(&key).unwrap_or_default();
            let add = plain(self.source.priority);
            if self.source.mapper.is_identity() {
                adds.push((key, add));
            } else {
                adds.extend(mapped.into_iter().map(|key| (key, add)));
            }
        }
        adds
    }

    fn priority(&self, event: &Delivery) -> i32 {
        let unchanged = |old: &Arc<Object>| old.resource_version() == event.object.resource_version();
        match event.cause {
            Cause::Initial => self.source.initial_priority,
            Cause::Resync => self.source.resync_priority,
            _ if event.old.as_ref().is_some_and(unchanged) => self.source.resync_priority,
            _ => self.source.priority,
        }
    }
}

fn plain(priority: i32) -> Add {
    Add {
        priority,
        ..Add::default()
    }
}

fn holds(groups: &[Vec<Predicate>], old: &Object, new: &Object) -> bool {
    groups.iter().all(|group| group.iter().any(|p| p.holds(old, new)))
}

// === impl Predicate ===

impl Predicate {
    /// True if the update changed what the predicate looks at.
    pub fn holds(self, old: &Object, new: &Object) -> bool {
        match self {
            Self::GenerationChanged => old.meta.generation != new.meta.generation,
            Self::LabelsChanged => sorted(old) != sorted(new),
            Self::AnnotationsChanged => old.annotations() != new.annotations(),
            Self::ResourceVersionChanged => old.resource_version() != new.resource_version(),
        }
    }
}

fn sorted(object: &Object) -> Vec<(&str, &str)> {
    let mut labels: Vec<_> = object.meta.labels.iter().map(|(k, v)| (&**k, &**v)).collect();
    labels.sort_unstable();
    labels
}
