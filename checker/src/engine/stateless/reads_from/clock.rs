//! Sets of steps that are closed under program order, as the number of steps of each thread.

/// The number of threads whose steps are counted in place: copies and unions of them are a few instructions.
const FEW: usize = 8;

/// For each thread the number of its steps in the set. Threads beyond the end have none.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    few: [u32; FEW],
    /// The numbers of the threads from `FEW` on, if there are any.
    more: Option<Box<[u32]>>,
}

impl FromIterator<u32> for Clock {
    /// The set with so many steps of each thread.
    fn from_iter<T: IntoIterator<Item = u32>>(counts: T) -> Self {
        let mut counts = counts.into_iter();
        let mut few = [0; FEW];
        for (count, of) in few.iter_mut().zip(&mut counts) {
            *count = of;
        }
        let more: Vec<u32> = counts.collect();
        Self { few, more: (!more.is_empty()).then(|| more.into()) }
    }
}

impl Clock {
    /// The number of steps of a thread.
    pub fn of(&self, thread: usize) -> u32 {
        match self.few.get(thread) {
            Some(count) => *count,
            None => self.more().get(thread - FEW).copied().unwrap_or(0),
        }
    }

    /// True if the set has this step.
    pub fn has(&self, thread: usize, step: u32) -> bool {
        step < self.of(thread)
    }

    /// Sees to it that the set has so many steps of a thread.
    pub fn raise(&mut self, thread: usize, count: u32) {
        let own = match self.few.get_mut(thread) {
            Some(own) => own,
            None => &mut self.more_of(thread + 1 - FEW)[thread - FEW],
        };
        *own = (*own).max(count);
    }

    /// Leaves at most so many steps of a thread.
    pub fn cut(&mut self, thread: usize, count: u32) {
        if self.of(thread) > count {
            match self.few.get_mut(thread) {
                Some(own) => *own = count,
                None => self.more_of(0)[thread - FEW] = count,
            }
        }
    }

    /// Adds the steps of another set.
    pub fn unite(&mut self, other: &Self) {
        for (count, &other) in self.few.iter_mut().zip(&other.few) {
            *count = (*count).max(other);
        }
        if let Some(other) = &other.more {
            for (count, &other) in self.more_of(other.len()).iter_mut().zip(other) {
                *count = (*count).max(other);
            }
        }
    }

    /// Adds the steps of another set, of one thread only the first `count`.
    pub fn unite_cut(&mut self, other: &Self, thread: usize, count: u32) {
        let before = self.of(thread);
        self.unite(other);
        self.cut(thread, before.max(count));
    }

    /// The number of threads up to the last one that has steps.
    pub fn threads(&self) -> usize {
        let last = |counts: &[u32]| counts.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
        match last(self.more()) {
            0 => last(&self.few),
            more => FEW + more,
        }
    }

    /// The numbers of the threads from `FEW` on.
    fn more(&self) -> &[u32] {
        self.more.as_deref().unwrap_or(&[])
    }

    /// The same, of at least so many threads.
    fn more_of(&mut self, len: usize) -> &mut [u32] {
        if self.more().len() < len {
            let known = self.more().iter().copied();
            self.more = Some(known.chain(std::iter::repeat(0)).take(len).collect());
        }
        self.more.as_deref_mut().unwrap_or(&mut [])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(clock: &Clock) -> Vec<u32> {
        (0..12).map(|thread| clock.of(thread)).collect()
    }

    #[test]
    fn sets_of_few_and_of_many_threads() {
        let few: Clock = [3, 0, 5].into_iter().collect();
        let mut many: Clock = (1..=10).collect();
        assert_eq!((few.threads(), many.threads(), Clock::default().threads()), (3, 10, 0));
        let mut all = few.clone();
        all.unite(&many);
        assert_eq!(counts(&all), [3, 2, 5, 4, 5, 6, 7, 8, 9, 10, 0, 0]);
        all.raise(11, 1);
        assert!(all.has(11, 0) && !all.has(11, 1) && all.threads() == 12);
        many.unite(&all);
        many.cut(9, 4);
        many.cut(2, 7);
        assert_eq!(counts(&many), [3, 2, 5, 4, 5, 6, 7, 8, 9, 4, 0, 1]);
    }

    #[test]
    fn of_one_thread_only_the_first_steps_are_added() {
        for thread in [1, 9] {
            let mut clock = Clock::default();
            clock.raise(thread, 2);
            let mut other = clock.clone();
            other.raise(thread, 9);
            other.raise(0, 1);
            clock.unite_cut(&other, thread, 5);
            assert_eq!((clock.of(0), clock.of(thread)), (1, 5));
            clock.unite_cut(&other, thread, 3);
            assert_eq!(clock.of(thread), 5);
        }
    }
}
