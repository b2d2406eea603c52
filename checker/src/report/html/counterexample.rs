//! One counterexample: its explanation, the picture with the source beside it, and the events in words.

use maud::{Markup, html};

use super::source::Lines;
use super::{Sources, cycle, timeline};
use crate::outcome::ViolationKind;
use crate::outcome::event::RelatedPlace;
use crate::report::events::unseen;
use crate::report::json::{Report, ReportedViolation};
use crate::report::names;

/// The counterexample with this number, from 0.
pub fn section(number: usize, violation: &ReportedViolation, report: &Report, sources: &Sources) -> Markup {
    let lines = Lines::new(number, violation, sources);
    html! {
        section.execution id={ "execution-" (number + 1) } {
            h2 { (heading(violation)) }
            p.message { (violation.message) }
            p { (explanation(violation.kind)) }
            (late_stores(violation))
            @if let Some(cycle) = &violation.cycle { (cycle::describe(cycle)) }
            (places(violation))
            div.picture {
                (timeline::timeline(violation, report, &lines))
                (lines.panel())
            }
            @if !violation.output.is_empty() {
                h3 { "Printed until then" }
                pre.output { (violation.output) }
            }
            details {
                summary { "The same in words: " (violation.trace.len()) " events" }
                ol.words { @for event in &violation.trace { li { (timeline::words(event)) } } }
            }
        }
    }
}

fn heading(violation: &ReportedViolation) -> String {
    let what = violation.kind.describe();
    if violation.line == 0 { what.to_owned() } else { format!("{}:{}: {what}", violation.file, violation.line) }
}

/// An explanation of this kind of violation.
const fn explanation(kind: ViolationKind) -> &'static str {
    match kind {
        ViolationKind::Assertion => {
            "The program itself says, with an assertion, that this cannot be. In the execution below it is so."
        }
        ViolationKind::UncaughtException => {
            "An exception was thrown that no function catches, or that leaves a function which promises to throw none."
        }
        ViolationKind::Panic => {
            "A thread panics: an assertion, an index, an overflow, or a value that is not what the program says it is. In the execution below it comes there."
        }
        ViolationKind::Abort | ViolationKind::ReachError => {
            "The program calls a function that says that something is wrong. The execution below comes there."
        }
        ViolationKind::Deadlock => {
            "Every thread that is left waits for something that only another waiting thread could do, so nothing happens any more."
        }
        ViolationKind::DataRace => {
            "Two threads access the same memory, one of them writes, and nothing orders the two: in C such a program has no meaning."
        }
        ViolationKind::MemoryLeak => {
            "Memory was allocated, and nothing leads to it any more, so that it can never be freed."
        }
        ViolationKind::NotRobust => {
            "No machine without store buffers has this execution: whatever the order of the threads, it would need a thing to happen before itself."
        }
        ViolationKind::UseAfterFree | ViolationKind::UseAfterReturn | ViolationKind::DoubleFree => {
            "Memory is used whose life is over. By then it may belong to something else."
        }
        _ => "In C this has no defined meaning: a real run may crash, go on with wrong values, or seem to work.",
    }
}

/// The loads that did not see a store because it was delayed; these are where store buffers made a
/// difference.
fn late_stores(violation: &ReportedViolation) -> Markup {
    let loads = violation.trace.iter().filter_map(|event| Some((event, unseen(event)?)));
    let loads: Vec<_> = loads.collect();
    html! {
        @if !loads.is_empty() {
            h3 { "Where store buffers make the difference" }
            ul.late {
                @for (event, unseen) in loads {
                    li {
                        "Step " (event.step) ": thread " (event.thread) " loads " code { (event.address) } " at line " (event.line) " and sees " code { (event.value) }
                        ", because "
                        @for (at, store) in unseen.stores.iter().enumerate() { @if at > 0 { " and " } code { (store) } }
                        " of thread " (unseen.thread) @if unseen.stores.len() > 1 { " are" } @else { " is" } " still in its store buffer."
                    }
                }
            }
        }
    }
}

/// The stack of the thread at fault, and the other places that matter.
fn places(violation: &ReportedViolation) -> Markup {
    html! {
        @if !violation.stack.is_empty() && violation.kind != ViolationKind::Deadlock {
            p.stack {
                "Thread " (violation.thread) " is in "
                @for (depth, (frame, more)) in names::shown_frames(&violation.stack).enumerate() {
                    @if depth > 0 { ", called by " }
                    code title=(frame.function) { (names::short(&frame.function)) }
                    @if let Some(place) = frame.known_place() { " (" (place) ")" }
                    @if more > 0 { " and " (more) " more of the standard library" }
                }
                "."
            }
        }
        @if !violation.related.is_empty() {
            ul.related {
                @for RelatedPlace { what, file, line, thread, function } in &violation.related {
                    li {
                        @if *line > 0 { code { (file) ":" (line) } ": " }
                        (what) ", by thread " (thread)
                        @if !function.is_empty() { " in " code title=(function) { (names::short(function)) } }
                    }
                }
            }
        }
    }
}
