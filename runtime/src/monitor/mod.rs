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
//! An answer is about the execution that was watched and those with the same trace. Without bounds all stores
//! are kept. `forget.rs` says what a monitor with bounds forgets, and `outside.rs` what calls that nobody
//! watches count as.
//!
//! Tests: `tests/tests/monitor.rs`, against all executions of the textbook machine, and with bounds against
//! the monitor without.

mod access;
mod clock;
mod forget;
mod hash;
mod outside;
mod path;
mod thread;
mod word;

use std::collections::HashMap;

use access::WORD;
pub use access::{AccessKind, Borderline, ByteRange, CycleEdge, MonitorAccess, Relation};
use clock::Clock;
pub use forget::Bounds;
use path::Learned;
use thread::{Order, Thread};
use word::{Mask, Version, Word};

/// The monitor. Its functions are called for the accesses of an execution in the order of that execution.
/// Threads are named by slots: any numbers of the caller, or those that [`start`](Self::start) gives.
#[derive(Debug, Default)]
pub struct Monitor {
    bounds: Bounds,
    threads: Vec<Thread>,
    words: HashMap<u64, Word, hash::WordHasher>,
    /// The stores that were before some call of what nobody watches, or before the end of a thread.
    outside: Clock,
    /// The number of words from which on known stores are forgotten.
    forget_at: usize,
}

impl Monitor {
    /// A thread loads some bytes. Returns the stores that the load may miss under TSO, the load being
    /// borderline.
    pub fn load(&mut self, thread: usize, bytes: ByteRange, site: u64) -> Vec<Borderline> {
        let access = self.access(thread, AccessKind::Load, site);
        let mut missed = Vec::new();
        if let Some((at, mask)) = bytes.only_word() {
            // This is the usual case, and it looks the word up once.
            let Self { threads, words, bounds, .. } = self;
            let (own, word) = (&mut threads[thread], words.entry(at).or_default());
            own.add_missed(access, word, mask, &mut missed);
            own.follow_newest(access, word, (mask, Relation::ReadsFrom), Order::Loads, bounds.paths);
            word.read(mask, access, [&own.hb, &own.loads]);
            self.forget_if_many();
        } else {
            // This looks at the past of the thread's last access, before anything of this one is known.
            let known = bytes.words().filter_map(|(at, mask)| Some((self.words.get(&at)?, mask)));
            known.for_each(|(word, mask)| self.threads[thread].add_missed(access, word, mask, &mut missed));
            self.follow_newest(access, bytes, Relation::ReadsFrom, Order::Loads);
            self.read(access, bytes);
        }
        missed
    }

    /// A cycle that no sequentially consistent execution has, of a load that was just found. It begins with
    /// the edge from the load to the store; the last edge leads back to the load. `None` if some of the
    /// accesses on it were forgotten.
    #[must_use]
    pub fn cycle(&self, borderline: &Borderline) -> Option<Vec<CycleEdge>> {
        let Borderline { load, missed } = *borderline;
        let first = CycleEdge { from: load, to: missed, relation: Relation::FromRead };
        Some([vec![first], path::path(&self.threads, missed, load)?].concat())
    }

    /// A thread stores some bytes, in a way that may wait in a store buffer.
    pub fn store(&mut self, thread: usize, bytes: ByteRange, site: u64) {
        let access = self.access(thread, AccessKind::Store, site);
        self.threads[thread].begin_store();
        self.follow_newest(access, bytes, Relation::Coherence, Order::Stores);
        self.follow_readers(access, bytes);
        self.write(access, bytes);
    }

    /// A thread makes a read-modify-write that stores, or acts on an object that synchronises. It is a full
    /// fence, too.
    pub fn update(&mut self, thread: usize, bytes: ByteRange, site: u64) {
        let access = self.access(thread, AccessKind::Update, site);
        self.threads[thread].begin_store();
        self.follow_newest(access, bytes, Relation::ReadsFrom, Order::Stores);
        self.follow_readers(access, bytes);
        self.write(access, bytes);
        self.threads[thread].end_fence();
    }

    /// A thread makes a compare-exchange that fails: a full fence, and a load.
    pub fn failed_update(&mut self, thread: usize, bytes: ByteRange, site: u64) {
        let access = self.access(thread, AccessKind::Fence, site);
        self.threads[thread].begin_store();
        self.follow_newest(access, bytes, Relation::ReadsFrom, Order::Stores);
        self.threads[thread].end_fence();
        self.read(access, bytes);
    }

    /// A thread makes a full fence.
    pub fn fence(&mut self, thread: usize, site: u64) {
        self.failed_update(thread, ByteRange { address: 0, len: 0 }, site);
    }

    /// A thread creates another one, whose accesses all follow. Both make a full fence.
    pub fn create(&mut self, creator: usize, created: usize, site: u64) {
        self.synchronise(creator, created, site);
    }

    /// A thread has waited for the end of another one, whose accesses all precede. Both make a full fence.
    pub fn join(&mut self, waiter: usize, ended: usize, site: u64) {
        self.synchronise(ended, waiter, site);
    }

    /// Orders what one thread did before what another one does next.
    fn synchronise(&mut self, first: usize, second: usize, site: u64) {
        let from = self.access(first, AccessKind::Fence, site);
        let at = self.access(second, AccessKind::Fence, site);
        let paths = self.bounds.paths;
        let earlier = &mut self.threads[first];
        earlier.begin_store();
        earlier.end_fence();
        let (hb, order) = (earlier.hb.clone(), earlier.stored.clone());
        let later = &mut self.threads[second];
        if later.hb.join(&hb) {
            later.learn(Learned { at, from, relation: Relation::Synchronises }, paths);
        }
        later.stored.join(&order);
        later.begin_store();
        later.end_fence();
    }

    /// The next access of a thread.
    fn access(&mut self, thread: usize, kind: AccessKind, site: u64) -> MonitorAccess {
        while self.threads.len() <= thread {
            let slot = self.threads.len();
            self.threads.push(Thread::default());
            self.threads[slot].starts(slot);
        }
        if self.threads[thread].is_outside {
            self.comes_back(thread);
        }
        self.threads[thread].access(thread, kind, site)
    }

    /// Orders an access after the newest stores to its bytes.
    fn follow_newest(&mut self, access: MonitorAccess, bytes: ByteRange, relation: Relation, order: Order) {
        let Self { threads, words, bounds, .. } = self;
        for (at, mask) in bytes.words() {
            let word = words.entry(at).or_default();
            threads[access.thread].follow_newest(access, word, (mask, relation), order, bounds.paths);
        }
    }

    /// Orders a store after the loads of what it overwrites.
    fn follow_readers(&mut self, access: MonitorAccess, bytes: ByteRange) {
        let Self { threads, words, bounds, .. } = self;
        for (at, mask) in bytes.words() {
            for earlier in words.entry(at).or_default().readers(mask) {
                threads[access.thread].follow(access, &earlier, Order::Stores, bounds.paths);
            }
        }
    }

    /// Adds a load.
    fn read(&mut self, access: MonitorAccess, bytes: ByteRange) {
        let Thread { hb, loads, .. } = &self.threads[access.thread];
        for (at, mask) in bytes.words() {
            self.words.entry(at).or_default().read(mask, access, [hb, loads]);
        }
        self.forget_if_many();
    }

    /// Adds a store, which gets the next number of its thread.
    fn write(&mut self, access: MonitorAccess, bytes: ByteRange) {
        let Thread { stores, hb, stored, .. } = &mut self.threads[access.thread];
        *stores += 1;
        hb.add_own(*stores);
        stored.add_own(*stores);
        for (at, mask) in bytes.words() {
            let version = Version {
                mask,
                access,
                number: *stores,
                is_buffered: access.kind == AccessKind::Store,
                hb: hb.clone(),
                rhb: stored.clone(),
            };
            self.words.entry(at).or_default().write(version, self.bounds.history);
        }
        self.forget_if_many();
    }
}
