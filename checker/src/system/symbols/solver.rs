//! Whether conditions that relate inputs can be met together, and the values that they leave.
//!
//! A group of symbols is translated to bit-vectors, and a SAT solver decides ([`rmc_formula`]). The same few
//! formulas are asked for in many states: the terms, the clauses and what the solver has learned of them are
//! kept, and answers are cached by the group, with its symbols numbered from 0.

use rmc_formula::{Answer, Least, Session, TermId, Terms};

use super::combination::{Combination, CombinationKind, Operand};
use super::operation::{Operation, OperationKind};
use super::ranges::{Ranges, two_complement};
use super::table::{Entry, SymbolTable};
use crate::halt::Halt;
use crate::hash::FxHashMap;
use crate::ir::instr::IntCmp;
use crate::ir::int_term;
use crate::ir::symbol::Symbol;
use crate::ir::value::mask;

/// Decides conditions on groups of symbols.
#[derive(Default)]
pub struct RelationSolver {
    /// Made when the first group is decided: most programs have none.
    solver: Option<Box<Solver>>,
    known: FxHashMap<Box<[u64]>, bool>,
    /// The values of symbols that were found, by the group and the symbol's place in it. A step is run once
    /// for each of them.
    lists: FxHashMap<(Box<[u64]>, usize), Vec<u64>>,
}

#[derive(Default)]
struct Solver {
    terms: Terms,
    session: Session,
}

/// Answers that are kept before all are forgotten.
const MOST_KNOWN: usize = 1 << 16;

/// Lists of values that are kept before all are forgotten.
const MOST_LISTS: usize = 64;

/// Terms that are kept before the solver begins anew.
const MOST_TERMS: usize = 1 << 20;

/// The conflicts of a query that looks for a simple value. Of a product of inputs the simplest value may be
/// hard to find, and one value is as good as another.
const MOST_CONFLICTS: u32 = 2_000;

/// A group as terms.
struct Translated {
    /// The term of each symbol.
    terms: FxHashMap<Symbol, TermId>,
    /// All that is known of them: each term holds.
    conditions: Vec<TermId>,
}

impl RelationSolver {
    /// True if the symbols of a [group](SymbolTable::group) have values together. `None`: it was halted
    /// before that was known.
    pub fn is_satisfiable(&mut self, table: &SymbolTable, group: &[Symbol], halt: &Halt) -> Option<bool> {
        let key = table.encoded_group(group);
        if let Some(&known) = self.known.get(&key[..]) {
            return Some(known);
        }
        let solver = self.solver(halt);
        let Translated { conditions, .. } = translated(&mut solver.terms, table, group);
        let answer = match solver.session.check(&solver.terms, &conditions) {
            Answer::Sat => true,
            Answer::Unsat => false,
            Answer::Interrupted => return None,
        };
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        self.known.insert(key.into(), answer);
        Some(answer)
    }

    /// All values of a symbol of a group, ascending. `None`: they are more than `most`, or it was halted
    /// before they were known.
    pub fn values(
        &mut self,
        table: &SymbolTable,
        group: &[Symbol],
        symbol: Symbol,
        most: usize,
        halt: &Halt,
    ) -> Option<Vec<u64>> {
        let place = group.iter().position(|&other| other == symbol).expect("the group has the symbol");
        let key = (table.encoded_group(group).into(), place);
        if let Some(known) = self.lists.get(&key) {
            return (known.len() <= most).then(|| known.clone());
        }
        let values = self.found_values(table, group, symbol, most, halt)?;
        if self.lists.len() >= MOST_LISTS {
            self.lists.clear();
        }
        self.lists.insert(key, values.clone());
        Some(values)
    }

    fn found_values(
        &mut self,
        table: &SymbolTable,
        group: &[Symbol],
        symbol: Symbol,
        most: usize,
        halt: &Halt,
    ) -> Option<Vec<u64>> {
        let solver = self.solver(halt);
        let Translated { terms, mut conditions } = translated(&mut solver.terms, table, group);
        let (term, width) = (terms[&symbol], table.width(symbol));
        let mut values = Vec::new();
        let from = conditions.len();
        loop {
            match solver.session.least(&mut solver.terms, term, &conditions) {
                Least::Value(value) => {
                    if values.len() == most {
                        return None;
                    }
                    let value = value as u64;
                    values.push(value);
                    if value == mask(width) {
                        return Some(values);
                    }
                    let last = solver.terms.constant(value.into(), width);
                    conditions.truncate(from);
                    conditions.push(solver.terms.ult(last, term));
                }
                Least::Unsat => return Some(values),
                Least::Interrupted => return None,
            }
        }
    }

    /// The value of a symbol of a group that is nearest to 0 as a signed number, of two the positive one; any
    /// value if that is hard to find, or it is halted before. The group has values.
    pub fn simplest(&mut self, table: &SymbolTable, group: &[Symbol], symbol: Symbol, halt: &Halt) -> u64 {
        self.solver(halt).session.set_conflict_limit(Some(MOST_CONFLICTS));
        let nearest = self.nearest(table, group, symbol, halt);
        self.solver(halt).session.set_conflict_limit(None);
        nearest.unwrap_or_else(|| self.some_value(table, group, symbol))
    }

    fn some_value(&mut self, table: &SymbolTable, group: &[Symbol], symbol: Symbol) -> u64 {
        // It was found before that there is one.
        let solver = self.solver(&Halt::default());
        let Translated { terms, conditions } = translated(&mut solver.terms, table, group);
        let answer = solver.session.check(&solver.terms, &conditions);
        assert_eq!(answer, Answer::Sat, "a symbol of a group has a value");
        solver.session.value(&solver.terms, terms[&symbol]) as u64
    }

    /// [`Self::simplest`]. `None`: it was halted before that was known.
    fn nearest(&mut self, table: &SymbolTable, group: &[Symbol], symbol: Symbol, halt: &Halt) -> Option<u64> {
        let solver = self.solver(halt);
        let Translated { terms, mut conditions } = translated(&mut solver.terms, table, group);
        let (term, width) = (terms[&symbol], table.width(symbol));
        let half = if width == 1 { 1 } else { mask(width - 1) };
        // The magnitude of negative numbers is that of their complement, but for one.
        let ends = [Ranges::from_to(0, half), two_complement(-i128::from(half) - 1, -1, width)];
        let complement = solver.terms.not(term);
        let from = conditions.len();
        let mut least = |numbers: &Ranges, term: TermId| {
            conditions.truncate(from);
            conditions.push(within(&mut solver.terms, terms[&symbol], width, numbers));
            match solver.session.least(&mut solver.terms, term, &conditions) {
                Least::Value(value) => Some(Some(value as u64)),
                Least::Unsat => Some(None),
                Least::Interrupted => None,
            }
        };
        let positive = least(&ends[0], term)?;
        if width == 1 || positive == Some(0) {
            return positive;
        }
        let negative = least(&ends[1], complement)?.map(|complement| !complement & mask(width));
        Some(match (positive, negative) {
            (Some(positive), Some(negative)) if positive <= negative.wrapping_neg() & mask(width) => positive,
            (Some(positive), None) => positive,
            (_, Some(negative)) => negative,
            (None, None) => unreachable!("a symbol of a group has a value"),
        })
    }

    fn solver(&mut self, halt: &Halt) -> &mut Solver {
        if self.solver.as_ref().is_some_and(|solver| solver.terms.len() > MOST_TERMS) {
            self.solver = None;
        }
        let solver = self.solver.get_or_insert_default();
        let halt = halt.clone();
        solver.session.interrupt_when(move || halt.reason().is_some());
        solver
    }
}

fn translated(terms: &mut Terms, table: &SymbolTable, group: &[Symbol]) -> Translated {
    let mut translated = Translated { terms: FxHashMap::default(), conditions: Vec::new() };
    let same = equal_inputs(table, group);
    for (number, &symbol) in (0..).zip(group) {
        let width = table.width(symbol);
        let (term, kept) = match table.entry(symbol) {
            Entry::Input { values, .. } => {
                let term = match same.get(&symbol) {
                    Some(other) => translated.terms[other],
                    None => terms.variable(variable(number, width), width),
                };
                (term, Some(values))
            }
            Entry::Result { of, operation, within } => {
                (result(terms, *operation, translated.terms[of]), within.as_ref())
            }
            Entry::Combined { combination, within } => {
                let operands = combination.operands.map(|operand| match operand {
                    Operand::Symbol(symbol) => translated.terms[&symbol],
                    Operand::Constant(constant) => terms.constant(constant.into(), combination.width),
                });
                (combined(terms, combination, operands), within.as_ref())
            }
        };
        translated.terms.insert(symbol, term);
        if let Some(kept) = kept {
            translated.conditions.push(within(terms, term, width, kept));
        }
    }
    translated
}

/// Inputs that are known to be equal to one before them in the group. They have its term, so that what
/// follows from that is often seen without search.
fn equal_inputs(table: &SymbolTable, group: &[Symbol]) -> FxHashMap<Symbol, Symbol> {
    let mut same: FxHashMap<Symbol, Symbol> = FxHashMap::default();
    for &symbol in group {
        let Some(Combination { kind, operands, .. }) = table.combination(symbol) else { continue };
        let [Operand::Symbol(left), Operand::Symbol(right)] = operands else { continue };
        let is_equality = kind == CombinationKind::Compares(IntCmp::Eq) && table.value(symbol) == Some(1);
        if is_equality && table.is_input(left) && table.is_input(right) {
            let [left, right] = [left, right].map(|input| same.get(&input).copied().unwrap_or(input));
            let (first, other) = (left.min(right), left.max(right));
            same.values_mut().filter(|first| **first == other).for_each(|known| *known = first);
            same.extend((first != other).then_some((other, first)));
        }
    }
    same
}

/// The number of the variable of the symbol at a place of a group: one for each width.
const fn variable(place: u32, width: u32) -> u32 {
    place << 7 | width
}

/// The term that a term is one of these numbers.
fn within(terms: &mut Terms, term: TermId, width: u32, numbers: &Ranges) -> TermId {
    let mut any = terms.boolean(false);
    for &(low, high) in numbers.ranges() {
        let [low, high] = [low, high].map(|end| terms.constant(end.into(), width));
        let (from, to) = (terms.ule(low, term), terms.ule(term, high));
        let both = terms.and(from, to);
        any = terms.or(any, both);
    }
    any
}

/// The term of [`Operation::apply`].
fn result(terms: &mut Terms, Operation { kind, from, to }: Operation, operand: TermId) -> TermId {
    let mut constant = |number: u64| terms.constant(number.into(), from);
    match kind {
        OperationKind::Add(summand) => {
            let summand = constant(summand);
            terms.add(operand, summand)
        }
        OperationKind::Not => terms.not(operand),
        OperationKind::Multiply(factor) => {
            let factor = constant(factor);
            terms.mul(operand, factor)
        }
        OperationKind::Divide(divisor) if divisor.is_power_of_two() => {
            let by = constant(divisor.trailing_zeros().into());
            terms.lshr(operand, by)
        }
        OperationKind::Divide(divisor) => {
            let divisor = constant(divisor);
            terms.udiv(operand, divisor)
        }
        OperationKind::Remainder(divisor) if divisor.is_power_of_two() => {
            let bits = constant(divisor - 1);
            terms.and(operand, bits)
        }
        OperationKind::Remainder(divisor) => {
            let divisor = constant(divisor);
            terms.urem(operand, divisor)
        }
        OperationKind::ZeroExtend => terms.zero_extend(operand, to),
        OperationKind::SignExtend => terms.sign_extend(operand, to),
        OperationKind::Truncate => terms.extract(operand, 0, to),
    }
}

/// The term of [`Combination::apply`].
fn combined(terms: &mut Terms, combination: &Combination, [a, b]: [TermId; 2]) -> TermId {
    match combination.kind {
        CombinationKind::Arithmetic(op) => {
            int_term::binary(terms, op, a, b).expect("saturating arithmetic is made of others")
        }
        CombinationKind::Compares(IntCmp::Eq) => terms.eq(a, b),
        CombinationKind::Compares(IntCmp::Ult) => terms.ult(a, b),
        CombinationKind::Compares(_) => terms.slt(a, b),
        CombinationKind::Overflows(op) => int_term::overflows(terms, op, a, b),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ir::instr::IntOp;
    use crate::system::symbols::table::Condition;

    const WIDTH: u32 = 3;

    fn table_of(ranges: [(u64, u64); 2]) -> (SymbolTable, [Operand; 2]) {
        let mut table = SymbolTable::default();
        let inputs = ranges.map(|(low, high)| table.input(WIDTH, Ranges::from_to(low, high)).expect("there is room"));
        (table, inputs.map(Operand::Symbol))
    }

    /// The results of a combination for all numbers with which it is made, by enumeration.
    fn enumerated(combination: &Combination, [left, right]: [(u64, u64); 2]) -> Option<Vec<u64>> {
        let pairs = (left.0..=left.1).flat_map(|left| (right.0..=right.1).map(move |right| (left, right)));
        let mut results = pairs.map(|(left, right)| combination.apply(left, right)).collect::<Option<Vec<_>>>()?;
        results.sort_unstable();
        results.dedup();
        Some(results)
    }

    #[test]
    fn the_values_of_every_combination_are_those_found_by_enumeration() {
        let mut solver = RelationSolver::default();
        let ranges = [(0, 7), (1, 2), (3, 6), (4, 4)];
        for (kind, left) in CombinationKind::ALL.into_iter().flat_map(|kind| ranges.map(|left| (kind, left))) {
            for right in ranges {
                let (mut table, operands) = table_of([left, right]);
                let combination = Combination::new(kind, WIDTH, operands);
                let Some(expected) = enumerated(&combination, [left, right]) else { continue };
                let symbol = table.combined(combination).expect("there is room");
                let group = table.group(symbol).expect("a combination is in a group");
                let values = solver.values(&table, &group, symbol, 8, &Halt::default());
                assert_eq!(values.as_ref(), Some(&expected), "{kind:?} of {left:?} and {right:?}");
                let signed = |&value: &u64| i128::from(crate::ir::value::signed(value, combination.result_width()));
                let simplest = expected.iter().copied().min_by_key(|value| (signed(value).abs(), signed(value) < 0));
                assert_eq!(Some(solver.simplest(&table, &group, symbol, &Halt::default())), simplest, "{kind:?}");
                let too_few = expected.len() - 1;
                assert_eq!(solver.values(&table, &group, symbol, too_few, &Halt::default()), None);
            }
        }
    }

    proptest! {
        /// Two conditions on sums and products of three inputs can be met together if some numbers do.
        #[test]
        fn conditions_are_decided_as_by_enumeration(
            ranges in prop::array::uniform3((0_u64..8, 0_u64..8)),
            kinds in prop::array::uniform2(0..3_usize),
            numbers in prop::array::uniform2((0_u64..8, 0_u64..8)),
            divisor in 1_u64..8,
        ) {
            let sorted = |(a, b): (u64, u64)| (a.min(b), a.max(b));
            let (ranges, numbers) = (ranges.map(sorted), numbers.map(sorted));
            let ops = [IntOp::Add, IntOp::Mul, IntOp::Xor];
            let mut table = SymbolTable::default();
            let inputs = ranges.map(|(low, high)| table.input(WIDTH, Ranges::from_to(low, high)).expect("there is room"));
            let combine = |table: &mut SymbolTable, kind: usize, operands: [Symbol; 2]| {
                let operands = operands.map(Operand::Symbol);
                let combination = Combination::new(CombinationKind::Arithmetic(ops[kind]), WIDTH, operands);
                table.combined(combination).expect("there is room")
            };
            let first = combine(&mut table, kinds[0], [inputs[0], inputs[1]]);
            let rest = Operation { kind: OperationKind::Remainder(divisor), from: WIDTH, to: WIDTH };
            let rest = table.result(first, rest).expect("there is room");
            let second = combine(&mut table, kinds[1], [rest, inputs[2]]);
            for (symbol, (low, high)) in [first, second].into_iter().zip(numbers) {
                table.narrow(Condition { symbol, values: Ranges::from_to(low, high) });
            }
            let apply = |kind: usize, a: u64, b: u64| match ops[kind] {
                IntOp::Add => (a + b) & 7,
                IntOp::Mul => (a * b) & 7,
                _ => a ^ b,
            };
            let all = |at: usize| ranges[at].0..=ranges[at].1;
            let is_met = |a: u64, b: u64, c: u64| {
                let first = apply(kinds[0], a, b);
                let second = apply(kinds[1], first % divisor, c);
                let is_in = |value: u64, (low, high): (u64, u64)| low <= value && value <= high;
                is_in(first, numbers[0]) && is_in(second, numbers[1])
            };
            let expected = all(0).any(|a| all(1).any(|b| all(2).any(|c| is_met(a, b, c))));
            let mut solver = RelationSolver::default();
            let group = table.group(inputs[2]).expect("conditions link it");
            for _ in 0..2 {
                prop_assert_eq!(solver.is_satisfiable(&table, &group, &Halt::default()), Some(expected));
            }
        }
    }
}
