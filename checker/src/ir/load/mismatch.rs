//! Calls whose arguments or result do not match the definition of the called function.
//!
//! C leaves such a call undefined (C11, 6.5.2.2, 6 and 9). The compiler detects it within one file but not
//! between files. The types that values have in bitcode are compared: integers of the same width are equal
//! whatever their sign or name, and so are all pointers.
//!
//! Test: `tests/tests/inputs.rs`.

use super::function::Lowering;
use super::types;
use crate::ir::instr::Format;
use rmc_llvm::{Type, TypeKind, Value as LlvmValue};

impl<'m> Lowering<'_, 'm> {
    /// The mismatch between a call and the function it calls, if any, with both places.
    pub(super) fn mismatch(&self, call: LlvmValue<'m>, callee: LlvmValue<'m>) -> Option<String> {
        let what = difference(call, callee)?;
        let defined = callee.function_place().map_or_else(String::new, |place| {
            format!(", which is defined at {}:{}", self.pool.name_here(&place), place.line)
        });
        Some(format!("`{}`{defined}, is called as another type of function: {what}", callee.name()))
    }
}

/// The difference between the type of a call and that of the function, if any.
fn difference(call: LlvmValue<'_>, callee: LlvmValue<'_>) -> Option<String> {
    let (called, defined) = (call.callee_type(), callee.value_type());
    if called == defined {
        return None;
    }
    let mut given: Vec<_> = call.arguments().into_iter().map(LlvmValue::ty).collect();
    let named = called.param_count() as usize;
    // clang gives a call without a prototype a variadic type that names all its arguments. A call of a
    // variadic function with no more than the named arguments has such a type, too.
    let is_variadic = called.is_varargs() && given.len() > named;
    if is_variadic && !defined.is_varargs() {
        return Some("it takes fixed arguments and is called as a function of variable ones".to_owned());
    }
    if defined.is_varargs() {
        if !called.is_varargs() || named != defined.param_count() as usize {
            let what = "it takes variable arguments after the first ones, which the call does not know";
            return Some(what.to_owned());
        }
        given.truncate(named);
    }
    let taken: Vec<_> = callee.params().into_iter().map(LlvmValue::ty).collect();
    if given.len() != taken.len() {
        return Some(format!("it takes {} and is given {}", arguments(taken.len()), given.len()));
    }
    let wrong = given.iter().zip(&taken).position(|(&given, &taken)| shape(given) != shape(taken));
    if let Some(at) = wrong {
        let (taken, given) = (describe(taken[at]), describe(given[at]));
        return Some(format!("argument {} is {taken} and is given {given}", at + 1));
    }
    let (result, expected) = (defined.result(), called.result());
    (shape(result) != shape(expected))
        .then(|| format!("it returns {} and is called for {}", describe(result), describe(expected)))
}

fn arguments(count: usize) -> String {
    if count == 1 { "1 argument".to_owned() } else { format!("{count} arguments") }
}

/// The numbers that a value of the type consists of.
fn shape(ty: Type<'_>) -> Vec<Format> {
    match ty.kind() {
        TypeKind::LLVMStructTypeKind => (0..ty.count()).flat_map(|at| shape(ty.field(at))).collect(),
        TypeKind::LLVMVectorTypeKind | TypeKind::LLVMArrayTypeKind => {
            (0..ty.count()).flat_map(|_| shape(ty.element())).collect()
        }
        _ => types::scalar(ty).into_iter().collect(),
    }
}

fn describe(ty: Type<'_>) -> String {
    match ty.kind() {
        TypeKind::LLVMVoidTypeKind => "nothing".to_owned(),
        TypeKind::LLVMPointerTypeKind => "a pointer".to_owned(),
        TypeKind::LLVMIntegerTypeKind => format!("an integer of {} bits", ty.bits()),
        _ => match types::scalar(ty) {
            Some(format) => format!("a floating-point number of {} bits", format.bits()),
            None => "a structure".to_owned(),
        },
    }
}
