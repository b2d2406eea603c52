//! A textbook machine: one state after the other, with values.
//!
//! SC has no buffers. TSO has a queue of stores per thread (P. Sewell et al., "x86-TSO", CACM 53(7), 2010).
//! In PSO a store may leave the queue if no older one in it has a cell of it and no store barrier is before
//! it.
//!
//! It shares only the input with the encoding.

use std::collections::{BTreeMap, BTreeSet};

use rmc_formula::{Evaluator, Term, TermId, Terms};

use super::super::{Action, Barrier, CellId, Model, Operation, SharedProgram, Target};
use super::describe::describe;

/// The results of the events of all threads; `None` of those without a result or not executed.
pub type Results = Vec<Vec<Option<u128>>>;

/// An entry of a queue.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Entry {
    Store { event: usize, cells: Vec<(CellId, u128)> },
    Barrier,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct State {
    memory: Vec<u128>,
    buffers: Vec<Vec<Entry>>,
    positions: Vec<usize>,
    /// The only thread that may run.
    glued: Option<usize>,
    pub results: Results,
}

pub struct Machine<'a> {
    pub terms: &'a Terms,
    pub program: &'a SharedProgram,
    pub model: Model,
}

/// Results that can be reached.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Reachable {
    /// With all threads at their ends.
    pub ends: BTreeSet<Results>,
    /// For each thread and position: the thread's results so far, when it is past the position.
    pub prefixes: BTreeSet<(usize, usize, Vec<Option<u128>>)>,
    /// With nothing delayed and each thread at its end or waiting for ever: for each thread where it waits.
    pub deadlocks: BTreeSet<Vec<Option<usize>>>,
}

impl Machine<'_> {
    pub fn initial(&self) -> State {
        let threads = &self.program.threads;
        let mut state = State {
            memory: Vec::new(),
            buffers: vec![Vec::new(); threads.len()],
            positions: vec![0; threads.len()],
            glued: None,
            results: threads.iter().map(|thread| vec![None; thread.events.len()]).collect(),
        };
        let cells = self.program.cells.iter();
        state.memory = cells.map(|cell| self.values(&state, &[cell.initial])[0]).collect();
        state
    }

    /// All executions.
    pub fn explore(&self) -> Reachable {
        let mut reachable = Reachable::default();
        let mut seen = BTreeSet::new();
        let mut stack = vec![self.initial()];
        while let Some(state) = stack.pop() {
            if !seen.insert(state.clone()) {
                continue;
            }
            self.record(&state, &mut reachable);
            for thread in 0..self.program.threads.len() {
                stack.extend(self.advance(&state, thread));
                for store in 0..state.buffers[thread].len() {
                    stack.extend(self.update(&state, thread, store));
                }
            }
        }
        reachable
    }

    fn record(&self, state: &State, reachable: &mut Reachable) {
        let is_at_end = |thread: usize| state.positions[thread] == self.program.threads[thread].events.len();
        let threads = 0..self.program.threads.len();
        if threads.clone().all(is_at_end) {
            reachable.ends.insert(state.results.clone());
        }
        if state.glued.is_none() && state.buffers.iter().all(Vec::is_empty) {
            let waits: Option<Vec<_>> = threads.clone().map(|thread| self.wait(state, thread)).collect();
            reachable.deadlocks.extend(waits.filter(|waits| waits.iter().any(Option::is_some)));
        }
        for thread in threads {
            let passed = state.positions[thread].checked_sub(1);
            if let Some(position) = passed {
                reachable.prefixes.insert((thread, position, state.results[thread][..=position].to_vec()));
            }
        }
    }

    /// The event at which a thread waits, or nothing if it is at its end. `None`: it can go on.
    fn wait(&self, state: &State, thread: usize) -> Option<Option<usize>> {
        let state = self.pass_over(state.clone(), thread);
        let at = state.positions[thread];
        if at == self.program.threads[thread].events.len() {
            return Some(None);
        }
        self.advance(&state, thread).is_none().then_some(Some(at))
    }

    /// Executes actions. Events that are passed over have none.
    #[track_caller]
    pub fn replay(&self, actions: &[Action]) -> State {
        let mut state = self.initial();
        for (at, &action) in actions.iter().enumerate() {
            let next = match action {
                Action::Step { thread, event } => self.step_to(&state, thread, event),
                Action::Update { thread, event } => {
                    let is_store = |entry: &Entry| matches!(entry, Entry::Store { event: at, .. } if *at == event);
                    let store = state.buffers[thread].iter().position(is_store);
                    store.and_then(|store| self.update(&state, thread, store))
                }
            };
            state = next.unwrap_or_else(|| {
                panic!(
                    "action {at} of {actions:?} is impossible in {state:?} of\n{}",
                    describe(self.terms, self.program)
                )
            });
        }
        state
    }

    /// Executes the event at a position, which is the next one that is not passed over.
    fn step_to(&self, state: &State, thread: usize, event: usize) -> Option<State> {
        let state = self.pass_over(state.clone(), thread);
        if state.positions[thread] == event { self.advance(&state, thread) } else { None }
    }

    /// The state before the thread's next event whose guard is 1, or at its end.
    fn pass_over(&self, mut state: State, thread: usize) -> State {
        let events = &self.program.threads[thread].events;
        while let Some(event) = events.get(state.positions[thread])
            && self.values(&state, &[event.guard])[0] == 0
            && let Some(next) = self.advance(&state, thread)
        {
            state = next;
        }
        state
    }

    /// The thread's next step, if it does not wait.
    fn advance(&self, state: &State, thread: usize) -> Option<State> {
        if state.glued.is_some_and(|only| only != thread) {
            return None;
        }
        let mut next = state.clone();
        let at = state.positions[thread];
        let event = self.program.threads[thread].events.get(at)?;
        next.positions[thread] += 1;
        if self.values(state, &[event.guard])[0] == 0 {
            return Some(next);
        }
        next.glued = event.is_glued.then_some(thread);
        match &event.operation {
            Operation::Load { targets, .. } => {
                next.results[thread][at] = Some(self.read(state, thread, self.place(state, targets)));
            }
            Operation::Store { targets, value, before, after_full } => {
                self.barrier(&mut next, thread, *before)?;
                let cells = self.split(self.place(state, targets), self.values(state, &[*value])[0]);
                if *after_full {
                    // The store, and the barrier: updates up to that of the store, which is the last one.
                    self.barrier(&mut next, thread, Some(Barrier::Full))?;
                }
                if *after_full || self.model == Model::Sc {
                    write(&mut next, &cells);
                } else {
                    next.buffers[thread].push(Entry::Store { event: at, cells });
                }
            }
            Operation::Fence(barrier) => self.barrier(&mut next, thread, Some(*barrier))?,
            Operation::Atomic { targets, enabled, stores, value, .. } => {
                self.barrier(&mut next, thread, Some(Barrier::Full))?;
                let place = self.place(state, targets);
                next.results[thread][at] = Some(self.read(state, thread, place));
                let values = self.values(&next, &[*enabled, *stores, *value]);
                if values[0] == 0 {
                    return None;
                }
                if values[1] == 1 {
                    write(&mut next, &self.split(place, values[2]));
                }
            }
        }
        Some(next)
    }

    fn barrier(&self, state: &mut State, thread: usize, barrier: Option<Barrier>) -> Option<()> {
        match barrier {
            Some(Barrier::Full) if !state.buffers[thread].is_empty() => return None,
            Some(Barrier::StoreStore) if self.model == Model::Pso && !state.buffers[thread].is_empty() => {
                state.buffers[thread].push(Entry::Barrier);
            }
            _ => {}
        }
        Some(())
    }

    /// A store leaves the buffer, if it may.
    fn update(&self, state: &State, thread: usize, at: usize) -> Option<State> {
        if state.glued.is_some_and(|only| only != thread) {
            return None;
        }
        let Entry::Store { cells, .. } = &state.buffers[thread][at] else { return None };
        let may_stay = |older: &Entry| match older {
            Entry::Store { cells: older, .. } => {
                self.model == Model::Pso && older.iter().all(|(cell, _)| cells.iter().all(|(other, _)| cell != other))
            }
            Entry::Barrier => false,
        };
        if !state.buffers[thread][..at].iter().all(may_stay) {
            return None;
        }
        let mut next = state.clone();
        write(&mut next, cells);
        next.buffers[thread].remove(at);
        while next.buffers[thread].first() == Some(&Entry::Barrier) {
            next.buffers[thread].remove(0);
        }
        Some(next)
    }

    /// The cells of an access.
    fn place<'t>(&self, state: &State, targets: &'t [Target]) -> &'t [CellId] {
        let mut places = targets.iter().filter(|target| self.values(state, &[target.condition])[0] == 1);
        let place = places.next().expect("a place");
        assert!(places.next().is_none(), "two places");
        &place.cells
    }

    fn read(&self, state: &State, thread: usize, cells: &[CellId]) -> u128 {
        let of = |cell: CellId| {
            let entries = state.buffers[thread].iter().rev();
            let mut stores = entries.filter_map(|entry| match entry {
                Entry::Store { cells, .. } => cells.iter().find(|(other, _)| *other == cell).map(|(_, value)| *value),
                Entry::Barrier => None,
            });
            stores.next().unwrap_or(state.memory[cell.0 as usize])
        };
        cells.iter().rev().fold(0, |value, &cell| value << self.program.cells[cell.0 as usize].width | of(cell))
    }

    /// The parts of a value, cell by cell.
    fn split(&self, cells: &[CellId], mut value: u128) -> Vec<(CellId, u128)> {
        let mut parts = Vec::new();
        for &cell in cells {
            let width = self.program.cells[cell.0 as usize].width;
            parts.push((cell, value & ((1 << width) - 1)));
            value = value.checked_shr(width).unwrap_or(0);
        }
        parts
    }

    /// The values of terms with the results so far.
    fn values(&self, state: &State, terms: &[TermId]) -> Vec<u128> {
        let mut known = BTreeMap::new();
        for (thread, results) in self.program.threads.iter().zip(&state.results) {
            for (event, result) in thread.events.iter().zip(results) {
                if let (Some(variable), Some(value)) = (event.operation.result(), result)
                    && let Term::Variable { number, .. } = self.terms.get(variable)
                {
                    known.insert(number, *value);
                }
            }
        }
        let mut evaluator = Evaluator::new(self.terms, |number| known.get(&number).copied().unwrap_or(0));
        terms.iter().map(|&term| evaluator.value(term)).collect()
    }
}

fn write(state: &mut State, cells: &[(CellId, u128)]) {
    for &(cell, value) in cells {
        state.memory[cell.0 as usize] = value;
    }
}

impl Operation {
    /// The variable that is the result.
    pub fn result(&self) -> Option<TermId> {
        match self {
            Self::Load { result, .. } | Self::Atomic { result, .. } => Some(*result),
            Self::Store { .. } | Self::Fence(_) => None,
        }
    }
}
