//! State vectors, compressed as trees of pairs.
//!
//! A vector of component ids is folded pairwise, level by level; each distinct pair is stored once and named by a number, so that states
//! share all but the path to what differs (Laarman, van de Pol, Weber, "Parallel Recursive State Compression for Free", SPIN 2011). A state then
//! costs one root pair (8 bytes), its parent (4 bytes), and its slots in the index.
//!
//! ```text
//!        root = (left, right)          numbered 0, 1, 2, … in order of discovery: that is the state's number
//!         /            \
//!    (a, b)            (c, d)          inner nodes, shared
//! ```
//!
//! Vectors may differ in length. The first component determines the length (the caller says how), and stays outside the tree, as the
//! key under which roots are distinguished: so equal root pairs of different shapes are not mistaken for each other.

use super::Id;
use super::table::{Index, hash};

/// All states, numbered in order of insertion.
#[derive(Default)]
pub struct StateStore {
    inner: Pairs,
    /// (first component, root of the rest).
    roots: Pairs,
    parents: Vec<Id>,
    level: Vec<Id>,
}

#[derive(Default)]
struct Pairs {
    pairs: Vec<u64>,
    index: Index,
}

impl Pairs {
    /// The number of a pair, and whether it is new.
    #[inline]
    fn insert(&mut self, left: Id, right: Id) -> (Id, bool) {
        let pair = u64::from(left) << 32 | u64::from(right);
        let new_id = Id::try_from(self.pairs.len()).ok().filter(|&id| id < Id::MAX).expect("node ids are exhausted");
        let Self { pairs, index } = self;
        match index.find_or_insert(hash(&[pair]), new_id, |id| pairs[id as usize] == pair) {
            Some(id) => (id, false),
            None => {
                pairs.push(pair);
                (new_id, true)
            }
        }
    }

    #[inline]
    fn get(&self, id: Id) -> (Id, Id) {
        let pair = self.pairs[id as usize];
        ((pair >> 32) as Id, pair as Id)
    }

    fn bytes(&self) -> usize {
        self.pairs.capacity() * 8 + self.index.bytes()
    }
}

impl StateStore {
    /// Adds a state; `parent` is the state it was reached from. Returns its number and whether it is new.
    ///
    /// # Panics
    /// If the vector is empty or there are 2^32 - 1 nodes.
    pub fn insert(&mut self, vector: &[Id], parent: Id) -> (Id, bool) {
        let (&key, rest) = vector.split_first().expect("a state vector is not empty");
        let root = self.fold(rest);
        let (id, is_new) = self.roots.insert(key, root);
        if is_new {
            self.parents.push(parent);
        }
        (id, is_new)
    }

    fn fold(&mut self, rest: &[Id]) -> Id {
        self.level.clear();
        self.level.extend_from_slice(rest);
        while self.level.len() > 1 {
            let half = self.level.len() / 2;
            for at in 0..half {
                self.level[at] = self.inner.insert(self.level[2 * at], self.level[2 * at + 1]).0;
            }
            // An odd last element moves up as it is.
            if !self.level.len().is_multiple_of(2) {
                self.level[half] = self.level[self.level.len() - 1];
            }
            self.level.truncate(self.level.len().div_ceil(2));
        }
        self.level.first().copied().unwrap_or(0)
    }

    /// The first component of a state.
    #[must_use]
    pub fn key(&self, state: Id) -> Id {
        self.roots.get(state).0
    }

    /// Writes the vector of a state of `len` components to `out`.
    pub fn get(&self, state: Id, len: usize, out: &mut Vec<Id>) {
        let (key, root) = self.roots.get(state);
        out.clear();
        out.push(key);
        self.unfold(root, len - 1, out);
    }

    fn unfold(&self, root: Id, len: usize, out: &mut Vec<Id>) {
        if len == 0 {
            return;
        }
        out.push(root);
        let first = out.len() - 1;
        // Sizes of the levels, from the root down: the fold's in reverse.
        let depth = usize::BITS - (len - 1).leading_zeros();
        for level in (0..depth).rev() {
            let size = len.div_ceil(1 << level);
            self.expand(first, size, out);
        }
    }

    /// Replaces the level at `out[first..]` by the one below it, of `size` elements.
    fn expand(&self, first: usize, size: usize, out: &mut Vec<Id>) {
        let above = out.len() - first;
        out.resize(first + size, 0);
        for at in (0..above).rev() {
            let id = out[first + at];
            if 2 * at + 1 < size {
                let (left, right) = self.inner.get(id);
                out[first + 2 * at] = left;
                out[first + 2 * at + 1] = right;
            } else {
                out[first + 2 * at] = id;
            }
        }
    }

    /// The state from which a state was first reached; the initial state is its own parent.
    #[must_use]
    pub fn parent(&self, state: Id) -> Id {
        self.parents[state as usize]
    }

    /// Number of states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// Bytes of memory in use.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.inner.bytes() + self.roots.bytes() + self.parents.capacity() * 4
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_of_every_length_come_back() {
        let mut store = StateStore::default();
        let vectors: Vec<Vec<Id>> = (1..70).map(|len| (0..len).map(|at| at * 31 + len).collect()).collect();
        for (number, vector) in vectors.iter().enumerate() {
            assert_eq!(store.insert(vector, 0), (number as Id, true));
        }
        let mut out = Vec::new();
        for (number, vector) in vectors.iter().enumerate() {
            assert_eq!(store.insert(vector, 0), (number as Id, false));
            store.get(number as Id, vector.len(), &mut out);
            assert_eq!(&out, vector);
        }
    }

    #[test]
    fn vectors_that_differ_in_one_place_are_different_states() {
        let mut store = StateStore::default();
        let base: Vec<Id> = (0..13).collect();
        assert!(store.insert(&base, 0).1);
        for at in 0..13 {
            let mut other = base.clone();
            other[at] = 99;
            assert!(store.insert(&other, 0).1, "difference at {at}");
        }
        assert_eq!(store.len(), 14);
    }
}
