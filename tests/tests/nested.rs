//! Threads that create, join and detach others, whose numbers are used again: the final states of random
//! programs by all engines, and by going through all interleavings.
//!
//! Under sc all engines have the final states that the interleavings have; under tso and pso, those of the
//! explicit engine without reductions. `RMC_NESTED=N` runs N seeds instead of the usual few.

use std::collections::BTreeSet;

use rmc_tests::generated::nested::{Final, GLOBALS, HEAD, program};
use rmc_tests::generated::random::Random;
use rmc_tests::harness::entries::{Checked, File, Program};

/// The number of programs of a seed.
const PROGRAMS: usize = 20;

/// The number of seeds of an ordinary run.
const SEEDS: u64 = 4;

/// The ways in which a program is checked.
const WAYS: [&[&str]; 4] = [&[], &["--engine=dpor"], &["--engine=dpor-source"], &["--engine=reads-from"]];

/// The final states that a run found.
fn finals(checked: &Checked, program: &Program) -> BTreeSet<Final> {
    assert_eq!(checked.code, 0, "{}\n{HEAD}{}", checked.words, program.functions);
    let states = checked.report["final_states"].as_array().expect("final states");
    let values = |state: &serde_json::Value| GLOBALS.map(|name| state["globals"][name].as_i64().expect("a number"));
    states.iter().map(values).collect()
}

#[track_caller]
fn check(model: &str) {
    let seeds = std::env::var("RMC_NESTED").ok().map(|n| n.parse().expect("RMC_NESTED is a number of seeds"));
    let mut most = 0;
    for seed in 0..seeds.unwrap_or(SEEDS) {
        let mut random = Random::new(seed + 13_000_000);
        let (programs, mut expected): (Vec<_>, Vec<_>) =
            (0..PROGRAMS).map(|number| program(&mut random, number)).unzip();
        let file = File::new(HEAD, &programs);
        let check = |options: &[&str]| {
            let checked = file.check(&[&["-q", "--keep-going", "--relaxed-memory", model], options].concat());
            checked.iter().zip(&programs).map(|(checked, program)| finals(checked, program)).collect::<Vec<_>>()
        };
        if model != "sc" {
            expected = check(&["--reduce=none"]);
        }
        for way in WAYS {
            for ((found, expected), program) in check(way).iter().zip(&expected).zip(&programs) {
                assert_eq!(found, expected, "{way:?} {model}\n{HEAD}{}", program.functions);
            }
        }
        most = most.max(expected.iter().map(BTreeSet::len).max().unwrap_or(0));
    }
    assert!(most > 20, "no program has many final states");
}

#[test]
fn sequentially_consistent() {
    check("sc");
}

#[test]
fn total_store_order() {
    check("tso");
}

#[test]
fn partial_store_order() {
    check("pso");
}
