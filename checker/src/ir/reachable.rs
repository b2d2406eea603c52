//! The functions that a program may run: those that its entry function calls, those whose address is a
//! constant or in a global variable, and those that these call. A number that looks like such an address
//! counts as one.

use super::address;
use super::ids::FuncId;
use super::instr::Instr;
use super::program::Program;
use super::value::Value;

/// The functions that may run, in no particular order.
#[must_use]
pub fn reachable_functions(program: &Program) -> Vec<FuncId> {
    let words = program.globals.iter().flat_map(|global| &global.pages).flatten().map(|&word| Value::new(word));
    let pointed = words.chain(program.constants.iter().copied()).filter_map(|value| function_at(program, value));
    let mut waiting: Vec<FuncId> = program.entry.into_iter().chain(pointed).collect();
    let mut is_known = vec![false; program.functions.len()];
    let mut found = Vec::new();
    while let Some(function) = waiting.pop() {
        if std::mem::replace(&mut is_known[function.index()], true) {
            continue;
        }
        found.push(function);
        let calls = program.function(function).code.iter().filter_map(|instr| match *instr {
            Instr::Call { function, .. } => Some(function),
            _ => None,
        });
        waiting.extend(calls);
    }
    found
}

/// The function that a word points to, if it points to one.
fn function_at(program: &Program, value: Value) -> Option<FuncId> {
    let (object, offset) = address::split(value.bits)?;
    program.function_at(object).filter(|_| offset == 0)
}
