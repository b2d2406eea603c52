//! A monitor with bounds forgets stores and paths. This file says which, and why no report becomes false.
//!
//! *Known stores.* A store is known to all if it relaxed-happens-before the next load of every thread (for a
//! thread in a call of what nobody watches: when it comes back). It stays so. Threads that start later are
//! ordered after it, like after what was before some call, whoever starts them. Such a store is never missed,
//! and older stores to its bytes are known to all, too. An access that comes after nothing but such stores
//! orders nothing that is not ordered already. So versions and loads of which all that comes before them is
//! known to all can go, and not one report changes. This happens when there are pages for [`Bounds::words`]
//! words, and again whenever their number has doubled. All threads wait for it; pages without a word of which
//! anything is known go.
//!
//! *Old stores.* Of the stores to a word, the newest one to each byte stay, and so do [`Bounds::history`] and
//! up to twice as many and eight others. Older ones go, with the bytes that even older ones share with them,
//! so that nothing stands for them. Then a load whose thread knows no newer store finds none to miss: a
//! report may be lost, and none becomes false.
//!
//! *Paths.* A thread keeps [`Bounds::paths`] accesses at which it learned of stores. Where they do not reach
//! back to the store that is missed, there is a report without a cycle.
//!
//! *Threads.* The slot of an ended thread gets another one when all that happens-before its end is known to
//! all. If too many wait for that, all threads are ordered after all earlier calls, and what only
//! happens-before the end is given up (`outside.rs` says why both only take reports away).
//!
//! *Loads.* From sixteen entries on, loads of the same bytes of a word are merged, which changes no order. As
//! many threads keep theirs.
//!
//! So memory is bounded. Words come in pages of eight, 64 bytes of memory. With `T` threads at a time and `M`
//! words in pages in which a word was accessed, not freed, and is not known to all, the monitor holds at most
//! `M (2 history + 40)` versions and loads, or a few hundred more for a word whose bytes are accessed in as
//! many different ways, each with two clocks of at most `2 T + 64` numbers; most of these are shared. Beside
//! that, each thread has at most 256 KiB to find pages near to its last accesses, 1 KiB for 128 words if it
//! keeps the reader of one of them, and two clocks for at most 1,024 moments and twice as many as it keeps
//! readers.

use std::sync::atomic::Ordering;

use super::{Own, SharedMonitor, Slot, pages};
use crate::lock::lock;
use crate::monitor::biased::Guard;
use crate::monitor::clock::Clock;

/// The bounds on the memory of a monitor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The number of older stores to each word.
    pub history: usize,
    /// The number of accesses of each thread at which it learned of stores, from which cycles are made.
    pub paths: usize,
    /// The number of words from which on known stores are forgotten.
    pub words: usize,
}

impl Bounds {
    /// Nothing is forgotten.
    pub const NONE: Self = Self { history: usize::MAX, paths: usize::MAX, words: usize::MAX };
}

impl Default for Bounds {
    fn default() -> Self {
        Self::NONE
    }
}

impl SharedMonitor {
    /// A monitor with bounds.
    #[must_use]
    pub fn bounded(bounds: Bounds) -> Self {
        let monitor = Self { bounds, ..Self::default() };
        monitor.forget_from(0);
        monitor
    }

    /// Sets the number of pages from which on known stores are forgotten, after `left` were left.
    fn forget_from(&self, left: usize) {
        self.forget_at.store((2 * left).max(self.bounds.words / pages::WORDS as usize), Ordering::Relaxed);
    }

    fn has_many_pages(&self) -> bool {
        self.pages.len() > self.forget_at.load(Ordering::Relaxed)
    }

    /// Forgets what is known to all if there are too many pages.
    pub(super) fn forget_if_many(&self) {
        if self.has_many_pages() {
            let threads = lock(&self.threads);
            // Another thread may have done it while this one waited.
            if self.has_many_pages() {
                self.forget_with(&threads);
            }
        }
    }

    /// Forgets what is known to all.
    pub fn forget_known(&self) {
        self.forget_with(&lock(&self.threads));
    }

    fn forget_with(&self, threads: &[&'static Slot]) {
        let mut threads = Slot::all_owned(threads);
        let known = self.known_to_all(&threads);
        threads.iter_mut().for_each(|own| own.near.clear());
        self.pages.forget_within(&known);
        self.forget_from(self.pages.len());
    }

    /// The stores that relaxed-happen-before the next load of every thread. Threads that start later are
    /// ordered after them from now on.
    pub(super) fn known_to_all(&self, threads: &[Guard<'_, Own>]) -> Clock {
        let live = || threads.iter().map(|own| &own.thread).filter(|thread| thread.is_live);
        self.outside.join(|outside| {
            let mut known = Clock::default();
            for slot in (0..threads.len()).rev() {
                let least = live().map(|thread| match thread.is_outside {
                    true => thread.loads.get(slot).max(outside.get(slot)),
                    false => thread.loads.get(slot),
                });
                known.set(slot, least.min().unwrap_or_else(|| outside.get(slot)));
            }
            known
        })
    }
}
