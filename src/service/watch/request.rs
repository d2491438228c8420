//! A WatchRequest, checked: defaults filled in, bounds applied, features that this server lacks refused by name.

use std::{
    collections::{BTreeSet, HashSet},
    sync::Arc,
    time::Duration,
};

use crate::{
    object::{Cut, Digest, Object, object_hash},
    proto::v1alpha1 as pb,
    service::{
        convert::{HEADROOM, View, duration, max_receive, unknown_enum, view},
        error::ApiError,
    },
};

/// What a watch sends and how.
#[derive(Clone, Debug)]
pub(crate) struct WatchParams {
    pub(crate) view: View,
    pub(crate) old: Old,
    pub(crate) start: StartAt,
    /// What the client holds; until the first `synced`.
    pub(crate) known: Known,
    /// Types that are sent; empty = all.
    pub(crate) types: BTreeSet<i32>,
    /// With suppress_unchanged: what is not compared, because it differs between any two states.
    pub(crate) suppress_versions: Option<Arc<Cut>>,
    pub(crate) overflow: Overflow,
    pub(crate) max_outstanding_events: u64,
    pub(crate) max_outstanding_bytes: u64,
    pub(crate) batch_events: usize,
    pub(crate) batch_bytes: usize,
    pub(crate) linger: Duration,
    pub(crate) max_receive_bytes: usize,
    pub(crate) bookmark_interval: Duration,
    /// `None` = the informer's default.
    pub(crate) resync: Option<Duration>,
    pub(crate) client_id: String,
}

/// What of the previous state is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Old {
    Nothing,
    Reference,
    Full,
}

/// What happens when a watch is overtaken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Overflow {
    Coalesce,
    Reset,
    Fail,
}

/// Where a watch starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StartAt {
    Snapshot,
    Now,
    Resume { token: Vec<u8>, fail: bool, known: Known },
}

const MAX_BATCH_EVENTS: u32 = 1000;
const DEFAULT_BATCH_BYTES: u64 = 256 << 10;
const MAX_LINGER: Duration = Duration::from_millis(50);
const DEFAULT_BOOKMARK: Duration = Duration::from_secs(15);
const SECOND: Duration = Duration::from_secs(1);

/// Hashes of the objects that a client holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Known(Arc<HashSet<u64>>);

// === impl WatchParams ===

impl WatchParams {
    pub(crate) fn of(request: &pb::WatchRequest) -> Result<Self, ApiError> {
        let overflow = match pb::Overflow::try_from(request.overflow) {
            Ok(pb::Overflow::Unspecified | pb::Overflow::Coalesce) => Overflow::Coalesce,
            Ok(pb::Overflow::Reset) => Overflow::Reset,
            Ok(pb::Overflow::Fail) => Overflow::Fail,
            Err(_) => return Err(unknown_enum("overflow", request.overflow)),
        };
        let old = match pb::OldObject::try_from(request.old_object) {
            Ok(pb::OldObject::Unspecified | pb::OldObject::None) => Old::Nothing,
            Ok(pb::OldObject::Reference) => Old::Reference,
            Ok(pb::OldObject::Full) => Old::Full,
            Err(_) => return Err(unknown_enum("old_object", request.old_object)),
        };
        for value in &request.event_types {
            match pb::EventType::try_from(*value) {
                Ok(pb::EventType::Unspecified) | Err(_) => return Err(unknown_enum("event_types", *value)),
                Ok(_) => {}
            }
        }
        let max_receive_bytes = max_receive(request.max_receive_bytes)?;
        let batch = request.batch.unwrap_or_default();
        let flow = request.flow.unwrap_or_default();
        let batch_bytes = if batch.max_bytes == 0 {
            DEFAULT_BATCH_BYTES
        } else {
            batch.max_bytes
        };
        Ok(Self {
            view: view(request.projection.clone())?,
            old,
            start: start_of(request.start.as_ref())?,
            known: Known::default(),
            types: request.event_types.iter().copied().collect(),
            suppress_versions: request.suppress_unchanged.then(|| Arc::new(Cut::versions())),
            overflow,
            max_outstanding_events: flow.max_outstanding_events,
            max_outstanding_bytes: flow.max_outstanding_bytes,
            batch_events: match batch.max_events {
                0 => MAX_BATCH_EVENTS,
                n => n.min(MAX_BATCH_EVENTS),
            } as usize,
            batch_bytes: usize::try_from(batch_bytes)
                .unwrap_or(usize::MAX)
                .min(max_receive_bytes - HEADROOM),
            linger: duration("batch.linger", batch.linger)?
                .unwrap_or_default()
                .min(MAX_LINGER),
            max_receive_bytes,
            bookmark_interval: duration("bookmark_interval", request.bookmark_interval)?
                .filter(|d| !d.is_zero())
                .map_or(DEFAULT_BOOKMARK, |d| d.max(SECOND)),
            resync: duration("resync_period", request.resync_period)?,
            client_id: client_id(&request.client_id)?,
        })
    }

    /// The resync period: the watch's, else the informer's; at least 1 s (row H13).
    pub(crate) fn resync_period(&self, informer_default: Option<Duration>) -> Option<Duration> {
        self.resync
            .or(informer_default)
            .filter(|p| !p.is_zero())
            .map(|p| p.max(SECOND))
    }
}

// === impl Known ===

impl Known {
    fn of(hashes: &[u64]) -> Self {
        Self(Arc::new(hashes.iter().copied().collect()))
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// True if the client holds this very state.
    pub(crate) fn holds(&self, object: &Object) -> bool {
        !self.0.is_empty() && self.0.contains(&object_hash(object))
    }

    /// Count and sum, to compare with a view's.
    pub(crate) fn digest(&self) -> Digest {
        Digest {
            count: self.0.len() as u64,
            sum: self.0.iter().fold(0, |sum, hash| sum.wrapping_add(*hash)),
        }
    }
}

fn start_of(start: Option<&pb::watch_request::Start>) -> Result<StartAt, ApiError> {
    use pb::watch_request::Start;
    Ok(match start {
        None | Some(Start::Snapshot(_)) => StartAt::Snapshot,
        Some(Start::Now(_)) => StartAt::Now,
        Some(Start::Resume(resume)) => StartAt::Resume {
            token: resume.token.to_vec(),
            known: Known::of(&resume.known_object_hashes),
            fail: match pb::ResumeFailure::try_from(resume.on_failure) {
                Ok(pb::ResumeFailure::Unspecified | pb::ResumeFailure::Reset) => false,
                Ok(pb::ResumeFailure::Fail) => true,
                Err(_) => return Err(unknown_enum("resume.on_failure", resume.on_failure)),
            },
        },
    })
}

/// Client ids stand in logs and lists: short and printable.
fn client_id(id: &str) -> Result<String, ApiError> {
    if id.len() <= 128 && id.chars().all(|c| !c.is_control()) {
        return Ok(id.to_owned());
    }
    Err(ApiError::invalid(
        "client_id",
        "INVALID_FIELD",
        "client_id: at most 128 bytes without control characters",
    ))
}
