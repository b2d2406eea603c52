//! Bounds on preemptions, and the order of preemptions, against an enumeration on the textbook machine.
//!
//! For random programs without loops: with each bound the explicit engine finds the final states of the
//! executions with at most so many preemptions, and no others. It says `holds` only if it finds all. For an
//! outcome that an assertion forbids, the counterexample has the least number of preemptions. All of this
//! under every model, with several sets of reductions, and with several workers.
//!
//! Programs that wait, in loops and for locks, have the same verdict in both orders.
//!
//! `RMC_PREEMPTION_PROGRAMS=N` tries N programs under each model.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fs;

use libtest_mimic::{Arguments, Failed, Trial};
use rmc_tests::generated::c_source::c_source;
use rmc_tests::generated::expected::least_preemptions;
use rmc_tests::generated::explored::explore_within_bounds;
use rmc_tests::generated::program::{self, Home};
use rmc_tests::generated::random::{self, Random};
use rmc_tests::generated::{Outcome, outcome_globals};
use rmc_tests::harness::expectation::{Expected, Model, Variant};
use rmc_tests::harness::process::run_with_report;
use rmc_tests::harness::programs::{Program, programs};

/// The number of programs under each model.
const PROGRAMS: usize = 16;

/// Options that must not change which final states a bound allows.
const VARIANTS: [&[&str]; 4] = [&[], &["--no-reduce=paths"], &["--no-reduce=stores,private,dead"], &["--jobs=3"]];

/// Topics of programs that wait.
const WAITING: [&str; 3] = ["tests/programs/awaits/", "tests/programs/mutex/", "tests/programs/sync/"];

const HOMES: [Home; 3] = [Home::Globals, Home::Published, Home::Stack];

fn main() {
    let arguments = Arguments::from_args();
    let programs = env::var("RMC_PREEMPTION_PROGRAMS").ok().and_then(|number| number.parse().ok()).unwrap_or(PROGRAMS);
    let models = [Model::Sc, Model::Tso, Model::Pso];
    let seeds = (0..programs).flat_map(|seed| models.map(|model| (seed, model)));
    let trial =
        |(seed, model): (usize, Model)| Trial::test(format!("{seed} {}", model.name()), move || check(seed, model));
    let waiting = programs_that_wait().map(|(name, variant, model, expected)| {
        let title = format!("{name} {} {}", variant.options.join(" "), model.name());
        Trial::test(title, move || same_verdict(&name, &variant, model, &expected))
    });
    libtest_mimic::run(&arguments, seeds.map(trial).chain(waiting).collect()).exit();
}

/// Variants of programs that wait for each other, each under one of its models.
fn programs_that_wait() -> impl Iterator<Item = (String, Variant, Model, Expected)> {
    let waits = |program: &Program| WAITING.iter().any(|topic| program.name.starts_with(topic));
    let variants = programs().into_iter().filter(waits).flat_map(|program| {
        let of_program = move |variant: &Variant| (program.name.clone(), variant.clone());
        program.variants.iter().map(of_program).collect::<Vec<_>>()
    });
    let explored = variants.filter(|(_, variant)| variant.options.iter().all(|option| !option.starts_with("--")));
    explored.enumerate().filter_map(|(at, (name, variant))| {
        let (model, expected) = variant.expected.get(at % variant.expected.len())?;
        let (model, expected) = (*model, expected.clone());
        Some((name, variant, model, expected))
    })
}

fn same_verdict(program: &str, variant: &Variant, model: Model, expected: &Expected) -> Result<(), Failed> {
    let options = ["--order=preemptions", "--relaxed-memory", model.name(), "--max-states=300000"].map(str::to_owned);
    let all = variant.options.iter().cloned().chain(options).chain([program.to_owned()]);
    let (run, report) = run_with_report(all);
    let verdict = match expected {
        Expected::Holds => "holds",
        // Another violation may need fewer preemptions than the one that needs fewest steps.
        Expected::Violated(_) => "violated",
        Expected::Unknown(_) | Expected::Refused(_) => return Ok(()),
    };
    let report = report.ok_or_else(|| run.describe())?;
    let (is_same, is_limited) = (report["verdict"] == verdict, report["reason"] == "state-limit");
    if is_same || is_limited { Ok(()) } else { Err(format!("{expected:?} is expected\n{}", run.describe()).into()) }
}

fn check(seed: usize, model: Model) -> Result<(), Failed> {
    let mut random = Random::new(u64::try_from(seed)? + 1);
    let program = random::program(&mut random, HOMES[seed % HOMES.len()], 2 + seed % 2);
    let least = least_preemptions(&program, model);
    let most = least.values().copied().max().unwrap_or(0);
    let variant = VARIANTS[seed % VARIANTS.len()];
    for bound in 0..=most {
        compare(&program, &least, Some(bound), variant, model)?;
    }
    compare(&program, &least, None, variant, model)?;
    // Of the outcomes that need most preemptions, one is forbidden.
    let forbidden = least.iter().max_by_key(|(_, preemptions)| **preemptions);
    forbidden.map_or(Ok(()), |(outcome, &preemptions)| violate(&program, outcome, preemptions, variant, model))
}

/// Compares the final states within a bound with those of the enumeration. Without one the order is that of
/// preemptions.
fn compare(
    program: &program::Program,
    least: &BTreeMap<Outcome, u32>,
    bound: Option<u32>,
    variant: &[&str],
    model: Model,
) -> Result<(), Failed> {
    let text = c_source(std::slice::from_ref(program), None);
    let order = bound.map_or("--order=preemptions".to_owned(), |bound| format!("--context-bound={bound}"));
    let options: Vec<&str> = variant.iter().copied().chain([order.as_str()]).collect();
    let (code, explored) = explore_within_bounds(&text, &options, model, program.threads.len())?;
    let within = |preemptions: u32| bound.is_none_or(|bound| preemptions <= bound);
    let expected: BTreeSet<_> =
        least.iter().filter(|(_, preemptions)| within(**preemptions)).map(|(outcome, _)| outcome.clone()).collect();
    let found = explored.outcomes.get(&0).cloned().unwrap_or_default();
    let is_claim_right = if bound.is_none() { code == 0 } else { code != 0 || expected.len() == least.len() };
    if found == expected && is_claim_right {
        return Ok(());
    }
    let (missing, added): (Vec<_>, Vec<_>) =
        (expected.difference(&found).collect(), found.difference(&expected).collect());
    let names = outcome_globals(program.threads.len());
    Err(format!("{options:?}, exit code {code}\n{text}\n{names:?}: missing {missing:x?}, added {added:x?}").into())
}

/// The counterexample to an assertion that forbids the outcome has this number of preemptions; a smaller
/// bound finds none.
fn violate(
    program: &program::Program,
    outcome: &Outcome,
    preemptions: u32,
    variant: &[&str],
    model: Model,
) -> Result<(), Failed> {
    let text = c_source(std::slice::from_ref(program), Some(outcome));
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("random.c");
    fs::write(&path, &text)?;
    let run = |option: String| {
        let options = variant.iter().map(|&option| option.to_owned()).chain([option]);
        let common = ["-q", "--relaxed-memory", model.name()].map(str::to_owned);
        run_with_report(common.into_iter().chain(options).chain([path.display().to_string()]))
    };
    let (found, report) = run("--order=preemptions".to_owned());
    let report = report.ok_or_else(|| found.describe())?;
    if report["violations"][0]["preemptions"] != preemptions {
        return Err(format!("{preemptions} preemptions are expected\n{}\n{text}", found.describe()).into());
    }
    if let Some(fewer) = preemptions.checked_sub(1) {
        let (bounded, _) = run(format!("--context-bound={fewer}"));
        if bounded.code != Some(3) {
            return Err(format!("a violation within {fewer} preemptions\n{}\n{text}", bounded.describe()).into());
        }
    }
    Ok(())
}
