//! Makes instructions. See [`super::super`] for what `unsafe` relies on.

use std::ffi::{c_char, c_uint};

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use inkwell::llvm_sys::prelude::{LLVMBuilderRef, LLVMValueRef};

use super::{Block, Module, Type, Value};
use crate::{IntPredicate, Opcode};

/// Makes instructions at a position. Freed on drop.
pub struct Builder(LLVMBuilderRef);

impl Drop for Builder {
    fn drop(&mut self) {
        unsafe { LLVMDisposeBuilder(self.0) }
    }
}

/// Generated names are left to LLVM, which numbers them.
const NO_NAME: *const c_char = c"".as_ptr();

impl Builder {
    pub(super) fn new(builder: LLVMBuilderRef) -> Self {
        Self(builder)
    }

    /// Positions the builder before `instruction`; new instructions take its debug location.
    pub fn before(&self, instruction: Value) {
        unsafe { LLVMPositionBuilderBefore(self.0, instruction.0) }
    }

    /// Positions the builder at the end of `block`.
    pub fn at_end(&self, block: Block) {
        unsafe { LLVMPositionBuilderAtEnd(self.0, block.0) }
    }

    /// Sets the debug location of new instructions to that of `instruction`, or to none.
    pub fn locate(&self, instruction: Option<Value>) {
        let location = instruction.map_or(std::ptr::null_mut(), |one| unsafe { LLVMInstructionGetDebugLoc(one.0) });
        unsafe { LLVMSetCurrentDebugLocation2(self.0, location) }
    }

    /// A call of a function of type `ty`.
    pub fn call(&self, ty: Type, callee: Value, args: &[Value]) -> Value {
        let (mut args, count) = raw(args);
        Value::of(unsafe { LLVMBuildCall2(self.0, ty.0, callee.0, args.as_mut_ptr(), count, NO_NAME) })
    }

    /// An `invoke` of a function of type `ty`.
    pub fn invoke(&self, ty: Type, callee: Value, args: &[Value], (normal, unwind): (Block, Block)) -> Value {
        let (mut args, count) = raw(args);
        let args = args.as_mut_ptr();
        Value::of(unsafe { LLVMBuildInvoke2(self.0, ty.0, callee.0, args, count, normal.0, unwind.0, NO_NAME) })
    }

    /// A cast to `ty`.
    pub fn cast(&self, opcode: Opcode, value: Value, ty: Type) -> Value {
        Value::of(unsafe { LLVMBuildCast(self.0, opcode, value.0, ty.0, NO_NAME) })
    }

    /// An operation on two numbers.
    pub fn binary(&self, opcode: Opcode, left: Value, right: Value) -> Value {
        Value::of(unsafe { LLVMBuildBinOp(self.0, opcode, left.0, right.0, NO_NAME) })
    }

    /// A comparison of two integers or pointers.
    pub fn compare(&self, predicate: IntPredicate, left: Value, right: Value) -> Value {
        Value::of(unsafe { LLVMBuildICmp(self.0, predicate, left.0, right.0, NO_NAME) })
    }

    /// The aggregate with element `index` replaced.
    pub fn insert(&self, aggregate: Value, element: Value, index: u32) -> Value {
        Value::of(unsafe { LLVMBuildInsertValue(self.0, aggregate.0, element.0, index, NO_NAME) })
    }

    /// The vector with element `index` replaced.
    pub fn insert_element(&self, vector: Value, element: Value, index: Value) -> Value {
        Value::of(unsafe { LLVMBuildInsertElement(self.0, vector.0, element.0, index.0, NO_NAME) })
    }

    /// Element `index` of the vector.
    pub fn extract_element(&self, vector: Value, index: Value) -> Value {
        Value::of(unsafe { LLVMBuildExtractElement(self.0, vector.0, index.0, NO_NAME) })
    }

    /// An `alloca` of one `ty`.
    pub fn alloca(&self, ty: Type) -> Value {
        Value::of(unsafe { LLVMBuildAlloca(self.0, ty.0, NO_NAME) })
    }

    /// An `alloca` with an alignment of at least `align` bytes, a power of two.
    pub fn alloca_aligned(&self, ty: Type, align: u32) -> Value {
        let slot = self.alloca(ty);
        slot.set_alignment(align);
        slot
    }

    /// A plain load.
    pub fn load(&self, ty: Type, pointer: Value) -> Value {
        Value::of(unsafe { LLVMBuildLoad2(self.0, ty.0, pointer.0, NO_NAME) })
    }

    /// A plain store.
    pub fn store(&self, value: Value, pointer: Value) -> Value {
        Value::of(unsafe { LLVMBuildStore(self.0, value.0, pointer.0) })
    }

    /// `yes` if the condition is true, else `no`.
    pub fn select(&self, condition: Value, yes: Value, no: Value) -> Value {
        Value::of(unsafe { LLVMBuildSelect(self.0, condition.0, yes.0, no.0, NO_NAME) })
    }

    /// The address `pointer` plus `bytes`.
    pub fn offset(&self, module: Module, pointer: Value, bytes: Value) -> Value {
        let mut bytes = [bytes.0];
        Value::of(unsafe { LLVMBuildGEP2(self.0, module.int(8).0, pointer.0, bytes.as_mut_ptr(), 1, NO_NAME) })
    }

    /// A branch to a block.
    pub fn branch(&self, to: Block) {
        unsafe { LLVMBuildBr(self.0, to.0) };
    }

    /// The end of a block that is never reached.
    pub fn unreachable(&self) {
        unsafe { LLVMBuildUnreachable(self.0) };
    }

    /// A `phi` of these values and the blocks they come from.
    pub fn phi(&self, ty: Type, incoming: &[(Value, Block)]) -> Value {
        let (mut values, count) = raw(&incoming.iter().map(|pair| pair.0).collect::<Vec<_>>());
        let mut blocks: Vec<_> = incoming.iter().map(|pair| pair.1.0).collect();
        unsafe {
            let phi = LLVMBuildPhi(self.0, ty.0, NO_NAME);
            LLVMAddIncoming(phi, values.as_mut_ptr(), blocks.as_mut_ptr(), count);
            Value::of(phi)
        }
    }
}

fn raw(values: &[Value]) -> (Vec<LLVMValueRef>, c_uint) {
    let count = c_uint::try_from(values.len()).expect("operand counts fit in 32 bits");
    (values.iter().map(|value| value.0).collect(), count)
}
