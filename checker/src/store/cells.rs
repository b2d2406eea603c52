//! A list of words that many workers read and write without locks. It grows without being moved.
//!
//! Each chunk is twice as long as the one before and is made when its first word is written. The accesses
//! here are relaxed. A reader learns of a word's place from its writer, under a lock or through a mailbox,
//! and this orders the read after the write.

use super::space::Space;
use super::sync::{OnceLock, Ordering, Zeros, zeros};

/// The number of words of the first chunk, as a power of two.
const FIRST: u32 = 10;
/// The number of chunks for 2^33 words.
const CHUNKS: usize = 34 - FIRST as usize;

/// The list. A word that was never written is 0.
pub struct Cells {
    space: Space,
    chunks: [OnceLock<Zeros>; CHUNKS],
}

impl Cells {
    /// An empty list.
    pub fn new(space: &Space) -> Self {
        Self { space: space.clone(), chunks: std::array::from_fn(|_| OnceLock::new()) }
    }

    /// The word at a position.
    ///
    /// # Panics
    /// If no word near it was ever written.
    #[inline]
    pub fn get(&self, at: usize) -> u64 {
        let (chunk, at) = place(at);
        self.chunks[chunk].get().expect("the word was written")[at].load(Ordering::Relaxed)
    }

    /// Writes the word at a position.
    ///
    /// # Panics
    /// If the position is 2^33 or more.
    #[inline]
    pub fn set(&self, at: usize, word: u64) {
        let (chunk, at) = place(at);
        let chunk = self.chunks[chunk].get_or_init(|| zeros(&self.space, 1 << (FIRST as usize + chunk)));
        chunk[at].store(word, Ordering::Relaxed);
    }
}

/// The chunk of a position, and the position in it.
#[inline]
const fn place(at: usize) -> (usize, usize) {
    let at = at + (1 << FIRST);
    let chunk = at.ilog2();
    ((chunk - FIRST) as usize, at - (1 << chunk))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_where_they_were_written() {
        let cells = Cells::new(&Space::default());
        (0..100_000).for_each(|at| cells.set(at, 3 * at as u64));
        assert!((0..100_000).all(|at| cells.get(at) == 3 * at as u64));
    }

    #[test]
    fn places_follow_each_other() {
        assert_eq!(
            [place(0), place(1023), place(1024), place(3071), place(3072)],
            [(0, 0), (0, 1023), (1, 0), (1, 2047), (2, 0)]
        );
        assert_eq!(place((1 << 33) - 1).0, CHUNKS - 1);
    }
}
