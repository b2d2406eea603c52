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
//!
//! The monitor is told of both ends of a call, not which one it is. At the first, what the thread did becomes
//! known; at the second, the thread learns what is known. In between it is *outside*. So what is told of a
//! thread that is outside, and has made no access since, is taken for the second end. If it is the beginning
//! of another call, then all that the thread did is known already. What is told of any other thread is taken
//! for the first end. If it is the second one, behind a function that was called back, then the thread learns
//! what is known before its next access, as whoever is outside does.

use std::marker::PhantomData;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use super::{Own, SharedMonitor, Slot, WatchedThread};
use crate::lock::lock;
use crate::monitor::biased::Guard;
use crate::monitor::clock::Clock;
use crate::monitor::thread::Thread;

/// The slots that may be there before those of ended threads are freed by force, beside two for each thread.
const SPARE_SLOTS: usize = 64;

/// The stores that were before some call of what nobody watches, or before the end of a thread.
#[derive(Debug, Default)]
pub(super) struct Outside {
    stores: Mutex<Clock>,
    /// The number of times that there were more.
    changes: AtomicU64,
}

impl Outside {
    /// Adds what a thread did and learned.
    pub fn add(&self, thread: &mut Thread) {
        let stores = &mut *lock(&self.stores);
        if !thread.stored.stamp().add_to(stores) {
            return;
        }
        let before = self.changes.fetch_add(1, Ordering::Release);
        // The thread knows what it has added.
        if thread.changes_outside == before {
            thread.changes_outside += 1;
        }
    }

    /// Adds the stores that `known` selects. Returns them.
    pub fn join(&self, known: impl FnOnce(&Clock) -> Clock) -> Clock {
        let stores = &mut *lock(&self.stores);
        let known = known(stores);
        stores.join(&known);
        self.changes.fetch_add(1, Ordering::Release);
        known
    }

    /// Orders what a thread does next after the stores.
    fn follow(&self, thread: &mut Thread) {
        // A call that this one synchronised with has changed the number before that.
        if thread.changes_outside == self.changes.load(Ordering::Acquire) {
            return;
        }
        let stores = &*lock(&self.stores);
        thread.changes_outside = self.changes.load(Ordering::Relaxed);
        thread.follow_all(stores);
    }
}

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
        let own = &mut threads[slot].own.own().thread;
        own.starts(slot);
        self.comes_back(own);
        WatchedThread { slot: threads[slot], _not_sync: PhantomData }
    }

    /// A thread has ended. Its slot may get another thread.
    pub fn end(&self, thread: &WatchedThread) {
        self.outside(thread, 0);
        let own = &mut *thread.slot.own.own();
        own.thread.is_live = false;
        own.near.clear();
    }

    /// A thread begins or ends a call of what nobody watches. Call it at both.
    pub fn outside(&self, thread: &WatchedThread, site: u64) {
        let state = &mut thread.slot.own.own().thread;
        if state.is_outside {
            self.comes_back(state);
        } else {
            state.fence(site);
            self.outside.add(state);
            state.is_outside = true;
        }
    }

    /// Orders what a thread does next after all that was before earlier calls.
    pub(super) fn comes_back(&self, thread: &mut Thread) {
        thread.is_outside = false;
        self.outside.follow(thread);
    }

    /// A slot of an ended thread of which all is known to all. `None` if a new one is to be made.
    fn free_slot(&self, slots: &[&'static Slot]) -> Option<usize> {
        let mut threads: Vec<Guard<'_, Own>> = Slot::all_owned(slots);
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
        Some(first)
    }
}
