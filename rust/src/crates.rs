//! Crates that are compiled for programs.

use std::ffi::OsString;
use std::path::Path;

use crate::options::{EVERY_CRATE, LIBRARY, emit};
use crate::toolchain::Form;

/// A crate of one file.
pub struct Crate {
    /// The name by which programs use it.
    pub name: &'static str,
    /// Its source.
    pub source: &'static str,
}

/// The crate that `#[test]` functions are given in place of the standard library's harness: it runs the one
/// test that was chosen. Its types have a known layout, from which the loader reads the names of the tests.
pub const HARNESS: Crate = Crate { name: "test", source: include_str!("../crates/test.rs") };

/// The crate `rmc`, choices for programs. A file that is checked can use it as C uses `rmc.h`.
pub const CHOICES: Crate = Crate { name: "rmc", source: include_str!("../../include/rmc/src/lib.rs") };

/// The crate with the beginning of a panic, for compilers whose modules are assembly.
pub const PANICS: Crate = Crate { name: "rmc_panics", source: include_str!("../crates/panics.rs") };

/// The condition for later compilers than 1.63.
const LATER: &str = "--cfg=rmc_later";

/// The directory in which the standard library's sources are where they were compiled, and these, too, as far
/// as debug information goes.
const DIRECTORY: &str = "/rustc/rmc";

impl Crate {
    /// The arguments of rustc that compile the file `source` to the library `out`, and to the module
    /// `module`.
    ///
    /// For reports its code is one of the standard library: what goes wrong in it is reported at the
    /// program's call.
    #[must_use]
    pub fn arguments(&self, form: Form, source: &Path, out: &Path, module: &Path) -> Vec<OsString> {
        let mut arguments: Vec<OsString> =
            ["--edition=2021", "--crate-type=rlib", "--crate-name", self.name].map(OsString::from).into();
        arguments.extend(EVERY_CRATE.iter().chain(&LIBRARY).map(OsString::from));
        let mut elsewhere = OsString::from("--remap-path-prefix=");
        elsewhere.push(source.parent().unwrap_or(Path::new("/")));
        elsewhere.push(format!("={DIRECTORY}"));
        // Intermediate files go there.
        let directory = out.parent().unwrap_or(Path::new(".")).into();
        arguments.extend([elsewhere, source.into(), "--out-dir".into(), directory]);
        let mut link = OsString::from("--emit=link=");
        link.push(out);
        arguments.extend([link, emit(form, module)]);
        if form == Form::Assembly {
            arguments.push(LATER.into());
        }
        arguments
    }
}
