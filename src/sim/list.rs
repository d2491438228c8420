//! Lists: which version they show, pages, and the body as the real server writes it.

use std::ops::Bound;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use bytes::Bytes;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::filter::Filter;
use super::json as encoding;
use super::query::Query;
use super::resource::ResourceType;
use super::status::StatusError;
use super::store::{Object, Store, Table};

/// Items to send and what the head of the list says about them.
pub(super) struct Page {
    pub(super) items: Vec<Arc<Object>>,
    pub(super) rv: u64,
    next: Option<String>,
    remaining: Option<usize>,
}

/// A continue token, as etcd3 store of the real server spells it, plus how many items went before.
#[derive(Serialize, Deserialize)]
struct Token {
    v: String,
    /// The version of the first page; 0 asks for the newest.
    rv: u64,
    /// The last key of the page before.
    start: String,
    served: usize,
}

const TOKEN_VERSION: &str = "meta.k8s.io/v1";

/// A failed list; an expired token comes with one to go on with, at the price of consistency.
pub(super) struct Refused {
    pub(super) status: StatusError,
    pub(super) next: Option<String>,
}

impl From<StatusError> for Refused {
    fn from(status: StatusError) -> Self {
        Self { status, next: None }
    }
}

/// Reads one page (or all) as the parameters demand.
pub(super) async fn page(
    store: &Store,
    kind: &ResourceType,
    filter: &Filter,
    query: &Query,
    shuffle: bool,
) -> Result<Page, Refused> {
    let version = query.resource_version()?;
    let matching = query.get("resourceVersionMatch");
    let mut limit = query
        .number("limit")?
        .filter(|limit| *limit > 0)
        .map(|limit| limit as usize);
    check(query, version, matching)?;
    let token = query.get("continue").map(Token::decode).transpose()?;
    let exact = match (version, matching, limit) {
        _ if token.is_some() => None,
        (Some(rv), Some("Exact"), _) => Some(rv),
        // Without a match a limited list at a version is exact; at 0 the limit is ignored, as the watch cache does.
        (Some(0), None, Some(_)) => {
            limit = None;
            None
        }
        (Some(rv), None, Some(_)) if rv > 0 => Some(rv),
        (Some(rv), ..) if rv > 0 => {
            store.wait_fresh(rv).await?;
            None
        }
        _ => None,
    };
    let state = store.read();
    let rv = exact
        .or(token.as_ref().map(|token| token.rv).filter(|rv| *rv > 0))
        .unwrap_or(state.rv());
    let table = state.table_at(&kind.id, rv).map_err(|status| match &token {
        Some(token) if status.code == 410 => token.expired(),
        _ => Refused::from(status),
    })?;
    drop(state);
    let mut page = cut(&table, filter, limit, token, rv);
    if shuffle {
        store.write(|state| page.items.shuffle(&mut state.rng));
    }
    Ok(page)
}

fn check(query: &Query, version: Option<u64>, matching: Option<&str>) -> Result<(), StatusError> {
    let forbidden = |why: &str| Err(StatusError::invalid("ListOptions.meta.k8s.io", "", why));
    let continued = query.get("continue").is_some();
    match (matching, version) {
        (Some(_), _) if continued => {
            forbidden("resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided")
        }
        (Some(_), None) => forbidden(
            "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided",
        ),
        (Some("Exact"), Some(0)) => forbidden(
            "resourceVersionMatch: Forbidden: resourceVersionMatch \"Exact\" is forbidden for resourceVersion \"0\"",
        ),
        (Some(other), _) if other != "Exact" && other != "NotOlderThan" => {
            forbidden("resourceVersionMatch: Unsupported value: supported values: \"Exact\", \"NotOlderThan\"")
        }
        (_, Some(rv)) if continued && rv > 0 => Err(StatusError::bad_request(
            "specifying resource version is not allowed when using continue",
        )),
        _ => Ok(()),
    }
}

fn cut(table: &Table, filter: &Filter, limit: Option<usize>, token: Option<Token>, rv: u64) -> Page {
    let prefix = filter
        .namespace()
        .map(|namespace| format!("{namespace}/"))
        .unwrap_or_default();
    let start = match &token {
        Some(token) => Bound::Excluded(token.start.clone()),
        None => Bound::Included(prefix.clone()),
    };
    let keys = (start, Bound::Unbounded);
    let scope = table.range(keys).take_while(|(key, _)| key.starts_with(&prefix));
    let mut matching = scope.map(|(_, object)| object).filter(|object| filter.matches(object));
    let items: Vec<_> = matching.by_ref().take(limit.unwrap_or(usize::MAX)).cloned().collect();
    let served = token.map_or(0, |token| token.served).saturating_add(items.len());
    let more = limit.is_some() && matching.next().is_some();
    let next = items.last().filter(|_| more).map(|last| {
        Token {
            v: TOKEN_VERSION.to_owned(),
            rv,
            start: last.key.clone(),
            served,
        }
        .encode()
    });
    let remaining = (next.is_some() && !filter.has_selectors()).then(|| {
        // Counting a namespace walks it; counting everything must not, or paging a million objects is quadratic.
        let all = if prefix.is_empty() {
            table.len()
        } else {
            served.saturating_add(1 + matching.count())
        };
        all.saturating_sub(served)
    });
    Page {
        items,
        rv,
        next,
        remaining,
    }
}

// === impl Page ===

impl Page {
    /// The body in pieces of about 64 KiB, made as they are asked for.
    pub(super) fn body(self, kind: Arc<ResourceType>) -> impl Iterator<Item = Bytes> + Send + use<> {
        const PIECE: usize = 64 << 10;
        let (head, tail) = self.frame(&kind);
        // Items of built-in types say neither kind nor apiVersion: both lie in front of the comma.
        let skip = if kind.builtin {
            encoding::head(&kind).len() + 1
        } else {
            0
        };
        let mut items = self.items.into_iter();
        let mut piece = Some(head.into_bytes());
        let mut first = true;
        std::iter::from_fn(move || {
            let mut out = piece.take()?;
            for object in items.by_ref() {
                if !std::mem::replace(&mut first, false) {
                    out.push(b',');
                }
                if kind.builtin {
                    out.push(b'{');
                }
                out.extend_from_slice(encoding::render(&kind, &object).get(skip..).unwrap_or_default());
                if out.len() >= PIECE {
                    piece = Some(Vec::with_capacity(PIECE));
                    return Some(out.into());
                }
            }
            out.extend_from_slice(tail.as_bytes());
            Some(out.into())
        })
    }

    fn frame(&self, kind: &ResourceType) -> (String, String) {
        let (api_version, name) = (kind.api_version(), &kind.kind);
        let (next, rv) = (json!(self.next.as_deref().unwrap_or("")), self.rv);
        let remaining = self.remaining.map(|n| format!(r#""remainingItemCount":{n}"#));
        if kind.builtin {
            let mut metadata = format!(r#""resourceVersion":"{rv}""#);
            if self.next.is_some() {
                metadata += &format!(r#","continue":{next}"#);
            }
            if let Some(remaining) = remaining {
                metadata += &format!(",{remaining}");
            }
            let head =
                format!(r#"{{"kind":"{name}List","apiVersion":"{api_version}","metadata":{{{metadata}}},"items":["#);
            (head, "]}\n".to_owned())
        } else {
            let remaining = remaining.map(|remaining| remaining + ",").unwrap_or_default();
            let metadata = format!(r#""continue":{next},{remaining}"resourceVersion":"{rv}""#);
            let head = format!(r#"{{"apiVersion":"{api_version}","items":["#);
            (
                head,
                format!("],\"kind\":\"{name}List\",\"metadata\":{{{metadata}}}}}\n"),
            )
        }
    }
}

// === impl Token ===

impl Token {
    fn decode(text: &str) -> Result<Self, StatusError> {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok();
        let token: Option<Self> = bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        token.filter(|token| token.v == TOKEN_VERSION).ok_or_else(|| {
            StatusError::bad_request("continue key is not valid: it must be what the server returned, unchanged")
        })
    }

    fn encode(&self) -> String {
        URL_SAFE_NO_PAD.encode(json!(self).to_string())
    }

    fn expired(&self) -> Refused {
        let message = "The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.";
        let next = Self {
            v: TOKEN_VERSION.to_owned(),
            rv: 0,
            start: self.start.clone(),
            served: self.served,
        };
        Refused {
            status: StatusError::new(410, "Expired", message),
            next: Some(next.encode()),
        }
    }
}
