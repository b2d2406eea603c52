//! State vectors, compressed as trees of pairs.
//!
//! Each half of a vector of component ids is folded pairwise, level by level. Each distinct pair is stored
//! once and named by a number, so that states share everything except the paths to their differences
//! (Laarman, van de Pol, Weber, "Parallel Recursive State Compression for Free", SPIN 2011). The numbers of
//! the halves are the state's root:
//!
//! ```text
//!        root = (left, right)          the state
//!         /            \
//!    (a, b), length    (c, d)          the heads; the tails
//!     /  \              /  \
//!    …    …            …    …          inner nodes, shared
//! ```
//!
//! Vectors may differ in length. The left number determines the length, too, so equal roots are equal
//! vectors. Left and right numbers are counted apart from others and so are small, which keeps the set of
//! roots small ([`super::roots`]). Halves of the same length, rather than of a power of two, keep the number
//! of each small.
//!
//! A successor differs from its source in few components. It is folded along the paths from these to the root
//! only, and mostly not even that, because the results of edits on halves are cached ([`super::fold_cache`]).

use std::sync::Arc;

use smallvec::SmallVec;

use super::Id;
use super::edit_interner::Edit;
use super::fold_cache::FoldCache;
use super::measure::TableMeasure;
use super::pairs::{Heads, Pairs, Table, join, split};
use super::space::Space;

/// A changed component: its place and its new id.
pub type Change = (u32, Id);

type Changes = SmallVec<[Change; 8]>;

/// The trees of all vectors, which all workers share.
#[derive(Clone)]
pub struct Nodes {
    pub(super) inner: Arc<Table<1>>,
    pub(super) heads: Arc<Table<2>>,
    pub(super) tails: Arc<Table<1>>,
}

impl Nodes {
    /// Empty trees.
    pub fn new(space: &Space) -> Self {
        Self {
            inner: Arc::new(Table::new(space)),
            heads: Arc::new(Table::new(space)),
            tails: Arc::new(Table::new(space)),
        }
    }

    /// The measures of the tables.
    pub fn measure(&self) -> [TableMeasure; 3] {
        [self.heads.measure("heads"), self.tails.measure("tails"), self.inner.measure("inner nodes")]
    }

    /// Bytes of memory in use.
    pub fn bytes(&self) -> usize {
        self.inner.bytes() + self.heads.bytes() + self.tails.bytes()
    }
}

/// The trees as one worker sees them, and a current vector with which others are compared.
pub struct Trees {
    inner: Pairs,
    heads: Heads,
    tails: Pairs,
    /// The current vector, its root, and its halves.
    vector: Vec<Id>,
    root: u64,
    left: Half,
    right: Half,
    /// A buffer for a half that is folded as a whole.
    scratch: Half,
    /// The cached results of edits on heads and on tails.
    head_folds: FoldCache,
    tail_folds: FoldCache,
}

/// The numbers of heads and of tails with cached edits, as powers of two: 8 MiB each.
const FOLDS: [u32; 2] = [16, 16];

/// All levels of one half, leaves first, each half as long as the one before, down to one or two numbers.
#[derive(Default)]
struct Half {
    levels: Vec<Id>,
    len: usize,
}

impl Trees {
    /// A worker's view of these trees.
    pub fn new(nodes: &Nodes) -> Self {
        Self {
            inner: Pairs::new(Arc::clone(&nodes.inner)),
            heads: Heads::new(Arc::clone(&nodes.heads)),
            tails: Pairs::new(Arc::clone(&nodes.tails)),
            vector: Vec::new(),
            root: 0,
            left: Half::default(),
            right: Half::default(),
            scratch: Half::default(),
            head_folds: FoldCache::new(FOLDS[0]),
            tail_folds: FoldCache::new(FOLDS[1]),
        }
    }

    /// Makes the vector with this root the current one.
    pub fn unfold(&mut self, root: u64) {
        let (left, right) = split(root);
        let [pair, len] = self.heads.get(left);
        let middle = middle(len as usize);
        self.root = root;
        self.left.unfold(&self.inner, split(pair), middle);
        self.right.unfold(&self.inner, split(self.tails.get(right)[0]), len as usize - middle);
        self.vector.clear();
        self.vector.extend_from_slice(self.left.leaves());
        self.vector.extend_from_slice(self.right.leaves());
    }

    /// The current vector.
    pub fn vector(&self) -> &[Id] {
        &self.vector
    }

    /// The root of a vector.
    ///
    /// # Panics
    /// If the vector is empty.
    pub fn fold(&mut self, vector: &[Id]) -> u64 {
        if vector.len() == self.vector.len() {
            let differs = |&(at, id): &Change| self.vector[at as usize] != id;
            let changes: Box<[Change]> = (0..).zip(vector.iter().copied()).filter(differs).collect();
            return self.fold_edit(&Edit::new(vector.len(), changes));
        }
        assert!(!vector.is_empty(), "a state has components");
        let (left, right) = vector.split_at(middle(vector.len()));
        let pair = self.scratch.fold(&mut self.inner, left);
        let left = self.heads.insert([join(pair), vector.len() as u64]);
        let pair = self.scratch.fold(&mut self.inner, right);
        join((left, self.tails.insert([join(pair)])))
    }

    /// The root of the vector that results from an edit of the current one.
    #[inline]
    pub fn fold_edit(&mut self, edit: &Edit) -> u64 {
        let (head, tail) = split(self.root);
        let [(first, left), (second, right)] = edit.halves();
        let head = if first.is_empty() {
            head
        } else {
            self.head_folds.find(head, left).unwrap_or_else(|| self.fold_head(head, first, left))
        };
        let tail = if second.is_empty() {
            tail
        } else {
            self.tail_folds.find(tail, right).unwrap_or_else(|| self.fold_tail(tail, second, right))
        };
        join((head, tail))
    }

    /// The head of the vector that results from changes to the left half of the current one, whose head is
    /// `head`.
    fn fold_head(&mut self, head: Id, changes: &[Change], number: Id) -> Id {
        let pair = self.left.changed(&mut self.inner, changes.iter().copied());
        let folded = pair.map_or(head, |pair| self.heads.insert([join(pair), self.vector.len() as u64]));
        self.head_folds.keep(head, number, folded);
        folded
    }

    /// The tail of the vector that results from changes to the right half of the current one, whose tail is
    /// `tail`.
    fn fold_tail(&mut self, tail: Id, changes: &[Change], number: Id) -> Id {
        let middle = middle(self.vector.len()) as u32;
        let pair = self.right.changed(&mut self.inner, changes.iter().map(|&(at, id)| (at - middle, id)));
        let folded = pair.map_or(tail, |pair| self.tails.insert([join(pair)]));
        self.tail_folds.keep(tail, number, folded);
        folded
    }

    /// Bytes of the caches.
    pub fn bytes(&self) -> usize {
        self.head_folds.bytes() + self.tail_folds.bytes()
    }
}

impl Half {
    fn leaves(&self) -> &[Id] {
        &self.levels[..self.len]
    }

    /// Unfolds the `len` leaves below this pair. Nodes below a number that is unchanged are not looked up.
    fn unfold(&mut self, inner: &Pairs, pair: (Id, Id), len: usize) {
        let (starts, depth) = levels(len);
        if self.len != len {
            self.len = len;
            self.levels.clear();
        }
        // No number is that large.
        self.levels.resize(starts[depth] + len.min(2), Id::MAX);
        let mut changed = Changes::new();
        self.put(starts[depth], len.min(2), 0, pair, &mut changed);
        for level in (1..=depth).rev() {
            let (below, size) = (starts[level - 1], starts[level] - starts[level - 1]);
            for (at, node) in std::mem::take(&mut changed) {
                let place = 2 * at as usize;
                let pair = if place + 1 < size { split(inner.get(node)[0]) } else { (node, 0) };
                self.put(below, size, place, pair, &mut changed);
            }
        }
    }

    /// Puts a pair into a level of this size that begins at `first`, and adds the differences to `changed`.
    fn put(&mut self, first: usize, size: usize, place: usize, pair: (Id, Id), changed: &mut Changes) {
        for (at, number) in (place..size.min(place + 2)).zip([pair.0, pair.1]) {
            if std::mem::replace(&mut self.levels[first + at], number) != number {
                changed.push((at as u32, number));
            }
        }
    }

    /// The pair above these leaves.
    fn fold(&mut self, inner: &mut Pairs, leaves: &[Id]) -> (Id, Id) {
        let nodes = &mut self.levels;
        nodes.clear();
        nodes.extend_from_slice(leaves);
        let (mut first, mut size) = (0, leaves.len());
        while size > 2 {
            let above = first + size;
            for at in (first..above - 1).step_by(2) {
                let node = inner.insert([join((nodes[at], nodes[at + 1]))]);
                nodes.push(node);
            }
            // An odd last number moves up as it is.
            if !size.is_multiple_of(2) {
                nodes.push(nodes[above - 1]);
            }
            (first, size) = (above, size.div_ceil(2));
        }
        let top = |at: usize| nodes.get(first + at).copied().unwrap_or(0);
        (top(0), top(1))
    }

    /// The pair above these leaves with some changes, if it differs from the current pair.
    fn changed(&self, inner: &mut Pairs, changes: impl Iterator<Item = Change>) -> Option<(Id, Id)> {
        let mut changes: Changes = changes.collect();
        let (mut first, mut size) = (0, self.len);
        while size > 2 && !changes.is_empty() {
            self.level_up(inner, &mut changes, first, size);
            (first, size) = (first + size, size.div_ceil(2));
        }
        if changes.is_empty() {
            return None;
        }
        let old = |at: usize| self.levels.get(first + at).copied().unwrap_or(0);
        let mut pair = [old(0), old(1)];
        changes.iter().for_each(|&(at, id)| pair[at as usize] = id);
        Some((pair[0], pair[1]))
    }

    /// Replaces the changes of a level by those of the next level.
    fn level_up(&self, inner: &mut Pairs, changes: &mut Changes, first: usize, size: usize) {
        let (mut read, mut written) = (0, 0);
        while let Some(&(at, id)) = changes.get(read) {
            read += 1;
            let (place, is_left) = (at as usize, at % 2 == 0);
            let node = if is_left && place + 1 == size {
                id
            } else {
                let next = changes.get(read).filter(|&&(next, _)| is_left && next == at + 1);
                read += usize::from(next.is_some());
                let other = next.map_or(self.levels[first + (place ^ 1)], |&(_, id)| id);
                inner.insert([join(if is_left { (id, other) } else { (other, id) })])
            };
            if node != self.levels[first + size + place / 2] {
                changes[written] = (at / 2, node);
                written += 1;
            }
        }
        changes.truncate(written);
    }
}

/// The number of components in the left half.
pub(super) const fn middle(len: usize) -> usize {
    len.div_ceil(2)
}

/// The positions at which the levels above `len` leaves begin, and the number of the last level.
fn levels(len: usize) -> ([usize; 33], usize) {
    let mut starts = [0; 33];
    let (mut depth, mut size) = (0, len);
    while size > 2 {
        starts[depth + 1] = starts[depth] + size;
        depth += 1;
        size = size.div_ceil(2);
    }
    (starts, depth)
}
