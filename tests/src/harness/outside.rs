//! Functions for tests of the checker's messages and exit codes.
//!
//! # Panics
//! Every function here panics if its check fails.

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::process::{Run, command, run};

/// Runs the checker with these arguments.
pub fn rmc<const N: usize>(arguments: [&str; N]) -> Run {
    run(&mut command(arguments))
}

/// Checks that the run ended with `code`, that its standard error has every one of `words`, and that nothing
/// panicked.
#[track_caller]
pub fn check(run: &Run, code: i32, words: &[&str]) {
    assert_eq!(run.code, Some(code), "{}", run.describe());
    assert!(!run.stderr.contains("panicked"), "{}", run.describe());
    for word in words {
        assert!(run.stderr.contains(word), "standard error does not say `{word}`\n{}", run.describe());
    }
}

/// A directory with one file in it.
pub fn file(name: &str, content: impl AsRef<[u8]>) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join(name);
    fs::write(&path, content).expect("a file in it");
    (directory, path)
}

/// A path as text.
pub fn text(path: &Path) -> &str {
    path.to_str().expect("temporary paths are text")
}
