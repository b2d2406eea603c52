//! Decides whether caching steps is worth while. Where values never recur, as with a counter, it costs time
//! and saves none.
//!
//! Look-ups are counted in periods of [`PERIOD`]. If fewer than a quarter of them find a step, caching pauses
//! for [`PAUSE`] states, and is then tried for another period. The counts decide only whether steps are
//! recalled or run, so they cannot change a result.
//!
//! Tests: below.

/// The number of look-ups in a period.
const PERIOD: u32 = 1 << 13;
/// The number of states in a pause.
const PAUSE: u32 = 1 << 17;

/// Counts the hits of a cache.
#[derive(Default)]
pub(super) struct CacheMonitor {
    /// The number of look-ups in this period.
    lookups: u32,
    /// The number of these that found a step.
    hits: u32,
    /// The number of states before the pause ends; 0 outside pauses.
    pause: u32,
}

impl CacheMonitor {
    /// Counts a look-up.
    pub fn count(&mut self, is_hit: bool) {
        self.lookups += 1;
        self.hits += u32::from(is_hit);
    }

    /// Begins the exploration of a state. True if a pause begins now.
    pub fn begin_state(&mut self) -> bool {
        self.pause = self.pause.saturating_sub(1);
        if self.lookups < PERIOD {
            return false;
        }
        let pauses = self.hits < PERIOD / 4;
        *self = Self { pause: if pauses { PAUSE } else { 0 }, ..Self::default() };
        pauses
    }

    /// True if nothing is to be cached now.
    pub const fn is_paused(&self) -> bool {
        self.pause > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after_period(hits: u32) -> CacheMonitor {
        let mut monitor = CacheMonitor::default();
        (0..PERIOD).for_each(|at| monitor.count(at < hits));
        monitor
    }

    #[test]
    fn few_hits_begin_a_pause_of_its_length() {
        let mut monitor = after_period(PERIOD / 4 - 1);
        assert!(monitor.begin_state());
        for _ in 0..PAUSE {
            assert!(monitor.is_paused());
            assert!(!monitor.begin_state(), "the counts begin anew");
        }
        assert!(!monitor.is_paused());
    }

    #[test]
    fn a_quarter_of_hits_is_enough() {
        let mut monitor = after_period(PERIOD / 4);
        assert!(!monitor.begin_state());
        assert!(!monitor.is_paused());
    }

    #[test]
    fn nothing_is_decided_within_a_period() {
        let mut monitor = CacheMonitor::default();
        (1..PERIOD).for_each(|_| monitor.count(false));
        assert!(!monitor.begin_state());
    }
}
