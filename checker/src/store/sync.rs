//! Synchronisation types of the workers. Where the code is model-checked (`tests/tests/models.rs`), loom's
//! types of the same names replace these.

use std::ops::Deref;
pub use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
pub use std::sync::{Mutex, MutexGuard, OnceLock};

use super::mapped::AtomicWords;
use super::space::{Space, Use};

/// An array of atomic words that are zero at first.
pub enum Zeros {
    /// In memory.
    InMemory(Box<[AtomicU64]>),
    /// In the file.
    InFile(AtomicWords),
}

/// An array of `len` words.
pub fn zeros(space: &Space, len: usize) -> Zeros {
    let in_file = space.atomic_words(len, Use::AtRandom).map(Zeros::InFile);
    in_file.unwrap_or_else(|| Zeros::InMemory(bytemuck::zeroed_slice_box(len)))
}

impl Deref for Zeros {
    type Target = [AtomicU64];

    #[inline]
    fn deref(&self) -> &[AtomicU64] {
        match self {
            Self::InMemory(words) => words,
            Self::InFile(words) => words,
        }
    }
}

/// Acquires a lock. Poisoning is ignored: a worker that panicked while it held the lock ends the search for
/// all workers, so the data it left behind is not used.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
