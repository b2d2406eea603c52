//! Events of threads on cells of memory, with their values as terms: the input of the encoding.

use rmc_formula::TermId;

/// A piece of shared memory, as an index into [`SharedProgram::cells`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(pub u32);

impl CellId {
    /// The position among the cells.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A piece of shared memory that accesses read and write as a whole.
#[derive(Clone, Debug)]
pub struct Cell {
    /// The width in bits, 1 to 64.
    pub width: u32,
    /// The value before the first event.
    pub initial: TermId,
}

/// A place that an access may be at. The conditions of an access's targets exclude each other, and one of
/// them holds if the event's guard does.
#[derive(Clone, Debug)]
pub struct Target {
    /// The access is here; 1 bit.
    pub condition: TermId,
    /// The cells, the lowest address first. Their widths add up to the width of the access, at most 128. The
    /// value of the access has the lowest cell in its lowest bits.
    pub cells: Vec<CellId>,
}

/// The kinds of barriers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barrier {
    /// Earlier stores of the thread have reached memory.
    Full,
    /// Later stores of the thread do not reach memory before earlier ones.
    StoreStore,
}

/// The effect of an event.
#[derive(Clone, Debug)]
pub enum Operation {
    /// A read.
    Load {
        /// The places where it may be.
        targets: Vec<Target>,
        /// The variable that is the value.
        result: TermId,
    },
    /// A write that goes through the thread's store buffer.
    Store {
        /// The places where it may be.
        targets: Vec<Target>,
        /// The value.
        value: TermId,
        /// A barrier right before it, in the same step.
        before: Option<Barrier>,
        /// True if a full barrier is right after it, in the same step: the step waits until older stores have
        /// left the buffer, and the value goes to memory at once. Under PSO, `before` must be there.
        after_full: bool,
    },
    /// A barrier.
    Fence(Barrier),
    /// The thread's buffer is emptied, then memory is read and perhaps written in one step.
    Atomic {
        /// The places where it may be.
        targets: Vec<Target>,
        /// The variable that is the value read.
        result: TermId,
        /// The operation is possible; otherwise the thread waits. A term of 1 bit over `result` and others.
        enabled: TermId,
        /// `value` is written; 1 bit.
        stores: TermId,
        /// The value written.
        value: TermId,
        /// The thread waits for others, where the operation is not possible; 1 bit, as `enabled`.
        blocked: TermId,
    },
}

/// An event of a thread.
#[derive(Clone, Debug)]
pub struct Event {
    /// The thread's path leads to the event; 1 bit, over inputs and results of earlier events of the thread.
    pub guard: TermId,
    /// The effect.
    pub operation: Operation,
    /// No other thread runs between the event and the thread's next one that is not passed over, or ever
    /// again if there is none, and no store of another thread reaches memory.
    pub is_glued: bool,
}

/// The events of a thread in an order that extends the program order of every path. An event whose guard is 0
/// is passed over and does nothing.
#[derive(Clone, Debug)]
pub struct Thread {
    /// The events.
    pub events: Vec<Event>,
}

/// Threads and the memory that they share.
#[derive(Clone, Debug)]
pub struct SharedProgram {
    /// The memory.
    pub cells: Vec<Cell>,
    /// The threads. In each round they run in this order.
    pub threads: Vec<Thread>,
}

/// Memory models.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Model {
    /// Sequential consistency.
    Sc,
    /// Total store order: one buffer per thread.
    Tso,
    /// Partial store order: one buffer per thread and cell.
    Pso,
}

/// The bounds of the executions that are encoded. An execution that exceeds one is left out.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The number of rounds, at least 1.
    pub rounds: u32,
    /// The number of values of the clock, at least 1: buffered stores reach memory at up to this many
    /// different times, less one. With 1, TSO and PSO are SC.
    pub max_clock: u32,
    /// The number of nodes of a cell's list of writes, at least 2. One of them is the value in memory.
    pub writes: u32,
}

/// A part of an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// An event whose guard is 1 happens.
    Step {
        /// The thread.
        thread: usize,
        /// The position of the event in its thread.
        event: usize,
    },
    /// A store leaves its thread's buffer for memory. Only under TSO and PSO, and only of stores
    /// without a full barrier after them.
    Update {
        /// The thread.
        thread: usize,
        /// The position of the store in its thread.
        event: usize,
    },
}
