//! A run of the reads-from engine: searches that start over until all copies are known whose pieces are
//! loaded in an order that matters, no branch was left out in vain, no store buffer is too small, and no
//! thread lacks a number.

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use super::histories::Histories;
use super::parallel::{SharedSearch, Worker, merged};
use super::search::Search;
use super::sequences::Sequences;
use super::written::Written;
use crate::engine::findings::Findings;
use crate::engine::stateless::budget::{Budget, GROWTH, may_raise_bound};
use crate::engine::stateless::measures::{self, EventMeter};
use crate::engine::stateless::results::Results;
use crate::engine::{EngineError, Limits, Progress};
use crate::hash::FxHashSet;
use crate::ir::Program;
use crate::ir::ids::{FuncId, Pc};
use crate::outcome::measures::ProgressSample;
use crate::outcome::{Outcome, Unknown};
use crate::system::{Config, Machine, ThreadNumbers};

/// The result of a search, or of one of its workers.
pub(super) struct End<'p> {
    pub machine: Machine<'p>,
    pub results: Results,
    pub meter: EventMeter,
    /// Copies with a piece that may have several sources.
    pub contested: FxHashSet<(FuncId, Pc)>,
    /// True if a byte was written for which a branch was left out.
    pub is_incomplete: bool,
    /// True if no number was left for a thread.
    pub ran_out: bool,
    /// The last sample of the progress.
    pub sample: ProgressSample,
}

/// What a search knows from those before it.
#[derive(Default)]
struct Known {
    /// The histories, if there is one worker.
    histories: Histories,
    /// The names of histories, if there are several.
    names: Sequences,
    /// The numbers of threads in them.
    numbers: ThreadNumbers,
    written: Written,
}

/// The program, and how it is explored.
#[derive(Clone, Copy)]
struct Task<'p> {
    program: &'p Program,
    config: Config,
    limits: &'p Limits,
    progress: &'p Progress,
    started: Instant,
    by_creator: bool,
}

/// Explores a program.
///
/// Where something is refused, it depends on the order of the executions whether a violation is found before,
/// and on the order of events in an execution, which depends on the executions before, whether it is refused.
/// So what several workers refuse is explored again by one, whose order is always the same.
pub fn run(program: &Program, config: Config, limits: &Limits, progress: &Progress) -> Result<Outcome, EngineError> {
    match explore(program, config, limits, progress) {
        Err(EngineError::Unsupported { .. }) if limits.jobs > 1 => {
            explore(program, config, &Limits { jobs: 1, ..*limits }, progress)
        }
        result => result,
    }
}

fn explore(program: &Program, config: Config, limits: &Limits, progress: &Progress) -> Result<Outcome, EngineError> {
    let mut contested = FxHashSet::default();
    let mut before = Known::default();
    let mut findings = Findings::new(config.property, limits.keep_going);
    // A variable may hold a `pthread_t`, so final states show the numbers of threads.
    let by_creator = !config.final_states;
    let mut task = Task { program, config, limits, progress, started: Instant::now(), by_creator };
    loop {
        let known: &'static FxHashSet<_> = Box::leak(Box::new(contested.clone()));
        task.config = Config { contested: Some(known), ..task.config };
        let (end, after) = task.search(findings, before)?;
        let is_full = end.machine.tally.bound_was_hit.is_some() && may_raise_bound(&task.config);
        let ran_out = end.ran_out;
        let is_complete = end.contested.is_subset(known) && !end.is_incomplete;
        let is_done = !is_full && !ran_out && is_complete || end.results.stopped.is_some();
        if is_done || end.machine.halt.reason().is_some() || end.results.findings.is_enough() {
            progress.has_stopped.store(true, Ordering::Relaxed);
            return Ok(task.outcome(end));
        }
        contested.extend(end.contested);
        if is_full {
            task.config.buffer_bound *= GROWTH;
        }
        task.by_creator &= !ran_out;
        // With larger buffers, or other numbers, a step may do something else after the same steps.
        before = if is_full || ran_out { Known::default() } else { after };
        findings = end.results.findings.without_cuts();
    }
}

impl<'p> Task<'p> {
    /// A search, by all workers.
    fn search(self, findings: Findings, before: Known) -> Result<(End<'p>, Known), EngineError> {
        if self.limits.jobs <= 1 {
            let numbers = before.numbers.clone();
            let mut search = self.begin(findings, before, None);
            search.explore(self.progress)?;
            let (end, known) = search.into_end();
            return Ok((end, Known { numbers, ..known }));
        }
        let numbers = before.numbers;
        let shared = Arc::new(SharedSearch::new(self.limits.jobs, before.written, before.names));
        let work = |number: usize, findings: Findings| {
            let known = Known { numbers: numbers.clone(), ..Known::default() };
            let mut search = self.begin(findings, known, Some(Worker::new(Arc::clone(&shared), number)));
            search.explore_tasks(self.progress)?;
            if search.results.stopped.or(self.progress.halt.reason()).is_some() {
                // What is left, to free memory, takes time and ends by itself.
                self.progress.has_stopped.store(true, Ordering::Relaxed);
            }
            Ok(search.into_end().0)
        };
        let ends = std::thread::scope(|scope| {
            let work = &work;
            let findings_of_others = || Findings::new(self.config.property, self.limits.keep_going);
            let others: Vec<_> =
                (1..self.limits.jobs).map(|number| scope.spawn(move || work(number, findings_of_others()))).collect();
            let first = work(0, findings);
            let others = others.into_iter().map(|other| other.join().unwrap_or_else(|panic| resume_unwind(panic)));
            [first].into_iter().chain(others).collect::<Vec<_>>()
        });
        let end = merged(ends)?;
        let (written, names) = Arc::into_inner(shared).expect("the workers ended").known();
        Ok((end, Known { histories: Histories::default(), names, numbers, written }))
    }

    fn begin(self, findings: Findings, before: Known, worker: Option<Worker>) -> Search<'p> {
        let budget = Budget::new(self.limits, self.started);
        let Known { histories, written, numbers, .. } = before;
        let numbers = self.by_creator.then_some(numbers);
        let mut search =
            Search::new(self.program, self.config, budget, findings, (histories, written), numbers, worker);
        search.stepper.machine.halt = self.progress.halt.clone();
        search
    }

    fn outcome(self, end: End<'_>) -> Outcome {
        let End { machine, mut results, mut meter, sample, .. } = end;
        let is_exceeded = self.limits.is_exceeded_by(results.statistics.events);
        let exceeded = is_exceeded.then_some(Unknown::StateLimit);
        results.stopped = results.stopped.or(machine.halt.reason()).or(exceeded);
        results.statistics.seconds = self.started.elapsed().as_secs_f64();
        let (sampler, work) = (meter.take_sampler(), std::mem::take(&mut results.statistics.measures));
        let last = ProgressSample { executions: results.explored(), ..sample };
        results.statistics.measures = meter.finish_with(work, machine.program(), last);
        let Results { findings, stopped, statistics, .. } = results;
        findings.outcome(&machine, stopped, statistics, None).with_work(machine.program(), &sampler)
    }
}

impl<'p> Search<'p> {
    /// The result, and what the next search may know.
    fn into_end(self) -> (End<'p>, Known) {
        let is_incomplete = self.is_written_incomplete();
        let (_, sample) = self.sample();
        let shares = self.shares();
        let Self { mut results, meter, stepper, trace, contested, histories, written, .. } = self;
        results.statistics.components = stepper.machine.components().len() as u64;
        results.statistics.store_bytes = stepper.machine.bytes() as u64;
        results.statistics.measures = measures::work(&stepper, &trace.prefix, &results, sample.seconds);
        results.statistics.measures.bytes.extend(shares);
        let machine = stepper.machine;
        let ran_out = machine.numbers_ran_out();
        let end = End { machine, results, meter, contested, is_incomplete, ran_out, sample };
        (end, Known { histories, written: written.again(), ..Known::default() })
    }
}
