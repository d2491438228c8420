//! What repeats across objects (namespaces, label keys and values, kinds; the whole set of labels and owners of replicas) is
//! kept once.

use std::{borrow::Borrow, collections::HashSet, fmt, hash::Hash, sync::Arc};

use parking_lot::Mutex;

/// Shares equal values. Those that nothing uses any more are dropped when the table has doubled, so values that
/// never repeat (a label with a pod's own name) do not pile up.
pub struct Interner<T: ?Sized> {
    table: Mutex<Table<T>>,
}

struct Table<T: ?Sized> {
    values: HashSet<Arc<T>>,
    sweep_at: usize,
}

const FIRST_SWEEP: usize = 1024;

// === impl Interner ===

impl<T: ?Sized + Hash + Eq> Interner<T>
where
    Arc<T>: for<'a> From<&'a T> + Borrow<T>,
{
    /// The shared copy of `value`.
    pub fn intern(&self, value: &T) -> Arc<T> {
        let mut table = self.table.lock();
        if let Some(found) = table.values.get(value) {
            return found.clone();
        }
        if table.values.len() >= table.sweep_at.max(FIRST_SWEEP) {
            table.values.retain(|v| Arc::strong_count(v) > 1);
            table.sweep_at = table.values.len() * 2;
        }
        let shared: Arc<T> = Arc::from(value);
        table.values.insert(shared.clone());
        shared
    }
}

impl<T: ?Sized> Interner<T> {
    fn len(&self) -> usize {
        self.table.lock().values.len()
    }
}

impl<T: ?Sized> Default for Interner<T> {
    fn default() -> Self {
        Self {
            table: Mutex::new(Table {
                values: HashSet::new(),
                sweep_at: 0,
            }),
        }
    }
}

impl<T: ?Sized> fmt::Debug for Interner<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Interner({})", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_strings_share_one_allocation() {
        let interner = Interner::<str>::default();
        assert!(Arc::ptr_eq(&interner.intern("a"), &interner.intern("a")));
    }

    #[test]
    fn unused_strings_do_not_pile_up() {
        let interner = Interner::<str>::default();
        let kept = interner.intern("kept");
        for i in 0..100_000 {
            interner.intern(&format!("pod-{i}"));
        }
        assert!(interner.len() <= 2 * FIRST_SWEEP, "{}", interner.len());
        assert!(Arc::ptr_eq(&kept, &interner.intern("kept")));
    }
}
