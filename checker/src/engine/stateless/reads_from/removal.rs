//! The removal of events from the end of the execution, and putting them back.

use std::rc::Rc;

use smallvec::SmallVec;

use super::clock::Clock;
use super::memory::Part;
use super::trace::{Creation, Step, Trace, Undo};
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
    pub writes: SmallVec<[Part; 1]>,
    /// The threads that it created, the last one first.
    creations: SmallVec<[(usize, Creation); 0]>,
    /// The step, if it is one.
    pub step: Option<Step>,
    /// What comes before, if a store reaches memory.
    before: Clock,
}

/// An event that was removed, and the step that it is or comes from.
pub struct Undone {
    /// The event.
    pub removed: Removed,
    /// The step, by thread and number.
    pub step: (usize, u32),
}

impl Trace {
    /// Removes the events from a position on. Returns them.
    pub fn truncate(&mut self, len: usize, stepper: &mut Stepper<'_>) -> Vec<Removed> {
        let mut removed = Vec::new();
        while self.len() > len {
            removed.push(self.pop());
        }
        if !removed.is_empty() {
            stepper.leave_state();
        }
        removed.reverse();
        removed
    }

    /// Removes the last event. The stepper has to leave its state.
    fn pop(&mut self) -> Removed {
        let state = self.prefix.states.pop().expect("there is a state after each event");
        let mut undo = self.undo.pop().expect("an event was pushed");
        let event = self.prefix.execution.pop();
        undo.before.iter_mut().rev().for_each(|version| self.memory.exchange(version));
        let mut writes: SmallVec<[Part; 1]> = undo.writes.iter().rev().map(|&object| self.writes.pop(object)).collect();
        writes.reverse();
        let creations = undo
            .created
            .iter()
            .rev()
            .map(|&created| (created, self.threads[created].creations.pop().expect("the thread was created")));
        let creations = creations.collect();
        let own = &mut self.threads[event.action.thread];
        let before = event.action.store.map(|store| std::mem::take(&mut own.stores[store as usize].before));
        let step = (!event.is_update()).then(|| {
            own.stores.truncate(own.stores.len() - event.pushed().len());
            if event.is_fenced() {
                own.fences.pop();
            }
            own.steps.pop().expect("the step was taken")
        });
        let parts = step.iter().flat_map(|step| &step.parts);
        parts.for_each(|part| self.reads.pop(part.place.object));
        Removed { event, state, undo, writes, creations, step, before: before.unwrap_or_default() }
    }

    /// Removes the last event. Returns it with the step that it is or comes from. The stepper has to leave
    /// its state.
    pub fn undo(&mut self) -> Undone {
        let removed = self.pop();
        let Action { thread, store } = removed.event.action;
        let number = store.map_or_else(|| self.count(thread), |store| self.origin(thread as u32, store).0);
        Undone { removed, step: (thread, number) }
    }

    /// Puts back events that were removed, at the end of the execution to which they belong.
    pub fn put_back(&mut self, removed: impl IntoIterator<Item = Removed>) {
        for Removed { event, state, mut undo, writes, creations, step, before } in removed {
            for (created, creation) in creations.into_iter().rev() {
                self.threads[created].creations.push(creation);
            }
            if let Some(step) = step {
                self.add_step(&event, step);
            }
            if let Some(store) = event.action.store {
                self.threads[event.action.thread].stores[store as usize].before = before;
            }
            for write in writes {
                self.writes.push(write.place, write.writer);
            }
            undo.before.iter_mut().for_each(|version| self.memory.exchange(version));
            self.finish(event, undo, state);
        }
    }
}
