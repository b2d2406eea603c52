//! The read set of a step: what it looked at beyond its own thread.
//!
//! From another state in which all of it is the same, the step leads to the same. The engines take the same
//! step from many states, and need not run it each time. A step depends on its thread, the thread's buffer
//! (or all buffers) and the object table, which are components of the state; with delayed flushing on the
//! number of live threads; and on what is logged here while it runs. An item is a number with a value:
//!
//! ```text
//! page of the state    its component
//! ENDED | thread       what the thread ended with, or RUNS
//! LIVE | thread        whether a thread other than this one lives
//! OTHERS | thread      whether a thread other than this one has delayed stores; if one had, the step has to
//!                      be run again each time
//! ```

use std::cell::RefCell;

use crate::store::Id;

/// An item that a step looked at, and its value then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadEntry {
    /// Which item.
    pub item: u32,
    /// Its value.
    pub value: u32,
}

/// What an item is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// A page of the state.
    Page(usize),
    /// What a thread ended with, or that it runs.
    Ended(usize),
    /// Whether a thread other than this one lives.
    Live(usize),
    /// Whether a thread other than this one has delayed stores.
    Others,
}

impl Item {
    /// What the item of this number is about.
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
/// The bits of an item that have the thread's number.
pub(in crate::system) const NUMBER: u32 = OTHERS - 1;
/// A value that no item has in any state.
pub(in crate::system) const ANEW: u32 = u32::MAX;
/// The value of a thread that has not ended.
pub(in crate::system) const RUNS: u32 = u32::MAX;

/// Collects what a step looks at, in order; of every item the first value counts.
#[derive(Default)]
pub(in crate::system) struct ReadSet {
    pub is_on: bool,
    /// Pages, threads and live threads that the state had when the step began.
    pages: usize,
    pub threads: usize,
    pub live: usize,
    pub seen: RefCell<Vec<ReadEntry>>,
}

impl ReadSet {
    pub fn begin(&mut self, pages: usize, threads: usize, live: usize) {
        (self.is_on, self.pages, self.threads, self.live) = (true, pages, threads, live);
        self.seen.get_mut().clear();
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
        let mut seen = self.seen.borrow_mut();
        if !seen.iter().any(|one| one.item == item) {
            seen.push(ReadEntry { item, value });
        }
    }
}
