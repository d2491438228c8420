//! What both sides tell: one call of a handler.

use std::collections::BTreeMap;

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Deleted,
    Updated,
    Added,
}

/// One call.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Call {
    pub(crate) kind: Kind,
    pub(crate) key: String,
    pub(crate) uid: String,
    /// Of the state; of a deletion that was seen, the version of the deletion.
    pub(crate) version: u64,
    /// uid and version of the state before, of an update.
    pub(crate) old: Option<(String, u64)>,
    /// A part of the first list.
    pub(crate) initial: bool,
    /// The final state was not seen.
    pub(crate) tombstone: bool,
    /// A part of a later list. client-go does not tell.
    pub(crate) relisted: Option<bool>,
}

/// All calls so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Record {
    pub(crate) calls: Vec<Call>,
    pub(crate) synced: bool,
    /// The last answer to `store`, if it is client-go.
    pub(crate) store: Option<(u64, BTreeMap<String, u64>)>,
    /// Answers to `store` so far.
    pub(crate) stores: usize,
    /// What must not happen and did.
    pub(crate) broken: Option<String>,
}

// === impl Record ===

impl Record {
    /// Whether this state of an object was told.
    pub(crate) fn has_told(&self, key: &str, version: u64) -> bool {
        let told = |call: &Call| call.key == key && call.version == version && call.kind != Kind::Deleted;
        self.calls.iter().any(told)
    }

    /// Versions by key, as the calls leave them.
    pub(crate) fn view(&self) -> BTreeMap<String, u64> {
        let mut view = BTreeMap::new();
        for call in &self.calls {
            match call.kind {
                Kind::Deleted => view.remove(&call.key),
                _ => view.insert(call.key.clone(), call.version),
            };
        }
        view
    }
}
