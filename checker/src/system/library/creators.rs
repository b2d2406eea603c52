//! Whether threads other than the first one create or join threads.
//!
//! A creation gives the lowest free number away, and a join makes a number free. So a join is an operation
//! that creations of other threads notice: a step must not go on over it. Where the first thread alone
//! creates and joins, program order says all there is to say, and joins are not visible.
//!
//! Who runs a function is not known exactly. A thread begins with a function whose address is known, and goes
//! on with those that are called from there; calls through pointers lead to functions whose addresses are
//! known, too. So the functions that can be reached from these are all that threads can run, and perhaps
//! more.
//!
//! Tests: `tests/programs/sync/numbers_come_free.c`.

use std::collections::BTreeSet;

use super::{LibraryFunction, OnThreads};
use crate::ir::address;
use crate::ir::ids::FuncId;
use crate::ir::instr::Instr;
use crate::ir::program::Program;

/// Whether some thread other than the first may create or join threads.
pub(in crate::system) fn others_create_or_join(program: &Program) -> bool {
    let mut open: Vec<_> = with_known_addresses(program).collect();
    let mut reached: BTreeSet<_> = open.iter().copied().collect();
    while let Some(id) = open.pop() {
        let function = program.function(id);
        let calls = function.library.iter().map(|site| super::function(site.function));
        if super::named(&function.name).into_iter().chain(calls).any(creates_or_joins) {
            return true;
        }
        for instr in &function.code {
            if let Instr::Call { function, .. } = instr
                && reached.insert(*function)
            {
                open.push(*function);
            }
        }
    }
    false
}

fn creates_or_joins(function: &LibraryFunction) -> bool {
    matches!(function.on_threads, OnThreads::Creates | OnThreads::Joins)
}

/// The functions whose addresses are in the program's constants or in initial values. The entry has none: the
/// loader made it.
fn with_known_addresses(program: &Program) -> impl Iterator<Item = FuncId> {
    let constants = program.constants.iter().map(|constant| constant.bits);
    let initial = program.globals.iter().flat_map(|global| &global.pages).flatten().copied();
    let object = |word| address::split(word).filter(|&(_, offset)| offset == 0).map(|(object, _)| object);
    let functions = constants.chain(initial).filter_map(object).filter_map(|object| program.function_at(object));
    functions.filter(|&function| program.entry != Some(function))
}
