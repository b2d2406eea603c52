//! A search, begun anew when something was learned that it depends on.
//!
//! Facts that were learned are kept: where threads may wait, which instructions vary (`predict_event.rs`),
//! which copies are contested (`system/bulk/group.rs`). Bounds that the user did not give grow: on the turns
//! of loops (`deepening.rs`), and on store buffers, where one was full. The search ends at the first full
//! buffer then, so nothing that was found before depends on the bound.

use std::sync::atomic::Ordering;
use std::time::Instant;

use rmc_runtime::Model;

use super::search::{Search, Start};
use super::{Dpor, explain};
use crate::engine::findings::Findings;
use crate::engine::stateless::budget::Budget;
use crate::engine::stateless::deepening::LoopBound;
use crate::engine::stateless::learned::{Learned, Places};
use crate::engine::stateless::robustness::Cycles;
use crate::engine::{EngineError, Limits, Progress};
use crate::hash::FxHashSet;
use crate::ir::Program;
use crate::outcome::Outcome;
use crate::outcome::cycle::Robustness;
use crate::system::Config;

/// A bound on buffers that was not given is multiplied by this where one was full, up to [`LARGEST`].
const RAISE: usize = 16;
const LARGEST: usize = 1 << 17;

/// How a search ends.
pub(super) enum End {
    /// Everything was explored, or a limit was reached, or what was asked for was found.
    Done,
    /// It was learned of an instruction that it may wait, or that it varies.
    StartOver,
    /// A store buffer was full, and the bound was not given.
    Full,
    /// Threads got no number because those by creator had run out (`system/state/numbering.rs`).
    NumbersRanOut,
    /// An execution is too long to be followed without a bound on loops.
    TooLong,
}

impl End {
    /// The reason to start over, in words.
    const fn why_again(&self) -> Option<&'static str> {
        match self {
            Self::Done => None,
            Self::StartOver => Some("something was learned of an instruction"),
            Self::Full => Some("a store buffer was full"),
            Self::NumbersRanOut => Some("the numbers of threads ran out"),
            Self::TooLong => Some("an execution is too long without a bound on loops"),
        }
    }
}

/// Explores a program.
pub fn run(
    program: &Program,
    config: Config,
    limits: &Limits,
    progress: &Progress,
    engine: Dpor,
) -> Result<Outcome, EngineError> {
    let (mut may_block, mut footprint_varies) = (Places::default(), Places::default());
    let mut contested = FxHashSet::default();
    let mut buffer_bound = config.buffer_bound;
    // A `pthread_t` in a variable is part of a final state.
    let mut by_creator = !config.final_states;
    let started = Instant::now();
    let mut loop_bound = LoopBound::asked(limits.unroll);
    let mut findings = Findings::new(config.property, limits.keep_going);
    let mut cycles = engine.robustness.then(Cycles::default);
    loop {
        // This leaks a few words for each search, and there are at most as many as such places.
        let config = Config { contested: Some(Box::leak(Box::new(contested.clone()))), buffer_bound, ..config };
        let learned = Learned::new(may_block, footprint_varies);
        let start = Start { learned, loop_bound, by_creator, findings, cycles };
        let mut search = Search::new(program, config, Budget::new(limits, started), start, engine);
        search.stepper.machine.halt = progress.halt.clone();
        let end = search.explore(progress)?;
        // After a request to stop there is no time for another search, whatever was learned.
        let may_go_on = !search.stepper.is_halted();
        if let Some(why) = end.why_again().filter(|_| may_go_on) {
            explain::start_over(why, &search.learned);
        }
        match end {
            End::StartOver if may_go_on => {}
            End::Full if may_go_on => buffer_bound *= RAISE,
            End::NumbersRanOut if may_go_on => by_creator = false,
            End::TooLong if may_go_on => loop_bound = loop_bound.raised(),
            End::Done if may_go_on && search.is_to_deepen() => loop_bound = loop_bound.raised(),
            _ => {
                progress.has_stopped.store(true, Ordering::Relaxed);
                return Ok(search.finish());
            }
        }
        contested.extend(search.exploration.prefix.execution.raced_copies());
        (may_block, footprint_varies) = (search.learned.may_block, search.learned.footprint_varies);
        (findings, cycles) = (search.results.findings.without_cuts(), search.cycles);
    }
}

/// Whether a full buffer is a reason to start over with larger ones.
pub(super) const fn may_raise_bound(config: &Config) -> bool {
    config.bound_grows && config.buffer_bound > 0 && config.buffer_bound * RAISE <= LARGEST
}

impl Search<'_> {
    /// Whether the search, which came to its end, is to start over with a higher bound on loops.
    fn is_to_deepen(&self) -> bool {
        let results = &self.results;
        self.loop_bound.is_deepening() && results.was_cut && results.stopped.is_none() && !results.findings.is_enough()
    }

    /// The outcome.
    fn finish(self) -> Outcome {
        let last = self.sample();
        let Self { mut results, mut meter, stepper, exploration, budget, .. } = self;
        let machine = &stepper.machine;
        results.stopped = results.stopped.or(machine.halt.reason());
        results.statistics.components = machine.components().len() as u64;
        results.statistics.store_bytes = machine.bytes() as u64;
        results.statistics.seconds = budget.started.elapsed().as_secs_f64();
        let sampler = meter.take_sampler();
        results.statistics.measures = meter.finish(&stepper, &exploration.prefix, &results, last);
        let was_stopped = budget.limits.unroll.is_none() && results.stopped.is_some();
        results.statistics.loop_bound = self.loop_bound.bound().filter(|_| was_stopped);
        let is_bounded = results.findings.is_bounded(machine);
        let outcome = results.outcome(&stepper).with_work(machine.program(), &sampler);
        let is_sc = machine.config().model() == Model::Sc;
        let robustness = self.cycles.map(|cycles| match () {
            () if !cycles.is_empty() => Robustness::NotRobust,
            () if is_sc || outcome.complete && !is_bounded => Robustness::Robust,
            () => Robustness::Undecided,
        });
        Outcome { robustness, ..outcome }
    }
}
