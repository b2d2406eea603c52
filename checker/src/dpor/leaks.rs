//! Memory that is leaked, with `--leaks`.
//!
//! Which step loses the last pointer to an object depends on the order of steps that commute otherwise, so it must not end the execution then and there. But
//! what is lost stays lost: whether something is lost where an execution ends depends on nothing but what happened before. So that is when it is looked for. The
//! first step that lost something is then what is reported, and what the execution led to beyond it is not.

use super::search::Search;
use crate::outcome::{Fault, Violation, ViolationKind};
use crate::system::{Script, StepEnd};

impl Search<'_> {
    /// Reports the leak of the execution so far, if there is one. The machine's state is gone then, if memory can leak at all.
    pub(super) fn reports_leak(&mut self) -> bool {
        if !self.machine.looks_for_leaks() {
            return false;
        }
        self.in_place = false;
        self.restore(self.nodes.len() - 1);
        if !self.machine.has_lost_memory() {
            return false;
        }
        let step = (1..self.nodes.len()).find(|&at| {
            self.restore(at);
            self.execution.event(at - 1).label.store.is_none() && self.machine.has_lost_memory()
        });
        step.is_some_and(|at| self.report(at - 1))
    }

    /// Reports what the step at a position lost, by taking it again.
    fn report(&mut self, at: usize) -> bool {
        let thread = self.execution.event(at).label.thread;
        self.restore(at);
        let again = Script::prescribed(&self.execution.event(at).answers);
        let script = std::mem::replace(&mut self.machine.script, again);
        self.machine.leaks_at_end = false;
        let end = self.machine.step(thread);
        self.machine.leaks_at_end = true;
        self.machine.script = script;
        let StepEnd::Fault(fault @ Fault { kind: ViolationKind::MemoryLeak, .. }) = end else { return false };
        let frames = self.machine.backtrace(thread);
        if self.findings.notes(&self.machine, fault.kind, &frames) {
            let schedule = self.schedule(at + 1);
            self.findings.add(Violation { fault, schedule });
        }
        true
    }
}
