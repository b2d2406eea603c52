//! A reusable barrier at which workers wait for each other and agree on a number.
//!
//! The standard library's barrier lacks what workers need: they agree on a number, they empty their mailboxes
//! while they wait, and they stop waiting if another worker panics.
//!
//! # Why it is right
//!
//! Each worker increments `arrived`. The last one to arrive makes its decision, resets `arrived`, and then
//! increments `round`; the others wait for that. A worker reads `round` before it arrives, so that the round
//! cannot end in between.
//!
//! * *Happens-before.* The increments of `arrived` acquire and release, so the last worker sees everything
//!   that the others did before. It writes `round` with release order, and the others read it with acquire
//!   order.
//! * *`arrived` and `agreed` are reset in time.* They are written before `round`. A worker arrives for
//!   the next round only after it has read the new `round`.
//! * *`agreed` is not overwritten too early.* The next decision is made when all workers have arrived for the
//!   next round. So each of them has returned from this one, and has read `agreed`.
//!
//! Tests: `tests/tests/models.rs` runs this file with the types of loom, in all executions that the memory
//! model of Rust allows: `workers_agree_at_a_barrier`, `batches_are_there_after_a_barrier`. They cover two
//! workers, and not [`Barrier::abandon`].

use super::sync::{AtomicU32, AtomicU64, Ordering, pause};

/// A barrier for a fixed number of workers.
pub struct Barrier {
    workers: u32,
    /// The number of workers that have arrived in this round. The last one resets it.
    arrived: AtomicU32,
    /// The number of completed rounds.
    round: AtomicU32,
    /// The decision of the last completed round.
    agreed: AtomicU64,
    /// 1 if a worker failed, otherwise 0.
    abandoned: AtomicU32,
}

impl Barrier {
    /// A barrier for this number of workers.
    pub fn new(workers: u32) -> Self {
        Self {
            workers,
            arrived: AtomicU32::new(0),
            round: AtomicU32::new(0),
            agreed: AtomicU64::new(0),
            abandoned: AtomicU32::new(0),
        }
    }

    /// Waits until all workers have arrived, and returns the number on which they agree. The last worker to
    /// arrive computes that number by `decide`. The others call `meanwhile` repeatedly while they wait.
    /// Everything that a worker did before the call happens-before everything that any worker does after it.
    ///
    /// # Panics
    /// If another worker failed and this one has to wait.
    pub fn wait(&self, decide: impl FnOnce() -> u64, mut meanwhile: impl FnMut()) -> u64 {
        let round = self.round.load(Ordering::Relaxed);
        if self.arrived.fetch_add(1, Ordering::AcqRel) + 1 == self.workers {
            self.agreed.store(decide(), Ordering::Relaxed);
            self.arrived.store(0, Ordering::Relaxed);
            self.round.store(round + 1, Ordering::Release);
        }
        let mut turns = 0;
        while self.round.load(Ordering::Acquire) == round {
            assert!(self.abandoned.load(Ordering::Relaxed) == 0, "another worker failed");
            meanwhile();
            pause(&mut turns);
        }
        self.agreed.load(Ordering::Relaxed)
    }

    /// Makes all workers panic that wait now or will wait. A worker that fails calls it, because the others
    /// would wait for it for ever.
    pub fn abandon(&self) {
        self.abandoned.store(1, Ordering::Relaxed);
    }
}
