//! The tree of executions: the current execution, the sleep sets, and the wakeup trees.

use std::rc::Rc;

use rmc_runtime::Model;

use super::stack::SearchStack;
use super::wakeup::Branch;
use crate::engine::stateless::bits::Bits;
use crate::engine::stateless::event::Event;
use crate::engine::stateless::execution::Execution;
use crate::engine::stateless::prefix::Prefix;
use crate::engine::stateless::state_cache::StateId;

/// The executions that were explored and that are to be explored.
pub(super) struct Exploration {
    /// The current execution. It has as many states as the stack.
    pub prefix: Prefix,
    /// The sleep sets and wakeup trees of its states.
    pub stack: SearchStack,
    /// True for Source-DPOR, false for Optimal-DPOR.
    pub is_source: bool,
    /// The position from which on the events are not those of the last execution whose races were reversed.
    pub(super) first_new: usize,
    /// The positions of the events that happen-before all events from `first_new` on.
    pub(super) before_new: Bits,
}

impl Exploration {
    /// An exploration without a state.
    pub fn new(model: Model, is_source: bool) -> Self {
        Self {
            prefix: Prefix::new(model != Model::Pso),
            stack: SearchStack::default(),
            is_source,
            first_new: 0,
            before_new: Bits::new(),
        }
    }

    /// Enters the state after the last event. `tree` is its wakeup tree, `explored` the number of executions
    /// so far.
    #[inline]
    pub fn enter(&mut self, state: StateId, tree: Vec<Branch>, explored: u64) {
        let execution = &self.prefix.execution;
        let last = execution.len().checked_sub(1).map(|last| execution.event(last));
        let stays_asleep = |sleeper: &Event| last.is_some_and(|event| !wakes(execution, sleeper, event));
        self.stack.enter(tree, explored, stays_asleep);
        self.prefix.states.push(state);
    }

    /// Leaves the last state. The event that led to it is then put to sleep.
    #[inline]
    pub fn leave(&mut self) {
        self.stack.leave();
        self.prefix.states.pop();
        if !self.stack.is_empty() {
            let event = self.pop();
            self.stack.put_to_sleep(event);
        }
    }

    /// Removes the last event.
    #[inline]
    pub fn pop(&mut self) -> Rc<Event> {
        let event = self.prefix.execution.pop();
        self.first_new = self.first_new.min(self.prefix.execution.len());
        event
    }

    /// True if all executions that begin with an event from the last state are found after another event that
    /// was or will be explored from there.
    #[inline]
    pub fn is_covered(&self, event: &Event) -> bool {
        let wakes = |first: &Event| wakes(&self.prefix.execution, first, event);
        !self.is_source && self.stack.first_events().any(|first| !first.has_fixed_choices() && !wakes(first))
    }
}

/// True if an event at the end of the execution conflicts with one that is asleep.
#[inline]
fn wakes(execution: &Execution, sleeper: &Event, event: &Event) -> bool {
    sleeper.conflicts(event, |thread, store| execution.update_of(thread, store).is_some())
}
