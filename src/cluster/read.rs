//! Single requests past the cache: one object, or the newest version of a collection.
//!
//! ```text
//!   object   GET …/{name}                                     the informer selects everything
//!            GET …?fieldSelector=metadata.name={name},…       else: the API server evaluates its selectors
//!   version  GET …?limit=1                                    no resourceVersion: a consistent read
//! ```

use std::time::Duration;

use bytes::Bytes;
use kube::Client;
use serde::Deserialize;
use serde_json::value::RawValue;
use url::form_urlencoded::Serializer;

use crate::{
    clock::Clock,
    object::ResourceVersion,
    reflector::{Failure, FailureKind, JSON, METADATA, METADATA_LIST, collection, escaped, fetch},
    selector::{FieldOperator, FieldRequirement},
    upstream::{LiveError, LiveRead},
};

/// Longest wait for the answer, and for each part of its body. Who asks usually waits less.
const WAIT: Duration = Duration::from_secs(30);
/// Largest answer: some times what etcd takes for one object.
const MAX_BYTES: usize = 16 << 20;

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
            Err(failure) if failure.http_status() == 404 => Ok(None),
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
    collection(&read.resource, read.namespace.as_deref())
}

/// What Kubernetes takes as a name in a path; nothing else can exist, so nobody needs to be asked for it.
fn can_exist(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '%'])
}

async fn get(client: &Client, path: &str, accept: &'static str) -> Result<Bytes, Failure> {
    let too_large = || malformed(format!("the answer is larger than {MAX_BYTES} bytes"));
    fetch(client, path, accept, WAIT, MAX_BYTES, too_large).await
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
