//! Calls of what nobody watches: the thread library, the C library, the operating system, other modules.
//!
//! Such a call may be a fence, and it may synchronise with any other one, in ways that the monitor does not
//! see. So that no report is false, each is taken for a full fence, and its thread's next access comes
//! *relaxed-after* everything that was before any earlier call. It does not *happen-after* it, since the
//! monitor does not know that.
//!
//! A report needs a store that happens-before the load, and does not relaxed-happen-before it. More of the
//! second relation and less of the first only take reports away: let the monitor see less of the first, and
//! find that a load misses `v`. Then `v` does happen-before the thread's last access, and each newer store
//! that also does is, like `v`, not before the load in the relaxed sense, since what comes before it in that
//! sense is closed under the order of stores to a byte. The newest of them is not the thread's own, since the
//! monitor knows all of these. So the load is borderline. What is lost are delays across such a call, and
//! cycles that need its order.
//!
//! One case is not covered: memory that such code writes, and that other threads read without such a call.

use super::{AccessKind, Monitor, Thread};

/// The slots that may be there before those of ended threads are freed by force, beside two for each thread.
const SPARE_SLOTS: usize = 64;

impl Monitor {
    /// A thread starts. Returns its slot. What was before any call of [`outside`](Self::outside) relaxed-
    /// happens-before all that it does.
    pub fn start(&mut self) -> usize {
        let slot = self.free_slot();
        if slot == self.threads.len() {
            self.threads.push(Thread::default());
        }
        self.threads[slot].starts(slot);
        self.comes_back(slot);
        slot
    }

    /// A thread has ended. Its slot may get another thread.
    pub fn end(&mut self, thread: usize) {
        self.outside(thread, 0);
        self.threads[thread].is_live = false;
    }

    /// A thread begins or ends a call of what nobody watches. Call it at both.
    pub fn outside(&mut self, thread: usize, site: u64) {
        let was_outside = self.threads.get(thread).is_some_and(|thread| thread.is_outside);
        self.access(thread, AccessKind::Fence, site);
        let own = &mut self.threads[thread];
        own.begin_store();
        own.end_fence();
        own.stored.add_to(&mut self.outside);
        self.comes_back(thread);
        // In between, a thread knows what the others will have done when it comes back.
        self.threads[thread].is_outside = !was_outside;
    }

    /// Orders what a thread does next after all that was before earlier calls.
    pub(super) fn comes_back(&mut self, thread: usize) {
        let own = &mut self.threads[thread];
        own.is_outside = false;
        own.loads.join_clock(&self.outside);
        own.stored.join_clock(&self.outside);
    }

    /// A slot of an ended thread of which all is known to all, or a new one.
    fn free_slot(&mut self) -> usize {
        let ended: Vec<_> = (0..self.threads.len()).filter(|&slot| !self.threads[slot].is_live).collect();
        if ended.is_empty() {
            return self.threads.len();
        }
        let known = self.known_to_all();
        if let Some(&slot) = ended.iter().find(|&&slot| self.threads[slot].hb.is_within(&known)) {
            return slot;
        }
        if self.threads.len() <= 2 * (self.threads.len() - ended.len()) + SPARE_SLOTS {
            return self.threads.len();
        }
        // Every end is in `outside`.
        (0..self.threads.len()).for_each(|slot| self.comes_back(slot));
        ended[0]
    }
}
