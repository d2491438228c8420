//! Resources: how users name them and what discovery makes of the name.

use std::fmt;

use crate::{object::TypeMeta, upstream::UpstreamError};

/// A resource as a user names it; see `ResourceRef` in the contract.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ResourceQuery {
    /// API group; empty = any.
    pub group: String,
    /// API version; empty = preferred.
    pub version: String,
    /// Plural, singular, short name or kind, also `plural.group` and `plural.version.group`.
    pub resource: String,
}

/// A resource that the API server serves.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Resource {
    /// API group; empty for the core group.
    pub group: String,
    /// API version.
    pub version: String,
    /// Plural name.
    pub plural: String,
    /// Kind.
    pub kind: String,
    /// Namespaced or cluster-scoped.
    pub namespaced: bool,
}

/// A resource could not be resolved.
#[derive(Clone, Debug, thiserror::Error)]
pub enum ResolveError {
    /// The API server does not serve it.
    #[error("the API server serves no resource {0:?}")]
    NotFound(String),
    /// It exists but cannot be listed and watched.
    #[error("{resource} cannot be cached: it does not support {missing}")]
    NotWatchable {
        /// The resource.
        resource: String,
        /// Verbs that are missing.
        missing: String,
    },
    /// Discovery failed.
    #[error("discovery failed: {0}")]
    Unavailable(UpstreamError),
}

// === impl Resource ===

impl Resource {
    /// `group/version`, or `version` for the core group.
    pub fn api_version(&self) -> String {
        if self.group.is_empty() {
            self.version.clone()
        } else {
            format!("{}/{}", self.group, self.version)
        }
    }

    /// apiVersion and kind of the objects.
    pub fn type_meta(&self) -> TypeMeta {
        TypeMeta::new(self.api_version(), self.kind.as_str())
    }
}

/// `plural.version.group`, as kubectl accepts it.
impl fmt::Display for Resource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.plural)?;
        if !self.group.is_empty() {
            write!(f, ".{}.{}", self.version, self.group)?;
        }
        Ok(())
    }
}

// === impl ResourceQuery ===

impl ResourceQuery {
    /// A query by a name that may hold version and group.
    pub fn named(resource: impl Into<String>) -> Self {
        Self {
            resource: resource.into(),
            ..Self::default()
        }
    }
}

impl From<&Resource> for ResourceQuery {
    fn from(resource: &Resource) -> Self {
        Self {
            group: resource.group.clone(),
            version: resource.version.clone(),
            resource: resource.plural.clone(),
        }
    }
}

impl fmt::Display for ResourceQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [&self.resource, &self.version, &self.group];
        let set: Vec<_> = parts
            .into_iter()
            .filter(|p| !p.is_empty())
            .map(String::as_str)
            .collect();
        f.write_str(&set.join("."))
    }
}
