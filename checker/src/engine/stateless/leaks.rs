//! Reports of memory leaks, with `--leaks`.
//!
//! The step that loses the last pointer to an object depends on the order of steps that otherwise commute. So
//! a loss must not end the execution at once. But a lost object stays lost: whether one is lost where an
//! execution ends depends only on the events before. So leaks are looked for at the end of executions. The
//! first step or update that lost something is then reported, without the later part of the execution.

use std::rc::Rc;

use super::prefix::Prefix;
use super::results::Results;
use super::stepper::Stepper;
use crate::engine::findings::Position;
use crate::outcome::{Fault, ScheduleStep, Violation, ViolationKind};
use crate::system::{ChoiceSequence, StepEnd};

impl Results {
    /// Reports the leak of the execution so far. Returns true if there is one. If leaks are looked for, the
    /// machine is in another state afterwards.
    pub fn report_leak(&mut self, stepper: &mut Stepper<'_>, prefix: &Prefix) -> bool {
        if !stepper.machine.looks_for_leaks() {
            return false;
        }
        stepper.load(prefix.last());
        if stepper.machine.lost_memory().is_none() {
            return false;
        }
        let after = (1..prefix.states.len()).find(|&at| {
            stepper.load(prefix.state(at));
            stepper.machine.lost_memory().is_some()
        });
        let Some(after) = after else { return false };
        let event = Rc::clone(prefix.execution.event(after - 1));
        if event.is_update() {
            self.report_loss_by_update(stepper, prefix, after, event.action.thread)
        } else {
            self.report_loss(stepper, prefix, after - 1, event.action.thread, event.answers())
        }
    }

    /// Reports the leak if the step of a thread just taken ends the execution, so that no state follows.
    /// Returns true if there is one.
    pub fn report_leak_before_end(&mut self, stepper: &mut Stepper<'_>, prefix: &Prefix, thread: usize) -> bool {
        let answers = stepper.machine.choices.answers().to_vec();
        self.report_leak(stepper, prefix)
            || stepper.machine.looks_for_leaks()
                && self.report_loss(stepper, prefix, prefix.states.len() - 1, thread, &answers)
    }

    /// Reports the loss by the update before state `after`, in which the machine is.
    fn report_loss_by_update(&mut self, stepper: &Stepper<'_>, prefix: &Prefix, after: usize, thread: usize) -> bool {
        let Some(fault) = stepper.machine.lost_memory() else { return false };
        let frames = stepper.machine.backtrace(thread);
        if self.findings.notes(&stepper.machine, fault.kind, &frames) {
            let schedule = stepper.schedule(prefix, after);
            let position = Position::of(&stepper.machine, &frames);
            self.findings.add_at(Violation { fault, schedule, preemptions: None }, Some(position));
        }
        true
    }

    /// Reports the loss by a step from state `at`, by running the step again. Returns true if there is one.
    fn report_loss(
        &mut self,
        stepper: &mut Stepper<'_>,
        prefix: &Prefix,
        at: usize,
        thread: usize,
        answers: &[u32],
    ) -> bool {
        stepper.load(prefix.state(at));
        let machine = &mut stepper.machine;
        let choices = std::mem::replace(&mut machine.choices, ChoiceSequence::prescribed(answers));
        machine.look_for_leaks_at_end(false);
        let report = machine.step(thread);
        machine.look_for_leaks_at_end(true);
        machine.choices = choices;
        let StepEnd::Fault(fault @ Fault { kind: ViolationKind::MemoryLeak, .. }) = &report.end else { return false };
        let frames = machine.backtrace_after(thread, &report);
        if self.findings.notes(machine, fault.kind, &frames) {
            let position = Position::of(machine, &frames);
            let creates = machine.created_by(&report.footprint);
            let mut schedule = stepper.schedule(prefix, at);
            schedule.push(ScheduleStep { creates, ..ScheduleStep::of(thread, answers.to_vec()) });
            self.findings.add_at(Violation { fault: fault.clone(), schedule, preemptions: None }, Some(position));
        }
        true
    }
}
