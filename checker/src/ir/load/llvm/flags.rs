//! Flags, metadata and attributes: what a module says of its values beside computing them. The contract of
//! `unsafe` is that of [`super`].

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;

use super::{Opcode, Type, TypeKind, Value, text};
use crate::ir::instr::Promises;

unsafe extern "C" {
    // Flags of instructions, which LLVM 16's C interface does not have: methods of `llvm::Instruction` that
    // take nothing but the instruction. The type behind a value reference is a base class at offset 0.
    #[link_name = "_ZNK4llvm11Instruction15hasNoSignedWrapEv"]
    fn has_no_signed_wrap(instruction: LLVMValueRef) -> bool;
    #[link_name = "_ZNK4llvm11Instruction17hasNoUnsignedWrapEv"]
    fn has_no_unsigned_wrap(instruction: LLVMValueRef) -> bool;
    #[link_name = "_ZNK4llvm11Instruction7isExactEv"]
    fn is_exact(instruction: LLVMValueRef) -> bool;
    #[link_name = "_ZNK4llvm11Instruction9hasNoNaNsEv"]
    fn has_no_nans(instruction: LLVMValueRef) -> bool;
    #[link_name = "_ZNK4llvm11Instruction9hasNoInfsEv"]
    fn has_no_infinities(instruction: LLVMValueRef) -> bool;
    #[link_name = "_ZNK4llvm11Instruction16hasNoSignedZerosEv"]
    fn has_no_signed_zeros(instruction: LLVMValueRef) -> bool;
    #[link_name = "_ZNK4llvm11Instruction18hasAllowReciprocalEv"]
    fn has_reciprocal(instruction: LLVMValueRef) -> bool;
    #[link_name = "_ZNK4llvm11Instruction16hasAllowContractEv"]
    fn has_contract(instruction: LLVMValueRef) -> bool;
    #[link_name = "_ZNK4llvm11Instruction13hasApproxFuncEv"]
    fn has_approximation(instruction: LLVMValueRef) -> bool;
    #[link_name = "_ZNK4llvm11Instruction15hasAllowReassocEv"]
    fn has_reassociation(instruction: LLVMValueRef) -> bool;
}

impl Value<'_> {
    /// What the compiler knows of the operands of an operation on integers.
    pub fn promises(self) -> Promises {
        let flag = |is_set: bool, promise| if is_set { promise } else { Promises::NONE };
        unsafe {
            match self.opcode() {
                Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul | Opcode::LLVMShl => {
                    let signed = flag(has_no_signed_wrap(self.0), Promises::SIGNED);
                    signed.and(flag(has_no_unsigned_wrap(self.0), Promises::UNSIGNED))
                }
                Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMLShr | Opcode::LLVMAShr => {
                    flag(is_exact(self.0), Promises::EXACT)
                }
                _ => Promises::NONE,
            }
        }
    }

    /// Whether an instruction that gives a floating-point number, or compares two, has a flag of
    /// `-ffast-math`.
    pub fn is_fast_math(self) -> bool {
        let flags = [
            has_no_nans,
            has_no_infinities,
            has_no_signed_zeros,
            has_reciprocal,
            has_contract,
            has_approximation,
            has_reassociation,
        ];
        // LLVM asks for the flags only of such instructions.
        let is_float = |ty: Type<'_>| {
            let ty = if ty.kind() == TypeKind::LLVMVectorTypeKind { ty.element() } else { ty };
            matches!(
                ty.kind(),
                TypeKind::LLVMHalfTypeKind
                    | TypeKind::LLVMBFloatTypeKind
                    | TypeKind::LLVMFloatTypeKind
                    | TypeKind::LLVMDoubleTypeKind
                    | TypeKind::LLVMX86_FP80TypeKind
                    | TypeKind::LLVMFP128TypeKind
            )
        };
        let has_flags = match self.opcode() {
            Opcode::LLVMFCmp | Opcode::LLVMFAdd | Opcode::LLVMFSub | Opcode::LLVMFMul | Opcode::LLVMFDiv => true,
            Opcode::LLVMFRem | Opcode::LLVMFNeg => true,
            Opcode::LLVMSelect | Opcode::LLVMCall | Opcode::LLVMPHI => is_float(self.ty()),
            _ => false,
        };
        has_flags && flags.iter().any(|flag| unsafe { flag(self.0) })
    }

    /// Whether a `getelementptr` is `inbounds`.
    pub fn is_inbounds(self) -> bool {
        unsafe { LLVMIsInBounds(self.0) != 0 }
    }

    /// The operands of metadata of an instruction, such as the limits of `!range`. `None`: it has no metadata
    /// of this name.
    pub fn metadata(self, name: &str) -> Option<Vec<Self>> {
        unsafe {
            let kind = LLVMGetMDKindID(name.as_ptr().cast(), u32::try_from(name.len()).expect("a short name"));
            let node = Self::wrap(LLVMGetMetadata(self.0, kind))?;
            let count = LLVMGetMDNodeNumOperands(node.0);
            let mut operands = vec![std::ptr::null_mut(); count as usize];
            LLVMGetMDNodeOperands(node.0, operands.as_mut_ptr());
            Some(operands.into_iter().filter_map(Self::wrap).collect())
        }
    }

    /// The value of a string attribute of a function, such as its `target-features`.
    pub fn string_attribute(self, name: &str) -> Option<String> {
        unsafe {
            let length = u32::try_from(name.len()).expect("a short name");
            let attribute = LLVMGetStringAttributeAtIndex(self.0, u32::MAX, name.as_ptr().cast(), length);
            if attribute.is_null() {
                return None;
            }
            let mut length = 0;
            let value = LLVMGetStringAttributeValue(attribute, &raw mut length);
            Some(text(value, length as usize))
        }
    }
}
