//! The list of writes of each cell: those in buffers, and the one that is the value in memory.
//!
//! Source: E. Tomasco et al., FMCAD 2016, section III and figure 3. There a cell has a temporal circular
//! doubly linked list of `N` nodes, ordered by timestamp, with a sentinel at its end whose timestamp is
//! maximal. A write has expired when its timestamp is not above the clock. The head is the last expired
//! write: the value in memory. Nodes before it are free.
//!
//! Every use of a link in figure 3 answers one of three questions: which timestamp does the successor of a
//! node have (lines 21, 33, 64), between which nodes does a timestamp belong (25 to 33), which node is the
//! first (20). So a node is kept here as its `value`, its timestamp `from`, and the timestamp of its
//! successor `until`, and there are no links:
//!
//! * `from <= time < until` holds of one node for each time below the maximum. For the clock this is the
//!   head. For the timestamp of a new write it is the predecessor of the new node (lines 32 and 33). So
//!   nothing is guessed.
//! * A node is free if its successor has expired, `until <= clock` (line 21). The figure takes the first
//!   node of the list; here the free node with the lowest number is taken. The node before the one that is
//!   taken has then an `until` that is not the timestamp of its successor, but it is free as well, and of a
//!   free node nothing else is asked.
//! * A new node has the `until` of its predecessor, whose own becomes the new timestamp (lines 37 to 40).
//!
//! Slips of figure 3, and what is meant: line 36 writes `tstamp[v][t]` (`tstamp[v][node]`); lines 9 and 79
//! name one array differently; line 13 lets the clock become `K`, at which no node is the head, since the
//! sentinel has expired (the clock stays below `K`); line 26 follows from lines 30 and 33.
//!
//! Where the figure guesses in each call, an event has one variable in all rounds: its clock and its
//! timestamp (`times.rs`).
//!
//! A cell has at most one node more than there are writes to it, so more nodes are not made. A cell whose
//! writes all reach memory at once, as those of atomic operations do, needs no list: the last write so far is
//! the head for every clock from then on, since clocks do not decrease. It has a value, as under SC.

use rmc_formula::TermId;

use super::time;
use super::times::{EventTimes, Order, Times};
use super::{Case, Memory, Slot};
use crate::engine::symbolic::schedule::access::{Access, Write};
use crate::engine::symbolic::schedule::events::{CellId, SharedProgram};
use crate::engine::symbolic::schedule::formula::Formula;
use crate::engine::symbolic::schedule::rounds::Rounds;
use crate::engine::symbolic::schedule::waiting::Settled;

/// A write.
#[derive(Clone, Copy, Debug)]
struct Node {
    value: TermId,
    /// The time at which the write reaches memory.
    from: TermId,
    /// The time at which the next write of the cell does; the maximum if there is none.
    until: TermId,
}

/// The writes of a cell.
#[derive(Clone, Debug)]
struct WriteList(Vec<Node>);

/// The memory of a cell.
#[derive(Clone, Debug)]
enum CellMemory {
    /// Some writes are delayed.
    Delayed(WriteList),
    /// No write is delayed: the value.
    Immediate(TermId),
}

/// The lists of all cells.
#[derive(Debug)]
pub struct WriteLists {
    times: Times,
    cells: Vec<CellMemory>,
}

impl WriteLists {
    /// The memory before the first event, with so many times, and at most so many nodes for each cell.
    pub fn new(
        f: &mut Formula,
        order: &impl Order,
        program: &SharedProgram,
        accesses: &[Vec<Access>],
        rounds: &Rounds,
        (times, nodes): (u32, u32),
    ) -> Self {
        let times = Times::new(f, order, accesses, rounds, program.cells.len(), times);
        let mut writes = vec![0_usize; program.cells.len()];
        let mut is_delayed = vec![false; program.cells.len()];
        for access in accesses.iter().flatten() {
            for write in &access.writes {
                writes[write.cell.index()] += 1;
                is_delayed[write.cell.index()] |= access.is_buffered;
            }
        }
        let cells = program.cells.iter().zip(writes).zip(is_delayed);
        let cells = cells.map(|((cell, writes), is_delayed)| match is_delayed {
            false => CellMemory::Immediate(cell.initial),
            true => CellMemory::Delayed(WriteList::new(f, cell.initial, &times, (1 + writes).min(nodes as usize))),
        });
        let cells = cells.collect();
        Self { times, cells }
    }

    /// The times of all events.
    pub fn times(&self) -> Vec<Vec<EventTimes>> {
        self.times.events()
    }
}

impl Settled for WriteLists {
    fn settled(&self, f: &mut Formula, cell: CellId) -> TermId {
        let list = match &self.cells[cell.index()] {
            CellMemory::Delayed(list) => list,
            &CellMemory::Immediate(value) => return value,
        };
        // Every timestamp is below the maximum, so the write without a later one arrives last.
        let never = time::never(f, self.times.count());
        let mut value = list.0[0].value;
        for node in &list.0[1..] {
            let is_last = f.terms.eq(node.until, never);
            value = f.terms.ite(is_last, node.value, value);
        }
        value
    }
}

impl Memory for WriteLists {
    fn step(&mut self, f: &mut Formula, slot: &Slot) -> Vec<Case> {
        let Some(clock) = self.times.clock(slot.thread, slot.event) else { return Vec::new() };
        let mut cases = Vec::new();
        for (at, read) in slot.access.reads.iter().enumerate() {
            let is_from_memory = self.times.is_from_memory(slot.thread, slot.event, at);
            let list = match &self.cells[read.cell.index()] {
                CellMemory::Delayed(list) => list,
                &CellMemory::Immediate(value) => {
                    cases.push(Case { read: at, condition: is_from_memory, value });
                    continue;
                }
            };
            for node in &list.0 {
                let is_head = node.is_last_at(f, clock);
                let condition = f.terms.and(is_head, is_from_memory);
                cases.push(Case { read: at, condition, value: node.value });
            }
        }
        for write in slot.access.shared_writes() {
            let stamp = self.times.stamp(slot.thread, slot.event).unwrap_or(clock);
            let is_written = f.terms.and(slot.is_now, write.condition);
            match &mut self.cells[write.cell.index()] {
                CellMemory::Delayed(list) => list.insert(f, is_written, clock, stamp, write),
                CellMemory::Immediate(value) => *value = f.terms.ite(is_written, write.value, *value),
            }
        }
        cases
    }
}

impl WriteList {
    /// The initial value, and free nodes.
    fn new(f: &mut Formula, initial: TermId, times: &Times, nodes: usize) -> Self {
        let (zero, maximum) = (time::first(f, times.count()), time::never(f, times.count()));
        let mut list = vec![Node { value: initial, from: zero, until: zero }; nodes];
        list[0].until = maximum;
        Self(list)
    }

    /// Adds a write that is at `stamp`, not below the clock, if `is_written`. There must be a free node.
    fn insert(&mut self, f: &mut Formula, is_written: TermId, clock: TermId, stamp: TermId, write: &Write) {
        let until = self.next_after(f, stamp);
        let mut none_before = is_written;
        for node in &mut self.0 {
            let is_predecessor = node.is_last_at(f, stamp);
            let is_free = time::is_not_after(f, node.until, clock);
            let is_new = f.terms.and(none_before, is_free);
            let is_taken = f.terms.not(is_free);
            none_before = f.terms.and(none_before, is_taken);
            let is_cut = f.terms.and(is_written, is_predecessor);
            node.until = f.terms.ite(is_cut, stamp, node.until);
            node.until = f.terms.ite(is_new, until, node.until);
            node.from = f.terms.ite(is_new, stamp, node.from);
            node.value = f.terms.ite(is_new, write.value, node.value);
        }
        let is_inserted = f.terms.not(none_before);
        f.assert(is_inserted);
    }

    /// The timestamp of the first write after a time.
    fn next_after(&self, f: &mut Formula, time: TermId) -> TermId {
        let mut next = self.0[0].until;
        for node in &self.0[1..] {
            let is_last = node.is_last_at(f, time);
            next = f.terms.ite(is_last, node.until, next);
        }
        next
    }
}

impl Node {
    /// True if the write reaches memory at this time or before, and the next one of the cell after it.
    fn is_last_at(&self, f: &mut Formula, time: TermId) -> TermId {
        let has_come = time::is_not_after(f, self.from, time);
        let is_current = time::is_before(f, time, self.until);
        f.terms.and(has_come, is_current)
    }
}
