//! What the cells of all tables share.

use serde_json::Value;

use super::{age, text};

/// What cells depend on beside the object.
#[derive(Debug, Clone, Copy)]
pub struct Context {
    /// Seconds since 1970.
    pub now: i64,
    /// `-o wide`.
    pub wide: bool,
}

pub(super) fn name(o: &Value) -> String {
    text(o, &["metadata", "name"]).to_owned()
}

pub(super) fn age_of(o: &Value, context: &Context) -> String {
    age::since(text(o, &["metadata", "creationTimestamp"]), context.now)
}
