//! The argument of `__builtin_constant_p`, which is not evaluated (GCC manual, "Other Built-in Functions
//! Provided by GCC").
//!
//! clang emits the code of the argument, `llvm.is.constant` uses its value, and the optimiser removes both.
//! Here the answer is always that it is not a constant, as compilers may say of everything that they have not
//! folded before. The code that computes the argument, and nothing else, is removed. The condition of a `?:`
//! in it is a branch by then and is evaluated. Test: `tests/programs/language/unevaluated.c`.

use crate::select;
use rmc_llvm::Opcode;
use rmc_llvm::edit::{Block, Module, Value};

/// Replaces all calls of `llvm.is.constant` in `function` by the answer.
pub fn forget(module: Module, function: Value) {
    let instructions = function.blocks().into_iter().flat_map(Block::instructions);
    let is_question = |one: &Value| one.opcode() == Some(Opcode::LLVMCall) && asks(one.callee());
    for question in instructions.filter(is_question).collect::<Vec<_>>() {
        let argument = question.operand(0);
        question.replace_uses(module.int(1).constant(0));
        question.erase();
        drop_unused(argument);
    }
}

fn asks(callee: Value) -> bool {
    callee.is_function() && callee.name().starts_with("llvm.is.constant.")
}

/// Removes `value` if it is an unused instruction without effects, and then its operands under the same
/// condition.
fn drop_unused(value: Value) {
    let mut behind = Vec::new();
    collect(value, &mut behind);
    while let Some(at) = behind.iter().position(|one| one.users().is_empty()) {
        behind.swap_remove(at).erase();
    }
}

/// Adds `value` and the instructions without effects from which it is computed.
fn collect(value: Value, behind: &mut Vec<Value>) {
    if is_only_value(value) && !behind.contains(&value) {
        behind.push(value);
        value.operands().into_iter().for_each(|operand| collect(operand, behind));
    }
}

/// True if `value` is an instruction without effects: a plain load, or one that only computes.
fn is_only_value(value: Value) -> bool {
    match value.instruction_opcode() {
        Some(Opcode::LLVMLoad) => !value.is_volatile() && !select::is_atomic(value),
        Some(
            Opcode::LLVMGetElementPtr
            | Opcode::LLVMPHI
            | Opcode::LLVMAdd
            | Opcode::LLVMSub
            | Opcode::LLVMMul
            | Opcode::LLVMSDiv
            | Opcode::LLVMUDiv
            | Opcode::LLVMSRem
            | Opcode::LLVMURem
            | Opcode::LLVMShl
            | Opcode::LLVMLShr
            | Opcode::LLVMAShr
            | Opcode::LLVMAnd
            | Opcode::LLVMOr
            | Opcode::LLVMXor
            | Opcode::LLVMICmp
            | Opcode::LLVMSelect
            | Opcode::LLVMTrunc
            | Opcode::LLVMZExt
            | Opcode::LLVMSExt
            | Opcode::LLVMPtrToInt
            | Opcode::LLVMIntToPtr
            | Opcode::LLVMBitCast,
        ) => true,
        _ => false,
    }
}
