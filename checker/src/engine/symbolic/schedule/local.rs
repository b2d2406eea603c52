//! Reads of cells that only the reading thread writes: functions of the thread's own events.
//!
//! They need no rounds and no buffers. The constraints also hold of events that are not executed, of which
//! nothing else is demanded: a result is a variable of its own, so it can have the value.

use rmc_formula::TermId;

use super::access::Access;
use super::events::{Cell, SharedProgram};
use super::formula::Formula;

/// Equates the results of local reads with the thread's latest write before them.
pub fn assert_local_reads(f: &mut Formula, program: &SharedProgram, accesses: &[Vec<Access>]) {
    for thread in accesses {
        let mut values: Vec<TermId> = program.cells.iter().map(|Cell { initial, .. }| *initial).collect();
        for access in thread {
            for read in &access.local_reads {
                let is_read = f.terms.eq(read.result, values[read.cell.index()]);
                f.assert_implied(&[read.condition], is_read);
            }
            for write in &access.writes {
                let value = &mut values[write.cell.index()];
                *value = f.terms.ite(write.condition, write.value, *value);
            }
        }
    }
}
