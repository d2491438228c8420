//! Asks the API server what it serves: by the aggregated documents (two requests), or group by group where the server is
//! too old for them.

use std::time::Duration;

use bytes::Bytes;
use futures::future::join_all;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{APIGroup, APIGroupList, APIResourceList, APIVersions};
use kube::{
    Client,
    client::{APIGroupDiscovery, APIGroupDiscoveryList, APIVersionDiscovery},
};
use serde::{Deserialize, de::DeserializeOwned};
use tracing::warn;

use super::catalog::{Catalog, Entry};
use crate::{
    clock::Clock,
    reflector::{Failure, FailureKind, fetch},
    upstream::{Resource, UpstreamError},
};

const ACCEPT: &str = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,\
     application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";
/// Longest wait for each document.
const WAIT: Duration = Duration::from_secs(30);
/// Largest document; a cluster with thousands of CRDs has a few MiB.
const MAX_BYTES: usize = 64 << 20;

/// Either form of the documents at /api and /apis.
enum Document<Legacy> {
    Aggregated(Vec<APIGroupDiscovery>),
    Legacy(Legacy),
}

#[derive(Deserialize)]
struct Kind {
    #[serde(default)]
    kind: String,
}

/// Everything the API server serves. An error means that the core group or the list of groups could not be read; the
/// failure of one group is noted in the catalog.
pub(super) async fn catalog(client: &Client) -> Result<Catalog, UpstreamError> {
    let clock = Clock::start();
    let told = |failure: Failure| failure.to_error(clock.wall());
    let (core, groups) = futures::join!(
        document::<APIVersions>(client, "/api"),
        document::<APIGroupList>(client, "/apis")
    );
    let mut catalog = Catalog::default();
    match core.map_err(told)? {
        Document::Aggregated(groups) => groups.into_iter().for_each(|g| catalog.add_group(g, &clock)),
        Document::Legacy(core) => {
            let paths = core
                .versions
                .iter()
                .map(|v| (String::new(), v.clone(), format!("/api/{v}")));
            catalog.add_legacy(client, paths.collect(), &clock).await;
        }
    }
    match groups.map_err(told)? {
        Document::Aggregated(groups) => groups.into_iter().for_each(|g| catalog.add_group(g, &clock)),
        Document::Legacy(list) => {
            let paths = list.groups.iter().flat_map(versions_by_preference);
            catalog.add_legacy(client, paths.collect(), &clock).await;
        }
    }
    if !catalog.failed.is_empty() {
        let groups: Vec<_> = catalog.failed.iter().map(|(group, _)| &**group).collect();
        warn!(?groups, "the API server cannot tell the resources of some groups");
    }
    Ok(catalog)
}

async fn document<Legacy: DeserializeOwned>(client: &Client, path: &str) -> Result<Document<Legacy>, Failure> {
    let raw = get(client, path, ACCEPT).await?;
    // Both forms would pass as the other one, empty.
    let Kind { kind } = parse(&raw)?;
    if kind == "APIGroupDiscoveryList" {
        Ok(Document::Aggregated(parse::<APIGroupDiscoveryList>(&raw)?.items))
    } else {
        Ok(Document::Legacy(parse(&raw)?))
    }
}

async fn get(client: &Client, path: &str, accept: &'static str) -> Result<Bytes, Failure> {
    let too_large = || malformed(format!("{path} is larger than {MAX_BYTES} bytes"));
    fetch(client, path, accept, WAIT, MAX_BYTES, too_large).await
}

fn parse<T: DeserializeOwned>(raw: &[u8]) -> Result<T, Failure> {
    serde_json::from_slice(raw).map_err(|e| malformed(e.to_string()))
}

fn malformed(message: String) -> Failure {
    Failure::new(FailureKind::Malformed, "MalformedDiscovery", message)
}

/// Group, version and path of each version, the preferred one first.
fn versions_by_preference(group: &APIGroup) -> Vec<(String, String, String)> {
    let preferred = group.preferred_version.as_ref().map(|v| &v.version);
    let mut versions: Vec<_> = group.versions.iter().collect();
    versions.sort_by_key(|v| Some(&v.version) != preferred);
    let of = |version: &String| {
        (
            group.name.clone(),
            version.clone(),
            format!("/apis/{}/{version}", group.name),
        )
    };
    versions.into_iter().map(|v| of(&v.version)).collect()
}

// === impl Catalog ===

impl Catalog {
    fn add_group(&mut self, group: APIGroupDiscovery, clock: &Clock) {
        let name = group.metadata.and_then(|m| m.name).unwrap_or_default();
        for version in group.versions {
            if version.freshness.as_deref() == Some("Stale") {
                let message = format!("the API server behind group {name:?} does not answer");
                let failure = Failure::new(FailureKind::Server, "StaleGroup", message);
                self.failed.push((name.clone(), failure.to_error(clock.wall())));
            }
            self.add_version(&name, version);
        }
    }

    /// Subresources are listed apart here and are left out.
    fn add_version(&mut self, group: &str, version: APIVersionDiscovery) {
        let version_name = version.version.unwrap_or_default();
        for found in version.resources {
            let (Some(plural), Some(kind)) = (found.resource, found.response_kind.and_then(|k| k.kind)) else {
                continue;
            };
            self.add(
                Resource {
                    group: group.to_owned(),
                    version: version_name.clone(),
                    plural,
                    kind,
                    namespaced: found.scope.as_deref() == Some("Namespaced"),
                },
                found.singular_resource.unwrap_or_default(),
                found.short_names,
                found.verbs,
            );
        }
    }

    async fn add_legacy(&mut self, client: &Client, versions: Vec<(String, String, String)>, clock: &Clock) {
        let lists = join_all(versions.iter().map(|(_, _, path)| async {
            let raw = get(client, path, "application/json").await?;
            parse::<APIResourceList>(&raw)
        }))
        .await;
        for ((group, version, _), list) in versions.into_iter().zip(lists) {
            match list {
                Err(failure) => self.failed.push((group, failure.to_error(clock.wall()))),
                Ok(list) => {
                    // Here subresources stand among the others, as "pods/log".
                    for found in list.resources.into_iter().filter(|r| !r.name.contains('/')) {
                        self.add(
                            Resource {
                                group: group.clone(),
                                version: version.clone(),
                                plural: found.name,
                                kind: found.kind,
                                namespaced: found.namespaced,
                            },
                            found.singular_name,
                            found.short_names.unwrap_or_default(),
                            found.verbs,
                        );
                    }
                }
            }
        }
    }

    fn add(&mut self, resource: Resource, singular: String, short_names: Vec<String>, verbs: Vec<String>) {
        if resource.plural.is_empty() || resource.kind.is_empty() {
            return;
        }
        let singular = if singular.is_empty() {
            resource.kind.to_lowercase()
        } else {
            singular
        };
        self.entries.push(Entry {
            resource,
            singular,
            short_names,
            verbs,
        });
    }
}
