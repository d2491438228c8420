//! What the server itself writes into an object's metadata: uid, times, generation, managedFields.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use rand::rngs::StdRng;
use rand::{Rng, RngExt};
use serde_json::{Map, Value, json};

use super::status::StatusError;

/// Who writes, which part of the object, and how the server treats it.
#[derive(Debug, Clone)]
pub(super) struct Author {
    /// Field manager.
    pub(super) manager: String,
    /// Whether the rules for clients hold (namespaces must exist, status only by its subresource), or those for the
    /// owner of the simulation, who may write anything.
    pub(super) client: bool,
}

/// Which part of an object a write may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Whole,
    /// Everything but the status.
    Main,
    Status,
}

/// Sets a field of the metadata. Objects are checked for their shape before they come here, see [`check_shape`].
pub(super) fn set(object: &mut Value, field: &str, value: impl Into<Value>) {
    if let Some(metadata) = object
        .as_object_mut()
        .map(|o| o.entry("metadata").or_insert_with(|| json!({})))
        && let Some(metadata) = metadata.as_object_mut()
    {
        metadata.insert(field.to_owned(), value.into());
    }
}

/// Removes a field of an object's part.
pub(super) fn unset(part: &mut Value, field: &str) {
    if let Some(map) = part.as_object_mut() {
        map.remove(field);
    }
}

/// Refuses what the server's decoder would refuse. What passes can be indexed into without care: the object, its
/// metadata, spec and status are maps or absent, labels and annotations are maps of texts.
pub(super) fn check_shape(object: &Value) -> Result<(), StatusError> {
    let texts = |v: &Value| v.as_object().is_some_and(|map| map.values().all(Value::is_string));
    let ok = object.is_object()
        && ["metadata", "spec", "status"]
            .iter()
            .all(|f| object[f].is_null() || object[f].is_object())
        && ["labels", "annotations"].iter().all(|f| {
            let map = &object["metadata"][f];
            map.is_null() || texts(map)
        });
    let why = "the object provided is unrecognized: metadata, spec and status must be maps, labels and annotations maps of strings";
    if ok { Ok(()) } else { Err(StatusError::bad_request(why)) }
}

/// A text in the metadata; "" if absent.
pub(super) fn text<'v>(object: &'v Value, field: &str) -> &'v str {
    object["metadata"][field].as_str().unwrap_or("")
}

/// A random (version 4) UUID.
pub(super) fn uid(rng: &mut StdRng) -> String {
    let mut bytes = [0u8; 16];
    rng.fill_bytes(&mut bytes);
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex: String = bytes.iter().map(|b| format!("{b:02x}")).collect();
    format!(
        "{}-{}-{}-{}-{}",
        &hex[..8],
        &hex[8..12],
        &hex[12..16],
        &hex[16..20],
        &hex[20..]
    )
}

/// The five characters that end generated names, in Kubernetes' alphabet.
pub(super) fn name_suffix(rng: &mut StdRng) -> String {
    const ALPHABET: &[u8] = b"bcdfghjklmnpqrstvwxz2456789";
    (0..5)
        .map(|_| char::from(ALPHABET[rng.random_range(0..ALPHABET.len())]))
        .collect()
}

/// RFC 3339 in whole seconds, as Kubernetes writes times.
pub(super) fn timestamp(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs();
    let (days, clock) = (seconds / 86_400, seconds % 86_400);
    // Civil date from days, with years that begin in March (Hinnant).
    let z = days + 719_468;
    let (era, day_of_era) = (z / 146_097, z % 146_097);
    let year_of_era = (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}Z",
        clock / 3_600,
        clock / 60 % 60,
        clock % 60
    )
}

/// Puts the author's entry of managedFields up to date: one entry per manager and subresource.
pub(super) fn stamp_managed_fields(object: &mut Value, author: &Author, part: Part, now: &str) {
    let subresource = (part == Part::Status).then_some("status");
    let mut fields = Map::new();
    for (key, value) in object.as_object().into_iter().flatten() {
        let ours = match key.as_str() {
            "kind" | "apiVersion" => false,
            "status" => part != Part::Main,
            _ => part != Part::Status,
        };
        let value = if key == "metadata" {
            owned_metadata(value)
        } else {
            owned(value)
        };
        if ours && value != json!({"f:metadata": {}}) {
            fields.insert(format!("f:{key}"), value);
        }
    }
    let mut entry = json!({
        "manager": author.manager,
        "operation": "Update",
        "apiVersion": object["apiVersion"],
        "time": now,
        "fieldsType": "FieldsV1",
        "fieldsV1": fields,
    });
    if let Some(subresource) = subresource {
        entry["subresource"] = json!(subresource);
    }
    let mut entries = match object["metadata"]["managedFields"].take() {
        Value::Array(entries) => entries,
        _ => Vec::new(),
    };
    let mine = |e: &&mut Value| e["manager"] == entry["manager"] && e.get("subresource") == entry.get("subresource");
    match entries.iter_mut().find(mine) {
        Some(old) => *old = entry,
        None => entries.push(entry),
    }
    set(object, "managedFields", entries);
}

/// Of the metadata, clients own labels, annotations, owner references and finalizers.
fn owned_metadata(metadata: &Value) -> Value {
    const OWNABLE: &[&str] = &["labels", "annotations", "ownerReferences", "finalizers", "generateName"];
    let fields = metadata.as_object().into_iter().flatten();
    let fields = fields.filter(|(key, _)| OWNABLE.contains(&key.as_str()));
    Value::Object(fields.map(|(key, value)| (format!("f:{key}"), owned(value))).collect())
}

/// The FieldsV1 tree of a value: maps by field, lists of named things by name, all else a leaf.
fn owned(value: &Value) -> Value {
    let mut tree = Map::new();
    match value {
        Value::Object(fields) => {
            tree.extend(fields.iter().map(|(key, value)| (format!("f:{key}"), owned(value))));
        }
        Value::Array(items) if items.iter().all(|item| item["name"].is_string()) => {
            for item in items {
                let mut node = owned(item);
                node["."] = json!({}); // an item with a name is a map
                tree.insert(format!("k:{}", json!({"name": item["name"]})), node);
            }
        }
        _ => {}
    }
    Value::Object(tree)
}
