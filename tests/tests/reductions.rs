//! Reductions of the explicit engine are sound: with any of them, random programs have the same final states
//! and violations.
//!
//! These sets are tried ([`settings`]): all reductions, none, all but one, one alone. The reduction `sleep`
//! does not change the number of states, only the number of steps.
//! * `textbook SEED HOME MODEL`: small programs, whose final states are exactly the outcomes of the textbook
//!   machine.
//! * `everything SEED MODEL`: programs with locks, threads that create threads, memory that dies and many
//!   violations (`rmc_tests::crossed`). The result with all reductions must be that with the other sets, with
//!   the two exceptions that README.md names: without `private` a loop that writes local memory is no
//!   deadlock, and without `paths` the process may end before an assumption fails.
//! * `waiting SEED INPUT MODEL`: threads that wait in loops which write local memory (`rmc_tests::waiting`),
//!   as C and as plain bitcode of clang at `-O0`, in which all local variables are in memory. All subsets of
//!   the reductions, and the stateless engine with and without local memory, must find the same final states
//!   and the same deadlocks, without an exception.
//!
//! `RMC_REDUCTIONS=N` runs N seeds of each instead of the usual few. After all tests, every reduction except
//! `sleep` must have made a difference to the number of states.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::{Arc, Mutex};

use libtest_mimic::{Arguments, Failed, Trial};
use rmc_tests::crossed;
use rmc_tests::generated::c_source::c_source;
use rmc_tests::generated::expected::outcomes;
use rmc_tests::generated::explored::explore;
use rmc_tests::generated::program::Home;
use rmc_tests::generated::random::{Random, program};
use rmc_tests::harness::expectation::Model;
use rmc_tests::harness::process::{self, run_with_report};
use rmc_tests::harness::repository;
use rmc_tests::waiting;
use serde_json::Value;

/// The names of the reductions.
const REDUCTIONS: [&str; 6] = ["dead", "paths", "stores", "private", "guarded", "sleep"];

/// The number of seeds of an ordinary run.
const SEEDS: usize = 5;

/// The number of seeds of an ordinary run with cells that are found in disguise, too;
/// `pipeline_differential.rs` has more.
const DISGUISED_SEEDS: usize = 1;

/// The number of seeds of an ordinary run in which all subsets are tried: with both inputs, each model twice.
const WAITING_SEEDS: usize = 3;

/// The number of programs of such a seed.
const WAITING_PROGRAMS: usize = 8;

/// The number of random programs of a seed.
const PROGRAMS: usize = 6;

/// The first seed; smaller ones are those of `pipeline_differential.rs` and `cross_check.rs`.
const FIRST: usize = 1 << 20;

/// The number of states after which a set of programs is left undecided.
const MOST_STATES: u64 = 100_000;

/// The number of states of each setting, summed over programs that no setting left undecided; the number of
/// runs that were compared with others, and of those that were left undecided.
#[derive(Default)]
struct Tally {
    states: BTreeMap<String, u64>,
    /// The number of states of programs that were compared one by one.
    alone: BTreeMap<String, u64>,
    compared: usize,
    undecided: usize,
    /// The number of steps that were asleep, over all settings with `sleep`.
    asleep: u64,
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let seeds = std::env::var("RMC_REDUCTIONS").ok().map(|n| n.parse().expect("RMC_REDUCTIONS is a number of seeds"));
    let tally = Arc::new(Mutex::new(Tally::default()));
    let mut trials = Vec::new();
    for seed in FIRST..FIRST + seeds.unwrap_or(SEEDS) {
        let home = Home::ALL[seed % Home::ALL.len()];
        let disguised = (seeds.is_some() || seed < FIRST + DISGUISED_SEEDS).then_some(Home::Disguised);
        for model in Model::ALL {
            for home in [home].into_iter().chain(disguised) {
                let textbook = Arc::clone(&tally);
                let title = format!("textbook {seed} {home:?} {}", model.name());
                trials.push(Trial::test(title, move || against_textbook(seed, home, model, &textbook)));
            }
            let everything = Arc::clone(&tally);
            let title = format!("everything {seed} {}", model.name());
            trials.push(Trial::test(title, move || against_each_other(seed, model, &everything)));
        }
    }
    for seed in FIRST..FIRST + seeds.unwrap_or(WAITING_SEEDS) {
        for input in [Input::Source, Input::Bitcode] {
            let model = Model::ALL[(seed + usize::from(input == Input::Bitcode)) % Model::ALL.len()];
            let title = format!("waiting {seed} {input:?} {}", model.name());
            trials.push(Trial::test(title, move || all_subsets(seed, input, model)));
        }
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    let tally = tally.lock().expect("no test panicked");
    let all_ran = conclusion.num_filtered_out == 0 && !arguments.list;
    match complaint(&tally) {
        Some(complaint) if all_ran && !conclusion.has_failed() => {
            eprintln!("{complaint}");
            ExitCode::FAILURE
        }
        _ => conclusion.exit_code(),
    }
}

/// Options for all sets of reductions that are tried.
fn settings() -> impl Iterator<Item = String> {
    let single = REDUCTIONS.iter().flat_map(|one| [all_but(one), format!("--reduce={one}")]);
    ["--reduce=all", "--reduce=none"].map(str::to_owned).into_iter().chain(single)
}

/// The option for all reductions but one.
fn all_but(one: &str) -> String {
    let others: Vec<_> = REDUCTIONS.iter().copied().filter(|&other| other != one).collect();
    format!("--reduce={}", others.join(","))
}

/// The respect in which the tests were not interesting, if there is one.
fn complaint(tally: &Tally) -> Option<String> {
    let states = |setting: &str| tally.states.get(setting).copied().unwrap_or_default();
    let differs = |a: &str, b: &str| states(a) != states(b);
    // `stores`, `private` and `guarded` make steps longer, which has an effect only with `paths`; and in
    // small programs there are few dead values except between operations.
    let is_idle =
        |one: &&&str| !differs("--reduce=all", &all_but(one)) && !differs("--reduce=none", &format!("--reduce={one}"));
    if let Some(one) = REDUCTIONS.iter().filter(|one| **one != "sleep").find(is_idle) {
        return Some(format!("`{one}` makes no difference: {:?}", tally.states));
    }
    if tally.asleep == 0 || !is_idle(&&"sleep") {
        return Some(format!("{} steps asleep, which makes no difference to states: {:?}", tally.asleep, tally.states));
    }
    let alone = |setting: &str| tally.alone.get(setting).copied().unwrap_or_default();
    if alone("--reduce=all") >= alone(&all_but("guarded")) {
        return Some(format!("`guarded` gives nothing: {:?}", tally.alone));
    }
    let is_open = tally.undecided * 4 > tally.compared;
    is_open.then(|| format!("{} runs compared, {} undecided", tally.compared, tally.undecided))
}

fn against_textbook(seed: usize, home: Home, model: Model, tally: &Mutex<Tally>) -> Result<(), Failed> {
    let threads = 2 + seed % 2;
    let mut random = Random::new(u64::try_from(seed)?);
    let programs: Vec<_> = (0..PROGRAMS).map(|_| program(&mut random, home, threads)).collect();
    let expected: Vec<_> = programs.iter().map(|program| outcomes(program, model)).collect();
    let text = c_source(&programs, None);
    for setting in settings() {
        let found = explore(&text, &[&setting], model, threads)?;
        for (number, expected) in expected.iter().enumerate() {
            let found = found.outcomes.get(&number).cloned().unwrap_or_default();
            if found != *expected {
                let text = c_source(&programs[number..=number], None);
                let missing: Vec<_> = expected.difference(&found).collect();
                let added: Vec<_> = found.difference(expected).collect();
                return Err(format!("{setting}\n{text}\n  missing {missing:x?}, added {added:x?}").into());
            }
        }
        let mut tally = tally.lock().map_err(|_| "another test panicked")?;
        *tally.states.entry(setting).or_default() += found.states;
    }
    Ok(())
}

/// The results for one program: its final states, and its violations. The place of a violation may differ: a
/// store that goes into the buffer right after a load is detected where its memory dies, and one that comes
/// later where it is made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Found {
    finals: BTreeSet<String>,
    violations: BTreeSet<String>,
}

impl Found {
    /// The results of this run that the other one should have and does not have.
    fn missing_in<'f>(&'f self, other: &'f Self, exceptions: Exceptions) -> Vec<&'f String> {
        let finals = self.finals.difference(&other.finals).filter(|_| !exceptions.ends);
        let violations = self.violations.difference(&other.violations);
        finals.chain(violations.filter(|kind| !exceptions.deadlocks || *kind != "deadlock")).collect()
    }
}

/// The kinds of results that only some settings may find.
#[derive(Clone, Copy)]
struct Exceptions {
    /// Final states.
    ends: bool,
    /// Deadlocks.
    deadlocks: bool,
}

fn against_each_other(seed: usize, model: Model, tally: &Mutex<Tally>) -> Result<(), Failed> {
    let mut random = Random::new(u64::try_from(seed)?);
    let programs: Vec<_> = (0..PROGRAMS).map(|_| crossed::random::program(&mut random)).collect();
    compare(&programs, &settings().collect::<Vec<_>>(), model, tally)?;
    // Programs in one text use the same memory, and a guard on it has to hold for all of them.
    let alone = ["--reduce=all".to_owned(), all_but("guarded")];
    programs.chunks(1).take(3).try_for_each(|program| compare(program, &alone, model, tally))
}

/// Compares the results of the settings with those of the first one.
fn compare(
    programs: &[crossed::program::Program],
    settings: &[String],
    model: Model,
    tally: &Mutex<Tally>,
) -> Result<(), Failed> {
    let assumes = |program| crossed::c_source::c_source(std::slice::from_ref(program)).contains("rmc_assume(last");
    let text = crossed::c_source::c_source(programs);
    let first = run(&text, &settings[0], model, programs.len())?;
    let (mut sums, mut undecided, mut all_asleep) = (BTreeMap::new(), 0, 0);
    for setting in settings {
        let found = if *setting == settings[0] { first.clone() } else { run(&text, setting, model, programs.len())? };
        let (Some(run), Some(first)) = (found, &first) else {
            undecided += 1;
            continue;
        };
        sums.insert(setting.clone(), run.states);
        if is_without(setting, "sleep") && run.asleep > 0 {
            return Err(format!("{setting}: {} steps are asleep", run.asleep).into());
        }
        all_asleep += run.asleep;
        for (number, (found, first)) in run.found.iter().zip(&first.found).enumerate() {
            let ends = is_without(setting, "paths") && assumes(&programs[number]);
            let deadlocks = is_without(setting, "private");
            let missing = first.missing_in(found, Exceptions { ends: false, deadlocks });
            let added = found.missing_in(first, Exceptions { ends, deadlocks: false });
            if !missing.is_empty() || !added.is_empty() {
                let (text, model) = (crossed::c_source::c_source(&programs[number..=number]), model.name());
                return Err(format!("{text}\n{setting} {model}: missing {missing:#?}\nadded {added:#?}").into());
            }
        }
    }
    let mut tally = tally.lock().map_err(|_| "another test panicked")?;
    tally.compared += sums.len();
    tally.undecided += undecided;
    tally.asleep += all_asleep;
    if undecided == 0 && settings.len() > 2 {
        sums.into_iter().for_each(|(setting, states)| *tally.states.entry(setting).or_default() += states);
    } else if undecided == 0 {
        sums.into_iter().for_each(|(setting, states)| *tally.alone.entry(setting).or_default() += states);
    }
    Ok(())
}

/// The kind of input for the checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Input {
    /// C; local variables are promoted to registers if possible.
    Source,
    /// Bitcode of clang at `-O0`, whose local variables are all in memory.
    Bitcode,
}

/// Compares all subsets of the reductions, and the stateless engine, on programs that wait.
fn all_subsets(seed: usize, input: Input, model: Model) -> Result<(), Failed> {
    let text = waiting::c_source(&mut Random::new(u64::try_from(seed)?), WAITING_PROGRAMS);
    let directory = tempfile::tempdir()?;
    let source = directory.path().join("waiting.c");
    fs::write(&source, &text)?;
    let input = if input == Input::Source { source } else { as_bitcode(&source)? };
    let subsets = (0..1 << REDUCTIONS.len()).map(|subset: usize| {
        let chosen = REDUCTIONS.iter().enumerate().filter(|(at, _)| subset >> at & 1 == 1).map(|(_, one)| *one);
        vec![format!("--reduce={}", std::iter::once("none").chain(chosen).collect::<Vec<_>>().join(","))]
    });
    let stateless = [&["--engine=dpor"][..], &["--engine=dpor", "--no-local-memory"]];
    let stateless = stateless.map(|options| options.iter().map(|&option| option.to_owned()).collect());
    let mut first = None;
    for setting in subsets.chain(stateless) {
        let (found, _) = explored(&input, &text, &setting, model, WAITING_PROGRAMS)?;
        match &first {
            None => {
                let deadlocks = found.iter().filter(|one| one.violations.contains("deadlock")).count();
                let ends = found.iter().filter(|one| !one.finals.is_empty()).count();
                if deadlocks == 0 || ends == 0 {
                    return Err(format!("{deadlocks} deadlocks, {ends} programs that end:\n{text}").into());
                }
                first = Some(found);
            }
            Some(first) if *first != found => {
                let differ = (0..found.len()).find(|&number| first[number] != found[number]).unwrap_or_default();
                let (one, other) = (&first[differ], &found[differ]);
                let model = model.name();
                return Err(format!("{text}\nprogram {differ} {model}: none {one:#?}\n{setting:?} {other:#?}").into());
            }
            Some(_) => {}
        }
    }
    Ok(())
}

/// Compiles C to plain bitcode beside it.
fn as_bitcode(source: &Path) -> Result<PathBuf, Failed> {
    let bitcode = source.with_extension("bc");
    let include = repository().join("include");
    let mut clang = Command::new("clang-16");
    clang.args(["-O0", "-Xclang", "-disable-O0-optnone", "-g", "-emit-llvm", "-c", "-I"]).arg(include);
    let done = process::run(clang.arg(source).arg("-o").arg(&bitcode));
    if done.code == Some(0) { Ok(bitcode) } else { Err(done.describe().into()) }
}

/// True if a reduction is off.
fn is_without(setting: &str, one: &str) -> bool {
    let (_, list) = setting.split_once('=').unwrap_or_default();
    list != "all" && list.split(',').all(|other| other != one)
}

/// A run of several programs.
#[derive(Clone)]
struct Run {
    /// The results of each program.
    found: Vec<Found>,
    states: u64,
    asleep: u64,
}

/// Explores programs; `None` if the search was incomplete.
fn run(text: &str, setting: &str, model: Model, programs: usize) -> Result<Option<Run>, Failed> {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("random.c");
    fs::write(&path, text)?;
    let jobs = format!("--jobs={}", 1 + text.len() % 2);
    let options = ["--svcomp", &jobs, setting].map(str::to_owned);
    let (found, report) = explored(&path, text, &options, model, programs)?;
    let states = report["statistics"]["states"].as_u64().ok_or("no states")?;
    if states >= MOST_STATES {
        return Ok(None);
    }
    let asleep = report["statistics"]["measures"]["asleep"].as_u64().ok_or("no count of steps asleep")?;
    Ok(Some(Run { found, states, asleep }))
}

/// Explores programs; the report is returned for further checks.
fn explored(
    input: &Path,
    text: &str,
    options: &[String],
    model: Model,
    programs: usize,
) -> Result<(Vec<Found>, Value), Failed> {
    let most = MOST_STATES.to_string();
    let fixed = ["--keep-going", "-q", "--max-states", &most, "--relaxed-memory", model.name()];
    let options = fixed.into_iter().chain(options.iter().map(String::as_str));
    let (run, report) = run_with_report(options.map(Into::into).chain([input.as_os_str().to_owned()]));
    let Some(report) = report.filter(|_| matches!(run.code, Some(0 | 1 | 3))) else {
        return Err(format!("{}\n{text}", run.describe()).into());
    };
    let mut found = vec![Found::default(); programs];
    for state in report["final_states"].as_array().ok_or_else(|| format!("no final states:\n{}", run.describe()))? {
        let number = state["globals"]["chosen"].as_u64().ok_or("a final state without a program")?;
        found[usize::try_from(number)?].finals.insert(state.to_string());
    }
    for violation in report["violations"].as_array().ok_or("no violations")? {
        let kind = violation["kind"].as_str().ok_or("a violation without a kind")?;
        let line = violation["line"].as_u64().ok_or("a violation without a line")?;
        let number = crossed::c_source::program_at(text, usize::try_from(line)?).ok_or("a violation of no program")?;
        found[number].violations.insert(kind.to_owned());
    }
    Ok((found, report))
}
