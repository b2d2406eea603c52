//! The alternatives of a load when some pending stores overlap only part of its bytes, or cover other bytes,
//! too.
//!
//! An alternative is a set of overlapping stores that reach memory before now, with an order of those that
//! share bytes. The set holds every committed overlapping store and, with a store, the overlapping ones that
//! precede it. Sets and orders are enumerated together, as sequences: a linear extension of the set.
//! Sequences that differ only in the order of stores that share no byte and are not known to be ordered stand
//! for the same alternative. Of these only the lexicographically least is listed (the normal form of trace
//! theory: no store may come after a later-named one that it could be moved in front of).
//!
//! The number of alternatives is exponential in the number of unordered overlapping stores, as is the number
//! of values they can produce.

use crate::alternatives::{Plan, Scratch};
use crate::{Access, Buffers, MAX_ACCESS};

/// The pending store that supplies each byte of a load; `None` is memory.
type Suppliers = [Option<usize>; MAX_ACCESS as usize];

/// A load of `at` by `thread`. With `forward` there is already a plan in which every own store that is seen
/// may be later than now.
#[derive(Clone, Copy)]
pub(crate) struct MixedLoad {
    pub(crate) thread: Option<usize>,
    pub(crate) at: Access,
    pub(crate) forward: bool,
    /// True if plans that see the same values as the forwarding plan are wanted too.
    pub(crate) keep_own_last: bool,
}

impl Buffers {
    /// Appends the flush plans.
    pub(crate) fn plan_mixed(&self, load: MixedLoad, scratch: &mut Scratch) {
        scratch.sequence.clear();
        let own = self.own_suppliers(load.thread, load.at, scratch);
        self.extend_sequence(load, &own, scratch);
    }

    /// The thread's own newest store to each byte.
    pub(crate) fn own_suppliers(&self, thread: Option<usize>, at: Access, scratch: &Scratch) -> Suppliers {
        let mut suppliers = [None; MAX_ACCESS as usize];
        for &i in scratch.matching.iter().filter(|&&i| self.entries[i].of(thread)) {
            self.supply(&mut suppliers, at, i);
        }
        suppliers
    }

    fn extend_sequence(&self, load: MixedLoad, own: &Suppliers, scratch: &mut Scratch) {
        if self.is_wanted(load, own, scratch) {
            let start = scratch.flushed.len();
            scratch.flushed.extend_from_slice(&scratch.sequence);
            scratch.plans.push(Plan::Flush { start, end: scratch.flushed.len() });
        }
        for position in 0..scratch.matching.len() {
            let next = scratch.matching[position];
            if self.may_follow(next, scratch) {
                scratch.sequence.push(next);
                self.extend_sequence(load, own, scratch);
                scratch.sequence.pop();
            }
        }
    }

    /// True if `next` may extend the sequence to another normal form of a linear extension.
    fn may_follow(&self, next: usize, scratch: &Scratch) -> bool {
        let sequence = &scratch.sequence;
        let is_ready = |i: &usize| !self.order.precedes(*i, next) || sequence.contains(i);
        let depends = |i: usize| self.entries[i].at.overlaps(self.entries[next].at) || self.order.precedes(i, next);
        !sequence.contains(&next)
            && !self.is_held(next)
            && scratch.matching.iter().all(is_ready)
            && sequence.iter().rev().take_while(|&&i| !depends(i)).all(|&i| i < next)
    }

    /// True if the sequence is complete, and not contained in the forwarding plan.
    fn is_wanted(&self, load: MixedLoad, own: &Suppliers, scratch: &Scratch) -> bool {
        let is_flushed = |i: &usize| scratch.sequence.contains(i);
        let is_committed = |i: &usize| self.entries[*i].committed;
        let complete = scratch.matching.iter().all(|i| !is_committed(i) || is_flushed(i));
        if !complete || !load.forward {
            return complete;
        }
        own.iter().flatten().any(|i| is_flushed(i) && !is_committed(i))
            && (load.keep_own_last || self.suppliers(load, scratch) != *own)
    }

    /// The supplier of each byte if the sequence is flushed.
    fn suppliers(&self, load: MixedLoad, scratch: &Scratch) -> Suppliers {
        let mut suppliers = [None; MAX_ACCESS as usize];
        let unflushed =
            scratch.matching.iter().filter(|i| self.entries[**i].of(load.thread) && !scratch.sequence.contains(i));
        for &i in scratch.sequence.iter().chain(unflushed) {
            self.supply(&mut suppliers, load.at, i);
        }
        suppliers
    }

    fn supply(&self, suppliers: &mut Suppliers, at: Access, i: usize) {
        let from = self.entries[i].at;
        for (supplier, byte) in suppliers.iter_mut().zip(u64::from(at.offset)..at.end()) {
            if u64::from(from.offset) <= byte && byte < from.end() {
                *supplier = Some(i);
            }
        }
    }
}
