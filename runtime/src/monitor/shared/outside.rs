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
//! One case is not covered: memory that such code writes, or a signal handler that interrupted a step, and
//! that other threads read without such a call.
//!
//! A thread that is in such a call and does something else, as in a function that is called back, is ordered
//! after all that was before earlier calls at that moment: what the call synchronised with was before it.

use std::cell::RefCell;
use std::sync::MutexGuard;

use super::{Own, SharedMonitor, Slot, WatchedThread};
use crate::lock::lock;
use crate::monitor::thread::Thread;

/// The slots that may be there before those of ended threads are freed by force, beside two for each thread.
const SPARE_SLOTS: usize = 64;

impl SharedMonitor {
    /// A thread starts. What was before any call of [`outside`](Self::outside) relaxed-happens-before all
    /// that it does.
    #[must_use]
    pub fn start(&self) -> WatchedThread {
        let mut threads = lock(&self.threads);
        let slot = self.free_slot(&threads).unwrap_or_else(|| {
            let slot = threads.len();
            threads.push(Box::leak(Box::new(Slot::new(slot))));
            slot
        });
        let own = &mut lock(&threads[slot].own).thread;
        own.starts(slot);
        self.comes_back(own);
        let thread = WatchedThread { slot: threads[slot], recent: RefCell::default() };
        thread.copy(own);
        thread
    }

    /// A thread has ended. Its slot may get another thread.
    pub fn end(&self, thread: &WatchedThread) {
        self.outside(thread, 0);
        let own = &mut *lock(&thread.slot.own);
        own.thread.is_live = false;
        own.near.clear();
    }

    /// A thread begins or ends a call of what nobody watches. Call it at both.
    pub fn outside(&self, thread: &WatchedThread, site: u64) {
        let mut own = thread.own();
        let state = &mut own.thread;
        if state.is_outside {
            self.comes_back(state);
            state.is_outside = true;
        }
        state.fence(site);
        {
            let mut outside = lock(&self.outside);
            state.stored.stamp().add_to(&mut outside);
            state.follow_all(&outside);
        }
        // In between, a thread knows what the others will have done when it comes back.
        state.is_outside = !state.is_outside;
        thread.copy(state);
        thread.slot.kept.own().is_outdated = state.is_outside;
    }

    /// Orders what a thread does next after all that was before earlier calls.
    pub(super) fn comes_back(&self, thread: &mut Thread) {
        thread.is_outside = false;
        thread.follow_all(&lock(&self.outside));
    }

    /// A slot of an ended thread of which all is known to all. `None` if a new one is to be made.
    fn free_slot(&self, slots: &[&Slot]) -> Option<usize> {
        let mut threads: Vec<MutexGuard<'_, Own>> = slots.iter().map(|slot| lock(&slot.own)).collect();
        let ended: Vec<_> = (0..threads.len()).filter(|&slot| !threads[slot].thread.is_live).collect();
        let &first = ended.first()?;
        let known = self.known_to_all(&threads);
        if let Some(&slot) = ended.iter().find(|&&slot| threads[slot].thread.hb.stamp().is_within(&known)) {
            return Some(slot);
        }
        if threads.len() <= 2 * (threads.len() - ended.len()) + SPARE_SLOTS {
            return None;
        }
        // Every end is in `outside`.
        threads.iter_mut().for_each(|own| self.comes_back(&mut own.thread));
        slots.iter().for_each(|slot| slot.kept.by_another().is_outdated = true);
        Some(first)
    }
}
