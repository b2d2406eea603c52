//! The selection of the accesses to instrument: static local variable detection.
//!
//! Source: V. Štill, J. Barnat, "Model Checking of C++ Programs under the x86-TSO Memory Model", ICFEM 2018,
//! "Static Local Variable Detection", which leaves local variables alone that are never accessed through
//! pointers. The paper leaves the criterion open; this is ours:
//!
//! A stack object is a *static local* if all its uses are: pointer of a non-atomic load or store, base of a
//! `getelementptr` or `bitcast` whose results have only such uses, operand of a `memcpy`, `memmove`, `memset`
//! or lifetime intrinsic, `icmp`. Everything else (argument of a call, `llvm.va_start` included, stored
//! value, phi, select, ptrtoint, atomic access, return) may let another thread see it.
//!
//! Stack objects are allocas and, beyond the paper, `byval` parameters: both live in the frame of the
//! function.

use std::collections::HashSet;

use rmc_llvm::edit::{Block, Type, Value};
use rmc_llvm::{AtomicOrdering, Opcode};

/// The stack objects of one function.
pub struct Frame {
    locals: HashSet<Value>,
    /// Stack objects that may be shared, in order of the function's text.
    pub shared: Vec<StackObject>,
}

/// A stack object, which dies with its function.
#[derive(Clone, Copy)]
pub struct StackObject {
    pub pointer: Value,
    /// `None` for a `byval` parameter.
    pub alloca: Option<Value>,
    /// The type of (one element of) the object.
    pub ty: Type,
}

/// The kind of memory that a pointer operand is known to point to.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// A static local variable.
    Local,
    /// A global `constant`: never written, so every load sees its initial value.
    Constant,
    /// Memory that another thread may reach.
    Shared,
}

impl Frame {
    /// Classifies the stack objects of `function`.
    pub fn of(function: Value) -> Frame {
        let (locals, shared): (Vec<_>, Vec<_>) =
            stack_objects(function).into_iter().partition(|object| stays_in_thread(object.pointer));
        Frame { locals: locals.into_iter().map(|object| object.pointer).collect(), shared }
    }

    /// The kind of memory that `pointer` points to.
    pub fn target(&self, pointer: Value) -> Target {
        let base = base(pointer);
        if self.locals.contains(&base) {
            Target::Local
        } else if base.is_constant_global() {
            Target::Constant
        } else {
            Target::Shared
        }
    }

    /// The possibly shared stack object `pointer` points into.
    pub fn shared_object(&self, pointer: Value) -> Option<StackObject> {
        let base = base(pointer);
        let found = self.shared.iter().find(|object| object.pointer == base);
        found.copied()
    }
}

fn stack_objects(function: Value) -> Vec<StackObject> {
    let byval = function.params().into_iter().zip(1..).filter_map(|(parameter, index)| {
        let ty = function.attribute_type(index, "byval")?;
        Some(StackObject { pointer: parameter, alloca: None, ty })
    });
    let blocks = function.blocks().into_iter();
    let allocas = blocks
        .flat_map(Block::instructions)
        .filter(|instruction| instruction.opcode() == Some(Opcode::LLVMAlloca))
        .map(|alloca| StackObject { pointer: alloca, alloca: Some(alloca), ty: alloca.allocated_type() });
    byval.chain(allocas).collect()
}

/// True if no use of `pointer` lets another thread get it.
fn stays_in_thread(pointer: Value) -> bool {
    pointer.users().into_iter().all(|user| match user.opcode() {
        Some(Opcode::LLVMLoad) => !is_atomic(user),
        Some(Opcode::LLVMStore) => user.operand(0) != pointer && !is_atomic(user),
        Some(Opcode::LLVMGetElementPtr | Opcode::LLVMBitCast) => stays_in_thread(user),
        Some(Opcode::LLVMICmp) => true,
        Some(Opcode::LLVMCall) => is_harmless_intrinsic(user.callee()),
        _ => false,
    })
}

/// True if a load or store is atomic (`volatile` is not).
pub fn is_atomic(access: Value) -> bool {
    access.ordering() != AtomicOrdering::LLVMAtomicOrderingNotAtomic
}

fn is_harmless_intrinsic(callee: Value) -> bool {
    const HARMLESS: [&str; 5] = ["llvm.memcpy.", "llvm.memmove.", "llvm.memset.", "llvm.lifetime.", "llvm.dbg."];
    let name = callee.name();
    callee.is_function() && HARMLESS.iter().any(|prefix| name.starts_with(prefix))
}

/// The pointer without address arithmetic within one object.
fn base(pointer: Value) -> Value {
    match pointer.opcode() {
        Some(Opcode::LLVMGetElementPtr | Opcode::LLVMBitCast) => base(pointer.operand(0)),
        _ => pointer,
    }
}
