//! Watch frames: the same however the stream is cut, and each one says what serde_json says.

use informerd::object::ScanError;
use informerd::reflector::{Bookmark, Event, EventType, FrameBuffer, FrameTooLarge};
use support::fuzz::{Fuzz, Verdict};

use crate::json::{Json, Read};
use crate::objects::{Reader, WORDS};

/// Small, so that inputs reach it.
const MAX_FRAME: usize = 600;

#[test]
fn frames_are_the_same_however_the_stream_is_cut() {
    Fuzz::target("frames")
        .words(&["\n", "\r\n", "\n\n", " \n"])
        .check(|input, random| {
            let whole = cut(&[input]);
            let bytes: Vec<&[u8]> = input.chunks(1).collect();
            assert_eq!(cut(&bytes), whole, "byte by byte");
            let mut pieces = Vec::new();
            let mut rest = input;
            while !rest.is_empty() {
                let most = 1 + random.below(200);
                let (piece, after) = rest.split_at(1 + random.below(rest.len().min(most)));
                pieces.push(piece);
                rest = after;
            }
            assert_eq!(cut(&pieces), whole, "in pieces");
            let (frames, end) = whole;
            // The plain reading: what stands between newlines and is not blank.
            let mut lines: Vec<&[u8]> = input.split(|byte| *byte == b'\n').collect();
            let last = lines.pop().unwrap_or_default();
            let large = lines.iter().chain([&last]).position(|line| line.len() > MAX_FRAME);
            if let Some(large) = large {
                assert_eq!(end, Err(FrameTooLarge(MAX_FRAME)));
                lines.truncate(large);
            } else {
                assert_eq!(end, Ok(last.trim_ascii().is_empty()), "whether the stream may end");
            }
            lines.retain(|line| !line.trim_ascii().is_empty());
            assert_eq!(frames, lines);
            let verdict = if end == Ok(true) {
                Verdict::Accepted
            } else {
                Verdict::Refused
            };
            (verdict, (frames.len().min(20), end.is_ok()))
        });
}

/// The frames of chunks, and whether the stream may end after them.
fn cut(chunks: &[&[u8]]) -> (Vec<Vec<u8>>, Result<bool, FrameTooLarge>) {
    let mut buffer = FrameBuffer::new(MAX_FRAME);
    let mut frames = Vec::new();
    for chunk in chunks {
        buffer.push(chunk);
        loop {
            match buffer.next_frame() {
                Ok(Some(frame)) => frames.push(frame.to_vec()),
                Ok(None) => break,
                Err(error) => return (frames, Err(error)),
            }
        }
    }
    (frames, Ok(buffer.is_clean()))
}

/// Words of events, beside those of objects.
const EVENTS: &[&str] = &[
    "{\"type\":\"ADDED\",\"object\":",
    "{\"type\":\"MODIFIED\",\"object\":",
    "{\"type\":\"DELETED\",\"object\":",
    "{\"type\":\"BOOKMARK\",\"object\":",
    "{\"type\":\"ERROR\",\"object\":",
    "\"type\":\"ADDED\",",
    ",\"type\":\"ADDED\"",
    ",\"object\":{}",
    "\"object\":",
    "\"k8s.io/initial-events-end\":\"true\"",
    "\"annotations\":{}",
    "\"metadata\":{\"name\":\"x\"}",
    "\"resourceVersion\":\"12\"",
    "}}",
];

#[test]
fn an_event_is_what_serde_json_reads() {
    Fuzz::target("events")
        .words(EVENTS)
        .runs(15_000)
        .check(|input, random| {
            let reader = Reader::new(random);
            let theirs = match Json::read(input) {
                Read::Document(theirs) if !theirs.is_ambiguous() => Some(theirs),
                Read::Invalid => None,
                // Members that come twice: no reader is right.
                _ => return (Verdict::Refused, "odd".to_owned()),
            };
            let event_type = theirs.as_ref().and_then(|frame| frame.text("type"));
            let Ok(event) = Event::parse(input) else {
                let known = ["ADDED", "MODIFIED", "DELETED", "BOOKMARK", "ERROR"];
                let right = event_type.is_some_and(|name| known.contains(&name));
                let object = theirs.as_ref().and_then(|frame| frame.get("object"));
                assert!(!right || object.is_none(), "refused, but it is an event");
                return (
                    Verdict::Refused,
                    format!("no event, {} {}", event_type.is_some(), object.is_some()),
                );
            };
            let object = theirs.as_ref().and_then(|frame| frame.get("object"));
            match event.event_type {
                EventType::Error => (Verdict::Accepted, "error".into()),
                EventType::Bookmark => bookmark(event.object, object.expect("an object")),
                found => {
                    // As the reflector does: what the fast path presumed is tried, then what a full reading finds.
                    let mut bytes = event.object;
                    let mut scanned = reader.scanner.scan(bytes);
                    if let Err(ScanError::Malformed(_)) = scanned
                        && let Ok(slow) = Event::parse_slowly(input)
                    {
                        assert_eq!(slow.event_type, found);
                        bytes = slow.object;
                        scanned = reader.scanner.scan(bytes);
                    }
                    if let Ok(scanned) = &scanned {
                        let name = match found {
                            EventType::Added => "ADDED",
                            EventType::Deleted => "DELETED",
                            _ => "MODIFIED",
                        };
                        assert_eq!(event_type, Some(name), "{scanned:?}");
                        assert_eq!(Some(Json::read(bytes)), object.cloned().map(Read::Document));
                    }
                    let (verdict, class) = match object {
                        Some(Json::Map(_)) => reader.agree(&scanned, bytes),
                        _ => (Verdict::Refused, "no object".into()),
                    };
                    (verdict, format!("{found:?} {class}"))
                }
            }
        });
}

fn bookmark(bytes: &[u8], theirs: &Json) -> (Verdict, String) {
    let metadata = theirs.get("metadata");
    match Bookmark::parse(bytes) {
        Ok(ours) => {
            let metadata = metadata.expect("metadata");
            assert_eq!(
                ours.resource_version,
                metadata.text("resourceVersion").unwrap_or_default()
            );
            let annotations = metadata.get("annotations");
            let end = annotations.and_then(|all| all.text("k8s.io/initial-events-end"));
            assert_eq!(ours.initial_events_end, end == Some("true"));
            (Verdict::Accepted, format!("{ours:?}").chars().take(60).collect())
        }
        Err(_) => {
            let right = metadata.is_some_and(|metadata| metadata.text("resourceVersion").is_some());
            let annotations = metadata.and_then(|metadata| metadata.get("annotations"));
            assert!(!right || annotations.is_some(), "a plain bookmark is refused");
            (Verdict::Refused, "bookmark".into())
        }
    }
}

#[test]
fn words_of_objects_are_words_of_events_too() {
    Fuzz::target("events").words(WORDS).runs(8_000).check(|input, random| {
        let reader = Reader::new(random);
        match Event::parse_slowly(input) {
            // What the slow path finds is always one JSON value.
            Ok(event) => {
                assert_ne!(Json::read(event.object), Read::Invalid);
                reader.agree(&reader.scanner.scan(event.object), event.object)
            }
            Err(_) => (Verdict::Refused, "no event".into()),
        }
    });
}
