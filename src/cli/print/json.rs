//! JSON as kubectl prints it: keys in order, four spaces, Go's escapes and numbers. So `diff` with kubectl's output shows
//! only what the informer's transform cut.

use std::fmt::Write as _;

use serde_json::{Number, Value};

use super::sorted;

/// One object, pretty-printed, with a newline at the end.
#[must_use]
pub fn object(value: &Value) -> String {
    let mut out = String::new();
    write(&mut out, value, 0);
    out.push('\n');
    out
}

/// kubectl's List of objects: what `get` prints unless one object was named.
#[must_use]
pub fn list<'a>(items: impl IntoIterator<Item = &'a Value>) -> String {
    let mut out = String::from("{\n    \"apiVersion\": \"v1\",\n    \"items\": [");
    let mut separator = "";
    for item in items {
        out.push_str(separator);
        indent(&mut out, 2);
        write(&mut out, item, 2);
        separator = ",";
    }
    if !separator.is_empty() {
        indent(&mut out, 1);
    }
    out.push_str("],\n    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": \"\"\n    }\n}\n");
    out
}

fn write(out: &mut String, value: &Value, depth: usize) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Number(n) => out.push_str(&number(n)),
        Value::String(s) => string(out, s),
        Value::Array(items) if items.is_empty() => out.push_str("[]"),
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                out.push(if i == 0 { '[' } else { ',' });
                indent(out, depth + 1);
                write(out, item, depth + 1);
            }
            indent(out, depth);
            out.push(']');
        }
        Value::Object(map) if map.is_empty() => out.push_str("{}"),
        Value::Object(map) => {
            for (i, (key, item)) in sorted(map).into_iter().enumerate() {
                out.push(if i == 0 { '{' } else { ',' });
                indent(out, depth + 1);
                string(out, key);
                out.push_str(": ");
                write(out, item, depth + 1);
            }
            indent(out, depth);
            out.push('}');
        }
    }
}

fn indent(out: &mut String, depth: usize) {
    out.push('\n');
    for _ in 0..depth {
        out.push_str("    ");
    }
}

/// Appends a string literal with the escapes of Go's encoder, which also protects HTML.
pub(super) fn string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' | '\0'..='\u{1f}' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// A number as kubectl's unstructured objects hold it: int64, else float64.
pub(super) fn number(n: &Number) -> String {
    match (n.as_i64(), n.as_f64()) {
        (Some(int), _) => int.to_string(),
        (None, Some(float)) => go_float(float),
        (None, None) => n.to_string(),
    }
}

/// Go's encoding/json: plain digits unless the exponent is below -6 or above 20.
fn go_float(float: f64) -> String {
    let size = float.abs();
    if size != 0.0 && !(1e-6..1e21).contains(&size) {
        let text = format!("{float:e}");
        // Rust writes 1e21, Go 1e+21; both write 1e-7.
        if text.contains("e-") {
            text
        } else {
            text.replace('e', "e+")
        }
    } else {
        float.to_string()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Expectations in this module are kubectl 1.32's output for the same input.
    fn parse(text: &str) -> Value {
        serde_json::from_str(text).expect("valid JSON")
    }

    #[test]
    fn an_object_is_spelt_as_kubectl_spells_it() {
        let value = parse(
            r#"{"kind":"Foo","apiVersion":"x.io/v1","spec":{"z":1.0,"n":null,"o":{},"a":[],"b":true,
                "aa":[[1,2],[{"b":1,"a":{"c":[1]}}]]},"metadata":{"name":"a"}}"#,
        );
        let want = r#"{
    "apiVersion": "x.io/v1",
    "kind": "Foo",
    "metadata": {
        "name": "a"
    },
    "spec": {
        "a": [],
        "aa": [
            [
                1,
                2
            ],
            [
                {
                    "a": {
                        "c": [
                            1
                        ]
                    },
                    "b": 1
                }
            ]
        ],
        "b": true,
        "n": null,
        "o": {},
        "z": 1
    }
}
"#;
        assert_eq!(object(&value), want);
    }

    #[test]
    fn numbers_survive_as_they_do_in_kubectl() {
        for (text, want) in [
            ("9007199254740993", "9007199254740993"),
            ("-9223372036854775808", "-9223372036854775808"),
            ("18446744073709551615", "18446744073709552000"),
            ("1.50", "1.5"),
            ("1e3", "1000"),
            ("1e21", "1e+21"),
            ("1e-7", "1e-7"),
            ("100000.5", "100000.5"),
            ("-0.0", "-0"),
            ("0.0", "0"),
        ] {
            let Value::Number(n) = parse(text) else {
                panic!("{text}")
            };
            assert_eq!(number(&n), want, "{text}");
        }
    }

    #[test]
    fn strings_have_gos_escapes() {
        let mut out = String::new();
        string(&mut out, "<a&b>é\u{2028}\u{1}\t\r\n\"\\/\u{7f}😀");
        assert_eq!(
            out,
            "\"\\u003ca\\u0026b\\u003eé\\u2028\\u0001\\t\\r\\n\\\"\\\\/\u{7f}😀\""
        );
    }

    #[test]
    fn several_objects_are_a_list_and_none_an_empty_one() {
        let (a, b) = (json!({"kind": "A"}), json!({"kind": "B"}));
        let text = list([&a, &b]);
        assert_eq!(
            text,
            "{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n        {\n            \"kind\": \"A\"\n        },\n        {\n            \
             \"kind\": \"B\"\n        }\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        \"resourceVersion\": \"\"\n    }\n}\n"
        );
        assert_eq!(parse(&list([]))["items"], json!([]));
        assert!(list([]).contains("\"items\": [],\n"));
        // The List is an ordinary object to the printer of objects.
        assert_eq!(object(&parse(&text)), text);
    }
}
