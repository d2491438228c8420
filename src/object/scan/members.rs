//! Cutting members out of a JSON object together with the commas that belong to them.

use std::ops::Range;

/// Follows the members of one JSON object, so that some can be cut together with the comma that belongs to them.
pub(super) struct Members {
    /// Where the next member's text (with the comma before it) starts.
    from: usize,
    kept_any: bool,
}

// === impl Members ===

impl Members {
    pub(super) fn new(brace: usize) -> Self {
        Self {
            from: brace + 1,
            kept_any: false,
        }
    }

    pub(super) fn keep(&mut self, end: usize) {
        self.from = end;
        self.kept_any = true;
    }

    /// The range of a member that ends at `end`. Before it stands a comma if a member was kept; otherwise the comma
    /// after it goes too.
    pub(super) fn cut(&mut self, end: usize, raw: &[u8]) -> Range<usize> {
        let mut to = end;
        if !self.kept_any {
            let rest = &raw[end..];
            let space = rest.iter().take_while(|b| b.is_ascii_whitespace()).count();
            if rest.get(space) == Some(&b',') {
                to = end + space + 1;
            }
        }
        let range = self.from..to;
        self.from = to;
        range
    }
}
