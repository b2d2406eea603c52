//! What goes wrong while a worker explores.

use super::Stop;
use super::common::{Found, Noted};
use super::worker::Worker;
use crate::explore::parallel::lock;
use crate::explore::{EngineError, replay};
use crate::outcome::ViolationKind;
use crate::store::Id;
use crate::system::StepEnd;

impl Worker<'_, '_> {
    /// Takes note of how a step ended that led to no state.
    pub(super) fn report(&mut self, end: StepEnd, thread: usize, state: Id) {
        let common = self.common;
        match end {
            StepEnd::Fault(fault) => {
                let frames = self.machine.backtrace(thread);
                let last = Some((thread, self.machine.script.answers().to_vec()));
                let mut found = lock(&common.found);
                if found.findings.notes(&self.machine, fault.kind, &frames) {
                    self.add(&mut found, Noted { fault, state, last });
                }
            }
            StepEnd::Limit(limit) => {
                let frames = self.machine.backtrace(thread);
                lock(&common.found).findings.cut_off(&self.machine, limit, &frames);
            }
            StepEnd::Unsupported(what) => common.fail(self.unsupported(what, thread)),
            StepEnd::SharingMissed => common.fail(EngineError::SharingMissed),
            StepEnd::Blocked | StepEnd::Done | StepEnd::Exit(_) | StepEnd::Pruned => {}
        }
    }

    fn unsupported(&self, what: String, thread: usize) -> EngineError {
        let program = self.machine.program();
        let frames = self.machine.backtrace(thread);
        let (function, _) = frames[0];
        let place = program.place(program.innermost_location(&frames));
        EngineError::Unsupported { what, place, function: program.function(function).name.clone() }
    }

    /// Takes note of a deadlock in a state.
    pub(super) fn deadlock(&mut self, state: Id, vector: &[Id]) {
        self.machine.unpack(vector);
        let first = self.machine.schedulable_threads().next().expect("somebody waits");
        let frames = self.machine.backtrace(first);
        let mut found = lock(&self.common.found);
        if found.findings.notes(&self.machine, ViolationKind::Deadlock, &frames) {
            let fault = replay::deadlock(&mut self.machine);
            self.add(&mut found, Noted { fault, state, last: None });
        }
    }

    fn add(&self, found: &mut Found, noted: Noted) {
        let is_enough = found.findings.would_be_enough(noted.fault.kind);
        found.violations.push(noted);
        if is_enough {
            self.common.stop_with(found, Stop::Violation);
        }
    }
}
