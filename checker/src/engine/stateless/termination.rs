//! The ends of executions, and their report.
//!
//! A process that ends while threads run ends *last*: a thread about to end the process waits until no other
//! thread can go on ([`Machine::defers_exits`](crate::system::Machine::defers_exits)). No verdict changes:
//!
//! * *Violations.* Let an execution have a violation. It is a sequence of events none of which ends the
//!   process, since nothing follows such an event. Each of these events is enabled in the same state whether
//!   others wait to end the process or not, so the sequence is explored here, too. Conversely, the executions
//!   explored here are executions of the program.
//! * *Deadlocks.* A state in which a thread is about to end the process is no deadlock: that step is enabled
//!   there. The same states remain: where no thread can go on and one would end the process, it does.
//! * *Robustness.* An execution in which the process ends is a prefix of one in which the others go on and
//!   their stores reach memory, in the order in which the robustness check lets them reach it after the end.
//!   All relations stay, so a cycle of the one is a cycle of the other.
//!
//! The moments at which the process can end are lost: its final states, its leaks, and its output before.
//! Where final states or leaks are asked for, processes therefore end at every moment. Handlers (`atexit`,
//! destructor functions) are code of the program that runs before the end, and are explored as such.
//!
//! The event of such an end follows everything else, is in no race, and so in no plan. But the step may have
//! done something before, as detaching a thread that had ended: then it is an ordinary event
//! (`tests/programs/threads/detached_after_join.c`). The explicit engine would gain nothing: there, the end
//! of the process leads to no state.
//!
//! A thread that runs for ever, and does more than wait, is followed for ever. That would also be so if ends
//! were ordinary events, because the execution in which the thread never stops would be explored, too.
//!
//! Tests: `tests/programs/traces/exit_last.c`, `tests/tests/cross_check.rs`.

use super::few_switches;
use super::prefix::Prefix;
use super::results::Results;
use super::stepper::{Ending, Failure, Stepper};
use crate::engine::deadlock;
use crate::engine::findings::Position;
use crate::outcome::{ScheduleStep, Unknown, Violation, ViolationKind};
use crate::system::{FootprintEntry, ProgressCheck};

/// The maximal number of states through which a thread is run by itself, beyond those of the execution, to
/// find out whether it waits for ever.
const MOST_AWAIT_STATES: usize = 1 << 16;

/// The kinds of executions at whose end no step can be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Completed {
    /// The process ends.
    Exits,
    /// Threads wait, or were cut off.
    Waits,
    /// A thread would only complete an idle round, because it read a value that is not the last one. It can
    /// go on by itself.
    Passes,
}

/// Determines what can still happen after an execution at whose end no step can be taken. Adds to `looks`, if
/// there is one, the footprints of the steps on which the answer depends.
pub fn progress(stepper: &mut Stepper<'_>, prefix: &Prefix, looks: Option<&mut Vec<FootprintEntry>>) -> ProgressCheck {
    let last = stepper.vector(prefix.last()).to_vec();
    stepper.leave_state();
    let most = MOST_AWAIT_STATES + last.len();
    match looks {
        None => stepper.machine.check_progress(&last, most),
        Some(looks) => stepper.machine.check_progress_looking(&last, most, looks),
    }
}

impl Results {
    /// Counts and reports an execution at whose end no step can be taken. `is_cut` is true if the bound on
    /// loops is the cause. `exits` is true if a step that ends the process can be taken.
    pub fn complete(&mut self, stepper: &mut Stepper<'_>, prefix: &Prefix, is_cut: bool, exits: bool) -> Completed {
        if is_cut {
            self.was_cut = true;
            self.statistics.bound_blocked_executions += 1;
            self.report_leak(stepper, prefix);
            self.statistics.blocked_executions += 1;
            return Completed::Waits;
        }
        let progress = progress(stepper, prefix, None);
        self.complete_with(stepper, prefix, progress, exits)
    }

    /// Counts and reports an execution at whose end every thread is blocked or would only complete an idle
    /// round. `progress` says what can still happen. `exits` is true if one of the threads would end the
    /// process.
    pub fn complete_with(
        &mut self,
        stepper: &mut Stepper<'_>,
        prefix: &Prefix,
        progress: ProgressCheck,
        exits: bool,
    ) -> Completed {
        if exits && progress != ProgressCheck::CanProgress {
            self.statistics.executions += 1;
            self.statistics.events += 1;
            return Completed::Exits;
        }
        self.statistics.blocked_executions += 1;
        match progress {
            ProgressCheck::Deadlock => {
                self.statistics.deadlocked_executions += 1;
                self.deadlock(stepper, prefix);
            }
            ProgressCheck::Endless => {
                self.statistics.endless_executions += 1;
                self.report_leak(stepper, prefix);
            }
            ProgressCheck::CanProgress => {
                self.statistics.await_blocked_executions += 1;
                self.report_leak(stepper, prefix);
                return Completed::Passes;
            }
            ProgressCheck::Open | ProgressCheck::Undecided => {
                self.statistics.bound_blocked_executions += 1;
                let thread = stepper.machine.live_threads().next().expect("a thread waits");
                let frames = stepper.machine.backtrace(thread);
                self.findings.cut_off(&stepper.machine, Unknown::LoopBound, &frames);
                self.report_leak(stepper, prefix);
            }
        }
        Completed::Waits
    }

    /// Reports an execution at whose end a thread waits in an atomic section. It is not counted.
    pub fn note_wait_in_section(&mut self, stepper: &mut Stepper<'_>, prefix: &Prefix, progress: ProgressCheck) {
        match progress {
            ProgressCheck::Deadlock => self.deadlock(stepper, prefix),
            _ => {
                self.report_leak(stepper, prefix);
            }
        }
    }

    fn deadlock(&mut self, stepper: &mut Stepper<'_>, prefix: &Prefix) {
        if self.report_leak(stepper, prefix) {
            return;
        }
        stepper.load_last(prefix);
        let machine = &mut stepper.machine;
        let Some(thread) = machine.live_threads().next() else { return };
        let frames = machine.backtrace(thread);
        if self.findings.notes(machine, ViolationKind::Deadlock, &frames) {
            let position = Position::of(machine, &frames);
            let fault = deadlock::deadlock(machine);
            let schedule = stepper.schedule(prefix, prefix.execution.len());
            let schedule = few_switches::rearranged(&stepper.machine, &prefix.execution, schedule);
            self.findings.add_at(Violation { fault, schedule, preemptions: None }, Some(position));
        }
    }

    /// Reports the end of an execution by the step of a thread.
    pub(super) fn note_ending(&mut self, stepper: &mut Stepper<'_>, prefix: &Prefix, thread: usize, ending: &Ending) {
        match ending {
            Ending::Exit(status) => self.note_final_state(stepper, *status),
            Ending::CachedExit(Some(status)) => self.note_final_state_of(stepper, prefix.last(), *status),
            Ending::CachedExit(None) | Ending::WaitsInSection => {}
            Ending::Pruned => {
                self.report_leak_before_end(stepper, prefix, thread);
            }
            Ending::Fault(failure) => self.violation(stepper, prefix, thread, failure),
            Ending::Limit(limit) => {
                let frames = stepper.machine.backtrace(thread);
                if !self.report_leak_before_end(stepper, prefix, thread) {
                    self.findings.cut_off(&stepper.machine, *limit, &frames);
                }
            }
        }
    }

    fn violation(&mut self, stepper: &mut Stepper<'_>, prefix: &Prefix, thread: usize, failure: &Failure) {
        let Failure { fault, frames, creates } = failure;
        let choices = stepper.machine.choices.answers().to_vec();
        if self.report_leak_before_end(stepper, prefix, thread) {
            return;
        }
        if self.findings.notes(&stepper.machine, fault.kind, frames) {
            let position = Position::of(&stepper.machine, frames);
            let mut schedule = stepper.schedule(prefix, prefix.execution.len());
            schedule.push(ScheduleStep { creates: creates.clone(), ..ScheduleStep::of(thread, choices) });
            let schedule = few_switches::rearranged(&stepper.machine, &prefix.execution, schedule);
            self.findings.add_at(Violation { fault: fault.clone(), schedule, preemptions: None }, Some(position));
        }
    }
}
