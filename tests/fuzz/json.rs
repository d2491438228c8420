//! A plain tree of JSON, read by serde_json, that keeps what serde_json's own loses: the order of members, members that
//! come twice, and how numbers are spelt.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// Deeper documents are not judged.
const MAX_DEPTH: usize = 100;

/// A document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Json {
    Null,
    /// Number, true or false, as it is spelt.
    Bare(String),
    Text(String),
    List(Vec<Json>),
    Map(Vec<(String, Json)>),
}

/// What bytes are, as far as serde_json can tell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Read {
    Document(Json),
    /// JSON by its grammar, but with a string that stands for no text (half a surrogate pair), or too deep to judge.
    Odd,
    Invalid,
}

struct Members<'a>(Vec<(String, &'a RawValue)>);

// === impl Members ===

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        from.deserialize_map(All)
    }
}

// === impl Json ===

impl Json {
    /// Reads a document.
    pub(crate) fn read(bytes: &[u8]) -> Read {
        match serde_json::from_slice::<&RawValue>(bytes) {
            Err(_) => Read::Invalid,
            Ok(raw) => Self::tree(raw.get(), 0).map_or(Read::Odd, Read::Document),
        }
    }

    fn tree(raw: &str, depth: usize) -> Option<Self> {
        let below = |raw: &RawValue| Self::tree(raw.get(), depth + 1);
        Some(match raw.as_bytes().first()? {
            _ if depth > MAX_DEPTH => return None,
            b'{' => {
                let members: Members<'_> = serde_json::from_str(raw).ok()?;
                let member = |(key, raw)| Some((key, below(raw)?));
                Self::Map(members.0.into_iter().map(member).collect::<Option<_>>()?)
            }
            b'[' => {
                let items: Vec<&RawValue> = serde_json::from_str(raw).ok()?;
                Self::List(items.into_iter().map(below).collect::<Option<_>>()?)
            }
            b'"' => Self::Text(serde_json::from_str(raw).ok()?),
            b'n' => Self::Null,
            _ => Self::Bare(raw.to_owned()),
        })
    }

    /// Whether some object has a member twice: then readers may differ.
    pub(crate) fn is_ambiguous(&self) -> bool {
        match self {
            Self::List(items) => items.iter().any(Self::is_ambiguous),
            Self::Map(members) => {
                let mut keys: Vec<_> = members.iter().map(|(key, _)| key).collect();
                keys.sort();
                keys.windows(2).any(|two| two[0] == two[1]) || members.iter().any(|(_, value)| value.is_ambiguous())
            }
            _ => false,
        }
    }

    /// The member of a name.
    pub(crate) fn get(&self, name: &str) -> Option<&Self> {
        match self {
            Self::Map(members) => members.iter().find(|(key, _)| key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The text of the member of a name.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        match self.get(name) {
            Some(Self::Text(text)) => Some(text),
            _ => None,
        }
    }

    /// Members, if it is an object.
    pub(crate) fn members(&self) -> &[(String, Self)] {
        match self {
            Self::Map(members) => members,
            _ => &[],
        }
    }

    /// The same without some members of the object at `path`.
    pub(crate) fn without(mut self, path: &[&str], member: &str) -> Self {
        let mut at = Some(&mut self);
        for name in path {
            at = match at {
                Some(Self::Map(members)) => members.iter_mut().find(|(key, _)| key == name).map(|(_, value)| value),
                _ => None,
            };
        }
        if let Some(Self::Map(members)) = at {
            members.retain(|(key, _)| key != member);
        }
        self
    }

    /// The same with all members in the order of their names, so that order is of no matter.
    pub(crate) fn sorted(self) -> Self {
        match self {
            Self::List(items) => Self::List(items.into_iter().map(Self::sorted).collect()),
            Self::Map(members) => {
                let mut members: Vec<_> = members.into_iter().map(|(key, value)| (key, value.sorted())).collect();
                members.sort_by(|(a, _), (b, _)| a.cmp(b));
                Self::Map(members)
            }
            other => other,
        }
    }

    /// The scalars at a path whose `None` stands for every element.
    pub(crate) fn scalars(&self, path: &[Option<&str>]) -> Vec<String> {
        match (path, self) {
            ([], Self::Bare(text) | Self::Text(text)) => vec![text.clone()],
            ([None, rest @ ..], Self::List(items)) => items.iter().flat_map(|item| item.scalars(rest)).collect(),
            ([Some(name), rest @ ..], Self::List(items)) => {
                // RFC 6901: digits without a leading zero name an element.
                let index = name.parse::<usize>().ok().filter(|index| index.to_string() == *name);
                let item = index.and_then(|index| items.get(index));
                item.map_or_else(Vec::new, |item| item.scalars(rest))
            }
            ([segment, rest @ ..], Self::Map(members)) => {
                let wanted = |(key, _): &&(String, Self)| segment.is_none_or(|name| name == key);
                let found = members.iter().filter(wanted);
                found.flat_map(|(_, value)| value.scalars(rest)).collect()
            }
            _ => Vec::new(),
        }
    }
}
