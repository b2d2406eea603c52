//! Distinct pairs of numbers, named by small numbers: the inner nodes of the trees. All workers share a
//! table. Each worker has a cache of recent entries, so that it seldom accesses the table.

use std::sync::Arc;

use super::Id;
use super::cells::Cells;
use super::index::hash;
use super::measure::TableMeasure;
use super::shards::Shards;
use super::space::Space;

/// The number of entries of a worker's cache, as a power of two.
const AT_HAND: u32 = 12;

/// A table of distinct entries of `W` words, each stored once.
pub struct Table<const W: usize> {
    words: Cells,
    index: Shards,
}

impl<const W: usize> Default for Table<W> {
    fn default() -> Self {
        Self::new(&Space::default())
    }
}

impl<const W: usize> Table<W> {
    /// An empty table.
    pub fn new(space: &Space) -> Self {
        Self { words: Cells::new(space), index: Shards::new(space) }
    }

    /// The number of an entry.
    ///
    /// # Panics
    /// If there are 2^32 - 1 entries.
    pub fn insert(&self, entry: [u64; W], hash: u64) -> Id {
        let add = |id| (0..).zip(entry).for_each(|(at, word)| self.words.set(id as usize * W + at, word));
        self.index.find_or_insert(hash, |id| self.get(id) == entry, add)
    }

    /// The entry of this number.
    #[inline]
    pub fn get(&self, id: Id) -> [u64; W] {
        std::array::from_fn(|at| self.words.get(id as usize * W + at))
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.index.len()
    }

    /// The measures of the table, under a name.
    pub fn measure(&self, what: &'static str) -> TableMeasure {
        TableMeasure { what, bytes: self.index.len() * W * size_of::<u64>(), index: self.index.measure() }
    }

    /// Bytes of memory in use.
    pub fn bytes(&self) -> usize {
        self.index.len() * W * size_of::<u64>() + self.index.bytes()
    }
}

/// A table with the cache of one worker.
pub struct Entries<const W: usize> {
    table: Arc<Table<W>>,
    at_hand: Box<[AtHand<W>]>,
}

/// An entry and its number, plus one.
#[derive(Clone, Copy)]
struct AtHand<const W: usize> {
    entry: [u64; W],
    number: u64,
}

/// Pairs, each one word: see [`join`].
pub type Pairs = Entries<1>;

/// Pairs, each with an associated number.
pub type Heads = Entries<2>;

impl<const W: usize> Entries<W> {
    /// A worker's view of a table.
    pub fn new(table: Arc<Table<W>>) -> Self {
        Self { table, at_hand: vec![AtHand { entry: [0; W], number: 0 }; 1 << AT_HAND].into() }
    }

    /// The number of an entry.
    #[inline]
    pub fn insert(&mut self, entry: [u64; W]) -> Id {
        let hash = hash(&entry);
        let at_hand = &mut self.at_hand[(hash >> (u64::BITS - AT_HAND)) as usize];
        if at_hand.number == 0 || at_hand.entry != entry {
            *at_hand = AtHand { entry, number: u64::from(self.table.insert(entry, hash)) + 1 };
        }
        (at_hand.number - 1) as Id
    }

    /// The entry of this number.
    #[inline]
    pub fn get(&self, id: Id) -> [u64; W] {
        self.table.get(id)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_pairs_with_different_lengths_are_different() {
        let mut heads = Heads::new(Arc::default());
        assert_eq!([heads.insert([1, 3]), heads.insert([1, 4]), heads.insert([1, 3])], [0, 1, 0]);
        assert_eq!(heads.get(1), [1, 4]);
    }

    #[test]
    fn workers_give_the_same_numbers() {
        let table = Arc::default();
        let mut workers: Vec<_> = (0..3).map(|_| Pairs::new(Arc::clone(&table))).collect();
        let numbers = |pairs: &mut Pairs| (0..200_000).map(|pair| pairs.insert([pair])).collect::<Vec<_>>();
        let all: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = workers.iter_mut().map(|pairs| scope.spawn(|| numbers(pairs))).collect();
            threads.into_iter().map(|thread| thread.join().expect("it works")).collect()
        });
        assert!(all.iter().all(|numbers| *numbers == all[0]));
        assert!((0..).zip(&all[0]).all(|(pair, &number)| table.get(number) == [pair]));
        assert_eq!(table.index.len(), 200_000);
    }
}
