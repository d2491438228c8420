//! Label selectors: `k8s.io/apimachinery/pkg/labels`.

mod parse;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt;

use super::SelectorError;

/// A conjunction of requirements on labels. The empty one selects everything.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LabelSelector {
    /// Sorted and without duplicates: see the module's note on identity.
    requirements: Vec<LabelRequirement>,
}

/// One requirement on one label key.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LabelRequirement {
    key: String,
    operator: LabelOperator,
}

/// What is asked of the key. Equality is a set of one value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LabelOperator {
    /// `=`, `==`, `in`: the key is there with one of these values.
    In(BTreeSet<String>),
    /// `!=`, `notin`: the key is absent, or has none of these values.
    NotIn(BTreeSet<String>),
    /// The key is there.
    Exists,
    /// The key is absent.
    DoesNotExist,
    /// The value is an integer above this one.
    GreaterThan(i64),
    /// The value is an integer below this one.
    LessThan(i64),
}

// === impl LabelSelector ===

impl LabelSelector {
    /// Parses the grammar of `kubectl -l` and of the API's `labelSelector` parameter.
    pub fn parse(selector: &str) -> Result<Self, SelectorError> {
        parse::parse(selector).map(|requirements| requirements.into_iter().collect())
    }

    /// The selector without requirements.
    pub fn everything() -> Self {
        Self::default()
    }

    /// Whether it selects every object.
    pub fn is_everything(&self) -> bool {
        self.requirements.is_empty()
    }

    /// The requirements, all of which must hold, sorted.
    pub fn requirements(&self) -> &[LabelRequirement] {
        &self.requirements
    }

    /// Whether an object with these labels is selected; `get` answers a label's value.
    pub fn matches<'o>(&self, get: impl Fn(&str) -> Option<&'o str>) -> bool {
        self.requirements
            .iter()
            .all(|requirement| requirement.matches(get(&requirement.key)))
    }

    /// The requirements that pin a key to a set of values, from which an index can take its candidates.
    pub fn exact(&self) -> impl Iterator<Item = (&str, &BTreeSet<String>)> {
        self.requirements
            .iter()
            .filter_map(|requirement| match &requirement.operator {
                LabelOperator::In(values) => Some((requirement.key.as_str(), values)),
                _ => None,
            })
    }

    /// The canonical text: the same for equivalent spellings, and parsed back into an equal selector.
    pub fn normalized(&self) -> String {
        self.to_string()
    }
}

impl FromIterator<LabelRequirement> for LabelSelector {
    fn from_iter<I: IntoIterator<Item = LabelRequirement>>(iter: I) -> Self {
        let mut requirements: Vec<_> = iter.into_iter().collect();
        requirements.sort();
        requirements.dedup();
        Self { requirements }
    }
}

impl std::str::FromStr for LabelSelector {
    type Err = SelectorError;

    fn from_str(selector: &str) -> Result<Self, SelectorError> {
        Self::parse(selector)
    }
}

impl fmt::Display for LabelSelector {
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

// === impl LabelRequirement ===

impl LabelRequirement {
    /// The label key.
    pub fn key(&self) -> &str {
        &self.key
    }

    /// What is asked of it.
    pub fn operator(&self) -> &LabelOperator {
        &self.operator
    }

    /// Whether a label with this value, or an absent one, fulfils it.
    pub fn matches(&self, value: Option<&str>) -> bool {
        // A label that is no integer is never above or below one.
        let number = || value.and_then(|v| v.parse::<i64>().ok());
        match &self.operator {
            LabelOperator::In(values) => value.is_some_and(|v| values.contains(v)),
            LabelOperator::NotIn(values) => value.is_none_or(|v| !values.contains(v)),
            LabelOperator::Exists => value.is_some(),
            LabelOperator::DoesNotExist => value.is_none(),
            LabelOperator::GreaterThan(bound) => number().is_some_and(|n| n > *bound),
            LabelOperator::LessThan(bound) => number().is_some_and(|n| n < *bound),
        }
    }
}

impl fmt::Display for LabelRequirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, operator } = self;
        let (one, many, values) = match operator {
            LabelOperator::In(values) => ("=", "in", values),
            LabelOperator::NotIn(values) => ("!=", "notin", values),
            LabelOperator::Exists => return f.write_str(key),
            LabelOperator::DoesNotExist => return write!(f, "!{key}"),
            LabelOperator::GreaterThan(bound) => return write!(f, "{key}>{bound}"),
            LabelOperator::LessThan(bound) => return write!(f, "{key}<{bound}"),
        };
        let mut iter = values.iter();
        match (iter.next(), values.len()) {
            (Some(value), 1) => write!(f, "{key}{one}{value}"),
            (first, _) => {
                write!(f, "{key} {many} ({}", first.map_or("", String::as_str))?;
                iter.try_for_each(|value| write!(f, ",{value}"))?;
                f.write_str(")")
            }
        }
    }
}
