//! A mailbox: batches that workers send to one of them.

use super::sync::{AtomicU64, Mutex, Ordering, lock};

/// Batches that were sent to one worker.
pub struct Mailbox<L> {
    batches: Mutex<Vec<L>>,
    /// The number of batches. A reader without the lock may see an older number.
    waiting: AtomicU64,
}

impl<L> Default for Mailbox<L> {
    fn default() -> Self {
        Self { batches: Mutex::new(Vec::new()), waiting: AtomicU64::new(0) }
    }
}

impl<L> Mailbox<L> {
    /// Sends a batch.
    pub fn put(&self, batch: L) {
        let mut batches = lock(&self.batches);
        batches.push(batch);
        self.waiting.store(batches.len() as u64, Ordering::Relaxed);
    }

    /// Takes all batches, oldest first. A batch that is sent concurrently may only be found by the next call.
    /// A batch that was sent before a barrier is found after it.
    pub fn take(&self) -> Vec<L> {
        if self.waiting.load(Ordering::Relaxed) == 0 {
            return Vec::new();
        }
        let mut batches = lock(&self.batches);
        self.waiting.store(0, Ordering::Relaxed);
        std::mem::take(&mut *batches)
    }
}
