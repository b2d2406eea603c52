//! The monitor of a running program: its threads tell it of their accesses while they run.
//!
//! A step of the monitor needs the thread that makes it and the words of its bytes. Each thread has a lock,
//! which it alone takes while nothing unusual happens, and each word has one. The access itself is made while
//! both are held. So accesses of a word have one order, in which the monitor sees them, and threads that
//! access different words do not wait for each other. A load that a thread repeats does not need the lock of
//! the word: it is made while the thread has the lock of the readers that it keeps (`kept/`), and who stores
//! takes that lock first. The locks make the program sequentially consistent: of two accesses of a byte of
//! which one stores, one happens before the other, so in any order of all accesses along that each load finds
//! the last store. Steps that share neither a thread nor a word commute, so the monitor's answers are those
//! that [`Monitor`](super::Monitor) gives for any such order.
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
mod round;

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;

pub use forget::Bounds;
use outside::Outside;
use pages::{Held, Near, Pages};
pub use pause::Pause;
use round::Rounds;

use super::biased::{Biased, Guard};
use super::kept::Kept;
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
    outside: Outside,
    /// The number of pages from which on known stores are forgotten.
    forget_at: AtomicUsize,
}

/// A thread of the program, for the calls that it makes. No two threads may use it at a time.
#[derive(Debug)]
pub struct WatchedThread {
    slot: &'static Slot,
    _not_sync: PhantomData<Cell<()>>,
}

/// What the monitor knows of the thread of a slot. No other slot is on its processor's cache lines.
#[derive(Debug)]
#[repr(align(128))]
struct Slot {
    own: Biased<Own>,
    kept: Kept,
}

/// The state of a thread, and the pages that it has at hand.
#[derive(Debug, Default)]
struct Own {
    thread: Thread,
    near: Near,
    rounds: Rounds,
    /// The number of loads since the last access that was no repeated load.
    nothing_new: u32,
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
        let mut own = self.own(thread);
        match thread.slot.load_again(&mut own, bytes, site, access) {
            Ok(result) => {
                yield_if_waiting(own);
                (result, Vec::new())
            }
            Err(access) => {
                self.step((thread, own), bytes, |own, words| (access(), own.load(words, bytes, site, &self.bounds)))
            }
        }
    }

    /// A thread makes an access that stores some bytes, in a way that may wait in a store buffer.
    pub fn store<R>(&self, thread: &WatchedThread, bytes: ByteRange, site: u64, access: impl FnOnce() -> R) -> R {
        self.step((thread, self.own(thread)), bytes, |own, words| {
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
        self.step((thread, self.own(thread)), bytes, |own, words| {
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
        self.own(thread).thread.fence(site);
    }

    /// A cycle that no sequentially consistent execution has, of a load that was just found: see
    /// [`Monitor::cycle`](super::Monitor::cycle). `None` if some of the accesses on it were forgotten.
    #[must_use]
    pub fn cycle(&self, borderline: &Borderline) -> Option<Vec<CycleEdge>> {
        let threads = lock(&self.threads);
        let threads = Slot::all_owned(&threads);
        path::cycle(|thread| &threads[thread].thread.learned, borderline)
    }

    /// Memory ends its life: what is at its addresses next is other memory.
    pub fn release(&self, thread: &WatchedThread, bytes: ByteRange) {
        // No page is forgotten meanwhile.
        let own = &mut *thread.slot.own.own();
        self.pages.release(&mut own.near, bytes);
    }

    /// A step of a thread, which has its state, while it has the locks of some words.
    fn step<R>(
        &self,
        (thread, mut own): (&WatchedThread, Guard<'static, Own>),
        bytes: ByteRange,
        act: impl FnOnce(&mut Thread, &mut Held<'_>) -> R,
    ) -> R {
        let Own { thread: state, near, nothing_new, .. } = &mut *own;
        *nothing_new = 0;
        let result = self.pages.with(near, &thread.slot.kept, bytes, |words| act(state, words));
        yield_if_waiting(own);
        self.forget_if_many();
        result
    }

    /// The state of a thread that is about to do something.
    fn own(&self, thread: &WatchedThread) -> Guard<'static, Own> {
        let mut own = thread.slot.own.own();
        if own.thread.is_outside {
            self.comes_back(&mut own.thread);
        }
        own
    }
}

impl Slot {
    fn new(slot: usize) -> Self {
        Self { own: Biased::new(Own::default()), kept: Kept::new(slot as u32) }
    }

    /// The states of the threads of some slots, for another thread.
    fn all_owned(slots: &[&'static Self]) -> Vec<Guard<'static, Own>> {
        Biased::all_by_another(slots.iter().map(|slot| &slot.own))
    }
}

/// Ends a step of a thread, with its state. It yields if it seems to wait for another thread.
fn yield_if_waiting(mut own: Guard<'_, Own>) {
    let seems_to_wait = own.seems_to_wait();
    drop(own);
    if seems_to_wait {
        std::thread::yield_now();
    }
}
