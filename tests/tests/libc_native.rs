//! The checked libraries against the real ones: every program in [`DIRECTORIES`] prints the same and ends
//! with the same status when clang compiles it and it runs, as when the checker runs it.
//!
//! One test per program and line of options; `programs.rs` checks their expectations. Standard error goes to
//! the same file as standard output.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use libtest_mimic::{Arguments, Failed, Trial};
use rmc_tests::harness::expectation::variants;
use rmc_tests::harness::process::run_with_report;
use rmc_tests::harness::repository;

/// Programs that compare what they print with what they must print, in all executions (`programs.rs`), and
/// here without the checker.
const COMPARING: [&str; 1] = ["tests/programs/cxx/library_threads.cpp"];

/// Programs with one execution: for the C library, and for the C++ library.
const DIRECTORIES: [&str; 2] = ["tests/programs/libc/native", "tests/programs/cxx/native"];

fn main() {
    let arguments = Arguments::from_args();
    let mut programs: Vec<PathBuf> = DIRECTORIES.iter().flat_map(|directory| files_of(directory)).collect();
    programs.sort();
    let mut trials: Vec<Trial> = programs.iter().flat_map(|program| trials_of(program, compare)).collect();
    trials.extend(COMPARING.iter().flat_map(|program| trials_of(&repository().join(program), passes)));
    libtest_mimic::run(&arguments, trials).exit();
}

fn files_of(directory: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(repository().join(directory)).unwrap_or_else(|error| panic!("{directory}: {error}"));
    entries.map(|entry| entry.expect("a directory entry").path()).collect()
}

fn trials_of(program: &Path, check: fn(&str, &[String]) -> Result<(), Failed>) -> Vec<Trial> {
    let name = program.strip_prefix(repository()).unwrap_or(program).to_string_lossy().into_owned();
    let source = fs::read_to_string(program).unwrap_or_else(|error| panic!("{name}: {error}"));
    let stated = variants(&source).unwrap_or_else(|error| panic!("{name}: {error}"));
    let trial = |options: Vec<String>| {
        let (name, title) = (name.clone(), [vec![name.clone()], options.clone()].concat().join(" "));
        Trial::test(title, move || check(&name, &options))
    };
    stated.into_iter().map(|variant| trial(variant.options)).collect()
}

/// The printed text of a program, and its exit status.
type Behaviour = (String, i64);

fn compare(program: &str, options: &[String]) -> Result<(), Failed> {
    let (native, checked) = (run_natively(program, options)?, run_checked(program, options)?);
    if native == checked {
        return Ok(());
    }
    let lines = native.0.lines().zip(checked.0.lines()).zip(1..).find(|((native, checked), _)| native != checked);
    let difference = match lines {
        Some(((native, checked), line)) => format!("line {line}:\n  natively: {native}\n  checked:  {checked}"),
        None => format!("status {} natively, {} checked, or one printed more", native.1, checked.1),
    };
    Err(format!("{program} {}: {difference}", options.join(" ")).into())
}

fn passes(program: &str, options: &[String]) -> Result<(), Failed> {
    match run_natively(program, options)? {
        (_, 0) => Ok(()),
        (printed, status) => Err(format!("{program}: status {status}\n{printed}").into()),
    }
}

fn run_natively(program: &str, options: &[String]) -> Result<Behaviour, Failed> {
    let directory = tempfile::tempdir()?;
    let binary = directory.path().join("program");
    let flags = options.iter().map(|option| option.strip_prefix("--cflags=").unwrap_or(option));
    let driver = if program.ends_with(".cpp") { "g++" } else { "gcc" };
    let compiled = Command::new("clang-16")
        .arg(format!("--driver-mode={driver}"))
        .args(flags)
        .args(["-w", "-pthread", program, "-lm", "-o"])
        .arg(&binary)
        .current_dir(repository())
        .output()?;
    if !compiled.status.success() {
        return Err(format!("{program}: {}", String::from_utf8_lossy(&compiled.stderr)).into());
    }
    // Both streams into one file, so that they keep their order.
    let printed = directory.path().join("printed");
    let file = fs::File::create(&printed)?;
    let status = Command::new(&binary).stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file).status()?;
    let status = status.code().ok_or_else(|| format!("{program}: ended by a signal: {status}"))?;
    Ok((String::from_utf8_lossy(&fs::read(&printed)?).into_owned(), status.into()))
}

fn run_checked(program: &str, options: &[String]) -> Result<Behaviour, Failed> {
    let mut arguments = options.to_vec();
    arguments.push(program.to_owned());
    let (run, report) = run_with_report(arguments);
    let execution = report.as_ref().and_then(|report| report.get("only_execution"));
    let execution = execution.ok_or_else(|| format!("the program has no only execution\n{}", run.describe()))?;
    let output = execution.get("output").and_then(serde_json::Value::as_str).ok_or("no output in the report")?;
    let status = execution.get("exit").and_then(serde_json::Value::as_i64).ok_or("no status in the report")?;
    // The system keeps eight bits of the status.
    Ok((output.to_owned(), status & 0xFF))
}
