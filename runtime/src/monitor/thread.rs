//! A thread as the monitor sees it: the stores that come before its next access.

use std::collections::VecDeque;

use super::clock::{Clock, Timestamp};
use super::path::Learned;
use super::word::{Earlier, Mask, Word};
use super::{AccessKind, Borderline, MonitorAccess, Relation};

/// The thread of a slot. When it has ended, another one may get the slot; its counts go on.
#[derive(Debug, Default)]
pub(super) struct Thread {
    /// Its slot.
    pub slot: usize,
    /// False if it has ended.
    pub is_live: bool,
    /// True from [`outside`](super::SharedMonitor::outside) on, until it does something else.
    pub is_outside: bool,
    /// The number of changes of what was before calls of what nobody watches, up to the last one that it
    /// knows.
    pub changes_outside: u64,
    /// The number of accesses so far.
    pub accesses: u64,
    /// The number of full fences so far.
    pub fences: u64,
    /// The number of stores and read-modify-writes so far.
    pub stores: u64,
    /// The number of loads and failed updates since the last access of another kind or of memory that it had
    /// not accessed just before: what a thread does while it waits.
    pub repeats: u32,
    /// The stores that happen-before the next access.
    pub hb: Timestamp,
    /// The stores that relaxed-happen-before the next load: `lc` of figure 3.
    pub loads: Timestamp,
    /// The stores that relaxed-happen-before the next store, beside `loads`: `sc` of figure 3.
    pub stored: Timestamp,
    /// The accesses at which `hb` grew, oldest first; the last ones if there are too many.
    pub learned: VecDeque<Learned>,
}

/// The accesses that relaxed-happen-before an access: as for a load, or as for a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Loads,
    Stores,
}

impl Thread {
    /// A new thread in a slot in which others did so many things.
    pub fn starts(&mut self, slot: usize) {
        let before = std::mem::take(self);
        *self = Self {
            slot,
            is_live: true,
            accesses: before.accesses,
            fences: before.fences,
            stores: before.stores,
            hb: Timestamp::of(slot, before.stores),
            loads: Timestamp::of(slot, before.stores),
            stored: Timestamp::of(slot, before.stores),
            ..Self::default()
        };
    }

    /// The next access.
    pub fn access(&mut self, kind: AccessKind, site: u64) -> MonitorAccess {
        let access =
            MonitorAccess { thread: self.slot as u32, position: self.accesses, fences: self.fences, kind, site };
        self.accesses += 1;
        if matches!(kind, AccessKind::Store | AccessKind::Update) {
            self.repeats = 0;
        }
        self.fences += u64::from(matches!(kind, AccessKind::Update | AccessKind::Fence));
        access
    }

    /// Begins a store or fence: it comes after all loads, too.
    pub fn begin_store(&mut self) {
        self.stored.join(self.loads.stamp());
    }

    /// Ends a fence or read-modify-write: what comes before it is before everything that follows it.
    pub fn end_fence(&mut self) {
        self.loads = self.stored.clone();
    }

    /// Orders what follows after the stores of a clock.
    pub fn follow_all(&mut self, clock: &Clock) {
        self.loads.join_clock(clock);
        self.stored.join_clock(clock);
    }

    /// Adds the stores to some bytes of a word that a load may miss.
    pub fn add_missed(&self, load: MonitorAccess, word: &Word, mask: Mask, missed: &mut Vec<Borderline>) {
        for version in word.newest_in(mask, &self.hb) {
            let by = version.access.thread as usize;
            let found = Borderline { load, missed: version.access };
            // A store may be in several words of the load.
            if version.access.thread != load.thread && version.number > self.loads.get(by) && !missed.contains(&found) {
                missed.push(found);
            }
        }
    }

    /// Orders an access after the newest stores to some bytes of a word.
    pub fn follow_newest(
        &mut self,
        access: MonitorAccess,
        word: &Word,
        (mask, relation): (Mask, Relation),
        order: Order,
        paths: usize,
    ) {
        word.newest(mask, relation).for_each(|earlier| self.follow(access, &earlier, order, paths));
    }

    /// Orders an access after an earlier one. A load is not ordered after an own store that may be in the
    /// buffer; for other accesses, program order orders it.
    pub fn follow(&mut self, access: MonitorAccess, earlier: &Earlier<'_>, order: Order, paths: usize) {
        let from = earlier.access.thread as usize;
        let rhb = match order {
            Order::Loads => &mut self.loads,
            Order::Stores => &mut self.stored,
        };
        let is_known = |known: &Timestamp| earlier.number.is_some_and(|number| number <= known.get(from));
        if (earlier.access.thread != access.thread || !earlier.is_buffered) && !is_known(rhb) {
            rhb.join(earlier.rhb);
        }
        if !is_known(&self.hb) && self.hb.join(earlier.hb) {
            self.learn(Learned { at: access, from: earlier.access, relation: earlier.relation }, paths);
        }
    }

    /// Notes an access at which `hb` grew. At most `paths` are kept.
    pub fn learn(&mut self, learned: Learned, paths: usize) {
        if self.learned.len() >= paths {
            self.learned.pop_front();
        }
        self.learned.push_back(learned);
    }
}
