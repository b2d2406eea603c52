//! What is kept in tables of symbols is said as simply as it can be said by now.

use super::combination::{Combination, CombinationKind, Operand};
use super::conditions::meeting;
use super::ranges::Ranges;
use super::table::{Condition, Entry, SymbolTable};
use crate::ir::symbol::Symbol;
use crate::ir::value::mask;

impl SymbolTable {
    /// Gives up kept results whose values can be said as values of their roots by now, and conditions on
    /// comparisons that are conditions on one operand. Combinations of known numbers get their values.
    pub fn settle(&mut self) {
        for symbol in self.symbols() {
            let Entry::Result { within, .. } = &mut self.entries[usize::from(symbol.0)] else { continue };
            let Some(values) = within.take() else { continue };
            match self.condition_of_root(symbol, &values) {
                Some(condition) => self.narrow(condition),
                None => self.narrow(Condition { symbol, values }),
            }
        }
        // Those that a combination is made of have lower numbers, and have their values by then.
        for symbol in self.symbols() {
            let value = self.combination(symbol).and_then(|combination| self.all_results(combination).single());
            if let (Some(value), Entry::Combined { within, .. }) = (value, &mut self.entries[usize::from(symbol.0)]) {
                *within = Some(Ranges::from_to(value, value));
            }
        }
        for symbol in self.symbols() {
            if let Some(condition) = self.settled_comparison(symbol) {
                self.narrow(condition);
                if let Entry::Combined { within, .. } = &mut self.entries[usize::from(symbol.0)] {
                    *within = None;
                }
            }
        }
    }

    /// The condition that a comparison with a known result means, if one of its operands is known by now.
    fn settled_comparison(&self, symbol: Symbol) -> Option<Condition> {
        let Combination { kind: CombinationKind::Compares(op), width, operands } = self.combination(symbol)? else {
            return None;
        };
        let holds = self.kept_values(symbol)?.single()? == 1;
        let [left, right] = operands.map(|operand| match operand {
            Operand::Symbol(symbol) => (Some(symbol), self.value(symbol)),
            Operand::Constant(constant) => (None, Some(constant)),
        });
        let (compared, numbers) = match (left, right) {
            ((Some(left), None), (_, Some(right))) => (left, meeting(op, width, right)),
            ((_, Some(left)), (Some(right), None)) => (right, meeting(op.swapped(), width, left)),
            _ => return None,
        };
        let numbers = if holds { numbers } else { numbers.complement(mask(width)) };
        self.condition(compared, &numbers)
    }
}
