//! Reads that go past the cache, to the API server as it is now.

use std::{sync::Arc, time::Duration};

use super::{Resource, UpstreamError};

/// What is read.
#[derive(Clone, Debug)]
pub struct LiveRead {
    /// The resource.
    pub resource: Resource,
    /// One namespace, or all.
    pub namespace: Option<Arc<str>>,
    /// Only what it selects is there for the reader; empty = everything.
    pub label_selector: String,
    /// Only what it selects is there for the reader; empty = everything.
    pub field_selector: String,
    /// Ask for PartialObjectMetadata instead of whole objects.
    pub metadata_only: bool,
}

/// Why the API server could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub struct LiveError {
    /// What it said, or why it said nothing.
    pub error: UpstreamError,
    /// It wants to be left alone for so long.
    pub retry_after: Option<Duration>,
}
