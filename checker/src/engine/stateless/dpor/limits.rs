//! When an exploration stops early, how its memory stays bounded, and its outcome.

use rmc_runtime::Model;

use super::search::{CHECK_EVERY, Search};
use crate::engine::{Limits, Progress};
use crate::outcome::Outcome;
use crate::outcome::cycle::Robustness;

/// How many bytes that may take which is only remembered, so that nothing need be done twice.
///
/// What is remembered well is most of the speed: in programs of the reads-from benchmarks where nearly every state is new (`circular_buffer`, `poke`, `queue_ok`),
/// 256 KiB of states and 1 MiB of components take 1.7 to 1.9 times as long as this; twice as many states and four times as many components give nothing.
pub(super) struct Room {
    /// States that are not on the way, with their steps.
    pub(super) states: usize,
    /// Components that no state on the way may need.
    pub(super) components: usize,
    /// Steps, by what they looked at.
    pub(super) steps: usize,
}

impl Room {
    /// Within a part of all memory that may be taken.
    pub(super) fn within(limits: &Limits) -> Self {
        let all = limits.max_memory.map_or(usize::MAX, |most| usize::try_from(most).unwrap_or(usize::MAX));
        Self { states: (all / 4).min(1 << 27), components: (all / 16).min(1 << 24), steps: all / 4 }
    }
}

impl Search<'_> {
    /// Whether the exploration is to end before its end. Loops over what an execution of any length has look
    /// at this; what they leave undone is then no longer wanted.
    #[inline]
    pub(super) fn is_halted(&self) -> bool {
        self.machine.halt.reason().is_some()
    }

    /// Stops when a limit is reached.
    pub(super) fn check_limits(&mut self, progress: &Progress) {
        if self.statistics.events < self.check_at {
            return;
        }
        self.check_at = self.statistics.events + CHECK_EVERY;
        self.forget_old_components();
        let sample = self.sample();
        progress.update(&sample);
        self.meter.notes(sample);
        let reached = self.limits.reached(progress, self.statistics.events, sample.bytes);
        self.stopped = self.stopped.or(reached);
    }

    /// Keeps only components of states on the way, when those that are not may have become most of them, and only those states when there are too many.
    fn forget_old_components(&mut self) {
        if self.machine.bytes() < self.collect_at {
            if self.states.bytes() > self.room.states {
                self.states.keep(&mut self.nodes, |_| {});
                // Those on the way cannot be forgotten: where they are most, looking for others again soon
                // would only copy them.
                self.room.states = self.room.states.max(2 * self.states.bytes());
            }
            return;
        }
        self.states.keep(&mut self.nodes, |vectors| {
            self.machine.collect(vectors.iter_mut().map(|vector| &mut **vector));
        });
        self.memo.forget();
        // Components have other numbers now.
        self.finals.clear();
        self.in_place = false;
        self.collect_at = 2 * self.machine.bytes() + self.room.components;
    }

    /// The outcome.
    pub(super) fn finish(mut self) -> Outcome {
        self.statistics.components = self.machine.components().len() as u64;
        self.statistics.store_bytes = self.machine.bytes() as u64;
        self.statistics.seconds = self.started.elapsed().as_secs_f64();
        let sampler = self.meter.take_sampler();
        self.statistics.measures = self.measures();
        self.statistics.loop_bound =
            self.turns.bound().filter(|_| self.limits.unroll.is_none() && self.stopped.is_some());
        let is_bounded = self.findings.is_bounded(&self.machine);
        let outcome = self.findings.outcome(&self.machine, self.stopped, self.statistics, None);
        let outcome = outcome.with_work(self.machine.program(), &sampler);
        let is_sc = self.machine.config().model() == Model::Sc;
        let robustness = self.cycles.map(|cycles| match () {
            () if !cycles.is_empty() => Robustness::NotRobust,
            () if is_sc || outcome.complete && !is_bounded => Robustness::Robust,
            () => Robustness::Undecided,
        });
        Outcome { robustness, ..outcome }
    }
}
