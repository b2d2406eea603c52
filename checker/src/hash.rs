//! The hash maps of the checker, under one name.
//!
//! The standard library's maps use SipHash with a random key, so that nobody who chooses the keys can make them
//! collide. Keys here are numbers that the checker gives itself: registers, addresses, positions, words of
//! states; whoever chooses a program harms nobody but himself. So the maps use the hash of the Rust compiler
//! (`fxhash`), one multiplication for each word, where SipHash takes several rounds: maps are asked in every
//! step. It also has no random key: two runs go through a map in the same order.
//!
//! The tables of states are no such maps: they have a hash and a layout of their own (`store/index.rs`,
//! `store/roots.rs`).

pub use fxhash::FxHasher;

use std::hash::BuildHasherDefault;

/// A map by [`FxHasher`].
pub type FxHashMap<K, V> = std::collections::HashMap<K, V, BuildHasherDefault<FxHasher>>;

/// A set by [`FxHasher`].
pub type FxHashSet<T> = std::collections::HashSet<T, BuildHasherDefault<FxHasher>>;
