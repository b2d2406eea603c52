//! Large arrays of words.
//!
//! The tables are far larger than the caches and are looked up at random, so that half of the time of a search goes by waiting for memory, and much of that
//! for the translation of addresses. Arrays that are large are therefore kept in pages of 2 MiB, where the system has them.

use std::ops::{Deref, DerefMut};

use memmap2::{Advice, MmapMut};

/// Bytes from which on an array is large.
const LARGE: usize = 4 << 20;

/// An array of words of fixed length, zero at first.
pub struct Words(Place);

enum Place {
    Small(Vec<u64>),
    Large(MmapMut),
}

impl Words {
    /// An array of `len` zeros.
    pub fn new(len: usize) -> Self {
        let bytes = len * size_of::<u64>();
        let large = (bytes >= LARGE).then(|| MmapMut::map_anon(bytes).ok()).flatten();
        let Some(map) = large else { return Self(Place::Small(vec![0; len])) };
        // It may be refused, which costs time and nothing else.
        let _ = map.advise(Advice::HugePage);
        Self(Place::Large(map))
    }
}

impl Deref for Words {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        match &self.0 {
            Place::Small(words) => words,
            Place::Large(map) => bytemuck::cast_slice(map),
        }
    }
}

impl DerefMut for Words {
    #[inline]
    fn deref_mut(&mut self) -> &mut [u64] {
        match &mut self.0 {
            Place::Small(words) => words,
            Place::Large(map) => bytemuck::cast_slice_mut(map),
        }
    }
}

/// An array of words that grows at its end.
pub struct Sequence {
    words: Words,
    len: usize,
}

impl Default for Sequence {
    fn default() -> Self {
        Self { words: Words::new(1 << 8), len: 0 }
    }
}

impl Sequence {
    /// Appends a word.
    #[inline]
    pub fn push(&mut self, word: u64) {
        if self.len == self.words.len() {
            let mut larger = Words::new(2 * self.len);
            larger[..self.len].copy_from_slice(&self.words);
            self.words = larger;
        }
        self.words[self.len] = word;
        self.len += 1;
    }

    /// Bytes taken, used or not.
    pub fn bytes(&self) -> usize {
        self.words.len() * size_of::<u64>()
    }
}

impl Deref for Sequence {
    type Target = [u64];

    #[inline]
    fn deref(&self) -> &[u64] {
        &self.words[..self.len]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sequence_keeps_its_words_as_it_grows() {
        let mut sequence = Sequence::default();
        (0..1 << 20).for_each(|word| sequence.push(word));
        assert!(sequence.iter().copied().eq(0..1 << 20));
        assert_eq!(sequence.bytes(), 8 << 20);
    }
}
