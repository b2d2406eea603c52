//! Lowers addresses of thread-local variables: each thread has its own, so they are no constants.
//!
//! Up to LLVM 14, whose bitcode rustc 1.63 makes, the variable itself stands for its address in the running
//! thread, also in constant expressions. Later compilers call `llvm.threadlocal.address`.
//!
//! Tests: `tests/tests/bitcode.rs`, `tests/programs/rust/thread_local.rs`.

use super::function::Lowering;
use super::types;
use crate::ir::ids::Operand;
use crate::ir::instr::{Bounds, Instr};
use crate::ir::value::Value;
use rmc_llvm::{Opcode, Value as LlvmValue, ValueKind};

/// The number of bits of a pointer.
const POINTER_BITS: u32 = 64;

impl<'m> Lowering<'_, 'm> {
    /// The address of a thread-local variable, or an address in one that a constant expression computes;
    /// `None` for other values, and for other expressions of such addresses.
    pub(super) fn thread_local_address(&mut self, value: LlvmValue<'m>) -> Option<Operand> {
        if value.kind() == ValueKind::LLVMGlobalVariableValueKind && value.is_thread_local() {
            let dst = self.fresh(1);
            self.emit(Instr::ThreadLocal { dst, global: self.symbols.globals[&value] });
            return Some(Operand::reg(dst));
        }
        if value.kind() != ValueKind::LLVMConstantExprValueKind {
            return None;
        }
        match value.opcode()? {
            Opcode::LLVMGetElementPtr => {
                let indices = value.operands()[1..].to_vec();
                let offset = self.symbols.constant_offset(value.gep_type(), &indices).ok()?;
                let base = self.thread_local_address(value.operand(0))?;
                let (dst, index) = (self.fresh(1), self.pool.word(Value::new(offset.cast_unsigned())));
                let bounds = if value.is_inbounds() { Bounds::Near } else { Bounds::None };
                self.emit(Instr::Offset { dst, base, index, width: 64, scale: 1, bounds });
                Some(Operand::reg(dst))
            }
            Opcode::LLVMBitCast | Opcode::LLVMPtrToInt | Opcode::LLVMIntToPtr
                if types::scalar(value.ty()).is_some_and(|format| format.bits() == POINTER_BITS) =>
            {
                self.thread_local_address(value.operand(0))
            }
            _ => None,
        }
    }
}
