//! List bodies: the same items however the body is cut, and they are those that serde_json finds.

use informerd::reflector::{ListEnd, SplitError, Splitter};
use support::fuzz::{Fuzz, Verdict};

use crate::json::{Json, Read};

const WORDS: &[&str] = &[
    "\"items\":[",
    "\"items\":null",
    "\"items\":{}",
    "\"metadata\":{\"resourceVersion\":\"1\"}",
    "\"continue\":\"abc\"",
    "\"remainingItemCount\":7",
    "\"kind\":\"PodList\"",
    "\"kind\":\"Table\"",
    "\"apiVersion\":\"v1\"",
    "\"it\\u0065ms\":",
    "{\"metadata\":{\"name\":\"x\"}}",
    "{},",
    "[[",
    "]]",
    "\"\\\"\"",
    "null",
    "true",
    "-1.5e3",
    ",",
];

/// Small, so that inputs reach it.
const MAX_ITEM: usize = 700;

type Split = Result<(Vec<Vec<u8>>, ListEnd), SplitError>;

#[test]
fn items_are_the_same_however_the_body_is_cut_and_those_that_serde_json_finds() {
    Fuzz::target("lists").words(WORDS).runs(15_000).check(|input, random| {
        let whole = split(&[input]);
        let bytes: Vec<&[u8]> = input.chunks(1).collect();
        same_split(&split(&bytes), &whole, "byte by byte");
        let at = random.below(input.len() + 1);
        let (head, tail) = input.split_at(at);
        same_split(&split(&[head, tail]), &whole, &format!("cut at {at}"));
        let theirs = match Json::read(input) {
            Read::Document(theirs) if !theirs.is_ambiguous() => Some(theirs),
            Read::Invalid => None,
            _ => return (Verdict::Refused, "odd".to_owned()),
        };
        if std::str::from_utf8(input).is_err() {
            // Members that nobody reads need not be text; items are checked by whoever reads them.
            return (Verdict::Refused, "not UTF-8".into());
        }
        match whole {
            Ok((items, end)) => {
                let ours: Vec<Read> = items.iter().map(|item| Json::read(item)).collect();
                if ours.iter().any(|item| !matches!(item, Read::Document(_))) {
                    // Whoever reads the item refuses it.
                    return (Verdict::Accepted, "an item of no use".into());
                }
                let theirs = theirs.expect("accepted, but it is no JSON");
                same(&ours, &end, &theirs);
                (
                    Verdict::Accepted,
                    format!("{} {}", items.len().min(9), end.continue_token.is_empty()),
                )
            }
            Err(error) => {
                assert!(
                    !theirs.is_some_and(|theirs| is_list(&theirs)),
                    "refused ({error}), but it is a list"
                );
                (Verdict::Refused, shown(&Err(error)))
            }
        }
    });
}

fn split(chunks: &[&[u8]]) -> Split {
    let mut splitter = Splitter::with_limit(MAX_ITEM);
    let mut items = Vec::new();
    for chunk in chunks {
        splitter.push(chunk, |item| items.push(item.to_vec()))?;
    }
    Ok((items, splitter.finish()?))
}

/// What is both malformed and too large may be called either, depending on where the chunks end.
fn same_split(cut: &Split, whole: &Split, how: &str) {
    let large = |split: &Split| matches!(split, Err(SplitError::ItemTooLarge(_)));
    if cut.is_err() && whole.is_err() && (large(cut) || large(whole)) {
        return;
    }
    assert_eq!(shown(cut), shown(whole), "{how}");
}

/// Without places, which are only as exact as the chunks.
fn shown(split: &Split) -> String {
    match split {
        Err(SplitError::Malformed { what, .. }) => (*what).to_owned(),
        Err(SplitError::Truncated(_)) => "cut off".into(),
        Err(error) => error.to_string(),
        Ok(found) => format!("{found:?}"),
    }
}

fn same(ours: &[Read], end: &ListEnd, theirs: &Json) {
    let items = match theirs.get("items").expect("items") {
        Json::List(items) => items.iter().cloned().map(Read::Document).collect(),
        other => {
            assert_eq!(*other, Json::Null);
            Vec::new()
        }
    };
    assert_eq!(ours, items);
    let metadata = theirs.get("metadata");
    let text = |name| metadata.and_then(|metadata| metadata.text(name)).unwrap_or_default();
    assert_eq!(end.resource_version, text("resourceVersion"));
    assert_eq!(end.continue_token, text("continue"));
    let remaining = metadata.and_then(|metadata| metadata.get("remainingItemCount"));
    let remaining = remaining.and_then(|count| match count {
        Json::Bare(number) => number.parse().ok(),
        _ => None,
    });
    assert_eq!(end.remaining, remaining);
    assert_eq!(end.kind, theirs.text("kind").unwrap_or_default());
    assert_eq!(end.api_version, theirs.text("apiVersion").unwrap_or_default());
}

/// A list beyond doubt, with items of a fair size.
fn is_list(theirs: &Json) -> bool {
    let Json::Map(members) = theirs else { return false };
    members.iter().all(|(name, value)| match (&**name, value) {
        ("kind", Json::Text(kind)) => kind != "Table",
        ("kind", _) => false,
        ("apiVersion", value) => matches!(value, Json::Text(_)),
        ("items", Json::List(items)) => items.iter().all(|item| matches!(item, Json::Map(_)) && small(item)),
        ("items", value) => *value == Json::Null,
        ("metadata", Json::Map(members)) => members.iter().all(|(_, value)| matches!(value, Json::Text(_))),
        ("metadata", value) => *value == Json::Null,
        (_, value) => small(value),
    }) && theirs.get("items").is_some()
}

/// Whether it stays below the limit however it is spelt.
fn small(value: &Json) -> bool {
    format!("{value:?}").len() < MAX_ITEM / 8
}
