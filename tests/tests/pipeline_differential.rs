//! Random programs through the whole pipeline: the final states of `rmc-check` are exactly the outcomes of
//! the textbook machine.
//!
//! One test per seed and model, named `differential SEED HOME MODEL`: a C program that holds several random
//! programs, checked as written and in variants that must not change the outcomes (see [`VARIANTS`]).
//! `RMC_DIFFERENTIAL=N` runs N seeds, from 0, instead of the usual few.
//!
//! `sections SEED HOME MODEL`: the same with atomic sections.
//!
//! `repeated SEED HOME MODEL`: programs whose threads store the same value again, mostly to cells to which no
//! other thread stores. Each is checked alone, since the reduction depends on the use of memory in all of a
//! text. After all of these tests, there must be fewer states where some stores are left out than where all
//! go to the buffers.

use std::collections::BTreeSet;
use std::env;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use libtest_mimic::{Arguments, Failed, Trial};
use rmc_tests::generated::c_source::c_source;
use rmc_tests::generated::expected::{outcomes, textbook_states};
use rmc_tests::generated::explored::explore;
use rmc_tests::generated::program::{Home, Order, Program, Statement};
use rmc_tests::generated::random::{Random, program, program_with_copies, program_with_sections};
use rmc_tests::generated::{Outcome, outcome_globals};
use rmc_tests::harness::expectation::Model;

/// The number of seeds of an ordinary run: every home with two threads and with three, twice.
const SEEDS: usize = 20;

/// The number of seeds of an ordinary run with cells that are found in disguise.
const DISGUISED_SEEDS: usize = 4;

/// The number of random programs of a seed, without copies and with copies, which have many more executions.
const PROGRAMS: [usize; 2] = [12, 6];

/// The most states of the textbook machine under PSO that a program may have: a few larger ones, with many
/// copies, took most of the time.
const MOST_STATES: usize = 6_000;

/// Options that must not change the final states. `ORDER` is replaced by an order of the threads that depends
/// on the seed.
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

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let seeds = env::var("RMC_DIFFERENTIAL").ok().map(|n| n.parse().expect("RMC_DIFFERENTIAL is a number of seeds"));
    let mut trials = Vec::new();
    for seed in 0..seeds.unwrap_or(SEEDS) {
        let home = Home::ALL[seed % Home::ALL.len()];
        for model in Model::ALL {
            let disguised = (seeds.is_some() || seed < DISGUISED_SEEDS).then_some(Home::Disguised);
            for home in [home].into_iter().chain(disguised) {
                let title = format!("differential {seed} {home:?} {}", model.name());
                trials.push(Trial::test(title, move || check(seed, home, model)));
            }
        }
    }
    for seed in 0..seeds.unwrap_or(SECTIONS) {
        let home = Home::ALL[seed % Home::ALL.len()];
        for model in Model::ALL {
            let title = format!("sections {seed} {home:?} {}", model.name());
            trials.push(Trial::test(title, move || sections(seed, home, model)));
        }
    }
    let saved = Arc::new(AtomicU64::new(0));
    for seed in 0..seeds.unwrap_or(REPEATED) {
        let home = Home::ALL[seed % Home::ALL.len()];
        for model in [Model::Tso, Model::Pso] {
            let (title, saved) = (format!("repeated {seed} {home:?} {}", model.name()), Arc::clone(&saved));
            trials.push(Trial::test(title, move || repeated(seed, home, model, &saved)));
        }
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    let all_ran = conclusion.num_filtered_out == 0 && !arguments.list && !conclusion.has_failed();
    if all_ran && saved.load(Relaxed) == 0 {
        eprintln!("no store was left out");
        return ExitCode::FAILURE;
    }
    conclusion.exit_code()
}

/// The number of seeds of an ordinary run with atomic sections, and of programs of each.
const SECTIONS: usize = 10;
const SECTIONS_PROGRAMS: usize = 12;

fn sections(seed: usize, home: Home, model: Model) -> Result<(), Failed> {
    let mut random = Random::new(u64::try_from(seed)? + 5_000_000);
    let threads = threads_of(seed);
    let make = |_| program_with_sections(&mut random, home, threads);
    let programs: Vec<Program> = (0..SECTIONS_PROGRAMS).map(make).collect();
    compare(&programs, &["--svcomp"], &thread_order(&mut random, threads), model)
}

/// The number of seeds of an ordinary run with repeated stores, and of programs of each.
const REPEATED: usize = 6;
const REPEATED_PROGRAMS: usize = 6;

/// The largest number of statements of a thread that repeats stores.
const MOST_STATEMENTS: usize = 5;

fn repeated(seed: usize, home: Home, model: Model, saved: &AtomicU64) -> Result<(), Failed> {
    let mut random = Random::new(u64::try_from(seed)? + 3_000_000);
    for _ in 0..REPEATED_PROGRAMS {
        let mut program = program(&mut random, home, 2);
        for (number, thread) in program.threads.iter_mut().enumerate() {
            *thread = with_repeats(&mut random, number, thread);
        }
        let expected = outcomes(&program, model);
        let text = c_source(std::slice::from_ref(&program), None);
        // A buffer that is never full keeps all stores.
        let [all, fewer] = [["--buffer-bound=64"], ["--buffer-bound=0"]].map(|options| {
            let explored = explore(&text, &options, model, 2)?;
            let found = explored.outcomes.get(&0).cloned().unwrap_or_default();
            let wrong = difference(&program, &options.map(str::to_owned), &expected, &found);
            if wrong.is_empty() { Ok(explored.states) } else { Err(Failed::from(wrong)) }
        });
        saved.fetch_add(all?.saturating_sub(fewer?), Relaxed);
    }
    Ok(())
}

/// A thread that stores mostly to cells of its own, and often repeats a store.
fn with_repeats(random: &mut Random, number: usize, thread: &[Statement]) -> Vec<Statement> {
    let mut statements: Vec<Statement> = Vec::new();
    for statement in thread {
        let Statement::Store { place, order, .. } = *statement else {
            statements.push(statement.clone());
            continue;
        };
        if place.cell % 2 != number && random.below(8) > 0 {
            statements.push(Statement::Load { place, order: load_order(order) });
            continue;
        }
        statements.push(statement.clone());
        let again = random.below(statements.len()).max(statements.len().saturating_sub(2));
        statements.push(statements[again].clone());
        if random.below(2) == 0 {
            statements.push(statement.clone());
        }
    }
    statements.truncate(MOST_STATEMENTS);
    statements
}

fn load_order(order: Order) -> Order {
    if order == Order::Release { Order::Acquire } else { order }
}

/// Two or three threads in turn, so that both occur with every home.
fn threads_of(seed: usize) -> usize {
    2 + seed / Home::ALL.len() % 2
}

fn check(seed: usize, home: Home, model: Model) -> Result<(), Failed> {
    let mut random = Random::new(u64::try_from(seed)?);
    // Every other seed has copies, too.
    let make = if seed % 2 == 1 { program_with_copies } else { program };
    let small = |program: &Program| textbook_states(program) <= MOST_STATES;
    let all = std::iter::repeat_with(|| make(&mut random, home, threads_of(seed)));
    let programs: Vec<Program> = all.filter(small).take(PROGRAMS[seed % 2]).collect();
    compare(&programs, &[], &thread_order(&mut random, threads_of(seed)), model)
}

/// Compares the outcomes of programs with those of the textbook machine, in all variants.
fn compare(programs: &[Program], options: &[&str], order: &str, model: Model) -> Result<(), Failed> {
    let expected: Vec<_> = programs.iter().map(|program| outcomes(program, model)).collect();
    let text = c_source(programs, None);
    let mut wrong = String::new();
    let may_optimise = !programs.iter().any(Program::has_copies);
    for variant in VARIANTS.into_iter().filter(|variant| may_optimise || !variant.contains(&"--cflags=-O2")) {
        let variant = options.iter().chain(variant);
        let options: Vec<String> = variant.map(|option| option.replace("ORDER", order)).collect();
        let found = explore(&text, &options, model, programs[0].threads.len())?.outcomes;
        for (number, program) in programs.iter().enumerate() {
            let found = found.get(&number).cloned().unwrap_or_default();
            wrong += &difference(program, &options, &expected[number], &found);
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.into()) }
}

/// A random order of the threads other than the usual one, as an option.
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
