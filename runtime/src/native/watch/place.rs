//! The source place of a call, from the debug information of the running program.
//!
//! The runtime has the return address of each call and looks the line up only for a report, so that a site
//! costs nothing and the pass need not number the sites. The tables are read by the crate `backtrace`, which
//! is what the standard library uses for its own, in the program and in its shared libraries; nothing has to
//! be installed. Without `-g` there is no line, and the address is shown.
//!
//! A function that was inlined is its own place, unless it is in a header of the system: then the place is
//! that of its caller, as for `std::atomic<int>::store`.

use std::ffi::c_void;
use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::ptr::without_provenance_mut;

/// The directories of headers that are not the program's.
const SYSTEM: [&str; 2] = ["/usr/include/", "/usr/lib/"];

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Place {
    /// The function, or its address if it has no name.
    pub function: String,
    /// The path of the file as the compiler knew it; empty if it is not known.
    pub file: String,
    /// The line, from 1; 0 if it is not known.
    pub line: u32,
}

impl Place {
    /// The place of the call that returns to an address.
    pub fn of(site: u64) -> Self {
        let mut frames = Vec::new();
        // The address before is still within the call.
        let address: *mut c_void = without_provenance_mut((site as usize).wrapping_sub(1));
        backtrace::resolve(address, |symbol| {
            frames.push(Self {
                function: symbol.name().map_or_else(|| format!("{site:#x}"), |name| format!("{name:#}")),
                file: symbol.filename().map(normal).unwrap_or_default(),
                line: symbol.lineno().unwrap_or_default(),
            });
        });
        let unknown = || Self { function: format!("{site:#x}"), file: String::new(), line: 0 };
        let is_own = |place: &&Self| !SYSTEM.iter().any(|directory| place.file.starts_with(directory));
        frames.iter().find(is_own).or(frames.first()).cloned().unwrap_or_else(unknown)
    }
}

/// A path without `.` and `..`, which the paths of headers have.
fn normal(path: &Path) -> String {
    let parts = path.components().filter(|part| *part != Component::CurDir);
    let normal = parts.fold(PathBuf::new(), |mut normal, part| {
        if part != Component::ParentDir || !normal.pop() {
            normal.push(part);
        }
        normal
    });
    normal.display().to_string()
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{} (no debug information; compile with -g)", self.function),
            line => write!(f, "{}:{line} in {}", self.file, self.function),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    #[test]
    fn paths_are_normal() {
        assert_eq!(super::normal(Path::new("/usr/bin/../lib/./a.h")), "/usr/lib/a.h");
        assert_eq!(super::normal(Path::new("../a.h")), "../a.h");
    }
}
