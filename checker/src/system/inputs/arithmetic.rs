//! Arithmetic with one symbol and one constant, or of a symbol with itself.

use super::combining::operands;
use super::evaluate::Term;
use crate::interp;
use crate::ir::instr::{IntCmp, IntOp, IntUnary, OverflowOp, Promises};
use crate::ir::int;
use crate::ir::symbol::Symbol;
use crate::ir::value::{Poison, Value, mask, signed};
use crate::system::machine::Machine;
use crate::system::step::StepEnd;
use crate::system::symbols::conditions::{bounds, meeting, signed_operands, unsigned_operands};
use crate::system::symbols::operation::{Operation, OperationKind};
use crate::system::symbols::ranges::{Ranges, two_complement};

/// An instruction of integer arithmetic.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arithmetic {
    /// The operation.
    pub op: IntOp,
    /// The width of its operands in bits.
    pub width: u32,
    /// The promises of the program about it.
    pub promises: Promises,
}

impl Machine<'_> {
    /// The result of an operation that keeps the width. Sums of sums are one sum.
    pub(super) fn with(&mut self, symbol: Symbol, kind: OperationKind) -> Result<Symbol, StepEnd> {
        let width = self.memory.table.symbols.width(symbol);
        if let OperationKind::Add(constant) = kind {
            let (of, first) = self.summand(symbol);
            let sum = first.wrapping_add(constant) & mask(width);
            let operation = Operation { kind: OperationKind::Add(sum), from: width, to: width };
            return if sum == 0 { Ok(of) } else { self.result(of, operation) };
        }
        self.result(symbol, Operation { kind, from: width, to: width })
    }

    /// The symbol and the constant that a symbol is the sum of.
    pub(super) fn summand(&self, symbol: Symbol) -> (Symbol, u64) {
        match self.memory.table.symbols.origin(symbol) {
            Some((of, Operation { kind: OperationKind::Add(constant), .. })) => (of, constant),
            _ => (symbol, 0),
        }
    }

    pub(super) fn negated(&mut self, symbol: Symbol) -> Result<Symbol, StepEnd> {
        let not = self.with(symbol, OperationKind::Not)?;
        self.with(not, OperationKind::Add(1))
    }

    /// The result of an instruction of which an operand is a symbol.
    pub(super) fn integer(&mut self, instr: Arithmetic, a: Term, b: Term) -> Result<Option<Value>, StepEnd> {
        match self.of_one_symbol(instr, a, b)? {
            Some(result) => Ok(Some(result)),
            None => self.combined(instr, a, b),
        }
    }

    /// The result of an instruction with one symbol, if it is a result of that symbol.
    fn of_one_symbol(&mut self, instr: Arithmetic, a: Term, b: Term) -> Result<Option<Value>, StepEnd> {
        match (a, b) {
            (Term::Symbol(a), Term::Symbol(b)) if a == b => Ok(match instr.op {
                IntOp::Sub | IntOp::Xor => Some(Value::ZERO),
                IntOp::And | IntOp::Or => Some(self.word_of(a)),
                _ => None,
            }),
            (Term::Symbol(symbol), Term::Constant(constant)) => self.with_constant(instr, symbol, constant),
            (Term::Constant(constant), Term::Symbol(symbol)) => self.of_constant(instr, constant, symbol),
            _ => Ok(None),
        }
    }

    /// An operation with a constant on its right.
    pub(super) fn with_constant(
        &mut self,
        instr: Arithmetic,
        symbol: Symbol,
        constant: u64,
    ) -> Result<Option<Value>, StepEnd> {
        let Arithmetic { op, width, promises } = instr;
        if matches!(op, IntOp::UDiv | IntOp::URem | IntOp::SDiv | IntOp::SRem) && constant == 0 {
            let trap = int::binary(op, width, Value::ZERO, Value::ZERO).expect_err("the divisor is 0");
            return Err(StepEnd::Fault(interp::trapped(trap)));
        }
        if let Some(poison) = self.broken_promise(instr, symbol, constant)? {
            return Ok(Some(Value::poison(poison)));
        }
        let is_exact = promises.has(Promises::EXACT);
        let result = match op {
            IntOp::Add => Some(self.with(symbol, OperationKind::Add(constant))?),
            IntOp::Sub => Some(self.with(symbol, OperationKind::Add(constant.wrapping_neg() & mask(width)))?),
            IntOp::Mul => return self.product(instr, symbol, constant),
            IntOp::Shl if constant < width.into() => Some(self.shifted_left(symbol, width, constant)?),
            IntOp::Shl | IntOp::LShr | IntOp::AShr if constant >= width.into() => {
                return Ok(Some(Value::poison(Poison::Shift)));
            }
            IntOp::LShr if !is_exact => Some(self.with(symbol, OperationKind::Divide(1 << constant))?),
            IntOp::AShr if !is_exact && self.is_negative(symbol)? => {
                let not = self.with(symbol, OperationKind::Not)?;
                let shifted = self.with(not, OperationKind::Divide(1 << constant))?;
                Some(self.with(shifted, OperationKind::Not)?)
            }
            IntOp::AShr if !is_exact => Some(self.with(symbol, OperationKind::Divide(1 << constant))?),
            IntOp::UDiv if !is_exact => Some(self.with(symbol, OperationKind::Divide(constant))?),
            IntOp::URem => Some(self.with(symbol, OperationKind::Remainder(constant))?),
            IntOp::SDiv if !is_exact => self.signed_part(width, symbol, constant, OperationKind::Divide(constant))?,
            IntOp::SRem => self.signed_part(width, symbol, constant, OperationKind::Remainder(constant))?,
            IntOp::And => return self.masked(width, symbol, constant),
            IntOp::Or | IntOp::Xor if constant == 0 => Some(symbol),
            IntOp::Xor if constant == mask(width) => Some(self.with(symbol, OperationKind::Not)?),
            IntOp::Xor if constant == 1 << (width - 1) => Some(self.with(symbol, OperationKind::Add(constant))?),
            IntOp::UMin | IntOp::UMax | IntOp::SMin | IntOp::SMax => {
                let below = if matches!(op, IntOp::UMin | IntOp::UMax) { IntCmp::Ult } else { IntCmp::Slt };
                let is_less = self.is_in(symbol, &meeting(below, width, constant))?;
                let takes_symbol = is_less == matches!(op, IntOp::UMin | IntOp::SMin);
                return Ok(Some(if takes_symbol { self.word_of(symbol) } else { Value::new(constant) }));
            }
            _ => None,
        };
        Ok(result.map(|result| self.word_of(result)))
    }

    /// An operation with a constant on its left.
    pub(super) fn of_constant(
        &mut self,
        instr: Arithmetic,
        constant: u64,
        symbol: Symbol,
    ) -> Result<Option<Value>, StepEnd> {
        let Arithmetic { op, width, promises } = instr;
        match op {
            IntOp::Add | IntOp::Mul | IntOp::And | IntOp::Or | IntOp::Xor => {
                self.with_constant(instr, symbol, constant)
            }
            IntOp::UMin | IntOp::UMax | IntOp::SMin | IntOp::SMax => self.with_constant(instr, symbol, constant),
            IntOp::Sub => {
                let (least, most) = bounds(width);
                let number = i128::from(signed(constant, width));
                if promises.has(Promises::SIGNED)
                    && !self.is_in(symbol, &two_complement(number - most, number - least, width))?
                {
                    return Ok(Some(Value::poison(Poison::SignedOverflow)));
                }
                if promises.has(Promises::UNSIGNED) && !self.is_between(symbol, 0, constant)? {
                    return Ok(Some(Value::poison(Poison::UnsignedOverflow)));
                }
                let not = self.with(symbol, OperationKind::Not)?;
                let difference = self.with(not, OperationKind::Add(constant.wrapping_add(1) & mask(width)))?;
                Ok(Some(self.word_of(difference)))
            }
            IntOp::Shl | IntOp::LShr | IntOp::AShr if !self.is_between(symbol, 0, u64::from(width) - 1)? => {
                Ok(Some(Value::poison(Poison::Shift)))
            }
            IntOp::UDiv | IntOp::URem | IntOp::SDiv | IntOp::SRem if self.is_between(symbol, 0, 0)? => {
                let trap = int::binary(op, width, Value::new(constant), Value::ZERO).expect_err("the divisor is 0");
                Err(StepEnd::Fault(interp::trapped(trap)))
            }
            _ => Ok(None),
        }
    }

    /// The promise that an operation with a constant on its right breaks for the symbol.
    pub(super) fn broken_promise(
        &mut self,
        instr: Arithmetic,
        symbol: Symbol,
        constant: u64,
    ) -> Result<Option<Poison>, StepEnd> {
        let Arithmetic { op, width, promises } = instr;
        if promises.has(Promises::SIGNED)
            && let Some(numbers) = signed_operands(op, width, constant)
            && !self.is_in(symbol, &numbers)?
        {
            return Ok(Some(Poison::SignedOverflow));
        }
        if promises.has(Promises::UNSIGNED)
            && let Some(numbers) = unsigned_operands(op, width, constant)
            && !self.is_in(symbol, &numbers)?
        {
            return Ok(Some(Poison::UnsignedOverflow));
        }
        Ok(None)
    }

    /// A product, where it does not wrap, or is known not to overflow as a signed number.
    pub(super) fn product(
        &mut self,
        instr: Arithmetic,
        symbol: Symbol,
        constant: u64,
    ) -> Result<Option<Value>, StepEnd> {
        let Arithmetic { width, promises, .. } = instr;
        if constant == 0 {
            return Ok(Some(Value::ZERO));
        }
        if self.is_between(symbol, 0, mask(width) / constant)? {
            let product = self.with(symbol, OperationKind::Multiply(constant))?;
            return Ok(Some(self.word_of(product)));
        }
        if !promises.has(Promises::SIGNED) {
            return Ok(None);
        }
        // No signed overflow: as absolute values the product does not wrap.
        let factor = signed(constant, width).unsigned_abs();
        let is_negative = self.is_negative(symbol)?;
        let positive = if is_negative { self.negated(symbol)? } else { symbol };
        let product = self.with(positive, OperationKind::Multiply(factor))?;
        let turns = is_negative != (signed(constant, width) < 0);
        let product = if turns { self.negated(product)? } else { product };
        Ok(Some(self.word_of(product)))
    }

    pub(super) fn shifted_left(&mut self, symbol: Symbol, width: u32, by: u64) -> Result<Symbol, StepEnd> {
        if by == 0 {
            return Ok(symbol);
        }
        let stays = mask(width) >> by;
        let exceeds = |values: Ranges| values.greatest().is_some_and(|greatest| greatest > stays);
        let wraps = self.names_answers() || exceeds(self.memory.table.symbols.values(symbol));
        let low = if wraps { self.with(symbol, OperationKind::Remainder(stays + 1))? } else { symbol };
        self.with(low, OperationKind::Multiply(1 << by))
    }

    /// A signed quotient or remainder by a positive constant: that of the absolute value, with the sign of
    /// the number.
    pub(super) fn signed_part(
        &mut self,
        width: u32,
        symbol: Symbol,
        constant: u64,
        part: OperationKind,
    ) -> Result<Option<Symbol>, StepEnd> {
        if signed(constant, width) < 0 {
            return Ok(None);
        }
        if !self.is_negative(symbol)? {
            return self.with(symbol, part).map(Some);
        }
        let positive = self.negated(symbol)?;
        let part = self.with(positive, part)?;
        self.negated(part).map(Some)
    }

    /// The bits of a mask without gaps.
    pub(super) fn masked(&mut self, width: u32, symbol: Symbol, bits: u64) -> Result<Option<Value>, StepEnd> {
        if bits == 0 {
            return Ok(Some(Value::ZERO));
        }
        let (shift, low) = (bits.trailing_zeros(), bits >> bits.trailing_zeros());
        if low & low.wrapping_add(1) != 0 {
            return Ok(None);
        }
        let mut result = symbol;
        if shift > 0 {
            result = self.with(result, OperationKind::Divide(1 << shift))?;
        }
        if bits >> (width - 1) & 1 == 0 {
            result = self.with(result, OperationKind::Remainder(low + 1))?;
        }
        if shift > 0 {
            result = self.with(result, OperationKind::Multiply(1 << shift))?;
        }
        Ok(Some(self.word_of(result)))
    }

    pub(super) fn unary(&mut self, op: IntUnary, symbol: Symbol) -> Result<Option<Value>, StepEnd> {
        let width = self.memory.table.symbols.width(symbol);
        match op {
            IntUnary::Freeze => Ok(Some(self.word_of(symbol))),
            IntUnary::AbsOfOther if self.is_between(symbol, 1 << (width - 1), 1 << (width - 1))? => {
                Ok(Some(Value::poison(Poison::LeastNumber)))
            }
            IntUnary::Abs | IntUnary::AbsOfOther => {
                let is_negative = self.is_negative(symbol)?;
                let positive = if is_negative { self.negated(symbol)? } else { symbol };
                Ok(Some(self.word_of(positive)))
            }
            _ => Ok(None),
        }
    }

    /// Result and overflow bit.
    pub(super) fn overflowing(
        &mut self,
        op: OverflowOp,
        width: u32,
        a: Term,
        b: Term,
    ) -> Result<Option<[Value; 2]>, StepEnd> {
        let (symbol, constant) = match (a, b) {
            (Term::Symbol(symbol), Term::Constant(constant)) => (symbol, constant),
            (Term::Constant(constant), Term::Symbol(symbol)) if !matches!(op, OverflowOp::SSub | OverflowOp::USub) => {
                (symbol, constant)
            }
            _ => return self.both_overflowing(op, width, a, b),
        };
        let (operation, is_signed) = match op {
            OverflowOp::SAdd => (IntOp::Add, true),
            OverflowOp::SSub => (IntOp::Sub, true),
            OverflowOp::SMul => (IntOp::Mul, true),
            OverflowOp::UAdd => (IntOp::Add, false),
            OverflowOp::USub => (IntOp::Sub, false),
            OverflowOp::UMul => (IntOp::Mul, false),
        };
        let operands = if is_signed { signed_operands } else { unsigned_operands };
        let numbers = operands(operation, width, constant).expect("sums and products have them");
        let fits = self.is_in(symbol, &numbers)?;
        let known = if fits && is_signed { Promises::SIGNED } else { Promises::NONE };
        let instr = Arithmetic { op: operation, width, promises: known };
        let result = self.integer(instr, Term::Symbol(symbol), Term::Constant(constant))?;
        Ok(result.map(|result| [result, Value::new((!fits).into())]))
    }

    /// Like [`Self::overflowing`], of two symbols, or of a constant minus a symbol.
    fn both_overflowing(
        &mut self,
        op: OverflowOp,
        width: u32,
        a: Term,
        b: Term,
    ) -> Result<Option<[Value; 2]>, StepEnd> {
        let Some(operands) = operands(a, b) else { return Ok(None) };
        let overflows = self.overflows(op, width, operands)?;
        let op = match op {
            OverflowOp::SAdd | OverflowOp::UAdd => IntOp::Add,
            OverflowOp::SSub | OverflowOp::USub => IntOp::Sub,
            OverflowOp::SMul | OverflowOp::UMul => IntOp::Mul,
        };
        let result = self.integer(Arithmetic { op, width, promises: Promises::NONE }, a, b)?;
        Ok(result.map(|result| [result, Value::new(overflows.into())]))
    }
}
