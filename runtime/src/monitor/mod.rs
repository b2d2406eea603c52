//! A monitor of store buffers: it watches one sequentially consistent execution, and finds the loads that
//! could have made it another one under TSO.
//!
//! Source: Burckhardt and Musuvathi, *Effective Program Verification for Relaxed Memory Models*, CAV 2008,
//! figures 2 and 3. A load is *borderline* if, in some execution under TSO that is the same up to there, it
//! reads an older value that no sequentially consistent execution can give it. A program is *robust* if its
//! executions under TSO have the traces of its sequentially consistent executions, and no others; a trace is
//! what each load read, and the order of the stores to each byte. Then:
//!
//! * If one sequentially consistent execution has a borderline load, the program is not robust (theorem 2).
//! * If a program is not robust, and all its sequentially consistent executions are watched, or one of each
//!   trace, then one of them has a borderline load (theorems 3 and 4).
//!
//! The relations are those of the paper. *Happens-before* is program order with the order of conflicting
//! accesses. *Relaxed happens-before* lacks the program order from a store to a later load. A load is
//! borderline if, of the stores to one of its bytes that happen-before the thread's last access, the newest
//! one is of another thread and does not relaxed-happen-before the thread's last load or fence. Then the
//! load may be made before that store reached memory, while other accesses order it after the store.
//!
//! Deviations from the source:
//!
//! 1. A load that reads its own thread's store is not ordered after older stores of other threads to the same
//!    bytes. Definition 3 and line 21 of figure 3 order it. But the own store may still be in the buffer when
//!    the load reads it, and the other stores need not have reached memory either. With that order the paper
//!    calls `x = 1; a = x; b = y` beside `y = 1; x = 2` safe, although a machine with store buffers ends with
//!    `a = 1, b = 0, x = 1`, which no sequential order gives. The textbook machine decides; the test
//!    `own_stores_order_no_load` holds this.
//! 2. Accesses have sizes and may overlap. Conflicts are relations of bytes. Each byte of a load is looked at
//!    by itself, and that is enough: let a store be missed by one byte. Then the accesses that
//!    relaxed-happen-before the thread's last load or fence can all come first, the load next, and that store
//!    and the rest after it. The load reads its other bytes as they are at that moment.
//! 3. The loop of figure 2 goes back through all versions. One is enough, the newest that happens-before the
//!    thread's last access: newer ones fail the condition of line 12, and older ones also those of lines 8
//!    or 10.
//! 4. Clocks count stores only, not loads: only stores are looked up in them. So a clock has one number for
//!    each thread rather than two. Who knows a store knows all that comes before it, so that its clock need
//!    not be looked at again.
//! 5. Fences are accesses without bytes. The creation and the end of a thread are edges of their own; locks
//!    and other objects that synchronise are given to the monitor as bytes that are read and written by
//!    read-modify-writes.
//! 6. A failed compare-exchange is a fence and a load. It is not looked at: with another value it may store,
//!    so that more than a load would be different. Nothing is missed, since a program that is not robust has
//!    an execution in which one thread alone delays stores, and the load that overtakes them is borderline
//!    (Bouajjani, Derevenetc and Meyer, *Checking and Enforcing Robustness against TSO*, ESOP 2013).
//!
//! An answer is about the execution that was watched and those with the same trace.
//!
//! There are two monitors with the same steps (`steps.rs`). [`Monitor`] is told of the accesses one after the
//! other, and keeps all stores. [`SharedMonitor`] is told by the threads of a running program, and is
//! bounded: `shared/`.
//!
//! Tests: `tests/tests/monitor.rs`, against all executions of the textbook machine; and
//! `tests/tests/shared_monitor.rs`, the shared monitor against the other one.

mod access;
mod barrier;
mod biased;
mod clock;
mod hash;
mod kept;
mod past;
mod path;
mod reader;
mod shared;
mod steps;
mod thread;
mod word;

use std::collections::HashMap;

use access::WORD;
pub use access::{AccessKind, Borderline, ByteRange, CycleEdge, MonitorAccess, Relation};
pub use shared::{Bounds, Pause, SharedMonitor, WatchedThread};
use steps::Words;
use thread::Thread;
use word::Word;

/// The monitor. Its functions are called for the accesses of an execution in the order of that execution.
/// Threads are named by any small numbers.
#[derive(Debug, Default)]
pub struct Monitor {
    threads: Vec<Thread>,
    words: HashMap<u64, Word, hash::WordHasher>,
}

/// A monitor that is told of all accesses by one thread keeps everything.
const NO_BOUNDS: Bounds = Bounds::NONE;

impl Words for HashMap<u64, Word, hash::WordHasher> {
    fn word(&mut self, at: u64) -> &mut Word {
        self.entry(at).or_default()
    }
}

impl Monitor {
    /// A thread loads some bytes. Returns the stores that the load may miss under TSO, the load being
    /// borderline.
    pub fn load(&mut self, thread: usize, bytes: ByteRange, site: u64) -> Vec<Borderline> {
        let (own, words) = self.own(thread);
        own.load(words, bytes, site, &NO_BOUNDS)
    }

    /// A cycle that no sequentially consistent execution has, of a load that was just found. It begins with
    /// the edge from the load to the store; the last edge leads back to the load. `None` if some of the
    /// accesses on it were forgotten.
    #[must_use]
    pub fn cycle(&self, borderline: &Borderline) -> Option<Vec<CycleEdge>> {
        path::cycle(|thread| &self.threads[thread].learned, borderline)
    }

    /// A thread stores some bytes, in a way that may wait in a store buffer.
    pub fn store(&mut self, thread: usize, bytes: ByteRange, site: u64) {
        let (own, words) = self.own(thread);
        own.store(words, bytes, site, &NO_BOUNDS);
    }

    /// A thread makes a read-modify-write that stores, or acts on an object that synchronises. It is a full
    /// fence, too.
    pub fn update(&mut self, thread: usize, bytes: ByteRange, site: u64) {
        let (own, words) = self.own(thread);
        own.update(words, bytes, site, &NO_BOUNDS);
    }

    /// A thread makes a compare-exchange that fails: a full fence, and a load.
    pub fn failed_update(&mut self, thread: usize, bytes: ByteRange, site: u64) {
        let (own, words) = self.own(thread);
        own.failed_update(words, bytes, site, &NO_BOUNDS);
    }

    /// A thread makes a full fence.
    pub fn fence(&mut self, thread: usize, site: u64) {
        self.own(thread).0.fence(site);
    }

    /// A thread creates another one, whose accesses all follow. Both make a full fence.
    ///
    /// # Panics
    /// If it is the same thread.
    pub fn create(&mut self, creator: usize, created: usize, site: u64) {
        self.synchronise(creator, created, site);
    }

    /// A thread has waited for the end of another one, whose accesses all precede. Both make a full fence.
    ///
    /// # Panics
    /// If it is the same thread.
    pub fn join(&mut self, waiter: usize, ended: usize, site: u64) {
        self.synchronise(ended, waiter, site);
    }

    /// Orders what one thread did before what another one does next.
    fn synchronise(&mut self, first: usize, second: usize, site: u64) {
        self.own(first.max(second));
        let both = self.threads.get_disjoint_mut([first, second]).expect("two threads");
        let [first, second] = both;
        let from = first.fence(site);
        second.synchronise(from, first, site, NO_BOUNDS.paths);
    }

    /// A thread and the words.
    fn own(&mut self, thread: usize) -> (&mut Thread, &mut impl Words) {
        while self.threads.len() <= thread {
            let slot = self.threads.len();
            self.threads.push(Thread::default());
            self.threads[slot].starts(slot);
        }
        (&mut self.threads[thread], &mut self.words)
    }
}
