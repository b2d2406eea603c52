//! Loads the user's bitcode in a separate process before it is loaded in this one.
//!
//! LLVM's functions trust a module: the verifier accepts debug information with nodes of a wrong kind, and
//! reading those crashes the process. So `rmc-check --load-only FILE` loads a file and does nothing else. If
//! a signal ends it, the file is refused. All other errors are found again when the file is loaded in this
//! process.
//!
//! Tests: `tests/tests/untrusted.rs`.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use clap::Parser as _;

use super::args::Args;
use super::tool::{self, Ended};
use crate::halt::Halt;
use crate::ir::load::{self, Input};
use crate::outcome::Unknown;
use crate::system::{Config, library};

const OPTION: &str = "--load-only";

/// The result of loading a file in a separate process.
pub enum Checked {
    /// The process ended without a signal.
    Loads,
    /// A signal ended the process; the text describes it.
    Crashes(String),
    /// The process was killed because the run is to end, for this reason.
    Stopped(Unknown),
}

/// Loads an instrumented file in another process.
///
/// # Errors
/// The process cannot be started.
pub fn check(path: &Path, halt: &Halt) -> io::Result<Checked> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(OPTION).arg(path);
    Ok(match tool::run(&mut command, halt)? {
        Ended::Itself { status, .. } if status.signal().is_some() => Checked::Crashes(status.to_string()),
        Ended::Itself { .. } => Checked::Loads,
        Ended::Stopped(reason) => Checked::Stopped(reason),
    })
}

/// The file that this process is to load, if it was started with `--load-only`.
pub fn requested() -> Option<PathBuf> {
    let mut arguments = std::env::args_os().skip(1);
    let is_requested = arguments.next().is_some_and(|first| first == OPTION);
    arguments.next().filter(|_| is_requested).map(PathBuf::from)
}

/// Loads the file. Errors are ignored; only a crash matters.
pub fn load_only(path: &Path) -> ExitCode {
    if let Ok(bytes) = fs::read(path) {
        let input = Input { file: path.display().to_string(), bytes };
        drop(load::load(&[input], &library::finder(&usual_config(path)), &[]));
    }
    ExitCode::SUCCESS
}

/// The options of a run that has nothing but this input on its command line.
pub fn usual_config(input: &Path) -> Config {
    Args::parse_from([OsString::from("rmc-check"), input.into()]).config()
}
