//! The reduction `symmetry` keeps one state of those that differ only in the numbers of threads. The results
//! on random programs with identical threads must be the same with it and without.
//!
//! * `alike SEED MODEL`: final states, and the kinds and places of violations, by several sets of options.
//!   Over all programs that were explored to the end, the reduction must save a quarter of the states; it is
//!   not more, because many of them distinguish their threads.
//!
//! `RMC_ALIKE=N` runs N seeds instead of the usual few.

use std::collections::BTreeSet;
use std::fs;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use libtest_mimic::{Arguments, Failed, Trial};
use rmc_tests::alike;
use rmc_tests::generated::random::Random;
use rmc_tests::harness::expectation::Model;
use rmc_tests::harness::process::run_with_report;

/// The number of seeds of an ordinary run.
const SEEDS: usize = 16;

/// The first seed; smaller ones are those of other tests.
const FIRST: usize = 1 << 21;

/// The number of states after which a program is left undecided.
const MOST_STATES: u64 = 60_000;

/// Options without the reduction, and with it.
const SETTINGS: [&[&str]; 5] = [
    &["--reduce=dead,paths,stores,private"],
    &["--reduce=dead,paths,stores,private,symmetry"],
    &["--reduce=all,symmetry"],
    &["--reduce=paths,symmetry"],
    &["--reduce=dead,paths,stores,private,symmetry", "--jobs=2", "--store=exact"],
];

/// The numbers of states without the reduction and with it, over programs that were explored to the end; and
/// the number of programs that were left undecided.
#[derive(Debug, Default)]
struct Tally {
    states: [u64; 2],
    compared: usize,
    undecided: usize,
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let seeds = std::env::var("RMC_ALIKE").ok().map(|n| n.parse().expect("RMC_ALIKE is a number of seeds"));
    let tally = Arc::new(Mutex::new(Tally::default()));
    let mut trials = Vec::new();
    for seed in FIRST..FIRST + seeds.unwrap_or(SEEDS) {
        for model in Model::ALL {
            let tally = Arc::clone(&tally);
            trials.push(Trial::test(format!("alike {seed} {}", model.name()), move || compare(seed, model, &tally)));
        }
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    let tally = tally.lock().expect("no test panicked");
    let [without, with] = tally.states;
    let gives = with * 4 < without * 3 && tally.undecided * 3 < tally.compared;
    let all_ran = conclusion.num_filtered_out == 0 && !arguments.list;
    if all_ran && !conclusion.has_failed() && !gives {
        eprintln!("`symmetry` does not show what it gives: {tally:?}");
        return ExitCode::FAILURE;
    }
    conclusion.exit_code()
}

fn compare(seed: usize, model: Model, tally: &Mutex<Tally>) -> Result<(), Failed> {
    let text = alike::program(&mut Random::new(u64::try_from(seed)?));
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("alike.c");
    fs::write(&path, &text)?;
    let mut first: Option<(BTreeSet<String>, u64)> = None;
    for setting in SETTINGS {
        let most = MOST_STATES.to_string();
        let options = ["--keep-going", "--max-states", &most, "--relaxed-memory", model.name()];
        let all = options.iter().chain(setting).map(Into::into).chain([path.clone().into_os_string()]);
        let (run, report) = run_with_report(all);
        let Some(report) = report.filter(|_| matches!(run.code, Some(0 | 1 | 3))) else {
            return Err(format!("{setting:?}\n{}\n{text}", run.describe()).into());
        };
        let states = report["statistics"]["states"].as_u64().ok_or("no states")?;
        let mut tally = tally.lock().map_err(|_| "another test panicked")?;
        tally.compared += 1;
        if states >= MOST_STATES {
            tally.undecided += 1;
            if first.is_none() {
                return Ok(());
            }
            continue;
        }
        let mut found: BTreeSet<_> =
            report["final_states"].as_array().ok_or("no final states")?.iter().map(ToString::to_string).collect();
        for violation in report["violations"].as_array().ok_or("no violations")? {
            found.insert(format!("{} at {}", violation["kind"], violation["line"]));
        }
        let Some((expected, without)) = &first else {
            first = Some((found, states));
            continue;
        };
        if setting == SETTINGS[1] {
            tally.states[0] += without;
            tally.states[1] += states;
        }
        if found != *expected {
            let missing: Vec<_> = expected.difference(&found).collect();
            let added: Vec<_> = found.difference(expected).collect();
            return Err(format!("{text}\n{setting:?} {}\nmissing {missing:#?}\nadded {added:#?}", model.name()).into());
        }
    }
    Ok(())
}
