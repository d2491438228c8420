//! Failures as the API server tells them: `Status` objects.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::resource::ResourceType;

/// A failed API call: what the body of the answer says.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, Serialize, Deserialize)]
#[error("{reason} ({code}): {message}")]
pub struct StatusError {
    /// HTTP status code.
    pub code: u16,
    /// Kubernetes' reason, such as `NotFound`; empty if there is none.
    #[serde(default)]
    pub reason: String,
    /// For people.
    #[serde(default)]
    pub message: String,
    /// What the failure is about: `details` of the Status object.
    #[serde(default)]
    pub details: Option<Value>,
    /// Sent as `Retry-After` header and as `details.retryAfterSeconds`.
    #[serde(default)]
    pub retry_after_seconds: Option<u64>,
}

// === impl StatusError ===

impl StatusError {
    /// A failure with code, reason and message.
    pub fn new(code: u16, reason: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            code,
            reason: reason.into(),
            message: message.into(),
            details: None,
            retry_after_seconds: None,
        }
    }

    /// 410 as the server says it for resource versions whose history is gone.
    pub fn expired() -> Self {
        Self::new(410, "Expired", "The resourceVersion for the provided watch is too old.")
    }

    /// 429 with a time to wait.
    pub fn too_many_requests(retry_after_seconds: u64) -> Self {
        let message = "Too many requests, please try again later.";
        Self {
            retry_after_seconds: Some(retry_after_seconds),
            ..Self::new(429, "TooManyRequests", message)
        }
    }

    /// 500.
    pub fn internal(message: impl Into<String>) -> Self {
        Self::new(500, "InternalError", message)
    }

    /// 403 for a verb on a resource.
    pub fn forbidden(resource: &str, verb: &str) -> Self {
        let message = format!("{resource} is forbidden: User \"sim\" cannot {verb} resource \"{resource}\"");
        Self::new(403, "Forbidden", message)
    }

    pub(super) fn bad_request(message: impl Into<String>) -> Self {
        Self::new(400, "BadRequest", message)
    }

    /// A resource that a known API version does not have. Paths of no API version are answered in plain text.
    pub(super) fn path_not_found() -> Self {
        Self {
            details: Some(json!({})),
            ..Self::new(404, "NotFound", "the server could not find the requested resource")
        }
    }

    pub(super) fn not_found(kind: &ResourceType, name: &str) -> Self {
        Self::about(404, "NotFound", kind, name, format!("{} \"{name}\" not found", kind.id))
    }

    pub(super) fn already_exists(kind: &ResourceType, name: &str) -> Self {
        Self::about(
            409,
            "AlreadyExists",
            kind,
            name,
            format!("{} \"{name}\" already exists", kind.id),
        )
    }

    pub(super) fn conflict(kind: &ResourceType, name: &str, why: &str) -> Self {
        let message = format!("Operation cannot be fulfilled on {} \"{name}\": {why}", kind.id);
        Self::about(409, "Conflict", kind, name, message)
    }

    /// 422. `kind` is `Kind` or `Kind.group`, `why` is `field: what: explanation`.
    pub(super) fn invalid(kind: &str, name: &str, why: &str) -> Self {
        let (field, message) = why.split_once(": ").unwrap_or(("", why));
        let reason = match message.split(": ").next() {
            Some("Forbidden") => "FieldValueForbidden",
            Some("Unsupported value") => "FieldValueNotSupported",
            Some("Required value") => "FieldValueRequired",
            _ => "FieldValueInvalid",
        };
        let cause = json!({"reason": reason, "message": message, "field": field});
        let (plain_kind, group) = kind.split_once('.').unwrap_or((kind, ""));
        let mut details = json!({"kind": plain_kind, "causes": [cause]});
        for (key, value) in [("name", name), ("group", group)] {
            if !value.is_empty() {
                details[key] = json!(value);
            }
        }
        Self {
            details: Some(details),
            ..Self::new(422, "Invalid", format!("{kind} \"{name}\" is invalid: {why}"))
        }
    }

    /// The version asked for lies in the future (R6 of the reflector tells it by the cause).
    pub(super) fn too_large_version(asked: u64, current: u64) -> Self {
        let cause = json!({"reason": "ResourceVersionTooLarge", "message": "Too large resource version"});
        Self {
            details: Some(json!({"causes": [cause]})),
            retry_after_seconds: Some(1),
            ..Self::new(
                504,
                "Timeout",
                format!("Timeout: Too large resource version: {asked}, current: {current}"),
            )
        }
    }

    fn about(code: u16, reason: &str, kind: &ResourceType, name: &str, message: String) -> Self {
        let mut details = json!({"name": name, "kind": kind.plural});
        if !kind.group.is_empty() {
            details["group"] = json!(kind.group);
        }
        Self {
            details: Some(details),
            ..Self::new(code, reason, message)
        }
    }

    /// The Status object, with its keys in the server's order.
    pub(super) fn body(&self) -> String {
        self.body_with_continue(None)
    }

    pub(super) fn body_with_continue(&self, token: Option<&str>) -> String {
        let metadata = token.map_or_else(|| json!({}), |token| json!({"continue": token}));
        let mut body = format!(
            r#"{{"kind":"Status","apiVersion":"v1","metadata":{metadata},"status":"Failure","message":{}"#,
            json!(self.message)
        );
        if !self.reason.is_empty() {
            body += &format!(r#","reason":{}"#, json!(self.reason));
        }
        let mut details = self.details.clone();
        if let Some(seconds) = self.retry_after_seconds {
            details.get_or_insert_with(|| json!({}))["retryAfterSeconds"] = json!(seconds);
        }
        if let Some(details) = details {
            body += &format!(r#","details":{details}"#);
        }
        body + &format!(r#","code":{}}}"#, self.code)
    }
}
