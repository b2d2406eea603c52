//! Memory, as values of reads step by step.
//!
//! The events of all threads are gone through in the order in which they may happen: round by round, thread
//! by thread. The state of a memory is made of terms: what it is after the steps so far, those of them that
//! happen. This is the shared memory abstraction of E. Tomasco, T. L. Nguyen, O. Inverso, B. Fischer, S. La
//! Torre, G. Parlato, "Lazy Sequentialization for TSO and PSO via Shared Memory Abstractions", FMCAD 2016.
//!
//! * `sc`: a value for each cell,
//! * `etso`, `epso`: their efficient abstractions of TSO and PSO, which share
//!   - `time`: comparisons,
//!   - `times`: timestamps and clocks, in program order,
//!   - `lists`: the list of writes of each cell,
//! * `plain_tso`: a queue for each thread, an oracle in tests.

mod epso;
mod etso;
mod lists;
#[cfg(test)]
pub mod plain_tso;
mod sc;
mod time;
mod times;

pub use epso::CellOrder;
pub use etso::ProgramOrder;
pub use lists::WriteLists;
pub use sc::SequentialMemory;
pub use times::{EventTimes, useful_times};

use rmc_formula::TermId;

use super::access::Access;
use super::formula::Formula;

/// An event in a round.
#[derive(Clone, Copy, Debug)]
pub struct Slot<'a> {
    /// The thread.
    pub thread: usize,
    /// The position of the event in its thread.
    pub event: usize,
    /// The event is executed in the round.
    pub is_now: TermId,
    /// The event.
    pub access: &'a Access,
}

/// A value that a read has under a condition.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// The position of the read among those of the access.
    pub read: usize,
    /// The read has the value if the event is executed in the slot and this holds.
    pub condition: TermId,
    /// The value.
    pub value: TermId,
}

/// A memory, between two slots.
pub trait Memory {
    /// Executes an event if it is executed in this round, and returns the values of its reads. Under each
    /// execution the conditions of a read's cases exclude each other, and one holds unless the read has its
    /// value from elsewhere.
    fn step(&mut self, f: &mut Formula, slot: &Slot) -> Vec<Case>;
}
