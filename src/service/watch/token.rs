//! Resume tokens: where a view stood, and of what it was a view. Opaque to clients, the same for equal watches.

use std::time::Duration;

use prost::Message;
use tokio::time::Instant;

use super::request::{Known, Overflow, StartAt, WatchParams};
use crate::{
    hash::fnv64,
    informer::SharedInformer,
    processor::{Listener, Published, Start},
    proto::v1alpha1 as pb,
    service::error::ApiError,
    store::{Position, Query},
};

/// How a watch begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Begin {
    pub(crate) start: Start,
    pub(crate) mode: pb::WatchMode,
    /// Sent before the snapshot, if a token could not be resumed from.
    pub(crate) reset: Option<pb::ResetReason>,
    /// What the client holds, if the snapshot is to leave that out.
    pub(crate) known: Known,
}

#[derive(Clone, PartialEq, Message)]
struct Token {
    /// Resource, `plural.version.group`.
    #[prost(string, tag = "1")]
    resource: String,
    /// Hash of what the informer caches.
    #[prost(fixed64, tag = "2")]
    informer: u64,
    #[prost(string, tag = "3")]
    epoch: String,
    #[prost(uint64, tag = "4")]
    revision: u64,
    /// Hash of the filter.
    #[prost(fixed64, tag = "5")]
    filter: u64,
    /// Hash of the other fields: garbage does not pass for a position.
    #[prost(fixed64, tag = "6")]
    check: u64,
}

/// The token for a view of `informer` through `query` at `revision`.
pub(crate) fn mint(informer: &SharedInformer, query: &Query, revision: u64) -> Vec<u8> {
    let spec = informer.spec();
    let position = Position {
        revision,
        ..informer.processor().load().snapshot.position().clone()
    };
    let mut token = Token {
        resource: spec.resource.to_string(),
        informer: fnv64(spec.identity().as_bytes()),
        epoch: informer.epoch_of(&position),
        revision,
        filter: fnv64(query.normalized().as_bytes()),
        check: 0,
    };
    token.check = token.hash();
    token.encode_to_vec()
}

/// Decides how a watch begins.
pub(crate) fn begin(params: &WatchParams, informer: &SharedInformer, query: &Query) -> Result<Begin, ApiError> {
    let (token, fail, known) = match &params.start {
        StartAt::Snapshot => return Ok(Begin::new(Start::Snapshot, pb::WatchMode::Snapshot)),
        StartAt::Now => return Ok(Begin::new(Start::Now, pb::WatchMode::Now)),
        StartAt::Resume { token, fail, known } => (Token::read(token)?, *fail, known),
    };
    let spec = informer.spec();
    if token.resource != spec.resource.to_string() {
        return Err(ApiError::invalid(
            "resume.token",
            "INVALID_TOKEN",
            format!(
                "resume.token is of a watch on {}, this one is on {}",
                token.resource, spec.resource
            ),
        )
        .remedy("resume with the same informer and filter, or start with a snapshot"));
    }
    let published = informer.processor().load();
    let process = |epoch: &str| epoch.rsplit_once('-').map(|(process, _)| process.to_owned());
    let epoch = informer.epoch_of(published.snapshot.position());
    let reset = if token.epoch != epoch {
        Some(if process(&token.epoch) == process(&epoch) {
            pb::ResetReason::InformerReplaced
        } else {
            pb::ResetReason::EpochChanged
        })
    } else if token.filter != fnv64(query.normalized().as_bytes()) {
        Some(pb::ResetReason::FilterChanged)
    } else if !can_continue(params, &published, query, token.revision) {
        Some(pb::ResetReason::ResumeExpired)
    } else {
        None
    };
    match reset {
        None => Ok(Begin::new(Start::After(token.revision), pb::WatchMode::Replay)),
        // Whatever the token is worth: what the client holds need not be sent again. Unless the API server's history is another
        // one, where the same version of an object may be another state.
        Some(_) if !known.is_empty() && !another_era(&token.epoch, &epoch) => Ok(Begin {
            known: known.clone(),
            ..Begin::new(Start::Snapshot, pb::WatchMode::Diff)
        }),
        Some(reason) if fail => Err(ApiError::new(
            tonic::Code::Aborted,
            "RESUME_TOKEN_EXPIRED",
            format!("resume.token cannot be resumed from: {}", reason.as_str_name()),
        )
        .field("resume.token")
        .remedy("start with a snapshot and drop what it does not hold")),
        Some(reason) => Ok(Begin {
            reset: Some(reason),
            ..Begin::new(Start::Snapshot, pb::WatchMode::Snapshot)
        }),
    }
}

/// Epochs of one incarnation that differ in what follows its number; see [`SharedInformer::epoch_of`].
fn another_era(a: &str, b: &str) -> bool {
    let incarnation = |epoch: &str| {
        let (process, number) = epoch.rsplit_once('-')?;
        Some((process.to_owned(), number.split('.').next()?.to_owned()))
    };
    a != b && incarnation(a) == incarnation(b)
}

/// A token that is older than the history is good for a client that takes one event for each key.
fn can_continue(params: &WatchParams, published: &Published, query: &Query, revision: u64) -> bool {
    let head = published.snapshot.position().revision;
    Listener::can_continue(published, query, revision)
        && (params.overflow == Overflow::Coalesce || revision >= published.history.floor(head))
}

/// After a restart with nothing changed nothing is sent: once the informer is synced the client's hashes are compared with the
/// view. An informer that takes longer than `patience` leaves it at a snapshot that omits what the client holds.
pub(crate) async fn compare(begin: Begin, informer: &SharedInformer, query: &Query, patience: Duration) -> Begin {
    if begin.mode != pb::WatchMode::Diff {
        return begin;
    }
    let deadline = Instant::now() + patience;
    let synced = |p: &Published| p.snapshot.position().synced;
    let Ok(published) = informer.processor().wait_for(deadline, synced).await else {
        return begin;
    };
    if published.snapshot.digest(query) != begin.known.digest() {
        return begin;
    }
    Begin::new(
        Start::After(published.snapshot.position().revision),
        pb::WatchMode::Unchanged,
    )
}

// === impl Begin ===

impl Begin {
    fn new(start: Start, mode: pb::WatchMode) -> Self {
        Self {
            start,
            mode,
            reset: None,
            known: Known::default(),
        }
    }
}

// === impl Token ===

impl Token {
    fn read(bytes: &[u8]) -> Result<Self, ApiError> {
        Self::decode(bytes).ok().filter(|t| t.check == t.hash()).ok_or_else(|| {
            ApiError::invalid(
                "resume.token",
                "INVALID_TOKEN",
                "resume.token is not a token of this API",
            )
            .remedy("resume with the last resume_token received, unchanged, or start with a snapshot")
        })
    }

    fn hash(&self) -> u64 {
        fnv64(
            &Self {
                check: 0,
                ..self.clone()
            }
            .encode_to_vec(),
        )
    }
}

#[cfg(test)]
mod fuzz;
