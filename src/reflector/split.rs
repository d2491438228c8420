//! Splits a Kubernetes list into its items while the body streams in, so that a list of any length costs the memory of
//! one item.
//!
//! ```text
//!  {"kind":…,"metadata":{…},"items":[ {…} , {…} , … ]}      keys in any order, chunk borders anywhere
//!                                     └──┬┘ └──┬┘
//!                              callback(bytes) callback(bytes)       the rest is collected and returned at the end
//! ```
//!
//! The splitter follows only strings and brackets. An item's inner grammar is checked by whoever parses the item; all
//! other members are parsed here.

use std::borrow::Cow;

use serde::Deserialize;

use super::value::{ValueEnd, ValueError};

/// Largest item (and largest other member) that is accepted. etcd refuses objects of more than about 1.5 MiB, so this
/// only stops a broken server from filling our memory.
pub const MAX_ITEM_BYTES: usize = 64 << 20;

/// A body that is not a list.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SplitError {
    /// Not JSON, or not of the form of a list.
    #[error("not a list: {what} at byte {at}")]
    Malformed {
        /// What is wrong.
        what: &'static str,
        /// Where.
        at: u64,
    },
    /// The body ended early.
    #[error("the list is cut off after {0} bytes")]
    Truncated(u64),
    /// An item or other member is larger than the limit.
    #[error("an item of the list is larger than {0} bytes")]
    ItemTooLarge(usize),
    /// A Table, which holds no objects (row R17).
    #[error("the API server answered with a Table, which holds no objects")]
    Table,
}

/// What a list says beside its items.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListEnd {
    /// kind, for example "PodList".
    pub kind: String,
    /// apiVersion.
    pub api_version: String,
    /// metadata.resourceVersion.
    pub resource_version: String,
    /// metadata.continue: there are more pages.
    pub continue_token: String,
    /// metadata.remainingItemCount.
    pub remaining: Option<i64>,
}

/// The splitter of one list body.
#[derive(Debug)]
pub struct Splitter {
    state: State,
    member: Part,
    value: ValueEnd,
    /// The part of the value at hand that came in earlier chunks.
    carry: Vec<u8>,
    max: usize,
    /// Bytes of all earlier chunks.
    before: u64,
    has_items: bool,
    end: ListEnd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Start,
    FirstKey,
    NextKey,
    Key,
    Colon,
    MemberStart,
    Member,
    AfterMember,
    FirstItem,
    NextItem,
    Item,
    AfterItem,
    Done,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Kind,
    ApiVersion,
    Metadata,
    Items,
    Other,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct ListMetadata {
    resource_version: Option<String>,
    #[serde(rename = "continue")]
    continue_token: Option<String>,
    remaining_item_count: Option<i64>,
}

// === impl Splitter ===

impl Splitter {
    /// A splitter with the default limit.
    pub fn new() -> Self {
        Self::with_limit(MAX_ITEM_BYTES)
    }

    /// A splitter that accepts items of up to `max` bytes.
    pub fn with_limit(max: usize) -> Self {
        Self {
            state: State::Start,
            member: Part::Other,
            value: ValueEnd::default(),
            carry: Vec::new(),
            max,
            before: 0,
            has_items: false,
            end: ListEnd::default(),
        }
    }

    /// Takes the next chunk and calls `item` for each item that it completes. After an error the splitter is of no use.
    pub fn push(&mut self, chunk: &[u8], mut item: impl FnMut(&[u8])) -> Result<(), SplitError> {
        let mut at = 0;
        while at < chunk.len() {
            if matches!(self.state, State::Key | State::Member | State::Item) {
                let rest = &chunk[at..];
                let found = self.value.advance(rest).map_err(|e| match e {
                    ValueError::Mismatch => self.malformed("brackets that do not match", at),
                    ValueError::TooDeep => self.malformed("nesting that is too deep", at),
                })?;
                let part = &rest[..found.unwrap_or(rest.len())];
                if self.carry.len() + part.len() > self.max {
                    return Err(SplitError::ItemTooLarge(self.max));
                }
                at += part.len();
                if found.is_none() {
                    self.carry.extend_from_slice(part);
                } else if self.carry.is_empty() {
                    self.complete(part, at, &mut item)?;
                } else {
                    let mut carry = std::mem::take(&mut self.carry);
                    carry.extend_from_slice(part);
                    self.complete(&carry, at, &mut item)?;
                    // Keeps the allocation for the next value that crosses a border.
                    carry.clear();
                    self.carry = carry;
                }
                continue;
            }
            let byte = chunk[at];
            if matches!(byte, b' ' | b'\n' | b'\r' | b'\t') {
                at += 1;
                continue;
            }
            at += usize::from(self.structure(byte, at)?);
        }
        self.before += chunk.len() as u64;
        Ok(())
    }

    /// The body is complete.
    pub fn finish(self) -> Result<ListEnd, SplitError> {
        if self.state != State::Done {
            return Err(SplitError::Truncated(self.before));
        }
        // A document without items must not pass as an empty list: it would delete everything.
        if !self.has_items {
            return Err(self.malformed("a document without items", 0));
        }
        Ok(self.end)
    }

    /// Bytes that are kept for the value at hand.
    #[cfg(test)]
    pub(super) fn carried(&self) -> usize {
        self.carry.capacity()
    }

    /// Follows one byte between values; false if the byte belongs to the value that starts with it.
    fn structure(&mut self, byte: u8, at: usize) -> Result<bool, SplitError> {
        use State::*;
        let (next, consumed) = match (self.state, byte) {
            (Start, b'{') => (FirstKey, true),
            (FirstKey, b'}') | (AfterMember, b'}') => (Done, true),
            (FirstKey | NextKey, b'"') => (Key, false),
            (Colon, b':') => (MemberStart, true),
            (MemberStart, b'[') if self.member == Part::Items => {
                self.has_items = true;
                (FirstItem, true)
            }
            (MemberStart, b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => (Member, false),
            (AfterMember, b',') => (NextKey, true),
            (FirstItem, b']') | (AfterItem, b']') => (AfterMember, true),
            (FirstItem | NextItem, b'{') => (Item, false),
            (AfterItem, b',') => (NextItem, true),
            (FirstItem | NextItem, _) => return Err(self.malformed("an item that is no object", at)),
            (Done, _) => return Err(self.malformed("more after the end", at)),
            _ => return Err(self.malformed("an unexpected byte", at)),
        };
        self.state = next;
        if !consumed {
            self.value = ValueEnd::default();
        }
        Ok(consumed)
    }

    /// The value at hand is complete.
    fn complete(&mut self, raw: &[u8], at: usize, item: &mut impl FnMut(&[u8])) -> Result<(), SplitError> {
        match self.state {
            State::Item => {
                self.state = State::AfterItem;
                item(raw);
            }
            State::Key => {
                self.state = State::Colon;
                let key: Cow<'_, str> = self.parse(raw, at, "a key")?;
                self.member = match &*key {
                    "kind" => Part::Kind,
                    "apiVersion" => Part::ApiVersion,
                    "metadata" => Part::Metadata,
                    "items" if self.has_items => return Err(self.malformed("items twice", at)),
                    "items" => Part::Items,
                    _ => Part::Other,
                };
            }
            _ => {
                self.state = State::AfterMember;
                match self.member {
                    Part::Kind => {
                        self.end.kind = self.parse(raw, at, "kind")?;
                        if self.end.kind == "Table" {
                            return Err(SplitError::Table);
                        }
                    }
                    Part::ApiVersion => self.end.api_version = self.parse(raw, at, "apiVersion")?,
                    Part::Metadata => {
                        let metadata: Option<ListMetadata> = self.parse(raw, at, "metadata")?;
                        let metadata = metadata.unwrap_or_default();
                        self.end.resource_version = metadata.resource_version.unwrap_or_default();
                        self.end.continue_token = metadata.continue_token.unwrap_or_default();
                        self.end.remaining = metadata.remaining_item_count;
                    }
                    // Go writes a nil slice as null.
                    Part::Items => {
                        let () = self.parse(raw, at, "items")?;
                        self.has_items = true;
                    }
                    Part::Other => {
                        let serde::de::IgnoredAny = self.parse(raw, at, "a member")?;
                    }
                }
            }
        }
        Ok(())
    }

    fn parse<'a, T: Deserialize<'a>>(&self, raw: &'a [u8], at: usize, what: &'static str) -> Result<T, SplitError> {
        serde_json::from_slice(raw).map_err(|_| self.malformed(what, at))
    }

    fn malformed(&self, what: &'static str, at: usize) -> SplitError {
        SplitError::Malformed {
            what,
            at: self.before + at as u64,
        }
    }
}

impl Default for Splitter {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests;
