//! Instrumented programs, linked with `librmc_runtime.a` and run: the complete native build.
//!
//! Each program of `tests/native` runs some thousand rounds in one process. A relaxed outcome must occur
//! under the models that allow it, and never under the others.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use rmc_abi::Entry;
use rmc_tests::native::{artifacts, build, run};

/// The number of seeds that are tried before a relaxed outcome is called missing. One is enough as a rule,
/// because thousands of rounds run with each.
const SEEDS: u64 = 5;

fn with_environment(program: &Path, model: &str, seed: &str) -> Command {
    let mut command = Command::new(program);
    command.env("RMC_MODEL", model).env("RMC_SEED", seed);
    command
}

/// The number of rounds with the relaxed outcome.
fn relaxed_rounds(program: &Path, model: &str, seed: u64) -> u32 {
    let output = run(&mut with_environment(program, model, &seed.to_string()));
    String::from_utf8_lossy(&output.stdout).trim().parse().expect("the program prints a number")
}

/// Checks a program. `shows` has an entry for each of sc, tso, pso: true if the relaxed outcome must occur.
#[track_caller]
fn check(name: &str, flags: &[&str], shows: [bool; 3]) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let program = build(directory.path(), &format!("{name}.c"), flags);
    for (model, shows) in ["sc", "tso", "pso"].into_iter().zip(shows) {
        let rounds: Vec<u32> = (1..=SEEDS).map(|seed| relaxed_rounds(&program, model, seed)).collect();
        println!("{name} {flags:?} {model}: {rounds:?} relaxed rounds");
        assert_eq!(rounds.iter().any(|&n| n > 0), shows, "{name} {flags:?} under {model}");
    }
}

#[test]
fn store_buffering() {
    check("store_buffering", &["-O1"], [false, true, true]);
    check("store_buffering", &["-O1", "-DFENCE"], [false, false, false]);
}

#[test]
fn message_passing() {
    check("message_passing", &["-O1"], [false, false, true]);
    check("message_passing", &["-O1", "-DFENCE"], [false, false, false]);
}

#[test]
fn a_program_alone_behaves_as_usual() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for level in ["-O0", "-O1", "-O2"] {
        let program = build(directory.path(), "everything.c", &[level]);
        for model in ["sc", "tso", "pso"] {
            let output = run(&mut with_environment(&program, model, "7"));
            assert_eq!(String::from_utf8_lossy(&output.stdout), "as usual\n", "{level} {model}");
        }
    }
}

#[test]
fn processes_are_made_while_threads_run() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let program = build(directory.path(), "forks.c", &["-O1"]);
    for model in ["sc", "tso", "pso"] {
        let output = run(&mut with_environment(&program, model, "7"));
        assert_eq!(String::from_utf8_lossy(&output.stdout), "all ended\n", "{model}");
    }
}

#[test]
fn a_signal_handler_that_interrupts_an_access_is_refused() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let program = build(directory.path(), "signals.c", &["-O1"]);
    // About one run in three is refused.
    let is_refused = (1..=100).any(|seed: u64| {
        let output = with_environment(&program, "tso", &seed.to_string()).output().expect("the program starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        let is_refused = output.status.code() == Some(2) && errors.contains("a signal handler accesses shared memory");
        let is_right = output.status.success() && output.stdout == b"none is lost\n";
        assert!(is_refused || is_right, "{output:?}");
        is_refused
    });
    assert!(is_refused, "no handler interrupted an access");
}

#[test]
fn bad_settings_are_refused() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let program = build(directory.path(), "everything.c", &["-O1"]);
    let refusal = |model, seed| {
        let output = with_environment(&program, model, seed).output().expect("the program starts");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let expected = "rmc runtime: RMC_MODEL: unknown memory model 'arm' (expected sc, tso or pso)\n";
    assert_eq!(refusal("arm", "1"), (Some(2), expected.to_owned()));
    let expected = "rmc runtime: RMC_SEED: 'x' is no number from 0 to 18446744073709551615\n";
    assert_eq!(refusal("tso", "x"), (Some(2), expected.to_owned()));
}

/// The archive defines exactly the functions of the ABI, so the crate that lists them is correct.
#[test]
fn the_runtime_defines_the_functions_of_the_abi() {
    let archive = artifacts().join("librmc_runtime.a");
    // The test does not use nm, because its plugin for bitcode cannot read the data that rustc embeds for
    // link-time optimisation.
    let listed = run(Command::new("readelf").args(["--wide", "--symbols"]).arg(archive));
    let table = String::from_utf8_lossy(&listed.stdout);
    let is_defined = |columns: &Vec<&str>| columns.len() == 8 && columns[3] == "FUNC" && columns[6] != "UND";
    let symbols = table.lines().map(|line| line.split_whitespace().collect()).filter(is_defined);
    let defined: BTreeSet<_> = symbols.map(|columns| columns[7]).filter(|name| name.starts_with("__rmc_")).collect();
    let entries: Vec<_> = Entry::all().map(Entry::name).collect();
    assert_eq!(defined, entries.iter().map(String::as_str).collect());
}
