//! Whole runs of `rmc-check`: states per second, bytes per state, peak memory.
//!
//! `make bench`, or `cargo bench -p rmc-benches --bench whole_runs [-- NAME]` after a release build. The number of states of every run is asserted before
//! its time is shown: a faster run that explores something else is no faster run. Figures compare only within one run of this
//! program, on one machine.
//!
//! What bounds the speed (perf, philosophers and store_ring tso, one worker): finding steps in the memory of those that were taken (`explore/memo.rs`) takes a third, most of it
//! waiting for memory; folding successors to roots and looking up their nodes another third; the set of roots a tenth. The interpreter is not among the first ten.
//! With two workers, what each needs must stay in its own caches: levels are sorted by roots for that (`States::sort`), and pairs at hand are few
//! (`store/pairs.rs`: 2^15 of them made two workers on `stack` slower than one, 2^12 do not). Two processes that run the same search at the same time do
//! not slow each other down on the machine of the table, so a ratio of 2 is what the machine allows.
//!
//! States per second on an x86-64 server with two processors, medians of three runs with nothing beside them:
//!
//! | run | states | one worker | two workers | ratio | store B/state |
//! |---|---|---|---|---|---|
//! | ring-tso | 2511472 | 670000 | 1190000 | 1.77 | 20.5 |
//! | stack | 2148089 | 450000 | 860000 | 1.90 | 38.3 |
//! | philosophers | 419296 | 440000 | 710000 | 1.61 | 32.3 |
//!
//! The process itself, mostly LLVM, has 55 MiB.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use serde_json::Value;

/// A program, the options it is run with, and the states it has.
struct Run {
    name: &'static str,
    model: &'static str,
    options: &'static [&'static str],
    program: &'static str,
    states: u64,
}

const RUNS: [Run; 8] = [
    Run {
        name: "ring-sc",
        model: "sc",
        options: &["-DN=4", "-DROUNDS=4"],
        program: "benches/programs/store_ring.c",
        states: 9_580_354,
    },
    Run {
        name: "ring-tso",
        model: "tso",
        options: &["-DN=4", "-DROUNDS=3"],
        program: "benches/programs/store_ring.c",
        states: 2_511_472,
    },
    Run {
        name: "ring-pso",
        model: "pso",
        options: &["-DN=3", "-DROUNDS=3"],
        program: "benches/programs/store_ring.c",
        states: 61_275,
    },
    Run {
        name: "philosophers",
        model: "tso",
        options: &["-DN=6", "-DROUNDS=2"],
        program: "benches/programs/philosophers.c",
        states: 419_296,
    },
    Run {
        name: "ticket-tso",
        model: "tso",
        options: &["-DN=3"],
        program: "benches/programs/ticket_lock.c",
        states: 28_420,
    },
    Run {
        name: "ticket-pso",
        model: "pso",
        options: &["-DN=3"],
        program: "benches/programs/ticket_lock.c",
        states: 28_420,
    },
    Run {
        name: "stack",
        model: "tso",
        options: &["-DN=4", "-DITEMS=2"],
        program: "benches/programs/stack.c",
        states: 2_148_089,
    },
    Run {
        name: "filter-pso",
        model: "pso",
        options: &["-DFENCE_PSO"],
        program: "tests/programs/mutex/peterson_filter.c",
        states: 3_658,
    },
];

/// What one run said of itself.
struct Measured {
    states_per_second: f64,
    transitions_per_second: f64,
    bytes_per_state: f64,
    peak: f64,
}

fn main() -> ExitCode {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|argument| !argument.starts_with('-')).collect();
    let is_wanted = |run: &&Run| wanted.is_empty() || wanted.iter().any(|name| run.name.contains(name.as_str()));
    println!("| run | states | states/s | transitions/s | store B/state | peak | states/s of 2 | ratio |");
    println!("|---|---|---|---|---|---|---|---|");
    let mut wrong = false;
    for run in RUNS.iter().filter(is_wanted) {
        match line(run) {
            Ok(line) => println!("{line}"),
            Err(message) => {
                wrong = true;
                println!("{}: {message}", run.name);
            }
        }
    }
    if wrong { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The line of the table: one worker, then two.
fn line(run: &Run) -> Result<String, String> {
    let (one, two) = (measure(run, "1")?, measure(run, "2")?);
    Ok(format!(
        "| {} | {} | {:.0} | {:.0} | {:.1} | {:.0} MiB | {:.0} | {:.2} |",
        run.name,
        run.states,
        one.states_per_second,
        one.transitions_per_second,
        one.bytes_per_state,
        one.peak,
        two.states_per_second,
        two.states_per_second / one.states_per_second,
    ))
}

fn measure(run: &Run, jobs: &str) -> Result<Measured, String> {
    let output = Command::new(checker()?)
        .current_dir(repository())
        .args(["-q", "--report", "-", "--jobs", jobs, "--relaxed-memory", run.model])
        .args(run.options)
        .arg(run.program)
        .output()
        .map_err(|error| error.to_string())?;
    let report: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("{error}\n{}", String::from_utf8_lossy(&output.stderr)))?;
    let statistics = &report["statistics"];
    let number = |name: &str| statistics[name].as_f64().ok_or_else(|| format!("the report has no {name}"));
    if report["verdict"] != "holds" || number("states")? != run.states as f64 {
        return Err(format!(
            "{} with {} states by {jobs} workers, expected holds with {}",
            report["verdict"],
            number("states")?,
            run.states
        ));
    }
    Ok(Measured {
        states_per_second: number("states_per_second")?,
        transitions_per_second: number("transitions")? / number("seconds")?,
        bytes_per_state: number("bytes_per_state")?,
        peak: number("peak_rss_bytes")? / f64::from(1 << 20),
    })
}

/// The release build of the checker: two levels above this program.
fn checker() -> Result<PathBuf, String> {
    let here = std::env::current_exe().map_err(|error| error.to_string())?;
    let path = here.ancestors().nth(2).unwrap_or(Path::new(".")).join("rmc-check");
    if path.exists() { Ok(path) } else { Err(format!("{} is missing: cargo build --release", path.display())) }
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the repository")
}
