//! Locks of the native runtime and of the monitor that running threads share.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Takes a lock. A thread that panicked with it has ended the process.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
