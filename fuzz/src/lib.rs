//! The seeds of the fuzz targets.

use std::path::Path;
use std::{fs, io};

/// Writes a target's seeds to the directory in which `cargo fuzz` looks for them, `fuzz/corpus/TARGET/`.
///
/// # Panics
/// If they cannot be written.
pub fn write_seeds(target: &str, made: &[Vec<u8>]) {
    write(target, made).unwrap_or_else(|error| panic!("the seeds of {target} cannot be written: {error}"));
}

fn write(target: &str, made: &[Vec<u8>]) -> io::Result<()> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR"));
    let corpus = directory.join("corpus").join(target);
    fs::create_dir_all(&corpus)?;
    for (number, seed) in made.iter().enumerate() {
        fs::write(corpus.join(format!("seed-{number}")), seed)?;
    }
    for entry in fs::read_dir(directory.join("seeds").join(target)).into_iter().flatten() {
        let entry = entry?;
        fs::copy(entry.path(), corpus.join(entry.file_name()))?;
    }
    Ok(())
}
