//! The monitor of a running program: its threads tell it of their accesses while they run.
//!
//! A step of the monitor needs the thread that makes it and the words of its bytes. Each thread has a lock,
//! which it alone takes while nothing unusual happens, and each word has one. The access itself is made while
//! both are held. So accesses of a word have one order, in which the monitor sees them, and threads that
//! access different words do not wait for each other. A load that a thread repeats needs neither: it is made
//! while the thread has the lock of the readers that it keeps (`kept/`), and who stores takes that lock
//! first. The locks make the program sequentially consistent: of two accesses of a byte of which one stores,
//! one happens before the other, so in any order of all accesses along that each load finds the last store.
//! Steps that share neither a thread nor a word commute, so the monitor's answers are those that
//! [`Monitor`](super::Monitor) gives for any such order.
//!
//! Locks are taken in this order: the list of threads; threads by their slots; the table of pages; words by
//! their addresses, and one word at a time by who has the table; the readers that a thread keeps, or what was
//! before calls that nobody watches.
//!
//! Tests: `tests/tests/shared_monitor.rs`, from one thread and from several.

mod forget;
mod outside;
mod pages;
mod pause;
mod repeated;

use std::cell::RefCell;
use std::sync::atomic::AtomicUsize;
use std::sync::{Mutex, MutexGuard};

pub use forget::Bounds;
use pages::{Held, Near, Pages};
pub use pause::Pause;

use super::clock::Clock;
use super::kept::Kept;
use super::recent::Recent;
use super::thread::Thread;
use super::{Borderline, ByteRange, CycleEdge, path};
use crate::lock::lock;

/// The monitor.
#[derive(Debug, Default)]
pub struct SharedMonitor {
    bounds: Bounds,
    /// The slots, which live for ever: a process has one monitor, and slots are used again.
    threads: Mutex<Vec<&'static Slot>>,
    pages: Pages,
    /// The stores that were before some call of what nobody watches, or before the end of a thread.
    outside: Mutex<Clock>,
    /// The number of pages from which on known stores are forgotten.
    forget_at: AtomicUsize,
}

/// A thread of the program, for the calls that it makes.
#[derive(Debug)]
pub struct WatchedThread {
    slot: &'static Slot,
    recent: RefCell<Recent>,
}

/// What the monitor knows of the thread of a slot. No other slot is on its processor's cache lines.
#[derive(Debug)]
#[repr(align(128))]
struct Slot {
    own: Mutex<Own>,
    kept: Kept,
}

/// The state of a thread, and the pages that it has at hand.
#[derive(Debug, Default)]
struct Own {
    thread: Thread,
    near: Near,
}

impl SharedMonitor {
    /// A thread makes an access that loads some bytes. Returns its result, and the stores that it may miss
    /// under TSO, the load being borderline.
    pub fn load<R>(
        &self,
        thread: &WatchedThread,
        bytes: ByteRange,
        site: u64,
        access: impl FnOnce() -> R,
    ) -> (R, Vec<Borderline>) {
        match self.load_again(thread, bytes, site, access) {
            Ok(result) => (result, Vec::new()),
            Err(access) => {
                self.step(thread, bytes, |own, words| (access(), own.load(words, bytes, site, &self.bounds)))
            }
        }
    }

    /// A thread makes an access that stores some bytes, in a way that may wait in a store buffer.
    pub fn store<R>(&self, thread: &WatchedThread, bytes: ByteRange, site: u64, access: impl FnOnce() -> R) -> R {
        self.step(thread, bytes, |own, words| {
            words.take_back(bytes);
            own.store(words, bytes, site, &self.bounds);
            access()
        })
    }

    /// A thread makes a read-modify-write of some bytes, which is a full fence as well. `access` returns its
    /// result and whether it stored.
    pub fn update<R>(
        &self,
        thread: &WatchedThread,
        bytes: ByteRange,
        site: u64,
        access: impl FnOnce() -> (R, bool),
    ) -> R {
        self.step(thread, bytes, |own, words| {
            words.take_back(bytes);
            let (result, has_stored) = access();
            match has_stored {
                true => own.update(words, bytes, site, &self.bounds),
                false => own.failed_update(words, bytes, site, &self.bounds),
            }
            result
        })
    }

    /// A thread makes a full fence.
    pub fn fence(&self, thread: &WatchedThread, site: u64) {
        let mut own = self.own(thread);
        own.thread.fence(site);
        thread.copy(&own.thread);
    }

    /// A cycle that no sequentially consistent execution has, of a load that was just found: see
    /// [`Monitor::cycle`](super::Monitor::cycle). `None` if some of the accesses on it were forgotten.
    #[must_use]
    pub fn cycle(&self, borderline: &Borderline) -> Option<Vec<CycleEdge>> {
        let threads = lock(&self.threads);
        let threads: Vec<_> = threads.iter().map(|slot| lock(&slot.own)).collect();
        path::cycle(|thread| &threads[thread].thread.learned, borderline)
    }

    /// Memory ends its life: what is at its addresses next is other memory.
    pub fn release(&self, thread: &WatchedThread, bytes: ByteRange) {
        // No page is forgotten meanwhile.
        let own = &mut *lock(&thread.slot.own);
        self.pages.release(&mut own.near, bytes);
    }

    /// A step of a thread while it has the locks of some words.
    fn step<R>(
        &self,
        thread: &WatchedThread,
        bytes: ByteRange,
        act: impl FnOnce(&mut Thread, &mut Held<'_>) -> R,
    ) -> R {
        let mut own = self.own(thread);
        let Own { thread: state, near } = &mut *own;
        let result = self.pages.with(near, &thread.slot.kept, bytes, |words| act(state, words));
        thread.copy(state);
        drop(own);
        thread.yield_if_waiting();
        self.forget_if_many();
        result
    }

    /// The state of a thread that is about to do something.
    fn own(&self, thread: &WatchedThread) -> MutexGuard<'static, Own> {
        let mut own = thread.own();
        if own.thread.is_outside {
            self.comes_back(&mut own.thread);
        }
        own
    }
}

impl Slot {
    fn new(slot: usize) -> Self {
        Self { own: Mutex::default(), kept: Kept::new(slot as u32) }
    }
}

impl WatchedThread {
    /// The state of the thread, which calls this. Call [`copy`](Self::copy) when it is changed.
    fn own(&self) -> MutexGuard<'static, Own> {
        let mut own = lock(&self.slot.own);
        self.recent.borrow().copy_to(&mut own.thread);
        own
    }

    /// Copies the state of the thread, which calls this.
    fn copy(&self, thread: &Thread) {
        self.recent.borrow_mut().copy(thread);
    }
}
