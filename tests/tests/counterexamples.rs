//! Counterexamples of random programs. They are found for an outcome that the textbook machine allows, are
//! valid on a textbook machine, and replay to the same text.
//!
//! One test per seed and model, named `counterexample SEED HOME MODEL`. `RMC_DIFFERENTIAL=N` runs N seeds,
//! from 0, instead of the usual few.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};
use rmc_tests::generated::c_source::c_source;
use rmc_tests::generated::expected::outcomes;
use rmc_tests::generated::program::{Home, Order, Place, Program, Publication, Statement};
use rmc_tests::generated::random::{Random, program};
use rmc_tests::generated::{BASE, Outcome};
use rmc_tests::harness::expectation::Model;
use rmc_tests::harness::process::{Run, command, run};
use rmc_tests::trace::{Accesses, validate};
use serde_json::Value;

/// The number of seeds of an ordinary run.
const SEEDS: usize = 30;

fn main() {
    let arguments = Arguments::from_args();
    let seeds = env::var("RMC_DIFFERENTIAL").ok().map(|n| n.parse().expect("RMC_DIFFERENTIAL is a number of seeds"));
    let mut trials = Vec::new();
    for seed in 0..seeds.unwrap_or(SEEDS) {
        let home = Home::ALL[seed % Home::ALL.len()];
        for model in Model::ALL {
            let title = format!("counterexample {seed} {home:?} {}", model.name());
            trials.push(Trial::test(title, move || check(seed, home, model)));
        }
    }
    let regression = || {
        check_program(
            &thread_with_a_local(),
            &vec![0, BASE.wrapping_add(2), 0x404_0404_0000, 0x2_0202_0202_0202, 0],
            Model::Tso,
            false,
        )
    };
    trials.push(Trial::test("a thread ends with a local variable while another buffers stores", regression));
    libtest_mimic::run(&arguments, trials).exit();
}

/// A regression test: the first thread publishes a pointer through a temporary variable in memory, which dies
/// in the step that drains its buffer. The stores that this step brought to memory were once missing in the
/// trace.
fn thread_with_a_local() -> Program {
    let place = |cell, offset, len| Place { cell, offset, len };
    let store = |place, value| Statement::Store { place, value, order: Order::Plain };
    let first = vec![
        Statement::FetchAdd { place: place(0, 2, 1), value: 2 },
        store(place(0, 2, 4), 0x404_0404),
        Statement::Load { place: place(1, 0, 8), order: Order::Acquire },
    ];
    let second = vec![
        Statement::Exchange { place: place(0, 2, 2), value: 0x404 },
        store(place(1, 3, 4), 0x202_0202),
        store(place(0, 2, 2), 0x101),
        store(place(1, 0, 4), 0x202_0202),
    ];
    let publication = Some(Publication { after: 0, order: Order::Relaxed });
    Program { home: Home::Published, publication, threads: vec![first, second] }
}

fn check(seed: usize, home: Home, model: Model) -> Result<(), Failed> {
    // The seeds differ from those of the programs whose final states are compared.
    let mut random = Random::new(1_000_000 + u64::try_from(seed)?);
    let program = program(&mut random, home, 2 + seed / Home::ALL.len() % 2);
    let outcome = telling_outcome(&program, model);
    check_program(&program, &outcome, model, seed % 2 == 1)
}

/// Checks the counterexamples of the usual search, of `reads-from`, and of another one.
fn check_program(program: &Program, outcome: &Outcome, model: Model, all_shared: bool) -> Result<(), Failed> {
    let other = if all_shared { "--order=preemptions" } else { "--engine=dpor" };
    let searches = ["--order=steps", "--engine=reads-from", other];
    searches.iter().try_for_each(|search| check_search(program, outcome, model, all_shared, search))
}

fn check_search(
    program: &Program,
    outcome: &Outcome,
    model: Model,
    all_shared: bool,
    search: &str,
) -> Result<(), Failed> {
    let text = c_source(std::slice::from_ref(program), Some(outcome));
    let directory = tempfile::tempdir()?;
    let [source, report] = ["random.c", "report.json"].map(|name| directory.path().join(name));
    fs::write(&source, &text)?;
    let found = find(&source, &report, model, all_shared, search);
    let trace = trace(&report).ok_or_else(|| format!("no trace\n{}{text}", found.describe()))?;
    // `main` passes these to the thread functions.
    let accesses = Accesses { bytes_at: &|line| bytes_at(&text, line), written_elsewhere: &["threads", "read"] };
    validate(&trace, model, &accesses).map_err(|why| format!("{why}\n{}{text}", found.describe()))?;
    let again = run(&mut command([OsString::from("--replay"), report.into_os_string()]));
    if again.code != Some(1) || execution(&found) != execution(&again) {
        return Err(format!("the replay differs\n{}{}{text}", found.describe(), again.describe()).into());
    }
    Ok(())
}

/// An outcome that the model allows, if possible one that the next stronger model does not allow.
fn telling_outcome(program: &Program, model: Model) -> Outcome {
    let allowed = outcomes(program, model);
    let stronger = match model {
        Model::Sc => BTreeSet::new(),
        Model::Tso => outcomes(program, Model::Sc),
        Model::Pso => outcomes(program, Model::Tso),
    };
    let telling = allowed.difference(&stronger).next().or(allowed.first());
    telling.expect("every program has an outcome").clone()
}

/// Checks the program. With `all_shared`, memory that only one thread can reach is not detected, so its
/// stores wait in buffers, too.
fn find(source: &Path, report: &Path, model: Model, all_shared: bool, search: &str) -> Run {
    let detection = all_shared.then(|| OsString::from("--no-local-memory"));
    let options = [search, "--relaxed-memory", model.name(), "--report"].map(OsString::from);
    let arguments = detection.into_iter().chain(options).chain([report.into(), source.into()]);
    run(&mut command(arguments))
}

/// The trace of the violation; `None` if there is no report, or no violation in it.
fn trace(report: &Path) -> Option<Vec<Value>> {
    let report: Value = serde_json::from_slice(&fs::read(report).ok()?).ok()?;
    report["violations"][0]["trace"].as_array().cloned()
}

/// The size of the access that a line of generated C makes: of the type that is the first argument of its
/// macro. Pointers and results of `main` have 8 bytes, and so has everything else except the number of the
/// test.
fn bytes_at(text: &str, line: u64) -> usize {
    let line = usize::try_from(line).ok().and_then(|line| text.lines().nth(line.checked_sub(1)?)).unwrap_or_default();
    if line.contains("test") || line.contains("coin") {
        return 4;
    }
    let kind = line.split_once("(u").and_then(|(_, rest)| rest.split_once(','));
    let digits = kind.map(|(kind, _)| kind.chars().filter(char::is_ascii_digit).collect::<String>());
    digits.and_then(|bits| bits.parse::<usize>().ok()).map_or(8, |bits| bits / 8)
}

/// The printed text, without the lines that measure the search.
fn execution(run: &Run) -> Vec<&str> {
    run.stdout.lines().filter(|line| !line.contains(" states, ")).collect()
}
