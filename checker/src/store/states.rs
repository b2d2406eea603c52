//! All states, shared out among workers. Each has those whose roots fall to it, numbered in order of discovery, which is the order in which it explores them.
//!
//! ```text
//! log       root of every state            8 bytes
//! parents   the state it was reached from  4 bytes
//! roots     which roots are known          4 bytes, or 8, per place; up to nine of ten places are taken
//! trees     what the roots stand for       shared by the states, and by the workers
//! ```
//!
//! So a state is looked up by the worker that has it and by no other, without a lock. The number of a state tells whose it is: numbers of the first worker's states
//! are those that leave a remainder of 0 when divided by the number of workers, and so on.

use super::Id;
use super::measure::{IndexMeasure, TableMeasure};
use super::roots::{Full, Roots};
use super::tree::{Change, Nodes, Trees};
use super::words::Log;

/// What the workers share.
#[derive(Clone)]
pub struct StateStore {
    nodes: Nodes,
    workers: usize,
}

impl StateStore {
    /// No states, for so many workers.
    #[must_use]
    pub fn new(workers: usize) -> Self {
        Self { nodes: Nodes::default(), workers }
    }

    /// The worker that has the state with this root, if there is such a state.
    #[inline]
    #[must_use]
    pub const fn owner_of(&self, root: u64) -> usize {
        // Any bits will do that say nothing about where the worker keeps the root.
        let mixed = (root ^ root >> 32).wrapping_mul(0x2545_F491_4F6C_DD1D) >> 32;
        (mixed as usize * self.workers) >> 32
    }

    /// The worker that has a state.
    #[must_use]
    pub const fn worker_of(&self, state: Id) -> usize {
        state as usize % self.workers
    }

    /// The measures of the tables, that of the states first.
    #[must_use]
    pub fn measure<'s>(&self, parts: impl Iterator<Item = &'s States> + Clone) -> [TableMeasure; 4] {
        let bytes = parts.clone().map(|part| part.log.bytes()).sum();
        let index = IndexMeasure::sum(parts.map(|part| part.roots.measure()));
        let [heads, tails, inner] = self.nodes.measure();
        [TableMeasure { what: "states", bytes, index }, heads, tails, inner]
    }

    /// Bytes of memory in use, without the workers' parts.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.nodes.bytes()
    }
}

/// A worker's part of the states, and its view of what all share.
pub struct States {
    store: StateStore,
    worker: usize,
    trees: Trees,
    roots: Roots,
    log: Log<u64>,
    parents: Log<Id>,
    scratch: Vec<(u64, Id)>,
}

/// States that are sorted together: more would take more memory.
const SORTED: usize = 1 << 18;

/// A state that was reached: the root of its tree, and the state before it.
pub type Reached = (u64, Id);

impl States {
    /// The part of a worker, empty.
    #[must_use]
    pub fn new(store: &StateStore, worker: usize) -> Self {
        Self {
            store: store.clone(),
            worker,
            trees: Trees::new(&store.nodes),
            roots: Roots::default(),
            log: Log::default(),
            parents: Log::default(),
            scratch: Vec::new(),
        }
    }

    /// The number of the state at a position of this part.
    #[must_use]
    pub const fn number(&self, at: usize) -> Id {
        (at * self.store.workers + self.worker) as Id
    }

    /// Where in this part a state is.
    #[must_use]
    pub const fn position(&self, state: Id) -> usize {
        state as usize / self.store.workers
    }

    /// Takes a state of this part at hand, with which others are compared.
    pub fn take(&mut self, state: Id) {
        self.trees.unfold(self.root(state));
    }

    /// Takes the state with this root at hand, whoever has it.
    pub fn take_root(&mut self, root: u64) {
        self.trees.unfold(root);
    }

    /// The root of a state of this part.
    #[must_use]
    pub fn root(&self, state: Id) -> u64 {
        self.log.get(self.position(state))
    }

    /// The vector of the state at hand.
    #[must_use]
    pub fn vector(&self) -> &[Id] {
        self.trees.vector()
    }

    /// The root of a vector.
    ///
    /// # Panics
    /// If the vector is empty.
    pub fn fold(&mut self, vector: &[Id]) -> u64 {
        self.trees.fold(vector)
    }

    /// The root of the vector that differs from the one at hand in these components, in ascending order of places.
    pub fn fold_changes(&mut self, changes: &[Change]) -> u64 {
        self.trees.fold_changes(changes)
    }

    /// Adds those states that are new, in this order, and calls `found` with the number of each in `reached`. They must fall to this part.
    ///
    /// # Panics
    /// If there are 2^32 - 1 states.
    #[inline]
    pub fn insert(&mut self, reached: &[Reached], mut found: impl FnMut(usize)) {
        self.roots.prefetch(reached.iter().map(|&(root, _)| root));
        for (at, &(root, parent)) in reached.iter().enumerate() {
            let is_new = loop {
                match self.roots.insert(root) {
                    Ok(is_new) => break is_new,
                    Err(Full) => self.roots.rebuild(|| self.log.iter(), root),
                }
            };
            if is_new {
                assert!(self.parents.len() < Id::MAX as usize / self.store.workers, "state numbers are exhausted");
                self.log.push(root);
                self.parents.push(parent);
                found(at);
            }
        }
    }

    /// Gives the states behind a position other numbers, so that states with the same halves follow each other. Nobody may know their numbers yet.
    pub fn sort(&mut self, from: usize) {
        for from in (from..self.len()).step_by(SORTED) {
            let range = from..self.len().min(from + SORTED);
            self.scratch.clear();
            self.scratch.extend(range.clone().map(|at| (self.log.get(at), self.parents.get(at))));
            self.scratch.sort_unstable();
            for (at, &(root, parent)) in range.zip(&self.scratch) {
                self.log.set(at, root);
                self.parents.set(at, parent);
            }
        }
    }

    /// The state from which a state of this part was first reached; the initial state is its own parent.
    #[must_use]
    pub fn parent(&self, state: Id) -> Id {
        self.parents.get(self.position(state))
    }

    /// Number of states in this part.
    #[must_use]
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of the states' parents.
    #[must_use]
    pub const fn parent_bytes(&self) -> usize {
        self.parents.bytes()
    }

    /// Bytes of memory in use by this part.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.roots.bytes() + self.log.bytes() + self.parents.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alone() -> States {
        States::new(&StateStore::new(1), 0)
    }

    fn add(store: &mut States, vector: &[Id]) -> bool {
        let (root, len) = (store.fold(vector), store.len());
        store.insert(&[(root, 0)], |_| ());
        store.len() > len
    }

    #[test]
    fn vectors_of_every_length_come_back() {
        let mut store = alone();
        let vectors: Vec<Vec<Id>> = (1..70).map(|len| (0..len).map(|at| at * 31 + len).collect()).collect();
        assert!(vectors.iter().all(|vector| add(&mut store, vector)));
        for (vector, number) in vectors.iter().zip(0..) {
            assert!(!add(&mut store, vector));
            store.take(number);
            assert_eq!(store.vector(), vector);
        }
    }

    #[test]
    fn a_successor_is_the_same_state_whatever_is_at_hand() {
        for len in 1..40 {
            let mut store = alone();
            let base: Vec<Id> = (0..len).collect();
            add(&mut store, &base);
            let variants: Vec<Vec<Id>> = (0..len)
                .flat_map(|at| (at..len).map(move |other| (at, other)))
                .map(|(at, other)| base.iter().map(|&id| if id == at || id == other { id + 77 } else { id }).collect())
                .collect();
            let roots: Vec<_> = variants.iter().map(|variant| store.fold(variant)).collect();
            store.insert(&roots.iter().map(|&root| (root, 0)).collect::<Vec<_>>(), |_| ());
            assert_eq!(store.len(), 1 + variants.len());
            for state in 0..store.len() as Id {
                store.take(state);
                let vector = store.vector().to_vec();
                for (variant, &root) in variants.iter().zip(&roots) {
                    let differs = |&(at, _): &Change| vector[at as usize] != variant[at as usize];
                    let changes: Vec<Change> = (0..).zip(variant.iter().copied()).filter(differs).collect();
                    assert_eq!(store.fold_changes(&changes), root);
                }
            }
        }
    }

    #[test]
    fn a_vector_is_not_taken_for_a_longer_one() {
        let mut store = alone();
        assert!((1..20).all(|len| add(&mut store, &vec![0; len])));
        assert!((1..20).all(|len| !add(&mut store, &vec![0; len])));
    }

    #[test]
    fn every_state_falls_to_one_of_the_workers() {
        let store = StateStore::new(3);
        let mut parts: Vec<_> = (0..3).map(|worker| States::new(&store, worker)).collect();
        let vectors: Vec<Vec<Id>> = (0..30_000).map(|at| vec![at % 7, at / 7 % 11, at / 77, 3]).collect();
        for (at, vector) in vectors.iter().enumerate() {
            let root = parts[at % 3].fold(vector);
            parts[store.owner_of(root)].insert(&[(root, 5)], |_| ());
            parts[store.owner_of(root)].insert(&[(root, 6)], |_| ());
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
