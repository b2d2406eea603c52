//! Atomic sections in which a thread waits.
//!
//! A section is one step (`system/step/mod.rs`), unless its thread waits there: for a lock, for the end of a
//! thread, or in a loop. Nobody can end such a wait, as no other thread takes a step and no delayed store
//! reaches memory before the section ends. So the execution ends there, in a deadlock, and what the waiting
//! thread looks at is read by the step that leads there. With other sources the step may go on, so that it is
//! a step like others: the other threads are followed without it, as after a violation.
//!
//! Tests: `tests/programs/sync/section_waits.c`, and random programs in `tests/tests/reads_from.rs`.

use std::rc::Rc;

use super::search::Search;
use crate::engine::EngineError;
use crate::engine::stateless::event::{Action, Event};
use crate::engine::stateless::state_cache::StateId;
use crate::engine::stateless::stepper::{Answers, Attempt, Ending, Request, Wait};
use crate::engine::stateless::termination;

/// The section that is refused: it neither waits nor ends in a step.
const LONG_SECTION: &str = "an atomic section with a loop that may go round for ever";

impl Search<'_> {
    /// The attempt of a step that leads into an atomic section, where its thread waits for ever. Reports the
    /// deadlock.
    ///
    /// # Errors
    /// The thread does not wait.
    pub(super) fn wait_in_section(
        &mut self,
        event: &Rc<Event>,
        reached: Option<StateId>,
    ) -> Result<Attempt, EngineError> {
        let thread = event.action.thread;
        let state = self.state(reached, thread);
        let prefix = &mut self.trace.prefix;
        prefix.execution.push(Rc::clone(event));
        prefix.states.push(state);
        let request = Request { action: Action::step(thread), answers: &Answers::All, is_planned: false };
        let attempt = self.stepper.attempt(&self.trace.prefix, request, &mut self.learned);
        let ended = match attempt {
            Ok(Attempt::Waits(wait, Wait::Blocked | Wait::Idle)) => {
                let progress = termination::progress(&mut self.stepper, &self.trace.prefix, None);
                self.results.note_wait_in_section(&mut self.stepper, &self.trace.prefix, progress);
                Ok(Attempt::Ended(event.waiting_in_section(&wait.footprint), Ending::WaitsInSection))
            }
            Ok(Attempt::Cut) => Ok(Attempt::Cut),
            Ok(Attempt::Taken(..) | Attempt::Ended(..) | Attempt::Waits(..)) => Err(self.refusal(event, LONG_SECTION)),
            Err(error) => Err(error),
        };
        let prefix = &mut self.trace.prefix;
        prefix.execution.pop();
        prefix.states.pop();
        self.stepper.leave_state();
        ended
    }
}
