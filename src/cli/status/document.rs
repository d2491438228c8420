//! `informerd status -o json`.

use prost_types::{Duration, Timestamp};
use serde::Serialize;
use serde_json::Value;

use super::state;
use crate::{
    cli::{error::CliError, print::json, watch::encode::word},
    proto::v1alpha1::{self as pb, CacheStatus, GetServerInfoResponse, Informer, Reflector},
};

/// The document: field names are those of the API in camelCase, as protobuf's own JSON has them.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document<'a> {
    server: Server<'a>,
    informers: Vec<Entry<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Server<'a> {
    epoch: &'a str,
    version: &'a str,
    api_versions: &'a [String],
    features: &'a [String],
    limits: Option<Limits>,
    creates_informers: bool,
    default_namespaces: &'a [String],
    default_label_selector: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Limits {
    max_watches: u32,
    max_informers: u32,
    max_page_size: u32,
    max_page_bytes: u64,
    max_batch_keys: u32,
    max_pinned_snapshots: u32,
    pinned_snapshot_ttl: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Entry<'a> {
    name: &'a str,
    resource: Resource<'a>,
    kind: &'a str,
    namespaced: bool,
    namespaces: &'a [String],
    namespace_selector: &'a str,
    label_selector: &'a str,
    field_selector: &'a str,
    indexers: Vec<Index<'a>>,
    status: Option<Status<'a>>,
    object_count: u64,
    object_bytes: u64,
    watch_count: u32,
    oldest_revision: u64,
    create_time: Option<String>,
    list_count: u64,
    upstream_watch_count: u64,
    restart_count: u64,
    skipped_count: u64,
    reflectors: Vec<ReflectorEntry<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReflectorEntry<'a> {
    namespace: &'a str,
    state: &'static str,
    resource_version: &'a str,
    list_mode: &'static str,
    last_error: Option<UpstreamError<'a>>,
}

#[derive(Default, Serialize)]
struct Resource<'a> {
    group: &'a str,
    version: &'a str,
    resource: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Index<'a> {
    name: &'a str,
    json_pointer: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Status<'a> {
    epoch: &'a str,
    revision: u64,
    resource_version: &'a str,
    synced: bool,
    upstream_state: &'static str,
    current_as_of: Option<String>,
    last_error: Option<UpstreamError<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct UpstreamError<'a> {
    http_status: i32,
    reason: &'a str,
    message: &'a str,
    time: Option<String>,
}

// === impl Document ===

impl<'a> Document<'a> {
    pub(super) fn new(info: &'a GetServerInfoResponse, list: &'a [Informer]) -> Self {
        Self {
            server: server(info),
            informers: list.iter().map(entry).collect(),
        }
    }

    pub(super) fn render(&self) -> Result<String, CliError> {
        let value: Value = serde_json::to_value(self).map_err(|e| CliError::Failed(e.to_string()))?;
        Ok(json::object(&value))
    }
}

fn server(info: &GetServerInfoResponse) -> Server<'_> {
    Server {
        epoch: &info.epoch,
        version: &info.version,
        api_versions: &info.api_versions,
        features: &info.features,
        limits: info.limits.as_ref().map(|l| Limits {
            max_watches: l.max_watches,
            max_informers: l.max_informers,
            max_page_size: l.max_page_size,
            max_page_bytes: l.max_page_bytes,
            max_batch_keys: l.max_batch_keys,
            max_pinned_snapshots: l.max_pinned_snapshots,
            pinned_snapshot_ttl: l.pinned_snapshot_ttl.as_ref().map(Duration::to_string),
        }),
        creates_informers: info.creates_informers,
        default_namespaces: &info.default_namespaces,
        default_label_selector: &info.default_label_selector,
    }
}

fn entry(informer: &Informer) -> Entry<'_> {
    let spec = informer.spec.as_ref();
    let resource = spec.and_then(|s| s.resource.as_ref());
    Entry {
        name: &informer.name,
        resource: resource
            .map(|r| Resource {
                group: &r.group,
                version: &r.version,
                resource: &r.resource,
            })
            .unwrap_or_default(),
        kind: &informer.kind,
        namespaced: informer.namespaced,
        namespaces: spec.map_or(&[], |s| &s.namespaces),
        namespace_selector: spec.map_or("", |s| &s.namespace_selector),
        label_selector: spec.map_or("", |s| &s.label_selector),
        field_selector: spec.map_or("", |s| &s.field_selector),
        indexers: spec
            .map(|s| {
                s.indexers
                    .iter()
                    .map(|i| Index {
                        name: &i.name,
                        json_pointer: &i.json_pointer,
                    })
                    .collect()
            })
            .unwrap_or_default(),
        status: informer.status.as_ref().map(status),
        object_count: informer.object_count,
        object_bytes: informer.object_bytes,
        watch_count: informer.watch_count,
        oldest_revision: informer.oldest_revision,
        create_time: informer.create_time.as_ref().map(Timestamp::to_string),
        list_count: informer.list_count,
        upstream_watch_count: informer.upstream_watch_count,
        restart_count: informer.restart_count,
        skipped_count: informer.skipped_count,
        reflectors: informer.reflectors.iter().map(reflector).collect(),
    }
}

fn reflector(reflector: &Reflector) -> ReflectorEntry<'_> {
    ReflectorEntry {
        namespace: &reflector.namespace,
        state: word(reflector.state().as_str_name(), "UPSTREAM_STATE_"),
        resource_version: &reflector.resource_version,
        list_mode: word(reflector.list_mode().as_str_name(), "LIST_MODE_"),
        last_error: reflector.last_error.as_ref().map(error),
    }
}

fn error(e: &pb::UpstreamError) -> UpstreamError<'_> {
    UpstreamError {
        http_status: e.http_status,
        reason: &e.reason,
        message: &e.message,
        time: e.time.as_ref().map(Timestamp::to_string),
    }
}

fn status(s: &CacheStatus) -> Status<'_> {
    Status {
        epoch: &s.epoch,
        revision: s.revision,
        resource_version: &s.resource_version,
        synced: s.synced,
        upstream_state: state(s),
        current_as_of: s.current_as_of.as_ref().map(Timestamp::to_string),
        last_error: s.last_error.as_ref().map(error),
    }
}
