//! What an informer caches, as asked for and normalised.

use std::{collections::BTreeSet, time::Duration};

use crate::{
    hash::fnv64,
    object::Transform,
    processor::HistoryLimits,
    selector::{FieldSelector, LabelSelector},
    store::{IndexSpec, QuerySpec},
    upstream::{ListMode, Resource, ResourceQuery},
};

/// A declaration, before its resource is resolved.
#[derive(Clone, Debug, Default)]
pub struct SpecRequest {
    /// The resource.
    pub resource: ResourceQuery,
    /// Namespaces; empty = all.
    pub namespaces: Vec<String>,
    /// Label selector of namespaces, which are followed as they come and go; excludes `namespaces`.
    pub namespace_selector: String,
    /// The namespaces are the server's default: they mean nothing should the resource turn out to be cluster-scoped.
    pub default_scope: bool,
    /// Label selector for the API server.
    pub label_selector: String,
    /// Field selector for the API server.
    pub field_selector: String,
    /// Store PartialObjectMetadata only.
    pub metadata_only: bool,
    /// What is cut.
    pub transform: Transform,
    /// How the initial state is read.
    pub list_mode: ListMode,
    /// Bounds of the history.
    pub history: HistoryLimits,
    /// Declared indexes.
    pub indexers: Vec<IndexSpec>,
    /// When the reflectors start.
    pub start: StartPolicy,
    /// Resync period of listeners that give none.
    pub resync: Option<Duration>,
    /// Reads fail while the cache was proven current longer ago than this; `None` = never.
    pub max_staleness: Option<Duration>,
}

/// When the reflectors start.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StartPolicy {
    /// At creation.
    #[default]
    Eager,
    /// At the first read or watch.
    OnFirstUse,
}

/// A normalised declaration.
#[derive(Clone, Debug)]
pub struct InformerSpec {
    /// The resource as it was declared.
    pub query: ResourceQuery,
    /// The resource, resolved. While it is waited for its kind is empty.
    pub resource: Resource,
    /// Namespaces; empty = all, or those of the selector.
    pub namespaces: BTreeSet<String>,
    /// Canonical label selector of namespaces.
    pub namespace_selector: String,
    /// See [`SpecRequest`].
    pub default_scope: bool,
    /// Canonical label selector.
    pub label_selector: String,
    /// Canonical field selector.
    pub field_selector: String,
    /// See [`SpecRequest`].
    pub metadata_only: bool,
    /// See [`SpecRequest`].
    pub transform: Transform,
    /// See [`SpecRequest`].
    pub list_mode: ListMode,
    /// See [`SpecRequest`].
    pub history: HistoryLimits,
    /// See [`SpecRequest`].
    pub indexers: Vec<IndexSpec>,
    /// See [`SpecRequest`].
    pub start: StartPolicy,
    /// See [`SpecRequest`].
    pub resync: Option<Duration>,
    /// See [`SpecRequest`]; at least a second.
    pub max_staleness: Option<Duration>,
}

/// Which namespaces: some, those of a selector, or all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Scope {
    pub(super) namespaces: BTreeSet<String>,
    pub(super) selector: String,
}

/// A declaration that cannot be served.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{field}: {problem}")]
pub struct SpecError {
    /// The field of InformerSpec.
    pub field: &'static str,
    /// What is wrong and what would be right.
    pub problem: String,
}

// === impl InformerSpec ===

impl InformerSpec {
    /// Normalises a declaration for the resource that its query resolved to.
    pub fn new(request: SpecRequest, resource: Resource) -> Result<Self, SpecError> {
        let labels = LabelSelector::parse(&request.label_selector)
            .map_err(|e| SpecError::new("label_selector", e.to_string()))?;
        let fields = FieldSelector::parse(&request.field_selector)
            .map_err(|e| SpecError::new("field_selector", e.to_string()))?;
        let scope = Scope::of(request.namespaces, &request.namespace_selector)?;
        scope.fits(&resource)?;
        let max_staleness = staleness(request.max_staleness)?;
        let mut indexers = request.indexers;
        indexers.sort();
        indexers.dedup();
        Ok(Self {
            query: request.resource,
            resource,
            namespaces: scope.namespaces,
            namespace_selector: scope.selector,
            default_scope: request.default_scope,
            label_selector: labels.normalized(),
            field_selector: fields.normalized(),
            metadata_only: request.metadata_only,
            transform: request.transform,
            list_mode: request.list_mode,
            history: request.history,
            indexers,
            start: request.start,
            // Row H13.
            resync: request
                .resync
                .filter(|p| !p.is_zero())
                .map(|p| p.max(Duration::from_secs(1))),
            max_staleness,
        })
    }

    /// Equal for specs that cache the same. Indexes, history and start policy do not change what is cached: whoever comes
    /// second shares the first one's.
    pub fn identity(&self) -> String {
        format!(
            "{}|{:?}|{}|{}|{}|{}|{:?}",
            self.resource,
            self.namespaces,
            self.namespace_selector,
            self.label_selector,
            self.field_selector,
            self.metadata_only,
            self.transform
        )
    }

    /// The id of an informer that nobody named: the resource, and a hash of what narrows it.
    pub fn default_id(&self) -> String {
        let plain = self.namespaces.is_empty()
            && self.namespace_selector.is_empty()
            && self.label_selector.is_empty()
            && self.field_selector.is_empty()
            && !self.metadata_only
            && self.transform == Transform::default();
        if plain { self.resource_id() } else { self.distinct_id() }
    }

    /// The id where [`Self::default_id`] is taken: always with the hash, which tells versions of a resource apart.
    pub fn distinct_id(&self) -> String {
        format!(
            "{}-{:08x}",
            self.resource_id(),
            fnv64(self.identity().as_bytes()) as u32
        )
    }

    fn resource_id(&self) -> String {
        self.resource.name()
    }

    /// True while the API server does not serve the resource yet.
    pub fn is_waiting(&self) -> bool {
        self.resource.kind.is_empty()
    }

    /// True if this is what the declaration waits for.
    pub fn waits_for(&self, resource: &Resource) -> bool {
        let this = &self.resource;
        self.is_waiting()
            && this.group == resource.group
            && [&resource.plural, &resource.kind.to_lowercase()].contains(&&this.plural)
            && (this.version.is_empty() || this.version == resource.version)
    }

    /// The resource is served: the declaration becomes one for it, or says why it cannot.
    pub(super) fn adopt(&mut self, resource: Resource) -> Result<(), SpecError> {
        if self.default_scope && !resource.namespaced {
            self.namespaces.clear();
            self.namespace_selector.clear();
        }
        self.scope().fits(&resource)?;
        self.resource = resource;
        Ok(())
    }

    /// What of the namespaces it covers.
    pub(super) fn scope(&self) -> Scope {
        Scope {
            namespaces: self.namespaces.clone(),
            selector: self.namespace_selector.clone(),
        }
    }

    /// True if every object that `filter` can select is cached under this spec. `None` of a selector covers all.
    pub fn covers(&self, filter: &QuerySpec) -> bool {
        let canonical = |parsed: Option<String>| parsed.unwrap_or_default();
        let labels = canonical(
            LabelSelector::parse(&filter.label_selector)
                .ok()
                .map(|s| s.normalized()),
        );
        let fields = canonical(
            FieldSelector::parse(&filter.field_selector)
                .ok()
                .map(|s| s.normalized()),
        );
        // Namespaces that are followed can leave: whoever wants those asks for that informer.
        let namespaces = (self.namespaces.is_empty() && self.namespace_selector.is_empty())
            || (!filter.namespaces.is_empty() && filter.namespaces.iter().all(|n| self.namespaces.contains(n)));
        // Who names only the resource wants whole objects.
        !self.metadata_only
            && self.transform.is_customary()
            && namespaces
            && (self.label_selector.is_empty() || self.label_selector == labels)
            && (self.field_selector.is_empty() || self.field_selector == fields)
    }
}

// === impl Scope ===

impl Scope {
    /// Checks and normalises what was asked for.
    pub(super) fn of(namespaces: Vec<String>, selector: &str) -> Result<Self, SpecError> {
        let namespaces: BTreeSet<_> = namespaces.into_iter().filter(|n| !n.is_empty()).collect();
        if let Some(bad) = namespaces.iter().find(|n| !is_dns_label(n)) {
            return Err(SpecError::new("namespaces", format!("{bad:?} is not a namespace name")));
        }
        let selector = LabelSelector::parse(selector)
            .map_err(|e| SpecError::new("namespace_selector", e.to_string()))?
            .normalized();
        if !namespaces.is_empty() && !selector.is_empty() {
            return Err(SpecError::new(
                "namespace_selector",
                "excludes namespaces: set one of them",
            ));
        }
        Ok(Self { namespaces, selector })
    }

    /// A cluster-scoped resource has no namespaces to choose from (row K4).
    pub(super) fn fits(&self, resource: &Resource) -> Result<(), SpecError> {
        let wrong = |field| SpecError::new(field, format!("{resource} is cluster-scoped; leave {field} empty"));
        match (
            resource.namespaced,
            self.namespaces.is_empty(),
            self.selector.is_empty(),
        ) {
            (false, false, _) => Err(wrong("namespaces")),
            (false, _, false) => Err(wrong("namespace_selector")),
            _ => Ok(()),
        }
    }
}

// === impl SpecError ===

impl SpecError {
    /// A problem with a field.
    pub fn new(field: &'static str, problem: impl Into<String>) -> Self {
        Self {
            field,
            problem: problem.into(),
        }
    }
}

/// 0 means never. Less than a second would only tell how fast the process is.
pub(super) fn staleness(limit: Option<Duration>) -> Result<Option<Duration>, SpecError> {
    match limit.filter(|l| !l.is_zero()) {
        Some(short) if short < Duration::from_secs(1) => {
            Err(SpecError::new("max_staleness", "0 (never) or at least 1 s is expected"))
        }
        limit => Ok(limit),
    }
}

fn is_dns_label(s: &str) -> bool {
    (1..=63).contains(&s.len())
        && s.bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        && !s.starts_with('-')
        && !s.ends_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pods() -> Resource {
        Resource {
            group: String::new(),
            version: "v1".into(),
            plural: "pods".into(),
            kind: "Pod".into(),
            namespaced: true,
        }
    }

    fn spec(namespaces: &[&str], labels: &str) -> InformerSpec {
        let request = SpecRequest {
            namespaces: namespaces.iter().map(|n| n.to_string()).collect(),
            label_selector: labels.into(),
            ..SpecRequest::default()
        };
        InformerSpec::new(request, pods()).unwrap()
    }

    #[test]
    fn case_32_equal_specs_are_one_informer_and_different_ones_never_mix() {
        assert_eq!(
            spec(&["b", "a"], "x=1,y").identity(),
            spec(&["a", "b", "a"], "y, x == 1").identity()
        );
        let all = [spec(&[], ""), spec(&["a"], ""), spec(&["b"], ""), spec(&["a"], "x=1")];
        let ids: BTreeSet<_> = all.iter().flat_map(|s| [s.identity(), s.default_id()]).collect();
        assert_eq!(ids.len(), 8);
        assert_eq!(all[0].default_id(), "pods");
    }

    #[test]
    fn a_wider_informer_covers_a_narrower_filter() {
        let filter = |namespaces: &[&str], labels: &str| QuerySpec {
            namespaces: namespaces.iter().map(|n| n.to_string()).collect(),
            label_selector: labels.into(),
            ..QuerySpec::default()
        };
        assert!(spec(&[], "").covers(&filter(&["a"], "x=1")));
        assert!(spec(&["a", "b"], "").covers(&filter(&["a"], "")));
        assert!(!spec(&["a"], "").covers(&filter(&[], "")));
        assert!(!spec(&["a"], "").covers(&filter(&["a", "c"], "")));
        assert!(spec(&[], "x=1").covers(&filter(&[], "x==1")));
        assert!(!spec(&[], "x=1").covers(&filter(&[], "")));
    }

    #[test]
    fn max_staleness_is_never_or_at_least_a_second() {
        let of = |millis| {
            let request = SpecRequest {
                max_staleness: Some(Duration::from_millis(millis)),
                ..SpecRequest::default()
            };
            InformerSpec::new(request, pods()).map(|s| s.max_staleness)
        };
        assert_eq!(of(0), Ok(None));
        assert_eq!(of(1000), Ok(Some(Duration::from_secs(1))));
        assert_eq!(of(999).unwrap_err().field, "max_staleness");
    }

    #[test]
    fn k4_namespaces_of_a_cluster_scoped_resource_are_refused() {
        let nodes = Resource {
            plural: "nodes".into(),
            kind: "Node".into(),
            namespaced: false,
            ..pods()
        };
        let request = SpecRequest {
            namespaces: vec!["a".into()],
            ..SpecRequest::default()
        };
        assert_eq!(InformerSpec::new(request, nodes).unwrap_err().field, "namespaces");
    }
}
