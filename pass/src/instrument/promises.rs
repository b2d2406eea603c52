//! Attributes that instrumentation makes untrue.
//!
//! A function that only read its arguments now calls the runtime, which may write any memory, synchronise,
//! and keep a pointer in a store buffer. Left in place, `memory(...)`, `nosync`, `readonly` or `nocapture`
//! would let later passes remove or merge its calls. Declarations lose them too, because their definitions
//! may be in another instrumented module.

use rmc_abi::Entry;
use rmc_llvm::FUNCTION_INDEX;
use rmc_llvm::edit::{Module, Value};

const OF_FUNCTIONS: [&str; 3] = ["memory", "nosync", "speculatable"];
const OF_PARAMETERS: [&str; 4] = ["readnone", "readonly", "writeonly", "nocapture"];

/// Removes the attributes from all functions and call sites except those of intrinsics.
pub fn forget(module: Module) {
    for function in module.functions() {
        if !is_fixed(function) {
            forget_function(function);
        }
        for block in function.blocks() {
            for instruction in block.instructions() {
                if instruction.is_call() && !is_fixed(instruction.callee()) {
                    forget_call(instruction);
                }
            }
        }
    }
}

/// True if instrumentation does not change what the callee does.
fn is_fixed(callee: Value) -> bool {
    let name = callee.name();
    callee.is_inline_asm() || name.starts_with("llvm.") || Entry::of(&name).is_some()
}

fn forget_function(function: Value) {
    for attribute in OF_FUNCTIONS {
        function.remove_attribute(FUNCTION_INDEX, attribute);
    }
    for (_, index) in function.params().into_iter().zip(1..) {
        for attribute in OF_PARAMETERS {
            function.remove_attribute(index, attribute);
        }
    }
}

fn forget_call(call: Value) {
    for attribute in OF_FUNCTIONS {
        call.remove_call_attribute(FUNCTION_INDEX, attribute);
    }
    for (_, index) in call.arguments().into_iter().zip(1..) {
        for attribute in OF_PARAMETERS {
            call.remove_call_attribute(index, attribute);
        }
    }
}
