//! metadata.uid: 16 bytes when it is a UUID as the API server makes them, else the string as it is.

use std::fmt;

use uuid::Uuid;

/// A uid.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Uid(Repr);

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Repr {
    Uuid(Uuid),
    Text(Box<str>),
}

// === impl Uid ===

impl Uid {
    /// Reads a uid. A UUID in another spelling than the canonical one stays text, so that it prints as it came.
    pub fn parse(s: &str) -> Self {
        if s.len() == 36
            && !s.bytes().any(|b| b.is_ascii_uppercase())
            && let Ok(uuid) = Uuid::try_parse(s)
        {
            return Self(Repr::Uuid(uuid));
        }
        Self(Repr::Text(s.into()))
    }

    /// True for an object without uid.
    pub fn is_empty(&self) -> bool {
        matches!(&self.0, Repr::Text(s) if s.is_empty())
    }
}

impl Default for Uid {
    fn default() -> Self {
        Self(Repr::Text("".into()))
    }
}

impl fmt::Display for Uid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Repr::Uuid(u) => u.as_hyphenated().fmt(f),
            Repr::Text(s) => f.write_str(s),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_as_it_came() {
        for s in [
            "7f3d2a10-9f1c-4d7e-8a55-0123456789ab",
            "7F3D2A10-9F1C-4D7E-8A55-0123456789AB",
            "not a uuid",
            "",
        ] {
            assert_eq!(Uid::parse(s).to_string(), s);
        }
    }
}
