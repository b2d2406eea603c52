//! The results of the checker on the C text of random programs.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use serde_json::Value;

use super::{Outcome, outcome_globals};
use crate::harness::expectation::Model;
use crate::harness::process::run_with_report;

/// The results of the checker.
#[derive(Debug)]
pub struct Explored {
    /// The outcomes, by the number of the program.
    pub outcomes: BTreeMap<usize, BTreeSet<Outcome>>,
    /// The number of states.
    pub states: u64,
}

/// Runs the checker on a text whose programs have `threads` threads.
///
/// # Errors
/// If the verdict is not `holds`, or the report is not as expected: all messages, and the text.
pub fn explore<S: AsRef<str>>(text: &str, options: &[S], model: Model, threads: usize) -> Result<Explored, String> {
    let (code, explored) = explore_within_bounds(text, options, model, threads)?;
    if code == 0 { Ok(explored) } else { Err(format!("the verdict is `unknown`\n{text}")) }
}

/// As [`explore`], but the verdict may be `unknown`, too. The exit code comes first.
///
/// # Errors
/// If the verdict is `violated`, or the report is not as expected.
pub fn explore_within_bounds<S: AsRef<str>>(
    text: &str,
    options: &[S],
    model: Model,
    threads: usize,
) -> Result<(i32, Explored), String> {
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let path = directory.path().join("random.c");
    fs::write(&path, text).map_err(|error| error.to_string())?;
    let common = ["--keep-going", "-q", "--relaxed-memory", model.name()].map(Into::into);
    let options = options.iter().map(|option| option.as_ref().into());
    let (run, report) = run_with_report(common.into_iter().chain(options).chain([path.into_os_string()]));
    let Some(code @ (0 | 3)) = run.code else { return Err(format!("{}\n{text}", run.describe())) };
    let report = report.ok_or("no report")?;
    let finals = report["final_states"].as_array().ok_or("the report has no final_states")?;
    let globals = outcome_globals(threads);
    let mut outcomes: BTreeMap<usize, BTreeSet<Outcome>> = BTreeMap::new();
    for state in finals {
        let outcome = globals.iter().map(|name| global(state, name)).collect::<Result<Outcome, String>>()?;
        let number = usize::try_from(global(state, "test")?).map_err(|error| error.to_string())?;
        outcomes.entry(number).or_default().insert(outcome);
    }
    let states = report["statistics"]["states"].as_u64().ok_or("the report has no states")?;
    Ok((code, Explored { outcomes, states }))
}

/// The bits of a global; the report shows it as a signed number.
fn global(state: &Value, name: &str) -> Result<u64, String> {
    let value = &state["globals"][name];
    let bits = value.as_i64().map(i64::cast_unsigned);
    bits.ok_or_else(|| format!("global `{name}` is {value} in the final state {state}"))
}
