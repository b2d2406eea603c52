//! The loads of a word that a later store to it comes after.

use super::clock::{Stamp, Timestamp};
use super::past::Past;
use super::word::Mask;
use super::{AccessKind, MonitorAccess};

/// Loads of some bytes of a word that have not been overwritten since.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    pub mask: Mask,
    /// The load, or one of several.
    pub access: MonitorAccess,
    /// True if it stands for loads of several threads, and then for good.
    is_merged: bool,
    /// The number of times that its thread has made the load again.
    pub repeats: u32,
    pub past: Past,
}

impl Reader {
    /// A load that comes after these stores: those that happen-before it, and those that
    /// relaxed-happen-before it.
    pub fn new(mask: Mask, access: MonitorAccess, sets: [&Timestamp; 2]) -> Self {
        Self { mask, access, is_merged: false, repeats: 0, past: Past::new(access, sets) }
    }

    /// A load of a thread that was made again so many times, and what is before it.
    pub fn repeated(mask: Mask, (thread, site): (u32, u64), repeats: u32, past: Past) -> Self {
        let Past { fences, position, .. } = past;
        let access = MonitorAccess { thread, position, fences, kind: AccessKind::Load, site };
        Self { mask, access, is_merged: false, repeats, past }
    }

    /// Its thread makes the load again. Returns the number of the thread's accesses since the last time.
    pub fn again(&mut self, access: MonitorAccess, sets: [&Timestamp; 2]) -> u64 {
        let since = access.position - self.access.position;
        self.access = access;
        self.repeats = self.repeats.saturating_add(1);
        self.past.assign(access, sets);
        since
    }

    /// True if it is of this thread alone.
    pub fn is_of(&self, thread: u32) -> bool {
        self.access.thread == thread && !self.is_merged
    }

    /// The stores that happen-before it.
    pub fn hb(&self) -> Stamp<'_> {
        Past::stamp(&self.past.hb, self.access.thread)
    }

    /// The stores that relaxed-happen-before it.
    pub fn rhb(&self) -> Stamp<'_> {
        Past::stamp(&self.past.rhb, self.access.thread)
    }

    /// Stands for another one, too.
    pub fn merge(&mut self, other: &Self) {
        self.is_merged = true;
        other.hb().add_to(&mut self.past.hb.0);
        other.rhb().add_to(&mut self.past.rhb.0);
    }
}
