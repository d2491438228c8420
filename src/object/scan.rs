//! The one pass over an arriving object: validates all of its JSON, reads metadata and wanted pointers, and finds the byte
//! ranges that the transform cuts.
//!
//! Key order does not matter: built-in types send name before managedFields, custom resources come key-sorted with
//! managedFields before name.

mod collections;

use std::{
    borrow::Cow,
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use arc_swap::ArcSwap;
use jiter::{Jiter, JiterError, Peek};

use self::collections::{labels, owners};
use super::{
    Body, Codec, Compression, Cut, Interner, Label, Meta, Object, ObjectKey, OwnerRef, PointerSet, ResourceVersion,
    Transform, TypeMeta, Uid, Values,
    cut::{At, Fate, Members, Ranges, without},
    pointer::{Children, Node},
};

/// Most ranges that a transform may cut from one object; of an object that has more nothing is cut. No real object comes
/// near: it bounds what one hostile object costs while it is read.
const MAX_CUTS: usize = 1 << 16;

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
    labels: Interner<[Label]>,
    owners: Interner<[OwnerRef]>,
    codec: Arc<Codec>,
    cut: Cut,
    /// Objects of which nothing was cut because the transform could not be applied.
    kept_whole: AtomicU64,
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
    values: Vec<Vec<Arc<str>>>,
    /// kind or apiVersion is there, but no text.
    odd_type: bool,
}

struct Pass<'a, 'j> {
    raw: &'j [u8],
    json: Jiter<'j>,
    scanner: &'a Scanner,
    cut: &'a Cut,
    cuts: Ranges,
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
    OwnerReferences,
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
            cut: transform.compile(),
            kept_whole: AtomicU64::new(0),
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

    /// Objects that were kept whole because the transform could not be applied to them.
    pub fn kept_whole(&self) -> u64 {
        self.kept_whole.load(Ordering::Relaxed)
    }

    /// Reads one object.
    pub fn scan(&self, raw: &[u8]) -> Result<Object, ScanError> {
        if u32::try_from(raw.len().saturating_add(4096)).is_err() {
            return Err(ScanError::TooLarge);
        }
        let pointers = self.pointers.load_full();
        // The parser checks only the strings that it decodes.
        std::str::from_utf8(raw).map_err(|e| ScanError::Malformed(e.to_string()))?;
        let mut pass = Pass::new(self, raw, &self.cut, &pointers);
        let mut result = pass.document(&pointers);
        let nothing = Cut::drop([]);
        if pass.cuts.is_full() {
            // A transform never loses an object (row R19): it is kept whole, and counted.
            self.kept_whole.fetch_add(1, Ordering::Relaxed);
            pass = Pass::new(self, raw, &nothing, &pointers);
            result = pass.document(&pointers);
        }
        result.map_err(|e| ScanError::Malformed(e.to_string()))?;
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
            pass.cuts.all(),
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
    let cut_before = |at: usize| cuts.iter().filter(|r| r.end <= at).map(Range::len).sum::<usize>();
    let start = metadata.start + missing.len() - cut_before(metadata.start);
    let end = metadata.end + missing.len() - cut_before(metadata.end);
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

impl<'a, 'j> Pass<'a, 'j> {
    fn new(scanner: &'a Scanner, raw: &'j [u8], cut: &'a Cut, pointers: &PointerSet) -> Self {
        Self {
            raw,
            json: Jiter::new(raw),
            scanner,
            cut,
            cuts: Ranges::new(MAX_CUTS),
            found: Found {
                values: vec![Vec::new(); pointers.pointers().len()],
                ..Found::default()
            },
        }
    }

    fn document(&mut self, pointers: &PointerSet) -> Result<(), JiterError> {
        self.root(pointers.root())?;
        // Checks that nothing follows the document.
        self.json.finish()
    }

    fn root(&mut self, pointers: &Node) -> Result<(), JiterError> {
        self.json.peek()?;
        let mut members = Members::new(self.json.current_index());
        let at = self.cut.root();
        let of = |key: &str| (RootKey::of(key, pointers), at.child(key));
        let mut member = self.json.next_object()?.map(of);
        while let Some((key, at)) = member {
            let peek = self.json.peek()?;
            let fate = self.cut.fate(&at, peek);
            match key {
                RootKey::Metadata if peek == Peek::Object => {
                    let start = self.json.current_index();
                    self.metadata(pointers, (fate == Fate::Inside).then_some(&at))?;
                    self.found.metadata = start..self.json.current_index();
                }
                _ if fate == Fate::Cut => self.json.known_skip(peek)?,
                RootKey::ApiVersion if peek == Peek::String => {
                    self.found.api_version = Some(self.json.known_str()?.into());
                }
                RootKey::Kind if peek == Peek::String => self.found.kind = Some(self.json.known_str()?.into()),
                RootKey::ApiVersion | RootKey::Kind => {
                    self.json.known_skip(peek)?;
                    self.found.odd_type = true;
                }
                RootKey::Other(children) if fate == Fate::Inside => {
                    // What is cut yields no values: pointers see what the cache holds.
                    let kept = self.inside(peek, &at, !children.is_empty())?;
                    self.extract_from(children, &kept)?;
                }
                RootKey::Other(children) => self.extract(children, peek)?,
                RootKey::Metadata => self.json.known_skip(peek)?,
            }
            members.member(fate, self.json.current_index(), self.raw, &mut self.cuts);
            member = self.json.next_key()?.map(of);
        }
        Ok(())
    }

    /// Reads metadata; with `at`, some of it is cut.
    fn metadata(&mut self, pointers: &Node, at: Option<&At<'_>>) -> Result<(), JiterError> {
        let node = pointers.child("metadata");
        let start = self.json.current_index();
        let cuts_before = self.cuts.all().len();
        let mut members = Members::new(start);
        let of = |key: &str| (MetadataKey::of(key), at.map(|at| at.child(key)));
        let mut member = self.json.known_object()?.map(of);
        while let Some((key, at)) = member {
            let peek = self.json.peek()?;
            let fate = at.as_ref().map_or(Fate::Keep, |at| self.cut.fate(at, peek));
            match (fate, at) {
                (Fate::Cut, _) => self.json.known_skip(peek)?,
                (Fate::Inside, Some(at)) => {
                    let is_read = matches!(key, MetadataKey::Labels | MetadataKey::OwnerReferences);
                    let kept = self.inside(peek, &at, is_read)?;
                    if is_read {
                        let mut json = Jiter::new(&kept);
                        self.collection(key, peek, &mut json)?;
                    }
                }
                _ => self.metadata_member(key, peek)?,
            }
            members.member(fate, self.json.current_index(), self.raw, &mut self.cuts);
            member = self.json.next_key()?.map(of);
        }
        // Pointers into metadata are rare; they cost a second look at metadata alone.
        if !node.is_empty() {
            let kept = self.kept_since(start, cuts_before);
            self.extract_from(node, &kept)?;
        }
        Ok(())
    }

    fn metadata_member(&mut self, key: MetadataKey, peek: Peek) -> Result<(), JiterError> {
        match (key, peek) {
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
            (MetadataKey::Labels, Peek::Object) => {
                let labels = labels(&self.scanner.interner, &mut self.json)?;
                self.found.meta.labels = self.scanner.labels.intern(&labels);
            }
            (MetadataKey::OwnerReferences, Peek::Array) => {
                let owners = owners(&self.scanner.interner, &mut self.json)?;
                self.found.meta.owners = self.scanner.owners.intern(&owners);
            }
            _ => self.json.known_skip(peek)?,
        }
        Ok(())
    }

    /// Labels or owners of which parts were cut.
    fn collection(&mut self, key: MetadataKey, peek: Peek, json: &mut Jiter<'_>) -> Result<(), JiterError> {
        json.peek()?;
        let scanner = self.scanner;
        match (key, peek) {
            (MetadataKey::Labels, Peek::Object) => {
                self.found.meta.labels = scanner.labels.intern(&labels(&scanner.interner, json)?);
            }
            (MetadataKey::OwnerReferences, Peek::Array) => {
                self.found.meta.owners = scanner.owners.intern(&owners(&scanner.interner, json)?);
            }
            _ => {}
        }
        Ok(())
    }

    /// Goes over a value of which parts are cut; gives what is left of it if that is wanted.
    fn inside(&mut self, peek: Peek, at: &At<'_>, wanted: bool) -> Result<Vec<u8>, JiterError> {
        let start = self.json.current_index();
        let cuts_before = self.cuts.all().len();
        self.cut.inside(&mut self.json, peek, at, self.raw, &mut self.cuts)?;
        Ok(if wanted {
            self.kept_since(start, cuts_before)
        } else {
            Vec::new()
        })
    }

    /// The text from `start` to here, without the ranges found since.
    fn kept_since(&self, start: usize, cuts_before: usize) -> Vec<u8> {
        let shifted = |r: &Range<usize>| r.start - start..r.end - start;
        let cuts: Vec<_> = self.cuts.all()[cuts_before..].iter().map(shifted).collect();
        without(&self.raw[start..self.json.current_index()], &cuts)
    }

    /// Reads the values at pointers from the text of one value.
    fn extract_from(&mut self, children: Children<'_>, text: &[u8]) -> Result<(), JiterError> {
        if children.is_empty() {
            return Ok(());
        }
        let values = &mut self.found.values;
        let interner = &self.scanner.interner;
        let mut json = Jiter::new(text);
        let peek = json.peek()?;
        children.walk(&mut json, peek, &mut |i, v| values[i].push(interner.intern(&v)))
    }

    /// Skips a value of the root, reading the pointers into it.
    fn extract(&mut self, children: Children<'_>, peek: Peek) -> Result<(), JiterError> {
        let values = &mut self.found.values;
        let interner = &self.scanner.interner;
        children.walk(&mut self.json, peek, &mut |i, v| values[i].push(interner.intern(&v)))
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
            "ownerReferences" => Self::OwnerReferences,
            _ => Self::Other,
        }
    }
}

#[cfg(test)]
mod tests;
