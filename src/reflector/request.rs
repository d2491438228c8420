//! The list and watch requests of one reflector, and what every request to the API server is made of.

use std::time::Duration;

use http::{HeaderValue, Request, header};
use kube::client::Body;
use url::form_urlencoded;

use super::failure::{Failure, FailureKind};
use crate::upstream::{ReflectorJob, Resource};

/// Builds the requests of one job. Selectors and namespace go into all of them (row R25).
#[derive(Debug)]
pub(super) struct Requests {
    path: String,
    label_selector: Option<String>,
    field_selector: Option<String>,
    metadata_only: bool,
}

/// Whole objects.
pub(crate) const JSON: &str = "application/json";
/// An object's metadata. Plain JSON is the second choice, for servers that cannot do PartialObjectMetadata; both fit the
/// scanner.
pub(crate) const METADATA: &str = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
/// A list of metadata, or of objects.
pub(crate) const METADATA_LIST: &str =
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
const NOT_OLDER_THAN: (&str, &str) = ("resourceVersionMatch", "NotOlderThan");

// === impl Requests ===

impl Requests {
    pub(super) fn new(job: &ReflectorJob) -> Self {
        Self {
            path: collection(&job.resource, job.namespace.as_deref()),
            label_selector: job.label_selector.clone().filter(|s| !s.is_empty()),
            field_selector: job.field_selector.clone().filter(|s| !s.is_empty()),
            metadata_only: job.metadata_only,
        }
    }

    /// The first page of a list. "NotOlderThan" is said, because with a limit the server would else take a version as
    /// "Exact".
    pub(super) fn list(&self, resource_version: &str, limit: Option<u32>) -> Result<Request<Body>, Failure> {
        let limit = limit.map(|l| l.to_string());
        let mut query = Vec::new();
        if let Some(limit) = &limit {
            query.push(("limit", &**limit));
        }
        if !resource_version.is_empty() {
            query.extend([("resourceVersion", resource_version), NOT_OLDER_THAN]);
        }
        self.build(&query, false)
    }

    /// A later page; version and match must not be repeated there (row R5).
    pub(super) fn next_page(&self, limit: Option<u32>, token: &str) -> Result<Request<Body>, Failure> {
        let limit = limit.map(|l| l.to_string());
        let mut query = Vec::new();
        if let Some(limit) = &limit {
            query.push(("limit", &**limit));
        }
        query.push(("continue", token));
        self.build(&query, false)
    }

    /// A watch (rows R11, R12).
    pub(super) fn watch(&self, resource_version: &str, timeout: Duration) -> Result<Request<Body>, Failure> {
        let timeout = timeout.as_secs().to_string();
        let mut query = vec![
            ("watch", "true"),
            ("allowWatchBookmarks", "true"),
            ("timeoutSeconds", &timeout),
        ];
        if !resource_version.is_empty() {
            query.push(("resourceVersion", resource_version));
        }
        self.build(&query, true)
    }

    /// A watch that starts with the state (row R14).
    pub(super) fn watch_list(&self, resource_version: &str, timeout: Duration) -> Result<Request<Body>, Failure> {
        let timeout = timeout.as_secs().to_string();
        let mut query = vec![
            ("watch", "true"),
            ("allowWatchBookmarks", "true"),
            ("sendInitialEvents", "true"),
            NOT_OLDER_THAN,
            ("timeoutSeconds", &timeout),
        ];
        if !resource_version.is_empty() {
            query.push(("resourceVersion", resource_version));
        }
        self.build(&query, true)
    }

    fn build(&self, query: &[(&str, &str)], watch: bool) -> Result<Request<Body>, Failure> {
        let mut encoded = form_urlencoded::Serializer::new(String::new());
        encoded.extend_pairs(query);
        if let Some(selector) = &self.label_selector {
            encoded.append_pair("labelSelector", selector);
        }
        if let Some(selector) = &self.field_selector {
            encoded.append_pair("fieldSelector", selector);
        }
        let accept = match (self.metadata_only, watch) {
            (false, _) => JSON,
            (true, true) => METADATA,
            (true, false) => METADATA_LIST,
        };
        get(&format!("{}?{}", self.path, encoded.finish()), accept)
    }
}

/// The path of all objects of a resource, or of those in one namespace.
pub(crate) fn collection(resource: &Resource, namespace: Option<&str>) -> String {
    let mut path = if resource.group.is_empty() {
        format!("/api/{}", resource.version)
    } else {
        format!("/apis/{}/{}", resource.group, resource.version)
    };
    if let Some(namespace) = namespace.filter(|_| resource.namespaced) {
        path += "/namespaces/";
        path += &escaped(namespace);
    }
    path.push('/');
    path += &resource.plural;
    path
}

/// Names may come from clients: none may lead to another path.
pub(crate) fn escaped(name: &str) -> String {
    form_urlencoded::byte_serialize(name.as_bytes())
        .collect::<String>()
        .replace('+', "%20")
}

/// A request that reads.
pub(super) fn get(path: &str, accept: &'static str) -> Result<Request<Body>, Failure> {
    Request::get(path)
        .header(header::ACCEPT, HeaderValue::from_static(accept))
        // Kubernetes 1.37 compresses a watch-list as one gzip member for each event, which streaming decoders do not
        // expect; and between neighbours compression costs more than it saves.
        .header(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"))
        .body(Body::empty())
        .map_err(|e| Failure::new(FailureKind::Refused, "InvalidRequest", e.to_string()))
}
