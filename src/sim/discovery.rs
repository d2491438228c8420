//! Discovery documents, one by one and aggregated.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};

use super::resource::{Registry, ResourceType, group_version};

/// What a client must accept to get the aggregated form.
pub(super) const AGGREGATED: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList";

const VERBS: &[&str] = &[
    "create",
    "delete",
    "deletecollection",
    "get",
    "list",
    "patch",
    "update",
    "watch",
];
const STATUS_VERBS: &[&str] = &["get", "patch", "update"];

type Kinds<'r> = Vec<&'r Arc<ResourceType>>;

/// Groups with their versions with their resources; the core group has the name "".
fn groups(registry: &Registry) -> BTreeMap<&str, BTreeMap<&str, Kinds<'_>>> {
    let mut groups: BTreeMap<&str, BTreeMap<&str, Kinds<'_>>> = BTreeMap::new();
    for kind in registry.all() {
        groups
            .entry(&kind.group)
            .or_default()
            .entry(&kind.version)
            .or_default()
            .push(kind);
    }
    groups
}

/// `/api`
pub(super) fn legacy_versions(address: &str) -> Value {
    let all = json!([{"clientCIDR": "0.0.0.0/0", "serverAddress": address}]);
    json!({"kind": "APIVersions", "versions": ["v1"], "serverAddressByClientCIDRs": all})
}

/// `/apis`
pub(super) fn group_list(registry: &Registry) -> Value {
    let groups = groups(registry);
    let named = groups.iter().filter(|(name, _)| !name.is_empty());
    let groups: Vec<_> = named
        .map(|(name, versions)| group_of(name, versions.keys().copied()))
        .collect();
    json!({"kind": "APIGroupList", "apiVersion": "v1", "groups": groups})
}

/// `/apis/GROUP`
pub(super) fn group(registry: &Registry, name: &str) -> Option<Value> {
    let groups = groups(registry);
    let mut group = group_of(name, groups.get(name)?.keys().copied());
    group["kind"] = json!("APIGroup");
    group["apiVersion"] = json!("v1");
    Some(group)
}

/// `/api/v1` and `/apis/GROUP/VERSION`
pub(super) fn resource_list(registry: &Registry, group: &str, version: &str) -> Option<Value> {
    let groups = groups(registry);
    let resources: Vec<_> = groups
        .get(group)?
        .get(version)?
        .iter()
        .flat_map(|kind| resource(kind))
        .collect();
    Some(json!({
        "kind": "APIResourceList",
        "apiVersion": "v1",
        "groupVersion": group_version(group, version),
        "resources": resources,
    }))
}

/// `/api` or `/apis` in the aggregated form.
pub(super) fn aggregated(registry: &Registry, legacy: bool) -> Value {
    let groups = groups(registry);
    let items = groups
        .iter()
        .filter(|(name, _)| name.is_empty() == legacy)
        .map(|(name, versions)| {
            let versions = newest_first(versions.keys().copied()).into_iter().map(|version| {
                let kinds = versions.get(version).into_iter().flatten();
                let resources: Vec<_> = kinds.map(|kind| aggregated_resource(kind)).collect();
                json!({"version": version, "resources": resources, "freshness": "Current"})
            });
            let metadata = if legacy { json!({}) } else { json!({"name": name}) };
            json!({"metadata": metadata, "versions": versions.collect::<Vec<_>>()})
        });
    let items: Vec<_> = items.collect();
    json!({"kind": "APIGroupDiscoveryList", "apiVersion": "apidiscovery.k8s.io/v2", "metadata": {}, "items": items})
}

fn group_of<'v>(name: &str, versions: impl Iterator<Item = &'v str>) -> Value {
    let versions = newest_first(versions).into_iter();
    let versions: Vec<_> = versions
        .map(|version| json!({"groupVersion": group_version(name, version), "version": version}))
        .collect();
    json!({"name": name, "preferredVersion": versions.first(), "versions": versions})
}

fn resource(kind: &ResourceType) -> Vec<Value> {
    let mut entry = json!({
        "name": kind.plural,
        "singularName": kind.singular,
        "namespaced": kind.namespaced,
        "kind": kind.kind,
        "verbs": VERBS,
    });
    extras(&mut entry, kind);
    let status = kind.status.then(|| {
        json!({
            "name": format!("{}/status", kind.plural),
            "singularName": "",
            "namespaced": kind.namespaced,
            "kind": kind.kind,
            "verbs": STATUS_VERBS,
        })
    });
    std::iter::once(entry).chain(status).collect()
}

fn aggregated_resource(kind: &ResourceType) -> Value {
    let response = json!({"group": kind.group, "version": kind.version, "kind": kind.kind});
    let mut entry = json!({
        "resource": kind.plural,
        "responseKind": response,
        "scope": if kind.namespaced { "Namespaced" } else { "Cluster" },
        "singularResource": kind.singular,
        "verbs": VERBS,
    });
    extras(&mut entry, kind);
    if kind.status {
        entry["subresources"] = json!([{"subresource": "status", "responseKind": response, "verbs": STATUS_VERBS}]);
    }
    entry
}

fn extras(entry: &mut Value, kind: &ResourceType) {
    for (field, names) in [("shortNames", &kind.short_names), ("categories", &kind.categories)] {
        if !names.is_empty() {
            entry[field] = json!(names);
        }
    }
}

/// Kubernetes' order of versions: v2, v1, v1beta2, v1beta1, v1alpha1, others by name.
fn newest_first<'v>(versions: impl Iterator<Item = &'v str>) -> Vec<&'v str> {
    let mut versions: Vec<_> = versions.collect();
    versions.sort_by_key(|version| std::cmp::Reverse(priority(version)));
    versions
}

fn priority(version: &str) -> Option<(u8, u64, u64)> {
    let rest = version.strip_prefix('v')?;
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let major = rest[..digits].parse().ok()?;
    match &rest[digits..] {
        "" => Some((2, major, 0)),
        stage => {
            let beta = stage.strip_prefix("beta");
            let minor = beta.or(stage.strip_prefix("alpha"))?.parse().ok()?;
            Some((u8::from(beta.is_some()), major, minor))
        }
    }
}
