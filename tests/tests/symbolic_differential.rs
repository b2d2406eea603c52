//! The symbolic engine on random programs, within bounds that their violations need.
//!
//! * Programs with nondeterministic values: the verdicts of the explicit engine. A violation that this engine
//!   finds is found, in programs without loops, and whatever is found is one of this engine's.
//! * Programs with stores and loads: an assertion that excludes one outcome is violated if the textbook
//!   machine has the outcome, and not violated if it only has each half of it.
//!
//! `RMC_SYMBOLIC=N` runs N programs of each kind for each model instead of the usual few, and prints numbers.

use rmc_tests::generated::expected::outcomes;
use rmc_tests::generated::program::Home;
use rmc_tests::generated::random::{Random, program};
use rmc_tests::generated::{Outcome, c_source};
use rmc_tests::harness::expectation::Model;
use rmc_tests::harness::outside::{file, text};
use rmc_tests::harness::process::{Run, run_with_report};
use rmc_tests::nondet;

/// The number of programs of each kind and model in an ordinary run.
const PROGRAMS: u64 = 12;

/// The number of states after which the explicit engine gives a program up.
const MOST: &str = "30000";

/// Bounds that are enough for each of the programs without loops. The bound on turns grows to 2, for the
/// loops in `main` that make the threads.
const BOUNDS: [&str; 4] = ["--rounds=8", "--max-clock=6", "--writes=6", "--timeout=60"];

/// Bounds for programs whose threads wait in loops.
const WAITING: [&str; 5] = ["--unroll=2", "--rounds=3", "--max-clock=4", "--writes=3", "--timeout=5"];

/// What became of the programs.
#[derive(Debug, Default)]
struct Counts {
    violated: u64,
    not_violated: u64,
    refused: u64,
    undecided: u64,
}

fn count() -> u64 {
    std::env::var("RMC_SYMBOLIC").map_or(PROGRAMS, |count| count.parse().expect("a number of programs"))
}

/// The run of the symbolic engine. It must not end with an error of its own.
#[track_caller]
fn symbolic(path: &str, model: Model, options: &[&str]) -> Run {
    let engine = ["--engine=symbolic", "--relaxed-memory", model.name()];
    let (run, _) = run_with_report([&engine[..], options, &[path]].concat());
    let source = || std::fs::read_to_string(path).unwrap_or_default();
    assert!(matches!(run.code, Some(1..=3)), "{}\n{}", run.describe(), source());
    run
}

/// Compares the verdicts on a program with nondeterministic values.
#[track_caller]
fn compare_verdicts(seed: u64, model: Model, waits: bool, counts: &mut Counts) {
    let (_directory, path) = file("program.c", nondet::c_source(&mut Random::new(seed), waits));
    let language = ["--svcomp", "--cflags=-fwrapv"];
    let limits = ["--relaxed-memory", model.name(), "--max-states", MOST, "--timeout=60"];
    let (explicit, report) = run_with_report([&language[..], &limits, &[text(&path)]].concat());
    let bounds: &[&str] = if waits { &WAITING } else { &BOUNDS };
    let found = symbolic(text(&path), model, &[&language[..], bounds].concat());
    let both = || {
        let source = std::fs::read_to_string(&path).unwrap_or_default();
        format!("seed {seed}\n{}\n{}\n{source}", explicit.describe(), found.describe())
    };
    let kind = report.as_ref().and_then(|report| report.pointer("/violations/0/kind")?.as_str());
    match (explicit.code, found.code) {
        (Some(3), _) => counts.undecided += 1,
        (_, Some(2)) => counts.refused += 1,
        (Some(1), Some(1)) => counts.violated += 1,
        // Bounded loops may need more turns, and there may be more than an assertion to violate.
        (Some(1), Some(3)) if waits || kind != Some("assertion") => counts.undecided += 1,
        (Some(0), Some(3)) => counts.not_violated += 1,
        _ => panic!("{}", both()),
    }
}

/// Excludes an outcome of a program, and, if there is one, another that is made of halves of outcomes.
#[track_caller]
fn exclude_outcomes(seed: u64, model: Model, counts: &mut Counts) {
    let mut random = Random::new(seed);
    let home = random.pick(&Home::ALL);
    let threads = random.pick(&[2, 2, 3]);
    let program = program(&mut random, home, threads);
    let allowed = outcomes(&program, model);
    let half = |of: &Outcome, with: &Outcome| [&of[..1], &with[1..]].concat();
    let mut made = allowed.iter().flat_map(|of| allowed.iter().map(move |with| half(of, with)));
    let absent = made.find(|outcome| !allowed.contains(outcome));
    let there = allowed.iter().nth(random.below(allowed.len())).cloned();
    for (outcome, code) in [(there, 1), (absent, 3)] {
        let Some(outcome) = outcome else { continue };
        let (_directory, path) = file("program.c", c_source::c_source(std::slice::from_ref(&program), Some(&outcome)));
        let found = symbolic(text(&path), model, &BOUNDS);
        match found.code {
            Some(2) => counts.refused += 1,
            Some(found) if found == code && found == 1 => counts.violated += 1,
            Some(found) if found == code => counts.not_violated += 1,
            _ => panic!(
                "seed {seed}: expected {code}\n{}\n{}",
                found.describe(),
                std::fs::read_to_string(&path).unwrap_or_default()
            ),
        }
    }
}

/// Runs one kind of programs, and tells what became of them.
#[track_caller]
fn all(what: &str, model: Model, first: u64, one: impl Fn(u64, &mut Counts)) -> Counts {
    let mut counts = Counts::default();
    (first..first + count()).for_each(|seed| one(seed, &mut counts));
    eprintln!("{what} under {}: {counts:?}", model.name());
    counts
}

/// Most programs must be decided, and some violated: a comparison of nothing shows nothing.
#[track_caller]
fn assert_decided(counts: &Counts) {
    let decided = counts.violated + counts.not_violated;
    assert!(counts.violated > 0 && decided > counts.refused + counts.undecided, "{counts:?}");
}

/// Programs that wait may need more turns than the bounds allow, or more time than they are given here: how
/// many are decided is no matter of right or wrong.
fn nondeterministic(model: Model) {
    assert_decided(&all("values", model, 11 << 24, |seed, counts| compare_verdicts(seed, model, false, counts)));
    all("values and waits", model, 12 << 24, |seed, counts| compare_verdicts(seed, model, true, counts));
}

fn excluded(model: Model) {
    assert_decided(&all("outcomes", model, 13 << 24, |seed, counts| exclude_outcomes(seed, model, counts)));
}

#[test]
fn values_under_sc() {
    nondeterministic(Model::Sc);
}

#[test]
fn values_under_tso() {
    nondeterministic(Model::Tso);
}

#[test]
fn values_under_pso() {
    nondeterministic(Model::Pso);
}

#[test]
fn outcomes_under_sc() {
    excluded(Model::Sc);
}

#[test]
fn outcomes_under_tso() {
    excluded(Model::Tso);
}

#[test]
fn outcomes_under_pso() {
    excluded(Model::Pso);
}
