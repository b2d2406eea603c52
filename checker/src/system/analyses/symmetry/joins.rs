//! Joins of `main` that are delayed until all threads have ended: see the header of `mod.rs`.
//!
//! The behaviour of `main` is tested: from a copy of the state in which all joinable threads have ended, it
//! is run by itself until they are joined. Each of its steps has to begin with a join. A step does at most
//! one thing that others can notice, which is the operation with which it begins. It must not look at memory
//! that others know, store to it, or ask for an answer. Its behaviour then depends only on its registers and
//! its own memory, which no other thread changes before.

use rmc_runtime::Model;

use super::FIRST;
use crate::hash::FxHashMap;
use crate::ir::ids::{FuncId, Pc};
use crate::store::Id;
use crate::system::library::{self, OnThreads};
use crate::system::machine::Machine;
use crate::system::state::object_table::{ObjectTable, ThreadState, pages};
use crate::system::state::threads;
use crate::system::step::StepEnd;

/// The kinds of next operations of `main`, with regard to joins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Join {
    /// It does something other than joining.
    None,
    /// It joins all threads that exist, and all have ended.
    Now,
    /// It joins all threads that exist, and none has ended.
    Waits,
    /// It joins all threads that exist; some of them run and some have ended.
    Deferred,
    /// It joins a thread, and then does something before it has joined all. The program then tells threads
    /// apart.
    Asymmetric,
}

/// True if `main` joins all threads, by the components on which that depends.
pub(super) type JoinsCache = FxHashMap<Vec<Id>, bool>;

/// The maximal number of steps that are run, more than `main` has threads to join.
const STEPS: usize = 2 * crate::ir::address::MAX_THREADS;

impl Machine<'_> {
    /// The next operation of the first thread in a state, for a machine that [exchanges](Self::exchanges)
    /// threads. Leaves the working state anywhere.
    pub fn join_of_first(&mut self, vector: &[Id]) -> Join {
        let slots = &vector[FIRST..FIRST + 2];
        let top = self.memory.components.get(slots[0]);
        // `main` is detached: nothing is left of it after it has ended by `pthread_exit`.
        let is_there = slots[1] != self.encoding.ended && !top.is_empty();
        if !is_there || !self.is_join(threads::position(top)) {
            return Join::None;
        }
        let mut table = ObjectTable::default();
        table.decode(self.memory.components.get(vector[0]), self.memory.global_pages);
        // Under PSO, the content of `main`'s own memory may be in delayed stores.
        let stores = if self.config.model() == Model::Pso { vector[1] } else { 0 };
        let mut key = vec![vector[0], slots[0], slots[1], stores];
        let first = FIRST + 2 * table.threads.len();
        let own = table.objects.iter().filter(|object| object.id.owner() == 1);
        key.extend(own.flat_map(|object| &vector[first + object.base..][..pages(object.size)]));
        let known = self.symmetry.joins.get(&key).copied();
        let joins_all = known.unwrap_or_else(|| {
            let joins_all = self.try_joins(vector, &table);
            self.symmetry.joins.insert(key, joins_all);
            joins_all
        });
        if !joins_all {
            return Join::Asymmetric;
        }
        let has_ended = |&thread: &usize| vector[FIRST + 2 * thread + 1] == self.encoding.ended;
        match joinable(&table).filter(has_ended).count() {
            0 => Join::Waits,
            ended if ended == joinable(&table).count() => Join::Now,
            _ => Join::Deferred,
        }
    }

    fn is_join(&self, place: (FuncId, Pc)) -> bool {
        library::called_at(self.program, place).is_some_and(|called| called.on_threads == OnThreads::Joins)
    }

    fn try_joins(&mut self, vector: &[Id], table: &ObjectTable) -> bool {
        let mut state = vector.to_vec();
        let nothing = self.memory.components.intern(&[0, 0]);
        for thread in joinable(table) {
            state[FIRST + 2 * thread..][..2].copy_from_slice(&[nothing, self.encoding.ended]);
        }
        (0..STEPS).find_map(|_| self.try_step(&mut state)).unwrap_or(false)
    }

    /// Runs one step of the first thread. The result is true if it has joined all, and `None` if that is not
    /// known yet.
    fn try_step(&mut self, state: &mut Vec<Id>) -> Option<bool> {
        self.unpack(state);
        if !self.is_join(self.position(0)) {
            return Some(false);
        }
        // A thread that is alone would not stop for others.
        self.threads.live = 2;
        self.choices.clear();
        let report = self.step(0);
        let has_stored = self.buffers.has_delayed(0);
        if report.end != StepEnd::Done || report.looked || has_stored || !self.choices.answers().is_empty() {
            return Some(false);
        }
        let before = std::mem::take(state);
        self.pack(state);
        let globals = |vector: &[Id]| {
            vector[FIRST + 2 * ObjectTable::threads_of(self.memory.components.get(vector[0]))..]
                [..self.memory.global_pages]
                .to_vec()
        };
        if globals(&before) != globals(state) {
            return Some(false);
        }
        if joinable(&self.memory.table).next().is_none() {
            return Some(true);
        }
        (!self.is_live(0)).then_some(false)
    }
}

/// The threads that can be joined, running or ended.
fn joinable(table: &ObjectTable) -> impl Iterator<Item = usize> {
    (1..table.threads.len()).filter(|&thread| table.threads[thread] == ThreadState::Joinable)
}
