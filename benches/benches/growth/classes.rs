//! Time of a class with the reads-from engine against the length of its execution, for 2 and 8 threads.
//!
//! Threads that store to a variable of their own and read it make executions long, and add no class. Length
//! is the number of events of the longest execution.

use rmc_benches::{number, output_directory, report};

use crate::plot::{Axis, Chart, Series};

const PROGRAM: &str = "benches/programs/long_history.c";
const MODELS: [&str; 3] = ["sc", "tso", "pso"];
/// The numbers of threads, with the turns of each.
const SIZES: [(u32, &[u32]); 2] = [(2, &[10, 25, 50, 100, 250, 500]), (8, &[2, 5, 10, 25, 50, 100])];
/// The classes of the program, whatever its size.
const CLASSES: f64 = 141.0;

/// Makes the table and its chart.
pub fn print() -> Result<String, String> {
    let mut text = "| threads | turns | events: sc | tso and pso | sc, µs | tso, µs | pso, µs |\n".to_owned();
    text += "|---|---|---|---|---|---|---|";
    let mut all = Vec::new();
    for (threads, turns) in SIZES {
        let mut series = MODELS.map(|model| Series::new(format!("{model}, {threads} threads")));
        for turns in turns {
            let sizes = [format!("-DTHREADS={threads}"), format!("-DTURNS={turns}")];
            let mut cells = Vec::new();
            for (series, model) in series.iter_mut().zip(MODELS) {
                let options = ["--engine", "reads-from", "--relaxed-memory", model, &sizes[0], &sizes[1], PROGRAM];
                let report = report(&options)?;
                let classes = number(&report, "reads_from_classes")?;
                if report["verdict"] != "holds" || classes != CLASSES {
                    return Err(format!("{sizes:?}, {model}: {}, {classes} classes", report["verdict"]));
                }
                let length = number(&report, "max_depth")? as u32;
                let micros = number(&report, "seconds")? * 1e6 / classes;
                series.add(length, micros as u64);
                cells.push((length, micros));
            }
            let [(of_sc, sc), (of_tso, tso), (_, pso)] = cells[..] else { unreachable!("there are three models") };
            text += &format!("\n| {threads} | {turns} | {of_sc} | {of_tso} | {sc:.0} | {tso:.0} | {pso:.0} |");
        }
        all.extend(series);
    }
    let path = output_directory("growth")?.join("classes.svg");
    let y = Axis::logarithmic("microseconds of a class");
    Chart { title: "Time of a class by the length of its execution", x: "events", y }.draw(&path, &all)?;
    Ok(format!("{text}\n{}\n", path.display()))
}
