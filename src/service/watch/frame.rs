//! WatchEvent messages from deliveries, within the client's message limit.

use super::request::{Old, WatchParams};
use crate::{
    object::Object,
    processor::{Cause, Delivery, EventKind, Subject},
    proto::v1alpha1 as pb,
    service::convert::{HEADROOM, View, body, object_ref, omitted, payload, sent_size, tombstone_ref, too_large},
};

/// What an event takes beside its bodies: names and namespaces have 253 bytes at most.
const REFERENCES: usize = 2 << 10;

/// Bytes of an event as it will be sent, or somewhat more.
pub(crate) fn size_of(delivery: &Delivery, params: &WatchParams) -> usize {
    let old = match (&delivery.old, params.old) {
        (Some(old), Old::Full) => sent_size(old, &params.view),
        (Some(_), Old::Reference) => 160,
        _ => 0,
    };
    let new = match &delivery.object {
        Subject::Object(object) if !is_known(delivery, object, params) => sent_size(object, &params.view),
        Subject::Object(_) | Subject::Gone(_) => 160,
    };
    new + old
}

/// True if the client wants this event.
pub(crate) fn wanted(delivery: &Delivery, params: &WatchParams) -> bool {
    (params.types.is_empty() || params.types.contains(&i32::from(kind(delivery)))) && !is_unchanged(delivery, params)
}

/// An update of something that the client does not get to see. Only where the old state is known: what is told while
/// catching up is always sent. Comparing with the state before suffices, as the client holds the same as that.
fn is_unchanged(delivery: &Delivery, params: &WatchParams) -> bool {
    let (Some(versions), EventKind::Updated) = (&params.suppress_versions, delivery.kind) else {
        return false;
    };
    let (Some(old), Subject::Object(new)) = (&delivery.old, &delivery.object) else {
        return false;
    };
    match &params.view {
        View::Reference => {
            let what = |o: &Object| (o.meta.uid.clone(), o.meta.generation, o.meta.deleting);
            what(old) == what(new)
        }
        view => versions.apply(&body(old, view)) == versions.apply(&body(new, view)),
    }
}

/// The message of a delivery. One that does not fit alone loses its old object first, then its object.
pub(crate) fn event(delivery: &Delivery, params: &WatchParams) -> pb::WatchEvent {
    let room = params.max_receive_bytes - HEADROOM;
    let object = match &delivery.object {
        Subject::Object(object) if is_known(delivery, object, params) => omitted(pb::Omitted::Unchanged),
        Subject::Object(object) => fitting(payload(object, &params.view), room),
        Subject::Gone(_) => omitted(pb::Omitted::Gone),
    };
    let (old_ref, old_object) = match (&delivery.old, params.old) {
        (None, _) | (_, Old::Nothing) => (None, None),
        (Some(old), Old::Reference) => (Some(object_ref(old)), None),
        (Some(old), Old::Full) => {
            let room = room.saturating_sub(object.data.len() + REFERENCES);
            (Some(object_ref(old)), Some(fitting(payload(old, &params.view), room)))
        }
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

/// The payload, if it fits.
fn fitting(payload: pb::ObjectPayload, room: usize) -> pb::ObjectPayload {
    if payload.data.len() + REFERENCES > room {
        return too_large();
    }
    payload
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
