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
        "pthread_create" | "pthread_join" => Role::Plain,
        "pthread_mutex_init" | "pthread_mutex_destroy" => Role::Beginning,
        "pthread_mutex_lock" | "pthread_mutex_trylock" => Role::Acquire,
        "pthread_mutex_unlock" => Role::Release,
        _ => return None,
    })
}
