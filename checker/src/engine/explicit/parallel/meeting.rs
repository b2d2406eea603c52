//! Where workers wait for each other.

use super::sync::{AtomicU32, AtomicU64, Ordering, pause};

/// A place where so many workers meet, again and again.
pub struct Meeting {
    workers: u32,
    arrived: AtomicU32,
    /// How many meetings there were.
    round: AtomicU32,
    /// What the last meeting agreed on.
    agreed: AtomicU64,
    /// Not 0: a worker will not come any more.
    broken: AtomicU32,
}

impl Meeting {
    /// A place for so many workers.
    pub fn new(workers: u32) -> Self {
        Self {
            workers,
            arrived: AtomicU32::new(0),
            round: AtomicU32::new(0),
            agreed: AtomicU64::new(0),
            broken: AtomicU32::new(0),
        }
    }

    /// Waits until all workers are here, doing `meanwhile` again and again. The last to come decides what all of them get. Whatever a worker did before it came is
    /// known to all afterwards.
    ///
    /// # Panics
    /// If a worker failed.
    pub fn meet(&self, decide: impl FnOnce() -> u64, mut meanwhile: impl FnMut()) -> u64 {
        let round = self.round.load(Ordering::Relaxed);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.workers {
            // Nobody reads this before the round is over, and who reads it late has not come to the next meeting.
            self.agreed.store(decide(), Ordering::Relaxed);
            self.arrived.store(0, Ordering::Relaxed);
            self.round.store(round + 1, Ordering::Release);
        }
        let mut turns = 0;
        while self.round.load(Ordering::Acquire) == round {
            assert!(self.broken.load(Ordering::Relaxed) == 0, "another worker failed");
            meanwhile();
            pause(&mut turns);
        }
        self.agreed.load(Ordering::Relaxed)
    }

    /// Says that a worker will not come any more.
    pub fn leave(&self) {
        self.broken.store(1, Ordering::Relaxed);
    }
}
