//! The monitor over the running program: every access is made and shown to the monitor under the lock of its
//! words.
//!
//! Contract: the program runs sequentially consistently, as far as it is instrumented. A report is about the
//! interleaving that ran, and says of a load that, under TSO, it may read an older value such that no
//! sequentially consistent execution has the same trace. No report is false; `monitor/shared/outside.rs`
//! names the one exception and what is lost at calls of functions that are not instrumented,
//! `monitor/shared/forget.rs` what is lost to the bounds. Threads are told apart by their thread-local
//! variables. What a thread does when these are gone counts as a thread of its own.
//!
//! Measurements: `benches/MONITOR.md`.
//!
//! Tests: `tests/tests/native_monitor.rs`.

mod files;
mod ignore;
mod place;
mod report;
mod reporter;
mod settings;

use std::cell::RefCell;
use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard};

use report::Report;
use reporter::Reporter;
pub(super) use settings::Settings;

use super::call::Site;
use super::random::Random;
use super::raw;
use crate::lock::lock;
use crate::monitor::{self, Borderline, Bounds, ByteRange, SharedMonitor, WatchedThread};

/// The number of accesses of each thread from which cycles are made.
const PATHS: usize = 256;
/// The number of words from which on known stores are forgotten.
const WORDS: usize = 1 << 18;
/// The inverse of the probability with which the thread yields after a store: what others do before its next
/// load is what the monitor looks for.
const YIELD_ONE_IN: u64 = 32;

/// The monitor and what it has found.
pub(super) struct Watch {
    monitor: SharedMonitor,
    /// The pairs of sites that were reported.
    sites: Mutex<HashSet<(u64, u64)>>,
    reporter: Mutex<Reporter>,
    /// Gives each thread the seed of its own numbers.
    random: Mutex<Random>,
}

/// A thread of the program.
pub(super) struct Thread {
    watched: WatchedThread,
    random: RefCell<Random>,
}

/// While this exists, nothing happens in the monitor.
pub(super) struct Pause<'w> {
    monitor: monitor::Pause<'w>,
    _sites: MutexGuard<'w, HashSet<(u64, u64)>>,
    reporter: MutexGuard<'w, Reporter>,
}

impl Pause<'_> {
    /// Ends the pause in a process in which one thread alone goes on.
    pub fn end_alone(mut self, thread: u32) {
        self.reporter.is_in_new_process();
        self.monitor.end_alone(thread);
    }
}

impl Thread {
    /// The name of the thread in reports.
    pub fn number(&self) -> u32 {
        self.watched.number()
    }
}

impl Watch {
    pub fn new(settings: Settings, seed: u64) -> Self {
        let bounds = Bounds { history: settings.history as usize, paths: PATHS, words: WORDS };
        Self {
            monitor: SharedMonitor::bounded(bounds),
            sites: Mutex::new(HashSet::new()),
            reporter: Mutex::new(Reporter::new(settings)),
            random: Mutex::new(Random::new(seed)),
        }
    }

    /// A thread starts.
    pub fn start(&self) -> Thread {
        let random = Random::new(lock(&self.random).next());
        Thread { watched: self.monitor.start(), random: RefCell::new(random) }
    }

    pub fn end(&self, thread: &Thread) {
        self.monitor.end(&thread.watched);
    }

    pub fn load(&self, thread: &Thread, addr: usize, len: u8, site: Site) -> u128 {
        let read = || raw::read(addr, len);
        let (value, missed) = self.monitor.load(&thread.watched, bytes(addr, len), site as u64, read);
        missed.iter().for_each(|missed| self.report_if_new(missed));
        value
    }

    pub fn store(&self, thread: &Thread, addr: usize, len: u8, value: u128, site: Site) {
        let write = || raw::write(addr, len, value);
        self.monitor.store(&thread.watched, bytes(addr, len), site as u64, write);
        if thread.random.borrow_mut().one_in(YIELD_ONE_IN) {
            std::thread::yield_now();
        }
    }

    /// A read-modify-write. `update` gives the new value, if any. Returns the old value.
    pub fn rmw(
        &self,
        thread: &Thread,
        addr: usize,
        len: u8,
        update: impl Fn(u128) -> Option<u128>,
        site: Site,
    ) -> u128 {
        self.monitor.update(&thread.watched, bytes(addr, len), site as u64, || raw::update(addr, len, update))
    }

    pub fn fence(&self, thread: &Thread, site: Site) {
        self.monitor.fence(&thread.watched, site as u64);
    }

    /// A call of what is not instrumented begins or ends.
    pub fn outside(&self, thread: &Thread, site: Site) {
        self.monitor.outside(&thread.watched, site as u64);
    }

    /// Memory ends its life.
    pub fn release(&self, thread: &Thread, addr: usize, len: usize) {
        let bytes = ByteRange { address: addr as u64, len: len as u64 };
        self.monitor.release(&thread.watched, bytes);
    }

    /// Keeps all threads from their next call, and reports from being printed, while the process forks.
    pub fn pause(&self) -> Pause<'_> {
        Pause { monitor: self.monitor.pause(), _sites: lock(&self.sites), reporter: lock(&self.reporter) }
    }

    /// Reports a load, with its cycle, if its places are new.
    fn report_if_new(&self, borderline: &Borderline) {
        if lock(&self.sites).insert((borderline.load.site, borderline.missed.site)) {
            let report = Report::of(borderline, self.monitor.cycle(borderline).as_deref());
            lock(&self.reporter).report(report);
        }
    }
}

fn bytes(addr: usize, len: u8) -> ByteRange {
    ByteRange { address: addr as u64, len: len.into() }
}
