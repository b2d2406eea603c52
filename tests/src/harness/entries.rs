//! Many programs in one file, each of which begins in a function of its own (`--entry`). They are compiled
//! once, and one process checks them all.
//!
//! # Panics
//! Every function here panics if the checker ends in an unexpected way.

use std::fmt::Write;

use serde_json::Value;

use super::outside::{file, text};
use super::process::{Run, run_with_report};

/// The greatest number of programs in a file.
pub const MOST: usize = 60;

/// A program for such a file: its functions, of which `entry` is called first.
pub struct Program {
    /// The name of the function in which it begins; no other program of the file has it.
    pub entry: String,
    /// All its functions; no other program of the file has one of their names.
    pub functions: String,
}

/// The result for a program.
pub struct Checked {
    /// The exit code of a run with this program alone.
    pub code: i32,
    /// The report; null if the program was refused.
    pub report: Value,
    /// For a program that was refused, the message; else the verdict.
    pub words: String,
}

impl Checked {
    /// The number of states.
    ///
    /// # Panics
    /// If the program was refused.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.report["statistics"]["states"].as_u64().expect("a number of states")
    }
}

/// Programs in a file.
pub struct File {
    /// The directory of a file that is gone when this is dropped.
    _directory: Option<tempfile::TempDir>,
    path: std::path::PathBuf,
    entries: String,
    count: usize,
}

impl File {
    /// A file that begins with `head`.
    #[must_use]
    pub fn new(head: &str, programs: &[Program]) -> Self {
        let source = programs.iter().fold(head.to_owned(), |mut text, program| {
            let _ = writeln!(text, "{}", program.functions);
            text
        });
        let (directory, path) = file("programs.c", source);
        let entries: Vec<_> = programs.iter().map(|program| program.entry.as_str()).collect();
        Self { _directory: Some(directory), path, entries: entries.join(","), count: programs.len() }
    }

    /// A file that is one program.
    #[must_use]
    pub fn of_one(path: std::path::PathBuf) -> Self {
        Self { _directory: None, path, entries: "main".to_owned(), count: 1 }
    }

    /// The results for the programs, in their order.
    #[track_caller]
    #[must_use]
    pub fn check(&self, options: &[&str]) -> Vec<Checked> {
        let entries = ["--entry", &self.entries, text(&self.path)];
        let (run, report) = run_with_report([options, &entries].concat());
        assert!(matches!(run.code, Some(0..=3)), "{}", run.describe());
        let Some(report) = report else {
            assert!(self.count == 1 && run.code == Some(2), "no report\n{}", run.describe());
            return vec![Checked { code: 2, report: Value::Null, words: run.stderr }];
        };
        // The report of one entry is that of a run without entries.
        let results = match report["entries"].as_array() {
            Some(entries) => entries.iter().map(|entry| checked(entry, &run)).collect(),
            None => vec![verdict(report)],
        };
        assert_eq!(results.len(), self.count, "{}", run.describe());
        results
    }
}

fn checked(entry: &Value, run: &Run) -> Checked {
    match entry["error"].as_str() {
        Some(error) => {
            // A program that was not reached is no program that was refused.
            assert!(!error.starts_with("not checked"), "{}", run.describe());
            Checked { code: 2, report: Value::Null, words: error.to_owned() }
        }
        None => verdict(entry["report"].clone()),
    }
}

fn verdict(report: Value) -> Checked {
    let words = format!("{} {}", report["verdict"], report["reason"]);
    let code = match report["verdict"].as_str() {
        Some("holds") => 0,
        Some("violated") => 1,
        _ => 3,
    };
    Checked { code, report, words }
}
