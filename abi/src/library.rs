//! The declared functions that the pass knows by their names.
//!
//! The pass calls `__rmc_sync` on both sides of a fence, and of a function that may access the program's
//! memory. The checker's table of modelled functions describes the effects of their models; a test there
//! compares the two (`checker/src/system/library/functions.rs`).

/// The prefixes of the thread libraries' names: each function is taken for a full fence.
const FENCING_PREFIXES: [&str; 5] = ["pthread_", "thrd_", "mtx_", "cnd_", "sem_"];
/// Full fences with other names. The end of the process is one, too.
const FENCING_NAMES: [&str; 4] = ["call_once", "exit", "_exit", "quick_exit"];
/// Functions that access no memory that others access, though their declarations do not say so at `-O0`.
/// Allocators are none of these: memory that one thread frees and another one gets orders the two.
const WITHOUT_MEMORY: [&str; 1] = ["__errno_location"];

/// True if a declared function of this name is a full fence by the memory model.
#[must_use]
pub fn is_fence(name: &str) -> bool {
    FENCING_NAMES.contains(&name) || FENCING_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}

/// True if a declared function of this name accesses no memory that others access.
#[must_use]
pub fn accesses_no_memory(name: &str) -> bool {
    WITHOUT_MEMORY.contains(&name)
}
