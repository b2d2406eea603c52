//! Every program in `tests/programs` and `examples`, in each of its variants and under each of its models.
//!
//! One test per program, variant and model, named `path [options] model`. A failure shows the command to
//! repeat. `RMC_BLESS=1` records the numbers of states.
//!
//! The first variant of a program in Rust, and each that has a violation, is also checked as rustc 1.95
//! compiles it, under the weakest of its models: verdict and place are the same. The standard libraries
//! differ, and so do the numbers of states.

use std::collections::HashMap;
use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};
use rmc_tests::harness::expectation::{Expected, Model, Variant};
use rmc_tests::harness::process::{Run, command, run_command_with_report};
use rmc_tests::harness::programs::{Program, programs};
use rmc_tests::harness::{bless, later_rustc, repository};
use serde_json::Value;

/// Programs that have too many states as rustc 1.95 compiles them: its channels are other ones (1.6 million
/// states where those of 1.63 have 11,000).
const TOO_LARGE: [&str; 1] = ["tests/programs/rust/channel.rs"];

/// The number of seconds after which a run counts as failed, whatever its result would be.
const TIMEOUT: &str = "300";

fn main() {
    let arguments = Arguments::from_args();
    let mut trials: Vec<_> = programs().iter().flat_map(trials_of).collect();
    // Runs that need the same compilation would all make it if they began at the same time.
    trials.sort_by_key(|(number, _)| *number);
    libtest_mimic::run(&arguments, trials.into_iter().map(|(_, trial)| trial).collect()).exit();
}

/// The tests of a program, each with its number among those that need the same compilation.
fn trials_of(program: &Program) -> Vec<(usize, Trial)> {
    let mut trials = Vec::new();
    let mut compilations = HashMap::<_, usize>::new();
    for (at, variant) in program.variants.iter().enumerate() {
        for (model, expected) in variant.expected.clone() {
            let number = compilations.entry(compilation(variant)).or_default();
            *number += 1;
            let (name, variant) = (program.name.clone(), variant.clone());
            let title = [vec![name.clone()], variant.options.clone(), vec![model.name().to_owned()]].concat().join(" ");
            trials.push((*number, Trial::test(title, move || check(&name, &variant, model, &expected, None))));
        }
        let is_wrong = variant.expected.iter().any(|(_, expected)| matches!(expected, Expected::Violated(_)));
        let is_later = program.name.ends_with(".rs") && (at == 0 || is_wrong);
        if is_later && !TOO_LARGE.contains(&program.name.as_str()) {
            trials.extend(later(program, variant).map(|trial| (1, trial)));
        }
    }
    trials
}

/// The options of a variant that its compilation depends on.
fn compilation(variant: &Variant) -> Vec<String> {
    let is_for_compiler = |option: &&String| !option.starts_with("--") || option.starts_with("--cflags");
    variant.options.iter().filter(is_for_compiler).cloned().collect()
}

/// The test of a program in Rust with the later compiler.
fn later(program: &Program, variant: &Variant) -> Option<Trial> {
    let (model, expected) = variant.expected.last()?.clone();
    let (name, variant) = (program.name.clone(), variant.clone());
    let title = format!("{name} {} {} rustc 1.95", variant.options.join(" "), model.name());
    Some(Trial::test(title, move || check(&name, &variant, model, &expected, Some(&later_rustc()))))
}

/// Checks a variant of a program under a model. A compiler that is given is another one than the numbers of
/// states are about.
fn check(
    program: &str,
    variant: &Variant,
    model: Model,
    expected: &Expected,
    compiler: Option<&Path>,
) -> Result<(), Failed> {
    let mut arguments = variant.options.clone();
    arguments.extend(["--timeout", TIMEOUT, "--relaxed-memory", model.name(), program].map(str::to_owned));
    let mut command = command(arguments);
    command.envs(compiler.map(|compiler| ("RMC_RUSTC", compiler)));
    let (run, report) = run_command_with_report(command);
    let mut outcome = compare(&run, report.as_ref(), expected);
    if let (Expected::Violated(_), Some(report)) = (expected, &report) {
        outcome = outcome.and_then(|()| compare_places(variant, report));
    }
    if compiler.is_none() && matches!(expected, Expected::Holds | Expected::Violated(_)) {
        // If a limit on time or memory ends the search, the count is arbitrary.
        outcome = outcome.and_then(|()| compare_states(program, variant, model, report.as_ref()));
    }
    outcome.map_err(|error| format!("{error}\n{}", run.describe()).into())
}

fn compare(run: &Run, report: Option<&Value>, expected: &Expected) -> Result<(), String> {
    if run.code != Some(expected.exit_code()) {
        return Err(format!("expected {expected}, exit code {}", expected.exit_code()));
    }
    let text = |pointer| report.and_then(|report| report.pointer(pointer)).and_then(Value::as_str).unwrap_or("");
    match expected {
        Expected::Holds => equal("verdict", text("/verdict"), "holds"),
        Expected::Violated(kind) => {
            equal("verdict", text("/verdict"), "violated")?;
            equal("kind", text("/violations/0/kind"), kind)
        }
        Expected::Unknown(word) => {
            equal("verdict", text("/verdict"), "unknown")?;
            word.as_deref().map_or(Ok(()), |reason| equal("reason", text("/reason"), reason))
        }
        Expected::Refused(word) => contains("standard error", &run.stderr, word),
    }
}

/// Compares the line of the first violation, and the lines of the other places it names.
fn compare_places(variant: &Variant, report: &Value) -> Result<(), String> {
    let line = |place: &Value| place.get("line").and_then(Value::as_u64).unwrap_or(0);
    let Some(violation) = report.pointer("/violations/0") else { return Err("no violation is reported".to_owned()) };
    if let Some(at) = variant.at {
        equal("line", &line(violation).to_string(), &at.to_string())?;
    }
    let Some(expected) = &variant.related else { return Ok(()) };
    let related = violation.get("related").and_then(Value::as_array);
    let found: Vec<_> = related.into_iter().flatten().map(line).collect();
    equal("related lines", &format!("{found:?}"), &format!("{expected:?}"))
}

fn equal(what: &str, found: &str, expected: &str) -> Result<(), String> {
    if found == expected { Ok(()) } else { Err(format!("{what}: expected {expected}, found {found}")) }
}

fn contains(what: &str, found: &str, word: &str) -> Result<(), String> {
    if found.contains(word) { Ok(()) } else { Err(format!("{what}: `{word}` expected in `{found}`")) }
}

fn compare_states(program: &str, variant: &Variant, model: Model, report: Option<&Value>) -> Result<(), String> {
    let found = report.and_then(|report| report.pointer("/statistics/states")).and_then(Value::as_u64);
    // The stateless engines have no states.
    let Some(found) = found.filter(|&found| found > 0) else { return Ok(()) };
    match variant.states(model) {
        _ if bless::wanted() => bless::states(&repository().join(program), variant.line, model, found),
        Some(expected) if expected != found => Err(format!("states: expected {expected}, found {found}")),
        _ => Ok(()),
    }
}
