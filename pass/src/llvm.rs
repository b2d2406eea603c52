//! Thin wrappers over LLVM's C interface: the only file of this crate with `unsafe`.
//!
//! `inkwell` has no access to several things the pass needs (read-modify-write operations, cmpxchg orders, inline
//! assembly, attributes of call sites, sizes of every type) and panics on types it does not know, so the pass uses
//! `llvm-sys` through these types. Contract, upheld by all callers and not repeated at each block:
//!
//! 1. every [`Value`], [`Type`] and [`Block`] comes from the one module that is being instrumented, which `opt` keeps alive
//!    and lends to one thread for the whole run of the pass;
//! 2. a value is not used after [`Value::erase`];
//! 3. a method whose comment names a kind of value is called only on that kind (LLVM is built without assertions: it
//!    would not notice).

#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_uint};

use llvm_plugin::inkwell::llvm_sys::LLVMOpcode as Opcode;
use llvm_plugin::inkwell::llvm_sys::core::*;
use llvm_plugin::inkwell::llvm_sys::debuginfo::LLVMInstructionGetDebugLoc;
use llvm_plugin::inkwell::llvm_sys::prelude::*;
use llvm_plugin::inkwell::llvm_sys::target::*;
pub use llvm_plugin::inkwell::llvm_sys::{
    LLVMAtomicOrdering as Ordering, LLVMIntPredicate as Predicate, LLVMOpcode, LLVMTypeKind as TypeKind,
};
use llvm_plugin::inkwell::module::Module as InkwellModule;

/// Index of attributes of a function itself, beside 0 (result) and 1.. (parameters).
pub const FUNCTION_INDEX: u32 = u32::MAX;

unsafe extern "C" {
    /// `llvm::sys::RunInterruptHandlers()`, which has no C interface.
    #[link_name = "_ZN4llvm3sys20RunInterruptHandlersEv"]
    fn run_interrupt_handlers();
}

/// Deletes the output files the running tool has opened, as LLVM does itself before it exits with an error.
pub fn remove_outputs() {
    // SAFETY: takes and returns nothing; LLVM calls it from `report_fatal_error` in the same situation.
    unsafe { run_interrupt_handlers() }
}

/// The module being instrumented.
#[derive(Clone, Copy)]
pub struct Module(LLVMModuleRef);

/// A type.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Type(LLVMTypeRef);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Block(LLVMBasicBlockRef);

/// Anything that can be an operand: an instruction, a constant, a function, a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value(LLVMValueRef);

fn c_string(text: &str) -> CString {
    CString::new(text).expect("names given to LLVM have no NUL")
}

/// The string of `len` bytes at `text`, empty for null.
fn text(text: *const c_char, len: usize) -> String {
    if text.is_null() {
        return String::new();
    }
    // SAFETY: LLVM returned both together.
    let bytes = unsafe { std::slice::from_raw_parts(text.cast::<u8>(), len) };
    String::from_utf8_lossy(bytes).into_owned()
}

/// Takes a string that LLVM made for the caller.
fn message(made: *mut c_char) -> String {
    // SAFETY: LLVM ends it with NUL and leaves it to the caller, which frees it once.
    unsafe {
        let copy = CStr::from_ptr(made).to_string_lossy().into_owned();
        LLVMDisposeMessage(made);
        copy
    }
}

/// Follows a list that LLVM ends with null.
fn list<T>(first: *mut T, next: unsafe extern "C" fn(*mut T) -> *mut T) -> Vec<*mut T> {
    let follow = |&item: &*mut T| some(unsafe { next(item) });
    std::iter::successors(some(first), follow).collect()
}

fn some<T>(pointer: *mut T) -> Option<*mut T> {
    (!pointer.is_null()).then_some(pointer)
}

fn attribute_kind(name: &str) -> c_uint {
    // SAFETY: LLVM reads `len` bytes.
    unsafe { LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len()) }
}

fn metadata_kind(name: &str) -> c_uint {
    // SAFETY: LLVM reads `len` bytes.
    unsafe { LLVMGetMDKindID(name.as_ptr().cast(), c_uint::try_from(name.len()).expect("short names")) }
}

impl Module {
    /// The module behind inkwell's wrapper.
    pub fn new(module: &InkwellModule<'_>) -> Module {
        Module(module.as_mut_ptr())
    }

    pub fn functions(self) -> Vec<Value> {
        let first = unsafe { LLVMGetFirstFunction(self.0) };
        list(first, LLVMGetNextFunction).into_iter().map(Value).collect()
    }

    /// The function of this name, declared with `ty` if the module has none.
    pub fn function(self, name: &str, ty: Type) -> Value {
        let name = c_string(name);
        unsafe {
            let found = LLVMGetNamedFunction(self.0, name.as_ptr());
            Value(some(found).unwrap_or_else(|| LLVMAddFunction(self.0, name.as_ptr(), ty.0)))
        }
    }

    fn context(self) -> LLVMContextRef {
        unsafe { LLVMGetModuleContext(self.0) }
    }

    pub fn int(self, bits: u32) -> Type {
        Type(unsafe { LLVMIntTypeInContext(self.context(), bits) })
    }

    pub fn ptr(self) -> Type {
        Type(unsafe { LLVMPointerTypeInContext(self.context(), 0) })
    }

    pub fn void(self) -> Type {
        Type(unsafe { LLVMVoidTypeInContext(self.context()) })
    }

    /// Bytes a store of `ty` writes. `ty` has a fixed size.
    pub fn store_size(self, ty: Type) -> u64 {
        unsafe { LLVMStoreSizeOfType(LLVMGetModuleDataLayout(self.0), ty.0) }
    }

    /// Bytes an `alloca` of `ty` occupies, padding included. `ty` has a fixed size.
    pub fn alloc_size(self, ty: Type) -> u64 {
        unsafe { LLVMABISizeOfType(LLVMGetModuleDataLayout(self.0), ty.0) }
    }

    pub fn builder(self) -> Builder {
        Builder(unsafe { LLVMCreateBuilderInContext(self.context()) })
    }

    /// Appends an empty block to `function`.
    pub fn append_block(self, function: Value, name: &str) -> Block {
        let name = c_string(name);
        Block(unsafe { LLVMAppendBasicBlockInContext(self.context(), function.0, name.as_ptr()) })
    }
}

impl Type {
    pub fn kind(self) -> TypeKind {
        unsafe { LLVMGetTypeKind(self.0) }
    }

    /// The type as LLVM's assembly language writes it.
    pub fn print(self) -> String {
        message(unsafe { LLVMPrintTypeToString(self.0) })
    }

    /// Width in bits of an integer type.
    pub fn bits(self) -> u32 {
        unsafe { LLVMGetIntTypeWidth(self.0) }
    }

    /// The types of the fields of a structure type.
    pub fn elements(self) -> Vec<Type> {
        let count = unsafe { LLVMCountStructElementTypes(self.0) };
        let element = |index| Type(unsafe { LLVMStructGetTypeAtIndex(self.0, index) });
        (0..count).map(element).collect()
    }

    /// The type of an element of a vector type.
    pub fn element(self) -> Type {
        Type(unsafe { LLVMGetElementType(self.0) })
    }

    /// Elements of a vector type of fixed length.
    pub fn count(self) -> u32 {
        unsafe { LLVMGetVectorSize(self.0) }
    }

    /// The type of vectors of `count` elements of this type, which is a scalar.
    pub fn vector(self, count: u32) -> Type {
        Type(unsafe { LLVMVectorType(self.0, count) })
    }

    /// The type of arrays of `count` elements of this type.
    pub fn array(self, count: u32) -> Type {
        Type(unsafe { LLVMArrayType(self.0, count) })
    }

    pub fn address_space(self) -> u32 {
        unsafe { LLVMGetPointerAddressSpace(self.0) }
    }

    /// The type of a function with this result and these parameters.
    pub fn function(self, params: &[Type]) -> Type {
        let mut params: Vec<_> = params.iter().map(|ty| ty.0).collect();
        let count = u32::try_from(params.len()).expect("few parameters");
        Type(unsafe { LLVMFunctionType(self.0, params.as_mut_ptr(), count, 0) })
    }

    /// A constant of this integer type, the low bits of `value`.
    pub fn constant(self, value: i64) -> Value {
        Value(unsafe { LLVMConstInt(self.0, value.cast_unsigned(), 1) })
    }

    pub fn null(self) -> Value {
        Value(unsafe { LLVMConstNull(self.0) })
    }

    pub fn undef(self) -> Value {
        Value(unsafe { LLVMGetUndef(self.0) })
    }

    pub fn poison(self) -> Value {
        Value(unsafe { LLVMGetPoison(self.0) })
    }
}

impl Block {
    /// The first instruction. The block is not empty.
    pub fn first(self) -> Value {
        Value(unsafe { LLVMGetFirstInstruction(self.0) })
    }

    pub fn instructions(self) -> Vec<Value> {
        let first = unsafe { LLVMGetFirstInstruction(self.0) };
        list(first, LLVMGetNextInstruction).into_iter().map(Value).collect()
    }
}

impl Value {
    pub fn name(self) -> String {
        let mut len = 0;
        let name = unsafe { LLVMGetValueName2(self.0, &mut len) };
        text(name, len)
    }

    pub fn set_name(self, name: &str) {
        unsafe { LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()) }
    }

    pub fn ty(self) -> Type {
        Type(unsafe { LLVMTypeOf(self.0) })
    }

    /// The value as LLVM's assembly language writes it.
    pub fn print(self) -> String {
        message(unsafe { LLVMPrintValueToString(self.0) })
    }

    pub fn is_function(self) -> bool {
        !unsafe { LLVMIsAFunction(self.0) }.is_null()
    }

    pub fn is_inline_asm(self) -> bool {
        !unsafe { LLVMIsAInlineAsm(self.0) }.is_null()
    }

    /// A global variable declared `constant`.
    pub fn is_constant_global(self) -> bool {
        unsafe { !LLVMIsAGlobalVariable(self.0).is_null() && LLVMIsGlobalConstant(self.0) != 0 }
    }

    /// The opcode of an instruction or a constant expression.
    pub fn opcode(self) -> Option<LLVMOpcode> {
        unsafe {
            if !LLVMIsAInstruction(self.0).is_null() {
                Some(LLVMGetInstructionOpcode(self.0))
            } else if !LLVMIsAConstantExpr(self.0).is_null() {
                Some(LLVMGetConstOpcode(self.0))
            } else {
                None
            }
        }
    }

    /// The opcode of an instruction.
    pub fn instruction_opcode(self) -> Option<LLVMOpcode> {
        unsafe { some(LLVMIsAInstruction(self.0)).map(|instruction| LLVMGetInstructionOpcode(instruction)) }
    }

    /// The value of an integer constant of at most 64 bits, zero-extended.
    pub fn as_constant(self) -> Option<u64> {
        unsafe {
            let narrow = !LLVMIsAConstantInt(self.0).is_null() && self.ty().bits() <= 64;
            narrow.then(|| LLVMConstIntGetZExtValue(self.0))
        }
    }

    /// The element of a constant vector, if the value is one and has elements.
    pub fn constant_element(self, index: u32) -> Option<Value> {
        let element = |value| some(unsafe { LLVMGetAggregateElement(value, index) });
        some(unsafe { LLVMIsAConstant(self.0) }).and_then(element).map(Value)
    }

    /// The instructions and constants that use this value; one entry per use.
    pub fn users(self) -> Vec<Value> {
        let first = unsafe { LLVMGetFirstUse(self.0) };
        let user = |one| Value(unsafe { LLVMGetUser(one) });
        list(first, LLVMGetNextUse).into_iter().map(user).collect()
    }

    pub fn replace_uses(self, with: Value) {
        unsafe { LLVMReplaceAllUsesWith(self.0, with.0) }
    }

    // Functions.

    pub fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    pub fn params(self) -> Vec<Value> {
        let first = unsafe { LLVMGetFirstParam(self.0) };
        list(first, LLVMGetNextParam).into_iter().map(Value).collect()
    }

    pub fn blocks(self) -> Vec<Block> {
        let first = unsafe { LLVMGetFirstBasicBlock(self.0) };
        list(first, LLVMGetNextBasicBlock).into_iter().map(Block).collect()
    }

    pub fn has_attribute(self, index: u32, name: &str) -> bool {
        let kind = attribute_kind(name);
        !unsafe { LLVMGetEnumAttributeAtIndex(self.0, index, kind) }.is_null()
    }

    /// The type in a type attribute (`byval`, `elementtype`) of a function.
    pub fn attribute_type(self, index: u32, name: &str) -> Option<Type> {
        let kind = attribute_kind(name);
        unsafe {
            let attribute = some(LLVMGetEnumAttributeAtIndex(self.0, index, kind))?;
            Some(Type(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    /// The number in an attribute such as `memory` of a function.
    pub fn attribute_value(self, index: u32, name: &str) -> Option<u64> {
        let kind = attribute_kind(name);
        unsafe {
            let attribute = some(LLVMGetEnumAttributeAtIndex(self.0, index, kind))?;
            Some(LLVMGetEnumAttributeValue(attribute))
        }
    }

    pub fn remove_attribute(self, index: u32, name: &str) {
        unsafe { LLVMRemoveEnumAttributeAtIndex(self.0, index, attribute_kind(name)) }
    }

    // Instructions.

    pub fn operand(self, index: u32) -> Value {
        Value(unsafe { LLVMGetOperand(self.0, index) })
    }

    pub fn set_operand(self, index: u32, value: Value) {
        unsafe { LLVMSetOperand(self.0, index, value.0) }
    }

    pub fn block(self) -> Block {
        Block(unsafe { LLVMGetInstructionParent(self.0) })
    }

    pub fn next(self) -> Option<Value> {
        some(unsafe { LLVMGetNextInstruction(self.0) }).map(Value)
    }

    pub fn previous(self) -> Option<Value> {
        some(unsafe { LLVMGetPreviousInstruction(self.0) }).map(Value)
    }

    /// The source line, 0 if unknown.
    pub fn line(self) -> u32 {
        unsafe { LLVMGetDebugLocLine(self.0) }
    }

    /// The source file, empty if unknown.
    pub fn file(self) -> String {
        let mut len: c_uint = 0;
        let name = unsafe { LLVMGetDebugLocFilename(self.0, &mut len) };
        text(name, usize::try_from(len).expect("u32 fits in usize"))
    }

    /// Deletes a function without uses.
    pub fn delete_function(self) {
        unsafe { LLVMDeleteFunction(self.0) }
    }

    /// Deletes an instruction without uses.
    pub fn erase(self) {
        unsafe { LLVMInstructionEraseFromParent(self.0) }
    }

    /// The alignment of a load, a store, an `atomicrmw` or a `cmpxchg`, in bytes.
    pub fn alignment(self) -> u64 {
        unsafe { LLVMGetAlignment(self.0).into() }
    }

    /// Aligns an `alloca`, a load or a store to `bytes`, a power of two.
    pub fn set_alignment(self, bytes: u32) {
        unsafe { LLVMSetAlignment(self.0, bytes) }
    }

    /// The order of a load, a store or an `atomicrmw`.
    pub fn ordering(self) -> Ordering {
        unsafe { LLVMGetOrdering(self.0) }
    }

    /// The orders of a `cmpxchg` that succeeds and that fails.
    pub fn cmpxchg_orderings(self) -> (Ordering, Ordering) {
        unsafe { (LLVMGetCmpXchgSuccessOrdering(self.0), LLVMGetCmpXchgFailureOrdering(self.0)) }
    }

    /// Whether a load is `volatile`.
    pub fn is_volatile(self) -> bool {
        unsafe { LLVMGetVolatile(self.0) != 0 }
    }

    /// Whether an instruction has metadata of this kind, such as `range`.
    pub fn has_metadata(self, kind: &str) -> bool {
        !unsafe { LLVMGetMetadata(self.0, metadata_kind(kind)) }.is_null()
    }

    /// Gives the instruction the metadata of this kind that `from`, an instruction, has.
    pub fn copy_metadata(self, kind: &str, from: Value) {
        unsafe {
            if let Some(node) = some(LLVMGetMetadata(from.0, metadata_kind(kind))) {
                LLVMSetMetadata(self.0, metadata_kind(kind), node);
            }
        }
    }

    /// Says of an instruction that gives an integer that the result is in `low..high`, two constants of its
    /// type.
    pub fn set_range(self, [low, high]: [Value; 2]) {
        unsafe {
            let context = LLVMGetTypeContext(self.ty().0);
            let mut limits = [low, high].map(|limit| LLVMValueAsMetadata(limit.0));
            let node = LLVMMDNodeInContext2(context, limits.as_mut_ptr(), limits.len());
            LLVMSetMetadata(self.0, metadata_kind("range"), LLVMMetadataAsValue(context, node));
        }
    }

    /// The operands of an instruction.
    pub fn operands(self) -> Vec<Value> {
        let count = u32::try_from(unsafe { LLVMGetNumOperands(self.0) }).expect("a count");
        (0..count).map(|index| self.operand(index)).collect()
    }

    /// The element type of an `alloca`.
    pub fn allocated_type(self) -> Type {
        Type(unsafe { LLVMGetAllocatedType(self.0) })
    }

    /// Whether this is a call or an invoke.
    pub fn is_call(self) -> bool {
        matches!(self.opcode(), Some(Opcode::LLVMCall | Opcode::LLVMInvoke))
    }

    /// What a call, an invoke or a `callbr` calls.
    pub fn callee(self) -> Value {
        Value(unsafe { LLVMGetCalledValue(self.0) })
    }

    /// The arguments of a call or invoke.
    pub fn arguments(self) -> Vec<Value> {
        let count = unsafe { LLVMGetNumArgOperands(self.0) };
        (0..count).map(|index| self.operand(index)).collect()
    }

    /// Whether this is a call marked `tail` or `musttail`.
    pub fn is_tail_call(self) -> bool {
        self.opcode() == Some(Opcode::LLVMCall) && unsafe { LLVMIsTailCall(self.0) != 0 }
    }

    /// The type in a type attribute of a call site.
    pub fn call_attribute_type(self, index: u32, name: &str) -> Option<Type> {
        let kind = attribute_kind(name);
        unsafe {
            let attribute = some(LLVMGetCallSiteEnumAttribute(self.0, index, kind))?;
            Some(Type(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    /// The number in an attribute such as `align` of a call site.
    pub fn call_attribute_value(self, index: u32, name: &str) -> Option<u64> {
        let kind = attribute_kind(name);
        unsafe {
            let attribute = some(LLVMGetCallSiteEnumAttribute(self.0, index, kind))?;
            Some(LLVMGetEnumAttributeValue(attribute))
        }
    }

    pub fn remove_call_attribute(self, index: u32, name: &str) {
        unsafe { LLVMRemoveCallSiteEnumAttribute(self.0, index, attribute_kind(name)) }
    }

    /// The blocks an invoke continues in: after a return, after an exception.
    pub fn invoke_destinations(self) -> (Block, Block) {
        unsafe { (Block(LLVMGetNormalDest(self.0)), Block(LLVMGetUnwindDest(self.0))) }
    }

    /// Makes an invoke continue in `block` after a return.
    pub fn set_normal_destination(self, block: Block) {
        unsafe { LLVMSetNormalDest(self.0, block.0) }
    }

    /// The blocks that a terminator may continue in: of a `callbr`, the one behind it and then the labels.
    pub fn successors(self) -> Vec<Block> {
        let count = unsafe { LLVMGetNumSuccessors(self.0) };
        (0..count).map(|index| Block(unsafe { LLVMGetSuccessor(self.0, index) })).collect()
    }

    /// The values of a phi and the blocks they come from.
    pub fn incoming(self) -> Vec<(Value, Block)> {
        let count = unsafe { LLVMCountIncoming(self.0) };
        let pair =
            |index| unsafe { (Value(LLVMGetIncomingValue(self.0, index)), Block(LLVMGetIncomingBlock(self.0, index))) };
        (0..count).map(pair).collect()
    }
}

/// Makes instructions at a position. Freed on drop.
pub struct Builder(LLVMBuilderRef);

impl Drop for Builder {
    fn drop(&mut self) {
        unsafe { LLVMDisposeBuilder(self.0) }
    }
}

/// Generated names are left to LLVM, which numbers them.
const NO_NAME: *const c_char = c"".as_ptr();

impl Builder {
    /// New instructions go before `instruction` and take its debug location.
    pub fn before(&self, instruction: Value) {
        unsafe { LLVMPositionBuilderBefore(self.0, instruction.0) }
    }

    /// New instructions go to the end of `block`.
    pub fn at_end(&self, block: Block) {
        unsafe { LLVMPositionBuilderAtEnd(self.0, block.0) }
    }

    /// New instructions take the debug location of `instruction`, or none.
    pub fn locate(&self, instruction: Option<Value>) {
        let location = instruction.map_or(std::ptr::null_mut(), |one| unsafe { LLVMInstructionGetDebugLoc(one.0) });
        unsafe { LLVMSetCurrentDebugLocation2(self.0, location) }
    }

    pub fn call(&self, ty: Type, callee: Value, args: &[Value]) -> Value {
        let (mut args, count) = raw(args);
        Value(unsafe { LLVMBuildCall2(self.0, ty.0, callee.0, args.as_mut_ptr(), count, NO_NAME) })
    }

    pub fn invoke(&self, ty: Type, callee: Value, args: &[Value], (normal, unwind): (Block, Block)) -> Value {
        let (mut args, count) = raw(args);
        let args = args.as_mut_ptr();
        Value(unsafe { LLVMBuildInvoke2(self.0, ty.0, callee.0, args, count, normal.0, unwind.0, NO_NAME) })
    }

    pub fn cast(&self, opcode: Opcode, value: Value, ty: Type) -> Value {
        Value(unsafe { LLVMBuildCast(self.0, opcode, value.0, ty.0, NO_NAME) })
    }

    pub fn binary(&self, opcode: Opcode, left: Value, right: Value) -> Value {
        Value(unsafe { LLVMBuildBinOp(self.0, opcode, left.0, right.0, NO_NAME) })
    }

    pub fn compare(&self, predicate: Predicate, left: Value, right: Value) -> Value {
        Value(unsafe { LLVMBuildICmp(self.0, predicate, left.0, right.0, NO_NAME) })
    }

    pub fn insert(&self, aggregate: Value, element: Value, index: u32) -> Value {
        Value(unsafe { LLVMBuildInsertValue(self.0, aggregate.0, element.0, index, NO_NAME) })
    }

    pub fn insert_element(&self, vector: Value, element: Value, index: Value) -> Value {
        Value(unsafe { LLVMBuildInsertElement(self.0, vector.0, element.0, index.0, NO_NAME) })
    }

    pub fn extract_element(&self, vector: Value, index: Value) -> Value {
        Value(unsafe { LLVMBuildExtractElement(self.0, vector.0, index.0, NO_NAME) })
    }

    pub fn alloca(&self, ty: Type) -> Value {
        Value(unsafe { LLVMBuildAlloca(self.0, ty.0, NO_NAME) })
    }

    /// An alloca of at least `align` bytes' alignment, a power of two.
    pub fn alloca_aligned(&self, ty: Type, align: u32) -> Value {
        let slot = self.alloca(ty);
        slot.set_alignment(align);
        slot
    }

    pub fn load(&self, ty: Type, pointer: Value) -> Value {
        Value(unsafe { LLVMBuildLoad2(self.0, ty.0, pointer.0, NO_NAME) })
    }

    pub fn store(&self, value: Value, pointer: Value) -> Value {
        Value(unsafe { LLVMBuildStore(self.0, value.0, pointer.0) })
    }

    pub fn select(&self, condition: Value, yes: Value, no: Value) -> Value {
        Value(unsafe { LLVMBuildSelect(self.0, condition.0, yes.0, no.0, NO_NAME) })
    }

    /// The address `bytes` behind `pointer`.
    pub fn offset(&self, module: Module, pointer: Value, bytes: Value) -> Value {
        let mut bytes = [bytes.0];
        Value(unsafe { LLVMBuildGEP2(self.0, module.int(8).0, pointer.0, bytes.as_mut_ptr(), 1, NO_NAME) })
    }

    pub fn branch(&self, to: Block) {
        unsafe { LLVMBuildBr(self.0, to.0) };
    }

    pub fn phi(&self, ty: Type, incoming: &[(Value, Block)]) -> Value {
        let (mut values, count) = raw(&incoming.iter().map(|pair| pair.0).collect::<Vec<_>>());
        let mut blocks: Vec<_> = incoming.iter().map(|pair| pair.1.0).collect();
        unsafe {
            let phi = LLVMBuildPhi(self.0, ty.0, NO_NAME);
            LLVMAddIncoming(phi, values.as_mut_ptr(), blocks.as_mut_ptr(), count);
            Value(phi)
        }
    }
}

fn raw(values: &[Value]) -> (Vec<LLVMValueRef>, c_uint) {
    let count = c_uint::try_from(values.len()).expect("operand counts fit in 32 bits");
    (values.iter().map(|value| value.0).collect(), count)
}
