//! `--engine attacks`, which decides robustness for buffers of any length, against everything else that does.
//!
//! * `robust SEED HOME`: random programs without loops, with accesses of all sizes, fills and atomic
//!   sections. The programs with an attack, those with a cycle by the monitor, and those with one by
//!   exploring executions under TSO must be those for which the textbook machine has a trace that is not
//!   sequentially consistent. `RMC_ATTACKS=N` runs N seeds, from 0, instead of the usual few.
//! * `waiting SEED`: threads that wait in loops. The verdict must be that of the stateless engine for the
//!   same program with its loops cut off.
//! * `rounds SEED`: threads that store and load in every round of a loop without end, for which buffers have
//!   no bound. A program with an attack must have a cycle in a few rounds already, and the other way round.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};
use rmc_tests::generated::c_source::c_source;
use rmc_tests::generated::expected::is_robust;
use rmc_tests::generated::program::Home;
use rmc_tests::generated::random::{Random, program, program_with_fills, program_with_sections_alone};
use rmc_tests::harness::expectation::Model;
use rmc_tests::robust::waiting::{CUT, waiting_programs};
use rmc_tests::robust::{program_of, rounds, unchecked_cycles_of};

/// The number of seeds of an ordinary run.
const SEEDS: usize = 12;

/// The number of random programs of a seed.
const PROGRAMS: usize = 16;

/// The number of rounds in which a cycle shows that does not need more: each thread has at most two
/// operations of it, in two rounds, after one in which it reads what makes it take another way.
const ROUNDS: usize = 3;

const ATTACKS: &[&str] = &["--engine=attacks"];

/// The ways in which a program without loops is decided. The second one watches sequentially consistent
/// executions where it can.
const WAYS: [&[&str]; 3] = [ATTACKS, &["--engine=dpor"], &["--engine=dpor", "--no-monitor"]];

fn main() {
    let arguments = Arguments::from_args();
    let seeds = env::var("RMC_ATTACKS").ok().map(|n| n.parse().expect("RMC_ATTACKS is a number of seeds"));
    let mut trials = Vec::new();
    for seed in 0..seeds.unwrap_or(SEEDS) {
        let home = Home::ALL[seed % Home::ALL.len()];
        trials.push(Trial::test(format!("robust {seed} {home:?}"), move || check(seed, home)));
        if seed % 2 == 0 {
            trials.push(Trial::test(format!("waiting {seed}"), move || waiting(seed)));
            trials.push(Trial::test(format!("rounds {seed}"), move || rounds_of(seed)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn check(seed: usize, home: Home) -> Result<(), Failed> {
    let mut random = Random::new(u64::try_from(seed)? + 4_000_000);
    let make = [program, program_with_fills, program_with_sections_alone][seed % 3];
    // The textbook machine takes long for three threads that fill.
    let threads = if seed.is_multiple_of(3) { 2 + seed / Home::ALL.len() % 2 } else { 2 };
    let programs: Vec<_> = (0..PROGRAMS).map(|_| make(&mut random, home, threads)).collect();
    let text = c_source(&programs, None);
    let expected = (0..PROGRAMS).filter(|&number| !is_robust(&programs[number], Model::Tso)).collect();
    WAYS.iter().try_for_each(|way| {
        let found = not_robust(&text, &[*way, &["--svcomp"]].concat())?;
        same(&text, way, &found, &expected)
    })
}

fn waiting(seed: usize) -> Result<(), Failed> {
    same_as_cut(&waiting_programs(seed, None), &waiting_programs(seed, Some(CUT)))
}

fn rounds_of(seed: usize) -> Result<(), Failed> {
    same_as_cut(&rounds::programs(seed, None), &rounds::programs(seed, Some(ROUNDS)))
}

/// Compares the attacks on programs with the cycles of the same programs with their loops cut off.
fn same_as_cut(text: &str, cut: &str) -> Result<(), Failed> {
    same(text, ATTACKS, &not_robust(text, ATTACKS)?, &not_robust(cut, &["--engine=dpor"])?)
}

fn same(text: &str, way: &[&str], found: &BTreeSet<usize>, expected: &BTreeSet<usize>) -> Result<(), Failed> {
    match found == expected {
        true => Ok(()),
        false => Err(format!("{text}\nnot robust by {way:?}: {found:?}, expected: {expected:?}").into()),
    }
}

/// The numbers of the programs of a text in which cycles are found.
fn not_robust(text: &str, more: &[&str]) -> Result<BTreeSet<usize>, Failed> {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("random.c");
    fs::write(&path, text)?;
    Ok(unchecked_cycles_of(Path::new(&path), more, text, Model::Tso)?.iter().filter_map(program_of).collect())
}
