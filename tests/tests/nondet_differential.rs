//! Deferred inputs are exact: random programs have the same verdict, whether values are chosen where they
//! matter or where the program asks for them. In the explicit engine there are never more states. The
//! stateless engines agree with it, and both find the same kinds of violations (`--cross-check`).
//!
//! `RMC_NONDET=N` runs N programs for each model instead of the usual few, `RMC_NONDET_FROM=K` leaves out the
//! first K.

use std::collections::BTreeSet;

use rmc_tests::generated::random::Random;
use rmc_tests::harness::outside::{file, text};
use rmc_tests::harness::process::{Run, run_with_report};
use rmc_tests::nondet::c_source;
use serde_json::Value;

/// The number of programs for each model in an ordinary run.
const PROGRAMS: u64 = 14;

/// The number of states after which a program is left undecided.
const MOST: &str = "30000";

/// The exit code, and the report.
fn explored(path: &str, model: &str, options: &[&str]) -> (Run, Value) {
    let common = ["--svcomp", "--relaxed-memory", model, "--cflags=-fwrapv", "--max-states", MOST, "--timeout", "60"];
    let (run, report) = run_with_report([&common[..], options, &[path]].concat());
    let source = || std::fs::read_to_string(path).unwrap_or_default();
    let report = report.unwrap_or_else(|| panic!("no report\n{}\n{}", run.describe(), source()));
    (run, report)
}

/// True if the program was decided with deferred inputs; `None` if it was not with values enumerated.
#[track_caller]
fn check(seed: u64, model: &str, waits: bool) -> Option<bool> {
    let (_directory, path) = file("program.c", c_source(&mut Random::new(seed), waits));
    let looked_for: &[&str] = match seed % 4 {
        0 => &["--races"],
        1 => &["--leaks"],
        _ => &[],
    };
    let (deferred, report) = explored(text(&path), model, looked_for);
    let (enumerated, expected) = explored(text(&path), model, &[looked_for, &["--no-reduce", "inputs"]].concat());
    let both = || format!("seed {seed}\n{}\n{}", deferred.describe(), enumerated.describe());
    assert!(matches!(deferred.code, Some(0 | 1 | 3)) && matches!(enumerated.code, Some(0 | 1 | 3)), "{}", both());
    if enumerated.code == Some(3) {
        return None;
    }
    // Loops that wait and store are not always decided.
    if waits && deferred.code == Some(3) {
        assert_eq!(report["reason"], "nondet", "{}", both());
        return Some(false);
    }
    assert_eq!(deferred.code, enumerated.code, "{}", both());
    let states = |report: &Value| report["statistics"]["states"].as_u64().expect("a number of states");
    let is_proof = deferred.code == Some(0);
    assert!(!is_proof || states(&report) <= states(&expected), "{}", both());
    Some(true)
}

/// The number in a variable of the environment, or the usual one.
fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |number| number.parse().expect("a number"))
}

fn check_all(model: &str, first: u64) {
    let (programs, first) = (number("RMC_NONDET", PROGRAMS), first + number("RMC_NONDET_FROM", 0));
    let seeds = || first..first + programs;
    seeds().for_each(|seed| _ = check(seed, model, false));
    let waiting: Vec<bool> = seeds().filter_map(|seed| check(seed, model, true)).collect();
    let decided = waiting.iter().filter(|&&is_decided| is_decided).count();
    assert!(4 * decided >= 3 * waiting.len(), "{decided} of {} programs that wait are decided", waiting.len());
}

/// True if the program was decided by both stateless engines.
#[track_caller]
fn check_stateless(seed: u64, model: &str, waits: bool) -> bool {
    let (_directory, path) = file("program.c", c_source(&mut Random::new(seed), waits));
    let looked_for: &[&str] = if seed % 4 == 1 { &["--leaks"] } else { &[] };
    let run = |options: &[&str]| explored(text(&path), model, &[looked_for, options].concat()).0;
    let found = [&["--engine=dpor"][..], &["--engine=dpor-source"]].map(run);
    let (explicit, enumerated) = (run(&[]), run(&["--engine=dpor", "--no-reduce", "inputs"]));
    let runs = [&found[0], &found[1], &explicit, &enumerated];
    let all = || format!("seed {seed}\n{}", runs.map(Run::describe).join("\n"));
    assert!(runs.iter().all(|run| matches!(run.code, Some(0 | 1 | 3))), "{}", all());
    let decided = runs.iter().filter_map(|run| run.code.filter(|&code| code != 3));
    let verdicts: BTreeSet<i32> = decided.collect();
    assert!(verdicts.len() <= 1, "{}", all());
    let crossed = run(&["--cross-check"]);
    assert!(matches!(crossed.code, Some(0 | 1 | 3)), "seed {seed}\n{}", crossed.describe());
    found.iter().all(|run| run.code != Some(3))
}

fn check_all_stateless(model: &str, first: u64) {
    let (programs, first) = (number("RMC_NONDET", PROGRAMS), first + number("RMC_NONDET_FROM", 0));
    for waits in [false, true] {
        let decided = (first..first + programs).filter(|&seed| check_stateless(seed, model, waits)).count();
        assert!(4 * decided as u64 >= 3 * programs, "{decided} of {programs} programs are decided");
    }
}

#[test]
fn stateless_engines_agree_under_sc() {
    check_all_stateless("sc", 7 << 24);
}

#[test]
fn stateless_engines_agree_under_tso() {
    check_all_stateless("tso", 9 << 24);
}

#[test]
fn stateless_engines_agree_under_pso() {
    check_all_stateless("pso", 11 << 24);
}

#[test]
fn deferred_inputs_are_exact_under_sc() {
    check_all("sc", 1 << 24);
}

#[test]
fn deferred_inputs_are_exact_under_tso() {
    check_all("tso", 5 << 24);
}

#[test]
fn deferred_inputs_are_exact_under_pso() {
    check_all("pso", 3 << 24);
}
