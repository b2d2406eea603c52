//! Symbols whose values depend on each other.

use smallvec::SmallVec;

use super::combination::{Combination, Operand};
use super::table::{Entry, SymbolTable};
use crate::ir::symbol::Symbol;

impl SymbolTable {
    /// The symbols that a symbol is made of in one step.
    pub(super) fn operands(&self, symbol: Symbol) -> SmallVec<[Symbol; 2]> {
        match self.entry(symbol) {
            Entry::Input { .. } => SmallVec::new(),
            Entry::Result { of, .. } => SmallVec::from_slice(&[*of]),
            Entry::Combined { combination, .. } => combination.symbols().collect(),
        }
    }

    /// The symbols that a symbol is made of in one step, but for those with one value.
    #[must_use]
    pub fn open_operands(&self, symbol: Symbol) -> SmallVec<[Symbol; 2]> {
        self.operands(symbol).into_iter().filter(|&operand| self.value(operand).is_none()).collect()
    }

    /// All symbols that some symbols are made of, and these themselves, in the order of their numbers: each
    /// behind those that it is made of.
    #[must_use]
    pub fn closure(&self, symbols: &[Symbol]) -> Vec<Symbol> {
        let mut found = symbols.to_vec();
        let mut next = symbols.to_vec();
        while let Some(symbol) = next.pop() {
            for operand in self.operands(symbol) {
                if !found.contains(&operand) {
                    found.push(operand);
                    next.push(operand);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The results and combinations of which values are kept that depend on the inputs of some symbols,
    /// directly or through each other.
    #[must_use]
    pub fn kept_with(&self, symbols: &[Symbol]) -> Vec<Symbol> {
        let inputs_of = |symbols: &[Symbol]| -> Vec<Symbol> {
            self.closure(symbols).into_iter().filter(|&symbol| self.is_input(symbol)).collect()
        };
        let mut inputs = inputs_of(symbols);
        let mut open: Vec<Symbol> = self.symbols().filter(|&symbol| self.is_narrowed(symbol)).collect();
        let mut kept = Vec::new();
        loop {
            let is_linked = |&symbol: &Symbol| inputs_of(&[symbol]).iter().any(|input| inputs.contains(input));
            let (linked, others): (Vec<_>, Vec<_>) = open.iter().partition(|symbol| is_linked(symbol));
            if linked.is_empty() {
                kept.sort_unstable();
                return kept;
            }
            inputs.extend(inputs_of(&linked));
            kept.extend(linked);
            open = others;
        }
    }

    /// The symbols on which it depends which values a symbol may have, in the order of their numbers. `None`:
    /// the ranges of its root, and of one kept result, say that by themselves.
    #[must_use]
    pub fn group(&self, symbol: Symbol) -> Option<Vec<Symbol>> {
        let has_combinations = || self.symbols().any(|other| self.combination(other).is_some());
        let mut narrowed = self.symbols().filter(|&other| self.is_narrowed(other));
        if narrowed.next().is_none() && !has_combinations() {
            return None;
        }
        let members = self.kept_with(&[symbol]);
        let is_plain = |&kept: &Symbol| {
            let mut operations = self.behind(kept).filter_map(|symbol| self.origin(symbol));
            self.is_input(self.root_of(kept)) && operations.all(|(_, operation)| operation.has_exact_image())
        };
        let is_alone = members.len() <= 1 && members.iter().all(is_plain);
        if is_alone && self.is_input(self.root_of(symbol)) {
            return None;
        }
        Some(self.members(symbol))
    }

    /// All symbols on which it depends which values a symbol may have, also where ranges say that.
    #[must_use]
    pub fn members(&self, symbol: Symbol) -> Vec<Symbol> {
        let mut members = self.kept_with(&[symbol]);
        members.push(symbol);
        self.closure(&members)
    }

    /// A group as a table of its own, in words: equal for groups that differ in the numbers of their symbols
    /// only.
    #[must_use]
    pub fn encoded_group(&self, group: &[Symbol]) -> Vec<u64> {
        let number = |symbol: Symbol| {
            Symbol(group.binary_search(&symbol).expect("a group has what its symbols are made of") as u16)
        };
        let entries = group.iter().map(|&symbol| match self.entry(symbol).clone() {
            Entry::Result { of, operation, within } => Entry::Result { of: number(of), operation, within },
            Entry::Combined { combination: Combination { kind, width, operands }, within } => {
                let operands = operands.map(|operand| match operand {
                    Operand::Symbol(symbol) => Operand::Symbol(number(symbol)),
                    constant @ Operand::Constant(_) => constant,
                });
                Entry::Combined { combination: Combination { kind, width, operands }, within }
            }
            input @ Entry::Input { .. } => input,
        });
        let mut words = Vec::new();
        Self { entries: entries.collect() }.encode(&mut words);
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::instr::IntCmp;
    use crate::system::symbols::combination::CombinationKind;
    use crate::system::symbols::operation::{Operation, OperationKind};
    use crate::system::symbols::ranges::Ranges;
    use crate::system::symbols::table::Condition;

    /// Four inputs of 8 bits, and whether the first is below the second and the second below the third.
    fn chain() -> (SymbolTable, [Symbol; 4], [Symbol; 2]) {
        let mut table = SymbolTable::default();
        let inputs = [(); 4].map(|()| table.input(8, Ranges::from_to(0, 255)).expect("there is room"));
        let below = [0, 1].map(|at| {
            let operands = [inputs[at], inputs[at + 1]].map(Operand::Symbol);
            let below = Combination::new(CombinationKind::Compares(IntCmp::Ult), 8, operands);
            table.combined(below).expect("there is room")
        });
        (table, inputs, below)
    }

    #[test]
    fn conditions_link_inputs_and_other_uses_do_not() {
        let (mut table, [a, b, c, d], [below, next]) = chain();
        assert_eq!(table.group(a), None);
        assert_eq!(table.group(below), Some(vec![a, b, below]));
        let holds = Ranges::from_to(1, 1);
        table.narrow(Condition { symbol: below, values: holds.clone() });
        assert_eq!((table.group(a), table.group(c)), (Some(vec![a, b, below]), None));
        table.narrow(Condition { symbol: next, values: holds });
        assert_eq!(table.group(c), Some(vec![a, b, c, below, next]));
        assert_eq!(table.group(d), None);
    }

    #[test]
    fn one_kept_result_is_decided_by_ranges_and_two_are_not() {
        let mut table = SymbolTable::default();
        let input = table.input(8, Ranges::from_to(0, 255)).expect("there is room");
        let [third, fifth] = [3, 5].map(|divisor| {
            let rest = Operation { kind: OperationKind::Remainder(divisor), from: 8, to: 8 };
            table.result(input, rest).expect("there is room")
        });
        table.narrow(Condition { symbol: third, values: Ranges::from_to(1, 1) });
        assert_eq!(table.group(input), None);
        table.narrow(Condition { symbol: fifth, values: Ranges::from_to(2, 2) });
        assert_eq!(table.group(input), Some(vec![input, third, fifth]));
    }
}
