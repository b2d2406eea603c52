//! How the work grows: states with the number and the width of inputs, formulas with their bounds, the time
//! of a reads-from class with the length of executions, and that of a decision with the length of a history.
//!
//! `cargo bench -p rmc-benches --bench growth [-- NAME]` after a release build. The tables are printed, and
//! drawn as SVG files in `growth/` beside the release build. Numbers of states and verdicts are asserted.
//! The program of the first two is `benches/programs/largest.c`, whose threads compare inputs and take the
//! largest.
//!
//! * `states`: states of the explicit engine,
//! * `formulas`: variables, clauses and time of the symbolic engine,
//! * `classes`: time of a class of the reads-from engine,
//! * `decisions`: time of a decision about a history,
//! * `plot`: charts.

mod classes;
mod decisions;
mod formulas;
mod plot;
mod states;

use std::process::ExitCode;

use rmc_benches::print_lines;

const PROGRAM: &str = "benches/programs/largest.c";

/// A table with its chart.
struct Table {
    name: &'static str,
    print: fn() -> Result<String, String>,
}

const TABLES: [Table; 7] = [
    Table { name: "states", print: states::print },
    Table { name: "unroll", print: || formulas::print(&formulas::UNROLL) },
    Table { name: "rounds", print: || formulas::print(&formulas::ROUNDS) },
    Table { name: "delays", print: || formulas::print(&formulas::DELAYS) },
    Table { name: "threads", print: || formulas::print(&formulas::THREADS) },
    Table { name: "classes", print: classes::print },
    Table { name: "decisions", print: decisions::print },
];

fn main() -> ExitCode {
    print_lines(&TABLES, |table| table.name, |table| (table.print)())
}
