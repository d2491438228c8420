//! What a command fails with, and how it is said: one line, with a way out.

use std::{fmt::Write as _, io};

use tonic::{Code, Status};
use tonic_types::StatusExt as _;

/// A failure of a command.
#[derive(Debug, thiserror::Error)]
pub enum CliError {
    /// The arguments cannot be used; exit code 2.
    #[error("{0}")]
    Usage(String),
    /// Anything else; exit code 1.
    #[error("{0}")]
    Failed(String),
    /// The server refused; exit code 1.
    #[error("{}", describe(.0))]
    Server(Box<Status>),
    /// Output cannot be written; a reader who went away (a closed pipe) is no failure.
    #[error("cannot write the output: {0}")]
    Output(io::Error),
    /// The failure has been told on stderr already; exit code 1.
    #[error("")]
    Told,
}

// === impl CliError ===

impl CliError {
    /// The process's exit code.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::Output(e) if e.kind() == io::ErrorKind::BrokenPipe => 0,
            _ => 1,
        }
    }

    /// What to print on stderr, if anything.
    #[must_use]
    pub fn message(&self) -> Option<String> {
        match self {
            Self::Told => None,
            Self::Output(e) if e.kind() == io::ErrorKind::BrokenPipe => None,
            error => Some(error.to_string()),
        }
    }
}

impl From<Status> for CliError {
    fn from(status: Status) -> Self {
        Self::Server(Box::new(status))
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        Self::Output(error)
    }
}

// === describing a status ===

/// One line: `NOT_FOUND/INDEX_NOT_FOUND: message (index.name: why; retry in 1s; key=value)`.
#[must_use]
pub fn describe(status: &Status) -> String {
    let details = status.get_error_details();
    let mut line = String::from(code_name(status.code()));
    if let Some(info) = details.error_info() {
        let _ = write!(line, "/{}", info.reason);
    }
    let message = status.message();
    let _ = write!(
        line,
        ": {}",
        if message.is_empty() {
            "the server gave no message"
        } else {
            message
        }
    );

    let mut more: Vec<String> = Vec::new();
    let mut add = |text: String| {
        // Servers repeat in a detail what the message says already.
        if !text.is_empty() && !message.contains(&text) && !more.contains(&text) {
            more.push(text);
        }
    };
    for violation in details.bad_request().into_iter().flat_map(|d| &d.field_violations) {
        if message.contains(&violation.description) {
            add(if message.contains(&violation.field) {
                String::new()
            } else {
                format!("field {}", violation.field)
            });
        } else {
            add(format!("field {}: {}", violation.field, violation.description));
        }
    }
    for violation in details.precondition_failure().into_iter().flat_map(|d| &d.violations) {
        add(violation.description.clone());
    }
    for violation in details.quota_failure().into_iter().flat_map(|d| &d.violations) {
        add(violation.description.clone());
    }
    for link in details.help().into_iter().flat_map(|d| &d.links) {
        add(link.description.clone());
    }
    if let Some(info) = details.error_info() {
        let mut metadata: Vec<_> = info.metadata.iter().collect();
        metadata.sort();
        for (key, value) in metadata {
            if !message.contains(value.as_str()) {
                add(if key == "remedy" {
                    value.clone()
                } else {
                    format!("{key}={value}")
                });
            }
        }
    }
    if let Some(delay) = details.retry_info().and_then(|d| d.retry_delay) {
        add(format!("retry in {}", humantime(delay)));
    }
    if !more.is_empty() {
        let _ = write!(line, " ({})", more.join("; "));
    }
    line.replace(['\n', '\r'], " ")
}

/// The code's name as in the gRPC specification, which is what people search for.
#[must_use]
pub fn code_name(code: Code) -> &'static str {
    match code {
        Code::Ok => "OK",
        Code::Cancelled => "CANCELLED",
        Code::Unknown => "UNKNOWN",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::DeadlineExceeded => "DEADLINE_EXCEEDED",
        Code::NotFound => "NOT_FOUND",
        Code::AlreadyExists => "ALREADY_EXISTS",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::Aborted => "ABORTED",
        Code::OutOfRange => "OUT_OF_RANGE",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Internal => "INTERNAL",
        Code::Unavailable => "UNAVAILABLE",
        Code::DataLoss => "DATA_LOSS",
        Code::Unauthenticated => "UNAUTHENTICATED",
    }
}

/// The reason in the status's ErrorInfo; empty if it has none.
#[must_use]
pub fn reason(status: &Status) -> String {
    status
        .get_details_error_info()
        .map(|info| info.reason)
        .unwrap_or_default()
}

fn humantime(delay: std::time::Duration) -> String {
    if delay.subsec_millis() == 0 {
        format!("{}s", delay.as_secs())
    } else {
        format!("{}ms", delay.as_millis())
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::HashMap, time::Duration};

    use tonic_types::ErrorDetails;

    use super::*;

    #[test]
    fn a_status_is_one_line_with_code_reason_field_and_remedy() {
        let mut details = ErrorDetails::new();
        details.set_error_info(
            "INVALID_SELECTOR",
            "informer.v1alpha1",
            HashMap::from([("remedy".into(), "quote the value".into())]),
        );
        details.add_bad_request_violation("filter.label_selector", "unexpected `(` at 3");
        details.set_retry_info(Some(Duration::from_secs(1)));
        let status = Status::with_error_details(Code::InvalidArgument, "the selector is malformed\nat 3", details);
        assert_eq!(
            describe(&status),
            "INVALID_ARGUMENT/INVALID_SELECTOR: the selector is malformed at 3 (field filter.label_selector: unexpected `(` at 3; \
             quote the value; retry in 1s)"
        );
        assert_eq!(reason(&status), "INVALID_SELECTOR");
    }

    #[test]
    fn what_the_message_says_is_not_repeated() {
        let mut details = ErrorDetails::new();
        details.add_bad_request_violation("filter.index.name", "no index `x`");
        let status = Status::with_error_details(Code::NotFound, "no index `x`", details);
        assert_eq!(describe(&status), "NOT_FOUND: no index `x` (field filter.index.name)");
    }

    #[test]
    fn a_bare_status_is_described_too() {
        assert_eq!(
            describe(&Status::new(Code::Unknown, "")),
            "UNKNOWN: the server gave no message"
        );
    }

    #[test]
    fn a_closed_pipe_is_quiet_success() {
        let error = CliError::from(io::Error::from(io::ErrorKind::BrokenPipe));
        assert_eq!((error.exit_code(), error.message()), (0, None));
        let full = CliError::from(io::Error::from(io::ErrorKind::StorageFull));
        assert_eq!(full.exit_code(), 1);
        assert!(full.message().is_some());
    }

    #[test]
    fn exit_codes_tell_usage_from_failure() {
        assert_eq!(CliError::Usage("x".into()).exit_code(), 2);
        assert_eq!(CliError::Failed("x".into()).exit_code(), 1);
        assert_eq!(CliError::from(Status::not_found("x")).exit_code(), 1);
    }
}
