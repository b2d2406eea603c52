//! `--test`: the `#[test]` functions of a Rust program, each a program of its own.
//!
//! Tests: `tests/tests/rust_tests.rs`.

use std::fmt::Write as _;

use super::args::Args;
use super::job::{Job, check_entries};
use super::run::compile;
use super::run_error::RunError;
use super::signals;
use crate::halt::Halt;
use crate::ir::load::tests::Test;
use crate::ir::load::{self, LoadError, Loaded};
use crate::report::entries::EntryReport;
use crate::system::library;

/// A program with the tests that are to be checked.
pub struct Tests {
    /// The program, whose entries are these tests.
    pub loaded: Loaded,
    /// The number of tests that are left out because they have `#[ignore]`.
    pub ignored: usize,
}

impl Tests {
    /// Compiles and loads the program. The entries of the job become the tests whose names contain `filter`.
    ///
    /// # Errors
    /// [`RunError`]: among others, that there are no such tests.
    pub fn load(args: &Args, job: &mut Job, filter: &str) -> Result<Self, RunError> {
        let halt = Halt::default();
        signals::stop_on_signal(&halt);
        let inputs = compile(args, job, &halt)?;
        let (mut names, mut ignored) = (Vec::new(), 0);
        let choose = |tests: Vec<Test>| {
            if tests.is_empty() {
                return Err(LoadError::NoTests);
            }
            let found = tests.into_iter().filter(|test| test.name.contains(filter));
            let (left_out, chosen) = found.partition::<Vec<_>, _>(|test| test.is_ignored && !args.include_ignored);
            ignored = left_out.len();
            names.extend(chosen.into_iter().map(|test| test.name));
            if names.is_empty() { Err(LoadError::NoSuchTest { filter: filter.to_owned() }) } else { Ok(names.clone()) }
        };
        let loaded = load::load_tests(&inputs, &library::finder(&job.config), &args.stub, choose)?;
        check_entries(args, &names)?;
        job.entries = names;
        Ok(Self { loaded, ignored })
    }
}

/// The last lines of a run: how many tests have which verdict, and the names of those that do not hold.
pub fn summary<'r>(results: impl Iterator<Item = &'r EntryReport>, ignored: usize) -> String {
    let verdict = |result: &'r EntryReport| match &result.report {
        Some(report) => report.verdict.as_str(),
        None => "refused",
    };
    let results: Vec<_> = results.map(|result| (result.entry.as_str(), verdict(result))).collect();
    let count = |wanted: &str| results.iter().filter(|(_, verdict)| *verdict == wanted).count();
    let mut text = String::new();
    for (test, verdict) in results.iter().filter(|(_, verdict)| *verdict != "holds") {
        let _ = writeln!(text, "test {test} ... {verdict}");
    }
    let counts = ["violated", "unknown", "refused"].map(|verdict| format!("{} {verdict}", count(verdict)));
    let _ = writeln!(text, "tests: {} hold, {}, {ignored} ignored", count("holds"), counts.join(", "));
    text
}
