//! The query parameters of a request.

use super::status::StatusError;

#[derive(Debug, Default)]
pub(super) struct Query(Vec<(String, String)>);

// === impl Query ===

impl Query {
    pub(super) fn parse(text: &str) -> Self {
        Self(url::form_urlencoded::parse(text.as_bytes()).into_owned().collect())
    }

    /// A parameter that is there and not empty.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0
            .iter()
            .find(|(key, value)| key == name && !value.is_empty())
            .map(|(_, value)| value.as_str())
    }

    /// `true` and `1` as in the real server's conversion; anything but `false` and `0`.
    pub(super) fn flag(&self, name: &str) -> bool {
        self.given_flag(name).unwrap_or(false)
    }

    pub(super) fn given_flag(&self, name: &str) -> Option<bool> {
        self.get(name).map(|value| !matches!(value, "false" | "0"))
    }

    pub(super) fn number(&self, name: &str) -> Result<Option<u64>, StatusError> {
        let parse = |value: &str| {
            value
                .parse()
                .map_err(|_| StatusError::bad_request(format!("{name}: not a number: {value:?}")))
        };
        self.get(name).map(parse).transpose()
    }

    pub(super) fn resource_version(&self) -> Result<Option<u64>, StatusError> {
        let parse = |value: &str| {
            let why = format!(
                "resourceVersion: Invalid value: {value:?}: strconv.ParseUint: parsing {value:?}: invalid syntax"
            );
            value.parse().map_err(|_| StatusError::bad_request(why))
        };
        self.get("resourceVersion").map(parse).transpose()
    }
}
