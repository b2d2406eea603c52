//! Files that a run writes: a report, a witness.

use std::io::Write;
use std::path::{Path, PathBuf};

/// A file cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write to {path}: {error}")]
pub struct WriteError {
    path: String,
    error: std::io::Error,
}

/// Where a report or a witness goes. It is known to be writable before the exploration begins, and appears only when it is whole.
pub enum OutputFile {
    /// Standard output.
    Output,
    /// A file.
    File {
        /// Its name.
        path: PathBuf,
        /// What it is until it is whole.
        temporary: tempfile::NamedTempFile,
    },
}

impl OutputFile {
    /// The file of this name; `-` is standard output.
    ///
    /// # Errors
    /// [`WriteError`]: it cannot be made there.
    pub fn create(path: &Path) -> Result<Self, WriteError> {
        if path == Path::new("-") {
            return Ok(Self::Output);
        }
        let failed = |error| WriteError { path: path.display().to_string(), error };
        if path.is_dir() {
            return Err(failed(std::io::ErrorKind::IsADirectory.into()));
        }
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // The name of the temporary file, which `tempfile` adds to its error, would only confuse.
        let temporary = tempfile::Builder::new().prefix(".rmc-report-").tempfile_in(directory);
        let temporary = temporary.map_err(|error| failed(error.kind().into()))?;
        Ok(Self::File { path: path.to_owned(), temporary })
    }

    /// Writes all of it, and a newline.
    ///
    /// # Errors
    /// [`WriteError`]: the device is full, for example.
    pub fn write(self, text: &str) -> Result<(), WriteError> {
        match self {
            Self::Output => {
                let failed = |error| WriteError { path: "standard output".to_owned(), error };
                writeln!(std::io::stdout(), "{text}").map_err(failed)
            }
            Self::File { path, mut temporary } => {
                let failed = |error| WriteError { path: path.display().to_string(), error };
                writeln!(temporary, "{text}").map_err(failed)?;
                temporary.persist(&path).map_err(|error| failed(error.error))?;
                Ok(())
            }
        }
    }
}
