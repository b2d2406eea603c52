//! Types.

use std::marker::PhantomData;

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMTypeRef;

use super::{Type, TypeKind, message};

impl Type<'_> {
    pub(crate) fn of(ty: LLVMTypeRef) -> Self {
        Self(ty, PhantomData)
    }

    /// The kind of type.
    #[must_use]
    pub fn kind(self) -> TypeKind {
        unsafe { LLVMGetTypeKind(self.0) }
    }

    /// The type as LLVM's assembly language writes it.
    #[must_use]
    pub fn print(self) -> String {
        message(unsafe { LLVMPrintTypeToString(self.0) })
    }

    /// Bits of an integer type.
    #[must_use]
    pub fn bits(self) -> u32 {
        unsafe { LLVMGetIntTypeWidth(self.0) }
    }

    /// Element type of an array or vector.
    #[must_use]
    pub fn element(self) -> Self {
        Self::of(unsafe { LLVMGetElementType(self.0) })
    }

    /// Number of elements of an array, a vector of fixed length or a structure; 0 for other types.
    #[must_use]
    pub fn count(self) -> u32 {
        unsafe {
            match self.kind() {
                TypeKind::LLVMArrayTypeKind => LLVMGetArrayLength(self.0),
                TypeKind::LLVMVectorTypeKind => LLVMGetVectorSize(self.0),
                TypeKind::LLVMStructTypeKind => LLVMCountStructElementTypes(self.0),
                _ => 0,
            }
        }
    }

    /// Type of field `at` of a structure.
    #[must_use]
    pub fn field(self, at: u32) -> Self {
        Self::of(unsafe { LLVMStructGetTypeAtIndex(self.0, at) })
    }

    /// Types of the fields of a structure.
    #[must_use]
    pub fn fields(self) -> Vec<Self> {
        (0..self.count()).map(|at| self.field(at)).collect()
    }

    /// Address space of a pointer type.
    #[must_use]
    pub fn address_space(self) -> u32 {
        unsafe { LLVMGetPointerAddressSpace(self.0) }
    }

    /// Result type of a function type.
    #[must_use]
    pub fn result(self) -> Self {
        Self::of(unsafe { LLVMGetReturnType(self.0) })
    }

    /// Number of parameters of a function type.
    #[must_use]
    pub fn param_count(self) -> u32 {
        unsafe { LLVMCountParamTypes(self.0) }
    }

    /// True if a function type takes variable arguments.
    #[must_use]
    pub fn is_varargs(self) -> bool {
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }
}
