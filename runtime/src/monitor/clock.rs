//! Vector clocks whose copies share memory, and timestamps made of them.
//!
//! A clock is a set of stores: for each thread, its stores up to a number. Events keep the clocks at which
//! they happened, and most clocks do not change between two events of a thread, so a copy is a reference. A
//! thread's own stores change with every store, so a timestamp keeps their number beside the clock.

use std::sync::Arc;

use smallvec::SmallVec;

/// For each thread, the number of its stores in the set, counted from its first one. Threads beyond the end
/// have none.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock(Arc<SmallVec<[u64; INLINE]>>);

/// The number of threads up to which a clock is one block of memory.
const INLINE: usize = 6;

impl Clock {
    /// The number of stores of a thread in the set.
    pub fn get(&self, thread: usize) -> u64 {
        self.0.get(thread).copied().unwrap_or(0)
    }

    /// Puts the stores of a thread up to a number into the set.
    pub fn set(&mut self, thread: usize, stores: u64) {
        let counts = Arc::make_mut(&mut self.0);
        if counts.len() <= thread {
            counts.resize(thread + 1, 0);
        }
        counts[thread] = stores;
    }

    /// True if it is a copy of another one, and not only equal to it by chance.
    pub fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Becomes another set. Clocks that are the same are not touched, for other threads may use them.
    pub fn assign(&mut self, other: &Self) {
        if !self.is_same(other) {
            self.0 = Arc::clone(&other.0);
        }
    }

    /// Adds the stores of another set. Returns true if some of them are new.
    pub fn join(&mut self, other: &Self) -> bool {
        if self.is_same(other) || other.is_within(self) {
            return false;
        }
        if self.is_within(other) {
            self.0 = Arc::clone(&other.0);
            return true;
        }
        let counts = Arc::make_mut(&mut self.0);
        counts.resize(counts.len().max(other.0.len()), 0);
        counts.iter_mut().zip(other.0.iter()).for_each(|(count, &more)| *count = (*count).max(more));
        true
    }

    /// True if all stores of the set are in another one.
    pub fn is_within(&self, other: &Self) -> bool {
        let (own, more) = self.0.split_at(self.0.len().min(other.0.len()));
        own.iter().zip(other.0.iter()).all(|(stores, others)| stores <= others)
            && more.iter().all(|&stores| stores == 0)
    }
}

/// The stores that come before some point of a thread: a clock, and the thread's own stores up to a number.
#[derive(Clone, Debug, Default)]
pub(super) struct Timestamp {
    clock: Clock,
    thread: usize,
    own: u64,
}

impl Timestamp {
    /// The own stores of a thread up to a number.
    pub fn of(thread: usize, own: u64) -> Self {
        Self { clock: Clock::default(), thread, own }
    }

    /// The number of stores of a thread in the set.
    pub fn get(&self, thread: usize) -> u64 {
        let own = if thread == self.thread { self.own } else { 0 };
        own.max(self.clock.get(thread))
    }

    /// Adds the thread's own stores up to a number.
    pub fn add_own(&mut self, own: u64) {
        self.own = self.own.max(own);
    }

    /// The set, for who only reads it.
    pub fn stamp(&self) -> Stamp<'_> {
        Stamp { clock: &self.clock, thread: self.thread, own: self.own }
    }

    /// Adds the stores of another set. Returns true if some of them are new.
    pub fn join(&mut self, other: Stamp<'_>) -> bool {
        let is_new = self.clock.join(other.clock);
        if other.own <= self.get(other.thread) {
            return is_new;
        }
        if other.thread == self.thread {
            self.own = other.own;
        } else {
            self.clock.set(other.thread, other.own);
        }
        true
    }

    /// Adds the stores of a clock.
    pub fn join_clock(&mut self, clock: &Clock) {
        self.clock.join(clock);
    }
}

/// A timestamp whose parts are kept elsewhere.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stamp<'c> {
    pub clock: &'c Clock,
    pub thread: usize,
    pub own: u64,
}

impl Stamp<'_> {
    /// Adds the stores of the set to a clock. Returns true if some of them are new.
    pub fn add_to(self, clock: &mut Clock) -> bool {
        let others = clock.join(self.clock);
        let own = self.own > clock.get(self.thread);
        if own {
            clock.set(self.thread, self.own);
        }
        others || own
    }

    /// True if all stores of the set are in a clock.
    pub fn is_within(self, clock: &Clock) -> bool {
        self.own <= clock.get(self.thread) && self.clock.is_within(clock)
    }
}

#[cfg(test)]
mod tests {
    use super::{Clock, Timestamp};

    fn clock(counts: &[u64]) -> Clock {
        let mut clock = Clock::default();
        counts.iter().enumerate().for_each(|(thread, &stores)| clock.set(thread, stores));
        clock
    }

    #[track_caller]
    fn check(one: &[u64], other: &[u64], joined: &[u64], is_new: bool) {
        let mut result = clock(one);
        assert_eq!(result.join(&clock(other)), is_new);
        assert_eq!((0..4).map(|thread| result.get(thread)).collect::<Vec<_>>(), joined);
    }

    #[test]
    fn a_join_is_the_union_of_both() {
        check(&[], &[], &[0, 0, 0, 0], false);
        check(&[2, 1], &[1], &[2, 1, 0, 0], false);
        check(&[1], &[2, 1], &[2, 1, 0, 0], true);
        check(&[3, 0, 1], &[1, 2], &[3, 2, 1, 0], true);
        check(&[1], &[0, 0, 0, 4], &[1, 0, 0, 4], true);
    }

    #[test]
    fn a_copy_keeps_its_stores() {
        let old = clock(&[1, 2]);
        let mut new = old.clone();
        new.set(0, 5);
        new.join(&clock(&[0, 0, 7]));
        assert_eq!([old.get(0), old.get(1), old.get(2)], [1, 2, 0]);
        assert_eq!([new.get(0), new.get(1), new.get(2)], [5, 2, 7]);
    }

    #[test]
    fn timestamps_have_own_stores() {
        let mut one = Timestamp::of(0, 3);
        let other = Timestamp::of(1, 2);
        assert!(one.join(other.stamp()));
        assert!(!one.join(other.stamp()));
        assert!(!one.join(Timestamp::of(0, 3).stamp()));
        assert!(one.join(Timestamp::of(0, 4).stamp()));
        assert_eq!([one.get(0), one.get(1), one.get(2)], [4, 2, 0]);
        assert!(one.stamp().is_within(&clock(&[4, 2])));
        assert!(!one.stamp().is_within(&clock(&[3, 2])));
        let mut sum = clock(&[1, 5, 1]);
        one.stamp().add_to(&mut sum);
        assert_eq!([sum.get(0), sum.get(1), sum.get(2)], [4, 5, 1]);
    }
}
