//! An error as clients of any language read it.

use std::fmt::Debug;

use tonic::{Code, Status};
use tonic_types::StatusExt as _;

/// Code, reason and field of an error, after what holds for every error was checked.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) code: Code,
    pub(crate) reason: String,
    pub(crate) field: String,
}

// === impl Refusal ===

impl Refusal {
    /// What is expected.
    pub(crate) fn new(code: Code, reason: &str, field: &str) -> Self {
        Self {
            code,
            reason: reason.to_owned(),
            field: field.to_owned(),
        }
    }

    /// What came.
    pub(crate) fn of(status: &Status) -> Self {
        let details = status.get_error_details();
        let info = details
            .error_info()
            .unwrap_or_else(|| panic!("no ErrorInfo: {status:?}"));
        assert_eq!(info.domain, "informer.v1alpha1", "{status:?}");
        assert!(!status.message().is_empty(), "{info:?}");
        let field = info.metadata.get("field").cloned().unwrap_or_default();
        if status.code() == Code::InvalidArgument {
            let violations = details
                .bad_request()
                .map(|b| b.field_violations.clone())
                .unwrap_or_default();
            assert_eq!(violations.len(), 1, "{status:?}");
            assert_eq!(violations[0].field, field, "{status:?}");
        }
        if status.code() == Code::Unavailable {
            assert!(details.retry_info().is_some(), "no RetryInfo: {status:?}");
        }
        Self {
            code: status.code(),
            reason: info.reason.clone(),
            field,
        }
    }
}

/// The error of a call that must fail.
pub(crate) fn refused<T: Debug>(result: Result<T, Status>) -> Refusal {
    match result {
        Ok(answer) => panic!("expected an error, not {answer:?}"),
        Err(status) => Refusal::of(&status),
    }
}
