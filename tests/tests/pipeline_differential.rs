//! Random programs through the whole pipeline: the final states of `rmc-check` are exactly the outcomes of the textbook machine.
//!
//! One test per seed and model, named `differential SEED HOME MODEL`: a C program that holds several random programs, checked as written and in
//! variants that must change nothing (see [`VARIANTS`]). `RMC_DIFFERENTIAL=N` runs N seeds, from 0, instead of the usual few.

use std::collections::BTreeSet;
use std::env;

use libtest_mimic::{Arguments, Failed, Trial};
use rmc_tests::generated::c_source::c_source;
use rmc_tests::generated::expected::outcomes;
use rmc_tests::generated::explored::explore;
use rmc_tests::generated::program::{Home, Program};
use rmc_tests::generated::random::{Random, program, program_with_copies};
use rmc_tests::generated::{Outcome, outcome_globals};
use rmc_tests::harness::expectation::Model;

/// Seeds of an ordinary run: every home with two threads and with three, twice.
const SEEDS: usize = 20;

/// Random programs of a seed, without and with copies, which have many more executions.
const PROGRAMS: [usize; 2] = [16, 8];

/// Options that must not change the final states. `ORDER` stands for an order of the threads, another one for each seed.
const VARIANTS: [&[&str]; 11] = [
    &["-DPLAIN="],
    &["-DPLAIN=", "--no-local-memory"],
    &["--buffer-bound", "0"],
    &["--reduce=none"],
    &["ORDER", "--no-reduce=stores"],
    &["-DPLAIN=", "--no-reduce=dead,paths"],
    &["--cflags=-O2"],
    &["ORDER"],
    &["ORDER", "-DMAIN_TAKES_PART"],
    &["--engine=dpor"],
    &["--engine=dpor", "ORDER", "--no-local-memory"],
];

fn main() {
    let arguments = Arguments::from_args();
    let seeds = env::var("RMC_DIFFERENTIAL").ok().map(|n| n.parse().expect("RMC_DIFFERENTIAL is a number of seeds"));
    let mut trials = Vec::new();
    for seed in 0..seeds.unwrap_or(SEEDS) {
        let home = Home::ALL[seed % Home::ALL.len()];
        for model in Model::ALL {
            let title = format!("differential {seed} {home:?} {}", model.name());
            trials.push(Trial::test(title, move || check(seed, home, model)));
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// Two or three threads in turn, so that with every home there are both.
fn threads_of(seed: usize) -> usize {
    2 + seed / Home::ALL.len() % 2
}

fn check(seed: usize, home: Home, model: Model) -> Result<(), Failed> {
    let mut random = Random::new(u64::try_from(seed)?);
    // Every other seed copies, too.
    let make = if seed % 2 == 1 { program_with_copies } else { program };
    let programs: Vec<Program> = (0..PROGRAMS[seed % 2]).map(|_| make(&mut random, home, threads_of(seed))).collect();
    let order = thread_order(&mut random, threads_of(seed));
    let expected: Vec<_> = programs.iter().map(|program| outcomes(program, model)).collect();
    let text = c_source(&programs, None);
    let mut wrong = String::new();
    let may_optimise = !programs.iter().any(Program::has_copies);
    for variant in VARIANTS.into_iter().filter(|variant| may_optimise || !variant.contains(&"--cflags=-O2")) {
        let options: Vec<String> = variant.iter().map(|option| option.replace("ORDER", &order)).collect();
        let found = explore(&text, &options, model, threads_of(seed))?.outcomes;
        for (number, program) in programs.iter().enumerate() {
            let found = found.get(&number).cloned().unwrap_or_default();
            wrong += &difference(program, &options, &expected[number], &found);
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.into()) }
}

/// A random order other than the usual one, as an option.
fn thread_order(random: &mut Random, threads: usize) -> String {
    let mut order: Vec<usize> = (0..threads).collect();
    while order.is_sorted() {
        for i in (1..threads).rev() {
            order.swap(i, random.below(i + 1));
        }
    }
    format!("-DORDER={}", order.iter().map(usize::to_string).collect::<Vec<_>>().join(","))
}

fn difference(
    program: &Program,
    options: &[String],
    expected: &BTreeSet<Outcome>,
    found: &BTreeSet<Outcome>,
) -> String {
    if found == expected {
        return String::new();
    }
    let missing: Vec<_> = expected.difference(found).collect();
    let added: Vec<_> = found.difference(expected).collect();
    let names = outcome_globals(program.threads.len());
    let text = c_source(std::slice::from_ref(program), None);
    format!("{options:?}\n{text}\n  {names:?}: missing {missing:x?}, added {added:x?}\n\n")
}
