//! The report for people: the verdict in one line, then the execution that shows a violation, one event a
//! line.

use std::collections::BTreeSet;
use std::fmt::Write;

use indicatif::{HumanBytes, HumanCount};

use super::events::{is_buffered, short_name, unseen, what_happens};
use super::json::{Report, ReportedViolation};
use super::{coverage, cycle, fold, names};
use crate::engine::capabilities::Unit;
use crate::outcome::cycle::Robustness;
use crate::outcome::event::RelatedPlace;
use crate::outcome::event::TraceEvent;
use crate::outcome::{ExecutionEnd, FormulaSize, Statistics};

/// The style of the printed report.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Colours are used.
    pub color: bool,
    /// Only the verdict is printed.
    pub quiet: bool,
    /// All events are printed, also those that a violation does not depend on (`fold.rs`).
    pub full: bool,
}

/// Prints a report to standard output.
pub fn print(report: &Report, style: Style) {
    let text = if style.quiet { headline(report, style) } else { whole(report, style) };
    write(&text);
}

/// Writes text to standard output.
pub fn write(text: &str) {
    // An error means that the reader closed the pipe; it wants no more text.
    drop(std::io::Write::write_all(&mut std::io::stdout(), text.as_bytes()));
}

impl Style {
    fn paint(self, code: &str, text: &str) -> String {
        if self.color { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    fn bold(self, text: &str) -> String {
        self.paint("1", text)
    }

    fn faint(self, text: &str) -> String {
        self.paint("2", text)
    }
}

fn headline(report: &Report, style: Style) -> String {
    let entry = report.entry.as_ref().map(|entry| format!("{}: ", style.bold(entry)));
    format!("{}{}", entry.unwrap_or_default(), verdict(report, style))
}

fn verdict(report: &Report, style: Style) -> String {
    let model = format!("under {}", report.model);
    match (report.verdict.as_str(), report.reason_in_words()) {
        ("violated", _) => format!("{} {model}\n", style.paint("1;31", "violated")),
        ("holds", _) => format!("{} {model}\n", style.paint("1;32", "holds")),
        (_, Some(reason)) => {
            let place = report.reason_place.as_ref().filter(|place| place.line > 0);
            let place = place.map_or(String::new(), |place| format!("{}:{}: ", place.file, place.line));
            let needed = report.needed_value.as_ref().map_or(String::new(), |needed| format!(": {needed}"));
            format!("{} {model}: {place}{}{needed}\n", style.paint("1;33", "unknown"), reason)
        }
        (verdict, None) => format!("{verdict} {model}\n"),
    }
}

fn whole(report: &Report, style: Style) -> String {
    let mut out = headline(report, style);
    let statistics = &report.statistics;
    let _ = writeln!(
        out,
        "  {}, {:.2} seconds, memory: {}",
        explored(statistics, report.unit()),
        statistics.seconds,
        HumanBytes(statistics.peak_rss_bytes),
    );
    if let Some(probability) = statistics.omission_probability {
        let _ =
            writeln!(out, "  hash compaction: the probability that some state was missed is at most {probability:.1e}");
    }
    if !report.stubs.is_empty() {
        let _ = writeln!(out, "  stubs, which return a value and do nothing else: {}", report.stubs.join(", "));
    }
    if let Some(comparison) = &report.cross_check {
        let _ = writeln!(out, "  cross-check: {comparison}");
    }
    if let Some(robustness) = report.robustness {
        let _ = writeln!(out, "  {}", describe_robustness(robustness, report));
    }
    for line in report.most_work().into_iter().flatten() {
        let _ = writeln!(out, "  {line}");
    }
    for line in report.coverage.iter().flat_map(coverage::describe) {
        let is_warning = line.starts_with("warning");
        let _ = writeln!(out, "  {}", if is_warning { style.paint("1;33", &line) } else { line });
    }
    if let Some(task) = &report.task {
        out.push_str(&task.describe(&report.model));
    }
    for violation in &report.violations {
        describe_violation(&mut out, violation, style);
    }
    if let Some(reason) = report.unfinished {
        let _ = writeln!(out, "\nthere may be more violations than these: {}", reason.describe());
    }
    if let Some(execution) = &report.only_execution {
        describe_execution(&mut out, execution);
    }
    if let Some(finals) = &report.final_states {
        let _ = writeln!(out, "\n{} final states (exit status and globals are in the JSON report)", finals.len());
    }
    if let Some(why) = &report.no_final_states {
        let _ = writeln!(out, "\n{why}");
    }
    if let Some(repair) = &report.repair {
        out.push_str(&repair.describe(&report.model));
        if let Some(violation) = &repair.under_sc {
            describe_violation(&mut out, violation, style);
        }
    }
    out
}

fn describe_robustness(robustness: Robustness, report: &Report) -> String {
    let model = &report.model;
    match robustness {
        Robustness::Robust if model == "sc" => {
            "robust: sc has no store buffers, so every execution is sequentially consistent".to_owned()
        }
        Robustness::Robust if report.violations.is_empty() && report.bounds.buffer_bound == 0 => {
            format!(
                "robust: under {model} this program does exactly what it does under sc, whatever the length of store buffers"
            )
        }
        Robustness::Robust if report.violations.is_empty() => {
            format!(
                "robust: every execution under {model} is sequentially consistent, as if there were no store buffers"
            )
        }
        Robustness::Robust => {
            format!(
                "robust: every execution under {model} is sequentially consistent up to where it goes wrong, so sc has the same violations"
            )
        }
        Robustness::NotRobust => format!("not robust: an execution under {model} is not sequentially consistent"),
        Robustness::Undecided => {
            "whether the program is robust is not known: not every execution was explored".to_owned()
        }
    }
}

/// The bounds of a formula, as options, and its size.
fn describe_formula(formula: &FormulaSize) -> String {
    let FormulaSize { unroll, rounds, max_clock, writes, width, .. } = formula;
    let width = width.map(|width| format!(" --width {width}")).unwrap_or_default();
    format!(
        "--unroll {unroll} --rounds {rounds} --max-clock {max_clock} --writes {writes}{width}: {} events, {} variables, {} clauses{}",
        HumanCount(formula.events),
        HumanCount(formula.variables),
        HumanCount(formula.clauses),
        if formula.loops_end { ", no loop goes further" } else { "" }
    )
}

/// The amount that was explored, in the engine's terms.
fn explored(statistics: &Statistics, unit: Unit) -> String {
    let Statistics { states, transitions, executions, max_depth: depth, .. } = *statistics;
    let redundant = statistics.sleep_blocked_executions;
    if unit == Unit::States {
        return format!("{} states, {} transitions, depth {depth}", HumanCount(states), HumanCount(transitions));
    }
    if let Some(formula) = statistics.formula {
        return describe_formula(&formula);
    }
    if unit == Unit::Formulas {
        return "no formula was decided".to_owned();
    }
    let kinds = [
        (statistics.deadlocked_executions, "in deadlocks"),
        (statistics.await_blocked_executions, "in waiting loops"),
        (statistics.endless_executions, "in endless loops"),
        (statistics.bound_blocked_executions, "by the bound on loops"),
        (statistics.assumption_blocked_executions, "by assumptions"),
    ];
    let kinds = kinds.iter().filter(|(count, _)| *count > 0);
    let kinds: Vec<_> = kinds.map(|(count, what)| format!("{} {what}", HumanCount(*count))).collect();
    let mut text = format!("{} executions", HumanCount(executions));
    if !kinds.is_empty() {
        let _ = write!(text, ", blocked: {}", kinds.join(" and "));
    }
    if redundant > 0 {
        let _ = write!(text, ", {} redundant", HumanCount(redundant));
    }
    if let Some(classes) = statistics.reads_from_classes {
        let _ = write!(text, ", {} reads-from classes", HumanCount(classes));
    }
    if let Some(bound) = statistics.loop_bound {
        let _ = write!(text, ", with at most {} turns of a loop", HumanCount(bound.into()));
    }
    format!("{text}, {} events, depth {depth}", HumanCount(statistics.events))
}

/// Describes the only execution of a program: its exit status if not 0, and its output if any.
fn describe_execution(out: &mut String, execution: &ExecutionEnd) {
    if execution.exit != 0 {
        let _ = writeln!(out, "  the only execution ends with status {}", execution.exit);
    }
    if !execution.output.is_empty() {
        let _ = writeln!(out, "\n  printed by the only execution:");
        quote(out, &execution.output);
    }
}

fn quote(out: &mut String, printed: &str) {
    printed.lines().for_each(|line| {
        let _ = writeln!(out, "  | {line}");
    });
}

fn describe_violation(out: &mut String, violation: &ReportedViolation, style: Style) {
    let place = if violation.line == 0 { String::new() } else { format!("{}:{}: ", violation.file, violation.line) };
    let what = format!("{}: {}", violation.kind.describe(), violation.message);
    let _ = writeln!(out, "\n{}", style.bold(&format!("{place}{what}")));
    let files: BTreeSet<&str> = violation.trace.iter().map(|event| event.file.as_str()).collect();
    if let Some(preemptions) = violation.preemptions {
        let _ = writeln!(out, "  preemptions, the fewest possible: {preemptions}");
    }
    describe_trace(out, violation, &files, style);
    let _ = writeln!(out, "\n  {} thread {}: {what}", style.paint("1;31", "=>"), violation.thread);
    for frame in names::stack(&violation.stack, style.full) {
        let _ = writeln!(out, "     {frame}");
    }
    for RelatedPlace { what, file, line, thread, function } in &violation.related {
        let place = if *line == 0 { String::new() } else { format!("{file}:{line}: ") };
        let function = if function.is_empty() { String::new() } else { format!(" in {function}") };
        let _ = writeln!(out, "     see {place}{what}, by thread {thread}{function}");
    }
    if let Some(cycle) = &violation.cycle {
        out.push_str(&cycle::describe(cycle, |file| short_name(file, &files)));
    }
    let buffered = violation.trace.last().map_or(&[][..], |event| &event.buffers);
    if !buffered.is_empty() {
        let between = buffered.len().saturating_sub(2 * BUFFERED);
        let text = match between {
            0 => buffered.join(", "),
            _ => {
                let (oldest, newest) = (&buffered[..BUFFERED], &buffered[BUFFERED + between..]);
                format!("{}, ..., {}", oldest.join(", "), newest.join(", "))
            }
        };
        let _ = writeln!(out, "     still in a store buffer: {text}");
    }
    if !violation.output.is_empty() {
        let _ = writeln!(out, "\n  printed until then:");
        quote(out, &violation.output);
    }
}

/// The number of stores shown at each end of the list of buffered stores.
const BUFFERED: usize = 8;

/// The least and the largest width of the column of places; longer places push the rest of their line to the
/// right.
const PLACE: (usize, usize) = (23, 44);

fn describe_trace(out: &mut String, violation: &ReportedViolation, files: &BTreeSet<&str>, style: Style) {
    let shown = if style.full { vec![true; violation.trace.len()] } else { fold::shown(violation) };
    let lines = violation.trace.iter().zip(&shown).filter(|(_, shown)| **shown);
    let lines: Vec<_> = lines.map(|(event, _)| (event, place(event, short_name(&event.file, files), style))).collect();
    let width = lines.iter().map(|(_, place)| place.chars().count()).max().unwrap_or(0).clamp(PLACE.0, PLACE.1);
    let head = format!("  step  thread  {:<width$}  what happens", "where");
    let _ = writeln!(out, "\n{}", style.faint(&head));
    let mut thread = None;
    for (event, place) in &lines {
        let changes = thread.replace(event.thread).is_some_and(|before| before != event.thread);
        if changes {
            let _ = writeln!(out);
        }
        let _ = writeln!(out, "{}", event_line(event, &format!("{place:<width$}"), style));
    }
    let left_out = shown.len() - lines.len();
    if left_out > 0 {
        let lines = if left_out == 1 { "line is" } else { "lines are" };
        let reason = "memory that only one thread uses, repeated loads, the middle of copies";
        let note = format!("  {left_out} {lines} left out: {reason}; --full shows all");
        let _ = writeln!(out, "\n{}", style.faint(&note));
    }
}

/// The place of an event: `queue.c:17 in push`.
fn place(event: &TraceEvent, file: &str, style: Style) -> String {
    let function = if style.full { event.function.as_str().to_owned() } else { names::short(&event.function) };
    match (event.line, function.as_str()) {
        (0, _) => function,
        (line, "") => format!("{file}:{line}"),
        (line, function) => format!("{file}:{line} in {function}"),
    }
}

fn event_line(event: &TraceEvent, place: &str, style: Style) -> String {
    let what = if style.full { what_happens(event) } else { what_happens(&with_short_names(event)) };
    let line = format!("  {:>4}  {:>6}  {place}  {what}", event.step, event.thread);
    let note = pending_note(event);
    if event.operation == "flush" { style.paint("36", &line) } else { line + &style.paint("33", &note) }
}

/// The event with short names of the variables and objects in it.
fn with_short_names(event: &TraceEvent) -> TraceEvent {
    let [address, points_to] = [&event.address, &event.points_to].map(|name| names::short(name).into());
    TraceEvent { address, points_to, ..event.clone() }
}

/// A note about pending stores: the event is a store that is only buffered, or a load that does not see
/// another thread's buffered store.
fn pending_note(event: &TraceEvent) -> String {
    if is_buffered(event) {
        return "   (buffered: other threads do not see it yet)".to_owned();
    }
    unseen(event).map_or_else(String::new, |unseen| {
        format!("   (thread {}'s {} still in its buffer)", unseen.thread, unseen.describe())
    })
}
