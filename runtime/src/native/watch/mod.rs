//! The monitor over the running program: every access is made and shown to the monitor under one lock.
//!
//! Contract: the program runs sequentially consistently, as far as it is instrumented. A report is about the
//! interleaving that ran, and says of a load that, under TSO, it may read an older value such that no
//! sequentially consistent execution has the same trace. No report is false; `monitor/outside.rs` names the
//! one exception and what is lost at calls of functions that are not instrumented, `monitor/forget.rs` what
//! is lost to the bounds. Threads are told apart by their thread-local variables. What a thread does when these
//! are gone counts as a thread of its own.
//!
//! One lock: the accesses need one order, which the monitor sees, and its clocks are shared. See
//! `benches/MONITOR.md` for measurements.
//!
//! Tests: `tests/tests/native_monitor.rs`.

mod files;
mod ignore;
mod place;
mod report;
mod reporter;
mod settings;

use std::collections::HashSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use report::Report;
use reporter::Reporter;
pub(super) use settings::Settings;

use super::call::Site;
use super::random::Random;
use super::raw;
use crate::monitor::{Borderline, Bounds, ByteRange, CycleEdge, Monitor};

/// The number of accesses of each thread from which cycles are made.
const PATHS: usize = 256;
/// The number of words from which on known stores are forgotten.
const WORDS: usize = 1 << 16;
/// The number of attempts to take the lock before the thread sleeps.
const SPINS: usize = 1000;
/// The inverse of the probability with which the thread yields after a store: what others do before its next
/// load is what the monitor looks for.
const YIELD_ONE_IN: u64 = 32;

/// The monitor and what it has found.
pub(super) struct Watch {
    watched: Mutex<Watched>,
    reporter: Mutex<Reporter>,
}

struct Watched {
    monitor: Monitor,
    /// The pairs of sites that were reported.
    sites: HashSet<(u64, u64)>,
    random: Random,
}

impl Watch {
    pub fn new(settings: Settings, seed: u64) -> Self {
        let bounds = Bounds { history: settings.history as usize, paths: PATHS, words: WORDS };
        Self {
            watched: Mutex::new(Watched {
                monitor: Monitor::bounded(bounds),
                sites: HashSet::new(),
                random: Random::new(seed),
            }),
            reporter: Mutex::new(Reporter::new(settings)),
        }
    }

    /// Takes the lock. It is held for less time than it takes to sleep and wake up, so this spins for a while.
    fn watched(&self) -> MutexGuard<'_, Watched> {
        for _ in 0..SPINS {
            if let Ok(watched) = self.watched.try_lock() {
                return watched;
            }
            std::hint::spin_loop();
        }
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A thread starts. Returns its slot.
    pub fn start(&self) -> usize {
        self.watched().monitor.start()
    }

    pub fn end(&self, thread: usize) {
        self.watched().monitor.end(thread);
    }

    pub fn load(&self, thread: usize, addr: usize, len: u8, site: Site) -> u128 {
        let mut watched = self.watched();
        let value = raw::read(addr, len);
        let missed = watched.monitor.load(thread, bytes(addr, len), site as u64);
        let new: Vec<_> = missed.into_iter().filter_map(|missed| watched.if_new(missed)).collect();
        drop(watched);
        for (borderline, cycle) in new {
            let report = Report::of(&borderline, cycle.as_deref());
            self.reporter.lock().unwrap_or_else(PoisonError::into_inner).report(report);
        }
        value
    }

    pub fn store(&self, thread: usize, addr: usize, len: u8, value: u128, site: Site) {
        let mut watched = self.watched();
        raw::write(addr, len, value);
        watched.monitor.store(thread, bytes(addr, len), site as u64);
        let yields = watched.random.one_in(YIELD_ONE_IN);
        drop(watched);
        if yields {
            std::thread::yield_now();
        }
    }

    /// A read-modify-write. `update` gives the new value, if any. Returns the old value.
    pub fn rmw(
        &self,
        thread: usize,
        addr: usize,
        len: u8,
        update: impl FnOnce(u128) -> Option<u128>,
        site: Site,
    ) -> u128 {
        let mut watched = self.watched();
        let old = raw::read(addr, len);
        match update(old) {
            Some(new) => {
                raw::write(addr, len, new);
                watched.monitor.update(thread, bytes(addr, len), site as u64);
            }
            None => watched.monitor.failed_update(thread, bytes(addr, len), site as u64),
        }
        old
    }

    pub fn fence(&self, thread: usize, site: Site) {
        self.watched().monitor.fence(thread, site as u64);
    }

    /// A call of what is not instrumented begins or ends.
    pub fn outside(&self, thread: usize, site: Site) {
        self.watched().monitor.outside(thread, site as u64);
    }

    /// Memory ends its life.
    pub fn release(&self, addr: usize, len: usize) {
        let bytes = ByteRange { address: addr as u64, len: len as u64 };
        self.watched().monitor.release(bytes);
    }
}

impl Watched {
    /// The load with its cycle, if its places are new.
    fn if_new(&mut self, borderline: Borderline) -> Option<(Borderline, Option<Vec<CycleEdge>>)> {
        let sites = (borderline.load.site, borderline.missed.site);
        self.sites.insert(sites).then(|| (borderline, self.monitor.cycle(&borderline)))
    }
}

fn bytes(addr: usize, len: u8) -> ByteRange {
    ByteRange { address: addr as u64, len: len.into() }
}
