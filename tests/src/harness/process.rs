//! Runs the checker and keeps all its output.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

use super::repository;

/// The checker built beside this test, in the same profile.
///
/// # Panics
/// If it was not built, naming the command that does.
pub fn rmc_check() -> PathBuf {
    let test = env::current_exe().expect("a test knows its own path");
    let profile = test.parent().and_then(|deps| deps.parent()).expect("tests are in target/<profile>/deps");
    let binary = profile.join("rmc-check");
    assert!(
        binary.is_file(),
        "{} is missing: build it first with `cargo build -p rmc-pass -p rmc-checker`, with --release if the tests are",
        binary.display()
    );
    binary
}

/// The result of a run of the checker.
#[derive(Debug)]
pub struct Run {
    /// The command, to be repeated in the root of the repository.
    pub command: String,
    /// The exit code; `None` if a signal ended the process.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Run {
    /// A description of the run for a message.
    pub fn describe(&self) -> String {
        let Run { command, code, stdout, stderr } = self;
        format!("{command}\nexit code {code:?}\nstandard output:\n{stdout}\nstandard error:\n{stderr}")
    }

    /// The result of running `command` with this output.
    pub fn new(command: &Command, output: &Output) -> Run {
        Run {
            command: show(command),
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// A command that runs the checker in the root of the repository. Inputs that tests share are compiled once.
pub fn command<I: IntoIterator<Item: AsRef<OsStr>>>(arguments: I) -> Command {
    let checker = rmc_check();
    let mut command = Command::new(&checker);
    command.args(arguments).current_dir(repository()).env("RMC_CACHE", checker.with_file_name("compiled-inputs"));
    command
}

/// Runs `command` to its end.
///
/// # Panics
/// If it cannot be started.
pub fn run(command: &mut Command) -> Run {
    let output = command.output().unwrap_or_else(|error| panic!("{}: {error}", show(command)));
    Run::new(command, &output)
}

/// Runs the checker with `arguments` and a report. The report is `None` if the checker wrote none.
///
/// # Panics
/// If the checker cannot be started, or its report is not JSON.
pub fn run_with_report<I: IntoIterator<Item: AsRef<OsStr>>>(arguments: I) -> (Run, Option<Value>) {
    run_command_with_report(command(arguments))
}

/// Runs a command of the checker with a report. The report is `None` if the checker wrote none.
///
/// # Panics
/// If the checker cannot be started, or its report is not JSON.
pub fn run_command_with_report(mut command: Command) -> (Run, Option<Value>) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("report.json");
    // The report is left out of the command, because its file no longer exists when somebody repeats the
    // command.
    let repeatable = show(&command);
    command.arg("--report").arg(&file);
    let run = Run { command: repeatable, ..run(&mut command) };
    let report = fs::read(&file).ok().map(|text| {
        serde_json::from_slice(&text).unwrap_or_else(|error| panic!("report: {error}\n{}", run.describe()))
    });
    (run, report)
}

fn show(command: &Command) -> String {
    let words = [command.get_program()].into_iter().chain(command.get_args());
    let quoted: Vec<String> = words.map(|word| quote(&word.to_string_lossy())).collect();
    quoted.join(" ")
}

/// `word` quoted for a shell.
fn quote(word: &str) -> String {
    let plain = |letter: char| letter.is_alphanumeric() || "-_=./,:+".contains(letter);
    if word.chars().all(plain) { word.to_owned() } else { format!("'{}'", word.replace('\'', "'\\''")) }
}

/// Runs another tool, which must succeed.
///
/// # Panics
///
/// If it fails.
#[track_caller]
pub fn tool(program: &str, arguments: &[&str]) {
    let done = run(Command::new(program).args(arguments));
    assert_eq!(done.code, Some(0), "{}", done.describe());
}
