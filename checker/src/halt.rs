//! The request to end a run early, and its reason.
//!
//! The request is made by the supervisor of limits (`cli/supervisor.rs`) and by engines. Every long loop
//! checks for it: loops over states, executions, races, and the answers to a step's choices. A check is one
//! load, so none of these loops has to count. Engines discard a step that a request cuts short. Tests:
//! `tests/tests/limits.rs`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::outcome::Unknown;

/// The reasons; reason `n` is stored as `n + 1`.
const REASONS: [Unknown; 3] = [Unknown::Interrupted, Unknown::MemoryLimit, Unknown::Timeout];

/// The request. All clones share it.
#[derive(Clone, Debug, Default)]
pub struct Halt(Arc<AtomicU8>);

impl Halt {
    /// Requests the end. Only the first request counts; false if there was one before.
    ///
    /// # Panics
    /// If the reason is none of those that end a run from outside: interrupted, memory, time.
    pub fn request(&self, reason: Unknown) -> bool {
        let number = REASONS.iter().position(|&one| one == reason).expect("a reason to end a run from outside") + 1;
        self.0.compare_exchange(0, number as u8, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// The reason to end the run, if that was requested.
    #[inline]
    #[must_use]
    pub fn reason(&self) -> Option<Unknown> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            number => Some(REASONS[usize::from(number) - 1]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_counts() {
        let halt = Halt::default();
        assert_eq!(halt.reason(), None);
        assert!(halt.request(Unknown::Timeout));
        assert!(!halt.clone().request(Unknown::Interrupted));
        assert_eq!(halt.reason(), Some(Unknown::Timeout));
    }
}
