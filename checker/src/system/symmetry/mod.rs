//! States that differ only in which thread has which number: one of them stands for all.
//!
//! Exchanging the numbers of threads gives a state from which the same can happen, with the numbers exchanged: steps depend on a number only through names of threads and through
//! addresses, whose owner is a thread, and on these only in ways that are the same for every number, as long as nothing else is noticed ([`crate::interp::watch`]). So it is enough to
//! explore one state of each set of states that are equal up to an exchange. Ip and Dill, *Better Verification Through Symmetry*, Formal Methods in System Design 9, 1996; sorting of
//! components: Bošnački, Dams and Holenderski, *Symmetric Spin*, STTT 4(1), 2002. Deviations: threads need not run the same function, since where they are is what is
//! sorted; and only some threads are exchanged:
//!
//! * not the first thread, none that waits to be woken, that is in an atomic section, or that has delayed stores;
//! * none that has memory of its own, or whose number is in a name or an address anywhere (a word that might be an address counts), so none that holds a mutex or can be joined.
//!
//! These have numbers that nobody knows, and nothing has to be renamed but what they are in the state. They are put in the order of what their frames contain, so of all states that are
//! equal up to an exchange of them the same one is chosen, in whatever order states are found. Exchanging threads that a table of threads to join names would merge nothing: in which
//! order they are joined tells them apart.
//!
//! The number of a thread that is gone is given to the next one, and a name that was kept then names that one. With one free number that is the same for every exchange, with two it is
//! not: so numbers stay in the directory when they are free, and a thread that is created when two are tells threads apart.
//!
//! Not used with `--races`, whose clocks name threads too. A program that tells threads apart is explored again without ([`crate::explore::EngineError::ThreadsTold`]): one that computes
//! with a `pthread_t` or an address, asks for `gettid`, uses `pthread_once`, spinlocks, reader-writer locks or `setjmp`, or that has a name in a final state that is asked for.

mod likeness;
mod reader;
mod watching;

use std::rc::Rc;

use fxhash::FxHashMap;

use self::reader::Reader;
use super::directory::{Directory, ThreadState};
use super::machine::Machine;
use super::reductions::Reduction;
use super::threads::ThreadSlots;
use crate::interp::watch::is_telling;
use crate::ir::address::MAX_THREADS;
use crate::ir::thread_name;
use crate::store::{Id, Interner};

/// Where a state vector has its first thread: races are not looked for.
const FIRST: usize = 2;

/// What is known of components, to find the state that stands for another.
pub struct Symmetry {
    reader: Reader,
    directories: FxHashMap<Id, Rc<Roles>>,
}

/// A set of threads.
type Threads = u128;

/// What a directory says about who may be exchanged.
#[derive(Debug)]
struct Roles {
    /// Number of threads.
    threads: usize,
    /// Threads that the directory does not keep from being exchanged, in ascending order, by their state.
    groups: [Vec<usize>; 2],
    /// All of these.
    all: Threads,
}

/// New numbers of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exchange([u8; MAX_THREADS]);

impl Exchange {
    /// Every thread keeps its number.
    #[must_use]
    pub fn none() -> Self {
        Self(std::array::from_fn(|thread| thread as u8))
    }

    /// The new number of a thread.
    #[must_use]
    pub fn of(&self, thread: usize) -> usize {
        self.0[thread].into()
    }

    /// Undoes another exchange, then makes this one.
    #[must_use]
    pub fn after_undoing(&self, other: &Self) -> Self {
        let mut both = Self::none();
        (0..MAX_THREADS).for_each(|thread| both.0[other.of(thread)] = self.0[thread]);
        both
    }
}

impl Machine<'_> {
    /// What is needed to exchange threads, if that is asked for and possible. From now on the machine watches whether threads are told apart.
    pub fn begin_exchanging(&mut self) -> Option<Symmetry> {
        let is_name = |page: &Vec<u64>| page.iter().any(|&word| thread_name::is_marked(word));
        let has_telling_constants = self.program.constants.iter().any(|constant| is_telling(constant.bits))
            || self.program.globals.iter().any(|global| global.pages.iter().any(is_name));
        if !self.config.reduces(Reduction::Symmetry)
            || self.config.updates
            || self.config.races
            || has_telling_constants
        {
            return None;
        }
        self.watch_threads();
        Some(Symmetry { reader: Reader::new(self.config.model(), self.ended), directories: FxHashMap::default() })
    }

    /// Replaces a state vector by the one that stands for it. The exchange that was made, if one was.
    pub fn exchange(&mut self, symmetry: &mut Symmetry, vector: &mut [Id]) -> Option<Exchange> {
        let Symmetry { reader, directories } = symmetry;
        let components = &self.memory.components;
        let directory = directories.entry(vector[0]);
        let roles = Rc::clone(directory.or_insert_with(|| Rc::new(roles(components.get(vector[0])))));
        let mut key = |thread| reader.order(components, slots(vector, thread));
        let mut is_sorted = |group: &[usize]| group.windows(2).all(|pair| key(pair[0]) < key(pair[1]));
        if roles.groups.iter().all(|group| is_sorted(group)) {
            return None;
        }
        let movable = movable(reader, components, &roles, vector);
        let mut exchange = Exchange::none();
        for group in &roles.groups {
            let places: Vec<_> = group.iter().copied().filter(|&thread| movable >> thread & 1 == 1).collect();
            let mut sorted = places.clone();
            sorted.sort_by_cached_key(|&thread| reader.order(components, slots(vector, thread)));
            sorted.into_iter().zip(places).for_each(|(thread, place)| exchange.0[thread] = place as u8);
        }
        if exchange == Exchange::none() {
            return None;
        }
        let before = vector[FIRST..FIRST + 2 * roles.threads].to_vec();
        for (thread, slots) in before.chunks_exact(2).enumerate() {
            vector[FIRST + 2 * exchange.of(thread)..][..2].copy_from_slice(slots);
        }
        Some(exchange)
    }
}

fn slots(vector: &[Id], thread: usize) -> ThreadSlots {
    let at = FIRST + 2 * thread;
    ThreadSlots { top: vector[at], rest: vector[at + 1] }
}

fn roles(words: &[u64]) -> Roles {
    let mut directory = Directory::default();
    directory.decode(words, 0);
    let is_owner = |thread: usize| directory.objects.iter().any(|object| object.id.owner() as usize == thread + 1);
    let is_parked = |thread: usize| directory.parked.iter().any(|parked| parked.thread == thread);
    let is_fixed =
        |thread: usize| thread == 0 || directory.atomic == Some(thread) || is_parked(thread) || is_owner(thread);
    let group = |state: ThreadState| {
        (0..directory.threads.len()).filter(|&thread| directory.threads[thread] == state && !is_fixed(thread)).collect()
    };
    let groups: [Vec<usize>; 2] = [group(ThreadState::Joinable), group(ThreadState::Detached)];
    let all = groups.iter().flatten().fold(0, |set, &thread| set | 1 << thread);
    Roles { threads: directory.threads.len(), groups, all }
}

/// The threads that may be exchanged.
fn movable(reader: &mut Reader, components: &Interner, roles: &Roles, vector: &[Id]) -> Threads {
    let mut fixed = reader.stores(components, vector[1]);
    for thread in 0..roles.threads {
        fixed |= reader.thread(components, slots(vector, thread));
    }
    for &page in &vector[FIRST + 2 * roles.threads..] {
        fixed |= reader.page(components, page);
    }
    roles.all & !fixed
}
