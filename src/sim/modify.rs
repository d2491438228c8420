//! Requests about single objects, and the bodies that clients send.

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{Request, StatusCode};
use http_body_util::{BodyExt, Limited};
use hyper::body::Incoming;
use serde_json::{Value, json};

use super::fault::Verb;
use super::filter::Filter;
use super::meta::Author;
use super::query::Query;
use super::resource::ResourceType;
use super::status::StatusError;
use super::store::{Object, State};
use super::target::Target;
use super::write::Preconditions;
use super::{Inner, json as encoding};

/// The request size that kube-apiserver accepts.
const BODY_LIMIT: usize = 3 << 20;

/// How a patch is written.
enum PatchKind {
    Merge,
    /// Server-side apply: creates what is not there. Field ownership is not simulated, it merges.
    Apply,
}

/// Reads, creates, replaces, patches or deletes; answers with code and body.
pub(super) async fn modify(
    inner: &Inner,
    target: Target,
    verb: Verb,
    query: &Query,
    manager: String,
    request: Request<Incoming>,
) -> Result<(StatusCode, Bytes), StatusError> {
    let Target {
        kind,
        namespace,
        name,
        part,
    } = &target;
    let store = &inner.store;
    if verb != Verb::Get && query.get("dryRun").is_some() {
        return Err(StatusError::bad_request("dryRun is not simulated"));
    }
    let author = Author {
        manager: query.get("fieldManager").map_or(manager, str::to_owned),
        client: true,
    };
    let content_type = request
        .headers()
        .get(CONTENT_TYPE)
        .and_then(|v| v.to_str().ok())
        .unwrap_or("")
        .to_owned();
    let key = name.as_deref().map(|name| kind.key(namespace.as_deref(), name));
    let written = match (verb, &key) {
        (Verb::Get, Some(key)) => {
            let found = store.read().get(&kind.id, key);
            found.ok_or_else(|| StatusError::not_found(kind, name.as_deref().unwrap_or("")))?
        }
        (Verb::Create, None) => {
            let value = read(request, &content_type).await?;
            if kind.namespaced && namespace.is_none() {
                return Err(StatusError::path_not_found());
            }
            let made = store.write(|state| state.create(kind, namespace.as_deref(), value, &author))?;
            return Ok((StatusCode::CREATED, line(kind, &made)));
        }
        (Verb::Update, Some(key)) => {
            let value = read(request, &content_type).await?;
            store.write(|state| state.update(kind, key, value, *part, &author))?
        }
        (Verb::Patch, Some(key)) => {
            let how = patch_kind(&content_type)?;
            let patch = read(request, &content_type).await?;
            store.write(|state| match how {
                PatchKind::Apply if state.get(&kind.id, key).is_none() => {
                    state.create(kind, namespace.as_deref(), patch, &author)
                }
                _ => state.patch(kind, key, &patch, *part, &author),
            })?
        }
        (Verb::Delete, Some(key)) => {
            let options = read(request, &content_type).await?;
            return store.write(|state| delete(state, kind, key, &options));
        }
        (Verb::Delete, None) => {
            let filter = Filter::parse(
                kind,
                namespace.as_deref(),
                query.get("labelSelector"),
                query.get("fieldSelector"),
            )?;
            store.write(|state| {
                for (key, _) in state
                    .table(&kind.id)
                    .iter()
                    .filter(|(_, object)| filter.matches(object))
                {
                    state.delete(kind, key, &Preconditions::default())?;
                }
                Ok::<_, StatusError>(())
            })?;
            return Ok((StatusCode::OK, success(json!({"kind": kind.plural}))));
        }
        _ => {
            let message = "the server does not allow this method on the requested resource";
            return Err(StatusError::new(405, "MethodNotAllowed", message));
        }
    };
    Ok((StatusCode::OK, line(kind, &written)))
}

fn delete(
    state: &mut State,
    kind: &ResourceType,
    key: &str,
    options: &Value,
) -> Result<(StatusCode, Bytes), StatusError> {
    let demand = |field: &str| options["preconditions"][field].as_str().map(str::to_owned);
    let demands = Preconditions {
        uid: demand("uid"),
        resource_version: demand("resourceVersion"),
    };
    let last = state.delete(kind, key, &demands)?;
    if state.get(&kind.id, key).is_some() {
        // Finalizers hold it: the answer is the object, marked.
        return Ok((StatusCode::OK, line(kind, &last)));
    }
    let uid = last.value()?["metadata"]["uid"].take();
    let mut details = json!({"name": last.name(), "kind": kind.plural, "uid": uid});
    if !kind.group.is_empty() {
        details["group"] = json!(kind.group);
    }
    Ok((StatusCode::OK, success(details)))
}

fn success(details: Value) -> Bytes {
    let body = format!(
        "{{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"metadata\":{{}},\"status\":\"Success\",\"details\":{details}}}\n"
    );
    body.into()
}

/// An object as an answer: with a line end, as the server sends it.
fn line(kind: &ResourceType, object: &Object) -> Bytes {
    let mut bytes = Vec::from(encoding::render(kind, object));
    bytes.push(b'\n');
    bytes.into()
}

fn patch_kind(content_type: &str) -> Result<PatchKind, StatusError> {
    match content_type.split(';').next().unwrap_or("").trim() {
        // Lists that merge by key are not simulated: a strategic patch replaces them like a merge patch.
        "application/merge-patch+json" | "application/strategic-merge-patch+json" => Ok(PatchKind::Merge),
        "application/apply-patch+yaml" => Ok(PatchKind::Apply),
        other => {
            let message = format!(
                "the body of the request was in an unknown format {other:?}; accepted media types include: application/merge-patch+json, application/strategic-merge-patch+json, application/apply-patch+yaml"
            );
            Err(StatusError::new(415, "UnsupportedMediaType", message))
        }
    }
}

/// The body as JSON; nothing is null.
async fn read(request: Request<Incoming>, content_type: &str) -> Result<Value, StatusError> {
    let body = Limited::new(request.into_body(), BODY_LIMIT).collect().await;
    let bytes = body
        .map_err(|e| {
            StatusError::new(
                413,
                "RequestEntityTooLarge",
                format!("cannot read the request body: {e}"),
            )
        })?
        .to_bytes();
    if bytes.is_empty() {
        return Ok(Value::Null);
    }
    if content_type.contains("yaml") {
        return serde_yaml_ng::from_slice(&bytes).map_err(|e| StatusError::bad_request(e.to_string()));
    }
    serde_json::from_slice(&bytes).map_err(|e| StatusError::bad_request(format!("the body is no JSON: {e}")))
}
