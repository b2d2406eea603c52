//! Sets of positions of an execution, as bits.
//!
//! The first 256 positions are in the set itself, and few executions have more events. So most questions
//! about many events are a few operations on words, without a loop, a length or an allocation. Higher
//! positions are in trees that sets share ([`far`]). A set without them only pays for the check that there
//! are none.

mod far;

use far::Far;

/// The number of words in the set itself.
const INLINE: usize = 4;

/// A set of positions: bit `at % 64` of word `at / 64`.
#[derive(Debug, Default)]
pub struct Bits {
    words: [u64; INLINE],
    /// The words after those.
    more: Far,
}

impl Clone for Bits {
    #[inline]
    fn clone(&self) -> Self {
        let more = if self.more.is_empty() { Far::new() } else { self.more.clone() };
        Self { words: self.words, more }
    }
}

impl Bits {
    /// The empty set.
    #[inline]
    pub const fn new() -> Self {
        Self { words: [0; INLINE], more: Far::new() }
    }

    /// The positions below one.
    pub fn below(at: usize) -> Self {
        let mut set = Self::new();
        (0..INLINE.min(at / 64)).for_each(|number| set.words[number] = u64::MAX);
        set.more = Far::ones_below((at / 64).saturating_sub(INLINE));
        set.set_word(at / 64, (1 << (at % 64)) - 1);
        set
    }

    /// The word with a number.
    #[inline]
    fn word(&self, number: usize) -> u64 {
        if number < INLINE { self.words[number] } else { self.more.word(number - INLINE) }
    }

    #[inline]
    fn set_word(&mut self, number: usize, word: u64) {
        if number < INLINE {
            self.words[number] = word;
        } else {
            self.set_more(number - INLINE, word);
        }
    }

    #[cold]
    fn set_more(&mut self, number: usize, word: u64) {
        self.more.set_word(number, word);
    }

    /// Adds a position.
    #[inline]
    pub fn insert(&mut self, at: usize) {
        self.set_word(at / 64, self.word(at / 64) | 1 << (at % 64));
    }

    /// Adds a position if `is_so`.
    #[inline]
    pub fn insert_if(&mut self, at: usize, is_so: bool) {
        self.set_word(at / 64, self.word(at / 64) | u64::from(is_so) << (at % 64));
    }

    /// Removes a position.
    #[inline]
    pub fn remove(&mut self, at: usize) {
        self.set_word(at / 64, self.word(at / 64) & !(1 << (at % 64)));
    }

    /// Adds a position, or removes it if it is there.
    #[inline]
    pub fn toggle(&mut self, at: usize) {
        self.set_word(at / 64, self.word(at / 64) ^ 1 << (at % 64));
    }

    /// True if a position is in the set.
    #[inline]
    pub fn contains(&self, at: usize) -> bool {
        self.word(at / 64) >> (at % 64) & 1 == 1
    }

    /// True if the set is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words == [0; INLINE] && self.more.is_empty()
    }

    /// Adds all positions of another set.
    #[inline]
    pub fn unite(&mut self, other: &Self) {
        (0..INLINE).for_each(|at| self.words[at] |= other.words[at]);
        if !other.more.is_empty() {
            self.more.unite(&other.more);
        }
    }

    /// Removes all positions of another set.
    #[inline]
    pub fn subtract(&mut self, other: &Self) {
        (0..INLINE).for_each(|at| self.words[at] &= !other.words[at]);
        if !self.more.is_empty() && !other.more.is_empty() {
            self.more.subtract(&other.more);
        }
    }

    /// Keeps the positions that are in another set.
    #[inline]
    pub fn keep(&mut self, other: &Self) {
        (0..INLINE).for_each(|at| self.words[at] &= other.words[at]);
        if !self.more.is_empty() {
            self.more.keep(&other.more);
        }
    }

    /// True if two sets have a position in common.
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        let common = (0..INLINE).fold(0, |common, at| common | self.words[at] & other.words[at]);
        common != 0 || self.more.first_common(&other.more).is_some()
    }

    /// The lowest position that is in both sets.
    #[inline]
    pub fn lowest_common(&self, other: &Self) -> Option<usize> {
        for at in 0..INLINE {
            let common = self.words[at] & other.words[at];
            if common != 0 {
                return Some(lowest_of(common, at));
            }
        }
        self.more.first_common(&other.more).map(|(number, common)| lowest_of(common, INLINE + number))
    }

    /// The lowest position above one.
    #[inline]
    pub fn lowest_above(&self, at: usize) -> Option<usize> {
        let start = (at + 1) / 64;
        let word = self.word(start) & u64::MAX << ((at + 1) % 64);
        let found = if word != 0 { Some((start, word)) } else { self.first_word_from(start + 1) };
        found.map(|(number, word)| lowest_of(word, number))
    }

    /// The first word with at least this number that is not zero, with its number.
    #[inline]
    fn first_word_from(&self, number: usize) -> Option<(usize, u64)> {
        if let Some(at) = (number..INLINE).find(|&at| self.words[at] != 0) {
            return Some((at, self.words[at]));
        }
        if self.more.is_empty() {
            return None;
        }
        self.more.first_from(number.saturating_sub(INLINE)).map(|(at, word)| (INLINE + at, word))
    }

    /// The highest position.
    #[inline]
    pub fn highest(&self) -> Option<usize> {
        if let Some((number, word)) = self.more.last() {
            return Some(highest_of(word, INLINE + number));
        }
        let at = (0..INLINE).rev().find(|&at| self.words[at] != 0)?;
        Some(highest_of(self.words[at], at))
    }

    /// Removes the highest position and returns it.
    #[inline]
    pub fn take_highest(&mut self) -> Option<usize> {
        let at = self.highest()?;
        self.remove(at);
        Some(at)
    }

    /// Removes a position and all higher ones.
    #[inline]
    pub fn cut(&mut self, at: usize) {
        self.keep(&Self::below(at));
    }

    /// Removes a position and all lower ones.
    #[inline]
    pub fn cut_to(&mut self, at: usize) {
        self.subtract(&Self::below(at + 1));
    }

    /// The number of positions.
    #[inline]
    pub fn count(&self) -> usize {
        self.nonzero_words().map(|(_, word)| word.count_ones() as usize).sum()
    }

    /// The words that are not zero, ascending, with their numbers.
    #[inline]
    fn nonzero_words(&self) -> impl Iterator<Item = (usize, u64)> {
        let mut next = 0;
        std::iter::from_fn(move || {
            let (number, word) = self.first_word_from(next)?;
            next = number + 1;
            Some((number, word))
        })
    }

    /// The positions, ascending.
    #[inline]
    pub fn positions(&self) -> impl Iterator<Item = usize> {
        let (mut number, mut rest) = (0, self.words[0]);
        std::iter::from_fn(move || {
            if rest == 0 {
                (number, rest) = self.first_word_from(number + 1)?;
            }
            let at = lowest_of(rest, number);
            rest &= rest - 1;
            Some(at)
        })
    }

    /// The positions, descending.
    #[inline]
    pub fn positions_down(&self) -> impl Iterator<Item = usize> {
        let mut rest = self.clone();
        std::iter::from_fn(move || rest.take_highest())
    }
}

/// The bytes of memory that this thread's sets take outside themselves.
pub fn bytes_of_nodes() -> usize {
    far::bytes()
}

/// The lowest position of a word that is not zero.
#[inline]
const fn lowest_of(word: u64, number: usize) -> usize {
    number * 64 + word.trailing_zeros() as usize
}

/// The highest position of a word that is not zero.
#[inline]
const fn highest_of(word: u64, number: usize) -> usize {
    number * 64 + 63 - word.leading_zeros() as usize
}

/// The positions of a word, ascending.
#[inline]
pub fn of_word(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = (word != 0).then(|| word.trailing_zeros() as usize);
        word &= word.wrapping_sub(1);
        lowest
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn set(positions: &[usize]) -> Bits {
        let mut set = Bits::new();
        positions.iter().for_each(|&at| set.insert(at));
        set
    }

    fn list(set: &Bits) -> Vec<usize> {
        set.positions().collect()
    }

    /// Tests positions in the first word, in another one, and after all inline ones.
    #[test]
    fn sets_answer_like_sets() {
        for far in [0, 128, 1000] {
            let (mut one, mut other) = (set(&[3, 70, far + 130]), set(&[70, far + 130, far + 190]));
            assert_eq!((one.highest(), one.lowest_common(&other)), (Some(far + 130), Some(70)));
            assert!(one.meets(&other) && one.contains(3) && !one.contains(4) && !one.is_empty());
            one.remove(far + 130);
            other.subtract(&one);
            assert_eq!((list(&one), list(&other)), (vec![3, 70], vec![far + 130, far + 190]));
            assert_eq!((one.lowest_common(&other), one.meets(&other)), (None, false));
            assert_eq!((one.lowest_above(2), one.lowest_above(3), one.lowest_above(70)), (Some(3), Some(70), None));
            assert_eq!((other.lowest_above(63), other.lowest_above(far + 190)), (Some(far + 130), None));
            assert_eq!((other.lowest_above(far + 189), other.lowest_above(5000)), (Some(far + 190), None));
            let mut low = other.clone();
            low.insert(5);
            low.cut(far + 190);
            assert_eq!((list(&low), low.count()), (vec![5, far + 130], 2));
            one.unite(&other);
            one.keep(&low);
            assert_eq!(list(&one), [far + 130]);
            low.cut_to(5);
            assert_eq!((low.take_highest(), low.is_empty(), low.highest()), (Some(far + 130), true, None));
            low.keep(&set(&[1]));
            low.toggle(far + 64);
            low.toggle(7);
            low.toggle(far + 64);
            assert_eq!(list(&low), [7]);
        }
    }

    /// All operations on sets of every size have the same results as those on sets of numbers.
    #[test]
    fn sets_of_any_size_answer_like_sets() {
        let mut random = 1u64;
        let mut below = |limit: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) as usize % limit
        };
        let sizes = [40, 256, 257, 800, 5000, 40_000, 300_000];
        for round in 0..400 {
            let mut sets = [(); 2].map(|()| (Bits::new(), BTreeSet::new()));
            for (bits, numbers) in &mut sets {
                let limit = sizes[below(sizes.len())];
                if round % 3 == 0 {
                    let at = below(limit);
                    *bits = Bits::below(at);
                    numbers.extend(0..at);
                }
                for _ in 0..below(60) {
                    let at = below(limit);
                    bits.toggle(at);
                    if !numbers.remove(&at) {
                        numbers.insert(at);
                    }
                }
            }
            let [(one, ones), (other, others)] = &sets;
            let common: BTreeSet<_> = ones.intersection(others).copied().collect();
            assert_eq!((one.meets(other), one.lowest_common(other)), (!common.is_empty(), common.first().copied()));
            let change = |how: fn(&mut Bits, &Bits)| {
                let mut changed = one.clone();
                how(&mut changed, other);
                changed
            };
            let size = sizes[below(sizes.len())];
            let at = below(size);
            let (mut low, mut high) = (one.clone(), one.clone());
            low.cut(at);
            high.cut_to(at);
            for (bits, numbers) in [
                (change(Bits::unite), ones | others),
                (change(Bits::subtract), ones - others),
                (change(Bits::keep), common),
                (low, ones.iter().copied().filter(|&position| position < at).collect()),
                (high, ones.iter().copied().filter(|&position| position > at).collect()),
            ] {
                assert!(bits.positions().eq(numbers.iter().copied()) && bits.is_empty() == numbers.is_empty());
                assert!(bits.positions_down().take(100).eq(numbers.iter().rev().copied().take(100)));
                assert_eq!((bits.count(), bits.highest()), (numbers.len(), numbers.last().copied()));
                assert_eq!(bits.lowest_above(at), numbers.range(at + 1..).next().copied());
                assert_eq!(bits.contains(at), numbers.contains(&at));
            }
        }
    }

    /// A hundred thousand sets, each with one position more than another one, take a few hundred bytes each.
    #[test]
    fn sets_that_grow_share_what_they_have() {
        let mut sets = [Bits::new(), Bits::new()];
        let mut all = Vec::new();
        for at in 0..100_000 {
            sets[at % 2].insert(at);
            if at % 1000 == 999 {
                let [one, other] = &mut sets;
                one.unite(other);
                other.unite(one);
            }
            all.push(sets[at % 2].clone());
        }
        assert!(bytes_of_nodes() < 700 * all.len(), "{}", bytes_of_nodes() / all.len());
        drop((sets, all));
        assert_eq!(bytes_of_nodes(), 0);
    }

    #[test]
    fn positions_below_one() {
        assert_eq!((list(&Bits::below(0)), list(&Bits::below(66))), (vec![], (0..66).collect()));
        assert_eq!(of_word(1 << 63 | 0b1010_0001).collect::<Vec<_>>(), [0, 5, 7, 63]);
    }
}
