//! Instructions on words: with known operands exactly what the interpreter computes, else terms.
//!
//! An operation with an open operand (uninitialised or poison) is open as a whole. That is coarser than the
//! interpreter, which knows single uninitialised bits; so what depends on open words is *doubtful*: see
//! [`super::unroll::Claim`].

use rmc_formula::TermId;

use super::points::Points;
use super::word::{Formulas, Sum, Word};
use crate::interp::cast;
use crate::ir::instr::{Bounds, Cast, IntCmp, IntOp, IntUnary, OverflowOp, Promises};
use crate::ir::value::{Poison, Value, mask, signed};
use crate::ir::{int, int_term};

/// A result, and the condition under which the instruction is a fault (1 bit).
pub struct Computed {
    /// The result where there is no fault.
    pub word: Word,
    /// The fault's condition.
    pub fault: TermId,
}

/// The refusal of an instruction on words that are not known: what it is.
pub type Refused = String;

impl Formulas {
    /// A binary operation on integers.
    ///
    /// # Errors
    /// The name of an operation that is not followed for words that are not known.
    pub fn int(&mut self, op: IntOp, width: u32, promises: Promises, a: Word, b: Word) -> Result<Computed, Refused> {
        if let (Word::Known(a), Word::Known(b)) = (a, b) {
            let result = int::promised(op, promises, width, a, b);
            let fault = self.terms.boolean(result.is_err());
            return Ok(Computed { word: Word::Known(result.unwrap_or_default()), fault });
        }
        let computed = match self.int_of_few(op, width, promises, (a, b)) {
            Some(computed) => computed,
            None => self.int_of_any(op, width, promises, (a, b))?,
        };
        self.remember_sum(op, width, (a, b), computed.word);
        Ok(computed)
    }

    /// Remembers a sum of a word and a number.
    fn remember_sum(&mut self, op: IntOp, width: u32, operands: (Word, Word), result: Word) {
        let (of, number) = match (op, operands) {
            (IntOp::Add, (Word::Term(of), Word::Known(number)) | (Word::Known(number), Word::Term(of))) => (of, number),
            (IntOp::Sub, (Word::Term(of), Word::Known(number))) if number.is_defined() => {
                (of, Value::new(number.bits.wrapping_neg()))
            }
            _ => return,
        };
        let open = self.open(result);
        if number.is_defined() && self.is_false(open) {
            self.is_sum(result, Sum { of: of.bits, number: number.bits & mask(width), width });
        }
    }

    /// A binary operation on integers of any values.
    fn int_of_any(
        &mut self,
        op: IntOp,
        width: u32,
        promises: Promises,
        (a, b): (Word, Word),
    ) -> Result<Computed, Refused> {
        let points = self.points_of_result(op, a, b);
        let (open_a, open_b) = (self.open(a), self.open(b));
        let mut open = self.terms.or(open_a, open_b);
        let (a, b) = (self.low(a, width), self.low(b, width));
        let mut fault = self.terms.boolean(false);
        if matches!(op, IntOp::UDiv | IntOp::SDiv | IntOp::URem | IntOp::SRem) {
            fault = self.division_fault(op, width, a, b);
        }
        if matches!(op, IntOp::Shl | IntOp::LShr | IntOp::AShr) {
            let most = self.terms.constant((width - 1).into(), width);
            let is_too_far = self.terms.ult(most, b);
            open = self.terms.or(open, is_too_far);
        }
        let result = self.binary(op, a, b)?;
        if !promises.is_none() {
            let is_broken = self.is_broken(op, promises, [a, b, result])?;
            open = self.terms.or(open, is_broken);
        }
        Ok(Computed { word: self.word(result, open, points), fault })
    }

    /// The result of a binary operation.
    pub(super) fn binary(&mut self, op: IntOp, a: TermId, b: TermId) -> Result<TermId, Refused> {
        let refused = || format!("saturating arithmetic ({op:?}) on a value that is not known");
        int_term::binary(&mut self.terms, op, a, b).ok_or_else(refused)
    }

    /// Whether a promise of the instruction does not hold.
    fn is_broken(&mut self, op: IntOp, promises: Promises, [a, b, result]: [TermId; 3]) -> Result<TermId, Refused> {
        let width = self.terms.width(a);
        if promises.has(Promises::EXACT) {
            let rest = match op {
                IntOp::UDiv => self.terms.urem(a, b),
                IntOp::SDiv => self.terms.srem(a, b),
                _ => {
                    let back = self.terms.shl(result, b);
                    self.terms.xor(back, a)
                }
            };
            let zero = self.terms.constant(0, width);
            return Ok(self.terms.ne(rest, zero));
        }
        let mut is_broken = self.terms.boolean(false);
        for (promise, is_signed) in [(Promises::SIGNED, true), (Promises::UNSIGNED, false)] {
            if promises.has(promise) {
                let overflows = self.overflows(op, is_signed, [a, b, result])?;
                is_broken = self.terms.or(is_broken, overflows);
            }
        }
        Ok(is_broken)
    }

    /// Whether the exact result of an operation is not the one that fits the width.
    fn overflows(&mut self, op: IntOp, is_signed: bool, [a, b, result]: [TermId; 3]) -> Result<TermId, Refused> {
        if op == IntOp::Shl {
            let back = if is_signed { self.terms.ashr(result, b) } else { self.terms.lshr(result, b) };
            return Ok(self.terms.ne(back, a));
        }
        let op = OverflowOp::of(op, is_signed).ok_or_else(|| format!("an overflow of {op:?}"))?;
        Ok(int_term::overflows(&mut self.terms, op, a, b))
    }

    fn division_fault(&mut self, op: IntOp, width: u32, a: TermId, b: TermId) -> TermId {
        let zero = self.terms.constant(0, width);
        let by_zero = self.terms.eq(b, zero);
        if matches!(op, IntOp::UDiv | IntOp::URem) {
            return by_zero;
        }
        let (least, minus_one) = (self.terms.constant(1 << (width - 1), width), self.terms.constant(u128::MAX, width));
        let (is_least, is_minus_one) = (self.terms.eq(a, least), self.terms.eq(b, minus_one));
        let overflows = self.terms.and(is_least, is_minus_one);
        self.terms.or(by_zero, overflows)
    }

    /// Where the result of arithmetic on addresses points to.
    fn points_of_result(&self, op: IntOp, a: Word, b: Word) -> Points {
        let (of_a, of_b) = (self.points(a), self.points(b));
        if of_a.is_empty() && of_b.is_empty() {
            return Points::default();
        }
        let distance = |word: Word| match word {
            Word::Known(value) if value.is_defined() => Some(signed(value.bits, 64)),
            _ => None,
        };
        match (op, distance(a), distance(b)) {
            (IntOp::Add, _, Some(b)) => of_a.moved(b),
            (IntOp::Add, Some(a), _) => of_b.moved(a),
            (IntOp::Sub, _, Some(b)) => of_a.moved(b.wrapping_neg()),
            (IntOp::Add | IntOp::Or | IntOp::Xor | IntOp::And, ..) => of_a.join(&of_b).strided(1),
            (IntOp::Sub, ..) => of_a.strided(1),
            _ => Points::default(),
        }
    }

    /// A comparison.
    pub fn compare(&mut self, op: IntCmp, width: u32, a: Word, b: Word) -> Word {
        if let (Word::Known(a), Word::Known(b)) = (a, b) {
            return Word::Known(int::compare(op, width, a, b));
        }
        if let Some(holds) = self.compare_of_few(op, width, a, b) {
            return holds;
        }
        let (open_a, open_b) = (self.open(a), self.open(b));
        let open = self.terms.or(open_a, open_b);
        let (a, b) = (self.low(a, width), self.low(b, width));
        let terms = &mut self.terms;
        let holds = match op {
            IntCmp::Eq => terms.eq(a, b),
            IntCmp::Ne => terms.ne(a, b),
            IntCmp::Ugt => terms.ult(b, a),
            IntCmp::Uge => terms.ule(b, a),
            IntCmp::Ult => terms.ult(a, b),
            IntCmp::Ule => terms.ule(a, b),
            IntCmp::Sgt => terms.slt(b, a),
            IntCmp::Sge => terms.sle(b, a),
            IntCmp::Slt => terms.slt(a, b),
            IntCmp::Sle => terms.sle(a, b),
        };
        self.word(holds, open, Points::default())
    }

    /// The result and the overflow bit of `llvm.*.with.overflow`.
    ///
    /// # Errors
    /// None for these operations.
    pub fn overflow(&mut self, op: OverflowOp, width: u32, a: Word, b: Word) -> Result<[Word; 2], Refused> {
        if let (Word::Known(a), Word::Known(b)) = (a, b) {
            let (value, overflowed) = int::overflow(op, width, a, b);
            return Ok([Word::Known(value), Word::Known(overflowed)]);
        }
        if let Some(both) = self.overflow_of_few(op, width, a, b) {
            return Ok(both);
        }
        let (open_a, open_b) = (self.open(a), self.open(b));
        let open = self.terms.or(open_a, open_b);
        let (a, b) = (self.low(a, width), self.low(b, width));
        let result = self.binary(op.parts().0, a, b)?;
        let overflows = int_term::overflows(&mut self.terms, op, a, b);
        Ok([self.word(result, open, Points::default()), self.word(overflows, open, Points::default())])
    }

    /// An operation of one operand, `freeze` excepted.
    ///
    /// # Errors
    /// The name of an operation that is not followed for words that are not known.
    pub fn unary(&mut self, op: IntUnary, width: u32, a: Word) -> Result<Word, Refused> {
        if let Word::Known(a) = a {
            return Ok(Word::Known(int::unary(op, width, a)));
        }
        if let Some(result) = self.mapped(a, |value| int::unary(op, width, Value::new(value & mask(width)))) {
            return Ok(result);
        }
        let mut open = self.open(a);
        let a = self.low(a, width);
        let bit = |formulas: &mut Self, at: u32| formulas.terms.extract(a, at, 1);
        let result = match op {
            IntUnary::ByteSwap => {
                let bytes: Vec<_> = (0..width / 8).map(|at| self.terms.extract(a, 8 * at, 8)).collect();
                bytes.into_iter().reduce(|high, low| self.terms.concat(high, low)).expect("a number has bytes")
            }
            IntUnary::BitReverse => {
                let bits: Vec<_> = (0..width).map(|at| bit(self, at)).collect();
                bits.into_iter().reduce(|high, low| self.terms.concat(high, low)).expect("a number has bits")
            }
            IntUnary::Abs | IntUnary::AbsOfOther => {
                let (zero, least) = (self.terms.constant(0, width), self.terms.constant(1 << (width - 1), width));
                if op == IntUnary::AbsOfOther {
                    let is_least = self.terms.eq(a, least);
                    open = self.terms.or(open, is_least);
                }
                let (is_negative, negated) = (self.terms.slt(a, zero), self.terms.neg(a));
                self.terms.ite(is_negative, negated, a)
            }
            IntUnary::PopCount => {
                let mut sum = self.terms.constant(0, width);
                for at in 0..width {
                    let one = bit(self, at);
                    let one = self.terms.zero_extend(one, width);
                    sum = self.terms.add(sum, one);
                }
                sum
            }
            _ => return Err(format!("{op:?} of a value that is not known")),
        };
        Ok(self.word(result, open, Points::default()))
    }

    /// A conversion.
    ///
    /// # Errors
    /// A conversion from or to floating point of a word that is not known.
    pub fn cast(&mut self, op: Cast, from: u32, to: u32, a: Word) -> Result<Word, Refused> {
        let symbolic = match a {
            Word::Known(value) => return Ok(Word::Known(cast(op, from, to, value))),
            Word::Term(symbolic) => symbolic,
        };
        if let Some(result) = self.mapped(a, |value| cast(op, from, to, Value::new(value & mask(from)))) {
            return Ok(result);
        }
        let points = self.points(a);
        let bits = match op {
            Cast::Truncate => self.low(a, to),
            Cast::ZeroExtend => self.low(a, from.min(to)),
            Cast::SignExtend => {
                let low = self.low(a, from);
                self.terms.sign_extend(low, to)
            }
            _ => return Err("floating point of a value that is not known".to_owned()),
        };
        let keeps = to == 64 && from == 64;
        Ok(self.word(bits, symbolic.open, if keeps { points } else { Points::default() }))
    }

    /// The address `base` plus `scale` times `index`, which is sign-extended from `width` bits.
    pub fn offset(&mut self, base: Word, index: Word, width: u32, scale: u32, bounds: Bounds) -> Word {
        if let (Word::Known(base), Word::Known(index)) = (base, index) {
            let distance = i128::from(scale) * i128::from(signed(index.bits, width));
            return Word::Known(crate::interp::offset(base, index, distance, bounds));
        }
        if let Some(address) = self.offset_of_few(base, index, (width, scale), bounds) {
            return address;
        }
        let points = match index {
            Word::Known(value) if value.is_defined() => {
                self.points(base).moved(signed(value.bits, width).wrapping_mul(scale.into()))
            }
            _ => self.points(base).strided(scale.into()),
        };
        let (open_base, open_index) = (self.open(base), self.open(index));
        let mut open = self.terms.or(open_base, open_index);
        let (base, index) = (self.bits(base), self.low(index, width));
        let scale = self.terms.constant(scale.into(), 128);
        let wide = self.terms.sign_extend(index, 128);
        let exact = self.terms.mul(wide, scale);
        let distance = self.terms.extract(exact, 0, 64);
        let address = self.terms.add(base, distance);
        if bounds != Bounds::None {
            let back = self.terms.sign_extend(distance, 128);
            let is_far = self.terms.ne(back, exact);
            open = self.terms.or(open, is_far);
        }
        if bounds == Bounds::Near {
            let is_far = self.is_far(base, address);
            open = self.terms.or(open, is_far);
        }
        self.word(address, open, points)
    }

    /// `address`, or poison if it is not near `base`.
    pub fn near(&mut self, base: Word, address: Word) -> Word {
        if let (Word::Known(base), Word::Known(address)) = (base, address) {
            return Word::Known(crate::interp::near(base, address));
        }
        if let Word::Known(base) = base
            && let Some(near) = self.mapped(address, |value| crate::interp::near(base, Value::new(value)))
        {
            return near;
        }
        let (points, mut open) = (self.points(address), self.open(address));
        let (base, address) = (self.bits(base), self.bits(address));
        let is_far = self.is_far(base, address);
        open = self.terms.or(open, is_far);
        self.word(address, open, points)
    }

    /// Whether two addresses are not near the same object ([`crate::ir::address::is_near`]).
    fn is_far(&mut self, a: TermId, b: TermId) -> TermId {
        let [a, b] = [a, b].map(|address| {
            let before = self.terms.constant((crate::ir::address::MAX_OBJECT - 1).into(), 64);
            let moved = self.terms.add(address, before);
            let bits = crate::ir::address::OFFSET_BITS;
            self.terms.extract(moved, bits, 64 - bits)
        });
        self.terms.ne(a, b)
    }

    /// The number, or poison if it is not in `low..high`, which may wrap round.
    pub fn range(&mut self, number: Word, low: Value, high: Value, width: u32) -> Word {
        let is_inside =
            |value: u64| value.wrapping_sub(low.bits) & mask(width) < high.bits.wrapping_sub(low.bits) & mask(width);
        let checked = |value: u64| match is_inside(value) {
            true => Value::new(value & mask(width)),
            false => Value::poison(Poison::Range),
        };
        if let Word::Term(_) = number
            && let Some(checked) = self.mapped(number, checked)
        {
            return checked;
        }
        let (mut open, points) = (self.open(number), self.points(number));
        let value = self.low(number, width);
        let (low_term, high_term) =
            (self.terms.constant(low.bits.into(), width), self.terms.constant(high.bits.into(), width));
        let (distance, most) = (self.terms.sub(value, low_term), self.terms.sub(high_term, low_term));
        let is_outside = self.terms.ule(most, distance);
        open = self.terms.or(open, is_outside);
        self.word(value, open, points)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rmc_formula::Evaluator;

    use super::*;

    const INT_OPS: [IntOp; 17] = [
        IntOp::Add,
        IntOp::Sub,
        IntOp::Mul,
        IntOp::UDiv,
        IntOp::SDiv,
        IntOp::URem,
        IntOp::SRem,
        IntOp::Shl,
        IntOp::LShr,
        IntOp::AShr,
        IntOp::And,
        IntOp::Or,
        IntOp::Xor,
        IntOp::UMin,
        IntOp::UMax,
        IntOp::SMin,
        IntOp::SMax,
    ];
    const COMPARISONS: [IntCmp; 10] = [
        IntCmp::Eq,
        IntCmp::Ne,
        IntCmp::Ugt,
        IntCmp::Uge,
        IntCmp::Ult,
        IntCmp::Ule,
        IntCmp::Sgt,
        IntCmp::Sge,
        IntCmp::Slt,
        IntCmp::Sle,
    ];
    const OVERFLOWS: [OverflowOp; 6] =
        [OverflowOp::SAdd, OverflowOp::UAdd, OverflowOp::SSub, OverflowOp::USub, OverflowOp::SMul, OverflowOp::UMul];
    const UNARY: [IntUnary; 5] =
        [IntUnary::PopCount, IntUnary::ByteSwap, IntUnary::BitReverse, IntUnary::Abs, IntUnary::AbsOfOther];

    /// Numbers near the ends of their width and small ones, as well as any.
    fn number() -> impl Strategy<Value = u64> {
        prop_oneof![any::<u64>(), 0..4_u64, (0..4_u64).prop_map(u64::wrapping_neg), (0..64_u32).prop_map(|at| 1 << at)]
    }

    fn width() -> impl Strategy<Value = u32> {
        prop::sample::select(vec![1, 8, 16, 32, 64])
    }

    /// Words of numbers that the terms do not show, and what a word is for these numbers.
    struct Unknown {
        formulas: Formulas,
        values: Vec<u64>,
    }

    impl Unknown {
        fn new(values: &[u64]) -> (Self, Vec<Word>) {
            let mut formulas = Formulas::default();
            let words = values.iter().map(|_| formulas.variable(64)).collect::<Vec<_>>();
            let words = words.into_iter().map(|bits| formulas.defined(bits)).collect();
            (Self { formulas, values: values.to_vec() }, words)
        }

        fn term(&self, term: TermId) -> u128 {
            Evaluator::new(&self.formulas.terms, |number| self.values[number as usize].into()).value(term)
        }

        /// The bits, or nothing if the word is open.
        fn value(&mut self, word: Word) -> Option<u64> {
            let (bits, open) = (self.formulas.bits(word), self.formulas.open(word));
            (self.term(open) == 0).then(|| self.term(bits) as u64)
        }
    }

    fn known(value: Value) -> Option<u64> {
        value.is_defined().then_some(value.bits)
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn integers_are_those_of_the_interpreter(
            op in prop::sample::select(INT_OPS.to_vec()),
            width in width(),
            promised in 0..4_u8,
            a in number(),
            b in number(),
        ) {
            let has_promises = matches!(op, IntOp::Add | IntOp::Sub | IntOp::Mul | IntOp::Shl);
            let is_exact = matches!(op, IntOp::UDiv | IntOp::SDiv | IntOp::LShr | IntOp::AShr) && promised == 3;
            let promises = match promised {
                _ if is_exact => Promises::EXACT,
                1 if has_promises => Promises::SIGNED,
                2 if has_promises => Promises::UNSIGNED,
                3 if has_promises => Promises::SIGNED.and(Promises::UNSIGNED),
                _ => Promises::NONE,
            };
            let (a, b) = (a & mask(width), b & mask(width));
            let (mut unknown, words) = Unknown::new(&[a, b]);
            let computed = unknown.formulas.int(op, width, promises, words[0], words[1]).expect("it is followed");
            let fault = unknown.term(computed.fault) == 1;
            match int::promised(op, promises, width, Value::new(a), Value::new(b)) {
                Err(_) => prop_assert!(fault),
                Ok(value) => {
                    prop_assert!(!fault);
                    prop_assert_eq!(unknown.value(computed.word), known(value));
                }
            }
        }

        #[test]
        fn comparisons_and_overflows_are_those_of_the_interpreter(
            op in prop::sample::select(COMPARISONS.to_vec()),
            overflow in prop::sample::select(OVERFLOWS.to_vec()),
            width in width(),
            a in number(),
            b in number(),
        ) {
            let (a, b) = (a & mask(width), b & mask(width));
            let (mut unknown, words) = Unknown::new(&[a, b]);
            let compared = unknown.formulas.compare(op, width, words[0], words[1]);
            prop_assert_eq!(unknown.value(compared), known(int::compare(op, width, Value::new(a), Value::new(b))));
            let both = unknown.formulas.overflow(overflow, width, words[0], words[1]).expect("it is followed");
            let (result, overflowed) = int::overflow(overflow, width, Value::new(a), Value::new(b));
            prop_assert_eq!(unknown.value(both[0]), known(result));
            prop_assert_eq!(unknown.value(both[1]), known(overflowed));
        }

        #[test]
        fn other_operations_are_those_of_the_interpreter(
            op in prop::sample::select(UNARY.to_vec()),
            width in prop::sample::select(vec![16_u32, 32, 64]),
            to in prop::sample::select(vec![8_u32, 32, 64]),
            a in number(),
            ends in (number(), number()),
        ) {
            let a = a & mask(width);
            let (mut unknown, words) = Unknown::new(&[a]);
            let result = unknown.formulas.unary(op, width, words[0]).expect("it is followed");
            prop_assert_eq!(unknown.value(result), known(int::unary(op, width, Value::new(a))));
            let kinds = if to < width { vec![Cast::Truncate] } else { vec![Cast::ZeroExtend, Cast::SignExtend] };
            for kind in kinds {
                let result = unknown.formulas.cast(kind, width, to, words[0]).expect("it is followed");
                prop_assert_eq!(unknown.value(result), known(cast(kind, width, to, Value::new(a))));
            }
            let [low, high] = [ends.0, ends.1].map(|end| end & mask(width));
            let in_range = unknown.formulas.range(words[0], Value::new(low), Value::new(high), width);
            let is_inside = a.wrapping_sub(low) & mask(width) < high.wrapping_sub(low) & mask(width);
            prop_assert_eq!(unknown.value(in_range), is_inside.then_some(a));
        }

        #[test]
        fn addresses_are_those_of_the_interpreter(
            object in 1..1_u32 << 20,
            offset in 0..1_u32 << 25,
            index in number(),
            width in prop::sample::select(vec![32_u32, 64]),
            scale in prop::sample::select(vec![1_u32, 4, 24, 1 << 20]),
            bounds in prop::sample::select(vec![Bounds::None, Bounds::Distance, Bounds::Near]),
        ) {
            let (base, index) = (crate::ir::address::ObjectId(object).address(offset), index & mask(width));
            let (mut unknown, words) = Unknown::new(&[base, index]);
            let distance = i128::from(scale) * i128::from(signed(index, width));
            let expected = crate::interp::offset(Value::new(base), Value::new(index), distance, bounds);
            for base in [words[0], Word::number(base)] {
                let address = unknown.formulas.offset(base, words[1], width, scale, bounds);
                prop_assert_eq!(unknown.value(address), known(expected));
            }
            let near = unknown.formulas.near(words[0], words[1]);
            prop_assert_eq!(unknown.value(near), known(crate::interp::near(Value::new(base), Value::new(index))));
        }
    }
}
