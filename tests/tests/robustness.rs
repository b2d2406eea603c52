//! `--robustness` against the textbook machine, and the fences it names.
//!
//! * `robust SEED HOME MODEL`: a C program that holds several random programs. The set of programs with an
//!   execution that is not sequentially consistent must be the one that a comparison of the textbook
//!   machine's traces gives. `RMC_ROBUSTNESS=N` runs N seeds, from 0, instead of the usual few.
//! * `fences SEED MODEL` and `fences PROGRAM MODEL`: fences at all places that a cycle names, round after
//!   round, make the program robust, and no cycle comes back; in each round, leaving out any one of them
//!   makes the cycle possible again.
//! * `waiting SEED MODEL`: threads that wait in loops. Every load of every iteration counts, so the verdict
//!   must be that of the same program with its loops cut off after some iterations, which the engine does not
//!   treat as waiting loops. The verdict must not depend on the place of local variables or on the threads
//!   that know them.

use std::collections::BTreeSet;
use std::env;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};
use rmc_tests::generated::c_source::c_source;
use rmc_tests::generated::expected::is_robust;
use rmc_tests::generated::program::{Home, Program};
use rmc_tests::generated::random::{Random, program};
use rmc_tests::harness::expectation::Model;
use rmc_tests::harness::process::{self, run_with_report};
use rmc_tests::harness::repository;
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
            trials.push(Trial::test(title("robust"), move || check(seed, home, model)));
            trials.push(Trial::test(title("fences"), move || repair(&c_source(&programs(seed, home)?, None), model)));
            if seed % 4 == 0 {
                trials.push(Trial::test(format!("waiting {seed} {}", model.name()), move || waiting(seed, model)));
            }
        }
    }
    libtest_mimic::run(&arguments, trials).exit();
}

fn programs(seed: usize, home: Home) -> Result<Vec<Program>, Failed> {
    // The seeds differ from those of `pipeline_differential.rs`.
    let mut random = Random::new(u64::try_from(seed)? + 1_000_000);
    let threads = 2 + seed / Home::ALL.len() % 2;
    Ok((0..PROGRAMS).map(|_| program(&mut random, home, threads)).collect())
}

fn check(seed: usize, home: Home, model: Model) -> Result<(), Failed> {
    let programs = programs(seed, home)?;
    let text = c_source(&programs, None);
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

/// The cycles that are found in a file of this text.
fn cycles_of(path: &Path, more: &[&str], text: &str, model: Model) -> Result<Vec<Value>, Failed> {
    let fixed = ["--robustness", "--keep-going", "-q", "--relaxed-memory", model.name()];
    let options = fixed.iter().chain(more).map(Into::into);
    let (run, report) = run_with_report(options.chain([path.as_os_str().to_owned()]));
    let report =
        report.filter(|_| matches!(run.code, Some(0 | 1))).ok_or_else(|| format!("{}\n{text}", run.describe()))?;
    let violations = report["violations"].as_array().cloned().unwrap_or_default();
    let violations = violations.into_iter().filter(|violation| violation["kind"] == "not-robust");
    let cycles: Vec<_> = violations.map(|violation| violation["cycle"].clone()).collect();
    let is_robust = if cycles.is_empty() { "robust" } else { "not-robust" };
    match cycles.iter().find(|cycle| !is_cycle(cycle)) {
        Some(wrong) => Err(format!("{text}\nis no cycle: {wrong:#}").into()),
        None if report["robustness"] != is_robust => Err(format!("{text}\nis called {}", report["robustness"]).into()),
        None => Ok(cycles),
    }
}

/// The number of iterations after which a loop is cut off: more than two without a change, and one for each
/// change.
const CUT: usize = 5;

/// The number of programs with loops of a seed.
const WAITING: usize = 6;

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

/// A text with programs whose threads wait in loops, which are cut off after `cut` iterations.
fn waiting_programs(seed: usize, cut: Option<usize>) -> String {
    let mut random = Random::new(u64::try_from(seed).expect("seeds are small") + 2_000_000);
    let mut text =
        "#include <pthread.h>\n#include <rmc.h>\nstatic int x, y, z;\n#define GET(place) __atomic_load_n(&place, 0)\n\
        #define SET(place, value) __atomic_store_n(&place, value, 0);\n"
            .to_owned();
    for number in 0..WAITING {
        let threads = random.pick(&[2, 2, 3]);
        for thread in 0..threads {
            text += &waiting_thread(&mut random, &format!("test{number}_thread{thread}"), threads, cut);
        }
        let _ = writeln!(text, "static void test{number}(void) {{\n  pthread_t threads[3];");
        for thread in 0..threads {
            let _ = writeln!(text, "  pthread_create(&threads[{thread}], 0, test{number}_thread{thread}, 0);");
        }
        text += "}\n";
    }
    let calls: String = (0..WAITING).map(|number| format!("  if (chosen == {number}) test{number}();\n")).collect();
    text + &format!("int main(void) {{\n  unsigned chosen = rmc_choose({WAITING});\n{calls}  pthread_exit(0);\n}}\n")
}

fn waiting_thread(random: &mut Random, name: &str, threads: usize, cut: Option<usize>) -> String {
    let mut text = format!("static void *{name}(void *unused) {{\n  int a = 0, b = 0; (void)a, (void)b;\n");
    let mut accesses = |random: &mut Random, most: usize| {
        for _ in 0..random.below(most + 1) {
            let access = random.pick(&[
                "SET(x, 1)",
                "SET(y, 1)",
                "SET(z, 1)",
                "SET(x, 2)",
                "a = GET(x);",
                "b = GET(y);",
                "a = GET(z);",
            ]);
            let _ = writeln!(text, "  {access}");
        }
        std::mem::take(&mut text)
    };
    let mut body = accesses(random, 2);
    if threads == 2 || random.below(2) == 0 {
        let condition = random.pick(&[
            "GET(x) == 0",
            "GET(y) < 1",
            "GET(z) - GET(x) < 0",
            "GET(x) - GET(y) > 0",
            "GET(y) - GET(x) < 0",
            "GET(x) + GET(z) == 0",
            "(a = GET(y)) == 0 && (b = GET(x)) == 1",
            "!(a = GET(z)) || !(a = GET(x))",
        ]);
        body += &match cut {
            None => format!("  while ({condition});\n"),
            Some(rounds) => format!("  for (int i = 0; {condition}; i++) if (i == {rounds}) return unused;\n"),
        };
    }
    body + &accesses(random, 1) + "  return unused;\n}\n"
}

/// True if the relations of a cycle fit its operations, and each fence follows a store that comes before
/// another operation of its thread.
fn is_cycle(cycle: &Value) -> bool {
    let empty = Vec::new();
    let operations = cycle["operations"].as_array().unwrap_or(&empty);
    let next = operations.iter().cycle().skip(1);
    let pairs: Vec<_> = operations.iter().zip(next).collect();
    let fits = |&(one, other): &(&Value, &Value)| {
        let [stores, loads] = ["store", "load"].map(|kind| {
            [one, other].map(|at| {
                at["operation"].as_str().is_some_and(|name| name.starts_with(kind) || name.starts_with("atomic"))
            })
        });
        let is_failed = |at: &Value| at["operation"] == "compare-exchange fails";
        match at_relation(one) {
            "po" => one["thread"] == other["thread"],
            "rf" => one["thread"] != other["thread"] && stores[0] && (loads[1] || is_failed(other)),
            "co" => one["thread"] != other["thread"] && stores == [true, true],
            "fr" => one["thread"] != other["thread"] && (loads[0] || is_failed(one)) && stores[1],
            _ => false,
        }
    };
    let fenced = |fence: &Value| {
        let is_it = |(one, other): &(&Value, &Value)| {
            let lines = one["line"] == fence["after"]["line"] && other["line"] == fence["before"]["line"];
            lines
                && one["thread"] == fence["thread"]
                && at_relation(one) == "po"
                && one["operation"].as_str().is_some_and(|name| name.starts_with("store"))
        };
        pairs.iter().any(is_it)
    };
    let fences = cycle["fences"].as_array().unwrap_or(&empty);
    operations.len() > 1 && pairs.iter().all(fits) && !fences.is_empty() && fences.iter().all(fenced)
}

fn at_relation(operation: &Value) -> &str {
    operation["before_next"].as_str().unwrap_or_default()
}

/// The number of the random program that a cycle is in: its threads' functions are called `testN_threadM`.
fn program_of(cycle: &Value) -> Option<usize> {
    let function = cycle["operations"][0]["function"].as_str()?;
    function.strip_prefix("test")?.split('_').next()?.parse().ok()
}
