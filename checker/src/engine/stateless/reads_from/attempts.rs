//! Steps and updates at the end of the execution.

use std::rc::Rc;

use super::candidate::Candidate;
use super::node::{Child, LastStep};
use super::occurrences::Repeated;
use super::search::{Placed, Search};
use super::trace::Known;
use crate::engine::EngineError;
use crate::engine::stateless::event::{Action, Event};
use crate::engine::stateless::state_cache::StateId;
use crate::engine::stateless::stepper::{Answers, Attempt, Ending, Request, Wait};

/// Refused where the order of stores decides whether a step has a violation, which sources do not tell.
pub(super) const LATE_STORE: &str =
    "going on (--keep-going) past memory that ends before or after a store of another thread to it";

/// An event that was taken, and the state that it leads to, if that is known.
type Taken = (Rc<Event>, Option<StateId>);

impl Search<'_> {
    /// Appends a step or an update that was taken.
    pub(super) fn push(
        &mut self,
        event: Rc<Event>,
        reached: Option<StateId>,
    ) -> Result<Option<Candidate>, EngineError> {
        self.note_event(&event);
        let state = self.state(reached, event.action.thread);
        if event.is_update() {
            self.trace.push_update(&mut self.histories, event, state);
            return Ok(None);
        }
        let candidate = self.candidate(&event)?;
        self.push_step(&candidate, None, state)?;
        Ok(Some(candidate))
    }

    /// Appends a step, which leads to a state, with what is known of it.
    pub(super) fn push_step(
        &mut self,
        candidate: &Candidate,
        known: Option<Known>,
        state: StateId,
    ) -> Result<(), EngineError> {
        let late = self.trace.late_stores(candidate);
        let known = known.unwrap_or_else(|| self.trace.known(&mut self.histories, candidate));
        self.trace.push_step(&candidate.event, &candidate.accesses, known, state);
        if late.is_empty() { Ok(()) } else { self.find_late_stores(candidate, &late) }
    }

    /// Takes steps and updates as they were taken before, maybe in another order. Returns false if one of
    /// them cannot be taken, or has another history than is known. What is refused there says nothing of the
    /// branch, which may have another order.
    pub(super) fn repeat_all(&mut self, events: impl IntoIterator<Item = Repeated>) -> Result<bool, EngineError> {
        for event in events {
            if !self.repeat_elsewhere(event)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Takes a step or an update as [`Self::repeat_all`] does.
    pub(super) fn repeat_elsewhere(&mut self, repeated: Repeated) -> Result<bool, EngineError> {
        let Repeated { event: before, known } = repeated;
        let Some((event, reached)) = self.take_again(before.action, before.answers())? else { return Ok(false) };
        if is_refused(&event) {
            return Ok(false);
        }
        let Some(known) = known else {
            self.push(event, reached)?;
            return Ok(true);
        };
        let thread = event.action.thread;
        let last = self.trace.history(thread, self.trace.count(thread));
        if last != self.histories.before(known.history) || !event.has_answers_of(&before) {
            return Ok(false);
        }
        self.note_event(&event);
        let state = self.state(reached, thread);
        if self.trace.finds_sources(&event, &known) {
            let accesses = event.accesses().map_err(|what| self.refusal(&event, what))?;
            self.trace.push_step(&event, accesses, known, state);
            return Ok(true);
        }
        let candidate = self.candidate(&event)?;
        let is_known = candidate.parts == known.facts.parts;
        if is_known {
            self.push_step(&candidate, Some(known), state)?;
        }
        Ok(is_known)
    }

    /// Takes a step or an update that was taken before, with its answers. Returns false if it cannot be
    /// taken.
    pub(super) fn repeat(&mut self, action: Action, answers: &[u32]) -> Result<bool, EngineError> {
        let Some((event, reached)) = self.take_again(action, answers)? else { return Ok(false) };
        self.push(event, reached)?;
        Ok(true)
    }

    /// A step as it can be taken now, with the answers that it had, without being taken.
    pub(super) fn try_again(&mut self, before: &Event) -> Result<Option<Rc<Event>>, EngineError> {
        let taken = self.take_again(before.action, before.answers())?;
        self.stepper.leave_state();
        Ok(taken.map(|(event, _)| event))
    }

    fn take_again(&mut self, action: Action, answers: &[u32]) -> Result<Option<Taken>, EngineError> {
        if !self.stepper.can_be_tried(self.trace.prefix.last(), action) {
            return Ok(None);
        }
        self.stepper.machine.choices.prescribe(answers);
        // What one execution asked of inputs, others ask, too, even if only one answer is possible there.
        let is_planned = self.stepper.machine.names_answers();
        Ok(match self.attempt(Request { action, answers: &Answers::Exactly, is_planned })? {
            Attempt::Taken(event, reached) => Some((event, reached)),
            Attempt::Ended(..) | Attempt::Waits(..) | Attempt::Cut => None,
        })
    }

    /// Tries the step of a node's thread at the end of the execution, where a branch puts it, and appends it
    /// if it is taken.
    pub(super) fn place(&mut self, thread: usize, child: &Child) -> Result<(Placed, Option<Answers>), EngineError> {
        let request = Request { action: Action::step(thread), answers: &child.answers, is_planned: false };
        Ok(match self.attempt(request)? {
            Attempt::Taken(event, reached) => {
                let rest = self.more_answers();
                let candidate = self.push(event, reached)?.expect("it is a step");
                (Placed::Taken(candidate), rest)
            }
            Attempt::Ended(event, ending) => {
                let rest = self.more_answers();
                let last = LastStep::of(&ending);
                let mut candidate = self.candidate(&event)?;
                if last == LastStep::Violation {
                    self.trace.complete_reads(&mut candidate, &child.sources);
                }
                (Placed::Ended(candidate, last), rest)
            }
            Attempt::Waits(event, Wait::Idle) => (Placed::Idle(self.candidate(&event)?), None),
            Attempt::Waits(event, Wait::Blocked) => (Placed::Waits(event), None),
            Attempt::Waits(_, Wait::Exit) | Attempt::Cut => (Placed::Forbidden, None),
        })
    }

    /// The answers that are left to the questions of the step that was tried last.
    pub(super) fn more_answers(&mut self) -> Option<Answers> {
        let choices = &mut self.stepper.machine.choices;
        choices.advance().then(|| Answers::From(choices.prescribed_answers().to_vec()))
    }

    /// Takes all updates, of a thread's stores or of all.
    pub(super) fn flush(&mut self, thread: Option<usize>) -> Result<(), EngineError> {
        let mut tried = None;
        while let Some(action) = self.stepper.action_after(self.trace.prefix.last(), tried) {
            if !action.is_update() {
                break;
            }
            if thread.is_some_and(|thread| action.thread != thread) {
                tried = Some(action);
                continue;
            }
            if !self.repeat(action, &[])? {
                assert!(self.is_over(), "an update that is ready happens");
                break;
            }
            tried = None;
        }
        Ok(())
    }

    pub(super) fn candidate(&self, event: &Rc<Event>) -> Result<Candidate, EngineError> {
        self.trace.candidate(Rc::clone(event)).map_err(|what| self.refusal(event, what))
    }

    pub(super) fn refusal(&self, event: &Event, what: &str) -> EngineError {
        let program = self.stepper.machine.program();
        let (place, function) = event.place().map_or_else(Default::default, |(function, pc)| {
            (program.place(program.location(function, pc)), program.function(function).shown_name())
        });
        EngineError::Unsupported { what: format!("{what}, with --engine reads-from"), place, function }
    }

    pub(super) fn note_event(&mut self, event: &Event) {
        self.meter.count(event);
        self.results.statistics.events += 1;
        let depth = self.trace.len() as u64;
        self.results.statistics.max_depth = self.results.statistics.max_depth.max(depth);
    }

    pub(super) fn attempt(&mut self, request: Request<'_>) -> Result<Attempt, EngineError> {
        let prefix = &self.trace.prefix;
        let attempt = self.stepper.attempt(prefix, request, &mut self.learned)?;
        // Whether the store is late is no part of a class. The violation found is the result, if one is
        // enough.
        let is_late = match &attempt {
            Attempt::Ended(_, Ending::Fault(failure)) => self.stepper.machine.is_late_store(&failure.fault),
            _ => false,
        };
        self.results.note_attempt(&mut self.stepper, prefix, request.action.thread, &attempt);
        if let Attempt::Taken(event, reached) = &attempt
            && event.in_section()
        {
            return self.wait_in_section(event, *reached);
        }
        if let Attempt::Ended(event, _) = &attempt
            && is_late
            && !self.results.findings.is_enough()
        {
            return Err(self.refusal(event, LATE_STORE));
        }
        Ok(if matches!(attempt, Attempt::Ended(..)) && self.stepper.is_halted() { Attempt::Cut } else { attempt })
    }

    pub(super) fn state(&mut self, reached: Option<StateId>, thread: usize) -> StateId {
        let from = self.trace.prefix.last();
        reached.unwrap_or_else(|| self.stepper.intern_scratch(Some(from), thread))
    }
}

/// True if it cannot be told what a step reads and writes.
fn is_refused(event: &Event) -> bool {
    !event.is_update() && event.accesses().is_err()
}
