//! Sets of positions of an execution, as bits.
//!
//! All sets of one execution have the same number of words, so that most questions about many events are a few operations on words. One word is enough for
//! 64 events, and few executions need more than four.

use smallvec::{SmallVec, smallvec};

/// A set of positions: bit `at % 64` of word `at / 64`.
pub type Bits = SmallVec<[u64; 4]>;

/// The empty set, in as many words.
pub fn none(words: usize) -> Bits {
    const WORDS: usize = 4;
    if words <= WORDS { Bits::from_buf_and_len([0; WORDS], words) } else { smallvec![0; words] }
}

/// The positions below one, in as many words.
pub fn below(at: usize, words: usize) -> Bits {
    let mut set = none(words);
    set[..at / 64].fill(u64::MAX);
    if let Some(word) = set.get_mut(at / 64) {
        *word = (1 << (at % 64)) - 1;
    }
    set
}

/// Adds a position.
#[inline]
pub fn insert(set: &mut [u64], at: usize) {
    set[at / 64] |= 1 << (at % 64);
}

/// Takes a position out.
#[inline]
pub fn remove(set: &mut [u64], at: usize) {
    set[at / 64] &= !(1 << (at % 64));
}

/// Adds a position, or takes it out if it is there.
#[inline]
pub fn toggle(set: &mut [u64], at: usize) {
    set[at / 64] ^= 1 << (at % 64);
}

/// Whether a position is in the set.
#[inline]
pub fn contains(set: &[u64], at: usize) -> bool {
    set[at / 64] >> (at % 64) & 1 == 1
}

/// Changes every word by that of another set. Most sets are of one word, which is done without a loop.
#[inline]
fn change(set: &mut [u64], other: &[u64], change: impl Fn(&mut u64, u64)) {
    if let ([word], [other]) = (&mut *set, other) {
        change(word, *other);
    } else {
        set.iter_mut().zip(other).for_each(|(word, &other)| change(word, other));
    }
}

/// Adds all of another set.
#[inline]
pub fn unite(set: &mut [u64], other: &[u64]) {
    change(set, other, |word, more| *word |= more);
}

/// Keeps what is in another set.
#[inline]
pub fn keep(set: &mut [u64], other: &[u64]) {
    change(set, other, |word, kept| *word &= kept);
}

/// Takes out all of another set.
#[inline]
pub fn subtract(set: &mut [u64], other: &[u64]) {
    change(set, other, |word, gone| *word &= !gone);
}

/// Whether two sets have a position in common.
#[inline]
pub fn meet(one: &[u64], other: &[u64]) -> bool {
    if let ([one], [other]) = (one, other) {
        return one & other != 0;
    }
    one.iter().zip(other).any(|(a, b)| a & b != 0)
}

/// The lowest position that is in both sets.
#[inline]
pub fn lowest_common(one: &[u64], other: &[u64]) -> Option<usize> {
    if let ([one], [other]) = (one, other) {
        let both = one & other;
        return (both != 0).then(|| both.trailing_zeros() as usize);
    }
    let words = one.iter().zip(other).map(|(a, b)| a & b).enumerate();
    words.filter(|&(_, word)| word != 0).map(|(at, word)| at * 64 + word.trailing_zeros() as usize).next()
}

/// The highest position.
#[inline]
pub fn highest(set: &[u64]) -> Option<usize> {
    if let [word] = set {
        return (*word != 0).then(|| 63 - word.leading_zeros() as usize);
    }
    let at = set.iter().rposition(|&word| word != 0)?;
    Some(at * 64 + 63 - set[at].leading_zeros() as usize)
}

/// Takes out a position and all higher ones.
#[inline]
pub fn cut(set: &mut [u64], at: usize) {
    set[at / 64] &= (1 << (at % 64)) - 1;
    set[at / 64 + 1..].fill(0);
}

/// Takes out a position and all lower ones.
#[inline]
pub fn cut_to(set: &mut [u64], at: usize) {
    set[..at / 64].fill(0);
    set[at / 64] &= !1 << (at % 64);
}

/// How many positions there are.
pub fn count(set: &[u64]) -> usize {
    set.iter().map(|word| word.count_ones() as usize).sum()
}

/// The positions, ascending.
pub fn positions(set: &[u64]) -> impl Iterator<Item = usize> {
    let words = set.iter().enumerate();
    words.flat_map(|(at, &word)| of_word(word).map(move |bit| at * 64 + bit))
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

/// Sets by number, in one piece of memory.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// Words of each set.
    width: usize,
    words: Vec<u64>,
}

impl Rows {
    /// A number of empty sets of as many words.
    pub fn new(rows: usize, width: usize) -> Self {
        Self { width, words: vec![0; rows * width] }
    }

    /// Number of sets.
    pub fn len(&self) -> usize {
        self.words.len() / self.width
    }

    /// The set of a number, if there is one.
    #[inline]
    pub fn get(&self, number: usize) -> Option<&[u64]> {
        self.words.get(number * self.width..(number + 1) * self.width)
    }

    /// The set of a number.
    #[inline]
    pub fn row(&self, number: usize) -> &[u64] {
        &self.words[number * self.width..][..self.width]
    }

    /// The set of a number, to be changed.
    #[inline]
    pub fn row_mut(&mut self, number: usize) -> &mut [u64] {
        &mut self.words[number * self.width..][..self.width]
    }

    /// The sets from a number on.
    #[inline]
    pub fn rows_from(&self, number: usize) -> impl Iterator<Item = &[u64]> {
        self.words[number * self.width..].chunks_exact(self.width)
    }

    /// Whether a position is in the set of a number.
    #[inline]
    pub fn contains(&self, number: usize, at: usize) -> bool {
        self.words[number * self.width + at / 64] >> (at % 64) & 1 == 1
    }

    /// Adds the sets of several numbers, the bits of `numbers`, to another set.
    #[inline]
    pub fn collect(&self, numbers: u64, set: &mut [u64]) {
        let mut rest = numbers;
        while rest != 0 {
            let number = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            match set {
                [word] => *word |= self.words[number],
                _ => unite(set, self.row(number)),
            }
        }
    }

    /// Adds a position to the sets of several numbers, or takes it out of all of them if it is there.
    #[inline]
    pub fn toggle(&mut self, numbers: u64, at: usize) {
        let (word, bit) = (at / 64, 1 << (at % 64));
        let mut rest = numbers;
        while rest != 0 {
            self.words[rest.trailing_zeros() as usize * self.width + word] ^= bit;
            rest &= rest - 1;
        }
    }

    /// Appends a set.
    #[inline]
    pub fn push(&mut self, set: &[u64]) {
        self.words.extend_from_slice(set);
    }

    /// Removes the last set.
    pub fn pop(&mut self) {
        self.words.truncate(self.words.len() - self.width);
    }

    /// Sees to it that there are so many sets, the new ones empty.
    #[inline]
    pub fn grow(&mut self, rows: usize) {
        if self.words.len() < rows * self.width {
            self.words.resize(rows * self.width, 0);
        }
    }

    /// Gives each set more words.
    pub fn widen(&mut self, width: usize) {
        let mut wide = Self::new(self.len(), width);
        (0..self.len()).for_each(|row| wide.row_mut(row)[..self.width].copy_from_slice(self.row(row)));
        *self = wide;
    }

    /// Bytes of memory in use.
    pub fn bytes(&self) -> usize {
        self.words.capacity() * 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_answer_like_sets() {
        let (mut one, mut other) = (none(3), none(3));
        [3, 70, 130].iter().for_each(|&at| insert(&mut one, at));
        [70, 130, 190].iter().for_each(|&at| insert(&mut other, at));
        assert_eq!(highest(&one), Some(130));
        assert_eq!(lowest_common(&one, &other), Some(70));
        assert!(meet(&one, &other) && contains(&one, 3) && !contains(&one, 4));
        remove(&mut one, 130);
        subtract(&mut other, &one);
        assert_eq!((highest(&one), highest(&other), lowest_common(&one, &other)), (Some(70), Some(190), None));
        let mut low = other.clone();
        insert(&mut low, 5);
        cut(&mut low, 190);
        assert_eq!(highest(&low), Some(130));
        unite(&mut one, &other);
        keep(&mut one, &other);
        assert_eq!(one, other);
        assert_eq!((highest(&none(2)), highest(&none(1)), highest(&[5])), (None, None, Some(2)));
        assert_eq!((lowest_common(&[6], &[12]), lowest_common(&[6], &[8]), meet(&[6], &[8])), (Some(2), None, false));
        let mut high = low.clone();
        cut_to(&mut high, 70);
        assert_eq!(positions(&high).collect::<Vec<_>>(), [130]);
        assert_eq!((count(&[5, 4]), positions(&[5, 4]).collect::<Vec<_>>()), (3, vec![0, 2, 66]));
        assert_eq!(of_word(0b1010_0001).collect::<Vec<_>>(), [0, 5, 7]);
        assert_eq!(
            (below(66, 2), below(64, 1), below(0, 1)),
            (Bits::from_slice(&[u64::MAX, 3]), Bits::from_slice(&[u64::MAX]), none(1))
        );
        assert_eq!(of_word(1 << 63).collect::<Vec<_>>(), [63]);
    }

    #[test]
    fn rows_keep_what_they_hold_when_they_get_wider() {
        let mut rows = Rows::new(1, 1);
        insert(rows.row_mut(0), 5);
        rows.grow(2);
        insert(rows.row_mut(1), 63);
        rows.widen(2);
        rows.push(&[1, 1 << 6]);
        assert!(rows.contains(0, 5) && rows.contains(1, 63) && rows.contains(2, 70) && !rows.contains(2, 71));
        rows.pop();
        assert_eq!(rows.len(), 2);
        rows.toggle(0b11, 70);
        rows.toggle(0b10, 5);
        let mut all = none(2);
        rows.collect(0b10, &mut all);
        assert_eq!(positions(&all).collect::<Vec<_>>(), [5, 63, 70]);
    }
}
