//! Steps that are tried in states other than the last one of the prefix.
//!
//! Most of these steps were run in other executions and are cached, so the machine need not run them.

use std::rc::Rc;

use super::run::event_of_step;
use super::{Prefix, StateId, Stepper};
use crate::engine::stateless::event::{Action, Event};
use crate::engine::stateless::state_cache::{State, rehash};
use crate::engine::stateless::step_cache::{CachedStep, Reached, StepResult};
use crate::store::Change;
use crate::system::{AnswerRuns, FootprintEntry, StepEnd};

impl Stepper<'_> {
    /// The state to which an event of another execution leads from a state. The result is `None` if it has to
    /// wait there.
    pub fn follow(&mut self, from: StateId, event: &Event) -> Option<StateId> {
        if self.caches_steps
            && event.answers().is_empty()
            && let Some((_, reached)) = self.cached_step(from, event.action)
        {
            return reached;
        }
        self.load(from);
        if !self.run_again(event) {
            return None;
        }
        self.machine.pack(&mut self.scratch);
        Some(self.intern_scratch(Some(from), event.action.thread))
    }

    /// A step that is inserted before the events from a position on, which are no steps of its thread: what
    /// the step is, and the states after it and after each of the events. The result is `None` if that is
    /// not known. `of` tells what an event is, or `None` if the step changes what other threads know or the
    /// buffer of its own.
    pub fn insert_step<T>(
        &mut self,
        prefix: &Prefix,
        position: usize,
        action: Action,
        of: impl FnOnce(&Rc<Event>) -> Option<T>,
    ) -> Option<(T, Vec<StateId>)> {
        let states = &prefix.states[position..];
        let from = states[0];
        if !self.caches_steps || self.machine.names_answers() || !self.can_be_tried(from, action) {
            return None;
        }
        let (cached, reached) = self.cached_step(from, action)?;
        let StepResult::Reaches(Reached::Changed(changes)) = &cached.result else { return None };
        if !self.leads_on(prefix, &cached, [Some(from), reached]) {
            return None;
        }
        let step = of(&cached.event)?;
        let mut inserted = Vec::with_capacity(states.len());
        inserted.push(reached?);
        for &state in &states[1..] {
            inserted.push(self.changed(state, changes, from)?);
        }
        Some((step, inserted))
    }

    /// A state with changed components, if it has the same threads, objects and buffers as another one, and
    /// the same components before the change.
    fn changed(&mut self, state: StateId, changes: &[Change], as_in: StateId) -> Option<StateId> {
        let (vector, before) = (self.states.vector(state), self.states.vector(as_in));
        let is_same = |at: usize| vector[at] == before[at];
        if !is_same(0) || !is_same(1) || !changes.iter().all(|&(at, _)| is_same(at as usize)) {
            return None;
        }
        let State { hash, layout, pending, .. } = self.states[state];
        self.scratch.clear();
        self.scratch.extend_from_slice(vector);
        let mut changed_hash = hash;
        for &(at, id) in changes {
            let component = &mut self.scratch[at as usize];
            changed_hash = rehash(changed_hash, at as usize, std::mem::replace(component, id), id);
        }
        let known = self.states.find(&self.scratch, changed_hash);
        Some(known.unwrap_or_else(|| self.states.add(&self.scratch, changed_hash, layout, pending)))
    }

    /// Takes a step or an update again, from the state the machine is in. Returns false if it has to wait.
    fn run_again(&mut self, event: &Event) -> bool {
        match event.action.store {
            Some(store) => self.machine.update(event.action.thread, store).is_some(),
            None => {
                self.machine.choices.prescribe(event.answers());
                !self.waits_for_own_stores(event.action.thread)
                    && self.machine.step(event.action.thread).end == StepEnd::Done
            }
        }
    }

    /// The cached next step of a thread from a state, if the thread may take a step there.
    pub fn cached_next(&mut self, from: StateId, thread: usize) -> Option<Rc<CachedStep>> {
        let last = self.machine.schedulable_in(self.states.vector(from), thread + 1).next_back();
        if !self.caches_steps || last != Some(thread) {
            return None;
        }
        self.cached_step(from, Action::step(thread)).map(|(cached, _)| cached)
    }

    /// True if a thread can take a step from a state, other than one that completes an idle round. `included`
    /// is true for the events of the execution that led to the state.
    pub fn could_step(
        &mut self,
        prefix: &Prefix,
        from: StateId,
        thread: usize,
        included: impl Fn(usize) -> bool,
    ) -> bool {
        self.load(from);
        // In an earlier state the thread may not have been created yet.
        if !self.is_schedulable(thread) {
            return false;
        }
        let last = prefix.last_step(thread, prefix.execution.len(), included);
        let (mut before, mut after) = (Vec::new(), Vec::new());
        self.machine.pack(&mut before);
        let mut runs = AnswerRuns::new(&before, thread);
        while let Some(report) = runs.run_next(&mut self.machine) {
            match report.end {
                StepEnd::Blocked | StepEnd::ExitsLast => {}
                StepEnd::Done => {
                    self.machine.pack(&mut after);
                    if !self.is_idle_round(prefix, &report, thread, last, [&before, &after]) {
                        return true;
                    }
                }
                _ => return true,
            }
            if self.is_halted() {
                return false;
            }
        }
        false
    }

    /// The event of the next step of a thread in a state, with the first answers with which it does not have
    /// to wait, and with the footprint of all answers. The result is `None` if it has to wait.
    pub fn try_step(&mut self, prefix: &Prefix, from: StateId, thread: usize) -> Option<Rc<Event>> {
        self.load(from);
        if !self.is_schedulable(thread) {
            return None;
        }
        let mut before = Vec::new();
        self.machine.pack(&mut before);
        let (place, pushed) = (self.machine.position(thread), self.machine.pushed(thread));
        let mut found: Option<Event> = None;
        let mut others: Vec<FootprintEntry> = Vec::new();
        let mut runs = AnswerRuns::new(&before, thread);
        while let Some(report) = runs.run_next(&mut self.machine) {
            if matches!(report.end, StepEnd::Blocked | StepEnd::ExitsLast) || found.is_some() {
                others.extend_from_slice(&report.footprint);
            } else {
                found = Some(self.ordered(event_of_step(&self.machine, &report, thread, place, pushed)));
            }
        }
        let event = prefix.execution.with_own_stores(Rc::new(found?), pushed);
        Some(event.touching(&others))
    }

    /// True if a thread may take a step in the state the machine is in.
    fn is_schedulable(&self, thread: usize) -> bool {
        !self.waits_for_own_stores(thread) && self.machine.schedulable_threads().any(|other| other == thread)
    }
}
