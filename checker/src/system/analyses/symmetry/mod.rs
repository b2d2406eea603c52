//! Symmetry reduction: of states that differ only in the numbers of threads, one stands for all.
//!
//! # Exchanges
//!
//! An exchange permutes the numbers of the joinable threads of a state other than the first one. It renames
//! them in the object table with all their objects, in the vector, in delayed stores, and in every word of
//! memory or a register that is an address of their memory or names the holder of a mutex (`rename.rs`). All
//! such words are recognised by their form ([`crate::interp::watch`]). A word that only looks like one is
//! renamed, too, which makes no difference as long as the program does not look closer. A step commutes with
//! exchanges: it moves such words, compares them for equality and follows them, and does nothing else with
//! them. Any other use is noticed, and then the program is explored again without this reduction
//! ([`crate::engine::EngineError::AsymmetryDetected`]). So two states that an exchange maps to each other
//! have the same future, with the numbers exchanged, up to the first step that is noticed, which is noticed
//! in both. One of them is enough: Ip and Dill, *Better Verification Through Symmetry*, Formal Methods in
//! System Design 9, 1996, theorem 1. The representative is found by sorting the threads by what they contain,
//! whatever their numbers (`keys.rs`): Bošnački, Dams and Holenderski, *Symmetric Spin*, STTT 4(1), 2002,
//! where processes are sorted by a part of their state. Two threads that have the same key although other
//! threads have different things of them keep their order, so more than one state of a set may be kept.
//! Threads need not run the same function with the same argument: their positions and arguments are part of
//! the keys.
//!
//! # Handles
//!
//! A `pthread_t` is no such word, and is *not* renamed, so a table of them is the same in all these states.
//! One handle then names different threads in these states, and this must make no difference. Any use of
//! a handle is noticed, with one exception: `main` may join threads, if it goes on to join all joinable
//! threads, does not ask for their results, and does nothing in between that others can see or that depends
//! on them (`joins.rs` tests that in advance). Such joins are delayed until all these threads have ended;
//! `main` can be thought of as the slowest of all threads there. No execution is lost: the operations of
//! `main` among its joins move right over all steps of the others, which cannot notice that. Then the threads
//! that end and are joined together are the same set in all these states, whatever their numbers, and when
//! the last one is joined nothing is left of the difference.
//!
//! Where all other threads wait for ever, `main` could in the program join those that have ended, and would
//! then wait for one that never does: that is a deadlock, too. The next thread gets the lowest free number.
//! The free numbers are the same in all these states, since only joinable threads are exchanged, and they
//! exist until they are joined. Memory and held mutexes may outlive their thread. The threads that are gone
//! are then the same set, but the remains of two of them may be exchanged. So a thread that is created while
//! something is left of one that is gone, if only an address, tells threads apart: the assignment of numbers
//! then decides what a dangling pointer points to.
//!
//! # Limits
//!
//! Detached threads keep their numbers, as do all threads if more than [`MOST_EXCHANGED`] exist. Nothing is
//! exchanged with `--races` or leaks, whose records name threads. With `guarded`, guards are used only if
//! they hold for every thread alike. Counterexamples are found by going forward from the initial state: among
//! the successors of each state of the program, one is chosen whose representative is the next state of the
//! path (`engine/explicit/schedule.rs`). So they are executions with the program's own numbers.

mod joins;
mod keys;
mod rename;

use std::sync::Arc;

use crate::hash::FxHashMap;
use crate::interp::watch::is_telling;
use crate::ir::{Program, thread_name};
use crate::store::Id;
use crate::system::config::{Config, Leaks};
use crate::system::machine::Machine;
use crate::system::reductions::Reduction;
use crate::system::state::memory::MOST_EXCHANGED;
use crate::system::state::object_table::{ObjectTable, ThreadState};
pub use joins::Join;
use keys::Keys;
use rename::Renaming;

/// The index of the first thread in a state vector without races.
const FIRST: usize = 2;

/// Cached facts about components, from which the representative of a state is found.
#[derive(Default)]
pub(in crate::system) struct Symmetry {
    keys: Keys,
    /// The results of renaming components.
    renamed: FxHashMap<Renaming, Id>,
    object_tables: FxHashMap<Id, Arc<Roles>>,
    joins: joins::JoinsCache,
}

/// A set of threads.
type Threads = u128;

/// The facts of an object table about the threads that may be exchanged.
struct Roles {
    table: ObjectTable,
    /// The threads that may be exchanged, in ascending order.
    movable: Vec<usize>,
}

/// New numbers of threads, four bits for each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct ThreadPermutation(u64);

impl ThreadPermutation {
    /// The identity: every thread keeps its number.
    const NONE: Self = Self(0xFEDC_BA98_7654_3210);

    /// The new number of a thread.
    const fn of(self, thread: usize) -> usize {
        if thread < MOST_EXCHANGED { (self.0 >> (4 * thread) & 15) as usize } else { thread }
    }

    const fn with(self, thread: usize, number: usize) -> Self {
        Self(self.0 & !(15 << (4 * thread)) | (number as u64) << (4 * thread))
    }

    /// The threads that get another number.
    fn moved(self) -> Threads {
        (0..MOST_EXCHANGED).filter(|&thread| self.of(thread) != thread).fold(0, |set, thread| set | 1 << thread)
    }
}

/// True if threads of a program may be exchanged under these options.
pub(in crate::system) fn is_possible(program: &Program, config: &Config) -> bool {
    config.reduces(Reduction::Symmetry)
        && !config.updates
        && !config.races
        && config.leaks == Leaks::Ignored
        && !program.constants.iter().any(|constant| is_telling(constant.bits))
        && !program.globals.iter().flat_map(|global| &global.pages).flatten().any(|&word| thread_name::is_marked(word))
}

impl Machine<'_> {
    /// Replaces a state vector by its representative. True if that is another vector, with other numbers of
    /// threads. The machine must be one that [exchanges](Self::exchanges) threads.
    pub fn exchange(&mut self, vector: &mut Vec<Id>) -> bool {
        let mut symmetry = std::mem::take(&mut self.symmetry);
        let roles = self.roles(&mut symmetry, vector[0]);
        let exchange = self.sorting(&mut symmetry, &roles, vector);
        let is_other = exchange != ThreadPermutation::NONE;
        if is_other {
            self.rename(&mut symmetry, &roles.table, exchange, vector);
        }
        self.symmetry = symmetry;
        is_other
    }

    /// True if a thread is created between these states while something is left of one that is gone. Its
    /// number is then reused, and which thread had it depends on the numbers.
    pub fn reuses_numbers(&mut self, before: &[Id], after: &[Id]) -> bool {
        let states = |vector: &[Id]| {
            let words = self.memory.components.get(vector[0]);
            let threads = ObjectTable::threads_of(words);
            (0..threads)
                .filter(|&thread| ObjectTable::has_thread(words, thread))
                .fold(0, |set, thread| set | 1 << thread)
        };
        let there: Threads = states(before);
        if before[0] == after[0] || states(after) & !there == 0 {
            return false;
        }
        let mut symmetry = std::mem::take(&mut self.symmetry);
        let left = self.mentioned_in(&mut symmetry.keys, before) & !there;
        self.symmetry = symmetry;
        left != 0
    }

    /// The permutation that sorts the threads.
    fn sorting(&self, symmetry: &mut Symmetry, roles: &Roles, vector: &[Id]) -> ThreadPermutation {
        let mut sorted: Vec<_> = roles
            .movable
            .iter()
            .map(|&thread| (self.key(&mut symmetry.keys, &roles.table, vector, thread), thread))
            .collect();
        sorted.sort_unstable();
        let numbers = sorted.into_iter().zip(&roles.movable);
        numbers.fold(ThreadPermutation::NONE, |exchange, ((_, thread), &number)| exchange.with(thread, number))
    }

    fn roles(&self, symmetry: &mut Symmetry, id: Id) -> Arc<Roles> {
        let roles = symmetry.object_tables.entry(id).or_insert_with(|| {
            let mut table = ObjectTable::default();
            table.decode(self.memory.components.get(id), self.memory.global_pages);
            let threads = table.threads.len();
            let may = |&thread: &usize| table.threads[thread] == ThreadState::Joinable;
            let movable: Vec<_> = (1..threads).filter(may).collect();
            let movable = if threads > MOST_EXCHANGED || movable.len() < 2 { Vec::new() } else { movable };
            Arc::new(Roles { table, movable })
        });
        Arc::clone(roles)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let swap = ThreadPermutation::NONE.with(1, 15).with(15, 1);
        assert_eq!((swap.of(1), swap.of(15), swap.of(2), swap.of(77)), (15, 1, 2, 77));
        assert_eq!(swap.moved(), 1 << 1 | 1 << 15);
        assert_eq!(ThreadPermutation::NONE.moved(), 0);
    }
}
