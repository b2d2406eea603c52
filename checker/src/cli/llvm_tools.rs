//! The programs of LLVM that rmc runs, and the pass plugin that opt loads.

use std::path::{Path, PathBuf};

use rmc_rust::options::BOOTSTRAP;
use rmc_rust::toolchain;

use super::compile_error::CompileError;

/// The file name of the pass.
pub(super) const PLUGIN: &str = "librmc_pass.so";

/// A program of LLVM that is run.
pub struct Tool {
    /// Its name for messages.
    pub name: &'static str,
    /// The Debian package that has it.
    pub package: &'static str,
    /// The environment variable with which the user names another program.
    pub variable: &'static str,
    /// The program if the variable is not set.
    default: fn() -> &'static str,
    /// Environment variables that it is run with unless the user sets them, and their values.
    pub environment: &'static [(&'static str, &'static str)],
}

impl Tool {
    /// The name or path of the program.
    pub fn program(&self) -> String {
        std::env::var(self.variable).unwrap_or_else(|_| (self.default)().to_owned())
    }

    /// The file of the program, if it is found.
    pub fn path(&self) -> Option<PathBuf> {
        let program = self.program();
        if program.contains('/') {
            return Some(program.into());
        }
        let directories = std::env::var_os("PATH")?;
        std::env::split_paths(&directories).map(|directory| directory.join(&program)).find(|path| path.is_file())
    }
}

/// The files that compile inputs, this program among them.
pub fn all() -> Option<[PathBuf; 4]> {
    Some([std::env::current_exe().ok()?, plugin_path().ok()?, CLANG.path()?, OPT.path()?])
}

/// The compiler.
pub const CLANG: Tool = of_llvm("clang", "clang-16", "RMC_CLANG", || "clang-16");
/// The compiler of Rust.
pub const RUSTC: Tool = Tool {
    name: "rustc",
    package: toolchain::PACKAGES,
    variable: toolchain::VARIABLE,
    default: toolchain::default,
    environment: &[BOOTSTRAP],
};
/// The program that links bitcode.
pub const LINK: Tool = of_llvm("llvm-link", "llvm-16", "RMC_LINK", || "llvm-link-16");
/// The program that runs passes.
pub const OPT: Tool = of_llvm("opt", "llvm-16", "RMC_OPT", || "opt-16");

const fn of_llvm(
    name: &'static str,
    package: &'static str,
    variable: &'static str,
    default: fn() -> &'static str,
) -> Tool {
    Tool { name, package, variable, default, environment: &[] }
}

/// The path of the pass plugin: the one that `RMC_PASS` names, or the first that exists beside this program,
/// in the directory above (the programs of tests are one deeper), or where an installation puts it.
pub fn plugin_path() -> Result<PathBuf, CompileError> {
    if let Some(path) = std::env::var_os("RMC_PASS") {
        return Ok(path.into());
    }
    let program = std::env::current_exe().map_err(CompileError::Temporary)?;
    let directory = program.parent().unwrap_or(Path::new("."));
    let places = [directory.join(PLUGIN), directory.join("..").join(PLUGIN), directory.join("../lib/rmc").join(PLUGIN)];
    let found = places.into_iter().find(|place| place.exists());
    found.ok_or_else(|| CompileError::NoPlugin { near: directory.display().to_string() })
}
