//! The set of all states, partitioned among workers. The states of a worker are numbered in order of
//! discovery, which is the order in which it explores them.
//!
//! ```text
//! known         the keys of known states           4 or 8 bytes per place, of which up to 9 in 10 are taken
//! parents       the state it was reached from      4 bytes
//! fingerprints  a part of a hash of the state      2 bytes
//! frontier      roots of the states that are unexplored, or on the same level    8 bytes
//! sleep marks   of the same states ([`super::sleep_marks`])                      2 bytes, if wanted
//! trees         the trees of the roots             shared by the states, and by the workers
//! ```
//!
//! So a state is looked up only by the worker that owns it, without a lock. The number of a state determines
//! its worker: numbers of the first worker's states are those that leave a remainder of 0 when divided by the
//! number of workers, and so on.
//!
//! The content of an explored state is not needed again: the state only has to be recognised when it is
//! reached again, and for that its key is enough. The path to a state is found by following the parents back,
//! and then computing the states between by going forward. Fingerprints mostly identify the right successor;
//! where they are ambiguous, the last state of the path decides, whose content must be known.
//!
//! The set of known states is a set of keys. Usually the key is the root, and the set is exact. With hash
//! compaction (Wolper and Leroy, "Reliable Hashing without Collision Detection", CAV 1993) it is a hash of
//! the vector, and only the trees of the frontier are kept; two states may then be taken for one.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::Id;
use super::compaction;
use super::edit_interner::Edit;
use super::log::Log;
use super::measure::{IndexMeasure, TableMeasure};
use super::pairs::split;
use super::roots::Roots;
use super::sleep_marks::SleepMarks;
use super::space::Space;
use super::sync::{Mutex, lock};
use super::tree::{Nodes, Trees};

/// The way in which states are compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Identity {
    /// By their contents.
    #[default]
    Exact,
    /// By a hash: some states may be missed.
    Hashed,
}

/// The part of the store that the workers share.
#[derive(Clone)]
pub struct StateStore {
    pub(super) nodes: Arc<Mutex<Nodes>>,
    workers: usize,
    identity: Identity,
    space: Space,
}

/// A state vector in the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name {
    /// The root of its tree.
    pub root: u64,
    /// The key by which it is compared with others.
    pub key: u64,
}

/// A successor that a step reached.
#[derive(Clone, Copy, Debug)]
pub struct Reached {
    /// Its name.
    pub name: Name,
    /// The state from which it was reached.
    pub parent: Id,
    /// Sleep marks for its exploration; they may get lost.
    pub sleep_mark: u16,
}

impl StateStore {
    /// An empty store for `workers` workers, with large arrays in this space.
    #[must_use]
    pub fn new(workers: usize, identity: Identity, space: &Space) -> Self {
        Self { nodes: Arc::new(Mutex::new(Nodes::new(space))), workers, identity, space: space.clone() }
    }

    /// The worker that owns the state with this key. One worker owns all states with the same left half. So
    /// steps that change the right half only lead to states of the same worker, and the workers' caches hold
    /// different left halves. Levels are divided between two workers almost evenly, as there are thousands of
    /// left halves: on the programs of the benchmarks waiting at the ends of levels takes 1 to 2 % (of a hash
    /// of both halves 0.2 %, but half again as many states are sent).
    #[inline]
    #[must_use]
    pub const fn owner_of(&self, key: u64) -> usize {
        let (left, _) = split(key);
        let mixed = (left as u64 + 1).wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32;
        (mixed as usize * self.workers) >> 32
    }

    /// The worker that owns a state.
    #[must_use]
    pub const fn worker_of(&self, state: Id) -> usize {
        state as usize % self.workers
    }

    /// The measures of the tables; those of the states come first.
    #[must_use]
    pub fn measure<'s>(&self, parts: impl Iterator<Item = &'s States> + Clone) -> [TableMeasure; 4] {
        let bytes =
            parts.clone().map(|part| part.frontier.bytes() + part.sleep_mark_bytes() + part.fingerprints.bytes()).sum();
        let index = IndexMeasure::sum(parts.map(|part| part.known.measure()));
        let [heads, tails, inner] = lock(&self.nodes).measure();
        [TableMeasure { what: "states", bytes, index }, heads, tails, inner]
    }

    /// Bytes in use, without the workers' parts.
    #[must_use]
    pub fn bytes(&self) -> usize {
        lock(&self.nodes).bytes()
    }

    /// An upper bound on the probability that some of `states` states was taken for another; `None` if states
    /// are compared exactly.
    #[must_use]
    pub fn omission_probability(&self, states: u64) -> Option<f64> {
        self.forgets_trees().then(|| compaction::omission_probability(states))
    }

    /// True if explored states do not need their trees.
    #[must_use]
    pub fn forgets_trees(&self) -> bool {
        self.identity == Identity::Hashed
    }

    /// Makes empty trees, for the states in the frontier alone. Each worker then moves its own states there
    /// ([`States::move_trees`]).
    pub fn renew_trees(&self) {
        *lock(&self.nodes) = Nodes::new(&self.space);
    }
}

/// A worker's part of the states, and its view of the shared part.
pub struct States {
    pub(super) store: StateStore,
    worker: usize,
    trees: Trees,
    /// The hash of the current vector, if states are compared by hashes.
    hash: u64,
    pub(super) known: Roots,
    pub(super) frontier: Log<u64>,
    /// The sleep marks, if they are kept.
    pub(super) sleep_marks: Option<SleepMarks>,
    /// The number of explored states; their roots were dropped.
    pub(super) explored: usize,
    pub(super) parents: Log<Id>,
    pub(super) fingerprints: Log<u16>,
    scratch: Vec<(u64, Id, u16, u16)>,
}

/// The number of states that are sorted together; more would take more memory.
const SORTED: usize = 1 << 18;

/// The fingerprint of a key, which is kept for every state.
#[inline]
const fn fingerprint(key: u64) -> u16 {
    (key.wrapping_mul(0x9E6C_63D0_876A_9A63) >> 48) as u16
}

impl States {
    /// The empty part of a worker.
    #[must_use]
    pub fn new(store: &StateStore, worker: usize) -> Self {
        let most = match store.identity {
            Identity::Exact => Id::BITS,
            Identity::Hashed => compaction::HALF,
        };
        Self {
            store: store.clone(),
            worker,
            trees: Trees::new(&lock(&store.nodes)),
            hash: 0,
            known: Roots::new(&store.space, most),
            frontier: Log::new(&store.space),
            sleep_marks: None,
            explored: 0,
            parents: Log::new(&store.space),
            fingerprints: Log::new(&store.space),
            scratch: Vec::new(),
        }
    }

    /// The number of the state at a position of this part.
    #[must_use]
    pub const fn number(&self, at: usize) -> Id {
        (at * self.store.workers + self.worker) as Id
    }

    const fn position(&self, state: Id) -> usize {
        state as usize / self.store.workers
    }

    /// Makes a state of this part the current one, with which others are compared. It must be of the level
    /// that is being explored, or of the next one.
    pub fn take(&mut self, state: Id) {
        self.trees.unfold(self.frontier.get(self.position(state)));
        if self.store.identity == Identity::Hashed {
            self.hash = compaction::hash(self.trees.vector());
        }
    }

    /// The key of the state at a position, which must be one that [`Self::take`] allows.
    pub(super) fn key_at(&mut self, at: usize) -> u64 {
        self.take(self.number(at));
        match self.store.identity {
            Identity::Exact => self.frontier.get(at),
            Identity::Hashed => compaction::key(self.hash),
        }
    }

    /// Keeps sleep marks from now on; there must be no states of the next level yet.
    pub fn keep_notes(&mut self) {
        self.sleep_marks = Some(SleepMarks::new(&self.store.space, self.explored, self.len()));
    }

    /// The sleep marks of a state, 0 if they are not kept. As with [`Self::take`], it must not be explored
    /// yet, or be of the level that is being explored.
    #[must_use]
    pub fn sleep_mark(&self, state: Id) -> u16 {
        self.sleep_marks.as_ref().map_or(0, |sleep_marks| sleep_marks.get(self.position(state)))
    }

    /// The vector of the current state.
    #[must_use]
    pub fn vector(&self) -> &[Id] {
        self.trees.vector()
    }

    /// The name of a vector.
    ///
    /// # Panics
    /// If the vector is empty.
    pub fn fold(&mut self, vector: &[Id]) -> Name {
        let root = self.trees.fold(vector);
        let key = match self.store.identity {
            Identity::Exact => root,
            Identity::Hashed => compaction::key(compaction::hash(vector)),
        };
        Name { root, key }
    }

    /// The name of the vector that results from an edit of the current one, which must have the length that
    /// the edit is for.
    #[inline]
    pub fn fold_edit(&mut self, edit: &Edit) -> Name {
        let root = self.trees.fold_edit(edit);
        let key = match self.store.identity {
            Identity::Exact => root,
            Identity::Hashed => compaction::key(compaction::changed(self.hash, self.trees.vector(), edit.changes())),
        };
        Name { root, key }
    }

    /// Adds those states that are new, in this order, and calls `found` with the index of each in `reached`.
    /// All of them must belong to this part.
    ///
    /// # Panics
    /// If there are 2^32 - 1 states.
    #[inline]
    pub fn insert(&mut self, reached: &[Reached], mut found: impl FnMut(usize)) {
        self.known.prefetch(reached.iter().map(|reached| reached.name.key));
        for (at, &Reached { name, parent, sleep_mark }) in reached.iter().enumerate() {
            if self.known.add(name.key) {
                assert!(self.parents.len() < Id::MAX as usize / self.store.workers, "state numbers are exhausted");
                self.frontier.push(name.root);
                self.parents.push(parent);
                self.fingerprints.push(fingerprint(name.key));
                found(at);
                self.sleep_marks.iter_mut().for_each(|sleep_marks| sleep_marks.push(name.key, sleep_mark));
            } else if sleep_mark != 0 {
                self.add_sleep_mark(name, sleep_mark);
            }
        }
    }

    /// True if a state of this part with this name is known.
    #[must_use]
    pub fn is_known(&self, name: Name) -> bool {
        self.known.contains(name.key)
    }

    /// Adds the sleep marks of a step to a known state.
    fn add_sleep_mark(&mut self, name: Name, sleep_mark: u16) {
        if let Some(sleep_marks) = &mut self.sleep_marks
            && let Some(at) = sleep_marks.recent(name.key)
            && self.frontier.get(at) == name.root
        {
            sleep_marks.add(at, sleep_mark);
        }
    }

    /// Marks the states before this position as explored and drops their roots.
    pub fn retire(&mut self, before: usize) {
        self.explored = before;
        self.frontier.forget(before);
        self.sleep_marks.iter_mut().for_each(|sleep_marks| sleep_marks.forget(before));
    }

    /// Renumbers the states behind a position, so that states with the same halves follow each other. Their
    /// numbers must not be in use yet.
    pub fn sort(&mut self, from: usize) {
        self.sleep_marks.iter_mut().for_each(SleepMarks::begin_level);
        for from in (from..self.len()).step_by(SORTED) {
            let range = from..self.len().min(from + SORTED);
            self.scratch.clear();
            let sleep_mark = |at| self.sleep_marks.as_ref().map_or(0, |sleep_marks| sleep_marks.get(at));
            let state = |at| (self.frontier.get(at), self.parents.get(at), self.fingerprints.get(at), sleep_mark(at));
            self.scratch.extend(range.clone().map(state));
            self.scratch.sort_unstable();
            for (at, &(root, parent, fingerprint, sleep_mark)) in range.zip(&self.scratch) {
                self.frontier.set(at, root);
                self.parents.set(at, parent);
                self.fingerprints.set(at, fingerprint);
                self.sleep_marks.iter_mut().for_each(|sleep_marks| sleep_marks.set(at, sleep_mark));
            }
        }
    }

    /// Moves the trees of states that are not explored yet to those of [`StateStore::renew_trees`]; all other
    /// trees are dropped.
    pub fn move_trees(&mut self) {
        let mut moved = Trees::new(&lock(&self.store.nodes));
        for at in self.explored..self.len() {
            self.trees.unfold(self.frontier.get(at));
            self.frontier.set(at, moved.fold(self.trees.vector()));
        }
        self.trees = moved;
    }

    /// The state from which a state of this part was first reached; the initial state is its own parent.
    #[must_use]
    pub fn parent(&self, state: Id) -> Id {
        self.parents.get(self.position(state))
    }

    /// True if a state of this part may have this key, according to its fingerprint.
    #[must_use]
    pub fn may_be(&self, state: Id, key: u64) -> bool {
        self.fingerprints.get(self.position(state)) == fingerprint(key)
    }

    /// Number of states in this part.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.parents.len()
    }

    /// Bytes of the states' parents.
    #[must_use]
    pub fn parent_bytes(&self) -> usize {
        self.parents.bytes()
    }

    fn sleep_mark_bytes(&self) -> usize {
        self.sleep_marks.as_ref().map_or(0, SleepMarks::bytes)
    }

    /// Bytes in use by this part.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.known.bytes()
            + self.frontier.bytes()
            + self.sleep_mark_bytes()
            + self.parents.bytes()
            + self.fingerprints.bytes()
            + self.trees.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::super::edit_interner::EditInterner;
    use super::super::tree::Change;
    use super::*;

    fn alone() -> [States; 2] {
        [Identity::Exact, Identity::Hashed]
            .map(|identity| States::new(&StateStore::new(1, identity, &Space::default()), 0))
    }

    fn reached(name: Name, parent: Id) -> Reached {
        Reached { name, parent, sleep_mark: parent as u16 }
    }

    fn add(store: &mut States, vector: &[Id]) -> bool {
        let (name, len) = (store.fold(vector), store.len());
        store.insert(&[reached(name, 0)], |_| ());
        store.len() > len
    }

    #[test]
    fn vectors_of_every_length_come_back() {
        let vectors: Vec<Vec<Id>> = (1..70).map(|len| (0..len).map(|at| at * 31 + len).collect()).collect();
        for mut store in alone() {
            assert!(vectors.iter().all(|vector| add(&mut store, vector)));
            for (vector, number) in vectors.iter().zip(0..) {
                assert!(!add(&mut store, vector));
                store.take(number);
                assert_eq!(store.vector(), vector);
            }
        }
    }

    #[test]
    fn a_successor_is_the_same_state_whatever_is_at_hand() {
        for (len, mut store) in (1..40).flat_map(|len| alone().map(|store| (len, store))) {
            let base: Vec<Id> = (0..len).collect();
            add(&mut store, &base);
            let variants: Vec<Vec<Id>> = (0..len)
                .flat_map(|at| (at..len).map(move |other| (at, other)))
                .map(|(at, other)| base.iter().map(|&id| if id == at || id == other { id + 77 } else { id }).collect())
                .collect();
            let names: Vec<_> = variants.iter().map(|variant| store.fold(variant)).collect();
            store.insert(&names.iter().map(|&name| reached(name, 0)).collect::<Vec<_>>(), |_| ());
            assert_eq!(store.len(), 1 + variants.len());
            let mut edits = EditInterner::default();
            for state in 0..store.len() as Id {
                store.take(state);
                let vector = store.vector().to_vec();
                for (variant, &name) in variants.iter().zip(&names) {
                    let differs = |&(at, _): &Change| vector[at as usize] != variant[at as usize];
                    let changes = (0..).zip(variant.iter().copied()).filter(differs).collect();
                    let mut edit = Edit::new(vector.len(), changes);
                    assert_eq!(store.fold_edit(&edit), name);
                    edits.number(vector.len(), &mut edit);
                    // The first call folds, the second one finds the cached result.
                    assert_eq!([store.fold_edit(&edit), store.fold_edit(&edit)], [name; 2]);
                }
            }
        }
    }

    #[test]
    fn a_vector_is_not_taken_for_a_longer_one() {
        for mut store in alone() {
            assert!((1..20).all(|len| add(&mut store, &vec![0; len])));
            assert!((1..20).all(|len| !add(&mut store, &vec![0; len])));
        }
    }

    #[test]
    fn explored_states_stay_known_and_may_be_what_they_were() {
        for mut store in alone() {
            let vectors: Vec<Vec<Id>> = (0..1000).map(|at| vec![at % 7, at / 7, 3]).collect();
            assert!(vectors.iter().all(|vector| add(&mut store, vector)));
            store.sort(0);
            store.retire(600);
            assert!(vectors.iter().all(|vector| !add(&mut store, vector)));
            let names: Vec<_> = vectors.iter().map(|vector| store.fold(vector)).collect();
            let candidates = |state| names.iter().filter(|name| store.may_be(state, name.key)).count();
            assert!((0..1000).all(|state| (1..10).contains(&candidates(state))));
        }
    }

    #[test]
    fn the_frontier_moves_to_new_trees() {
        let [_, mut store] = alone();
        let vectors: Vec<Vec<Id>> = (0..1000).map(|at| vec![at % 7, at / 7, 3, at, 5]).collect();
        assert!(vectors.iter().all(|vector| add(&mut store, vector)));
        store.retire(900);
        let before = store.store.bytes();
        store.store.renew_trees();
        store.move_trees();
        assert!(store.store.bytes() < before);
        for (vector, state) in vectors.iter().zip(0..).skip(900) {
            store.take(state);
            assert_eq!(store.vector(), vector);
        }
        assert!(vectors.iter().all(|vector| !add(&mut store, vector)));
    }

    #[test]
    fn every_state_falls_to_one_of_the_workers() {
        let store = StateStore::new(3, Identity::Exact, &Space::default());
        let mut parts: Vec<_> = (0..3).map(|worker| States::new(&store, worker)).collect();
        let vectors: Vec<Vec<Id>> = (0..30_000).map(|at| vec![at % 7, at / 7 % 11, at / 77, 3]).collect();
        for (at, vector) in vectors.iter().enumerate() {
            let name = parts[at % 3].fold(vector);
            parts[store.owner_of(name.key)].insert(&[reached(name, 5)], |_| ());
            parts[store.owner_of(name.key)].insert(&[reached(name, 6)], |_| ());
        }
        assert_eq!(parts.iter().map(States::len).sum::<usize>(), vectors.len());
        assert!(parts.iter().all(|part| part.len() > 9_000));
        let mut found: Vec<_> = parts
            .iter_mut()
            .enumerate()
            .flat_map(|(worker, part)| (0..part.len()).map(move |at| (worker, part.number(at))).collect::<Vec<_>>())
            .collect();
        found.sort_unstable_by_key(|&(_, state)| state);
        assert!(found.iter().all(|&(worker, state)| store.worker_of(state) == worker));
        assert!(parts.iter().all(|part| (0..part.len()).all(|at| part.parent(part.number(at)) == 5)));
    }
}
