//! The outcome of a search, from the findings of its workers.

use super::Stop;
use super::schedule::PathFinder;
use super::shared::{SharedFindings, SharedSearch};
use super::worker::WorkerResult;
use crate::engine::explicit::parallel::lock;
use crate::engine::measures::{Meter, memory};
use crate::engine::sampling::StepSampler;
use crate::engine::{EngineError, inputs, replay};
use crate::halt::Halt;
use crate::outcome::measures::{Measures, ProgressSample, Worker};
use crate::outcome::{Outcome, Place, Statistics, Unknown, Verdict, Violation};
use crate::store::Identity;
use crate::system::Machine;

/// The outcome of a search.
pub(super) fn finish(shared: SharedSearch<'_>, mut results: Vec<WorkerResult<'_>>) -> Result<Outcome, EngineError> {
    let mut found = lock(&shared.found);
    if let Some(error) = found.error.take() {
        return Err(error);
    }
    let violations = found.reported();
    let mut initial = Vec::new();
    Machine::with_components(shared.program, shared.config, shared.components.clone()).pack(&mut initial);
    // A schedule repeats steps that were made in time; the solver would not answer again after it.
    results[0].machine.halt = Halt::default();
    let mut paths =
        PathFinder { store: &shared.store, results: &mut results, initial, has_running: found.layers.is_some() };
    for pending in violations {
        let violation = paths.violation(pending).ok_or(EngineError::AsymmetryDetected)?;
        let schedule = inputs::with_values(shared.program, shared.config, &violation)
            .expect("the inputs have values with which the schedule leads to its violation")
            .schedule;
        found.findings.add(Violation { schedule, ..violation });
    }
    found.findings.final_states.extend(results.iter_mut().flat_map(|part| std::mem::take(&mut part.final_states)));
    drop(found);
    let mut sampler = StepSampler::default();
    results.iter_mut().for_each(|part| sampler.add(std::mem::take(&mut part.meter.sampler)));
    let statistics = statistics(&shared, &mut results);
    let found = shared.found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let branched = results.iter().any(|part| part.branched);
    let mut machines = results.into_iter().map(|part| part.machine);
    let mut machine = machines.next().expect("there is a worker");
    for other in machines {
        machine.tally.add(&other.tally);
    }
    let is_cut = found.layers.as_ref().is_some_and(|layers| layers.is_cut);
    if is_cut && machine.tally.left_out.is_none() {
        machine.tally.left_out = Some((Unknown::ContextBound, Place::default()));
    }
    let stopped = match found.stopped {
        Some(Stop::Limit(limit)) => Some(limit),
        _ => None,
    };
    let only_execution = match found.findings.verdict(&machine, stopped) {
        (Verdict::Holds, _) if !branched && !machine.defers_inputs() && shared.storage.identity == Identity::Exact => {
            let states = statistics.states as usize;
            replay::only_execution(machine.program(), *machine.config(), states, &shared.progress.halt)
        }
        _ => None,
    };
    let outcome = found.findings.outcome(&machine, stopped, statistics, only_execution);
    let outcome = match (outcome.verdict, shared.storage.identity) {
        (Verdict::Holds | Verdict::Unknown(Unknown::ContextBound), Identity::Hashed) => Outcome {
            verdict: Verdict::Unknown(Unknown::HashCompaction),
            reason_place: None,
            complete: false,
            coverage: None,
            ..outcome
        },
        (Verdict::Unknown(Unknown::ContextBound), Identity::Exact) => {
            Outcome { reason_place: None, complete: false, ..outcome }
        }
        _ => outcome,
    };
    Ok(outcome.with_work(shared.program, &sampler))
}

fn statistics(shared: &SharedSearch<'_>, results: &mut [WorkerResult<'_>]) -> Statistics {
    let last = shared.sample();
    let (states, seconds, bytes) = (last.states, last.seconds, last.bytes);
    let of = |part: &WorkerResult<'_>| Worker {
        expanded: part.meter.expanded(),
        found: part.states.len() as u64,
        transitions: part.statistics.transitions,
        executions: 0,
        seconds: part.seconds,
    };
    let workers: Vec<_> = results.iter().map(of).collect();
    let sum = |of: fn(&Statistics) -> u64| results.iter().map(|part| of(&part.statistics)).sum();
    let max = |of: fn(&Statistics) -> u64| results.iter().map(|part| of(&part.statistics)).max().unwrap_or_default();
    let mut statistics = Statistics {
        states,
        transitions: sum(|statistics| statistics.transitions),
        max_depth: max_depth(&lock(&shared.found)),
        bytes_per_state: bytes as f64 / states as f64,
        store_bytes: bytes,
        seconds,
        states_per_second: states as f64 / seconds.max(1e-9),
        flush_choices: sum(|statistics| statistics.flush_choices),
        pending_stores_max: max(|statistics| statistics.pending_stores_max),
        omission_probability: shared.store.omission_probability(states),
        components: shared.components.len() as u64,
        threads_max: max(|statistics| statistics.threads_max),
        ..Statistics::default()
    };
    statistics.measures = measures(shared, results, last, workers);
    statistics
}

/// The largest number of steps of an execution that a stored state stands for.
fn max_depth(found: &SharedFindings) -> u64 {
    found.layers.as_ref().map_or(found.search_progress.depth, |layers| layers.deepest)
}

/// The measurements of a search. `last` is the sample at its end.
fn measures(
    shared: &SharedSearch<'_>,
    results: &mut [WorkerResult<'_>],
    last: ProgressSample,
    workers: Vec<Worker>,
) -> Measures {
    let (bytes, tables) = memory(&shared.store, results.iter().map(|part| &part.states), &shared.components);
    let meter = results.iter_mut().map(|part| std::mem::take(&mut part.meter)).reduce(Meter::with).unwrap_or_default();
    let SharedFindings { search_progress, timeline, layers, .. } = &mut *lock(&shared.found);
    Measures {
        samples: std::mem::take(timeline).finish(last),
        preemptions: layers.as_ref().map_or_else(Vec::new, |layers| layers.states.clone()),
        levels: std::mem::take(&mut search_progress.levels),
        matching_rate: meter.matching_rate(last.states),
        known_successors: meter.known_successors(last.states),
        asleep: meter.asleep,
        choices: meter.choices,
        bytes,
        tables,
        lines: meter.lines.map_or_else(Vec::new, |lines| lines.hottest(shared.program)),
        workers,
        pending_stores: meter.pending_stores,
    }
}
