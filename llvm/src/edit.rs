//! Changes of a module. Only a module lent for `'static` can be changed ([`Module::lent`]): those that the
//! checker parses never are.

mod builder;

use std::ffi::{CString, c_uint};

use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::{
    LLVMDILocationGetInlinedAt, LLVMInstructionGetDebugLoc, LLVMInstructionSetDebugLoc, LLVMSetSubprogram,
};
use inkwell::llvm_sys::prelude::LLVMContextRef;
use inkwell::llvm_sys::{LLVMLinkage, LLVMVisibility};

use crate::attributes::attribute_kind;
use crate::flags::metadata_kind;
use crate::some;
pub use builder::Builder;

/// A module that may be changed.
pub type Module = super::Module<'static>;
/// A type of such a module.
pub type Type = super::Type<'static>;
/// A value of such a module.
pub type Value = super::Value<'static>;
/// A basic block of such a module.
pub type Block = super::Block<'static>;

unsafe extern "C" {
    /// `llvm::sys::RunInterruptHandlers()`, which has no C interface.
    #[link_name = "_ZN4llvm3sys20RunInterruptHandlersEv"]
    fn run_interrupt_handlers();
}

/// Deletes the output files that the running tool has opened, as LLVM does itself before it exits with an
/// error.
pub fn remove_outputs() {
    // SAFETY: takes and returns nothing; LLVM calls it from `report_fatal_error` in the same situation.
    unsafe { run_interrupt_handlers() }
}

fn c_string(text: &str) -> CString {
    CString::new(text).expect("names given to LLVM have no NUL")
}

impl Module {
    fn context(self) -> LLVMContextRef {
        unsafe { LLVMGetModuleContext(self.0) }
    }

    /// The function of this name, declared with `ty` if the module has none.
    ///
    /// # Panics
    /// If the name has a NUL.
    #[must_use]
    pub fn function(self, name: &str, ty: Type) -> Value {
        let name = c_string(name);
        unsafe {
            let found = LLVMGetNamedFunction(self.0, name.as_ptr());
            Value::of(some(found).unwrap_or_else(|| LLVMAddFunction(self.0, name.as_ptr(), ty.0)))
        }
    }

    /// The function of this name; if the module has none, it is declared like another function: with its type
    /// and its calling convention.
    ///
    /// # Panics
    /// If the name has a NUL.
    #[must_use]
    pub fn function_like(self, name: &str, other: Value) -> Value {
        let function = self.function(name, other.value_type());
        if function.is_declaration() {
            unsafe { LLVMSetFunctionCallConv(function.0, LLVMGetFunctionCallConv(other.0)) }
        }
        function
    }

    /// The type of integers of `bits` bits.
    #[must_use]
    pub fn int(self, bits: u32) -> Type {
        Type::of(unsafe { LLVMIntTypeInContext(self.context(), bits) })
    }

    /// The type of pointers.
    #[must_use]
    pub fn ptr(self) -> Type {
        Type::of(unsafe { LLVMPointerTypeInContext(self.context(), 0) })
    }

    /// The type of functions without a result.
    #[must_use]
    pub fn void(self) -> Type {
        Type::of(unsafe { LLVMVoidTypeInContext(self.context()) })
    }

    /// A builder without a position.
    #[must_use]
    pub fn builder(self) -> Builder {
        Builder::new(unsafe { LLVMCreateBuilderInContext(self.context()) })
    }

    /// Appends an empty block to `function`.
    ///
    /// # Panics
    /// If the name has a NUL.
    #[must_use]
    pub fn append_block(self, function: Value, name: &str) -> Block {
        let name = c_string(name);
        let block = unsafe { LLVMAppendBasicBlockInContext(self.context(), function.0, name.as_ptr()) };
        super::Block(block, std::marker::PhantomData)
    }
}

/// Types and constants that are made from a type.
impl Type {
    /// The type of vectors of `count` elements of this type, which is a scalar.
    #[must_use]
    pub fn vector(self, count: u32) -> Type {
        Type::of(unsafe { LLVMVectorType(self.0, count) })
    }

    /// The type of arrays of `count` elements of this type.
    #[must_use]
    pub fn array(self, count: u32) -> Type {
        Type::of(unsafe { LLVMArrayType(self.0, count) })
    }

    /// The type of a function with this result and these parameters.
    ///
    /// # Panics
    /// If there are more than 2^32 parameters.
    #[must_use]
    pub fn function(self, params: &[Type]) -> Type {
        let mut params: Vec<_> = params.iter().map(|ty| ty.0).collect();
        let count = c_uint::try_from(params.len()).expect("few parameters");
        Type::of(unsafe { LLVMFunctionType(self.0, params.as_mut_ptr(), count, 0) })
    }

    /// A constant of this integer type, the low bits of `value`.
    #[must_use]
    pub fn constant(self, value: i64) -> Value {
        Value::of(unsafe { LLVMConstInt(self.0, value.cast_unsigned(), 1) })
    }

    /// The null value.
    #[must_use]
    pub fn null(self) -> Value {
        Value::of(unsafe { LLVMConstNull(self.0) })
    }

    /// The undefined value.
    #[must_use]
    pub fn undef(self) -> Value {
        Value::of(unsafe { LLVMGetUndef(self.0) })
    }

    /// The poison value.
    #[must_use]
    pub fn poison(self) -> Value {
        Value::of(unsafe { LLVMGetPoison(self.0) })
    }
}

impl Value {
    /// Gives the value a name; LLVM makes it unique.
    pub fn set_name(self, name: &str) {
        unsafe { LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()) }
    }

    /// Replaces every use of this value by another one.
    pub fn replace_uses(self, with: Value) {
        unsafe { LLVMReplaceAllUsesWith(self.0, with.0) }
    }

    /// Makes a call one of another function, which takes and returns the same.
    pub fn replace_callee(self, function: Value) {
        self.set_operand(self.operand_count() - 1, function);
    }

    /// An instruction as LLVM's assembly language writes it, with undefined operands. For [`Value::print`],
    /// LLVM numbers all values of the module; this takes as long in a module of any size.
    ///
    /// Requires an instruction that is no branch and no `invoke`.
    #[must_use]
    pub fn print_alone(self) -> String {
        let copy = Value::of(unsafe { LLVMInstructionClone(self.0) });
        (0..copy.operand_count()).for_each(|at| copy.set_operand(at, copy.operand(at).ty().undef()));
        let printed = copy.print();
        unsafe { LLVMDeleteInstruction(copy.0) }
        printed
    }

    /// Replaces operand `at`.
    pub fn set_operand(self, at: u32, value: Value) {
        unsafe { LLVMSetOperand(self.0, at, value.0) }
    }

    /// Deletes a function without uses, its body included.
    pub fn delete_function(self) {
        unsafe { LLVMDeleteFunction(self.0) }
    }

    /// Makes a function or global variable visible in other files.
    pub fn make_external(self) {
        unsafe {
            LLVMSetLinkage(self.0, LLVMLinkage::LLVMExternalLinkage);
            LLVMSetVisibility(self.0, LLVMVisibility::LLVMDefaultVisibility);
        }
    }

    /// Gives a function another personality routine.
    pub fn set_personality(self, routine: Value) {
        unsafe { LLVMSetPersonalityFn(self.0, routine.0) }
    }

    /// Removes a function's description from the debug information.
    pub fn forget_subprogram(self) {
        unsafe { LLVMSetSubprogram(self.0, std::ptr::null_mut()) }
    }

    /// Removes the place of an instruction.
    pub fn forget_place(self) {
        unsafe { LLVMInstructionSetDebugLoc(self.0, std::ptr::null_mut()) }
    }

    /// Gives an instruction that was inlined the place of the call. False if it was not inlined.
    pub fn move_to_call(self) -> bool {
        unsafe {
            let place = LLVMInstructionGetDebugLoc(self.0);
            let call = if place.is_null() { place } else { LLVMDILocationGetInlinedAt(place) };
            if !call.is_null() {
                LLVMInstructionSetDebugLoc(self.0, call);
            }
            !call.is_null()
        }
    }

    /// Deletes an instruction without uses.
    pub fn erase(self) {
        unsafe { LLVMInstructionEraseFromParent(self.0) }
    }

    /// Removes an attribute from a function, its result or a parameter.
    pub fn remove_attribute(self, index: u32, name: &str) {
        unsafe { LLVMRemoveEnumAttributeAtIndex(self.0, index, attribute_kind(name)) }
    }

    /// Removes an attribute from a call, its result or an argument.
    pub fn remove_call_attribute(self, index: u32, name: &str) {
        unsafe { LLVMRemoveCallSiteEnumAttribute(self.0, index, attribute_kind(name)) }
    }

    /// Aligns an `alloca`, a load or a store to `bytes`, a power of two.
    pub fn set_alignment(self, bytes: u32) {
        unsafe { LLVMSetAlignment(self.0, bytes) }
    }

    /// Makes an `invoke` continue in `block` after a return.
    pub fn set_normal_destination(self, block: Block) {
        unsafe { LLVMSetNormalDest(self.0, block.0) }
    }

    /// Copies the metadata of this kind from the instruction `from` to this one.
    pub fn copy_metadata(self, kind: &str, from: Value) {
        if let Some(node) = from.metadata_node(kind) {
            unsafe { LLVMSetMetadata(self.0, metadata_kind(kind), node.0) }
        }
    }

    /// Adds metadata to an instruction with an integer result: the result is in `low..high`, two constants of
    /// its type.
    pub fn set_range(self, [low, high]: [Value; 2]) {
        unsafe {
            let context = LLVMGetTypeContext(self.ty().0);
            let mut limits = [low, high].map(|limit| LLVMValueAsMetadata(limit.0));
            let node = LLVMMDNodeInContext2(context, limits.as_mut_ptr(), limits.len());
            LLVMSetMetadata(self.0, metadata_kind("range"), LLVMMetadataAsValue(context, node));
        }
    }
}
