//! The normal form: stores whose order is decided completely reach memory and are removed.
//!
//! This is a part of exact delayed flushing, whose source is cited in `load.rs`. These rules are applied
//! until none applies:
//!
//! 1. A committed store that precedes all other pending stores to its bytes is written to memory and removed.
//! 2. A committed store that precedes a committed store which covers all its bytes is removed without being
//!    written. (Deviation 1: rule 1 alone is the definition of exact delayed flushing.)
//!
//! Deviation 1 is needed for termination: a thread that stores to `x` and fences in an endless loop, while
//! another thread's store to `x` is delayed, would pile up committed stores for ever. It changes no outcome:
//! both stores are in the past, in a known order, so no load sees the covered one any more; and the total
//! orders that a partial order allows for the remaining stores are those it allowed before, restricted to
//! them.
//!
//! Rule 2 also removes the stores that a load flushed below the one it saw (`load.rs`): their order among
//! each other is never decided.
//!
//! Memory below a committed pending store is never seen, so rule 2 need not write.

use crate::buffer::Entry;
use crate::places::Places;
use crate::{Buffers, Memory};

/// The treatment of a store by the rules.
enum Fate {
    Write,
    Forget,
    Keep,
}

impl Buffers {
    /// Restores the normal form after stores were committed, removed or ordered.
    pub(crate) fn settle<M: Memory>(&mut self, memory: &mut M) {
        if self.entries.iter().all(|e| !e.committed) {
            return;
        }
        for i in 0..self.entries.len() {
            if self.entries[i].fenced && self.entries[i].committed {
                self.retreat_barrier(i);
            }
        }
        // A store that reaches memory before an overwritten one must be reported first.
        while self.write_all(memory) || self.forget_overwritten(memory) {}
    }

    /// Applies rule 1 until it does not apply, always to the first store in canonical order; false if it
    /// never applied. The written stores are removed at the end, together.
    fn write_all<M: Memory>(&mut self, memory: &mut M) -> bool {
        let places = self.sorted_places();
        let (mut i, mut any) = (0, false);
        while i < self.entries.len() {
            if self.entries[i].is_gone || !matches!(self.fate(&places, i), Fate::Write) {
                i += 1;
                continue;
            }
            let Entry { thread, at, tag, value, .. } = self.entries[i];
            memory.arrives(usize::from(thread), at, tag);
            memory.write(at, value);
            self.note_order(i);
            (self.entries[i].is_gone, any) = (true, true);
            // An earlier store may now be the first one to its bytes.
            let waits = |&j: &usize| j < i && self.entries[j].committed && !self.entries[j].is_gone;
            i = self.rivals(&places, at).filter(waits).min().unwrap_or(i + 1);
        }
        self.scratch.places = places;
        if any {
            self.remove_gone();
        }
        any
    }

    /// Applies rule 2 wherever it applies; false if it does not.
    fn forget_overwritten<M: Memory>(&mut self, memory: &mut M) -> bool {
        let places = self.sorted_places();
        let mut gone = std::mem::take(&mut self.scratch.gone);
        gone.clear();
        gone.extend((0..self.entries.len()).filter(|&i| matches!(self.fate(&places, i), Fate::Forget)));
        gone.sort_unstable_by_key(|&i| (self.order.count_before(i), i));
        for &i in gone.iter().filter(|&&i| self.entries[i].tag.0 != 0) {
            let Entry { thread, at, tag, .. } = self.entries[i];
            let next = self.next_after(&places, i);
            let next = next.map(|j| (usize::from(self.entries[j].thread), self.entries[j].tag));
            memory.overwritten(usize::from(thread), at, tag, next);
        }
        self.scratch.places = places;
        gone.sort_unstable();
        for &i in gone.iter().rev() {
            self.note_order(i);
            self.entries[i].is_gone = true;
        }
        let any = !gone.is_empty();
        self.scratch.gone = gone;
        if any {
            self.remove_gone();
        }
        any
    }

    /// All pending stores, sorted by place. The caller puts them back into `self.scratch.places`, so that
    /// their memory is reused.
    fn sorted_places(&mut self) -> Places {
        let mut places = std::mem::take(&mut self.scratch.places);
        places.fill(&self.entries);
        places
    }

    /// The store to the bytes of entry `i` that is next after it, if the order determines it.
    fn next_after(&self, places: &Places, i: usize) -> Option<usize> {
        let at = self.entries[i].at;
        let rivals = || self.rivals(places, at).filter(move |&j| j != i);
        let is_next = |&j: &usize| {
            let is_outside = |k| k == j || self.order.precedes(k, i) || self.order.precedes(j, k);
            self.order.precedes(i, j) && rivals().all(is_outside)
        };
        rivals().find(is_next).filter(|&j| self.entries[j].at == at)
    }

    fn fate(&self, places: &Places, i: usize) -> Fate {
        let entry = &self.entries[i];
        if !entry.committed {
            return Fate::Keep;
        }
        let mut first = true;
        for j in self.rivals(places, entry.at).filter(|&j| j != i && !self.entries[j].is_gone) {
            let rival = &self.entries[j];
            if !self.order.precedes(i, j) {
                first = false;
            } else if rival.committed && rival.at.covers(entry.at) {
                return Fate::Forget;
            }
        }
        if first { Fate::Write } else { Fate::Keep }
    }

    /// Removes the entries marked as gone, all of them committed. None of these has a store-store barrier.
    fn remove_gone(&mut self) {
        let entries = &self.entries;
        self.order.retain(|i| !entries[i].is_gone);
        self.entries.retain(|e| !e.is_gone);
    }

    /// Removes entry `i`. Its consequences for the order and the barriers of the others stay.
    pub(crate) fn remove(&mut self, i: usize) {
        self.note_order(i);
        if self.entries[i].fenced {
            self.retreat_barrier(i);
        }
        self.entries.remove(i);
        self.order.remove(i);
    }

    /// Moves the barrier behind entry `i` to the newest delayed store before it that needs it. New stores
    /// follow committed ones anyway.
    fn retreat_barrier(&mut self, i: usize) {
        let thread = self.entries[i].thread;
        self.entries[i].fenced = false;
        if let Some(older) = self.entries[..i].iter_mut().rev().find(|e| e.thread == thread && !e.committed) {
            older.fenced = true;
        }
    }
}
