//! Words of the unrolled program: known values as the interpreter has them, or terms.

use std::rc::Rc;

use rmc_formula::{Term, TermId, Terms};

use super::points::Points;
use super::schedule::NewVariables;
use super::values::Values;
use crate::hash::FxHashMap;
use crate::ir::value::{Value, mask};

/// A 64-bit word. What is narrower is zero-extended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// A value that is the same in all executions.
    Known(Value),
    /// A value that depends on inputs or on what loads read.
    Term(Symbolic),
}

/// A word that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symbolic {
    /// The value: 64 bits.
    pub bits: TermId,
    /// 1 bit: true if the word is uninitialised or poison.
    pub open: TermId,
    /// Where it points to, if it is an address.
    pub points: PointsId,
}

/// A set of places, by its number in [`Formulas`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointsId(u32);

impl Word {
    /// 0.
    pub const ZERO: Self = Self::Known(Value::ZERO);
    /// A word that nothing was written to.
    pub const UNDEFINED: Self = Self::Known(Value::undefined(64));

    /// A number.
    #[must_use]
    pub const fn number(bits: u64) -> Self {
        Self::Known(Value::new(bits))
    }
}

/// The arena of terms, and what belongs to the words that consist of them.
#[derive(Debug, Default)]
pub struct Formulas {
    /// The terms.
    pub terms: Terms,
    /// The variables that were made.
    pub variables: NewVariables,
    points: Vec<Points>,
    known_points: FxHashMap<Points, u32>,
    /// The possible values of terms of 64 bits, where they are few.
    values: FxHashMap<TermId, Rc<Values>>,
    /// Those under guards.
    under: FxHashMap<(TermId, TermId), Rc<Values>>,
    /// The terms of 64 bits on each of which alone a condition depends.
    sources: FxHashMap<TermId, TermId>,
    /// The terms of 64 bits that are, in some lowest bits, another one and a number.
    sums: FxHashMap<TermId, Sum>,
}

/// A sum of a term of 64 bits and a number, in the lowest bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sum {
    /// The term.
    pub of: TermId,
    /// The number.
    pub number: u64,
    /// The number of bits.
    pub width: u32,
}

impl Formulas {
    /// A new variable.
    pub fn variable(&mut self, width: u32) -> TermId {
        self.terms.variable(self.variables.fresh(), width)
    }

    /// The number of a set of places.
    pub fn intern(&mut self, points: Points) -> PointsId {
        let next = u32::try_from(self.points.len()).expect("few sets");
        let number = *self.known_points.entry(points.clone()).or_insert(next);
        if number == next {
            self.points.push(points);
        }
        PointsId(number)
    }

    /// Where a word may point to.
    #[must_use]
    pub fn points(&self, word: Word) -> Points {
        match word {
            Word::Known(value) => Points::of_value(value),
            Word::Term(term) => self.points[term.points.0 as usize].clone(),
        }
    }

    /// The 64 bits of a word.
    pub fn bits(&mut self, word: Word) -> TermId {
        match word {
            Word::Known(value) => self.terms.constant(value.bits.into(), 64),
            Word::Term(term) => term.bits,
        }
    }

    /// The lowest bits of a word.
    pub fn low(&mut self, word: Word, width: u32) -> TermId {
        let bits = self.bits(word);
        self.terms.extract(bits, 0, width)
    }

    /// Whether a word is uninitialised, or poison; also if only some of its bits are.
    pub fn open(&mut self, word: Word) -> TermId {
        match word {
            Word::Known(value) => self.terms.boolean(!value.is_defined()),
            Word::Term(term) => term.open,
        }
    }

    /// The word with these bits, which are zero-extended.
    pub fn word(&mut self, bits: TermId, open: TermId, points: Points) -> Word {
        let bits = self.terms.zero_extend(bits, 64);
        match (self.terms.as_constant(bits), self.terms.as_constant(open)) {
            (Some(bits), Some(0)) => Word::number(bits as u64),
            // Also if it is always open: which of its bits are uninitialised is not known.
            _ => Word::Term(Symbolic { bits, open, points: self.intern(points) }),
        }
    }

    /// A defined number of at most 64 bits that points nowhere.
    pub fn defined(&mut self, bits: TermId) -> Word {
        let open = self.terms.boolean(false);
        self.word(bits, open, Points::default())
    }

    /// The possible values of a word's bits, if they are few.
    #[must_use]
    pub fn values(&self, word: Word) -> Option<Rc<Values>> {
        let bits = match word {
            Word::Known(value) => return Some(Rc::new(Values::one(value.bits))),
            Word::Term(term) => term.bits,
        };
        if let Some(values) = self.values.get(&bits) {
            return Some(Rc::clone(values));
        }
        match self.terms.get(bits) {
            Term::Concat(high, low) if self.terms.as_constant(high) == Some(0) && self.terms.width(low) <= 4 => {
                Values::of(0..1 << self.terms.width(low)).map(Rc::new)
            }
            _ => None,
        }
    }

    /// The word with these 64 bits, which have one of these values.
    pub fn word_of(&mut self, bits: TermId, open: TermId, values: Values) -> Word {
        let mut points = Points::default();
        for value in values.iter() {
            points.extend(&Points::of_value(Value::new(value)));
        }
        if self.terms.as_constant(bits).is_none() {
            let fewer = self.values.get(&bits).is_none_or(|known| values.len() < known.len());
            if fewer {
                self.values.insert(bits, Rc::new(values));
            }
        }
        self.word(bits, open, points)
    }

    /// The values of a term of 64 bits under a guard, if they were computed before.
    pub fn known_under(&self, guard: TermId, bits: TermId) -> Option<Rc<Values>> {
        self.under.get(&(guard, bits)).cloned()
    }

    /// Remembers the values of a term of 64 bits under a guard.
    pub fn remember_under(&mut self, guard: TermId, bits: TermId, values: Rc<Values>) {
        self.under.insert((guard, bits), values);
    }

    /// The word on which alone a condition depends, if that is known: one with few values.
    pub fn source(&mut self, condition: TermId) -> Option<Word> {
        let inner = match self.terms.get(condition) {
            Term::Not(inner) => inner,
            _ => condition,
        };
        let bits = *self.sources.get(&condition).or_else(|| self.sources.get(&inner))?;
        let points = self.intern(Points::default());
        Some(Word::Term(Symbolic { bits, open: self.terms.boolean(false), points }))
    }

    /// Remembers that a condition depends on a word alone.
    pub fn depends(&mut self, condition: TermId, word: Word) {
        let mut bits = self.bits(word);
        if let Term::Concat(_, low) = self.terms.get(bits)
            && let Some(&deeper) = self.sources.get(&low)
        {
            bits = deeper;
        }
        if self.terms.as_constant(condition).is_none() {
            self.sources.insert(condition, bits);
        }
    }

    /// Remembers that a word is the sum of another one and a number.
    pub fn is_sum(&mut self, word: Word, sum: Sum) {
        if let Word::Term(Symbolic { bits, .. }) = word {
            self.sums.insert(bits, sum);
        }
    }

    /// The sum that a word is, if that is known.
    #[must_use]
    pub fn sum(&self, word: Word) -> Option<Sum> {
        match word {
            Word::Term(Symbolic { bits, .. }) => self.sums.get(&bits).copied(),
            Word::Known(_) => None,
        }
    }

    /// `a` if `condition` (1 bit), else `b`.
    pub fn choose(&mut self, condition: TermId, a: Word, b: Word) -> Word {
        match self.terms.as_constant(condition) {
            Some(1) => return a,
            Some(_) => return b,
            None if a == b => return a,
            None => {}
        }
        if let Some(chosen) = self.choose_of_few(condition, a, b) {
            return chosen;
        }
        let (bits_a, bits_b, open_a, open_b) = (self.bits(a), self.bits(b), self.open(a), self.open(b));
        let bits = self.terms.ite(condition, bits_a, bits_b);
        let open = self.terms.ite(condition, open_a, open_b);
        let points = self.points(a).join(&self.points(b));
        self.word(bits, open, points)
    }

    /// Byte number `at` of a word, 0 the lowest.
    pub fn byte(&mut self, word: Word, at: u32) -> Word {
        match word {
            Word::Known(value) => {
                let value = value.after_bytes(at as usize);
                Word::Known(Value { bits: value.bits & mask(8), undef: value.undef & mask(8) })
            }
            Word::Term(term) => {
                if let Some(byte) = self.mapped(word, |value| Value::new(value >> (8 * at) & mask(8))) {
                    return byte;
                }
                let bits = self.terms.extract(term.bits, 8 * at, 8);
                self.word(bits, term.open, Points::default())
            }
        }
    }

    /// The word of these bytes, lowest first.
    pub fn join(&mut self, bytes: &[Word]) -> Word {
        let known = bytes.iter().enumerate().try_fold(Value::ZERO, |whole, (at, &byte)| match byte {
            Word::Known(value) => Some(whole.with_byte(at, value)),
            Word::Term(_) => None,
        });
        if let Some(value) = known {
            return Word::Known(value);
        }
        let (mut bits, mut open) = (self.low(bytes[0], 8), self.open(bytes[0]));
        for &byte in &bytes[1..] {
            let (high, is_open) = (self.low(byte, 8), self.open(byte));
            bits = self.terms.concat(high, bits);
            open = self.terms.or(open, is_open);
        }
        // Whole pointers are not put together from bytes where it matters where they point to.
        self.word(bits, open, Points::default())
    }

    /// The conjunction of two conditions.
    pub fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.terms.and(a, b)
    }

    /// The condition that a condition does not hold.
    pub fn not(&mut self, a: TermId) -> TermId {
        self.terms.not(a)
    }

    /// True if a condition never holds, as far as its term shows.
    #[must_use]
    pub fn is_false(&self, condition: TermId) -> bool {
        self.terms.as_constant(condition) == Some(0)
    }
}
