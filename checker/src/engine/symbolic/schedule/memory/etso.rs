//! TSO by lists of writes (eTSO-SMA): the stores of a thread reach memory in program order.
//!
//! Source: E. Tomasco et al., FMCAD 2016, section IV. A store's timestamp is not below that of the thread's
//! store before it (figure 3, line 31); so the latest timestamp is the last one (line 42). Store barriers
//! demand nothing more.

use rmc_formula::TermId;

use super::lists::WriteLists;
use super::times::{Buffer, Order, Times};
use crate::engine::symbolic::schedule::access::{Access, Write};
use crate::engine::symbolic::schedule::events::SharedProgram;
use crate::engine::symbolic::schedule::formula::Formula;
use crate::engine::symbolic::schedule::rounds::Rounds;

struct ProgramOrder;

impl Order for ProgramOrder {
    fn lower_bounds(&self, f: &mut Formula, buffer: &Buffer, _writes: &[Write]) -> Vec<(TermId, TermId)> {
        vec![(f.terms.boolean(true), buffer.latest)]
    }

    fn latest(&self, _f: &mut Formula, _buffer: &Buffer, stamp: TermId) -> TermId {
        stamp
    }
}

/// The memory before the first event.
pub fn etso(
    f: &mut Formula,
    program: &SharedProgram,
    accesses: &[Vec<Access>],
    rounds: &Rounds,
    (times, nodes): (u32, u32),
) -> WriteLists {
    let times = Times::new(f, &ProgramOrder, accesses, rounds, program.cells.len(), times);
    WriteLists::new(f, program, accesses, times, nodes)
}
