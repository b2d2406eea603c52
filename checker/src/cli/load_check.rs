//! A trial run of the loader on each file, in another process, so that a crash of LLVM does not end rmc.
//!
//! LLVM's functions assume that a module is well-formed, and its verifier does not check everything that they
//! assume: it accepts debug information with nodes of a wrong kind, and reading those crashes the process. So
//! rmc first starts itself as `rmc-check --load-only FILE`, which loads the file and does nothing else. If a
//! signal ends that process, the file is refused. Any other end of it is ignored: errors, and also panics,
//! occur again when this process loads the same file, and are reported then.
//!
//! The option is internal. It is read before all other options and is not listed by `--help`.
//!
//! Tests: `tests/tests/untrusted.rs`, `debug_information_of_a_wrong_kind_is_refused` and
//! `damaged_bitcode_ends_no_run_with_a_signal`.

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

/// The option by which a process only loads a file.
const LOAD_ONLY: &str = "--load-only";

/// The result of a trial run.
pub enum Checked {
    /// The process ended by itself, so the file may be loaded here. It may still have errors.
    Loads,
    /// A signal ended the process; the text describes it.
    Crashes(String),
    /// The trial was broken off because the run is to end, for this reason.
    Stopped(Unknown),
}

/// Loads an instrumented file in another process, which is killed if `halt` says that the run is to end.
///
/// # Errors
/// The process cannot be started, or its end cannot be observed.
pub fn check(path: &Path, halt: &Halt) -> io::Result<Checked> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(LOAD_ONLY).arg(path);
    Ok(match tool::run(&mut command, halt)? {
        Ended::Itself { status, .. } if status.signal().is_some() => Checked::Crashes(status.to_string()),
        Ended::Itself { .. } => Checked::Loads,
        Ended::Stopped(reason) => Checked::Stopped(reason),
    })
}

/// The file that this process is to load, if it was started with `--load-only`.
pub fn requested() -> Option<PathBuf> {
    let mut arguments = std::env::args_os().skip(1);
    let is_requested = arguments.next().is_some_and(|first| first == LOAD_ONLY);
    arguments.next().filter(|_| is_requested).map(PathBuf::from)
}

/// Loads the file, as the process of a trial. Errors are ignored: only a crash matters. The configuration
/// only decides which functions of the program are replaced by models, so the usual one will do.
pub fn load_only(path: &Path) -> ExitCode {
    if let Ok(bytes) = fs::read(path) {
        let input = Input { file: path.display().to_string(), bytes };
        drop(load::load(&[input], &library::finder(&usual_config(path)), &[], load::MAIN));
    }
    ExitCode::SUCCESS
}

/// The configuration of a run with this input and no options.
pub fn usual_config(input: &Path) -> Config {
    Args::parse_from([OsString::from("rmc-check"), input.into()]).config()
}
