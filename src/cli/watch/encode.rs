//! One delta, or one control frame, as one line of JSON.
//!
//! ```json
//! {"type":"UPDATED","cause":"LIVE","key":"ns/a","namespace":"ns","name":"a","uid":"…","resourceVersion":"12","revision":3,"object":{…}}
//! {"control":"synced","objectCount":1,"digest":"00…","revision":3,"resourceVersion":"12"}
//! ```
//! Whoever replays the lines from nothing has the exact state: apply each event by its key (`DELETED` removes), and between
//! `reset` and the next `synced` mark what comes, then drop what was not marked. Bodies are embedded as they were received,
//! without being parsed.

use std::io::Write as _;

use serde::Serialize;

use crate::{
    cli::args::Old,
    proto::v1alpha1::{
        CacheStatus, EventCause, EventType, ObjectPayload, ObjectRef, Omitted, ResetReason, TerminatingReason,
        UpstreamState, WatchEvent, WatchMode, watch_response::Control,
    },
};

/// The word of an enum value without its prefix: `EVENT_TYPE_ADDED` is `ADDED`.
#[must_use]
pub fn word(name: &'static str, prefix: &str) -> &'static str {
    name.strip_prefix(prefix).unwrap_or(name)
}

/// The event's type. A value that this version does not know is `UNKNOWN`: the contract is to get the key again.
#[must_use]
pub fn type_word(event: &WatchEvent) -> &'static str {
    match EventType::try_from(event.r#type) {
        Ok(kind) => word(kind.as_str_name(), "EVENT_TYPE_"),
        Err(_) => "UNKNOWN",
    }
}

/// The event's cause.
#[must_use]
pub fn cause_word(event: &WatchEvent) -> &'static str {
    match EventCause::try_from(event.cause) {
        Ok(cause) => word(cause.as_str_name(), "EVENT_CAUSE_"),
        Err(_) => "UNKNOWN",
    }
}

/// `namespace/name`, or `name` for cluster-scoped objects.
#[must_use]
pub fn key(r: &ObjectRef) -> String {
    if r.namespace.is_empty() {
        r.name.clone()
    } else {
        format!("{}/{}", r.namespace, r.name)
    }
}

/// Appends an event's line.
pub fn event(out: &mut Vec<u8>, event: &WatchEvent, old: Old) {
    let none = ObjectRef::default();
    let r = event.r#ref.as_ref().unwrap_or(&none);
    out.push(b'{');
    let mut fields = Fields { out, first: true };
    fields.text("type", type_word(event));
    fields.text("cause", cause_word(event));
    fields.text("key", &key(r));
    fields.text("namespace", &r.namespace);
    fields.text("name", &r.name);
    fields.text("uid", &r.uid);
    fields.text("resourceVersion", &event.resource_version);
    fields.raw("revision", event.revision.to_string().as_bytes());
    for (name, set) in [
        ("finalStateUnknown", event.final_state_unknown),
        ("recreated", event.recreated),
    ] {
        if set {
            fields.raw(name, b"true");
        }
    }
    if event.coalesced > 0 {
        fields.raw("coalesced", event.coalesced.to_string().as_bytes());
    }
    fields.body("object", event.object.as_ref());
    if let (Old::Reference | Old::Full, Some(r)) = (old, &event.old_ref) {
        fields.key("old");
        fields.out.push(b'{');
        fields.first = true;
        fields.text("uid", &r.uid);
        fields.text("resourceVersion", &r.resource_version);
        if old == Old::Full {
            fields.body("object", event.old_object.as_ref());
        }
        fields.out.push(b'}');
    }
    out.extend_from_slice(b"}\n");
}

/// Appends a control frame's line.
pub fn control(out: &mut Vec<u8>, control: &Control) {
    let frame = match control {
        Control::Created(created) => Frame {
            mode: WatchMode::try_from(created.mode)
                .ok()
                .map(|m| word(m.as_str_name(), "WATCH_MODE_")),
            watch_id: Some(&created.watch_id),
            ..Frame::new("created").at(created.status.as_ref())
        },
        Control::Reset(reset) => {
            let reason = ResetReason::try_from(reset.reason).unwrap_or_default();
            Frame {
                reason: Some(word(reason.as_str_name(), "RESET_REASON_")),
                ..Frame::new("reset")
            }
        }
        Control::Synced(synced) => Frame {
            object_count: Some(synced.object_count),
            digest: Some(format!("{:016x}", synced.digest)),
            ..Frame::new("synced").at(synced.status.as_ref())
        },
        Control::Bookmark(bookmark) => Frame {
            object_count: Some(bookmark.object_count),
            digest: Some(format!("{:016x}", bookmark.digest)),
            lag_events: Some(bookmark.lag_events),
            ..Frame::new("bookmark").at(bookmark.status.as_ref())
        },
        Control::Terminating(end) => {
            let reason = TerminatingReason::try_from(end.reason).unwrap_or_default();
            Frame {
                reason: Some(word(reason.as_str_name(), "TERMINATING_REASON_")),
                ..Frame::new("terminating")
            }
        }
    };
    frame.write(out);
}

/// Appends the line that a client's own restart of a broken snapshot is told by: the same to a reader as the server's.
pub fn restarted(out: &mut Vec<u8>) {
    Frame {
        reason: Some("STREAM_BROKEN"),
        ..Frame::new("reset")
    }
    .write(out);
}

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Frame<'a> {
    control: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mode: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    watch_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    object_count: Option<u64>,
    /// Hexadecimal: as a number it would lose bits in most JSON readers.
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lag_events: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    informer: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    epoch: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    revision: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    resource_version: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    upstream: Option<&'static str>,
}

// === impl Frame ===

impl<'a> Frame<'a> {
    fn new(control: &'static str) -> Self {
        Self {
            control,
            ..Self::default()
        }
    }

    fn at(mut self, status: Option<&'a CacheStatus>) -> Self {
        if let Some(status) = status {
            self.informer = Some(&status.informer);
            self.epoch = Some(&status.epoch);
            self.revision = Some(status.revision);
            self.resource_version = Some(&status.resource_version);
            self.upstream = UpstreamState::try_from(status.upstream_state)
                .ok()
                .map(|s| word(s.as_str_name(), "UPSTREAM_STATE_"));
        }
        self
    }

    fn write(&self, out: &mut Vec<u8>) {
        // Writing strings and numbers to a vector does not fail.
        if serde_json::to_writer(&mut *out, self).is_ok() {
            out.push(b'\n');
        }
    }
}

/// Writes the members of an object.
struct Fields<'a> {
    out: &'a mut Vec<u8>,
    first: bool,
}

// === impl Fields ===

impl Fields<'_> {
    fn key(&mut self, name: &str) {
        if !std::mem::replace(&mut self.first, false) {
            self.out.push(b',');
        }
        // Writing to a vector does not fail.
        let _ = write!(self.out, "\"{name}\":");
    }

    fn text(&mut self, name: &str, value: &str) {
        self.key(name);
        let _ = serde_json::to_writer(&mut *self.out, value);
    }

    fn raw(&mut self, name: &str, value: &[u8]) {
        self.key(name);
        self.out.extend_from_slice(value);
    }

    fn body(&mut self, name: &str, payload: Option<&ObjectPayload>) {
        let Some(payload) = payload else { return };
        if payload.data.is_empty() {
            match payload.omitted() {
                Omitted::Unspecified | Omitted::View => {}
                why => self.text("omitted", word(why.as_str_name(), "OMITTED_")),
            }
            return;
        }
        self.key(name);
        let start = self.out.len();
        self.out.extend_from_slice(&payload.data);
        // Inside strings JSON has no line breaks: where there are any, they are layout.
        for byte in &mut self.out[start..] {
            if matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }
}

#[cfg(test)]
mod tests;
