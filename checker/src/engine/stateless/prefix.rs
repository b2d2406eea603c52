//! The current execution, with the states between its events.

use super::execution::Execution;
use super::state_cache::StateId;

/// The events of an execution so far, and the state before each of them.
pub struct Prefix {
    /// The events.
    pub execution: Execution,
    /// The state before each event, and the state after the last one. While an event is tried at the end of
    /// the execution, the state after it is missing.
    pub states: Vec<StateId>,
}

impl Prefix {
    /// A prefix without events and states. `stores_in_order` is true if a thread's stores reach memory in
    /// program order.
    pub fn new(stores_in_order: bool) -> Self {
        Self { execution: Execution::new(stores_in_order), states: Vec::new() }
    }

    /// A prefix without events and states, whose happens-before relation is not asked for.
    pub fn unordered() -> Self {
        Self { execution: Execution::unordered(), states: Vec::new() }
    }

    /// The state before the event at a position.
    #[inline]
    pub fn state(&self, at: usize) -> StateId {
        self.states[at]
    }

    /// The last state.
    #[inline]
    pub fn last(&self) -> StateId {
        self.states[self.states.len() - 1]
    }

    /// The last step of a thread among the events before position `below` for which `included` is true.
    pub fn last_step(&self, thread: usize, below: usize, included: impl Fn(usize) -> bool) -> Option<usize> {
        let mut steps = self.execution.index().steps_of(thread).clone();
        steps.cut(below);
        steps.positions_down().find(|&at| included(at))
    }
}
