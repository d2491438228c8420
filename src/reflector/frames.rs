//! Watch frames: one JSON document a line, `{"type":"ADDED","object":{…}}`, cut out of the chunks of the body.

use bytes::{Buf, Bytes, BytesMut};
use memchr::memchr;
use serde::Deserialize;
use serde_json::value::RawValue;

/// Largest frame that is accepted; see [`super::split::MAX_ITEM_BYTES`].
pub const MAX_FRAME_BYTES: usize = 64 << 20;

/// A frame that is larger than the limit. The stream cannot be followed any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a watch frame is larger than {0} bytes")]
pub struct FrameTooLarge(pub usize);

/// Joins chunks and cuts them at newlines.
#[derive(Debug)]
pub struct FrameBuffer {
    buffer: BytesMut,
    /// How much of the buffer is known to hold no newline.
    searched: usize,
    max: usize,
}

/// What a watch event says about its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventType {
    /// ADDED.
    Added,
    /// MODIFIED.
    Modified,
    /// DELETED.
    Deleted,
    /// BOOKMARK.
    Bookmark,
    /// ERROR.
    Error,
}

/// One watch event; the object is not parsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Event<'a> {
    /// What happened.
    pub event_type: EventType,
    /// The object's bytes. From the fast path they are only presumed to be one JSON value: whoever parses them and
    /// fails tries again with what [`Event::parse_slowly`] finds.
    pub object: &'a [u8],
}

/// A frame that is not a watch event.
#[derive(Debug, thiserror::Error)]
pub enum FrameError {
    /// Not JSON of the right form.
    #[error("not a watch event: {0}")]
    Malformed(#[from] serde_json::Error),
    /// A type that we do not know.
    #[error("unknown event type {0:?}")]
    UnknownType(String),
}

/// The part of a bookmark that matters (rows R12, R14).
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Bookmark {
    /// The version up to which the watch is complete.
    pub resource_version: String,
    /// The initial events of a watch-list are complete.
    pub initial_events_end: bool,
}

#[derive(Deserialize)]
struct RawEvent<'a> {
    #[serde(rename = "type")]
    event_type: String,
    #[serde(borrow)]
    object: &'a RawValue,
}

#[derive(Deserialize)]
struct RawBookmark {
    metadata: BookmarkMetadata,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct BookmarkMetadata {
    #[serde(default)]
    resource_version: String,
    #[serde(default)]
    annotations: Option<std::collections::BTreeMap<String, String>>,
}

const INITIAL_EVENTS_END: &str = "k8s.io/initial-events-end";

// === impl FrameBuffer ===

impl FrameBuffer {
    /// A buffer for frames of up to `max` bytes.
    pub fn new(max: usize) -> Self {
        Self {
            buffer: BytesMut::new(),
            searched: 0,
            max,
        }
    }

    /// Takes the next chunk.
    pub fn push(&mut self, chunk: &[u8]) {
        self.buffer.extend_from_slice(chunk);
    }

    /// The next complete frame that is not blank.
    pub fn next_frame(&mut self) -> Result<Option<Bytes>, FrameTooLarge> {
        while let Some(n) = memchr(b'\n', &self.buffer[self.searched..]) {
            let length = self.searched + n;
            self.searched = 0;
            if length > self.max {
                return Err(FrameTooLarge(self.max));
            }
            let frame = self.buffer.split_to(length).freeze();
            self.buffer.advance(1);
            if !frame.trim_ascii().is_empty() {
                return Ok(Some(frame));
            }
        }
        self.searched = self.buffer.len();
        if self.searched > self.max {
            return Err(FrameTooLarge(self.max));
        }
        Ok(None)
    }

    /// True if the stream may end here: no frame is incomplete.
    pub fn is_clean(&self) -> bool {
        self.buffer.trim_ascii().is_empty()
    }
}

// === impl Event ===

impl<'a> Event<'a> {
    /// Reads a frame.
    pub fn parse(frame: &'a [u8]) -> Result<Self, FrameError> {
        match Self::parse_fast(frame) {
            Some(event) => Ok(event),
            None => Self::parse_slowly(frame),
        }
    }

    /// The exact form in which kube-apiserver writes events of objects. The object is what stands between the prefix and
    /// the last brace, so that it is not read twice.
    fn parse_fast(frame: &'a [u8]) -> Option<Self> {
        let frame = frame.trim_ascii();
        let rest = frame.strip_prefix(br#"{"type":""#)?;
        let (event_type, rest) = [
            (EventType::Added, rest.strip_prefix(b"ADDED\"")),
            (EventType::Modified, rest.strip_prefix(b"MODIFIED\"")),
            (EventType::Deleted, rest.strip_prefix(b"DELETED\"")),
        ]
        .into_iter()
        .find_map(|(t, rest)| Some((t, rest?)))?;
        let object = rest.strip_prefix(br#","object":"#)?.strip_suffix(b"}")?;
        object.starts_with(b"{").then_some(Self { event_type, object })
    }

    /// Reads a frame of any form.
    pub fn parse_slowly(frame: &'a [u8]) -> Result<Self, FrameError> {
        let raw: RawEvent<'a> = serde_json::from_slice(frame)?;
        let event_type = match &*raw.event_type {
            "ADDED" => EventType::Added,
            "MODIFIED" => EventType::Modified,
            "DELETED" => EventType::Deleted,
            "BOOKMARK" => EventType::Bookmark,
            "ERROR" => EventType::Error,
            _ => return Err(FrameError::UnknownType(raw.event_type)),
        };
        Ok(Self {
            event_type,
            object: raw.object.get().as_bytes(),
        })
    }
}

// === impl Bookmark ===

impl Bookmark {
    /// Reads a bookmark's object.
    pub fn parse(object: &[u8]) -> Result<Self, FrameError> {
        let raw: RawBookmark = serde_json::from_slice(object)?;
        let annotations = raw.metadata.annotations.unwrap_or_default();
        Ok(Self {
            resource_version: raw.metadata.resource_version,
            initial_events_end: annotations.get(INITIAL_EVENTS_END).is_some_and(|v| v == "true"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frames(chunks: &[&[u8]]) -> (Vec<String>, bool) {
        let mut buffer = FrameBuffer::new(64);
        let mut out = Vec::new();
        for chunk in chunks {
            buffer.push(chunk);
            while let Some(frame) = buffer.next_frame().unwrap() {
                out.push(String::from_utf8(frame.to_vec()).unwrap());
            }
        }
        (out, buffer.is_clean())
    }

    #[test]
    fn frames_come_out_whole_wherever_the_chunks_end() {
        let body = b"{\"a\":1}\n{\"b\":\"\\n\"}\r\n\n{\"c\":3}\n";
        let want = vec![
            "{\"a\":1}".to_owned(),
            "{\"b\":\"\\n\"}\r".to_owned(),
            "{\"c\":3}".to_owned(),
        ];
        for cut in 0..body.len() {
            assert_eq!(
                frames(&[&body[..cut], &body[cut..]]),
                (want.clone(), true),
                "cut at {cut}"
            );
        }
        let bytes: Vec<&[u8]> = body.chunks(1).collect();
        assert_eq!(frames(&bytes), (want, true));
    }

    #[test]
    fn a_frame_that_is_cut_off_is_noticed() {
        assert_eq!(frames(&[b"{\"a\":1}\n{\"b\""]), (vec!["{\"a\":1}".to_owned()], false));
    }

    #[test]
    fn a_frame_over_the_limit_is_an_error_before_it_is_memory() {
        let mut buffer = FrameBuffer::new(64);
        buffer.push(&[b'x'; 65]);
        assert_eq!(buffer.next_frame(), Err(FrameTooLarge(64)));
        let mut buffer = FrameBuffer::new(64);
        buffer.push(&[&[b'x'; 65][..], b"\n"].concat());
        assert_eq!(buffer.next_frame(), Err(FrameTooLarge(64)));
    }

    #[test]
    fn fast_and_slow_path_agree() {
        for name in ["ADDED", "MODIFIED", "DELETED"] {
            let frame = format!(r#"{{"type":"{name}","object":{{"metadata":{{"name":"}}"}}}}}}"#);
            let fast = Event::parse_fast(frame.as_bytes()).unwrap();
            assert_eq!(fast, Event::parse_slowly(frame.as_bytes()).unwrap());
        }
    }

    #[test]
    fn other_spellings_of_the_same_event_are_read() {
        for frame in [
            r#"{"object":{"a":1},"type":"ADDED"}"#,
            r#" { "type" : "ADDED" , "object" : {"a":1} } "#,
            r#"{"type":"ADDED","object":{"a":1} }"#,
        ] {
            let event = Event::parse(frame.as_bytes()).unwrap();
            assert_eq!(event.event_type, EventType::Added);
            assert_eq!(event.object.trim_ascii(), br#"{"a":1}"#);
        }
        // Here the fast path presumes too much, as documented.
        let frame = br#"{"type":"ADDED","object":{"a":1},"more":{}}"#;
        assert_ne!(Event::parse(frame).unwrap().object, br#"{"a":1}"#);
        assert_eq!(Event::parse_slowly(frame).unwrap().object, br#"{"a":1}"#);
    }

    #[test]
    fn what_is_no_event_is_an_error() {
        for frame in [
            "",
            "x",
            "{}",
            r#"{"type":"ADDED"}"#,
            r#"{"type":"RENAMED","object":{}}"#,
        ] {
            assert!(Event::parse(frame.as_bytes()).is_err(), "{frame}");
        }
    }

    #[test]
    fn r14_only_the_annotation_true_ends_the_initial_events() {
        let parse = |annotations: &str| {
            let object =
                format!(r#"{{"kind":"Pod","metadata":{{"resourceVersion":"7","annotations":{annotations}}}}}"#);
            Bookmark::parse(object.as_bytes()).unwrap()
        };
        for (annotations, end) in [
            (r#"{"k8s.io/initial-events-end":"true"}"#, true),
            (r#"{"k8s.io/initial-events-end":"false"}"#, false),
            ("{}", false),
            ("null", false),
        ] {
            let bookmark = parse(annotations);
            assert_eq!((&*bookmark.resource_version, bookmark.initial_events_end), ("7", end));
        }
        assert!(Bookmark::parse(b"{}").is_err());
    }
}
