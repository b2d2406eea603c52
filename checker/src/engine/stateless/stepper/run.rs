//! Runs a step or an update in the machine, and makes its event.

use super::{Ending, Failure, Prefix, Stepper, Wait};
use crate::engine::EngineError;
use crate::engine::stateless::event::{Action, Event, EventFootprint, EventKind, StepEvent, Termination};
use crate::ir::ids::{FuncId, Pc};
use crate::system::{Machine, StepEnd, StepReport};

/// The result of a step or an update that the machine ran.
pub(super) enum Ran {
    /// It led to the scratch state.
    Reached(Event),
    /// It has to wait.
    Waits(Event, Wait),
    /// The process ended with a status, and ends with it in every state in which the step does the same. The
    /// second status is `None` if the final memory is the same there; else the final memory is that of the
    /// state before the step.
    Exited(Event, i64, Option<i64>),
    /// Nothing can follow for another reason, or the end of the process depends on the whole state.
    Ended(Event, Ending),
    /// The bound on the turns of a loop was exceeded.
    Cut,
}

impl Stepper<'_> {
    /// Runs a step or an update from the last state, in which the machine must be.
    pub(super) fn run(&mut self, prefix: &Prefix, action: Action) -> Result<Ran, EngineError> {
        match action.store {
            Some(store) => Ok(Ran::Reached(self.run_update(action.thread, store))),
            None => self.run_step(prefix, action.thread),
        }
    }

    /// True if a step of a thread has to wait for updates of its own, because only sequentially consistent
    /// executions are explored. The machine is in the state before the step.
    pub(super) fn waits_for_own_stores(&self, thread: usize) -> bool {
        self.is_sequential && !self.machine.waiting(thread).is_empty()
    }

    /// The event of a step, which comes after all earlier updates of its thread if only sequentially
    /// consistent executions are explored.
    pub(super) fn ordered(&self, mut event: Event) -> Event {
        if let EventKind::Step(step) = &mut event.kind {
            step.fenced |= self.is_sequential;
        }
        event
    }

    fn run_update(&mut self, thread: usize, number: u32) -> Event {
        let store = self.machine.update(thread, number).expect("only updates that are possible are tried");
        self.machine.pack(&mut self.scratch);
        Event::update(thread, &store)
    }

    fn run_step(&mut self, prefix: &Prefix, thread: usize) -> Result<Ran, EngineError> {
        let place = self.machine.position(thread);
        let pushed = self.machine.pushed(thread);
        if !self.begin_counting_loops(prefix, thread) {
            return Ok(Ran::Cut);
        }
        if self.waits_for_own_stores(thread) {
            return Ok(Ran::Waits(Event::step(thread, EventFootprint::new(), StepEvent::at(place)), Wait::Blocked));
        }
        let report = self.machine.step(thread);
        let why = match report.end {
            StepEnd::Blocked => Some(Wait::Blocked),
            StepEnd::ExitsLast => Some(Wait::Exit),
            _ => None,
        };
        if let Some(why) = why {
            let event = Event::step(thread, footprint(&report), step_of(&self.machine, &report, place));
            return Ok(Ran::Waits(self.ordered(event), why));
        }
        let mut event = self.ordered(event_of_step(&self.machine, &report, thread, place, pushed));
        match &report.end {
            StepEnd::Done | StepEnd::Blocked | StepEnd::ExitsLast => {
                self.machine.pack(&mut self.scratch);
                self.mark_idle(prefix, &report, &mut event);
                Ok(Ran::Reached(event))
            }
            StepEnd::Exit(status) => {
                self.mark_last(&mut event);
                Ok(self.exited(prefix, event, *status))
            }
            StepEnd::Pruned => Ok(Ran::Ended(event, Ending::Pruned)),
            StepEnd::Fault(fault) => {
                let failure = Failure::of(&self.machine, &report, thread, fault.clone());
                Ok(Ran::Ended(event, Ending::Fault(Box::new(failure))))
            }
            StepEnd::Limit(limit) => Ok(Ran::Ended(event, Ending::Limit(*limit))),
            StepEnd::Unsupported(what) => Err(self.unsupported(what.clone(), thread, &report)),
            StepEnd::Grows(_) => unreachable!("a step repeats what makes an object grow"),
            StepEnd::SharingMissed => Err(EngineError::SharingMissed),
            StepEnd::EndSeen => Err(EngineError::EndSeen),
        }
    }

    /// Records in the event whether the step changed only what its thread alone knows.
    fn mark_idle(&mut self, prefix: &Prefix, report: &StepReport, event: &mut Event) {
        let before = self.states.vector(prefix.last());
        if let EventKind::Step(step) = &mut event.kind {
            let may_repeat = self.may_be_idle(report);
            step.idle =
                may_repeat && (*before == self.scratch[..] || self.machine.was_idle(report, before, &self.scratch));
        }
    }

    /// Records in the event of an exit whether it comes after everything else in every order.
    fn mark_last(&self, event: &mut Event) {
        let is_last = event.is_join() && self.machine.defers_exits() && self.machine.live_threads().nth(1).is_none();
        if let EventKind::Step(StepEvent { termination: Some(termination), .. }) = &mut event.kind {
            termination.is_last = is_last;
        }
    }

    /// The result of a step that ended the process.
    fn exited(&mut self, prefix: &Prefix, event: Event, status: i64) -> Ran {
        if self.machine.config().robustness {
            // Robustness depends on the stores that are in buffers at the end.
            return Ran::Ended(event, Ending::Exit(status));
        }
        // The event depends on whether other threads live.
        self.machine.log_survivors_read();
        let keeps_memory = self.keeps_memory(prefix.last());
        if !keeps_memory {
            self.machine.see_final_memory();
        }
        Ran::Exited(event, status, keeps_memory.then_some(status))
    }

    /// With `--unroll`, makes the machine count the turns of loops in the next step of a thread. Returns
    /// false if the thread has exceeded the bound already.
    fn begin_counting_loops(&mut self, prefix: &Prefix, thread: usize) -> bool {
        let Some(bound) = self.loop_bound else { return true };
        let last = prefix.execution.index().steps_of(thread).highest();
        let step = last.and_then(|at| prefix.execution.event(at).as_step());
        let counts = step.map_or(&[][..], |step| &step.loop_counts);
        self.machine.count_turns(bound, counts);
        !counts.iter().any(|count| count.exceeds(bound))
    }

    fn unsupported(&self, what: String, thread: usize, report: &StepReport) -> EngineError {
        let program = self.machine.program();
        let frames = self.machine.backtrace_after(thread, report);
        let place = program.place(program.innermost_location(&frames));
        EngineError::Unsupported { what, place, function: program.innermost_function(&frames).shown_name() }
    }
}

/// The event of the step reported, which began at `place` with `pushed` stores buffered so far, and did not
/// have to wait.
pub fn event_of_step(
    machine: &Machine<'_>,
    report: &StepReport,
    thread: usize,
    place: (FuncId, Pc),
    pushed: u32,
) -> Event {
    let step = step_of(machine, report, place);
    let of_others = machine.live_threads().next().is_some();
    let ends = report.end != StepEnd::Done;
    let step = StepEvent {
        pushed: pushed..machine.pushed(thread),
        // A step with a violation may have it before it gets to the instruction that needs an empty buffer.
        fenced: step.fenced || ends,
        termination: ends.then_some(Termination { of_others, is_last: false }),
        ..step
    };
    Event::step(thread, footprint(report), step)
}

fn step_of(machine: &Machine<'_>, report: &StepReport, place: (FuncId, Pc)) -> StepEvent {
    StepEvent {
        answers: machine.choices.answers().into(),
        fenced: report.fenced,
        is_fence: report.fenced,
        dropped: report.dropped.as_slice().into(),
        piece_of: report.loaded_piece_of,
        in_section: report.in_section,
        begins_section: report.begins_section,
        loop_counts: machine.turns().counts().into(),
        ..StepEvent::at(place)
    }
}

fn footprint(report: &StepReport) -> EventFootprint {
    report.footprint.as_slice().into()
}
