//! Blocks and instructions: the parts that are particular to each kind of instruction.

use std::marker::PhantomData;

use inkwell::llvm_sys::core::*;

use super::{AtomicOrdering, Block, FloatPredicate, IntPredicate, Opcode, Type, Value, ValueKind, list};

impl<'m> Block<'m> {
    /// The function that the block is in.
    #[must_use]
    pub fn function(self) -> Value<'m> {
        Value::of(unsafe { LLVMGetBasicBlockParent(self.0) })
    }

    /// The first instruction. The block is not empty.
    #[must_use]
    pub fn first(self) -> Value<'m> {
        Value::of(unsafe { LLVMGetFirstInstruction(self.0) })
    }

    /// All instructions.
    #[must_use]
    pub fn instructions(self) -> Vec<Value<'m>> {
        list(unsafe { LLVMGetFirstInstruction(self.0) }, LLVMGetNextInstruction).map(Value::of).collect()
    }
}

/// The position of an instruction, and the control flow from it.
impl<'m> Value<'m> {
    /// The block that an instruction is in.
    #[must_use]
    pub fn block(self) -> Block<'m> {
        Block(unsafe { LLVMGetInstructionParent(self.0) }, PhantomData)
    }

    /// The instruction behind an instruction in its block.
    #[must_use]
    pub fn next(self) -> Option<Self> {
        Self::wrap(unsafe { LLVMGetNextInstruction(self.0) })
    }

    /// The instruction before an instruction in its block.
    #[must_use]
    pub fn previous(self) -> Option<Self> {
        Self::wrap(unsafe { LLVMGetPreviousInstruction(self.0) })
    }

    /// The block that is an operand of a terminator or of a `blockaddress`.
    #[must_use]
    pub fn as_block(self) -> Block<'m> {
        Block(unsafe { LLVMValueAsBasicBlock(self.0) }, PhantomData)
    }

    /// The blocks in which a terminator may continue. For a `callbr` the first is the one behind it, then the
    /// labels.
    #[must_use]
    pub fn successors(self) -> Vec<Block<'m>> {
        let count = unsafe { LLVMGetNumSuccessors(self.0) };
        (0..count).map(|at| Block(unsafe { LLVMGetSuccessor(self.0, at) }, PhantomData)).collect()
    }

    /// The blocks in which an `invoke` continues: after a return, and after an exception.
    #[must_use]
    pub fn invoke_destinations(self) -> (Block<'m>, Block<'m>) {
        let block = |block| Block(block, PhantomData);
        unsafe { (block(LLVMGetNormalDest(self.0)), block(LLVMGetUnwindDest(self.0))) }
    }

    /// The values of a `phi` and the blocks they come from.
    #[must_use]
    pub fn incoming(self) -> Vec<(Self, Block<'m>)> {
        let value = |at| Self::of(unsafe { LLVMGetIncomingValue(self.0, at) });
        let block = |at| Block(unsafe { LLVMGetIncomingBlock(self.0, at) }, PhantomData);
        (0..unsafe { LLVMCountIncoming(self.0) }).map(|at| (value(at), block(at))).collect()
    }
}

/// Memory.
impl<'m> Value<'m> {
    /// The type that an `alloca` allocates.
    #[must_use]
    pub fn allocated_type(self) -> Type<'m> {
        Type::of(unsafe { LLVMGetAllocatedType(self.0) })
    }

    /// The alignment in bytes of an `alloca`, a load, a store, an `atomicrmw` or a `cmpxchg`.
    #[must_use]
    pub fn alignment(self) -> u64 {
        unsafe { LLVMGetAlignment(self.0).into() }
    }

    /// The order of a load, a store or an `atomicrmw`.
    #[must_use]
    pub fn ordering(self) -> AtomicOrdering {
        unsafe { LLVMGetOrdering(self.0) }
    }

    /// The orders of a `cmpxchg` that succeeds and of one that fails.
    #[must_use]
    pub fn cmpxchg_orderings(self) -> (AtomicOrdering, AtomicOrdering) {
        unsafe { (LLVMGetCmpXchgSuccessOrdering(self.0), LLVMGetCmpXchgFailureOrdering(self.0)) }
    }

    /// True if a load is `volatile`.
    #[must_use]
    pub fn is_volatile(self) -> bool {
        unsafe { LLVMGetVolatile(self.0) != 0 }
    }

    /// Source element type of a `getelementptr`.
    #[must_use]
    pub fn gep_type(self) -> Type<'m> {
        Type::of(unsafe { LLVMGetGEPSourceElementType(self.0) })
    }
}

/// Values without memory.
impl Value<'_> {
    /// Predicate of an integer comparison.
    #[must_use]
    pub fn int_predicate(self) -> IntPredicate {
        unsafe { LLVMGetICmpPredicate(self.0) }
    }

    /// Predicate of a floating-point comparison.
    #[must_use]
    pub fn float_predicate(self) -> FloatPredicate {
        unsafe { LLVMGetFCmpPredicate(self.0) }
    }

    /// Indices of an `extractvalue` or `insertvalue`.
    #[must_use]
    pub fn indices(self) -> Vec<u32> {
        // SAFETY: LLVM returns the array and its length.
        unsafe {
            let count = LLVMGetNumIndices(self.0) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.0), count).to_vec()
        }
    }

    /// Mask of a `shufflevector`; -1 is undefined.
    #[must_use]
    pub fn shuffle_mask(self) -> Vec<i32> {
        unsafe { (0..LLVMGetNumMaskElements(self.0)).map(|at| LLVMGetMaskValue(self.0, at)).collect() }
    }
}

/// Calls.
impl<'m> Value<'m> {
    /// True if this is a call or an `invoke`.
    #[must_use]
    pub fn is_call(self) -> bool {
        matches!(self.opcode(), Some(Opcode::LLVMCall | Opcode::LLVMInvoke))
    }

    /// The callee of a call, an `invoke` or a `callbr`.
    #[must_use]
    pub fn callee(self) -> Self {
        Self::of(unsafe { LLVMGetCalledValue(self.0) })
    }

    /// The function type of a call.
    #[must_use]
    pub fn callee_type(self) -> Type<'m> {
        Type::of(unsafe { LLVMGetCalledFunctionType(self.0) })
    }

    /// The arguments of a call or `invoke`.
    #[must_use]
    pub fn arguments(self) -> Vec<Self> {
        (0..unsafe { LLVMGetNumArgOperands(self.0) }).map(|at| self.operand(at)).collect()
    }

    /// True if this is a call marked `tail` or `musttail`.
    #[must_use]
    pub fn is_tail_call(self) -> bool {
        self.opcode() == Some(Opcode::LLVMCall) && unsafe { LLVMIsTailCall(self.0) != 0 }
    }

    /// The value that a metadata argument refers to, if it refers to one.
    #[must_use]
    pub fn described(self) -> Option<Self> {
        // LLVM allows the question only for an argument of this kind.
        if self.kind() != ValueKind::LLVMMetadataAsValueValueKind {
            return None;
        }
        unsafe {
            if LLVMGetMDNodeNumOperands(self.0) != 1 {
                return None;
            }
            let mut value = std::ptr::null_mut();
            LLVMGetMDNodeOperands(self.0, &raw mut value);
            Self::wrap(value)
        }
    }
}
