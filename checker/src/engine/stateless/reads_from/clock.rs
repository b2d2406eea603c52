//! Sets of steps that are closed under program order, as the number of steps of each thread.

use smallvec::SmallVec;

/// For each thread the number of its steps in the set. Threads beyond the end have none.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Clock {
    counts: SmallVec<[u32; 8]>,
}

impl Clone for Clock {
    fn clone(&self) -> Self {
        // At once, where `SmallVec::clone` goes from number to number.
        Self { counts: SmallVec::from_slice(&self.counts) }
    }
}

impl FromIterator<u32> for Clock {
    /// The set with so many steps of each thread.
    fn from_iter<T: IntoIterator<Item = u32>>(counts: T) -> Self {
        Self { counts: counts.into_iter().collect() }
    }
}

impl Clock {
    /// The number of steps of a thread.
    pub fn of(&self, thread: usize) -> u32 {
        self.counts.get(thread).copied().unwrap_or(0)
    }

    /// True if the set has this step.
    pub fn has(&self, thread: usize, step: u32) -> bool {
        step < self.of(thread)
    }

    /// Sees to it that the set has so many steps of a thread.
    pub fn raise(&mut self, thread: usize, count: u32) {
        if self.counts.len() <= thread {
            self.counts.resize(thread + 1, 0);
        }
        self.counts[thread] = self.counts[thread].max(count);
    }

    /// Leaves at most so many steps of a thread.
    pub fn cut(&mut self, thread: usize, count: u32) {
        if let Some(own) = self.counts.get_mut(thread) {
            *own = (*own).min(count);
        }
    }

    /// Adds the steps of another set.
    pub fn unite(&mut self, other: &Self) {
        if self.counts.len() < other.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (count, &other) in self.counts.iter_mut().zip(&other.counts) {
            *count = (*count).max(other);
        }
    }

    /// Adds the steps of another set, of one thread only the first `count`.
    pub fn unite_cut(&mut self, other: &Self, thread: usize, count: u32) {
        if self.counts.len() < other.counts.len() {
            self.counts.resize(other.counts.len(), 0);
        }
        for (of, (known, &other)) in self.counts.iter_mut().zip(&other.counts).enumerate() {
            *known = (*known).max(if of == thread { other.min(count) } else { other });
        }
    }

    /// The number of threads that may have steps.
    pub fn threads(&self) -> usize {
        self.counts.len()
    }
}
