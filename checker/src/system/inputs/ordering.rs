//! Comparisons of words by models of functions, where the words may be inputs.

use super::evaluate::Term;
use crate::ir::instr::IntCmp;
use crate::ir::int;
use crate::ir::value::Value;
use crate::outcome::Unknown;
use crate::system::machine::Machine;
use crate::system::step::StepEnd;

impl Machine<'_> {
    /// True if two words compare so: asked, unless only one answer is possible.
    ///
    /// # Errors
    /// A word is not initialised, or the state has too many symbols.
    pub(in crate::system) fn compares_words(
        &mut self,
        op: IntCmp,
        width: u32,
        words: [Value; 2],
    ) -> Result<bool, StepEnd> {
        let [a, b] = words.map(|word| self.term(word, width));
        if let (Term::Constant(a), Term::Constant(b)) = (a, b) {
            return Ok(int::compare(op, width, Value::new(a), Value::new(b)).bits == 1);
        }
        self.compare(op, width, a, b)?.ok_or(StepEnd::Limit(Unknown::Nondet))
    }

    /// Goes on only with values of the inputs for which two words compare so.
    ///
    /// # Errors
    /// There are none; or as [`Self::compares_words`].
    pub(in crate::system) fn assume_compares(
        &mut self,
        op: IntCmp,
        width: u32,
        words: [Value; 2],
    ) -> Result<(), StepEnd> {
        if self.compares_words(op, width, words)? { Ok(()) } else { Err(StepEnd::Pruned) }
    }
}
