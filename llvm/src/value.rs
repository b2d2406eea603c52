//! The parts that all values have: a name, a type, uses, operands.

use std::marker::PhantomData;

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;

use super::{Opcode, Type, Value, ValueKind, list, message, text};

impl<'m> Value<'m> {
    pub(crate) fn wrap(value: LLVMValueRef) -> Option<Self> {
        (!value.is_null()).then_some(Self(value, PhantomData))
    }

    pub(crate) fn of(value: LLVMValueRef) -> Self {
        Self(value, PhantomData)
    }

    /// The value's name, empty for a temporary.
    #[must_use]
    pub fn name(self) -> String {
        let mut len = 0;
        let pointer = unsafe { LLVMGetValueName2(self.0, &raw mut len) };
        text(pointer, len)
    }

    /// The value's type; a pointer for functions and variables.
    #[must_use]
    pub fn ty(self) -> Type<'m> {
        Type::of(unsafe { LLVMTypeOf(self.0) })
    }

    /// The kind of value.
    #[must_use]
    pub fn kind(self) -> ValueKind {
        unsafe { LLVMGetValueKind(self.0) }
    }

    /// The value as LLVM's assembly language writes it.
    #[must_use]
    pub fn print(self) -> String {
        message(unsafe { LLVMPrintValueToString(self.0) })
    }

    /// The opcode of an instruction or a constant expression; `None` for other values.
    #[must_use]
    pub fn opcode(self) -> Option<Opcode> {
        match self.kind() {
            ValueKind::LLVMConstantExprValueKind => Some(unsafe { LLVMGetConstOpcode(self.0) }),
            _ => self.instruction_opcode(),
        }
    }

    /// The opcode of an instruction; `None` for other values.
    #[must_use]
    pub fn instruction_opcode(self) -> Option<Opcode> {
        let is_instruction = self.kind() == ValueKind::LLVMInstructionValueKind;
        is_instruction.then(|| unsafe { LLVMGetInstructionOpcode(self.0) })
    }

    /// Number of operands of an instruction or constant.
    #[must_use]
    pub fn operand_count(self) -> u32 {
        u32::try_from(unsafe { LLVMGetNumOperands(self.0) }).unwrap_or(0)
    }

    /// Operand `at` of an instruction or constant.
    #[must_use]
    pub fn operand(self, at: u32) -> Self {
        Self::of(unsafe { LLVMGetOperand(self.0, at) })
    }

    /// All operands of an instruction or constant.
    #[must_use]
    pub fn operands(self) -> Vec<Self> {
        (0..self.operand_count()).map(|at| self.operand(at)).collect()
    }

    /// The instructions and constants that use the value, one entry for each use; metadata does not count.
    #[must_use]
    pub fn users(self) -> Vec<Self> {
        let uses = list(unsafe { LLVMGetFirstUse(self.0) }, LLVMGetNextUse);
        uses.map(|one| Self::of(unsafe { LLVMGetUser(one) })).collect()
    }
}
