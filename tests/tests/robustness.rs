//! `--robustness` against the textbook machine, and the fences it names.
//!
//! * `robust SEED HOME MODEL`: a C program that holds several random programs. The set of programs with an
//!   execution that is not sequentially consistent must be the one that a comparison of the textbook
//!   machine's traces gives. `RMC_ROBUSTNESS=N` runs N seeds, from 0, instead of the usual few.
//! * `copies SEED HOME MODEL`: the same for programs of two threads that fill and copy several pieces.
//! * `fences SEED MODEL` and `fences PROGRAM MODEL`: fences at all places that a cycle names, round after
//!   round, make the program robust, and no cycle comes back; in each round, leaving out any one of them
//!   makes the cycle possible again.
//! * `waiting SEED MODEL`: threads that wait in loops. Every load of every iteration counts, so the verdict
//!   must be that of the same program with its loops cut off after some iterations, which the engine does not
//!   treat as waiting loops. The verdict must not depend on the place of local variables or on the threads
//!   that know them.

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};
use rmc_tests::generated::c_source::c_source;
use rmc_tests::generated::expected::is_robust;
use rmc_tests::generated::program::{Home, Program};
use rmc_tests::generated::random::{Random, program, program_with_copies};
use rmc_tests::harness::expectation::Model;
use rmc_tests::harness::process;
use rmc_tests::harness::repository;
use rmc_tests::robust::waiting::{CUT, waiting_programs};
use rmc_tests::robust::{cycles_of, program_of};
use serde_json::Value;

/// The number of seeds of an ordinary run: every home with two threads and with three, twice.
const SEEDS: usize = 20;

/// The number of random programs of a seed.
const PROGRAMS: usize = 16;

fn main() {
    let arguments = Arguments::from_args();
    let seeds = env::var("RMC_ROBUSTNESS").ok().map(|n| n.parse().expect("RMC_ROBUSTNESS is a number of seeds"));
    let mut trials = Vec::new();
    for seed in 0..seeds.unwrap_or(SEEDS) {
        let home = Home::ALL[seed % Home::ALL.len()];
        for model in [Model::Tso, Model::Pso] {
            let title = |what: &str| format!("{what} {seed} {home:?} {}", model.name());
            let threads = 2 + seed / Home::ALL.len() % 2;
            let programs = move |make: Make| programs(seed, home, make, threads);
            trials.push(Trial::test(title("robust"), move || check(&programs(program)?, model)));
            if threads == 2 {
                trials.push(Trial::test(title("copies"), move || check(&programs(program_with_copies)?, model)));
            }
            trials.push(Trial::test(title("fences"), move || repair(&c_source(&programs(program)?, None), model)));
            if seed % 4 == 0 {
                trials.push(Trial::test(format!("waiting {seed} {}", model.name()), move || waiting(seed, model)));
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

/// A generator of programs of some number of threads.
type Make = fn(&mut Random, Home, usize) -> Program;

fn programs(seed: usize, home: Home, make: Make, threads: usize) -> Result<Vec<Program>, Failed> {
    // The seeds differ from those of `pipeline_differential.rs`.
    let mut random = Random::new(u64::try_from(seed)? + 1_000_000);
    Ok((0..PROGRAMS).map(|_| make(&mut random, home, threads)).collect())
}

fn check(programs: &[Program], model: Model) -> Result<(), Failed> {
    let text = c_source(programs, None);
    let cycles = cycles(&text, model)?;
    let found: BTreeSet<usize> = cycles.iter().filter_map(program_of).collect();
    let mut wrong = String::new();
    for (number, program) in programs.iter().enumerate() {
        let expected = is_robust(program, model);
        if expected == found.contains(&number) {
            let text = c_source(std::slice::from_ref(program), None);
            wrong += &format!("program {number} is {}robust\n{text}\n", if expected { "" } else { "not " });
        }
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.into()) }
}

/// The largest number of rounds that a repair takes; every round adds fences for the remaining cycles.
const ROUNDS: usize = 8;

fn repair(text: &str, model: Model) -> Result<(), Failed> {
    let mut text = text.to_owned();
    let mut known = BTreeSet::new();
    for _ in 0..ROUNDS {
        let cycles = cycles(&text, model)?;
        if cycles.is_empty() {
            return Ok(());
        }
        if let Some(again) = cycles.iter().find(|cycle| !known.insert(lines(cycle))) {
            return Err(format!("{text}\nthis cycle is still possible: {again:#}").into());
        }
        for cycle in cycles.iter().take(2) {
            needs_all(&text, cycle, model)?;
        }
        text = fenced(&text, cycles.iter().flat_map(fences));
    }
    Err(format!("{text}\nis still not robust").into())
}

/// Checks that the cycle is still found with fences at all but one of its places.
fn needs_all(text: &str, cycle: &Value, model: Model) -> Result<(), Failed> {
    let all = fences(cycle);
    for open in 0..all.len() {
        let others = all.iter().enumerate().filter(|&(at, _)| at != open).map(|(_, fence)| *fence);
        let left = cycles(&fenced(text, others), model)?;
        if !left.iter().any(|other| lines(other) == lines(cycle)) {
            return Err(format!("{text}\n{cycle:#}\nits fence {open} is not needed").into());
        }
    }
    Ok(())
}

/// The operations of a cycle: thread, line and operation of each.
fn lines(cycle: &Value) -> BTreeSet<String> {
    let operations = cycle["operations"].as_array().into_iter().flatten();
    operations.map(|at| format!("{} {} {}", at["thread"], at["line"], at["operation"])).collect()
}

/// A fence: the line behind which it belongs, and its text.
type Fence = (usize, &'static str);

fn fences(cycle: &Value) -> Vec<Fence> {
    let fence = |fence: &Value| {
        let line =
            fence["after"]["line"].as_u64().and_then(|line| usize::try_from(line).ok()).expect("a fence has a line");
        let order = if fence["kind"] == "full" { "__ATOMIC_SEQ_CST" } else { "__ATOMIC_RELEASE" };
        (line, order)
    };
    cycle["fences"].as_array().into_iter().flatten().map(fence).collect()
}

/// The text with fences at the ends of lines, so that the lines keep their numbers.
fn fenced(text: &str, fences: impl IntoIterator<Item = Fence>) -> String {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for (line, order) in BTreeSet::from_iter(fences) {
        lines[line - 1] += &format!(" __atomic_thread_fence({order});");
    }
    lines.join("\n") + "\n"
}

/// The cycles that are found in a program.
fn cycles(text: &str, model: Model) -> Result<Vec<Value>, Failed> {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("random.c");
    fs::write(&path, text)?;
    cycles_of(&path, &[], text, model)
}

fn waiting(seed: usize, model: Model) -> Result<(), Failed> {
    let texts = [None, Some(CUT)].map(|cut| waiting_programs(seed, cut));
    let directory = tempfile::tempdir()?;
    let [plain, cut] = ["plain.c", "cut.c"].map(|name| directory.path().join(name));
    fs::write(&plain, &texts[0])?;
    fs::write(&cut, &texts[1])?;
    let bitcode = directory.path().join("plain.bc");
    let mut clang = Command::new("clang-16");
    clang.args(["-O0", "-Xclang", "-disable-O0-optnone", "-g", "-emit-llvm", "-c", "-I"]);
    let done = process::run(clang.arg(repository().join("include")).arg(&plain).arg("-o").arg(&bitcode));
    if done.code != Some(0) {
        return Err(done.describe().into());
    }
    let found = |path: &Path, more: &[&str]| -> Result<BTreeSet<usize>, Failed> {
        Ok(cycles_of(path, more, &texts[0], model)?.iter().filter_map(program_of).collect())
    };
    let expected = found(&cut, &[])?;
    for (path, more) in
        [(&plain, &[][..]), (&plain, &["--no-local-memory"]), (&bitcode, &[]), (&bitcode, &["--no-local-memory"])]
    {
        let robust = found(path, more)?;
        if robust != expected {
            return Err(format!("{}\n{more:?} {path:?}: not robust: {robust:?}, cut off {expected:?}", texts[0]).into());
        }
    }
    Ok(())
}
