//! A table of sequences of words, shared by the workers: each sequence is stored once, and has a number.

use std::hash::Hasher;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use hashbrown::HashTable;

use crate::hash::FxHasher;
use crate::store::lock;

/// The number of parts with locks of their own.
const SHARDS: usize = 64;

/// Sequences of words with their numbers, from 1.
pub struct Sequences {
    shards: [Mutex<Shard>; SHARDS],
    /// The number of words.
    words: AtomicUsize,
}

#[derive(Default)]
struct Shard {
    /// The words of all sequences, one sequence after the other.
    words: Vec<u64>,
    /// The end of each sequence among the words.
    ends: Vec<usize>,
    /// The sequences, by their place in `ends`, with their hashes.
    known: HashTable<(u32, u64)>,
}

impl Default for Sequences {
    fn default() -> Self {
        Self { shards: std::array::from_fn(|_| Mutex::default()), words: AtomicUsize::new(0) }
    }
}

impl Sequences {
    /// The number of a sequence, which is added if it is not there, and whether it was added.
    ///
    /// # Panics
    /// If there are more than 2^26 sequences in one of 64 parts.
    pub fn insert(&self, words: &[u64]) -> (u32, bool) {
        let mut hasher = FxHasher::default();
        words.iter().for_each(|&word| hasher.write_u64(word));
        let hash = hasher.finish();
        // The table of a part takes the highest bits and the lowest.
        let part = (hash >> 32) as usize % SHARDS;
        let mut shard = lock(&self.shards[part]);
        let (at, is_new) = shard.insert(words, hash);
        drop(shard);
        if is_new {
            self.words.fetch_add(words.len(), Ordering::Relaxed);
        }
        let number = at as usize * SHARDS + part + 1;
        (u32::try_from(number).expect("fewer than 2^32 sequences"), is_new)
    }

    /// The approximate number of bytes of all sequences.
    pub fn bytes(&self) -> usize {
        self.words.load(Ordering::Relaxed) * size_of::<u64>()
    }
}

impl Shard {
    fn insert(&mut self, words: &[u64], hash: u64) -> (u32, bool) {
        let Self { words: all, ends, known } = self;
        let of = |at: u32| {
            let at = at as usize;
            at.checked_sub(1).map_or(0, |before| ends[before])..ends[at]
        };
        if let Some(&(at, _)) = known.find(hash, |&(at, of_it)| of_it == hash && all[of(at)] == *words) {
            return (at, false);
        }
        let at = u32::try_from(ends.len()).expect("fewer than 2^32 sequences");
        all.extend_from_slice(words);
        ends.push(all.len());
        known.insert_unique(hash, (at, hash), |&(_, hash)| hash);
        (at, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sequences_have_one_number_whoever_adds_them() {
        let table = Sequences::default();
        let sequences: Vec<Vec<u64>> = (0..2_000_u64).map(|at| (0..at % 7).map(|word| word * at).collect()).collect();
        let add = || sequences.iter().map(|words| table.insert(words)).collect::<Vec<_>>();
        let (one, other) = std::thread::scope(|scope| {
            let other = scope.spawn(add);
            (add(), other.join().expect("it adds"))
        });
        let mut distinct = sequences.clone();
        distinct.sort();
        distinct.dedup();
        let mut numbers: Vec<u32> = one.iter().map(|(number, _)| *number).collect();
        assert!(one.iter().zip(&other).all(|(one, other)| one.0 == other.0));
        for (at, words) in sequences.iter().enumerate() {
            assert_eq!(numbers[at], numbers[sequences.iter().position(|known| known == words).expect("it is there")]);
        }
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), distinct.len());
        let added = one.iter().chain(&other).filter(|(_, is_new)| *is_new).count();
        assert_eq!(added, distinct.len(), "each is added once");
    }
}
