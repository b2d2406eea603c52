//! A monitor with bounds forgets stores and paths. This file says which, and why no report becomes false.
//!
//! *Known stores.* A store is known to all if it relaxed-happens-before the next load of every thread (for a
//! thread in a call of what nobody watches: when it comes back). It stays so, and threads that start later
//! know it as well. Such a store is never missed, and older stores to its bytes are known to all, too. An
//! access that comes after nothing but such stores orders nothing that is not ordered already. So versions
//! and loads of which all that comes before them is known to all can go, and not one report changes. This
//! happens when the table of words has grown to [`Bounds::words`], and again whenever it has doubled.
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
//! *Loads.* From sixteen entries on, loads of the same bytes of a word are merged, which changes no order.
//!
//! So memory is bounded. With `T` threads at a time and `M` words of 8 bytes that were accessed, not freed,
//! and not known to all, it holds at most `M (2 history + 24)` versions and loads, or a few hundred more
//! for a word whose bytes are accessed in as many different ways, each with two clocks of at most
//! `2 T + 64` numbers; most of these are shared.

use super::clock::{Clock, Timestamp};
use super::{ByteRange, Monitor, WORD};

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

impl Default for Bounds {
    fn default() -> Self {
        Self { history: usize::MAX, paths: usize::MAX, words: usize::MAX }
    }
}

impl Monitor {
    /// A monitor with bounds.
    #[must_use]
    pub fn bounded(bounds: Bounds) -> Self {
        Self { bounds, ..Self::default() }
    }

    /// Memory ends its life: what is at its addresses next is other memory.
    pub fn release(&mut self, bytes: ByteRange) {
        let is_long = usize::try_from(bytes.len / WORD).is_ok_and(|words| words > self.words.len());
        if is_long {
            let range = bytes.address / WORD..=(bytes.address + bytes.len) / WORD;
            let inside: Vec<_> = self.words.keys().copied().filter(|at| range.contains(at)).collect();
            let masks = inside.into_iter().filter_map(|at| bytes.mask_of(at).map(|mask| (at, mask)));
            masks.for_each(|(at, mask)| self.release_word(at, mask));
        } else {
            bytes.words().for_each(|(at, mask)| self.release_word(at, mask));
        }
    }

    fn release_word(&mut self, at: u64, mask: super::Mask) {
        if let Some(word) = self.words.get_mut(&at) {
            word.forget_bytes(mask);
            if word.is_empty() {
                self.words.remove(&at);
            }
        }
    }

    /// Forgets what is known to all.
    pub fn forget_known(&mut self) {
        let known = self.known_to_all();
        self.words.retain(|_, word| {
            word.forget_within(&known);
            !word.is_empty()
        });
    }

    pub(super) fn forget_if_many(&mut self) {
        if self.words.len() > self.forget_at.max(self.bounds.words) {
            self.forget_known();
            self.forget_at = 2 * self.words.len();
        }
    }

    /// The stores that relaxed-happen-before the next load of every thread.
    pub(super) fn known_to_all(&self) -> Clock {
        let mut known = Clock::default();
        let live: Vec<_> = self.threads.iter().filter(|thread| thread.is_live).collect();
        let of = |loads: &Timestamp, is_outside: bool, slot: usize| {
            if is_outside { loads.get(slot).max(self.outside.get(slot)) } else { loads.get(slot) }
        };
        for slot in (0..self.threads.len()).rev() {
            let least = live.iter().map(|thread| of(&thread.loads, thread.is_outside, slot)).min();
            known.set(slot, least.unwrap_or_else(|| self.outside.get(slot)));
        }
        known
    }
}
