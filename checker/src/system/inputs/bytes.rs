//! Words that consist of bytes of several symbols, of parts of one, or of uninitialised bytes beside those of
//! symbols.
//!
//! A load gives a register the bytes that memory has, so a copy through registers keeps every byte what it
//! is. Instructions that move whole bytes do so here: shifts by bytes, casts, masks. Only where an
//! instruction needs a number, the bytes are joined to one symbol (`passing.rs`).

use crate::ir::ids;
use crate::ir::instr::{Cast, Instr, IntOp};
use crate::ir::value::{Value, mask};
use crate::system::machine::Machine;

impl Machine<'_> {
    /// The result of an instruction that moves bytes of words which are no symbol as a whole. `None`: it does
    /// more than that, or its operands are no such words.
    pub(super) fn moved_bytes(&self, instr: &Instr) -> Option<(ids::Reg, Value)> {
        let word = |operand| self.running.stack.get(self.program, operand);
        match *instr {
            Instr::Cast { op, from, to, dst, a } if self.is_mixed(word(a), from) || has_no_symbols(to) => {
                Some((dst, cast(op, from.into(), to.into(), word(a))?))
            }
            Instr::Int { op, width, promises, dst, a, b }
                if promises.is_none() && (self.is_mixed(word(a), width) || self.is_mixed(word(b), width)) =>
            {
                Some((dst, binary(op, width.into(), word(a), word(b))?))
            }
            _ => None,
        }
    }

    /// True if a word of so many bits has bytes of symbols, and is not one symbol.
    fn is_mixed(&self, word: Value, width: u8) -> bool {
        word.is_symbolic() && matches!(self.term(word, width.into()), super::evaluate::Term::Other)
    }
}

/// True if no symbol has so many bits, but whole bytes of one have.
const fn has_no_symbols(width: u8) -> bool {
    matches!(width, 24 | 40 | 48 | 56)
}

fn cast(op: Cast, from: u32, to: u32, word: Value) -> Option<Value> {
    let is_whole = from.is_multiple_of(8) && to.is_multiple_of(8);
    match op {
        Cast::Truncate | Cast::ZeroExtend if is_whole => Some(cut(word, to.min(from))),
        _ => None,
    }
}

fn binary(op: IntOp, width: u32, a: Value, b: Value) -> Option<Value> {
    if !width.is_multiple_of(8) || a.is_poison() || b.is_poison() {
        return None;
    }
    let distance = b.is_defined().then_some(b.bits).filter(|&bits| bits < width.into() && bits.is_multiple_of(8));
    let is_positive = (a.bits | a.undef) >> (width - 1) & 1 == 0;
    match op {
        IntOp::LShr => Some(a.after_bytes(distance? as usize / 8)),
        IntOp::AShr if is_positive => Some(a.after_bytes(distance? as usize / 8)),
        IntOp::Shl => {
            let distance = distance?;
            Some(cut(Value { bits: a.bits << distance, undef: a.undef << distance }, width))
        }
        IntOp::And | IntOp::Or | IntOp::Xor => merged(op, width, a, b),
        _ => None,
    }
}

/// The result of a bit operation each of whose bytes is that of one operand, or zero.
fn merged(op: IntOp, width: u32, a: Value, b: Value) -> Option<Value> {
    let mut result = Value::ZERO;
    for at in 0..width as usize / 8 {
        let [x, y] = [a, b].map(|word| cut(word.after_bytes(at), 8));
        let byte = match (op, x, y) {
            _ if x.is_defined() && y.is_defined() => Value::new(match op {
                IntOp::And => x.bits & y.bits,
                IntOp::Or => x.bits | y.bits,
                _ => x.bits ^ y.bits,
            }),
            (IntOp::And, Value::ZERO, _) | (IntOp::And, _, Value::ZERO) => Value::ZERO,
            (IntOp::And, ALL, other) | (IntOp::And, other, ALL) => other,
            (IntOp::Or, ALL, _) | (IntOp::Or, _, ALL) => ALL,
            (IntOp::Or | IntOp::Xor, Value::ZERO, other) | (IntOp::Or | IntOp::Xor, other, Value::ZERO) => other,
            _ => return None,
        };
        result = result.with_byte(at, byte);
    }
    Some(result)
}

/// A byte with all bits set.
const ALL: Value = Value::new(0xFF);

/// The lowest bits of a word, with what they are marked as.
const fn cut(word: Value, width: u32) -> Value {
    Value { bits: word.bits & mask(width), undef: word.undef & mask(width) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::int;
    use crate::ir::symbol::Symbol;

    /// Four bytes: of a symbol, uninitialised, known, and of another symbol.
    fn word() -> Value {
        let (one, other) = (Symbol(5).word(8), Symbol(6).word(16).after_bytes(1));
        Value::ZERO.with_byte(0, one).with_byte(1, Value::undefined(8)).with_byte(2, Value::new(7)).with_byte(3, other)
    }

    /// The word with values for the bytes of the symbols.
    fn known(word: Value, [one, other]: [u64; 2]) -> Value {
        Symbol::of_word(word).fold(word, |word, (at, symbol, _)| {
            word.with_byte(at, Value::new(if symbol == Symbol(5) { one } else { other }))
        })
    }

    #[test]
    fn bytes_move_as_the_interpreter_moves_their_values() {
        const OPERATIONS: [IntOp; 6] = [IntOp::LShr, IntOp::AShr, IntOp::Shl, IntOp::And, IntOp::Or, IntOp::Xor];
        let constants = [0, 8, 16, 24, 0xFF, 0xFF00, 0xFF_00FF, 0xFF00_0000, 0xFFFF_FFFF, 0x1200].map(Value::new);
        let mut moved = 0;
        let words = [word(), word().after_bytes(1), word().after_bytes(2), cut(word(), 24)];
        for (op, a, b) in OPERATIONS.into_iter().flat_map(|op| {
            words.into_iter().flat_map(move |word| {
                constants.into_iter().flat_map(move |constant| [(op, word, constant), (op, constant, word)])
            })
        }) {
            let Some(result) = binary(op, 32, a, b) else { continue };
            moved += 1;
            for values in [[0, 0], [1, 0x80], [0xFF, 0x7F], [0x12, 0x34]] {
                let expected = int::binary(op, 32, known(a, values), known(b, values)).expect("no division");
                assert_eq!(known(result, values), expected, "{a:?} {op:?} {b:?}");
            }
        }
        assert!(moved > 60, "{moved} operations move bytes");
    }

    #[test]
    fn casts_keep_the_bytes_that_are_left() {
        let word = word();
        assert_eq!(cast(Cast::Truncate, 32, 16, word), Some(cut(word, 16)));
        assert_eq!(cast(Cast::ZeroExtend, 32, 64, word), Some(word));
        assert_eq!(cast(Cast::Truncate, 32, 5, word), None);
        assert_eq!(cast(Cast::SignExtend, 32, 64, word), None);
    }
}
