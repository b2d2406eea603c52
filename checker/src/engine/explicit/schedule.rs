//! The way to what goes wrong: the ancestors of a state are known by their numbers, and what they were is found by going forward.
//!
//! Of a state only a part of a hash is kept ([`crate::store::States::may_be`]). So now and then a step seems to lead to the next ancestor and does not; then the way cannot go on
//! or ends elsewhere, and another step is tried. Where it ends is known for certain.

use std::borrow::Cow;

use super::shared::PendingViolation;
use super::symmetry;
use super::worker::WorkerResult;
use crate::outcome::{ScheduleStep, Violation};
use crate::store::{Id, StateStore};
use crate::system::{AnswerRuns, Machine, StepEnd};

/// The states of all workers, and the initial one.
pub(super) struct PathFinder<'w, 'p> {
    pub store: &'w StateStore,
    pub results: &'w mut [WorkerResult<'p>],
    pub initial: Vec<Id>,
}

/// A step that may be the one, and the state it leads to.
type Candidate = (ScheduleStep, Vec<Id>);

impl PathFinder<'_, '_> {
    /// What went wrong, with the way to it. `None`: the state stands for others, and no way to one of these was found.
    pub fn violation(&mut self, pending: PendingViolation) -> Option<Violation> {
        let (mut schedule, reached) = self.schedule_to(pending.state, &pending.vector)?;
        if self.results[0].machine.exchanges() {
            return symmetry::end(&mut self.results[0].machine, schedule, &reached, &pending);
        }
        schedule.extend(pending.last.map(|(thread, choices)| ScheduleStep::of(thread, choices)));
        Some(Violation { fault: pending.fault, schedule })
    }

    /// The steps to a state, and the one that they lead to: this one, or one that it stands for.
    fn schedule_to(&mut self, state: Id, vector: &[Id]) -> Option<(Vec<ScheduleStep>, Vec<Id>)> {
        let path = self.path_to(state);
        // For each state of the path but the first, the steps to it that were not tried yet; the one that is tried is the last.
        let mut tried: Vec<Vec<Candidate>> = Vec::new();
        while tried.len() + 1 < path.len() {
            let from = tried.last().map_or(&self.initial, |candidates| &candidates[candidates.len() - 1].1).clone();
            let mut candidates = self.candidates(&from, path[tried.len() + 1]);
            if tried.len() + 2 == path.len() {
                candidates.retain(|(_, after)| self.representative(after) == vector);
            }
            while candidates.is_empty() {
                candidates = tried.pop()?;
                candidates.pop();
            }
            tried.push(candidates);
        }
        let steps = tried.into_iter().filter_map(|mut candidates| candidates.pop());
        let (steps, mut reached): (Vec<_>, Vec<_>) = steps.unzip();
        Some((steps, reached.pop().unwrap_or_else(|| self.initial.clone())))
    }

    /// The ancestors of a state, the initial one first, and the state.
    fn path_to(&self, state: Id) -> Vec<Id> {
        let mut path = vec![state];
        loop {
            let state = path[path.len() - 1];
            let parent = self.results[self.store.worker_of(state)].states.parent(state);
            if parent == state {
                break;
            }
            path.push(parent);
        }
        path.reverse();
        path
    }

    /// The state that stands for one.
    fn representative<'v>(&mut self, vector: &'v [Id]) -> Cow<'v, [Id]> {
        let machine = &mut self.results[0].machine;
        if !machine.exchanges() {
            return Cow::Borrowed(vector);
        }
        let mut vector = vector.to_vec();
        machine.exchange(&mut vector);
        Cow::Owned(vector)
    }

    /// The steps from a state to one that may be this one, the first to try last.
    fn candidates(&mut self, from: &[Id], to: Id) -> Vec<Candidate> {
        let worker = self.store.worker_of(to);
        let mut candidates = successors(&mut self.results[0].machine, from);
        candidates.retain(|(_, after)| {
            let after = self.representative(after);
            let name = self.results[0].states.fold(&after);
            self.store.owner_of(name.key) == worker && self.results[worker].states.may_be(to, name.key)
        });
        candidates.reverse();
        candidates
    }
}

/// All steps from a state to others.
fn successors(machine: &mut Machine<'_>, from: &[Id]) -> Vec<Candidate> {
    machine.unpack(from);
    let threads: Vec<_> = machine.schedulable_threads().collect();
    let mut found = Vec::new();
    for thread in threads {
        let mut runs = AnswerRuns::new(from, thread);
        while let Some(report) = runs.run_next(machine) {
            if report.end == StepEnd::Done {
                let mut after = Vec::new();
                machine.pack(&mut after);
                let choices = machine.script.answers().to_vec();
                found.push((ScheduleStep::of(thread, choices), after));
            }
        }
    }
    found
}
