//! `--cross-check`: the same program by both engines, which treat store buffers in entirely different ways. What they find must agree.
//!
//! Final states are compared, too. Where they are asked for, the stateless engine lets processes end at every moment (`dpor/ends.rs`)
//! and gives threads the lowest free numbers (`system/numbering.rs`). It explores a third time without them, as it usually does.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::args::EngineName;
use crate::outcome::{FinalState, Outcome, ViolationKind};

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

/// Compares the outcomes of the two engines. What an engine found before it was stopped must be among what the other found, if that one was not.
/// `brief`: the outcome of the stateless engine without final states. One way to go wrong may hide another one there.
#[must_use]
pub fn compare(explicit: &Outcome, dpor: &Outcome, brief: &Outcome) -> Comparison {
    let mut text = String::new();
    let violates = |outcome: &Outcome| !outcome.violations.is_empty();
    if dpor.complete && (brief.complete || violates(brief)) && violates(dpor) != violates(brief) {
        let verdicts = [dpor, brief].map(|outcome| format!("{:?}", outcome.verdict).to_lowercase());
        let _ = writeln!(text, "  verdict: dpor {}, without final states {}", verdicts[0], verdicts[1]);
    }
    if dpor.complete {
        let by_brief = "dpor without final states";
        describe(&mut text, "violation", by_brief, &kinds(brief), &kinds(dpor), |kind| kind.describe().to_owned());
    }
    if explicit.complete && dpor.complete && explicit.verdict != dpor.verdict {
        let verdicts = [explicit, dpor].map(|outcome| format!("{:?}", outcome.verdict).to_lowercase());
        let _ = writeln!(text, "  verdict: explicit {}, dpor {}", verdicts[0], verdicts[1]);
    }
    for (one, engine, other) in [(explicit, "explicit", dpor), (dpor, "dpor", explicit)] {
        if other.complete {
            describe(&mut text, "violation", engine, &kinds(one), &kinds(other), |kind| kind.describe().to_owned());
            describe(&mut text, "final state", engine, &finals(one), &finals(other), show);
        }
    }
    let stopped = [(explicit, "explicit"), (dpor, "dpor")].into_iter().find(|(outcome, _)| !outcome.complete);
    match stopped {
        _ if !text.is_empty() => Comparison::Differ(text),
        Some((_, engine)) => Comparison::Undecided(format!("the engine {engine} did not see everything")),
        None => {
            let count = finals(explicit).len();
            Comparison::Agree(format!("the engines explicit and dpor agree, also on {count} final states"))
        }
    }
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
