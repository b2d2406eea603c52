//! The head of the page: the verdict, for readers who do not know memory models.

use maud::{Markup, html};

use super::sentence;
use crate::outcome::cycle::Robustness;
use crate::report::coverage;
use crate::report::json::Report;
use crate::system::Clocks;

/// The head.
pub fn header(report: &Report) -> Markup {
    let (mark, headline) = match report.verdict.as_str() {
        "holds" => ("✓", "Nothing goes wrong"),
        "violated" => ("✗", "Something goes wrong"),
        _ => ("?", "Not known"),
    };
    html! {
        header class=(report.verdict) {
            p.tool { "rmc-check: " (report.inputs.join(", ")) }
            h1 id="verdict" data-verdict=(report.verdict) {
                span.mark aria-hidden="true" { (mark) } " " (headline)
                " " small { (report.verdict) " under " (report.model) }
            }
            p.meaning { (meaning(report)) }
            p { (machine(&report.model)) }
            @if let Some(robustness) = report.robustness { p { (robust(robustness, &report.model)) } }
            @if let Some(comparison) = &report.cross_check { p { "Cross-check: " (comparison) "." } }
            @for line in report.coverage.iter().flat_map(coverage::describe) { p.coverage { (line) "." } }
            @if let Some(task) = &report.task { pre { (task.describe(&report.model)) } }
            @if !report.stubs.is_empty() {
                p { "Taken to return a value and do nothing else: " code { (report.stubs.join(", ")) } "." }
            }
            p.options { (options(report)) }
        }
    }
}

fn meaning(report: &Report) -> Markup {
    let property = report.bounds.property.as_ref();
    html! {
        @match (report.verdict.as_str(), report.violations.first()) {
            ("holds", _) => {
                "No execution of this program does anything wrong on this machine. That is a proof, not a sample: every order of the threads and every delay of their "
                "stores was considered."
            }
            ("violated", Some(violation)) => {
                "There is an execution that goes wrong: " strong { (violation.kind.describe()) }
                @if violation.line > 0 { ", at " a href="#execution-1" { (violation.file) ":" (violation.line) } }
                ". It is shown below, step by step."
                @if let Some(preemptions) = violation.preemptions {
                    " It has " (preemptions) " preemptions (switches from a thread that could go on), the fewest possible."
                }
                @if let Some(reason) = report.unfinished { " There may be more: " (reason.describe()) "." }
            }
            _ => {
                "Neither a proof nor a mistake was found: " (report.reason_in_words().unwrap_or_default()) "."
                @if let Some(needed) = &report.needed_value { " It is " (needed) "." }
                @if let Some(place) = report.reason_place.as_ref().filter(|place| place.line > 0) {
                    " It was first met at " code { (place.file) ":" (place.line) } "."
                }
                " What was not explored may be right or wrong."
                @for line in report.most_work().into_iter().flatten() { " " (sentence(&line)) }
            }
        }
        @if let Some(property) = property { " Checked was the property " code { (property) } "." }
    }
}

fn machine(model: &str) -> &'static str {
    match model {
        "sc" => {
            "The machine is sequentially consistent (sc): a store is seen by all threads at once. What fails here is a matter of the order of the threads alone."
        }
        "tso" => {
            "The machine is that of x86 processors (tso): a thread's stores wait in its store buffer, in order, before they reach memory. The thread itself sees them at once, \
             the other threads only when they are in memory."
        }
        _ => {
            "The machine has partial store order (pso): a thread's stores wait in its store buffer before they reach memory, and those to different variables may arrive there in \
             any order. The thread itself sees them at once, the other threads only when they are in memory."
        }
    }
}

fn robust(robustness: Robustness, model: &str) -> String {
    match robustness {
        Robustness::Robust => "The program is robust: store buffers make no difference to it.".to_owned(),
        Robustness::NotRobust => {
            format!(
                "The program is not robust: under {model} it has an execution that a machine without store buffers does not have."
            )
        }
        Robustness::Undecided => {
            "Whether store buffers make a difference is not known, since not every execution was explored.".to_owned()
        }
    }
}

fn options(report: &Report) -> String {
    let bounds = &report.bounds;
    let flags = [
        (bounds.weak_release, "--weak-release"),
        (!bounds.local_memory_detection, "without detection of local memory"),
        (bounds.svcomp, "--svcomp"),
        (bounds.malloc_may_fail, "--malloc-may-fail"),
        (bounds.races, "--races"),
        (bounds.spurious_wakeups, "--spurious-wakeups"),
        (bounds.clocks == Clocks::Pass, "--clocks pass"),
    ];
    let mut all = vec![format!("engine {}", report.engine)];
    match bounds.buffer_bound {
        _ if report.model == "sc" => {}
        0 => all.push("any number of delayed stores".to_owned()),
        bound => all.push(format!("up to {bound} delayed stores a thread")),
    }
    all.extend(flags.iter().filter(|(given, _)| *given).map(|(_, name)| (*name).to_owned()));
    all.extend(bounds.processors.map(|count| format!("{count} processors")));
    all.extend(bounds.unroll.map(|turns| format!("loops up to {turns} turns")));
    all.extend(bounds.max_states.map(|states| format!("at most {states} states")));
    all.extend(bounds.max_memory_bytes.map(|bytes| format!("at most {bytes} bytes")));
    all.extend(bounds.timeout_seconds.map(|seconds| format!("at most {seconds} seconds")));
    all.extend(report.build_directory.iter().map(|build| format!("compiled as in the build {build}")));
    all.extend(
        (!report.compiler_options.is_empty()).then(|| format!("compiled with {}", report.compiler_options.join(" "))),
    );
    format!("Options: {}.", all.join(", "))
}
