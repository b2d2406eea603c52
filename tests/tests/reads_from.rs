//! `--engine reads-from` against `--engine dpor`, which explores executions and counts the reads-from classes
//! that they have.
//!
//! * `classes SEED HOME MODEL`: a C program that holds several random programs on a little shared memory, with
//!   copies every other time. The engines must find the same number of classes, and `reads-from` must explore
//!   no more executions than that. `RMC_READS_FROM=N` runs N seeds instead of the usual few.
//! * `verdicts SEED MODEL`: random programs with all features (`rmc_tests::crossed`), each by itself. Where
//!   `reads-from` does not refuse the program, the verdicts must be the same, and without a violation there
//!   are as many classes.
//! * `waits SEED MODEL`: random programs with loops that wait, in the same way.
//! * `classes of PROGRAM MODEL`: programs of the test suite.
//! * `findings SEED MODEL` and `findings of PROGRAM MODEL`: with `--keep-going` the engines find the same
//!   kinds of violations at the same places, and the same final states.
//! * `frees SEED MODEL`: random programs that free memory with stores to it under way, in the same way.
//! * `inputs SEED MODEL`: random programs that compute with open inputs (`rmc_tests::nondet`), in the same way.
//! * `leaks SEED MODEL` and `leaks of PROGRAM MODEL`: random programs that lose memory, and some of the suite,
//!   with `--leaks`: the engines find leaks in the same ones, and where there are none the same violations
//!   otherwise.
//!
//! Programs of the suite and a third of the random ones, all of them with `RMC_READS_FROM`, are explored by
//! several workers, too (`--jobs`), which must find the same.
//!
//! After all tests, a check makes sure that few programs were refused or left undecided.

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use libtest_mimic::{Arguments, Failed, Trial};
use rmc_tests::generated::program::Home;
use rmc_tests::generated::random::{Random, program, program_with_copies};
use rmc_tests::harness::entries::Program;
use rmc_tests::harness::expectation::Model;
use rmc_tests::harness::outside::{file, text};
use rmc_tests::harness::process::{Run, run_with_report};
use rmc_tests::harness::repository;
use rmc_tests::nondet::{self, Kind};
use rmc_tests::{crossed, generated};
use serde_json::Value;

/// The number of seeds of an ordinary run; of kinds that `cross_check.rs` and `dpor.rs` compare, too, half.
const SEEDS: usize = 10;

/// Further seeds of findings, with which the engines differed once.
const DIFFERED: [usize; 7] = [62, 76, 95, 146, 192, 218, 324];

/// The number of random programs of a seed.
const PROGRAMS: usize = 12;

/// The limits at which an engine leaves a program undecided.
const LIMITS: [&str; 4] = ["--max-states", "60000", "--timeout", "20"];

/// Programs of the test suite.
const SUITE: [&str; 30] = [
    "awaits/old_value_in_round.c",
    "awaits/own_store_last.c",
    "libc/per_thread.c",
    "lockfree/cilk_the.c",
    "lockfree/counted_head.c",
    "lockfree/michael_scott_queue.c",
    "lockfree/treiber_stack.c",
    "memory/pointer_in_bytes.c",
    "mutex/bakery.c",
    "mutex/lamport_fast.c",
    "mutex/peterson.c",
    "mutex/szymanski.c",
    "ordering/committed_order.c",
    "patterns/bounded_buffer.c",
    "sync/barrier.c",
    "sync/rwlock.c",
    "sync/semaphore.c",
    "sync/signal_during_section.c",
    "threads/end_seen_by_detach.c",
    "threads/ends_in_turn.c",
    "traces/barrier_for_fewer.c",
    "traces/creators.c",
    "traces/creators_met_in_any_order.c",
    "traces/exchange_each.c",
    "traces/joins_by_others.c",
    "traces/lock_after_lock.c",
    "traces/more_stores_than_room.c",
    "traces/own_store_read_first.c",
    "traces/sizes_exchanged.c",
    "traces/store_to_what_dies.c",
];

/// Programs of the test suite whose final states depend on more than what their last loads read.
const ENDING: [&str; 8] = [
    "memory/use_after_free.c",
    "sync/numbers_come_free.c",
    "threads/tryjoin.c",
    "traces/exit_last.c",
    "traces/freed_name_taken_again.c",
    "traces/store_to_what_dies.c",
    "traces/unjoined.c",
    "traces/violation_after_end.c",
];

/// Programs of the test suite with memory that is lost, or not.
const LOSING: [&str; 9] = [
    "leaks/exit_in_a_helper.c",
    "leaks/handed_over.c",
    "leaks/known_to_a_thread_until_it_ends.c",
    "leaks/left_while_another_ends_it.c",
    "leaks/list_without_head.c",
    "leaks/lost_by_the_last_step.c",
    "leaks/overwritten_before_failure.c",
    "leaks/thread_result.c",
    "leaks/unread_last_store.c",
];

/// The numbers of programs by their results.
#[derive(Debug, Default)]
struct Tally {
    equal: usize,
    violated: usize,
    refused: usize,
    undecided: usize,
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let seeds = std::env::var("RMC_READS_FROM").ok().map(|n| n.parse().expect("RMC_READS_FROM is a number of seeds"));
    let tally = Arc::new(Mutex::new(Tally::default()));
    let mut trials = Vec::new();
    for model in Model::ALL {
        for seed in 0..seeds.unwrap_or(SEEDS) {
            let home = Home::ALL[seed % Home::ALL.len()];
            let (one, other) = (Arc::clone(&tally), Arc::clone(&tally));
            let title = format!("classes {seed} {home:?} {}", model.name());
            trials.push(Trial::test(title, move || classes(seed, home, model, &one)));
            let tally = Arc::clone(&tally);
            if seeds.is_some() || seed < SEEDS / 2 {
                trials.push(Trial::test(format!("verdicts {seed} {}", model.name()), move || {
                    verdicts(seed, model, &other)
                }));
                let other = Arc::clone(&tally);
                trials.push(Trial::test(format!("frees {seed} {}", model.name()), move || frees(seed, model, &other)));
                let other = Arc::clone(&tally);
                trials.push(Trial::test(format!("leaks {seed} {}", model.name()), move || leaks(seed, model, &other)));
                let other = Arc::clone(&tally);
                trials
                    .push(Trial::test(format!("inputs {seed} {}", model.name()), move || inputs(seed, model, &other)));
                trials.push(Trial::test(format!("waits {seed} {}", model.name()), move || waits(seed, model, &tally)));
            }
        }
        for name in SUITE {
            let tally = Arc::clone(&tally);
            let title = format!("classes of {name} {}", model.name());
            trials.push(Trial::test(title, move || {
                compare(text(&repository().join("tests/programs").join(name)), "", model, &tally)
            }));
        }
        for seed in (0..seeds.unwrap_or(SEEDS)).chain(DIFFERED) {
            let tally = Arc::clone(&tally);
            let title = format!("findings {seed} {}", model.name());
            trials.push(Trial::test(title, move || random_findings(seed, model, &tally)));
        }
        for name in LOSING {
            let tally = Arc::clone(&tally);
            let title = format!("leaks of {name} {}", model.name());
            let path = repository().join("tests/programs").join(name);
            let asked = ["--leaks", "--keep-going"];
            trials.push(Trial::test(title, move || compare_findings(text(&path), "", &asked, model, &tally)));
        }
        for name in ENDING {
            let tally = Arc::clone(&tally);
            let title = format!("findings of {name} {}", model.name());
            let path = repository().join("tests/programs").join(name);
            trials
                .push(Trial::test(title, move || compare_findings(text(&path), "", &["--keep-going"], model, &tally)));
        }
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    let all_ran = conclusion.num_filtered_out == 0 && !arguments.list && !conclusion.has_failed();
    let tally = tally.lock().expect("no test panicked");
    println!("{tally:?}");
    let is_telling = tally.equal > tally.refused + tally.undecided && tally.violated > 0;
    if all_ran && !is_telling { ExitCode::FAILURE } else { conclusion.exit_code() }
}

fn classes(seed: usize, home: Home, model: Model, tally: &Mutex<Tally>) -> Result<(), Failed> {
    let mut random = Random::new(u64::try_from(seed)? + 7_000_000);
    let threads = 2 + seed / Home::ALL.len() % 2;
    let make = if seed.is_multiple_of(2) { program } else { program_with_copies };
    let programs: Vec<_> = (0..PROGRAMS).map(|_| make(&mut random, home, threads)).collect();
    for program in &programs {
        let source = generated::c_source::c_source(std::slice::from_ref(program), None);
        let (_directory, path) = file("random.c", &source);
        compare(text(&path), &source, model, tally)?;
    }
    Ok(())
}

fn verdicts(seed: usize, model: Model, tally: &Mutex<Tally>) -> Result<(), Failed> {
    let mut random = Random::new(u64::try_from(seed)? + 8_000_000);
    for _ in 0..PROGRAMS {
        let program = crossed::random::program(&mut random, model == Model::Sc);
        let source = crossed::c_source::c_source(&[program]);
        let (_directory, path) = file("random.c", &source);
        compare(text(&path), &source, model, tally)?;
    }
    Ok(())
}

fn waits(seed: usize, model: Model, tally: &Mutex<Tally>) -> Result<(), Failed> {
    let mut random = Random::new(u64::try_from(seed)? + 9_000_000);
    for _ in 0..PROGRAMS {
        let source = generated::waits::c_source(&mut random);
        let (_directory, path) = file("random.c", &source);
        compare(text(&path), &source, model, tally)?;
    }
    Ok(())
}

fn leaks(seed: usize, model: Model, tally: &Mutex<Tally>) -> Result<(), Failed> {
    let mut random = Random::new(u64::try_from(seed)? + 11_000_000);
    let option = if seed.is_multiple_of(4) { "--leaks=all" } else { "--leaks" };
    for _ in 0..PROGRAMS {
        let source = generated::leaks::c_source(&mut random);
        let (_directory, path) = file("random.c", &source);
        compare_findings(text(&path), &source, &[option, "--keep-going"], model, tally)?;
    }
    Ok(())
}

fn frees(seed: usize, model: Model, tally: &Mutex<Tally>) -> Result<(), Failed> {
    let mut random = Random::new(u64::try_from(seed)? + 12_000_000);
    for _ in 0..PROGRAMS / 2 {
        let source = generated::frees::c_source(&mut random);
        let (_directory, path) = file("random.c", &source);
        compare_findings(text(&path), &source, &["--keep-going"], model, tally)?;
    }
    Ok(())
}

fn inputs(seed: usize, model: Model, tally: &Mutex<Tally>) -> Result<(), Failed> {
    let first = u64::try_from(seed * PROGRAMS)? + 13_000_000;
    for number in (first..).take(PROGRAMS / 6) {
        let kind = Kind { waits: number.is_multiple_of(2), detours: false };
        let Program { entry, functions } = nondet::program(number, kind);
        let source = format!("{}{functions}int main(void) {{ return {entry}(); }}\n", nondet::HEAD);
        let (_directory, path) = file("random.c", &source);
        compare_findings(text(&path), &source, &["--keep-going", "--cflags=-fwrapv"], model, tally)?;
    }
    Ok(())
}

fn random_findings(seed: usize, model: Model, tally: &Mutex<Tally>) -> Result<(), Failed> {
    let mut random = Random::new(u64::try_from(seed)? + 10_000_000);
    for _ in 0..PROGRAMS / 3 {
        let program = crossed::random::program(&mut random, model == Model::Sc);
        let source = crossed::c_source::c_source(&[program]);
        let (_directory, path) = file("random.c", &source);
        compare_findings(text(&path), &source, &["--keep-going"], model, tally)?;
    }
    Ok(())
}

/// Compares what the engines find in a program.
fn compare_findings(
    path: &str,
    source: &str,
    asked: &[&str],
    model: Model,
    tally: &Mutex<Tally>,
) -> Result<(), Failed> {
    let explore = |engine: &[&str]| {
        let options = ["--svcomp", "-q", "--relaxed-memory", model.name(), path, "--engine"];
        run_with_report(LIMITS.iter().chain(asked).chain(&options).chain(engine))
    };
    let agree = |found: &Value, expected: &Value| {
        let [one, other] = [found, expected].map(loses);
        if one || other { one == other } else { findings(found) == findings(expected) }
    };
    let is_refused = |run: &Run| run.code == Some(2) && run.stderr.contains("unsupported");
    let is_whole = |report: &Value| report["verdict"] != "unknown" && report["unfinished"].is_null();
    let locked = || tally.lock().map_err(|_| "another test panicked");
    let refuses = || locked().map(|mut tally| tally.refused += 1);
    let (mut run, mut found) = explore(&["reads-from"]);
    compare_workers(source, (&run, &found), |jobs| explore(&["reads-from", jobs]))?;
    if is_refused(&run) {
        return Ok(refuses()?);
    }
    let (mut oracle, mut expected) = explore(&["dpor"]);
    if let (Some(one), Some(other)) = (&found, &expected)
        && uses_ended_memory(other)
        && !agree(one, other)
    {
        (run, found) = explore(&["reads-from", "--no-local-memory"]);
        if is_refused(&run) {
            return Ok(refuses()?);
        }
        (oracle, expected) = explore(&["explicit", "--reduce", "none"]);
    }
    let (Some(found), Some(expected)) = (found, expected) else {
        return Err(format!("{source}\n{}\n{}", run.describe(), oracle.describe()).into());
    };
    if !is_whole(&found) || !is_whole(&expected) {
        locked()?.undecided += 1;
    } else if agree(&found, &expected) {
        locked()?.equal += 1;
    } else {
        let both = format!("{:#?}\n{:#?}", findings(&found), findings(&expected));
        return Err(format!("{source}\n{}\n{}\n{both}", run.describe(), oracle.describe()).into());
    }
    Ok(())
}

/// Compares what one worker found with what several find. `explore` explores with an option that says how many.
fn compare_workers(
    source: &str,
    (one, found): (&Run, &Option<Value>),
    explore: impl FnOnce(&str) -> (Run, Option<Value>),
) -> Result<(), Failed> {
    if !source.is_empty() && !source.len().is_multiple_of(3) && std::env::var_os("RMC_READS_FROM").is_none() {
        return Ok(());
    }
    let jobs = format!("--jobs={}", 2 + (source.len() / 3 + one.command.len()) % 3);
    let (several, found_by_several) = explore(&jobs);
    let fails = |what: &str| Err(format!("{what}\n{source}\n{}\n{}", one.describe(), several.describe()).into());
    let (found, found_by_several) = match (found, found_by_several) {
        (Some(found), Some(found_by_several)) => (found, found_by_several),
        (None, None) if one.code == several.code && several.code == Some(2) => return Ok(()),
        _ => return fails("the codes"),
    };
    if found["verdict"] == "unknown" || found_by_several["verdict"] == "unknown" {
        return Ok(());
    }
    if one.code != several.code {
        return fails("the verdicts");
    }
    // The search ends with the first violation, unless it is to go on, and what is not reported with a leak
    // depends on the executions.
    let is_whole = |report: &Value| report["unfinished"].is_null();
    if !is_whole(found)
        || !is_whole(&found_by_several)
        || found["verdict"] == "violated" && !one.command.contains("--keep-going")
    {
        return Ok(());
    }
    if loses(found) || loses(&found_by_several) {
        return if loses(found) == loses(&found_by_several) { Ok(()) } else { fails("the leaks") };
    }
    let counts = |report: &Value| {
        let counts = ["executions", "reads_from_classes", "deadlocked_executions", "endless_executions"];
        counts.map(|count| report["statistics"][count].as_u64())
    };
    let are_same = counts(found) == counts(&found_by_several) && findings(found) == findings(&found_by_several);
    if are_same { Ok(()) } else { fails("the counts or findings") }
}

/// True if memory is lost. Then another violation of the same execution is not reported, and which violations
/// are depends on the executions that are explored.
fn loses(report: &Value) -> bool {
    report["violations"].as_array().into_iter().flatten().any(|found| found["kind"] == "memory-leak")
}

/// True if an address is used whose memory has ended. Where its name is taken again before that use, the use
/// meets other memory, and not all such executions are explored unless all memory is taken for shared
/// (`system/reductions.rs`).
fn uses_ended_memory(report: &Value) -> bool {
    let mut kinds = report["violations"].as_array().into_iter().flatten().map(|found| &found["kind"]);
    kinds.any(|kind| kind == "double-free" || kind == "use-after-free")
}

/// The kinds and places of the violations in a report, and the final states. In a deadlock, threads may be at
/// any place of the loops in which they wait.
fn findings(report: &Value) -> [BTreeSet<String>; 2] {
    let all = |what: &str| report[what].as_array().into_iter().flatten();
    let violation = |found: &Value| match found["kind"].as_str() {
        Some("deadlock") => "deadlock".to_owned(),
        _ => format!("{} {}:{}", found["kind"], found["file"], found["line"]),
    };
    [all("violations").map(violation).collect(), all("final_states").map(Value::to_string).collect()]
}

/// Compares the engines on a program.
fn compare(path: &str, source: &str, model: Model, tally: &Mutex<Tally>) -> Result<(), Failed> {
    let explore = |engine: &[&str]| {
        let options = ["--svcomp", "-q", "--relaxed-memory", model.name(), path];
        run_with_report(engine.iter().chain(&LIMITS).chain(&options))
    };
    let (run, found) = explore(&["--engine=reads-from"]);
    compare_workers(source, (&run, &found), |jobs| explore(&["--engine=reads-from", jobs]))?;
    let locked = || tally.lock().map_err(|_| "another test panicked");
    if run.code == Some(2) && run.stderr.contains("unsupported") {
        locked()?.refused += 1;
        return Ok(());
    }
    let (oracle, expected) = explore(&["--engine=dpor", "--count-classes"]);
    let is_decided = |run: &Run| matches!(run.code, Some(0 | 1));
    let mut tally = locked()?;
    let fails = || Err(format!("{source}\n{}\n{}", run.describe(), oracle.describe()).into());
    match (found, expected) {
        (Some(_), Some(_)) if run.code == Some(3) || oracle.code == Some(3) => tally.undecided += 1,
        (Some(_), Some(_)) if run.code == Some(1) && oracle.code == Some(1) => tally.violated += 1,
        (Some(found), Some(expected)) if is_decided(&run) && run.code == oracle.code => {
            let count = |report: &Value, what: &str| report["statistics"][what].as_u64().unwrap_or(0);
            let classes = count(&found, "reads_from_classes");
            let of_oracle = count(&expected, "reads_from_classes");
            if classes != of_oracle {
                return fails();
            }
            tally.equal += 1;
        }
        _ => return fails(),
    }
    Ok(())
}
