//! Limits of a search, and of the memory that its caches take.

use std::time::Instant;

use crate::engine::{Limits, Progress};
use crate::outcome::Unknown;
use crate::outcome::measures::Sample;

/// Most events between two looks at the limits.
const CHECK_EVERY: u64 = 1024;
/// Component ids of states between two looks at the limits: 4 MiB. A state of large arrays has tens of
/// thousands of ids.
const CHECK_EVERY_IDS: u64 = 1 << 20;

/// How many bytes caches may take.
///
/// Caches are most of the speed. In programs of the reads-from benchmarks where nearly every state is new
/// (`circular_buffer`, `poke`, `queue_ok`), 256 KiB of states and 1 MiB of components take 1.7 to 1.9 times
/// as long as these budgets. Twice as many states and four times as many components give nothing.
#[derive(Clone, Copy, Debug)]
pub struct CacheBudget {
    /// States that are not on the way, with their steps.
    pub states: usize,
    /// Components that no state on the way may need.
    pub components: usize,
    /// Steps, by what they looked at.
    pub steps: usize,
}

impl CacheBudget {
    /// Parts of all memory that may be taken.
    pub fn within(limits: &Limits) -> Self {
        let all = limits.max_memory.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
        Self { states: (all / 4).min(1 << 27), components: (all / 16).min(1 << 24), steps: all / 4 }
    }
}

/// The limits of a search.
pub struct Budget<'p> {
    /// The limits.
    pub limits: &'p Limits,
    /// The moment at which the first search began.
    pub started: Instant,
    /// The number of events at which limits are looked at next.
    check_at: u64,
}

impl<'p> Budget<'p> {
    /// Limits of a run that began at this moment.
    pub const fn new(limits: &'p Limits, started: Instant) -> Self {
        Self { limits, started, check_at: 0 }
    }

    /// Whether limits are to be looked at after so many events. If so, they are again after some more, after
    /// fewer where `ids`, the length of a state vector, is large.
    #[inline]
    pub fn is_check_due(&mut self, events: u64, ids: usize) -> bool {
        let is_due = events >= self.check_at;
        if is_due {
            self.check_at = events + (CHECK_EVERY_IDS / ids as u64).clamp(1, CHECK_EVERY);
        }
        is_due
    }

    /// The limit that was reached. `sample`: how far the search is.
    pub fn reached(&self, progress: &Progress, events: u64, sample: &Sample) -> Option<Unknown> {
        self.limits.reached(progress, events, sample.bytes)
    }
}
