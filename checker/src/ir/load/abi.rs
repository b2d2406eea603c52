//! Whether the calls of the runtime's ABI are as `pass/src/abi.rs` says: arguments of the right number and
//! types, codes that are constants and in range.
//!
//! The pass makes no others. But a program may have functions of these names of its own, and instrumented
//! bitcode may come from anywhere. What follows takes the calls as they should be, so all are looked at here
//! before any is lowered. Tests: `tests/tests/untrusted.rs`.

use fxhash::FxHashMap;

use super::LoadError;
use super::llvm::{Bitcode, Block, Opcode, TypeKind, Value, ValueKind};
use crate::ir::instr::RmwOp;
use rmc_runtime::MemoryOrder;

/// Lanes of a gather or scatter: the bits of its mask.
const MAX_LANES: u64 = 64;

/// What an argument has to be.
#[derive(Clone, Copy)]
enum Kind {
    Pointer,
    /// An integer of so many bits.
    Int(u32),
    /// A constant of 64 bits: the number of lanes of a gather or scatter.
    Lanes,
    /// Constants of 32 bits: a memory order, an operation, which sides of a copy stay in their thread.
    Order,
    Operation,
    Sides,
}

/// The arguments, and the result unless there is none.
type Signature = (Vec<Kind>, Option<Kind>);

/// The signature of the ABI's function of this name, if there is one.
fn signature(name: &str) -> Option<Signature> {
    use Kind::{Int, Lanes, Operation, Order, Pointer, Sides};
    let what = name.strip_prefix("__rmc_")?;
    let bits = |width: &str| match width {
        "1" => Some(Int(8)),
        "2" => Some(Int(16)),
        "4" => Some(Int(32)),
        "8" => Some(Int(64)),
        "16" => Some(Int(128)),
        _ => None,
    };
    let sized = what.rsplit_once('_').and_then(|(kind, width)| Some((kind, bits(width)?)));
    Some(match (what, sized) {
        (_, Some(("load", value))) => (vec![Pointer, Order], Some(value)),
        (_, Some(("store", value))) => (vec![Pointer, value, Order], None),
        (_, Some(("gather" | "scatter", _))) => (vec![Pointer, Pointer, Int(64), Lanes], None),
        (_, Some(("rmw", value))) => (vec![Pointer, value, Operation, Order], Some(value)),
        (_, Some(("cmpxchg", value))) => (vec![Pointer, value, value, Order, Order], Some(value)),
        ("load_n" | "store_n", _) => (vec![Pointer, Pointer, Int(64)], None),
        ("memcpy" | "memmove", _) => (vec![Pointer, Pointer, Int(64), Sides], None),
        ("memset", _) => (vec![Pointer, Int(8), Int(64)], None),
        ("fence", _) => (vec![Order], None),
        ("sync", _) => (Vec::new(), None),
        ("lifetime_end", _) => (vec![Pointer, Int(64)], None),
        ("free", _) => (vec![Pointer], None),
        ("realloc", _) => (vec![Pointer, Int(64)], Some(Pointer)),
        _ => return None,
    })
}

/// Whether the ABI has a function of this name.
#[must_use]
pub fn is_entry(name: &str) -> bool {
    signature(name).is_some()
}

/// Checks every call of the ABI in a module.
///
/// # Errors
/// [`LoadError::Abi`] names the first that is none, and where it is.
pub fn check(bitcode: &Bitcode<'_>) -> Result<(), LoadError> {
    let functions = bitcode.functions();
    let entries: FxHashMap<_, _> =
        functions.iter().filter_map(|&function| Some((function, signature(&function.name())?))).collect();
    if let Some(own) = functions.iter().find(|function| entries.contains_key(function) && !function.is_declaration()) {
        return Err(refused(*own, own.name(), "is defined by the program, though the name is reserved"));
    }
    for function in functions {
        for instruction in function.blocks().into_iter().flat_map(Block::instructions) {
            if !matches!(instruction.opcode(), Opcode::LLVMCall | Opcode::LLVMInvoke) {
                continue;
            }
            let callee = instruction.callee();
            let Some((arguments, result)) = entries.get(&callee) else { continue };
            if let Some(what) = mistake(instruction, arguments, *result) {
                return Err(refused(instruction, callee.name(), &what));
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

/// What is wrong with a call.
fn mistake(call: Value<'_>, kinds: &[Kind], result: Option<Kind>) -> Option<String> {
    let arguments = call.arguments();
    if arguments.len() != kinds.len() {
        return Some(format!("is called with {} arguments instead of {}", arguments.len(), kinds.len()));
    }
    let wrong = arguments.iter().zip(kinds).position(|(&argument, &kind)| !fits(argument, kind));
    if let Some(at) = wrong {
        return Some(format!("is called with an argument {} that is no {}", at + 1, kinds[at].describe()));
    }
    let is_right = match result {
        None => call.ty().kind() == TypeKind::LLVMVoidTypeKind,
        Some(kind) => has_type(call, kind),
    };
    (!is_right).then(|| "is called for a result of another type".to_owned())
}

fn has_type(value: Value<'_>, kind: Kind) -> bool {
    let bits = match kind {
        Kind::Pointer => return value.ty().kind() == TypeKind::LLVMPointerTypeKind,
        Kind::Int(bits) => bits,
        Kind::Lanes => 64,
        Kind::Order | Kind::Operation | Kind::Sides => 32,
    };
    value.ty().kind() == TypeKind::LLVMIntegerTypeKind && value.ty().int_width() == bits
}

fn fits(argument: Value<'_>, kind: Kind) -> bool {
    let constant = || Some(argument).filter(|argument| argument.kind() == ValueKind::LLVMConstantIntValueKind);
    let code = || constant().map(Value::int);
    has_type(argument, kind)
        && match kind {
            Kind::Pointer | Kind::Int(_) => true,
            Kind::Order => {
                let order = code().and_then(|code| MemoryOrder::from_abi(u32::try_from(code).ok()?));
                order.is_some()
            }
            Kind::Operation => code().is_some_and(|code| RmwOp::from_abi(code).is_some()),
            Kind::Lanes => code().is_some_and(|lanes| lanes <= MAX_LANES),
            Kind::Sides => code().is_some_and(|code| code < 4),
        }
}

impl Kind {
    fn describe(self) -> String {
        match self {
            Self::Pointer => "pointer".to_owned(),
            Self::Int(bits) => format!("integer of {bits} bits"),
            Self::Order => "memory order, which is a constant".to_owned(),
            Self::Operation => "code of an operation, which is a constant".to_owned(),
            Self::Lanes => format!("constant from 0 to {MAX_LANES}"),
            Self::Sides => "constant from 0 to 3".to_owned(),
        }
    }
}
