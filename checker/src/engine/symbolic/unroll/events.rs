//! The events of unrolled threads.

use std::ops::Range;

use rmc_formula::TermId;

use super::{MOST_EVENTS, Path, Stop, Unroller};
use crate::engine::symbolic::schedule::Barrier;
use crate::engine::symbolic::values::table::Content;
use crate::engine::symbolic::word::Word;
use crate::ir::ids::{FuncId, Pc};

/// An instruction.
pub type Place = (FuncId, Pc);

/// An unrolled thread.
#[derive(Debug, Default)]
pub struct UnrolledThread {
    /// Its operations on shared memory, in an order that extends each path's.
    pub events: Vec<Event>,
    /// The operations that a run on the machine performs, events among them, in such an order.
    pub log: Vec<LogEntry>,
    /// The numbers of the events with which it ends.
    pub ends: Vec<usize>,
}

/// An operation on shared memory.
#[derive(Clone, Debug)]
pub struct Event {
    /// Whether the thread's path comes here: 1 bit.
    pub guard: TermId,
    /// The operation.
    pub action: Action,
    /// True if no other thread runs between this event and the thread's next one, and no store of another
    /// thread reaches memory.
    pub is_glued: bool,
    /// The instruction.
    pub place: Place,
}

/// The kinds of operations on shared memory. Lengths are in bytes.
#[derive(Clone, Debug)]
#[allow(clippy::missing_docs_in_private_items)] // the fields are explained with the variants
pub enum Action {
    /// A load of at most 8 bytes. `result` is the value, and `open` whether it is open: variables, or
    /// functions of them with these values alone.
    Load { address: Word, len: u32, result: TermId, open: TermId, content: Content },
    /// A store of at most 8 bytes.
    Store { address: Word, len: u32, value: Word, before: Option<Barrier> },
    /// A fence.
    Fence(Barrier),
    /// Everything delayed arrives; then, in one step and only where `enabled`, `result` is what memory has at
    /// the places (at most 16 bytes, the first one lowest), and `value` is written there if `stores`.
    /// Where `blocked`, the thread waits for others.
    Atomic {
        places: Vec<AtomicPlace>,
        result: TermId,
        open: TermId,
        enabled: TermId,
        stores: TermId,
        value: TermId,
        blocked: TermId,
    },
}

/// A place of an atomic access.
#[derive(Clone, Debug)]
pub struct AtomicPlace {
    /// The address.
    pub address: Word,
    /// The length in bytes.
    pub len: u32,
    /// What the access may find there.
    pub content: Content,
    /// What it writes.
    pub new: Word,
    /// True if that is what it finds and a number, which is in the sums of the thread (`values/table.rs`).
    pub adds: bool,
}

/// An operation that a run on the machine performs.
#[derive(Clone, Debug)]
pub struct LogEntry {
    /// Whether the thread's path comes here: 1 bit.
    pub guard: TermId,
    /// The instruction.
    pub place: Place,
    /// What it is.
    pub what: Logged,
}

/// The kinds of logged operations.
#[derive(Clone, Debug)]
pub enum Logged {
    /// It is no event: nobody else notices.
    Silent,
    /// An event, by its number.
    Event(usize),
    /// It is an event that creates a thread.
    Creation {
        /// The number of the event.
        event: usize,
        /// The thread.
        thread: usize,
    },
    /// An event that wakes a thread at a condition variable, if one waits there.
    Wakeup {
        /// The number of the event.
        event: usize,
        /// The thread.
        thread: TermId,
        /// The address of the condition variable.
        condition: TermId,
    },
    /// An event with which a thread arrives at a barrier.
    Arrival {
        /// The number of the event.
        event: usize,
        /// The address of the barrier.
        barrier: TermId,
        /// A bit: it is the last one of its round.
        is_last: TermId,
        /// True if the program reads whether the thread is the serial one.
        reads: bool,
    },
    /// An event with which a thread leaves a barrier.
    Departure {
        /// The number of the event.
        event: usize,
        /// As of the arrival.
        reads: bool,
    },
    /// It is events of which the machine makes steps of its own.
    Copy {
        /// The numbers of the events, at least one.
        events: Range<usize>,
    },
    /// It takes an input.
    Input {
        /// The value: as wide as the input.
        value: TermId,
    },
    /// It makes a choice.
    Choice {
        /// The number of the alternative.
        value: TermId,
    },
}

impl LogEntry {
    /// True if this is the entry of an event of its thread.
    #[must_use]
    pub fn is_of(&self, event: usize) -> bool {
        match self.what {
            Logged::Event(own)
            | Logged::Creation { event: own, .. }
            | Logged::Wakeup { event: own, .. }
            | Logged::Arrival { event: own, .. }
            | Logged::Departure { event: own, .. } => own == event,
            Logged::Copy { ref events } => events.start == event,
            Logged::Silent | Logged::Input { .. } | Logged::Choice { .. } => false,
        }
    }
}

impl Unroller<'_> {
    /// Adds an event of the path at the instruction under way, and logs it.
    ///
    /// # Errors
    /// [`Stop::Dead`]: the thread has too many events, and the path is cut off.
    pub(super) fn event(&mut self, path: &Path, action: Action) -> Result<usize, Stop> {
        let place = self.place();
        let event = self.unlogged_event(path, action, place)?;
        self.log(path, place, Logged::Event(event));
        Ok(event)
    }

    /// Adds an event of the path that is no operation of the machine's.
    ///
    /// # Errors
    /// Like [`Self::event`].
    pub(super) fn unlogged_event(&mut self, path: &Path, action: Action, place: Place) -> Result<usize, Stop> {
        let events = &mut self.threads[self.thread].events;
        if events.len() >= MOST_EVENTS {
            return Err(Stop::Dead);
        }
        events.push(Event { guard: path.guard, action, is_glued: path.sections > 0, place });
        Ok(events.len() - 1)
    }

    /// Logs an operation of the path.
    pub(super) fn log(&mut self, path: &Path, place: Place, what: Logged) {
        self.threads[self.thread].log.push(LogEntry { guard: path.guard, place, what });
    }
}
