//! The state store: components of states interned once, state vectors in a compressed tree.
//!
//! It is lossless: equal ids mean equal contents. Only with hash compaction (`compaction.rs`), which the user
//! must ask for, can different states be taken for equal. The module knows nothing of programs; it stores
//! words. Its large arrays are in memory, or in a file (`space.rs`).
//!
//! Several workers share components and trees. The tables of these have a lock for each of many parts
//! (`shards.rs`) and are read without a lock (`cells.rs`). The states themselves, which take most memory, are
//! partitioned among the workers (`states.rs`).

mod cells;
mod compaction;
mod edit_interner;
mod fold_cache;
mod index;
mod interner;
mod log;
mod mapped;
mod measure;
mod pairs;
#[cfg(test)]
mod properties;
mod roots;
mod save;
mod saved;
mod shards;
mod sleep_marks;
mod space;
mod states;
mod sync;
mod tree;
mod words;

pub use edit_interner::{Edit, EditInterner};
pub use interner::Interner;
pub use measure::{IndexMeasure, TableMeasure};
pub use saved::{Reader, Writer, damaged};
pub use space::Space;
pub use states::{Identity, Name, Reached, StateStore, States};
pub use sync::lock;
pub use tree::Change;

/// The name of an interned component or tree node.
pub type Id = u32;
