//! The steps of both monitors: each access changes its thread and the words of its bytes, as in figure 3 of
//! the source.

use super::kept::KEPT_AFTER;
use super::path::Learned;
use super::thread::{Order, Thread};
use super::word::{Mask, Version, Word};
use super::{AccessKind, Borderline, Bounds, ByteRange, MonitorAccess, Relation};

/// The number of accesses between a load and the next one of the same bytes up to which both may be of a loop
/// that waits.
const ROUND: u64 = 16;

/// The number of loads that may be of a loop that waits, after one that was made so many accesses ago.
pub(super) fn repeats_after(repeats: u32, since: u64) -> u32 {
    if since <= ROUND { repeats + 1 } else { 0 }
}

/// The words that an access may need.
pub(super) trait Words {
    /// The word of a number.
    fn word(&mut self, at: u64) -> &mut Word;

    /// The thread repeats a load of some bytes of a word.
    fn repeats(&mut self, _at: u64, _mask: Mask) {}
}

impl Thread {
    /// A load. Returns the stores that it may miss under TSO, being borderline.
    pub fn load(&mut self, words: &mut impl Words, bytes: ByteRange, site: u64, bounds: &Bounds) -> Vec<Borderline> {
        let access = self.access(AccessKind::Load, site);
        let mut missed = Vec::new();
        let repeats = std::mem::take(&mut self.repeats);
        if let Some((at, mask)) = bytes.only_word() {
            // This is the usual case, and it looks the word up once.
            let word = words.word(at);
            word.take_own_back(at, mask, access.thread);
            // After the first of such loads, the newest store to each byte is known, or the thread's own one.
            if let Some((since, times)) = word.read_again(mask, access, [&self.hb, &self.loads]) {
                self.repeats = repeats_after(repeats, since);
                if times >= KEPT_AFTER || since > ROUND {
                    words.repeats(at, mask);
                }
                return missed;
            }
            self.add_missed(access, word, mask, &mut missed);
            self.follow_newest(access, word, (mask, Relation::ReadsFrom), Order::Loads, bounds.paths);
            word.read(mask, access, [&self.hb, &self.loads]);
        } else {
            // This looks at the past of the thread's last access, before anything of this one is known.
            bytes.words().for_each(|(at, mask)| self.add_missed(access, words.word(at), mask, &mut missed));
            self.follow_stores(access, words, bytes, (Relation::ReadsFrom, Order::Loads), bounds);
            self.read(access, words, bytes);
        }
        missed
    }

    /// A store that may wait in a store buffer.
    pub fn store(&mut self, words: &mut impl Words, bytes: ByteRange, site: u64, bounds: &Bounds) {
        let access = self.access(AccessKind::Store, site);
        self.begin_store();
        self.follow_stores(access, words, bytes, (Relation::Coherence, Order::Stores), bounds);
        self.follow_readers(access, words, bytes, bounds);
        self.write(access, words, bytes, bounds);
    }

    /// A read-modify-write that stores.
    pub fn update(&mut self, words: &mut impl Words, bytes: ByteRange, site: u64, bounds: &Bounds) {
        let access = self.access(AccessKind::Update, site);
        self.begin_store();
        self.follow_stores(access, words, bytes, (Relation::ReadsFrom, Order::Stores), bounds);
        self.follow_readers(access, words, bytes, bounds);
        self.write(access, words, bytes, bounds);
        self.end_fence();
    }

    /// A compare-exchange that fails.
    pub fn failed_update(&mut self, words: &mut impl Words, bytes: ByteRange, site: u64, bounds: &Bounds) {
        let access = self.access(AccessKind::Fence, site);
        self.repeats += 1;
        self.begin_store();
        self.follow_stores(access, words, bytes, (Relation::ReadsFrom, Order::Stores), bounds);
        self.end_fence();
        self.read(access, words, bytes);
    }

    /// A full fence.
    pub fn fence(&mut self, site: u64) -> MonitorAccess {
        let access = self.access(AccessKind::Fence, site);
        self.begin_store();
        self.end_fence();
        access
    }

    /// Orders what another thread did up to a fence before what this one does next.
    pub fn synchronise(&mut self, from: MonitorAccess, other: &Self, site: u64, paths: usize) {
        let at = self.access(AccessKind::Fence, site);
        if self.hb.join(other.hb.stamp()) {
            self.learn(Learned { at, from, relation: Relation::Synchronises }, paths);
        }
        self.stored.join(other.stored.stamp());
        self.begin_store();
        self.end_fence();
    }

    /// Orders an access after the newest stores to its bytes.
    fn follow_stores(
        &mut self,
        access: MonitorAccess,
        words: &mut impl Words,
        bytes: ByteRange,
        (relation, order): (Relation, Order),
        bounds: &Bounds,
    ) {
        let paths = bounds.paths;
        bytes.words().for_each(|(at, mask)| self.follow_newest(access, words.word(at), (mask, relation), order, paths));
    }

    /// Orders a store after the loads of what it overwrites.
    fn follow_readers(&mut self, access: MonitorAccess, words: &mut impl Words, bytes: ByteRange, bounds: &Bounds) {
        for (at, mask) in bytes.words() {
            words.word(at).readers(mask).for_each(|earlier| self.follow(access, &earlier, Order::Stores, bounds.paths));
        }
    }

    /// Adds a load to its words.
    fn read(&self, access: MonitorAccess, words: &mut impl Words, bytes: ByteRange) {
        for (at, mask) in bytes.words() {
            let word = words.word(at);
            word.take_own_back(at, mask, access.thread);
            word.read(mask, access, [&self.hb, &self.loads]);
        }
    }

    /// Adds a store, which gets the next number of its thread, to its words.
    fn write(&mut self, access: MonitorAccess, words: &mut impl Words, bytes: ByteRange, bounds: &Bounds) {
        self.stores += 1;
        self.hb.add_own(self.stores);
        self.stored.add_own(self.stores);
        for (at, mask) in bytes.words() {
            let version = Version {
                mask,
                access,
                number: self.stores,
                hb: self.hb.stamp().clock.clone(),
                rhb: self.stored.stamp().clock.clone(),
            };
            words.word(at).write(version, bounds.history);
        }
    }
}
