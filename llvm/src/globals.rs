//! Functions, global variables, aliases and their linkage.

use std::marker::PhantomData;

use inkwell::llvm_sys::LLVMLinkage;
use inkwell::llvm_sys::core::*;

use super::{Block, Type, Value, ValueKind, list};

impl<'m> Value<'m> {
    /// True if this is a function.
    #[must_use]
    pub fn is_function(self) -> bool {
        self.kind() == ValueKind::LLVMFunctionValueKind
    }

    fn is_variable(self) -> bool {
        self.kind() == ValueKind::LLVMGlobalVariableValueKind
    }

    /// The type of a function, or of a global variable's content.
    #[must_use]
    pub fn value_type(self) -> Type<'m> {
        Type::of(unsafe { LLVMGlobalGetValueType(self.0) })
    }

    /// True if a function or global variable has no definition.
    #[must_use]
    pub fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    /// True if this is a weak function or global variable that no input defines: its address is null.
    #[must_use]
    pub fn is_absent_weak(self) -> bool {
        (self.is_function() || self.is_variable())
            && unsafe { LLVMGetLinkage(self.0) } == LLVMLinkage::LLVMExternalWeakLinkage
    }

    /// True if a function, global variable or alias is visible only in its own file.
    #[must_use]
    pub fn is_static(self) -> bool {
        let linkage = unsafe { LLVMGetLinkage(self.0) };
        matches!(linkage, LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage)
    }

    /// A global variable's initialiser.
    #[must_use]
    pub fn initializer(self) -> Option<Self> {
        Self::wrap(unsafe { LLVMGetInitializer(self.0) })
    }

    /// True if this is a global variable declared `constant`.
    #[must_use]
    pub fn is_constant_global(self) -> bool {
        self.is_variable() && unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }

    /// True if a global variable is thread-local.
    #[must_use]
    pub fn is_thread_local(self) -> bool {
        unsafe { LLVMIsThreadLocal(self.0) != 0 }
    }

    /// The aliased value of a global alias.
    #[must_use]
    pub fn aliasee(self) -> Self {
        Self::of(unsafe { LLVMAliasGetAliasee(self.0) })
    }

    /// The resolver of an indirect function.
    #[must_use]
    pub fn resolver(self) -> Self {
        Self::of(unsafe { LLVMGetGlobalIFuncResolver(self.0) })
    }

    /// A function's parameters.
    #[must_use]
    pub fn params(self) -> Vec<Self> {
        (0..unsafe { LLVMCountParams(self.0) }).map(|at| Self::of(unsafe { LLVMGetParam(self.0, at) })).collect()
    }

    /// A function's blocks.
    #[must_use]
    pub fn blocks(self) -> Vec<Block<'m>> {
        let blocks = list(unsafe { LLVMGetFirstBasicBlock(self.0) }, LLVMGetNextBasicBlock);
        blocks.map(|block| Block(block, PhantomData)).collect()
    }
}
