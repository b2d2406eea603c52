//! How executions end, and what is to be reported of it.

use std::rc::Rc;

use super::event::Event;
use super::search::Search;
use crate::explore::{EngineError, replay};
use crate::outcome::{Fault, ScheduleStep, Unknown, Violation, ViolationKind};
use crate::system::Prospect;

/// States that a thread is run through by itself, beyond those of the execution, to find out whether it waits for ever.
const LONGEST_WAIT: usize = 1 << 16;

impl Search<'_> {
    /// No thread can go on, or each would only complete a round of a loop without effect.
    pub(super) fn all_wait(&mut self) {
        let last = self.vector(self.nodes.len() - 1).to_vec();
        self.in_place = false;
        match self.machine.prospect(&last, LONGEST_WAIT + last.len()) {
            Prospect::Stuck => {
                self.statistics.deadlocked_executions += 1;
                self.deadlock();
            }
            Prospect::Endless => {
                self.statistics.endless_executions += 1;
                self.reports_leak();
            }
            Prospect::Moves => {
                self.statistics.await_blocked_executions += 1;
                self.reports_leak();
            }
            Prospect::Open => {
                self.statistics.bound_blocked_executions += 1;
                let frames = self.machine.backtrace(self.machine.live_threads().next().expect("a thread waits"));
                self.findings.cut_off(&self.machine, Unknown::LoopBound, &frames);
                self.reports_leak();
            }
        }
    }

    fn deadlock(&mut self) {
        if self.reports_leak() {
            return;
        }
        self.restore(self.nodes.len() - 1);
        self.in_place = true;
        let Some(thread) = self.machine.live_threads().next() else { return };
        let frames = self.machine.backtrace(thread);
        if self.findings.notes(&self.machine, ViolationKind::Deadlock, &frames) {
            let fault = replay::deadlock(&mut self.machine);
            let schedule = self.schedule(self.execution.len());
            self.findings.add(Violation { fault, schedule });
        }
    }

    pub(super) fn violation(&mut self, fault: Fault, thread: usize) {
        let frames = self.machine.backtrace(thread);
        let choices = self.machine.script.answers().to_vec();
        if !self.reports_leak_before_end(thread) && self.findings.notes(&self.machine, fault.kind, &frames) {
            let mut schedule = self.schedule(self.execution.len());
            schedule.push(ScheduleStep { thread, choices, update: None });
            self.findings.add(Violation { fault, schedule });
        }
    }

    /// The first events of the execution as a schedule.
    pub(super) fn schedule(&self, events: usize) -> Vec<ScheduleStep> {
        let events = (0..events).map(|at| self.execution.event(at));
        let step = |event: &Rc<Event>| ScheduleStep {
            thread: event.label.thread,
            choices: event.answers.to_vec(),
            update: event.label.store,
        };
        events.map(step).collect()
    }

    pub(super) fn unsupported(&self, what: String, thread: usize) -> EngineError {
        let program = self.machine.program();
        let frames = self.machine.backtrace(thread);
        let (function, _) = frames[0];
        let place = program.place(program.innermost_location(&frames));
        EngineError::Unsupported { what, place, function: program.function(function).name.clone() }
    }
}
