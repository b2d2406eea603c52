//! The bound on store buffers, and the handling of full buffers.

use rmc_runtime::{Access, Bytes, StoreTag};

use crate::system::machine::Machine;

impl Machine<'_> {
    /// Buffers a store of the running thread. `overflows` is true if its buffer is full by `bound`.
    pub(in crate::system) fn push(&mut self, at: Access, value: Bytes, tag: StoreTag, overflows: bool, bound: usize) {
        if overflows {
            self.commit_down_to(bound - 1);
        }
        self.buffers.store(&mut self.memory, self.running.thread, at, value, tag);
    }

    /// Handles a full buffer: the oldest delayed stores of the running thread reach memory, until `left`
    /// stores remain.
    pub(in crate::system) fn commit_down_to(&mut self, left: usize) {
        self.announce_full_buffer();
        self.buffers.commit_down_to(&mut self.memory, self.running.thread, left);
    }
}
