//! The way to what goes wrong: the ancestors of a state are known by their numbers, and their vectors are
//! found by going forward.
//!
//! Of a state only a part of a hash is kept ([`crate::store::States::may_be`]). So now and then a step seems
//! to lead to the next ancestor and does not; then the way cannot go on or ends elsewhere, and another step
//! is tried. Where it ends is known for certain. The way is kept as steps and not as state vectors, which
//! would take memory in proportion to its length times the size of a state; to try another step, the way up
//! to it is gone again.

use std::borrow::Cow;

use super::shared::PendingViolation;
use super::symmetry;
use super::worker::WorkerResult;
use crate::outcome::{ScheduleStep, Violation};
use crate::store::{Id, StateStore};
use crate::system::{AnswerRuns, ChoiceSequence, Machine, StepEnd};

/// The states of all workers, and the initial one.
pub(super) struct PathFinder<'w, 'p> {
    pub store: &'w StateStore,
    pub results: &'w mut [WorkerResult<'p>],
    pub initial: Vec<Id>,
}

/// A step that may lead to the next state of the way, and the state it leads to.
type Candidate = (ScheduleStep, Vec<Id>);

impl PathFinder<'_, '_> {
    /// The violation with the way to it. `None`: the state stands for others, and no way to one of these was
    /// found.
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
        // For each state of the path but the first, the steps to it that were not tried yet. The last one is
        // being tried.
        let mut tried: Vec<Vec<ScheduleStep>> = Vec::new();
        let mut reached = self.initial.clone();
        while tried.len() + 1 < path.len() {
            let mut candidates = self.candidates(&reached, path[tried.len() + 1]);
            if tried.len() + 2 == path.len() {
                candidates.retain(|(_, after)| self.representative(after) == vector);
            }
            if let Some((_, after)) = candidates.last_mut() {
                reached = std::mem::take(after);
                tried.push(candidates.into_iter().map(|(step, _)| step).collect());
            } else {
                reached = self.try_another(&mut tried)?;
            }
        }
        Some((tried.into_iter().filter_map(|mut steps| steps.pop()).collect(), reached))
    }

    /// Gives up the steps that are being tried, from the last one back to one that has an alternative, and
    /// returns the state to which the alternative leads. `None`: there is no alternative.
    fn try_another(&mut self, tried: &mut Vec<Vec<ScheduleStep>>) -> Option<Vec<Id>> {
        loop {
            let steps = tried.last_mut()?;
            steps.pop();
            if !steps.is_empty() {
                break;
            }
            tried.pop();
        }
        let machine = &mut self.results[0].machine;
        let mut state = self.initial.clone();
        for step in tried.iter().filter_map(|steps| steps.last()) {
            machine.unpack(&state);
            machine.script = ChoiceSequence::prescribed(&step.choices);
            machine.step(step.thread);
            machine.pack(&mut state);
        }
        machine.script.clear();
        Some(state)
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
