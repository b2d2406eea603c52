//! `--engine reads-from` against `--engine dpor`, which explores executions and counts the reads-from classes
//! that they have.
//!
//! * `classes SEED HOME MODEL`: random programs on a little shared memory, with copies every other time. The
//!   engines must find the same number of classes, and `reads-from` must explore no more executions than
//!   that. `RMC_READS_FROM=N` runs N seeds instead of the usual few.
//! * `verdicts SEED MODEL`: random programs with all features (`rmc_tests::crossed`), each by itself. Where
//!   `reads-from` does not refuse the program, the verdicts must be the same, and without a violation there
//!   are as many classes.
//! * `waits SEED MODEL`: random programs with loops that wait, as in `verdicts`.
//! * `classes of PROGRAM MODEL`: programs of the test suite.
//! * `findings SEED MODEL` and `findings of PROGRAM MODEL`: with `--keep-going` the engines find the same
//!   kinds of violations at the same places, and the same final states.
//! * `frees SEED MODEL`: random programs that free memory with stores to it under way, as in
//!   `verdicts` and as in `findings`.
//! * `inputs SEED MODEL`: random programs that compute with open inputs (`rmc_tests::nondet`), as in
//!   `findings`.
//! * `leaks SEED MODEL` and `leaks of PROGRAM MODEL`: random programs that lose memory, and some of the
//!   suite, with `--leaks`: the engines find leaks in the same ones, and where there are none the same
//!   violations otherwise.
//!
//! The random programs of a seed are in one file, and a process explores them all. Programs of the suite and
//! those of a third of the seeds, all of them with `RMC_READS_FROM`, are explored by several workers, too
//! (`--jobs`), which must find the same.
//!
//! After all tests, a check makes sure that few programs were refused or left undecided.

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};

use libtest_mimic::{Arguments, Failed, Trial};
use rmc_tests::generated::program::Home;
use rmc_tests::generated::random::{Random, program, program_with_copies};
use rmc_tests::harness::entries::{Checked, File, Program};
use rmc_tests::harness::expectation::Model;
use rmc_tests::harness::repository;
use rmc_tests::nondet::{self, Kind};
use rmc_tests::{crossed, generated};
use serde_json::Value;

/// The number of seeds of an ordinary run; of kinds that `cross_check.rs` and `dpor.rs` compare, too, half.
const SEEDS: usize = 10;

/// The environment variable that asks for more seeds.
const SEEDS_ASKED: &str = "RMC_READS_FROM";

/// Further seeds of findings, with which the engines differed once.
const DIFFERED: [usize; 7] = [62, 76, 95, 146, 192, 218, 324];

/// Further seeds of classes under sc, which brought a panic once: a revisit by a step that is not in the
/// execution, of a branch with others that are not.
const PANICKED: [usize; 2] = [159, 188];

/// Further seeds of programs that free memory, which were refused under pso, or were not, as the order of the
/// executions was: a store to memory that its own thread frees.
const REFUSED: [usize; 2] = [37, 178];

/// The number of random programs of a seed.
const PROGRAMS: usize = 12;

/// The limits at which an engine leaves a program undecided.
const LIMITS: [&str; 4] = ["--max-states", "12000", "--timeout", "20"];

/// Programs of the test suite.
const SUITE: [&str; 32] = [
    "awaits/halves_of_two.c",
    "awaits/old_value_in_round.c",
    "awaits/own_store_last.c",
    "libc/per_thread.c",
    "lockfree/cilk_the.c",
    "lockfree/counted_head.c",
    "lockfree/michael_scott_queue.c",
    "lockfree/treiber_stack.c",
    "memory/pointer_in_bytes.c",
    "memory/record_after_join.c",
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
    let seeds = std::env::var(SEEDS_ASKED).ok().map(|n| n.parse().expect("a number of seeds"));
    let tally = Arc::new(Mutex::new(Tally::default()));
    let mut trials = Vec::new();
    for model in Model::ALL {
        for seed in 0..seeds.unwrap_or(SEEDS) {
            let home = Home::ALL[seed % Home::ALL.len()];
            let disguised = (seeds.is_some() || seed < SEEDS / 2).then_some(Home::Disguised);
            for home in [home].into_iter().chain(disguised) {
                let tally = Arc::clone(&tally);
                let title = format!("classes {seed} {home:?} {}", model.name());
                trials.push(Trial::test(title, move || classes(seed, home, model, &tally)));
            }
            let other = Arc::clone(&tally);
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
            trials.push(Trial::test(title, move || compare(&Batch::of_suite(name), model, &tally)));
        }
        for seed in (0..seeds.unwrap_or(SEEDS)).chain(DIFFERED) {
            let tally = Arc::clone(&tally);
            let title = format!("findings {seed} {}", model.name());
            trials.push(Trial::test(title, move || random_findings(seed, model, &tally)));
        }
        for name in LOSING {
            let tally = Arc::clone(&tally);
            let title = format!("leaks of {name} {}", model.name());
            let asked = ["--leaks", "--keep-going"];
            trials.push(Trial::test(title, move || compare_findings(&Batch::of_suite(name), &asked, model, &tally)));
        }
        for name in ENDING {
            let tally = Arc::clone(&tally);
            let title = format!("findings of {name} {}", model.name());
            trials.push(Trial::test(title, move || {
                compare_findings(&Batch::of_suite(name), &["--keep-going"], model, &tally)
            }));
        }
    }
    for seed in PANICKED {
        let tally = Arc::clone(&tally);
        let home = Home::ALL[seed % Home::ALL.len()];
        trials.push(Trial::test(format!("classes {seed} {home:?} again"), move || {
            classes(seed, home, Model::Sc, &tally)
        }));
    }
    for seed in REFUSED {
        let tally = Arc::clone(&tally);
        trials.push(Trial::test(format!("frees {seed} again"), move || frees(seed, Model::Pso, &tally)));
    }
    let conclusion = libtest_mimic::run(&arguments, trials);
    let all_ran = conclusion.num_filtered_out == 0 && !arguments.list && !conclusion.has_failed();
    let tally = tally.lock().expect("no test panicked");
    println!("{tally:?}");
    let is_telling = tally.equal > tally.refused + tally.undecided && tally.violated > 0;
    if all_ran && !is_telling { ExitCode::FAILURE } else { conclusion.exit_code() }
}

/// The programs that a test compares.
struct Batch {
    /// The declarations that random programs share.
    head: String,
    /// The random programs of a seed; none if the program is one of the suite.
    programs: Vec<Program>,
    file: File,
    /// True if several workers must find the same.
    for_workers: bool,
}

impl Batch {
    /// Random programs of a seed.
    fn random(head: impl Into<String>, programs: Vec<Program>, seed: usize) -> Self {
        let head = head.into();
        let is_asked = std::env::var_os(SEEDS_ASKED).is_some() || REFUSED.contains(&seed);
        let for_workers = seed.is_multiple_of(3) || is_asked;
        Self { file: File::new(&head, &programs), head, programs, for_workers }
    }

    /// A program of the suite.
    fn of_suite(name: &str) -> Self {
        let file = File::of_one(repository().join("tests/programs").join(name));
        Self { head: String::new(), programs: Vec::new(), file, for_workers: true }
    }

    /// One of the programs in a file of its own.
    fn alone(&self, at: usize) -> Option<File> {
        let program = self.programs.get(at)?;
        Some(File::new(&self.head, std::slice::from_ref(program)))
    }

    /// An error that shows a program, and what was found in it.
    fn differs(&self, at: usize, what: &str, found: &[&Checked]) -> Failed {
        let source = self.programs.get(at).map_or("", |program| &program.functions);
        let found: Vec<_> = found.iter().map(|checked| format!("{}\n{:#}", checked.words, checked.report)).collect();
        format!("{what}\n{}{source}\n{}", self.head, found.join("\n")).into()
    }

    /// Compares what one worker found with what several find. `explore` explores with more options. Where
    /// memory is used that has ended, the findings are those of all memory taken for shared
    /// ([`uses_ended_memory`]).
    fn compare_workers(
        &self,
        found: &[Checked],
        goes_on: bool,
        explore: impl Fn(&[&str]) -> Vec<Checked>,
    ) -> Result<(), Failed> {
        if !self.for_workers {
            return Ok(());
        }
        let length: usize = self.programs.iter().map(|program| program.functions.len()).sum();
        let jobs = format!("--jobs={}", 2 + length % 3);
        let by_several = explore(&[&jobs]);
        for (at, both) in found.iter().zip(&by_several).enumerate() {
            let Some(what) = by_several_differs(both, goes_on) else { continue };
            let is_told_by_order = [both.0, both.1].iter().any(|checked| uses_ended_memory(&checked.report));
            let again = |more: &[&str]| explore(&[&["--no-local-memory"], more].concat()).swap_remove(at);
            if !is_told_by_order || by_several_differs((&again(&[]), &again(&[&jobs])), goes_on).is_some() {
                return Err(self.differs(at, what, &[both.0, both.1]));
            }
        }
        Ok(())
    }
}

/// The respect in which what several workers found differs from what one found. A search that does not go on
/// ends with the first violation, and several workers may meet one where one meets what is refused. What is
/// not reported with a leak depends on the executions, too.
fn by_several_differs((one, several): (&Checked, &Checked), goes_on: bool) -> Option<&'static str> {
    let found_more = one.code == 2 && several.code == 1 && !goes_on;
    if one.code == 3 || several.code == 3 || found_more {
        return None;
    }
    if one.code != several.code {
        return Some("the codes of one worker and several");
    }
    let (found, by_several) = (&one.report, &several.report);
    let is_whole = |report: &Value| report["unfinished"].is_null();
    if one.code == 2 || !is_whole(found) || !is_whole(by_several) || one.code == 1 && !goes_on {
        return None;
    }
    if loses(found) || loses(by_several) {
        return (loses(found) != loses(by_several)).then_some("the leaks of one worker and several");
    }
    let counts = |report: &Value| {
        let counts = ["executions", "reads_from_classes", "deadlocked_executions", "endless_executions"];
        counts.map(|count| report["statistics"][count].as_u64())
    };
    let are_same = counts(found) == counts(by_several) && findings(found) == findings(by_several);
    (!are_same).then_some("the counts or findings of one worker and several")
}

fn classes(seed: usize, home: Home, model: Model, tally: &Mutex<Tally>) -> Result<(), Failed> {
    let mut random = Random::new(u64::try_from(seed)? + 7_000_000);
    let threads = 2 + seed / Home::ALL.len() % 2;
    let make = if seed.is_multiple_of(2) { program } else { program_with_copies };
    let programs: Vec<_> = (0..PROGRAMS).map(|_| make(&mut random, home, threads)).collect();
    let (head, programs) = generated::c_source::entries(&programs);
    compare(&Batch::random(head, programs, seed), model, tally)
}

fn verdicts(seed: usize, model: Model, tally: &Mutex<Tally>) -> Result<(), Failed> {
    compare(&crossed_programs(seed, 8_000_000, PROGRAMS)?, model, tally)
}

fn random_findings(seed: usize, model: Model, tally: &Mutex<Tally>) -> Result<(), Failed> {
    let batch = crossed_programs(seed, 10_000_000, PROGRAMS / 3)?;
    compare_findings(&batch, &["--keep-going"], model, tally)
}

/// Random programs with all features; seeds of other tests have another `first`.
fn crossed_programs(seed: usize, first: u64, count: usize) -> Result<Batch, Failed> {
    let mut random = Random::new(u64::try_from(seed)? + first);
    let programs: Vec<_> = (0..count).map(|_| crossed::random::program(&mut random)).collect();
    let (head, programs) = crossed::entries::entries(&programs);
    Ok(Batch::random(head, programs, seed))
}

fn waits(seed: usize, model: Model, tally: &Mutex<Tally>) -> Result<(), Failed> {
    let mut random = Random::new(u64::try_from(seed)? + 9_000_000);
    let programs = (0..PROGRAMS).map(|number| generated::waits::program(&mut random, number)).collect();
    compare(&Batch::random(generated::waits::HEAD, programs, seed), model, tally)
}

fn leaks(seed: usize, model: Model, tally: &Mutex<Tally>) -> Result<(), Failed> {
    let mut random = Random::new(u64::try_from(seed)? + 11_000_000);
    let option = if seed.is_multiple_of(4) { "--leaks=all" } else { "--leaks" };
    let programs = (0..PROGRAMS).map(|number| generated::leaks::program(&mut random, number)).collect();
    let batch = Batch::random(generated::leaks::HEAD, programs, seed);
    compare_findings(&batch, &[option, "--keep-going"], model, tally)
}

fn frees(seed: usize, model: Model, tally: &Mutex<Tally>) -> Result<(), Failed> {
    let mut random = Random::new(u64::try_from(seed)? + 12_000_000);
    let programs = (0..PROGRAMS / 2).map(|number| generated::frees::program(&mut random, number)).collect();
    let batch = Batch::random(generated::frees::HEAD, programs, seed);
    // Most are refused if the search is to go on.
    compare(&batch, model, tally)?;
    compare_findings(&batch, &["--keep-going"], model, tally)
}

fn inputs(seed: usize, model: Model, tally: &Mutex<Tally>) -> Result<(), Failed> {
    let first = u64::try_from(seed * PROGRAMS)? + 13_000_000;
    let kind =
        |number: u64| Kind { waits: number.is_multiple_of(3), detours: false, sections: number.is_multiple_of(2) };
    let programs = (first..).take(PROGRAMS / 6).map(|number| nondet::program(number, kind(number))).collect();
    let batch = Batch::random(nondet::HEAD, programs, seed);
    compare_findings(&batch, &["--keep-going", "--cflags=-fwrapv"], model, tally)
}

/// True if the engine refused the program.
fn is_refused(checked: &Checked) -> bool {
    checked.code == 2 && checked.words.contains("unsupported")
}

/// Compares what the engines find in programs.
fn compare_findings(batch: &Batch, asked: &[&str], model: Model, tally: &Mutex<Tally>) -> Result<(), Failed> {
    let explore = |file: &File, engine: &[&str]| {
        let options = ["--svcomp", "-q", "--relaxed-memory", model.name(), "--engine"];
        file.check(&[&LIMITS, asked, &options, engine].concat())
    };
    let agree = |found: &Checked, expected: &Checked| {
        let [one, other] = [found, expected].map(|checked| loses(&checked.report));
        if one || other { one == other } else { findings(&found.report) == findings(&expected.report) }
    };
    let is_whole = |checked: &Checked| matches!(checked.code, 0 | 1) && checked.report["unfinished"].is_null();
    let found = explore(&batch.file, &["reads-from"]);
    batch.compare_workers(&found, true, |more| explore(&batch.file, &[&["reads-from"], more].concat()))?;
    let expected = explore(&batch.file, &["dpor"]);
    for (at, (mut found, mut expected)) in found.into_iter().zip(expected).enumerate() {
        if !is_refused(&found) && uses_ended_memory(&expected.report) && !agree(&found, &expected) {
            let alone = batch.alone(at);
            let file = alone.as_ref().unwrap_or(&batch.file);
            found = explore(file, &["reads-from", "--no-local-memory"]).remove(0);
            // Looking for leaks needs this one.
            expected = explore(file, &["explicit", "--reduce", "dead"]).remove(0);
        }
        let mut tally = tally.lock().map_err(|_| "another test panicked")?;
        if is_refused(&found) {
            tally.refused += 1;
        } else if found.code == 2 || expected.code == 2 {
            return Err(batch.differs(at, "an error", &[&found, &expected]));
        } else if !is_whole(&found) || !is_whole(&expected) {
            tally.undecided += 1;
        } else if agree(&found, &expected) {
            tally.equal += 1;
        } else {
            let both = format!("{:#?}\n{:#?}", findings(&found.report), findings(&expected.report));
            return Err(batch.differs(at, &both, &[&found, &expected]));
        }
    }
    Ok(())
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

/// Compares the engines' verdicts and numbers of classes.
fn compare(batch: &Batch, model: Model, tally: &Mutex<Tally>) -> Result<(), Failed> {
    let explore = |engine: &[&str]| {
        let options = ["--svcomp", "-q", "--relaxed-memory", model.name()];
        batch.file.check(&[engine, &LIMITS, &options].concat())
    };
    let found = explore(&["--engine=reads-from"]);
    batch.compare_workers(&found, false, |more| explore(&[&["--engine=reads-from"], more].concat()))?;
    let expected = explore(&["--engine=dpor", "--count-classes"]);
    for (at, (found, expected)) in found.iter().zip(&expected).enumerate() {
        let classes = |checked: &Checked| checked.report["statistics"]["reads_from_classes"].as_u64().unwrap_or(0);
        let mut tally = tally.lock().map_err(|_| "another test panicked")?;
        match (found.code, expected.code) {
            _ if is_refused(found) => tally.refused += 1,
            (0 | 1 | 3, 3) | (3, 0 | 1) => tally.undecided += 1,
            (1, 1) => tally.violated += 1,
            (0, 0) if classes(found) == classes(expected) => tally.equal += 1,
            _ => return Err(batch.differs(at, "the verdicts or classes", &[found, expected])),
        }
    }
    Ok(())
}
