//! A run of the stateless engine: searches that start over until one of them has all facts that it relies on.
//!
//! A search relies on facts that are found only while steps are taken, and on bounds. When a new fact makes
//! its earlier decisions wrong, or a bound turns out to be too small, it ends early ([`End`]). The next
//! search starts again from the initial state, with what is known then ([`Premises`]):
//!
//! * the instructions at which a thread may wait, and those whose steps vary (`predict_event.rs`);
//! * the copies whose pieces are loaded in any order (`system/bulk/group.rs`);
//! * that sequentially consistent executions show whether the program is robust (`robustness/sequential.rs`);
//! * the numbering of threads (`system/state/numbering.rs`);
//! * the bound on the turns of loops, unless the user gave it (`deepening.rs`);
//! * the bound on store buffers, unless the user gave it. A search ends at the first full buffer, so none of
//!   its findings depends on the bound.
//!
//! The findings of all searches are kept.

use std::sync::atomic::Ordering;
use std::time::Instant;

use rmc_runtime::Model;

use super::search::{Search, Start};
use super::{Dpor, explain};
use crate::engine::findings::Findings;
use crate::engine::stateless::budget::{Budget, GROWTH};
use crate::engine::stateless::deepening::LoopBound;
use crate::engine::stateless::learned::{Learned, Places};
use crate::engine::stateless::robustness::Cycles;
use crate::engine::stateless::robustness::sequential::{Reason, reason_before};
use crate::engine::{EngineError, Limits, Progress};
use crate::hash::FxHashSet;
use crate::ir::Program;
use crate::ir::ids::{FuncId, Pc};
use crate::outcome::cycle::{Monitored, Robustness};
use crate::outcome::{Outcome, Unknown};
use crate::system::Config;

/// The reasons for which a search ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum End {
    /// Everything was explored, everything that was asked for was found, or a limit was reached.
    Done,
    /// A new fact made earlier decisions wrong: an instruction may wait, the steps of an instruction vary, or
    /// a load of a copy was in a race.
    StartOver,
    /// A store buffer was full, and its bound may be raised:
    /// [`crate::engine::stateless::budget::may_raise_bound`].
    Full,
    /// Threads were numbered by creator, and a creation found no number, although some number was free.
    NumbersRanOut,
    /// Sequentially consistent executions do not say whether the program is robust, for this reason.
    Inexact(Reason),
    /// An execution is too long to be explored without a bound on loops.
    TooLong,
}

impl End {
    /// The bound that keeps the search from a proof, if there is one.
    const fn reached_bound(self) -> Option<Unknown> {
        match self {
            Self::Full => Some(Unknown::BufferBound),
            Self::TooLong => Some(Unknown::LoopBound),
            Self::Done | Self::StartOver | Self::NumbersRanOut | Self::Inexact(_) => None,
        }
    }

    /// The reason to start over, for the log.
    const fn why_again(self) -> Option<&'static str> {
        match self {
            Self::Done => None,
            Self::StartOver => Some("a new fact about an instruction"),
            Self::Full => Some("a store buffer was full"),
            Self::NumbersRanOut => Some("the numbers of threads ran out"),
            Self::Inexact(reason) => Some(reason.describe()),
            Self::TooLong => Some("an execution is too long without a bound on loops"),
        }
    }
}

/// The facts and bounds that a search relies on.
struct Premises {
    may_block: Places,
    footprint_varies: Places,
    contested: FxHashSet<(FuncId, Pc)>,
    buffer_bound: usize,
    loop_bound: LoopBound,
    /// True if threads are numbered by creator.
    by_creator: bool,
    /// The reason for which executions under the model are explored, and not only the sequentially consistent
    /// ones. The latter are explored if there is none.
    not_sequential: Option<Reason>,
}

impl Premises {
    /// The premises of the first search. Threads are numbered by creator, unless final states are asked for:
    /// a variable may hold a `pthread_t`, so these show the numbers.
    fn initial(program: &Program, config: &Config, limits: &Limits, engine: Dpor) -> Self {
        Self {
            may_block: Places::default(),
            footprint_varies: Places::default(),
            contested: FxHashSet::default(),
            buffer_bound: config.buffer_bound,
            loop_bound: LoopBound::asked(limits.unroll),
            by_creator: !config.final_states,
            not_sequential: match engine {
                Dpor { robustness: true, sequential: true, .. } => reason_before(program, config, limits),
                _ => Some(Reason::NotAsked),
            },
        }
    }

    /// The configuration of a search with these premises. It refers to the contested copies for as long as
    /// the process runs, so each search leaks a few words. There are few searches, since each adds a premise.
    fn config(&self, config: Config) -> Config {
        let contested = Box::leak(Box::new(self.contested.clone()));
        Config { contested: Some(contested), buffer_bound: self.buffer_bound, ..config }
    }

    /// The premises of the next search, after one that ended like this with these facts.
    fn after(self, end: End, learned: Learned, raced_copies: &FxHashSet<(FuncId, Pc)>) -> Self {
        let Learned { may_block, footprint_varies, .. } = learned;
        let mut next = Self { may_block, footprint_varies, ..self };
        next.contested.extend(raced_copies);
        match end {
            End::StartOver => {}
            End::Full => next.buffer_bound *= GROWTH,
            End::NumbersRanOut => next.by_creator = false,
            End::Inexact(reason) => next.not_sequential = Some(reason),
            End::TooLong | End::Done => next.loop_bound = next.loop_bound.raised(),
        }
        next
    }
}

/// Explores a program, in as many searches as it takes.
pub fn run(
    program: &Program,
    config: Config,
    limits: &Limits,
    progress: &Progress,
    engine: Dpor,
) -> Result<Outcome, EngineError> {
    let started = Instant::now();
    let mut premises = Premises::initial(program, &config, limits, engine);
    let mut findings = Findings::new(config.property, limits.keep_going);
    let mut cycles = engine.robustness.then(Cycles::default);
    loop {
        let Premises { loop_bound, by_creator, not_sequential, .. } = premises;
        let config = premises.config(config);
        let learned = Learned::new(premises.may_block.clone(), premises.footprint_varies.clone());
        let start = Start { learned, loop_bound, by_creator, not_sequential, findings, cycles };
        let mut search = Search::new(program, config, Budget::new(limits, started), start, engine);
        search.stepper.machine.halt = progress.halt.clone();
        let end = search.explore(progress)?;
        if let Some(bound) = end.reached_bound().filter(|_| engine.ends_at_bounds) {
            search.results.stopped = search.results.stopped.or(Some(bound));
            return Ok(search.finish());
        }
        if !search.is_to_start_over(end) {
            progress.has_stopped.store(true, Ordering::Relaxed);
            return Ok(search.finish());
        }
        if let Some(why) = end.why_again() {
            explain::start_over(why, &search.learned);
        }
        premises = premises.after(end, search.learned, search.exploration.prefix.execution.raced_copies());
        (findings, cycles) = (search.results.findings.without_cuts(), search.cycles);
    }
}

impl Search<'_> {
    /// True if another search is to follow this one. After a request to stop there is no time for it.
    fn is_to_start_over(&self, end: End) -> bool {
        let has_reason = match end {
            End::Done => self.is_to_deepen(),
            End::StartOver | End::Full | End::NumbersRanOut | End::Inexact(_) | End::TooLong => true,
        };
        has_reason && !self.stepper.is_halted()
    }

    /// True if the search explored everything within its bound on loops, and the bound may have hidden
    /// something that is asked for.
    fn is_to_deepen(&self) -> bool {
        let results = &self.results;
        self.loop_bound.is_deepening() && results.was_cut && results.stopped.is_none() && !results.findings.is_enough()
    }

    /// The outcome of the run, of which this is the last search.
    fn finish(self) -> Outcome {
        let last_sample = self.sample();
        let Self { mut results, mut meter, stepper, exploration, budget, .. } = self;
        let machine = &stepper.machine;
        results.stopped = results.stopped.or(machine.halt.reason());
        results.statistics.components = machine.components().len() as u64;
        results.statistics.store_bytes = machine.bytes() as u64;
        results.statistics.seconds = budget.started.elapsed().as_secs_f64();
        let sampler = meter.take_sampler();
        results.statistics.measures = meter.finish(&stepper, &exploration.prefix, &results, last_sample);
        // A run that was stopped says how far it went with bounds of its own.
        let was_stopped_deepening = budget.limits.unroll.is_none() && results.stopped.is_some();
        results.statistics.loop_bound = self.loop_bound.bound().filter(|_| was_stopped_deepening);
        let is_bounded = results.findings.is_bounded(machine);
        let outcome = results.outcome(&stepper).with_work(machine.program(), &sampler);
        let is_sc = machine.config().model() == Model::Sc;
        let is_exhaustive = outcome.complete && !is_bounded;
        let robustness = self.cycles.map(|cycles| match () {
            () if !cycles.is_empty() => Robustness::NotRobust,
            () if is_sc || is_exhaustive => Robustness::Robust,
            () => Robustness::Undecided,
        });
        let is_tso = machine.config().model() == Model::Tso;
        let monitor = robustness.filter(|_| is_tso).map(|_| match self.not_sequential {
            None => Monitored::Exact,
            Some(reason) => Monitored::Left(reason.describe().to_owned()),
        });
        Outcome { robustness, monitor, ..outcome }
    }
}
