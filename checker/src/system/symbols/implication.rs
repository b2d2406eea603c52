//! Implication between the conditions of two tables of symbols.
//!
//! Two tables may be compared if their first symbols are the same but for conditions: the *prefix*. These are
//! the symbols that a state refers to, and what they are made of. The symbols behind it are there for their
//! conditions only. A table implies another one if all numbers that the inputs of the prefix may have
//! according to the first one are numbers that they may have according to the other.
//!
//! The symbols of the other table are looked for in the first one, where they are added if they are not
//! there. Inputs behind the prefix are existentially quantified: it is enough that some numbers meet the
//! conditions of the other table, and the numbers of the first table's own inputs are tried, each for the
//! input with the same place behind the prefix. Then each condition of the other table has to follow:
//!
//! 1. from the ranges that the same symbol has in the first table, or else
//! 2. because the first table and the complement of the condition cannot be met together, as ranges or a
//!    solver show.
//!
//! The answer "implies" is always right. The other one may be wrong where inputs are quantified, where the
//! solver is not asked ([`is_hard`]), and where it is halted.
//!
//! Tests: below, against enumeration.

use super::combination::{Combination, CombinationKind, Operand};
use super::operation::{Operation, OperationKind};
use super::ranges::Ranges;
use super::solver::RelationSolver;
use super::table::{Condition, Entry, SymbolTable};
use crate::halt::Halt;
use crate::ir::instr::IntOp;
use crate::ir::symbol::Symbol;
use crate::ir::value::mask;

/// The width in bits of products and quotients about which the solver is asked, at most. It may take hours to
/// find out that two products of wide numbers are equal.
const EASY: u32 = 8;

impl SymbolTable {
    /// The first symbols of the table without their conditions.
    #[must_use]
    pub fn without_conditions(&self, prefix: usize) -> Self {
        Self { entries: self.entries[..prefix].iter().map(bare).collect() }
    }

    /// The number of symbols that some symbols and all that they are made of are, if these are the first ones
    /// of the table.
    #[must_use]
    pub fn prefix_with(&self, symbols: &[Symbol]) -> Option<usize> {
        let members = self.closure(symbols);
        let are_first = members.iter().zip(self.symbols()).all(|(member, symbol)| *member == symbol);
        are_first.then_some(members.len())
    }

    /// The values that an entry keeps, if it keeps any.
    fn kept(&self, symbol: Symbol) -> Option<&Ranges> {
        match self.entry(symbol) {
            Entry::Input { values, .. } => Some(values),
            Entry::Result { within, .. } | Entry::Combined { within, .. } => within.as_ref(),
        }
    }

    /// The symbol here for each symbol of another table with the same prefix. `None`: there is none for some
    /// input, the prefix differs, or there are too many symbols.
    fn add_symbols_of(&mut self, other: &Self, prefix: usize) -> Option<Vec<Symbol>> {
        let is_same = |(own, others): (&Entry, &Entry)| bare(own) == bare(others);
        if self.len().min(other.len()) < prefix || !self.entries.iter().zip(&other.entries).take(prefix).all(is_same) {
            return None;
        }
        let mut names: Vec<Symbol> = self.symbols().take(prefix).collect();
        let own = self.symbols().skip(prefix).filter(|&symbol| self.is_input(symbol)).collect::<Vec<_>>();
        let mut inputs = own.into_iter();
        for entry in &other.entries[prefix..] {
            let named = |symbol: Symbol| names[usize::from(symbol.0)];
            let name = match *entry {
                Entry::Input { width, .. } => inputs.next().filter(|&input| self.width(input) == width),
                Entry::Result { of, operation, .. } => self.result(named(of), operation),
                Entry::Combined { combination, .. } => {
                    self.combined(combination.renamed(|symbol| Operand::Symbol(named(symbol))))
                }
            };
            names.push(name?);
        }
        Some(names)
    }
}

/// An entry without its condition.
fn bare(entry: &Entry) -> Entry {
    match *entry {
        Entry::Input { width, .. } => Entry::Input { width, values: Ranges::NONE },
        Entry::Result { of, operation, .. } => Entry::Result { of, operation, within: None },
        Entry::Combined { combination, .. } => Entry::Combined { combination, within: None },
    }
}

/// True if the solver is not to be asked about a symbol.
fn is_hard(table: &SymbolTable, symbol: Symbol) -> bool {
    use IntOp::{Mul, SDiv, SRem, UDiv, URem};
    match *table.entry(symbol) {
        Entry::Combined { combination: Combination { kind, width, .. }, .. } => {
            matches!(kind, CombinationKind::Arithmetic(Mul | UDiv | SDiv | URem | SRem) | CombinationKind::Overflows(_))
                && width > EASY
        }
        Entry::Result { operation: Operation { kind, from, .. }, .. } => match kind {
            OperationKind::Multiply(by) | OperationKind::Divide(by) | OperationKind::Remainder(by) => {
                !by.is_power_of_two() && from > EASY
            }
            _ => false,
        },
        Entry::Input { .. } => false,
    }
}

impl RelationSolver {
    /// True if the conditions of a table are known to imply those of another one with the same first `prefix`
    /// symbols.
    pub fn implies(&mut self, table: &SymbolTable, other: &SymbolTable, prefix: usize, halt: &Halt) -> bool {
        let mut both = table.clone();
        let Some(names) = both.add_symbols_of(other, prefix) else { return false };
        let conditions = || {
            let kept = names.iter().zip(other.symbols()).map(|(&name, symbol)| (name, other.kept(symbol)));
            kept.filter_map(|(name, values)| Some((name, values?)))
        };
        // Where ranges refute one condition, the solver is not asked of others.
        let is_refuted = |(symbol, values): (Symbol, &Ranges)| {
            both.members(symbol).len() == 1 && !is_within(&both.values(symbol), values)
        };
        !conditions().any(is_refuted) && conditions().all(|(symbol, values)| self.follows(&both, symbol, values, halt))
    }

    /// True if it is known that a symbol of a table can only be one of these values.
    fn follows(&mut self, table: &SymbolTable, symbol: Symbol, values: &Ranges, halt: &Halt) -> bool {
        let others = table.values(symbol).and(&values.complement(mask(table.width(symbol))));
        if others.is_empty() {
            return true;
        }
        let condition = Condition { symbol, values: others };
        if !table.is_possible(&condition) {
            return true;
        }
        let mut narrowed = table.clone();
        narrowed.narrow(condition);
        let Some(group) = narrowed.group(symbol) else { return false };
        !group.iter().any(|&member| is_hard(table, member))
            && self.is_satisfiable(&narrowed, &group, halt) == Some(false)
    }
}

/// True if each number of a set is in another one.
fn is_within(set: &Ranges, other: &Ranges) -> bool {
    set.and(other) == *set
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ir::instr::IntCmp;

    const WIDTH: u32 = 3;
    const ALL: u64 = 8;

    /// A condition on two inputs: on one of them, on its remainder, or that relates them.
    #[derive(Clone, Copy, Debug)]
    struct Stated {
        kind: usize,
        from: u64,
        to: u64,
    }

    fn stated() -> impl Strategy<Value = Stated> {
        (0..6_usize, 0..ALL, 0..ALL).prop_map(|(kind, a, b)| Stated { kind, from: a.min(b), to: a.max(b) })
    }

    impl Stated {
        fn symbol(self, table: &mut SymbolTable, [x, y]: [Symbol; 2]) -> Symbol {
            let combine = |table: &mut SymbolTable, kind| {
                table.combined(Combination::new(kind, WIDTH, [x, y].map(Operand::Symbol))).expect("there is room")
            };
            match self.kind {
                0 => x,
                1 => y,
                2 => {
                    let odd = Operation { kind: OperationKind::Remainder(2), from: WIDTH, to: WIDTH };
                    table.result(x, odd).expect("there is room")
                }
                3 => combine(table, CombinationKind::Compares(IntCmp::Ult)),
                4 => combine(table, CombinationKind::Arithmetic(IntOp::Sub)),
                _ => combine(table, CombinationKind::Arithmetic(IntOp::Xor)),
            }
        }

        fn holds(self, x: u64, y: u64) -> bool {
            let number = match self.kind {
                0 => x,
                1 => y,
                2 => x % 2,
                3 => u64::from(x < y),
                4 => x.wrapping_sub(y) % ALL,
                _ => x ^ y,
            };
            self.from <= number && number <= self.to
        }
    }

    /// Two inputs with conditions.
    fn table_of(conditions: &[Stated]) -> SymbolTable {
        let mut table = SymbolTable::default();
        let inputs = [(); 2].map(|()| table.input(WIDTH, Ranges::from_to(0, ALL - 1)).expect("there is room"));
        for condition in conditions {
            let symbol = condition.symbol(&mut table, inputs);
            let values = table.values(symbol).and(&Ranges::from_to(condition.from, condition.to));
            table.narrow(Condition { symbol, values });
        }
        table
    }

    fn met(conditions: &[Stated], x: u64, y: u64) -> bool {
        conditions.iter().all(|condition| condition.holds(x, y))
    }

    proptest! {
        /// With both inputs in the state the answer is exact; with one of them it is right if it is
        /// "implies".
        #[test]
        fn tables_imply_others_as_by_enumeration(
            one in prop::collection::vec(stated(), 0..4),
            other in prop::collection::vec(stated(), 0..3),
        ) {
            let pairs = || (0..ALL).flat_map(|x| (0..ALL).map(move |y| (x, y)));
            prop_assume!(pairs().any(|(x, y)| met(&one, x, y)) && pairs().any(|(x, y)| met(&other, x, y)));
            let mut solver = RelationSolver::default();
            let (table, wider) = (table_of(&one), table_of(&other));
            let expected = pairs().all(|(x, y)| !met(&one, x, y) || met(&other, x, y));
            prop_assert_eq!(solver.implies(&table, &wider, 2, &Halt::default()), expected);
            let some = |conditions: &[Stated], x| (0..ALL).any(|y| met(conditions, x, y));
            let expected = (0..ALL).all(|x| !some(&one, x) || some(&other, x));
            prop_assert!(expected || !solver.implies(&table, &wider, 1, &Halt::default()));
        }
    }

    #[test]
    fn only_tables_with_the_same_prefix_are_compared() {
        let mut solver = RelationSolver::default();
        let mut implies =
            |one: &SymbolTable, other: &SymbolTable, prefix| solver.implies(one, other, prefix, &Halt::default());
        let (mut one, other) = (table_of(&[]), table_of(&[]));
        assert!(implies(&one, &other, 2) && implies(&other, &one, 2));
        one.result(Symbol(0), Operation { kind: OperationKind::Not, from: WIDTH, to: WIDTH }).expect("there is room");
        assert!(implies(&one, &other, 2) && !implies(&one, &other, 3));
        let mut wider = SymbolTable::default();
        for _ in 0..2 {
            wider.input(WIDTH + 1, Ranges::from_to(0, ALL - 1)).expect("there is room");
        }
        assert!(!implies(&wider, &other, 2));
    }

    #[test]
    fn a_state_comes_first_in_its_table() {
        let mut table = table_of(&[]);
        let not = Operation { kind: OperationKind::Not, from: WIDTH, to: WIDTH };
        let not = table.result(Symbol(1), not).expect("there is room");
        assert_eq!(table.prefix_with(&[Symbol(0)]), Some(1));
        assert_eq!(table.prefix_with(&[not, Symbol(0)]), Some(3));
        assert_eq!(table.prefix_with(&[not]), None);
        assert_eq!(table.without_conditions(1).len(), 1);
    }
}
