//! The one pass over an arriving object: validates all of its JSON, reads metadata and wanted pointers, and finds the byte
//! ranges that the transform cuts.
//!
//! Key order does not matter: built-in types send name before managedFields, custom resources come key-sorted with
//! managedFields before name.

mod members;

use std::{borrow::Cow, ops::Range, sync::Arc};

use arc_swap::ArcSwap;
use jiter::{Jiter, JiterError, Peek};

use super::{
    Body, Codec, Compression, Interner, Meta, Object, ObjectKey, OwnerRef, PointerSet, ResourceVersion, Transform,
    TypeMeta, Uid, Values,
    pointer::{Children, Node},
    transform::LAST_APPLIED_KEY,
};
use members::Members;

/// Bytes that are not an object the cache can hold.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScanError {
    /// Not JSON, or a metadata field has the wrong type.
    #[error("malformed JSON: {0}")]
    Malformed(String),
    /// No metadata.name: the object cannot be keyed.
    #[error("the object has no metadata.name")]
    NoName,
    /// Larger than the 32-bit ranges that the cache keeps.
    #[error("the object is larger than 4 GiB")]
    TooLarge,
}

/// Turns bytes into [`Object`]s for one informer.
#[derive(Debug)]
pub struct Scanner {
    interner: Interner<str>,
    /// Replicas have the same labels and the same owner: whole sets are shared too.
    labels: Interner<[(Arc<str>, Arc<str>)]>,
    owners: Interner<[OwnerRef]>,
    codec: Arc<Codec>,
    transform: Transform,
    pointers: ArcSwap<PointerSet>,
    /// Type of objects that come without (items of lists of built-in types).
    default_type: ArcSwap<TypeMeta>,
}

/// What one pass found.
#[derive(Default)]
struct Found {
    name: Option<Box<str>>,
    namespace: Option<Arc<str>>,
    meta: Meta,
    api_version: Option<Box<str>>,
    kind: Option<Box<str>>,
    metadata: Range<usize>,
    cuts: Vec<Range<usize>>,
    values: Vec<Vec<Arc<str>>>,
    /// kind or apiVersion is there, but no text.
    odd_type: bool,
}

struct Pass<'a, 'j> {
    raw: &'j [u8],
    json: Jiter<'j>,
    scanner: &'a Scanner,
    found: Found,
}

#[derive(Clone, Copy)]
enum RootKey<'a> {
    Metadata,
    ApiVersion,
    Kind,
    Other(Children<'a>),
}

#[derive(Clone, Copy)]
enum MetadataKey {
    Name,
    Namespace,
    Uid,
    ResourceVersion,
    Generation,
    DeletionTimestamp,
    Labels,
    Annotations,
    OwnerReferences,
    ManagedFields,
    Other,
}

// === impl Scanner ===

impl Scanner {
    /// A scanner for objects of one type, whose bodies are packed as [`Compression::Auto`] says.
    pub fn new(default_type: TypeMeta, transform: Transform, pointers: PointerSet) -> Self {
        Self::packing(Compression::default(), default_type, transform, pointers)
    }

    /// A scanner for objects of one type.
    pub fn packing(
        compression: Compression,
        default_type: TypeMeta,
        transform: Transform,
        pointers: PointerSet,
    ) -> Self {
        Self {
            interner: Interner::default(),
            labels: Interner::default(),
            owners: Interner::default(),
            codec: Codec::new(compression),
            transform,
            pointers: ArcSwap::from_pointee(pointers),
            default_type: ArcSwap::from_pointee(default_type),
        }
    }

    /// Reads other pointers from now on. Objects scanned before read theirs from the body when asked.
    pub fn set_pointers(&self, pointers: PointerSet) {
        self.pointers.store(Arc::new(pointers));
    }

    /// Packs the bodies of what it scans.
    pub fn codec(&self) -> &Arc<Codec> {
        &self.codec
    }

    /// The type of objects that come without one.
    pub fn default_type(&self) -> Arc<TypeMeta> {
        self.default_type.load_full()
    }

    /// The resource is served in another version from now on.
    pub fn set_default_type(&self, default_type: TypeMeta) {
        self.default_type.store(Arc::new(default_type));
    }

    /// Reads one object.
    pub fn scan(&self, raw: &[u8]) -> Result<Object, ScanError> {
        if u32::try_from(raw.len().saturating_add(4096)).is_err() {
            return Err(ScanError::TooLarge);
        }
        let pointers = self.pointers.load_full();
        // The parser checks only the strings that it decodes.
        std::str::from_utf8(raw).map_err(|e| ScanError::Malformed(e.to_string()))?;
        let mut pass = Pass {
            raw,
            json: Jiter::new(raw),
            scanner: self,
            found: Found {
                values: vec![Vec::new(); pointers.pointers().len()],
                ..Found::default()
            },
        };
        pass.root(pointers.root())
            .map_err(|e| ScanError::Malformed(e.to_string()))?;
        // `finish` checks that nothing follows the document.
        pass.json.finish().map_err(|e| ScanError::Malformed(e.to_string()))?;
        let mut found = pass.found;
        if found.odd_type {
            // The type put in front would make two members of one name, which readers take differently.
            return Err(ScanError::Malformed("kind or apiVersion is no string".into()));
        }
        let Some(name) = found.name.filter(|n| !n.is_empty()) else {
            return Err(ScanError::NoName);
        };
        let (body, metadata) = assemble(
            raw,
            &found.cuts,
            found.metadata.clone(),
            &self.missing_type(found.api_version.is_none(), found.kind.is_none()),
        );
        let namespace = found.namespace.unwrap_or_else(|| self.interner.intern(""));
        let type_meta = self.type_meta(found.api_version, found.kind);
        // The pass reads the type for itself, and items of lists come without it.
        for (member, text) in [("kind", &type_meta.kind), ("apiVersion", &type_meta.api_version)] {
            let sink = &mut |i: usize, v: Cow<'_, str>| found.values[i].push(self.interner.intern(&v));
            pointers.root().child(member).leaves(sink, text);
        }
        let body = Body::new(body, &self.codec);
        self.codec.sample(|| body.bytes());
        Ok(Object {
            key: ObjectKey::new(namespace, name),
            meta: found.meta,
            type_meta,
            metadata: (metadata.start as u32, metadata.end as u32),
            values: (!pointers.pointers().is_empty()).then(|| Box::new(Values::new(pointers, found.values))),
            body,
        })
    }

    /// Members to put in front of an object that came without its type.
    fn missing_type(&self, no_api_version: bool, no_kind: bool) -> String {
        let quote = |s: &str| serde_json::Value::from(s).to_string();
        let mut members = String::new();
        if no_kind {
            members += &format!("\"kind\":{},", quote(&self.default_type.load().kind));
        }
        if no_api_version {
            members += &format!("\"apiVersion\":{},", quote(&self.default_type.load().api_version));
        }
        members
    }

    fn type_meta(&self, api_version: Option<Box<str>>, kind: Option<Box<str>>) -> Arc<TypeMeta> {
        let default = self.default_type.load();
        let api_version = api_version.unwrap_or_else(|| default.api_version.clone());
        let kind = kind.unwrap_or_else(|| default.kind.clone());
        if api_version == default.api_version && kind == default.kind {
            return Arc::clone(&default);
        }
        Arc::new(TypeMeta { api_version, kind })
    }
}

/// Copies what is kept into a buffer of exactly that size; returns it and metadata's range in it.
fn assemble(raw: &[u8], cuts: &[Range<usize>], metadata: Range<usize>, missing: &str) -> (Vec<u8>, Range<usize>) {
    let cut: usize = cuts.iter().map(Range::len).sum();
    let mut body = Vec::with_capacity(raw.len() - cut + missing.len());
    let mut from = 0;
    if !missing.is_empty() {
        // The document is an object with members (it has metadata), so its brace stands first and a comma is right.
        let brace = raw.iter().position(|b| *b == b'{').unwrap_or(0) + 1;
        body.extend_from_slice(&raw[..brace]);
        body.extend_from_slice(missing.as_bytes());
        from = brace;
    }
    for range in cuts {
        body.extend_from_slice(&raw[from..range.start]);
        from = range.end;
    }
    body.extend_from_slice(&raw[from..]);
    // All cuts lie inside metadata.
    let start = metadata.start + missing.len();
    let end = metadata.end + missing.len() - cut;
    (body, start..end)
}

/// Where the value of a member stands in a JSON object that was validated before.
pub(super) fn member(object: &[u8], name: &str) -> Option<Range<usize>> {
    let mut json = Jiter::new(object);
    let mut found = json.next_object().ok()?.map(|key| key == name);
    while let Some(this) = found {
        let peek = json.peek().ok()?;
        let start = json.current_index();
        json.known_skip(peek).ok()?;
        if this {
            return Some(start..json.current_index());
        }
        found = json.next_key().ok()?.map(|key| key == name);
    }
    None
}

// === impl Pass ===

impl<'j> Pass<'_, 'j> {
    fn root(&mut self, pointers: &Node) -> Result<(), JiterError> {
        let mut member = self.json.next_object()?.map(|k| RootKey::of(k, pointers));
        while let Some(key) = member {
            let peek = self.json.peek()?;
            match key {
                RootKey::Metadata if peek == Peek::Object => {
                    let start = self.json.current_index();
                    self.metadata(pointers)?;
                    self.found.metadata = start..self.json.current_index();
                }
                RootKey::ApiVersion if peek == Peek::String => {
                    self.found.api_version = Some(self.json.known_str()?.into());
                }
                RootKey::Kind if peek == Peek::String => self.found.kind = Some(self.json.known_str()?.into()),
                RootKey::ApiVersion | RootKey::Kind => {
                    self.json.known_skip(peek)?;
                    self.found.odd_type = true;
                }
                RootKey::Other(children) => self.extract(children, peek)?,
                _ => self.json.known_skip(peek)?,
            }
            member = self.json.next_key()?.map(|k| RootKey::of(k, pointers));
        }
        Ok(())
    }

    fn metadata(&mut self, pointers: &Node) -> Result<(), JiterError> {
        let node = pointers.child("metadata");
        let start = self.json.current_index();
        let mut members = Members::new(start);
        let mut member = self.json.known_object()?.map(MetadataKey::of);
        while let Some(key) = member {
            let peek = self.json.peek()?;
            let transform = self.scanner.transform;
            let mut cut = false;
            match (key, peek) {
                (MetadataKey::ManagedFields, _) if transform.managed_fields => {
                    self.json.known_skip(peek)?;
                    cut = true;
                }
                (MetadataKey::Annotations, Peek::Object) if transform.last_applied => self.annotations()?,
                (MetadataKey::Name, Peek::String) => self.found.name = Some(self.json.known_str()?.into()),
                (MetadataKey::Namespace, Peek::String) => {
                    let namespace = self.json.known_str()?;
                    self.found.namespace = Some(self.scanner.interner.intern(namespace));
                }
                (MetadataKey::Uid, Peek::String) => self.found.meta.uid = Uid::parse(self.json.known_str()?),
                (MetadataKey::ResourceVersion, Peek::String) => {
                    self.found.meta.resource_version = ResourceVersion::parse(self.json.known_str()?);
                }
                (MetadataKey::Generation, _) => {
                    let start = self.json.current_index();
                    self.json.known_skip(peek)?;
                    let spelled = std::str::from_utf8(self.json.slice_to_current(start));
                    self.found.meta.generation = spelled.ok().and_then(|n| n.parse().ok()).unwrap_or(0);
                }
                (MetadataKey::DeletionTimestamp, _) => {
                    self.found.meta.deleting = peek != Peek::Null;
                    self.json.known_skip(peek)?;
                }
                (MetadataKey::Labels, Peek::Object) => self.labels()?,
                (MetadataKey::OwnerReferences, Peek::Array) => self.owners()?,
                _ => self.json.known_skip(peek)?,
            }
            let end = self.json.current_index();
            if cut {
                let range = members.cut(end, self.raw);
                self.found.cuts.push(range);
            } else {
                members.keep(end);
            }
            member = self.json.next_key()?.map(MetadataKey::of);
        }
        // Pointers into metadata are rare; they cost a second look at metadata alone.
        if !node.is_empty() {
            let text = self.json.slice_to_current(start);
            self.extract_metadata(pointers, text)?;
        }
        Ok(())
    }

    /// Pointers below metadata see what the cache holds: parts that the transform cuts yield no values.
    fn extract_metadata(&mut self, pointers: &Node, text: &'j [u8]) -> Result<(), JiterError> {
        let base = self.json.current_index() - text.len();
        let cuts: Vec<_> = self
            .found
            .cuts
            .iter()
            .filter(|r| r.start >= base)
            .map(|r| r.start - base..r.end - base)
            .collect();
        let (kept, _) = assemble(text, &cuts, 0..text.len(), "");
        let values = &mut self.found.values;
        let interner = &self.scanner.interner;
        let mut json = Jiter::new(&kept);
        let peek = json.peek()?;
        pointers
            .child("metadata")
            .walk(&mut json, peek, &mut |i, v| values[i].push(interner.intern(&v)))
    }

    /// Skips a value of the root, reading the pointers into it.
    fn extract(&mut self, children: Children<'_>, peek: Peek) -> Result<(), JiterError> {
        let values = &mut self.found.values;
        let interner = &self.scanner.interner;
        children.walk(&mut self.json, peek, &mut |i, v| values[i].push(interner.intern(&v)))
    }

    fn annotations(&mut self) -> Result<(), JiterError> {
        let mut members = Members::new(self.json.current_index());
        let mut cut = self.json.known_object()?.map(|k| k == LAST_APPLIED_KEY);
        while let Some(this) = cut {
            let peek = self.json.peek()?;
            self.json.known_skip(peek)?;
            let end = self.json.current_index();
            if this {
                let range = members.cut(end, self.raw);
                self.found.cuts.push(range);
            } else {
                members.keep(end);
            }
            cut = self.json.next_key()?.map(|k| k == LAST_APPLIED_KEY);
        }
        Ok(())
    }

    fn labels(&mut self) -> Result<(), JiterError> {
        let interner = &self.scanner.interner;
        let mut labels = Vec::new();
        let mut key = self.json.known_object()?.map(|k| interner.intern(k));
        while let Some(name) = key {
            let peek = self.json.peek()?;
            if peek == Peek::String {
                let value = interner.intern(self.json.known_str()?);
                labels.push((name, value));
            } else {
                self.json.known_skip(peek)?;
            }
            key = self.json.next_key()?.map(|k| interner.intern(k));
        }
        self.found.meta.labels = self.scanner.labels.intern(&labels);
        Ok(())
    }

    fn owners(&mut self) -> Result<(), JiterError> {
        let mut owners = Vec::new();
        let mut next = self.json.known_array()?;
        while let Some(peek) = next {
            if peek == Peek::Object {
                owners.push(self.owner()?);
            } else {
                self.json.known_skip(peek)?;
            }
            next = self.json.array_step()?;
        }
        self.found.meta.owners = self.scanner.owners.intern(&owners);
        Ok(())
    }

    fn owner(&mut self) -> Result<OwnerRef, JiterError> {
        let interner = &self.scanner.interner;
        let mut owner = OwnerRef::default();
        let mut key = self.json.known_object()?.map(str::to_owned);
        while let Some(name) = key {
            let peek = self.json.peek()?;
            match (name.as_str(), peek) {
                ("apiVersion", Peek::String) => owner.api_version = interner.intern(self.json.known_str()?),
                ("kind", Peek::String) => owner.kind = interner.intern(self.json.known_str()?),
                ("name", Peek::String) => owner.name = self.json.known_str()?.into(),
                ("uid", Peek::String) => owner.uid = Uid::parse(self.json.known_str()?),
                ("controller", Peek::True) => owner.controller = self.json.known_bool(peek)?,
                _ => self.json.known_skip(peek)?,
            }
            key = self.json.next_key()?.map(str::to_owned);
        }
        Ok(owner)
    }
}

// === impl RootKey ===

impl<'a> RootKey<'a> {
    fn of(key: &str, pointers: &'a Node) -> Self {
        match key {
            "metadata" => Self::Metadata,
            "apiVersion" => Self::ApiVersion,
            "kind" => Self::Kind,
            other => Self::Other(pointers.child(other)),
        }
    }
}

// === impl MetadataKey ===

impl MetadataKey {
    fn of(key: &str) -> Self {
        match key {
            "name" => Self::Name,
            "namespace" => Self::Namespace,
            "uid" => Self::Uid,
            "resourceVersion" => Self::ResourceVersion,
            "generation" => Self::Generation,
            "deletionTimestamp" => Self::DeletionTimestamp,
            "labels" => Self::Labels,
            "annotations" => Self::Annotations,
            "ownerReferences" => Self::OwnerReferences,
            "managedFields" => Self::ManagedFields,
            _ => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests;
