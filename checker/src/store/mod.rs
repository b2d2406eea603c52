//! The state store: components of states interned once, state vectors in a compressed tree.
//!
//! Lossless: equal ids mean equal contents, nothing is hashed away, unless that is asked for (`compaction.rs`). The module knows nothing of programs; it stores words.
//! Its large arrays are in memory, or in a file (`space.rs`).
//!
//! Several workers share components and trees, whose tables have a lock for each of many parts (`shards.rs`) and are read without one (`cells.rs`). The states
//! themselves, which are most of all, are shared out (`states.rs`).

mod cells;
mod compaction;
mod edits;
mod folds;
mod index;
mod interner;
mod log;
mod mapped;
mod measure;
mod notes;
mod pairs;
#[cfg(test)]
mod properties;
mod roots;
mod save;
mod saved;
mod shards;
mod space;
mod states;
mod sync;
mod tree;
mod words;

pub use edits::{DeltaInterner, Edit};
pub use interner::Interner;
pub use measure::{IndexMeasure, TableMeasure};
pub use saved::{Reader, Writer, damaged};
pub use space::Space;
pub use states::{Identity, Name, Reached, StateStore, States};
pub use sync::lock;
pub use tree::Change;

/// The name of an interned component or tree node.
pub type Id = u32;
