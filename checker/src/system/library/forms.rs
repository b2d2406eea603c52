//! The forms of allocation: memory goes back to the function that belongs to the one which made it.
//!
//! Source: ISO C++20, [new.delete.single] and [new.delete.array]: what a form of `operator delete` gets was
//! made by the same form of `operator new`, or is null; C11, 7.22.3.3, says it of `free`. A program may
//! replace the forms of `operator new`, so that the memory comes from `malloc`, and leave the library's
//! `operator delete` in place. So in a program that defines one of them, every form of `delete` may end
//! memory that `malloc` and its family made.
//!
//! Not covered: the size that is given to a sized form, and alignments that differ.

use super::Call;
use crate::ir::Program;
use crate::ir::address;
use crate::ir::program::Function;
use crate::system::machine::Machine;
use crate::system::state::form::Form;
use crate::system::step::{Performed, VisibleSlot};

/// The names of the forms of `operator new` that a program may replace.
const REPLACEABLE: [&str; 8] = [
    "_Znwm",
    "_Znam",
    "_ZnwmSt11align_val_t",
    "_ZnamSt11align_val_t",
    "_ZnwmRKSt9nothrow_t",
    "_ZnamRKSt9nothrow_t",
    "_ZnwmSt11align_val_tRKSt9nothrow_t",
    "_ZnamSt11align_val_tRKSt9nothrow_t",
];
/// The function that each form of the support library calls, and that does nothing.
const MARK: &str = "__rmc_is_default";

/// True if a function of form `ender` may end memory of form `made` in the machine's program.
pub(super) fn may_end(machine: &Machine<'_>, ender: Form, made: Form) -> bool {
    ender == made || made == Form::C && machine.facts.new_is_replaced
}

/// True if the program defines a form of `operator new`.
pub fn replaces_new(program: &Program) -> bool {
    let mut functions = program.functions.iter().filter(|function| !function.code.is_empty());
    functions.any(|function| REPLACEABLE.contains(&function.name.as_str()) && !is_default(function))
}

/// True if the function is a form of `operator new` or `operator delete` of the support library.
fn is_default(function: &Function) -> bool {
    function.library.iter().any(|site| super::function(site.function).name == MARK)
}

/// Models `__rmc_is_default()`, which marks the support library's forms.
pub(super) fn mark<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    machine.give(call, 0)
}

/// True if the program defines the function at an address, a form of `operator new` or `operator delete`,
/// itself.
#[must_use]
pub fn is_replaced(program: &Program, function: u64) -> bool {
    let found = address::split(function).and_then(|(object, _)| program.function_at(object));
    !found.is_some_and(|function| is_default(program.function(function)))
}

/// Models `__rmc_is_replaced(function)`: [`is_replaced`].
pub(super) fn ask<'p>(machine: &mut Machine<'p>, _: &mut VisibleSlot, call: Call<'p>) -> Performed {
    let function = machine.argument(call, 0)?;
    machine.give(call, is_replaced(machine.program, function).into())
}
