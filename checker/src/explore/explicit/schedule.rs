//! The way to what goes wrong: the ancestors of a state are known, which steps join them is found by trying.

use super::common::Noted;
use super::worker::Part;
use crate::outcome::{ScheduleStep, Violation};
use crate::store::{Id, StateStore};
use crate::system::{Machine, StepEnd};

/// The states of all workers, and a machine.
pub(super) struct Ways<'w, 'p> {
    pub store: &'w StateStore,
    pub parts: &'w mut [Part<'p>],
}

impl<'p> Ways<'_, 'p> {
    /// What went wrong, with the way to it.
    pub fn violation(&mut self, noted: Noted) -> Violation {
        let mut schedule = self.schedule_to(noted.state);
        schedule.extend(noted.last.map(|(thread, choices)| ScheduleStep { thread, choices, update: None }));
        Violation { fault: noted.fault, schedule }
    }

    fn schedule_to(&mut self, state: Id) -> Vec<ScheduleStep> {
        let mut path = vec![state];
        loop {
            let state = path[path.len() - 1];
            let parent = self.parts[self.store.worker_of(state)].states.parent(state);
            if parent == state {
                break;
            }
            path.push(parent);
        }
        path.reverse();
        path.windows(2).map(|pair| self.step_between(pair[0], pair[1])).collect()
    }

    fn vector_of(&mut self, state: Id) -> Vec<Id> {
        let states = &mut self.parts[self.store.worker_of(state)].states;
        states.take(state);
        states.vector().to_vec()
    }

    fn step_between(&mut self, from: Id, to: Id) -> ScheduleStep {
        let (target, source) = (self.vector_of(to), self.vector_of(from));
        let machine = &mut self.parts[0].machine;
        machine.unpack(&source);
        let threads: Vec<_> = machine.schedulable_threads().collect();
        let mut found = threads.into_iter().filter_map(|thread| step_of(machine, thread, &source, &target));
        found.next().expect("a state is the successor of its parent")
    }
}

/// The step of a thread from one state to another, if there is one.
fn step_of(machine: &mut Machine<'_>, thread: usize, source: &[Id], target: &[Id]) -> Option<ScheduleStep> {
    let mut reached = Vec::new();
    machine.script.clear();
    loop {
        machine.unpack(source);
        if machine.step(thread) == StepEnd::Done {
            machine.pack(&mut reached);
            if reached == target {
                return Some(ScheduleStep { thread, choices: machine.script.answers().to_vec(), update: None });
            }
        }
        if !machine.script.advance() {
            return None;
        }
    }
}
