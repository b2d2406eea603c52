//! Test whether an event of the execution could come earlier, in states that need not be in the execution.
//!
//! The thread of the event may have taken many steps since the event before which its step is to come. None
//! of them depends on that event. All of them are taken again first.

use std::rc::Rc;

use crate::engine::stateless::prefix::Prefix;
use crate::engine::stateless::state_cache::StateId;
use crate::engine::stateless::step_cache::{CachedStep, StepResult};
use crate::engine::stateless::stepper::Stepper;

/// True if the step of the second event can be taken before the first event, after all events that do not
/// depend on the first.
pub(super) fn can_come_first(prefix: &Prefix, stepper: &mut Stepper<'_>, first: usize, second: usize) -> bool {
    let Some((state, between)) = state_before(prefix, stepper, first, second) else { return false };
    let thread = prefix.execution.event(second).action.thread;
    match stepper.cached_next(state, thread).as_deref() {
        Some(CachedStep { result: StepResult::Waits(_), .. }) => false,
        Some(CachedStep { result: StepResult::Ends(_), .. }) => true,
        Some(cached) if cached.leads_on() => true,
        _ => stepper.could_step(prefix, state, thread, |at| at < first || between.binary_search(&at).is_ok()),
    }
}

/// The state from which the second event can come before the first, and the positions of the events after the
/// first that lead to that state: those that happen-before the second and do not depend on the first. The
/// result is `None` if one of them has to wait.
pub(super) fn state_before(
    prefix: &Prefix,
    stepper: &mut Stepper<'_>,
    first: usize,
    second: usize,
) -> Option<(StateId, Vec<usize>)> {
    let execution = &prefix.execution;
    let matters = |at: usize| execution.happens_before(at, second) && !execution.happens_before(first, at);
    let between: Vec<_> = (first + 1..second).filter(|&at| matters(at)).collect();
    let mut state = prefix.state(first);
    for &at in &between {
        if stepper.is_halted() {
            return None;
        }
        let event = Rc::clone(execution.event(at));
        state = stepper.follow(state, &event)?;
    }
    Some((state, between))
}
