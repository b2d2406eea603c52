//! The removal of events from the end of the execution, and putting them back.

use std::rc::Rc;

use smallvec::SmallVec;

use super::clock::Clock;
use super::memory::Part;
use super::trace::{Creation, Known, Step, Trace, Undo};
use crate::engine::stateless::event::{Action, Event};
use crate::engine::stateless::state_cache::StateId;
use crate::engine::stateless::stepper::Stepper;

/// An event that was removed, with what it changed.
pub struct Removed {
    /// The event.
    pub event: Rc<Event>,
    /// The state after it.
    state: StateId,
    /// What it changed, with what is there after it.
    undo: Undo,
    /// Its writes, in order.
    pub writes: SmallVec<[Part; 2]>,
    /// The threads that it created, the last one first.
    creations: SmallVec<[(usize, Creation); 0]>,
    /// What comes before: the step, if it is one, or the arrival of the store.
    order: Clock,
    /// The step, if it is one.
    pub step: Option<Known>,
}

impl Trace {
    /// Removes the events from a position on. Returns them.
    pub fn truncate(&mut self, len: usize, stepper: &mut Stepper<'_>) -> Vec<Removed> {
        let mut removed = Vec::with_capacity(self.len().saturating_sub(len));
        while self.len() > len {
            removed.push(self.undo());
        }
        if !removed.is_empty() {
            stepper.leave_state();
        }
        removed.reverse();
        removed
    }

    /// Removes the events from a position on, for good.
    pub fn discard(&mut self, len: usize, stepper: &mut Stepper<'_>) {
        if self.len() > len {
            stepper.leave_state();
        }
        while self.len() > len {
            self.prefix.states.pop();
            let event = self.prefix.execution.pop();
            self.take_back(&event);
            let undo = self.undo.pop().expect("an event was pushed");
            for mut version in undo.before.into_iter().rev() {
                self.memory.take_back(&mut version);
            }
            for created in undo.created {
                self.threads[created].creations.pop();
            }
        }
    }

    /// Removes the last event. The stepper has to leave its state.
    fn undo(&mut self) -> Removed {
        let state = self.prefix.states.pop().expect("there is a state after each event");
        let event = self.prefix.execution.pop();
        let (order, step) = self.take_back(&event);
        let mut undo = self.undo.pop().expect("an event was pushed");
        let mut writes: SmallVec<[Part; 2]> = SmallVec::new();
        for version in undo.before.iter_mut().rev() {
            writes.push(self.memory.take_back(version));
        }
        writes.reverse();
        let mut creations = SmallVec::new();
        for &created in undo.created.iter().rev() {
            creations.push((created, self.threads[created].creations.pop().expect("it was created")));
        }
        Removed { event, state, undo, writes, creations, order, step }
    }

    /// Removes what the last event, which was removed, is for its thread. Returns what comes before, and the
    /// step if it is one.
    fn take_back(&mut self, event: &Event) -> (Clock, Option<Known>) {
        let own = &mut self.threads[event.action.thread];
        if let Some(store) = event.action.store {
            return (std::mem::take(&mut own.stores[store as usize].before), None);
        }
        own.stores.truncate(own.stores.len() - event.pushed().len());
        if event.is_fenced() {
            own.fences.pop();
        }
        let Step { order, known, .. } = own.steps.pop().expect("the step was taken");
        known.facts.parts.iter().for_each(|part| self.memory.remove_read(part.place.object));
        (order, Some(known))
    }

    /// Puts back events that were removed, at the end of the execution to which they belong.
    pub fn put_back(&mut self, removed: impl IntoIterator<Item = Removed>) {
        for Removed { event, state, mut undo, writes, creations, order, step } in removed {
            for (created, creation) in creations.into_iter().rev() {
                self.threads[created].creations.push(creation);
            }
            if let Some(known) = step {
                self.add_step(&event, Step { position: self.len(), order, known });
            } else if let Action { thread, store: Some(store) } = event.action {
                let position = self.len();
                let known = &mut self.threads[thread].stores[store as usize];
                (known.position, known.before) = (position, order);
            }
            for (version, write) in undo.before.iter_mut().zip(writes) {
                self.memory.write_again(version, write);
            }
            self.finish(event, undo, state);
        }
    }
}
