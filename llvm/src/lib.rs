//! Modules of LLVM 16, for the pass and the checker: every use of LLVM's C interface is in this crate.
//!
//! `inkwell` lacks parts that the two need (operations and orders of atomic instructions, inline assembly,
//! attributes of calls, flags, debug information, sizes of every type), and panics on types that it does not
//! know. So these are thin wrappers of `llvm-sys`.
//!
//! A [`Value`], a [`Type`] and a [`Block`] are pointers into a module and carry its lifetime, so none
//! outlives it. Every `unsafe` block of this crate relies on the following; its own comment names only
//! further requirements:
//!
//! 1. LLVM keeps the target of such a pointer as long as the module lives, unless it is erased;
//! 2. a module is used by one thread at a time, since the wrappers are neither `Send` nor `Sync`;
//! 3. the functions that change a module ([`edit`]) exist only for modules lent for `'static`, the pass's;
//!    after [`edit::Value::erase`] a value is not used again;
//! 4. a method whose comment names a kind of value is called on that kind only: Debian's LLVM is built
//!    without assertions and would not notice.

#![allow(unsafe_code)]

pub mod edit;

mod attributes;
mod constants;
mod flags;
mod globals;
mod instructions;
mod landing;
mod metadata;
mod module;
mod place;
mod types;
mod value;

use std::ffi::{CStr, c_char};
use std::marker::PhantomData;

use inkwell::llvm_sys::core::LLVMDisposeMessage;
use inkwell::llvm_sys::prelude::{LLVMBasicBlockRef, LLVMModuleRef, LLVMTypeRef, LLVMValueRef};

pub use attributes::FUNCTION_INDEX;
pub use flags::ArithmeticFlags;
pub use inkwell::context::Context;
pub use inkwell::llvm_sys::{
    LLVMAtomicOrdering as AtomicOrdering, LLVMIntPredicate as IntPredicate, LLVMOpcode as Opcode,
    LLVMRealPredicate as FloatPredicate, LLVMTypeKind as TypeKind, LLVMValueKind as ValueKind,
};
pub use landing::Clause;
pub use metadata::{Metadata, MetadataKind};
pub use module::Bitcode;
pub use place::Place;

/// A module with another owner.
#[derive(Clone, Copy)]
pub struct Module<'m>(LLVMModuleRef, PhantomData<&'m ()>);

/// A type of a module.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Type<'m>(LLVMTypeRef, PhantomData<&'m ()>);

/// A value of a module: an instruction, a constant, a function, a global variable, a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Value<'m>(LLVMValueRef, PhantomData<&'m ()>);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Block<'m>(LLVMBasicBlockRef, PhantomData<&'m ()>);

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
        let copy = CStr::from_ptr(made).to_string_lossy().trim().to_owned();
        LLVMDisposeMessage(made);
        copy
    }
}

/// Follows a list that LLVM ends with null.
fn list<T>(first: *mut T, next: unsafe extern "C" fn(*mut T) -> *mut T) -> impl Iterator<Item = *mut T> {
    let follow = move |&item: &*mut T| some(unsafe { next(item) });
    std::iter::successors(some(first), follow)
}

fn some<T>(pointer: *mut T) -> Option<*mut T> {
    (!pointer.is_null()).then_some(pointer)
}
