//! Names of inputs that are not chosen yet, as they lie in registers and memory.
//!
//! A symbol takes the place of a value of 8, 16, 32 or 64 bits. Each of its bytes says by itself which byte
//! of which symbol it is, so memory, store buffers and copies need to know nothing of symbols. A byte of a
//! symbol has a bit that is both set and marked as uninitialised, which no other byte in memory has:
//!
//! ```text
//! bits:   1 nnnnnnn        the low 7 bits of the number
//! undef:  1 nnnn iii       the high 4 bits of the number; the byte's place in the value
//! ```
//!
//! A poison word ([`Value::poison`]) has such a bit, too, but all its bits are marked, which those of no byte
//! of a symbol are.

use super::value::{Value, mask};

/// The number of a symbol in its state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Symbol(pub u16);

impl Symbol {
    /// Symbols that a state can have: numbers have 11 bits, of which the high four are not all set.
    pub const MOST: usize = 15 << 7;

    /// A word whose lowest `width / 8` bytes are those of the symbol, the others defined zeros.
    ///
    /// # Panics
    /// If the number is too large.
    #[must_use]
    pub fn word(self, width: u32) -> Value {
        assert!(usize::from(self.0) < Self::MOST, "the number of a symbol is below the limit");
        let (low, high) = (u64::from(self.0 & 0x7F), u64::from(self.0 >> 7));
        let each = 0x0101_0101_0101_0101;
        let places = 0x0706_0504_0302_0100;
        let bits = (0x80 | low) * each;
        let undef = ((0x80 | high << 3) * each) | places;
        Value { bits: bits & mask(width), undef: undef & mask(width) }
    }

    /// The symbol and the place in it that a byte is of, if it is of one.
    #[must_use]
    pub const fn of_byte(bits: u8, undef: u8) -> Option<(Self, u8)> {
        if bits & undef & 0x80 == 0 {
            return None;
        }
        let number = (bits & 0x7F) as u16 | (undef as u16 & 0x78) << 4;
        Some((Self(number), undef & 7))
    }

    /// The symbols of which a word has bytes, by the place of the byte in the word.
    pub fn of_word(word: Value) -> impl Iterator<Item = (usize, Self, u8)> {
        let bytes = if word.is_poison() { 0..0 } else { 0..8 };
        bytes.filter_map(move |at| {
            let (symbol, place) = Self::of_byte((word.bits >> (8 * at)) as u8, (word.undef >> (8 * at)) as u8)?;
            Some((at, symbol, place))
        })
    }

    /// The symbol whose lowest `width / 8` bytes a word has, and nothing else.
    #[must_use]
    pub fn of_whole(word: Value, width: u32) -> Option<Self> {
        let (symbol, _) = Self::of_byte(word.bits as u8, word.undef as u8)?;
        (symbol.word(width) == word).then_some(symbol)
    }
}

impl Value {
    /// True if a byte of the word is one of a symbol.
    #[inline]
    #[must_use]
    pub const fn is_symbolic(self) -> bool {
        self.bits & self.undef != 0 && !self.is_poison()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::value::Poison;

    #[test]
    fn every_byte_of_every_symbol_is_told_apart() {
        for number in 0..Symbol::MOST as u16 {
            for width in [8, 16, 32, 64] {
                let word = Symbol(number).word(width);
                let bytes = (0..width as usize / 8).map(|at| (at, Symbol(number), at as u8));
                assert!(Symbol::of_word(word).eq(bytes));
                assert_eq!(Symbol::of_whole(word, width), Some(Symbol(number)));
                assert!(word.is_symbolic() && !word.is_poison() && !word.is_defined());
                let last = Value::undefined(64).with_byte(3, word.after_bytes(width as usize / 8 - 1));
                assert!(last.is_symbolic() && !last.is_poison());
            }
        }
    }

    #[test]
    fn other_words_have_no_symbol() {
        let others = [Value::new(u64::MAX), Value::undefined(64), Value::partial(5, 0xF0, 64)];
        for word in others.into_iter().chain([Value::poison(Poison::Shift), Value::poison(Poison::FarPointer)]) {
            assert_eq!(Symbol::of_word(word).next(), None);
            assert!(!word.is_symbolic());
        }
    }

    #[test]
    fn a_part_of_a_symbol_is_not_the_whole() {
        let word = Symbol(3).word(32);
        let upper = Value { bits: word.bits >> 8, undef: word.undef >> 8 };
        assert_eq!((Symbol::of_whole(upper, 16), Symbol::of_whole(word, 64)), (None, None));
        assert!(Symbol::of_word(upper).eq([(0, Symbol(3), 1), (1, Symbol(3), 2), (2, Symbol(3), 3)]));
    }
}
