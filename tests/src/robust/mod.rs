//! Runs of `--robustness`: the cycles that are found in C programs that hold several small ones. The
//! functions of program N are called `testN_...`.

pub mod rounds;
pub mod waiting;

use std::ffi::OsString;
use std::path::Path;

use libtest_mimic::Failed;
use serde_json::Value;

use crate::harness::expectation::Model;
use crate::harness::process::run_with_report;

/// The cycles that are found in a file of this text.
///
/// # Errors
/// The run has no verdict, or something that it reports is no cycle.
pub fn cycles_of(path: &Path, more: &[&str], text: &str, model: Model) -> Result<Vec<Value>, Failed> {
    let cycles = unchecked_cycles_of(path, more, text, model)?;
    match cycles.iter().find(|cycle| !is_cycle(cycle)) {
        Some(wrong) => Err(format!("{text}\nis no cycle: {wrong:#}").into()),
        None => Ok(cycles),
    }
}

/// The cycles that are found in a file of this text. An operation of a cycle may be one that loads and
/// stores, e.g. an atomic section, and is then described by one of its accesses.
///
/// # Errors
/// The run has no verdict.
pub fn unchecked_cycles_of(path: &Path, more: &[&str], text: &str, model: Model) -> Result<Vec<Value>, Failed> {
    let fixed = ["--robustness", "--keep-going", "-q", "--relaxed-memory", model.name()];
    let options = fixed.iter().chain(more).map(OsString::from);
    let (run, report) = run_with_report(options.chain([path.as_os_str().to_owned()]));
    let report =
        report.filter(|_| matches!(run.code, Some(0 | 1))).ok_or_else(|| format!("{}\n{text}", run.describe()))?;
    let violations = report["violations"].as_array().cloned().unwrap_or_default();
    let violations = violations.into_iter().filter(|violation| violation["kind"] == "not-robust");
    let cycles: Vec<_> = violations.map(|violation| violation["cycle"].clone()).collect();
    let is_robust = if cycles.is_empty() { "robust" } else { "not-robust" };
    if report["robustness"] == is_robust {
        Ok(cycles)
    } else {
        Err(format!("{text}\nis called {}", report["robustness"]).into())
    }
}

/// True if the relations of a cycle fit its operations, and each fence follows a store that comes before
/// another operation of its thread.
fn is_cycle(cycle: &Value) -> bool {
    let empty = Vec::new();
    let operations = cycle["operations"].as_array().unwrap_or(&empty);
    let next = operations.iter().cycle().skip(1);
    let pairs: Vec<_> = operations.iter().zip(next).collect();
    let fits = |&(one, other): &(&Value, &Value)| {
        let [stores, loads] = ["store", "load"].map(|kind| {
            [one, other].map(|at| {
                at["operation"].as_str().is_some_and(|name| name.starts_with(kind) || name.starts_with("atomic"))
            })
        });
        let is_failed = |at: &Value| at["operation"] == "compare-exchange fails";
        match at_relation(one) {
            "po" => one["thread"] == other["thread"],
            "rf" => one["thread"] != other["thread"] && stores[0] && (loads[1] || is_failed(other)),
            "co" => one["thread"] != other["thread"] && stores == [true, true],
            "fr" => one["thread"] != other["thread"] && (loads[0] || is_failed(one)) && stores[1],
            _ => false,
        }
    };
    let fenced = |fence: &Value| {
        let is_it = |(one, other): &(&Value, &Value)| {
            let lines = one["line"] == fence["after"]["line"] && other["line"] == fence["before"]["line"];
            lines
                && one["thread"] == fence["thread"]
                && at_relation(one) == "po"
                && one["operation"].as_str().is_some_and(|name| name.starts_with("store"))
        };
        pairs.iter().any(is_it)
    };
    let fences = cycle["fences"].as_array().unwrap_or(&empty);
    operations.len() > 1 && pairs.iter().all(fits) && !fences.is_empty() && fences.iter().all(fenced)
}

fn at_relation(operation: &Value) -> &str {
    operation["before_next"].as_str().unwrap_or_default()
}

/// The number of the random program that a cycle is in: its threads' functions are called `testN_threadM`.
#[must_use]
pub fn program_of(cycle: &Value) -> Option<usize> {
    let function = cycle["operations"][0]["function"].as_str()?;
    function.strip_prefix("test")?.split('_').next()?.parse().ok()
}
