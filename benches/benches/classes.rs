//! Whole runs of `--engine reads-from` and of `--engine dpor --count-classes`: classes, executions, seconds.
//!
//! `make bench`, or `cargo bench -p rmc-benches --bench classes [-- NAME]` after a release build. The second
//! run explores an execution of each trace, and counts the reads-from classes that these have. Before a time
//! is shown, both runs must hold, with the same number of classes, which must be the expected one. The
//! numbers of the first three programs are formulas, which the programs explain. `benches/READS_FROM.md`
//! compares many more programs with what others found.
//!
//! On an x86-64 server (AMD EPYC) with two processors, which were busy with other work, one run of each:
//!
//! | run | model | classes | reads-from, s | executions by dpor | dpor, s |
//! |---|---|---|---|---|---|
//! | increments | sc | 1296 | 0.10 | 14400 | 0.38 |
//! | increments | tso | 1296 | 0.19 | 14400 | 0.25 |
//! | increments | pso | 1296 | 0.05 | 14400 | 0.37 |
//! | one-writer | sc | 924 | 0.02 | 924 | 0.00 |
//! | one-writer | tso | 924 | 0.25 | 924 | 0.02 |
//! | one-writer | pso | 924 | 0.22 | 924 | 0.02 |
//! | lock-turns | sc | 576 | 0.04 | 576 | 0.04 |
//! | lock-turns | tso | 576 | 0.24 | 576 | 0.01 |
//! | lock-turns | pso | 576 | 0.20 | 576 | 0.02 |
//! | peterson | sc | 1609 | 0.12 | 1686 | 0.05 |
//! | peterson | tso | 9251 | 2.51 | 29546 | 0.44 |
//! | peterson | pso | 15925 | 3.87 | 48500 | 0.99 |
//! | lamport | sc | 322 | 0.02 | 528 | 0.04 |
//! | lamport | tso | 639 | 0.11 | 2532 | 0.05 |
//! | lamport | pso | 6487 | 0.99 | 46368 | 1.67 |
//! | accounts | sc | 90 | 0.05 | 90 | 0.04 |
//! | accounts | tso | 90 | 0.43 | 90 | 0.01 |
//! | accounts | pso | 90 | 0.43 | 90 | 0.00 |
//! | bakery | sc | 213 | 0.09 | 213 | 0.02 |
//! | bakery | tso | 213 | 0.91 | 213 | 0.02 |
//! | bakery | pso | 213 | 0.64 | 213 | 0.03 |
//! | queue | sc | 5568 | 0.74 | 5568 | 0.20 |
//! | queue | tso | 5568 | 1.20 | 5568 | 0.27 |
//! | queue | pso | 5568 | 2.10 | 5568 | 0.67 |
//! | seqlock | sc | 9 | 0.11 | 9 | 0.05 |
//! | seqlock | tso | 9 | 0.32 | 9 | 0.05 |
//! | seqlock | pso | 9 | 0.50 | 9 | 0.05 |
//! | store-ring | sc | 1039 | 0.16 | 1039 | 0.04 |
//! | store-ring | tso | 1295 | 0.29 | 1295 | 0.08 |
//! | store-ring | pso | 1295 | 0.23 | 1295 | 0.05 |
//! | thread-pool | sc | 1176 | 0.30 | 1176 | 0.06 |
//! | thread-pool | tso | 1176 | 5.17 | 1176 | 0.18 |
//! | thread-pool | pso | 1176 | 3.97 | 1176 | 0.11 |
//! | writers | sc | 7 | 0.00 | 5040 | 0.08 |
//! | writers | tso | 7 | 0.01 | 5040 | 0.09 |
//! | writers | pso | 7 | 0.00 | 5040 | 0.12 |

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

const RUNS: [Run; 12] = [
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
