//! TSO by queues (TSO-SMA): a queue of stores for each thread, and a value for each cell.
//!
//! Source: E. Tomasco et al., FMCAD 2016, section III. Before each event the first stores of each queue may
//! reach memory, any number of them, but queue by queue: each time with a copy of the whole memory in the
//! formula. That is what the lists of writes avoid, so this one is an oracle in tests. Between two events
//! with nothing between, which glued events are, it has only some of the orders of updates.

use rmc_formula::TermId;

use super::{Case, Memory, Slot};
use crate::engine::symbolic::schedule::access::Access;
use crate::engine::symbolic::schedule::events::{Barrier, CellId, SharedProgram};
use crate::engine::symbolic::schedule::formula::Formula;

/// A place in a queue. The places in use are the first ones.
#[derive(Clone, Debug)]
struct Entry {
    is_used: TermId,
    /// For each cell: it is written, and the value.
    cells: Vec<(TermId, TermId)>,
}

/// Memory and queues.
#[derive(Debug)]
pub struct QueueMemory {
    memory: Vec<TermId>,
    queues: Vec<Vec<Entry>>,
    /// For each thread and event: a full fence is before it, and no visible event between.
    is_fenced: Vec<Vec<TermId>>,
}

impl QueueMemory {
    /// The memory before the first event, with at most `places` in a queue.
    pub fn new(f: &mut Formula, program: &SharedProgram, accesses: &[Vec<Access>], places: u32) -> Self {
        let no = f.terms.boolean(false);
        let memory: Vec<TermId> = program.cells.iter().map(|cell| cell.initial).collect();
        let entry = Entry { is_used: no, cells: memory.iter().map(|&value| (no, value)).collect() };
        let is_counted = |access: &&Access| access.is_buffered && access.shared_writes().next().is_some();
        let stores = accesses.iter().map(|thread| thread.iter().filter(is_counted).count());
        let queues = stores.map(|stores| vec![entry.clone(); stores.min(places as usize)]).collect();
        let is_fenced = accesses.iter().map(|thread| fenced(f, thread)).collect();
        Self { memory, queues, is_fenced }
    }

    /// The first store of a queue may reach memory.
    fn update(&mut self, f: &mut Formula, thread: usize) {
        let first = self.queues[thread][0].clone();
        let is_chosen = f.fresh(1);
        let is_updated = f.terms.and(is_chosen, first.is_used);
        for (value, &(is_written, written)) in self.memory.iter_mut().zip(&first.cells) {
            let is_changed = f.terms.and(is_updated, is_written);
            *value = f.terms.ite(is_changed, written, *value);
        }
        let no = f.terms.boolean(false);
        let empty = Entry { is_used: no, cells: first.cells.iter().map(|&(_, value)| (no, value)).collect() };
        let later: Vec<Entry> = self.queues[thread][1..].iter().cloned().chain([empty]).collect();
        for (entry, later) in self.queues[thread].iter_mut().zip(&later) {
            entry.replace_if(f, is_updated, later);
        }
    }

    /// Adds a store to a queue, which must have a free place.
    fn push(&mut self, f: &mut Formula, slot: &Slot) {
        let mut is_needed = f.terms.and(slot.is_now, slot.access.guard);
        for entry in &mut self.queues[slot.thread] {
            let is_free = f.terms.not(entry.is_used);
            let is_taken = f.terms.and(is_needed, is_free);
            is_needed = f.terms.and(is_needed, entry.is_used);
            let (yes, no) = (f.terms.boolean(true), f.terms.boolean(false));
            let mut store = Entry { is_used: yes, cells: entry.cells.iter().map(|&(_, value)| (no, value)).collect() };
            for write in slot.access.shared_writes() {
                store.cells[write.cell.index()] = (write.condition, write.value);
            }
            entry.replace_if(f, is_taken, &store);
        }
        let has_place = f.terms.not(is_needed);
        f.assert(has_place);
    }

    /// The value of a cell for a thread.
    fn read(&self, f: &mut Formula, thread: usize, cell: CellId) -> TermId {
        let mut value = self.memory[cell.index()];
        for entry in &self.queues[thread] {
            let (is_written, written) = entry.cells[cell.index()];
            let is_newer = f.terms.and(entry.is_used, is_written);
            value = f.terms.ite(is_newer, written, value);
        }
        value
    }
}

impl Memory for QueueMemory {
    fn step(&mut self, f: &mut Formula, slot: &Slot) -> Vec<Case> {
        for thread in 0..self.queues.len() {
            for _ in 0..self.queues[thread].len() {
                self.update(f, thread);
            }
        }
        let is_fence = f.terms.boolean(slot.access.barrier == Some(Barrier::Full));
        let is_fenced = f.terms.or(is_fence, self.is_fenced[slot.thread][slot.event]);
        if let Some(first) = self.queues[slot.thread].first() {
            let is_empty = f.terms.not(first.is_used);
            f.assert_implied(&[slot.is_now, slot.access.guard, is_fenced], is_empty);
        }
        let mut cases = Vec::new();
        for (at, read) in slot.access.reads.iter().enumerate() {
            let value = self.read(f, slot.thread, read.cell);
            cases.push(Case { read: at, condition: f.terms.boolean(true), value });
        }
        if slot.access.is_buffered {
            self.push(f, slot);
            return cases;
        }
        for write in slot.access.shared_writes() {
            let is_written = f.terms.and(slot.is_now, write.condition);
            let value = &mut self.memory[write.cell.index()];
            *value = f.terms.ite(is_written, write.value, *value);
        }
        cases
    }
}

impl Entry {
    fn replace_if(&mut self, f: &mut Formula, condition: TermId, other: &Self) {
        self.is_used = f.terms.ite(condition, other.is_used, self.is_used);
        for ((is_written, value), other) in self.cells.iter_mut().zip(&other.cells) {
            *is_written = f.terms.ite(condition, other.0, *is_written);
            *value = f.terms.ite(condition, other.1, *value);
        }
    }
}

/// For each event of a thread: a full fence is before it, and no visible event between.
fn fenced(f: &mut Formula, thread: &[Access]) -> Vec<TermId> {
    let mut is_fenced = f.terms.boolean(false);
    let mut all = Vec::new();
    for access in thread {
        all.push(is_fenced);
        let is_other = f.terms.not(access.guard);
        if access.is_visible {
            is_fenced = f.terms.and(is_fenced, is_other);
        } else if access.barrier == Some(Barrier::Full) {
            is_fenced = f.terms.or(is_fenced, access.guard);
        }
    }
    all
}
