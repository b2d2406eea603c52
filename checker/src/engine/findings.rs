//! The findings of an engine so far, and the verdict that follows from them. All engines use this.
//!
//! A fault is anything wrong that an execution does. The property that is checked decides what a fault means
//! ([`Property::meaning`]): it violates the property, it makes everything after it undefined, or it is just
//! an end of the execution. Without a property of the competition, every fault is a violation.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::coverage;
use crate::ir::ids::{FuncId, Pc};
use crate::outcome::{
    ExecutionEnd, FinalState, Outcome, Place, Statistics, Unknown, Verdict, Violation, ViolationKind,
};
use crate::property::{Meaning, Property};
use crate::system::Machine;

/// Violations, final states, and the reasons why the property cannot be claimed to hold.
#[derive(Debug)]
pub struct Findings {
    property: Property,
    /// True if every distinct violation is wanted, false if one is enough.
    keep_going: bool,
    violations: Vec<(Violation, Option<Position>)>,
    /// Faults with undefined behaviour that do not violate the property. They are reported, too.
    others: Vec<(Violation, Option<Position>)>,
    /// The findings that have no schedule.
    pub seen: SideFindings,
    /// The final states found, if they are asked for.
    pub final_states: BTreeSet<FinalState>,
}

/// The position of a fault. The program's lines that call a function of the standard library are different
/// positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Position {
    /// The innermost frame of the thread.
    innermost: (FuncId, Pc),
    /// The frame that is shown: see [`Program::shown_frame`](crate::ir::Program::shown_frame).
    shown: Option<(FuncId, Pc)>,
}

impl Position {
    /// The position of a fault in these frames, innermost first; there is at least one.
    pub fn of(machine: &Machine<'_>, frames: &[(FuncId, Pc)]) -> Self {
        Self { innermost: frames[0], shown: machine.program().shown_frame(frames.iter().copied()) }
    }
}

/// Findings that have no schedule. A checkpoint has them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct SideFindings {
    /// The place of the first fault with undefined behaviour that does not violate the property.
    undefined: Option<Place>,
    /// The first limit that cut off an execution, and the place where it did.
    cut: Option<(Unknown, Place)>,
    /// The use of the value that was needed there, if it is one of too many.
    #[serde(default)]
    needed: Option<String>,
    /// The kinds and positions of the faults that are reported. Another fault of the same kind at the same
    /// position is not reported.
    reported: BTreeSet<(ViolationKind, Position)>,
}

impl Findings {
    /// No findings. If `keep_going` is true, every distinct violation is wanted.
    #[must_use]
    pub const fn new(property: Property, keep_going: bool) -> Self {
        Self {
            property,
            keep_going,
            violations: Vec::new(),
            others: Vec::new(),
            seen: SideFindings { undefined: None, cut: None, needed: None, reported: BTreeSet::new() },
            final_states: BTreeSet::new(),
        }
    }

    /// The findings without the limit that cut off executions. A search that starts over uses this, since it
    /// explores these executions again.
    #[must_use]
    pub fn without_cuts(mut self) -> Self {
        (self.seen.cut, self.seen.needed) = (None, None);
        self
    }

    /// Records a fault. `frames` are the frames of its thread, innermost first; there is at least one.
    /// Returns true if the fault is to be reported: the caller then makes its schedule and calls
    /// [`Self::add`].
    ///
    /// Of the faults with undefined behaviour that do not violate the property, the first is reported, and
    /// all if every distinct violation is wanted.
    pub fn notes(&mut self, machine: &Machine<'_>, kind: ViolationKind, frames: &[(FuncId, Pc)]) -> bool {
        match self.property.meaning(kind) {
            Meaning::Violates => {}
            Meaning::Undefined if self.seen.undefined.is_none() => {
                self.seen.undefined = Some(machine.program().first_place(frames));
            }
            Meaning::Undefined if self.keep_going => {}
            Meaning::Undefined | Meaning::Ends => return false,
        }
        self.seen.reported.insert((kind, Position::of(machine, frames)))
    }

    /// Adds a fault to be reported.
    pub fn add(&mut self, violation: Violation) {
        self.add_at(violation, None);
    }

    /// Adds a fault to be reported, with its position where other workers may find the same one.
    pub fn add_at(&mut self, violation: Violation, position: Option<Position>) {
        if self.property.meaning(violation.fault.kind) == Meaning::Violates {
            self.violations.push((violation, position));
        } else {
            self.others.push((violation, position));
        }
    }

    /// Adds the findings of another worker of the search. Of equal faults the one with the shorter schedule is
    /// kept, and faults with shorter schedules come first.
    pub fn absorb(&mut self, other: Self) {
        let Self { violations, others, seen, final_states, .. } = other;
        absorb(&mut self.violations, violations);
        absorb(&mut self.others, others);
        if !self.keep_going {
            self.others.truncate(1);
        }
        self.seen.reported.extend(seen.reported);
        self.seen.undefined = self.seen.undefined.take().or(seen.undefined);
        if self.seen.cut.is_none() {
            (self.seen.cut, self.seen.needed) = (seen.cut, seen.needed);
        }
        self.final_states.extend(final_states);
    }

    /// True if one fault of this kind is all that was asked for, so that the exploration can end with it.
    #[must_use]
    pub fn would_be_enough(&self, kind: ViolationKind) -> bool {
        !self.keep_going && self.property.meaning(kind) == Meaning::Violates
    }

    /// True if a violation was found and no further one is wanted, so that the exploration can end.
    #[must_use]
    pub fn is_enough(&self) -> bool {
        !self.violations.is_empty() && !self.keep_going
    }

    /// Records a limit that cut off an execution. `frames` are those of the thread that met it, innermost
    /// first.
    pub fn cut_off(&mut self, machine: &Machine<'_>, limit: Unknown, frames: &[(FuncId, Pc)]) {
        if self.seen.cut.is_none() {
            self.seen.cut = Some((limit, machine.program().first_place(frames)));
            self.seen.needed = machine.needed_value().filter(|_| limit == Unknown::Nondet).map(str::to_owned);
        }
    }

    /// The verdict, and if it is `unknown` because of something in the program, the place of that. `stopped`
    /// is the reason why the search ended early, if it did.
    #[must_use]
    pub fn verdict(&self, machine: &Machine<'_>, stopped: Option<Unknown>) -> (Verdict, Option<Place>) {
        if !self.violations.is_empty() {
            return (Verdict::Violated, None);
        }
        if let Some(reason) = stopped {
            return (Verdict::Unknown(reason), None);
        }
        match self.reason_against_proof(machine) {
            Some((reason, place)) => (Verdict::Unknown(reason), Some(place)),
            None => (Verdict::Holds, None),
        }
    }

    /// The reason why a search that ended without a violation proves nothing, if there is one, and its place.
    fn reason_against_proof(&self, machine: &Machine<'_>) -> Option<(Unknown, Place)> {
        let undefined = self.seen.undefined.clone().map(|place| (Unknown::OtherViolation, place));
        undefined.or_else(|| self.unexplored(machine))
    }

    /// The reason why a search that ended has not explored every execution to its end, if there is one, and
    /// its place.
    fn unexplored(&self, machine: &Machine<'_>) -> Option<(Unknown, Place)> {
        let full_buffer = || machine.tally.bound_was_hit.clone().map(|place| (Unknown::BufferBound, place));
        self.seen.cut.clone().or_else(full_buffer).or_else(|| machine.tally.left_out.clone())
    }

    /// True if not every execution was explored to its end: a limit cut one off, a full buffer was flushed
    /// early, or some behaviour was left out.
    #[must_use]
    pub fn is_bounded(&self, machine: &Machine<'_>) -> bool {
        self.seen.cut.is_some() || machine.tally.bound_was_hit.is_some() || machine.tally.left_out.is_some()
    }

    /// The outcome of a search with these findings. `stopped` is the reason why the search ended early, if it
    /// did, and `only_execution` the program's execution, if it has exactly one.
    #[must_use]
    pub fn outcome(
        self,
        machine: &Machine<'_>,
        stopped: Option<Unknown>,
        statistics: Statistics,
        only_execution: Option<ExecutionEnd>,
    ) -> Outcome {
        let (verdict, reason_place) = self.verdict(machine, stopped);
        let (is_enough, bounded) = (self.is_enough(), self.is_bounded(machine));
        let wants_more = verdict == Verdict::Violated && self.keep_going;
        let unexplored = || self.unexplored(machine).map(|(reason, _)| reason);
        let unfinished = stopped.or_else(unexplored).filter(|_| wants_more);
        let final_states = machine.config().final_states.then_some(self.final_states);
        // After a violation of the property, other faults are reported only if every violation is wanted.
        let others = if self.violations.is_empty() || self.keep_going { self.others } else { Vec::new() };
        let violations = self.violations.into_iter().chain(others).map(|(violation, _)| violation).collect();
        let coverage =
            (verdict == Verdict::Holds).then(|| coverage::coverage(machine.program(), &machine.tally.reached));
        Outcome {
            verdict,
            reason_place,
            needed_value: self.seen.needed.filter(|_| verdict == Verdict::Unknown(Unknown::Nondet)),
            complete: stopped.is_none() && !is_enough && machine.tally.bound_was_hit.is_none(),
            bounded,
            unfinished,
            violations,
            statistics,
            final_states,
            only_execution,
            robustness: None,
            monitor: None,
            coverage,
            hottest: None,
            guards: machine.config().guards.clone().into(),
            buffer_bound: machine.config().buffer_bound,
        }
    }
}

/// Adds the faults that another worker found.
fn absorb(known: &mut Vec<(Violation, Option<Position>)>, more: Vec<(Violation, Option<Position>)>) {
    for (violation, position) in more {
        let is_same = |(one, at): &(Violation, Option<Position>)| {
            position.is_some() && (one.fault.kind, *at) == (violation.fault.kind, position)
        };
        match known.iter_mut().find(|one| is_same(one)) {
            Some((one, _)) if violation.schedule.len() < one.schedule.len() => *one = violation,
            Some(_) => {}
            None => known.push((violation, position)),
        }
    }
    known.sort_by_key(|(violation, position)| (violation.schedule.len(), violation.fault.kind, *position));
}
