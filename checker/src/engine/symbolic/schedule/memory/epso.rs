//! PSO by lists of writes (ePSO-SMA): the stores of a thread to one cell reach memory in program order.
//!
//! Source: E. Tomasco et al., FMCAD 2016, section V. A store's timestamp is not below that of the thread's
//! last store to the same cell, to any of its cells if there are several. The latest timestamp is the
//! greatest.
//!
//! The paper has no store barrier. Here one demands of later stores that their timestamps are not below the
//! latest one at the barrier.

use rmc_formula::TermId;

use super::time;
use super::times::{Buffer, Order};
use crate::engine::symbolic::schedule::access::Write;
use crate::engine::symbolic::schedule::formula::Formula;

/// The order in which the stores of a thread reach memory.
pub struct CellOrder;

impl Order for CellOrder {
    fn lower_bounds(&self, f: &mut Formula, buffer: &Buffer, writes: &[Write]) -> Vec<(TermId, TermId)> {
        let mut bounds = vec![(f.terms.boolean(true), buffer.floor)];
        for write in writes {
            bounds.extend(buffer.last[write.cell.index()].map(|last| (write.condition, last.stamp)));
        }
        bounds
    }

    fn latest(&self, f: &mut Formula, buffer: &Buffer, stamp: TermId) -> TermId {
        let is_later = time::is_before(f, buffer.latest, stamp);
        f.terms.ite(is_later, stamp, buffer.latest)
    }
}
