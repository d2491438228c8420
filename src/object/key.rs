//! Namespace and name (row S1).

use std::{cmp::Ordering, fmt, sync::Arc};

/// Identifies an object inside one informer. Ordered as the API server orders its lists.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ObjectKey {
    namespace: Arc<str>,
    name: Box<str>,
}

// === impl ObjectKey ===

impl ObjectKey {
    /// A key; `namespace` is empty for cluster-scoped objects.
    pub fn new(namespace: impl Into<Arc<str>>, name: impl Into<Box<str>>) -> Self {
        Self {
            namespace: namespace.into(),
            name: name.into(),
        }
    }

    /// The namespace; empty for cluster-scoped objects.
    pub fn namespace(&self) -> &str {
        &self.namespace
    }

    /// The namespace, shared.
    pub fn shared_namespace(&self) -> &Arc<str> {
        &self.namespace
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// The API server sorts by the path `namespace/name`, not by the pair: `a-b/x` stands before `a/x`, because '-' sorts
/// before '/'. Lists then come out exactly as kubectl prints them, and a namespace is still one contiguous range.
impl Ord for ObjectKey {
    fn cmp(&self, other: &Self) -> Ordering {
        if Arc::ptr_eq(&self.namespace, &other.namespace) || self.namespace == other.namespace {
            return self.name.cmp(&other.name);
        }
        let (a, b) = (self.namespace.as_bytes(), other.namespace.as_bytes());
        let common = a.len().min(b.len());
        a[..common].cmp(&b[..common]).then_with(|| {
            let next = |ns: &[u8]| ns.get(common).copied().unwrap_or(b'/');
            next(a).cmp(&next(b))
        })
    }
}

impl PartialOrd for ObjectKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for ObjectKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.namespace.is_empty() {
            f.write_str(&self.name)
        } else {
            write!(f, "{}/{}", self.namespace, self.name)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_sort_as_the_api_server_lists_them() {
        let paths = ["a-b/x", "a.b/x", "a/w", "a/x", "a/x-1", "ab/a", "b/a"];
        let keys: Vec<_> = paths
            .iter()
            .map(|p| p.split_once('/').unwrap())
            .map(|(ns, name)| ObjectKey::new(ns, name))
            .collect();
        let mut sorted = keys.clone();
        sorted.sort();
        assert_eq!(sorted, keys);
        let mut by_path = paths;
        by_path.sort_unstable();
        assert_eq!(by_path, paths);
    }
}
