//! The hash index of a table: finds the entry with a given content.
//!
//! Open addressing with linear probing over 8-byte slots `hash (32 bits) | id (32 bits)`. The hash bits
//! settle almost every probe without a look at the entries. Growing needs no access to entries, since 32 bits
//! of hash place a slot in any table of up to 2^32 slots.

use super::Id;
use super::measure::IndexMeasure;
use super::space::{Space, Use};
use super::words::Words;

/// The number of slots of an empty index.
const SMALLEST: usize = 1 << 6;

/// A free slot; ids are stored plus one.
const EMPTY: u64 = 0;

/// An index of entries by content. Ids are below `u32::MAX`.
pub struct Index {
    space: Space,
    slots: Words,
    used: usize,
}

impl Index {
    /// An empty index.
    pub fn new(space: &Space) -> Self {
        Self { space: space.clone(), slots: Words::new(space, SMALLEST, Use::AtRandom), used: 0 }
    }

    /// The id of the entry for which `is_it` holds, else the id that `add` gives to a new one.
    #[inline]
    pub fn find_or_insert(&mut self, hash: u64, mut is_it: impl FnMut(Id) -> bool, add: impl FnOnce() -> Id) -> Id {
        if (self.used + 1) * 3 > self.slots.len() * 2 {
            self.grow();
        }
        let tag = hash >> 32;
        let slots: &mut [u64] = &mut self.slots;
        let mask = slots.len() - 1;
        let mut at = place(tag, slots.len());
        loop {
            let slot = slots[at];
            if slot == EMPTY {
                let id = add();
                slots[at] = tag << 32 | (u64::from(id) + 1);
                self.used += 1;
                return id;
            }
            let id = slot as Id - 1;
            if slot >> 32 == tag && is_it(id) {
                return id;
            }
            at = (at + 1) & mask;
        }
    }

    /// Measures of load and lookup cost, estimated from at most `most` of its slots.
    pub fn measure(&self, most: usize) -> IndexMeasure {
        let (slots, mask) = (&self.slots[..], self.slots.len() - 1);
        let taken = slots.iter().enumerate().take(most).filter(|&(_, &slot)| slot != EMPTY);
        let probes = taken.map(|(at, slot)| (at.wrapping_sub(place(slot >> 32, slots.len())) & mask) + 1);
        IndexMeasure::new(self.used, slots.len(), self.bytes(), probes)
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.slots.len() * 8
    }

    fn grow(&mut self) {
        let mut slots = Words::new(&self.space, self.slots.len() * 2, Use::AtRandom);
        let (new, mask) = (&mut slots[..], self.slots.len() * 2 - 1);
        for &slot in self.slots.iter().filter(|&&slot| slot != EMPTY) {
            let mut at = place(slot >> 32, new.len());
            while new[at] != EMPTY {
                at = (at + 1) & mask;
            }
            new[at] = slot;
        }
        self.slots = slots;
    }
}

/// The first slot to probe, of `slots` slots: the tag's upper bits, so that growing keeps neighbours
/// together.
#[inline]
const fn place(tag: u64, slots: usize) -> usize {
    ((tag * slots as u64) >> 32) as usize
}

/// A hash of words whose upper 32 bits are well mixed: multiply and fold, as in wyhash (Wang Yi, 2019).
#[inline]
pub fn hash(words: &[u64]) -> u64 {
    const K: [u64; 2] = [0x9E37_79B9_7F4A_7C15, 0xD1B5_4A32_D192_ED03];
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        (product >> 64) as u64 ^ product as u64
    };
    words.iter().fold(K[0] ^ words.len() as u64, |state, &word| fold(state ^ word ^ K[0], K[1]))
}

#[cfg(test)]
mod tests {
    use super::super::measure::LOOKED_AT;
    use super::*;

    #[test]
    fn finds_what_was_inserted_across_growth() {
        let mut index = Index::new(&Space::default());
        let content = |id: Id| u64::from(id) * 7919;
        for id in 0..5000 {
            assert_eq!(index.find_or_insert(hash(&[content(id)]), |other| content(other) == content(id), || id), id);
        }
        for id in 0..5000 {
            let found = index.find_or_insert(hash(&[content(id)]), |other| content(other) == content(id), || 9999);
            assert_eq!(found, id);
        }
    }

    #[test]
    fn entries_of_one_place_stand_behind_each_other() {
        let mut index = Index::new(&Space::default());
        (0..3).for_each(|id| assert_eq!(index.find_or_insert(1 << 40, |_| false, || id), id));
        let IndexMeasure { entries, slots, mean_probes, longest_probe, .. } = index.measure(LOOKED_AT);
        assert_eq!((entries, slots, mean_probes, longest_probe), (3, 1 << 6, 2.0, 3));
    }

    #[test]
    fn probes_are_as_many_as_for_random_hashes() {
        let mut index = Index::new(&Space::default());
        let mut random = 1_u64;
        for id in 0..5000 {
            // Marsaglia, "Xorshift RNGs", Journal of Statistical Software 8(14), 2003.
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            assert_eq!(index.find_or_insert(random, |_| false, || id), id);
        }
        let measure = index.measure(LOOKED_AT);
        assert_eq!((measure.entries, measure.slots), (5000, 8192));
        // (1 + 1 / (1 - load)) / 2 on average (Knuth, The Art of Computer Programming 3, section 6.4).
        let expected = (1.0 + 1.0 / (1.0 - 5000.0 / 8192.0)) / 2.0;
        assert!((measure.mean_probes - expected).abs() < 0.2, "{measure:?}, expected {expected}");
    }

    #[test]
    fn equal_tags_do_not_confuse_entries() {
        let mut index = Index::new(&Space::default());
        assert_eq!(index.find_or_insert(1 << 40, |_| false, || 0), 0);
        assert_eq!(index.find_or_insert(1 << 40, |id| id == 1, || 1), 1);
        assert_eq!(index.find_or_insert(1 << 40, |id| id == 1, || 2), 1);
    }
}
