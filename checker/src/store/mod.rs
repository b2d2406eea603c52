//! The state store: components of states interned once, state vectors in a compressed tree.
//!
//! Lossless: equal ids mean equal contents, nothing is hashed away. The module knows nothing of programs; it stores words.

mod interner;
mod measure;
mod pairs;
mod roots;
mod states;
mod table;
mod tree;
mod words;

pub use interner::Interner;
pub use measure::{IndexMeasure, TableMeasure};
pub use states::{Reached, StateStore};
pub use tree::Change;

/// The name of an interned component or tree node.
pub type Id = u32;
