//! The result of a search from those of its workers.

use crate::engine::EngineError;
use crate::engine::stateless::reads_from::run::End;
use crate::outcome::Statistics;
use crate::outcome::measures::Measures;

/// The result of a search from those of its workers, the first worker's first. An error counts if no
/// violation was found with which the search ends.
pub fn merged(ends: Vec<Result<End<'_>, EngineError>>) -> Result<End<'_>, EngineError> {
    let (mut error, mut all) = (None, None);
    for end in ends {
        match end {
            Err(found) => error = error.or(Some(found)),
            Ok(end) => {
                all = Some(match all {
                    None => end,
                    Some(all) => both(all, end),
                });
            }
        }
    }
    match (all, error) {
        (Some(all), None) => Ok(all),
        (Some(all), Some(_)) if all.results.findings.is_enough() => Ok(all),
        (_, error) => Err(error.expect("a worker ended")),
    }
}

/// The results of two workers.
fn both<'p>(mut one: End<'p>, other: End<'p>) -> End<'p> {
    one.machine.tally.add(&other.machine.tally);
    let results = other.results;
    one.results.statistics = sum(std::mem::take(&mut one.results.statistics), results.statistics);
    one.results.findings.absorb(results.findings);
    one.results.stopped = one.results.stopped.or(results.stopped);
    one.results.was_cut |= results.was_cut;
    one.meter.add(other.meter);
    one.ran_out |= other.ran_out;
    one.contested.extend(other.contested);
    one.is_incomplete |= other.is_incomplete;
    one
}

/// The counts of two workers.
fn sum(one: Statistics, other: Statistics) -> Statistics {
    let either =
        |one: Option<u64>, other: Option<u64>| one.zip(other).map(|(one, other)| one + other).or(one).or(other);
    let histories = match (one.histories, other.histories) {
        (Some(one), Some(other)) => Some(one.with(other)),
        (one, other) => one.or(other),
    };
    Statistics {
        executions: one.executions + other.executions,
        blocked_executions: one.blocked_executions + other.blocked_executions,
        deadlocked_executions: one.deadlocked_executions + other.deadlocked_executions,
        await_blocked_executions: one.await_blocked_executions + other.await_blocked_executions,
        endless_executions: one.endless_executions + other.endless_executions,
        bound_blocked_executions: one.bound_blocked_executions + other.bound_blocked_executions,
        assumption_blocked_executions: one.assumption_blocked_executions + other.assumption_blocked_executions,
        reads_from_classes: either(one.reads_from_classes, other.reads_from_classes),
        histories,
        events: one.events + other.events,
        max_depth: one.max_depth.max(other.max_depth),
        components: one.components + other.components,
        store_bytes: one.store_bytes + other.store_bytes,
        threads_max: one.threads_max.max(other.threads_max),
        measures: measures(one.measures, other.measures),
        ..one
    }
}

/// The measures of the work of two workers.
fn measures(mut one: Measures, other: Measures) -> Measures {
    for share in other.bytes {
        match one.bytes.iter_mut().find(|known| known.what == share.what) {
            Some(known) => known.bytes += share.bytes,
            None => one.bytes.push(share),
        }
    }
    one.workers.extend(other.workers);
    one
}
