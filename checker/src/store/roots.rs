//! The set of known roots: an exact set of pairs in which an entry's place holds a part of its content.
//!
//! A pair is taken as a number with as many bits as the largest numbers so far need, and mixed by a bijection
//! on the numbers of so many bits. Its upper bits select the bucket, so only the lower ones are stored
//! (Cleary, "Compact Hash Tables Using Bidirectional Linear Probing", IEEE Trans. Comput. 33(9), 1984). If
//! that bucket is full, the pair is placed in another one: the lower bits and the number of the attempt
//! determine which bits of the bucket's number change. The number of the attempt is stored beside the lower
//! bits, so bucket and entry still determine the pair.
//!
//! ```text
//! bucket, 64 bytes:   16 entries of 32 bits, or 8 of 64 bits
//! entry:              lower bits << 4 | number of the attempt, from 1       0: free
//! ```
//!
//! A lookup touches one bucket, which is one line of the cache, and seldom a second. When the set gets full
//! or the numbers get larger, it is rebuilt from its own entries, since all of that can be inverted. Tried
//! and removed: an index of numbers into a list of pairs, like the other tables of this module (two misses of
//! the cache and three times the size); the neighbours of a full bucket (cannot be filled beyond two thirds).

use super::Id;
use super::log::Log;
use super::measure::{IndexMeasure, LOOKED_AT};
use super::pairs::{join, split};
use super::space::{Space, Use};
use super::words::Words;

/// The number of words of a bucket.
const BUCKET: usize = 8;
/// The number of bits of an entry that hold the number of the attempt.
const ATTEMPT: u32 = 4;
/// The number of buckets in which a pair may be.
const ATTEMPTS: u64 = (1 << ATTEMPT) - 1;
/// The number of buckets of an empty set, as a power of two.
const SMALLEST: u32 = 6;

/// The number of pairs that are put into a new table together, so that their cache misses overlap.
const TOGETHER: usize = 64;

/// The number of words of a table that are returned to the system together: one large page.
const PIECE: usize = 1 << 18;

/// A set of pairs, joined as in [`super::pairs::join`].
pub struct Roots {
    space: Space,
    slots: Words,
    layout: Layout,
    used: usize,
    /// The largest number of bits of a number.
    most: u32,
}

/// The mapping of pairs to buckets and remainders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    /// The number of bits of the first number of a pair.
    left: u32,
    /// The number of bits of the second number.
    right: u32,
    /// The number of buckets, as a power of two.
    buckets: u32,
}

/// The factors by which pairs are multiplied, one after the other, with a shift by half of the bits or more
/// between. Both operations can be inverted.
const MIX: [u64; 3] = [0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03, 0xA24B_AED4_963E_E407];

/// The multiplicative inverse of an odd number modulo 2^64. Each of Newton's steps doubles the number of
/// correct bits, from 3.
const fn inverse(odd: u64) -> u64 {
    let (mut inverse, mut bits) = (odd, 3);
    while bits < u64::BITS {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
        bits *= 2;
    }
    inverse
}

/// The error of a pair that cannot be added before the set is rebuilt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Full;

impl Layout {
    /// The layout for so many buckets and pairs of numbers up to `largest`. Spare bits of an entry of 32 bits
    /// are divided between both numbers, so that numbers seldom get too large; in that case all pairs move.
    fn for_pairs(largest: (Id, Id), buckets: u32, most: u32) -> Self {
        let bits = |number: Id| (Id::BITS - number.leading_zeros() + 1).clamp(8, most);
        let (left, right) = (bits(largest.0), bits(largest.1));
        let spare = (32 - ATTEMPT + buckets).saturating_sub(left + right);
        Self { left: most.min(left + spare / 2), right: most.min(right + spare.div_ceil(2)), buckets }
    }

    const fn bits(self) -> u32 {
        self.left + self.right
    }

    /// True if entries have 32 bits.
    const fn is_narrow(self) -> bool {
        self.bits() + ATTEMPT <= 32 + self.buckets
    }

    const fn words(self) -> usize {
        BUCKET << self.buckets
    }

    const fn entries(self) -> usize {
        self.words() * if self.is_narrow() { 2 } else { 1 }
    }

    /// True if the numbers of a pair fit.
    #[inline]
    const fn fits(self, (left, right): (Id, Id)) -> bool {
        left as u64 >> self.left == 0 && right as u64 >> self.right == 0
    }

    /// The bucket and the remainder of a pair.
    #[inline]
    const fn place(self, (left, right): (Id, Id)) -> (u64, u64) {
        let bits = self.bits();
        let mask = u64::MAX >> (64 - bits);
        let (half, mut x) = (bits.div_ceil(2), (left as u64) << self.right | right as u64);
        x = x.wrapping_mul(MIX[0]) & mask;
        x ^= x >> half;
        x = x.wrapping_mul(MIX[1]) & mask;
        x ^= x >> half;
        x = x.wrapping_mul(MIX[2]) & mask;
        let rest = bits - self.buckets;
        (x >> rest, x & !(u64::MAX << rest))
    }

    /// The pair with this bucket and remainder.
    const fn pair(self, bucket: u64, rest: u64) -> (Id, Id) {
        let bits = self.bits();
        let mask = u64::MAX >> (64 - bits);
        let (half, mut x) = (bits.div_ceil(2), bucket << (bits - self.buckets) | rest);
        x = x.wrapping_mul(inverse(MIX[2])) & mask;
        x ^= x >> half;
        x = x.wrapping_mul(inverse(MIX[1])) & mask;
        x ^= x >> half;
        x = x.wrapping_mul(inverse(MIX[0])) & mask;
        ((x >> self.right) as Id, (x & !(u64::MAX << self.right)) as Id)
    }

    /// The pairs in `words`, which begin at word `from` of the table. The second part is true if the pair is
    /// in its first bucket.
    fn pairs(self, from: usize, words: &[u64]) -> impl Iterator<Item = (u64, bool)> {
        let is_narrow = self.is_narrow();
        let entries = (from as u64..).zip(words).flat_map(move |(at, &word)| {
            let halves = if is_narrow { [word & u64::from(u32::MAX), word >> 32] } else { [word, 0] };
            halves.map(|entry| (at / BUCKET as u64, entry))
        });
        entries.filter(|&(_, entry)| entry != 0).map(move |(place, entry)| {
            let (rest, attempt) = (entry >> ATTEMPT, (entry & ATTEMPTS) - 1);
            (join(self.pair(place ^ self.detour(rest, attempt), rest)), attempt == 0)
        })
    }

    /// The bits of its bucket's number that change in an attempt to place a pair.
    #[inline]
    const fn detour(self, rest: u64, attempt: u64) -> u64 {
        if attempt == 0 {
            return 0;
        }
        (rest + 1).wrapping_mul(0x9FB2_1C65_1E98_DF25).wrapping_mul(2 * attempt + 1) >> (64 - self.buckets)
    }
}

impl Roots {
    /// An empty set of pairs of numbers with at most `most` bits.
    pub fn new(space: &Space, most: u32) -> Self {
        let layout = Layout::for_pairs((0, 0), SMALLEST, most);
        let slots = Words::new(space, layout.words(), Use::AtRandom);
        Self { space: space.clone(), slots, layout, used: 0, most }
    }

    /// True if the numbers of a pair have no more bits than allowed.
    pub fn fits(&self, pair: u64) -> bool {
        let (left, right) = split(pair);
        (u64::from(left) | u64::from(right)) >> self.most == 0
    }

    /// Loads the buckets of these pairs into the caches. The loads do not depend on each other, so they
    /// overlap.
    #[inline]
    pub fn prefetch(&self, pairs: impl Iterator<Item = u64>) {
        let first = |pair| {
            let (bucket, _) = self.layout.place(split(pair));
            self.slots[bucket as usize * BUCKET]
        };
        std::hint::black_box(pairs.map(first).fold(0, |all, word| all ^ word));
    }

    /// Adds a pair, which must fit, and rebuilds the set as often as needed. True if the pair is new.
    #[inline]
    pub fn add(&mut self, pair: u64) -> bool {
        loop {
            match self.insert(pair) {
                Ok(is_new) => return is_new,
                Err(Full) => self.rebuild(pair),
            }
        }
    }

    /// True if the set has a pair.
    pub fn contains(&self, pair: u64) -> bool {
        if !self.layout.fits(split(pair)) {
            return false;
        }
        let (bucket, rest) = self.layout.place(split(pair));
        let looked_up = (0..ATTEMPTS).find_map(|attempt| {
            let at = (bucket ^ self.layout.detour(rest, attempt)) as usize * BUCKET;
            let entry = rest << ATTEMPT | (attempt + 1);
            let words = &self.slots[at..at + BUCKET];
            if self.layout.is_narrow() {
                find_in(bytemuck::cast_slice::<u64, u32>(words), &(entry as u32))
            } else {
                find_in(words, &entry)
            }
        });
        looked_up == Some(true)
    }

    /// Adds a pair if no rebuild is needed. True if the pair is new.
    ///
    /// # Errors
    /// [`Full`]: the set must be rebuilt first.
    #[inline]
    fn insert(&mut self, pair: u64) -> Result<bool, Full> {
        if !self.layout.fits(split(pair)) || self.used * 10 >= self.layout.entries() * 9 {
            return Err(Full);
        }
        let is_new = self.put(pair)?;
        self.used += usize::from(is_new);
        Ok(is_new)
    }

    #[inline]
    fn put(&mut self, pair: u64) -> Result<bool, Full> {
        let (bucket, rest) = self.layout.place(split(pair));
        let first = self.attempt(bucket, rest, 0);
        first.or_else(|| (1..ATTEMPTS).find_map(|attempt| self.attempt(bucket, rest, attempt))).ok_or(Full)
    }

    /// Tries to place a pair in the bucket of this attempt: true if the pair was added, false if it is there
    /// already, `None` if the bucket is full of other pairs.
    #[inline(always)]
    fn attempt(&mut self, bucket: u64, rest: u64, attempt: u64) -> Option<bool> {
        let at = (bucket ^ self.layout.detour(rest, attempt)) as usize * BUCKET;
        let entry = rest << ATTEMPT | (attempt + 1);
        let words = &mut self.slots[at..at + BUCKET];
        if self.layout.is_narrow() {
            put_in(bytemuck::cast_slice_mut::<u64, u32>(words), entry as u32)
        } else {
            put_in(words, entry)
        }
    }

    /// Rebuilds the set with room for more pairs, including the one that did not fit. That one may need
    /// another attempt, and another rebuild.
    ///
    /// The old set is returned to the system while it is read. Pairs that were not or are not in their first
    /// bucket are put aside until the end. With twice the buckets, the new set is so filled in the order in
    /// which the old one is read, and the two never take more memory than the new one will.
    fn rebuild(&mut self, next: u64) {
        let layout = self.roomier(next);
        let old = std::mem::replace(&mut self.layout, layout);
        let mut slots = std::mem::replace(&mut self.slots, Words::new(&self.space, layout.words(), Use::AtRandom));
        let (mut batch, mut aside) = (Vec::with_capacity(TOGETHER), Log::new(&self.space));
        for from in (0..slots.len()).step_by(PIECE) {
            let piece = from..slots.len().min(from + PIECE);
            for (pair, is_first) in old.pairs(from, &slots[piece.clone()]) {
                if !is_first {
                    aside.push(pair);
                    continue;
                }
                batch.push(pair);
                if batch.len() == TOGETHER {
                    self.put_first(&mut batch, &mut aside);
                }
            }
            slots.give_back(piece);
        }
        drop(slots);
        self.put_first(&mut batch, &mut aside);
        for pair in (0..aside.len()).map(|at| aside.get(at)) {
            while self.put(pair).is_err() {
                self.rebuild(pair);
            }
        }
    }

    /// The layout of a set with room for more, also for this pair.
    fn roomier(&self, next: u64) -> Layout {
        if self.layout.fits(split(next)) {
            return Layout { buckets: self.layout.buckets + 1, ..self.layout };
        }
        let largest = self.iter().chain([next]).fold((0, 0), |largest, pair| {
            let (left, right) = split(pair);
            (left.max(largest.0), right.max(largest.1))
        });
        let mut layout = Layout::for_pairs(largest, self.layout.buckets, self.most);
        while self.used * 5 >= layout.entries() * 4 {
            layout = Layout::for_pairs(largest, layout.buckets + 1, self.most);
        }
        layout
    }

    /// Puts pairs into their first buckets; pairs whose first bucket is full go to `aside`.
    fn put_first(&mut self, batch: &mut Vec<u64>, aside: &mut Log<u64>) {
        self.prefetch(batch.iter().copied());
        for pair in batch.drain(..) {
            let (bucket, rest) = self.layout.place(split(pair));
            if self.attempt(bucket, rest, 0).is_none() {
                aside.push(pair);
            }
        }
    }

    /// All pairs, in unspecified order.
    pub fn iter(&self) -> impl Iterator<Item = u64> {
        self.layout.pairs(0, &self.slots).map(|(pair, _)| pair)
    }

    /// Measures of load, and of the number of buckets that are probed to find a pair.
    pub fn measure(&self) -> IndexMeasure {
        let attempt = |entry: u64| usize::try_from(entry & ATTEMPTS).expect("few attempts");
        let (words, entries) = (&self.slots[..self.slots.len().min(LOOKED_AT)], self.layout.entries());
        let new = |probes: &mut dyn Iterator<Item = usize>| IndexMeasure::new(self.used, entries, self.bytes(), probes);
        if self.layout.is_narrow() {
            let entries = bytemuck::cast_slice::<u64, u32>(words).iter();
            new(&mut entries.map(|&entry| attempt(entry.into())).filter(|&attempt| attempt > 0))
        } else {
            new(&mut words.iter().map(|&entry| attempt(entry)).filter(|&attempt| attempt > 0))
        }
    }

    /// Bytes of memory in use.
    pub fn bytes(&self) -> usize {
        self.slots.len() * size_of::<u64>()
    }
}

/// True if a bucket has an entry, false if it has room without it, `None` if it is full without it.
fn find_in<E: PartialEq + Default>(bucket: &[E], entry: &E) -> Option<bool> {
    let is_full = bucket.last() != Some(&E::default());
    if bucket.contains(entry) { Some(true) } else { (!is_full).then_some(false) }
}

/// Puts an entry into a bucket: true if it was added, false if it is there already, `None` if the bucket is
/// full without it. Entries fill a bucket from its beginning.
#[inline]
fn put_in<E: Copy + PartialEq + Default>(bucket: &mut [E], entry: E) -> Option<bool> {
    if bucket.iter().fold(false, |found, &other| found | (other == entry)) {
        return Some(false);
    }
    let free = E::default();
    if bucket[bucket.len() - 1] != free {
        return None;
    }
    let at = bucket.iter().fold(0, |used, &other| used + usize::from(other != free));
    bucket[at] = entry;
    Some(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::pairs::join;

    fn fill(pairs: impl Iterator<Item = (Id, Id)>) -> (Roots, Vec<u64>) {
        let (mut roots, mut all) = (Roots::new(&Space::default(), Id::BITS), Vec::new());
        for pair in pairs.map(join) {
            assert!(roots.add(pair), "{pair:x}");
            all.push(pair);
        }
        let mut stored: Vec<_> = roots.iter().collect();
        stored.sort_unstable();
        let mut sorted = all.clone();
        sorted.sort_unstable();
        assert_eq!(stored, sorted, "all pairs can be told from their places");
        (roots, all)
    }

    #[test]
    fn every_pair_is_found_and_no_other() {
        let (mut roots, all) = fill((0..200_000).map(|at: Id| (at % 701, at / 701)));
        assert!(roots.layout.is_narrow());
        assert!(roots.bytes() < 10 * all.len());
        let measure = roots.measure();
        assert!(measure.entries == all.len() && (1.0..2.0).contains(&measure.mean_probes), "{measure:?}");
        assert!(all.iter().all(|&pair| roots.contains(pair)) && !(0..701).any(|at| roots.contains(join((at, 300)))));
        assert!(all.iter().all(|&pair| roots.insert(pair) == Ok(false)));
        assert!((0..701).all(|at| roots.insert(join((at, 300))) == Ok(true)));
    }

    #[test]
    fn large_numbers_need_wide_entries() {
        let (mut roots, all) = fill((0..50_000).map(|at: Id| (at.wrapping_mul(0x9E37_79B1), Id::MAX - at)));
        assert!(!roots.layout.is_narrow());
        assert!(all.iter().all(|&pair| roots.contains(pair)) && !roots.contains(join((1, 1))));
        assert!(all.iter().all(|&pair| roots.insert(pair) == Ok(false)));
        assert_eq!(roots.insert(join((1, 1))), Ok(true));
    }

    #[test]
    fn places_are_distinct() {
        let layout = Layout { left: 5, right: 7, buckets: 6 };
        let places: std::collections::BTreeSet<_> = (0..1 << 12).map(|x: Id| layout.place((x >> 7, x & 127))).collect();
        assert_eq!(places.len(), 1 << 12);
        assert!((0..1 << 12).map(|x: Id| (x >> 7, x & 127)).all(|pair| {
            let (bucket, rest) = layout.place(pair);
            layout.pair(bucket, rest) == pair
        }));
    }
}
