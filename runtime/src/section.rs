//! Atomic sections: steps of one thread between which nothing of another thread happens.
//!
//! So every store of another thread reaches memory before the section begins or after it ends. The section is
//! entered with an empty buffer, and in it:
//!
//! * A store that reached memory did so before the section's own stores.
//! * A delayed store that a load of the section did not see is later than the section: it is *held*, and so
//!   are those that follow it. It reaches memory when the section has ended, so no alternative of a load
//!   flushes it.
//! * A store of the section decides, as a load of its bytes does, which stores come before it; then it is
//!   written at once, after these and before all others to its bytes. A later decision about stores to other
//!   bytes can then place them before the section, but never between two of its stores.
//!
//! The other stores stay undecided, as outside of sections. With two threads, `x = 1` pending in one of them,
//! and `r1 = x; r2 = x` in a section of the other, the first load decides and the second one repeats it.
//!
//! The flag `in_section` of an entry marks the stores of the section and the held ones, all of which are
//! after its beginning. If nothing is pending, there is nothing to mark, and other threads add nothing.
//!
//! Tests: `sections` of `tests/tests/pipeline_differential.rs`, against the textbook machine.

use crate::alternatives::Scratch;
use crate::{Access, Buffers, Bytes, Choose, Memory, StoreTag};

impl Buffers {
    /// Begins an atomic section of the thread, with a full fence.
    pub fn begin_section<M: Memory>(&mut self, memory: &mut M, thread: usize) {
        self.fence(memory, thread);
        self.section = true;
    }

    /// Executes a store in the atomic section of the thread. It asks at most one question.
    pub fn store_in_section<M: Memory, C: Choose>(
        &mut self,
        memory: &mut M,
        thread: usize,
        at: Access,
        value: Bytes,
        tag: StoreTag,
        choose: &mut C,
    ) {
        self.load(memory, Some(thread), at, choose);
        self.store_now(memory, thread, at, value, tag);
    }

    /// Ends the atomic section. What is held is later than all that happened.
    pub fn end_section<M: Memory>(&mut self, memory: &mut M) {
        for held in 0..self.len() {
            if self.is_held(held) {
                self.relate_to_committed(held);
            }
        }
        for entry in &mut self.entries {
            entry.in_section = false;
        }
        self.section = false;
        self.settle(memory);
    }

    /// True if a delayed store to the object is later than the section under way.
    #[must_use]
    pub fn holds(&self, object: u32) -> bool {
        (0..self.len()).any(|i| self.entries[i].at.object == object && self.is_held(i))
    }

    /// True if the entry cannot reach memory before the section under way ends.
    pub(crate) fn is_held(&self, i: usize) -> bool {
        self.entries[i].in_section && !self.entries[i].committed
    }

    /// Orders entry `l` behind every committed store: it is later than now.
    pub(crate) fn relate_to_committed(&mut self, l: usize) {
        for c in 0..self.len() {
            if self.entries[c].committed {
                self.order.relate(c, l);
            }
        }
    }

    /// Keeps the section in one piece after a decision in it: the stores that are later than now are held,
    /// and those that have reached memory come before its own stores.
    pub(crate) fn keep_section_whole(&mut self, scratch: &Scratch) {
        if !self.section {
            return;
        }
        for &later in &scratch.later {
            self.hold(later);
        }
        self.order_before_section();
    }

    /// Holds a delayed entry, and what follows it.
    pub(crate) fn hold(&mut self, delayed: usize) {
        self.entries[delayed].in_section = true;
        for i in 0..self.entries.len() {
            self.entries[i].in_section |= self.order.precedes(delayed, i);
        }
    }

    /// Orders what has reached memory before the section's own stores.
    pub(crate) fn order_before_section(&mut self) {
        let is_own = |entry: &crate::buffer::Entry| entry.committed && entry.in_section;
        for own in 0..self.len() {
            for c in 0..self.len() {
                if is_own(&self.entries[own]) && self.entries[c].committed && !self.entries[c].in_section {
                    self.order.relate(c, own);
                }
            }
        }
    }
}
