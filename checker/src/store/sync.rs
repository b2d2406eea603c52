//! What workers share things with. Where the code is model-checked (`tests/tests/models.rs`), loom's types of the same names take the place of these.

pub use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
pub use std::sync::{Mutex, MutexGuard, OnceLock};

/// So many words that are zero.
pub fn zeros(len: usize) -> Box<[AtomicU64]> {
    bytemuck::zeroed_slice_box(len)
}

/// Waits for a lock. A worker that failed while it had the lock ends the search for all, so what it left behind is not looked at.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
