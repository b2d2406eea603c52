//! The functions of the standard library that the pass knows, by their paths in rustc 1.63 and 1.95.
//!
//! A path has no arguments of types: `hashbrown::map::HashMap::iter`, whichever way of mangling a name has.

use rmc_llvm::edit::Value;

/// Functions that have another body here, and the functions of the support library that have that body. They
/// take and return the same.
pub const REPLACED: [(&str, &str); 22] = [
    ("std::sys::unix::stack_overflow::imp::init", "__rmc_rust_nothing"),
    ("std::sys::pal::unix::stack_overflow::imp::make_handler", "__rmc_rust_no_handler"),
    ("std::sys::unix::stack_overflow::imp::make_handler", "__rmc_rust_no_handler_here"),
    ("std::sys::pal::unix::stack_overflow::imp::drop_handler", "__rmc_rust_drop_no_handler"),
    ("std::sys::thread_local::guard::key::enable", "__rmc_rust_enable_guard"),
    ("std::sys_common::thread::min_stack", "__rmc_rust_min_stack"),
    ("std::thread::Thread::cname", "__rmc_rust_no_name"),
    ("std::sys::unix::thread::guard::init", "__rmc_rust_no_guard"),
    ("std::sys::unix::thread::guard::current", "__rmc_rust_no_guard"),
    ("std::sys::unix::futex::futex_wait", "__rmc_rust_futex_wait"),
    ("std::io::stdio::set_output_capture", "__rmc_rust_set_output_capture"),
    ("std::sys::unix::rand::hashmap_random_keys", "__rmc_rust_hash_keys"),
    ("std::sys::random::linux::hashmap_random_keys", "__rmc_rust_hash_keys"),
    ("std::thread::available_parallelism", "__rmc_rust_processors"),
    ("std::thread::functions::available_parallelism", "__rmc_rust_processors_pair"),
    // Their counter only decides how long a thread spins, and when it yields.
    ("std::sync::mpmc::utils::Backoff::spin_light", "__rmc_rust_no_backoff"),
    ("std::sync::mpmc::utils::Backoff::spin_heavy", "__rmc_rust_no_backoff"),
    ("std::backtrace::Backtrace::create", "__rmc_rust_backtrace"),
    (
        "<<std::sys::backtrace::BacktraceLock>::print::DisplayBacktrace as core::fmt::Display>::fmt",
        "__rmc_rust_no_text",
    ),
    ("std::panicking::default_hook", "__rmc_rust_hook"),
    ("std::panicking::rust_panic_with_hook", BEGINS_PANIC),
    ("std::panicking::panic_with_hook", BEGINS_PANIC),
];

/// The support library's name for the function that begins a panic.
pub const BEGINS_PANIC: &str = "__rmc_rust_panic";
/// Its name for std's own.
pub const STD_BEGINS_PANIC: &str = "__rmc_rust_unwind";
/// The routine that reads tables of landing pads.
pub const PERSONALITY: &str = "rust_eh_personality";
/// The function that calls `main`. What it catches only ends the process.
pub const CALLS_MAIN: &str = "std::rt::lang_start_internal";

/// The functions that the support library calls, and its names for them.
pub const CALLED: [(&str, &str); 2] = [
    ("core::fmt::write", "__rmc_rust_write"),
    ("std::sys::thread_local::guard::key::enable::run", "__rmc_rust_run_guard"),
];

/// The functions that are given something that only the running thread knows from then on, the closure of a
/// new thread or an `Arc` of which there is no other, and those of the support library that they call first
/// with it.
pub const TAKE_OVER: [(&str, &str); 3] = [
    ("alloc::sync::Arc::drop_slow", "__rmc_take_counted"),
    ("std::sys::unix::thread::Thread::new::thread_start", "__rmc_rust_take_closure"),
    ("std::sys::thread::unix::Thread::new::thread_start", "__rmc_rust_take_start"),
];

/// The functions that draw random keys for a `HashMap`, and the beginning of the paths of their closures.
const DRAW_KEYS: [&str; 2] = ["std::collections::hash::map::RandomState::new", "std::hash::random::RandomState::new"];
/// The functions that give a program a hasher with random keys.
pub const MAKE_HASHERS: [&str; 2] = [
    "<std::collections::hash::map::RandomState as core::hash::BuildHasher>::build_hasher",
    "<std::hash::random::RandomState as core::hash::BuildHasher>::build_hasher",
];

/// The types whose elements are in the order of hashes.
const HASHED: [&str; 4] = [
    "hashbrown::map::HashMap",
    "hashbrown::set::HashSet",
    "std::collections::hash::map::HashMap",
    "std::collections::hash::set::HashSet",
];
/// Their functions that go through the elements in that order. std's own call those of hashbrown, or have
/// them inlined.
const SHOW_ORDER: [&str; 16] = [
    "difference",
    "drain",
    "drain_filter",
    "extract_if",
    "intersection",
    "into_iter",
    "into_keys",
    "into_values",
    "iter",
    "iter_mut",
    "keys",
    "retain",
    "symmetric_difference",
    "union",
    "values",
    "values_mut",
];
/// Their functions of traits that do.
const SHOW_ORDER_AS: [&str; 2] =
    [" as core::iter::traits::collect::IntoIterator>::into_iter", " as core::fmt::Debug>::fmt"];

/// The functions of `.init_array` that keep the arguments of the program.
pub const KEEP_ARGUMENTS: [&str; 2] = [
    "std::sys::unix::args::imp::ARGV_INIT_ARRAY::init_wrapper",
    "std::sys::args::unix::imp::ARGV_INIT_ARRAY::init_wrapper",
];
/// The function that `main` gives the table of tests.
pub const RUNS_TESTS: &str = "test::test_main_static";
/// The beginnings of the paths of std's locks.
const LOCKS: [&str; 2] = ["std::sys::unix::locks::", "std::sys::sync::"];
/// The function that finds the stack of the main thread, for the handler of overflows, and the support
/// library's.
pub const FINDS_STACK: (&str, &str) = ("pthread_getattr_np", "__rmc_rust_no_stack");
/// The function that reads a clock where a wait with a duration begins, and the support library's: the wait
/// needs a point of time, which is used for nothing else, so this is no reading of the program's. A duration
/// too long for the clock is still for ever.
pub const READS_CLOCK: (&str, &str) = ("std::sys::pal::unix::time::Timespec::now", "__rmc_rust_time_of_wait");
/// Other functions than those of locks that wait for a duration.
const WAIT: [&str; 2] = ["std::thread::thread::Thread::park_timeout", "std::thread::functions::park_timeout"];

/// The path of a function; its name if it is not mangled.
pub fn path(function: Value) -> String {
    let name = function.name();
    match rustc_demangle::try_demangle(&name) {
        Ok(path) => without_arguments(&format!("{path:#}")),
        Err(_) => name,
    }
}

/// True for a function that a program has if it draws random keys.
pub fn draws_keys(path: &str) -> bool {
    DRAW_KEYS.iter().any(|start| path.starts_with(start))
}

/// True for a function of a lock.
pub fn is_of_lock(path: &str) -> bool {
    LOCKS.iter().any(|start| path.starts_with(start))
}

/// True for a function that waits for a duration, for which it only needs a point of time.
pub fn waits(path: &str) -> bool {
    is_of_lock(path) || WAIT.contains(&path)
}

/// True for a function that goes through elements in the order of hashes.
pub fn shows_order(path: &str) -> bool {
    let implementor = path.strip_prefix('<').map(|path| path.trim_start_matches('&').trim_start_matches("mut "));
    HASHED.iter().any(|ty| {
        let own = path.strip_prefix(ty).and_then(|rest| rest.strip_prefix("::"));
        let of_trait = implementor.and_then(|implementor| implementor.strip_prefix(ty));
        own.is_some_and(|function| SHOW_ORDER.contains(&function))
            || of_trait.is_some_and(|rest| SHOW_ORDER_AS.contains(&rest))
    })
}

/// A path without the arguments of types in it: `<a::B<T>>::c` and `a::B<T>::c` are `a::B::c`.
fn without_arguments(path: &str) -> String {
    let (mut out, mut depth) = (String::with_capacity(path.len()), 0_usize);
    for (at, character) in path.char_indices() {
        let is_after_name =
            path[..at].chars().next_back().is_some_and(|before| before.is_alphanumeric() || before == '_');
        match character {
            '<' if depth > 0 || is_after_name => depth += 1,
            '>' if depth > 0 => {
                // The end of an arrow in the type of a function.
                depth -= usize::from(!path[..at].ends_with('-'));
            }
            _ if depth == 0 => out.push(character),
            _ => {}
        }
    }
    match out.strip_prefix('<').and_then(|rest| rest.split_once(">::")) {
        Some((ty, function)) if !ty.contains(' ') && !ty.contains('<') => format!("{ty}::{function}"),
        _ => out,
    }
}
