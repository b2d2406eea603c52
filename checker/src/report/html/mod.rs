//! The report as one page for a browser: the verdict in words, each counterexample as a picture with the
//! source beside it, and the statistics as charts.
//!
//! The page is self-contained: it loads nothing from the network and needs no scripts. All text from the
//! program is escaped (by `maud`). Tests: `tests/tests/page.rs`, in a browser.

mod charts;
mod counterexample;
mod cycle;
mod graph;
mod lanes;
mod numbers;
mod repair;
mod source;
mod timeline;
mod verdict;

use std::collections::{BTreeMap, BTreeSet};

use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::json::Report;
use crate::outcome::event::TraceEvent;

const STYLE: &str = include_str!("style.css");

/// The text of source files by their names in the report. A file that could not be read is missing.
pub type Sources = BTreeMap<String, String>;

/// The source files of which a page of this report shows lines.
#[must_use]
pub fn files(report: &Report) -> BTreeSet<&str> {
    let events =
        report.violations.iter().flat_map(|violation| &violation.trace).map(|event: &TraceEvent| event.file.as_str());
    let places = report.violations.iter().map(|violation| violation.file.as_str());
    let related = report.violations.iter().flat_map(|violation| &violation.related).map(|place| place.file.as_str());
    let lines = report.statistics.measures.lines.iter().map(|line| line.place.file.as_str());
    let all = events.chain(places).chain(related).chain(lines);
    all.filter(|file| !file.is_empty()).collect()
}

/// The page.
#[must_use]
pub fn page(report: &Report, sources: &Sources) -> String {
    let title = format!("{} under {}: {}", report.verdict, report.model, report.inputs.join(", "));
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                // The page itself forbids all network requests.
                meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                (verdict::header(report))
                main {
                    (repair::section(report))
                    (counterexamples(report, sources))
                    (numbers::section(report, sources))
                }
                footer {
                    "Written by rmc-check " (env!("CARGO_PKG_VERSION"))
                    ". The same in a form for programs: " code { "--report FILE.json" } "."
                }
            }
        }
    };
    page.into_string()
}

/// A line of the text report as a sentence.
fn sentence(line: &str) -> String {
    let mut characters = line.chars();
    let first = characters.next().map(char::to_uppercase);
    first.into_iter().flatten().chain(characters).chain(['.']).collect()
}

fn counterexamples(report: &Report, sources: &Sources) -> Markup {
    html! {
        @for (number, violation) in report.violations.iter().enumerate() {
            (counterexample::section(number, violation, report, sources))
        }
        @if !report.violations.is_empty() { (timeline::legend()) }
    }
}
