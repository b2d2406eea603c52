//! `--cross-check`: the same program by both engines, which treat store buffers in entirely different ways.
//! What they find must agree.
//!
//! Final states are compared, too. Where they are asked for, the stateless engine lets processes end at every
//! moment (`engine/stateless/termination.rs`) and gives threads the lowest free numbers
//! (`system/state/numbering.rs`). It explores a third time without them, as it usually does.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::args::EngineName;
use crate::outcome::{FinalState, Outcome, Verdict, ViolationKind};

/// The two engines.
pub const ENGINES: [EngineName; 2] = [EngineName::Explicit, EngineName::Dpor];

/// What comparing two outcomes says.
pub enum Comparison {
    /// They agree, in these words.
    Agree(String),
    /// One of them did not see everything, so there is nothing to compare.
    Undecided(String),
    /// They differ in this, one line each.
    Differ(String),
}

/// Compares the outcomes of [`ENGINES`]. What an engine found before it was stopped must be among what the
/// other found, if that one was not. `brief`: the outcome of the second engine without final states. One way
/// to go wrong may hide another one there.
#[must_use]
pub fn compare(outcomes: [&Outcome; 2], brief: &Outcome) -> Comparison {
    let [first, second] = [0, 1].map(|at| (ENGINES[at].capabilities().name, outcomes[at]));
    let mut text = String::new();
    compare_brief(&mut text, second, brief);
    if outcomes.iter().all(|outcome| outcome.complete) && first.1.verdict != second.1.verdict {
        let _ = writeln!(text, "  verdict: {}, {}", verdict(first), verdict(second));
    }
    for ((engine, one), (_, other)) in [(first, second), (second, first)] {
        if other.complete {
            describe(&mut text, "violation", engine, &kinds(one), &kinds(other), |kind| kind.describe().to_owned());
            describe(&mut text, "final state", engine, &finals(one), &finals(other), show);
        }
    }
    let stopped = [first, second].into_iter().find(|(_, outcome)| !outcome.complete);
    match stopped {
        _ if !text.is_empty() => Comparison::Differ(text),
        Some((engine, outcome)) => {
            let reason = match outcome.verdict {
                Verdict::Unknown(reason) => format!(": {}", reason.describe()),
                Verdict::Holds | Verdict::Violated => String::new(),
            };
            Comparison::Undecided(format!("the engine {engine} did not see everything{reason}"))
        }
        None => {
            let count = finals(first.1).len();
            Comparison::Agree(format!("the engines {} and {} agree, also on {count} final states", first.0, second.0))
        }
    }
}

/// Compares what an engine finds with final states and without.
fn compare_brief(text: &mut String, (engine, whole): (&str, &Outcome), brief: &Outcome) {
    let violates = |outcome: &Outcome| !outcome.violations.is_empty();
    if !whole.complete {
        return;
    }
    let without = format!("{engine} without final states");
    if (brief.complete || violates(brief)) && violates(whole) != violates(brief) {
        let _ = writeln!(text, "  verdict: {}, {}", verdict((engine, whole)), verdict((&without, brief)));
    }
    describe(text, "violation", &without, &kinds(brief), &kinds(whole), |kind| kind.describe().to_owned());
}

fn verdict((engine, outcome): (&str, &Outcome)) -> String {
    format!("{engine} {}", format!("{:?}", outcome.verdict).to_lowercase())
}

fn finals(outcome: &Outcome) -> BTreeSet<FinalState> {
    outcome.final_states.clone().unwrap_or_default()
}

fn kinds(outcome: &Outcome) -> BTreeSet<ViolationKind> {
    outcome.violations.iter().map(|violation| violation.fault.kind).collect()
}

fn show(state: &FinalState) -> String {
    serde_json::to_string(state).unwrap_or_default()
}

fn describe<T: Ord>(
    text: &mut String,
    what: &str,
    engine: &str,
    found: &BTreeSet<T>,
    by_other: &BTreeSet<T>,
    show: impl Fn(&T) -> String,
) {
    for one in found.difference(by_other) {
        let _ = writeln!(text, "  {what} that only the engine {engine} finds: {}", show(one));
    }
}
