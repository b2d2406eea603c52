//! The events that are enabled instead of one that ends the execution.
//!
//! Nothing follows such an event, so no race of a later event leads to events before it. Every other event
//! that is enabled in its state is therefore planned there.

use std::rc::Rc;

use super::search::Search;
use super::wakeup::Branch;
use crate::engine::EngineError;
use crate::engine::stateless::event::{Action, Event};
use crate::engine::stateless::stepper::{Answers, Attempt, Request, Wait};

impl Search<'_> {
    /// Plans the other enabled events of the last state, from which `event` ended the execution.
    pub fn plan_alternatives(&mut self, event: &Rc<Event>) -> Result<(), EngineError> {
        let (mut waiting, mut goes_on) = (Vec::new(), false);
        let mut tried = None;
        while let Some(action) = self.stepper.action_after(self.exploration.prefix.last(), tried) {
            tried = Some(action);
            if let Some(ends) = self.known_to_end(action, event) {
                goes_on |= !ends;
                continue;
            }
            let attempt = self.attempt(Request { action, answers: &Answers::All, is_planned: false })?;
            self.stepper.leave_state();
            match attempt {
                Attempt::Taken(other, _) | Attempt::Ended(other, _) => {
                    goes_on = true;
                    if !self.exploration.is_covered(&other) {
                        let branch = Branch::new(other, Answers::All);
                        self.exploration.stack.last_mut().tree.push(branch);
                    }
                }
                Attempt::Waits(_, Wait::Blocked) if self.has_pending(action.thread) => {}
                Attempt::Waits(_, Wait::Exit) | Attempt::Cut => {}
                Attempt::Waits(other, _) => waiting.push(other),
            }
        }
        // If nothing else can happen, the waiting steps are found in no other execution.
        if !goes_on && !waiting.is_empty() {
            self.reverse_races(waiting);
        }
        Ok(())
    }

    /// True if an action ends the execution, and false if it does not, if the action was or will be explored
    /// from the last state with all its answers, or is that of `event`.
    fn known_to_end(&self, action: Action, event: &Rc<Event>) -> Option<bool> {
        let mut known = self.exploration.stack.first_events().chain([event]);
        known.find(|known| known.action == action && !known.has_fixed_choices()).map(|known| known.ends())
    }
}
