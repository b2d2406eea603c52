//! TSO by lists of writes (eTSO-SMA): the stores of a thread reach memory in program order.
//!
//! Source: E. Tomasco et al., FMCAD 2016, section IV. A store's timestamp is not below that of the thread's
//! store before it (figure 3, line 31); so the latest timestamp is the last one (line 42). Store barriers
//! demand nothing more.

use rmc_formula::TermId;

use super::times::{Buffer, Order};
use crate::engine::symbolic::schedule::access::Write;
use crate::engine::symbolic::schedule::formula::Formula;

/// The order in which the stores of a thread reach memory.
pub struct ProgramOrder;

impl Order for ProgramOrder {
    fn lower_bounds(&self, f: &mut Formula, buffer: &Buffer, _writes: &[Write]) -> Vec<(TermId, TermId)> {
        vec![(f.terms.boolean(true), buffer.latest)]
    }

    fn latest(&self, _f: &mut Formula, _buffer: &Buffer, stamp: TermId) -> TermId {
        stamp
    }
}
