//! The value of terms under an assignment.
//!
//! Each term is evaluated once for all calls. Tests: `formula/tests/operators.rs`, `formula/tests/random.rs`.

use rustc_hash::FxHashMap;

use crate::semantics;
use crate::term::{TermId, Terms};

/// Evaluates terms under one assignment.
///
/// ```
/// use rmc_formula::{Evaluator, Terms};
///
/// let mut terms = Terms::new();
/// let x = terms.variable(7, 8);
/// let double = terms.add(x, x);
/// let mut evaluator = Evaluator::new(&terms, |_| 130);
/// assert_eq!(evaluator.value(double), 4);
/// ```
pub struct Evaluator<'t, F> {
    terms: &'t Terms,
    assignment: F,
    /// The values of all terms evaluated so far, and of their operands.
    values: FxHashMap<TermId, u128>,
}

impl<'t, F: Fn(u32) -> u128> Evaluator<'t, F> {
    /// An evaluator for the terms of `terms`. `assignment` gives the value of the variable with a number;
    /// bits above the variable's width are ignored.
    pub fn new(terms: &'t Terms, assignment: F) -> Self {
        Self { terms, assignment, values: FxHashMap::default() }
    }

    /// The value of a term.
    pub fn value(&mut self, term: TermId) -> u128 {
        for one in self.terms.cone(term, |known| self.values.contains_key(&known)) {
            let value_of = |operand| self.values[&operand];
            let value = semantics::apply(self.terms, self.terms.get(one), value_of, &self.assignment);
            self.values.insert(one, value);
        }
        self.values[&term]
    }
}
