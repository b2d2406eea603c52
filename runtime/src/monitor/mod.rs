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
//!    each thread rather than two.
//! 5. Fences are accesses without bytes. The creation and the end of a thread are edges of their own; locks
//!    and other objects that synchronise are given to the monitor as bytes that are read and written by
//!    read-modify-writes.
//! 6. A failed compare-exchange is a fence and a load. It is not looked at: with another value it may store,
//!    so that more than a load would be different. Nothing is missed, since a program that is not robust has
//!    an execution in which one thread alone delays stores, and the load that overtakes them is borderline
//!    (Bouajjani, Derevenetc and Meyer, *Checking and Enforcing Robustness against TSO*, ESOP 2013).
//!
//! An answer is about the execution that was watched and those with the same trace. Memory grows with the
//! execution: all stores are kept.
//!
//! Tests: `tests/tests/monitor.rs`, against all executions of the textbook machine.

mod clock;
mod path;
mod word;

use std::collections::HashMap;

use clock::Clock;
use path::Learned;
use word::{Mask, Version, Word};

/// The kinds of accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// A load.
    Load,
    /// A store, which may wait in a store buffer.
    Store,
    /// A read-modify-write that stored.
    Update,
    /// A full fence, also that of a compare-exchange that failed, with its load.
    Fence,
}

/// An access of the execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MonitorAccess {
    /// The thread.
    pub thread: usize,
    /// The number of accesses of the thread before it.
    pub position: u32,
    /// Its kind.
    pub kind: AccessKind,
    /// The place in the program, as the caller names it.
    pub site: u64,
}

/// The reason for which one access happens-before another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// Both are of one thread.
    ProgramOrder,
    /// The second reads what the first stored.
    ReadsFrom,
    /// The second overwrites what the first stored.
    Coherence,
    /// The second overwrites what the first read, or something newer.
    FromRead,
    /// The first creates the thread of the second, or the second waited for the end of the thread of the
    /// first.
    Synchronises,
}

/// An edge of a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CycleEdge {
    /// The access that comes first.
    pub from: MonitorAccess,
    /// The access that comes after it.
    pub to: MonitorAccess,
    /// The reason.
    pub relation: Relation,
}

impl CycleEdge {
    /// True if a store buffer can turn the edge around: it leads from a store to a load of its thread. With
    /// a full fence between the two it cannot.
    #[must_use]
    pub fn is_delay(&self) -> bool {
        self.relation == Relation::ProgramOrder
            && self.from.kind == AccessKind::Store
            && self.to.kind == AccessKind::Load
    }
}

/// A load that may read an older value under TSO, such that the execution is not sequentially consistent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Borderline {
    /// The load.
    pub load: MonitorAccess,
    /// The store that it may miss.
    pub missed: MonitorAccess,
    /// A cycle that no sequentially consistent execution has. It begins with the edge from the load to the
    /// store; the last edge leads back to the load.
    pub cycle: Vec<CycleEdge>,
}

/// Some bytes of memory, or of a space of addresses that the caller keeps for objects that synchronise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ByteRange {
    /// The address of the first byte.
    pub address: u64,
    /// The number of bytes. The range does not go beyond the last address.
    pub len: u64,
}

impl ByteRange {
    /// The words of the range, each with its bytes in the range.
    fn words(self) -> impl Iterator<Item = (u64, Mask)> {
        let end = self.address + self.len;
        let words = if self.len == 0 { 0..0 } else { self.address / WORD..end.div_ceil(WORD) };
        words.map(move |word| {
            let first = self.address.max(word * WORD) - word * WORD;
            let len = end.min((word + 1) * WORD) - word * WORD - first;
            (word, (Mask::MAX >> (WORD - len)) << first)
        })
    }
}

/// The bytes of a word.
const WORD: u64 = 8;

#[derive(Debug, Default)]
struct Thread {
    /// The number of accesses so far.
    accesses: u32,
    /// The number of stores and read-modify-writes so far.
    stores: u32,
    /// The stores that happen-before the next access.
    hb: Clock,
    /// The stores that relaxed-happen-before the next load: `lc` of figure 3.
    loads: Clock,
    /// The stores that relaxed-happen-before the next store, beside `loads`: `sc` of figure 3.
    stored: Clock,
}

/// The monitor. Its functions are called for the accesses of an execution in the order of that execution.
#[derive(Debug, Default)]
pub struct Monitor {
    threads: Vec<Thread>,
    /// For each thread, the accesses at which its `hb` grew.
    learned: Vec<Vec<Learned>>,
    words: HashMap<u64, Word>,
}

impl Monitor {
    /// A thread loads some bytes. Returns the stores that the load may miss under TSO, the load being
    /// borderline, with a cycle for each.
    ///
    /// # Panics
    /// If the thread has 2³² accesses; this holds for all functions.
    pub fn load(&mut self, thread: usize, bytes: ByteRange, site: u64) -> Vec<Borderline> {
        let access = self.access(thread, AccessKind::Load, site);
        let borderline = self.missed(access, bytes).into_iter().map(|missed| {
            let first = CycleEdge { from: access, to: missed, relation: Relation::FromRead };
            let cycle = [vec![first], path::path(&self.learned, missed, access)].concat();
            Borderline { load: access, missed, cycle }
        });
        let borderline = borderline.collect();
        let mut order = self.threads[thread].loads.clone();
        self.follow_newest(access, bytes, Relation::ReadsFrom, &mut order);
        self.threads[thread].loads = order;
        self.read(access, bytes);
        borderline
    }

    /// A thread stores some bytes, in a way that may wait in a store buffer.
    pub fn store(&mut self, thread: usize, bytes: ByteRange, site: u64) {
        let access = self.access(thread, AccessKind::Store, site);
        let mut order = self.order_of_stores(thread);
        self.follow_newest(access, bytes, Relation::Coherence, &mut order);
        self.follow_readers(access, bytes, &mut order);
        self.write(access, bytes, &mut order);
        self.threads[thread].stored = order;
    }

    /// A thread makes a read-modify-write that stores, or acts on an object that synchronises. It is a full
    /// fence, too.
    pub fn update(&mut self, thread: usize, bytes: ByteRange, site: u64) {
        let access = self.access(thread, AccessKind::Update, site);
        let mut order = self.order_of_stores(thread);
        self.follow_newest(access, bytes, Relation::ReadsFrom, &mut order);
        self.follow_readers(access, bytes, &mut order);
        self.write(access, bytes, &mut order);
        self.set_order(thread, order);
    }

    /// A thread makes a compare-exchange that fails: a full fence, and a load.
    pub fn failed_update(&mut self, thread: usize, bytes: ByteRange, site: u64) {
        let access = self.access(thread, AccessKind::Fence, site);
        let mut order = self.order_of_stores(thread);
        self.follow_newest(access, bytes, Relation::ReadsFrom, &mut order);
        self.set_order(thread, order);
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
        let order = self.order_of_stores(first);
        self.set_order(first, order.clone());
        let hb = self.threads[first].hb.clone();
        if self.threads[second].hb.join(&hb) {
            self.learned[second].push(Learned { at, from, relation: Relation::Synchronises });
        }
        let mut own = self.order_of_stores(second);
        own.join(&order);
        self.set_order(second, own);
    }

    /// The next access of a thread.
    fn access(&mut self, thread: usize, kind: AccessKind, site: u64) -> MonitorAccess {
        if self.threads.len() <= thread {
            self.threads.resize_with(thread + 1, Thread::default);
            self.learned.resize_with(thread + 1, Vec::new);
        }
        let position = self.threads[thread].accesses;
        self.threads[thread].accesses = position.checked_add(1).expect("a thread has fewer accesses");
        MonitorAccess { thread, position, kind, site }
    }

    /// The stores that a load may miss.
    fn missed(&self, load: MonitorAccess, bytes: ByteRange) -> Vec<MonitorAccess> {
        let Thread { hb, loads, .. } = &self.threads[load.thread];
        let words = bytes.words().filter_map(|(at, mask)| Some((self.words.get(&at)?, mask)));
        let newest = words.flat_map(|(word, mask)| word.newest_in(mask, hb));
        let may_be_missed = |version: &&Version| {
            version.access.thread != load.thread && version.number > loads.get(version.access.thread)
        };
        newest.filter(may_be_missed).map(|version| version.access).fold(Vec::new(), |mut missed, store| {
            // A store may be in several words of the load.
            if !missed.contains(&store) {
                missed.push(store);
            }
            missed
        })
    }

    /// The stores that relaxed-happen-before the next store or fence of a thread.
    fn order_of_stores(&self, thread: usize) -> Clock {
        let Thread { loads, stored, .. } = &self.threads[thread];
        let mut order = stored.clone();
        order.join(loads);
        order
    }

    /// Orders a fence or read-modify-write: what comes before it is before everything that follows it.
    fn set_order(&mut self, thread: usize, order: Clock) {
        let thread = &mut self.threads[thread];
        thread.loads = order.clone();
        thread.stored = order;
    }

    /// Orders an access after the newest stores to its bytes. `order` is its relaxed order. A load is not
    /// ordered after an own store that may be in the buffer; for other accesses, program order orders it.
    fn follow_newest(&mut self, access: MonitorAccess, bytes: ByteRange, relation: Relation, order: &mut Clock) {
        let thread = access.thread;
        let Self { threads, learned, words } = self;
        for (at, mask) in bytes.words() {
            for earlier in words.entry(at).or_default().newest(mask, relation) {
                if earlier.access.thread != thread || !earlier.is_buffered {
                    order.join(earlier.rhb);
                }
                follow(&mut threads[thread], &mut learned[thread], access, &earlier);
            }
        }
    }

    /// Orders a store after the loads of what it overwrites.
    fn follow_readers(&mut self, access: MonitorAccess, bytes: ByteRange, order: &mut Clock) {
        let thread = access.thread;
        let Self { threads, learned, words } = self;
        for (at, mask) in bytes.words() {
            for earlier in words.entry(at).or_default().readers(mask) {
                order.join(earlier.rhb);
                follow(&mut threads[thread], &mut learned[thread], access, &earlier);
            }
        }
    }

    /// Adds a load.
    fn read(&mut self, access: MonitorAccess, bytes: ByteRange) {
        let Thread { hb, loads, .. } = &self.threads[access.thread];
        for (at, mask) in bytes.words() {
            self.words.entry(at).or_default().read(mask, access, [hb, loads]);
        }
    }

    /// Adds a store, which gets the next number of its thread.
    fn write(&mut self, access: MonitorAccess, bytes: ByteRange, order: &mut Clock) {
        let thread = &mut self.threads[access.thread];
        thread.stores += 1;
        thread.hb.set(access.thread, thread.stores);
        order.set(access.thread, thread.stores);
        for (at, mask) in bytes.words() {
            self.words.entry(at).or_default().write(Version {
                mask,
                access,
                number: thread.stores,
                is_buffered: access.kind == AccessKind::Store,
                hb: thread.hb.clone(),
                rhb: order.clone(),
            });
        }
    }
}

/// Makes an access happen after an earlier one.
fn follow(thread: &mut Thread, learned: &mut Vec<Learned>, at: MonitorAccess, earlier: &word::Earlier<'_>) {
    if thread.hb.join(earlier.hb) {
        learned.push(Learned { at, from: earlier.access, relation: earlier.relation });
    }
}
