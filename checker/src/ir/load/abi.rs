//! The check that the calls of the runtime's ABI are as the crate `rmc-abi` says: arguments of the right
//! number and types, and codes that are constants and in range.
//!
//! The calls that the pass makes are all correct. But a program may have functions of these names of its own,
//! and instrumented bitcode may come from anywhere. The lowering relies on correct calls, so all calls are
//! checked here before any is lowered. Tests: `tests/tests/untrusted.rs`.

use super::LoadError;
use crate::hash::FxHashMap;
use rmc_abi::{Argument, Entry, MAX_LANES, MemoryOrder, RmwOp, Signature};
use rmc_llvm::{Block, Module, TypeKind, Value, ValueKind};

/// Checks every call of the ABI in a module.
///
/// # Errors
/// [`LoadError::Abi`] names the first incorrect call and its place.
pub fn check(module: Module<'_>) -> Result<(), LoadError> {
    let functions = module.functions();
    let signature = |function: Value<'_>| Entry::of(&function.name()).map(Entry::signature);
    let entries: FxHashMap<_, _> =
        functions.iter().filter_map(|&function| Some((function, signature(function)?))).collect();
    if let Some(own) = functions.iter().find(|function| entries.contains_key(function) && !function.is_declaration()) {
        return Err(refused(*own, own.name(), "is defined by the program, though the name is reserved"));
    }
    for function in functions {
        for call in function.blocks().into_iter().flat_map(Block::instructions).filter(|one| one.is_call()) {
            let Some(signature) = entries.get(&call.callee()) else { continue };
            if let Some(what) = mistake(call, signature) {
                return Err(refused(call, call.callee().name(), &what));
            }
        }
    }
    Ok(())
}

fn refused(at: Value<'_>, name: String, what: &str) -> LoadError {
    let place = if at.kind() == ValueKind::LLVMFunctionValueKind { at.function_place() } else { at.place() };
    let place = place.map_or_else(|| "an input".to_owned(), |place| format!("{}:{}", place.file, place.line));
    LoadError::Abi { place, name, what: what.to_owned() }
}

/// The mistake in a call, if it has one.
fn mistake(call: Value<'_>, signature: &Signature) -> Option<String> {
    let (arguments, expected) = (call.arguments(), &signature.arguments);
    if arguments.len() != expected.len() {
        return Some(format!("is called with {} arguments instead of {}", arguments.len(), expected.len()));
    }
    let wrong = arguments.iter().zip(expected).position(|(&argument, &kind)| !fits(argument, kind));
    if let Some(at) = wrong {
        return Some(format!("is called with an argument {} that is no {}", at + 1, describe(expected[at])));
    }
    let is_right = match signature.result {
        None => call.ty().kind() == TypeKind::LLVMVoidTypeKind,
        Some(kind) => has_type(call, kind),
    };
    (!is_right).then(|| "is called for a result of another type".to_owned())
}

fn has_type(value: Value<'_>, kind: Argument) -> bool {
    let bits = match kind {
        Argument::Pointer => return value.ty().kind() == TypeKind::LLVMPointerTypeKind,
        Argument::Int(bits) => bits,
        Argument::Lanes => 64,
        Argument::Order | Argument::Operation | Argument::Sides => 32,
    };
    value.ty().kind() == TypeKind::LLVMIntegerTypeKind && value.ty().bits() == bits
}

fn fits(argument: Value<'_>, kind: Argument) -> bool {
    let is_code = |is_valid: fn(u64) -> bool| argument.as_int().is_some_and(is_valid);
    has_type(argument, kind)
        && match kind {
            Argument::Pointer | Argument::Int(_) => true,
            Argument::Order => is_code(|code| MemoryOrder::from_code(code).is_some()),
            Argument::Operation => is_code(|code| RmwOp::from_code(code).is_some()),
            Argument::Lanes => is_code(|lanes| lanes <= u64::from(MAX_LANES)),
            Argument::Sides => is_code(|sides| sides < 4),
        }
}

fn describe(kind: Argument) -> String {
    match kind {
        Argument::Pointer => "pointer".to_owned(),
        Argument::Int(bits) => format!("integer of {bits} bits"),
        Argument::Order => "memory order, which is a constant".to_owned(),
        Argument::Operation => "code of an operation, which is a constant".to_owned(),
        Argument::Lanes => format!("constant from 0 to {MAX_LANES}"),
        Argument::Sides => "constant from 0 to 3".to_owned(),
    }
}
