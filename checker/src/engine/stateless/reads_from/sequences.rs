//! A table of sequences of words for any number of workers: each sequence is stored once, and has a number.

use std::hash::Hasher;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use hashbrown::HashTable;
use smallvec::SmallVec;

use crate::hash::{FxHasher, half, spread};
use crate::store::lock;

/// The number of parts with locks of their own.
const SHARDS: usize = 64;

/// Sequences of words with their numbers, from 1.
pub struct Sequences {
    shards: [Mutex<Shard>; SHARDS],
    /// The number of bytes in use.
    bytes: AtomicUsize,
}

#[derive(Default)]
struct Shard {
    /// All sequences, one after the other, as bytes.
    bytes: Vec<u8>,
    /// The end of each sequence among the bytes.
    ends: Vec<u32>,
    /// The sequences, by their place in `ends`, with the upper halves of their hashes.
    known: HashTable<(u32, u32)>,
}

impl Default for Sequences {
    fn default() -> Self {
        Self { shards: std::array::from_fn(|_| Mutex::default()), bytes: AtomicUsize::new(0) }
    }
}

impl Sequences {
    /// The number of a sequence, which is added if it is not there, and whether it was added.
    ///
    /// # Panics
    /// If there are more than 2^26 sequences, or 4 GiB, in one of 64 parts.
    pub fn insert(&self, words: impl IntoIterator<Item = u64>) -> (u32, bool) {
        let mut hasher = FxHasher::default();
        let bytes = encoded(words.into_iter().inspect(|&word| hasher.write_u64(word)));
        let hash = half(&hasher);
        // The table of a part uses the bits at both ends.
        let part = (hash >> 19) as usize % SHARDS;
        let mut shard = lock(&self.shards[part]);
        let (at, is_new) = shard.insert(&bytes, hash);
        drop(shard);
        if is_new {
            self.bytes.fetch_add(bytes.len() + size_of::<[u32; 3]>(), Ordering::Relaxed);
        }
        let number = at as usize * SHARDS + part + 1;
        (u32::try_from(number).expect("fewer than 2^32 sequences"), is_new)
    }

    /// The approximate number of bytes of all sequences.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }
}

impl Shard {
    fn insert(&mut self, bytes: &[u8], hash: u32) -> (u32, bool) {
        let Self { bytes: all, ends, known } = self;
        let of = |at: u32| {
            let at = at as usize;
            at.checked_sub(1).map_or(0, |before| ends[before] as usize)..ends[at] as usize
        };
        if let Some(&(at, _)) = known.find(spread(hash), |&(at, of_it)| of_it == hash && all[of(at)] == *bytes) {
            return (at, false);
        }
        let at = u32::try_from(ends.len()).expect("fewer than 2^32 sequences");
        all.extend_from_slice(bytes);
        ends.push(u32::try_from(all.len()).expect("at most 4 GiB of sequences"));
        known.insert_unique(spread(hash), (at, hash), |&(_, hash)| spread(hash));
        (at, true)
    }
}

/// A sequence as bytes. Different sequences have different bytes: each word is two numbers, and each number
/// ends with its first byte below 128. Words have small numbers in both halves, and maybe a mark in the
/// highest four bits.
fn encoded(words: impl Iterator<Item = u64>) -> SmallVec<[u8; 64]> {
    let mut bytes = SmallVec::new();
    for word in words {
        let word = word.rotate_left(4);
        for mut half in [(word >> 32) as u32, word as u32] {
            while half >= 1 << 7 {
                bytes.push(half as u8 | 1 << 7);
                half >>= 7;
            }
            bytes.push(half as u8);
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sequences_have_one_number_whoever_adds_them() {
        let table = Sequences::default();
        let sequences: Vec<Vec<u64>> = (0..2_000_u64)
            .map(|at| (0..at % 7).map(|word| (word * at).rotate_right(at as u32 % 64)).collect())
            .collect();
        let add = || sequences.iter().map(|words| table.insert(words.iter().copied())).collect::<Vec<_>>();
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
