//! What was asked and answered, in a form that two servers can be compared in.

use std::{collections::BTreeMap, pin::pin};

use futures::StreamExt as _;
use http::Request;
use kube::Client;
use serde_json::{Value, json};
use support::{DEADLINE, eventually};
use tokio::time::timeout;

/// One request.
pub(crate) struct Ask {
    method: &'static str,
    path: String,
    content_type: &'static str,
    body: Value,
}

/// Questions and answers of one server.
pub(crate) struct Transcript {
    client: Client,
    section: String,
    entries: Vec<(String, Value)>,
    /// Versions of objects, in the order in which they were first seen.
    versions: BTreeMap<String, usize>,
}

// === impl Ask ===

impl Ask {
    /// Reads.
    pub(crate) fn get(path: &str) -> Self {
        Self::new("GET", path, "", Value::Null)
    }

    /// Creates.
    pub(crate) fn post(path: &str, body: Value) -> Self {
        Self::new("POST", path, "application/json", body)
    }

    /// Merges.
    pub(crate) fn patch(path: &str, body: Value) -> Self {
        Self::new("PATCH", path, "application/merge-patch+json", body)
    }

    /// Deletes.
    pub(crate) fn delete(path: &str) -> Self {
        Self::new("DELETE", path, "", Value::Null)
    }

    fn new(method: &'static str, path: &str, content_type: &'static str, body: Value) -> Self {
        let path = path.to_owned();
        Self {
            method,
            path,
            content_type,
            body,
        }
    }
}

// === impl Transcript ===

impl Transcript {
    /// An empty one.
    pub(crate) fn new(client: Client) -> Self {
        Self {
            client,
            section: String::new(),
            entries: Vec::new(),
            versions: BTreeMap::new(),
        }
    }

    /// Names what follows.
    pub(crate) fn section(&mut self, name: &str) {
        self.section = name.to_owned();
    }

    /// Asks and notes the answer: the object, or the Status that refuses.
    pub(crate) async fn ask(&mut self, ask: Ask) -> Value {
        let what = format!("{}: {} {}", self.section, ask.method, Self::anonymous(&ask.path));
        let (code, answer) = self.send(ask).await;
        let noted = json!({"code": code, "body": self.normal(&answer)});
        self.entries.push((what, noted));
        answer
    }

    /// Asks without noting the answer, which must be good.
    pub(crate) async fn quietly(&mut self, ask: Ask) {
        let (code, answer) = self.send(ask).await;
        assert!((200..300).contains(&code), "{answer}");
    }

    /// Waits until a path is served.
    pub(crate) async fn until_served(&mut self, path: &str) {
        let served = || async { (self.send(Ask::get(path)).await.0 == 200).then_some(()) };
        eventually("the custom resource is served", served).await;
    }

    /// Watches until so many events have come, and notes them.
    pub(crate) async fn watch(&mut self, path: &str, events: usize) {
        let what = format!("{}: {}", self.section, Self::anonymous(path));
        let response = self.client.send(request(Ask::get(path))).await.expect("an answer");
        assert!(response.status().is_success(), "{what}: {}", response.status());
        let mut body = pin!(http_body_util::BodyDataStream::new(response.into_body()));
        let (mut buffer, mut lines) = (Vec::new(), Vec::new());
        while lines.len() < events {
            let chunk = timeout(DEADLINE, body.next()).await;
            let chunk = chunk.unwrap_or_else(|_| panic!("{what}: only {} events: {lines:#?}", lines.len()));
            let Some(chunk) = chunk else { break };
            buffer.extend_from_slice(&chunk.expect("the watch goes on"));
            while let Some(end) = buffer.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = buffer.drain(..=end).collect();
                lines.push(serde_json::from_slice::<Value>(&line).expect("JSON"));
            }
        }
        let lines = lines.iter().map(|line| self.normal(line)).collect();
        self.entries.push((what, Value::Array(lines)));
    }

    /// Where the other transcript is not as this one.
    pub(crate) fn differences(&self, other: &Self) -> Vec<String> {
        assert_eq!(self.entries.len(), other.entries.len());
        let mut all = Vec::new();
        for ((what, mine), (also, theirs)) in self.entries.iter().zip(&other.entries) {
            assert_eq!(what, also, "the script is the same");
            compare(what, "", mine, theirs, &mut all);
        }
        all
    }

    async fn send(&self, ask: Ask) -> (u16, Value) {
        let what = format!("{} {}", ask.method, ask.path);
        let response = self
            .client
            .send(request(ask))
            .await
            .unwrap_or_else(|e| panic!("{what}: {e}"));
        let code = response.status().as_u16();
        let body = http_body_util::BodyExt::collect(response.into_body()).await;
        let body = body.unwrap_or_else(|e| panic!("{what}: {e}")).to_bytes();
        // Paths that nobody serves are answered in plain text.
        let answer = serde_json::from_slice(&body).unwrap_or_else(|_| json!(String::from_utf8_lossy(&body)));
        (code, answer)
    }

    /// The answer without what no two runs share, but with which versions are equal and which are not.
    fn normal(&mut self, value: &Value) -> Value {
        match value {
            Value::Object(fields) if fields.contains_key("items") || value["type"] == "BOOKMARK" => {
                // The whole cluster's position: a real one also writes for itself.
                let place = if fields.contains_key("items") {
                    "/metadata"
                } else {
                    "/object/metadata"
                };
                let mut whole = value.clone();
                let newest = newest_item(&whole);
                if let Some(version) = whole.pointer_mut(place).and_then(|m| m.get_mut("resourceVersion")) {
                    let own = version.as_str().and_then(|v| v.parse::<u64>().ok()).expect("a version");
                    assert!(own >= newest, "a list at {own} holds an item of {newest}");
                    *version = Value::Null;
                }
                self.fields(whole.as_object().expect("an object"))
            }
            Value::Object(fields) => self.fields(fields),
            Value::Array(items) => items.iter().map(|item| self.normal(item)).collect(),
            other => other.clone(),
        }
    }

    fn fields(&mut self, fields: &serde_json::Map<String, Value>) -> Value {
        let mut out = serde_json::Map::new();
        for (key, field) in fields {
            let text = field.as_str().unwrap_or_default().to_owned();
            let replaced = match key.as_str() {
                "resourceVersion" if !text.is_empty() => json!(self.ordinal(&text)),
                "uid" => json!("<uid>"),
                "creationTimestamp" | "deletionTimestamp" if !text.is_empty() => json!("<time>"),
                "continue" if !text.is_empty() => json!("<token>"),
                "managedFields" => json!("<managed fields>"),
                // Tells servers of one cluster apart while they are upgraded.
                "storageVersionHash" => continue,
                // A set.
                "verbs" => self.sorted(field),
                // For people: not part of what a program may rely on.
                "message" => json!("<message>"),
                _ => self.normal(field),
            };
            out.insert(key.clone(), replaced);
        }
        Value::Object(out)
    }

    fn sorted(&mut self, set: &Value) -> Value {
        let mut items = self.normal(set).as_array().cloned().unwrap_or_default();
        items.sort_by_key(Value::to_string);
        Value::Array(items)
    }

    /// Versions are compared by the order in which they first appear.
    fn ordinal(&mut self, version: &str) -> String {
        let next = self.versions.len();
        let ordinal = *self.versions.entry(version.to_owned()).or_insert(next);
        format!("<version {ordinal}>")
    }

    /// A path without tokens and versions.
    fn anonymous(path: &str) -> String {
        let (path, query) = path.split_once('?').unwrap_or((path, ""));
        let parts: Vec<_> = query
            .split('&')
            .map(|part| match part.split_once('=') {
                Some(("continue", token)) if token.len() > 10 => "continue=<token>".to_owned(),
                Some(("resourceVersion", version)) if version.parse().is_ok_and(|v: u64| v > 0) => {
                    "resourceVersion=<version>".to_owned()
                }
                _ => part.to_owned(),
            })
            .collect();
        format!("{path}?{}", parts.join("&")).trim_end_matches('?').to_owned()
    }
}

/// The newest version among the items of a list.
fn newest_item(list: &Value) -> u64 {
    let items = list["items"].as_array().into_iter().flatten();
    let versions = items.filter_map(|item| item["metadata"]["resourceVersion"].as_str()?.parse().ok());
    versions.max().unwrap_or(0)
}

fn request(ask: Ask) -> Request<kube::client::Body> {
    let body = if ask.body.is_null() {
        Vec::new()
    } else {
        ask.body.to_string().into_bytes()
    };
    let mut request = Request::builder().method(ask.method).uri(&ask.path);
    if !ask.content_type.is_empty() {
        request = request.header(http::header::CONTENT_TYPE, ask.content_type);
    }
    request.body(body.into()).expect("a valid request")
}

/// Notes each place where two values differ; lists of events are compared in order.
fn compare(what: &str, place: &str, mine: &Value, theirs: &Value, all: &mut Vec<String>) {
    match (mine, theirs) {
        (Value::Object(mine), Value::Object(theirs)) => {
            for (key, value) in mine {
                match theirs.get(key) {
                    Some(other) => compare(what, &format!("{place}/{key}"), value, other, all),
                    None => all.push(format!("{what}: {place}/{key}: {value} against nothing")),
                }
            }
            for (key, value) in theirs.iter().filter(|(key, _)| !mine.contains_key(*key)) {
                all.push(format!("{what}: {place}/{key}: nothing against {value}"));
            }
        }
        (Value::Array(mine), Value::Array(theirs)) if mine.len() == theirs.len() => {
            for (i, (value, other)) in mine.iter().zip(theirs).enumerate() {
                compare(what, &format!("{place}/{i}"), value, other, all);
            }
        }
        _ if mine != theirs => all.push(format!("{what}: {place}: {mine} against {theirs}")),
        _ => {}
    }
}
