//! The compiler of Rust: Debian's rustc 1.63.
//!
//! Its bitcode is of LLVM 14, which LLVM 16 reads, and its standard library is known to the pass by names.
//! That of rustup, which is often found first, makes bitcode that LLVM 16 cannot read.

use std::io;
use std::process::Command;

/// The beginning of the versions that are supported.
pub const RELEASE: &str = "1.63.";
/// The environment variable with which the user names another compiler of that version.
pub const VARIABLE: &str = "RMC_RUSTC";
/// The compiler if the variable is not set.
pub const DEFAULT: &str = "/usr/bin/rustc";
/// The Debian packages that have it and its standard library.
pub const PACKAGES: &str = "rustc libstd-rust-dev";
/// The only target.
pub const TARGET: &str = "x86_64-unknown-linux-gnu";

/// The name or path of the compiler.
#[must_use]
pub fn rustc() -> String {
    std::env::var(VARIABLE).unwrap_or_else(|_| DEFAULT.to_owned())
}

/// The version of a compiler, as it says itself.
///
/// # Errors
/// It cannot be run.
pub fn release(rustc: &str) -> io::Result<String> {
    let output = Command::new(rustc).arg("-vV").output()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let release = text.lines().find_map(|line| line.strip_prefix("release: "));
    Ok(release.unwrap_or("of no known version").to_owned())
}
