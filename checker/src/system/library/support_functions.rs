//! The table of support library functions about which a fact is needed. They are C and have no model, so they
//! have no row in `functions.rs`.

use super::facts::OnThreads;

/// A function that the support library defines and that has no model.
#[derive(Clone, Copy, Debug)]
pub struct SupportFunction {
    /// The name by which code calls it.
    pub name: &'static str,
    /// The function's effect on threads.
    pub on_threads: OnThreads,
    /// A function that a program with this one needs as well, though this one does not mention it.
    pub companion: Option<&'static str>,
    /// True if the function opens a file.
    pub opens_files: bool,
}

/// All rows.
pub const SUPPORT_FUNCTIONS: [SupportFunction; 10] = [
    with_companion("atexit", "exit"),
    with_companion("__cxa_atexit", "exit"),
    with_companion("pthread_key_create", "__rmc_thread_end"),
    with_companion("tss_create", "__rmc_thread_end"),
    with_companion("__pthread_register_cancel", "pthread_exit"),
    opens_files("fopen"),
    opens_files("fopen64"),
    opens_files("tmpfile"),
    opens_files("tmpfile64"),
    // It makes threads begin detached.
    SupportFunction { on_threads: OnThreads::Detaches, ..row("pthread_attr_setdetachstate") },
];

const fn row(name: &'static str) -> SupportFunction {
    SupportFunction { name, on_threads: OnThreads::Nothing, companion: None, opens_files: false }
}

const fn with_companion(name: &'static str, companion: &'static str) -> SupportFunction {
    SupportFunction { companion: Some(companion), ..row(name) }
}

const fn opens_files(name: &'static str) -> SupportFunction {
    SupportFunction { opens_files: true, ..row(name) }
}

/// The row of the function of this name, if it has one.
#[must_use]
pub fn support_function(name: &str) -> Option<&'static SupportFunction> {
    SUPPORT_FUNCTIONS.iter().find(|row| row.name == name)
}
