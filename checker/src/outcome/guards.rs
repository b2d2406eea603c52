//! What is known of how threads use the words of shared memory: see `system/observe/guards.rs`, which checks
//! it.

use serde::{Deserialize, Serialize};

/// A word of memory, four bytes: its object, and its number within.
pub type Word = (u32, u32);

/// What keeps other threads away from a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Guard {
    /// Nobody writes it.
    Unwritten,
    /// Only this thread uses it.
    Thread(usize),
    /// Only this thread writes it; others may read it. So accesses need their scheduling points; what it is
    /// good for is in `system/step/repeats.rs`.
    Writer(usize),
    /// Who uses it holds the mutex that begins with this word.
    Mutex(Word),
    /// It is a part of a mutex, and nothing else; whether nobody asks who holds it but to wait.
    Lock {
        /// Nobody tries to lock it, or gives up after some time.
        waited_for: bool,
    },
}
