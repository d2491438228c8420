//! The resource types that the simulated server serves: a table of built-in ones, and those that CRDs add.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

/// One served version of one resource.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ResourceType {
    /// `pods`, `deployments.apps`: what the versions of one resource share.
    pub(super) id: Arc<str>,
    pub(super) group: String,
    pub(super) version: String,
    /// The version in which objects are stored; others are made from it by changing `apiVersion`.
    pub(super) storage_version: String,
    pub(super) plural: String,
    pub(super) singular: String,
    pub(super) kind: String,
    pub(super) short_names: Vec<String>,
    pub(super) categories: Vec<String>,
    pub(super) namespaced: bool,
    /// Whether there is a `status` subresource.
    pub(super) status: bool,
    /// Built-in types come as Go structs order their fields, custom ones with sorted keys.
    pub(super) builtin: bool,
    /// Paths that field selectors may name, besides `metadata.name` and `metadata.namespace`.
    pub(super) fields: Vec<String>,
}

/// What can be looked up, by path or by kind.
#[derive(Debug, Default)]
pub(super) struct Registry {
    types: BTreeMap<(String, String, String), Arc<ResourceType>>,
}

/// group, version, plural, kind, short names, categories, namespaced, status, selectable fields
type Row = (
    &'static str,
    &'static str,
    &'static str,
    &'static str,
    &'static [&'static str],
    &'static [&'static str],
    bool,
    bool,
    &'static [&'static str],
);

const ALL: &[&str] = &["all"];
const POD_FIELDS: &[&str] = &[
    "spec.nodeName",
    "spec.restartPolicy",
    "spec.schedulerName",
    "spec.serviceAccountName",
    "spec.hostNetwork",
    "status.phase",
    "status.podIP",
    "status.nominatedNodeName",
];
const EVENT_FIELDS: &[&str] = &[
    "involvedObject.kind",
    "involvedObject.namespace",
    "involvedObject.name",
    "involvedObject.uid",
    "involvedObject.apiVersion",
    "involvedObject.resourceVersion",
    "involvedObject.fieldPath",
    "reason",
    "reportingComponent",
    "type",
];

#[rustfmt::skip]
const BUILTIN: &[Row] = &[
    ("", "v1", "configmaps", "ConfigMap", &["cm"], &[], true, false, &[]),
    ("", "v1", "endpoints", "Endpoints", &["ep"], &[], true, false, &[]),
    ("", "v1", "events", "Event", &["ev"], &[], true, false, EVENT_FIELDS),
    ("", "v1", "namespaces", "Namespace", &["ns"], &[], false, true, &["status.phase"]),
    ("", "v1", "nodes", "Node", &["no"], &[], false, true, &["spec.unschedulable"]),
    ("", "v1", "persistentvolumeclaims", "PersistentVolumeClaim", &["pvc"], &[], true, true, &[]),
    ("", "v1", "pods", "Pod", &["po"], ALL, true, true, POD_FIELDS),
    ("", "v1", "secrets", "Secret", &[], &[], true, false, &["type"]),
    ("", "v1", "serviceaccounts", "ServiceAccount", &["sa"], &[], true, false, &[]),
    ("", "v1", "services", "Service", &["svc"], ALL, true, true, &["spec.clusterIP", "spec.type"]),
    ("apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition", &["crd", "crds"], &["api-extensions"], false, true, &[]),
    ("apps", "v1", "daemonsets", "DaemonSet", &["ds"], ALL, true, true, &[]),
    ("apps", "v1", "deployments", "Deployment", &["deploy"], ALL, true, true, &[]),
    ("apps", "v1", "replicasets", "ReplicaSet", &["rs"], ALL, true, true, &["status.replicas"]),
    ("apps", "v1", "statefulsets", "StatefulSet", &["sts"], ALL, true, true, &[]),
    ("batch", "v1", "cronjobs", "CronJob", &["cj"], ALL, true, true, &[]),
    ("batch", "v1", "jobs", "Job", &[], ALL, true, true, &["status.successful"]),
    ("coordination.k8s.io", "v1", "leases", "Lease", &[], &[], true, false, &[]),
    ("networking.k8s.io", "v1", "ingresses", "Ingress", &["ing"], &[], true, true, &[]),
];

/// The id of the resource whose objects define other resources.
pub(super) const CRDS: &str = "customresourcedefinitions.apiextensions.k8s.io";

// === impl ResourceType ===

impl ResourceType {
    /// `v1`, `apps/v1`
    pub(super) fn api_version(&self) -> String {
        group_version(&self.group, &self.version)
    }

    /// `namespace/name`, or the name alone of what has no namespace: the order of these is the order of lists.
    pub(super) fn key(&self, namespace: Option<&str>, name: &str) -> String {
        match namespace {
            Some(namespace) if self.namespaced => format!("{namespace}/{name}"),
            _ => name.to_owned(),
        }
    }

    pub(super) fn selectable(&self, path: &str) -> bool {
        path == "metadata.name"
            || (path == "metadata.namespace" && self.namespaced)
            || self.fields.iter().any(|field| field == path)
    }

    fn builtin(row: &Row) -> Self {
        let (group, version, plural, kind, short_names, categories, namespaced, status, fields) = *row;
        let owned = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
        Self {
            id: resource_id(group, plural).into(),
            group: group.to_owned(),
            version: version.to_owned(),
            storage_version: version.to_owned(),
            plural: plural.to_owned(),
            singular: kind.to_lowercase(),
            kind: kind.to_owned(),
            short_names: owned(short_names),
            categories: owned(categories),
            namespaced,
            status,
            builtin: true,
            fields: owned(fields),
        }
    }

    /// The served versions that a CustomResourceDefinition declares, or what it lacks.
    pub(super) fn from_crd(crd: &Value) -> Result<Vec<Self>, String> {
        let text = |pointer: &str| {
            let value = crd.pointer(pointer).and_then(Value::as_str);
            value
                .map(str::to_owned)
                .ok_or_else(|| format!("{}: Required value", pointer[1..].replace('/', ".")))
        };
        let (group, plural, kind) = (
            text("/spec/group")?,
            text("/spec/names/plural")?,
            text("/spec/names/kind")?,
        );
        if text("/metadata/name")? != format!("{plural}.{group}") {
            return Err("metadata.name: Invalid value: must be spec.names.plural+\".\"+spec.group".to_owned());
        }
        let versions = crd.pointer("/spec/versions").and_then(Value::as_array);
        let versions = versions.ok_or("spec.versions: Required value")?;
        let name = |version: &Value| version["name"].as_str().map(str::to_owned);
        let storage_version = versions
            .iter()
            .find(|version| version["storage"] == true)
            .and_then(name);
        let storage_version =
            storage_version.ok_or("spec.versions: Invalid value: must have exactly one storage version")?;
        let list = |pointer: &str| texts(crd.pointer(pointer), |value| value.as_str());
        let base = Self {
            id: resource_id(&group, &plural).into(),
            group,
            version: String::new(),
            storage_version,
            singular: text("/spec/names/singular").unwrap_or_else(|_| kind.to_lowercase()),
            plural,
            kind,
            short_names: list("/spec/names/shortNames"),
            categories: list("/spec/names/categories"),
            namespaced: text("/spec/scope")? == "Namespaced",
            status: false,
            builtin: false,
            fields: Vec::new(),
        };
        let served = versions.iter().filter(|version| version["served"] == true);
        Ok(served
            .filter_map(|version| {
                Some(Self {
                    version: name(version)?,
                    status: version.pointer("/subresources/status").is_some(),
                    fields: texts(version.get("selectableFields"), |field| {
                        field["jsonPath"].as_str().map(|path| path.trim_start_matches('.'))
                    }),
                    ..base.clone()
                })
            })
            .collect())
    }
}

// === impl Registry ===

impl Registry {
    pub(super) fn with_builtin() -> Self {
        let mut registry = Self::default();
        BUILTIN
            .iter()
            .for_each(|row| registry.insert(ResourceType::builtin(row)));
        registry
    }

    pub(super) fn insert(&mut self, kind: ResourceType) {
        let path = (kind.group.clone(), kind.version.clone(), kind.plural.clone());
        self.types.insert(path, Arc::new(kind));
    }

    pub(super) fn remove(&mut self, id: &str) {
        self.types.retain(|_, kind| &*kind.id != id);
    }

    pub(super) fn by_path(&self, group: &str, version: &str, plural: &str) -> Option<Arc<ResourceType>> {
        self.types
            .get(&(group.to_owned(), version.to_owned(), plural.to_owned()))
            .cloned()
    }

    pub(super) fn by_kind(&self, api_version: &str, kind: &str) -> Option<Arc<ResourceType>> {
        self.types
            .values()
            .find(|t| t.kind == kind && t.api_version() == api_version)
            .cloned()
    }

    /// By id (`pods`, `deployments.apps`), or by a plural that names one resource only by accident of uniqueness.
    pub(super) fn by_name(&self, name: &str) -> Option<Arc<ResourceType>> {
        let by_id = self.types.values().find(|t| &*t.id == name);
        by_id
            .or_else(|| self.types.values().find(|t| t.plural == name))
            .cloned()
    }

    /// All served versions, ordered by group, version, plural.
    pub(super) fn all(&self) -> impl Iterator<Item = &Arc<ResourceType>> {
        self.types.values()
    }
}

pub(super) fn group_version(group: &str, version: &str) -> String {
    if group.is_empty() {
        version.to_owned()
    } else {
        format!("{group}/{version}")
    }
}

fn resource_id(group: &str, plural: &str) -> String {
    if group.is_empty() {
        plural.to_owned()
    } else {
        format!("{plural}.{group}")
    }
}

fn texts<'v>(array: Option<&'v Value>, text: impl Fn(&'v Value) -> Option<&'v str>) -> Vec<String> {
    let array = array.and_then(Value::as_array);
    array
        .into_iter()
        .flatten()
        .filter_map(|v| text(v).map(str::to_owned))
        .collect()
}
