//! Reconstruction of the schedule that leads to a violation.
//!
//! The store has the parent of each state, but neither the step that led from it nor the vectors of earlier
//! levels. So the parents give the numbers of the ancestors, and the schedule is found by running steps from
//! the initial state on. A step may belong to the schedule if the fingerprint of its successor is that of
//! the next ancestor ([`crate::store::States::may_be`]). A fingerprint is only a part of a hash, so a step
//! may rarely be a wrong one. Then the search backtracks and tries another ([`super::backtracking`]).
//!
//! The result is right, because its steps were run, and because the vector at its end is compared with that
//! of the violation. Where threads are exchanged, representatives are compared instead: the search ends in a
//! state of the program that the given state represents ([`super::symmetry`]).
//!
//! Tests: in `backtracking.rs`; `tests/tests/counterexamples.rs` runs schedules on a textbook machine,
//! `tests/tests/storage.rs` and `tests/tests/workers.rs` compare their lengths, and the programs in
//! `tests/programs/symmetry/` have violations in states whose threads are exchanged.

use std::borrow::Cow;

use super::backtracking::{self, Successors};
use super::shared::PendingViolation;
use super::subsumption;
use super::symmetry;
use super::worker::WorkerResult;
use crate::outcome::{ScheduleStep, Violation};
use crate::store::{Id, StateStore};
use crate::system::{AnswerRuns, ChoiceSequence, Machine, StepEnd};

/// Finds paths through the states of all workers. Steps are run by the machine of the first worker.
pub(super) struct PathFinder<'w, 'p> {
    pub store: &'w StateStore,
    pub results: &'w mut [WorkerResult<'p>],
    /// The vector of the initial state.
    pub initial: Vec<Id>,
    /// True if the running thread is the last word of a stored state ([`super::preemptions`]).
    pub has_running: bool,
}

/// A step, and the vector of its successor.
type Transition = (ScheduleStep, Vec<Id>);

impl PathFinder<'_, '_> {
    /// The violation with its schedule. `None` if threads are exchanged and no schedule was found: then the
    /// program tells threads apart, so they must not be exchanged.
    pub fn violation(&mut self, pending: PendingViolation) -> Option<Violation> {
        let (mut schedule, reached) = self.schedule_to(pending.state, &pending.vector)?;
        if self.results[0].machine.exchanges() {
            return symmetry::end(&mut self.results[0].machine, schedule, &reached, &pending);
        }
        schedule.extend(pending.last.map(|(thread, choices)| ScheduleStep::of(thread, choices)));
        Some(Violation { fault: pending.fault, schedule, preemptions: pending.preemptions })
    }

    /// A schedule from the initial state to a state, and the vector where it ends. That is `vector`, the
    /// state's own, or one whose representative is `vector`.
    fn schedule_to(&mut self, state: Id, vector: &[Id]) -> Option<(Vec<ScheduleStep>, Vec<Id>)> {
        let ancestors = self.ancestors(state);
        let initial = self.initial.clone();
        let steps = ancestors.len() - 1;
        backtracking::path(&mut PathAlongAncestors { finder: self, ancestors, vector }, initial, steps)
    }

    /// The numbers of a state's ancestors, with the initial state first and the state itself last.
    fn ancestors(&self, state: Id) -> Vec<Id> {
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

    /// The representative of a state. That is the state itself if threads are not exchanged.
    fn representative<'v>(&mut self, vector: &'v [Id]) -> Cow<'v, [Id]> {
        let machine = &mut self.results[0].machine;
        if !machine.exchanges() {
            return Cow::Borrowed(vector);
        }
        let mut vector = vector.to_vec();
        machine.exchange(&mut vector);
        Cow::Owned(vector)
    }

    /// The transitions from a state to one that has the fingerprint of `to`. The last one is tried first.
    fn transitions_to(&mut self, from: &[Id], to: Id) -> Vec<Transition> {
        let worker = self.store.worker_of(to);
        let mut candidates = transitions(&mut self.results[0].machine, from);
        candidates.retain(|(step, after)| {
            let mut after = self.representative(after);
            if self.has_running {
                after.to_mut().push(step.thread as Id);
            }
            let name = self.results[0].states.fold(&after);
            let owner = subsumption::owner(self.store, &mut self.results[0], &after, name);
            owner == worker && self.results[worker].states.may_be(to, name.key)
        });
        candidates.reverse();
        candidates
    }
}

/// The graph in which [`backtracking`] searches for the schedule: a step at depth `d` leads to a state that
/// may be the ancestor `d + 1`.
struct PathAlongAncestors<'f, 'w, 'p> {
    finder: &'f mut PathFinder<'w, 'p>,
    /// The numbers of the states on the path, with the initial state first and the last state last.
    ancestors: Vec<Id>,
    /// The vector of the last state.
    vector: &'f [Id],
}

impl Successors for PathAlongAncestors<'_, '_, '_> {
    type Step = ScheduleStep;
    type State = Vec<Id>;

    fn candidates(&mut self, from: &Vec<Id>, depth: usize) -> Vec<Transition> {
        let mut candidates = self.finder.transitions_to(from, self.ancestors[depth + 1]);
        let is_last_step = depth + 2 == self.ancestors.len();
        if is_last_step {
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

/// All steps from a state that lead to a state, with every combination of answers to their choices.
fn transitions(machine: &mut Machine<'_>, from: &[Id]) -> Vec<Transition> {
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
