//! Options of rustc, and what those of `rmc-check` say about them.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use crate::toolchain::Form;

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

/// The options for the crate of a program that becomes one module with all crates and the standard library.
pub const WHOLE: [&str; 2] = ["-Cembed-bitcode=yes", "-Clto=fat"];

/// The options for the crate of a program that becomes a module of its own.
pub const PIECE: [&str; 1] = ["-Cembed-bitcode=yes"];

/// The end of the name of the function of a program that has an allocator of its own (`#[global_allocator]`).
/// Such a program becomes one module with the standard library by rustc alone, which makes functions that
/// call the allocator.
pub const OWN_ALLOCATOR: &str = "__rg_alloc";

/// The environment variable, and its value, with which the crate [`crate::crates::PANICS`] may name what is
/// unstable in std, and no other crate may.
pub const BOOTSTRAP: (&str, &str) = ("RUSTC_BOOTSTRAP", "rmc_panics");

/// The beginning of the option that writes a module to a file, whose name follows.
const fn emits(form: Form) -> &'static str {
    match form {
        Form::Bitcode => "--emit=llvm-bc=",
        Form::Assembly => "--emit=llvm-ir=",
    }
}

/// The option that writes a module to a file.
#[must_use]
pub fn emit(form: Form, module: &Path) -> OsString {
    let mut option = OsString::from(emits(form));
    option.push(module);
    option
}

/// The file that an option of [`emit`]'s names.
#[must_use]
pub fn file(option: &OsStr) -> &Path {
    let start = emitted(option).map_or(0, |form| emits(form).len());
    Path::new(OsStr::from_bytes(&option.as_encoded_bytes()[start..]))
}

/// The form of the module that an option writes, if it is [`emit`]'s.
#[must_use]
pub fn emitted(option: &OsStr) -> Option<Form> {
    let begins = |form: &Form| option.as_encoded_bytes().starts_with(emits(*form).as_bytes());
    Form::ALL.into_iter().find(begins)
}

/// The further options for the module of a whole program. Later compilers only optimise at link time where
/// they also link, for which a program that does nothing is enough.
#[must_use]
pub const fn linking(form: Form) -> &'static [&'static str] {
    match form {
        Form::Bitcode => &[],
        Form::Assembly => &["--emit=link", "-Clinker=true"],
    }
}

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

/// The end of the name of a module that rustc made of a program, and that is not prepared yet.
#[must_use]
pub const fn module(form: Form) -> &'static str {
    match form {
        Form::Bitcode => ".rs.bc",
        Form::Assembly => ".rs.ll",
    }
}

/// The file that lists the modules of the libraries of a program, a path in each line. It is beside the
/// program's module, unless that is the whole program.
#[must_use]
pub fn list_of_libraries(module: &Path) -> PathBuf {
    module.with_extension("libraries")
}

/// The form of a module of a program, by the end of its name.
#[must_use]
pub fn form_of_module(path: &Path) -> Option<Form> {
    let ends = |form: &Form| path.as_os_str().as_encoded_bytes().ends_with(module(*form).as_bytes());
    Form::ALL.into_iter().find(ends)
}

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
