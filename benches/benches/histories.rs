//! The time of decisions about histories: random executions of 20 to 10,000 events, which the model of the
//! machine allows, the same with changed sources, and contended ones.
//!
//! A line has the number of histories, of those allowed, and the median and longest time. That executions are
//! allowed is asserted. Arguments choose lines by a part of their name.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use rmc_benches::histories::{Shape, changed, contended, random};
use rmc_benches::print_lines;
use rmc_consistency::{Answer, History, Reason, Strategy, decide_by};
use rmc_runtime::Model;

/// Histories of one line.
struct Line {
    name: &'static str,
    model: Model,
    strategy: Strategy,
    histories: Vec<History>,
    all_allowed: bool,
}

fn lines() -> Vec<Line> {
    let mut lines = Vec::new();
    let mut add = |name: String, model, strategy, histories, all_allowed| {
        lines.push(Line { name: name.leak(), model, strategy, histories, all_allowed });
    };
    for model in Model::ALL {
        for threads in [2, 4, 8] {
            for events in [20, 100, 500, 2_000, 10_000] {
                let shape = Shape { model, threads, variables: 2 + events / 50, events, fences: 3 };
                let count = (20_000 / events).clamp(3, 100) as u64;
                let executions: Vec<History> = (0..count).map(|seed| random(shape, seed)).collect();
                let near: Vec<History> =
                    executions.iter().zip(0..).map(|(one, seed)| changed(one.clone(), 2, seed)).collect();
                for strategy in [Strategy::Mixed, Strategy::ClosureFirst] {
                    let name = |kind: &str| format!("{model}-{threads}x{events}-{kind}-{strategy:?}");
                    add(name("executions"), model, strategy, executions.clone(), true);
                    add(name("changed"), model, strategy, near.clone(), false);
                }
            }
        }
        for (writers, readers) in [(2, 2), (3, 1), (3, 2), (4, 2)] {
            for rounds in [2, 4, 8] {
                let name = format!("{model}-contended-{writers}+{readers}x{rounds}");
                add(name, model, Strategy::Mixed, vec![contended(writers, readers, rounds)], false);
            }
        }
    }
    lines
}

fn line(line: &Line) -> Result<String, String> {
    let (mut allowed, mut exhausted, mut times) = (0, 0, Vec::<Duration>::new());
    for history in &line.histories {
        let begin = Instant::now();
        let answer = decide_by(line.strategy, history, line.model).map_err(|error| error.to_string())?;
        times.push(begin.elapsed());
        allowed += usize::from(answer.is_allowed());
        exhausted += usize::from(matches!(answer, Answer::Forbidden(Reason::Exhausted { .. })));
    }
    if line.all_allowed && allowed != times.len() {
        return Err(format!("{allowed} of {} executions are allowed", times.len()));
    }
    times.sort_unstable();
    let (median, longest) = (times[times.len() / 2], times[times.len() - 1]);
    Ok(format!(
        "{:<40} {:>4} histories, {allowed:>4} allowed, {exhausted:>3} exhausted, median {median:>10.1?}, longest {longest:>10.1?}",
        line.name,
        times.len()
    ))
}

fn main() -> ExitCode {
    print_lines(&lines(), |line| line.name, line)
}
