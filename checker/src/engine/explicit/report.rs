//! Reporting of faults while a worker explores. The level is explored to its end, so that the shortest
//! counterexample is found, and the same one with any number of workers.

use super::shared::{PendingViolation, Rank};
use super::worker::Worker;
use crate::engine::explicit::parallel::lock;
use crate::engine::findings::Position;
use crate::engine::{EngineError, deadlock};
use crate::ir::ids::{FuncId, Pc};
use crate::outcome::{Fault, Place, ViolationKind};
use crate::store::Id;
use crate::system::{Machine, StepEnd, StepReport};

impl Worker<'_, '_> {
    /// Records the end of a step that led to no state.
    pub(super) fn report(&mut self, report: StepReport, thread: usize, (state, vector): (Id, &[Id])) {
        let shared = self.shared;
        let frames = self.machine.backtrace_after(thread, &report);
        match report.end {
            StepEnd::Fault(fault) => {
                let last = Some((thread, self.machine.choices.answers().to_vec()));
                let mut found = lock(&shared.found);
                let is_new = found.findings.notes(&self.machine, fault.kind, &frames);
                let steps = found.search_progress.depth + 1;
                let same = found.same(fault.kind, Position::of(&self.machine, &frames), steps);
                if is_new || same.is_some() {
                    let rank = rank(&self.machine, steps, &fault, &frames);
                    let (preemptions, vector) = (found.preemptions(), vector.to_vec());
                    found.add(PendingViolation { fault, state, vector, last, rank, preemptions }, same);
                }
            }
            StepEnd::Limit(limit) => {
                lock(&shared.found).findings.cut_off(&self.machine, limit, &frames);
            }
            StepEnd::Unsupported(what) => shared.fail(self.unsupported(what, &frames)),
            StepEnd::Grows(_) => unreachable!("a step repeats what makes an object grow"),
            StepEnd::SharingMissed => shared.fail(EngineError::SharingMissed),
            StepEnd::EndSeen => shared.fail(EngineError::EndSeen),
            StepEnd::Blocked | StepEnd::Done | StepEnd::Exit(_) | StepEnd::ExitsLast | StepEnd::Pruned => {}
        }
    }

    fn unsupported(&self, what: String, frames: &[(FuncId, Pc)]) -> EngineError {
        let program = self.machine.program();
        let place = program.place(program.innermost_location(frames));
        EngineError::Unsupported { what, place, function: program.innermost_function(frames).shown_name() }
    }

    /// Records a deadlock in a state.
    pub(super) fn deadlock(&mut self, state: Id, vector: &[Id]) {
        self.machine.come_to_rest(vector);
        let first = self.machine.schedulable_threads().next().expect("somebody waits");
        let frames = self.machine.backtrace(first);
        let mut found = lock(&self.shared.found);
        if found.findings.notes(&self.machine, ViolationKind::Deadlock, &frames) {
            let fault = deadlock::deadlock(&mut self.machine);
            let rank = rank(&self.machine, found.search_progress.depth, &fault, &frames);
            let (preemptions, vector) = (found.preemptions(), vector.to_vec());
            found.add(PendingViolation { fault, state, vector, last: None, rank, preemptions }, None);
        }
    }
}

/// The rank of a violation among others: see [`PendingViolation::rank`].
fn rank(machine: &Machine<'_>, steps: u64, fault: &Fault, frames: &[(FuncId, Pc)]) -> Rank {
    let Place { file, line } = machine.program().first_place(frames);
    let (position, message) = (Position::of(machine, frames), fault.message.clone());
    Rank { steps, file, line, kind: fault.kind, position, message }
}
