//! Which roots are known: an exact set of pairs that does not store what their place already says.
//!
//! A pair is taken for a number of as many bits as the largest numbers so far need, and mixed by a bijection of the numbers of so many bits. Its upper bits say
//! in which bucket it belongs, so only the lower ones are stored (Cleary, "Compact Hash Tables Using Bidirectional Linear Probing", IEEE Trans. Comput. 33(9),
//! 1984). Where that bucket is full it goes to another one: from the lower bits and the number of the attempt follows which bits of the bucket's number change.
//! With that number stored beside them, bucket and entry still say which pair it is.
//!
//! ```text
//! bucket, 64 bytes:   16 entries of 32 bits, or 8 of 64 bits
//! entry:              lower bits << 4 | number of the attempt, from 1       0: free
//! ```
//!
//! A look-up touches one bucket, which is one line of the cache, and seldom a second. The set is built anew from the list of all pairs, which its owner has,
//! when it gets full or the numbers get larger. Tried and removed: an index of numbers into that list, the way of the other tables of this module (two misses
//! of the cache and three times the size); the neighbours of a full bucket (cannot be filled beyond two thirds).

use super::Id;
use super::measure::{IndexMeasure, LOOKED_AT};
use super::pairs::split;
use super::words::Words;

/// Words of a bucket.
const BUCKET: usize = 8;
/// Bits of an entry that hold the number of the attempt.
const ATTEMPT: u32 = 4;
/// Buckets in which a pair may be.
const ATTEMPTS: u64 = (1 << ATTEMPT) - 1;
/// Buckets of an empty set, as a power of two.
const SMALLEST: u32 = 6;

/// A set of pairs, joined as in [`super::pairs::join`].
pub struct Roots {
    slots: Words,
    layout: Layout,
    used: usize,
}

/// How pairs become bucket and remainder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    /// Bits of the first number of a pair.
    left: u32,
    /// Bits of the second.
    right: u32,
    /// The number of buckets, as a power of two.
    buckets: u32,
}

/// The pair cannot be taken in before the set is built anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

impl Layout {
    const fn bits(self) -> u32 {
        self.left + self.right
    }

    /// Whether entries have 32 bits.
    const fn is_narrow(self) -> bool {
        self.bits() + ATTEMPT <= 32 + self.buckets
    }

    const fn entries(self) -> usize {
        (BUCKET << self.buckets) * if self.is_narrow() { 2 } else { 1 }
    }

    /// Whether the numbers of a pair fit.
    #[inline]
    const fn fits(self, (left, right): (Id, Id)) -> bool {
        left as u64 >> self.left == 0 && right as u64 >> self.right == 0
    }

    /// The bucket and the remainder of a pair.
    #[inline]
    const fn place(self, (left, right): (Id, Id)) -> (u64, u64) {
        let bits = self.bits();
        let mask = u64::MAX >> (64 - bits);
        // Multiplication by an odd number and a shift by half of the bits or more can both be undone.
        let (half, mut x) = (bits.div_ceil(2), (left as u64) << self.right | right as u64);
        x = x.wrapping_mul(0x9E37_79B9_7F4A_7C15) & mask;
        x ^= x >> half;
        x = x.wrapping_mul(0xD1B5_4A32_D192_ED03) & mask;
        x ^= x >> half;
        x = x.wrapping_mul(0xA24B_AED4_963E_E407) & mask;
        let rest = bits - self.buckets;
        (x >> rest, x & !(u64::MAX << rest))
    }

    /// Which bits of its bucket's number change in an attempt to place a pair.
    #[inline]
    const fn detour(self, rest: u64, attempt: u64) -> u64 {
        if attempt == 0 {
            return 0;
        }
        (rest + 1).wrapping_mul(0x9FB2_1C65_1E98_DF25).wrapping_mul(2 * attempt + 1) >> (64 - self.buckets)
    }
}

impl Default for Roots {
    fn default() -> Self {
        let layout = Layout { left: 8, right: 8, buckets: SMALLEST };
        Self { slots: Words::new(BUCKET << SMALLEST), layout, used: 0 }
    }
}

impl Roots {
    /// Loads the buckets of these pairs into the caches: the loads do not depend on each other, so they overlap.
    #[inline]
    pub fn prefetch(&self, pairs: impl Iterator<Item = u64>) {
        let first = |pair| {
            let (bucket, _) = self.layout.place(split(pair));
            self.slots[bucket as usize * BUCKET]
        };
        std::hint::black_box(pairs.map(first).fold(0, |all, word| all ^ word));
    }

    /// Adds a pair. Whether it is new.
    ///
    /// # Errors
    /// [`Full`]: the set must be built anew first.
    #[inline]
    pub fn insert(&mut self, pair: u64) -> Result<bool, Full> {
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
        for attempt in 0..ATTEMPTS {
            let at = (bucket ^ self.layout.detour(rest, attempt)) as usize * BUCKET;
            let entry = rest << ATTEMPT | (attempt + 1);
            let words = &mut self.slots[at..at + BUCKET];
            let outcome = if self.layout.is_narrow() {
                put_in(bytemuck::cast_slice_mut::<u64, u32>(words), entry as u32)
            } else {
                put_in(words, entry)
            };
            if let Some(is_new) = outcome {
                return Ok(is_new);
            }
        }
        Err(Full)
    }

    /// Builds the set anew, with room for more, from all its pairs in any order and the one that did not fit. That one may need another try, and another set.
    ///
    /// # Panics
    /// If a pair comes twice.
    pub fn rebuild<I: Iterator<Item = u64>>(&mut self, all: impl Fn() -> I, next: u64) {
        let largest = all().chain([next]).fold((0, 0), |largest, pair| {
            let (left, right) = split(pair);
            (left.max(largest.0), right.max(largest.1))
        });
        let bits = |number: Id| (Id::BITS - number.leading_zeros() + 1).clamp(8, Id::BITS);
        let widths = (bits(largest.0), bits(largest.1));
        // Where the numbers did not get larger it was for want of room.
        let is_full = widths == (self.layout.left, self.layout.right);
        self.layout.buckets += u32::from(is_full);
        (self.layout.left, self.layout.right) = widths;
        while self.used * 5 >= self.layout.entries() * 4 {
            self.layout.buckets += 1;
        }
        while !self.refill(all()) {
            self.layout.buckets += 1;
        }
    }

    /// Fills a new table; false if it is too small.
    fn refill(&mut self, mut all: impl Iterator<Item = u64>) -> bool {
        self.slots = Words::new(BUCKET << self.layout.buckets);
        all.all(|pair| {
            let put = self.put(pair);
            assert!(put != Ok(false), "the pairs of a set are distinct");
            put.is_ok()
        })
    }

    /// How full it is, and how many buckets are looked at to find a pair.
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

/// Puts an entry into a bucket: whether it is new, or nothing if the bucket is full without it. Entries fill a bucket from its beginning.
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
        let (mut roots, mut all) = (Roots::default(), Vec::new());
        for pair in pairs.map(join) {
            let is_new = loop {
                match roots.insert(pair) {
                    Ok(is_new) => break is_new,
                    Err(Full) => roots.rebuild(|| all.iter().copied(), pair),
                }
            };
            assert!(is_new, "{pair:x}");
            all.push(pair);
        }
        (roots, all)
    }

    #[test]
    fn every_pair_is_found_and_no_other() {
        let (mut roots, all) = fill((0..200_000).map(|at: Id| (at % 701, at / 701)));
        assert!(roots.layout.is_narrow());
        assert!(roots.bytes() < 10 * all.len());
        let measure = roots.measure();
        assert!(measure.entries == all.len() && (1.0..2.0).contains(&measure.mean_probes), "{measure:?}");
        assert!(all.iter().all(|&pair| roots.insert(pair) == Ok(false)));
        assert!((0..701).all(|at| roots.insert(join((at, 300))) == Ok(true)));
    }

    #[test]
    fn large_numbers_need_wide_entries() {
        let (mut roots, all) = fill((0..50_000).map(|at: Id| (at.wrapping_mul(0x9E37_79B1), Id::MAX - at)));
        assert!(!roots.layout.is_narrow());
        assert!(all.iter().all(|&pair| roots.insert(pair) == Ok(false)));
        assert_eq!(roots.insert(join((1, 1))), Ok(true));
    }

    #[test]
    fn places_are_distinct() {
        let layout = Layout { left: 5, right: 7, buckets: 6 };
        let places: std::collections::BTreeSet<_> = (0..1 << 12).map(|x: Id| layout.place((x >> 7, x & 127))).collect();
        assert_eq!(places.len(), 1 << 12);
    }
}
