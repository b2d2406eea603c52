//! Flags and metadata of instructions: the promises of a module about its values.

use std::ffi::c_uint;

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMValueRef;

use super::{Opcode, Type, TypeKind, Value};

unsafe extern "C" {
    // Flags of instructions, which LLVM 16's C interface does not have: methods of `llvm::Instruction` that
    // have no other parameter. The type behind a value reference is a base class at offset 0.
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

/// Flags of an operation on integers. Each is a promise; if it does not hold, the result is poison.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ArithmeticFlags {
    /// `nsw`: the result is that of signed numbers of any size.
    pub no_signed_wrap: bool,
    /// `nuw`: the result is that of unsigned numbers of any size.
    pub no_unsigned_wrap: bool,
    /// `exact`: a division or a shift loses only zeros.
    pub exact: bool,
}

impl Value<'_> {
    /// The flags of an operation on integers; no flags for any other instruction or constant expression.
    #[must_use]
    pub fn arithmetic_flags(self) -> ArithmeticFlags {
        let none = ArithmeticFlags::default();
        unsafe {
            match self.opcode() {
                Some(Opcode::LLVMAdd | Opcode::LLVMSub | Opcode::LLVMMul | Opcode::LLVMShl) => ArithmeticFlags {
                    no_signed_wrap: has_no_signed_wrap(self.0),
                    no_unsigned_wrap: has_no_unsigned_wrap(self.0),
                    ..none
                },
                Some(Opcode::LLVMUDiv | Opcode::LLVMSDiv | Opcode::LLVMLShr | Opcode::LLVMAShr) => {
                    ArithmeticFlags { exact: is_exact(self.0), ..none }
                }
                _ => none,
            }
        }
    }

    /// True if an instruction that computes a floating-point number, or compares two, has a flag of
    /// `-ffast-math`.
    #[must_use]
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
        // LLVM allows the question for the flags only of such instructions.
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
            Some(Opcode::LLVMFCmp | Opcode::LLVMFAdd | Opcode::LLVMFSub | Opcode::LLVMFMul | Opcode::LLVMFDiv) => true,
            Some(Opcode::LLVMFRem | Opcode::LLVMFNeg) => true,
            Some(Opcode::LLVMSelect | Opcode::LLVMCall | Opcode::LLVMPHI) => is_float(self.ty()),
            _ => false,
        };
        has_flags && flags.iter().any(|flag| unsafe { flag(self.0) })
    }

    /// True if a `getelementptr` is `inbounds`.
    #[must_use]
    pub fn is_inbounds(self) -> bool {
        unsafe { LLVMIsInBounds(self.0) != 0 }
    }

    /// True if an instruction has metadata of this kind, such as `nontemporal`.
    #[must_use]
    pub fn has_metadata(self, kind: &str) -> bool {
        self.metadata_node(kind).is_some()
    }

    /// The operands of an instruction's metadata of this kind, such as the limits of `range`; `None` if it
    /// has none.
    #[must_use]
    pub fn metadata(self, kind: &str) -> Option<Vec<Self>> {
        let node = self.metadata_node(kind)?;
        unsafe {
            let mut operands = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(node.0) as usize];
            LLVMGetMDNodeOperands(node.0, operands.as_mut_ptr());
            Some(operands.into_iter().filter_map(Self::wrap).collect())
        }
    }

    pub(crate) fn metadata_node(self, kind: &str) -> Option<Self> {
        Self::wrap(unsafe { LLVMGetMetadata(self.0, metadata_kind(kind)) })
    }
}

pub(crate) fn metadata_kind(name: &str) -> c_uint {
    // SAFETY: LLVM reads `len` bytes.
    unsafe { LLVMGetMDKindID(name.as_ptr().cast(), c_uint::try_from(name.len()).expect("a short name")) }
}
