//! What can go wrong with a list or watch, sorted by what the reflector does about it.

use std::time::Duration;

use http::{HeaderMap, StatusCode};
use serde::Deserialize;

use crate::upstream::{UpstreamError, UpstreamState};

/// A failed request or stream.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(super) kind: FailureKind,
    /// 0 if there was no answer.
    pub(super) http_status: u16,
    pub(super) reason: String,
    pub(super) message: String,
    /// The server asks us to wait so long.
    pub(super) retry_after: Option<Duration>,
    /// It came as an event of an open watch.
    pub(super) in_stream: bool,
}

/// What the reflector does about a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FailureKind {
    /// The version is too old (410) or too new for the server: relist without a version (rows R3, R6, R7).
    Expired,
    /// 429: wait, then the same request again (row R8).
    RateLimited,
    /// No answer, or the connection broke: wait, then the same request again.
    Connection,
    /// 5xx.
    Server,
    /// 401: not a matter of how we ask.
    Unauthorized,
    /// 403.
    Forbidden,
    /// 404.
    NotFound,
    /// 400, 405, 422 and the like: the server does not understand the request.
    Refused,
    /// The answer makes no sense.
    Malformed,
    /// A watch that ended within a second and without an event (row R10, field case 12).
    ShortWatch,
    /// A watch-list ended before its initial events did.
    Incomplete,
    /// A list of another history than the one seen before (field case 14).
    Backwards,
    /// A watch-list without the bookmark that ends the initial events (row R16).
    NoInitialEnd,
}

/// metav1.Status, as much of it as we use.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Status {
    code: Option<u16>,
    reason: Option<String>,
    message: Option<String>,
    details: Option<StatusDetails>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct StatusDetails {
    retry_after_seconds: Option<u64>,
    causes: Option<Vec<StatusCause>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct StatusCause {
    reason: Option<String>,
}

/// Longest Retry-After that is obeyed, so that a bad header cannot stop an informer for days.
const MAX_RETRY_AFTER: Duration = Duration::from_secs(300);
/// Longest part of an answer that is no Status that we repeat.
const MAX_MESSAGE_CHARS: usize = 300;

// === impl Failure ===

impl Failure {
    /// The reason of a wait that was too long.
    pub(super) const TIMEOUT: &str = "Timeout";

    /// The server's versions went backwards. Known only when a list is complete, which is then read again, at once.
    pub(super) fn backwards() -> Self {
        Self::new(
            FailureKind::Backwards,
            "VersionsWentBackwards",
            "the API server's versions are older than those seen before",
        )
    }

    /// No answer came in time, on a connection that may be dead.
    pub(super) fn is_timeout(&self) -> bool {
        self.http_status == 0 && self.reason == Self::TIMEOUT
    }

    pub(crate) fn new(kind: FailureKind, reason: &str, message: impl Into<String>) -> Self {
        Self {
            kind,
            http_status: 0,
            reason: reason.to_owned(),
            message: message.into(),
            retry_after: None,
            in_stream: false,
        }
    }

    /// A watch that was closed at once.
    pub(super) fn short_watch() -> Self {
        let message = "the API server closed a watch at once and without an event";
        Self::new(FailureKind::ShortWatch, "VeryShortWatch", message)
    }

    /// A request without an answer.
    pub(super) fn from_client(error: &kube::Error) -> Self {
        let reason = match error {
            kube::Error::Auth(_) => "AuthenticationFailed",
            _ => "Unreachable",
        };
        Self::new(FailureKind::Connection, reason, chain(error))
    }

    /// A body that broke off.
    pub(super) fn interrupted(error: &kube::Error) -> Self {
        Self::new(FailureKind::Connection, "Interrupted", chain(error))
    }

    /// An answer that is not 200.
    pub(super) fn from_response(status: StatusCode, headers: &HeaderMap, body: &[u8]) -> Self {
        let parsed: Status = serde_json::from_slice(body).unwrap_or_else(|_| Status {
            message: Some(excerpt(body)),
            ..Status::default()
        });
        let header = headers
            .get(http::header::RETRY_AFTER)
            .and_then(|v| v.to_str().ok()?.trim().parse().ok());
        Self::from_status(parsed, status.as_u16(), header)
    }

    /// An ERROR event.
    pub(super) fn from_event(object: &[u8]) -> Self {
        match serde_json::from_slice::<Status>(object) {
            Ok(status) => {
                let code = status.code.unwrap_or(500);
                Self::from_status(status, code, None)
            }
            Err(_) => Self::new(FailureKind::Malformed, "MalformedEvent", excerpt(object)),
        }
    }

    fn from_status(status: Status, code: u16, retry_after_header: Option<u64>) -> Self {
        let details = status.details.unwrap_or_default();
        let reason = status.reason.filter(|r| !r.is_empty()).unwrap_or_else(|| {
            let known = StatusCode::from_u16(code).ok().and_then(|s| s.canonical_reason());
            known.unwrap_or("Unknown").replace(' ', "")
        });
        let message = status.message.unwrap_or_default();
        // Row R6. Before 1.18 the server said it only in the message.
        let too_large = details
            .causes
            .iter()
            .flatten()
            .any(|c| c.reason.as_deref() == Some("ResourceVersionTooLarge"))
            || message.contains("Too large resource version");
        let kind = match code {
            _ if too_large => FailureKind::Expired,
            410 => FailureKind::Expired,
            429 => FailureKind::RateLimited,
            401 => FailureKind::Unauthorized,
            403 => FailureKind::Forbidden,
            404 => FailureKind::NotFound,
            500.. => FailureKind::Server,
            _ => FailureKind::Refused,
        };
        Self {
            kind,
            http_status: code,
            reason,
            message,
            retry_after: retry_after_header
                .or(details.retry_after_seconds)
                .map(|s| Duration::from_secs(s).min(MAX_RETRY_AFTER)),
            in_stream: false,
        }
    }

    /// The state in which the reflector waits.
    pub(super) fn state(&self) -> UpstreamState {
        match self.kind {
            FailureKind::Forbidden | FailureKind::Unauthorized => UpstreamState::Forbidden,
            FailureKind::NotFound => UpstreamState::Gone,
            _ => UpstreamState::Backoff,
        }
    }

    /// HTTP status of the answer, 0 if there was none.
    pub(crate) fn http_status(&self) -> u16 {
        self.http_status
    }

    /// The server asks us to wait so long.
    pub(crate) fn retry_after(&self) -> Option<Duration> {
        self.retry_after
    }

    /// As the rest of the program sees it.
    pub(crate) fn to_error(&self, time: std::time::SystemTime) -> UpstreamError {
        UpstreamError {
            http_status: self.http_status,
            reason: self.reason.clone(),
            message: self.message.clone(),
            time,
        }
    }
}

/// An error with all its causes: kube's and hyper's outer messages alone do not say "connection refused".
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.contains(&cause_text) {
            text.push_str(": ");
            text.push_str(&cause_text);
        }
        source = cause.source();
    }
    text
}

fn excerpt(body: &[u8]) -> String {
    String::from_utf8_lossy(body)
        .trim()
        .chars()
        .take(MAX_MESSAGE_CHARS)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn failure(code: u16, body: &str) -> Failure {
        Failure::from_response(StatusCode::from_u16(code).unwrap(), &HeaderMap::new(), body.as_bytes())
    }

    #[test]
    fn r6_too_large_versions_are_told_in_two_ways() {
        let cause = r#"{"reason":"Timeout","message":"x","details":{"causes":[{"reason":"ResourceVersionTooLarge"}],"retryAfterSeconds":1}}"#;
        assert_eq!(failure(504, cause).kind, FailureKind::Expired);
        let legacy = r#"{"reason":"Timeout","message":"Too large resource version: 9, current: 3"}"#;
        assert_eq!(failure(504, legacy).kind, FailureKind::Expired);
        assert_eq!(failure(504, r#"{"message":"etcd"}"#).kind, FailureKind::Server);
    }

    #[test]
    fn an_answer_that_is_no_status_is_quoted_in_part() {
        let f = failure(502, &format!("<html>{}", "x".repeat(5000)));
        assert_eq!(
            (f.kind, &*f.reason, f.http_status),
            (FailureKind::Server, "BadGateway", 502)
        );
        assert!(f.message.starts_with("<html>x") && f.message.len() <= MAX_MESSAGE_CHARS);
    }

    #[test]
    fn retry_after_is_read_from_header_or_details_and_capped() {
        let mut headers = HeaderMap::new();
        headers.insert(http::header::RETRY_AFTER, "7".parse().unwrap());
        let f = Failure::from_response(StatusCode::TOO_MANY_REQUESTS, &headers, b"");
        assert_eq!(f.retry_after, Some(Duration::from_secs(7)));
        let f = failure(429, r#"{"details":{"retryAfterSeconds":9}}"#);
        assert_eq!(f.retry_after, Some(Duration::from_secs(9)));
        let f = failure(429, r#"{"details":{"retryAfterSeconds":99999999}}"#);
        assert_eq!(f.retry_after, Some(MAX_RETRY_AFTER));
    }

    #[test]
    fn an_error_event_has_its_code_in_the_status() {
        let f = Failure::from_event(br#"{"kind":"Status","status":"Failure","code":410,"reason":"Expired","message":"too old resource version"}"#);
        assert_eq!(
            (f.kind, f.http_status, &*f.reason),
            (FailureKind::Expired, 410, "Expired")
        );
        assert_eq!(Failure::from_event(b"7").kind, FailureKind::Malformed);
    }
}
