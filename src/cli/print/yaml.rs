//! YAML as kubectl prints it: keys in natural order, sequences not indented, and the quoting rules of its YAML library, in which
//! whatever YAML 1.1 would read as something else than a string is double-quoted, and what its syntax forbids plain is
//! single-quoted.

mod order;
mod scalar;

use serde_json::Value;

use self::{order::sorted, scalar::Scalar};
use super::json;

/// One object.
#[must_use]
pub fn object(value: &Value) -> String {
    let mut out = String::new();
    block(&mut out, value, 0, true);
    out
}

/// kubectl's List of objects.
#[must_use]
pub fn list<'a>(items: impl IntoIterator<Item = &'a Value>) -> String {
    let mut out = String::from("apiVersion: v1\nitems:");
    let mut any = false;
    for item in items {
        if !any {
            out.push('\n');
        }
        any = true;
        out.push_str("- ");
        block(&mut out, item, 1, false);
    }
    if !any {
        out.push_str(" []\n");
    }
    out.push_str("kind: List\nmetadata:\n  resourceVersion: \"\"\n");
    out
}

/// Writes a value whose lines start at `depth` levels, the first one only if `fresh`; else the line is begun already.
fn block(out: &mut String, value: &Value, depth: usize, fresh: bool) {
    let start = |out: &mut String, first: bool| {
        if fresh || !first {
            out.push_str(&"  ".repeat(depth));
        }
    };
    match value {
        Value::Object(map) if !map.is_empty() => {
            for (i, (key, item)) in sorted(map).into_iter().enumerate() {
                start(out, i == 0);
                Scalar::new(key).write_key(out);
                out.push(':');
                match item {
                    Value::Object(inner) if !inner.is_empty() => {
                        out.push('\n');
                        block(out, item, depth + 1, true);
                    }
                    Value::Array(inner) if !inner.is_empty() => {
                        out.push('\n');
                        // Not indented below its key.
                        block(out, item, depth, true);
                    }
                    item => {
                        out.push(' ');
                        leaf(out, item, depth + 1);
                    }
                }
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (i, item) in items.iter().enumerate() {
                start(out, i == 0);
                out.push_str("- ");
                match item {
                    Value::Object(inner) if !inner.is_empty() => block(out, item, depth + 1, false),
                    Value::Array(inner) if !inner.is_empty() => block(out, item, depth + 1, false),
                    item => leaf(out, item, depth + 1),
                }
            }
        }
        other => {
            start(out, true);
            leaf(out, other, depth + 1);
        }
    }
}

/// Writes what fits behind a key or a dash, with the newline.
fn leaf(out: &mut String, value: &Value, depth: usize) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        // kubectl makes YAML out of its JSON, so the JSON spelling is what gets read as a number.
        Value::Number(n) => out.push_str(&number(&json::number(n))),
        Value::String(s) => {
            Scalar::new(s).write(out, depth);
            return;
        }
        Value::Array(_) => out.push_str("[]"),
        Value::Object(_) => out.push_str("{}"),
    }
    out.push('\n');
}

fn number(json: &str) -> String {
    if let Ok(int) = json.parse::<i64>() {
        return int.to_string();
    }
    if let Ok(int) = json.parse::<u64>() {
        return int.to_string();
    }
    let Ok(float) = json.parse::<f64>() else {
        return json.to_owned();
    };
    // Go's %g at its shortest: an exponent, of two digits at least, below 1e-4 and from 1e6 on.
    let scientific = format!("{float:e}");
    match scientific
        .split_once('e')
        .and_then(|(digits, exp)| Some((digits, exp.parse::<i32>().ok()?)))
    {
        Some((digits, exp)) if float != 0.0 && !(-4..6).contains(&exp) => {
            format!("{digits}e{}{:02}", if exp < 0 { '-' } else { '+' }, exp.abs())
        }
        _ => float.to_string(),
    }
}

#[cfg(test)]
mod tests;
