//! The programs with expectations: all of `tests/programs` and `examples`.

use std::fs;
use std::path::{Path, PathBuf};

use super::expectation::{Variant, variants};
use super::repository;

/// The directories of programs with expectations, relative to the root of the repository.
const DIRECTORIES: [&str; 2] = ["tests/programs", "examples"];

/// A program with expectations in its first lines.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its path, relative to the root of the repository.
    pub name: String,
    /// Its text.
    pub source: String,
    /// Its variants; at least one.
    pub variants: Vec<Variant>,
}

/// Every program, in the order of their names within each directory.
///
/// # Panics
/// If a file cannot be read, or has no expectations that `variants` can read.
pub fn programs() -> Vec<Program> {
    let root = repository();
    DIRECTORIES.iter().flat_map(|directory| files_below(&root.join(directory))).map(|path| read(&root, &path)).collect()
}

fn files_below(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).unwrap_or_else(|error| panic!("{}: {error}", directory.display()));
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a directory entry").path()).collect();
    paths.sort();
    let is_program = |path: &PathBuf| {
        path.extension().is_some_and(|extension| ["c", "cpp", "rs"].iter().any(|known| extension == *known))
    };
    let below = |path: PathBuf| {
        if path.is_dir() { files_below(&path) } else { vec![path] }
    };
    paths.into_iter().flat_map(below).filter(is_program).collect()
}

fn read(root: &Path, path: &Path) -> Program {
    let name = path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned();
    let source = fs::read_to_string(path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let variants = variants(&source).unwrap_or_else(|error| panic!("{name}: {error}"));
    Program { name, source, variants }
}
