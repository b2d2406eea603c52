//! Prediction of the event that a step will be at the place where a plan puts it.
//!
//! A race is reversed by a sequence at whose end the later step comes without the earlier one. There the step
//! may have another effect than in the execution that had the race: a compare-exchange that failed may store,
//! a step with a violation may go on. Two things depend on the conflicts of the step: whether the sequence is
//! new, and which later sequences it covers (Abdulla et al., POPL 2014, section 5.1: happens-before of the
//! sequence itself, its last event included). A wrong prediction makes the search miss executions, or explore
//! some twice: `tests/programs/traces/other_in_another_place.c`.
//!
//! Running every step where it is planned would cost as much as exploring it. Most steps have the same effect
//! everywhere. Steps with violations are run. Other instructions whose steps vary are learned, and the search
//! then starts over. An instruction varies
//!
//! * if two of its steps touched things of different kinds, one of them only reading, for example
//!   ([`Learned::observe`]);
//! * if a planned step and one explored from the same state are the same step, and had different effects;
//! * if a step at the end of a planned sequence has another effect than planned.
//!
//! A step at such an instruction is run if an event that wrote to its footprint is no longer to come before
//! it.

use std::rc::Rc;

use super::reversible::state_before;
use crate::engine::stateless::event::Event;
use crate::engine::stateless::execution::Execution;
use crate::engine::stateless::learned::Learned;
use crate::engine::stateless::prefix::Prefix;
use crate::engine::stateless::step_cache::StepResult;
use crate::engine::stateless::stepper::Stepper;

/// The event at position `second` as it will be before the one at position `first`, after all events that do
/// not depend on the first.
pub(super) fn predict_event(
    prefix: &Prefix,
    stepper: &mut Stepper<'_>,
    learned: &Learned,
    first: usize,
    second: usize,
) -> Rc<Event> {
    let execution = &prefix.execution;
    let event = Rc::clone(execution.event(second));
    let Some(place) = event.place() else { return event };
    let varies = || learned.footprint_varies.contains(&place) && may_be_changed(execution, first, second);
    if !event.ends() && !varies() {
        return event;
    }
    let Some((state, _)) = state_before(prefix, stepper, first, second) else { return event };
    match stepper.cached_next(state, event.action.thread) {
        Some(cached) if matches!(cached.result, StepResult::Waits(_)) => event,
        Some(cached) => execution.with_own_stores(Rc::clone(&cached.event), cached.event.pushed().start),
        None => stepper.try_step(prefix, state, event.action.thread).unwrap_or(event),
    }
}

/// True if the event at position `first`, or one between it and `second` that depends on it, wrote to the
/// footprint of the second event.
fn may_be_changed(execution: &Execution, first: usize, second: usize) -> bool {
    let event = execution.event(second);
    let writes = |at: usize| {
        let mut written = execution.event(at).footprint.iter().filter(|touch| touch.write);
        written.any(|touch| event.footprint.iter().any(|own| own.overlaps(touch)))
    };
    let depends = |&at: &usize| execution.happens_before(first, at);
    writes(first) || execution.past(second).positions().filter(depends).any(writes)
}

/// Learns that an instruction varies, if its step at the end of a planned sequence is not as planned.
pub(super) fn note_prediction(execution: &Execution, planned: &Event, event: &Rc<Event>, learned: &mut Learned) {
    let Some(place) = event.place() else { return };
    let event = execution.with_own_stores(Rc::clone(event), event.pushed().start);
    if !event.has_same_conflicts(planned) {
        learned.varies_at(place);
    }
}
