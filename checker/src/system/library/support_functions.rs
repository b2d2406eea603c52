//! The table of support library functions and variables about which a fact is needed. They are C and have no
//! model, so they have no row in `functions.rs`.

use super::facts::OnThreads;

/// A function that the support library defines and that has no model.
#[derive(Clone, Copy, Debug)]
pub struct SupportFunction {
    /// The name by which code calls it.
    pub name: &'static str,
    /// The function's effect on threads.
    pub on_threads: OnThreads,
    /// The functions that a program with this one needs as well, though this one does not mention them.
    pub companions: &'static [&'static str],
    /// True if the function opens a file.
    pub opens_files: bool,
    /// True if the function gives the program a reading of a clock that may pass.
    pub reads_clocks: bool,
}

/// All rows.
pub const SUPPORT_FUNCTIONS: [SupportFunction; 18] = [
    with_companions("atexit", &["exit"]),
    with_companions("__cxa_atexit", &["exit"]),
    with_companions("__cxa_thread_atexit", &["__rmc_thread_end", "exit"]),
    with_companions("__cxa_thread_atexit_impl", &["__rmc_thread_end", "exit"]),
    with_companions("__rmc_rust_enable_guard", &["__rmc_thread_end"]),
    with_companions("pthread_key_create", &["__rmc_thread_end"]),
    with_companions("tss_create", &["__rmc_thread_end"]),
    with_companions("__pthread_register_cancel", &["pthread_exit"]),
    opens_files("fopen"),
    opens_files("fopen64"),
    opens_files("tmpfile"),
    opens_files("tmpfile64"),
    reads_clocks("time"),
    reads_clocks("clock_gettime"),
    reads_clocks("gettimeofday"),
    reads_clocks("timespec_get"),
    // The clocks of the C++ support library.
    reads_clocks("__rmc_last_count"),
    // It makes threads begin detached.
    SupportFunction { on_threads: OnThreads::Detaches, ..row("pthread_attr_setdetachstate") },
];

const fn row(name: &'static str) -> SupportFunction {
    SupportFunction { name, on_threads: OnThreads::Nothing, companions: &[], opens_files: false, reads_clocks: false }
}

const fn with_companions(name: &'static str, companions: &'static [&'static str]) -> SupportFunction {
    SupportFunction { companions, ..row(name) }
}

const fn opens_files(name: &'static str) -> SupportFunction {
    SupportFunction { opens_files: true, ..row(name) }
}

const fn reads_clocks(name: &'static str) -> SupportFunction {
    SupportFunction { reads_clocks: true, ..row(name) }
}

/// The row of the function of this name, if it has one.
#[must_use]
pub fn support_function(name: &str) -> Option<&'static SupportFunction> {
    SUPPORT_FUNCTIONS.iter().find(|row| row.name == name)
}
