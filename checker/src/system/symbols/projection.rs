//! Inputs that nothing but conditions refers to are given up, where what their conditions say of other inputs
//! can be said without them.
//!
//! That can be done where all conditions on an input bound its differences from others, as those between
//! times do: if `y - x <= a` and `x - z <= b` for some whole number `x`, then `y - z <= a + b`; and where
//! this holds for all bounds from below and above, those by constants among them, there is such a number.
//! (This is Fourier's and Motzkin's elimination, which is exact for whole numbers if all coefficients are 1
//! or -1.) So a loop that reads a clock until its time has come has finitely many states: times that were
//! read before are gone.
//!
//! Tests: below, against enumeration; `tests/programs/libc/clocks_pass.c`.

use super::combination::{Combination, CombinationKind, Operand};
use super::differences::{Difference, Relation};
use super::operation::{Operation, OperationKind};
use super::ranges::Ranges;
use super::table::{Condition, Entry, SymbolTable};
use crate::ir::instr::IntCmp;
use crate::ir::symbol::Symbol;
use crate::ir::value::mask;

/// The conditions that take the place of those on an input.
#[derive(Debug, Default)]
struct Replacement {
    bounds: Vec<Difference>,
    ranges: Vec<(Symbol, i128, i128)>,
}

impl SymbolTable {
    /// Gives up inputs on which none of these symbols depends. True if there were any.
    pub fn project(&mut self, found: &[Symbol]) -> bool {
        if !self.symbols().any(|symbol| self.is_narrowed(symbol)) {
            return false;
        }
        let needed = self.closure(found);
        let mut has_changed = false;
        let inputs = self.symbols().filter(|&symbol| self.is_input(symbol) && !needed.contains(&symbol));
        for input in inputs.collect::<Vec<_>>() {
            let is_on_it = |&symbol: &Symbol| self.is_narrowed(symbol) && self.closure(&[symbol]).contains(&input);
            let conditions: Vec<Symbol> = self.symbols().filter(is_on_it).collect();
            let replacement = if conditions.is_empty() { None } else { self.without(input, &conditions) };
            if let Some(replacement) = replacement {
                conditions.iter().for_each(|&condition| self.give_up(condition));
                self.add_all(&replacement);
                has_changed = true;
            }
        }
        has_changed
    }

    /// The consequences of the conditions on an input for others. `None`: they are of other kinds, or the
    /// result cannot be written.
    fn without(&self, input: Symbol, conditions: &[Symbol]) -> Option<Replacement> {
        let (mut bounds, mut differences) = (Vec::new(), Vec::new());
        for &condition in conditions {
            match self.relation(condition)? {
                Relation::Bounds(of_it) => bounds.extend(of_it),
                Relation::Differs { left, right, by } => differences.push((left, right, by)),
            }
        }
        for (left, right, by) in differences {
            exclude(&mut bounds, left, right, by)?;
        }
        let (low, high) = self.hull(input).filter(|_| self.values(input).ranges().len() == 1)?;
        let mut replacement = Replacement::default();
        for &Difference { left, right, most } in &bounds {
            match (left == input, right == input) {
                (true, false) => replacement.ranges.push((right, low - most, i128::MAX)),
                (false, true) => replacement.ranges.push((left, i128::MIN, high + most)),
                _ => return None,
            }
        }
        let lower = bounds.iter().filter(|bound| bound.right == input);
        for (lower, upper) in
            lower.flat_map(|one| bounds.iter().filter(|two| two.left == input).map(move |two| (one, two)))
        {
            let bound = Difference { left: lower.left, right: upper.right, most: lower.most + upper.most };
            if bound.left != bound.right && !self.is_implied(bound) {
                self.comparison(bound)?;
                replacement.bounds.push(bound);
            }
        }
        Some(replacement)
    }

    fn add_all(&mut self, replacement: &Replacement) {
        for &(input, low, high) in &replacement.ranges {
            let low = u64::try_from(low.max(0)).expect("an input has values");
            let high = u64::try_from(high.min(mask(self.width(input)).into())).expect("an input has values");
            let values = self.values(input).and(&Ranges::from_to(low, high));
            self.narrow(Condition { symbol: input, values });
        }
        for &bound in &replacement.bounds {
            let same = |symbol: &Symbol| match self.relation(*symbol) {
                Some(Relation::Bounds(of_it)) if of_it.len() == 1 => {
                    of_it[0].left == bound.left && of_it[0].right == bound.right
                }
                _ => false,
            };
            let known: Vec<Symbol> = self.symbols().filter(same).collect();
            let is_weaker = |symbol: Symbol| match self.relation(symbol) {
                Some(Relation::Bounds(of_it)) => of_it[0].most > bound.most,
                _ => false,
            };
            if !known.iter().all(|&symbol| is_weaker(symbol)) {
                continue;
            }
            known.iter().for_each(|&symbol| self.give_up(symbol));
            let [left, right] = self.comparison(bound).expect("it was possible before").map(|(symbol, plus)| {
                let width = self.width(symbol);
                let sum = Operation { kind: OperationKind::Add(plus), from: width, to: width };
                if plus == 0 { symbol } else { self.result(symbol, sum).expect("there is room for a symbol") }
            });
            let width = self.width(left);
            let below = Combination::new(
                CombinationKind::Compares(IntCmp::Ult),
                width,
                [Operand::Symbol(right), Operand::Symbol(left)],
            );
            let symbol = self.combined(below).expect("there is room for a symbol");
            self.narrow(Condition { symbol, values: Ranges::from_to(0, 0) });
        }
    }

    fn give_up(&mut self, condition: Symbol) {
        if let Entry::Result { within, .. } | Entry::Combined { within, .. } =
            &mut self.entries[usize::from(condition.0)]
        {
            *within = None;
        }
    }

    /// True if the ranges of both inputs say as much.
    fn is_implied(&self, Difference { left, right, most }: Difference) -> bool {
        match (self.hull(left), self.hull(right)) {
            (Some((_, high)), Some((low, _))) => high - low <= most,
            _ => false,
        }
    }

    /// Two inputs with constants added that do not wrap, the first of which is not above the second exactly
    /// if a difference is bounded so. `None`: a sum would wrap, or there is no room.
    fn comparison(&self, Difference { left, right, most }: Difference) -> Option<[(Symbol, u64); 2]> {
        // Two sums and a comparison for each pair of bounds, which are few.
        const ROOM: usize = 64;
        let widths_differ = self.width(left) != self.width(right);
        if widths_differ || self.len() + ROOM > Symbol::MOST {
            return None;
        }
        let (of, plus) = if most < 0 { (left, -most) } else { (right, most) };
        if self.hull(of)?.1 + plus > i128::from(mask(self.width(of))) {
            return None;
        }
        let plus = u64::try_from(plus).ok()?;
        Some(if most < 0 { [(left, plus), (right, 0)] } else { [(left, 0), (right, plus)] })
    }
}

/// Makes a bound of the difference of two inputs sharper, since they do not differ by `by`. `None`: no bound
/// is there that says on which side of it the difference is.
fn exclude(bounds: &mut [Difference], left: Symbol, right: Symbol, by: i128) -> Option<()> {
    for (left, right, by) in [(left, right, by), (right, left, -by)] {
        let same = bounds.iter_mut().filter(|bound| bound.left == left && bound.right == right);
        if let Some(sharpest) = same.min_by_key(|bound| bound.most).filter(|bound| bound.most <= by) {
            sharpest.most = sharpest.most.min(by - 1);
            return Some(());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ir::instr::IntOp;
    use crate::system::symbols::combination::CombinationKind::Compares;

    const WIDTH: u32 = 8;
    const INPUTS: usize = 4;
    const ALL: u64 = 6;

    /// A comparison of two inputs, by number, with constants added: its kind, and whether it holds; or a
    /// bound of their difference.
    type Stated = (usize, u64, usize, u64, usize, bool);

    fn stated() -> impl Strategy<Value = Stated> {
        (0..INPUTS, 0..4_u64, 0..INPUTS, 0..4_u64, 0..5_usize, any::<bool>())
    }

    fn table_of(conditions: &[Stated]) -> SymbolTable {
        let mut table = SymbolTable::default();
        let inputs = [(); INPUTS].map(|()| table.input(WIDTH, Ranges::from_to(1, ALL)).expect("there is room"));
        for &(left, a, right, b, kind, holds) in conditions {
            let operands = [(left, a), (right, b)].map(|(input, plus)| {
                let sum = Operation { kind: OperationKind::Add(plus), from: WIDTH, to: WIDTH };
                let symbol = if plus == 0 { inputs[input] } else { table.result(inputs[input], sum).expect("room") };
                Operand::Symbol(symbol)
            });
            let kinds = [IntCmp::Eq, IntCmp::Ult, IntCmp::Slt];
            let subtracts = CombinationKind::Arithmetic(IntOp::Sub);
            let of_kind = kinds.get(kind).map_or(subtracts, |&kind| Compares(kind));
            let symbol = table.combined(Combination::new(of_kind, WIDTH, operands)).expect("there is room");
            let holding = match kind {
                3 => Ranges::from_to(0, a),
                4 => Ranges::union_of(vec![(0, a), (256 - ALL, 255)]),
                _ => Ranges::from_to(1, 1),
            };
            let most = mask(table.width(symbol));
            let values = table.values(symbol).and(&if holds { holding } else { holding.complement(most) });
            table.narrow(Condition { symbol, values });
        }
        table
    }

    /// The values of all symbols where the inputs have these.
    fn values_with(table: &SymbolTable, inputs: [u64; INPUTS]) -> Vec<u64> {
        let mut values: Vec<u64> = Vec::new();
        for symbol in table.symbols() {
            values.push(match (table.origin(symbol), table.combination(symbol)) {
                (Some((of, operation)), _) => operation.apply(values[usize::from(of.0)]),
                (_, Some(combination)) => {
                    let [left, right] = combination.operands.map(|operand| match operand {
                        Operand::Symbol(symbol) => values[usize::from(symbol.0)],
                        Operand::Constant(constant) => constant,
                    });
                    combination.apply(left, right).expect("comparisons and differences have results")
                }
                _ => inputs[usize::from(symbol.0)],
            });
        }
        values
    }

    /// True if the inputs may have these values.
    fn is_met(table: &SymbolTable, inputs: [u64; INPUTS]) -> bool {
        table.symbols().zip(values_with(table, inputs)).all(|(symbol, value)| {
            let is_possible = !table.is_input(symbol) || table.values(symbol).contains(value);
            is_possible && table.kept_values(symbol).is_none_or(|kept| kept.contains(value))
        })
    }

    fn all() -> impl Iterator<Item = [u64; INPUTS]> {
        (0..(ALL + 1).pow(INPUTS as u32)).map(|number| [0, 1, 2, 3].map(|at| number / (ALL + 1).pow(at) % (ALL + 1)))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, max_global_rejects: 10_000, ..ProptestConfig::default() })]

        /// The first two inputs may have the same values, whatever those of the others are.
        #[test]
        fn what_is_left_says_the_same_of_other_inputs(conditions in prop::collection::vec(stated(), 0..6)) {
            let before = table_of(&conditions);
            prop_assume!(all().any(|inputs| is_met(&before, inputs)));
            let differences = |table: &SymbolTable, symbol| match table.combination(symbol) {
                Some(Combination { kind: CombinationKind::Arithmetic(IntOp::Sub), .. }) => Some(table.values(symbol)),
                _ => None,
            };
            for inputs in all().filter(|&inputs| is_met(&before, inputs)) {
                let values = values_with(&before, inputs);
                let differences = before.symbols().map(|symbol| differences(&before, symbol));
                let mut known = differences.zip(&values).filter_map(|(numbers, value)| Some((numbers?, *value)));
                prop_assert!(known.all(|(numbers, value)| numbers.contains(value)));
            }
            let mut after = before.clone();
            after.settle();
            after.project(&[Symbol(0), Symbol(1)]);
            let pairs = |table: &SymbolTable| -> std::collections::BTreeSet<_> {
                all().filter(|&inputs| is_met(table, inputs)).map(|inputs| (inputs[0], inputs[1])).collect()
            };
            prop_assert_eq!(pairs(&before), pairs(&after));
        }
    }

    #[test]
    fn a_chain_of_times_becomes_a_bound_between_its_ends() {
        let mut table = table_of(&[(0, 0, 2, 0, 1, true), (2, 0, 3, 0, 1, true), (3, 0, 1, 0, 1, true)]);
        assert!(table.project(&[Symbol(0), Symbol(1)]));
        let kept: Vec<_> = table.symbols().filter(|&symbol| table.is_narrowed(symbol)).collect();
        let [kept] = kept[..] else { panic!("there is one condition: {kept:?}") };
        let Some(Relation::Bounds(bounds)) = table.relation(kept) else { panic!("it is a bound") };
        assert_eq!(bounds, [Difference { left: Symbol(0), right: Symbol(1), most: -3 }]);
    }

    #[test]
    fn what_is_no_difference_stays() {
        let mut table = table_of(&[(0, 0, 2, 0, 0, false)]);
        let before = table.clone();
        assert!(!table.project(&[Symbol(0), Symbol(1)]));
        assert_eq!(table, before);
    }
}
