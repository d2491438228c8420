//! From a watch frame to what the reflector acts on.

use super::{
    failure::Failure,
    frames::{Bookmark, Event, EventType},
};
use crate::{
    object::{Object, ScanError, Scanner, TypeMeta},
    upstream::ReflectorJob,
};

/// A watch frame, read.
#[derive(Debug)]
pub(super) enum Decoded {
    Added(Object),
    Updated(Object),
    Deleted(Object),
    Bookmark(Bookmark),
    /// An ERROR event.
    Failed(Failure),
    /// Of no use; the reason why (row R17).
    Skipped(String),
}

/// Reads frames of one job.
#[derive(Debug)]
pub(super) struct Decoder {
    expected: TypeMeta,
    metadata_only: bool,
}

// === impl Decoder ===

impl Decoder {
    pub(super) fn new(job: &ReflectorJob) -> Self {
        Self {
            expected: job.resource.type_meta(),
            metadata_only: job.metadata_only,
        }
    }

    pub(super) fn decode(&self, scanner: &Scanner, frame: &[u8]) -> Decoded {
        let event = match Event::parse(frame) {
            Ok(event) => event,
            Err(e) => return Decoded::Skipped(e.to_string()),
        };
        match event.event_type {
            EventType::Error => Decoded::Failed(Failure::from_event(event.object)),
            EventType::Bookmark => match Bookmark::parse(event.object) {
                Ok(bookmark) => Decoded::Bookmark(bookmark),
                Err(e) => Decoded::Skipped(e.to_string()),
            },
            event_type => {
                let scanned = scanner.scan(event.object).or_else(|e| match e {
                    // The fast path may have presumed too much.
                    ScanError::Malformed(_) => match Event::parse_slowly(frame) {
                        Ok(slow) => scanner.scan(slow.object),
                        Err(_) => Err(e),
                    },
                    _ => Err(e),
                });
                let object = match scanned {
                    Ok(object) => object,
                    Err(e) => return Decoded::Skipped(e.to_string()),
                };
                let found = &*object.type_meta;
                if *found != self.expected && !(self.metadata_only && &*found.kind == "PartialObjectMetadata") {
                    return Decoded::Skipped(format!("the object is a {} {}", found.api_version, found.kind));
                }
                match event_type {
                    EventType::Added => Decoded::Added(object),
                    EventType::Deleted => Decoded::Deleted(object),
                    _ => Decoded::Updated(object),
                }
            }
        }
    }
}
