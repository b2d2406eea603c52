//! Small programs for tests: cells of 8 bits that are 0, and events at known places without conditions unless
//! something else is said.

use rmc_formula::{TermId, Terms};

use super::super::{Barrier, Cell, CellId, Event, NewVariables, Operation, SharedProgram, Target, Thread};

pub const WIDTH: u32 = 8;

pub struct Builder {
    pub terms: Terms,
    pub variables: NewVariables,
    pub program: SharedProgram,
}

impl Builder {
    pub fn new(cells: u32, threads: usize) -> Self {
        let mut terms = Terms::new();
        let initial = terms.constant(0, WIDTH);
        let cells = (0..cells).map(|_| Cell { width: WIDTH, initial }).collect();
        let threads = (0..threads).map(|_| Thread { events: Vec::new() }).collect();
        Self { terms, variables: NewVariables::default(), program: SharedProgram { cells, threads } }
    }

    /// The place that is certain.
    pub fn at(&mut self, cells: &[u32]) -> Vec<Target> {
        let condition = self.terms.boolean(true);
        vec![Target { condition, cells: cells.iter().map(|&cell| CellId(cell)).collect() }]
    }

    pub fn fresh(&mut self, width: u32) -> TermId {
        self.terms.variable(self.variables.fresh(), width)
    }

    pub fn event(&mut self, thread: usize, operation: Operation) {
        let guard = self.terms.boolean(true);
        self.program.threads[thread].events.push(Event { guard, operation, is_glued: false });
    }

    pub fn load(&mut self, thread: usize, cells: &[u32]) -> TermId {
        let (targets, result) = (self.at(cells), self.fresh(WIDTH * cells.len() as u32));
        self.event(thread, Operation::Load { targets, result });
        result
    }

    pub fn store(&mut self, thread: usize, cells: &[u32], value: u128) {
        self.store_with(thread, cells, value, None, false);
    }

    pub fn store_with(&mut self, thread: usize, cells: &[u32], value: u128, before: Option<Barrier>, after_full: bool) {
        let targets = self.at(cells);
        let value = self.terms.constant(value, WIDTH * cells.len() as u32);
        self.event(thread, Operation::Store { targets, value, before, after_full });
    }

    pub fn fence(&mut self, thread: usize, barrier: Barrier) {
        self.event(thread, Operation::Fence(barrier));
    }

    /// An exchange.
    pub fn swap(&mut self, thread: usize, cells: &[u32], value: u128) -> TermId {
        let (targets, result) = (self.at(cells), self.fresh(WIDTH * cells.len() as u32));
        let value = self.terms.constant(value, WIDTH * cells.len() as u32);
        let (yes, blocked) = (self.terms.boolean(true), self.terms.boolean(false));
        self.event(thread, Operation::Atomic { targets, result, enabled: yes, stores: yes, value, blocked });
        result
    }

    /// Waits until a cell has a value, and writes another one.
    pub fn wait(&mut self, thread: usize, cell: u32, expected: u128, value: u128) -> TermId {
        let (targets, result) = (self.at(&[cell]), self.fresh(WIDTH));
        let expected = self.terms.constant(expected, WIDTH);
        let value = self.terms.constant(value, WIDTH);
        let enabled = self.terms.eq(result, expected);
        let stores = self.terms.boolean(true);
        let blocked = self.terms.not(enabled);
        self.event(thread, Operation::Atomic { targets, result, enabled, stores, value, blocked });
        result
    }
}
