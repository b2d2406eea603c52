//! Symbols on their way between registers and memory.

use rmc_runtime::Bytes;

use super::arithmetic::Arithmetic;
use crate::ir::instr::{IntCmp, Promises, RmwOp, combining};
use crate::ir::symbol::Symbol;
use crate::ir::value::{Value, mask};
use crate::outcome::Unknown;
use crate::system::machine::Machine;
use crate::system::step::StepEnd;
use crate::system::step::access::{bytes, words};
use crate::system::symbols::combination::Operand;
use crate::system::symbols::operation::{Operation, OperationKind};
use crate::system::symbols::ranges::Ranges;

/// Values of a symbol that are tried one by one although only some of its bytes are needed.
const MOST_WHOLE: u128 = 1 << 8;

impl Machine<'_> {
    /// The words that a load of `len` bytes gives to registers: those of memory, with the values of symbols
    /// that have only one.
    #[inline]
    pub(in crate::system) fn loaded_bytes(&self, value: Bytes, len: u8) -> Bytes {
        if self.is_symbolic(value) && !self.names_answers() { self.settled_bytes(value, len) } else { value }
    }

    #[cold]
    fn settled_bytes(&self, value: Bytes, len: u8) -> Bytes {
        let settled = |word| {
            Symbol::of_word(word).fold(word, |settled, (_, symbol, _)| {
                let value = self.memory.table.symbols.value(symbol);
                value.map_or(settled, |value| substituted(settled, symbol, value))
            })
        };
        bytes(words(value).map(settled), len)
    }

    /// The words of a range of `len` bytes, each a known value, or one symbol for the whole word. A part of a
    /// symbol is a symbol of its own.
    ///
    /// # Errors
    /// A word that consists of several symbols has too many values.
    #[inline]
    pub(in crate::system) fn loaded_symbols(&mut self, value: Bytes, len: u8) -> Result<Bytes, StepEnd> {
        if self.is_symbolic(value) { self.words_of_symbols(value, len) } else { Ok(value) }
    }

    #[cold]
    fn words_of_symbols(&mut self, value: Bytes, len: u8) -> Result<Bytes, StepEnd> {
        let [low, high] = words(value);
        let width = u32::from(len) * 8;
        let low = self.loaded_word(low, width.min(64))?;
        let high = if width > 64 { self.loaded_word(high, width - 64)? } else { high };
        Ok(bytes([low, high], len))
    }

    /// The value that a compare-exchange finds, the one that it expects, and whether they are equal. `None`:
    /// neither has a symbol.
    #[inline]
    pub(in crate::system) fn compared_symbols(
        &mut self,
        found: Bytes,
        expected: Bytes,
        len: u8,
    ) -> Result<Option<(Bytes, bool)>, StepEnd> {
        if self.is_symbolic(found) || self.is_symbolic(expected) {
            self.compare_symbols(found, expected, len)
        } else {
            Ok(None)
        }
    }

    #[cold]
    fn compare_symbols(&mut self, found: Bytes, expected: Bytes, len: u8) -> Result<Option<(Bytes, bool)>, StepEnd> {
        let (found, expected) = (self.loaded_symbols(found, len)?, self.loaded_symbols(expected, len)?);
        let [a, b] = [found, expected].map(|value| self.term(words(value)[0], u32::from(len) * 8));
        let is_equal = if len <= 8 { self.compare(IntCmp::Eq, u32::from(len) * 8, a, b)? } else { None };
        if let Some(is_equal) = is_equal {
            return Ok(Some((found, is_equal)));
        }
        let (found, expected) = (self.known_bytes(found, len)?, self.known_bytes(expected, len)?);
        Ok((found.undef | expected.undef == 0).then_some((found, found == expected)))
    }

    /// The value that a read-modify-write stores, if an operand is a symbol and the result is one.
    pub(in crate::system) fn updated_symbol(
        &mut self,
        op: RmwOp,
        len: u8,
        old: Bytes,
        operand: Value,
    ) -> Result<Option<Value>, StepEnd> {
        let Some(op) = combining(op) else { return Ok(None) };
        let width = u32::from(len) * 8;
        let [a, b] = [words(old)[0], operand].map(|word| self.term(word, width));
        self.integer(Arithmetic { op, width, promises: Promises::NONE }, a, b)
    }

    /// True if two values of `len` bytes are equal. `None` if that depends on the values of inputs.
    #[inline]
    pub(in crate::system) fn may_equal(&self, a: Bytes, b: Bytes, len: u8) -> Option<bool> {
        if a == b || !self.is_symbolic(a) && !self.is_symbolic(b) {
            return Some(a == b);
        }
        self.compared_values(a, b, len)
    }

    /// The result of a comparison of two values that is the same for all values of inputs, if it is known.
    #[cold]
    fn compared_values(&self, a: Bytes, b: Bytes, len: u8) -> Option<bool> {
        if self.names_answers() {
            return None;
        }
        let width = u32::from(len) * 8;
        let symbols = &self.memory.table.symbols;
        let values = |value: Bytes| match Symbol::of_whole(words(value)[0], width) {
            Some(symbol) if symbols.width(symbol) == width => Some(symbols.values(symbol)),
            _ if len <= 8 && value.undef == 0 => Some(Ranges::from_to(value.bits as u64, value.bits as u64)),
            _ => None,
        };
        let is_apart = values(a)?.and(&values(b)?).is_empty();
        is_apart.then_some(false)
    }

    /// True if a range has bytes of symbols.
    #[inline]
    pub(in crate::system) fn is_symbolic(&self, value: Bytes) -> bool {
        value.undef != 0 && self.defers_inputs() && value.bits & value.undef != 0
    }

    fn loaded_word(&mut self, word: Value, width: u32) -> Result<Value, StepEnd> {
        if !word.is_symbolic() {
            return Ok(word);
        }
        let whole = Symbol::of_whole(word, width);
        if let Some(symbol) = whole.filter(|&symbol| self.memory.table.symbols.width(symbol) == width) {
            return Ok(self.word_of(symbol));
        }
        match self.joined_symbol(word, width)? {
            Some(symbol) => Ok(self.word_of(symbol)),
            None => self.known_word(word),
        }
    }

    /// The symbol of a word that has bytes of symbols, and perhaps known ones.
    pub(super) fn joined_symbol(&mut self, word: Value, width: u32) -> Result<Option<Symbol>, StepEnd> {
        match self.part(word, width)? {
            None => self.joined(word, width),
            part => Ok(part),
        }
    }

    /// A symbol, or its value if it has only one, and that may be looked at.
    pub(super) fn word_of(&self, symbol: Symbol) -> Value {
        let symbols = &self.memory.table.symbols;
        let value = if self.names_answers() { None } else { symbols.value(symbol) };
        value.map_or_else(|| symbol.word(symbols.width(symbol)), Value::new)
    }

    /// The symbol of consecutive bytes of a symbol, if a word is that.
    fn part(&mut self, word: Value, width: u32) -> Result<Option<Symbol>, StepEnd> {
        let parts: Vec<_> = Symbol::of_word(word).take_while(|&(at, ..)| at < width as usize / 8).collect();
        let &(_, symbol, first) = parts.first().expect("the word has a byte of a symbol");
        let is_one = parts.iter().zip(0u8..).all(|(&part, at)| part == (usize::from(at), symbol, first + at));
        if !is_one || parts.len() as u32 * 8 != width || !matches!(width, 8 | 16 | 32) {
            return Ok(None);
        }
        let whole = self.memory.table.symbols.width(symbol);
        if width == whole {
            return Ok(Some(symbol));
        }
        let above = Operation { kind: OperationKind::Divide(1 << (8 * first)), from: whole, to: whole };
        let above = if first == 0 { symbol } else { self.result(symbol, above)? };
        self.result(above, Operation { kind: OperationKind::Truncate, from: whole, to: width }).map(Some)
    }

    /// The symbol of a word whose bytes are known or of several symbols.
    fn joined(&mut self, word: Value, width: u32) -> Result<Option<Symbol>, StepEnd> {
        let parts: Vec<_> = Symbol::of_word(word).collect();
        let is_symbolic = |at: u32| parts.iter().any(|&(place, ..)| place == at as usize);
        let is_uninitialised = |at: u32| (word.undef >> (8 * at) & mask(8)) != 0 && !is_symbolic(at);
        if !matches!(width, 16 | 32 | 64) || (0..width / 8).any(is_uninitialised) {
            return Ok(None);
        }
        let known = (0..width / 8).filter(|&at| !is_symbolic(at));
        let known = known.fold(0, |known, at| known | word.bits & mask(8) << (8 * at));
        let mut joined: Option<Operand> = (known != 0).then_some(Operand::Constant(known));
        for run in parts.chunk_by(|a, b| b.1 == a.1 && b.0 == a.0 + 1 && b.2 == a.2 + 1) {
            let mut rest = run;
            while let Some(&(at, ..)) = rest.first() {
                // Parts have the sizes of numbers.
                let bytes = [4, 2, 1].into_iter().find(|&bytes| bytes <= rest.len()).expect("one byte fits");
                let Some(symbol) = self.part(word.after_bytes(at), 8 * bytes as u32)? else { return Ok(None) };
                let wide = Operation { kind: OperationKind::ZeroExtend, from: 8 * bytes as u32, to: width };
                let mut part = self.result(symbol, wide)?;
                if at > 0 {
                    let shift = OperationKind::Multiply(1 << (8 * at));
                    part = self.result(part, Operation { kind: shift, from: width, to: width })?;
                }
                let part = Operand::Symbol(part);
                joined = Some(match joined {
                    Some(joined) => Operand::Symbol(self.either_bits(width, [joined, part])?),
                    None => part,
                });
                rest = &rest[bytes..];
            }
        }
        Ok(joined.map(|joined| match joined {
            Operand::Symbol(symbol) => symbol,
            Operand::Constant(_) => unreachable!("the word has a byte of a symbol"),
        }))
    }

    /// The symbol of a result.
    ///
    /// # Errors
    /// The state has too many symbols.
    pub(super) fn result(&mut self, of: Symbol, operation: Operation) -> Result<Symbol, StepEnd> {
        self.memory.table.symbols.result(of, operation).ok_or(StepEnd::Limit(Unknown::Nondet))
    }

    /// A word in which every symbol has a value.
    fn known_word(&mut self, mut word: Value) -> Result<Value, StepEnd> {
        while word.is_symbolic() {
            word = self.with_one_known(word)?;
        }
        Ok(word)
    }

    /// A word in which the first bytes of a symbol have values. Of a symbol with many values only as many
    /// bytes are looked at as the word has.
    pub(super) fn with_one_known(&mut self, word: Value) -> Result<Value, StepEnd> {
        let mut bytes = Symbol::of_word(word);
        let (at, symbol, first) = bytes.next().expect("the word has a byte of a symbol");
        let follow = (1..).zip(bytes).take_while(|&(more, byte)| byte == (at + more, symbol, first + more as u8));
        let count = 1 + follow.count();
        let symbols = &self.memory.table.symbols;
        if count * 8 == symbols.width(symbol) as usize || self.has_few_values(symbol, MOST_WHOLE) {
            let value = self.value_of(symbol)?;
            return Ok(substituted(word, symbol, value));
        }
        let len = [4, 2, 1].into_iter().find(|&len| len <= count).expect("one byte fits");
        let part = self.part(word.after_bytes(at), 8 * len as u32)?.expect("these are bytes of one symbol");
        let value = self.value_of(part)?;
        Ok((0..len).fold(word, |word, byte| word.with_byte(at + byte, Value::new(value >> (8 * byte)))))
    }

    /// The bytes of a range in which every symbol has a value: for those who look at them.
    ///
    /// # Errors
    /// A symbol has too many values.
    #[inline]
    pub(in crate::system) fn known_bytes(&mut self, value: Bytes, len: u8) -> Result<Bytes, StepEnd> {
        if self.is_symbolic(value) { self.choose_bytes(value, len) } else { Ok(value) }
    }

    #[cold]
    fn choose_bytes(&mut self, value: Bytes, len: u8) -> Result<Bytes, StepEnd> {
        let [low, high] = words(value);
        Ok(bytes([self.known_word(low)?, self.known_word(high)?], len))
    }
}

/// A word with the bytes of a symbol replaced by those of its value.
pub(super) fn substituted(word: Value, symbol: Symbol, value: u64) -> Value {
    let bytes = Symbol::of_word(word).filter(|&(_, other, _)| other == symbol);
    bytes.fold(word, |word, (at, _, place)| word.with_byte(at, Value::new(value >> (8 * place))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_takes_the_place_of_its_bytes_only() {
        let (one, other) = (Symbol(4).word(32), Symbol(9).word(16));
        let word = Value { bits: one.bits >> 8 | other.bits << 32, undef: one.undef >> 8 | other.undef << 32 };
        let known = substituted(word, Symbol(4), 0x1122_3344);
        assert_eq!(known.bits & mask(32), 0x11_2233);
        assert_eq!(known.undef & mask(32), 0);
        assert_eq!((known.bits >> 32, known.undef >> 32), (other.bits, other.undef));
    }
}
