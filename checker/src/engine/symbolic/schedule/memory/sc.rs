//! Sequential consistency: each cell has one value.

use rmc_formula::TermId;

use super::{Case, Memory, Slot};
use crate::engine::symbolic::schedule::access::Read;
use crate::engine::symbolic::schedule::events::{CellId, SharedProgram};
use crate::engine::symbolic::schedule::formula::Formula;
use crate::engine::symbolic::schedule::waiting::Settled;

/// Memory without buffers.
#[derive(Debug)]
pub struct SequentialMemory {
    values: Vec<TermId>,
}

impl SequentialMemory {
    /// The memory before the first event.
    pub fn new(program: &SharedProgram) -> Self {
        Self { values: program.cells.iter().map(|cell| cell.initial).collect() }
    }
}

impl Settled for SequentialMemory {
    fn settled(&self, _: &mut Formula, cell: CellId) -> TermId {
        self.values[cell.index()]
    }
}

impl Memory for SequentialMemory {
    fn step(&mut self, f: &mut Formula, slot: &Slot) -> Vec<Case> {
        let mut cases = Vec::new();
        for (read, Read { cell, .. }) in slot.access.reads.iter().enumerate() {
            cases.push(Case { read, condition: f.terms.boolean(true), value: self.values[cell.index()] });
        }
        for write in slot.access.shared_writes() {
            let is_written = f.terms.and(slot.is_now, write.condition);
            let value = &mut self.values[write.cell.index()];
            *value = f.terms.ite(is_written, write.value, *value);
        }
        cases
    }
}
