//! resourceVersion: an opaque string that compares as KEP-5504 says.

use std::{cmp::Ordering, fmt, sync::Arc};

/// A resourceVersion. Decimal numbers up to 64 bits take no allocation; all others stay text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ResourceVersion(Repr);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Repr {
    Number(u64),
    Text(Arc<str>),
}

// === impl ResourceVersion ===

impl ResourceVersion {
    /// Reads a version; never fails, because aggregated API servers may use any string.
    pub fn parse(s: &str) -> Self {
        match s.parse::<u64>() {
            // A sign or a leading zero would not print back the same.
            Ok(n) if s.len() == 1 || !s.starts_with(['0', '+']) => Self(Repr::Number(n)),
            _ => Self(Repr::Text(s.into())),
        }
    }

    /// True if there is none.
    pub fn is_empty(&self) -> bool {
        matches!(&self.0, Repr::Text(s) if s.is_empty())
    }

    /// True if the version can be compared: decimal, not "0", no leading zero.
    pub fn is_comparable(&self) -> bool {
        match &self.0 {
            Repr::Number(n) => *n > 0,
            Repr::Text(s) => is_decimal(s),
        }
    }

    /// Older, equal or newer, by length and then by bytes (KEP-5504); `None` if they are not equal and one of them is not
    /// comparable.
    pub fn compare(&self, other: &Self) -> Option<Ordering> {
        if self == other {
            return Some(Ordering::Equal);
        }
        match (&self.0, &other.0) {
            (Repr::Number(a), Repr::Number(b)) if *a > 0 && *b > 0 => Some(a.cmp(b)),
            _ if self.is_comparable() && other.is_comparable() => {
                let (a, b) = (self.to_string(), other.to_string());
                Some(a.len().cmp(&b.len()).then_with(|| a.cmp(&b)))
            }
            _ => None,
        }
    }

    /// True if `self` is at least `other`; incomparable versions are not.
    pub fn reaches(&self, other: &Self) -> bool {
        self.compare(other).is_some_and(Ordering::is_ge)
    }
}

impl Default for ResourceVersion {
    fn default() -> Self {
        Self(Repr::Text("".into()))
    }
}

impl fmt::Display for ResourceVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Number(n) => n.fmt(f),
            Repr::Text(s) => f.write_str(s),
        }
    }
}

fn is_decimal(s: &str) -> bool {
    !s.is_empty() && !s.starts_with('0') && s.bytes().all(|b| b.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compares_as_kep_5504_says() {
        let rv = ResourceVersion::parse;
        let big = "340282366920938463463374607431768211455";
        let table = [
            ("9", "10", Some(Ordering::Less)),
            ("10", "10", Some(Ordering::Equal)),
            ("11", "10", Some(Ordering::Greater)),
            ("18446744073709551615", "18446744073709551616", Some(Ordering::Less)),
            (big, "1", Some(Ordering::Greater)),
            ("abc", "abc", Some(Ordering::Equal)),
            ("abc", "1", None),
            ("0", "1", None),
            ("01", "1", None),
            ("", "1", None),
        ];
        for (a, b, want) in table {
            assert_eq!(rv(a).compare(&rv(b)), want, "{a:?} {b:?}");
            assert_eq!(rv(b).compare(&rv(a)), want.map(Ordering::reverse), "{b:?} {a:?}");
        }
    }

    #[test]
    fn prints_as_it_came() {
        for s in ["", "0", "1", "007", "+5", "-1", "18446744073709551616", "x"] {
            assert_eq!(ResourceVersion::parse(s).to_string(), s);
        }
    }
}
