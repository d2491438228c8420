//! RFC 6901 JSON pointers with `*` as a segment for every element, read from bytes without building a tree.

use std::{borrow::Cow, collections::BTreeMap, fmt, sync::Arc};

use jiter::{Jiter, JiterResult, Peek};

/// A parsed pointer.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pointer {
    text: Arc<str>,
    segments: Arc<[Segment]>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Segment {
    Key(Box<str>),
    Each,
}

/// A text that is not a pointer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not a JSON pointer: {problem}; example: /spec/volumes/*/secret/secretName")]
pub struct PointerError {
    text: String,
    problem: &'static str,
}

/// Pointers that are read together in one pass, as a tree of their segments.
#[derive(Debug, Default)]
pub struct PointerSet {
    pointers: Vec<Pointer>,
    root: Node,
}

/// The values that a [`PointerSet`] found in one object.
#[derive(Debug)]
pub struct Values {
    set: Arc<PointerSet>,
    by_pointer: Box<[Box<[Arc<str>]>]>,
}

#[derive(Debug, Default)]
pub(super) struct Node {
    keys: BTreeMap<Box<str>, Node>,
    each: Option<Box<Node>>,
    /// Index in `PointerSet::pointers` of the pointer that ends here.
    leaf: Option<usize>,
}

/// Where found scalars go: the pointer's index and the value.
pub(super) type Sink<'a> = &'a mut dyn FnMut(usize, Cow<'_, str>);

// === impl Pointer ===

impl Pointer {
    /// Parses a pointer; it must name something below the root.
    pub fn parse(text: &str) -> Result<Self, PointerError> {
        let fail = |problem| {
            Err(PointerError {
                text: text.to_owned(),
                problem,
            })
        };
        let Some(rest) = text.strip_prefix('/') else {
            return fail("it must start with '/'");
        };
        if text.len() > 1024 {
            return fail("it is longer than 1024 bytes");
        }
        let mut segments = Vec::new();
        for raw in rest.split('/') {
            if raw.is_empty() {
                return fail("a segment is empty");
            }
            if raw == "*" {
                segments.push(Segment::Each);
                continue;
            }
            let escapes_valid = raw.split('~').skip(1).all(|after| after.starts_with(['0', '1']));
            if !escapes_valid {
                return fail("'~' must be written '~0' and '/' inside a key '~1'");
            }
            segments.push(Segment::Key(raw.replace("~1", "/").replace("~0", "~").into()));
        }
        if segments.len() > 64 {
            return fail("it has more than 64 segments");
        }
        Ok(Self {
            text: text.into(),
            segments: segments.into(),
        })
    }

    /// The pointer of a dotted field path such as `spec.nodeName`.
    pub fn from_field_path(path: &str) -> Result<Self, PointerError> {
        let escaped: Vec<_> = path
            .split('.')
            .map(|s| s.replace('~', "~0").replace('/', "~1"))
            .collect();
        Self::parse(&format!("/{}", escaped.join("/")))
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// True if every value at `other` is one at this pointer, or part of one.
    pub(super) fn includes(&self, other: &Self) -> bool {
        self.segments.len() <= other.segments.len()
            && self
                .segments
                .iter()
                .zip(&*other.segments)
                .all(|(mine, theirs)| match mine {
                    Segment::Each => true,
                    Segment::Key(_) => mine == theirs,
                })
    }

    /// True if `other` is this pointer, gone on with.
    pub(super) fn is_prefix_of(&self, other: &Self) -> bool {
        other.segments.starts_with(&self.segments)
    }

    /// Reads the values at this pointer from a document; a document that is not JSON has none.
    pub fn read(&self, document: &[u8]) -> Vec<Arc<str>> {
        let set = PointerSet::new([self.clone()]);
        let mut found = Vec::new();
        let mut sink = |_: usize, v: Cow<'_, str>| found.push(Arc::from(v.as_ref()));
        let mut json = Jiter::new(document);
        // The document was validated on arrival.
        if let Ok(peek) = json.peek() {
            let _ = set.root.walk(&mut json, peek, &mut sink);
        }
        found
    }
}

impl fmt::Display for Pointer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

// === impl PointerSet ===

impl PointerSet {
    /// A set of pointers.
    pub fn new(pointers: impl IntoIterator<Item = Pointer>) -> Self {
        let mut this = Self::default();
        for pointer in pointers {
            if this.pointers.contains(&pointer) {
                continue;
            }
            let mut node = &mut this.root;
            for segment in &*pointer.segments {
                node = match segment {
                    Segment::Key(key) => node.keys.entry(key.clone()).or_default(),
                    Segment::Each => node.each.get_or_insert_default(),
                };
            }
            node.leaf = Some(this.pointers.len());
            this.pointers.push(pointer);
        }
        this
    }

    /// The pointers.
    pub fn pointers(&self) -> &[Pointer] {
        &self.pointers
    }

    pub(super) fn root(&self) -> &Node {
        &self.root
    }
}

// === impl Values ===

impl Values {
    pub(super) fn new(set: Arc<PointerSet>, found: Vec<Vec<Arc<str>>>) -> Self {
        Self {
            set,
            by_pointer: found.into_iter().map(Vec::into_boxed_slice).collect(),
        }
    }

    /// The values at `pointer`, if it was in the set.
    pub fn get(&self, pointer: &Pointer) -> Option<&[Arc<str>]> {
        let index = self.set.pointers.iter().position(|p| p == pointer)?;
        self.by_pointer.get(index).map(AsRef::as_ref)
    }
}

// === impl Node ===

impl Node {
    /// The node below a key.
    pub(super) fn child(&self, key: &str) -> Children<'_> {
        Children {
            named: self.keys.get(key),
            each: self.each.as_deref(),
        }
    }

    pub(super) fn named(&self, key: &str) -> Option<&Node> {
        self.keys.get(key)
    }

    pub(super) fn each(&self) -> Option<&Node> {
        self.each.as_deref()
    }

    pub(super) fn has_names(&self) -> bool {
        !self.keys.is_empty()
    }

    /// A pointer ends here.
    pub(super) fn is_end(&self) -> bool {
        self.leaf.is_some()
    }

    /// Reads one value of the document and reports the scalars at the leaves below this node.
    pub(super) fn walk(&self, json: &mut Jiter<'_>, peek: Peek, sink: Sink<'_>) -> JiterResult<()> {
        Children {
            named: Some(self),
            each: None,
        }
        .walk(json, peek, sink)
    }
}

/// Up to two nodes that apply to the same value: the one named by its key and the wildcard.
#[derive(Clone, Copy)]
pub(super) struct Children<'a> {
    named: Option<&'a Node>,
    each: Option<&'a Node>,
}

// === impl Children ===

impl<'a> Children<'a> {
    pub(super) fn is_empty(&self) -> bool {
        self.named.is_none() && self.each.is_none()
    }

    fn nodes(self) -> impl Iterator<Item = &'a Node> {
        self.named.into_iter().chain(self.each)
    }

    /// Reports a scalar that stands where these nodes do.
    pub(super) fn leaves(self, sink: Sink<'_>, value: &str) {
        for index in self.nodes().filter_map(|n| n.leaf) {
            sink(index, Cow::Borrowed(value));
        }
    }

    /// Reads one value. With two nodes the value is read once for each, which only a pointer set that mixes `*` and
    /// a key at the same place causes.
    pub(super) fn walk(self, json: &mut Jiter<'_>, peek: Peek, sink: Sink<'_>) -> JiterResult<()> {
        if let (Some(named), Some(each)) = (self.named, self.each) {
            let start = json.current_index();
            json.known_skip(peek)?;
            let slice = json.slice_to_current(start);
            for node in [named, each] {
                let mut inner = Jiter::new(slice);
                let peek = inner.peek()?;
                node.walk(&mut inner, peek, sink)?;
            }
            return Ok(());
        }
        let Some(node) = self.nodes().next() else {
            return json.known_skip(peek);
        };
        match peek {
            Peek::Object if !node.keys.is_empty() || node.each.is_some() => {
                let mut children = json.known_object()?.map(|key| node.child(key));
                while let Some(child) = children {
                    let peek = json.peek()?;
                    child.walk(json, peek, sink)?;
                    children = json.next_key()?.map(|key| node.child(key));
                }
                Ok(())
            }
            Peek::Array if !node.keys.is_empty() || node.each.is_some() => {
                let mut index = 0_usize;
                let mut next = json.known_array()?;
                while let Some(peek) = next {
                    // RFC 6901: an element is named by its number.
                    let named = (!node.keys.is_empty()).then(|| node.keys.get(index.to_string().as_str()));
                    let children = Children {
                        named: named.flatten(),
                        each: node.each.as_deref(),
                    };
                    children.walk(json, peek, sink)?;
                    index += 1;
                    next = json.array_step()?;
                }
                Ok(())
            }
            Peek::String if node.leaf.is_some() => {
                let value = json.known_str()?.to_owned();
                self.leaves(sink, &value);
                Ok(())
            }
            Peek::Object | Peek::Array | Peek::String | Peek::Null => json.known_skip(peek),
            // Numbers and booleans as JSON spells them.
            _ => {
                let start = json.current_index();
                json.known_skip(peek)?;
                if let Ok(spelled) = std::str::from_utf8(json.slice_to_current(start)) {
                    let spelled = spelled.to_owned();
                    self.leaves(sink, &spelled);
                }
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pointer: &str, document: &str) -> Vec<String> {
        Pointer::parse(pointer)
            .unwrap()
            .read(document.as_bytes())
            .iter()
            .map(|s| s.to_string())
            .collect()
    }

    #[test]
    fn reads_scalars_arrays_and_maps() {
        let doc = r#"{"spec":{"n":"a\u0062c","i":1.50,"b":true,"z":null,"l":[{"k":"x"},{"k":"y"},{"j":1}],
            "m":{"p":{"v":"1"},"q":{"v":"2"}},"a/b~c":"esc"}}"#;
        let table: &[(&str, &[&str])] = &[
            ("/spec/n", &["abc"]),
            ("/spec/i", &["1.50"]),
            ("/spec/b", &["true"]),
            ("/spec/z", &[]),
            ("/spec/l/*/k", &["x", "y"]),
            ("/spec/l/1/k", &["y"]),
            ("/spec/l/01/k", &[]),
            ("/spec/l/7/k", &[]),
            ("/spec/m/*/v", &["1", "2"]),
            ("/spec/a~1b~0c", &["esc"]),
            ("/spec", &[]),
            ("/none/at/all", &[]),
        ];
        for (pointer, want) in table {
            assert_eq!(read(pointer, doc), *want, "{pointer}");
        }
    }

    #[test]
    fn one_pass_reads_overlapping_pointers() {
        let pointers: Vec<_> = ["/m/*/v", "/m/p/v", "/m/p/w"]
            .iter()
            .map(|p| Pointer::parse(p).unwrap())
            .collect();
        let set = PointerSet::new(pointers);
        let mut found = vec![Vec::new(); 3];
        let doc = br#"{"m":{"p":{"v":"1","w":"3"},"q":{"v":"2"}}}"#;
        let mut json = Jiter::new(doc);
        let peek = json.peek().unwrap();
        set.root
            .walk(&mut json, peek, &mut |i, v| found[i].push(v.into_owned()))
            .unwrap();
        assert_eq!(found, [vec!["1", "2"], vec!["1"], vec!["3"]]);
    }

    #[test]
    fn says_what_is_wrong() {
        for bad in ["", "spec", "/", "/a//b", "/a~2", "/a~"] {
            assert!(Pointer::parse(bad).is_err(), "{bad:?}");
        }
    }
}
