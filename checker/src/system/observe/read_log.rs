//! The log of the read set of a step (`state/read_set.rs`): where it begins and ends, and the reads of facts
//! about threads and stores. Reads of pages are end_read_log where they are made.

use crate::system::buffers::StoreBuffers;
use crate::system::machine::Machine;
use crate::system::state::read_set::{ANEW, ENDED, LIVE, OTHERS, ReadEntry};

impl Machine<'_> {
    /// Begins to log what steps read from the working state, which was just unpacked.
    pub fn begin_read_log(&mut self) {
        let pages = self.memory.pages.len();
        self.memory.log.begin(pages, self.threads.slots.len(), self.threads.live);
    }

    /// Returns everything that was read since [`Self::begin_read_log`], in order, and stops logging.
    pub fn end_read_log(&mut self) -> Vec<ReadEntry> {
        self.memory.log.is_on = false;
        self.memory.log.entries.get_mut().clone()
    }

    /// Logs that the running step reads whether a thread has ended.
    pub(super) fn log_end_read(&self, thread: usize) {
        let Some(slots) = self.threads.slots.get(thread) else { return };
        // A thread that the step itself created is not in the state before the step, so nothing is read of
        // it.
        if thread >= self.memory.log.threads {
            return;
        }
        self.memory.log.note(ENDED | thread as u32, self.ended_value(slots.top, slots.rest));
    }

    /// Logs that the running step reads whether threads other than its own, which still lives, are live.
    pub(super) fn log_live_read(&self) {
        // The step does not depend on what it changed itself, so the value from before it is end_read_log.
        self.memory.log.note(LIVE | self.running.thread as u32, (self.memory.log.live > 1).into());
    }

    /// Logs that it was read whether other threads live, because the step ended the process.
    pub fn log_survivors_read(&self) {
        self.log_live_read();
    }

    /// Logs that the running step looks for delayed stores of other threads.
    pub(super) fn log_foreign_stores_read(&self) {
        if let StoreBuffers::Updated(updates) = &self.buffers {
            let has_stores = |thread| thread != self.running.thread && updates.delayed(thread) > 0;
            let value = if (0..updates.threads()).any(has_stores) { ANEW } else { 0 };
            self.memory.log.note(OTHERS | self.running.thread as u32, value);
        }
    }
}
