//! Vector clocks whose copies share memory.
//!
//! A clock is a set of stores: for each thread, its stores up to a number. Events keep the clocks at which
//! they happened, and most clocks do not change between two events of a thread, so a copy is a reference.

use std::sync::Arc;

/// For each thread, the number of its stores in the set, counted from its first one. Threads beyond the end
/// have none.
#[derive(Clone, Debug, Default)]
pub(super) struct Clock(Arc<Vec<u32>>);

impl Clock {
    /// The number of stores of a thread in the set.
    pub fn get(&self, thread: usize) -> u32 {
        self.0.get(thread).copied().unwrap_or(0)
    }

    /// Puts the stores of a thread up to a number into the set.
    pub fn set(&mut self, thread: usize, stores: u32) {
        let counts = Arc::make_mut(&mut self.0);
        if counts.len() <= thread {
            counts.resize(thread + 1, 0);
        }
        counts[thread] = stores;
    }

    /// Adds the stores of another set. Returns true if some of them are new.
    pub fn join(&mut self, other: &Self) -> bool {
        if Arc::ptr_eq(&self.0, &other.0) || other.is_within(self) {
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

    fn is_within(&self, other: &Self) -> bool {
        self.0.iter().enumerate().all(|(thread, &stores)| stores <= other.get(thread))
    }
}

#[cfg(test)]
mod tests {
    use super::Clock;

    fn clock(counts: &[u32]) -> Clock {
        let mut clock = Clock::default();
        counts.iter().enumerate().for_each(|(thread, &stores)| clock.set(thread, stores));
        clock
    }

    #[track_caller]
    fn check(one: &[u32], other: &[u32], joined: &[u32], is_new: bool) {
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
}
