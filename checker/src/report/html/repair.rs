//! The result of `--fix`: the edits, what they lead to, and the diff.

use maud::{Markup, html};

use super::sentence;
use crate::report::json::Report;
use crate::report::repair::{CHEAPEST, Repair, RepairEdit};

/// The section, if a repair was asked for.
pub fn section(report: &Report) -> Markup {
    html! {
        @if let Some(repair) = &report.repair {
            section id="fix" {
                h2 { "Fix: " (repair.headline(&report.model)) }
                @if !repair.edits.is_empty() { ol.fences { @for edit in &repair.edits { li { (described(edit)) } } } }
                @if let Some(verified) = repair.verified(&report.model) {
                    p { (sentence(&verified)) " " (sentence(CHEAPEST)) }
                }
                @for note in &repair.notes { p.note { "Note: " (note) "." } }
                @if let Some(violation) = &repair.under_sc {
                    p {
                        "No fence helps against this, which happens under sc, too: " strong { (violation.kind.describe()) }
                        " at " (violation.file) ":" (violation.line) ": " (violation.message) "."
                    }
                }
                @if !repair.diff.is_empty() { (diff(repair)) }
            }
        }
    }
}

fn described(edit: &RepairEdit) -> Markup {
    let RepairEdit { file, line, place, text, in_loop, why, .. } = edit;
    html! {
        (file) ":" (line) ": " code { (text) } ", " (place) @if *in_loop { ", in a loop" }
        p.relation { (why) }
    }
}

fn diff(repair: &Repair) -> Markup {
    // The lines before repeat the list of edits.
    let lines = repair.diff.lines().skip_while(|line| !line.starts_with("--- "));
    html! {
        details open {
            summary {
                "The diff, for " code { "patch -p1" @if !repair.directory.is_empty() { " -d " (repair.directory) } }
            }
            ol.listing.diff {
                @for line in lines {
                    li class=(kind(line)) { code { (line) } }
                }
            }
        }
    }
}

/// The class of a line of a diff.
fn kind(line: &str) -> &'static str {
    match line.as_bytes() {
        [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] | [b'@', ..] => "head",
        [b'+', ..] => "added",
        [b'-', ..] => "removed",
        _ => "",
    }
}
