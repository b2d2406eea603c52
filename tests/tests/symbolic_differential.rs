//! The symbolic engine on random programs, within bounds that their violations need.
//!
//! * Programs with nondeterministic values: the verdicts of the explicit engine, which are also those of dpor
//!   and of both with values enumerated. A violation that these engines find is found, in programs without
//!   loops, and whatever is found is one of theirs.
//! * Programs with stores and loads: an assertion that excludes one outcome is violated if the textbook
//!   machine has the outcome, and not violated if it only has each half of it.
//!
//! `RMC_SYMBOLIC=N` runs N programs of each kind for each model instead of the usual few, and prints numbers.

use rmc_tests::generated::expected::outcomes;
use rmc_tests::generated::program::Home;
use rmc_tests::generated::random::{Random, program};
use rmc_tests::generated::{Outcome, c_source};
use rmc_tests::harness::entries::{Checked, File, MOST};
use rmc_tests::harness::expectation::Model;
use rmc_tests::harness::outside::{file, text};
use rmc_tests::harness::process::{Run, run_with_report};
use rmc_tests::nondet::{self, Kind};

/// The number of programs of each kind and model in an ordinary run.
const PROGRAMS: u64 = 24;

/// The number of states after which an engine gives a program up.
const MOST_STATES: &str = "3000";

/// Bounds that are enough for most of the programs.
const NEAR: [&str; 3] = ["--rounds=3", "--max-clock=2", "--writes=3"];

/// Bounds that are enough for each of the programs without loops. The bound on turns grows to 2, for the
/// loops in `main` that make the threads.
const FAR: [&str; 4] = ["--rounds=8", "--max-clock=6", "--writes=6", "--timeout=60"];

/// What became of the programs.
#[derive(Debug, Default)]
struct Counts {
    violated: u64,
    /// Those of them for which [`NEAR`] is not enough.
    far: u64,
    not_violated: u64,
    refused: u64,
    undecided: u64,
    /// Programs that have a verdict with values enumerated.
    enumerated: u64,
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

/// Compares the verdicts on programs with nondeterministic values.
#[track_caller]
fn compare_verdicts(seeds: &[u64], model: Model, waits: bool, counts: &mut Counts) {
    let kind = Kind { waits, detours: false, sections: false };
    let programs: Vec<_> = seeds.iter().map(|&seed| nondet::program(seed, kind)).collect();
    let file = File::new(nondet::HEAD, &programs);
    let common = ["--svcomp", "--cflags=-fwrapv", "--relaxed-memory", model.name()];
    let exact = |options: &[&str]| file.check(&[&common[..], &["--max-states", MOST_STATES], options].concat());
    let explicit = exact(&[]);
    let enumerated = ["--no-reduce", "inputs"];
    let others =
        [exact(&enumerated), exact(&["--engine=dpor"]), exact(&[&enumerated[..], &["--engine=dpor"]].concat())];
    let within = |file: &File, bounds: &[&str]| {
        let turns: &[&str] = if waits { &["--unroll=2"] } else { &[] };
        file.check(&[&common[..], &["--engine=symbolic", "--timeout=60"], bounds, turns].concat())
    };
    let symbolic = within(&file, &NEAR);
    for (at, program) in programs.iter().enumerate() {
        let (explicit, found) = (&explicit[at], &symbolic[at]);
        let describe = || {
            let others = others.iter().map(|checked| format!("{}\n", checked[at].words)).collect::<String>();
            format!("{}\nexplicit: {}\nsymbolic: {}\n{others}", program.functions, explicit.words, found.words)
        };
        let agrees = |other: &Checked| other.code == 3 || explicit.code == 3 || other.code == explicit.code;
        assert!(others.iter().all(|checked| agrees(&checked[at])), "{}", describe());
        counts.enumerated += u64::from(others[0][at].code != 3);
        let kind = explicit.report.pointer("/violations/0/kind").and_then(|kind| kind.as_str());
        match (explicit.code, found.code) {
            (3, _) => counts.undecided += 1,
            (_, 2) => counts.refused += 1,
            (1, 1) => counts.violated += 1,
            // Bounded loops may need more turns, and there may be more than an assertion to violate.
            (1, 3) if waits || kind != Some("assertion") => counts.undecided += 1,
            (1, 3) => {
                let alone = File::new(nondet::HEAD, std::slice::from_ref(program));
                assert_eq!(within(&alone, &FAR)[0].code, 1, "{}", describe());
                counts.violated += 1;
                counts.far += 1;
            }
            (0, 3) => counts.not_violated += 1,
            _ => panic!("{}", describe()),
        }
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
        let found = symbolic(text(&path), model, &FAR);
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
fn all(what: &str, model: Model, first: u64, some: impl Fn(&[u64], &mut Counts)) -> Counts {
    let mut counts = Counts::default();
    let seeds: Vec<_> = (first..first + count()).collect();
    seeds.chunks(MOST).for_each(|seeds| some(seeds, &mut counts));
    eprintln!("{what} under {}: {counts:?}", model.name());
    counts
}

/// Most programs must be decided, and some violated: a comparison of nothing shows nothing.
#[track_caller]
fn assert_decided(counts: &Counts) {
    let decided = counts.violated + counts.not_violated;
    assert!(counts.violated > 0 && decided > counts.refused + counts.undecided, "{counts:?}");
}

fn values(model: Model) {
    assert_decided(&all("values", model, 11 << 24, |seeds, counts| compare_verdicts(seeds, model, false, counts)));
}

/// Programs that wait may need more turns than the bounds allow, or more time than they are given here: how
/// many are decided is no matter of right or wrong.
fn waits(model: Model) {
    all("values and waits", model, 12 << 24, |seeds, counts| compare_verdicts(seeds, model, true, counts));
}

fn excluded(model: Model) {
    let exclude = |seeds: &[u64], counts: &mut Counts| {
        seeds.iter().for_each(|&seed| exclude_outcomes(seed, model, counts));
    };
    assert_decided(&all("outcomes", model, 13 << 24, exclude));
}

#[test]
fn values_under_sc() {
    values(Model::Sc);
}

#[test]
fn waits_under_sc() {
    waits(Model::Sc);
}

#[test]
fn values_under_tso() {
    values(Model::Tso);
}

#[test]
fn waits_under_tso() {
    waits(Model::Tso);
}

#[test]
fn values_under_pso() {
    values(Model::Pso);
}

#[test]
fn waits_under_pso() {
    waits(Model::Pso);
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
