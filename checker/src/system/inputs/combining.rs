//! Instructions on two inputs, and on one where ranges say nothing of the result: the result is a
//! combination.

use super::arithmetic::Arithmetic;
use super::evaluate::Term;
use crate::interp;
use crate::ir::instr::{IntCmp, IntOp, OverflowOp, Promises};
use crate::ir::int;
use crate::ir::symbol::Symbol;
use crate::ir::value::{Poison, Value, mask};
use crate::outcome::Unknown;
use crate::system::machine::Machine;
use crate::system::step::StepEnd;
use crate::system::symbols::combination::{Combination, CombinationKind, Operand};
use crate::system::symbols::ranges::Ranges;

impl Machine<'_> {
    /// The result of an instruction of arithmetic. The promises about an operation with a constant were
    /// looked at, but for [`Promises::EXACT`]. `None`: the operands need values.
    pub(super) fn combined(&mut self, instr: Arithmetic, a: Term, b: Term) -> Result<Option<Value>, StepEnd> {
        let Arithmetic { op, width, promises } = instr;
        let Some([left, right]) = operands(a, b) else { return Ok(None) };
        if promises.has(Promises::EXACT) || !matches!(width, 8 | 16 | 32 | 64) {
            return Ok(None);
        }
        match op {
            IntOp::Add | IntOp::Sub | IntOp::Mul | IntOp::And | IntOp::Or | IntOp::Xor => {}
            IntOp::UDiv | IntOp::URem | IntOp::SDiv | IntOp::SRem => self.divides(op, width, left, right)?,
            IntOp::Shl if !promises.is_none() => return Ok(None),
            IntOp::Shl | IntOp::LShr | IntOp::AShr => {
                if !self.operand_is_in(right, &Ranges::from_to(0, u64::from(width) - 1))? {
                    return Ok(Some(Value::poison(Poison::Shift)));
                }
            }
            IntOp::UMin | IntOp::UMax | IntOp::SMin | IntOp::SMax => {
                let less = if matches!(op, IntOp::UMin | IntOp::UMax) { IntCmp::Ult } else { IntCmp::Slt };
                let takes_left = self.compares(less, width, [left, right])? == matches!(op, IntOp::UMin | IntOp::SMin);
                return Ok(Some(self.operand_word(if takes_left { left } else { right })));
            }
            _ => return Ok(None),
        }
        if let Some(poison) = self.broken_between(instr, [left, right])? {
            return Ok(Some(Value::poison(poison)));
        }
        self.combination(CombinationKind::Arithmetic(op), width, [left, right]).map(|symbol| Some(self.word_of(symbol)))
    }

    /// Ends the step if a division is not possible.
    fn divides(&mut self, op: IntOp, width: u32, left: Operand, right: Operand) -> Result<(), StepEnd> {
        let least = 1 << (width - 1);
        let fault = |left: u64, right: u64| {
            let trap = int::binary(op, width, Value::new(left), Value::new(right)).expect_err("it is not possible");
            Err(StepEnd::Fault(interp::trapped(trap)))
        };
        if self.operand_is_in(right, &Ranges::from_to(0, 0))? {
            return fault(0, 0);
        }
        let is_signed = matches!(op, IntOp::SDiv | IntOp::SRem);
        let minus_one = Ranges::from_to(mask(width), mask(width));
        if is_signed
            && self.operand_is_in(left, &Ranges::from_to(least, least))?
            && self.operand_is_in(right, &minus_one)?
        {
            return fault(least, mask(width));
        }
        Ok(())
    }

    /// The promise that an operation on two symbols breaks.
    fn broken_between(&mut self, instr: Arithmetic, operands: [Operand; 2]) -> Result<Option<Poison>, StepEnd> {
        let Arithmetic { op, width, promises } = instr;
        let [Operand::Symbol(_), Operand::Symbol(_)] = operands else { return Ok(None) };
        let (signed, unsigned) = match op {
            IntOp::Add => (OverflowOp::SAdd, OverflowOp::UAdd),
            IntOp::Sub => (OverflowOp::SSub, OverflowOp::USub),
            IntOp::Mul => (OverflowOp::SMul, OverflowOp::UMul),
            _ => return Ok(None),
        };
        if promises.has(Promises::SIGNED) && self.overflows(signed, width, operands)? {
            return Ok(Some(Poison::SignedOverflow));
        }
        let breaks = promises.has(Promises::UNSIGNED) && self.overflows(unsigned, width, operands)?;
        Ok(breaks.then_some(Poison::UnsignedOverflow))
    }

    /// True if an operation on two numbers overflows.
    pub(super) fn overflows(&mut self, op: OverflowOp, width: u32, operands: [Operand; 2]) -> Result<bool, StepEnd> {
        if op == OverflowOp::USub {
            return self.compares(IntCmp::Ult, width, operands);
        }
        let overflows = self.combination(CombinationKind::Overflows(op), width, operands)?;
        self.is_between(overflows, 1, 1)
    }

    /// True if two numbers compare so.
    pub(super) fn compares(&mut self, op: IntCmp, width: u32, operands: [Operand; 2]) -> Result<bool, StepEnd> {
        // Three comparisons say it all, of the operands or of these exchanged.
        let (kind, exchanges, negates) = match op {
            IntCmp::Eq => (IntCmp::Eq, false, false),
            IntCmp::Ne => (IntCmp::Eq, false, true),
            IntCmp::Ult => (IntCmp::Ult, false, false),
            IntCmp::Uge => (IntCmp::Ult, false, true),
            IntCmp::Ugt => (IntCmp::Ult, true, false),
            IntCmp::Ule => (IntCmp::Ult, true, true),
            IntCmp::Slt => (IntCmp::Slt, false, false),
            IntCmp::Sge => (IntCmp::Slt, false, true),
            IntCmp::Sgt => (IntCmp::Slt, true, false),
            IntCmp::Sle => (IntCmp::Slt, true, true),
        };
        let [left, right] = operands;
        let operands = if exchanges { [right, left] } else { [left, right] };
        let compares = self.combination(CombinationKind::Compares(kind), width, operands)?;
        Ok(self.is_between(compares, 1, 1)? != negates)
    }

    /// The symbol of a number with all bits of two others.
    pub(super) fn either_bits(&mut self, width: u32, operands: [Operand; 2]) -> Result<Symbol, StepEnd> {
        self.combination(CombinationKind::Arithmetic(IntOp::Or), width, operands)
    }

    /// The symbol of a combination.
    ///
    /// # Errors
    /// The state has too many symbols.
    fn combination(&mut self, kind: CombinationKind, width: u32, operands: [Operand; 2]) -> Result<Symbol, StepEnd> {
        let combination = Combination::new(kind, width, operands);
        self.memory.table.symbols.combined(combination).ok_or(StepEnd::Limit(Unknown::Nondet))
    }

    fn operand_is_in(&mut self, operand: Operand, numbers: &Ranges) -> Result<bool, StepEnd> {
        match operand {
            Operand::Symbol(symbol) => self.is_in(symbol, numbers),
            Operand::Constant(constant) => Ok(numbers.contains(constant)),
        }
    }

    fn operand_word(&self, operand: Operand) -> Value {
        match operand {
            Operand::Symbol(symbol) => self.word_of(symbol),
            Operand::Constant(constant) => Value::new(constant),
        }
    }
}

/// The operands of a combination, if one is a symbol and both are known.
pub(super) fn operands(a: Term, b: Term) -> Option<[Operand; 2]> {
    let operand = |term| match term {
        Term::Symbol(symbol) => Some(Operand::Symbol(symbol)),
        Term::Constant(constant) => Some(Operand::Constant(constant)),
        Term::Other => None,
    };
    let operands = [operand(a)?, operand(b)?];
    operands.iter().any(|operand| matches!(operand, Operand::Symbol(_))).then_some(operands)
}
