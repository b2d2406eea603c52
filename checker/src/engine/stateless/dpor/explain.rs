//! Messages about the search, with `-vv`: executions that ended, races that are reversed, plans, sleeping
//! events.
//!
//! These functions are called only if [`is_on`]. Its check is a load and a comparison, once for each
//! execution and each race that is reversed, never within happens-before. Names are those of the source.

use std::fmt::Write;
use std::rc::Rc;

use super::exploration::Exploration;
use super::wakeup::Branch;
use crate::engine::stateless::event::Event;
use crate::engine::stateless::execution::Reversal;
use crate::engine::stateless::learned::Learned;
use crate::engine::stateless::stepper::Stepper;
use crate::system::{FootprintEntry, Machine};

/// The target of the messages.
pub(super) const TARGET: &str = "dpor";

/// True if the search is to be explained.
#[inline]
pub(super) fn is_on() -> bool {
    log::log_enabled!(target: TARGET, log::Level::Debug)
}

/// Reports an execution whose races are about to be reversed. `waiting` is the number of steps that could not
/// be taken at its end.
#[cold]
pub(super) fn execution(exploration: &Exploration, stepper: &Stepper<'_>, waiting: usize) {
    let execution = &exploration.prefix.execution;
    log::debug!(target: TARGET, "execution of {} events, {waiting} threads wait at its end", execution.len());
    for at in 0..execution.len() {
        log::debug!(target: TARGET, "  {at}: {}", name(&stepper.machine, execution.event(at)));
    }
}

/// Reports a race that was reversed: the second event is planned before the events at these places.
#[cold]
pub(super) fn race(
    exploration: &Exploration,
    stepper: &Stepper<'_>,
    [first, second]: [usize; 2],
    places: &[usize],
    reversals: &[Reversal],
) {
    log::debug!(target: TARGET, "race of {first} and {second}: {}", name(&stepper.machine, exploration.prefix.execution.event(second)));
    if places.is_empty() {
        log::debug!(target: TARGET, "  cannot be reversed");
    }
    for (&before, reversal) in places.iter().zip(reversals) {
        let executions =
            if matches!(reversal, Reversal::Covered) { "every execution with it" } else { "this execution" };
        log::debug!(target: TARGET, "  second before {before}: planned or explored, for {executions}");
        let sleep = exploration.stack.sleep_set(before);
        if !sleep.is_empty() {
            log::debug!(target: TARGET, "    asleep at {before}: {}", names(&stepper.machine, sleep.iter()));
        }
        for branch in exploration.stack.tree(before) {
            log::debug!(target: TARGET, "    planned at {before}: {}", plan(&stepper.machine, branch));
        }
    }
}

/// Reports that the search starts over.
pub(super) fn start_over(why: &str, learned: &Learned) {
    let (may_block, varies) = (learned.may_block.len(), learned.footprint_varies.len());
    log::info!(
        target: TARGET,
        "the search starts over: {why} (instructions that may wait: {may_block}, that vary: {varies})"
    );
}

/// The events of a branch up to its first fork.
fn plan(machine: &Machine<'_>, branch: &Branch) -> String {
    let events = (0..).map_while(|passed| branch.event_behind(passed)).map(|planned| &planned.event);
    names(machine, events)
}

fn names<'e>(machine: &Machine<'_>, events: impl Iterator<Item = &'e Rc<Event>>) -> String {
    let names: Vec<_> = events.map(|event| name(machine, event)).collect();
    names.join("; ")
}

/// An event: its thread, its line or store, and its footprint.
fn name(machine: &Machine<'_>, event: &Event) -> String {
    let mut text = format!("thread {}", event.action.thread);
    if let Some(place) = event.place() {
        let place = machine.program().first_place(&[place]);
        let _ = if place.line > 0 { write!(text, " at {}:{}", place.file, place.line) } else { Ok(()) };
    }
    if let Some(store) = event.action.store {
        let _ = write!(text, " updates store {store}");
    }
    for touch in event.footprint.iter().filter(|touch| !touch.hypothetical && !touch.is_no_memory()) {
        let _ = write!(text, ", {} {}", access(touch), machine.touch_name(touch));
    }
    text
}

fn access(touch: &FootprintEntry) -> &'static str {
    if touch.write { "writes" } else { "reads" }
}
