//! Operations on two numbers whose results no range of one input describes: both depend on inputs, or the
//! operation has no inverse image that is a few ranges.
//!
//! The result is a symbol of its own. A condition on it relates inputs to each other; whether such conditions
//! can be met together is decided by a solver (`solver.rs`).

use super::operation::{Operation, OperationKind};
use crate::ir::instr::{IntCmp, IntOp, OverflowOp};
use crate::ir::int;
use crate::ir::symbol::Symbol;
use crate::ir::value::{Value, mask};

/// An operation on two numbers of one width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Combination {
    /// The operation.
    pub kind: CombinationKind,
    /// The width of both operands in bits.
    pub width: u32,
    /// The operands. At least one is a symbol.
    pub operands: [Operand; 2],
}

/// An operand of a combination.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operand {
    /// The value of a symbol.
    Symbol(Symbol),
    /// A number.
    Constant(u64),
}

/// The kinds of combinations: one of [`CombinationKind::ALL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CombinationKind {
    /// The result has the width of the operands. The divisor is never 0, the least number is never divided by
    /// -1, and no shift is as far as the width.
    Arithmetic(IntOp),
    /// 1 if the operands compare so, or 0: one bit.
    Compares(IntCmp),
    /// 1 if the operation overflows, or 0: one bit.
    Overflows(OverflowOp),
}

impl CombinationKind {
    /// All kinds, by their codes in an encoded table.
    pub const ALL: [Self; 21] = [
        Self::Arithmetic(IntOp::Add),
        Self::Arithmetic(IntOp::Sub),
        Self::Arithmetic(IntOp::Mul),
        Self::Arithmetic(IntOp::UDiv),
        Self::Arithmetic(IntOp::SDiv),
        Self::Arithmetic(IntOp::URem),
        Self::Arithmetic(IntOp::SRem),
        Self::Arithmetic(IntOp::Shl),
        Self::Arithmetic(IntOp::LShr),
        Self::Arithmetic(IntOp::AShr),
        Self::Arithmetic(IntOp::And),
        Self::Arithmetic(IntOp::Or),
        Self::Arithmetic(IntOp::Xor),
        Self::Compares(IntCmp::Eq),
        Self::Compares(IntCmp::Ult),
        Self::Compares(IntCmp::Slt),
        Self::Overflows(OverflowOp::SAdd),
        Self::Overflows(OverflowOp::UAdd),
        Self::Overflows(OverflowOp::SSub),
        Self::Overflows(OverflowOp::SMul),
        Self::Overflows(OverflowOp::UMul),
    ];

    /// True if the operands may be exchanged.
    #[must_use]
    pub const fn is_commutative(self) -> bool {
        match self {
            Self::Arithmetic(op) => matches!(op, IntOp::Add | IntOp::Mul | IntOp::And | IntOp::Or | IntOp::Xor),
            Self::Compares(op) => matches!(op, IntCmp::Eq),
            Self::Overflows(op) => !matches!(op, OverflowOp::SSub | OverflowOp::USub),
        }
    }
}

impl Combination {
    /// A combination. Those that are equal but for the order of operands are equal.
    ///
    /// # Panics
    /// If the kind is none of [`CombinationKind::ALL`].
    #[must_use]
    pub fn new(kind: CombinationKind, width: u32, mut operands: [Operand; 2]) -> Self {
        assert!(CombinationKind::ALL.contains(&kind), "{kind:?} is made of others");
        let turns = match operands {
            [Operand::Symbol(left), Operand::Symbol(right)] => left > right,
            [Operand::Constant(_), _] => true,
            _ => false,
        };
        if turns && kind.is_commutative() {
            operands.reverse();
        }
        Self { kind, width, operands }
    }

    /// The width of the result in bits.
    #[must_use]
    pub const fn result_width(&self) -> u32 {
        match self.kind {
            CombinationKind::Arithmetic(_) => self.width,
            CombinationKind::Compares(_) | CombinationKind::Overflows(_) => 1,
        }
    }

    /// The symbols among the operands.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + use<> {
        self.operands.into_iter().filter_map(|operand| match operand {
            Operand::Symbol(symbol) => Some(symbol),
            Operand::Constant(_) => None,
        })
    }

    /// The combination with other operands in place of its symbols.
    #[must_use]
    pub fn renamed(&self, mut rename: impl FnMut(Symbol) -> Operand) -> Self {
        let operands = self.operands.map(|operand| match operand {
            Operand::Symbol(symbol) => rename(symbol),
            constant @ Operand::Constant(_) => constant,
        });
        Self::new(self.kind, self.width, operands)
    }

    /// The operation on one symbol that a combination with a constant is, if it is one.
    #[must_use]
    pub fn as_operation(&self) -> Option<(Symbol, Operation)> {
        let [Operand::Symbol(symbol), Operand::Constant(constant)] = self.operands else { return None };
        let sum = match self.kind {
            CombinationKind::Arithmetic(IntOp::Add) => constant,
            CombinationKind::Arithmetic(IntOp::Sub) => constant.wrapping_neg() & mask(self.width),
            _ => return None,
        };
        Some((symbol, Operation { kind: OperationKind::Add(sum), from: self.width, to: self.width }))
    }

    /// The result for two numbers. `None`: the operation is not made with them.
    #[must_use]
    pub fn apply(&self, left: u64, right: u64) -> Option<u64> {
        let (left, right) = (Value::new(left), Value::new(right));
        let result = match self.kind {
            CombinationKind::Arithmetic(op) => int::binary(op, self.width, left, right).ok()?,
            CombinationKind::Compares(op) => int::compare(op, self.width, left, right),
            CombinationKind::Overflows(op) => int::overflow(op, self.width, left, right).1,
        };
        result.is_defined().then_some(result.bits & mask(self.result_width()))
    }
}
