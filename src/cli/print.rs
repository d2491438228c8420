//! Printers: pure functions from objects to text. Nothing in here reads a clock or a terminal.
//!
//! ```text
//! json, yaml   an object, or kubectl's List of objects, spelt as kubectl spells them
//! table        columns per resource (columns), widths as kubectl's tabwriter
//! name         kind.group/name
//! summary      one object in a few words, for lines of watch and demo
//! ```

pub mod age;
pub mod cell;
pub mod columns;
pub mod json;
pub mod name;
mod pods;
pub mod summary;
pub mod table;
pub mod yaml;

use serde_json::{Map, Value};

/// A map's entries in the order of their keys, whatever order the map keeps.
fn sorted(map: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut entries: Vec<_> = map.iter().collect();
    entries.sort_by(|a, b| a.0.as_bytes().cmp(b.0.as_bytes()));
    entries
}

/// The value at a path of field names; `Null` if there is none.
fn at<'a>(value: &'a Value, path: &[&str]) -> &'a Value {
    path.iter()
        .fold(value, |value, field| value.get(field).unwrap_or(&Value::Null))
}

/// The string at a path; empty if there is none.
fn text<'a>(value: &'a Value, path: &[&str]) -> &'a str {
    at(value, path).as_str().unwrap_or("")
}

/// The number at a path; 0 if there is none, as in the API's Go types.
fn number(value: &Value, path: &[&str]) -> i64 {
    at(value, path).as_i64().unwrap_or(0)
}

/// The array at a path; empty if there is none.
fn items<'a>(value: &'a Value, path: &[&str]) -> &'a [Value] {
    at(value, path).as_array().map_or(&[], Vec::as_slice)
}

/// `text`, or what kubectl shows instead of nothing.
fn or_none(text: &str) -> String {
    if text.is_empty() { "<none>".into() } else { text.into() }
}
