//! Options of rustc, and what those of `rmc-check` say about them.

use std::ffi::OsString;

/// The options for every crate of a program. The program is compiled as it is written.
pub const EVERY_CRATE: [&str; 6] = [
    "-Ccodegen-units=1",
    "-Cdebuginfo=2",
    "-Copt-level=0",
    "-Cdebug-assertions=on",
    "-Coverflow-checks=on",
    "--cfg=rmc",
];

/// The options for a crate that programs use. Its object files are bitcode.
pub const LIBRARY: [&str; 2] = ["-Cembed-bitcode=yes", "-Clinker-plugin-lto"];

/// The options for the crate of a program, of which all crates become one module.
pub const PROGRAM: [&str; 2] = ["-Cembed-bitcode=yes", "-Clto=fat"];

/// The options for the crate of a program that becomes a module of its own.
pub const PIECE: [&str; 1] = ["-Cembed-bitcode=yes"];

/// The function of a program that has an allocator of its own (`#[global_allocator]`). Such a program becomes
/// one module with the standard library by rustc alone, which makes functions that call the allocator.
pub const OWN_ALLOCATOR: &str = "__rg_alloc";

/// The usual end of a panic. Every panic is a violation where it begins, so nothing is lost, and a program
/// without unwinding is smaller. rustc has no stable way to compile `#[test]` functions so.
pub const NO_UNWINDING: &str = "-Cpanic=abort";

/// The end of a panic that can be caught: it leaves functions, whose destructors run.
pub const UNWINDING: &str = "-Cpanic=unwind";

/// The option of `rmc-check` with which panics unwind, and its value.
const PANIC: (&str, &str) = ("--panic", "unwind");

/// True if options of `rmc-check` have panics unwind. The last one counts.
#[must_use]
pub fn has_unwinding(options: &[OsString]) -> bool {
    let words: Vec<_> = options.iter().map(|option| option.to_str().unwrap_or_default()).collect();
    let value = |at: usize| match words[at].strip_prefix(PANIC.0) {
        Some("") => words.get(at + 1).copied(),
        Some(rest) => rest.strip_prefix('='),
        None => None,
    };
    (0..words.len()).rev().find_map(value) == Some(PANIC.1)
}

/// The option that compiles the `#[test]` functions, and `main` of the harness that calls them.
pub const TEST: &str = "--test";

/// The end of the name of a module that rustc made of a whole program, and that is not prepared yet.
pub const MODULE: &str = ".rs.bc";

/// A macro of C, `NAME` or `NAME=VALUE`, as an option for `cfg`.
#[must_use]
pub fn condition(define: &str) -> String {
    match define.split_once('=') {
        Some((name, value)) => format!("--cfg={name}=\"{value}\""),
        None => format!("--cfg={define}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_end_of_panics_counts() {
        let has = |options: &str| has_unwinding(&options.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert!(has("--panic=unwind") && has("-v --panic unwind --stats") && has("--panic=abort --panic=unwind"));
        assert!(!has("") && !has("--panic=abort") && !has("--panic=unwind --panic abort") && !has("--panics=unwind"));
    }
}
