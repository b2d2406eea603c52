//! `--cross-check`: the same program by both engines, which treat store buffers in entirely different ways.
//! Their results must agree.
//!
//! Final states are compared, too. When they are asked for, the stateless engine lets processes end at every
//! moment (`engine/stateless/termination.rs`) and gives threads the lowest free numbers
//! (`system/state/numbering.rs`). Therefore it explores a third time without them, in its usual way. Programs
//! whose inputs are left open have no final states; then verdicts and violations are compared.
//!
//! With `--robustness` the stateless engine alone explores, with the monitor and without. The answers must
//! agree. Which violation is found first may differ.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::args::EngineName;
use crate::outcome::cycle::{Monitored, Robustness};
use crate::outcome::{FinalState, Outcome, Verdict, ViolationKind};

/// The two engines.
pub const ENGINES: [EngineName; 2] = [EngineName::Explicit, EngineName::Dpor];

/// The result of comparing two outcomes.
pub enum Comparison {
    /// The outcomes agree; the text describes them.
    Agree(String),
    /// The outcomes cannot be compared, because one of them is incomplete.
    Undecided(String),
    /// The outcomes differ; the text has one line for each difference.
    Differ(String),
}

/// Compares the outcomes of [`ENGINES`]. The results of an engine that was stopped must be among those of the
/// other one, if that was complete. `brief` is the outcome of the second engine without final states, if the
/// outcomes have them. It may lack violations, since one can hide another one there.
#[must_use]
pub fn compare(outcomes: [&Outcome; 2], brief: Option<&Outcome>) -> Comparison {
    let [first, second] = [0, 1].map(|at| (ENGINES[at].capabilities().name, outcomes[at]));
    let mut text = String::new();
    if let Some(brief) = brief {
        compare_brief(&mut text, second, brief);
    }
    if outcomes.iter().all(|outcome| is_whole(outcome)) && first.1.verdict != second.1.verdict {
        let _ = writeln!(text, "  verdict: {}, {}", verdict(first), verdict(second));
    }
    for ((engine, one), (_, other)) in [(first, second), (second, first)] {
        if is_whole(other) {
            describe(&mut text, "violation", engine, &kinds(one), &kinds(other), |kind| kind.describe().to_owned());
            describe(&mut text, "final state", engine, &finals(one), &finals(other), show);
        }
    }
    let stopped = [first, second].into_iter().find(|(_, outcome)| !is_whole(outcome));
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
            let compared = match &first.1.final_states {
                Some(finals) => format!("also on {} final states", finals.len()),
                None => "on the verdict and the kinds of violations".to_owned(),
            };
            Comparison::Agree(format!("the engines {} and {} agree, {compared}", first.0, second.0))
        }
    }
}

/// Compares the answers to whether the program is robust, of a search with the monitor and of one without.
#[must_use]
pub fn compare_ways(watched: &Outcome, unwatched: &Outcome) -> Comparison {
    let name = |outcome: &Outcome| match outcome.robustness {
        Some(Robustness::Robust) => "robust",
        Some(Robustness::NotRobust) => "not robust",
        Some(Robustness::Undecided) | None => "not decided",
    };
    let is_decided = |outcome: &Outcome| matches!(outcome.robustness, Some(Robustness::Robust | Robustness::NotRobust));
    match (&watched.monitor, [watched, unwatched].map(is_decided)) {
        (None, _) => Comparison::Undecided("there is no monitor for this model".to_owned()),
        (Some(Monitored::Left(reason)), _) => {
            Comparison::Undecided(format!("nothing was compared, since the monitor does not decide this: {reason}"))
        }
        (Some(Monitored::Exact), [true, true]) if watched.robustness == unwatched.robustness => {
            Comparison::Agree(format!("{} with the monitor and without", name(watched)))
        }
        (Some(Monitored::Exact), [true, true]) => Comparison::Differ(format!(
            "  robustness: {} with the monitor, {} without\n",
            name(watched),
            name(unwatched)
        )),
        (Some(Monitored::Exact), _) => {
            Comparison::Undecided(format!("{} with the monitor, {} without", name(watched), name(unwatched)))
        }
    }
}

/// True if an engine saw everything. Where inputs are left open, the engines give up at different places.
const fn is_whole(outcome: &Outcome) -> bool {
    outcome.complete && (outcome.final_states.is_some() || !outcome.bounded)
}

/// Compares the outcomes of one engine with final states and without.
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
