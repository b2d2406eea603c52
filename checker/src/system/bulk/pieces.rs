//! The division of a range into the pieces that the machine accesses at once. The range is that of a copy, of
//! a fill, or of a plain access that is not one aligned scalar.
//!
//! C does not define the accesses of `memcpy`, a structure assignment or a plain access of 16 bytes. The
//! rules here are:
//!
//! 1. A range is accessed in words of 8 bytes from its beginning, and 4, 2 and 1 bytes at its end, like the
//!    code of compilers for general registers. So a pointer or a 64-bit counter is copied whole. Wider
//!    registers access several words, in any order: see `bulk/mod.rs`.
//! 2. An access is atomic if it lies within one naturally aligned word of 8 bytes, and otherwise is one
//!    access to each such word. Every x86-64 processor guarantees that (AMD64 Architecture Programmer's
//!    Manual, volume 2, section 7.3.2, "Access Atomicity"). Intel's guarantee since the P6 family, for
//!    everything within a cache line, is not used. Addresses are those that the program sees: objects begin
//!    at aligned ones.
//! 3. Memory that stays in its thread has no restrictions, since nobody can see how it is accessed.
//!
//! Rule 2 also holds of misaligned scalars, which reach the checker as ranges
//! (`pass/src/instrument/memory.rs`); atomic accesses are aligned, by LLVM's own rule, and always whole.

/// The size in bytes of the word that is accessed at once.
const WORD: u64 = 8;

/// The division of a range.
#[derive(Clone, Copy, Debug)]
pub(in crate::system) struct Pieces {
    /// The number of bytes in the range.
    len: u64,
    /// The addresses of its first byte at which other threads may look. A copy has two.
    seen: [Option<u64>; 2],
}

impl Pieces {
    /// A range of `len` bytes at these addresses, as far as other threads may look there.
    pub const fn new(len: u64, seen: [Option<u64>; 2]) -> Self {
        Self { len, seen }
    }

    /// The size of the piece that begins at offset `begin`, which is below the length.
    pub fn size_from(&self, begin: u64) -> u8 {
        let to_word_end = |base: u64| WORD - base.wrapping_add(begin) % WORD;
        let room = self.seen.into_iter().flatten().map(to_word_end);
        small(room.fold(self.access(begin).1 - begin, u64::min))
    }

    /// The size of the piece that ends at offset `end`, which is above 0.
    pub fn size_to(&self, end: u64) -> u8 {
        let last = end - 1;
        let in_word = |base: u64| base.wrapping_add(last) % WORD + 1;
        let room = self.seen.into_iter().flatten().map(in_word);
        small(room.fold(end - self.access(last).0, u64::min))
    }

    /// The pieces from first to last: the offset and size of each.
    pub fn iter(self) -> impl Iterator<Item = (u64, u8)> {
        let mut begin = 0;
        std::iter::from_fn(move || {
            let size = (begin < self.len).then(|| self.size_from(begin))?;
            begin += u64::from(size);
            Some((begin - u64::from(size), size))
        })
    }

    /// True if there are more than `count` pieces.
    pub fn are_more_than(self, count: usize) -> bool {
        self.iter().nth(count).is_some()
    }

    /// The begin and end of the access (rule 1) with the byte `at`.
    fn access(&self, at: u64) -> (u64, u64) {
        let whole = self.len - self.len % WORD;
        if at < whole {
            return (at - at % WORD, at - at % WORD + WORD);
        }
        let mut begin = whole;
        for size in [4, 2, 1] {
            let end = begin + (self.len & size);
            if at < end {
                return (begin, end);
            }
            begin = end;
        }
        unreachable!("byte {at} is within {} bytes", self.len)
    }
}

fn small(size: u64) -> u8 {
    u8::try_from(size).expect("a piece has at most 8 bytes")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(len: u64, seen: &[u64]) -> Vec<u8> {
        let pieces = Pieces::new(len, [seen.first().copied(), seen.get(1).copied()]);
        pieces.iter().map(|(_, size)| size).collect()
    }

    #[test]
    fn words_come_first_and_the_tail_in_powers_of_two() {
        assert_eq!(sizes(16, &[0]), [8, 8]);
        assert_eq!(sizes(15, &[0]), [8, 4, 2, 1]);
        assert_eq!(sizes(10, &[64]), [8, 2]);
        assert_eq!(sizes(3, &[0]), [2, 1]);
        assert_eq!(sizes(0, &[0]), [0; 0]);
    }

    #[test]
    fn an_access_across_words_is_one_to_each() {
        assert_eq!(sizes(8, &[60]), [4, 4]);
        assert_eq!(sizes(4, &[61]), [3, 1]);
        assert_eq!(sizes(4, &[60]), [4]);
        assert_eq!(sizes(16, &[3]), [5, 3, 5, 3]);
        assert_eq!(sizes(8, &[4, 2]), [4, 2, 2]);
        assert_eq!(sizes(8, &[]), [8]);
    }

    #[test]
    fn all_ranges_are_divided_alike_from_both_ends() {
        for (len, to, from) in
            (1..40).flat_map(|len| (0..8).flat_map(move |to| (0..8).map(move |from| (len, to, from))))
        {
            let pieces = Pieces::new(len, [Some(to), Some(from)]);
            let forward: Vec<_> = pieces.iter().collect();
            let (mut end, mut backward) = (len, Vec::new());
            while end > 0 {
                let size = pieces.size_to(end);
                end -= u64::from(size);
                backward.push((end, size));
            }
            backward.reverse();
            assert_eq!(forward, backward, "{len} bytes at {to} and {from}");
            for (begin, size) in forward {
                let last = u64::from(size) - 1;
                assert!([to, from].iter().all(|base| (base + begin) / WORD == (base + begin + last) / WORD));
            }
        }
    }
}
