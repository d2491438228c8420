//! How an object becomes keys (row E5). A field that the object does not have, and a value that is no key, yield none.

use std::sync::Arc;

use crate::{
    object::{Object, ObjectKey, Pointer},
    store::IndexKey,
};

/// A key mapper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mapper {
    /// What the names are read from.
    pub from: MapFrom,
    /// Where the namespace comes from.
    pub namespace: KeyNamespace,
}

/// What the names are read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MapFrom {
    /// The object's own key.
    Identity,
    /// Its owners of one kind.
    Owner {
        /// API group of the owner.
        group: String,
        /// Kind of the owner.
        kind: String,
        /// Only the managing controller.
        controller_only: bool,
    },
    /// A label's value.
    Label(String),
    /// The scalars at a pointer (also an annotation).
    Pointer(Pointer),
    /// The values of an index.
    Index(IndexKey),
}

/// Where the namespace of the keys comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum KeyNamespace {
    /// The object's.
    #[default]
    Object,
    /// None: the keys are of cluster-scoped objects.
    None,
    /// The value is "namespace/name", or "name".
    Value,
    /// This one.
    Fixed(Arc<str>),
}

// === impl Mapper ===

impl Mapper {
    /// The object's own key.
    pub fn identity() -> Self {
        Self {
            from: MapFrom::Identity,
            namespace: KeyNamespace::Object,
        }
    }

    /// True if the keys are those of the objects themselves.
    pub fn is_identity(&self) -> bool {
        self.from == MapFrom::Identity
    }

    /// Adds the keys of an object that are not in `keys` yet.
    pub fn keys(&self, object: &Object, keys: &mut Vec<ObjectKey>) {
        let mut push = |key: Option<ObjectKey>| {
            if let Some(key) = key
                && !keys.contains(&key)
            {
                keys.push(key);
            }
        };
        match &self.from {
            MapFrom::Identity => push(Some(object.key.clone())),
            MapFrom::Owner {
                group,
                kind,
                controller_only,
            } => {
                for owner in &*object.meta.owners {
                    let owner_group = owner.api_version.rsplit_once('/').map_or("", |(group, _)| group);
                    if owner_group == group && *owner.kind == **kind && (owner.controller || !controller_only) {
                        push(self.key(object, &owner.name));
                    }
                }
            }
            MapFrom::Label(label) => push(object.label(label).and_then(|name| self.key(object, name))),
            MapFrom::Pointer(pointer) => {
                for name in object.values_at(pointer).iter() {
                    push(self.key(object, name));
                }
            }
            MapFrom::Index(index) => {
                for name in index.values(object) {
                    push(self.key(object, &name));
                }
            }
        }
    }

    fn key(&self, object: &Object, value: &str) -> Option<ObjectKey> {
        let (namespace, name): (Arc<str>, &str) = match &self.namespace {
            KeyNamespace::Object => (object.key.shared_namespace().clone(), value),
            KeyNamespace::None => ("".into(), value),
            KeyNamespace::Fixed(namespace) => (namespace.clone(), value),
            KeyNamespace::Value => match value.split_once('/') {
                Some((namespace, name)) => (namespace.into(), name),
                None => ("".into(), value),
            },
        };
        // Row S1: more than one slash is no key.
        (!name.is_empty() && !name.contains('/')).then(|| ObjectKey::new(namespace, name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::{PointerSet, Scanner, Transform, TypeMeta};

    fn object() -> Object {
        let scanner = Scanner::new(TypeMeta::new("v1", "Pod"), Transform::default(), PointerSet::default());
        let raw = br#"{"metadata":{"namespace":"ns","name":"p","labels":{"app":"web"},
            "annotations":{"a/b":"other/x","bad":"a/b/c"},
            "ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"rs","controller":true},
                {"apiVersion":"apps/v1beta1","kind":"ReplicaSet","name":"rs2"},{"apiVersion":"v1","kind":"Node","name":"n"}]},
            "spec":{"volumes":[{"configMap":{"name":"c1"}},{"configMap":{"name":"c2"}},{"configMap":{"name":"c1"}}]}}"#;
        scanner.scan(raw).unwrap()
    }

    fn keys(from: MapFrom, namespace: KeyNamespace) -> Vec<String> {
        let mut keys = Vec::new();
        Mapper { from, namespace }.keys(&object(), &mut keys);
        keys.iter().map(ToString::to_string).collect()
    }

    fn owner(group: &str, kind: &str, controller_only: bool) -> MapFrom {
        MapFrom::Owner {
            group: group.into(),
            kind: kind.into(),
            controller_only,
        }
    }

    #[test]
    fn e5_objects_become_keys() {
        use KeyNamespace::{Fixed, None, Object, Value};
        let pointer = |p| MapFrom::Pointer(Pointer::parse(p).unwrap());
        let table: &[(MapFrom, KeyNamespace, &[&str])] = &[
            (MapFrom::Identity, Object, &["ns/p"]),
            (owner("apps", "ReplicaSet", true), Object, &["ns/rs"]),
            (owner("apps", "ReplicaSet", false), Object, &["ns/rs", "ns/rs2"]),
            (owner("", "Node", false), None, &["n"]),
            (owner("batch", "Job", false), Object, &[]),
            (MapFrom::Label("app".into()), Fixed("f".into()), &["f/web"]),
            (MapFrom::Label("none".into()), Object, &[]),
            (pointer("/metadata/annotations/a~1b"), Value, &["other/x"]),
            (pointer("/metadata/annotations/a~1b"), Object, &[]),
            (pointer("/metadata/annotations/bad"), Value, &[]),
            (pointer("/spec/volumes/*/configMap/name"), Object, &["ns/c1", "ns/c2"]),
            (MapFrom::Index(IndexKey::Namespace), None, &["ns"]),
        ];
        for (from, namespace, want) in table {
            assert_eq!(keys(from.clone(), namespace.clone()), *want, "{from:?}");
        }
    }
}
