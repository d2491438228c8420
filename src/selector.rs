//! Label and field selectors in Kubernetes' own grammar.
//!
//! ```text
//!  "app in (a,b),!canary"  --LabelSelector::parse-->  sorted requirements --matches(get)--> bool
//!  "spec.nodeName=n1"      --FieldSelector::parse-->  sorted requirements --matches(get)--> bool
//! ```
//!
//! Both are canonical from the moment they are parsed: requirements are sorted and deduplicated and equivalent
//! spellings (`a=b`, `a==b`, `a in (b)`) become one. So `Eq`, `Hash` and [`LabelSelector::normalized`] may serve as
//! the identity of a shared informer. This module knows strings only: objects are reached through the `get`
//! closure of `matches`.

mod field;
mod label;
#[cfg(test)]
mod tests;
mod validate;

pub use field::{FieldOperator, FieldRequirement, FieldSelector, field_default, lookup_paths, pointer_of};
pub use label::{LabelOperator, LabelRequirement, LabelSelector};

/// Why a selector was refused: where, what stood there, what was expected, and what a right one looks like.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "invalid {kind} selector {selector:?} at position {position}: found {found}, expected {expected}; a valid one is {example:?}"
)]
pub struct SelectorError {
    /// Which grammar was in force.
    pub kind: SelectorKind,
    /// The selector as it was given.
    pub selector: String,
    /// Where the problem is: characters from the start, counted from 1.
    pub position: usize,
    /// What stands there, quoted, or "the end".
    pub found: String,
    /// What should stand there.
    pub expected: String,
    /// A selector that would be accepted.
    pub example: &'static str,
}

/// The two selector grammars.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SelectorKind {
    /// `a=b,c in (d,e),!f`
    Label,
    /// `metadata.name=a,spec.nodeName!=b`
    Field,
}

impl std::fmt::Display for SelectorKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Label => "label",
            Self::Field => "field",
        })
    }
}

// === impl SelectorError ===

impl SelectorError {
    /// `at` is a byte offset into `selector`; what is shown is a character position.
    fn new(kind: SelectorKind, selector: &str, at: usize, found: &str, expected: impl Into<String>) -> Self {
        let position = selector.char_indices().take_while(|(byte, _)| *byte < at).count() + 1;
        let found = if found.is_empty() {
            "the end".to_owned()
        } else {
            format!("{found:?}")
        };
        let example = match kind {
            SelectorKind::Label => "app=web,tier in (front,back),!canary",
            SelectorKind::Field => "spec.nodeName=node-1,status.phase!=Failed",
        };
        Self {
            kind,
            selector: selector.to_owned(),
            position,
            found,
            expected: expected.into(),
            example,
        }
    }
}
