//! Landing pads, and the routine that reads a function's table of them.

use inkwell::llvm_sys::core::*;

use super::{TypeKind, Value};

/// A clause of a landing pad.
#[derive(Clone, Copy)]
pub enum Clause<'m> {
    /// It catches exceptions of the type with this description; of every type if it is null.
    Catch(Value<'m>),
    /// It stops exceptions of every type that is not in this array.
    Filter(Value<'m>),
}

impl<'m> Value<'m> {
    /// The clauses of a `landingpad`, in order.
    #[must_use]
    pub fn clauses(self) -> Vec<Clause<'m>> {
        let clause = |at| Self::of(unsafe { LLVMGetClause(self.0, at) });
        let of_kind = |value: Self| match value.ty().kind() {
            TypeKind::LLVMArrayTypeKind => Clause::Filter(value),
            _ => Clause::Catch(value),
        };
        (0..unsafe { LLVMGetNumClauses(self.0) }).map(|at| of_kind(clause(at))).collect()
    }

    /// True if exceptions that match no clause of a `landingpad` enter it, too.
    #[must_use]
    pub fn is_cleanup(self) -> bool {
        unsafe { LLVMIsCleanup(self.0) != 0 }
    }

    /// The personality routine of a function.
    #[must_use]
    pub fn personality(self) -> Option<Self> {
        let has_one = unsafe { LLVMHasPersonalityFn(self.0) != 0 };
        has_one.then(|| Self::of(unsafe { LLVMGetPersonalityFn(self.0) }))
    }
}
