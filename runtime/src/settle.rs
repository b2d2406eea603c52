//! The normal form: what is decided completely reaches memory and is forgotten.
//!
//! Part of exact delayed flushing, whose source is cited in `load.rs`. Rules, applied until none applies:
//!
//! 1. A committed store that precedes all other pending stores to its bytes is written to memory and
//!    forgotten.
//! 2. A committed store that precedes a committed store which covers all its bytes is forgotten, unwritten.
//!    (Deviation 1: rule 1 alone is the definition of exact delayed flushing.)
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

use crate::{Buffers, Memory};

/// What the rules say about a committed store.
enum Fate {
    Write,
    Forget,
    Keep,
}

impl Buffers {
    /// Restores the normal form after stores were committed, removed or ordered.
    pub(crate) fn settle<M: Memory>(&mut self, memory: &mut M) {
        for i in 0..self.entries.len() {
            if self.entries[i].fenced && self.entries[i].committed {
                self.retreat_barrier(i);
            }
        }
        let mut i = 0;
        while i < self.entries.len() {
            let fate = if self.entries[i].committed { self.fate(i) } else { Fate::Keep };
            match fate {
                Fate::Keep => i += 1,
                Fate::Forget => i = self.forget(i),
                Fate::Write => {
                    memory.arrives(self.entries[i].at, self.entries[i].tag);
                    memory.write(self.entries[i].at, self.entries[i].value);
                    i = self.forget(i);
                }
            }
        }
    }

    fn fate(&self, i: usize) -> Fate {
        let entry = &self.entries[i];
        let mut first = true;
        for (j, rival) in self.entries.iter().enumerate() {
            if j == i || !rival.at.overlaps(entry.at) {
                continue;
            }
            if !self.order.precedes(i, j) {
                first = false;
            } else if rival.committed && rival.at.covers(entry.at) {
                return Fate::Forget;
            }
        }
        if first { Fate::Write } else { Fate::Keep }
    }

    /// Removes entry `i`; the answer is where to look on, since removing it may have freed any other.
    fn forget(&mut self, i: usize) -> usize {
        self.remove(i);
        0
    }

    /// Removes entry `i`. What its place implied for the order and the barriers of the others stays.
    pub(crate) fn remove(&mut self, i: usize) {
        self.note_order(i);
        if self.entries[i].fenced {
            self.retreat_barrier(i);
        }
        self.entries.remove(i);
        self.order.remove(i);
    }

    /// The barrier behind entry `i` is kept at the newest delayed store before it that needs it: new stores
    /// follow committed ones anyway.
    fn retreat_barrier(&mut self, i: usize) {
        let thread = self.entries[i].thread;
        self.entries[i].fenced = false;
        if let Some(older) = self.entries[..i].iter_mut().rev().find(|e| e.thread == thread && !e.committed) {
            older.fenced = true;
        }
    }
}
