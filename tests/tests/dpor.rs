//! The stateless engine: the number of executions it explores, and its agreement with the explicit engine.
//!
//! * `executions PROGRAM OPTIONS MODEL`: a program in `tests/programs/traces` states its number of
//!   Shasha-Snir traces, in lines `// executions: [OPTION] sc=N tso=N pso=N`. Optimal-DPOR explores as many
//!   executions, none of them redundant; so does Source-DPOR, apart from those that sleep sets block.
//! * `cross-check PROGRAM MODEL`: the first variant of every program, and all of those in
//!   `tests/programs/awaits` and `tests/programs/inputs`, by all engines that are compared, if they complete
//!   within [`LIMIT`] and [`MOST_MEMORY`]; a third of them under SC, whose executions the other models have,
//!   too, and those of [`ANY_MODEL`] under the weakest model alone. Verdict, kinds of violations and final
//!   states must agree. In `tests/programs/unbounded` buffers would grow without end, and the explicit engine
//!   would take minutes for as many states, so they are bounded, and what the engines see within the bound is
//!   compared.
//!
//! Random programs, also against the textbook machine, are in `pipeline_differential.rs`.

use libtest_mimic::{Arguments, Failed, Trial};
use rmc_tests::harness::expectation::{Model, Variant};
use rmc_tests::harness::process::run_with_report;
use rmc_tests::harness::programs::{Program, programs};
use serde_json::Value;

/// The number of states or events after which an engine is no longer compared.
const LIMIT: &str = "6000";

/// The memory with which an engine is no longer compared. With `--keep-going`, executions that the process's
/// end cuts off differ in which stores of a buffer have arrived, so there may be very many of few states.
const MOST_MEMORY: &str = "1G";

/// The bound on buffers in programs that have none.
const BUFFER_BOUND: [&str; 2] = ["--buffer-bound", "4"];

/// Options that only the explicit engine has.
const EXPLICIT_ONLY: [&str; 3] = ["--races", "--spurious-wakeups", "--clocks=pass"];

/// The directories of programs that are about languages and libraries, for which any model does.
const ANY_MODEL: [&str; 5] = ["cxx/", "language/", "libc/", "rust/", "termination/"];

/// The prefix of a line with numbers of executions.
const MARK: &str = "// executions:";

fn main() {
    let arguments = Arguments::from_args();
    let programs = programs();
    let mut trials: Vec<Trial> = programs.iter().flat_map(counts).collect();
    trials.extend(programs.iter().flat_map(cross_checks));
    libtest_mimic::run(&arguments, trials).exit();
}

/// One test for each number that a program states.
fn counts(program: &Program) -> Vec<Trial> {
    let lines = program.source.lines().filter_map(|line| line.strip_prefix(MARK));
    let mut trials = Vec::new();
    for line in lines {
        let (options, numbers): (Vec<_>, Vec<_>) = line.split_whitespace().partition(|word| word.starts_with('-'));
        for number in numbers {
            let (model, count) = number.split_once('=').unwrap_or_else(|| panic!("{}: `{number}`", program.name));
            let count: u64 = count.parse().unwrap_or_else(|_| panic!("{}: `{number}` is no number", program.name));
            let arguments = words(&[&options[..], &["--relaxed-memory", model, &program.name]].concat());
            let title = format!("executions {} {} {model}", program.name, options.join(" "));
            trials.push(Trial::test(title, move || explores(&arguments, count)));
        }
    }
    trials
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

fn explores(arguments: &[String], count: u64) -> Result<(), Failed> {
    let optimal = statistics(arguments, "dpor")?;
    let [executions, blocked, redundant] = ["executions", "blocked_executions", "sleep_blocked_executions"]
        .map(|name| optimal[name].as_u64().unwrap_or_default());
    if (executions, blocked, redundant) != (count, 0, 0) {
        return Err(format!("{executions} executions, {blocked} blocked, {redundant} redundant").into());
    }
    // Greater numbers would take long and show nothing new.
    if count < 10_000 {
        let source = statistics(arguments, "dpor-source")?["executions"].as_u64().unwrap_or_default();
        if source != count {
            return Err(format!("Source-DPOR explores {source} executions").into());
        }
    }
    Ok(())
}

fn statistics(arguments: &[String], engine: &str) -> Result<Value, Failed> {
    let (run, report) = run_with_report(words(&["--engine", engine]).iter().chain(arguments));
    match report {
        Some(report) if run.code == Some(0) => Ok(report["statistics"].clone()),
        _ => Err(run.describe().into()),
    }
}

/// Comparisons of the engines on a program's first variant, or on all.
fn cross_checks(program: &Program) -> Vec<Trial> {
    let are_all = ["tests/programs/awaits/", "tests/programs/inputs/"].iter().any(|at| program.name.starts_with(at));
    let count = if are_all { program.variants.len() } else { 1 };
    program.variants[..count].iter().flat_map(|variant| cross_check(program, variant)).collect()
}

/// A comparison of the engines under each model of a variant.
fn cross_check(program: &Program, variant: &Variant) -> Vec<Trial> {
    let names_engine = |option: &String| option.starts_with("--engine") || option.starts_with("--unroll");
    if variant.options.iter().any(|option| EXPLICIT_ONLY.contains(&option.as_str()) || names_engine(option)) {
        return Vec::new();
    }
    let trial = |model: Model| {
        let is_unbounded = program.name.starts_with("tests/programs/unbounded/");
        let bound: &[&str] = if is_unbounded { &BUFFER_BOUND } else { &[] };
        let limits = ["--max-states", LIMIT, "--max-memory", MOST_MEMORY];
        let own = words(&[&["--cross-check", "--relaxed-memory", model.name()], &limits[..], bound].concat());
        // `--robustness` is for one engine only; the rest of the program's behaviour can be compared.
        let options = variant.options.iter().filter(|option| *option != "--robustness").cloned();
        let arguments: Vec<_> = own.into_iter().chain(options).chain([program.name.clone()]).collect();
        let title = format!("cross-check {} {} {}", program.name, variant.options.join(" "), model.name());
        Trial::test(title, move || agree(&arguments))
    };
    let directory = program.name.strip_prefix("tests/programs/").unwrap_or_default();
    if ANY_MODEL.iter().any(|name| directory.starts_with(name)) {
        return variant.expected.last().map(|&(model, _)| trial(model)).into_iter().collect();
    }
    let is_compared = |model: Model| model != Model::Sc || program.name.len().is_multiple_of(3);
    variant.expected.iter().filter(|(model, _)| is_compared(*model)).map(|&(model, _)| trial(model)).collect()
}

fn agree(arguments: &[String]) -> Result<(), Failed> {
    let (run, _) = run_with_report(arguments);
    // A refusal comes before any engine runs, or from both.
    match run.code {
        Some(0..=3) => Ok(()),
        _ => Err(run.describe().into()),
    }
}
