//! Fences: of the program, and those that are parts of other operations.

use rmc_runtime::{Barrier, MemoryOrder};

use crate::system::machine::Machine;
use crate::system::reductions::Reduction;
use crate::system::step::{Next, Performed, StepEnd, VisibleSlot};

impl Machine<'_> {
    /// Makes a full fence of the running thread. It is visible only if a delayed store is pending. The result
    /// is false if the thread waits.
    pub(in crate::system) fn full_fence(&mut self, turn: &mut VisibleSlot) -> bool {
        if self.config.updates {
            // The fence is always in a step of its own, so that the end of a step does not depend on pending
            // stores.
            self.report.fenced = true;
            let passes = !self.buffers.has_delayed(self.running.thread) && self.may_proceed(turn);
            if passes && self.buffers.is_full(self.running.thread, 1) {
                self.buffers.fence(&mut self.memory, self.running.thread);
            }
            return passes;
        }
        if !self.buffers.has_delayed(self.running.thread) {
            return true;
        }
        self.may_proceed(turn) && self.drain().is_ok()
    }

    /// Makes a full fence as part of a visible operation that may proceed.
    ///
    /// # Errors
    /// [`StepEnd::Blocked`] if the thread waits for the updates of its stores.
    pub(in crate::system) fn drain(&mut self) -> Result<(), StepEnd> {
        self.report.fenced = true;
        if self.config.updates && self.buffers.has_delayed(self.running.thread) {
            return Err(StepEnd::Blocked);
        }
        self.drain_thread(self.running.thread);
        Ok(())
    }

    /// Makes a full fence of any thread, at the request of another one. With update events, its buffer is
    /// empty.
    pub(in crate::system) fn drain_thread(&mut self, thread: usize) {
        self.announce_decision();
        self.buffers.fence(&mut self.memory, thread);
    }

    pub(super) fn fence_effect(&mut self, turn: &mut VisibleSlot, order: MemoryOrder) -> Performed {
        let waits = match self.config.rules.fence(order) {
            Barrier::None => false,
            Barrier::StoreStore if !self.config.reduces(Reduction::Stores) && !self.may_proceed(turn) => true,
            Barrier::StoreStore => {
                self.store_barrier();
                false
            }
            Barrier::Full => !self.full_fence(turn),
        };
        if waits {
            return Ok(Next::Wait);
        }
        self.announce_fence(order);
        Ok(Next::Advance)
    }

    pub(in crate::system) fn store_barrier(&mut self) {
        self.buffers.store_barrier(self.running.thread);
    }
}
