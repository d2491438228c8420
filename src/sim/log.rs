//! What was asked of the server, for tests to look at and to wait on.

use std::collections::VecDeque;

use http::Request;
use parking_lot::Mutex;
use tokio::sync::watch;

use super::fault::Verb;

/// How many requests are remembered.
const LIMIT: usize = 10_000;

/// One request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LoggedRequest {
    /// HTTP method.
    pub method: String,
    /// Path without query.
    pub path: String,
    /// Query as it was sent, without the question mark.
    pub query: String,
    /// What it does.
    pub verb: Verb,
    /// The resource's plural name, if it is about objects.
    pub resource: Option<String>,
}

#[derive(Debug)]
pub(super) struct RequestLog {
    entries: Mutex<VecDeque<LoggedRequest>>,
    /// How many requests there have been.
    count: watch::Sender<u64>,
}

// === impl LoggedRequest ===

impl LoggedRequest {
    /// A query parameter, decoded.
    pub fn parameter(&self, name: &str) -> Option<String> {
        let mut pairs = url::form_urlencoded::parse(self.query.as_bytes());
        pairs.find(|(key, _)| key == name).map(|(_, value)| value.into_owned())
    }
}

// === impl RequestLog ===

impl RequestLog {
    pub(super) fn new() -> Self {
        Self {
            entries: Mutex::default(),
            count: watch::Sender::new(0),
        }
    }

    pub(super) fn record<B>(&self, verb: Verb, resource: Option<&str>, request: &Request<B>) {
        let entry = LoggedRequest {
            method: request.method().to_string(),
            path: request.uri().path().to_owned(),
            query: request.uri().query().unwrap_or("").to_owned(),
            verb,
            resource: resource.map(str::to_owned),
        };
        let mut entries = self.entries.lock();
        entries.push_back(entry);
        if entries.len() > LIMIT {
            entries.pop_front();
        }
        drop(entries);
        self.count.send_modify(|count| *count += 1);
    }

    pub(super) fn all(&self) -> Vec<LoggedRequest> {
        self.entries.lock().iter().cloned().collect()
    }

    pub(super) fn clear(&self) {
        self.entries.lock().clear();
    }

    pub(super) async fn wait(&self, enough: impl Fn(&[LoggedRequest]) -> bool) {
        let mut count = self.count.subscribe();
        loop {
            count.borrow_and_update();
            if enough(&self.all()) || count.changed().await.is_err() {
                return;
            }
        }
    }
}
