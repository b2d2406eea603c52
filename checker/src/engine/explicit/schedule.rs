//! The schedule that leads to a violation.
//!
//! The ancestors of a state are known by their numbers. Their state vectors are found by going forward from
//! the initial state. Only a part of a state's hash is kept ([`crate::store::States::may_be`]), so a step
//! rarely seems to lead to the next ancestor and does not; the search then goes back and tries another one
//! ([`super::backtracking`]). The state at the end is compared whole.

use std::borrow::Cow;

use super::backtracking::{self, Successors};
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

/// A step that may lead to the next state of the path, and the state to which it leads.
type Candidate = (ScheduleStep, Vec<Id>);

impl PathFinder<'_, '_> {
    /// The violation with its schedule. The result is `None` if the state stands for others and no path to
    /// one of these was found.
    pub fn violation(&mut self, pending: PendingViolation) -> Option<Violation> {
        let (mut schedule, reached) = self.schedule_to(pending.state, &pending.vector)?;
        if self.results[0].machine.exchanges() {
            return symmetry::end(&mut self.results[0].machine, schedule, &reached, &pending);
        }
        schedule.extend(pending.last.map(|(thread, choices)| ScheduleStep::of(thread, choices)));
        Some(Violation { fault: pending.fault, schedule })
    }

    /// The steps to a state, and the state to which they lead: this one, or one that it stands for.
    fn schedule_to(&mut self, state: Id, vector: &[Id]) -> Option<(Vec<ScheduleStep>, Vec<Id>)> {
        let ancestors = self.path_to(state);
        let initial = self.initial.clone();
        let steps = ancestors.len() - 1;
        backtracking::path(&mut Ancestry { finder: self, ancestors, vector }, initial, steps)
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
    fn steps_to(&mut self, from: &[Id], to: Id) -> Vec<Candidate> {
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

/// The steps along the ancestors of a state.
struct Ancestry<'f, 'w, 'p> {
    finder: &'f mut PathFinder<'w, 'p>,
    /// The initial state first, the state itself last.
    ancestors: Vec<Id>,
    /// The vector of the last state.
    vector: &'f [Id],
}

impl Successors for Ancestry<'_, '_, '_> {
    type Step = ScheduleStep;
    type State = Vec<Id>;

    fn candidates(&mut self, from: &Vec<Id>, depth: usize) -> Vec<Candidate> {
        let mut candidates = self.finder.steps_to(from, self.ancestors[depth + 1]);
        if depth + 2 == self.ancestors.len() {
            candidates.retain(|(_, after)| self.finder.representative(after) == self.vector);
        }
        candidates
    }

    fn after<'s>(&mut self, steps: impl Iterator<Item = &'s ScheduleStep>) -> Vec<Id> {
        let machine = &mut self.finder.results[0].machine;
        let mut state = self.finder.initial.clone();
        for step in steps {
            machine.unpack(&state);
            machine.choices = ChoiceSequence::prescribed(&step.choices);
            machine.step(step.thread);
            machine.pack(&mut state);
        }
        machine.choices.clear();
        state
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
                let choices = machine.choices.answers().to_vec();
                found.push((ScheduleStep::of(thread, choices), after));
            }
        }
    }
    found
}
