//! `--robustness` against the textbook machine, and the fences it names.
//!
//! * `robust SEED HOME MODEL`: a C program that holds several random programs. Which of them have an execution that is not sequentially consistent must be
//!   what comparing the textbook machine's traces says. `RMC_ROBUSTNESS=N` runs N seeds, from 0, instead of the usual few.
//! * `fences SEED MODEL` and `fences PROGRAM MODEL`: fences at all places that a cycle names, round after round, make the program robust, and no cycle
//!   comes back; in each round, leaving out any one of them lets the cycle happen.

use std::collections::BTreeSet;
use std::env;
use std::fs;

use libtest_mimic::{Arguments, Failed, Trial};
use rmc_tests::generated::c_source::c_source;
use rmc_tests::generated::expected::is_robust;
use rmc_tests::generated::program::{Home, Program};
use rmc_tests::generated::random::{Random, program};
use rmc_tests::harness::expectation::Model;
use rmc_tests::harness::process::run_with_report;
use serde_json::Value;

/// Seeds of an ordinary run: every home with two threads and with three, twice.
const SEEDS: usize = 20;

/// Random programs of a seed.
const PROGRAMS: usize = 16;

fn main() {
    let arguments = Arguments::from_args();
    let seeds = env::var("RMC_ROBUSTNESS").ok().map(|n| n.parse().expect("RMC_ROBUSTNESS is a number of seeds"));
    let mut trials = Vec::new();
    for seed in 0..seeds.unwrap_or(SEEDS) {
        let home = Home::ALL[seed % Home::ALL.len()];
        for model in [Model::Tso, Model::Pso] {
            let title = |what: &str| format!("{what} {seed} {home:?} {}", model.name());
            trials.push(Trial::test(title("robust"), move || check(seed, home, model)));
            trials.push(Trial::test(title("fences"), move || repair(&c_source(&programs(seed, home)?, None), model)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn programs(seed: usize, home: Home) -> Result<Vec<Program>, Failed> {
    // Other programs than those of `pipeline_differential.rs`.
    let mut random = Random::new(u64::try_from(seed)? + 1_000_000);
    let threads = 2 + seed / Home::ALL.len() % 2;
    Ok((0..PROGRAMS).map(|_| program(&mut random, home, threads)).collect())
}

fn check(seed: usize, home: Home, model: Model) -> Result<(), Failed> {
    let programs = programs(seed, home)?;
    let text = c_source(&programs, None);
    let cycles = cycles(&text, model)?;
    let found: BTreeSet<usize> = cycles.iter().filter_map(program_of).collect();
    let mut wrong = String::new();
    for (number, program) in programs.iter().enumerate() {
        let expected = is_robust(program, model);
        if expected == found.contains(&number) {
            let text = c_source(std::slice::from_ref(program), None);
            wrong += &format!("program {number} is {}robust\n{text}\n", if expected { "" } else { "not " });
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.into()) }
}

/// The most rounds that a repair takes: every one fences the cycles that the one before left.
const ROUNDS: usize = 8;

fn repair(text: &str, model: Model) -> Result<(), Failed> {
    let mut text = text.to_owned();
    let mut known = BTreeSet::new();
    for _ in 0..ROUNDS {
        let cycles = cycles(&text, model)?;
        if cycles.is_empty() {
            return Ok(());
        }
        if let Some(again) = cycles.iter().find(|cycle| !known.insert(lines(cycle))) {
            return Err(format!("{text}\nthis cycle is still possible: {again:#}").into());
        }
        for cycle in cycles.iter().take(2) {
            needs_all(&text, cycle, model)?;
        }
        text = fenced(&text, cycles.iter().flat_map(fences));
    }
    Err(format!("{text}\nis still not robust").into())
}

/// With fences at all but one of a cycle's places the cycle is still found.
fn needs_all(text: &str, cycle: &Value, model: Model) -> Result<(), Failed> {
    let all = fences(cycle);
    for open in 0..all.len() {
        let others = all.iter().enumerate().filter(|&(at, _)| at != open).map(|(_, fence)| *fence);
        let left = cycles(&fenced(text, others), model)?;
        if !left.iter().any(|other| lines(other) == lines(cycle)) {
            return Err(format!("{text}\n{cycle:#}\nits fence {open} is not needed").into());
        }
    }
    Ok(())
}

/// What a cycle is about: functions, lines and operations.
fn lines(cycle: &Value) -> BTreeSet<String> {
    let operations = cycle["operations"].as_array().into_iter().flatten();
    operations.map(|at| format!("{} {} {}", at["thread"], at["line"], at["operation"])).collect()
}

/// A fence as the line it belongs behind, and its text.
type Fence = (usize, &'static str);

fn fences(cycle: &Value) -> Vec<Fence> {
    let fence = |fence: &Value| {
        let line =
            fence["after"]["line"].as_u64().and_then(|line| usize::try_from(line).ok()).expect("a fence has a line");
        let order = if fence["kind"] == "full" { "__ATOMIC_SEQ_CST" } else { "__ATOMIC_RELEASE" };
        (line, order)
    };
    cycle["fences"].as_array().into_iter().flatten().map(fence).collect()
}

/// The text with fences at the ends of their lines, so that the lines keep their numbers.
fn fenced(text: &str, fences: impl IntoIterator<Item = Fence>) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (line, order) in BTreeSet::from_iter(fences) {
        lines[line - 1] += &format!(" __atomic_thread_fence({order});");
    }
    lines.join("\n") + "\n"
}

/// The cycles that are found in a program.
fn cycles(text: &str, model: Model) -> Result<Vec<Value>, Failed> {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("random.c");
    fs::write(&path, text)?;
    let options = ["--robustness", "--keep-going", "-q", "--relaxed-memory", model.name()].map(Into::into);
    let (run, report) = run_with_report(options.into_iter().chain([path.into_os_string()]));
    let report =
        report.filter(|_| matches!(run.code, Some(0 | 1))).ok_or_else(|| format!("{}\n{text}", run.describe()))?;
    let violations = report["violations"].as_array().cloned().unwrap_or_default();
    let cycles: Vec<_> = violations.into_iter().map(|violation| violation["cycle"].clone()).collect();
    let is_robust = if cycles.is_empty() { "robust" } else { "not-robust" };
    match cycles.iter().find(|cycle| !is_cycle(cycle)) {
        Some(wrong) => Err(format!("{text}\nis no cycle: {wrong:#}").into()),
        None if report["robustness"] != is_robust => Err(format!("{text}\nis called {}", report["robustness"]).into()),
        None => Ok(cycles),
    }
}

/// Whether the relations of a cycle fit its operations, and each fence follows a store that comes before something else of its thread.
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
fn program_of(cycle: &Value) -> Option<usize> {
    let function = cycle["operations"][0]["function"].as_str()?;
    function.strip_prefix("test")?.split('_').next()?.parse().ok()
}
