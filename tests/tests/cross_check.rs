//! The engines on random programs with all features that they support (`rmc_tests::crossed`): verdict,
//! violations and final states must agree.
//!
//! One test per seed and model, named `cross-check SEED MODEL`, on [`PROGRAMS`] programs at once.
//! `RMC_CROSS_CHECK=N` compares at least N programs per model instead of the usual few,
//! `RMC_CROSS_CHECK_FROM=SEED` begins at another seed. A disagreement prints the smallest part of the program
//! that shows it.
//!
//! After all tests, a check makes sure that the programs were interesting: many final states, violations and
//! deadlocks must have been found, and few programs left undecided.

use std::env;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use libtest_mimic::{Arguments, Failed, Trial};
use rmc_tests::crossed::comparison::{Setting, Tally, compare};
use rmc_tests::crossed::counts::{compare_counts, compare_ends};
use rmc_tests::crossed::random::{Random, program};
use rmc_tests::harness::expectation::Model;

/// The number of programs per model of an ordinary run.
const ORDINARY: usize = 60;

/// The number of random programs of a seed.
const PROGRAMS: usize = 10;

/// Options of a run, in turn: features that may make a difference to an engine. The reduction `paths` is
/// always on. Without it a process may end before an assumption of another thread is reached, which changes
/// the final states; it has tests of its own (`reductions.rs`).
const OPTIONS: [&[&str]; 15] = [
    &[],
    &["--no-local-memory"],
    &[],
    &["--leaks"],
    &[],
    &["--malloc-may-fail"],
    &["--reduce=paths,private"],
    &["--no-reduce=stores"],
    &["--cflags=-O2"],
    &["--weak-release"],
    &["--no-reduce=dead"],
    &["--leaks=all", "--no-local-memory"],
    &["--buffer-bound", "2"],
    &["--malloc-may-fail", "--leaks"],
    &["--cflags=-O2", "--no-local-memory"],
];

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let number = |name: &str| env::var(name).ok().map(|n| n.parse::<usize>().unwrap_or_else(|_| panic!("{name}={n}")));
    let seeds = number("RMC_CROSS_CHECK").unwrap_or(ORDINARY).div_ceil(PROGRAMS);
    let first = number("RMC_CROSS_CHECK_FROM").unwrap_or(0);
    let tally = Arc::new(Mutex::new(Tally::default()));
    let trial = |seed: usize, model: Model| {
        let tally = Arc::clone(&tally);
        Trial::test(format!("cross-check {seed} {}", model.name()), move || check(seed, model, &tally))
    };
    let trials = (first..first + seeds).flat_map(|seed| Model::ALL.map(|model| trial(seed, model)));
    let conclusion = libtest_mimic::run(&arguments, trials.collect());
    let tally = tally.lock().expect("no test panicked");
    let all_ran = conclusion.num_filtered_out == 0 && !arguments.list;
    match interesting(&tally) {
        Err(what) if all_ran && !conclusion.has_failed() => {
            eprintln!("the programs are not what they should be, {what}: {tally}");
            ExitCode::FAILURE
        }
        _ => {
            println!("{tally}");
            conclusion.exit_code()
        }
    }
}

fn check(seed: usize, model: Model, tally: &Mutex<Tally>) -> Result<(), Failed> {
    let mut random = Random::new(u64::try_from(seed)?);
    let programs: Vec<_> = (0..PROGRAMS).map(|_| program(&mut random)).collect();
    let options = OPTIONS[seed % OPTIONS.len()];
    let setting = Setting { model, options };
    let mut found = compare(&programs, &setting);
    if options.is_empty() {
        let (differences, counted) = compare_counts(&programs, &setting);
        found.differences.extend(differences);
        found.counted = counted;
        let (differences, ended) = compare_ends(&programs, &setting);
        found.differences.extend(differences);
        found.ended = ended;
    }
    let differences = found.differences.join("\n");
    tally.lock().map_err(|_| "another test panicked")?.add(found);
    if differences.is_empty() { Ok(()) } else { Err(differences.into()) }
}

/// Checks that the programs were interesting; the error says in which respect they were not.
fn interesting(tally: &Tally) -> Result<(), &'static str> {
    let Tally { agreed, undecided, violated, deadlocked, outcomes, .. } = *tally;
    let complaints = [
        (undecided * 10 > agreed, "many are undecided"),
        (outcomes < 3 * agreed, "they have few outcomes"),
        (violated * 10 < agreed, "little goes wrong"),
        (violated * 10 > 9 * agreed, "little goes well"),
        (deadlocked * 50 < agreed, "few deadlock"),
    ];
    complaints.into_iter().find(|&(is_so, _)| is_so).map_or(Ok(()), |(_, complaint)| Err(complaint))
}
