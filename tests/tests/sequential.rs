//! `--robustness` under tso by sequentially consistent executions that the monitor watches, against the
//! textbook machine and against the exploration of executions under tso (`--no-monitor`).
//!
//! * `generated SEED HOME`: random programs. The program must be called robust exactly if a comparison of the
//!   textbook machine's traces does so, by both ways. `RMC_SEQUENTIAL=N` runs N seeds, from 0.
//! * `unlike SEED HOME`: the same for programs with copies and with atomic sections.
//! * `waiting SEED`: programs whose threads wait in loops, against the same ones with loops that are cut off,
//!   by the other way. Those that wait for ever without store buffers are violated before anything else.
//! * `crossed SEED`: programs with locks and memory that dies, by both ways.
//! * `left NAME`: a program for each reason for which executions under tso are explored, with that reason in
//!   the report; and programs that are near to one and do without.
//! * `cross-check`: the same comparison by `--cross-check`.
//! * `same PATH`: both ways agree on programs of `tests/programs`. `RMC_SEQUENTIAL_PROGRAMS=1` tries all.

use std::collections::BTreeSet;
use std::env;
use std::fs;

use libtest_mimic::{Arguments, Failed, Trial};
use rmc_tests::crossed;
use rmc_tests::generated::c_source::c_source;
use rmc_tests::generated::expected::is_robust;
use rmc_tests::generated::program::{Home, Program};
use rmc_tests::generated::random::{Random, program, program_with_copies, program_with_sections};
use rmc_tests::harness::expectation::Model;
use rmc_tests::harness::process::run_with_report;
use rmc_tests::harness::programs::programs;
use rmc_tests::robust::waiting::{CUT, WAITING, waiting_programs};
use rmc_tests::robust::{cycles_of, program_of};
use serde_json::Value;

/// The number of seeds of an ordinary run: every home with two threads.
const SEEDS: usize = 5;

/// The number of random programs of a seed.
const PROGRAMS: usize = 4;

fn main() {
    let arguments = Arguments::from_args();
    let seeds = env::var("RMC_SEQUENTIAL").ok().map(|n| n.parse().expect("RMC_SEQUENTIAL is a number of seeds"));
    let mut trials = Vec::new();
    for seed in 0..seeds.unwrap_or(SEEDS) {
        let home = Home::ALL[seed % Home::ALL.len()];
        let threads = 2 + seed / Home::ALL.len() % 2;
        let name = |what: &str| format!("{what} {seed} {home:?}");
        trials.push(Trial::test(name("generated"), move || generated(seed, home, threads)));
        trials.push(Trial::test(name("unlike"), move || unlike(seed, home)));
        if seed % 4 == 0 {
            trials.push(Trial::test(format!("waiting {seed}"), move || waiting(seed)));
            trials.push(Trial::test(format!("crossed {seed}"), move || crossed(seed)));
        }
    }
    trials.extend(LEFT.iter().map(|left| Trial::test(format!("left {}", left.name), move || left.check())));
    trials.extend(same_trials());
    trials.push(Trial::test("cross-check", cross_check));
    libtest_mimic::run(&arguments, trials).exit();
}

/// The answer of a run.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    /// `robust`, `not-robust` or `undecided`.
    robustness: String,
    /// `exact`, or the reason why executions under tso were explored.
    monitor: String,
}

/// Checks a program, with these options.
fn answer(text: &str, more: &[&str]) -> Result<Answer, Failed> {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("random.c");
    fs::write(&path, text)?;
    let path = path.to_string_lossy().into_owned();
    let (run, report) = run_with_report([&["--robustness", "-q"], more, &[path.as_str()]].concat());
    let report = report.ok_or_else(|| format!("{}\n{text}", run.describe()))?;
    let of = |field: &str| report.get(field).and_then(Value::as_str).unwrap_or_default().to_owned();
    Ok(Answer { robustness: of("robustness"), monitor: of("monitor") })
}

/// Compares both ways with the textbook machine, for one program. Returns the way of the monitor.
fn compare(program: &Program) -> Result<String, Failed> {
    let text = c_source(std::slice::from_ref(program), None);
    let expected = if is_robust(program, Model::Tso) { "robust" } else { "not-robust" };
    let found = answer(&text, &["--svcomp", "--cross-check"])?;
    if found.robustness == expected {
        Ok(found.monitor)
    } else {
        Err(format!("{expected}, and not {found:?}:\n{text}").into())
    }
}

fn generated(seed: usize, home: Home, threads: usize) -> Result<(), Failed> {
    let mut random = Random::new(u64::try_from(seed)? + 4_000_000);
    let mut exact = 0;
    for _ in 0..PROGRAMS {
        exact += usize::from(compare(&program(&mut random, home, threads))? == "exact");
    }
    if exact * 2 > PROGRAMS { Ok(()) } else { Err(format!("{exact} of {PROGRAMS} programs are watched").into()) }
}

/// Compares programs whose threads wait in loops with the same ones that are cut off after some iterations.
fn waiting(seed: usize) -> Result<(), Failed> {
    let [text, cut] = [None, Some(CUT)].map(|cut| waiting_programs(seed, cut));
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("cut.c");
    fs::write(&path, &cut)?;
    let cycles = cycles_of(&path, &[], &cut, Model::Tso)?;
    let not_robust: BTreeSet<usize> = cycles.iter().filter_map(program_of).collect();
    for number in 0..WAITING {
        let only = text.replace(&format!("rmc_choose({WAITING})"), &number.to_string());
        let expected = if not_robust.contains(&number) { "not-robust" } else { "robust" };
        let Answer { robustness, monitor } = answer(&only, &[])?;
        if robustness != expected && robustness != "undecided" || monitor != "exact" {
            return Err(format!("{expected}, and not {robustness}, {monitor}: program {number} of\n{only}").into());
        }
    }
    Ok(())
}

fn unlike(seed: usize, home: Home) -> Result<(), Failed> {
    let mut random = Random::new(u64::try_from(seed)? + 5_000_000);
    for make in [program_with_copies, program_with_sections] {
        for _ in 0..PROGRAMS / 4 {
            compare(&make(&mut random, home, 2))?;
        }
    }
    Ok(())
}

/// Compares both ways on programs with locks, conditions, and memory that dies. A violation may come before
/// the answer of one of them.
fn crossed(seed: usize) -> Result<(), Failed> {
    let mut random = crossed::random::Random::new(u64::try_from(seed)? + 6_000_000);
    for _ in 0..PROGRAMS {
        let text = crossed::c_source::c_source(&[crossed::random::program(&mut random)]);
        // A difference ends the run without a report.
        answer(&text, &["--svcomp", "--cross-check"])?;
    }
    Ok(())
}

/// A program that is watched or not.
struct Left {
    name: &'static str,
    options: &'static [&'static str],
    text: &'static str,
    robustness: &'static str,
    monitor: &'static str,
}

impl Left {
    fn check(&self) -> Result<(), Failed> {
        let Self { options, text, robustness, monitor, .. } = self;
        let text = format!("{PRELUDE}{text}");
        let watched = answer(&text, options)?;
        let expected = Answer { robustness: (*robustness).to_owned(), monitor: (*monitor).to_owned() };
        let other = answer(&text, &[options, &["--no-monitor"][..]].concat())?;
        if watched == expected && other.robustness == *robustness {
            Ok(())
        } else {
            Err(format!("{expected:?}, and not {watched:?} or {other:?}:\n{text}").into())
        }
    }
}

const PRELUDE: &str = "#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\n#include <rmc.h>\n\
    void __VERIFIER_atomic_begin(void);\nvoid __VERIFIER_atomic_end(void);\nvolatile int x, y, z;\n\
    static void with(void *(*other)(void *), void (*own)(void)) {\n  pthread_t thread;\n  \
    pthread_create(&thread, 0, other, 0);\n  own();\n  pthread_join(thread, 0);\n}\n";

const LEFT: [Left; 16] = [
    Left {
        name: "store buffering",
        options: &[],
        text: "void *other(void *p) { x = 1; (void)y; return p; }\nvoid own(void) { y = 1; (void)x; }\n\
            int main(void) { with(other, own); return 0; }\n",
        robustness: "not-robust",
        monitor: "exact",
    },
    Left {
        name: "pso",
        options: &["--relaxed-memory", "pso"],
        text: "void *other(void *p) { x = 1; y = 1; return p; }\nvoid own(void) { (void)y; (void)x; }\n\
            int main(void) { with(other, own); return 0; }\n",
        robustness: "not-robust",
        monitor: "",
    },
    Left {
        name: "all cycles",
        options: &["--keep-going"],
        text: "void *other(void *p) { x = 1; (void)y; return p; }\nvoid own(void) { y = 1; (void)x; }\n\
            int main(void) { with(other, own); return 0; }\n",
        robustness: "not-robust",
        monitor: "all cycles are wanted",
    },
    Left {
        name: "leaks",
        options: &["--leaks"],
        text: "void *other(void *p) { x = 1; (void)y; return p; }\nvoid own(void) { y = 1; (void)x; }\n\
            int main(void) { with(other, own); return 0; }\n",
        robustness: "not-robust",
        monitor: "leaks are looked for",
    },
    // The store of each thread must have reached memory before the load of the other one.
    Left {
        name: "assumptions",
        options: &[],
        text: "void *other(void *p) { x = 1; rmc_assume(y); return p; }\nvoid own(void) { y = 1; rmc_assume(x); }\n\
            int main(void) { with(other, own); return 0; }\n",
        robustness: "robust",
        monitor: "the program has assumptions",
    },
    // No sequentially consistent execution gets past both assumptions.
    Left {
        name: "assumptions that need buffers",
        options: &[],
        text: "void *other(void *p) { x = 1; rmc_assume(!y); return p; }\nvoid own(void) { y = 1; rmc_assume(!x); }\n\
            int main(void) { with(other, own); return 0; }\n",
        robustness: "not-robust",
        monitor: "the program has assumptions",
    },
    Left {
        name: "copy",
        options: &[],
        text: "char a[7], b[7];\nvoid *other(void *p) { memcpy(a, b, 7); (void)x; return p; }\n\
            void own(void) { x = 1; (void)*(volatile char *)&a[6]; }\nint main(void) { with(other, own); return 0; }\n",
        robustness: "not-robust",
        monitor: "a copy is made in pieces",
    },
    // The section waits for the stores before it, and all that it does is done at once.
    Left {
        name: "section behind a store",
        options: &["--svcomp"],
        text: "void *other(void *p) {\n  x = 1;\n  __VERIFIER_atomic_begin();\n  y = 1;\n  (void)z;\n  \
            __VERIFIER_atomic_end();\n  return p;\n}\nvoid own(void) {\n  z = 1;\n  __VERIFIER_atomic_begin();\n  \
            (void)x;\n  (void)y;\n  __VERIFIER_atomic_end();\n}\nint main(void) { with(other, own); return 0; }\n",
        robustness: "robust",
        monitor: "exact",
    },
    Left {
        name: "end of memory",
        options: &[],
        text: "int *volatile known;\nvoid local(void) {\n  int here = 0;\n  known = &here;\n  \
            __atomic_thread_fence(__ATOMIC_SEQ_CST);\n  x = 1;\n}\nvoid *other(void *p) { local(); return p; }\n\
            void own(void) { (void)x; }\nint main(void) { with(other, own); return 0; }\n",
        robustness: "robust",
        monitor: "memory is changed at once behind delayed stores",
    },
    Left {
        name: "end of memory behind a fence",
        options: &[],
        text: "int *volatile known;\nvoid local(void) {\n  int here = 0;\n  known = &here;\n  x = 1;\n  \
            __atomic_thread_fence(__ATOMIC_SEQ_CST);\n}\nvoid *other(void *p) { local(); return p; }\n\
            void own(void) { (void)x; }\nint main(void) { with(other, own); return 0; }\n",
        robustness: "robust",
        monitor: "exact",
    },
    Left {
        name: "barrier",
        options: &[],
        text: "pthread_barrier_t barrier;\nvoid *other(void *p) { x = 1; pthread_barrier_wait(&barrier); (void)y; return p; }\n\
            void own(void) { y = 1; pthread_barrier_wait(&barrier); (void)x; }\n\
            int main(void) { pthread_barrier_init(&barrier, 0, 2); with(other, own); return 0; }\n",
        robustness: "robust",
        monitor: "operations commute",
    },
    Left {
        name: "names",
        options: &[],
        text: "int *block;\nvoid *other(void *p) { free(block); return p; }\nvoid own(void) { free(malloc(4)); }\n\
            int main(void) { block = malloc(4); with(other, own); return 0; }\n",
        robustness: "robust",
        monitor: "several threads take or free names of one kind",
    },
    // Only the iterations of the loops read old values, and the loops end with the new ones.
    Left {
        name: "waiting loops",
        options: &[],
        text: "void *other(void *p) { x = 1; while (!y) {} return p; }\nvoid own(void) { y = 1; while (!x) {} }\n\
            int main(void) { with(other, own); return 0; }\n",
        robustness: "not-robust",
        monitor: "exact",
    },
    // The load that overtakes may be one of an iteration that changes nothing.
    Left {
        name: "late iterations",
        options: &[],
        text: "void *other(void *p) { x = 1; while (y != 2) {} return p; }\n\
            void own(void) { y = 1; (void)x; __atomic_thread_fence(__ATOMIC_SEQ_CST); y = 2; }\n\
            int main(void) { with(other, own); return 0; }\n",
        robustness: "not-robust",
        monitor: "exact",
    },
    Left {
        name: "locks",
        options: &[],
        text: "pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\nvoid *other(void *p) {\n  pthread_mutex_lock(&lock);\n  \
            x = 1;\n  (void)y;\n  pthread_mutex_unlock(&lock);\n  return p;\n}\n\
            void own(void) { other(0); }\nint main(void) { with(other, own); return 0; }\n",
        robustness: "robust",
        monitor: "exact",
    },
    // A violation without store buffers comes before everything else.
    Left {
        name: "violation under sc",
        options: &["--engine", "dpor"],
        text: "void *other(void *p) { x = 1; return p; }\nvoid own(void) { if (!x) abort(); abort(); }\n\
            int main(void) { with(other, own); return 0; }\n",
        robustness: "undecided",
        monitor: "exact",
    },
];

/// `--cross-check` compares both ways and says so.
fn cross_check() -> Result<(), Failed> {
    let cases = [
        ("store_buffering.c", "not robust with the monitor and without"),
        ("locked.c", "robust with the monitor and without"),
        (
            "not_an_execution.c",
            "nothing was compared, since the monitor does not decide this: the program has assumptions",
        ),
    ];
    for (name, expected) in cases {
        let path = format!("{ORDINARY}{name}");
        let (run, report) = run_with_report(["--robustness", "--cross-check", "-q", path.as_str()]);
        let found = report.and_then(|report| report["cross_check"].as_str().map(str::to_owned));
        if found.as_deref() != Some(expected) {
            return Err(format!("{expected}, and not {found:?}: {}", run.describe()).into());
        }
    }
    Ok(())
}

/// The directory of the programs of an ordinary run.
const ORDINARY: &str = "tests/programs/robustness/";

/// The options of variants that are no question of robustness, with their values.
const OTHERS: [&str; 8] = [
    "--robustness",
    "--keep-going",
    "--races",
    "--spurious-wakeups",
    "--cross-check",
    "--count-classes",
    "--engine",
    "--property",
];

/// A trial for each program and set of options under tso.
fn same_trials() -> Vec<Trial> {
    let all = env::var_os("RMC_SEQUENTIAL_PROGRAMS").is_some();
    let mut trials = Vec::new();
    for program in programs().into_iter().filter(|program| all || program.name.starts_with(ORDINARY)) {
        let mut known = Vec::new();
        for variant in &program.variants {
            let is_tso = variant.expected.iter().any(|(model, _)| *model == Model::Tso);
            if !is_tso || known.contains(&variant.options) {
                continue;
            }
            known.push(variant.options.clone());
            let (name, options) = (program.name.clone(), variant.options.clone());
            let title = format!("same {name} {}", options.join(" "));
            if options
                .iter()
                .filter(|option| *option != "--robustness")
                .all(|option| !OTHERS.contains(&option.as_str()))
            {
                trials.push(Trial::test(title, move || same(&name, &options)));
            }
        }
    }
    trials
}

/// The exit code of an error in rmc, as where `--cross-check` finds a difference.
const DISAGREEMENT: i32 = 70;

/// Compares both ways. They may find different violations first, and one may end at its limits.
fn same(program: &str, options: &[String]) -> Result<(), Failed> {
    let options = options.iter().map(String::as_str).filter(|option| *option != "--robustness");
    let fixed = ["--robustness", "--cross-check", "-q", "--timeout", "20"];
    let (run, _) = run_with_report(fixed.into_iter().chain(options).chain([program]));
    if run.code == Some(DISAGREEMENT) { Err(run.describe().into()) } else { Ok(()) }
}
