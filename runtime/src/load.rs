//! Loads: the values that a load may see, and the decisions about the order of memory that follow.
//!
//! Source: delayed flushing, Vladimír Štill and Jiří Barnat, *Model Checking of C++ Programs Under the
//! x86-TSO Memory Model*, ICFEM 2018; made exact, and extended to PSO, mixed sizes and partial orders. It is
//! guaranteed that the outcomes of a program are exactly those of the textbook machine (a first-in first-out
//! buffer per thread, or, for PSO, per thread and byte).
//!
//! Deviations from the source:
//! 1. It keeps one bit per buffered store ("flushed"). Then `x=1; r=x; y=2 || y=3; x=4` may end with x=1 and
//!    y=3, which TSO forbids: nothing remembers that `y=3` was flushed before `y=2`. Here a strict partial
//!    order over the pending stores remembers it.
//! 2. A load that is forwarded from its own buffer makes the forwarded store later than every committed one.
//!    That loses executions in which the forwarded store *and what follows it* reached memory early enough to
//!    be overwritten before now, by a chain of pending stores of other threads that ends in a committed one.
//!    If that is possible the load may also flush its own store, see `Buffers::flushing_own_matters`.
//! 3. Byte granularity: a load takes each byte from its own thread's newest pending store that covers it,
//!    else from memory; a store reaches memory with all its bytes at once. If stores of several sizes overlap
//!    the load, the alternatives are those of `mixed.rs`.
//!
//! In an atomic section there are fewer alternatives (`section.rs`).
//!
//! Tests: `tests/tests/runtime_differential.rs`.

use crate::alternatives::{Plan, Scratch};
use crate::mixed::MixedLoad;
use crate::{Access, Buffers, Bytes, Choose, Memory, StoreTag};

/// The result of a load.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// The value.
    pub value: Bytes,
    /// The origin of the value, for reports.
    pub source: Source,
    /// The named stores (with a tag other than 0) that the choice made later than now.
    pub later: Vec<StoreTag>,
}

/// The origin of the value of a load, for reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Memory.
    Memory,
    /// A pending store of the loading thread.
    OwnBuffer(StoreTag),
    /// A store of another thread, pending until now.
    Pending {
        /// The thread that stored.
        thread: usize,
        /// The store.
        tag: StoreTag,
    },
    /// Bytes of several stores, or of a store and memory.
    Mixed,
}

impl Buffers {
    /// Executes a load of any order by `thread`, or by an observer without a buffer. If it has several
    /// alternatives, it asks `choose` once.
    pub fn load<M: Memory, C: Choose>(
        &mut self,
        memory: &mut M,
        thread: Option<usize>,
        at: Access,
        choose: &mut C,
    ) -> Loaded {
        if !self.overlaps(at) {
            return Loaded { value: memory.read(at), source: Source::Memory, later: Vec::new() };
        }
        if self.decides_nothing(thread, at) {
            let own = self.entries.iter().enumerate().filter(|(_, e)| e.at.overlaps(at)).map(|(i, _)| i);
            let (value, source) = self.overlay(memory, thread, at, own);
            return Loaded { value, source, later: Vec::new() };
        }
        let mut scratch = std::mem::take(&mut self.scratch);
        self.plan(thread, at, &mut scratch);
        let pick = match scratch.plans.len() {
            1 => 0,
            n => choose.choose(n),
        };
        let plan = scratch.plans[pick];
        let (value, source) = self.see(memory, thread, at, plan, &scratch);
        self.decide(thread, at, plan, &mut scratch);
        let later = scratch.later.iter().map(|&i| self.entries[i].tag).filter(|tag| tag.0 != 0).collect();
        self.settle(memory);
        self.scratch = scratch;
        Loaded { value, source, later }
    }

    /// True in the common case in which the load decides nothing: only own stores overlap it, and there is no
    /// committed store that the forwarded one would have to follow.
    fn decides_nothing(&self, thread: Option<usize>, at: Access) -> bool {
        self.entries.iter().all(|e| !e.committed && (e.of(thread) || !e.at.overlaps(at)))
    }

    /// Lists the alternatives of the load; there is at least one.
    fn plan(&self, thread: Option<usize>, at: Access, scratch: &mut Scratch) {
        self.find_matching(at, scratch);
        let all_own = scratch.matching.iter().all(|&i| self.entries[i].of(thread));
        let forward = self.can_forward(thread, at, all_own, scratch);
        let keep_own_last = !forward || self.flushing_own_matters(thread, at, scratch);
        if forward {
            scratch.plans.push(Plan::Forward);
        }
        if all_own && !keep_own_last {
            return;
        }
        if scratch.same_bytes {
            self.plan_same_bytes(thread, keep_own_last, scratch);
        } else {
            self.plan_mixed(MixedLoad { thread, at, forward, keep_own_last }, scratch);
        }
    }

    /// True if the load can see its thread's own stores while these are later than now. If only own stores
    /// overlap it, it sees the newest of them anyway, and memory for the other bytes; otherwise its bytes
    /// must all come from delayed stores of its own.
    fn can_forward(&self, thread: Option<usize>, at: Access, all_own: bool, scratch: &Scratch) -> bool {
        all_own
            || self.own_suppliers(thread, at, scratch)[..usize::from(at.len)]
                .iter()
                .all(|supplier| supplier.is_some_and(|i| !self.entries[i].committed))
    }

    /// True if some execution would be lost if the load never flushed the stores it can be forwarded from.
    ///
    /// Take an execution in which the forwarded stores have reached memory. Move them, and all that follows
    /// them in the order, past now. If none of the moved stores shares bytes with a pending store of another
    /// thread, nothing that was or will be seen changes; the forwarded stores themselves may share the bytes
    /// of the load, since the load sees them and so nothing came between. And if every committed store
    /// precedes them, forwarding decides nothing.
    fn flushing_own_matters(&self, thread: Option<usize>, at: Access, scratch: &Scratch) -> bool {
        let forwarded = self.own_suppliers(thread, at, scratch);
        forwarded
            .into_iter()
            .flatten()
            .filter(|&f| !self.entries[f].committed)
            .any(|f| !self.follows_all_committed(f) && self.moving_is_visible(f, scratch.same_bytes))
    }

    fn follows_all_committed(&self, f: usize) -> bool {
        (0..self.len()).all(|c| !self.entries[c].committed || self.order.precedes(c, f))
    }

    /// True if a pending store of another thread shares bytes with a store behind `f`, or with `f` itself
    /// unless `is_whole_load`.
    fn moving_is_visible(&self, f: usize, is_whole_load: bool) -> bool {
        let is_moved = |s: usize| self.order.precedes(f, s) || s == f && !is_whole_load;
        (0..self.len()).filter(|&s| is_moved(s)).any(|s| {
            let moved = &self.entries[s];
            self.entries.iter().any(|e| e.thread != moved.thread && e.at.overlaps(moved.at))
        })
    }

    /// The value that the load sees under `plan`, before the plan is carried out.
    fn see<M: Memory>(
        &self,
        memory: &mut M,
        thread: Option<usize>,
        at: Access,
        plan: Plan,
        scratch: &Scratch,
    ) -> (Bytes, Source) {
        let sequence = flushed_by(plan, scratch);
        let unflushed = scratch.matching.iter().filter(|i| self.entries[**i].of(thread) && !sequence.contains(i));
        self.overlay(memory, thread, at, sequence.iter().chain(unflushed).copied())
    }

    /// Memory with the given stores applied one after the other, as `thread` sees it.
    fn overlay<M: Memory>(
        &self,
        memory: &mut M,
        thread: Option<usize>,
        at: Access,
        stores: impl Iterator<Item = usize>,
    ) -> (Bytes, Source) {
        let mut seen = (memory.read(at), Source::Memory);
        for i in stores {
            let entry = &self.entries[i];
            let source = match entry.at.covers(at) {
                true if entry.of(thread) => Source::OwnBuffer(entry.tag),
                true => Source::Pending { thread: usize::from(entry.thread), tag: entry.tag },
                false => Source::Mixed,
            };
            seen = (seen.0.overlaid(at, entry.value, entry.at), source);
        }
        seen
    }

    /// Carries out `plan` on the order and the flags. The stores that it makes later than now are left in
    /// `scratch.later`; the caller restores the normal form.
    fn decide(&mut self, thread: Option<usize>, at: Access, plan: Plan, scratch: &mut Scratch) {
        let mut later = std::mem::take(&mut scratch.later);
        later.clear();
        match plan {
            Plan::Forward => {
                let own = self.own_suppliers(thread, at, scratch);
                later.extend(own.into_iter().flatten().filter(|&i| !self.entries[i].committed));
                later.sort_unstable();
                later.dedup();
            }
            Plan::Flush { .. } => {
                let sequence = flushed_by(plan, scratch);
                self.flush(sequence, scratch.same_bytes);
                later.extend(scratch.matching.iter().filter(|i| !sequence.contains(i)));
            }
        }
        for &l in &later {
            self.relate_to_committed(l);
        }
        scratch.later = later;
        self.keep_section_whole(scratch);
    }

    /// Commits the stores of the sequence; those that share bytes reached memory in this order. Among stores
    /// to the same bytes only the last one matters.
    fn flush(&mut self, sequence: &[usize], same_bytes: bool) {
        for (k, &i) in sequence.iter().enumerate() {
            self.commit(i);
            if same_bytes && k + 1 < sequence.len() {
                self.order.relate(i, sequence[sequence.len() - 1]);
            } else if !same_bytes {
                for &j in sequence[..k].iter().filter(|&&j| self.entries[j].at.overlaps(self.entries[i].at)) {
                    self.order.relate(j, i);
                }
            }
        }
    }
}

fn flushed_by(plan: Plan, scratch: &Scratch) -> &[usize] {
    match plan {
        Plan::Forward => &[],
        Plan::Flush { start, end } => &scratch.flushed[start..end],
    }
}
