//! The request to end a run before its end, and the reason.
//!
//! Whoever watches a limit makes the request (`cli/supervisor.rs`; engines themselves); whatever may take
//! long looks at it: loops over states, executions, races, and the answers to a step's questions. A look is
//! one load, so none of these loops has to count. A step that a request cuts short means nothing: engines
//! throw it away. Tests: `tests/tests/limits.rs`.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::outcome::Unknown;

/// The reasons, by number less one.
const REASONS: [Unknown; 3] = [Unknown::Interrupted, Unknown::MemoryLimit, Unknown::Timeout];

/// The request. Copies are of the same one.
#[derive(Clone, Debug, Default)]
pub struct Halt(Arc<AtomicU8>);

impl Halt {
    /// Asks for the end. The first reason counts. False if there was one already.
    ///
    /// # Panics
    /// If the reason is none of those that end a run from outside: interrupted, memory, time.
    pub fn request(&self, reason: Unknown) -> bool {
        let number = REASONS.iter().position(|&one| one == reason).expect("a reason to end a run from outside") + 1;
        self.0.compare_exchange(0, number as u8, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Why the run is to end, if it is.
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
