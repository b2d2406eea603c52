//! Drafts: a file appears under its name only when it is complete.
//!
//! Until then the file has no name at all (`O_TMPFILE`), so that nothing is left of it however the process
//! ends. It needs a second name only when it replaces another file, for the time between two system calls. On
//! a file system without unnamed files, the draft has a name from the beginning. Symbolic links are followed:
//! the file that they lead to is replaced, not the link. A new file has the permissions that the umask
//! allows; a file that replaces another one has the permissions of that one. Tests: `tests/tests/outputs.rs`,
//! `tests/tests/storage.rs`.

use std::fs::{self, File, Permissions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, open};
use tempfile::TempPath;

/// The largest number of links that are followed to a file, as in the system.
const MOST_LINKS: usize = 40;

/// A file that is being written.
#[derive(Debug)]
pub struct Draft {
    file: File,
    /// Its name, if it needs one.
    name: Option<TempPath>,
    target: PathBuf,
}

impl Draft {
    /// A draft of the file of this name.
    ///
    /// # Errors
    /// If no file can be made there.
    pub fn new(path: &Path) -> io::Result<Self> {
        let target = follow_links(path)?;
        if target.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        match open(directory_of(&target), flags, Mode::from_raw_mode(0o666)) {
            Ok(file) => Ok(Self { file: File::from(file), name: None, target }),
            Err(error) => Self::named(target, error.into()),
        }
    }

    /// A draft with a name. `unnamed` is the error of making one without a name; it is the better message if
    /// this fails, too.
    fn named(target: PathBuf, unnamed: io::Error) -> io::Result<Self> {
        let made = tempfile::Builder::new()
            .prefix(".rmc-draft-")
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(directory_of(&target));
        let (file, name) = made.map_err(|_| unnamed)?.into_parts();
        Ok(Self { file, name: Some(name), target })
    }

    /// The file, to write to.
    #[must_use]
    pub const fn file(&mut self) -> &mut File {
        &mut self.file
    }

    /// Gives the file its name; another file of this name is replaced.
    ///
    /// # Errors
    /// The system's; then the other file is unchanged.
    pub fn publish(self) -> io::Result<()> {
        let Self { file, name, target } = self;
        if let Ok(other) = fs::metadata(&target) {
            file.set_permissions(other.permissions())?;
        }
        let name = match name {
            Some(name) => name,
            None if link(&file, &target).is_ok() => return Ok(()),
            None => second_name(&file, directory_of(&target))?,
        };
        name.persist(&target).map_err(|error| error.error)
    }
}

/// Gives a file without a name a unique name.
fn second_name(file: &File, directory: &Path) -> io::Result<TempPath> {
    let made = tempfile::Builder::new().prefix(".rmc-draft-").make_in(directory, |name| link(file, name))?;
    Ok(made.into_temp_path())
}

fn link(file: &File, name: &Path) -> io::Result<()> {
    let itself = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, itself, CWD, name, AtFlags::SYMLINK_FOLLOW)?)
}

fn directory_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The path at the end of the symbolic links, whether there is a file or not.
fn follow_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(next) => path = directory_of(&path).join(next),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("too many symbolic links"))
}
