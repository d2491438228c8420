//! How an object's bytes are kept. Everyone else asks for [`Body::bytes`], so that another representation
//! (compressed with a dictionary) changes only this file.

use bytes::Bytes;

/// The bytes of one object.
#[derive(Clone, Debug)]
pub struct Body {
    raw: Bytes,
}

// === impl Body ===

impl Body {
    /// Keeps exactly these bytes: the allocation has no spare room, and no larger buffer stays alive behind it
    /// (row R23: one long-lived object must not pin the page that it came with).
    pub fn new(bytes: Vec<u8>) -> Self {
        Self {
            raw: Bytes::from(bytes.into_boxed_slice()),
        }
    }

    /// The document. Cheap: no copy.
    pub fn bytes(&self) -> Bytes {
        self.raw.clone()
    }

    /// Length of the document.
    pub fn len(&self) -> usize {
        self.raw.len()
    }

    /// True for a body without bytes, which no scanned object has.
    pub fn is_empty(&self) -> bool {
        self.raw.is_empty()
    }
}
