//! What a client holds, built from nothing but what its stream says, with the contract checked at each step.
//!
//! ```text
//!   events ──▶ staged ──token or marker──▶ objects, count and digest (kept as they change) ══ marker's
//! ```
//!
//! Events are staged until a token or a marker covers them: so the view always is that of the token, and what is sent
//! again after a broken stream must fit exactly. A reset or a difference marks all keys and sweeps at `synced`.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use informerd::proto::v1alpha1::{EventCause, EventType, ObjectRef, Omitted, WatchEvent};
use support::object_hash;

/// Namespace and name.
pub(crate) type Key = (String, String);

/// Uid and version.
pub(crate) type State = (String, u64);

/// A client's view.
#[derive(Default)]
pub(crate) struct View {
    objects: BTreeMap<Key, State>,
    digest: u64,
    staged: Vec<WatchEvent>,
    /// Between `reset` (or the start of a difference) and `synced`: the keys that have come.
    sweep: Option<BTreeSet<Key>>,
    /// The newest state told of each key, deleted or not.
    told: HashMap<Key, u64>,
    revision: u64,
    /// Events applied.
    pub(crate) events: u64,
    /// Of these, resyncs.
    pub(crate) resyncs: u64,
    /// Of these, folded ones.
    pub(crate) folded: u64,
}

// === impl View ===

impl View {
    pub(crate) fn objects(&self) -> &BTreeMap<Key, State> {
        &self.objects
    }

    /// The hashes to resume with.
    pub(crate) fn hashes(&self) -> Vec<u64> {
        self.objects.iter().map(|(key, state)| hash(key, state)).collect()
    }

    /// A stream has broken: what no token covers will be sent again.
    pub(crate) fn broken(&mut self) {
        self.staged.clear();
        self.sweep = None;
    }

    /// All keys are to come again until `synced`.
    pub(crate) fn mark(&mut self) {
        self.staged.clear();
        self.sweep = Some(BTreeSet::new());
        self.revision = 0;
    }

    /// The view stands, but revisions are those of another epoch.
    pub(crate) fn rebase(&mut self) {
        self.revision = 0;
    }

    /// Takes an event in; it counts once a token or marker covers it.
    pub(crate) fn stage(&mut self, event: WatchEvent) {
        self.staged.push(event);
    }

    /// A token or a marker covers what has come.
    pub(crate) fn commit(&mut self) -> Result<(), String> {
        for event in std::mem::take(&mut self.staged) {
            self.apply(&event).map_err(|why| format!("{why}: {}", brief(&event)))?;
        }
        Ok(())
    }

    /// `synced`: what has not come again is gone.
    pub(crate) fn synced(&mut self, count: u64, digest: u64, revision: u64) -> Result<(), String> {
        self.commit()?;
        if let Some(came) = self.sweep.take() {
            let gone: Vec<_> = self
                .objects
                .keys()
                .filter(|key| !came.contains(*key))
                .cloned()
                .collect();
            gone.iter().for_each(|key| drop(self.take(key)));
        }
        self.marker(count, digest, revision)
    }

    /// Count and digest of a marker must be those of the view.
    pub(crate) fn marker(&mut self, count: u64, digest: u64, revision: u64) -> Result<(), String> {
        self.commit()?;
        let mine = (self.objects.len() as u64, self.digest);
        if mine != (count, digest) {
            return Err(format!(
                "at revision {revision} the view is {mine:x?}, the marker says {:x?}",
                (count, digest)
            ));
        }
        if revision < self.revision {
            return Err(format!("at revision {}, the marker says {revision}", self.revision));
        }
        self.revision = revision;
        Ok(())
    }

    fn apply(&mut self, event: &WatchEvent) -> Result<(), String> {
        self.events += 1;
        let object = event.r#ref.as_ref().ok_or("an event names its object")?;
        let key = (object.namespace.clone(), object.name.clone());
        let state = state(object)?;
        let folded = event.cause() == EventCause::CatchUp;
        self.folded += u64::from(folded);
        if event.r#type() == EventType::Resync {
            self.resyncs += 1;
            let held = self.objects.get(&key);
            return if held == Some(&state) {
                Ok(())
            } else {
                Err(format!("a resync of what is not held: {held:?}"))
            };
        }
        if self.sweep.is_none() && event.revision < self.revision {
            return Err(format!("revisions go back from {}", self.revision));
        }
        self.revision = self.revision.max(event.revision);
        if event.r#type() == EventType::Deleted {
            let held = self.take(&key);
            return match held {
                _ if folded => Ok(()),
                None => Err("deleted, but not held".into()),
                Some((uid, _)) if uid != state.0 => Err("deleted was another object of this name".into()),
                Some(_) => Ok(()),
            };
        }
        let told = self.told.insert(key.clone(), state.1);
        if told.is_some_and(|told| told > state.1) {
            return Err(format!("goes back from version {told:?}"));
        }
        if let Some(came) = &mut self.sweep {
            came.insert(key.clone());
            let omitted = event.object.as_ref().map(|object| object.omitted());
            let held = self.objects.get(&key);
            if omitted == Some(Omitted::Unchanged) && held != Some(&state) {
                return Err(format!("unchanged, but held is {held:?}"));
            }
            self.put(key, state);
            return Ok(());
        }
        let held = self.objects.get(&key).cloned();
        self.put(key, state.clone());
        match (event.r#type(), held) {
            _ if folded => Ok(()),
            (EventType::Added, None) => Ok(()),
            (EventType::Added, Some(held)) => Err(format!("added, but held is {held:?}")),
            (EventType::Updated, Some((uid, version))) if uid == state.0 && version < state.1 => Ok(()),
            (EventType::Updated, held) => Err(format!("updated, but held is {held:?}")),
            (other, _) => Err(format!("an event of type {other:?}")),
        }
    }

    fn put(&mut self, key: Key, state: State) {
        self.take(&key);
        self.digest = self.digest.wrapping_add(hash(&key, &state));
        self.objects.insert(key, state);
    }

    fn take(&mut self, key: &Key) -> Option<State> {
        let state = self.objects.remove(key)?;
        self.digest = self.digest.wrapping_sub(hash(key, &state));
        Some(state)
    }
}

/// What an ObjectRef says of the state.
fn state(object: &ObjectRef) -> Result<State, String> {
    let version = object
        .resource_version
        .parse()
        .map_err(|e| format!("{e}: {:?}", object.resource_version))?;
    Ok((object.uid.clone(), version))
}

fn brief(event: &WatchEvent) -> String {
    let object = event.r#ref.clone().unwrap_or_default();
    format!(
        "{:?} {:?} {}/{} uid {} version {} position {} revision {} coalesced {}",
        event.r#type(),
        event.cause(),
        object.namespace,
        object.name,
        object.uid,
        object.resource_version,
        event.resource_version,
        event.revision,
        event.coalesced
    )
}

fn hash((namespace, name): &Key, (uid, version): &State) -> u64 {
    object_hash(&format!("{namespace}/{name}"), uid, version)
}
