//! What is read from an object's metadata on arrival.

use std::sync::Arc;

use super::{ResourceVersion, Uid};

/// Key and value of a label.
pub type Label = (Arc<str>, Arc<str>);

/// The parts of `metadata` that routing, indexes and selectors need. Annotations are not among them: whoever
/// needs one declares a pointer.
#[derive(Clone, Debug, Default)]
pub struct Meta {
    /// metadata.uid.
    pub uid: Uid,
    /// metadata.resourceVersion.
    pub resource_version: ResourceVersion,
    /// metadata.generation, 0 if absent.
    pub generation: i64,
    /// metadata.deletionTimestamp is set.
    pub deleting: bool,
    /// metadata.labels.
    pub labels: Arc<[Label]>,
    /// metadata.ownerReferences.
    pub owners: Arc<[OwnerRef]>,
}

/// One owner reference.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct OwnerRef {
    /// apiVersion of the owner.
    pub api_version: Arc<str>,
    /// Kind of the owner.
    pub kind: Arc<str>,
    /// Name of the owner.
    pub name: Box<str>,
    /// uid of the owner.
    pub uid: Uid,
    /// This owner is the managing controller.
    pub controller: bool,
}

/// apiVersion and kind.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct TypeMeta {
    /// For example "apps/v1".
    pub api_version: Box<str>,
    /// For example "Deployment".
    pub kind: Box<str>,
}

// === impl TypeMeta ===

impl TypeMeta {
    /// Both.
    pub fn new(api_version: impl Into<Box<str>>, kind: impl Into<Box<str>>) -> Self {
        Self {
            api_version: api_version.into(),
            kind: kind.into(),
        }
    }

    /// `"kind":"…","apiVersion":"…",` in the order in which the API server writes built-in types.
    pub(crate) fn json_members(&self) -> String {
        // Both are identifiers by API convention; a JSON string literal keeps even others valid.
        let quote = |s: &str| serde_json::Value::from(s).to_string();
        format!(
            "\"kind\":{},\"apiVersion\":{},",
            quote(&self.kind),
            quote(&self.api_version)
        )
    }
}
