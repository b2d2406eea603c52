//! Whether an event of the execution could come earlier: tried out, in states that need not be on the way.
//!
//! A thread may have done much since the event that its step is to come before, of which nothing depends on that event; all of it is taken again first. Mostly the steps are known from
//! other executions, so that the machine need not run them.

use super::event::Event;
use super::search::Search;
use super::states::{self, StateId};
use crate::system::StepEnd;

impl Search<'_> {
    /// Whether the second event's step can be taken before the first, after what does not depend on the first.
    pub(super) fn can_come_first(&mut self, first: usize, second: usize) -> bool {
        let Some(between) = self.go_before(first, second) else { return false };
        let thread = self.execution.event(second).label.thread;
        self.could_step(thread, |at| at < first || between.binary_search(&at).is_ok())
    }

    /// Puts the machine where the second event can come before the first, after what it depends on and the first does not matter to. Answers the positions of
    /// that behind the first. `None`: something of it has to wait.
    pub(super) fn go_before(&mut self, first: usize, second: usize) -> Option<Vec<usize>> {
        self.in_place = false;
        // What does not happen before the second event does not matter to it.
        let matters =
            |at: usize| self.execution.happens_before(at, second) && !self.execution.happens_before(first, at);
        let between: Vec<_> = (first + 1..second).filter(|&at| matters(at)).collect();
        let mut state = self.nodes[first].state;
        for &at in &between {
            let event = std::rc::Rc::clone(self.execution.event(at));
            state = self.take_again(state, &event)?;
        }
        self.machine.unpack(self.states.vector(state));
        Some(between)
    }

    /// The state that an event leads to from another state. `None`: it has to wait there.
    fn take_again(&mut self, from: StateId, event: &Event) -> Option<StateId> {
        if self.remembers
            && event.answers.is_empty()
            && let Some((_, reached)) = self.known_step_from(from, event.label)
        {
            return reached;
        }
        self.machine.unpack(self.states.vector(from));
        if !self.run_again(event) {
            return None;
        }
        self.machine.pack(&mut self.scratch);
        Some(self.intern(Some(from), event.label.thread, states::hash(&self.scratch)))
    }

    /// Takes a step or an update again, from the state the machine is in. False: it has to wait.
    fn run_again(&mut self, event: &Event) -> bool {
        match event.label.store {
            Some(store) => self.machine.update(event.label.thread, store).is_some(),
            None => {
                self.machine.script.prescribe(&event.answers);
                self.machine.step(event.label.thread) == StepEnd::Done
            }
        }
    }
}
