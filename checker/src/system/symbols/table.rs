//! The inputs of a state that are not chosen yet: what each symbol stands for.
//!
//! The values of an input are a union of ranges. Where a condition on a result would mean too many ranges of
//! the input (the input is odd, say), the values of that result are kept instead. The values of the input
//! itself, and of its other results, are then some of those that the table has for them.
//!
//! A result is one number made of one other (`operation.rs`); a combination is made of two
//! (`combination.rs`). The *root* of a symbol is the input or combination that it is made of by results. A
//! condition is one on a root, or on a result that is kept.
//!
//! With at most one kept result of an input, and no combination, it is known exactly whether a condition can
//! be met: the image of a range under the operations that lead to the result is exact, so it is enough to see
//! whether it has one of the values. Otherwise the conditions of a [group](SymbolTable::group) are decided
//! together (`solver.rs`).

use super::combination::{Combination, CombinationKind, Operand};
use super::operation::Operation;
use super::ranges::Ranges;
use crate::ir::instr::IntOp;
use crate::ir::symbol::Symbol;
use crate::ir::value::mask;

/// The meaning of a symbol.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// Any number of these.
    Input { width: u32, values: Ranges },
    /// The result of an operation on another symbol; one of these values, if there are any.
    Result { of: Symbol, operation: Operation, within: Option<Ranges> },
    /// The result of an operation on two numbers; one of these values, if there are any.
    Combined { combination: Combination, within: Option<Ranges> },
}

/// A condition on a symbol: it is one of these values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// A root, or a result that is to be kept.
    pub symbol: Symbol,
    /// Those of its values that meet the condition.
    pub values: Ranges,
}

/// The symbols of a state, by number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SymbolTable {
    pub(super) entries: Vec<Entry>,
}

/// Ranges that the values of an input may have; keeps the table short enough to be encoded.
pub(super) const MOST_RANGES: usize = 24;

impl SymbolTable {
    /// True if there are no symbols.
    #[inline]
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The number of symbols.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.entries.len()
    }

    /// A new input of `width` bits with one of these values. `None`: there are too many symbols.
    pub fn input(&mut self, width: u32, values: Ranges) -> Option<Symbol> {
        self.add(Entry::Input { width, values })
    }

    /// The symbol of a result. `None`: there are too many symbols.
    pub fn result(&mut self, of: Symbol, operation: Operation) -> Option<Symbol> {
        let is_it = |other: &Symbol| self.origin(*other) == Some((of, operation));
        let known = self.symbols().find(is_it);
        known.or_else(|| self.add(Entry::Result { of, operation, within: None }))
    }

    /// The symbol of a combination. `None`: there are too many symbols.
    pub fn combined(&mut self, combination: Combination) -> Option<Symbol> {
        let known = self.symbols().find(|&other| self.combination(other) == Some(combination));
        known.or_else(|| self.add(Entry::Combined { combination, within: None }))
    }

    fn add(&mut self, entry: Entry) -> Option<Symbol> {
        if self.entries.len() == Symbol::MOST {
            return None;
        }
        self.entries.push(entry);
        Some(Symbol((self.entries.len() - 1) as u16))
    }

    pub(super) fn entry(&self, symbol: Symbol) -> &Entry {
        &self.entries[usize::from(symbol.0)]
    }

    /// The width of a symbol in bits.
    ///
    /// # Panics
    /// If there is no such symbol; so do the other questions about symbols.
    #[must_use]
    pub fn width(&self, symbol: Symbol) -> u32 {
        match self.entry(symbol) {
            Entry::Input { width, .. } => *width,
            Entry::Result { operation, .. } => operation.to,
            Entry::Combined { combination, .. } => combination.result_width(),
        }
    }

    /// The symbol and operation that a symbol is the result of; `None` for a root.
    #[must_use]
    pub fn origin(&self, symbol: Symbol) -> Option<(Symbol, Operation)> {
        match *self.entry(symbol) {
            Entry::Result { of, operation, .. } => Some((of, operation)),
            Entry::Input { .. } | Entry::Combined { .. } => None,
        }
    }

    /// The combination that a symbol stands for, if it does.
    #[must_use]
    pub fn combination(&self, symbol: Symbol) -> Option<Combination> {
        match *self.entry(symbol) {
            Entry::Combined { combination, .. } => Some(combination),
            Entry::Input { .. } | Entry::Result { .. } => None,
        }
    }

    /// True if a symbol is an input.
    #[must_use]
    pub fn is_input(&self, symbol: Symbol) -> bool {
        matches!(self.entry(symbol), Entry::Input { .. })
    }

    /// The values that a symbol may have, and perhaps others: see [`Self::is_exact`].
    #[must_use]
    pub fn values(&self, symbol: Symbol) -> Ranges {
        match self.entry(symbol) {
            Entry::Input { values, .. } => values.clone(),
            Entry::Result { of, operation, within } => {
                let image = operation.image(&self.values(*of));
                within.as_ref().map_or_else(|| image.clone(), |within| image.and(within))
            }
            Entry::Combined { combination, within } => {
                let all = self.all_results(*combination);
                within.as_ref().map_or_else(|| all.clone(), |within| all.and(within))
            }
        }
    }

    /// A set with all results of a combination.
    pub(super) fn all_results(&self, combination: Combination) -> Ranges {
        let [left, right] = combination.operands.map(|operand| match operand {
            Operand::Symbol(symbol) => self.stated_value(symbol),
            Operand::Constant(constant) => Some(constant),
        });
        if let Some(only) = left.zip(right).and_then(|(left, right)| combination.apply(left, right)) {
            return Ranges::from_to(only, only);
        }
        let Combination { kind, width, operands } = combination;
        let subtracts = kind == CombinationKind::Arithmetic(IntOp::Sub);
        let differences = if subtracts { self.possible_differences(width, operands) } else { None };
        differences.unwrap_or_else(|| Ranges::from_to(0, mask(combination.result_width())))
    }

    /// The value of a symbol, if the set of its root, or what is kept of it, says it. Values that follow from
    /// the operands of a combination are not looked for: that would double the work with every operation.
    fn stated_value(&self, symbol: Symbol) -> Option<u64> {
        let root = self.root_of(symbol);
        match self.entry(root) {
            Entry::Input { .. } => self.value(symbol),
            Entry::Combined { within, .. } => {
                let mut results: Vec<_> = self.behind(symbol).filter_map(|symbol| self.origin(symbol)).collect();
                results.reverse();
                let value = within.as_ref()?.single()?;
                Some(results.iter().fold(value, |value, (_, operation)| operation.apply(value)))
            }
            Entry::Result { .. } => unreachable!("a root is no result"),
        }
    }

    /// True if a symbol may have each of its [values](Self::values), as far as its own input says.
    #[must_use]
    pub fn is_exact(&self, symbol: Symbol) -> bool {
        let mut operations = self.behind(symbol).filter_map(|symbol| self.origin(symbol));
        let kept = self.kept_result(self.root_of(symbol));
        operations.all(|(_, operation)| operation.has_exact_image())
            && kept.is_none_or(|kept| self.behind(symbol).any(|behind| behind == kept))
    }

    /// A symbol, the one that it is the result of, and so on to the root.
    pub fn behind(&self, symbol: Symbol) -> impl Iterator<Item = Symbol> + '_ {
        std::iter::successors(Some(symbol), |&symbol| self.origin(symbol).map(|(of, _)| of))
    }

    /// The input or combination that a symbol is, or is made of by results.
    #[must_use]
    pub fn root_of(&self, symbol: Symbol) -> Symbol {
        self.behind(symbol).last().expect("a symbol is behind itself")
    }

    /// The first result of a root whose values are kept.
    #[must_use]
    pub fn kept_result(&self, root: Symbol) -> Option<Symbol> {
        let is_kept = |symbol: &Symbol| self.origin(*symbol).is_some() && self.is_narrowed(*symbol);
        self.symbols().filter(is_kept).find(|&symbol| self.root_of(symbol) == root)
    }

    /// True if a symbol is a result or combination of which values are kept.
    pub(super) fn is_narrowed(&self, symbol: Symbol) -> bool {
        let (Entry::Result { within, .. } | Entry::Combined { within, .. }) = self.entry(symbol) else {
            return false;
        };
        within.is_some()
    }

    /// The value of a symbol, if it can have only one.
    #[must_use]
    pub fn value(&self, symbol: Symbol) -> Option<u64> {
        self.values(symbol).single()
    }

    /// A condition under which the symbol is one of these numbers: on its root, if that has few ranges, or
    /// else on a result. `None` if there are too many ranges.
    #[must_use]
    pub fn condition(&self, symbol: Symbol, numbers: &Ranges) -> Option<Condition> {
        let of_root = self.condition_of_root(symbol, numbers);
        of_root.or_else(|| self.condition_of_result(symbol, numbers)).or_else(|| {
            let values = self.values(symbol).and(numbers);
            (values.ranges().len() <= MOST_RANGES).then_some(Condition { symbol, values })
        })
    }

    pub(super) fn condition_of_root(&self, symbol: Symbol, numbers: &Ranges) -> Option<Condition> {
        let numbers = self.values(symbol).and(numbers);
        match self.entry(symbol) {
            Entry::Input { .. } | Entry::Combined { .. } => {
                (numbers.ranges().len() <= MOST_RANGES).then_some(Condition { symbol, values: numbers })
            }
            // The values of a kept result are no ranges of the input.
            Entry::Result { within: Some(_), .. } => None,
            Entry::Result { of, operation, .. } => {
                self.condition_of_root(*of, &operation.inverse_image(&numbers, &self.values(*of))?)
            }
        }
    }

    /// The condition on the last symbol on the way to the input for which it has few ranges, if its values
    /// can be kept in the input's place.
    fn condition_of_result(&self, symbol: Symbol, numbers: &Ranges) -> Option<Condition> {
        let kept = self.kept_result(self.root_of(symbol));
        let (mut at, mut values) = (symbol, self.values(symbol).and(numbers));
        while let Some((of, operation)) = self.origin(at).filter(|_| kept != Some(at)) {
            match operation.inverse_image(&values, &self.values(of)) {
                Some(operands) if operands.ranges().len() <= MOST_RANGES => (at, values) = (of, operands),
                _ => break,
            }
        }
        let may_keep = kept.is_none_or(|kept| kept == at);
        let is_exact = self.behind(at).filter_map(|at| self.origin(at)).all(|(_, one)| one.has_exact_image());
        let is_short = values.ranges().len() <= MOST_RANGES;
        (self.origin(at).is_some() && may_keep && is_exact && is_short).then_some(Condition { symbol: at, values })
    }

    /// False if a condition cannot be met. True if it can, or if a [group](Self::group) decides that.
    #[must_use]
    pub fn is_possible(&self, condition: &Condition) -> bool {
        if condition.values.is_empty() {
            return false;
        }
        match self.kept_result(condition.symbol) {
            Some(kept) => !self.values_if(kept, condition).is_empty(),
            None => true,
        }
    }

    /// The values of a symbol where its root meets a condition.
    fn values_if(&self, symbol: Symbol, condition: &Condition) -> Ranges {
        match self.entry(symbol) {
            _ if symbol == condition.symbol => condition.values.clone(),
            Entry::Input { .. } | Entry::Combined { .. } => self.values(symbol),
            Entry::Result { of, operation, within } => {
                let image = operation.image(&self.values_if(*of, condition));
                within.as_ref().map_or_else(|| image.clone(), |within| image.and(within))
            }
        }
    }

    /// Narrows a symbol to those of its values that meet a condition.
    pub fn narrow(&mut self, condition: Condition) {
        match &mut self.entries[usize::from(condition.symbol.0)] {
            Entry::Input { values, .. } => *values = condition.values,
            Entry::Result { within, .. } | Entry::Combined { within, .. } => *within = Some(condition.values),
        }
    }

    /// A value that an input may have, if it is in no [group](Self::group).
    ///
    /// # Panics
    /// If the symbol is no input.
    #[must_use]
    pub fn example(&self, input: Symbol) -> u64 {
        let Some(kept) = self.kept_result(input) else {
            return self.values(input).simplest(self.width(input)).expect("an input has a value");
        };
        let value = self.values(kept).simplest(self.width(kept)).expect("an input has a value");
        let operations = self.behind(kept).filter_map(|symbol| self.origin(symbol));
        operations.fold(value, |value, (of, operation)| operation.operand(&self.values(of), value))
    }

    /// The values that are kept of a result or a combination.
    #[must_use]
    pub fn kept_values(&self, symbol: Symbol) -> Option<Ranges> {
        match self.entry(symbol) {
            Entry::Result { within, .. } | Entry::Combined { within, .. } => within.clone(),
            Entry::Input { .. } => None,
        }
    }

    /// The symbols, in the order of their numbers.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + use<> {
        (0..self.entries.len() as u16).map(Symbol)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::value::mask;
    use crate::system::symbols::operation::OperationKind;

    const INT: u32 = 32;

    fn plus(constant: u64) -> Operation {
        Operation { kind: OperationKind::Add(constant), from: INT, to: INT }
    }

    #[test]
    fn encoding_comes_back() {
        let mut table = SymbolTable::default();
        let input = table.input(INT, Ranges::union_of(vec![(0, 5), (9, 9)])).expect("there is room");
        table.input(8, Ranges::from_to(0, 255)).expect("there is room");
        let kinds = [
            OperationKind::Add(u64::MAX),
            OperationKind::Not,
            OperationKind::Multiply(3),
            OperationKind::Divide(4),
            OperationKind::Remainder(5),
            OperationKind::ZeroExtend,
            OperationKind::SignExtend,
            OperationKind::Truncate,
        ];
        for kind in kinds {
            table.result(input, Operation { kind, from: 32, to: 64 }).expect("there is room");
        }
        let kept = table.result(input, plus(7)).expect("there is room");
        table.narrow(Condition { symbol: kept, values: Ranges::union_of(vec![(8, 8), (10, 11)]) });
        let mut words = Vec::new();
        table.encode(&mut words);
        let mut back = SymbolTable::default();
        back.decode(&words);
        assert_eq!(back, table);
        assert_eq!(back.len(), 11);
    }

    #[test]
    fn equal_results_are_one_symbol_and_conditions_reach_the_input() {
        let mut table = SymbolTable::default();
        let input = table.input(INT, Ranges::from_to(0, 100)).expect("there is room");
        let next = table.result(input, plus(1)).expect("there is room");
        assert_eq!(table.result(input, plus(1)), Some(next));
        let after = table.result(next, plus(1)).expect("there is room");
        assert_eq!(table.values(after), Ranges::from_to(2, 102));
        let condition = table.condition(after, &Ranges::from_to(50, 1000)).expect("one range");
        assert_eq!(condition, Condition { symbol: input, values: Ranges::from_to(48, 100) });
        table.narrow(Condition { symbol: input, values: Ranges::from_to(7, 7) });
        assert_eq!(table.value(after), Some(9));
    }

    #[test]
    fn what_no_ranges_of_the_input_say_is_kept_of_a_result() {
        let mut table = SymbolTable::default();
        let input = table.input(INT, Ranges::from_to(0, mask(INT))).expect("there is room");
        let digit = Operation { kind: OperationKind::Remainder(10), from: INT, to: INT };
        let digit = table.result(input, digit).expect("there is room");
        let odd = Operation { kind: OperationKind::Remainder(2), from: INT, to: INT };
        let odd = table.result(input, odd).expect("there is room");
        let three = table.condition(digit, &Ranges::from_to(3, 3)).expect("it is kept");
        assert_eq!(three.symbol, digit);
        table.narrow(three);
        assert_eq!((table.value(digit), table.is_exact(digit), table.is_exact(input)), (Some(3), true, false));
        let even = table.condition(odd, &Ranges::from_to(0, 0)).expect("it is kept, too");
        assert_eq!((even.symbol, table.kept_result(input)), (odd, Some(digit)));
        // No number from 4 to 12 ends with 3, and one from 4 to 13 does.
        for (most, is_possible) in [(12, false), (13, true)] {
            let condition = table.condition(input, &Ranges::from_to(4, most)).expect("one range");
            assert_eq!(table.is_possible(&condition), is_possible);
        }
        let few = table.condition(input, &Ranges::from_to(0, 29)).expect("one range");
        table.narrow(few);
        table.settle();
        assert_eq!(table.values(input), Ranges::union_of(vec![(3, 3), (13, 13), (23, 23)]));
        assert_eq!(table.kept_result(input), None);
    }
}
