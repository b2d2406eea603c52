//! Analysis whether threads other than the first one create or join threads.
//!
//! A creation takes the lowest free number, and a join makes a number free. So creations of other threads
//! notice a join, and a step must not go on over it. If the first thread alone creates and joins, program
//! order decides everything, and joins are not visible.
//!
//! The functions that a thread runs are not known exactly. A thread begins with a function whose address is
//! known, and calls functions from there; calls through pointers lead to functions whose addresses are known,
//! too. So threads run only functions that can be reached from these.
//!
//! Tests: `tests/programs/sync/numbers_come_free.c`.

use std::collections::BTreeSet;

use super::{LibraryFunction, OnThreads};
use crate::ir::address;
use crate::ir::ids::FuncId;
use crate::ir::instr::Instr;
use crate::ir::program::Program;

/// True if some thread other than the first may create or join threads.
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

/// The functions whose addresses are in the program's constants or in initial values. The entry function,
/// which the loader made, is not one of them. Some occur more than once.
pub(super) fn with_known_addresses(program: &Program) -> impl Iterator<Item = FuncId> {
    let constants = program.constants.iter().map(|constant| constant.bits);
    let initial = program.globals.iter().flat_map(|global| &global.pages).flatten().copied();
    let object = |word| address::split(word).filter(|&(_, offset)| offset == 0).map(|(object, _)| object);
    let functions = constants.chain(initial).filter_map(object).filter_map(|object| program.function_at(object));
    functions.filter(|&function| program.entry != Some(function))
}
