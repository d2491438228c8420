use serde_json::{Value, json};

use super::*;
use crate::proto::v1alpha1::{Bookmark, Created, Reset, Synced, Terminating};

fn payload(data: &'static str) -> Option<ObjectPayload> {
    Some(ObjectPayload {
        data: data.as_bytes().into(),
        ..ObjectPayload::default()
    })
}

fn reference(namespace: &str, name: &str, version: &str) -> Option<ObjectRef> {
    Some(ObjectRef {
        namespace: namespace.into(),
        name: name.into(),
        uid: "u".into(),
        resource_version: version.into(),
        ..ObjectRef::default()
    })
}

fn line(e: &WatchEvent, old: Old) -> String {
    let mut out = Vec::new();
    event(&mut out, e, old);
    String::from_utf8(out).expect("UTF-8")
}

fn control_line(c: Control) -> Value {
    let mut out = Vec::new();
    control(&mut out, &c);
    assert_eq!(out.iter().filter(|b| **b == b'\n').count(), 1);
    serde_json::from_slice(&out).expect("JSON")
}

fn updated() -> WatchEvent {
    WatchEvent {
        r#type: EventType::Updated.into(),
        cause: EventCause::Live.into(),
        r#ref: reference("ns", "a", "12"),
        object: payload(r#"{"b":1.50,"a":9007199254740993}"#),
        old_ref: reference("ns", "a", "11"),
        old_object: payload(r#"{"b":1}"#),
        revision: 3,
        resource_version: "12".into(),
        ..WatchEvent::default()
    }
}

#[test]
fn an_event_is_one_line_with_the_body_as_received() {
    assert_eq!(
        line(&updated(), Old::None),
        "{\"type\":\"UPDATED\",\"cause\":\"LIVE\",\"key\":\"ns/a\",\"namespace\":\"ns\",\"name\":\"a\",\"uid\":\"u\",\
         \"resourceVersion\":\"12\",\"revision\":3,\"object\":{\"b\":1.50,\"a\":9007199254740993}}\n"
    );
}

#[test]
fn the_old_state_comes_when_asked_for() {
    let old = |old| serde_json::from_str::<Value>(&line(&updated(), old)).expect("JSON")["old"].clone();
    assert_eq!(old(Old::None), Value::Null);
    assert_eq!(old(Old::Reference), json!({"uid": "u", "resourceVersion": "11"}));
    assert_eq!(
        old(Old::Full),
        json!({"uid": "u", "resourceVersion": "11", "object": {"b": 1}})
    );
}

#[test]
fn a_deletion_says_what_is_known_of_it() {
    let deleted = WatchEvent {
        r#type: EventType::Deleted.into(),
        cause: EventCause::Replaced.into(),
        r#ref: reference("", "node-1", "5"),
        resource_version: "99".into(),
        final_state_unknown: true,
        recreated: true,
        coalesced: 4,
        object: payload("{}"),
        ..WatchEvent::default()
    };
    let value: Value = serde_json::from_str(&line(&deleted, Old::None)).expect("JSON");
    assert_eq!(value["key"], "node-1");
    assert_eq!(value["resourceVersion"], "99");
    assert_eq!(
        (&value["finalStateUnknown"], &value["recreated"], &value["coalesced"]),
        (&json!(true), &json!(true), &json!(4))
    );
}

#[test]
fn a_body_laid_out_over_lines_stays_one_line() {
    let e = WatchEvent {
        object: payload("{\n  \"a\": \"x\\ny\"\r\n}"),
        ..updated()
    };
    let line = line(&e, Old::None);
    assert_eq!(line.matches('\n').count(), 1);
    let value: Value = serde_json::from_str(&line).expect("JSON");
    assert_eq!(value["object"], json!({"a": "x\ny"}));
}

#[test]
fn a_body_left_out_is_told_unless_the_view_has_none() {
    let with = |omitted: Omitted| {
        let object = Some(ObjectPayload {
            omitted: omitted.into(),
            ..ObjectPayload::default()
        });
        serde_json::from_str::<Value>(&line(&WatchEvent { object, ..updated() }, Old::None)).expect("JSON")
    };
    assert_eq!(with(Omitted::TooLarge)["omitted"], "TOO_LARGE");
    assert_eq!(with(Omitted::View).get("omitted"), None);
    assert_eq!(with(Omitted::View).get("object"), None);
}

#[test]
fn values_of_newer_servers_are_unknown_and_not_wrong() {
    let e = WatchEvent {
        r#type: 77,
        cause: 78,
        ..updated()
    };
    assert!(line(&e, Old::None).starts_with("{\"type\":\"UNKNOWN\",\"cause\":\"UNKNOWN\""));
}

#[test]
fn control_frames_are_lines_too() {
    let status = || {
        Some(CacheStatus {
            informer: "informers/p".into(),
            revision: 7,
            resource_version: "40".into(),
            ..CacheStatus::default()
        })
    };
    let created = control_line(Control::Created(Created {
        watch_id: "w1".into(),
        mode: WatchMode::Replay.into(),
        status: status(),
        ..Created::default()
    }));
    assert_eq!(
        (&created["control"], &created["mode"], &created["watchId"]),
        (&json!("created"), &json!("REPLAY"), &json!("w1"))
    );
    let reset = control_line(Control::Reset(Reset {
        reason: ResetReason::EpochChanged.into(),
    }));
    assert_eq!(reset, json!({"control": "reset", "reason": "EPOCH_CHANGED"}));
    let synced = control_line(Control::Synced(Synced {
        object_count: 2,
        digest: 0xff,
        status: status(),
    }));
    assert_eq!(
        (
            &synced["control"],
            &synced["objectCount"],
            &synced["digest"],
            &synced["revision"],
            &synced["resourceVersion"]
        ),
        (
            &json!("synced"),
            &json!(2),
            &json!("00000000000000ff"),
            &json!(7),
            &json!("40")
        )
    );
    let bookmark = control_line(Control::Bookmark(Bookmark {
        lag_events: 3,
        ..Bookmark::default()
    }));
    assert_eq!(
        (&bookmark["control"], &bookmark["lagEvents"]),
        (&json!("bookmark"), &json!(3))
    );
    let end = control_line(Control::Terminating(Terminating {
        reason: TerminatingReason::Shutdown.into(),
        ..Terminating::default()
    }));
    assert_eq!(end, json!({"control": "terminating", "reason": "SHUTDOWN"}));
    let mut out = Vec::new();
    restarted(&mut out);
    assert_eq!(
        String::from_utf8(out).expect("UTF-8"),
        "{\"control\":\"reset\",\"reason\":\"STREAM_BROKEN\"}\n"
    );
}
