//! Whole runs of `--engine reads-from` and of `--engine dpor --count-classes`: classes, executions, seconds.
//!
//! `make bench`, or `cargo bench -p rmc-benches --bench classes [-- NAME]` after a release build. The second
//! run explores an execution of each trace, and counts the reads-from classes that these have. Before a time
//! is shown, both runs must hold, with the same number of classes, which must be the expected one. The
//! numbers of the first three programs are formulas, which the programs explain. `benches/READS_FROM.md`
//! compares many more programs with what others found.
//!
//! On an x86-64 server (AMD EPYC) with two idle processors, one run of each:
//!
//! | run | model | classes | reads-from, s | executions by dpor | dpor, s |
//! |---|---|---|---|---|---|
//! | increments | sc | 1296 | 0.02 | 14400 | 0.07 |
//! | increments | tso | 1296 | 0.02 | 14400 | 0.06 |
//! | increments | pso | 1296 | 0.02 | 14400 | 0.06 |
//! | one-writer | sc | 924 | 0.01 | 924 | 0.00 |
//! | one-writer | tso | 924 | 0.01 | 924 | 0.00 |
//! | one-writer | pso | 924 | 0.01 | 924 | 0.00 |
//! | lock-turns | sc | 576 | 0.01 | 576 | 0.00 |
//! | lock-turns | tso | 576 | 0.01 | 576 | 0.00 |
//! | lock-turns | pso | 576 | 0.01 | 576 | 0.00 |
//! | peterson | sc | 1609 | 0.02 | 1686 | 0.01 |
//! | peterson | tso | 9251 | 0.20 | 29546 | 0.12 |
//! | peterson | pso | 15925 | 0.33 | 48500 | 0.23 |
//! | lamport | sc | 322 | 0.01 | 528 | 0.00 |
//! | lamport | tso | 639 | 0.02 | 2532 | 0.01 |
//! | lamport | pso | 6487 | 0.19 | 46368 | 0.25 |
//! | accounts | sc | 90 | 0.00 | 90 | 0.00 |
//! | accounts | tso | 90 | 0.00 | 90 | 0.00 |
//! | accounts | pso | 90 | 0.00 | 90 | 0.00 |
//! | bakery | sc | 213 | 0.01 | 213 | 0.00 |
//! | bakery | tso | 213 | 0.03 | 213 | 0.00 |
//! | bakery | pso | 213 | 0.03 | 213 | 0.00 |
//! | queue | sc | 5568 | 0.15 | 5568 | 0.07 |
//! | queue | tso | 5568 | 0.15 | 5568 | 0.07 |
//! | queue | pso | 5568 | 0.16 | 5568 | 0.07 |
//! | seqlock | sc | 9 | 0.02 | 9 | 0.01 |
//! | seqlock | tso | 9 | 0.06 | 9 | 0.01 |
//! | seqlock | pso | 9 | 0.06 | 9 | 0.01 |
//! | store-ring | sc | 1039 | 0.02 | 1039 | 0.01 |
//! | store-ring | tso | 1295 | 0.03 | 1295 | 0.01 |
//! | store-ring | pso | 1295 | 0.03 | 1295 | 0.01 |
//! | thread-pool | sc | 1176 | 0.04 | 1176 | 0.02 |
//! | thread-pool | tso | 1176 | 0.04 | 1176 | 0.02 |
//! | thread-pool | pso | 1176 | 0.04 | 1176 | 0.02 |
//! | sieve | sc | 535 | 0.03 | 3358 | 0.03 |
//! | sieve | tso | 1467 | 0.06 | 32800 | 0.30 |
//! | sieve | pso | 3375 | 0.13 | 175616 | 1.81 |
//! | use-count | sc | 2873 | 0.02 | 5673 | 0.03 |
//! | use-count | tso | 3385 | 0.03 | 7593 | 0.04 |
//! | use-count | pso | 59041 | 0.74 | 1448617 | 7.26 |
//! | writers | sc | 7 | 0.00 | 5040 | 0.02 |
//! | writers | tso | 7 | 0.00 | 5040 | 0.03 |
//! | writers | pso | 7 | 0.00 | 5040 | 0.03 |

use std::process::ExitCode;

use rmc_benches::{number, print_lines, report};
use serde_json::Value;

/// The memory models.
const MODELS: [&str; 3] = ["sc", "tso", "pso"];

/// A program, the option it is run with, and its numbers of classes under each of the `MODELS`.
struct Run {
    name: &'static str,
    option: &'static str,
    program: &'static str,
    classes: [u64; 3],
}

const fn run(name: &'static str, option: &'static str, program: &'static str, classes: [u64; 3]) -> Run {
    Run { name, option, program, classes }
}

const RUNS: [Run; 14] = [
    run("increments", "-DN=5", "benches/programs/increments.c", [1296; 3]),
    run("one-writer", "-DROUNDS=6", "benches/programs/one_writer.c", [924; 3]),
    run("lock-turns", "-DN=4", "benches/programs/lock_turns.c", [576; 3]),
    run("peterson", "-DROUNDS=3", "benches/programs/peterson_looks_once.c", [1_609, 9_251, 15_925]),
    run("lamport", "-DTRIES=1", "benches/programs/lamport_looks_once.c", [322, 639, 6_487]),
    run("accounts", "-DN=3", "benches/programs/accounts.c", [90; 3]),
    run("bakery", "-DROUNDS=2", "benches/programs/bakery.c", [213; 3]),
    run("queue", "-DITEMS=2", "benches/programs/queue.c", [5_568; 3]),
    run("seqlock", "-DWRITES=2", "benches/programs/seqlock.c", [9; 3]),
    run("store-ring", "-DROUNDS=2", "benches/programs/store_ring.c", [1_039, 1_295, 1_295]),
    run("thread-pool", "-DN=2", "tests/programs/patterns/thread_pool.c", [1_176; 3]),
    run("sieve", "-DN=13", "benches/programs/sieve.c", [535, 1_467, 3_375]),
    run("use-count", "-DUSERS=2", "benches/programs/use_count.c", [2_873, 3_385, 59_041]),
    run("writers", "-DN=6", "tests/programs/traces/writers.c", [7; 3]),
];

fn main() -> ExitCode {
    println!("| run | model | classes | reads-from, s | executions by dpor | dpor, s |");
    println!("|---|---|---|---|---|---|");
    print_lines(&RUNS, |run| run.name, lines)
}

/// The lines of the table.
fn lines(run: &Run) -> Result<String, String> {
    let lines: Result<Vec<_>, String> =
        MODELS.iter().zip(run.classes).map(|(model, classes)| line(run, model, classes)).collect();
    Ok(lines?.join("\n"))
}

fn line(run: &Run, model: &str, expected: u64) -> Result<String, String> {
    let explore = |engine: &[&str]| report(&[engine, &["--relaxed-memory", model, run.option, run.program]].concat());
    let reads_from = explore(&["--engine", "reads-from"])?;
    let dpor = explore(&["--engine", "dpor", "--count-classes"])?;
    for (engine, report) in [("reads-from", &reads_from), ("dpor", &dpor)] {
        let classes = classes(report);
        if report["verdict"] != "holds" || classes != Some(expected) {
            return Err(format!(
                "{model}: {engine} says {} with {classes:?} classes; expected holds with {expected}",
                report["verdict"]
            ));
        }
    }
    Ok(format!(
        "| {} | {model} | {expected} | {:.2} | {} | {:.2} |",
        run.name,
        number(&reads_from, "seconds")?,
        number(&dpor, "executions")?,
        number(&dpor, "seconds")?
    ))
}

fn classes(report: &Value) -> Option<u64> {
    report["statistics"]["reads_from_classes"].as_u64()
}
