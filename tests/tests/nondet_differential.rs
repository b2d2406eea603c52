//! Deferred inputs are exact: random programs have the same verdict, whether values are chosen where they
//! matter or where the program asks for them. In the explicit engine there are never more states. The
//! stateless engines agree with it, and both find the same kinds of violations (`--cross-check`).
//!
//! States that are subsumed by others are left out: the verdict is that of a search without subsumption, with
//! as many states or fewer, and with two workers there are as many as with one.
//!
//! Sizes of memory that stay open are exact, too: on random programs the engines agree with the search in
//! which sizes are enumerated. There may be more states than with enumerated sizes, because those with
//! different parts of an object stored are different.
//!
//! `RMC_NONDET=N` runs N programs for each model instead of the usual few, `RMC_NONDET_FROM=K` leaves out the
//! first K.

use std::collections::BTreeSet;

use rmc_tests::generated::random::Random;
use rmc_tests::harness::outside::{file, text};
use rmc_tests::harness::process::{Run, run_with_report};
use rmc_tests::nondet::{c_source, c_source_with_detours};
use rmc_tests::sizes;
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

/// The findings of a run of a program.
struct Checked {
    /// True if it has a verdict with values enumerated.
    enumerated: bool,
    /// True if it has one with deferred inputs, too.
    deferred: bool,
    /// The number of states that were left out of a proof because they are subsumed.
    subsumed: u64,
}

#[track_caller]
fn check(seed: u64, model: &str, source: &str, waits: bool) -> Checked {
    let (_directory, path) = file("program.c", source);
    let looked_for: &[&str] = match seed % 4 {
        0 => &["--races"],
        1 => &["--leaks"],
        _ => &[],
    };
    let explored = |options: &[&str]| explored(text(&path), model, &[looked_for, options].concat());
    let [(deferred, report), (enumerated, expected)] = [&[][..], &["--no-reduce", "inputs"]].map(explored);
    let both = || format!("seed {seed}\n{}\n{}", deferred.describe(), enumerated.describe());
    assert!(matches!(deferred.code, Some(0 | 1 | 3)) && matches!(enumerated.code, Some(0 | 1 | 3)), "{}", both());
    let is_known = enumerated.code != Some(3);
    if deferred.code == Some(3) {
        // Loops that wait and store are not always decided.
        assert!(!is_known || waits && report["reason"] == "nondet", "{}", both());
        return Checked { enumerated: is_known, deferred: false, subsumed: 0 };
    }
    let is_proof = deferred.code == Some(0);
    assert!(!is_known || deferred.code == enumerated.code, "{}", both());
    assert!(!is_known || !is_proof || states(&report) <= states(&expected), "{}", both());
    let (shared, of_two) = explored(&["--jobs", "2"]);
    assert_eq!(deferred.code, shared.code, "{}\n{}", both(), shared.describe());
    let (whole, of_all) = explored(&["--no-reduce", "subsumption"]);
    assert!(whole.code == deferred.code || whole.code == Some(3), "{}\n{}", both(), whole.describe());
    let mut subsumed = 0;
    // A deadlock in a loop may be found a level earlier or later.
    if is_proof {
        assert_eq!(states(&report), states(&of_two), "{}\n{}", both(), shared.describe());
        let more = states(&of_all).checked_sub(states(&report));
        subsumed = more.unwrap_or_else(|| panic!("{}\n{}", both(), whole.describe()));
    }
    Checked { enumerated: is_known, deferred: true, subsumed }
}

/// The number of states of a report.
fn states(report: &Value) -> u64 {
    report["statistics"]["states"].as_u64().expect("a number of states")
}

/// The number in a variable of the environment, or the usual one.
fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).map_or(usual, |number| number.parse().expect("a number"))
}

fn check_all(model: &str, first: u64) {
    let (programs, first) = (number("RMC_NONDET", PROGRAMS), first + number("RMC_NONDET_FROM", 0));
    let check_each = |of: fn(&mut Random, bool) -> String, waits: bool| -> Vec<Checked> {
        (first..first + programs).map(|seed| check(seed, model, &of(&mut Random::new(seed), waits), waits)).collect()
    };
    check_each(c_source, false);
    let mut waiting = check_each(c_source, true);
    let merging = check_each(c_source_with_detours, false);
    assert!(merging.iter().any(|checked| checked.subsumed > 0), "no state was subsumed");
    waiting.extend(check_each(c_source_with_detours, true));
    waiting.retain(|checked| checked.enumerated);
    let decided = waiting.iter().filter(|checked| checked.deferred).count();
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

/// True if the program was decided with open sizes by all engines.
#[track_caller]
fn check_sizes(seed: u64, model: &str) -> bool {
    let source = sizes::c_source(&mut Random::new(seed));
    let (_directory, path) = file("program.c", &source);
    let looked_for: &[&str] = match seed % 4 {
        0 => &["--races"],
        1 => &["--leaks"],
        _ => &[],
    };
    let run = |options: &[&str]| explored(text(&path), model, &[looked_for, options].concat()).0;
    let mut found = vec![run(&[]), run(&["--no-reduce", "subsumption"]), run(&["--jobs", "2"])];
    // These engines look for no data races.
    if !seed.is_multiple_of(4) {
        found.extend([&["--engine=dpor"][..], &["--engine=dpor-source"]].map(run));
    }
    let enumerated = run(&["--no-reduce", "inputs"]);
    let runs: Vec<&Run> = found.iter().chain([&enumerated]).collect();
    let all = || format!("seed {seed}\n{}\n{source}", runs.iter().map(|run| run.describe()).collect::<String>());
    assert!(runs.iter().all(|run| matches!(run.code, Some(0 | 1 | 3))), "{}", all());
    let verdicts: BTreeSet<i32> = runs.iter().filter_map(|run| run.code.filter(|&code| code != 3)).collect();
    assert!(verdicts.len() <= 1, "{}", all());
    found.iter().all(|run| run.code != Some(3))
}

fn check_all_sizes(model: &str, first: u64) {
    let (programs, first) = (number("RMC_NONDET", PROGRAMS), first + number("RMC_NONDET_FROM", 0));
    let decided = (first..first + programs).filter(|&seed| check_sizes(seed, model)).count();
    assert!(4 * decided as u64 >= 3 * programs, "{decided} of {programs} programs are decided");
}

#[test]
fn open_sizes_are_exact_under_sc() {
    check_all_sizes("sc", 13 << 24);
}

#[test]
fn open_sizes_are_exact_under_tso() {
    check_all_sizes("tso", 15 << 24);
}

#[test]
fn open_sizes_are_exact_under_pso() {
    check_all_sizes("pso", 17 << 24);
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
