//! `--stats`: the statistics of a run as text.

use std::fmt::Write;

use indicatif::{HumanBytes, HumanCount};

use crate::engine::capabilities::Unit;
use crate::outcome::measures::{HotLine, Levels, Measures, ProgressSample};
use crate::outcome::{FormulaSize, Statistics};

/// The largest number of points in time and of levels that are shown.
const ROWS: usize = 12;
/// The length of the longest bar, in characters.
const WIDTH: f64 = 40.0;

/// The statistics as text, each part under a heading.
#[must_use]
pub fn describe(statistics: &Statistics, unit: Unit) -> String {
    let measures = &statistics.measures;
    let is_stateless = unit == Unit::Executions;
    let mut out = String::new();
    if unit == Unit::Formulas {
        formula(&mut out, statistics);
        return out;
    }
    speed(&mut out, measures, is_stateless);
    if is_stateless {
        executions(&mut out, statistics);
        histories(&mut out, statistics);
    } else {
        levels(&mut out, &measures.levels);
        preemptions(&mut out, &measures.preemptions);
        matching(&mut out, statistics);
        pending(&mut out, &measures.pending_stores);
    }
    choices(&mut out, measures);
    bytes(&mut out, statistics);
    tables(&mut out, measures);
    lines(&mut out, &measures.lines, is_stateless);
    workers(&mut out, measures, is_stateless);
    out
}

/// A number as text, without digits that mean nothing.
pub fn rounded(number: f64) -> String {
    if number < 1e15 { HumanCount(number.round() as u64).to_string() } else { format!("{number:.0e}") }
}

fn heading(out: &mut String, text: &str) {
    let _ = writeln!(out, "\n{text}");
}

fn bar(part: f64, most: f64) -> String {
    "#".repeat((WIDTH * part / most.max(1e-9)).round() as usize)
}

/// At most [`ROWS`] entries of a list, evenly spaced, including the last one.
fn rows<T: Copy>(all: &[T]) -> Vec<T> {
    let step = all.len().div_ceil(ROWS).max(1);
    all.iter().rev().step_by(step).rev().copied().collect()
}

fn speed(out: &mut String, measures: &Measures, is_stateless: bool) {
    heading(out, "speed over time");
    let what = if is_stateless { "executions" } else { "states" };
    let open = if is_stateless { "estimated" } else { "to explore" };
    let _ = writeln!(out, "  {:>9}  {what:>14}  {:>12}  {open:>14}  {:>12}", "seconds", "per second", "memory");
    let mut before = ProgressSample::default();
    for now in rows(&measures.samples) {
        let done = |sample: &ProgressSample| if is_stateless { sample.executions } else { sample.states };
        let rate = (done(&now) - done(&before).min(done(&now))) as f64 / (now.seconds - before.seconds).max(1e-9);
        let open = if is_stateless { rounded(now.estimated_executions) } else { HumanCount(now.frontier).to_string() };
        let _ = writeln!(
            out,
            "  {:>9.3}  {:>14}  {:>12}  {:>14}  {:>12}",
            now.seconds,
            HumanCount(done(&now)).to_string(),
            HumanCount(rate as u64).to_string(),
            open,
            HumanBytes(now.bytes).to_string(),
        );
        before = now;
    }
}

fn histories(out: &mut String, statistics: &Statistics) {
    let Some(checks) = statistics.histories else { return };
    heading(out, "histories decided");
    for (what, number) in checks.rows() {
        let _ = writeln!(out, "  {what}: {number}");
    }
}

fn formula(out: &mut String, statistics: &Statistics) {
    heading(out, "last formula");
    for (what, number) in statistics.formula.iter().flat_map(FormulaSize::rows) {
        let _ = writeln!(out, "  {what:<26}  {:>14}", HumanCount(number).to_string());
    }
}

fn executions(out: &mut String, statistics: &Statistics) {
    heading(out, "executions");
    let rows = [
        ("to the end of the process", statistics.executions),
        ("blocked", statistics.blocked_executions),
        ("  in deadlocks", statistics.deadlocked_executions),
        ("  in waiting loops", statistics.await_blocked_executions),
        ("  in endless loops", statistics.endless_executions),
        ("  by the bound on loops", statistics.bound_blocked_executions),
        ("  by assumptions", statistics.assumption_blocked_executions),
        ("redundant", statistics.sleep_blocked_executions),
        ("races reversed", statistics.races_reversed),
        ("events", statistics.events),
        ("events of the longest", statistics.max_depth),
    ];
    for (what, count) in rows {
        let _ = writeln!(out, "  {what:<26}  {:>14}", HumanCount(count).to_string());
    }
}

fn levels(out: &mut String, levels: &Levels) {
    heading(out, "states by distance from the start");
    let most = levels.states.iter().max().copied().unwrap_or(0);
    let step = levels.states.len().div_ceil(ROWS).max(1);
    for (at, &states) in levels.states.iter().enumerate().step_by(step) {
        let (first, last) = (at as u64 * levels.per_entry, (at as u64 + 1) * levels.per_entry - 1);
        let range = if first == last { first.to_string() } else { format!("{first}..{last}") };
        let _ =
            writeln!(out, "  {range:>9}  {:>14}  {}", HumanCount(states).to_string(), bar(states as f64, most as f64));
    }
}

fn preemptions(out: &mut String, preemptions: &[u64]) {
    if preemptions.is_empty() {
        return;
    }
    heading(out, "states by number of preemptions");
    let most = preemptions.iter().max().copied().unwrap_or(0) as f64;
    for (number, &states) in preemptions.iter().enumerate() {
        let count = HumanCount(states).to_string();
        let _ = writeln!(out, "  {number:>9}  {count:>14}  {}", bar(states as f64, most));
    }
}

fn matching(out: &mut String, statistics: &Statistics) {
    heading(out, "state matching");
    let measures = &statistics.measures;
    let _ = writeln!(
        out,
        "  {} of all steps to a state led to a known one: {:.1}%",
        HumanCount(measures.known_successors),
        100.0 * measures.matching_rate
    );
    if measures.asleep > 0 {
        let _ = writeln!(out, "  {} steps were not taken, as they were asleep", HumanCount(measures.asleep));
    }
}

fn pending(out: &mut String, pending: &[u64]) {
    heading(out, "delayed stores in a state");
    let most = pending.iter().max().copied().unwrap_or(0) as f64;
    for (stores, &states) in pending.iter().enumerate() {
        let count = HumanCount(states).to_string();
        let _ = writeln!(out, "  {stores:>9}  {count:>14}  {}", bar(states as f64, most));
    }
}

fn choices(out: &mut String, measures: &Measures) {
    heading(out, "alternatives beyond the first");
    let choices = &measures.choices;
    let kinds = [
        ("which thread goes on", choices.schedule),
        ("when stores reach memory", choices.flush),
        ("which value an input has", choices.data),
    ];
    for (what, count) in kinds {
        let _ = writeln!(out, "  {what:<26}  {:>14}", HumanCount(count).to_string());
    }
}

fn bytes(out: &mut String, statistics: &Statistics) {
    heading(out, "memory");
    let states = statistics.states;
    for share in &statistics.measures.bytes {
        let each = if states > 0 {
            format!("  {:>8.2} bytes per state", share.bytes as f64 / states as f64)
        } else {
            String::new()
        };
        let _ = writeln!(out, "  {:<26}  {:>14}{each}", share.what, HumanBytes(share.bytes).to_string());
    }
}

fn tables(out: &mut String, measures: &Measures) {
    heading(out, "hash tables");
    let _ =
        writeln!(out, "  {:<26}  {:>14}  {:>6}  {:>15}  {:>7}", "", "entries", "load", "probes on average", "longest");
    for table in &measures.tables {
        let _ = writeln!(
            out,
            "  {:<26}  {:>14}  {:>5.1}%  {:>17.2}  {:>7}",
            table.what,
            HumanCount(table.entries).to_string(),
            100.0 * table.load,
            table.mean_probes,
            table.longest_probe
        );
    }
}

fn lines(out: &mut String, lines: &[HotLine], is_stateless: bool) {
    if lines.is_empty() {
        return;
    }
    heading(out, if is_stateless { "lines with most events" } else { "lines that lead to most new states" });
    for HotLine { place, count } in lines {
        let place =
            if place.line == 0 { "no line is known".to_owned() } else { format!("{}:{}", place.file, place.line) };
        let _ = writeln!(out, "  {:>14}  {place}", HumanCount(*count).to_string());
    }
}

fn workers(out: &mut String, measures: &Measures, is_stateless: bool) {
    heading(out, "workers");
    for (number, worker) in measures.workers.iter().enumerate() {
        let work = if is_stateless {
            format!("{} executions, {} events", HumanCount(worker.executions), HumanCount(worker.transitions))
        } else {
            let [expanded, found] = [worker.expanded, worker.found].map(HumanCount);
            format!("{expanded} states explored, {found} found, {} transitions", HumanCount(worker.transitions))
        };
        let _ = writeln!(out, "  {number:>9}  {work}, {:.3} seconds", worker.seconds);
    }
}
