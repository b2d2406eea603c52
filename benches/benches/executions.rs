//! Whole runs of the stateless engine: executions per second, time per event, peak memory.
//!
//! `make bench`, or `cargo bench -p rmc-benches --bench executions [-- NAME]` after a release build. The
//! numbers of executions are asserted before a time is shown: complete ones, and those in which threads wait
//! for ever. Figures compare only within one run of this program, on one machine.
//!
//! On an otherwise idle x86-64 server, the fastest of three runs:
//!
//! | run | executions | blocked | events | thousand executions/s | ns/event | peak |
//! |---|---|---|---|---|---|---|
//! | seqlock | 64 | 157400 | 1283462 | 51 | 2385 | 183 MiB |
//! | queue | 12768 | 0 | 183628 | 334 | 208 | 58 MiB |
//! | ring-sc | 16383 | 0 | 646861 | 80 | 318 | 93 MiB |
//! | ring-tso | 16384 | 0 | 655136 | 84 | 297 | 103 MiB |
//! | stack | 28032 | 0 | 301910 | 674 | 138 | 59 MiB |
//! | buffer | 33192 | 0 | 1332052 | 143 | 174 | 58 MiB |
//! | philosophers | 61340 | 0 | 1817857 | 204 | 165 | 59 MiB |
//! | bakery | 135597 | 0 | 5799509 | 113 | 207 | 58 MiB |
//! | store-ring | 321048 | 0 | 3576779 | 568 | 158 | 59 MiB |
//! | writers | 362880 | 0 | 7950363 | 954 | 48 | 59 MiB |
//! | writers-9 | 3628800 | 0 | 86687950 | 990 | 42 | 59 MiB |
//!
//! A comparison with other tools is in `benches/PEERS.md`. Rounds of a waiting loop are not explored as
//! executions: with two readers and two writes seqlock had 6,889 complete executions, and has (WRITES + 1)^N
//! = 9. The executions that wait until they are cut off are still many.
//!
//! The time is spent as follows (callgrind, where few states are new): appending an event and finding its
//! races takes 29 % of the instructions, planning the reversal of races 16, finding the step 17. Where many
//! states are new, finding and adding states takes a fifth (perf).

use std::process::ExitCode;

use rmc_benches::{number, print_lines, report};

/// The number of runs of each program; the fastest is shown.
const REPEATED: usize = 3;

/// A program, the options it is run with, and its numbers of executions.
struct Run {
    name: &'static str,
    model: &'static str,
    options: &'static [&'static str],
    program: &'static str,
    /// The number of complete executions.
    executions: u64,
    /// The number of executions in which threads wait until they are cut off.
    blocked: u64,
}

const fn run(
    name: &'static str,
    model: &'static str,
    options: &'static [&'static str],
    program: &'static str,
    [executions, blocked]: [u64; 2],
) -> Run {
    Run { name, model, options, program, executions, blocked }
}

const RUNS: [Run; 11] = [
    run("seqlock", "pso", &["-DN=3", "-DWRITES=3"], "benches/programs/seqlock.c", [64, 157_400]),
    run("queue", "tso", &["-DN=3", "-DITEMS=1"], "benches/programs/queue.c", [12_768, 0]),
    run("ring-sc", "sc", &["-DN=14"], "tests/programs/traces/ring.c", [16_383, 0]),
    run("ring-tso", "tso", &["-DN=14"], "tests/programs/traces/ring.c", [16_384, 0]),
    run("stack", "tso", &["-DN=3", "-DITEMS=2"], "benches/programs/stack.c", [28_032, 0]),
    run("buffer", "tso", &["-DN=2", "-DITEMS=2"], "benches/programs/bounded_buffer.c", [33_192, 0]),
    run("philosophers", "tso", &["-DN=4", "-DROUNDS=3"], "benches/programs/philosophers.c", [61_340, 0]),
    run("bakery", "tso", &["-DN=2", "-DROUNDS=4"], "benches/programs/bakery.c", [135_597, 0]),
    run("store-ring", "tso", &["-DN=3", "-DROUNDS=4"], "benches/programs/store_ring.c", [321_048, 0]),
    run("writers", "pso", &["-DN=8"], "tests/programs/traces/writers.c", [362_880, 0]),
    run("writers-9", "tso", &["-DN=9"], "tests/programs/traces/writers.c", [3_628_800, 0]),
];

fn main() -> ExitCode {
    println!("| run | executions | blocked | events | thousand executions/s | ns/event | peak |");
    println!("|---|---|---|---|---|---|---|");
    print_lines(&RUNS, |run| run.name, line)
}

/// The line of the table.
fn line(run: &Run) -> Result<String, String> {
    let mut best = measure(run)?;
    for _ in 1..REPEATED {
        let again = measure(run)?;
        if again.seconds < best.seconds {
            best = again;
        }
    }
    let Measured { events, seconds, peak } = best;
    Ok(format!(
        "| {} | {} | {} | {events} | {:.0} | {:.0} | {:.0} MiB |",
        run.name,
        run.executions,
        run.blocked,
        (run.executions + run.blocked) as f64 / seconds / 1000.0,
        seconds * 1e9 / events,
        peak / f64::from(1 << 20),
    ))
}

/// The measurements of one run.
struct Measured {
    events: f64,
    seconds: f64,
    /// Peak memory in bytes.
    peak: f64,
}

fn measure(run: &Run) -> Result<Measured, String> {
    let engine = ["--engine", "dpor", "--relaxed-memory", run.model];
    let report = report(&[&engine, run.options, &[run.program]].concat())?;
    let number = |name: &str| number(&report, name);
    let found = [number("executions")?, number("blocked_executions")?, number("sleep_blocked_executions")?];
    if report["verdict"] != "holds" || found != [run.executions as f64, run.blocked as f64, 0.0] {
        let [executions, blocked, redundant] = found;
        return Err(format!(
            "{} with {executions} executions, {blocked} blocked, {redundant} redundant; expected holds with {} and {}",
            report["verdict"], run.executions, run.blocked
        ));
    }
    Ok(Measured { events: number("events")?, seconds: number("seconds")?, peak: number("peak_rss_bytes")? })
}
