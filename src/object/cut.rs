//! Parts of a document, found as byte ranges at their true depth: what a transform drops, or everything but what it keeps.
//!
//! ```text
//!   {"a":1,"b":{"x":1,"y":2},"c":3}    drop /b/x, /c    {"a":1,"b":{"y":2}}
//!          (one walk, a cursor in the tree of pointers beside it; what no pointer reaches is skipped, not read)
//! ```
//!
//! No tree of the document is built, and what stays is byte for byte what came. An object or array that loses all of its
//! parts stays as `{}` or `[]`. A pointer that leads through a value of another type reaches nothing.

use std::ops::Range;

use bytes::Bytes;
use jiter::{Jiter, JiterResult, Peek};

use super::pointer::{Node, Pointer, PointerSet};

/// Most pointers of one transform or projection.
pub const MAX_POINTERS: usize = 64;

/// Which parts of documents are cut.
#[derive(Debug)]
pub struct Cut {
    /// The pointers name what stays; otherwise what goes.
    keep: bool,
    pointers: PointerSet,
}

/// What happens to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Keep,
    Cut,
    /// Parts of it are cut.
    Inside,
}

/// The nodes of the pointers' tree that apply to one value: mostly one, more where `*` and a key meet. Never more than
/// there are pointers.
#[derive(Clone, Debug, Default)]
pub(super) struct At<'a> {
    first: Option<&'a Node>,
    more: Vec<&'a Node>,
}

/// Follows the members of one JSON object, or the elements of an array, so that some can be cut together with the comma
/// that belongs to them.
pub(super) struct Members {
    /// Where the next member's text (with the comma before it) starts.
    from: usize,
    kept_any: bool,
}

/// Ranges found so far, in the order of the document and disjoint.
#[derive(Debug)]
pub(super) struct Ranges {
    found: Vec<Range<usize>>,
    most: usize,
}

// === impl Cut ===

impl Cut {
    /// Cuts what these pointers name.
    pub fn drop(pointers: impl IntoIterator<Item = Pointer>) -> Self {
        Self {
            keep: false,
            pointers: PointerSet::new(pointers),
        }
    }

    /// Cuts all but what these pointers name.
    pub fn keep(pointers: impl IntoIterator<Item = Pointer>) -> Self {
        Self {
            keep: true,
            pointers: PointerSet::new(pointers),
        }
    }

    /// The document without what is cut; the document itself if that is nothing. A document that is not JSON stays as it
    /// is: what the cache holds was validated on arrival.
    pub fn apply(&self, document: &Bytes) -> Bytes {
        let mut ranges = Ranges::new(usize::MAX);
        let mut json = Jiter::new(document);
        let walked = json
            .peek()
            .and_then(|peek| self.inside(&mut json, peek, &self.root(), document, &mut ranges));
        if walked.is_err() || ranges.found.is_empty() {
            return document.clone();
        }
        without(document, &ranges.found).into()
    }

    pub(super) fn root(&self) -> At<'_> {
        At {
            first: Some(self.pointers.root()),
            more: Vec::new(),
        }
    }

    pub(super) fn fate(&self, at: &At<'_>, peek: Peek) -> Fate {
        let (reached, others) = if self.keep {
            (Fate::Keep, Fate::Cut)
        } else {
            (Fate::Cut, Fate::Keep)
        };
        if at.is_end() {
            reached
        } else if !at.is_empty() && matches!(peek, Peek::Object | Peek::Array) {
            Fate::Inside
        } else {
            // No pointer leads here, or one goes on below a scalar: the object does not have it.
            others
        }
    }

    /// Goes over one value of `raw` and finds what is cut inside.
    pub(super) fn inside(
        &self,
        json: &mut Jiter<'_>,
        peek: Peek,
        at: &At<'_>,
        raw: &[u8],
        ranges: &mut Ranges,
    ) -> JiterResult<()> {
        let mut members = Members::new(json.current_index());
        match peek {
            Peek::Object => {
                let mut next = json.known_object()?.map(|key| at.child(key));
                while let Some(child) = next {
                    let peek = json.peek()?;
                    self.value(json, peek, &child, raw, ranges, &mut members)?;
                    next = json.next_key()?.map(|key| at.child(key));
                }
                Ok(())
            }
            Peek::Array => {
                let mut index = 0;
                let mut next = json.known_array()?;
                while let Some(peek) = next {
                    self.value(json, peek, &at.element(index), raw, ranges, &mut members)?;
                    index += 1;
                    next = json.array_step()?;
                }
                Ok(())
            }
            _ => json.known_skip(peek),
        }
    }

    /// As deep as the longest pointer at most.
    fn value(
        &self,
        json: &mut Jiter<'_>,
        peek: Peek,
        at: &At<'_>,
        raw: &[u8],
        ranges: &mut Ranges,
        members: &mut Members,
    ) -> JiterResult<()> {
        let fate = self.fate(at, peek);
        match fate {
            Fate::Inside => self.inside(json, peek, at, raw, ranges)?,
            Fate::Keep | Fate::Cut => json.known_skip(peek)?,
        }
        members.member(fate, json.current_index(), raw, ranges);
        Ok(())
    }
}

// === impl At ===

impl<'a> At<'a> {
    /// What applies to a member.
    pub(super) fn child(&self, key: &str) -> Self {
        let mut below = Self::default();
        for node in self.nodes() {
            node.named(key)
                .into_iter()
                .chain(node.each())
                .for_each(|n| below.push(n));
        }
        below
    }

    /// What applies to an element of an array.
    fn element(&self, index: usize) -> Self {
        if self.nodes().any(Node::has_names) {
            return self.child(&index.to_string());
        }
        let mut below = Self::default();
        self.nodes().filter_map(Node::each).for_each(|n| below.push(n));
        below
    }

    fn push(&mut self, node: &'a Node) {
        match self.first {
            None => self.first = Some(node),
            Some(_) => self.more.push(node),
        }
    }

    fn nodes(&self) -> impl Iterator<Item = &'a Node> + '_ {
        self.first.into_iter().chain(self.more.iter().copied())
    }

    fn is_empty(&self) -> bool {
        self.first.is_none()
    }

    /// A pointer ends here.
    fn is_end(&self) -> bool {
        self.nodes().any(Node::is_end)
    }
}

// === impl Ranges ===

impl Ranges {
    /// Takes up to `most` ranges, and one more to tell that there are more.
    pub(super) fn new(most: usize) -> Self {
        Self {
            found: Vec::new(),
            most,
        }
    }

    fn push(&mut self, range: Range<usize>) {
        let full = self.is_full();
        match self.found.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ if full => {}
            _ => self.found.push(range),
        }
    }

    pub(super) fn all(&self) -> &[Range<usize>] {
        &self.found
    }

    /// Some ranges were not taken.
    pub(super) fn is_full(&self) -> bool {
        self.found.len() > self.most
    }
}

// === impl Members ===

impl Members {
    pub(super) fn new(brace: usize) -> Self {
        Self {
            from: brace + 1,
            kept_any: false,
        }
    }

    /// Goes over a member or element that ends at `end`.
    pub(super) fn member(&mut self, fate: Fate, end: usize, raw: &[u8], ranges: &mut Ranges) {
        if fate == Fate::Cut {
            ranges.push(self.cut(end, raw));
        } else {
            self.keep(end);
        }
    }

    fn keep(&mut self, end: usize) {
        self.from = end;
        self.kept_any = true;
    }

    /// The range of a member that ends at `end`. Before it stands a comma if a member was kept; otherwise the comma
    /// after it goes too.
    fn cut(&mut self, end: usize, raw: &[u8]) -> Range<usize> {
        let mut to = end;
        if !self.kept_any {
            let rest = &raw[end..];
            let space = rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
            if rest.get(space) == Some(&b',') {
                to = end + space + 1;
            }
        }
        let range = self.from..to;
        self.from = to;
        range
    }
}

/// What lies outside of `ranges`, in a buffer of exactly that size.
pub(super) fn without(raw: &[u8], ranges: &[Range<usize>]) -> Vec<u8> {
    let cut: usize = ranges.iter().map(Range::len).sum();
    let mut kept = Vec::with_capacity(raw.len() - cut);
    let mut from = 0;
    for range in ranges {
        kept.extend_from_slice(&raw[from..range.start]);
        from = range.end;
    }
    kept.extend_from_slice(&raw[from..]);
    kept
}

#[cfg(test)]
mod tests;
