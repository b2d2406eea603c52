//! What an engine has found so far, and the verdict that follows from it: the same for all engines.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::coverage;
use crate::ir::ids::{FuncId, Pc};
use crate::outcome::{
    ExecutionEnd, FinalState, Outcome, Place, Statistics, Unknown, Verdict, Violation, ViolationKind,
};
use crate::property::{Meaning, Property};
use crate::system::Machine;

/// Violations, final states, and what stands in the way of a proof.
#[derive(Debug)]
pub struct Findings {
    property: Property,
    keep_going: bool,
    violations: Vec<Violation>,
    /// What went wrong beside the property that is checked.
    others: Vec<Violation>,
    /// What was seen beside these.
    pub seen: SideFindings,
    /// Final states seen.
    pub final_states: BTreeSet<FinalState>,
}

/// What is known beside what is reported with its schedule.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SideFindings {
    /// Where the program first did something undefined that is no violation of the property.
    undefined: Option<Place>,
    /// A limit that cut off executions, and where.
    cut: Option<(Unknown, Place)>,
    /// Kinds and places of the violations so far.
    reported: BTreeSet<(ViolationKind, FuncId, Pc)>,
}

impl Findings {
    /// Nothing yet. `keep_going`: every distinct violation is wanted.
    #[must_use]
    pub const fn new(property: Property, keep_going: bool) -> Self {
        Self {
            property,
            keep_going,
            violations: Vec::new(),
            others: Vec::new(),
            seen: SideFindings { undefined: None, cut: None, reported: BTreeSet::new() },
            final_states: BTreeSet::new(),
        }
    }

    /// The same, if what was cut off was explored since or will be.
    #[must_use]
    pub fn without_cuts(mut self) -> Self {
        self.seen.cut = None;
        self
    }

    /// Takes note that something went wrong at the innermost of these frames of `machine`; whether it is to
    /// be reported with its schedule.
    pub fn notes(&mut self, machine: &Machine<'_>, kind: ViolationKind, frames: &[(FuncId, Pc)]) -> bool {
        let meaning = self.property.meaning(kind);
        if meaning == Meaning::Undefined && self.seen.undefined.is_none() {
            self.seen.undefined = Some(machine.program().first_place(frames));
        } else if meaning != Meaning::Violates && !(meaning == Meaning::Undefined && self.keep_going) {
            return false;
        }
        let (function, pc) = frames[0];
        self.seen.reported.insert((kind, function, pc))
    }

    /// Adds what is to be reported.
    pub fn add(&mut self, violation: Violation) {
        if self.property.meaning(violation.fault.kind) == Meaning::Violates {
            self.violations.push(violation);
        } else {
            self.others.push(violation);
        }
    }

    /// Whether the exploration can end when something of this kind is found.
    #[must_use]
    pub fn would_be_enough(&self, kind: ViolationKind) -> bool {
        !self.keep_going && self.property.meaning(kind) == Meaning::Violates
    }

    /// Whether the exploration can end, because what was asked for is found.
    #[must_use]
    pub fn is_enough(&self) -> bool {
        !self.violations.is_empty() && !self.keep_going
    }

    /// Takes note of a limit that ends executions at the innermost of these frames.
    pub fn cut_off(&mut self, machine: &Machine<'_>, limit: Unknown, frames: &[(FuncId, Pc)]) {
        if self.seen.cut.is_none() {
            self.seen.cut = Some((limit, machine.program().first_place(frames)));
        }
    }

    /// The verdict, and where its reason is. `stopped`: why not everything was explored.
    #[must_use]
    pub fn verdict(&self, machine: &Machine<'_>, stopped: Option<Unknown>) -> (Verdict, Option<Place>) {
        let undefined = || self.seen.undefined.clone().map(|place| (Unknown::OtherViolation, place));
        let bound = || machine.tally.bound_was_hit.clone().map(|place| (Unknown::BufferBound, place));
        let left_out = || machine.tally.left_out.clone();
        match stopped {
            _ if !self.violations.is_empty() => (Verdict::Violated, None),
            Some(limit) => (Verdict::Unknown(limit), None),
            None => match undefined().or_else(|| self.seen.cut.clone()).or_else(bound).or_else(left_out) {
                Some((reason, place)) => (Verdict::Unknown(reason), Some(place)),
                None => (Verdict::Holds, None),
            },
        }
    }

    /// Whether some execution was cut off, or not tried, because of a bound.
    #[must_use]
    pub fn is_bounded(&self, machine: &Machine<'_>) -> bool {
        self.seen.cut.is_some() || machine.tally.bound_was_hit.is_some() || machine.tally.left_out.is_some()
    }

    /// The outcome.
    #[must_use]
    pub fn outcome(
        self,
        machine: &Machine<'_>,
        stopped: Option<Unknown>,
        statistics: Statistics,
        only_execution: Option<ExecutionEnd>,
    ) -> Outcome {
        let (verdict, reason_place) = self.verdict(machine, stopped);
        let is_enough = self.is_enough();
        let final_states = machine.config().final_states.then_some(self.final_states);
        // Beside a violation of the property, other ones are of interest only to who wants all.
        let others = if self.violations.is_empty() || self.keep_going { self.others } else { Vec::new() };
        let violations = self.violations.into_iter().chain(others).collect();
        let coverage =
            (verdict == Verdict::Holds).then(|| coverage::coverage(machine.program(), &machine.tally.reached));
        let complete = stopped.is_none() && !is_enough && machine.tally.bound_was_hit.is_none();
        Outcome {
            verdict,
            reason_place,
            complete,
            violations,
            statistics,
            final_states,
            only_execution,
            robustness: None,
            coverage,
            hottest: None,
            guards: machine.config().guards.clone().into(),
            buffer_bound: machine.config().buffer_bound,
        }
    }
}
