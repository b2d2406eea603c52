//! What goes wrong, and the way to it: the ancestors of a state are known, which steps join them is found by trying.

use super::{Search, Stop};
use crate::explore::{EngineError, replay};
use crate::outcome::{Fault, ScheduleStep, Violation, ViolationKind};
use crate::store::Id;
use crate::system::StepEnd;

impl Search<'_> {
    /// Takes note of how a step ended that led to no state.
    pub(super) fn report(&mut self, end: StepEnd, thread: usize, state: Id) -> Result<(), EngineError> {
        match end {
            StepEnd::Fault(fault) => self.violation(fault, thread, state),
            StepEnd::Limit(limit) => {
                let frames = self.machine.backtrace(thread);
                self.findings.cut_off(&self.machine, limit, &frames);
            }
            StepEnd::Unsupported(what) => return Err(self.unsupported(what, thread)),
            StepEnd::SharingMissed => return Err(EngineError::SharingMissed),
            StepEnd::Blocked | StepEnd::Done | StepEnd::Exit(_) | StepEnd::Pruned => {}
        }
        Ok(())
    }

    fn unsupported(&self, what: String, thread: usize) -> EngineError {
        let program = self.machine.program();
        let frames = self.machine.backtrace(thread);
        let (function, _) = frames[0];
        let place = program.place(program.innermost_location(&frames));
        EngineError::Unsupported { what, place, function: program.function(function).name.clone() }
    }

    fn violation(&mut self, fault: Fault, thread: usize, state: Id) {
        let frames = self.machine.backtrace(thread);
        if !self.findings.notes(&self.machine, fault.kind, &frames) {
            return;
        }
        let choices = self.machine.script.answers().to_vec();
        // Finding the schedule runs steps again, so the script of the step under way is put back afterwards.
        let script = self.machine.script.clone();
        let mut schedule = self.schedule_to(state);
        self.store.take(state);
        self.machine.script = script;
        schedule.push(ScheduleStep { thread, choices, update: None });
        self.add(Violation { fault, schedule });
    }

    /// Takes note of a deadlock in a state.
    pub(super) fn deadlock(&mut self, state: Id, vector: &[Id]) {
        self.machine.unpack(vector);
        let first = self.machine.schedulable_threads().next().expect("somebody waits");
        let frames = self.machine.backtrace(first);
        if self.findings.notes(&self.machine, ViolationKind::Deadlock, &frames) {
            let fault = replay::deadlock(&mut self.machine);
            let schedule = self.schedule_to(state);
            self.add(Violation { fault, schedule });
        }
    }

    fn add(&mut self, violation: Violation) {
        self.findings.add(violation);
        if self.findings.is_enough() {
            self.stopped = Some(Stop::Violation);
        }
    }

    fn schedule_to(&mut self, state: Id) -> Vec<ScheduleStep> {
        let mut path = vec![state];
        while path[path.len() - 1] != 0 {
            path.push(self.store.parent(path[path.len() - 1]));
        }
        path.reverse();
        path.windows(2).map(|pair| self.step_between(pair[0], pair[1])).collect()
    }

    fn step_between(&mut self, from: Id, to: Id) -> ScheduleStep {
        let mut vector_of = |state| {
            self.store.take(state);
            self.store.vector().to_vec()
        };
        let (target, source, mut reached) = (vector_of(to), vector_of(from), Vec::new());
        self.machine.unpack(&source);
        let threads: Vec<_> = self.machine.schedulable_threads().collect();
        for thread in threads {
            self.machine.script.clear();
            loop {
                self.machine.unpack(&source);
                if self.machine.step(thread) == StepEnd::Done {
                    self.machine.pack(&mut reached);
                    if reached == target {
                        return ScheduleStep { thread, choices: self.machine.script.answers().to_vec(), update: None };
                    }
                }
                if !self.machine.script.advance() {
                    break;
                }
            }
        }
        unreachable!("a state is the successor of its parent")
    }
}
