//! Constants.

use inkwell::llvm_sys::core::*;

use super::{Value, ValueKind};

impl Value<'_> {
    /// The low 64 bits of an integer constant.
    #[must_use]
    pub fn int(self) -> u64 {
        unsafe { LLVMConstIntGetZExtValue(self.0) }
    }

    /// The value of an integer constant of at most 64 bits, zero-extended; `None` for other values.
    #[must_use]
    pub fn as_int(self) -> Option<u64> {
        let is_narrow = self.kind() == ValueKind::LLVMConstantIntValueKind && self.ty().bits() <= 64;
        is_narrow.then(|| self.int())
    }

    /// The value of a floating-point constant, converted to `double`.
    #[must_use]
    pub fn float(self) -> f64 {
        let mut lossy = 0;
        unsafe { LLVMConstRealGetDouble(self.0, &raw mut lossy) }
    }

    /// Element `at` of a constant aggregate or vector, data arrays and zero initialisers included; `None` for
    /// values that are no constants or have no elements.
    #[must_use]
    pub fn aggregate_element(self, at: u32) -> Option<Self> {
        let is_constant = !unsafe { LLVMIsAConstant(self.0) }.is_null();
        is_constant.then(|| Self::wrap(unsafe { LLVMGetAggregateElement(self.0, at) })).flatten()
    }

    /// True if the value is the null value of its type.
    #[must_use]
    pub fn is_null(self) -> bool {
        unsafe { LLVMIsNull(self.0) != 0 }
    }

    /// True if this is inline assembly.
    #[must_use]
    pub fn is_inline_asm(self) -> bool {
        self.kind() == ValueKind::LLVMInlineAsmValueKind
    }
}
