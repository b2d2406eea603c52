//! `--cross-check`: the same program by engines which treat store buffers in entirely different ways. Their
//! results must agree.
//!
//! Final states are compared, too. When they are asked for, the stateless engines let processes end at every
//! moment (`engine/stateless/termination.rs`) and give threads the lowest free numbers
//! (`system/state/numbering.rs`). Therefore they explore another time without them, in their usual way. Programs
//! whose inputs are left open have no final states; then verdicts and violations are compared.
//!
//! A stateless engine reports no further violation of an execution in which memory is lost. Which executions
//! have both depends on the ones that it explores, so where memory is lost one may miss other violations.
//!
//! Where a program uses memory that has ended, the engine reads-from explores executions that the others do
//! not (`system/reductions.rs`). What only it finds there is not compared; what it misses is.
//!
//! With `--robustness` the stateless engine alone explores, with the monitor and without. The answers must
//! agree. Which violation is found first may differ.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::args::EngineName;
use crate::outcome::cycle::{Monitored, Robustness};
use crate::outcome::{FinalState, Outcome, Unknown, Verdict, ViolationKind};

/// The engines. The first one decides what is reported.
pub const ENGINES: [EngineName; 3] = [EngineName::Explicit, EngineName::Dpor, EngineName::ReadsFrom];

/// What an engine found.
pub struct Found<'a> {
    /// The engine.
    pub engine: EngineName,
    /// Its outcome.
    pub outcome: &'a Outcome,
    /// Its outcome without final states, if the other one has them and the engine explores otherwise without
    /// them. It may lack violations, since one can hide another one there.
    pub brief: Option<&'a Outcome>,
}

/// The result of comparing outcomes.
pub enum Comparison {
    /// Outcomes of at least two engines agree; the text describes them.
    Agree(String),
    /// The outcomes cannot be compared, because at most one of them is complete.
    Undecided(String),
    /// The outcomes differ; the text has one line for each difference.
    Differ(String),
}

/// Compares outcomes. The results of an engine that was stopped must be among those of the others that are
/// complete. `refused` are engines that refuse the program, with the reason.
#[must_use]
pub fn compare(found: &[Found<'_>], refused: &[(EngineName, String)]) -> Comparison {
    let mut text = String::new();
    for one in found {
        if let Some(brief) = one.brief {
            compare_brief(&mut text, (name(one.engine), one.outcome), brief);
        }
    }
    for (at, one) in found.iter().enumerate() {
        found[at + 1..].iter().for_each(|other| compare_two(&mut text, one, other));
    }
    if !text.is_empty() {
        return Comparison::Differ(text);
    }
    let (whole, stopped): (Vec<_>, Vec<_>) = found.iter().partition(|one| is_whole(one.outcome));
    let stopped = stopped.into_iter().map(|one| {
        let reason = match one.outcome.verdict {
            Verdict::Unknown(reason) => format!(": {}", reason.describe()),
            Verdict::Holds | Verdict::Violated => String::new(),
        };
        format!("the engine {} did not see everything{reason}", name(one.engine))
    });
    let refused =
        refused.iter().map(|(engine, why)| format!("the engine {} refuses the program: {why}", name(*engine)));
    let goes_on = found.iter().any(|one| found.iter().any(|other| goes_on(one, other)));
    let more =
        goes_on.then(|| "what only the engine reads-from finds after uses of ended memory is left out".to_owned());
    let others: Vec<_> = stopped.chain(refused).chain(more).collect();
    if whole.len() < 2 {
        return Comparison::Undecided(others.join("; "));
    }
    let compared = match &whole[0].outcome.final_states {
        Some(finals) => format!("also on {} final states", finals.len()),
        None => "on the verdict and the kinds of violations".to_owned(),
    };
    let names: Vec<_> = whole.iter().map(|one| name(one.engine)).collect();
    let (last, first) = names.split_last().expect("there are two");
    let agree = format!("the engines {} and {last} agree, {compared}", first.join(", "));
    Comparison::Agree([agree].into_iter().chain(others).collect::<Vec<_>>().join("; "))
}

fn compare_two(text: &mut String, one: &Found<'_>, other: &Found<'_>) {
    let [first, second] = [one, other].map(|found| (name(found.engine), found.outcome));
    if is_whole(first.1) && is_whole(second.1) && first.1.verdict != second.1.verdict {
        let _ = writeln!(text, "  verdict: {}, {}", verdict(first), verdict(second));
    }
    for (found, by_other) in [(one, other), (other, one)] {
        let (engine, one, other) = (name(found.engine), found.outcome, by_other.outcome);
        if !is_whole(other) || goes_on(found, by_other) {
            continue;
        }
        let mut found = kinds(one);
        if kinds(other).contains(&ViolationKind::MemoryLeak) {
            found.retain(|&kind| kind == ViolationKind::MemoryLeak);
        }
        describe(text, "violation", engine, &found, &kinds(other), |kind| kind.describe().to_owned());
        describe(text, "final state", engine, &finals(one), &finals(other), show);
    }
}

/// True if an engine explores executions after uses of ended memory that another one found and does not
/// explore.
fn goes_on(one: &Found<'_>, other: &Found<'_>) -> bool {
    let uses_ended = |kind| matches!(kind, ViolationKind::UseAfterFree | ViolationKind::DoubleFree);
    let explores = |found: &Found<'_>| found.engine == EngineName::ReadsFrom;
    explores(one) && !explores(other) && kinds(other.outcome).into_iter().any(uses_ended)
}

fn name(engine: EngineName) -> &'static str {
    engine.capabilities().name
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

/// True if an engine saw everything. Engines give up at different places: where inputs are left open, in
/// loops that only some of them can end, and at copies whose orders they do not all explore.
const fn is_whole(outcome: &Outcome) -> bool {
    let gave_up = matches!(outcome.verdict, Verdict::Unknown(Unknown::LoopBound | Unknown::CopyOrder));
    outcome.complete && !gave_up && (outcome.final_states.is_some() || !outcome.bounded)
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
