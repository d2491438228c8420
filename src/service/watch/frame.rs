//! WatchEvent messages from deliveries, within the client's message limit.

use super::request::{Old, WatchParams};
use crate::{
    object::Object,
    processor::{Cause, Delivery, EventKind, Subject},
    proto::v1alpha1 as pb,
    service::convert::{HEADROOM, object_ref, omitted, payload, sent_size, tombstone_ref, too_large},
};

/// Bytes of an event as it will be sent.
pub(crate) fn size_of(delivery: &Delivery, params: &WatchParams) -> usize {
    let old = match (&delivery.old, params.old) {
        (Some(old), Old::Full) => sent_size(old, params.view),
        (Some(_), Old::Reference) => 160,
        _ => 0,
    };
    new_size(delivery, params) + old
}

/// True if the client wants events of this kind.
pub(crate) fn wanted(delivery: &Delivery, params: &WatchParams) -> bool {
    params.types.is_empty() || params.types.contains(&i32::from(kind(delivery)))
}

/// The message of a delivery. One that does not fit alone loses its old object first, then its object.
pub(crate) fn event(delivery: &Delivery, params: &WatchParams) -> pb::WatchEvent {
    let room = params.max_receive_bytes - HEADROOM;
    let new_size = new_size(delivery, params);
    let object = match &delivery.object {
        Subject::Object(object) if is_known(delivery, object, params) => omitted(pb::Omitted::Unchanged),
        _ if new_size > room => too_large(),
        Subject::Object(object) => payload(object, params.view),
        Subject::Gone(_) => omitted(pb::Omitted::Gone),
    };
    let (old_ref, old_object) = match (&delivery.old, params.old) {
        (None, _) | (_, Old::Nothing) => (None, None),
        (Some(old), Old::Reference) => (Some(object_ref(old)), None),
        (Some(old), Old::Full) if new_size.min(room) + sent_size(old, params.view) > room => {
            (Some(object_ref(old)), Some(too_large()))
        }
        (Some(old), Old::Full) => (Some(object_ref(old)), Some(payload(old, params.view))),
    };
    pb::WatchEvent {
        r#type: kind(delivery).into(),
        cause: match delivery.cause {
            Cause::Initial => pb::EventCause::Initial,
            Cause::Live => pb::EventCause::Live,
            Cause::Replaced => pb::EventCause::Replaced,
            Cause::Resync => pb::EventCause::Resync,
            Cause::Selector => pb::EventCause::Selector,
            Cause::CatchUp => pb::EventCause::CatchUp,
        }
        .into(),
        r#ref: Some(match &delivery.object {
            Subject::Object(object) => object_ref(object),
            Subject::Gone(tombstone) => tombstone_ref(tombstone),
        }),
        object: Some(object),
        old_ref,
        old_object,
        revision: delivery.revision,
        resource_version: delivery.resource_version.to_string(),
        final_state_unknown: delivery.final_state_unknown,
        recreated: delivery.recreated,
        coalesced: u32::from(delivery.cause == Cause::CatchUp),
    }
}

fn new_size(delivery: &Delivery, params: &WatchParams) -> usize {
    match &delivery.object {
        Subject::Object(object) if !is_known(delivery, object, params) => sent_size(object, params.view),
        Subject::Object(_) | Subject::Gone(_) => 160,
    }
}

/// The client said that it holds this state, so a snapshot need not bring it.
fn is_known(delivery: &Delivery, object: &Object, params: &WatchParams) -> bool {
    delivery.cause == Cause::Initial && params.known.holds(object)
}

fn kind(delivery: &Delivery) -> pb::EventType {
    match delivery.kind {
        EventKind::Added => pb::EventType::Added,
        EventKind::Updated => pb::EventType::Updated,
        EventKind::Deleted => pb::EventType::Deleted,
        EventKind::Resync => pb::EventType::Resync,
    }
}
