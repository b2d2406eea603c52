//! The state store: components of states interned once, state vectors in a compressed tree.
//!
//! Lossless: equal ids mean equal contents, nothing is hashed away. The module knows nothing of programs; it stores words.
//!
//! Several workers share components and trees, whose tables have a lock for each of many parts (`shards.rs`) and are read without one (`cells.rs`). The states
//! themselves, which are most of all, are shared out (`states.rs`).

mod cells;
mod index;
mod interner;
mod measure;
mod pairs;
mod roots;
mod shards;
mod states;
mod sync;
mod tree;
mod words;

pub use interner::Interner;
pub use measure::{IndexMeasure, TableMeasure};
pub use states::{Reached, StateStore, States};
pub use sync::lock;
pub use tree::Change;

/// The name of an interned component or tree node.
pub type Id = u32;
