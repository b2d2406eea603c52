//! Several workers find the same as one: every variant of every program, each under one of its models,
//! explored by one worker and by several. A program that holds is explored to the end, one with a violation
//! to the end of the level with the violation. Of the variants with few states, which no second worker sees,
//! one in eight is explored.

use libtest_mimic::{Arguments, Failed, Trial};
use rmc_tests::harness::expectation::{Expected, Model, Variant};
use rmc_tests::harness::process::run_with_report;
use rmc_tests::harness::programs::{Program, programs};
use serde_json::Value;

/// The number of seconds after which a run counts as failed.
const TIMEOUT: &str = "300";

/// The number of states from which several workers have something to do.
const MANY: u64 = 40;

/// The fields of the report that must be the same.
const SAME: [&str; 8] = [
    "/verdict",
    "/reason",
    "/unfinished",
    "/final_states",
    "/statistics/states",
    "/statistics/transitions",
    "/statistics/flush_choices",
    "/statistics/max_depth",
];

fn main() {
    let arguments = Arguments::from_args();
    let trials = programs().iter().flat_map(trials_of).enumerate().map(|(at, trial)| trial(at)).collect();
    libtest_mimic::run(&arguments, trials).exit();
}

fn trials_of(program: &Program) -> Vec<impl FnOnce(usize) -> Trial + use<>> {
    let trial = |variant: &Variant| {
        let (name, variant) = (program.name.clone(), variant.clone());
        move |at: usize| {
            let models: Vec<_> = variant.expected.iter().map(|(model, expected)| (*model, expected.clone())).collect();
            let (model, expected) = models[at % models.len()].clone();
            let jobs = 2 + at % 3;
            let title = format!("{name} {} {} --jobs {jobs}", variant.options.join(" "), model.name());
            Trial::test(title, move || check(&name, &variant, model, &expected, jobs))
        }
    };
    let chosen =
        program.variants.iter().enumerate().filter(|(at, variant)| is_explored(variant) && is_chosen(*at, variant));
    chosen.map(|(_, variant)| trial(variant)).collect()
}

/// True for a variant with many states, or with an unknown number, and for one of eight others.
fn is_chosen(at: usize, variant: &Variant) -> bool {
    let most = variant.states.iter().map(|&(_, states)| states).max();
    most.is_none_or(|most| most >= MANY) || (at + variant.line).is_multiple_of(8)
}

/// True if the explicit engine explores the variant.
fn is_explored(variant: &Variant) -> bool {
    let others = ["--engine", "--robustness", "--cross-check", "--max", "--timeout", "--jobs"];
    !variant.options.iter().any(|option| others.iter().any(|other| option.starts_with(other)))
}

fn check(program: &str, variant: &Variant, model: Model, expected: &Expected, jobs: usize) -> Result<(), Failed> {
    if !matches!(expected, Expected::Holds | Expected::Violated(_)) {
        return Ok(());
    }
    // The exploration behind a violation may not end. With `--keep-going`, each value of an input is tried by
    // itself.
    let has_inputs = program.starts_with("tests/programs/inputs/");
    let whole = (matches!(expected, Expected::Holds) && !has_inputs).then_some("--keep-going");
    let run = |jobs: usize| {
        let jobs = jobs.to_string();
        let mut arguments = variant.options.clone();
        arguments.extend(["--timeout", TIMEOUT, "--relaxed-memory", model.name(), "--jobs", &jobs].map(str::to_owned));
        arguments.extend(whole.map(str::to_owned));
        arguments.push(program.to_owned());
        let (run, report) = run_with_report(arguments);
        report.ok_or_else(|| Failed::from(run.describe()))
    };
    let (one, several) = (run(1)?, run(jobs)?);
    // A deadlock of threads that loop is a set of states, and the first one found depends on the order within
    // a level.
    let is_deadlock = *expected == Expected::Violated("deadlock".to_owned());
    for what in SAME.into_iter().filter(|what| !is_deadlock || !what.starts_with("/statistics")) {
        same(what, &one.pointer(what), &several.pointer(what))?;
    }
    let what = violations(if is_deadlock { 2 } else { 4 });
    same("violations", &what(&one), &what(&several))
}

/// The parts of each violation that must be the same: the kind, the file and line, and the number of steps.
fn violations(parts: usize) -> impl Fn(&Value) -> Vec<Vec<String>> {
    move |report| {
        let all = report.get("violations").and_then(Value::as_array).into_iter().flatten();
        let steps = |violation: &Value| format!("{:?}", violation["schedule"].as_array().map(Vec::len));
        let described = |violation: &Value| {
            let place = ["kind", "file", "line"].map(|name| violation[name].to_string());
            place.into_iter().chain([steps(violation)]).take(parts).collect()
        };
        all.map(described).collect()
    }
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, one: &T, several: &T) -> Result<(), Failed> {
    if one == several { Ok(()) } else { Err(format!("{what}: {one:?} by one worker, {several:?} by several").into()) }
}
