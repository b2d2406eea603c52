//! The outcome of a search from what its workers found.

use super::Stop;
use super::common::{Common, Found};
use super::schedule::Ways;
use super::worker::Part;
use crate::engine::explicit::parallel::lock;
use crate::engine::measures::{Meter, memory};
use crate::engine::sampling::Sampler;
use crate::engine::{EngineError, replay};
use crate::outcome::measures::{Measures, Sample, Worker};
use crate::outcome::{Outcome, Statistics, Unknown, Verdict};
use crate::store::Identity;
use crate::system::Machine;

/// The outcome.
pub(super) fn finish(common: Common<'_>, mut parts: Vec<Part<'_>>) -> Result<Outcome, EngineError> {
    let mut found = lock(&common.found);
    if let Some(error) = found.error.take() {
        return Err(error);
    }
    let violations = found.reported();
    let mut initial = Vec::new();
    Machine::with_components(common.program, common.config, common.components.clone()).pack(&mut initial);
    let mut ways = Ways { store: &common.store, parts: &mut parts, initial };
    for noted in violations {
        found.findings.add(ways.violation(noted).ok_or(EngineError::ThreadsTold)?);
    }
    found.findings.final_states.extend(parts.iter_mut().flat_map(|part| std::mem::take(&mut part.final_states)));
    drop(found);
    let mut sampler = Sampler::default();
    parts.iter_mut().for_each(|part| sampler.add(std::mem::take(&mut part.meter.sampler)));
    let statistics = statistics(&common, &mut parts);
    let found = common.found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let branched = parts.iter().any(|part| part.branched);
    let mut machines = parts.into_iter().map(|part| part.machine);
    let mut machine = machines.next().expect("there is a worker");
    for other in machines {
        machine.bound_was_hit = machine.bound_was_hit.or(other.bound_was_hit);
        machine.left_out = machine.left_out.or(other.left_out);
        machine.reached.add(&other.reached);
    }
    let stopped = match found.stopped {
        Some(Stop::Limit(limit)) => Some(limit),
        _ => None,
    };
    let only_execution = match found.findings.verdict(&machine, stopped) {
        (Verdict::Holds, _) if !branched && common.storage.identity == Identity::Exact => {
            let states = statistics.states as usize;
            replay::only_execution(machine.program(), *machine.config(), states, &common.progress.halt)
        }
        _ => None,
    };
    let outcome = found.findings.outcome(&machine, stopped, statistics, only_execution);
    let outcome = match (outcome.verdict, common.storage.identity) {
        (Verdict::Holds, Identity::Hashed) => {
            Outcome { verdict: Verdict::Unknown(Unknown::HashCompaction), complete: false, coverage: None, ..outcome }
        }
        _ => outcome,
    };
    Ok(outcome.with_work(common.program, &sampler))
}

fn statistics(common: &Common<'_>, parts: &mut [Part<'_>]) -> Statistics {
    let last = common.sample();
    let (states, seconds, bytes) = (last.states, last.seconds, last.bytes);
    let of = |part: &Part<'_>| Worker {
        expanded: part.meter.expanded(),
        found: part.states.len() as u64,
        transitions: part.statistics.transitions,
        executions: 0,
        seconds: part.seconds,
    };
    let workers: Vec<_> = parts.iter().map(of).collect();
    let sum = |of: fn(&Statistics) -> u64| parts.iter().map(|part| of(&part.statistics)).sum();
    let max = |of: fn(&Statistics) -> u64| parts.iter().map(|part| of(&part.statistics)).max().unwrap_or_default();
    let mut statistics = Statistics {
        states,
        transitions: sum(|statistics| statistics.transitions),
        max_depth: lock(&common.found).standing.depth,
        bytes_per_state: bytes as f64 / states as f64,
        store_bytes: bytes,
        seconds,
        states_per_second: states as f64 / seconds.max(1e-9),
        flush_choices: sum(|statistics| statistics.flush_choices),
        pending_stores_max: max(|statistics| statistics.pending_stores_max),
        omission_probability: common.store.omission_probability(states),
        components: common.components.len() as u64,
        threads_max: max(|statistics| statistics.threads_max),
        ..Statistics::default()
    };
    statistics.measures = measures(common, parts, last, workers);
    statistics
}

/// What was measured. `last`: how it ended.
fn measures(common: &Common<'_>, parts: &mut [Part<'_>], last: Sample, workers: Vec<Worker>) -> Measures {
    let (bytes, tables) = memory(&common.store, parts.iter().map(|part| &part.states), &common.components);
    let meter = parts.iter_mut().map(|part| std::mem::take(&mut part.meter)).reduce(Meter::with).unwrap_or_default();
    let Found { standing, timeline, .. } = &mut *lock(&common.found);
    Measures {
        samples: std::mem::take(timeline).finish(last),
        levels: std::mem::take(&mut standing.levels),
        matching_rate: meter.matching_rate(last.states),
        known_successors: meter.known_successors(last.states),
        asleep: meter.asleep,
        choices: meter.choices,
        bytes,
        tables,
        lines: meter.lines.map_or_else(Vec::new, |lines| lines.hottest(common.program)),
        workers,
        pending_stores: meter.pending_stores,
    }
}
