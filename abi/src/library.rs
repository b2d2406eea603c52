//! What the pass knows of functions that a module only declares, by their names.
//!
//! The pass calls `__rmc_sync` on both sides of a fence, and of a function that may access the program's
//! memory. The checker's table of modelled functions says what their models do; a test there compares the
//! two (`checker/src/system/library/functions.rs`).

/// The beginnings of names of the thread libraries: each function is taken for a full fence.
const FENCING_PREFIXES: [&str; 5] = ["pthread_", "thrd_", "mtx_", "cnd_", "sem_"];
/// Full fences with other names: the end of the process is one, too.
const FENCING_NAMES: [&str; 4] = ["call_once", "exit", "_exit", "quick_exit"];
/// Functions that access no memory the program has a pointer to, though their declarations do not say so at
/// `-O0`.
const WITHOUT_MEMORY: [&str; 6] = ["malloc", "calloc", "aligned_alloc", "_Znwm", "_Znam", "__errno_location"];

/// Whether a declared function of this name is a full fence by the memory model.
#[must_use]
pub fn is_fence(name: &str) -> bool {
    FENCING_NAMES.contains(&name) || FENCING_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// Whether a declared function of this name accesses no memory that the program has a pointer to.
#[must_use]
pub fn accesses_no_memory(name: &str) -> bool {
    WITHOUT_MEMORY.contains(&name)
}
