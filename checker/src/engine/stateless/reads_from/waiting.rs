//! Executions of a class in which threads wait for ever.
//!
//! A thread that waits in a loop to the end goes on, or waits for ever, depending on what memory holds then.
//! So where threads wait, and can go on with the memory of the execution that was found, they are run by
//! themselves in the other executions of the class, too ([`super::final_memory`]).
//!
//! Tests: `tests/programs/awaits/own_store_last.c`, `old_value_in_round.c`, and random programs with waiting
//! loops in `tests/tests/reads_from.rs`.

use std::ops::ControlFlow;

use super::final_memory::Events;
use super::search::Search;
use crate::engine::EngineError;
use crate::engine::stateless::termination;
use crate::system::ProgressCheck;

/// The end of a class in which threads wait.
pub(super) struct WaitingEnd {
    /// The progress that is possible at the end of the current execution.
    pub progress: ProgressCheck,
    /// The events of the execution before, if another one is the current one now. They are to be put back.
    pub before: Option<Events>,
}

impl Search<'_> {
    /// Searches for an execution of the class of the current one that ends in a deadlock, or, if a thread
    /// would end the process, in which no other one can go on. If there is one, it becomes the current one.
    pub(super) fn find_waiting(&mut self, exits: bool) -> Result<WaitingEnd, EngineError> {
        let is_sought = |progress| match progress {
            ProgressCheck::Deadlock => true,
            ProgressCheck::CanProgress => false,
            ProgressCheck::Endless | ProgressCheck::Open | ProgressCheck::Undecided => exits,
        };
        let mut first = None;
        let mut found = None;
        let before = self.for_final_memories(&self.trace.clock(), |search| {
            let mut looks = Vec::new();
            let progress = termination::progress(&mut search.stepper, &search.trace.prefix, Some(&mut looks));
            first.get_or_insert(progress);
            if is_sought(progress) {
                found = Some(progress);
                return Ok(ControlFlow::Break(()));
            }
            Ok(ControlFlow::Continue(search.trace.reads_in(&looks)))
        })?;
        Ok(WaitingEnd { progress: found.or(first).expect("the current execution is one of them"), before })
    }
}
