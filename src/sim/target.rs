//! What the path of a request names.

use std::sync::Arc;

use super::Inner;
use super::meta::Part;
use super::resource::ResourceType;
use super::status::StatusError;

/// What a path below `/api/v1` or `/apis/GROUP/VERSION` names.
pub(super) struct Target {
    pub(super) kind: Arc<ResourceType>,
    pub(super) namespace: Option<String>,
    pub(super) name: Option<String>,
    pub(super) part: Part,
}

// === impl Target ===

impl Target {
    /// Finds what a path names; `None` if it is no path of objects.
    pub(super) fn find(inner: &Inner, path: &str) -> Result<Option<Self>, StatusError> {
        let parts: Vec<_> = path.trim_matches('/').split('/').collect();
        let (group, version, rest) = match parts.as_slice() {
            ["api", version, rest @ ..] if !rest.is_empty() => ("", *version, rest),
            ["apis", group, version, rest @ ..] if !rest.is_empty() => (*group, *version, rest),
            _ => return Ok(None),
        };
        let state = inner.store.read();
        let registry = &state.registry;
        if !registry
            .all()
            .any(|kind| kind.group == group && kind.version == version)
        {
            return Ok(None);
        }
        let find = |plural| {
            registry
                .by_path(group, version, plural)
                .ok_or_else(StatusError::path_not_found)
        };
        let (kind, namespace, rest) = match rest {
            // `namespaces/NAME/status` is a part of the namespace itself.
            ["namespaces", namespace, plural, rest @ ..] if *plural != "status" => {
                (find(plural)?, Some((*namespace).to_owned()), rest)
            }
            [plural, rest @ ..] => (find(plural)?, None, rest),
            [] => return Ok(None),
        };
        let (name, part) = match rest {
            [] => (None, Part::Main),
            [name] => (Some((*name).to_owned()), Part::Main),
            [name, "status"] if kind.status => (Some((*name).to_owned()), Part::Status),
            _ => return Err(StatusError::path_not_found()),
        };
        if namespace.is_some() != kind.namespaced && (namespace.is_some() || name.is_some()) {
            return Err(StatusError::path_not_found());
        }
        Ok(Some(Self {
            kind,
            namespace,
            name,
            part,
        }))
    }
}
