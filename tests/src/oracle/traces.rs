//! Shasha-Snir traces of the textbook machine: the reads-from relation of an execution, and the order in
//! which the stores to each byte reached memory.
//!
//! A program is robust if a model has no trace that sequential consistency does not have. This definition by
//! two sets needs no graph and no cycle. Source: Burckhardt and Musuvathi, *Effective Program Verification
//! for Relaxed Memory Models*, CAV 2008, section 1.

use std::collections::{BTreeMap, BTreeSet};

use super::machine;
use super::program::{Model, Thread};

/// An operation: its thread, and its index in the thread.
pub type Id = (usize, usize);

/// The trace of an execution. Executions that differ only in the order of independent operations have the
/// same trace.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Trace {
    /// For each operation that read, and each address from which on it did, the operation it read each byte
    /// from; `None` is the initial value. A copy reads from several addresses.
    reads: BTreeMap<(Id, usize), Vec<Option<Id>>>,
    /// For each byte, the operations that stored to it, in the order in which they reached memory.
    writes: BTreeMap<usize, Vec<Id>>,
}

impl Trace {
    /// The operation whose store is in memory at a byte now.
    pub fn writer(&self, addr: usize) -> Option<Id> {
        self.writes.get(&addr).and_then(|writers| writers.last().copied())
    }

    /// Records that an operation read bytes of these operations, from an address on.
    pub fn read(&mut self, by: Id, addr: usize, from: Vec<Option<Id>>) {
        self.reads.insert((by, addr), from);
    }

    /// True if an operation that reads from an address on has an older value of some byte than a store to it.
    pub fn misses(&self, load: Id, addr: usize, store: Id) -> bool {
        let reads = self.reads.get(&(load, addr)).into_iter().flatten();
        reads.zip(addr..).any(|(from, addr)| {
            let place = |id| self.writes.get(&addr).and_then(|writers| writers.iter().position(|&writer| writer == id));
            let stored = place(store);
            stored.is_some() && from.map(place).unwrap_or_default() < stored
        })
    }

    /// Records that a store to a byte reaches memory.
    pub fn write(&mut self, addr: usize, by: Id) {
        self.writes.entry(addr).or_default().push(by);
    }
}

/// True if every trace of `model` is one of sequential consistency.
pub fn is_robust(program: &[Thread], model: Model) -> bool {
    beyond_sc(program, model).is_empty()
}

/// The traces of `model` that sequential consistency does not have.
pub fn beyond_sc(program: &[Thread], model: Model) -> BTreeSet<Trace> {
    let sc = machine::traces(program, Model::Sc);
    machine::traces(program, model).into_iter().filter(|trace| !sc.contains(trace)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Op;

    const X: usize = 0;
    const Y: usize = 1;

    fn w(addr: usize) -> Op {
        Op::Store { addr, len: 1, value: 1 }
    }

    fn r(addr: usize, reg: usize) -> Op {
        Op::Load { addr, len: 1, reg }
    }

    #[track_caller]
    fn check(program: &[Thread], robust: [bool; 2]) {
        assert_eq!([Model::Tso, Model::Pso].map(|model| is_robust(program, model)), robust, "under tso, pso");
    }

    #[test]
    fn store_buffering() {
        check(&[vec![w(X), r(Y, 0)], vec![w(Y), r(X, 1)]], [false, false]);
        check(&[vec![w(X), Op::Fence, r(Y, 0)], vec![w(Y), r(X, 1)]], [false, false]);
        check(&[vec![w(X), Op::Fence, r(Y, 0)], vec![w(Y), Op::Fence, r(X, 1)]], [true, true]);
    }

    #[test]
    fn message_passing() {
        check(&[vec![w(X), w(Y)], vec![r(Y, 0), r(X, 1)]], [true, false]);
        check(&[vec![w(X), Op::StoreBarrier, w(Y)], vec![r(Y, 0), r(X, 1)]], [true, true]);
    }

    #[test]
    fn equal_values_do_not_make_equal_traces() {
        // Both threads store the value that the other one's load finds in any case.
        let program = [vec![w(X), r(Y, 0), w(X)], vec![w(Y), r(X, 1), w(Y)]];
        check(&program, [false, false]);
    }

    #[test]
    fn a_thread_that_reads_its_own_store_waits_for_nobody() {
        check(&[vec![w(X), r(X, 0)], vec![w(X), r(X, 1)]], [true, true]);
        check(&[vec![w(X), r(X, 0), r(Y, 1)], vec![w(Y), r(Y, 2), r(X, 3)]], [false, false]);
    }
}
