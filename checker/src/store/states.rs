//! All states, numbered in order of discovery, which is the order in which they are explored.
//!
//! ```text
//! log       root of every state            8 bytes
//! parents   the state it was reached from  4 bytes
//! roots     which roots are known          4 bytes, or 8, per place; up to nine of ten places are taken
//! trees     what the roots stand for       shared by the states
//! ```

use super::Id;
use super::measure::TableMeasure;
use super::roots::{Full, Roots};
use super::tree::{Change, Trees};
use super::words::Log;

/// All states.
#[derive(Default)]
pub struct StateStore {
    trees: Trees,
    roots: Roots,
    log: Log<u64>,
    parents: Log<Id>,
}

/// A state that was reached: the root of its tree, and the state before it.
pub type Reached = (u64, Id);

impl StateStore {
    /// Takes a state at hand, with which others are compared.
    pub fn take(&mut self, state: Id) {
        self.trees.unfold(self.log.get(state as usize));
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

    /// Adds the states that are new, in this order, and calls `found` with the number of each in `reached`.
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
                assert!(self.parents.len() < Id::MAX as usize, "state numbers are exhausted");
                self.log.push(root);
                self.parents.push(parent);
                found(at);
            }
        }
    }

    /// The state from which a state was first reached; the initial state is its own parent.
    #[must_use]
    pub fn parent(&self, state: Id) -> Id {
        self.parents.get(state as usize)
    }

    /// Number of states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The measures of the tables, that of the states first.
    #[must_use]
    pub fn measure(&self) -> [TableMeasure; 4] {
        let states = TableMeasure { what: "states", bytes: self.log.bytes(), index: self.roots.measure() };
        let [heads, tails, inner] = self.trees.measure();
        [states, heads, tails, inner]
    }

    /// Bytes of the states' parents.
    #[must_use]
    pub const fn parent_bytes(&self) -> usize {
        self.parents.bytes()
    }

    /// Bytes of memory in use.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.trees.bytes() + self.roots.bytes() + self.log.bytes() + self.parents.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(store: &mut StateStore, vector: &[Id]) -> bool {
        let (root, len) = (store.fold(vector), store.len());
        store.insert(&[(root, 0)], |_| ());
        store.len() > len
    }

    #[test]
    fn vectors_of_every_length_come_back() {
        let mut store = StateStore::default();
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
            let mut store = StateStore::default();
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
        let mut store = StateStore::default();
        assert!((1..20).all(|len| add(&mut store, &vec![0; len])));
        assert!((1..20).all(|len| !add(&mut store, &vec![0; len])));
    }
}
