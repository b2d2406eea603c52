//! The hash maps of the checker, under one name.
//!
//! The standard library's maps use SipHash with a random key, which protects against chosen keys that
//! collide. Keys here are numbers that the checker assigns itself: registers, addresses, positions, words of
//! states; an adversarial program would slow down only its author's run. So the maps use the hash of the Rust
//! compiler (`rustc-hash`): one multiplication for each word, where SipHash takes several rounds. Maps are
//! accessed in every step. The hash also has no random key, so two runs iterate over a map in the same order.
//! Version 1, which is also `fxhash`, does not move the high bits of the product to where maps look: objects
//! are 2^26 bytes apart or more, so all keys that begin with an object's address were in one place.
//!
//! The tables of states do not use these maps: they have a hash and a layout of their own (`store/index.rs`,
//! `store/roots.rs`).

pub use rustc_hash::FxHasher;

use std::hash::{BuildHasherDefault, Hasher};

/// A map with [`FxHasher`].
pub type FxHashMap<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<FxHasher>>;

/// A set with [`FxHasher`].
pub type FxHashSet<T> = std::collections::HashSet<T, BuildHasherDefault<FxHasher>>;

/// A set with [`FxHasher`] whose entries have positions, in the order in which they were added.
pub type FxIndexSet<T> = indexmap::IndexSet<T, BuildHasherDefault<FxHasher>>;

/// The half of a hash that depends on all bits of what was hashed.
pub fn half(hasher: &FxHasher) -> u32 {
    // They are the highest bits of the product, which the hash has turned by 26.
    hasher.finish().rotate_left(6) as u32
}

/// A hash of which a table takes the highest bits and the lowest.
pub fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::hash::BuildHasher;

    use super::*;

    /// The number of places, of 4,096, that so many keys have in a table.
    fn places(keys: impl Iterator<Item = u64>) -> usize {
        let hasher = BuildHasherDefault::<FxHasher>::default();
        keys.map(|key| hasher.hash_one(key) % 4096).collect::<BTreeSet<_>>().len()
    }

    #[test]
    fn keys_that_differ_in_high_bits_have_different_places() {
        for shift in [0, 3, 12, 26, 36] {
            let places = places((0..4096).map(|key| key << shift));
            // Random hashes have 2,589 on average.
            assert!(places > 1900, "{places} places for keys that differ from bit {shift} on");
        }
    }
}
