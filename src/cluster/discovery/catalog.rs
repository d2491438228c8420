//! What the API server serves, in order of preference, and the rules by which a name picks one of it.

use crate::upstream::{Resource, ResourceQuery, UpstreamError};

/// All resources: the core group first, then the groups in the server's order, in each its versions by preference.
#[derive(Debug, Default)]
pub(super) struct Catalog {
    pub(super) entries: Vec<Entry>,
    /// Groups about which the API server could not tell everything. They do not hide the others.
    pub(super) failed: Vec<(String, UpstreamError)>,
}

/// One resource in one version.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) resource: Resource,
    pub(super) singular: String,
    pub(super) short_names: Vec<String>,
    pub(super) verbs: Vec<String>,
}

/// What a name stands for.
#[derive(Debug)]
pub(super) enum Found<'a> {
    Yes(&'a Resource),
    NotWatchable {
        resource: &'a Resource,
        missing: String,
    },
    /// It is served, but not in the version that was named.
    OtherVersions {
        resource: String,
        version: String,
        served: Vec<String>,
    },
    /// It names a group of which the API server cannot tell the resources now.
    Unknown(UpstreamError),
    No,
}

/// One reading of a query.
struct Want<'a> {
    name: &'a str,
    group: Option<&'a str>,
    version: Option<&'a str>,
}

// === impl Catalog ===

impl Catalog {
    pub(super) fn find(&self, query: &ResourceQuery) -> Found<'_> {
        let wants = readings(query);
        let Some(entry) = wants.iter().find_map(|want| self.first(want)) else {
            let named = |group: &str| wants.iter().any(|w| w.group.is_some_and(|g| group.starts_with(g)));
            return match self.failed.iter().find(|(group, _)| named(group)) {
                Some((_, error)) => Found::Unknown(error.clone()),
                None => wants
                    .iter()
                    .find_map(|want| self.other_versions(want))
                    .unwrap_or(Found::No),
            };
        };
        let missing: Vec<_> = ["list", "watch"]
            .into_iter()
            .filter(|verb| !entry.verbs.iter().any(|v| v == verb))
            .collect();
        if missing.is_empty() {
            Found::Yes(&entry.resource)
        } else {
            Found::NotWatchable {
                resource: &entry.resource,
                missing: missing.join(" and "),
            }
        }
    }

    /// What would be found if no version were named.
    fn other_versions(&self, want: &Want<'_>) -> Option<Found<'_>> {
        let version = want.version?;
        let any = Want {
            name: want.name,
            group: want.group,
            version: None,
        };
        let resource = &self.first(&any)?.resource;
        let same = |r: &&Resource| r.group == resource.group && r.plural == resource.plural;
        let versions = self.entries.iter().map(|e| &e.resource).filter(same);
        Some(Found::OtherVersions {
            resource: resource.name(),
            version: version.to_owned(),
            served: versions.map(|r| r.version.clone()).collect(),
        })
    }

    /// As kubectl does: a full name anywhere goes before a short name, that before a kind; a whole group before the start
    /// of one.
    fn first(&self, want: &Want<'_>) -> Option<&Entry> {
        let same = |a: &str| a.eq_ignore_ascii_case(want.name);
        let by_name: [&dyn Fn(&Entry) -> bool; 3] = [
            &|e| same(&e.resource.plural) || same(&e.singular),
            &|e| e.short_names.iter().any(|s| same(s)),
            &|e| same(&e.resource.kind),
        ];
        let group_fits = |e: &Entry, whole: bool| match want.group {
            None => true,
            Some(group) if whole => e.resource.group == group,
            Some(group) => want.version.is_none() && !group.is_empty() && e.resource.group.starts_with(group),
        };
        [true, false].into_iter().find_map(|whole| {
            by_name.iter().find_map(|name_fits| {
                self.entries.iter().find(|e| {
                    name_fits(e) && group_fits(e, whole) && want.version.is_none_or(|v| e.resource.version == v)
                })
            })
        })
    }
}

/// `plural.version.group` and `plural.group` look alike, so both are tried, the longer first.
fn readings(query: &ResourceQuery) -> Vec<Want<'_>> {
    let set = |s: &'_ String| !s.is_empty();
    let version = Some(&query.version).filter(|s| set(s)).map(String::as_str);
    let group = Some(&query.group).filter(|s| set(s)).map(String::as_str);
    let name = query.resource.trim();
    let mut wants = Vec::new();
    if let (None, Some((plural, rest))) = (group, name.split_once('.')) {
        if let (None, Some((version, group))) = (version, rest.split_once('.')) {
            wants.push(Want {
                name: plural,
                group: Some(group),
                version: Some(version),
            });
        }
        wants.push(Want {
            name: plural,
            group: Some(rest),
            version,
        });
    } else if !name.is_empty() {
        wants.push(Want { name, group, version });
    }
    wants
}
