//! States whose threads are permuted: see [`crate::system::analyses::symmetry`].

use super::shared::PendingViolation;
use super::steps::End;
use super::worker::Worker;
use crate::engine::{EngineError, deadlock, memo};
use crate::outcome::{ScheduleStep, Violation};
use crate::store::{Id, Name};
use crate::system::analyses::symmetry::Join;
use crate::system::{AnswerRuns, Machine, StepEnd};

impl Worker<'_, '_> {
    /// The name of the representative of the state to which a step led from another state.
    pub(super) fn exchanged(&mut self, end: &End, before: &[Id]) -> Name {
        let mut after = std::mem::take(&mut self.after);
        match end {
            End::Changed(edit) => memo::apply_changes(edit.changes(), before, &mut after),
            End::Made(parts) => memo::apply(parts, before, &mut after),
            _ => unreachable!("a step that led to no other state"),
        }
        if self.machine.reuses_numbers(before, &after) {
            self.shared.fail(EngineError::AsymmetryDetected);
        }
        let is_other = self.machine.exchange(&mut after);
        let name = match end {
            End::Changed(edit) if !is_other => self.states.fold_edit(edit),
            _ => self.states.fold(&after),
        };
        self.after = after;
        name
    }

    /// True if the first thread waits in a state for the ends of all the threads that it joins. If it does
    /// not join all of them, or not at once, the search fails.
    pub(super) fn first_waits(&mut self, vector: &[Id]) -> bool {
        if !self.machine.exchanges() {
            return false;
        }
        match self.machine.join_of_first(vector) {
            Join::Asymmetric => {
                self.shared.fail(EngineError::AsymmetryDetected);
                true
            }
            Join::Waits | Join::Deferred => true,
            Join::None | Join::Now => false,
        }
    }

    /// True if the first thread could join a thread in a state in the program itself, and does not yet in the
    /// search.
    pub(super) fn is_deferred(&mut self, vector: &[Id]) -> bool {
        self.machine.exchanges() && self.machine.join_of_first(vector) == Join::Deferred
    }
}

/// A violation at the end of this schedule, in a state whose representative has the pending one. It is by the
/// same thread if possible.
pub(super) fn end(
    machine: &mut Machine<'_>,
    mut schedule: Vec<ScheduleStep>,
    vector: &[Id],
    pending: &PendingViolation,
) -> Option<Violation> {
    if pending.last.is_none() {
        return Some(deadlock(machine, schedule, vector.to_vec()));
    }
    machine.unpack(vector);
    let threads: Vec<_> = machine.schedulable_threads().collect();
    for thread in threads {
        let mut runs = AnswerRuns::new(vector, thread);
        while let Some(report) = runs.run_next(machine) {
            if let StepEnd::Fault(fault) = report.end
                && fault.kind == pending.fault.kind
            {
                schedule.push(ScheduleStep::of(thread, machine.choices.answers().to_vec()));
                return Some(Violation { fault, schedule, preemptions: None });
            }
        }
    }
    None
}

/// The deadlock after a state in which all threads wait, except perhaps the first one. The first thread joins
/// those that have ended before it waits for one that never ends.
fn deadlock(machine: &mut Machine<'_>, mut schedule: Vec<ScheduleStep>, mut vector: Vec<Id>) -> Violation {
    while machine.join_of_first(&vector) == Join::Deferred {
        machine.unpack(&vector);
        machine.choices.clear();
        if machine.step(0).end != StepEnd::Done {
            break;
        }
        machine.pack(&mut vector);
        schedule.push(ScheduleStep::of(0, Vec::new()));
    }
    machine.unpack(&vector);
    Violation { fault: deadlock::deadlock(machine), schedule, preemptions: None }
}
