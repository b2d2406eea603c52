//! The read set of a step: the items that it read beyond its own thread.
//!
//! From another state with the same values of all items, the step has the same result. The engines take the
//! same step from many states, and need not run it each time. A step depends on its thread, the thread's
//! buffer (or all buffers) and the object table, which are components of the state; with delayed flushing
//! also on the number of live threads; and on the items logged here while it runs. An item is a number with a
//! value:
//!
//! ```text
//! page of the state    its component
//! ENDED | thread       the component of the thread's result, or RUNS
//! LIVE | thread        whether a thread other than this one lives
//! OTHERS | thread      whether a thread other than this one has delayed stores; if one had, the step has to
//!                      be run again each time
//! ```

use std::cell::RefCell;

use crate::store::Id;

/// An item that a step read, and its value then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadEntry {
    /// The number of the item.
    pub item: u32,
    /// The value of the item.
    pub value: u32,
}

/// The kinds of items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A page of the state.
    Page(usize),
    /// The result of a thread, or that it runs.
    Ended(usize),
    /// True if a thread other than this one lives.
    Live(usize),
    /// True if a thread other than this one has delayed stores.
    Others,
}

impl Item {
    /// The kind of the item with this number.
    #[must_use]
    pub const fn of(number: u32) -> Self {
        let thread = (number & NUMBER) as usize;
        match number & !NUMBER {
            0 => Self::Page(thread),
            ENDED => Self::Ended(thread),
            LIVE => Self::Live(thread),
            _ => Self::Others,
        }
    }
}

pub(in crate::system) const ENDED: u32 = 1 << 31;
pub(in crate::system) const LIVE: u32 = 1 << 30;
pub(in crate::system) const OTHERS: u32 = 1 << 29;
/// The bits of an item that hold the thread's number.
pub(in crate::system) const NUMBER: u32 = OTHERS - 1;
/// A value that no item has in any state.
pub(in crate::system) const ANEW: u32 = u32::MAX;
/// The value of a thread that has not ended.
pub(in crate::system) const RUNS: u32 = u32::MAX;

/// Collects the items that a step reads, in order. The first value of every item counts.
#[derive(Default)]
pub(in crate::system) struct ReadSet {
    pub is_on: bool,
    /// The numbers of pages, threads and live threads of the state when the step began.
    pages: usize,
    pub threads: usize,
    pub live: usize,
    pub entries: RefCell<Vec<ReadEntry>>,
}

impl ReadSet {
    pub fn begin(&mut self, pages: usize, threads: usize, live: usize) {
        (self.is_on, self.pages, self.threads, self.live) = (true, pages, threads, live);
        self.entries.get_mut().clear();
    }

    #[inline]
    pub fn page(&self, slot: usize, component: Id) {
        if self.is_on && slot < self.pages {
            self.note(slot as u32, component);
        }
    }

    pub fn note(&self, item: u32, value: u32) {
        if !self.is_on {
            return;
        }
        let mut entries = self.entries.borrow_mut();
        if !entries.iter().any(|one| one.item == item) {
            entries.push(ReadEntry { item, value });
        }
    }
}
