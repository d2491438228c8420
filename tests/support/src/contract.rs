//! Parts of the contract that a client has to know, written down once more from its words: what informerd sends is compared
//! with what these say.

use std::fmt::Display;

/// The hash of an object (`StartResume.known_object_hashes`). `key` is `namespace/name`.
pub fn object_hash(key: &str, uid: &str, resource_version: impl Display) -> u64 {
    let text = format!("{key}/{uid}/{resource_version}");
    let fnv = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    let mixed = (fnv ^ (fnv >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let mixed = (mixed ^ (mixed >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    mixed ^ (mixed >> 33)
}
