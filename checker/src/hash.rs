//! The hash maps of the checker, under one name.
//!
//! The standard library's maps use SipHash with a random key, which protects against chosen keys that
//! collide. Keys here are numbers that the checker assigns itself: registers, addresses, positions, words of
//! states; an adversarial program would slow down only its author's run. So the maps use the hash of the Rust
//! compiler (`fxhash`): one multiplication for each word, where SipHash takes several rounds. Maps are
//! accessed in every step. The hash also has no random key, so two runs iterate over a map in the same order.
//!
//! The tables of states do not use these maps: they have a hash and a layout of their own (`store/index.rs`,
//! `store/roots.rs`).

pub use fxhash::FxHasher;

use std::hash::BuildHasherDefault;

/// A map with [`FxHasher`].
pub type FxHashMap<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<FxHasher>>;

/// A set with [`FxHasher`].
pub type FxHashSet<T> = std::collections::HashSet<T, BuildHasherDefault<FxHasher>>;

/// A set with [`FxHasher`] whose entries have positions, in the order in which they were added.
pub type FxIndexSet<T> = indexmap::IndexSet<T, BuildHasherDefault<FxHasher>>;

/// A hash of which a table takes the highest bits and the lowest.
pub fn spread(hash: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(hash)
}
