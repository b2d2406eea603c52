//! Keeps `mem2reg` from choosing a value for a variable that has none.
//!
//! If a variable is set on one path to a point and not on the other, `mem2reg` would make a phi of the value
//! and `undef`, which LLVM simplifies to the value: it picks this one of all possible values of the undefined
//! variable. So a branch on it would go as for an initialised variable, and the error would go undetected.
//! [`mark`], which runs before `mem2reg`, first gives each such variable the result of an unknown function;
//! [`unmark`], after it, replaces the remaining calls of these functions by `undef`. Test:
//! `tests/programs/memory/uninitialised_on_one_way.c`.

use rmc_llvm::edit::{Builder, Module, Type, Value};
use rmc_llvm::{Opcode, TypeKind};

/// The prefix of the names of the unknown functions, one for each type.
const PREFIX: &str = "__rmc_uninitialised.";

/// Gives every local variable that `mem2reg` promotes a first value.
pub fn mark(module: Module) {
    let builder = module.builder();
    let mut types = Vec::new();
    for function in module.functions().into_iter().filter(|function| !function.is_declaration()) {
        let entry = function.blocks()[0].instructions();
        let promoted = entry.into_iter().filter(|one| one.opcode() == Some(Opcode::LLVMAlloca) && is_promoted(*one));
        for variable in promoted.collect::<Vec<_>>() {
            let unknown = unknown(module, &mut types, variable.allocated_type());
            set(&builder, variable, unknown);
        }
    }
}

fn set(builder: &Builder, variable: Value, (ty, unknown): (Type, Value)) {
    builder.before(variable.next().expect("an alloca does not end its block"));
    builder.locate(None);
    let value = builder.call(ty, unknown, &[]);
    builder.store(value, variable);
}

/// The function without body that returns a value of `ty`, and its type.
fn unknown(module: Module, types: &mut Vec<Type>, ty: Type) -> (Type, Value) {
    let known = types.iter().position(|&one| one == ty);
    let number = known.unwrap_or_else(|| {
        types.push(ty);
        types.len() - 1
    });
    let signature = ty.function(&[]);
    (signature, module.function(&format!("{PREFIX}{number}"), signature))
}

/// True if `alloca` is one scalar that is only loaded and stored as a whole: such a variable is promoted in
/// any case.
fn is_promoted(alloca: Value) -> bool {
    let ty = alloca.allocated_type();
    let is_scalar = matches!(
        ty.kind(),
        TypeKind::LLVMIntegerTypeKind
            | TypeKind::LLVMPointerTypeKind
            | TypeKind::LLVMFloatTypeKind
            | TypeKind::LLVMDoubleTypeKind
            | TypeKind::LLVMX86_FP80TypeKind
            | TypeKind::LLVMFP128TypeKind
            | TypeKind::LLVMHalfTypeKind
            | TypeKind::LLVMBFloatTypeKind
            | TypeKind::LLVMVectorTypeKind
    );
    is_scalar && alloca.operand(0).as_int() == Some(1) && alloca.users().into_iter().all(|user| is_whole(user, alloca))
}

/// True if `user` is an ordinary load or store of the whole variable.
fn is_whole(user: Value, alloca: Value) -> bool {
    let accessed = match user.instruction_opcode() {
        Some(Opcode::LLVMLoad) => user.ty(),
        Some(Opcode::LLVMStore) if user.operand(0) != alloca => user.operand(0).ty(),
        _ => return false,
    };
    accessed == alloca.allocated_type() && !user.is_volatile() && !crate::select::is_atomic(user)
}

/// Replaces the first values by `undef`.
pub fn unmark(module: Module) {
    for unknown in module.functions().into_iter().filter(|function| function.name().starts_with(PREFIX)) {
        for call in unknown.users() {
            call.replace_uses(call.ty().undef());
            call.erase();
        }
        unknown.delete_function();
    }
}
