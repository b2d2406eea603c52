//! Sets of positions of an execution, as bits.
//!
//! The first 256 positions are in the set itself, and few executions have more events: most questions about many events are a few operations on words, without a
//! loop, a length or an allocation. Higher positions are elsewhere; whether there are any is all that the others cost.

/// Words that are in the set itself.
const INLINE: usize = 4;

/// A set of positions: bit `at % 64` of word `at / 64`.
#[derive(Debug, Default)]
pub struct Bits {
    words: [u64; INLINE],
    /// The words after those, as many as are needed; there may be zeros at the end.
    more: Vec<u64>,
}

impl Clone for Bits {
    #[inline]
    fn clone(&self) -> Self {
        let more = if self.more.is_empty() { Vec::new() } else { self.more.clone() };
        Self { words: self.words, more }
    }
}

impl Bits {
    /// The empty set.
    #[inline]
    pub const fn new() -> Self {
        Self { words: [0; INLINE], more: Vec::new() }
    }

    /// The positions below one.
    pub fn below(at: usize) -> Self {
        let mut set = Self::new();
        (0..at / 64).for_each(|number| *set.word_mut(number) = u64::MAX);
        *set.word_mut(at / 64) = (1 << (at % 64)) - 1;
        set
    }

    /// The word of a number, to be changed.
    #[inline]
    fn word_mut(&mut self, number: usize) -> &mut u64 {
        if number < INLINE { &mut self.words[number] } else { self.more_mut(number - INLINE) }
    }

    #[cold]
    fn more_mut(&mut self, number: usize) -> &mut u64 {
        if self.more.len() <= number {
            self.more.resize(number + 1, 0);
        }
        &mut self.more[number]
    }

    /// The word of a number.
    #[inline]
    fn word(&self, number: usize) -> u64 {
        if number < INLINE { self.words[number] } else { self.more.get(number - INLINE).copied().unwrap_or(0) }
    }

    /// Adds a position.
    #[inline]
    pub fn insert(&mut self, at: usize) {
        *self.word_mut(at / 64) |= 1 << (at % 64);
    }

    /// Adds a position if that is so.
    #[inline]
    pub fn insert_if(&mut self, at: usize, is_so: bool) {
        *self.word_mut(at / 64) |= u64::from(is_so) << (at % 64);
    }

    /// Takes a position out.
    #[inline]
    pub fn remove(&mut self, at: usize) {
        *self.word_mut(at / 64) &= !(1 << (at % 64));
    }

    /// Adds a position, or takes it out if it is there.
    #[inline]
    pub fn toggle(&mut self, at: usize) {
        *self.word_mut(at / 64) ^= 1 << (at % 64);
    }

    /// Whether a position is in the set.
    #[inline]
    pub fn contains(&self, at: usize) -> bool {
        self.word(at / 64) >> (at % 64) & 1 == 1
    }

    /// Whether there is nothing in it.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.words == [0; INLINE] && self.more.iter().all(|&word| word == 0)
    }

    /// Adds all of another set.
    #[inline]
    pub fn unite(&mut self, other: &Self) {
        (0..INLINE).for_each(|at| self.words[at] |= other.words[at]);
        if !other.more.is_empty() {
            self.change_more(&other.more, |word, more| *word |= more);
        }
    }

    /// Takes out all of another set.
    #[inline]
    pub fn subtract(&mut self, other: &Self) {
        (0..INLINE).for_each(|at| self.words[at] &= !other.words[at]);
        if !other.more.is_empty() {
            self.change_more(&other.more, |word, gone| *word &= !gone);
        }
    }

    /// Keeps what is in another set.
    #[inline]
    pub fn keep(&mut self, other: &Self) {
        (0..INLINE).for_each(|at| self.words[at] &= other.words[at]);
        if !self.more.is_empty() {
            self.more.truncate(other.more.len());
            self.change_more(&other.more, |word, kept| *word &= kept);
        }
    }

    /// Changes every word behind the inline ones by that of another set, adding words where the other one has more.
    #[cold]
    fn change_more(&mut self, other: &[u64], change: impl Fn(&mut u64, u64)) {
        if self.more.len() < other.len() {
            self.more.resize(other.len(), 0);
        }
        self.more.iter_mut().zip(other).for_each(|(word, &other)| change(word, other));
    }

    /// Whether two sets have a position in common.
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        let common = (0..INLINE).fold(0, |common, at| common | self.words[at] & other.words[at]);
        common != 0 || self.more.iter().zip(&other.more).any(|(one, other)| one & other != 0)
    }

    /// The lowest position that is in both sets.
    #[inline]
    pub fn lowest_common(&self, other: &Self) -> Option<usize> {
        for at in 0..INLINE {
            let common = self.words[at] & other.words[at];
            if common != 0 {
                return Some(at * 64 + common.trailing_zeros() as usize);
            }
        }
        let mut common = self.more.iter().zip(&other.more).map(|(one, other)| one & other).zip(INLINE..);
        let (word, at) = common.find(|&(word, _)| word != 0)?;
        Some(at * 64 + word.trailing_zeros() as usize)
    }

    /// The lowest position above one.
    #[inline]
    pub fn lowest_above(&self, at: usize) -> Option<usize> {
        let start = (at + 1) / 64;
        let above = |number: usize| if number == start { u64::MAX << ((at + 1) % 64) } else { u64::MAX };
        let number = (start..INLINE + self.more.len()).find(|&number| self.word(number) & above(number) != 0)?;
        Some(number * 64 + (self.word(number) & above(number)).trailing_zeros() as usize)
    }

    /// The highest position.
    #[inline]
    pub fn highest(&self) -> Option<usize> {
        if !self.more.is_empty()
            && let Some(at) = self.more.iter().rposition(|&word| word != 0)
        {
            return Some(highest_of(self.more[at], INLINE + at));
        }
        let at = (0..INLINE).rev().find(|&at| self.words[at] != 0)?;
        Some(highest_of(self.words[at], at))
    }

    /// Takes out the highest position and answers it.
    #[inline]
    pub fn take_highest(&mut self) -> Option<usize> {
        let at = self.highest()?;
        self.remove(at);
        Some(at)
    }

    /// Takes out a position and all higher ones.
    #[inline]
    pub fn cut(&mut self, at: usize) {
        self.change_words(at, |word| word & ((1 << (at % 64)) - 1), |number, from| number > from);
    }

    /// Takes out a position and all lower ones.
    #[inline]
    pub fn cut_to(&mut self, at: usize) {
        self.change_words(at, |word| word & (!1 << (at % 64)), |number, from| number < from);
    }

    /// Changes the word of a position, and sets those with a number that `clears` to zero.
    #[inline]
    fn change_words(&mut self, at: usize, change: impl Fn(u64) -> u64, clears: impl Fn(usize, usize) -> bool) {
        for (number, word) in self.words.iter_mut().chain(&mut self.more).enumerate() {
            *word = match number {
                _ if clears(number, at / 64) => 0,
                _ if number == at / 64 => change(*word),
                _ => *word,
            };
        }
    }

    /// How many positions there are.
    #[inline]
    pub fn count(&self) -> usize {
        self.words.iter().chain(&self.more).map(|word| word.count_ones() as usize).sum()
    }

    /// The positions, ascending.
    #[inline]
    pub fn positions(&self) -> impl Iterator<Item = usize> {
        let (mut number, mut rest) = (0, self.words[0]);
        std::iter::from_fn(move || {
            while rest == 0 {
                number += 1;
                if number >= INLINE + self.more.len() {
                    return None;
                }
                rest = self.word(number);
            }
            let at = number * 64 + rest.trailing_zeros() as usize;
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

    /// Bytes of memory in use.
    pub const fn bytes(&self) -> usize {
        size_of::<Self>() + self.more.capacity() * 8
    }
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
    use super::*;

    fn set(positions: &[usize]) -> Bits {
        let mut set = Bits::new();
        positions.iter().for_each(|&at| set.insert(at));
        set
    }

    fn list(set: &Bits) -> Vec<usize> {
        set.positions().collect()
    }

    /// Positions in the first word, another one, and behind all inline ones.
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

    #[test]
    fn positions_below_one() {
        assert_eq!((list(&Bits::below(0)), list(&Bits::below(66))), (vec![], (0..66).collect()));
        assert_eq!(of_word(1 << 63 | 0b1010_0001).collect::<Vec<_>>(), [0, 5, 7, 63]);
    }
}
