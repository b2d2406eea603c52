//! What the modelled functions order.

/// What a successful call does for happens-before, where it writes to a synchronisation object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// No synchronisation object: a plain write on behalf of the program.
    Plain,
    /// The object begins or ends; that orders nothing.
    Beginning,
    /// Orders nothing itself, and hands on what was handed to it.
    Silent,
    /// Learns what was handed on: takes a lock.
    Acquire,
    /// Hands on what the thread knows: gives a lock back.
    Release,
    /// Both.
    Both,
}

/// The role of a function by its name; none if it has none.
#[must_use]
pub fn role(name: &str) -> Option<Role> {
    Some(match name {
        "pthread_create"
        | "pthread_join"
        | "pthread_tryjoin_np"
        | "pthread_timedjoin_np"
        | "pthread_clockjoin_np"
        | "thrd_create"
        | "thrd_join"
        | "sem_getvalue" => Role::Plain,
        "pthread_mutex_init"
        | "pthread_mutex_destroy"
        | "mtx_init"
        | "mtx_destroy"
        | "pthread_cond_init"
        | "pthread_cond_destroy"
        | "cnd_init"
        | "cnd_destroy"
        | "pthread_rwlock_init"
        | "pthread_rwlock_destroy"
        | "pthread_barrier_init"
        | "pthread_barrier_destroy"
        | "pthread_spin_init"
        | "pthread_spin_destroy"
        | "sem_init"
        | "sem_destroy" => Role::Beginning,
        "pthread_mutex_lock"
        | "pthread_mutex_trylock"
        | "pthread_mutex_timedlock"
        | "pthread_mutex_clocklock"
        | "mtx_lock"
        | "mtx_trylock"
        | "mtx_timedlock"
        | "pthread_rwlock_rdlock"
        | "pthread_rwlock_tryrdlock"
        | "pthread_rwlock_timedrdlock"
        | "pthread_rwlock_clockrdlock"
        | "pthread_rwlock_wrlock"
        | "pthread_rwlock_trywrlock"
        | "pthread_rwlock_timedwrlock"
        | "pthread_rwlock_clockwrlock"
        | "pthread_spin_lock"
        | "pthread_spin_trylock"
        | "sem_wait"
        | "sem_trywait"
        | "sem_timedwait"
        | "sem_clockwait"
        | "once" => Role::Acquire,
        "pthread_mutex_unlock"
        | "mtx_unlock"
        | "pthread_rwlock_unlock"
        | "pthread_spin_unlock"
        | "sem_post"
        | "once_end" => Role::Release,
        // They give the mutex back, and take it again.
        "pthread_cond_wait" | "pthread_cond_timedwait" | "pthread_cond_clockwait" | "cnd_wait" | "cnd_timedwait" => {
            Role::Both
        }
        // They write nothing: threads learn of each other at a barrier by its model, and of a signal through
        // the mutex.
        "pthread_barrier_wait" | "pthread_cond_signal" | "pthread_cond_broadcast" | "cnd_signal" | "cnd_broadcast" => {
            Role::Silent
        }
        _ => return None,
    })
}
