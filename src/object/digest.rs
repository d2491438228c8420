//! The hash by which a client can prove that its view equals the cache: one 64-bit number for each object, and their
//! wrapping sum for a set. Trivial to compute in any language (protocol.md, question 1).

use super::Object;
use crate::hash::Fnv64;

/// Count and wrapping hash sum of a set of objects, kept up to date by adding and removing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Digest {
    /// Objects in the set.
    pub count: u64,
    /// Wrapping sum of [`object_hash`].
    pub sum: u64,
}

/// FNV-1a 64 over `namespace/name/uid/resourceVersion`, then murmur3's 64-bit finaliser.
pub fn object_hash(object: &Object) -> u64 {
    use std::fmt::Write as _;
    let mut fnv = Fnv64::default();
    // Writing to the hasher cannot fail.
    let _ = write!(
        fnv,
        "{}/{}/{}/{}",
        object.key.namespace(),
        object.key.name(),
        object.meta.uid,
        object.meta.resource_version
    );
    let mut h = fnv.finish();
    h ^= h >> 33;
    h = h.wrapping_mul(0xff51_afd7_ed55_8ccd);
    h ^= h >> 33;
    h = h.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    h ^ (h >> 33)
}

// === impl Digest ===

impl Digest {
    /// Adds an object.
    pub fn add(&mut self, object: &Object) {
        self.count = self.count.wrapping_add(1);
        self.sum = self.sum.wrapping_add(object_hash(object));
    }

    /// Removes an object that was added in this state.
    pub fn remove(&mut self, object: &Object) {
        self.count = self.count.wrapping_sub(1);
        self.sum = self.sum.wrapping_sub(object_hash(object));
    }
}
