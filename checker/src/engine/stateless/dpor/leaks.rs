//! Memory that is leaked, with `--leaks`.
//!
//! Which step loses the last pointer to an object depends on the order of steps that commute otherwise, so it must not end the execution then and there. But
//! what is lost stays lost: whether something is lost where an execution ends depends on nothing but what happened before. So that is when it is looked for. The
//! first step or update that lost something is then what is reported, and what the execution led to beyond it is not.

use std::rc::Rc;

use super::search::Search;
use crate::outcome::{Fault, ScheduleStep, Violation, ViolationKind};
use crate::system::{ChoiceSequence, StepEnd};

impl Search<'_> {
    /// Reports the leak of the execution so far, if there is one. The machine's state is gone then, if memory can leak at all.
    pub(super) fn reports_leak(&mut self) -> bool {
        if !self.machine.looks_for_leaks() {
            return false;
        }
        self.in_place = false;
        self.restore(self.nodes.len() - 1);
        if self.machine.lost_memory().is_none() {
            return false;
        }
        let after = (1..self.nodes.len()).find(|&at| {
            self.restore(at);
            self.machine.lost_memory().is_some()
        });
        let Some(after) = after else { return false };
        let event = Rc::clone(self.execution.event(after - 1));
        match event.label.store {
            Some(_) => self.report_loss_by_update(after, event.label.thread),
            None => self.report_loss(after - 1, event.label.thread, &event.answers),
        }
    }

    /// Reports what the update before node `after` lost, the state of which the machine is in.
    fn report_loss_by_update(&mut self, after: usize, thread: usize) -> bool {
        let Some(fault) = self.machine.lost_memory() else { return false };
        let frames = self.machine.backtrace(thread);
        if self.findings.notes(&self.machine, fault.kind, &frames) {
            let schedule = self.schedule(after);
            self.findings.add(Violation { fault, schedule });
        }
        true
    }

    /// The same when the step of a thread just taken ends the execution, so that no state comes after it.
    pub(super) fn reports_leak_before_end(&mut self, thread: usize) -> bool {
        let answers = self.machine.script.answers().to_vec();
        self.reports_leak()
            || self.machine.looks_for_leaks() && self.report_loss(self.nodes.len() - 1, thread, &answers)
    }

    /// Reports what a step from node `at` lost, if it did, by taking it again.
    fn report_loss(&mut self, at: usize, thread: usize, answers: &[u32]) -> bool {
        self.restore(at);
        let script = std::mem::replace(&mut self.machine.script, ChoiceSequence::prescribed(answers));
        self.machine.leaks_at_end = false;
        let report = self.machine.step(thread);
        self.machine.leaks_at_end = true;
        self.machine.script = script;
        let StepEnd::Fault(fault @ Fault { kind: ViolationKind::MemoryLeak, .. }) = &report.end else { return false };
        let frames = self.machine.backtrace_after(thread, &report);
        if self.findings.notes(&self.machine, fault.kind, &frames) {
            let mut schedule = self.schedule(at);
            let creates = self.machine.created_by(&report.footprint);
            schedule.push(ScheduleStep { creates, ..ScheduleStep::of(thread, answers.to_vec()) });
            self.findings.add(Violation { fault: fault.clone(), schedule });
        }
        true
    }
}
