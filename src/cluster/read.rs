//! Single requests past the cache: one object, or the newest version of a collection.
//!
//! ```text
//!   object   GET …/{name}                                     the informer selects everything
//!            GET …?fieldSelector=metadata.name={name},…       else: the API server evaluates its selectors
//!   version  GET …?limit=1                                    no resourceVersion: a consistent read
//! ```

use std::time::Duration;

use bytes::Bytes;
use http::{HeaderValue, Request, header};
use kube::{Client, client::Body};
use serde::Deserialize;
use serde_json::value::RawValue;
use url::form_urlencoded::{Serializer, byte_serialize};

use crate::{
    clock::Clock,
    object::ResourceVersion,
    reflector::{Failure, FailureKind, next_chunk, open},
    selector::{FieldOperator, FieldRequirement},
    upstream::{LiveError, LiveRead},
};

/// Longest wait for the answer, and for each part of its body. Who asks usually waits less.
const WAIT: Duration = Duration::from_secs(30);
/// Largest answer: some times what etcd takes for one object.
const MAX_BYTES: usize = 16 << 20;
const JSON: &str = "application/json";
// Plain JSON is the second choice, for servers that cannot do the first.
const METADATA: &str = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
const METADATA_LIST: &str = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

/// As much of a list as is used.
#[derive(Deserialize)]
struct List<'a> {
    #[serde(default)]
    metadata: ListMeta,
    #[serde(borrow, default)]
    items: Option<Vec<&'a RawValue>>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase")]
struct ListMeta {
    #[serde(default)]
    resource_version: String,
}

/// See [`crate::upstream::Upstream::live_object`].
pub(super) async fn object(client: &Client, read: &LiveRead, name: &str) -> Result<Option<Bytes>, LiveError> {
    if !can_exist(name) || read.namespace.as_deref().is_some_and(|ns| !can_exist(ns)) {
        return Ok(None);
    }
    if read.label_selector.is_empty() && read.field_selector.is_empty() {
        let path = format!("{}/{}", path(read), escaped(name));
        let accept = if read.metadata_only { METADATA } else { JSON };
        return match get(client, &path, accept).await {
            Ok(body) => Ok(Some(body)),
            Err(failure) if failure.to_error(Clock::start().wall()).http_status == 404 => Ok(None),
            Err(failure) => Err(told(&failure)),
        };
    }
    let named = FieldRequirement {
        path: "metadata.name".to_owned(),
        operator: FieldOperator::Equal,
        value: name.to_owned(),
    };
    let mut fields = named.to_string();
    if !read.field_selector.is_empty() {
        fields = format!("{fields},{}", read.field_selector);
    }
    let accept = if read.metadata_only { METADATA_LIST } else { JSON };
    let path = selected(read, &fields);
    let body = get(client, &path, accept).await.map_err(|f| told(&f))?;
    let list = parse(&body).map_err(|f| told(&f))?;
    let first = list.items.unwrap_or_default().into_iter().next();
    Ok(first.map(|item| body.slice_ref(item.get().as_bytes())))
}

/// See [`crate::upstream::Upstream::live_version`]. Selectors change nothing about the version and are left out.
pub(super) async fn version(client: &Client, read: &LiveRead) -> Result<ResourceVersion, LiveError> {
    let path = format!("{}?limit=1", path(read));
    let body = get(client, &path, METADATA_LIST).await.map_err(|f| told(&f))?;
    let list = parse(&body).map_err(|f| told(&f))?;
    if list.metadata.resource_version.is_empty() {
        return Err(told(&malformed("the list has no resourceVersion".to_owned())));
    }
    Ok(ResourceVersion::parse(&list.metadata.resource_version))
}

fn selected(read: &LiveRead, fields: &str) -> String {
    let mut query = Serializer::new(String::new());
    query.append_pair("fieldSelector", fields);
    if !read.label_selector.is_empty() {
        query.append_pair("labelSelector", &read.label_selector);
    }
    format!("{}?{}", path(read), query.finish())
}

fn path(read: &LiveRead) -> String {
    let resource = &read.resource;
    let mut path = if resource.group.is_empty() {
        format!("/api/{}", resource.version)
    } else {
        format!("/apis/{}/{}", resource.group, resource.version)
    };
    if let Some(namespace) = read.namespace.as_deref().filter(|_| resource.namespaced) {
        path += "/namespaces/";
        path += &escaped(namespace);
    }
    path.push('/');
    path += &resource.plural;
    path
}

/// Names come from clients: none may lead to another path.
fn escaped(name: &str) -> String {
    byte_serialize(name.as_bytes()).collect::<String>().replace('+', "%20")
}

/// What Kubernetes takes as a name in a path; nothing else can exist, so nobody needs to be asked for it.
fn can_exist(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '%'])
}

async fn get(client: &Client, path: &str, accept: &'static str) -> Result<Bytes, Failure> {
    let request = Request::get(path)
        .header(header::ACCEPT, HeaderValue::from_static(accept))
        .header(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"))
        .body(Body::empty())
        .map_err(|e| Failure::new(FailureKind::Refused, "InvalidRequest", e.to_string()))?;
    let mut body = open(client, request, WAIT).await?.into_body();
    let mut raw = Vec::new();
    while let Some(chunk) = next_chunk(&mut body, WAIT).await? {
        if raw.len() + chunk.len() > MAX_BYTES {
            return Err(malformed(format!("the answer is larger than {MAX_BYTES} bytes")));
        }
        raw.extend_from_slice(&chunk);
    }
    Ok(raw.into())
}

fn parse(raw: &[u8]) -> Result<List<'_>, Failure> {
    serde_json::from_slice(raw).map_err(|e| malformed(e.to_string()))
}

fn malformed(message: String) -> Failure {
    Failure::new(FailureKind::Malformed, "MalformedAnswer", message)
}

fn told(failure: &Failure) -> LiveError {
    LiveError {
        error: failure.to_error(Clock::start().wall()),
        retry_after: failure.retry_after(),
    }
}

#[cfg(test)]
mod tests;
