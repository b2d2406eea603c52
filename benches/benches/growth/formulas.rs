//! Variables, clauses and time of the symbolic engine against its bounds and the number of threads.
//!
//! Nothing is found, so the solver has to exclude every execution within the bounds. 2 inputs of 8 bits, 2
//! threads, 3 turns, 3 rounds, 2 times and 2 writes, but for what a table varies: `delays` is times and
//! writes, with 4 inputs and 4 turns; with more threads there are as many inputs, and 5 turns. Memory under
//! TSO and PSO is that of lists of writes (eTSO, ePSO); `checker/src/engine/symbolic/schedule/mod.rs` has
//! sizes beside those of TSO by queues. Variables and clauses in thousands, seconds on an x86-64
//! server whose processors did other work, too; PSO is within 0.3 % of the sizes of TSO:
//!
//! | | from, to | SC: variables, clauses | s | TSO: variables, clauses | s |
//! |---|---|---|---|---|---|
//! | unroll | 3, 8 | 5.1, 20.0 to 10.3, 42.2 | 0.09 to 0.23 | 5.5, 21.3 to 10.8, 43.9 | 0.16 to 0.37 |
//! | rounds | 2, 7 | 4.3, 16.1 to 8.4, 35.8 | 0.02 to 1.2 | 4.6, 16.9 to 9.3, 39.0 | 0.02 to 1.0 |
//! | delays | 2, 5 | 12.3, 49.2, all | 1.9 to 3.0 | 13.4, 52.9 to 16.5, 64.3 | 1.1 to 2.4 |
//! | threads | 2, 5 | 7.2, 28.9 to 18.2, 73.3 | 0.08 to 6.1 | 7.6, 30.3 to 19.5, 77.4 | 0.13 to 3.5 |
//!
//! Sizes grow by nearly the same amount with each turn, each round and each thread. 4 delayed stores need no
//! sixth time.

use rmc_benches::{FormulaCost, output_directory, report};

use crate::PROGRAM;
use crate::plot::{Axis, Chart, Series};

const MODELS: [&str; 3] = ["sc", "tso", "pso"];

/// A run: turns of loops, rounds, times and writes, threads, inputs.
#[derive(Clone, Copy)]
struct Run {
    unroll: u32,
    rounds: u32,
    delays: u32,
    threads: u32,
    inputs: u32,
}

const BASE: Run = Run { unroll: 3, rounds: 3, delays: 2, threads: 2, inputs: 2 };

/// Runs that differ in one number.
pub struct Growth {
    name: &'static str,
    values: std::ops::RangeInclusive<u32>,
    run: fn(u32) -> Run,
}

/// Loops that go further.
pub const UNROLL: Growth = Growth { name: "unroll", values: 3..=8, run: |unroll| Run { unroll, ..BASE } };

/// More changes of the thread.
pub const ROUNDS: Growth = Growth { name: "rounds", values: 2..=7, run: |rounds| Run { rounds, ..BASE } };

/// More times at which delayed stores reach memory, and as many writes that a place remembers.
pub const DELAYS: Growth =
    Growth { name: "delays", values: 2..=6, run: |delays| Run { unroll: 4, delays, inputs: 4, ..BASE } };

/// More threads, each with an input of its own.
pub const THREADS: Growth =
    Growth { name: "threads", values: 2..=5, run: |threads| Run { unroll: 5, threads, inputs: threads, ..BASE } };

/// Makes the table of runs and its charts.
pub fn print(growth: &Growth) -> Result<String, String> {
    let mut text = format!("| {} |", growth.name);
    for model in MODELS {
        text += &format!(" {model}: variables | clauses | s |");
    }
    text += &format!("\n|{}", "---|".repeat(1 + 3 * MODELS.len()));
    let mut clauses: Vec<Series> = MODELS.map(|model| Series::new(format!("{model}, clauses"))).into();
    let mut variables: Vec<Series> = MODELS.map(|model| Series::new(format!("{model}, variables"))).into();
    let mut seconds: Vec<Series> = MODELS.map(|model| Series::new(model.to_owned())).into();
    for value in growth.values.clone() {
        text += &format!("\n| {value} |");
        for (at, model) in MODELS.into_iter().enumerate() {
            let cost = measure(&(growth.run)(value), model)?;
            text += &format!(" {} | {} | {:.2} |", cost.variables, cost.clauses, cost.seconds);
            variables[at].add(value, cost.variables);
            clauses[at].add(value, cost.clauses);
            seconds[at].add_seconds(value, cost.seconds);
        }
    }
    clauses.append(&mut variables);
    let directory = output_directory("growth")?;
    let sizes = directory.join(format!("{}_size.svg", growth.name));
    let times = directory.join(format!("{}_time.svg", growth.name));
    Chart { title: "Size of the formula", x: growth.name, y: Axis::linear("variables, clauses") }
        .draw(&sizes, &clauses)?;
    Chart { title: "Time of the symbolic engine", x: growth.name, y: Axis::logarithmic("seconds") }
        .draw(&times, &seconds)?;
    Ok(format!("{text}\n{}\n{}\n", sizes.display(), times.display()))
}

fn measure(run: &Run, model: &str) -> Result<FormulaCost, String> {
    let Run { unroll, rounds, delays, threads, inputs } = run;
    let options = [
        format!("--unroll={unroll}"),
        format!("--rounds={rounds}"),
        format!("--max-clock={delays}"),
        format!("--writes={delays}"),
        format!("-DTHREADS={threads}"),
        format!("-DINPUTS={inputs}"),
    ];
    let arguments = ["--engine=symbolic", "--relaxed-memory", model, "-DPOSITIONS", PROGRAM];
    let arguments: Vec<&str> = arguments.into_iter().chain(options.iter().map(String::as_str)).collect();
    let report = report(&arguments)?;
    if report["reason"] != "symbolic-bounds" {
        return Err(format!("{} with {} under {model}", report["verdict"], options.join(" ")));
    }
    FormulaCost::of(&report)
}
