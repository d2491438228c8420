//! JSON pointers: on any document they read what serde_json's pointers read. The first line of an input is the pointer.

use informerd::object::Pointer;
use serde_json::Value;
use support::fuzz::{Fuzz, Verdict};

use crate::json::{Json, Read};

const WORDS: &[&str] = &[
    "/",
    "/a",
    "/b",
    "/*",
    "/~0",
    "/~1",
    "/~",
    "/0",
    "/a/b",
    "/*/a",
    "\n",
    "{\"a\":",
    "{\"b\":{\"a\":\"x\"}}",
    "[1,true]",
    "null",
    "\"a/b\":",
    "\"~\":",
    "\"*\":",
    "\"\\u0061\":",
    "1.50",
    "\"\\ud83d\\ude00\"",
    ",",
    "}",
    "]",
    "\"\"",
];

#[test]
fn a_pointer_reads_what_serde_json_reads() {
    Fuzz::target("pointers").words(WORDS).runs(40_000).check(|input, _| {
        let line = input.iter().position(|byte| *byte == b'\n').unwrap_or(input.len());
        let (text, document) = (
            String::from_utf8_lossy(&input[..line]),
            input.get(line + 1..).unwrap_or_default(),
        );
        let pointer = match Pointer::parse(&text) {
            Ok(pointer) => pointer,
            Err(error) => {
                let wrong =
                    !text.starts_with('/') || text.split('/').skip(1).any(|s| s.is_empty() || wrongly_escaped(s));
                assert!(wrong || text.len() > 128, "{error}");
                return (Verdict::Refused, 0);
            }
        };
        assert_eq!(pointer.as_str(), text);
        own_document(&pointer, &text);
        let found: Vec<String> = pointer.read(document).iter().map(|value| value.to_string()).collect();
        // The server's documents were validated on arrival; others must do no harm.
        let Read::Document(theirs) = Json::read(document) else {
            return (Verdict::Refused, 1);
        };
        let segments: Vec<Option<String>> = text[1..]
            .split('/')
            .map(|s| (s != "*").then(|| s.replace("~1", "/").replace("~0", "~")))
            .collect();
        let path: Vec<Option<&str>> = segments.iter().map(Option::as_deref).collect();
        assert_eq!(found, theirs.scalars(&path));
        let plain = path
            .iter()
            .all(|segment| segment.is_some_and(|name| name.parse::<usize>().is_err()));
        if plain
            && !theirs.is_ambiguous()
            && let Ok(value) = serde_json::from_slice::<Value>(document)
        {
            match value.pointer(&text) {
                Some(Value::String(text)) => assert_eq!(found, [text.as_str()]),
                Some(Value::Bool(known)) => assert_eq!(found, [known.to_string()]),
                Some(Value::Number(_)) => assert_eq!(found.len(), 1),
                _ => assert_eq!(found, [""; 0]),
            }
        }
        (Verdict::Accepted, 2 + found.len().min(6) + 10 * path.len().min(6))
    });
}

/// A document made for the pointer has a value there.
fn own_document(pointer: &Pointer, text: &str) {
    let mut document = Value::from("found");
    for segment in text[1..].split('/').rev() {
        document = match segment {
            "*" => Value::Array(vec![document]),
            name => Value::Object(
                [(name.replace("~1", "/").replace("~0", "~"), document)]
                    .into_iter()
                    .collect(),
            ),
        };
    }
    let found: Vec<String> = pointer
        .read(document.to_string().as_bytes())
        .iter()
        .map(|v| v.to_string())
        .collect();
    assert_eq!(found, ["found"], "{document}");
}

fn wrongly_escaped(segment: &str) -> bool {
    let mut chars = segment.chars();
    while let Some(c) = chars.next() {
        if c == '~' && !matches!(chars.next(), Some('0' | '1')) {
            return true;
        }
    }
    false
}
