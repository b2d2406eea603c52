//! Calls of lock functions in the C source of random programs.

use super::program::{Lock, Taking};

/// The name of the object, and the prefix of its functions.
fn lock_name(lock: Lock) -> (String, &'static str) {
    match lock {
        Lock::Mutex(number) => (format!("mutex{number}"), "pthread_mutex_"),
        Lock::Recursive => ("recursive".to_owned(), "pthread_mutex_"),
        Lock::Checking => ("checking".to_owned(), "pthread_mutex_"),
        Lock::Reading | Lock::Writing => ("rwlock".to_owned(), "pthread_rwlock_"),
        Lock::Spin => ("spinlock".to_owned(), "pthread_spin_"),
    }
}

/// An expression that takes a lock; its value is 0 if the lock was taken.
pub fn acquire(lock: Lock, taking: Taking) -> String {
    let (object, family) = lock_name(lock);
    let operation = match lock {
        Lock::Reading => "rdlock",
        Lock::Writing => "wrlock",
        _ => "lock",
    };
    match taking {
        // Spin locks have no function with a timeout.
        Taking::Timed if lock != Lock::Spin => format!("{family}timed{operation}(&{object}, &soon)"),
        Taking::Try | Taking::Timed => format!("{family}try{operation}(&{object})"),
        Taking::Wait => format!("{family}{operation}(&{object})"),
    }
}

/// An expression that releases it.
pub fn release(lock: Lock) -> String {
    let (object, family) = lock_name(lock);
    format!("{family}unlock(&{object})")
}
