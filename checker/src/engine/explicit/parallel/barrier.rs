//! A barrier at which workers wait for each other and agree on a number.

use super::sync::{AtomicU32, AtomicU64, Ordering, pause};

/// A reusable barrier for a fixed number of workers.
pub struct Barrier {
    workers: u32,
    arrived: AtomicU32,
    /// The number of rounds in which all workers arrived.
    round: AtomicU32,
    /// The number on which the workers agreed last.
    agreed: AtomicU64,
    /// Not 0 if a worker failed.
    broken: AtomicU32,
}

impl Barrier {
    /// A barrier for so many workers.
    pub fn new(workers: u32) -> Self {
        Self {
            workers,
            arrived: AtomicU32::new(0),
            round: AtomicU32::new(0),
            agreed: AtomicU64::new(0),
            broken: AtomicU32::new(0),
        }
    }

    /// Waits until all workers have arrived, and calls `meanwhile` repeatedly until then. The last worker to
    /// arrive calls `decide`, whose result all of them get. Everything that a worker did before it arrived
    /// happens-before everything that others do afterwards.
    ///
    /// # Panics
    /// If a worker failed.
    pub fn wait(&self, decide: impl FnOnce() -> u64, mut meanwhile: impl FnMut()) -> u64 {
        let round = self.round.load(Ordering::Relaxed);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.workers {
            // Nobody reads this before the round is over. A late reader has not arrived for the next round
            // yet.
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

    /// Makes all waiting workers panic, since a worker failed.
    pub fn abandon(&self) {
        self.broken.store(1, Ordering::Relaxed);
    }
}
