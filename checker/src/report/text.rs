//! The report for people: the verdict in one line, then the execution that shows a violation, one event a line.

use std::fmt::Write;

use indicatif::{HumanBytes, HumanCount};

use super::json::{Report, ReportedViolation};
use crate::system::observe::Event;

/// Prints a report to standard output; `quiet` only its first line.
pub fn print(report: &Report, quiet: bool, color: bool) {
    let style = Style { color };
    let text = if quiet { headline(report, style) } else { full(report, style) };
    // A reader that closed the pipe wants no more text.
    drop(std::io::Write::write_all(&mut std::io::stdout(), text.as_bytes()));
}

#[derive(Clone, Copy)]
struct Style {
    color: bool,
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
    let model = format!("under {}", report.model);
    match (report.verdict.as_str(), report.reason) {
        ("violated", _) => format!("{} {model}\n", style.paint("1;31", "violated")),
        ("holds", _) => format!("{} {model}\n", style.paint("1;32", "holds")),
        (_, Some(reason)) => format!("{} {model}: {}\n", style.paint("1;33", "unknown"), reason.describe()),
        (verdict, None) => format!("{verdict} {model}\n"),
    }
}

fn full(report: &Report, style: Style) -> String {
    let mut out = headline(report, style);
    let statistics = &report.statistics;
    let _ = writeln!(
        out,
        "  {} states, {} transitions, depth {}, {:.2} seconds, memory: {}",
        HumanCount(statistics.states),
        HumanCount(statistics.transitions),
        statistics.max_depth,
        statistics.seconds,
        HumanBytes(statistics.peak_rss_bytes),
    );
    for violation in &report.violations {
        describe_violation(&mut out, violation, style);
    }
    if let Some(finals) = &report.final_states {
        let _ = writeln!(out, "\n{} final states (exit status and globals are in the JSON report)", finals.len());
    }
    out
}

fn describe_violation(out: &mut String, violation: &ReportedViolation, style: Style) {
    let place = if violation.line == 0 { String::new() } else { format!(" at {}:{}", violation.file, violation.line) };
    let what = violation.kind.describe();
    let _ = writeln!(out, "\n{}{place}", style.bold(&format!("{what}: {}", violation.message)));
    let _ = writeln!(out, "\n{}", style.faint("  thread  where                      what happens"));
    let mut thread = None;
    for event in &violation.trace {
        let changes = thread.replace(event.thread).is_some_and(|before| before != event.thread);
        if changes && event.operation != "flush" {
            let _ = writeln!(out);
        }
        let _ = writeln!(out, "{}", event_line(event, style));
    }
    let _ = writeln!(out, "\n  {} thread {}: {what}: {}", style.paint("1;31", "=>"), violation.thread, violation.message);
    for frame in &violation.stack {
        let _ = writeln!(out, "       in {} at {}", frame.function, frame.place);
    }
    if !violation.output.is_empty() {
        let _ = writeln!(out, "\n  printed until then:");
        violation.output.lines().for_each(|line| {
            let _ = writeln!(out, "  | {line}");
        });
    }
}

fn event_line(event: &Event, style: Style) -> String {
    let file = event.file.rsplit('/').next().unwrap_or_default();
    let place = if event.line == 0 { String::new() } else { format!("{file}:{}", event.line) };
    let what = what_happens(event);
    let pending = if event.buffers.is_empty() { String::new() } else { format!("   [buffered: {}]", event.buffers.join(", ")) };
    if event.operation == "flush" {
        return style.paint("36", &format!("    {:>2}    {:<25}  {what}", event.thread, "")) + &style.faint(&pending);
    }
    format!("    {:>2}    {place:<25}  {what}{}", event.thread, style.faint(&pending))
}

fn what_happens(event: &Event) -> String {
    let Event { operation, address, value, source, .. } = event;
    match operation.as_str() {
        "load" => format!("load  {address} = {value}   (from {source})"),
        "flush" => format!("  … {address} = {value} reaches memory ({source})"),
        _ if operation.starts_with("store") => {
            let order = operation.trim_start_matches("store");
            format!("store {address} = {value}{order}")
        }
        _ => [operation.as_str(), address, value].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" "),
    }
}
