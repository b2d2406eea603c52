//! The bound on store buffers: what happens where one is full.

use rmc_runtime::{Access, Bytes, StoreTag};

use crate::system::machine::Machine;

impl Machine<'_> {
    /// Notes that a buffer was full here, or would have been.
    pub(in crate::system) fn note_bound(&mut self) {
        if self.tally.bound_was_hit.is_none() {
            self.tally.bound_was_hit = Some(self.place_of_step());
        }
        if self.config.ends_when_full {
            self.note_full();
        }
    }

    /// Buffers a store of the running thread. `overflows`: its buffer is full, as `bound` says.
    pub(in crate::system) fn push(&mut self, at: Access, value: Bytes, tag: StoreTag, overflows: bool, bound: usize) {
        if overflows {
            self.commit_down_to(bound - 1);
        }
        self.buffers.store(&mut self.memory, self.running.thread, at, value, tag);
    }

    /// A full buffer: the oldest delayed stores of the running thread reach memory, until so many are left.
    pub(in crate::system) fn commit_down_to(&mut self, left: usize) {
        self.note_bound();
        self.buffers.commit_down_to(&mut self.memory, self.running.thread, left);
    }
}
