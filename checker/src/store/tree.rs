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
use super::measure::TableMeasure;
use super::table::{Index, hash};
use super::words::Sequence;

/// All states, numbered in order of insertion.
#[derive(Default)]
pub struct StateStore {
    inner: Pairs,
    /// (first component, root of the rest).
    roots: Pairs,
    parents: Vec<Id>,
    /// The state read last.
    source: Unfolded,
    /// All levels of the state being inserted, leaves first.
    levels: Vec<Id>,
}

/// All levels of a tree, leaves first, each half as long as the one before.
#[derive(Default)]
struct Unfolded {
    levels: Vec<Id>,
    first_len: usize,
}

impl Unfolded {
    fn unfold(&mut self, inner: &Pairs, root: Id, len: usize) {
        self.first_len = len;
        self.levels.clear();
        if len == 0 {
            return;
        }
        let mut starts = [0; 33];
        let (mut depth, mut size, mut total) = (0, len, len);
        while size > 1 {
            depth += 1;
            starts[depth] = total;
            size = size.div_ceil(2);
            total += size;
        }
        self.levels.resize(total, 0);
        self.levels[total - 1] = root;
        for level in (1..=depth).rev() {
            let (below, above) = (starts[level - 1], starts[level]);
            let size = above - below;
            for at in 0..size / 2 {
                let (left, right) = inner.get(self.levels[above + at]);
                self.levels[below + 2 * at] = left;
                self.levels[below + 2 * at + 1] = right;
            }
            if !size.is_multiple_of(2) {
                self.levels[above - 1] = self.levels[above + size / 2];
            }
        }
    }
}

#[derive(Default)]
struct Pairs {
    pairs: Sequence,
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
        self.pairs.bytes() + self.index.bytes()
    }

    fn measure(&self, what: &'static str) -> TableMeasure {
        TableMeasure { what, bytes: self.pairs.bytes(), index: self.index.measure() }
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

    /// Folds the components behind the key, and returns the root. Pairs that the state read last has in the same place are not looked up again:
    /// a successor differs from its source in few components, and shares all nodes off their paths to the root.
    fn fold(&mut self, rest: &[Id]) -> Id {
        let Self { inner, levels, source, .. } = self;
        let known = source.first_len == rest.len();
        levels.clear();
        levels.extend_from_slice(rest);
        let (mut first, mut len) = (0, rest.len());
        while len > 1 {
            let above = first + len;
            for at in 0..len / 2 {
                let (left, right) = (first + 2 * at, first + 2 * at + 1);
                let pair = (levels[left], levels[right]);
                let same = known && pair == (source.levels[left], source.levels[right]);
                let node = if same { source.levels[above + at] } else { inner.insert(pair.0, pair.1).0 };
                levels.push(node);
            }
            // An odd last element moves up as it is.
            if !len.is_multiple_of(2) {
                levels.push(levels[above - 1]);
            }
            (first, len) = (above, len.div_ceil(2));
        }
        levels.last().copied().unwrap_or(0)
    }

    /// The first component of a state.
    #[must_use]
    pub fn key(&self, state: Id) -> Id {
        self.roots.get(state).0
    }

    /// Writes the vector of a state of `len` components to `out`. States inserted next are compared with this one.
    pub fn get(&mut self, state: Id, len: usize, out: &mut Vec<Id>) {
        let (key, root) = self.roots.get(state);
        self.source.unfold(&self.inner, root, len - 1);
        out.clear();
        out.push(key);
        out.extend_from_slice(&self.source.levels[..len - 1]);
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

    /// The measures of the two tables: the states' roots, and the inner nodes.
    #[must_use]
    pub fn measure(&self) -> [TableMeasure; 2] {
        [self.roots.measure("states"), self.inner.measure("inner nodes")]
    }

    /// Bytes of the states' parents.
    #[must_use]
    pub fn parent_bytes(&self) -> usize {
        self.parents.capacity() * size_of::<Id>()
    }

    /// Bytes of memory in use.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.inner.bytes() + self.roots.bytes() + self.parent_bytes()
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
    fn a_successor_is_the_same_state_whatever_was_read_before() {
        let mut store = StateStore::default();
        let base: Vec<Id> = (0..21).collect();
        store.insert(&base, 0);
        let variants: Vec<Vec<Id>> =
            (0..21).map(|at| base.iter().map(|&id| if id == at { 77 } else { id }).collect()).collect();
        let ids: Vec<_> = variants.iter().map(|variant| store.insert(variant, 0).0).collect();
        let mut out = Vec::new();
        for (variant, &id) in variants.iter().zip(&ids) {
            store.get(id, 21, &mut out);
            assert_eq!(store.insert(&base, 0), (0, false));
            assert_eq!(store.insert(variant, 0), (id, false));
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
