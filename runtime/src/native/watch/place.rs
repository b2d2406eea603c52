//! The source place of a call, from the debug information of the running program.
//!
//! The runtime has the return address of each call and looks the line up only for a report, so that a site
//! costs nothing and the pass need not number the sites. The tables are read by the crate `backtrace`, which
//! is what the standard library uses for its own, in the program and in its shared libraries; nothing has to
//! be installed. Without `-g` there is no line, and the address is shown.
//!
//! A place has the call by which its function was inlined: a library may do all its accesses in one line of a
//! header, and they are different places all the same. Functions in headers of the system are left out: the
//! place is that of their caller, as for `std::atomic<int>::store`.

use std::ffi::c_void;
use std::fmt;
use std::iter;
use std::ptr::without_provenance_mut;

use crate::source_path::without_detours;

/// The directories of headers that are not the program's.
const SYSTEM: [&str; 2] = ["/usr/include/", "/usr/lib/"];

/// A place in the source.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Place {
    /// The line.
    pub innermost: Frame,
    /// The call by which its function was inlined, if it was.
    pub caller: Option<Frame>,
}

/// A line of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Frame {
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
            frames.push(Frame {
                function: symbol.name().map_or_else(|| format!("{site:#x}"), |name| format!("{name:#}")),
                file: symbol.filename().map(|path| without_detours(&path.display().to_string())).unwrap_or_default(),
                line: symbol.lineno().unwrap_or_default(),
            });
        });
        Self::in_frames(frames).unwrap_or_else(|| Self {
            innermost: Frame { function: format!("{site:#x}"), file: String::new(), line: 0 },
            caller: None,
        })
    }

    /// The place of an access in these frames, innermost first: the first two lines in the program's own
    /// files. Inlined code of which the compiler dropped the line is at its caller's. If there is no such
    /// line, the place is the innermost frame. `None`: there is no frame.
    fn in_frames(frames: Vec<Frame>) -> Option<Self> {
        let is_own =
            |frame: &Frame| frame.line > 0 && !SYSTEM.iter().any(|directory| frame.file.starts_with(directory));
        let first = frames.first().cloned();
        let mut own = frames.into_iter().filter(is_own);
        let innermost = own.next().or(first)?;
        Some(Self { innermost, caller: own.next() })
    }

    /// Its lines, innermost first.
    pub fn frames(&self) -> impl Iterator<Item = &Frame> {
        iter::once(&self.innermost).chain(&self.caller)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.innermost)?;
        self.caller.iter().try_for_each(|caller| write!(f, ", inlined at {caller}"))
    }
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { function, file, line } = self;
        match (line, file.as_str()) {
            (0, "") => write!(f, "{function} (no debug information; compile with -g)"),
            // Accesses of several lines that became one have no line.
            (0, _) => write!(f, "{file} in {function} (no line; compile with -O0 to see it)"),
            _ => write!(f, "{file}:{line} in {function}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Frame, Place};

    fn frame(file: &str, line: u32) -> Frame {
        Frame { function: format!("f{line}"), file: file.to_owned(), line }
    }

    #[test]
    fn places_have_the_lines_of_the_program() {
        let place = |files: &[&str]| {
            let frames = (1..).zip(files).map(|(line, file)| frame(file, line)).collect();
            Place::in_frames(frames).map(|place| place.to_string())
        };
        assert_eq!(place(&[]), None);
        assert_eq!(place(&["/usr/include/a.h"]).as_deref(), Some("/usr/include/a.h:1 in f1"));
        assert_eq!(place(&["/usr/include/a.h", "b.c"]).as_deref(), Some("b.c:2 in f2"));
        let through_header = place(&["a.h", "/usr/include/b.h", "c.c", "d.c"]);
        assert_eq!(through_header.as_deref(), Some("a.h:1 in f1, inlined at c.c:3 in f3"));
    }

    #[test]
    fn code_without_a_line_is_at_its_callers() {
        let place = Place::in_frames(vec![frame("a.h", 0), frame("a.h", 7), frame("b.c", 8)]);
        assert_eq!(place.expect("a frame").to_string(), "a.h:7 in f7, inlined at b.c:8 in f8");
        let place = Place::in_frames(vec![frame("", 0)]);
        assert_eq!(place.expect("a frame").to_string(), "f0 (no debug information; compile with -g)");
        let place = Place::in_frames(vec![frame("a.c", 0)]);
        assert_eq!(place.expect("a frame").to_string(), "a.c in f0 (no line; compile with -O0 to see it)");
    }
}
