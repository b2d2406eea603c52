//! Pairs of numbers, stored once each and named by small numbers in order of first appearance: the inner nodes of the trees.

use super::Id;
use super::measure::TableMeasure;
use super::table::{Index, hash};
use super::words::Sequence;

/// A table of distinct pairs.
#[derive(Default)]
pub struct Pairs {
    pairs: Sequence,
    index: Index,
}

impl Pairs {
    /// The number of a pair.
    ///
    /// # Panics
    /// If there are 2^32 - 1 pairs.
    #[inline]
    pub fn insert(&mut self, pair: (Id, Id)) -> Id {
        let pair = join(pair);
        let new_id = next_id(self.pairs.len());
        let Self { pairs, index } = self;
        index.find_or_insert(hash(&[pair]), new_id, |id| pairs[id as usize] == pair).unwrap_or_else(|| {
            pairs.push(pair);
            new_id
        })
    }

    /// The pair of this number.
    #[inline]
    pub fn get(&self, id: Id) -> (Id, Id) {
        split(self.pairs[id as usize])
    }

    /// Its measures, under a name.
    pub fn measure(&self, what: &'static str) -> TableMeasure {
        TableMeasure { what, bytes: self.pairs.bytes(), index: self.index.measure() }
    }

    /// Bytes of memory in use.
    pub fn bytes(&self) -> usize {
        self.pairs.bytes() + self.index.bytes()
    }
}

/// A table of distinct pairs, each with a length.
#[derive(Default)]
pub struct Heads {
    pairs: Sequence,
    lens: Vec<u32>,
    index: Index,
}

impl Heads {
    /// The number of a pair with a length.
    ///
    /// # Panics
    /// If there are 2^32 - 1 of them.
    #[inline]
    pub fn insert(&mut self, pair: (Id, Id), len: u32) -> Id {
        let pair = join(pair);
        let new_id = next_id(self.pairs.len());
        let Self { pairs, lens, index } = self;
        let is_it = |id: Id| pairs[id as usize] == pair && lens[id as usize] == len;
        index.find_or_insert(hash(&[pair, len.into()]), new_id, is_it).unwrap_or_else(|| {
            pairs.push(pair);
            lens.push(len);
            new_id
        })
    }

    /// The pair and the length of this number.
    #[inline]
    pub fn get(&self, id: Id) -> ((Id, Id), u32) {
        (split(self.pairs[id as usize]), self.lens[id as usize])
    }

    /// Its measures, under a name.
    pub fn measure(&self, what: &'static str) -> TableMeasure {
        TableMeasure { what, bytes: self.bytes() - self.index.bytes(), index: self.index.measure() }
    }

    /// Bytes of memory in use.
    pub fn bytes(&self) -> usize {
        self.pairs.bytes() + self.lens.capacity() * size_of::<u32>() + self.index.bytes()
    }
}

/// A pair as one word.
#[inline]
pub const fn join((left, right): (Id, Id)) -> u64 {
    (left as u64) << 32 | right as u64
}

/// A word as a pair.
#[inline]
pub const fn split(word: u64) -> (Id, Id) {
    ((word >> 32) as Id, word as Id)
}

fn next_id(len: usize) -> Id {
    Id::try_from(len).ok().filter(|&id| id < Id::MAX).expect("node ids are exhausted")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_pairs_with_different_lengths_are_different() {
        let mut heads = Heads::default();
        assert_eq!([heads.insert((1, 2), 3), heads.insert((1, 2), 4), heads.insert((1, 2), 3)], [0, 1, 0]);
        assert_eq!(heads.get(1), ((1, 2), 4));
    }
}
