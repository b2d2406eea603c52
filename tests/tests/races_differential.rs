//! Random programs with plain and atomic accesses: `rmc-check --races` finds a data race in exactly those
//! that have one on the textbook machine with vector clocks.
//!
//! One test per seed and model, named `races SEED MODEL`. `RMC_DIFFERENTIAL=N` runs N seeds, from 0, instead
//! of the usual few.

use std::collections::BTreeSet;
use std::env;
use std::fs;

use libtest_mimic::{Arguments, Failed, Trial};
use rmc_tests::generated::random::Random;
use rmc_tests::harness::expectation::Model;
use rmc_tests::harness::process::run_with_report;
use rmc_tests::oracle;
use rmc_tests::racing::c_source::c_source;
use rmc_tests::racing::clocks::races;
use rmc_tests::racing::{Program, random};
use serde_json::Value;

/// The number of seeds of an ordinary run.
const SEEDS: usize = 8;

/// The number of random programs of a seed.
const PROGRAMS: usize = 64;

/// Options that must not change the result.
const VARIANTS: [&[&str]; 3] = [&[], &["--no-local-memory"], &["--cflags=-O2"]];

fn main() {
    let arguments = Arguments::from_args();
    let seeds = env::var("RMC_DIFFERENTIAL").ok().map(|n| n.parse().expect("RMC_DIFFERENTIAL is a number of seeds"));
    let mut trials = Vec::new();
    for seed in 0..seeds.unwrap_or(SEEDS) {
        for model in Model::ALL {
            let title = format!("races {seed} {}", model.name());
            trials.push(Trial::test(title, move || check(seed, model)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn check(seed: usize, model: Model) -> Result<(), Failed> {
    let mut generator = Random::new(u64::try_from(seed)?);
    let programs: Vec<Program> = (0..PROGRAMS).map(|_| random::program(&mut generator)).collect();
    let textbook = match model {
        Model::Sc => oracle::Model::Sc,
        Model::Tso => oracle::Model::Tso,
        Model::Pso => oracle::Model::Pso,
    };
    let expected: BTreeSet<usize> = (0..PROGRAMS).filter(|&number| races(&programs[number], textbook)).collect();
    if expected.is_empty() || expected.len() == PROGRAMS {
        return Err("the programs of the seed show nothing: all race or none does".into());
    }
    let text = c_source(&programs);
    let mut wrong = String::new();
    for options in VARIANTS {
        let found = explore(&text, options, model)?;
        for number in expected.symmetric_difference(&found) {
            let says = if expected.contains(number) { "missed" } else { "invented" };
            wrong += &format!("{options:?}: a race is {says} in program {number}: {:#?}\n", programs[*number]);
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.into()) }
}

/// The numbers of the programs in which the checker finds a race.
fn explore(text: &str, options: &[&str], model: Model) -> Result<BTreeSet<usize>, Failed> {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("races.c");
    fs::write(&path, text)?;
    let common = ["--races", "--keep-going", "-q", "--relaxed-memory", model.name()].map(Into::into);
    let arguments = common.into_iter().chain(options.iter().map(Into::into)).chain([path.into_os_string()]);
    let (run, report) = run_with_report(arguments);
    let violations = report.as_ref().and_then(|report| report["violations"].as_array());
    let Some(violations) = violations.filter(|_| run.code == Some(1)) else {
        return Err(format!("{}\n{text}", run.describe()).into());
    };
    violations.iter().map(program_of).collect()
}

fn program_of(violation: &Value) -> Result<usize, Failed> {
    let function = violation["stack"][0]["function"].as_str().unwrap_or_default();
    let number = function.strip_prefix("program").and_then(|rest| rest.split_once('_')).map(|(number, _)| number);
    match (violation["kind"].as_str(), number) {
        (Some("data-race"), Some(number)) => Ok(number.parse()?),
        (kind, _) => Err(format!("{kind:?} in `{function}`: {}", violation["message"]).into()),
    }
}
