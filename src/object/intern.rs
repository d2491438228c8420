//! Strings that repeat across objects (namespaces, label keys and values, kinds) are kept once.

use std::{collections::HashSet, sync::Arc};

use parking_lot::Mutex;

/// Shares equal strings. Strings that nothing uses any more are dropped when the table has doubled, so values that
/// never repeat (a label with a pod's own name) do not pile up.
#[derive(Debug, Default)]
pub struct Interner {
    table: Mutex<Table>,
}

#[derive(Debug, Default)]
struct Table {
    strings: HashSet<Arc<str>>,
    sweep_at: usize,
}

const FIRST_SWEEP: usize = 1024;

// === impl Interner ===

impl Interner {
    /// The shared copy of `s`.
    pub fn intern(&self, s: &str) -> Arc<str> {
        let mut table = self.table.lock();
        if let Some(found) = table.strings.get(s) {
            return found.clone();
        }
        if table.strings.len() >= table.sweep_at.max(FIRST_SWEEP) {
            table.strings.retain(|s| Arc::strong_count(s) > 1);
            table.sweep_at = table.strings.len() * 2;
        }
        let shared: Arc<str> = Arc::from(s);
        table.strings.insert(shared.clone());
        shared
    }

    #[cfg(test)]
    fn len(&self) -> usize {
        self.table.lock().strings.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_strings_share_one_allocation() {
        let interner = Interner::default();
        assert!(Arc::ptr_eq(&interner.intern("a"), &interner.intern("a")));
    }

    #[test]
    fn unused_strings_do_not_pile_up() {
        let interner = Interner::default();
        let kept = interner.intern("kept");
        for i in 0..100_000 {
            interner.intern(&format!("pod-{i}"));
        }
        assert!(interner.len() <= 2 * FIRST_SWEEP, "{}", interner.len());
        assert!(Arc::ptr_eq(&kept, &interner.intern("kept")));
    }
}
