//! Guards: how threads use the words of shared memory. `system/observe/guards.rs` checks them.

use serde::{Deserialize, Serialize};

/// A word of memory, four bytes: its object, and its index in the object.
pub type Word = (u32, u32);

/// The reason for which no other thread interferes with a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Guard {
    /// No thread writes the word.
    Unwritten,
    /// Only this thread uses the word.
    Thread(usize),
    /// Only this thread writes the word; others may read it. Its accesses still need scheduling points;
    /// `system/step/repeats.rs` uses this guard.
    Writer(usize),
    /// Every thread that uses the word holds the mutex that begins with this word.
    Mutex(Word),
    /// The word belongs to a mutex and is used as nothing else.
    Lock {
        /// True if threads only ever wait for the mutex: no thread calls trylock or a lock with a timeout.
        waited_for: bool,
    },
}
