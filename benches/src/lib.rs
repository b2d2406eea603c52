//! Benchmarks, in `benches/`: single operations of the runtime (criterion), and whole runs of `rmc-check`
//! whose counts are asserted. Their programs are in `programs/`. This file has the functions that the whole
//! runs share.

pub mod histories;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use serde_json::Value;

/// Prints a line, or the error, for every run that is named on the command line by a part of its name; for
/// all runs if none is named. The exit code is success if there was no error.
pub fn print_lines<R>(
    runs: &[R],
    name: impl Fn(&R) -> &'static str,
    line: impl Fn(&R) -> Result<String, String>,
) -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_wanted = |run: &&R| wanted.is_empty() || wanted.iter().any(|part| name(run).contains(part.as_str()));
    let mut code = ExitCode::SUCCESS;
    for run in runs.iter().filter(is_wanted) {
        match line(run) {
            Ok(line) => println!("{line}"),
            Err(message) => {
                code = ExitCode::FAILURE;
                println!("{}: {message}", name(run));
            }
        }
    }
    code
}

/// The report of a run of `rmc-check` in the repository.
///
/// # Errors
///
/// The message of the checker if it makes no report, or that it is not built.
pub fn report(arguments: &[&str]) -> Result<Value, String> {
    let output = Command::new(checker()?)
        .current_dir(repository())
        .args(["-q", "--report", "-"])
        .args(arguments)
        .output()
        .map_err(|error| error.to_string())?;
    serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("{error}\n{}", String::from_utf8_lossy(&output.stderr)))
}

/// A number of a report's statistics.
///
/// # Errors
///
/// The report does not have the number.
pub fn number(report: &Value, name: &str) -> Result<f64, String> {
    report["statistics"][name].as_f64().ok_or_else(|| format!("the report has no {name}"))
}

/// The size of the last formula of the symbolic engine, and the seconds of its run.
#[derive(Clone, Copy, Debug)]
pub struct FormulaCost {
    /// Events of all threads.
    pub events: u64,
    /// Variables of the solver.
    pub variables: u64,
    /// Its clauses.
    pub clauses: u64,
    /// Seconds of the run, without compilation.
    pub seconds: f64,
}

impl FormulaCost {
    /// The numbers in a report.
    ///
    /// # Errors
    ///
    /// The report does not have one of them.
    pub fn of(report: &Value) -> Result<Self, String> {
        let formula = &report["statistics"]["formula"];
        let size = |name: &str| formula[name].as_u64().ok_or_else(|| format!("the report has no {name}"));
        let (events, variables, clauses) = (size("events")?, size("variables")?, size("clauses")?);
        Ok(Self { events, variables, clauses, seconds: number(report, "seconds")? })
    }
}

/// A directory for files that a benchmark writes, beside the release build. It is made if it is missing.
///
/// # Errors
///
/// It cannot be made.
pub fn output_directory(benchmark: &str) -> Result<PathBuf, String> {
    let path = build_directory()?.join(benchmark);
    std::fs::create_dir_all(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(path)
}

/// The directory of the release build: two levels above this program.
fn build_directory() -> Result<PathBuf, String> {
    let here = std::env::current_exe().map_err(|error| error.to_string())?;
    here.ancestors()
        .nth(2)
        .map(Path::to_owned)
        .ok_or_else(|| format!("{} is not in a target directory", here.display()))
}

/// The release build of the checker.
fn checker() -> Result<PathBuf, String> {
    let path = build_directory()?.join("rmc-check");
    if path.exists() { Ok(path) } else { Err(format!("{} is missing: cargo build --release", path.display())) }
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the repository")
}
