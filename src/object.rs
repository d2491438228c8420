//! One Kubernetes object as the cache keeps it: the bytes that the API server sent, and beside them only what
//! routing, indexing and selecting need.
//!
//! ```text
//!  raw JSON ──▶ Scanner ──▶ Object { key, uid, resourceVersion, labels, owners, pointer values, Body }
//!               one pass:    └ never a JSON tree: the rest of the body is validated and kept as bytes
//!               validate, read metadata, read pointers, find what the transform cuts
//! ```

mod body;
mod codec;
mod cut;
mod digest;
mod intern;
mod key;
mod meta;
mod pointer;
mod scan;
mod transform;
mod uid;
mod version;

pub use body::Body;
#[cfg(test)]
pub(crate) use codec::tests::text_like_its_neighbours;
pub use codec::{Account, Codec, Compression, SAMPLES};
pub use cut::{Cut, MAX_POINTERS};
pub use digest::{Digest, object_hash};
pub use intern::Interner;
pub use key::ObjectKey;
pub use meta::{Label, Meta, OwnerRef, TypeMeta};
pub use pointer::{Pointer, PointerError, PointerSet, Values};
pub use scan::{ScanError, Scanner};
pub use transform::{Transform, TransformError};
pub use uid::Uid;
pub use version::ResourceVersion;

use std::{borrow::Cow, sync::Arc};

use bytes::{BufMut, Bytes, BytesMut};

/// An object of the cache. Immutable; shared by store, history and readers.
#[derive(Debug)]
pub struct Object {
    /// Namespace and name.
    pub key: ObjectKey,
    /// What was read from `metadata`.
    pub meta: Meta,
    /// apiVersion and kind, shared by all objects of a resource.
    pub type_meta: Arc<TypeMeta>,
    /// Where `metadata`'s value stands in the body.
    metadata: (u32, u32),
    /// Values at the pointers that were wanted when the object arrived.
    values: Option<Box<Values>>,
    /// The bytes.
    body: Body,
}

// === impl Object ===

impl Object {
    /// The body.
    pub fn body(&self) -> &Body {
        &self.body
    }

    /// resourceVersion of this state.
    pub fn resource_version(&self) -> &ResourceVersion {
        &self.meta.resource_version
    }

    /// Value of a label.
    pub fn label(&self, key: &str) -> Option<&str> {
        self.meta.labels.iter().find(|(k, _)| &**k == key).map(|(_, v)| &**v)
    }

    /// A document of only apiVersion, kind and metadata, as the METADATA view sends it.
    pub fn metadata_json(&self) -> Bytes {
        let body = self.body.bytes();
        let metadata = &body[self.metadata.0 as usize..self.metadata.1 as usize];
        let head = self.type_meta.json_members();
        let mut out = BytesMut::with_capacity(head.len() + metadata.len() + 16);
        out.put_u8(b'{');
        out.put_slice(head.as_bytes());
        out.put_slice(b"\"metadata\":");
        out.put_slice(metadata);
        out.put_u8(b'}');
        out.freeze()
    }

    /// metadata.annotations as it stands in the body; empty if there is none.
    pub fn annotations(&self) -> Bytes {
        let body = self.body.bytes();
        let metadata = body.slice(self.metadata.0 as usize..self.metadata.1 as usize);
        let found = scan::member(&metadata, "annotations");
        found.map_or_else(Bytes::new, |range| metadata.slice(range))
    }

    /// The values at `pointer`: those read on arrival if it was wanted then, else read from the body now.
    pub fn values_at(&self, pointer: &Pointer) -> Cow<'_, [Arc<str>]> {
        if let Some(found) = self.values.as_deref().and_then(|v| v.get(pointer)) {
            return Cow::Borrowed(found);
        }
        Cow::Owned(pointer.read(&self.body.bytes()))
    }

    /// The scalar at a dotted field path, as Kubernetes field selectors name it.
    pub fn field(&self, path: &str, pointer: &Pointer) -> Option<Cow<'_, str>> {
        match path {
            "metadata.name" => Some(Cow::Borrowed(self.key.name())),
            "metadata.namespace" => Some(Cow::Borrowed(self.key.namespace())),
            _ => self.values_at(pointer).first().map(|v| Cow::Owned(v.to_string())),
        }
    }

    /// Bytes that this object accounts for in bounds and statistics.
    pub fn cost(&self) -> usize {
        self.body.len() + size_of::<Self>()
    }
}
