//! Bounds on the difference of two inputs, read from the conditions on them.
//!
//! A symbol that is an input with a constant added, and wraps for none of its values, is a *sum*. Comparisons
//! of two sums, and conditions on their difference, bound the difference of the inputs.

use super::combination::{Combination, CombinationKind, Operand};
use super::operation::{Operation, OperationKind};
use super::ranges::Ranges;
use super::table::SymbolTable;
use crate::ir::instr::{IntCmp, IntOp};
use crate::ir::symbol::Symbol;
use crate::ir::value::mask;

/// A bound: `left - right <= most`, for the values of two inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Difference {
    pub left: Symbol,
    pub right: Symbol,
    pub most: i128,
}

/// The meaning of a kept condition for the difference of two inputs.
#[derive(Clone, Debug)]
pub(super) enum Relation {
    Bounds(Vec<Difference>),
    /// `left - right` is not this.
    Differs {
        left: Symbol,
        right: Symbol,
        by: i128,
    },
}

impl SymbolTable {
    /// The meaning of a kept condition, if it is one on the difference of two inputs.
    pub(super) fn relation(&self, condition: Symbol) -> Option<Relation> {
        let Combination { kind, width, operands } = self.combination(condition)?;
        let kept = self.kept_values(condition)?;
        let [Operand::Symbol(a), Operand::Symbol(b)] = operands else { return None };
        let ((left, a), (right, b)) = (self.sum(a)?, self.sum(b)?);
        if left == right {
            return None;
        }
        let op = match kind {
            CombinationKind::Compares(op) => op,
            CombinationKind::Arithmetic(IntOp::Sub) => {
                let (least, most) = self.differences_in(&kept, left, right, width, a - b)?;
                let at_most = Difference { left, right, most };
                return Some(Relation::Bounds(vec![at_most, Difference { left: right, right: left, most: -least }]));
            }
            _ => return None,
        };
        let holds = kept.single()? == 1;
        if op == IntCmp::Slt {
            let is_positive = |input, plus| Some(self.hull(input)?.1 + plus < 1 << (width - 1));
            if !is_positive(left, a)? || !is_positive(right, b)? {
                return None;
            }
        }
        let at_most = |most| Difference { left, right, most };
        let at_least = |least: i128| Difference { left: right, right: left, most: -least };
        let by = b - a;
        Some(match (op, holds) {
            (IntCmp::Eq, true) => Relation::Bounds(vec![at_most(by), at_least(by)]),
            (IntCmp::Eq, false) => Relation::Differs { left, right, by },
            (IntCmp::Ult | IntCmp::Slt, true) => Relation::Bounds(vec![at_most(by - 1)]),
            (IntCmp::Ult | IntCmp::Slt, false) => Relation::Bounds(vec![at_least(by)]),
            _ => return None,
        })
    }

    /// The numbers that the difference of two sums may be, by the ranges of two inputs and the conditions on
    /// both. `None`: nothing is known of it.
    pub(super) fn possible_differences(&self, width: u32, operands: [Operand; 2]) -> Option<Ranges> {
        let [Operand::Symbol(a), Operand::Symbol(b)] = operands else { return None };
        let ((left, a), (right, b)) = (self.sum(a)?, self.sum(b)?);
        let ((low_left, high_left), (low_right, high_right)) = (self.hull(left)?, self.hull(right)?);
        let (mut least, mut most) = (low_left - high_right, high_left - low_right);
        for condition in self.symbols().filter(|&symbol| self.is_narrowed(symbol)) {
            let Some(Relation::Bounds(bounds)) = self.relation(condition) else { continue };
            for bound in bounds {
                match (bound.left == left && bound.right == right, bound.left == right && bound.right == left) {
                    (true, _) => most = most.min(bound.most),
                    (_, true) => least = least.max(-bound.most),
                    _ => {}
                }
            }
        }
        let (least, most) = (u64::try_from(least + a - b).ok()?, u64::try_from(most + a - b).ok()?);
        (least <= most && most <= mask(width)).then(|| Ranges::from_to(least, most))
    }

    /// The least and the greatest difference of two inputs that is one of these numbers of `width` bits after
    /// `plus` is added, if all differences between them are, too.
    fn differences_in(
        &self,
        numbers: &Ranges,
        left: Symbol,
        right: Symbol,
        width: u32,
        plus: i128,
    ) -> Option<(i128, i128)> {
        let ((low_left, high_left), (low_right, high_right)) = (self.hull(left)?, self.hull(right)?);
        let (least, most) = (low_left - high_right + plus, high_left - low_right + plus);
        // A difference below 0 wraps once: the sums do not wrap, so it is less than a turn away from 0.
        let turn = 1 << width;
        let mut parts: Vec<(i128, i128)> = numbers
            .ranges()
            .iter()
            .flat_map(|&(low, high)| [-turn, 0].map(|by| (i128::from(low) + by, i128::from(high) + by)))
            .map(|(low, high)| (low.max(least), high.min(most)))
            .filter(|(low, high)| low <= high)
            .collect();
        parts.sort_unstable();
        let is_one = parts.windows(2).all(|pair| pair[0].1 + 1 == pair[1].0);
        let ends = parts.first()?.0 - plus..=parts.last()?.1 - plus;
        is_one.then(|| ends.into_inner())
    }

    /// The input and the number whose sum a symbol is, for all values of the input.
    fn sum(&self, symbol: Symbol) -> Option<(Symbol, i128)> {
        let root = self.root_of(symbol);
        if !self.is_input(root) {
            return None;
        }
        let (low, high) = self.hull(root)?;
        let mut operations: Vec<Operation> =
            self.behind(symbol).filter_map(|symbol| self.origin(symbol)).map(|(_, operation)| operation).collect();
        operations.reverse();
        let mut plus = 0;
        for Operation { kind, from, to } in operations {
            let most = i128::from(mask(from));
            match kind {
                OperationKind::Add(constant) => {
                    let constant = i128::from(constant);
                    let sums = [constant, constant - most - 1].map(|constant| plus + constant);
                    plus = sums.into_iter().find(|sum| low + sum >= 0 && high + sum <= most)?;
                }
                OperationKind::ZeroExtend => {}
                OperationKind::SignExtend if high + plus < 1 << (from - 1) => {}
                OperationKind::Truncate if high + plus <= i128::from(mask(to)) => {}
                _ => return None,
            }
        }
        Some((root, plus))
    }

    /// The least and the greatest value of a symbol.
    pub(super) fn hull(&self, symbol: Symbol) -> Option<(i128, i128)> {
        let values = self.values(symbol);
        let (first, last) = (values.ranges().first()?, values.ranges().last()?);
        Some((first.0.into(), last.1.into()))
    }
}
