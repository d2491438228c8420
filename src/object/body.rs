//! How an object's bytes are kept. Everyone else asks for [`Body::bytes`]: whether they lie there as they came or packed
//! with the informer's dictionary is known only here and in [`Codec`].
//!
//! ```text
//!  scanned ──▶ Raw ──settle──▶ Packed      once, when no fresh reader is expected any more (the history says when)
//!               └──────────────▲ in place: every snapshot and revision that shares the object shares the change
//! ```

use std::{fmt, sync::Arc};

use bytes::Bytes;
use parking_lot::Mutex;

use super::codec::{Codec, Packed};

/// The bytes of an object, in whatever form they are kept.
pub struct Body {
    /// Held for as long as a reference count takes to rise, never while packing or unpacking.
    form: Mutex<Form>,
    len: u32,
    codec: Arc<Codec>,
}

#[derive(Clone)]
enum Form {
    Raw(Bytes),
    Packed(Packed),
}

// === impl Body ===

impl Body {
    /// Keeps `bytes` as they are, until they are settled.
    pub fn new(bytes: Vec<u8>, codec: &Arc<Codec>) -> Self {
        let raw = Bytes::from(bytes.into_boxed_slice());
        codec.account().add(raw.len(), raw.len());
        Self {
            len: u32::try_from(raw.len()).unwrap_or(u32::MAX),
            form: Mutex::new(Form::Raw(raw)),
            codec: codec.clone(),
        }
    }

    /// The object as JSON.
    pub fn bytes(&self) -> Bytes {
        let form = self.form.lock().clone();
        match form {
            Form::Raw(bytes) => bytes,
            Form::Packed(packed) => packed.unpack(self.len()),
        }
    }

    /// Length of the JSON.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// True if there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes that it takes.
    pub fn kept(&self) -> usize {
        self.form.lock().kept()
    }

    /// Packs the bytes if that pays, with the newest dictionary that the informer has.
    pub fn settle(&self) {
        let form = self.form.lock().clone();
        let packed = match &form {
            Form::Packed(packed) if self.codec.is_current(packed) => return,
            Form::Packed(packed) => self.codec.pack(&packed.unpack(self.len())),
            Form::Raw(bytes) => self.codec.pack(bytes),
        };
        let Some(packed) = packed else { return };
        let mut form = self.form.lock();
        let before = form.kept();
        self.codec.account().change(before, packed.len());
        *form = Form::Packed(packed);
    }
}

// === impl Form ===

impl Form {
    fn kept(&self) -> usize {
        match self {
            Self::Raw(bytes) => bytes.len(),
            Self::Packed(packed) => packed.len(),
        }
    }
}

impl Drop for Body {
    fn drop(&mut self) {
        self.codec.account().remove(self.len(), self.form.get_mut().kept());
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Body({} bytes, {} kept)", self.len, self.kept())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::object::{Compression, codec::tests::trained};

    #[test]
    fn a_settled_body_is_smaller_and_reads_the_same() {
        let codec = trained();
        let text = codec.1(7);
        let body = Body::new(text.clone().into_bytes(), &codec.0);
        assert_eq!(body.kept(), text.len());
        body.settle();
        assert!(body.kept() * 4 < text.len(), "{body:?}");
        assert_eq!((body.bytes(), body.len()), (text.clone().into(), text.len()));
        body.settle();
        assert_eq!(body.bytes(), text);
    }

    #[test]
    fn the_account_follows_bodies_as_they_come_settle_and_go() {
        let codec = Codec::new(Compression::Always);
        let text = "x".repeat(4000);
        let body = Body::new(text.clone().into_bytes(), &codec);
        assert_eq!((codec.account().raw(), codec.account().kept()), (4000, 4000));
        body.settle();
        assert_eq!(
            (codec.account().raw(), codec.account().kept()),
            (4000, body.kept() as u64)
        );
        drop(body);
        assert_eq!((codec.account().raw(), codec.account().kept()), (0, 0));
    }

    #[test]
    fn what_would_not_shrink_stays_as_it_is() {
        let codec = Codec::new(Compression::Always);
        let body = Body::new(b"{}".to_vec(), &codec);
        body.settle();
        assert_eq!((body.kept(), body.bytes()), (2, "{}".into()));
    }
}
