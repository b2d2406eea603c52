//! Runs `rmc-check` as a user does and reads its output.
//!
//! The tests see the checker only through its command line, exit code and JSON report; nothing here links to
//! it. `programs` finds the test programs, `expectation` reads the expectations of one, `process` runs the
//! checker, `bless` writes state counts back.

pub mod bless;
pub mod entries;
pub mod expectation;
pub mod outside;
pub mod process;
pub mod programs;

use std::path::{Path, PathBuf};

/// The root of the repository. Tests run the checker there, so that the commands they print can be repeated
/// from there.
pub fn repository() -> PathBuf {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests.parent().unwrap_or(tests).to_path_buf()
}

/// The compiler of Rust that builds this workspace: the later one of the two whose programs can be checked.
pub fn later_rustc() -> PathBuf {
    Path::new(env!("CARGO")).with_file_name("rustc")
}
