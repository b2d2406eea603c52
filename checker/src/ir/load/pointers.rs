//! Lowers `getelementptr`, lane by lane if it is of vectors.
//!
//! Constant indices are added up, and each other index becomes a multiply-add. Only the sum has to be
//! `inbounds`, because the constants are added last.

use super::arithmetic::width8;
use super::function::Lowering;
use super::types;
use crate::ir::ids::{Operand, Reg};
use crate::ir::instr::{Bounds, Instr};
use crate::ir::value::{Value, signed};
use rmc_llvm::{TypeKind, Value as LlvmValue, ValueKind};

/// An index of a lane: a constant, or an operand with its width.
enum Index {
    Constant(i64),
    Value(Operand, u8),
}

impl<'m> Lowering<'_, 'm> {
    pub(super) fn pointer_offset(&mut self, instruction: LlvmValue<'m>) {
        let dst = self.result(instruction);
        let ty = instruction.ty();
        let lanes = if ty.kind() == TypeKind::LLVMVectorTypeKind { ty.count() as usize } else { 1 };
        for lane in 0..lanes {
            self.pointer_of_lane(instruction, lane, Reg::new(dst.index() + lane));
        }
    }

    /// The operand of one lane; a scalar is the operand of every lane.
    fn of_lane(&mut self, value: LlvmValue<'m>, lane: usize) -> Operand {
        let is_vector = value.ty().kind() == TypeKind::LLVMVectorTypeKind;
        let operand = self.operand(value);
        if is_vector { operand.word(lane) } else { operand }
    }

    fn index_of_lane(&mut self, index: LlvmValue<'m>, lane: usize) -> Index {
        let is_vector = index.ty().kind() == TypeKind::LLVMVectorTypeKind;
        let ty = if is_vector { index.ty().element() } else { index.ty() };
        let width = types::scalar(ty).and_then(width8).unwrap_or(64);
        if index.kind() == ValueKind::LLVMConstantIntValueKind {
            return Index::Constant(signed(index.int(), u32::from(width)));
        }
        Index::Value(self.of_lane(index, lane), width)
    }

    fn pointer_of_lane(&mut self, instruction: LlvmValue<'m>, lane: usize, dst: Reg) {
        let operands = instruction.operands();
        let mut base = self.of_lane(operands[0], lane);
        let (mut ty, mut constant) = (instruction.gep_type(), 0_i64);
        let (start, inbounds) = (base, instruction.is_inbounds());
        let bounds = if inbounds { Bounds::Distance } else { Bounds::None };
        for (at, &index) in operands[1..].iter().enumerate() {
            if at > 0 && ty.kind() == TypeKind::LLVMStructTypeKind {
                // In a `getelementptr` of vectors, every lane has the same field.
                let number = index.aggregate_element(0).unwrap_or(index).int();
                let field = u32::try_from(number).expect("LLVM checks field indices");
                constant += self.symbols.module.field_offset(ty, field).cast_signed();
                ty = ty.field(field);
                continue;
            }
            if at > 0 {
                ty = ty.element();
            }
            let scale = self.symbols.module.size(ty);
            let (index, width) = match self.index_of_lane(index, lane) {
                Index::Constant(number) => {
                    let distance = i64::try_from(scale).ok().and_then(|scale| number.checked_mul(scale));
                    let Some(sum) = distance.and_then(|distance| constant.checked_add(distance)) else {
                        return self.unsupported(format!("index {number} of elements of {scale} bytes"));
                    };
                    constant = sum;
                    continue;
                }
                Index::Value(index, width) => (index, width),
            };
            let Ok(scale) = u32::try_from(scale) else {
                return self.unsupported(format!("an index of elements of {scale} bytes"));
            };
            self.emit(Instr::Offset { dst, base, index, width, scale, bounds });
            base = Operand::reg(dst);
        }
        if constant != 0 {
            let index = self.pool.word(Value::new(constant.cast_unsigned()));
            self.emit(Instr::Offset { dst, base, index, width: 64, scale: 1, bounds });
        } else if base != Operand::reg(dst) {
            return self.emit(Instr::Move { dst, a: base });
        }
        match self.out.code.last_mut() {
            // An `inbounds` sum of one part is bounded by that part itself; a sum of several parts is checked
            // at the end.
            Some(Instr::Offset { base, bounds, .. }) if inbounds && *base == start => *bounds = Bounds::Near,
            _ if inbounds => self.emit(Instr::Near { dst, base: start }),
            _ => {}
        }
    }
}
