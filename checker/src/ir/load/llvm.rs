//! Thin wrappers of LLVM's C API, all of them `unsafe` code.
//!
//! [`Value`], [`Type`] and [`Block`] are pointers into a [`Bitcode`] module and carry its lifetime, so that none outlives it; LLVM itself
//! guarantees that such a pointer stays valid as long as the module, which nothing here modifies. That is what every `unsafe` block
//! below relies on, together with the kind check named beside it where LLVM asserts one.
#![allow(unsafe_code)]

use std::ffi::{CStr, c_char, c_uint};
use std::marker::PhantomData;

use inkwell::context::Context;
use inkwell::llvm_sys::core::*;
use inkwell::llvm_sys::debuginfo::{LLVMGetSubprogram, LLVMInstructionGetDebugLoc};
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMTypeRef, LLVMValueRef};
use inkwell::llvm_sys::target::{
    LLVMABIAlignmentOfType, LLVMABISizeOfType, LLVMGetModuleDataLayout, LLVMOffsetOfElement, LLVMStoreSizeOfType,
};
use inkwell::llvm_sys::{LLVMIntPredicate, LLVMLinkage, LLVMOpcode, LLVMRealPredicate, LLVMTypeKind, LLVMValueKind};
pub use inkwell::llvm_sys::{
    LLVMIntPredicate as IntPredicate, LLVMOpcode as Opcode, LLVMTypeKind as TypeKind, LLVMValueKind as ValueKind,
};
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::Module;

mod flags;
mod metadata;

pub use metadata::{Metadata, MetadataKind};

/// A parsed module.
pub struct Bitcode<'c> {
    module: Module<'c>,
}

/// A type of a module.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type<'m>(LLVMTypeRef, PhantomData<&'m ()>);

/// A value of a module: instruction, constant, function, global, argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value<'m>(LLVMValueRef, PhantomData<&'m ()>);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block<'m>(LLVMBasicBlockRef, PhantomData<&'m ()>);

/// A place in the source.
pub struct Place {
    /// File name, relative to `directory` unless it is absolute. The compiler makes it so: of a file it was
    /// given with an absolute name, the part that the name has in common with the compiler's working
    /// directory is the directory.
    pub file: String,
    /// Where the compiler was run, or a directory above it; empty if unknown.
    pub directory: String,
    /// Line, from 1.
    pub line: u32,
    /// Column.
    pub column: u32,
}

fn text(pointer: *const c_char, len: usize) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // LLVM returns a pointer to `len` bytes owned by the module.
    let bytes = unsafe { std::slice::from_raw_parts(pointer.cast::<u8>(), len) };
    String::from_utf8_lossy(bytes).into_owned()
}

fn iterate<T: Copy>(first: Option<T>, next: impl Fn(T) -> Option<T>) -> Vec<T> {
    std::iter::successors(first, |&at| next(at)).collect()
}

impl<'c> Bitcode<'c> {
    /// Parses bitcode. The error is LLVM's own message.
    pub fn parse(context: &'c Context, bytes: &[u8], name: &str) -> Result<Self, String> {
        let buffer = MemoryBuffer::create_from_memory_range_copy(bytes, name);
        let module = Module::parse_bitcode_from_buffer(&buffer, context);
        module.map(|module| Self { module }).map_err(|error| error.to_string())
    }

    /// Links `other` into this module. The error is LLVM's own message.
    pub fn link(&self, other: Self) -> Result<(), String> {
        self.module.link_in_module(other.module).map_err(|error| error.to_string())
    }

    /// Whether the module carries the mark of instrumentation.
    pub fn is_instrumented(&self) -> bool {
        self.module.get_global_metadata_size("rmc.instrumented") > 0
    }

    /// The processor and system that the module is compiled for.
    pub fn target(&self) -> String {
        self.module.get_triple().as_str().to_string_lossy().into_owned()
    }

    /// How it lays data out, as LLVM writes it.
    pub fn layout(&self) -> String {
        self.module.get_data_layout().as_str().to_string_lossy().into_owned()
    }

    /// The assembly outside of all functions.
    pub fn assembly(&self) -> String {
        let mut len = 0;
        let pointer = unsafe { LLVMGetModuleInlineAsm(self.module.as_mut_ptr(), &raw mut len) };
        text(pointer, len)
    }

    /// LLVM's verifier.
    pub fn verify(&self) -> Result<(), String> {
        self.module.verify().map_err(|error| error.to_string())
    }

    /// All functions, declarations included.
    pub fn functions(&self) -> Vec<Value<'_>> {
        let wrap = |value: LLVMValueRef| Value::wrap(value);
        unsafe { iterate(wrap(LLVMGetFirstFunction(self.module.as_mut_ptr())), |f| wrap(LLVMGetNextFunction(f.0))) }
    }

    /// All global variables.
    pub fn globals(&self) -> Vec<Value<'_>> {
        let wrap = |value: LLVMValueRef| Value::wrap(value);
        unsafe { iterate(wrap(LLVMGetFirstGlobal(self.module.as_mut_ptr())), |g| wrap(LLVMGetNextGlobal(g.0))) }
    }

    /// All aliases of functions and variables.
    pub fn aliases(&self) -> Vec<Value<'_>> {
        let wrap = |value: LLVMValueRef| Value::wrap(value);
        unsafe {
            iterate(wrap(LLVMGetFirstGlobalAlias(self.module.as_mut_ptr())), |a| wrap(LLVMGetNextGlobalAlias(a.0)))
        }
    }

    /// All functions that a resolver chooses when the program starts (`ifunc`).
    pub fn indirect_functions(&self) -> Vec<Value<'_>> {
        let wrap = |value: LLVMValueRef| Value::wrap(value);
        unsafe {
            iterate(wrap(LLVMGetFirstGlobalIFunc(self.module.as_mut_ptr())), |f| wrap(LLVMGetNextGlobalIFunc(f.0)))
        }
    }

    /// Size in bytes that an array element of the type takes.
    pub fn size(&self, ty: Type<'_>) -> u64 {
        unsafe { LLVMABISizeOfType(LLVMGetModuleDataLayout(self.module.as_mut_ptr()), ty.0) }
    }

    /// Bytes that a store of the type writes.
    pub fn store_size(&self, ty: Type<'_>) -> u64 {
        unsafe { LLVMStoreSizeOfType(LLVMGetModuleDataLayout(self.module.as_mut_ptr()), ty.0) }
    }

    /// Alignment in bytes.
    pub fn align(&self, ty: Type<'_>) -> u64 {
        u64::from(unsafe { LLVMABIAlignmentOfType(LLVMGetModuleDataLayout(self.module.as_mut_ptr()), ty.0) })
    }

    /// Offset in bytes of a struct's field.
    pub fn field_offset(&self, ty: Type<'_>, field: u32) -> u64 {
        unsafe { LLVMOffsetOfElement(LLVMGetModuleDataLayout(self.module.as_mut_ptr()), ty.0, field) }
    }
}

impl<'m> Type<'m> {
    fn of(ty: LLVMTypeRef) -> Self {
        Self(ty, PhantomData)
    }

    /// What kind of type.
    pub fn kind(self) -> LLVMTypeKind {
        unsafe { LLVMGetTypeKind(self.0) }
    }

    /// Bits of an integer type.
    pub fn int_width(self) -> u32 {
        unsafe { LLVMGetIntTypeWidth(self.0) }
    }

    /// Element type of an array or vector.
    pub fn element(self) -> Self {
        Self::of(unsafe { LLVMGetElementType(self.0) })
    }

    /// Number of elements of an array, vector or struct.
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

    /// Field type of a struct.
    pub fn field(self, at: u32) -> Self {
        Self::of(unsafe { LLVMStructGetTypeAtIndex(self.0, at) })
    }

    /// Result type of a function type.
    pub fn result(self) -> Self {
        Self::of(unsafe { LLVMGetReturnType(self.0) })
    }

    /// Number of parameters of a function type.
    pub fn param_count(self) -> u32 {
        unsafe { LLVMCountParamTypes(self.0) }
    }

    /// Whether a function type takes variable arguments.
    pub fn is_varargs(self) -> bool {
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }
}

impl<'m> Value<'m> {
    fn wrap(value: LLVMValueRef) -> Option<Self> {
        (!value.is_null()).then_some(Self(value, PhantomData))
    }

    fn of(value: LLVMValueRef) -> Self {
        Self(value, PhantomData)
    }

    /// Its name, empty for a temporary.
    pub fn name(self) -> String {
        let mut len = 0;
        let pointer = unsafe { LLVMGetValueName2(self.0, &raw mut len) };
        text(pointer, len)
    }

    /// Its type.
    pub fn ty(self) -> Type<'m> {
        Type::of(unsafe { LLVMTypeOf(self.0) })
    }

    /// The kind of value.
    pub fn kind(self) -> LLVMValueKind {
        unsafe { LLVMGetValueKind(self.0) }
    }

    /// LLVM's text of it.
    pub fn print(self) -> String {
        unsafe {
            let message = LLVMPrintValueToString(self.0);
            let result = CStr::from_ptr(message).to_string_lossy().trim().to_owned();
            LLVMDisposeMessage(message);
            result
        }
    }

    /// Number of operands.
    pub fn operand_count(self) -> u32 {
        u32::try_from(unsafe { LLVMGetNumOperands(self.0) }).unwrap_or(0)
    }

    /// Operand `at`.
    pub fn operand(self, at: u32) -> Self {
        Self::of(unsafe { LLVMGetOperand(self.0, at) })
    }

    /// All operands.
    pub fn operands(self) -> Vec<Self> {
        (0..self.operand_count()).map(|at| self.operand(at)).collect()
    }

    /// The type of a global variable's content or of a function.
    pub fn value_type(self) -> Type<'m> {
        Type::of(unsafe { LLVMGlobalGetValueType(self.0) })
    }

    /// Whether a function or global has no definition.
    pub fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    /// Whether it is a weak function or global that no input defines: its address is null.
    pub fn is_absent_weak(self) -> bool {
        let is_global =
            matches!(self.kind(), ValueKind::LLVMFunctionValueKind | ValueKind::LLVMGlobalVariableValueKind);
        is_global && unsafe { LLVMGetLinkage(self.0) } == LLVMLinkage::LLVMExternalWeakLinkage
    }

    /// Whether a function, global or alias is for its own file alone.
    pub fn is_static(self) -> bool {
        let linkage = unsafe { LLVMGetLinkage(self.0) };
        matches!(linkage, LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage)
    }

    /// A global variable's initialiser.
    pub fn initializer(self) -> Option<Self> {
        Self::wrap(unsafe { LLVMGetInitializer(self.0) })
    }

    /// Whether a global variable is `constant`.
    pub fn is_constant_global(self) -> bool {
        unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }

    /// Whether a global variable is thread-local.
    pub fn is_thread_local(self) -> bool {
        unsafe { LLVMIsThreadLocal(self.0) != 0 }
    }

    /// The aliased value of a global alias.
    pub fn aliasee(self) -> Self {
        Self::of(unsafe { LLVMAliasGetAliasee(self.0) })
    }

    /// The resolver of an indirect function.
    pub fn resolver(self) -> Self {
        Self::of(unsafe { LLVMGetGlobalIFuncResolver(self.0) })
    }

    /// A function's parameters.
    pub fn params(self) -> Vec<Self> {
        (0..unsafe { LLVMCountParams(self.0) }).map(|at| Self::of(unsafe { LLVMGetParam(self.0, at) })).collect()
    }

    /// A function's blocks.
    pub fn blocks(self) -> Vec<Block<'m>> {
        let wrap = |block: LLVMBasicBlockRef| (!block.is_null()).then_some(Block(block, PhantomData));
        unsafe { iterate(wrap(LLVMGetFirstBasicBlock(self.0)), |b| wrap(LLVMGetNextBasicBlock(b.0))) }
    }

    /// An instruction's or constant expression's opcode.
    pub fn opcode(self) -> LLVMOpcode {
        unsafe {
            if self.kind() == ValueKind::LLVMInstructionValueKind {
                LLVMGetInstructionOpcode(self.0)
            } else {
                LLVMGetConstOpcode(self.0)
            }
        }
    }

    /// Predicate of an integer comparison.
    pub fn int_predicate(self) -> LLVMIntPredicate {
        unsafe { LLVMGetICmpPredicate(self.0) }
    }

    /// Predicate of a floating-point comparison.
    pub fn float_predicate(self) -> LLVMRealPredicate {
        unsafe { LLVMGetFCmpPredicate(self.0) }
    }

    /// Source element type of a `getelementptr`.
    pub fn gep_type(self) -> Type<'m> {
        Type::of(unsafe { LLVMGetGEPSourceElementType(self.0) })
    }

    /// Type that an `alloca` allocates.
    pub fn allocated_type(self) -> Type<'m> {
        Type::of(unsafe { LLVMGetAllocatedType(self.0) })
    }

    /// Indices of `extractvalue`/`insertvalue`.
    pub fn indices(self) -> Vec<u32> {
        unsafe {
            let count = LLVMGetNumIndices(self.0) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.0), count).to_vec()
        }
    }

    /// Mask of a `shufflevector`; -1 is undefined.
    pub fn shuffle_mask(self) -> Vec<i32> {
        unsafe { (0..LLVMGetNumMaskElements(self.0)).map(|at| LLVMGetMaskValue(self.0, at)).collect() }
    }

    /// A call's callee.
    pub fn callee(self) -> Self {
        Self::of(unsafe { LLVMGetCalledValue(self.0) })
    }

    /// A call's function type.
    pub fn callee_type(self) -> Type<'m> {
        Type::of(unsafe { LLVMGetCalledFunctionType(self.0) })
    }

    /// The value that a metadata argument refers to, if it refers to one.
    pub fn described(self) -> Option<Self> {
        unsafe {
            // Only then may LLVM be asked about the metadata below.
            if self.kind() != ValueKind::LLVMMetadataAsValueValueKind || LLVMGetMDNodeNumOperands(self.0) != 1 {
                return None;
            }
            let mut value = std::ptr::null_mut();
            LLVMGetMDNodeOperands(self.0, &raw mut value);
            Self::wrap(value)
        }
    }

    /// A call's arguments.
    pub fn arguments(self) -> Vec<Self> {
        let count = unsafe { LLVMGetNumArgOperands(self.0) };
        (0..count).map(|at| self.operand(at)).collect()
    }

    /// The type of a call's `byval` argument number `at`.
    pub fn by_value(self, at: u32) -> Option<Type<'m>> {
        let name = "byval";
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let attribute = LLVMGetCallSiteEnumAttribute(self.0, at + 1, kind);
            (!attribute.is_null()).then(|| Type::of(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    /// The alignment of a call's `byval` argument number `at`, if the call says so.
    pub fn argument_alignment(self, at: u32) -> Option<u64> {
        self.by_value(at)?;
        let name = "align";
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let attribute = LLVMGetCallSiteEnumAttribute(self.0, at + 1, kind);
            (!attribute.is_null()).then(|| LLVMGetEnumAttributeValue(attribute))
        }
    }

    /// Whether a function takes a parameter by value in memory.
    pub fn takes_by_value(self) -> bool {
        let name = "byval";
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            (0..LLVMCountParams(self.0)).any(|at| !LLVMGetEnumAttributeAtIndex(self.0, at + 1, kind).is_null())
        }
    }

    /// A terminator's successor blocks.
    pub fn successors(self) -> Vec<Block<'m>> {
        let count = unsafe { LLVMGetNumSuccessors(self.0) };
        (0..count).map(|at| Block(unsafe { LLVMGetSuccessor(self.0, at) }, PhantomData)).collect()
    }

    /// A `phi`'s incoming pairs.
    pub fn incoming(self) -> Vec<(Block<'m>, Self)> {
        let count = unsafe { LLVMCountIncoming(self.0) };
        let pair = |at: c_uint| unsafe {
            (Block(LLVMGetIncomingBlock(self.0, at), PhantomData), Self::of(LLVMGetIncomingValue(self.0, at)))
        };
        (0..count).map(pair).collect()
    }

    /// Value of a constant integer of at most 64 bits.
    pub fn int(self) -> u64 {
        unsafe { LLVMConstIntGetZExtValue(self.0) }
    }

    /// Value of a constant float, converted to double.
    pub fn float(self) -> f64 {
        let mut lossy = 0;
        unsafe { LLVMConstRealGetDouble(self.0, &raw mut lossy) }
    }

    /// Element of a constant aggregate, data arrays and zero initialisers included.
    pub fn aggregate_element(self, at: u32) -> Option<Self> {
        Self::wrap(unsafe { LLVMGetAggregateElement(self.0, at) })
    }

    /// Whether it is the null value of its type.
    pub fn is_null(self) -> bool {
        unsafe { LLVMIsNull(self.0) != 0 }
    }

    /// Where an instruction comes from: the innermost place, inlined code included.
    pub fn place(self) -> Option<Place> {
        unsafe {
            if LLVMInstructionGetDebugLoc(self.0).is_null() {
                return None;
            }
        }
        self.debug_place()
    }

    /// Where a function is defined.
    pub fn function_place(self) -> Option<Place> {
        unsafe {
            if LLVMGetSubprogram(self.0).is_null() {
                return None;
            }
        }
        self.debug_place()
    }

    fn debug_place(self) -> Option<Place> {
        let mut len: c_uint = 0;
        unsafe {
            let line = LLVMGetDebugLocLine(self.0);
            let file = LLVMGetDebugLocFilename(self.0, &raw mut len);
            let file = text(file, len as usize);
            let directory = LLVMGetDebugLocDirectory(self.0, &raw mut len);
            let directory = text(directory, len as usize);
            // Columns are only asked of instructions: LLVM has none for functions.
            let instruction = self.kind() == ValueKind::LLVMInstructionValueKind;
            let column = if instruction { LLVMGetDebugLocColumn(self.0) } else { 0 };
            (line > 0).then_some(Place { file, directory, line, column })
        }
    }

    /// The block an instruction is in.
    pub fn parent(self) -> Block<'m> {
        Block(unsafe { LLVMGetInstructionParent(self.0) }, PhantomData)
    }

    /// This value as the block it is (operands of terminators).
    pub fn as_block(self) -> Block<'m> {
        Block(unsafe { LLVMValueAsBasicBlock(self.0) }, PhantomData)
    }
}

impl<'m> Block<'m> {
    /// The function it is in.
    pub fn function(self) -> Value<'m> {
        Value::of(unsafe { LLVMGetBasicBlockParent(self.0) })
    }

    /// Its instructions.
    pub fn instructions(self) -> Vec<Value<'m>> {
        let wrap = |value: LLVMValueRef| Value::wrap(value);
        unsafe { iterate(wrap(LLVMGetFirstInstruction(self.0)), |i| wrap(LLVMGetNextInstruction(i.0))) }
    }
}
