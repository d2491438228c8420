//! Field selectors: `k8s.io/apimachinery/pkg/fields`, and where their paths lie in an object.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt;

use super::{SelectorError, SelectorKind};

/// A conjunction of comparisons of fields with texts. The empty one selects everything.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldSelector {
    requirements: Vec<FieldRequirement>,
}

/// One comparison of one field.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FieldRequirement {
    /// Dotted path, such as `spec.nodeName`.
    pub path: String,
    /// How it is compared.
    pub operator: FieldOperator,
    /// With what, unescaped.
    pub value: String,
}

/// The comparisons that field selectors know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FieldOperator {
    /// `=` and `==`
    Equal,
    /// `!=`
    NotEqual,
}

/// Fields of built-in resources whose selector name is not their JSON path, or whose absence has a meaning other than
/// "": the Go structs omit zero values that the server's field functions print. (selector path, JSON path, default)
const SPECIAL: &[(&str, &str, &str)] = &[
    ("spec.hostNetwork", "spec.hostNetwork", "false"),     // pods
    ("spec.unschedulable", "spec.unschedulable", "false"), // nodes
    ("status.successful", "status.succeeded", "0"),        // jobs
];

/// The text that an absent field stands for; "" for all but a few built-in fields.
pub fn field_default(path: &str) -> &'static str {
    SPECIAL
        .iter()
        .find(|(name, ..)| *name == path)
        .map_or("", |(_, _, default)| default)
}

/// Where a selector path is looked up, in this order: itself, then the JSON path that it is an alias of, if any.
/// The path itself comes first so that a custom resource that really has the field is not misread.
pub fn lookup_paths(path: &str) -> impl Iterator<Item = &str> {
    let alias = SPECIAL
        .iter()
        .find(|(name, target, _)| *name == path && *target != path);
    std::iter::once(path).chain(alias.map(|(_, target, _)| *target))
}

/// The RFC 6901 JSON pointer of a simple dotted path: `spec.nodeName` is `/spec/nodeName`. Every dot separates, so
/// keys that contain dots (`metadata.annotations['a.b/c']`) cannot be named, as in Kubernetes' own field selectors.
pub fn pointer_of(path: &str) -> String {
    let mut pointer = String::with_capacity(path.len() + 1);
    for segment in path.split('.') {
        pointer.push('/');
        for c in segment.chars() {
            match c {
                '~' => pointer.push_str("~0"),
                '/' => pointer.push_str("~1"),
                c => pointer.push(c),
            }
        }
    }
    pointer
}

// === impl FieldSelector ===

impl FieldSelector {
    /// Parses the grammar of `kubectl --field-selector` and of the API's `fieldSelector` parameter. Which fields a
    /// resource supports is not this parser's business.
    pub fn parse(selector: &str) -> Result<Self, SelectorError> {
        let mut requirements = Vec::new();
        let mut start = 0;
        while start <= selector.len() {
            let end = start + term_len(&selector[start..]);
            if end > start {
                requirements.push(parse_term(selector, start, end)?);
            }
            start = end + 1;
        }
        Ok(requirements.into_iter().collect())
    }

    /// Whether it selects every object.
    pub fn is_everything(&self) -> bool {
        self.requirements.is_empty()
    }

    /// The comparisons, all of which must hold, sorted.
    pub fn requirements(&self) -> &[FieldRequirement] {
        &self.requirements
    }

    /// Whether an object is selected. `get` answers the text of the scalar at a dotted path: strings as they are,
    /// numbers and booleans as JSON spells them. An absent field is its [`field_default`].
    pub fn matches<'o>(&self, get: impl Fn(&str) -> Option<Cow<'o, str>>) -> bool {
        self.requirements.iter().all(|requirement| {
            let found = lookup_paths(&requirement.path).find_map(&get);
            let text = found.as_deref().unwrap_or(field_default(&requirement.path));
            (text == requirement.value) == (requirement.operator == FieldOperator::Equal)
        })
    }

    /// The canonical text: the same for equivalent spellings, and parsed back into an equal selector.
    pub fn normalized(&self) -> String {
        self.to_string()
    }
}

impl FromIterator<FieldRequirement> for FieldSelector {
    fn from_iter<I: IntoIterator<Item = FieldRequirement>>(iter: I) -> Self {
        let mut requirements: Vec<_> = iter.into_iter().collect();
        requirements.sort();
        requirements.dedup();
        Self { requirements }
    }
}

impl std::str::FromStr for FieldSelector {
    type Err = SelectorError;

    fn from_str(selector: &str) -> Result<Self, SelectorError> {
        Self::parse(selector)
    }
}

impl fmt::Display for FieldSelector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, requirement) in self.requirements.iter().enumerate() {
            if i > 0 {
                f.write_str(",")?;
            }
            write!(f, "{requirement}")?;
        }
        Ok(())
    }
}

// === impl FieldRequirement ===

impl FieldRequirement {
    /// The JSON pointers from which the field may be read, in order of preference.
    pub fn pointers(&self) -> impl Iterator<Item = String> {
        lookup_paths(&self.path).map(pointer_of)
    }
}

impl fmt::Display for FieldRequirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operator = match self.operator {
            FieldOperator::Equal => "=",
            FieldOperator::NotEqual => "!=",
        };
        write!(f, "{}{operator}", self.path)?;
        for c in self.value.chars() {
            if matches!(c, '\\' | ',' | '=') {
                f.write_str("\\")?;
            }
            write!(f, "{c}")?;
        }
        Ok(())
    }
}

// === parsing ===

/// Bytes up to the first comma that no backslash escapes.
fn term_len(rest: &str) -> usize {
    let mut escaped = false;
    rest.bytes()
        .position(|b| match b {
            _ if escaped => {
                escaped = false;
                false
            }
            b'\\' => {
                escaped = true;
                false
            }
            b => b == b',',
        })
        .unwrap_or(rest.len())
}

fn parse_term(selector: &str, start: usize, end: usize) -> Result<FieldRequirement, SelectorError> {
    let error =
        |at, found: &str, expected: &str| SelectorError::new(SelectorKind::Field, selector, at, found, expected);
    let term = &selector[start..end];
    let (at, operator, len) = term
        .char_indices()
        .find_map(|(i, _)| match &term.as_bytes()[i..] {
            [b'!', b'=', ..] => Some((i, FieldOperator::NotEqual, 2)),
            [b'=', b'=', ..] => Some((i, FieldOperator::Equal, 2)),
            [b'=', ..] => Some((i, FieldOperator::Equal, 1)),
            _ => None,
        })
        .ok_or_else(|| error(start, term, "path=value, path==value or path!=value"))?;
    let path = &term[..at];
    // Kubernetes takes any text here and refuses it later as an unknown field; the reason is better said now.
    let odd = |c: char| c.is_whitespace() || c.is_control() || "[]()'\"\\,!".contains(c);
    if let Some((i, c)) = path.char_indices().find(|(_, c)| odd(*c)) {
        return Err(error(
            start + i,
            c.encode_utf8(&mut [0; 4]),
            "a dotted path of plain names, without blanks",
        ));
    }
    if path.split('.').any(str::is_empty) {
        return Err(error(start, term, "a dotted path such as metadata.name"));
    }
    let value = unescape(&term[at + len..]).map_err(|(i, found)| {
        error(
            start + at + len + i,
            found,
            r"a value in which '\', ',' and '=' are written '\\', '\,' and '\='",
        )
    })?;
    Ok(FieldRequirement {
        path: path.to_owned(),
        operator,
        value,
    })
}

/// Takes the backslashes off, or says where an escape is wrong or missing.
fn unescape(text: &str) -> Result<String, (usize, &str)> {
    let mut value = String::with_capacity(text.len());
    let mut chars = text.char_indices();
    while let Some((i, c)) = chars.next() {
        match c {
            '\\' => match chars.next() {
                Some((_, c @ ('\\' | ',' | '='))) => value.push(c),
                Some((j, c)) => return Err((i, &text[i..j + c.len_utf8()])),
                None => return Err((i, &text[i..])),
            },
            '=' | ',' => return Err((i, &text[i..i + 1])),
            c => value.push(c),
        }
    }
    Ok(value)
}
