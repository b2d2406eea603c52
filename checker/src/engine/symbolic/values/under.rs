//! The values of a word where a guard holds.
//!
//! A value is left out if the guard is 0 with it, whatever else there is: the bits of the word are set to
//! those of the value, and the guard is evaluated with three values, 0, 1 and unknown (S. C. Kleene,
//! "Introduction to Metamathematics", 1952, section 64). Everything that is no operation on single bits is
//! unknown, and so is a guard of very many operations.

use std::rc::Rc;

use rmc_formula::{Term, TermId, Terms};

use super::Values;
use crate::engine::symbolic::word::{Formulas, Word};
use crate::hash::{FxHashMap, FxHashSet};

/// The most operations of a guard that are evaluated.
const MOST_OPERATIONS: usize = 1 << 11;

impl Formulas {
    /// The values that a word may have where a guard holds; nothing if they are not few. There are none if
    /// the guard never holds.
    pub fn values_under(&mut self, guard: TermId, word: Word) -> Option<Rc<Values>> {
        let values = self.values(word)?;
        if values.len() < 2 || self.terms.as_constant(guard).is_some() {
            return Some(values);
        }
        let bits = self.bits(word);
        if let Some(known) = self.known_under(guard, bits) {
            return Some(known);
        }
        let code = self.code(bits, &values);
        let given: Vec<TermId> = code.bits.iter().map(|&bit| positive(&self.terms, bit).0).collect();
        let operations = operations(&self.terms, guard, &given);
        let mut numbers = code.codes.iter();
        let narrowed = values.filtered(|_| {
            let number = numbers.next().expect("a code for each value");
            let bits = code.bits.iter().enumerate();
            let known = bits.map(|(at, &bit)| {
                let (term, is_inverted) = positive(&self.terms, bit);
                (term, (number >> at & 1 == 1) != is_inverted)
            });
            let known = known.collect();
            evaluate(&self.terms, guard, &operations, known) != Some(false)
        });
        let narrowed = Rc::new(narrowed);
        self.remember_under(guard, bits, Rc::clone(&narrowed));
        Some(narrowed)
    }
}

/// A term of 1 bit without its negation, and whether it has one.
fn positive(terms: &Terms, bit: TermId) -> (TermId, bool) {
    match terms.get(bit) {
        Term::Not(inner) => (inner, true),
        _ => (bit, false),
    }
}

/// The operations on single bits that a guard consists of, operands first, down to some terms whose values
/// are given.
fn operations(terms: &Terms, guard: TermId, given: &[TermId]) -> Vec<TermId> {
    let mut seen: FxHashSet<TermId> = given.iter().copied().collect();
    let mut operations = Vec::new();
    let mut waiting = vec![guard];
    while let Some(term) = waiting.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Term::And(..) | Term::Xor(..) | Term::Not(..) | Term::Ite(..) | Term::Eq(..) = terms.get(term) {
            operations.push(term);
            waiting.extend(terms.get(term).operands().filter(|&operand| terms.width(operand) == 1));
        }
        if operations.len() > MOST_OPERATIONS {
            return Vec::new();
        }
    }
    // The ids are a topological order.
    operations.sort_unstable();
    operations
}

/// The value of a guard, if it follows from those of some terms.
fn evaluate(terms: &Terms, guard: TermId, operations: &[TermId], mut known: FxHashMap<TermId, bool>) -> Option<bool> {
    for &operation in operations {
        let value = |term: TermId| match terms.as_constant(term) {
            Some(value) => Some(value == 1),
            None => known.get(&term).copied(),
        };
        let result = match terms.get(operation) {
            Term::Not(a) => value(a).map(|a| !a),
            Term::And(a, b) => match (value(a), value(b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(a), Some(b)) => Some(a && b),
                _ => None,
            },
            Term::Xor(a, b) => value(a).zip(value(b)).map(|(a, b)| a != b),
            Term::Eq(a, b) if terms.width(a) == 1 => value(a).zip(value(b)).map(|(a, b)| a == b),
            Term::Ite(condition, then, other) => match (value(condition), value(then), value(other)) {
                (Some(true), then, _) => then,
                (Some(false), _, other) => other,
                (None, then, other) if then == other => then,
                _ => None,
            },
            _ => None,
        };
        if let Some(result) = result {
            known.insert(operation, result);
        }
    }
    known.get(&guard).copied()
}
