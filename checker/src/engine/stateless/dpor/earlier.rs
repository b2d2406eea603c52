//! Whether an event of the execution could come earlier: tried out, in states that need not be on the way.
//!
//! A thread may have done much since the event that its step is to come before, of which nothing depends on that event; all of it is taken again first. Mostly the steps are known from
//! other executions, so that the machine need not run them.

use std::rc::Rc;

use super::memo::{Known, Sequel};
use super::search::Search;
use super::states::{self, StateId};
use crate::engine::stateless::event::{Event, Label};
use crate::system::StepEnd;

impl Search<'_> {
    /// Whether the second event's step can be taken before the first, after what does not depend on the first.
    pub(super) fn can_come_first(&mut self, first: usize, second: usize) -> bool {
        let Some((state, between)) = self.state_before(first, second) else { return false };
        let thread = self.execution.event(second).label.thread;
        match self.known_next(state, thread).as_deref() {
            Some(Known { sequel: Sequel::Waits(_), .. }) => false,
            Some(Known { sequel: Sequel::Ends(_), .. }) => true,
            Some(known) if known.leads_on() => true,
            _ => {
                self.go_to(state);
                self.could_step(thread, |at| at < first || between.binary_search(&at).is_ok())
            }
        }
    }

    /// The state from which the second event can come before the first, after what it depends on and the first does not matter to, and the positions of
    /// that behind the first. `None`: something of it has to wait.
    pub(super) fn state_before(&mut self, first: usize, second: usize) -> Option<(StateId, Vec<usize>)> {
        // What does not happen before the second event does not matter to it.
        let matters =
            |at: usize| self.execution.happens_before(at, second) && !self.execution.happens_before(first, at);
        let between: Vec<_> = (first + 1..second).filter(|&at| matters(at)).collect();
        let mut state = self.nodes[first].state;
        for &at in &between {
            if self.is_halted() {
                return None;
            }
            let event = Rc::clone(self.execution.event(at));
            state = self.take_again(state, &event)?;
        }
        Some((state, between))
    }

    /// What is known of the next step of a thread from a state, if there it may take one.
    pub(super) fn known_next(&mut self, from: StateId, thread: usize) -> Option<Rc<Known>> {
        let last = self.machine.schedulable_in(self.states.vector(from), thread + 1).next_back();
        if !self.remembers || last != Some(thread) {
            return None;
        }
        self.known_step_from(from, Label { thread, store: None }).map(|(known, _)| known)
    }

    /// Puts the machine into a state that need not be on the way.
    pub(super) fn go_to(&mut self, state: StateId) {
        self.in_place = false;
        self.machine.unpack(self.states.vector(state));
    }

    /// The state that an event leads to from another state. `None`: it has to wait there.
    fn take_again(&mut self, from: StateId, event: &Event) -> Option<StateId> {
        if self.remembers
            && event.answers.is_empty()
            && let Some((_, reached)) = self.known_step_from(from, event.label)
        {
            return reached;
        }
        self.go_to(from);
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
                self.machine.step(event.label.thread).end == StepEnd::Done
            }
        }
    }
}
