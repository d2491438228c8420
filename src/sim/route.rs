//! From a request to an answer: path, verb, script, handler.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::stream;
use http::header::{ACCEPT, CONTENT_TYPE, HeaderValue, RETRY_AFTER, USER_AGENT};
use http::{Method, Request, Response, StatusCode};
use hyper::body::Incoming;
use rand::{Rng, RngExt};

use super::body::{self, Body, Cut};
use super::control::Control;
use super::fault::{Asked, Plan, Replace, Verb};
use super::filter::Filter;
use super::query::Query;
use super::status::StatusError;
use super::target::Target;
use super::watch::Watch;
use super::{Inner, discovery, list, modify};

type Answer = Result<Response<Body>, StatusError>;

/// Answers one request, or fails the connection if the script says so.
pub(super) async fn answer(
    inner: Arc<Inner>,
    control: Arc<Control>,
    request: Request<Incoming>,
) -> Result<Response<Body>, Cut> {
    let query = Query::parse(request.uri().query().unwrap_or(""));
    let target = Target::find(&inner, request.uri().path());
    let verb = verb(&request, &query, &target);
    let resource = target
        .as_ref()
        .ok()
        .and_then(Option::as_ref)
        .map(|target| target.kind.plural.clone());
    inner.log.record(verb, resource.as_deref(), &request);
    let plan = inner.faults.plan(Asked {
        verb,
        resource: resource.as_deref(),
        namespace: namespace_of(&target),
        agent: agent(&request),
    });
    if !plan.delay.is_zero() {
        tokio::time::sleep(plan.delay).await;
    }
    if let Some(replace) = &plan.replace {
        return replaced(&inner, &control, replace, &plan).await;
    }
    let accepted = match target {
        Ok(Some(target)) => handle(&inner, control, target, verb, &query, request, &plan).await,
        Ok(None) => Ok(match document(&inner, &request) {
            Some((kind, document)) => shaped(kind, document.into(), &plan),
            None => response(StatusCode::NOT_FOUND, TEXT, body::full("404 page not found\n")),
        }),
        Err(status) => Err(status),
    };
    Ok(accepted.unwrap_or_else(|status| failure(&status, status.body())))
}

async fn replaced(inner: &Inner, control: &Control, replace: &Replace, plan: &Plan) -> Result<Response<Body>, Cut> {
    match replace {
        Replace::Status(status) => Ok(failure(status, status.body())),
        Replace::Reset => {
            control.reset_on_drop();
            Err(Cut)
        }
        Replace::Silence => Ok(std::future::pending::<Infallible>().await).map(|never| match never {}),
        Replace::Garbage(bytes) => {
            let mut garbage = vec![0; *bytes];
            inner.store.write(|state| state.rng.fill_bytes(&mut garbage));
            Ok(shaped(JSON, garbage.into(), plan))
        }
        Replace::Answer {
            code,
            content_type,
            body,
        } => {
            let mut answer = shaped(JSON, body.clone().into(), plan);
            *answer.status_mut() = StatusCode::from_u16(*code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
            // A script's type that is no header value is left out: the client then has to guess, too.
            match HeaderValue::from_str(content_type) {
                Ok(value) => answer.headers_mut().insert(CONTENT_TYPE, value),
                Err(_) => answer.headers_mut().remove(CONTENT_TYPE),
            };
            Ok(answer)
        }
    }
}

async fn handle(
    inner: &Arc<Inner>,
    control: Arc<Control>,
    target: Target,
    verb: Verb,
    query: &Query,
    request: Request<Incoming>,
    plan: &Plan,
) -> Answer {
    match (verb, &target.name) {
        (Verb::Watch | Verb::WatchList, name) => {
            let filter = filter(&target, name.as_deref(), query)?;
            let (settings, store) = (&inner.settings, &inner.store);
            // kube-apiserver ends a watch that names no timeout after one to two times --min-request-timeout.
            let timeout = store.write(|state| state.rng.random_range(1800..3600));
            let timeout = Duration::from_secs(timeout);
            let (watch_list, period) = (settings.watch_list, settings.bookmark_period);
            let watch = Watch::parse(store, target.kind, filter, query, watch_list, period, timeout).await?;
            let items = watch.items(store.clone());
            let lines = body::watch_lines(items, plan.stream.clone(), control);
            Ok(response(StatusCode::OK, JSON, body::shaped(lines, plan)))
        }
        (Verb::List, _) => {
            let filter = filter(&target, None, query)?;
            match list::page(&inner.store, &target.kind, &filter, query, plan.shuffle).await {
                Ok(page) => {
                    let pieces = stream::iter(page.body(target.kind).map(Ok));
                    Ok(response(StatusCode::OK, JSON, body::shaped(pieces, plan)))
                }
                Err(refused) => {
                    let body = refused.status.body_with_continue(refused.next.as_deref());
                    Ok(failure(&refused.status, body))
                }
            }
        }
        _ => {
            let manager = agent(&request)
                .split(['/', ' '])
                .next()
                .filter(|m| !m.is_empty())
                .unwrap_or("unknown")
                .to_owned();
            let (code, bytes) = modify::modify(inner, target, verb, query, manager, request).await?;
            Ok(response(code, JSON, body::shaped(stream::iter([Ok(bytes)]), plan)))
        }
    }
}

fn agent(request: &Request<Incoming>) -> &str {
    let agent = request.headers().get(USER_AGENT).and_then(|agent| agent.to_str().ok());
    agent.unwrap_or("")
}

/// The namespace that a path lies below, or the one that it names.
fn namespace_of(target: &Result<Option<Target>, StatusError>) -> Option<&str> {
    let target = target.as_ref().ok()?.as_ref()?;
    let named = target.name.as_deref().filter(|_| target.kind.plural == "namespaces");
    target.namespace.as_deref().or(named)
}

fn filter(target: &Target, name: Option<&str>, query: &Query) -> Result<Filter, StatusError> {
    let by_name = name.map(|name| format!("metadata.name={name}"));
    let fields = by_name.as_deref().or(query.get("fieldSelector"));
    Filter::parse(
        &target.kind,
        target.namespace.as_deref(),
        query.get("labelSelector"),
        fields,
    )
}

fn verb(request: &Request<Incoming>, query: &Query, target: &Result<Option<Target>, StatusError>) -> Verb {
    let named = match target {
        Ok(Some(target)) => target.name.is_some(),
        _ => return Verb::Discovery,
    };
    match *request.method() {
        Method::POST => Verb::Create,
        Method::PUT => Verb::Update,
        Method::PATCH => Verb::Patch,
        Method::DELETE => Verb::Delete,
        _ if query.flag("watch") && query.flag("sendInitialEvents") => Verb::WatchList,
        _ if query.flag("watch") => Verb::Watch,
        _ if named => Verb::Get,
        _ => Verb::List,
    }
}

/// Discovery, version and health; `None` if the path is none of them.
fn document(inner: &Inner, request: &Request<Incoming>) -> Option<(&'static str, String)> {
    let accept = request
        .headers()
        .get(ACCEPT)
        .and_then(|accept| accept.to_str().ok())
        .unwrap_or("");
    let accepts = accept
        .split(',')
        .any(|kind| kind.replace(' ', "").starts_with(discovery::AGGREGATED));
    let aggregated = inner.settings.aggregated_discovery && accepts;
    let path = request.uri().path().trim_matches('/');
    let parts: Vec<_> = path.split('/').collect();
    let state = inner.store.read();
    let registry = &state.registry;
    let document = match parts.as_slice() {
        ["api" | "apis"] if aggregated => {
            let document = discovery::aggregated(registry, path == "api");
            return Some((discovery::AGGREGATED, document.to_string()));
        }
        ["api"] => Some(discovery::legacy_versions(&inner.address().to_string())),
        ["apis"] => Some(discovery::group_list(registry)),
        ["api", version] => discovery::resource_list(registry, "", version),
        ["apis", group] => discovery::group(registry, group),
        ["apis", group, version] => discovery::resource_list(registry, group, version),
        ["version"] => Some(inner.settings.version_document()),
        ["healthz" | "livez" | "readyz"] => {
            return Some((TEXT, "ok".to_owned()));
        }
        _ => None,
    };
    document.map(|document| (JSON, document.to_string()))
}

const JSON: &str = "application/json";
const TEXT: &str = "text/plain; charset=utf-8";

fn shaped(content_type: &'static str, bytes: Bytes, plan: &Plan) -> Response<Body> {
    response(
        StatusCode::OK,
        content_type,
        body::shaped(stream::iter([Ok(bytes)]), plan),
    )
}

fn failure(status: &StatusError, body: String) -> Response<Body> {
    let code = StatusCode::from_u16(status.code).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = response(code, JSON, body::full(body));
    if let Some(seconds) = status.retry_after_seconds {
        response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
    }
    response
}

fn response(code: StatusCode, content_type: &'static str, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = code;
    response
        .headers_mut()
        .insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}
