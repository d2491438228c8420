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
    /// The API server serves it, but not in the version asked for.
    #[error("the API server does not serve {resource} in version {version}; it serves {}", served.join(", "))]
    VersionNotServed {
        /// `plural.group`.
        resource: String,
        /// The version asked for.
        version: String,
        /// Those served, the preferred one first.
        served: Vec<String>,
    },
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

    /// `plural`, or `plural.group`: what all its versions share.
    pub fn name(&self) -> String {
        match self.group.as_str() {
            "" => self.plural.clone(),
            group => format!("{}.{group}", self.plural),
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
        // The version is empty while the resource is waited for.
        if !self.group.is_empty() && !self.version.is_empty() {
            write!(f, ".{}", self.version)?;
        }
        if !self.group.is_empty() {
            write!(f, ".{}", self.group)?;
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

    /// What the query names if it names a group: enough to wait for a resource that is not served yet, for a
    /// CustomResourceDefinition always has one. Kind and scope cannot be known: the kind is empty, and it counts as namespaced.
    ///
    /// A bare name is not enough: it is more likely misspelt than not there yet (field case 28).
    pub fn provisional(&self) -> Option<Resource> {
        let name = self.resource.trim().to_lowercase();
        let (plural, rest) = match name.split_once('.') {
            Some((plural, rest)) if self.group.is_empty() => (plural, Some(rest)),
            _ => (name.as_str(), None),
        };
        let (version, group) = match rest {
            None => (self.version.as_str(), self.group.as_str()),
            Some(rest) => match rest.split_once('.') {
                Some((version, group)) if self.version.is_empty() && is_version(version) => (version, group),
                _ => (self.version.as_str(), rest),
            },
        };
        // Groups without a dot are Kubernetes' own, and what of them is not served will not come.
        let usable = !plural.is_empty() && !plural.contains('.') && group.contains('.');
        usable.then(|| Resource {
            group: group.to_owned(),
            version: version.to_owned(),
            plural: plural.to_owned(),
            kind: String::new(),
            namespaced: true,
        })
    }

    /// True if it asks for one version, not for the one that the API server prefers.
    pub fn names_version(&self) -> bool {
        let named = || Some(is_version(self.resource.split('.').nth(1)?));
        !self.version.is_empty() || named().unwrap_or(false)
    }
}

/// Kubernetes' versions: v1, v2beta1, v1alpha3.
fn is_version(text: &str) -> bool {
    let digits = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_digit());
    text.strip_prefix('v').is_some_and(|rest| {
        ["alpha", "beta"]
            .into_iter()
            .find_map(|stage| rest.split_once(stage))
            .map_or_else(|| digits(rest), |(major, minor)| digits(major) && digits(minor))
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_28_only_a_name_with_a_group_can_be_waited_for() {
        let query = |group: &str, version: &str, resource: &str| ResourceQuery {
            group: group.into(),
            version: version.into(),
            resource: resource.into(),
        };
        for (query, expected, pinned) in [
            (query("", "", "widgets"), None, false),
            (query("", "v1", "widgets"), None, true),
            (query("", "", "Widgets.example.com"), Some("widgets.example.com"), false),
            (
                query("", "", "widgets.v1beta1.example.com"),
                Some("widgets.v1beta1.example.com"),
                true,
            ),
            (
                query("", "", "widgets.vain.example.com"),
                Some("widgets.vain.example.com"),
                false,
            ),
            (query("example.com", "", "widgets"), Some("widgets.example.com"), false),
            (
                query("example.com", "v1", "widgets"),
                Some("widgets.v1.example.com"),
                true,
            ),
            (
                query("", "v1", "widgets.example.com"),
                Some("widgets.v1.example.com"),
                true,
            ),
        ] {
            let found = query.provisional().map(|r| r.to_string());
            assert_eq!(found.as_deref(), expected, "{query:?}");
            assert_eq!(query.names_version(), pinned, "{query:?}");
        }
    }
}
