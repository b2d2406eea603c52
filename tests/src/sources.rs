//! The sources of the project, for tests that read them.

use std::fs;
use std::path::Path;

/// A source file: its path below the searched directory, and its text.
pub struct Source {
    /// Its path.
    pub path: String,
    /// Its content.
    pub text: String,
}

/// All Rust files below a directory.
///
/// # Panics
/// If one cannot be read.
#[must_use]
pub fn sources(directory: &Path) -> Vec<Source> {
    let mut found = Vec::new();
    collect(directory, directory, &mut found);
    found
}

fn collect(directory: &Path, below: &Path, found: &mut Vec<Source>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(&path, below, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.strip_prefix(below).expect("a path below").display().to_string();
            found.push(Source { path: name, text: fs::read_to_string(&path).expect("a source") });
        }
    }
}
