//! Instructions on words of which few values are possible: the interpreter computes them value by value.

use rmc_formula::TermId;

use super::Values;
use super::select::Code;
use crate::engine::symbolic::arithmetic::Computed;
use crate::engine::symbolic::word::{Formulas, Word};
use crate::interp;
use crate::ir::instr::{Bounds, IntCmp, IntOp, OverflowOp, Promises};
use crate::ir::int;
use crate::ir::value::{Value, mask, signed};

/// The most pairs of values that are enumerated.
const MOST_PAIRS: usize = 1 << 10;
/// The most pairs of values of which a function is made of single bits.
const MOST_ROWS: usize = 64;

impl Formulas {
    /// The code of a word that is not known and has few values.
    fn code_of(&mut self, word: Word) -> Option<(Vec<u64>, Code)> {
        let values = self.values(word)?;
        let bits = self.bits(word);
        let code = self.code(bits, &values);
        Some((values.iter().collect(), code))
    }

    /// A function of a word, if its values are few. The result is open where the word is, and where the
    /// function has uninitialised bits.
    pub fn mapped(&mut self, word: Word, function: impl Fn(u64) -> Value) -> Option<Word> {
        let (values, code) = self.code_of(word)?;
        let results: Vec<Value> = values.into_iter().map(function).collect();
        let open = self.open(word);
        let word_of = |value: &Value| if value.is_defined() { value.bits } else { 0 };
        let numbers: Vec<u64> = results.iter().map(word_of).collect();
        let bits = self.decoded(&code, &numbers);
        let undefined: Vec<bool> = results.iter().map(|result| !result.is_defined()).collect();
        let is_undefined = self.condition(&code, &undefined);
        let open = self.terms.or(open, is_undefined);
        if numbers.iter().all(|&number| number <= 1) {
            let condition = self.terms.extract(bits, 0, 1);
            self.depends(condition, word);
        }
        Some(self.word_of(bits, open, Values::of(numbers)?))
    }

    /// The condition that a word's value is one of which something holds; nothing if its values are not few.
    pub fn holds_of(&mut self, word: Word, holds: impl Fn(u64) -> bool) -> Option<TermId> {
        let (values, code) = self.code_of(word)?;
        let rows: Vec<bool> = values.into_iter().map(holds).collect();
        Some(self.condition(&code, &rows))
    }

    /// The condition that the bits of a word are this number.
    pub fn is_value(&mut self, word: Word, number: u64) -> TermId {
        if let Some(condition) = self.holds_of(word, |value| value == number) {
            return condition;
        }
        let (bits, number) = (self.bits(word), self.terms.constant(number.into(), 64));
        self.terms.eq(bits, number)
    }

    /// The word with these 64 bits, of which few values are possible: only the bits that tell these apart are
    /// those of the term.
    pub fn narrowed(&mut self, bits: TermId, open: TermId, values: Values) -> Word {
        let code = self.code(bits, &values);
        let numbers: Vec<u64> = values.iter().collect();
        let decoded = self.decoded(&code, &numbers);
        self.word_of(decoded, open, values)
    }

    /// `a` if `condition`, else `b`, if both have few values.
    pub fn choose_of_few(&mut self, condition: TermId, a: Word, b: Word) -> Option<Word> {
        let values = self.values(a)?.join(&*self.values(b)?)?;
        let (bits_a, bits_b, open_a, open_b) = (self.bits(a), self.bits(b), self.open(a), self.open(b));
        let open = self.terms.ite(condition, open_a, open_b);
        let telling = values.telling();
        let mut code = Code { bits: Vec::new(), codes: Vec::new() };
        for bit in (0..64).filter(|bit| telling >> bit & 1 == 1) {
            let (a, b) = (self.terms.extract(bits_a, bit, 1), self.terms.extract(bits_b, bit, 1));
            code.bits.push(self.terms.ite(condition, a, b));
        }
        code.codes = values.iter().map(|value| super::select::gather(value, telling)).collect();
        let numbers: Vec<u64> = values.iter().collect();
        let bits = self.decoded(&code, &numbers);
        Some(self.word_of(bits, open, values))
    }

    /// A binary operation, if the operands have few values.
    pub fn int_of_few(&mut self, op: IntOp, width: u32, promises: Promises, (a, b): (Word, Word)) -> Option<Computed> {
        let compute = |a: Value, b: Value| int::promised(op, promises, width, a, b);
        let unary = |value: Result<Value, _>| value.unwrap_or_default();
        let cut = |value: u64| Value::new(value & mask(width));
        match (a, b) {
            (Word::Known(known), _) => {
                let word = self.mapped(b, |value| unary(compute(known, cut(value))))?;
                let fault = self.holds_of(b, |value| compute(known, cut(value)).is_err())?;
                Some(Computed { word, fault })
            }
            (_, Word::Known(known)) => {
                let word = self.mapped(a, |value| unary(compute(cut(value), known)))?;
                let fault = self.holds_of(a, |value| compute(cut(value), known).is_err())?;
                Some(Computed { word, fault })
            }
            _ => {
                let mut results = Vec::new();
                for (a, b) in self.pairs(a, b)? {
                    let result = compute(cut(a), cut(b)).ok().filter(|result| result.is_defined())?;
                    results.push(result.bits);
                }
                let values = Values::of(results)?;
                let (open_a, open_b) = (self.open(a), self.open(b));
                let open = self.terms.or(open_a, open_b);
                // The lower bits of these do not depend on higher ones.
                let is_local = matches!(op, IntOp::Add | IntOp::Sub | IntOp::Mul | IntOp::And | IntOp::Or | IntOp::Xor);
                let needed = (64 - values.telling().leading_zeros()).clamp(1, width);
                let width = if is_local { needed } else { width };
                let (a, b) = (self.low(a, width), self.low(b, width));
                let result = self.binary(op, a, b).ok()?;
                let bits = self.terms.zero_extend(result, 64);
                let fault = self.terms.boolean(false);
                Some(Computed { word: self.narrowed(bits, open, values), fault })
            }
        }
    }

    /// A comparison, if the operands have few values.
    pub fn compare_of_few(&mut self, op: IntCmp, width: u32, a: Word, b: Word) -> Option<Word> {
        let compute = |a: u64, b: u64| {
            let [a, b] = [a, b].map(|value| Value::new(value & mask(width)));
            int::compare(op, width, a, b)
        };
        match (a, b) {
            (Word::Known(known), _) if known.is_defined() => self.mapped(b, |value| compute(known.bits, value)),
            (_, Word::Known(known)) if known.is_defined() => self.mapped(a, |value| compute(value, known.bits)),
            (Word::Known(_), _) | (_, Word::Known(_)) => None,
            _ => {
                let pairs = self.pairs(a, b)?;
                let results: Vec<bool> = pairs.iter().map(|&(a, b)| compute(a, b).bits == 1).collect();
                let count = results.iter().filter(|&&result| result).count();
                let holds = if count == 0 || count == results.len() {
                    self.terms.boolean(count > 0)
                } else if matches!(op, IntCmp::Eq | IntCmp::Ne) {
                    self.are_equal(op == IntCmp::Eq, width, (a, b))?
                } else if results.len() <= MOST_ROWS {
                    let (_, code_a) = self.code_of(a)?;
                    let (_, code_b) = self.code_of(b)?;
                    self.condition(&code_a.pair(&code_b), &results)
                } else {
                    return None;
                };
                let (open_a, open_b) = (self.open(a), self.open(b));
                let open = self.terms.or(open_a, open_b);
                let bits = self.terms.zero_extend(holds, 64);
                Some(self.word_of(bits, open, Values::of([0, 1])?))
            }
        }
    }

    /// The result and the overflow bit of `llvm.*.with.overflow`, if one operand has few values and the other
    /// one is known.
    pub fn overflow_of_few(&mut self, op: OverflowOp, width: u32, a: Word, b: Word) -> Option<[Word; 2]> {
        let cut = |value: u64| Value::new(value & mask(width));
        let word = match (a, b) {
            (Word::Known(_), _) => b,
            (_, Word::Known(_)) => a,
            _ => return None,
        };
        let compute = |value| match (a, b) {
            (Word::Known(a), _) => int::overflow(op, width, a, cut(value)),
            (_, Word::Known(b)) => int::overflow(op, width, cut(value), b),
            _ => unreachable!("one operand is known"),
        };
        Some([self.mapped(word, |value| compute(value).0)?, self.mapped(word, |value| compute(value).1)?])
    }

    /// The address `base` plus `scale` times `index` of `width` bits, if they have few values.
    pub fn offset_of_few(
        &mut self,
        base: Word,
        index: Word,
        (width, scale): (u32, u32),
        bounds: Bounds,
    ) -> Option<Word> {
        let compute = |base: Value, index: Value| {
            let distance = i128::from(scale) * i128::from(signed(index.bits, width));
            interp::offset(base, index, distance, bounds)
        };
        let cut = |value: u64| Value::new(value & mask(width));
        match (base, index) {
            (Word::Known(base), _) => self.mapped(index, |index| compute(base, cut(index))),
            (_, Word::Known(index)) => self.mapped(base, |base| compute(Value::new(base), index)),
            _ => {
                let mut results = Vec::new();
                for (base, index) in self.pairs(base, index)? {
                    let address = compute(Value::new(base), cut(index));
                    results.push(Some(address).filter(|address| address.is_defined())?.bits);
                }
                let values = Values::of(results)?;
                let (open_base, open_index) = (self.open(base), self.open(index));
                let open = self.terms.or(open_base, open_index);
                let distance = self.mapped(index, |index| {
                    Value::new(signed(index & mask(width), width).wrapping_mul(scale.into()).cast_unsigned())
                })?;
                let (base, distance) = (self.bits(base), self.bits(distance));
                let address = self.terms.add(base, distance);
                Some(self.narrowed(address, open, values))
            }
        }
    }

    /// Whether two words of few values are equal, or differ.
    fn are_equal(&mut self, is_equal: bool, width: u32, (a, b): (Word, Word)) -> Option<TermId> {
        let cut = |value: u64| value & mask(width);
        let (of_a, of_b) = (self.values(a)?, self.values(b)?);
        let telling = Values::of(of_a.iter().chain(of_b.iter()).map(cut))?.telling();
        let (a, b) = (self.bits(a), self.bits(b));
        let mut equal = self.terms.boolean(true);
        for bit in (0..64).filter(|bit| telling >> bit & 1 == 1) {
            let (a, b) = (self.terms.extract(a, bit, 1), self.terms.extract(b, bit, 1));
            let same = self.terms.eq(a, b);
            equal = self.terms.and(equal, same);
        }
        Some(if is_equal { equal } else { self.terms.not(equal) })
    }

    /// The pairs of values of two words, if both have few: for each of the first all of the second.
    fn pairs(&self, a: Word, b: Word) -> Option<Vec<(u64, u64)>> {
        let (a, b) = (self.values(a)?, self.values(b)?);
        if a.len() * b.len() > MOST_PAIRS {
            return None;
        }
        Some(a.iter().flat_map(|a| b.iter().map(move |b| (a, b))).collect())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rmc_formula::Evaluator;

    use super::super::select::gather;
    use super::*;
    use crate::interp::cast;
    use crate::ir::instr::{Cast, IntUnary};

    /// Words of few values, and an assignment of one of them to each.
    #[derive(Default)]
    struct Few {
        formulas: Formulas,
        assignment: Vec<u128>,
    }

    impl Few {
        /// A word of these values, which has the first one.
        fn word(&mut self, values: &[u64]) -> Word {
            let set = Values::of(values.iter().copied()).expect("few");
            let (bits, is_one) = self.formulas.unknown(&set);
            if set.len() > 1 {
                self.assignment.push(gather(values[0], set.telling()).into());
            }
            assert!(is_one.is_none_or(|is_one| self.term(is_one) == 1));
            let open = self.formulas.terms.boolean(false);
            self.formulas.word_of(bits, open, set)
        }

        fn condition(&mut self, value: bool) -> TermId {
            self.assignment.push(value.into());
            self.formulas.variable(1)
        }

        fn term(&self, term: TermId) -> u128 {
            Evaluator::new(&self.formulas.terms, |number| self.assignment[number as usize]).value(term)
        }

        /// Demands that a word has this value, and that it is among those that it may have.
        #[track_caller]
        fn check(&mut self, word: Word, expected: Value) {
            let (bits, open) = (self.formulas.bits(word), self.formulas.open(word));
            assert_eq!(self.term(open) == 0, expected.is_defined(), "{word:?}");
            if expected.is_defined() {
                assert_eq!(self.term(bits), expected.bits.into(), "{word:?}");
                assert!(self.formulas.values(word).is_none_or(|values| values.has(expected.bits)), "{word:?}");
            }
        }
    }

    fn number() -> impl Strategy<Value = u64> {
        prop_oneof![0..4_u64, (0..4_u64).prop_map(u64::wrapping_neg), (0..64_u32).prop_map(|at| 1 << at), any::<u64>()]
    }

    fn numbers() -> impl Strategy<Value = Vec<u64>> {
        prop::collection::vec(number(), 1..6)
    }

    const OPS: [IntOp; 8] =
        [IntOp::Add, IntOp::Sub, IntOp::Mul, IntOp::UDiv, IntOp::SRem, IntOp::Shl, IntOp::Xor, IntOp::SMin];
    const COMPARISONS: [IntCmp; 5] = [IntCmp::Eq, IntCmp::Ne, IntCmp::Ult, IntCmp::Sle, IntCmp::Sgt];

    proptest! {
        #![proptest_config(ProptestConfig { cases: 1024, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn operations_are_those_of_the_interpreter(
            op in prop::sample::select(OPS.to_vec()),
            comparison in prop::sample::select(COMPARISONS.to_vec()),
            is_promised in any::<bool>(),
            width in prop::sample::select(vec![8_u32, 32, 64]),
            (a, b) in (numbers(), numbers()),
        ) {
            let cut = |numbers: Vec<u64>| numbers.into_iter().map(|number| number & mask(width)).collect::<Vec<_>>();
            let (a, b) = (cut(a), cut(b));
            let (first, second) = (Value::new(a[0]), Value::new(b[0]));
            let mut few = Few::default();
            let (word_a, word_b) = (few.word(&a), few.word(&b));
            let is_sum = matches!(op, IntOp::Add | IntOp::Sub | IntOp::Mul | IntOp::Shl);
            let promises = if is_promised && is_sum { Promises::SIGNED } else { Promises::NONE };
            let computed = few.formulas.int(op, width, promises, word_a, word_b).expect("it is followed");
            match int::promised(op, promises, width, first, second) {
                Err(_) => prop_assert_eq!(few.term(computed.fault), 1),
                Ok(value) => {
                    prop_assert_eq!(few.term(computed.fault), 0);
                    few.check(computed.word, value);
                }
            }
            let compared = few.formulas.compare(comparison, width, word_a, word_b);
            few.check(compared, int::compare(comparison, width, first, second));
            let both = few.formulas.overflow(OverflowOp::SAdd, width, word_a, word_b).expect("it is followed");
            let (result, overflowed) = int::overflow(OverflowOp::SAdd, width, first, second);
            few.check(both[0], result);
            few.check(both[1], overflowed);
        }

        #[test]
        fn operations_of_one_word_are_those_of_the_interpreter(a in numbers(), b in numbers(), is_first in any::<bool>()) {
            let mut few = Few::default();
            let (word, other) = (few.word(&a), few.word(&b));
            let reversed = few.formulas.unary(IntUnary::ByteSwap, 64, word).expect("it is followed");
            few.check(reversed, Value::new(a[0].swap_bytes()));
            let low = few.formulas.cast(Cast::Truncate, 64, 8, word).expect("it is followed");
            few.check(low, cast(Cast::Truncate, 64, 8, Value::new(a[0])));
            let wide = few.formulas.cast(Cast::SignExtend, 8, 64, low).expect("it is followed");
            few.check(wide, cast(Cast::SignExtend, 8, 64, Value::new(a[0] & 0xFF)));
            let is_first_value = few.formulas.is_value(word, a[0]);
            prop_assert_eq!(few.term(is_first_value), 1);
            let condition = few.condition(is_first);
            let chosen = few.formulas.choose(condition, word, other);
            few.check(chosen, Value::new(if is_first { a[0] } else { b[0] }));
        }

        /// Property: where a guard holds, a word has one of its values under the guard.
        #[test]
        fn values_under_guards_are_possible(a in numbers(), b in numbers(), chooses in any::<bool>(), at in 0..6_usize) {
            let mut few = Few::default();
            let (word, other) = (few.word(&a), few.word(&b));
            let condition = few.condition(chooses);
            let chosen = few.formulas.choose(condition, word, other);
            let bound = Word::number(a[at % a.len()]);
            for comparison in COMPARISONS {
                let compared = few.formulas.compare(comparison, 64, chosen, bound);
                let own = few.formulas.low(compared, 1);
                let guard = few.formulas.and(own, condition);
                if few.term(guard) == 1 {
                    for (word, value) in [(chosen, a[0]), (word, a[0]), (other, b[0])] {
                        prop_assert!(few.formulas.values_under(guard, word).is_none_or(|values| values.has(value)));
                    }
                }
            }
        }

        #[test]
        fn addresses_are_those_of_the_interpreter(
            offsets in prop::collection::vec(0..40_u32, 1..5),
            indices in prop::collection::vec(-2..5_i64, 1..5),
        ) {
            let object = crate::ir::address::ObjectId::new(1, 1);
            let addresses: Vec<u64> = offsets.iter().map(|&offset| object.address(offset)).collect();
            let indices: Vec<u64> = indices.iter().map(|index| index.cast_unsigned() & mask(32)).collect();
            let mut few = Few::default();
            let (base, index) = (few.word(&addresses), few.word(&indices));
            let address = few.formulas.offset(base, index, 32, 12, Bounds::None);
            let distance = 12 * i128::from(signed(indices[0], 32));
            few.check(address, interp::offset(Value::new(addresses[0]), Value::new(indices[0]), distance, Bounds::None));
        }
    }
}
