//! The compilers of Rust that are supported: Debian's rustc 1.63, and a later one.
//!
//! The bitcode of 1.63 is of LLVM 14, which LLVM 16 reads. That of later compilers it cannot read, so they
//! write assembly, which is rewritten ([`crate::assembly`]). Of both, the pass knows functions of the
//! standard library (`pass/src/rust/names.rs`).

use std::io;
use std::path::Path;
use std::process::Command;

/// The environment variable with which the user names a compiler.
pub const VARIABLE: &str = "RMC_RUSTC";
/// Debian's compiler.
const OF_SYSTEM: &str = "/usr/bin/rustc";
/// The Debian packages that have it and its standard library.
pub const PACKAGES: &str = "rustc libstd-rust-dev";
/// The only target.
pub const TARGET: &str = "x86_64-unknown-linux-gnu";
/// The versions that are supported, for messages.
pub const SUPPORTED: &str = "1.63 or 1.95";

/// The form in which a compiler writes a module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Bitcode that LLVM 16 reads.
    Bitcode,
    /// Assembly of a later LLVM.
    Assembly,
}

impl Form {
    /// All forms.
    pub const ALL: [Self; 2] = [Self::Bitcode, Self::Assembly];

    /// The name of the form.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bitcode => "bitcode",
            Self::Assembly => "assembly",
        }
    }
}

/// The beginnings of the versions that are supported.
const RELEASES: [(&str, Form); 2] = [("1.63.", Form::Bitcode), ("1.95.", Form::Assembly)];

/// The form in which the compiler of this version writes modules; none if it is not supported.
#[must_use]
pub fn form(release: &str) -> Option<Form> {
    RELEASES.iter().find(|(start, _)| release.starts_with(start)).map(|&(_, form)| form)
}

/// The compiler if the variable is not set: Debian's, or the one in the search path if that is not installed.
#[must_use]
pub fn default() -> &'static str {
    if Path::new(OF_SYSTEM).exists() { OF_SYSTEM } else { "rustc" }
}

/// The name or path of the compiler.
#[must_use]
pub fn rustc() -> String {
    std::env::var(VARIABLE).unwrap_or_else(|_| default().to_owned())
}

/// The description of a compiler, by itself: its version, and which build it is.
///
/// # Errors
/// It cannot be run.
pub fn description(rustc: &str) -> io::Result<String> {
    let output = Command::new(rustc).arg("-vV").output()?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The version in a description.
#[must_use]
pub fn release(description: &str) -> &str {
    description.lines().find_map(|line| line.strip_prefix("release: ")).unwrap_or("of no known version")
}
