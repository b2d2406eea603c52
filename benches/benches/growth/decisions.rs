//! Time of a decision alone against the length of the history, for 2, 4 and 8 threads that share five
//! variables: random executions, which the model allows, and the same with a cycle, which no model allows.

use std::time::Instant;

use rmc_benches::histories::{Shape, random, with_cycle};
use rmc_benches::output_directory;
use rmc_consistency::{History, Strategy, decide_by};
use rmc_runtime::Model;

use crate::plot::{Axis, Chart, Series};

const EVENTS: [u32; 6] = [20, 100, 500, 2_000, 5_000, 10_000];
const THREADS: [usize; 3] = [2, 4, 8];
const VARIABLES: usize = 5;
/// Histories of a size. Times are medians.
const HISTORIES: u64 = 9;
/// The length from which on exponents are fitted.
const LONG: u32 = 500;

/// What is decided, and how.
#[derive(Clone, Copy)]
struct Kind {
    name: &'static str,
    is_allowed: bool,
    strategy: Strategy,
}

const KINDS: [Kind; 4] = [
    Kind { name: "allowed", is_allowed: true, strategy: Strategy::Mixed },
    Kind { name: "allowed, closure first", is_allowed: true, strategy: Strategy::ClosureFirst },
    Kind { name: "allowed, search alone", is_allowed: true, strategy: Strategy::SearchAlone },
    Kind { name: "forbidden", is_allowed: false, strategy: Strategy::Mixed },
];

/// Makes the table and its chart.
pub fn print() -> Result<String, String> {
    let heads: String = KINDS.iter().map(|kind| format!(" {}, µs |", kind.name)).collect();
    let mut text = format!("| model | threads | events |{heads}\n|---|---|---|---|---|---|---|");
    let mut all = Vec::new();
    for (model, threads) in Model::ALL.into_iter().flat_map(|model| THREADS.map(|threads| (model, threads))) {
        let mut times: [Vec<(u32, f64)>; 4] = Default::default();
        for events in EVENTS {
            let shape = Shape { model, threads, variables: VARIABLES, events: events as usize, fences: 3 };
            let executions: Vec<_> = (0..HISTORIES).map(|seed| random(shape, seed)).collect();
            for (kind, times) in KINDS.iter().zip(&mut times) {
                times.push((events, median(*kind, model, &executions)?));
            }
            let cells: String = times.iter().map(|times| format!(" {:.0} |", times[times.len() - 1].1)).collect();
            text += &format!("\n| {model} | {threads} | {events} |{cells}");
        }
        let powers: String = times.iter().map(|times| format!(" n^{:.1} |", exponent(times))).collect();
        text += &format!("\n| {model} | {threads} | from {LONG} |{powers}");
        for (kind, times) in KINDS.iter().zip(times).filter(|(kind, _)| kind.strategy == Strategy::Mixed) {
            let mut series = Series::new(format!("{model}, {threads} threads, {}", kind.name));
            times.iter().for_each(|&(events, micros)| series.add(events, micros.ceil() as u64));
            all.push(series);
        }
    }
    let path = output_directory("growth")?.join("decisions.svg");
    let y = Axis::logarithmic("microseconds of a decision");
    Chart { title: "Time of a decision by the length of the history", x: "events", y }.draw(&path, &all)?;
    Ok(format!("{text}\n{}\n", path.display()))
}

/// The median time in microseconds. All answers must be as the kind says, before any is timed.
fn median(kind: Kind, model: Model, executions: &[History]) -> Result<f64, String> {
    let histories = executions.iter().map(|one| if kind.is_allowed { one.clone() } else { with_cycle(one.clone()) });
    let histories: Vec<_> = histories.collect();
    let is_allowed = |history| decide_by(kind.strategy, history, model).map(|answer| answer.is_allowed());
    for history in &histories {
        if is_allowed(history).map_err(|error| error.to_string())? != kind.is_allowed {
            return Err(format!("{model}, {}: another answer", kind.name));
        }
    }
    let time = |history| {
        let begin = Instant::now();
        let _ = std::hint::black_box(is_allowed(history));
        begin.elapsed().as_secs_f64() * 1e6
    };
    let mut times: Vec<f64> = histories.iter().map(time).collect();
    times.sort_unstable_by(f64::total_cmp);
    Ok(times[times.len() / 2])
}

/// The power of the length with which the time of long histories grows, by least squares of logarithms.
fn exponent(times: &[(u32, f64)]) -> f64 {
    let points = times.iter().filter(|(events, _)| *events >= LONG);
    let points: Vec<_> = points.map(|&(events, micros)| (f64::from(events).ln(), micros.ln())).collect();
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(|point| point.0), mean(|point| point.1));
    let both: f64 = points.iter().map(|point| (point.0 - x) * (point.1 - y)).sum();
    both / points.iter().map(|point| (point.0 - x).powi(2)).sum::<f64>()
}
