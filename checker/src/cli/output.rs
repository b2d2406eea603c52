//! Files that a run writes: a report, a witness.
//!
//! A regular file appears when it is complete ([`Draft`]). Any other file (a device, a pipe) is written to
//! directly and keeps its kind. So is a file in a directory where none can be created.

use std::fs::{self, File, Metadata};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Access, access};

use crate::draft::Draft;

/// The reasons for which a file cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum WriteError {
    /// An error of the system.
    #[error("cannot write to {path}: {error}")]
    System {
        /// The file.
        path: String,
        /// The reason.
        error: io::Error,
    },
    /// The file is one that the run reads.
    #[error("{path} is an input, and would be written over; name another file")]
    Input {
        /// The file.
        path: String,
    },
    /// The file would be written twice.
    #[error("--report, --witness or --fix name {path} twice: name two files")]
    Twice {
        /// The file.
        path: String,
    },
}

/// Names of the process's own standard output.
const STANDARD_OUTPUT: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// The destination of a report or a witness. It is known to be writable before the exploration begins.
pub struct OutputFile {
    path: PathBuf,
    to: To,
}

enum To {
    Output,
    /// The file is opened when there is something to write, because opening a pipe waits for its reader.
    Directly,
    Draft(Draft),
}

impl OutputFile {
    /// The file of this name; `-` is standard output.
    ///
    /// # Errors
    /// [`WriteError::System`]: it cannot be made there.
    pub fn create(path: &Path) -> Result<Self, WriteError> {
        let failed = |error: io::Error| WriteError::System { path: path.display().to_string(), error };
        let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
        if let Some(missing) = directory.filter(|directory| !directory.exists()) {
            return Err(failed(io::Error::other(format!("there is no directory {}", missing.display()))));
        }
        let to = if STANDARD_OUTPUT.iter().any(|name| path == Path::new(name)) {
            To::Output
        } else if is_special(path) {
            access(path, Access::WRITE_OK).map_err(|error| failed(error.into()))?;
            To::Directly
        } else {
            match Draft::new(path) {
                Ok(draft) => To::Draft(draft),
                Err(_) if path.is_file() && access(path, Access::WRITE_OK).is_ok() => To::Directly,
                Err(error) => return Err(failed(error)),
            }
        };
        Ok(Self { path: path.to_owned(), to })
    }

    /// Writes all of it, and a newline.
    ///
    /// # Errors
    /// [`WriteError::System`]: the device is full, for example.
    pub fn write(self, text: &str) -> Result<(), WriteError> {
        let Self { path, to } = self;
        let written = match to {
            To::Output => writeln!(io::stdout(), "{text}"),
            To::Directly => write_directly(&path, text),
            To::Draft(mut draft) => writeln!(draft.file(), "{text}").and_then(|()| draft.publish()),
        };
        written.map_err(|error| WriteError::System { path: path.display().to_string(), error })
    }
}

fn write_directly(path: &Path, text: &str) -> io::Result<()> {
    let is_special = is_special(path);
    let mut file = File::options().write(true).append(is_special).truncate(!is_special).open(path)?;
    writeln!(file, "{text}")
}

/// True if a name leads to something that is neither a file nor a directory. Names in `/dev` or `/proc` may
/// lead to the files that this process has open.
fn is_special(path: &Path) -> bool {
    let is_other = |metadata: &Metadata| !metadata.is_file() && !metadata.is_dir();
    let is_open_file = path.starts_with("/dev/") || path.starts_with("/proc/");
    fs::metadata(path).is_ok_and(|metadata| is_other(&metadata) || is_open_file && metadata.is_file())
}

/// Checks that no output is also an input, and that no file is written twice.
///
/// # Errors
/// [`WriteError::Input`], [`WriteError::Twice`].
pub fn distinct<'f>(
    outputs: impl IntoIterator<Item = &'f PathBuf>,
    inputs: impl IntoIterator<Item = &'f PathBuf>,
) -> Result<(), WriteError> {
    let inputs: Vec<_> = inputs.into_iter().filter_map(|path| Identity::of(path)).collect();
    let mut known = Vec::new();
    for path in outputs {
        let named = path.display().to_string();
        let Some(identity) = Identity::of(path) else { continue };
        if inputs.contains(&identity) {
            return Err(WriteError::Input { path: named });
        }
        if known.contains(&identity) {
            return Err(WriteError::Twice { path: named });
        }
        known.push(identity);
    }
    Ok(())
}

/// The file that a name means; none for a file that may be written to several times.
#[derive(PartialEq, Eq)]
enum Identity {
    /// An existing file, by device and number.
    Known(u64, u64),
    /// A file that does not exist yet.
    New(PathBuf),
    Output,
}

impl Identity {
    fn of(path: &Path) -> Option<Self> {
        if path == Path::new("-") {
            return Some(Self::Output);
        }
        match fs::metadata(path) {
            Ok(_) if is_special(path) => None,
            Ok(metadata) => Some(Self::Known(metadata.dev(), metadata.ino())),
            Err(_) => {
                let directory = path.parent().filter(|parent| !parent.as_os_str().is_empty());
                let directory = directory.unwrap_or(Path::new("."));
                let directory = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
                Some(Self::New(directory.join(path.file_name().unwrap_or_default())))
            }
        }
    }
}
