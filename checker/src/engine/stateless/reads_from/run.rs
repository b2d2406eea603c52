//! A run of the reads-from engine: searches that start over until all copies are known whose pieces are
//! loaded in an order that matters, no branch was left out in vain, no store buffer is too small, and no
//! thread lacks a number.

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::histories::Histories;
use super::search::Search;
use super::written::Written;
use crate::engine::findings::Findings;
use crate::engine::stateless::budget::{Budget, GROWTH, may_raise_bound};
use crate::engine::{EngineError, Limits, Progress};
use crate::hash::FxHashSet;
use crate::ir::Program;
use crate::outcome::Outcome;
use crate::system::Config;

/// Explores a program.
pub fn run(program: &Program, config: Config, limits: &Limits, progress: &Progress) -> Result<Outcome, EngineError> {
    let started = Instant::now();
    let mut contested = FxHashSet::default();
    let (mut histories, mut written) = (Histories::default(), Written::default());
    // A variable may hold a `pthread_t`, so final states show the numbers of threads.
    let mut by_creator = !config.final_states;
    let mut buffer_bound = config.buffer_bound;
    let mut findings = Findings::new(config.property, limits.keep_going);
    loop {
        let known: &'static FxHashSet<_> = Box::leak(Box::new(contested.clone()));
        let config = Config { contested: Some(known), buffer_bound, ..config };
        let mut search =
            Search::new(program, config, Budget::new(limits, started), findings, (histories, written), by_creator);
        search.stepper.machine.halt = progress.halt.clone();
        search.explore(progress)?;
        let is_full = search.stepper.machine.tally.bound_was_hit.is_some() && may_raise_bound(&config);
        let ran_out = search.stepper.machine.numbers_ran_out();
        let is_complete = search.contested.is_subset(known) && !search.written.is_incomplete();
        let is_done = !is_full && !ran_out && is_complete || search.results.stopped.is_some();
        if is_done || search.stepper.is_halted() || search.results.findings.is_enough() {
            progress.has_stopped.store(true, Ordering::Relaxed);
            return Ok(search.finish());
        }
        contested.extend(search.contested);
        if is_full {
            buffer_bound *= GROWTH;
        }
        by_creator &= !ran_out;
        if is_full || ran_out {
            // A step may do something else now after the same steps.
            (histories, written) = Default::default();
        } else {
            (histories, written) = (search.histories, search.written.again());
        }
        findings = search.results.findings.without_cuts();
    }
}

impl Search<'_> {
    fn finish(self) -> Outcome {
        let last_sample = self.sample();
        let Self { mut results, mut meter, stepper, trace, budget, .. } = self;
        let machine = &stepper.machine;
        let is_exceeded = budget.limits.is_exceeded_by(results.statistics.events);
        let exceeded = is_exceeded.then_some(crate::outcome::Unknown::StateLimit);
        results.stopped = results.stopped.or(machine.halt.reason()).or(exceeded);
        results.statistics.components = machine.components().len() as u64;
        results.statistics.store_bytes = machine.bytes() as u64;
        results.statistics.seconds = budget.started.elapsed().as_secs_f64();
        let sampler = meter.take_sampler();
        results.statistics.measures = meter.finish(&stepper, &trace.prefix, &results, last_sample);
        results.outcome(&stepper).with_work(machine.program(), &sampler)
    }
}
