//! Whole runs of the symbolic engine: the size of the formula, and the time.
//!
//! `make bench`, or `cargo bench -p rmc-benches --bench symbolic [-- NAME]` after a release build. Verdicts
//! are asserted before a time is shown.
//!
//! The rows are those of the source (E. Tomasco et al., FMCAD 2016, tables I and II), with programs of our
//! own; its times are of another machine. Bounds are those with which our programs have their violations:
//! threads are made in a loop, which takes a turn more. On an x86-64 server, seconds under TSO and PSO:
//!
//! | run | variables, clauses (TSO) | TSO | PSO | source |
//! |---|---|---|---|---|
//! | dekker | 7,371, 26,359 | 0.03 | 0.04 | 0.77, 0.75 |
//! | lamport | 15,854, 54,947 | 0.32 | 0.25 | 0.88, 0.88 |
//! | peterson | 6,227, 23,322 | 0.02 | 0.04 | 0.66, 0.65 |
//! | szymanski | 5,808, 20,724 | 0.04 | 0.04 | 0.81, 0.80 |
//! | fib_longer_unsafe | 11,649, 49,622 | 9.2 | | 6.47, 6.51 |
//! | parker | 6,905, 24,763 | 0.02 | 0.03 | 1.68, 2.19 |
//! | stack_unsafe | 8,306, 31,294 | 0.09 | 0.06 | 1.50, 1.49 |
//! | safestack, K 3, N 2, 4 rounds | 47,889, 168,943 | 8.7 | 11.9 | 1615, 1247 |
//! | safestack, K 3, N 3, 3 rounds | 39,411, 138,682 | 3.5 | 4.6 | |
//!
//! With N 2 and 3 rounds there is no violation, as in the source. The source's numbers have 3 bits there,
//! ours 32: the engine finds that few values are possible.

use std::process::ExitCode;

use rmc_benches::{FormulaCost, print_lines, report};

/// A program with bounds: turns of loops, rounds, times and writes.
struct Run {
    name: &'static str,
    options: &'static [&'static str],
    program: &'static str,
    bounds: [u32; 4],
    is_violated: bool,
    /// Seconds of the source's prototype under TSO and PSO, if it has the row.
    source: Option<[f64; 2]>,
}

const fn run(
    name: &'static str,
    program: &'static str,
    options: &'static [&'static str],
    bounds: [u32; 4],
    is_violated: bool,
    source: Option<[f64; 2]>,
) -> Run {
    Run { name, options, program, bounds, is_violated, source }
}

const FIBONACCI: &str = "tests/programs/symbolic/fibonacci.c";
const STACK: &str = "tests/programs/symbolic/bounded_stack.c";
const INDICES: &str = "benches/programs/index_stack.c";

const RUNS: [Run; 18] = [
    run("dekker", "tests/programs/mutex/dekker.c", &[], [2, 3, 2, 2], true, Some([0.77, 0.75])),
    run("lamport", "tests/programs/mutex/lamport_fast.c", &[], [2, 3, 2, 2], true, Some([0.88, 0.88])),
    run("peterson", "tests/programs/mutex/peterson.c", &[], [2, 3, 3, 3], true, Some([0.66, 0.65])),
    run("szymanski", "tests/programs/mutex/szymanski.c", &[], [2, 3, 2, 2], true, Some([0.81, 0.80])),
    run("fib_longer_unsafe", FIBONACCI, &["-DTURNS=6", "--width=10"], [6, 7, 2, 2], true, Some([6.47, 6.51])),
    run("fib_longer_safe", FIBONACCI, &["-DTURNS=6", "-DSAFE", "--width=10"], [6, 7, 2, 2], false, Some([9.78, 8.82])),
    run("parker", "tests/programs/patterns/parker.c", &["-DASSERTED"], [2, 3, 3, 3], true, Some([1.68, 2.19])),
    run("stack_unsafe", STACK, &["-DUNGUARDED"], [2, 2, 2, 2], true, Some([1.50, 1.49])),
    run("stack_safe", STACK, &[], [2, 2, 2, 2], false, None),
    run("safestack, K 1, 3 rounds", INDICES, &[], [2, 3, 1, 2], false, Some([722.0, 676.0])),
    run("safestack, K 1, 4 rounds", INDICES, &[], [2, 4, 1, 2], true, Some([618.0, 702.0])),
    run("safestack, K 3, N 2, 3 rounds", INDICES, &[], [2, 3, 3, 2], false, Some([1474.0, 1635.0])),
    run("safestack, K 3, N 2, 4 rounds", INDICES, &[], [2, 4, 3, 2], true, Some([1615.0, 1247.0])),
    run("safestack, K 3, N 3, 2 rounds", INDICES, &[], [2, 2, 3, 3], false, Some([734.0, 674.0])),
    run("safestack, K 3, N 3, 3 rounds", INDICES, &[], [2, 3, 3, 3], true, None),
    run("safestack, K 3, N 3, 4 rounds", INDICES, &[], [2, 4, 3, 3], true, Some([4462.0, 1876.0])),
    run("safestack, K 7, N 2, 3 rounds", INDICES, &[], [2, 3, 7, 2], false, Some([2107.0, 2194.0])),
    run("safestack, K 7, N 2, 4 rounds", INDICES, &[], [2, 4, 7, 2], true, Some([2839.0, 6275.0])),
];

fn main() -> ExitCode {
    println!(
        "| run | verdict | events | TSO: variables | clauses | s | source, s | PSO: variables | clauses | s | source, s |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|---|");
    print_lines(&RUNS, |run| run.name, line)
}

/// The line of the table.
fn line(run: &Run) -> Result<String, String> {
    let mut line = format!("| {} | {} |", run.name, if run.is_violated { "violated" } else { "nothing found" });
    for (at, model) in ["tso", "pso"].into_iter().enumerate() {
        let FormulaCost { events, variables, clauses, seconds } = measure(run, model)?;
        if at == 0 {
            line += &format!(" {events} |");
        }
        let source = run.source.map_or_else(|| "-".to_owned(), |source| source[at].to_string());
        line += &format!(" {variables} | {clauses} | {seconds:.2} | {source} |");
    }
    Ok(line)
}

fn measure(run: &Run, model: &str) -> Result<FormulaCost, String> {
    let [unroll, rounds, clock, writes] = run.bounds.map(|bound| bound.to_string());
    let bounds = ["--unroll", &unroll, "--rounds", &rounds, "--max-clock", &clock, "--writes", &writes];
    let engine = ["--engine", "symbolic", "--relaxed-memory", model];
    let report = report(&[&engine, &bounds[..], run.options, &[run.program]].concat())?;
    let expected = if run.is_violated { "violated" } else { "unknown" };
    if report["verdict"] != expected {
        return Err(format!("{} under {model}; expected {expected}", report["verdict"]));
    }
    FormulaCost::of(&report)
}
