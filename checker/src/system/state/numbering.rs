//! The numbering of new threads.
//!
//! A thread's number can be observed: in its `pthread_t`, in the addresses of its objects, in schedules.
//! There are two numberings.
//!
//! *Plain.* A new thread takes the lowest free number. The order of two creations then shows in the numbers,
//! so every creation conflicts with every other one, and with everything that frees a number.
//!
//! *By creator.* The stateless engine uses this one, unless final states are asked for, which show the
//! numbers. Each thread has *children*: a list of numbers that no other thread has as children, and that only
//! grows. A new thread takes its creator's first free child. If none is free, a number that was never given
//! to a thread becomes the creator's last child. The lists belong to the exploration rather than to a state,
//! so a number that was seen once names the same child of the same thread in all executions. Workers that tell
//! each other of executions, and searches that know of those before, have the same lists ([`ThreadNumbers`]). A
//! state may have free numbers below those in use.
//!
//! Creations by different threads commute with this numbering:
//!
//! 1. Let a thread have the children `a1, a2, …` when the exploration is over. A creation by it in a state
//!    takes the first of these that is free in that state, whenever during the exploration the creation is
//!    run. The reason is that the list at that moment is a prefix of the final one, and a number that is not
//!    in it yet is free: no other thread has it as a child, so nobody gave it to a thread. If all numbers in
//!    the list are taken, the number appended is the next one of the final list.
//! 2. So a creation by thread `p` reads which children of `p` are free and takes one of them. A creation by
//!    another thread changes only which of its own children are free. The two lead to the same state in both
//!    orders, each with the same number.
//! 3. An operation that frees the number of a thread, i.e. a join or the detaching of a thread that has
//!    ended, conflicts with the creations by the thread that has the number as a child. It commutes with
//!    operations that free another number: both orders leave the same numbers free.
//!
//! The footprint expresses exactly that: a creation writes the numbers of its creator, and an operation that
//! frees a number reads those of the creator of the thread that had it (`footprint.rs`). A creator whose own
//! number is reused leaves its children to its successor, whose creations come after its own.
//!
//! A `pthread_t` that is used after its thread was joined may name a later child of the same thread, but
//! never a child of another thread. Such a use is undefined (POSIX.1-2017, XSH 2.9.2).
//!
//! The children of all threads together may be more than the numbers that exist, although fewer threads exist
//! at any time. If a creation finds that all numbers are children and some number is free, the numbers [*have
//! run out*](crate::system::Machine::numbers_ran_out), and the engine starts over with the plain numbering.
//! If no number is free, there are too many threads in any numbering, and the verdict is `unknown`.
//!
//! A schedule has the numbers that its steps gave to threads ([`crate::outcome::ScheduleStep::creates`]), so
//! it can be replayed without the exploration.
//!
//! Tests: `tests/programs/traces/creators.c`, `fork_join.c`, `creations_in_loops.c`, `creation_and_join.c`.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use crate::ir::address::MAX_THREADS;
use crate::store::lock;
use crate::system::state::object_table::ThreadState;

/// The owner of the numbers of the plain numbering. The owner of a thread's children is named by one more
/// than the thread's number.
const SHARED_OWNER: u32 = 0;

/// The children of threads, as far as they are known. Clones are the same lists.
#[derive(Clone, Debug, Default)]
pub struct ThreadNumbers(Arc<Mutex<Children>>);

#[derive(Debug, Default)]
struct Children {
    /// For each thread, its children.
    of: Vec<Vec<usize>>,
    /// For each number, at the index one less, the thread whose child it is, if that is known.
    creators: Vec<Option<usize>>,
}

impl Children {
    fn note_creator(&mut self, number: usize, creator: usize) {
        // The first thread has no creator, and its number is free only before it starts.
        let Some(at) = number.checked_sub(1) else { return };
        self.creators.resize(self.creators.len().max(number), None);
        self.creators[at] = Some(creator);
    }

    fn creator(&self, number: usize) -> Option<usize> {
        number.checked_sub(1).and_then(|at| *self.creators.get(at)?)
    }
}

/// The state of the numbering of threads.
#[derive(Debug, Default)]
pub(in crate::system) struct Numbering {
    /// The children of threads. With the plain numbering only creators are noted.
    pub children: ThreadNumbers,
    /// True if threads are numbered by their creators.
    pub is_by_creator: bool,
    /// The numbers that the step gives to threads, if it is one of a schedule that has them.
    pub prescribed: VecDeque<usize>,
    /// True if a thread was not created because all free numbers are other threads' children.
    pub ran_out: bool,
}

impl Numbering {
    /// The number of a new thread, if there is one.
    pub fn choose(&mut self, creator: usize, states: &[ThreadState]) -> Option<usize> {
        let is_free = |number: usize| states.get(number).is_none_or(|&state| state == ThreadState::Free);
        let mut known = lock(&self.children.0);
        if let Some(number) = self.prescribed.pop_front().filter(|&number| is_free(number) && number < MAX_THREADS) {
            known.note_creator(number, creator);
            return Some(number);
        }
        if !self.is_by_creator {
            return (0..MAX_THREADS).find(|&number| is_free(number));
        }
        let Children { of, creators } = &mut *known;
        of.resize_with(of.len().max(creator + 1), Vec::new);
        if let Some(&number) = of[creator].iter().find(|&&number| is_free(number)) {
            return Some(number);
        }
        let number = creators.len() + 1;
        if number >= MAX_THREADS {
            self.ran_out |= (0..MAX_THREADS).any(is_free);
            return None;
        }
        of[creator].push(number);
        known.note_creator(number, creator);
        Some(number)
    }

    /// The numbers that a creation would take rather than this one, if they were free.
    pub fn before(&self, number: usize) -> Vec<usize> {
        if !self.is_by_creator {
            return (0..number).collect();
        }
        let known = lock(&self.children.0);
        let siblings = known.creator(number).and_then(|creator| known.of.get(creator)).into_iter().flatten().copied();
        siblings.take_while(|&sibling| sibling != number).collect()
    }

    /// The owner of a thread's number, in the form used in footprints.
    pub fn owner(&self, number: usize) -> u32 {
        lock(&self.children.0).creator(number).map_or(SHARED_OWNER, |creator| creator as u32 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAIN: ThreadState = ThreadState::Detached;
    const LIVES: ThreadState = ThreadState::Joinable;
    const FREE: ThreadState = ThreadState::Free;

    fn by_creator() -> Numbering {
        Numbering { is_by_creator: true, ..Numbering::default() }
    }

    #[test]
    fn a_child_keeps_its_number_whoever_creates_first() {
        let mut numbering = by_creator();
        assert_eq!(numbering.choose(0, &[MAIN]), Some(1));
        assert_eq!(numbering.choose(0, &[MAIN, LIVES]), Some(2));
        assert_eq!(numbering.choose(1, &[MAIN, LIVES, LIVES]), Some(3));
        assert_eq!(numbering.choose(2, &[MAIN, LIVES, LIVES]), Some(4));
        assert_eq!(numbering.choose(1, &[MAIN, LIVES, LIVES, FREE, LIVES]), Some(3));
        assert_eq!([1, 2, 3, 4].map(|number| numbering.owner(number)), [1, 1, 2, 3]);
        assert_eq!([1, 2, 3].map(|number| numbering.before(number)), [vec![], vec![1], vec![]]);
    }

    #[test]
    fn free_children_are_used_again_by_their_creator_alone() {
        let mut numbering = by_creator();
        assert_eq!(numbering.choose(0, &[MAIN]), Some(1));
        assert_eq!(numbering.choose(1, &[MAIN, LIVES]), Some(2));
        assert_eq!(numbering.choose(0, &[MAIN, LIVES, FREE]), Some(3));
        assert_eq!(numbering.choose(0, &[MAIN, FREE, LIVES, LIVES]), Some(1));
    }

    #[test]
    fn workers_have_the_same_numbers() {
        let mut one = by_creator();
        let mut other = Numbering { children: one.children.clone(), ..by_creator() };
        assert_eq!(one.choose(0, &[MAIN]), Some(1));
        assert_eq!(one.choose(1, &[MAIN, LIVES]), Some(2));
        assert_eq!(other.choose(0, &[MAIN]), Some(1));
        assert_eq!(other.choose(0, &[MAIN, LIVES]), Some(3));
        assert_eq!(one.choose(0, &[MAIN, LIVES, LIVES]), Some(3));
        assert_eq!([1, 2, 3].map(|number| other.owner(number)), [1, 2, 1]);
    }

    #[test]
    fn numbers_run_out() {
        let mut numbering = by_creator();
        let mut states = vec![MAIN];
        for number in 1..MAX_THREADS {
            assert_eq!(numbering.choose(0, &states), Some(number));
            states.push(LIVES);
        }
        assert!(numbering.choose(1, &states).is_none() && !numbering.ran_out);
        states.pop();
        assert!(numbering.choose(0, &states).is_some() && !numbering.ran_out);
        assert!(numbering.choose(1, &states).is_none() && numbering.ran_out);
        assert_eq!(Numbering::default().choose(1, &states), Some(MAX_THREADS - 1));
    }

    #[test]
    fn prescribed_numbers_are_taken_if_they_are_free() {
        let mut numbering = Numbering { prescribed: [5, 5, 1000].into(), ..Numbering::default() };
        assert_eq!(numbering.choose(0, &[MAIN]), Some(5));
        let states = [MAIN, FREE, FREE, FREE, FREE, LIVES];
        assert_eq!([(); 2].map(|()| numbering.choose(0, &states)), [Some(1); 2]);
        assert_eq!((numbering.owner(5), numbering.owner(1)), (1, SHARED_OWNER));
    }
}
