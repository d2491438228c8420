//! Indexes: for each value the set of slots of the objects that hold it (rows S3, S4). Sets are compressed bitmaps, so an
//! intersection of namespace, label and index costs next to nothing.

use std::{borrow::Cow, sync::Arc};

use imbl::OrdMap;
use roaring::RoaringBitmap;

use crate::object::{Object, Pointer};

/// A declared index.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IndexSpec {
    /// Its name.
    pub name: Arc<str>,
    /// Where its values stand.
    pub pointer: Pointer,
}

/// What an index name stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum IndexKey {
    /// Built in: the namespace.
    Namespace,
    /// Built in: the value of one label.
    Label(Arc<str>),
    /// Built in: the uids of the owners.
    OwnerUid,
    /// Declared.
    Declared(IndexSpec),
}

/// An index cannot be declared or found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IndexError {
    /// No such index.
    #[error("there is no index {name:?}; there are: namespace, owner-uid, label:KEY{declared}")]
    NotFound {
        /// As asked for.
        name: String,
        /// The declared ones, each after a comma.
        declared: String,
    },
    /// The name is taken by an index over another pointer.
    #[error("index {name:?} already exists over {existing}")]
    Conflict {
        /// The name.
        name: String,
        /// What it indexes.
        existing: String,
    },
    /// The name cannot be declared.
    #[error(
        "{0:?} cannot name an index: use 1-63 characters of a-z, 0-9, '-' and '.', starting with a letter, and none of the built-in names namespace and owner-uid"
    )]
    InvalidName(String),
}

/// All indexes of a snapshot.
#[derive(Clone, Debug, Default)]
pub struct Indexes {
    namespaces: Postings<Arc<str>>,
    labels: Postings<(Arc<str>, Arc<str>)>,
    owners: Postings<Arc<str>>,
    declared: OrdMap<Arc<str>, (IndexSpec, Postings<Arc<str>>)>,
}

#[derive(Clone, Debug)]
struct Postings<K: Ord>(OrdMap<K, Arc<RoaringBitmap>>);

const LABEL_PREFIX: &str = "label:";

// === impl IndexSpec ===

impl IndexSpec {
    /// A declared index; the name is checked.
    pub fn new(name: &str, pointer: Pointer) -> Result<Self, IndexError> {
        let valid = (1..=63).contains(&name.len())
            && name.starts_with(|c: char| c.is_ascii_lowercase())
            && name
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'-' | b'.'))
            && !matches!(name, "namespace" | "owner-uid");
        if !valid {
            return Err(IndexError::InvalidName(name.to_owned()));
        }
        Ok(Self {
            name: name.into(),
            pointer,
        })
    }
}

// === impl IndexKey ===

impl IndexKey {
    /// The values under which `object` stands. May repeat.
    pub fn values<'o>(&self, object: &'o Object) -> Vec<Cow<'o, str>> {
        match self {
            Self::Namespace => vec![Cow::Borrowed(object.key.namespace())],
            Self::Label(key) => object.label(key).map(Cow::Borrowed).into_iter().collect(),
            Self::OwnerUid => object
                .meta
                .owners
                .iter()
                .map(|o| Cow::Owned(o.uid.to_string()))
                .collect(),
            Self::Declared(spec) => object
                .values_at(&spec.pointer)
                .iter()
                .map(|v| Cow::Owned(v.to_string()))
                .collect(),
        }
    }
}

// === impl Indexes ===

impl Indexes {
    /// What `name` stands for.
    pub fn find(&self, name: &str) -> Result<IndexKey, IndexError> {
        if let Some((spec, _)) = self.declared.get(name) {
            return Ok(IndexKey::Declared(spec.clone()));
        }
        match (name, name.strip_prefix(LABEL_PREFIX)) {
            ("namespace", _) => Ok(IndexKey::Namespace),
            ("owner-uid", _) => Ok(IndexKey::OwnerUid),
            (_, Some(key)) if !key.is_empty() => Ok(IndexKey::Label(key.into())),
            _ => Err(IndexError::NotFound {
                name: name.to_owned(),
                declared: self.declared.keys().map(|n| format!(", {n}")).collect(),
            }),
        }
    }

    /// The declared indexes, by name.
    pub fn declared(&self) -> impl Iterator<Item = &IndexSpec> {
        self.declared.values().map(|(spec, _)| spec)
    }

    /// Slots under one value.
    pub fn slots(&self, index: &IndexKey, value: &str) -> Option<&Arc<RoaringBitmap>> {
        match index {
            IndexKey::Namespace => self.namespaces.0.get(value),
            IndexKey::Label(key) => self.labels.0.get(&(key.clone(), Arc::from(value))),
            IndexKey::OwnerUid => self.owners.0.get(value),
            IndexKey::Declared(spec) => self.declared.get(&spec.name)?.1.0.get(value),
        }
    }

    /// Values after `after`, in order, with their slots.
    pub fn values<'a>(
        &'a self,
        index: &'a IndexKey,
        after: Option<&str>,
    ) -> Box<dyn Iterator<Item = (&'a str, &'a Arc<RoaringBitmap>)> + Send + 'a> {
        use std::ops::Bound::{Excluded, Unbounded};
        let from = |after: Option<&str>| after.map_or(Unbounded, |a| Excluded(Arc::<str>::from(a)));
        let plain =
            |p: &'a Postings<Arc<str>>, after| Box::new(p.0.range((from(after), Unbounded)).map(|(v, s)| (&**v, s)));
        match index {
            IndexKey::Namespace => plain(&self.namespaces, after),
            IndexKey::OwnerUid => plain(&self.owners, after),
            IndexKey::Declared(spec) => match self.declared.get(&spec.name) {
                Some((_, postings)) => plain(postings, after),
                None => Box::new(std::iter::empty()),
            },
            IndexKey::Label(key) => {
                let start = match after {
                    Some(a) => Excluded((key.clone(), Arc::from(a))),
                    None => std::ops::Bound::Included((key.clone(), Arc::from(""))),
                };
                Box::new(
                    self.labels
                        .0
                        .range((start, Unbounded))
                        .take_while(move |((k, _), _)| k == key)
                        .map(|((_, v), s)| (&**v, s)),
                )
            }
        }
    }

    /// Adds an index over `objects`. Returns false if it is there already.
    pub(super) fn declare<'o>(
        &mut self,
        spec: &IndexSpec,
        objects: impl Iterator<Item = (u32, &'o Object)>,
    ) -> Result<bool, IndexError> {
        if let Some((existing, _)) = self.declared.get(&spec.name) {
            if existing == spec {
                return Ok(false);
            }
            return Err(IndexError::Conflict {
                name: spec.name.to_string(),
                existing: existing.pointer.to_string(),
            });
        }
        let mut postings = Postings::default();
        for (slot, object) in objects {
            for value in object.values_at(&spec.pointer).iter() {
                postings.insert(value.clone(), slot);
            }
        }
        self.declared.insert(spec.name.clone(), (spec.clone(), postings));
        Ok(true)
    }

    /// Drops a declared index.
    pub(super) fn undeclare(&mut self, name: &str) -> bool {
        self.declared.remove(name).is_some()
    }

    /// Moves a slot from the values of `old` to those of `new`. Values that both hold are not touched.
    pub(super) fn replace(&mut self, slot: u32, old: Option<&Object>, new: Option<&Object>) {
        let namespace = |o: Option<&Object>| o.map(|o| o.key.shared_namespace().clone()).into_iter().collect();
        self.namespaces.replace(slot, namespace(old), namespace(new));
        let labels = |o: Option<&Object>| o.map_or_else(Vec::new, |o| o.meta.labels.to_vec());
        self.labels.replace(slot, labels(old), labels(new));
        let owners = |o: Option<&Object>| {
            o.map_or_else(Vec::new, |o| {
                o.meta.owners.iter().map(|owner| owner.uid.to_string().into()).collect()
            })
        };
        self.owners.replace(slot, owners(old), owners(new));
        let specs: Vec<_> = self.declared().cloned().collect();
        for spec in specs {
            let values = |o: Option<&Object>| o.map_or_else(Vec::new, |o| o.values_at(&spec.pointer).to_vec());
            if let Some((_, postings)) = self.declared.get_mut(&spec.name) {
                postings.replace(slot, values(old), values(new));
            }
        }
    }
}

// === impl Postings ===

impl<K: Ord + Clone> Postings<K> {
    fn replace(&mut self, slot: u32, old: Vec<K>, new: Vec<K>) {
        for value in old.iter().filter(|v| !new.contains(v)) {
            self.remove(value, slot);
        }
        for value in new.into_iter().filter(|v| !old.contains(v)) {
            self.insert(value, slot);
        }
    }

    fn insert(&mut self, value: K, slot: u32) {
        Arc::make_mut(self.0.entry(value).or_default()).insert(slot);
    }

    /// Empty sets are dropped, so values that come and go leave nothing behind (row S4).
    fn remove(&mut self, value: &K, slot: u32) {
        let empty = self.0.get_mut(value).is_some_and(|slots| {
            let slots = Arc::make_mut(slots);
            slots.remove(slot);
            slots.is_empty()
        });
        if empty {
            self.0.remove(value);
        }
    }
}

impl<K: Ord + Clone> Default for Postings<K> {
    fn default() -> Self {
        Self(OrdMap::new())
    }
}
