//! Limits of a search, and of the memory that its caches take.

use std::time::Instant;

use crate::engine::{Limits, Progress};
use crate::outcome::Unknown;
use crate::outcome::measures::ProgressSample;
use crate::system::Config;

/// The factor by which the bound on store buffers grows after a buffer was full.
pub const GROWTH: usize = 16;
/// The largest bound on store buffers that an engine chooses by itself.
const LARGEST_BOUND: usize = 1 << 17;

/// True if a full buffer is a reason to start over with larger buffers.
pub const fn may_raise_bound(config: &Config) -> bool {
    config.bound_grows && config.buffer_bound > 0 && config.buffer_bound * GROWTH <= LARGEST_BOUND
}

/// The maximal number of events between two checks of the limits.
const CHECK_EVERY: u64 = 1024;
/// The number of component ids of states between two checks of the limits: 4 MiB. A state of large arrays has
/// tens of thousands of ids.
const CHECK_EVERY_IDS: u64 = 1 << 20;

/// The bytes that caches may take.
///
/// Most of the speed is due to caches. In programs of the reads-from benchmarks where nearly every state is
/// new (`circular_buffer`, `poke`, `queue_ok`), 256 KiB of states and 1 MiB of components take 1.7 to 1.9
/// times as long as these budgets. Twice as many states and four times as many components give nothing.
#[derive(Clone, Copy, Debug)]
pub struct CacheBudget {
    /// The budget for states that are not in the current execution, with their steps.
    pub states: usize,
    /// The budget for components, including those that no state of the current execution needs.
    pub components: usize,
    /// The budget for steps, by the items that they read.
    pub steps: usize,
}

impl CacheBudget {
    /// Fractions of the memory limit, for one of so many workers.
    pub fn within(limits: &Limits, workers: usize) -> Self {
        let all = limits.max_memory.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX)) / workers;
        Self { states: (all / 4).min(1 << 27), components: (all / 16).min(1 << 24), steps: all / 4 }
    }
}

/// The limits of a search.
pub struct Budget<'p> {
    /// The limits.
    pub limits: &'p Limits,
    /// The moment at which the first search began.
    pub started: Instant,
    /// The number of events at which limits are checked next.
    check_at: u64,
}

impl<'p> Budget<'p> {
    /// The limits of a run that began at this moment.
    pub const fn new(limits: &'p Limits, started: Instant) -> Self {
        Self { limits, started, check_at: 0 }
    }

    /// True if limits are to be checked after so many events. The next check is then due after some more
    /// events; after fewer if `ids`, the length of a state vector, is large.
    #[inline]
    pub fn is_check_due(&mut self, events: u64, ids: usize) -> bool {
        let is_due = events >= self.check_at;
        if is_due {
            let next = events + (CHECK_EVERY_IDS / ids as u64).clamp(1, CHECK_EVERY);
            let first_beyond = self.limits.max_states.map_or(u64::MAX, |most| most.saturating_add(1));
            self.check_at = if events < first_beyond { next.min(first_beyond) } else { next };
        }
        is_due
    }

    /// The limit that was reached, if one was. `sample` is the progress of the search.
    pub fn reached(&self, progress: &Progress, events: u64, sample: &ProgressSample) -> Option<Unknown> {
        self.limits.reached(progress, events, sample.bytes)
    }
}
