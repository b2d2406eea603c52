//! How executions end, and what is to be reported of it.
//!
//! A process that ends while threads run ends *last*: a thread about to end the process waits until no other
//! thread can go on ([`Machine::defers_exits`](crate::system::Machine::defers_exits)). No verdict changes:
//!
//! * *Violations.* Let an execution go wrong. It is a sequence of events none of which ends the process,
//!   since nothing follows such an event. Each of these events is possible in the same state whether others
//!   wait to end the process or not, so the sequence is one here, too. Conversely, what is explored here are
//!   executions of the program.
//! * *Deadlocks.* A state in which a thread is about to end the process is no deadlock: that step is possible
//!   there. The same states are left: where no thread can go on and one would end the process, it does.
//! * *Robustness.* An execution in which the process ends is a beginning of one in which the others go on and
//!   their stores reach memory, in the order in which robustness has them reach it after the end. What was
//!   related stays related, so a cycle of the one is a cycle of the other.
//!
//! What is lost is where the process can end: its final states, what it leaks, and what was printed before.
//! Where final states or leaks are asked for, processes therefore end at every moment. Handlers (`atexit`,
//! destructor functions) are code of the program that runs before the end, and are explored as such.
//!
//! The event of such an end comes after everything else, is in no race, and so in no plan. Nothing is gained
//! for the explicit engine: there, the end of the process leads to no state.
//!
//! A thread that goes on for ever, and does more than wait, is followed for ever, as it was when ends were
//! events like others: the execution in which it never stops was explored then, too.
//!
//! Tests: `tests/programs/traces/exit_last.c`, `tests/tests/cross_check.rs`.

use std::rc::Rc;

use super::search::Search;
use crate::engine::stateless::event::Event;
use crate::engine::{EngineError, replay};
use crate::outcome::{Fault, ScheduleStep, Unknown, Violation, ViolationKind};
use crate::system::{ProgressCheck, StepReport};

/// States that a thread is run through by itself, beyond those of the execution, to find out whether it waits for ever.
const LONGEST_WAIT: usize = 1 << 16;

impl Search<'_> {
    /// No step can be taken. `is_cut`: because of a loop that went round too often. `exits`: but one that
    /// ends the process.
    pub(super) fn complete(&mut self, is_cut: bool, exits: bool) {
        if is_cut {
            self.was_cut = true;
            self.statistics.bound_blocked_executions += 1;
            self.reports_leak();
        }
        if !is_cut && self.all_wait(exits) {
            self.statistics.executions += 1;
            self.statistics.events += 1;
        } else {
            self.statistics.blocked_executions += 1;
        }
        if self.cycles.is_some() {
            self.in_last_state();
            self.check_robustness();
        }
    }

    /// No thread can go on, or each would only complete a round of a loop without effect. Whether the process
    /// ends: one of the threads would end it, if `exits`.
    fn all_wait(&mut self, exits: bool) -> bool {
        let last = self.vector(self.nodes.len() - 1).to_vec();
        self.in_place = false;
        match self.machine.check_progress(&last, LONGEST_WAIT + last.len()) {
            ProgressCheck::Stuck | ProgressCheck::Endless | ProgressCheck::Open if exits => return true,
            ProgressCheck::Stuck => {
                self.statistics.deadlocked_executions += 1;
                self.deadlock();
            }
            ProgressCheck::Endless => {
                self.statistics.endless_executions += 1;
                self.reports_leak();
            }
            ProgressCheck::Moves => {
                self.statistics.await_blocked_executions += 1;
                self.reports_leak();
            }
            ProgressCheck::Open => {
                self.statistics.bound_blocked_executions += 1;
                let frames = self.machine.backtrace(self.machine.live_threads().next().expect("a thread waits"));
                self.findings.cut_off(&self.machine, Unknown::LoopBound, &frames);
                self.reports_leak();
            }
        }
        false
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

    pub(super) fn violation(&mut self, fault: Fault, thread: usize, report: &StepReport) {
        let frames = self.machine.backtrace_after(thread, report);
        let choices = self.machine.script.answers().to_vec();
        if !self.reports_leak_before_end(thread) && self.findings.notes(&self.machine, fault.kind, &frames) {
            let mut schedule = self.schedule(self.execution.len());
            let creates = self.machine.created_by(&report.footprint);
            schedule.push(ScheduleStep { creates, ..ScheduleStep::of(thread, choices) });
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
            creates: self.machine.created_by(&event.touches),
        };
        events.map(step).collect()
    }

    pub(super) fn unsupported(&self, what: String, thread: usize, report: &StepReport) -> EngineError {
        let program = self.machine.program();
        let frames = self.machine.backtrace_after(thread, report);
        let place = program.place(program.innermost_location(&frames));
        EngineError::Unsupported { what, place, function: program.innermost_function(&frames).shown_name() }
    }
}
