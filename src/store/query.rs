//! A filter, compiled against the indexes: which objects it selects, and which sets narrow the search.

use std::{borrow::Cow, collections::BTreeSet};

use roaring::RoaringBitmap;

use super::{IndexError, IndexKey, Indexes};
use crate::{
    object::{Object, ObjectKey, Pointer, PointerError},
    selector::{FieldSelector, LabelSelector, SelectorError, lookup_paths},
};

/// A filter as it was asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct QuerySpec {
    /// Namespaces; empty = all.
    pub namespaces: Vec<String>,
    /// Names; empty = all.
    pub names: Vec<String>,
    /// Label selector.
    pub label_selector: String,
    /// Field selector.
    pub field_selector: String,
    /// Index name and values.
    pub index: Option<(String, Vec<String>)>,
}

/// A filter that can be evaluated.
#[derive(Clone, Debug, Default)]
pub struct Query {
    namespaces: BTreeSet<String>,
    names: BTreeSet<String>,
    labels: LabelSelector,
    fields: FieldSelector,
    field_pointers: Vec<(String, Pointer)>,
    index: Option<(IndexKey, BTreeSet<String>)>,
    normalized: String,
}

/// A filter that cannot be evaluated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// The label selector is malformed.
    #[error("label_selector: {0}")]
    Labels(#[source] SelectorError),
    /// The field selector is malformed.
    #[error("field_selector: {0}")]
    Fields(#[source] SelectorError),
    /// The field selector names an impossible path.
    #[error("field_selector: {0}")]
    FieldPath(#[from] PointerError),
    /// No such index.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// An index without values selects nothing; that is a mistake of the caller.
    #[error("index.values is empty")]
    NoIndexValues,
}

// === impl Query ===

impl Query {
    /// Compiles a filter.
    pub fn compile(spec: &QuerySpec, indexes: &Indexes) -> Result<Self, QueryError> {
        let labels = LabelSelector::parse(&spec.label_selector).map_err(QueryError::Labels)?;
        let fields = FieldSelector::parse(&spec.field_selector).map_err(QueryError::Fields)?;
        let mut field_pointers = Vec::new();
        for requirement in fields.requirements() {
            for path in lookup_paths(&requirement.path) {
                field_pointers.push((path.to_owned(), Pointer::from_field_path(path)?));
            }
        }
        let index = match &spec.index {
            None => None,
            Some((_, values)) if values.is_empty() => return Err(QueryError::NoIndexValues),
            Some((name, values)) => Some((indexes.find(name)?, values.iter().cloned().collect::<BTreeSet<_>>())),
        };
        let namespaces: BTreeSet<_> = spec.namespaces.iter().filter(|n| !n.is_empty()).cloned().collect();
        let names: BTreeSet<_> = spec.names.iter().filter(|n| !n.is_empty()).cloned().collect();
        let normalized = format!(
            "{namespaces:?}|{names:?}|{labels}|{fields}|{:?}",
            index
                .as_ref()
                .map(|(_, values)| (spec.index.as_ref().map(|(name, _)| name), values))
        );
        Ok(Self {
            namespaces,
            names,
            labels,
            fields,
            field_pointers,
            index,
            normalized,
        })
    }

    /// The same text for filters that select the same, whatever their spelling; part of resume and page tokens.
    pub fn normalized(&self) -> &str {
        &self.normalized
    }

    /// True if every object matches.
    pub fn is_everything(&self) -> bool {
        self.namespaces.is_empty()
            && self.names.is_empty()
            && self.labels.is_everything()
            && self.fields.is_everything()
            && self.index.is_none()
    }

    /// True if `object` matches.
    pub fn matches(&self, object: &Object) -> bool {
        self.matches_key(&object.key)
            && (self.labels.is_everything() || self.labels.matches(|key| object.label(key)))
            && self.index_matches(object)
            // Last, because it may have to read the body.
            && (self.fields.is_everything() || self.fields.matches(|path| self.field(object, path)))
    }

    /// True if an object of this key can match, whatever else it is.
    pub fn matches_key(&self, key: &ObjectKey) -> bool {
        (self.namespaces.is_empty() || self.namespaces.contains(key.namespace()))
            && (self.names.is_empty() || self.names.contains(key.name()))
    }

    /// True if an object can begin or cease to match while it lives.
    pub fn is_mutable(&self) -> bool {
        !self.labels.is_everything() || !self.fields.is_everything() || self.index.is_some()
    }

    fn index_matches(&self, object: &Object) -> bool {
        self.index
            .as_ref()
            .is_none_or(|(key, values)| key.values(object).iter().any(|v| values.contains(v.as_ref())))
    }

    fn field<'o>(&self, object: &'o Object, path: &str) -> Option<Cow<'o, str>> {
        let (_, pointer) = self.field_pointers.iter().find(|(p, _)| p == path)?;
        object.field(path, pointer)
    }

    /// A superset of the slots that can match, if the indexes know one: the intersection of index, namespaces and exact
    /// label requirements.
    pub(super) fn candidates(&self, indexes: &Indexes) -> Option<RoaringBitmap> {
        let mut all: Option<RoaringBitmap> = None;
        let mut narrow = |slots: RoaringBitmap| match &mut all {
            Some(all) => *all &= slots,
            None => all = Some(slots),
        };
        if let Some((key, values)) = &self.index {
            // An index that was removed since is not consulted; `matches` still reads its pointer.
            let present = match key {
                IndexKey::Declared(spec) => indexes.declared().any(|s| s == spec),
                _ => true,
            };
            if present {
                narrow(union(indexes, key, values));
            }
        }
        if !self.namespaces.is_empty() {
            narrow(union(indexes, &IndexKey::Namespace, &self.namespaces));
        }
        for (key, values) in self.labels.exact() {
            narrow(union(indexes, &IndexKey::Label(key.into()), values));
        }
        all
    }
}

fn union<'v>(indexes: &Indexes, key: &IndexKey, values: impl IntoIterator<Item = &'v String>) -> RoaringBitmap {
    let mut slots = RoaringBitmap::new();
    for value in values {
        if let Some(found) = indexes.slots(key, value) {
            slots |= &**found;
        }
    }
    slots
}
