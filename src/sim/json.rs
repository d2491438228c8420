//! Objects as bytes, with keys in the order in which the real server writes them.
//!
//! Built-in types are Go structs there: `kind`, `apiVersion`, `metadata` lead, `managedFields` ends the metadata, and
//! items of a list carry neither kind nor apiVersion. Custom resources are maps: everything is sorted (so
//! `managedFields` precedes `name`), and items are complete.

use bytes::Bytes;
use serde_json::{Map, Value};

use super::resource::ResourceType;
use super::store::Object;

/// ObjectMeta in the order of its Go struct; what is not named here follows, then managedFields.
const METADATA: &[&str] = &[
    "name",
    "generateName",
    "namespace",
    "selfLink",
    "uid",
    "resourceVersion",
    "generation",
    "creationTimestamp",
    "deletionTimestamp",
    "deletionGracePeriodSeconds",
    "labels",
    "annotations",
    "ownerReferences",
    "finalizers",
];

/// The bytes of an object. `serde_json` keeps maps sorted, which is all that custom resources need.
pub(super) fn encode(kind: &ResourceType, object: &Value) -> Bytes {
    let empty = Map::new();
    let fields = object.as_object().unwrap_or(&empty);
    if !kind.builtin {
        return Bytes::from(object.to_string());
    }
    let mut out = head(kind);
    member(&mut out, "metadata");
    let metadata = fields.get("metadata").and_then(Value::as_object).unwrap_or(&empty);
    ordered(&mut out, metadata, METADATA, "managedFields");
    let rest = |key: &&String| !matches!(key.as_str(), "kind" | "apiVersion" | "metadata" | "status");
    for key in fields.keys().filter(rest).map(String::as_str).chain(["status"]) {
        if let Some(value) = fields.get(key) {
            member(&mut out, key);
            out += &value.to_string();
        }
    }
    out.push('}');
    Bytes::from(out)
}

/// The bytes of a stored object in the version that is asked for.
pub(super) fn render(kind: &ResourceType, object: &Object) -> Bytes {
    if kind.version == kind.storage_version {
        return object.body.clone();
    }
    let Ok(mut value) = object.value() else {
        return object.body.clone();
    };
    value["apiVersion"] = kind.api_version().into();
    encode(kind, &value)
}

/// How an object of a built-in type begins: the same for each, so that a list item is a slice of the object.
pub(super) fn head(kind: &ResourceType) -> String {
    format!(r#"{{"kind":"{}","apiVersion":"{}""#, kind.kind, kind.api_version())
}

/// A bookmark's object.
pub(super) fn bookmark(kind: &ResourceType, resource_version: u64, ends_initial_events: bool) -> String {
    let end = if ends_initial_events {
        r#""annotations":{"k8s.io/initial-events-end":"true"},"#
    } else {
        ""
    };
    if kind.builtin {
        let end = end.trim_end_matches(',');
        let comma = if end.is_empty() { "" } else { "," };
        format!(
            r#"{},"metadata":{{"resourceVersion":"{resource_version}"{comma}{end}}}}}"#,
            head(kind)
        )
    } else {
        let (api_version, kind) = (kind.api_version(), &kind.kind);
        format!(
            r#"{{"apiVersion":"{api_version}","kind":"{kind}","metadata":{{{end}"resourceVersion":"{resource_version}"}}}}"#
        )
    }
}

fn ordered(out: &mut String, fields: &Map<String, Value>, first: &[&str], last: &str) {
    out.push('{');
    let middle = fields
        .keys()
        .map(String::as_str)
        .filter(|key| !first.contains(key) && *key != last);
    for key in first.iter().copied().chain(middle).chain([last]) {
        if let Some(value) = fields.get(key) {
            if !out.ends_with('{') {
                out.push(',');
            }
            *out += &format!("{}:{value}", Value::from(key));
        }
    }
    out.push('}');
}

fn member(out: &mut String, key: &str) {
    *out += &format!(",{}:", Value::from(key));
}

/// RFC 7386.
pub(super) fn merge_patch(target: &mut Value, patch: &Value) {
    let Value::Object(patch) = patch else {
        *target = patch.clone();
        return;
    };
    if !target.is_object() {
        *target = Value::Object(Map::new());
    }
    let Value::Object(target) = target else {
        return;
    };
    for (key, value) in patch {
        if value.is_null() {
            target.remove(key);
        } else {
            merge_patch(target.entry(key).or_insert(Value::Null), value);
        }
    }
}
