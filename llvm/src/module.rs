//! Modules: their parts, and their data layout.

use inkwell::context::{AsContextRef as _, Context};
use inkwell::llvm_sys::bit_reader;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use inkwell::llvm_sys::target::{
    LLVMABIAlignmentOfType, LLVMABISizeOfType, LLVMGetModuleDataLayout, LLVMOffsetOfElement, LLVMStoreSizeOfType,
    LLVMTargetDataRef,
};
use inkwell::memory_buffer::MemoryBuffer;
use std::marker::PhantomData;
use std::mem::forget;
use std::ptr::null_mut;

use super::{Module, Type, Value, list, message, text};

/// A parsed module.
pub struct Bitcode<'c> {
    module: inkwell::module::Module<'c>,
}

impl<'c> Bitcode<'c> {
    /// Parses bitcode.
    ///
    /// # Errors
    /// LLVM's own message, if `bytes` is not bitcode that this version reads.
    pub fn parse(context: &'c Context, bytes: &[u8], name: &str) -> Result<Self, String> {
        let buffer = MemoryBuffer::create_from_memory_range_copy(bytes, name);
        let module = inkwell::module::Module::parse_bitcode_from_buffer(&buffer, context);
        module.map(|module| Self { module }).map_err(|error| error.to_string())
    }

    /// Parses bitcode without the bodies of functions: enough to ask for names and linkages.
    ///
    /// # Errors
    /// LLVM's own message, if `bytes` is not bitcode that this version reads.
    pub fn parse_names(context: &'c Context, bytes: &[u8], name: &str) -> Result<Self, String> {
        let buffer = MemoryBuffer::create_from_memory_range_copy(bytes, name);
        let (mut module, mut made) = (null_mut(), null_mut());
        // The successor of this function tells the context of errors, which ends the process.
        #[allow(deprecated)]
        // SAFETY: all four pointers are to live objects.
        let failed = unsafe {
            bit_reader::LLVMGetBitcodeModuleInContext(
                context.as_ctx_ref(),
                buffer.as_mut_ptr(),
                &raw mut module,
                &raw mut made,
            ) != 0
        };
        if failed {
            return Err(message(made));
        }
        // The module that was made owns the buffer.
        forget(buffer);
        // SAFETY: it has no other owner.
        Ok(Self { module: unsafe { inkwell::module::Module::new(module) } })
    }

    /// Parses LLVM assembly.
    ///
    /// # Errors
    /// LLVM's own message, if `text` is not a module that this version reads.
    pub fn parse_assembly(context: &'c Context, text: &[u8], name: &str) -> Result<Self, String> {
        // LLVM reads up to a zero byte, which must be the first one.
        let mut terminated: Vec<u8> = text.iter().copied().filter(|&byte| byte != 0).collect();
        terminated.push(0);
        let buffer = MemoryBuffer::create_from_memory_range_copy(&terminated, name);
        let module = context.create_module_from_ir(buffer);
        module.map(|module| Self { module }).map_err(|error| error.to_string())
    }

    /// The module as bitcode.
    pub fn to_bytes(&self) -> Vec<u8> {
        self.module.write_bitcode_to_memory().as_slice().to_vec()
    }

    /// Links `other` into this module.
    ///
    /// # Errors
    /// LLVM's own message, for example if both define the same symbol.
    pub fn link(&self, other: Self) -> Result<(), String> {
        self.module.link_in_module(other.module).map_err(|error| error.to_string())
    }

    /// Runs LLVM's verifier.
    ///
    /// # Errors
    /// The verifier's message about the first error.
    pub fn verify(&self) -> Result<(), String> {
        self.module.verify().map_err(|error| error.to_string())
    }

    /// The number of operands of the named metadata `name`, 0 if the module has none of this name.
    pub fn named_metadata_len(&self, name: &str) -> u32 {
        self.module.get_global_metadata_size(name)
    }

    /// The processor and system that the module is compiled for.
    pub fn target(&self) -> String {
        self.module.get_triple().as_str().to_string_lossy().into_owned()
    }

    /// The data layout of the module, as LLVM writes it.
    pub fn layout(&self) -> String {
        self.module.get_data_layout().as_str().to_string_lossy().into_owned()
    }

    /// The module itself, for access to its parts.
    pub fn module(&self) -> Module<'_> {
        Module(self.module.as_mut_ptr(), PhantomData)
    }
}

impl Module<'static> {
    /// A module lent by `opt`, which may be edited.
    ///
    /// # Safety
    /// The module lives, and nobody else uses it, as long as anything that comes from this value is used.
    #[must_use]
    pub unsafe fn lent(module: LLVMModuleRef) -> Self {
        Self(module, PhantomData)
    }
}

impl<'m> Module<'m> {
    /// All functions, declarations included.
    #[must_use]
    pub fn functions(self) -> Vec<Value<'m>> {
        list(unsafe { LLVMGetFirstFunction(self.0) }, LLVMGetNextFunction).map(Value::of).collect()
    }

    /// All global variables.
    #[must_use]
    pub fn globals(self) -> Vec<Value<'m>> {
        list(unsafe { LLVMGetFirstGlobal(self.0) }, LLVMGetNextGlobal).map(Value::of).collect()
    }

    /// All aliases of functions and variables.
    #[must_use]
    pub fn aliases(self) -> Vec<Value<'m>> {
        list(unsafe { LLVMGetFirstGlobalAlias(self.0) }, LLVMGetNextGlobalAlias).map(Value::of).collect()
    }

    /// All functions that a resolver chooses when the program starts (`ifunc`).
    #[must_use]
    pub fn indirect_functions(self) -> Vec<Value<'m>> {
        list(unsafe { LLVMGetFirstGlobalIFunc(self.0) }, LLVMGetNextGlobalIFunc).map(Value::of).collect()
    }

    /// The assembly outside of all functions.
    #[must_use]
    pub fn assembly(self) -> String {
        let mut len = 0;
        let pointer = unsafe { LLVMGetModuleInlineAsm(self.0, &raw mut len) };
        text(pointer, len)
    }

    fn data_layout(self) -> LLVMTargetDataRef {
        unsafe { LLVMGetModuleDataLayout(self.0) }
    }

    /// Bytes that an `alloca` or an element of an array of the type takes, padding included. The type has a
    /// fixed size.
    #[must_use]
    pub fn size(self, ty: Type<'_>) -> u64 {
        unsafe { LLVMABISizeOfType(self.data_layout(), ty.0) }
    }

    /// Bytes that a store of the type writes. The type has a fixed size.
    #[must_use]
    pub fn store_size(self, ty: Type<'_>) -> u64 {
        unsafe { LLVMStoreSizeOfType(self.data_layout(), ty.0) }
    }

    /// Alignment in bytes.
    #[must_use]
    pub fn align(self, ty: Type<'_>) -> u64 {
        u64::from(unsafe { LLVMABIAlignmentOfType(self.data_layout(), ty.0) })
    }

    /// Offset in bytes of a structure's field.
    #[must_use]
    pub fn field_offset(self, ty: Type<'_>, field: u32) -> u64 {
        unsafe { LLVMOffsetOfElement(self.data_layout(), ty.0, field) }
    }
}
