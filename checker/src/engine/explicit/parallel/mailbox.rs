//! What others leave for a worker.

use super::sync::{AtomicU64, Mutex, Ordering, lock};

/// Letters to one worker, from any.
pub struct Mailbox<L> {
    letters: Mutex<Vec<L>>,
    /// How many there are, or were a moment ago.
    waiting: AtomicU64,
}

impl<L> Default for Mailbox<L> {
    fn default() -> Self {
        Self { letters: Mutex::new(Vec::new()), waiting: AtomicU64::new(0) }
    }
}

impl<L> Mailbox<L> {
    /// Leaves a letter.
    pub fn put(&self, letter: L) {
        let mut letters = lock(&self.letters);
        letters.push(letter);
        self.waiting.store(letters.len() as u64, Ordering::Relaxed);
    }

    /// Takes all letters, oldest first. One that is left at the same time may be found the next time only; one that was left before the workers met is found.
    pub fn take(&self) -> Vec<L> {
        if self.waiting.load(Ordering::Relaxed) == 0 {
            return Vec::new();
        }
        let mut letters = lock(&self.letters);
        self.waiting.store(0, Ordering::Relaxed);
        std::mem::take(&mut *letters)
    }
}
