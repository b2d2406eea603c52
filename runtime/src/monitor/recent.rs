//! A copy of what a thread needs of itself to repeat a load.

use super::clock::Timestamp;
use super::past::Past;
use super::thread::Thread;
use super::{AccessKind, MonitorAccess};

/// A thread, as it knows itself without its lock. The last of its accesses may be repeated loads, which are
/// noted here alone ([`Recent::copy_to`]).
#[derive(Debug)]
pub(super) struct Recent {
    thread: u32,
    accesses: u64,
    fences: u64,
    pub repeats: u32,
    hb: Timestamp,
    loads: Timestamp,
    /// True if what is before the next load is not what it was.
    is_changed: bool,
    /// For some words, the position of the last load that was repeated.
    last: [(u64, u64); LAST],
}

/// The number of words of which a thread knows when it loaded them.
const LAST: usize = 32;

impl Default for Recent {
    fn default() -> Self {
        let (hb, loads) = Default::default();
        Self { thread: 0, accesses: 0, fences: 0, repeats: 0, hb, loads, is_changed: false, last: [(0, 0); LAST] }
    }
}

impl Recent {
    /// Becomes a copy of the thread.
    pub fn copy(&mut self, thread: &Thread) {
        (self.accesses, self.repeats) = (thread.accesses, thread.repeats);
        let is_same = self.fences == thread.fences && self.hb.is_same(&thread.hb) && self.loads.is_same(&thread.loads);
        if !is_same {
            (self.thread, self.fences) = (thread.slot as u32, thread.fences);
            self.hb.assign(&thread.hb);
            self.loads.assign(&thread.loads);
            self.is_changed = true;
        }
    }

    /// Brings the thread up to date.
    pub fn copy_to(&self, thread: &mut Thread) {
        (thread.accesses, thread.repeats) = (self.accesses, self.repeats);
    }

    /// The stores before the next load, unless they are those that this returned before.
    pub fn changed_past(&mut self) -> Option<Past> {
        std::mem::take(&mut self.is_changed).then(|| self.past())
    }

    /// The stores before the next load.
    pub fn past(&self) -> Past {
        let &Self { thread, accesses: position, fences, ref hb, ref loads, .. } = self;
        Past::new(MonitorAccess { thread, position, fences, kind: AccessKind::Load, site: 0 }, [hb, loads])
    }

    /// The thread repeats a load of a word, which `load` notes.
    pub fn repeats(&mut self, at: u64, load: impl FnOnce(&mut Self)) {
        load(self);
        let (word, position) = std::mem::replace(&mut self.last[at as usize % LAST], (at, self.accesses));
        let since = if word == at { self.accesses - position } else { u64::MAX };
        self.repeats = repeats_after(self.repeats, since);
        self.accesses += 1;
    }
}

/// The number of accesses between a load and the next one of the same bytes up to which both may be of a loop
/// that waits.
pub(super) const ROUND: u64 = 16;

/// The number of loads that may be of a loop that waits, after one that was made so many accesses ago.
pub(super) fn repeats_after(repeats: u32, since: u64) -> u32 {
    if since <= ROUND { repeats + 1 } else { 0 }
}
