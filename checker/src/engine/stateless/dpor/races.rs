//! The races of a complete execution, and their reversals, which are prefixes of other executions.

use std::rc::Rc;

use smallvec::{SmallVec, smallvec};

use super::explain;
use super::exploration::Exploration;
use super::predict_event::predict_event;
use super::reversible::can_come_first;
use super::sequence::{self, Initial, Sequence};
use crate::engine::stateless::bits::Bits;
use crate::engine::stateless::event::Event;
use crate::engine::stateless::execution::{Execution, Race, Reversal};
use crate::engine::stateless::learned::Learned;
use crate::engine::stateless::prefix::Prefix;
use crate::engine::stateless::stepper::Stepper;
use crate::outcome::Statistics;
use crate::system::EnablingRelease;

impl Exploration {
    /// Plans the reversal of every race of the execution. `waiting` are steps that could not be taken at its
    /// end.
    ///
    /// Races that an earlier execution had are reversed again: events that do not depend on the first event
    /// continue to the end of this execution, and may be different here (Abdulla et al., POPL 2014, algorithm
    /// 2). Reversing a race only once misses executions (`tests/programs/traces/races_again.c`). Races that
    /// are covered are not reversed again: see `sequence.rs`.
    pub fn reverse_races(
        &mut self,
        stepper: &mut Stepper<'_>,
        learned: &mut Learned,
        statistics: &mut Statistics,
        waiting: Vec<Rc<Event>>,
    ) {
        self.note_new_events();
        for race in 0..self.prefix.execution.races().len() {
            if stepper.is_halted() {
                return;
            }
            if !self.is_known_reversed(self.prefix.execution.races()[race].reversal) {
                self.reverse(race, stepper, learned, statistics);
            }
        }
        // An attempt at the end is treated as the last event of the execution. Every conflict with it is a
        // race.
        for event in waiting {
            let known = self.prefix.execution.races().len();
            self.prefix.execution.push(event);
            for race in known..self.prefix.execution.races().len() {
                if !stepper.is_halted() {
                    self.reverse(race, stepper, learned, statistics);
                }
            }
            self.prefix.execution.pop();
        }
        self.note_reversed();
    }

    /// Prepares for the reversal of the races of the execution.
    pub(super) fn note_new_events(&mut self) {
        self.before_new = self.prefix.execution.common_past(self.first_new);
    }

    /// Records that all races of the execution are reversed.
    pub(super) fn note_reversed(&mut self) {
        self.first_new = self.prefix.execution.len();
    }

    /// True if reversing a race again would plan nothing new. A plan of the last execution that has events up
    /// to position `reach` is the same in this execution if all new events happen after it.
    #[inline]
    pub(super) fn is_known_reversed(&self, reversal: Reversal) -> bool {
        match reversal {
            Reversal::Impossible | Reversal::Covered => true,
            Reversal::Planned { before, reach } => {
                (reach as usize) < self.first_new && self.before_new.contains(before as usize)
            }
            Reversal::Open | Reversal::InSeveralPlaces => false,
        }
    }

    /// Plans executions in which an event comes before the one with which it races. If it would have to wait
    /// there, it is planned before an earlier event.
    fn reverse(&mut self, race: usize, stepper: &mut Stepper<'_>, learned: &mut Learned, statistics: &mut Statistics) {
        let Race { first, second, reversal } = self.prefix.execution.races()[race];
        let second = second as usize;
        let places = match reversal {
            Reversal::Planned { before, .. } => smallvec![before as usize],
            _ => places_for(&self.prefix, stepper, learned, first as usize, second),
        };
        statistics.races_reversed += places.len() as u64;
        let plans = places.iter().map(|&before| self.plan(before, second, stepper, learned));
        let reversals: SmallVec<[Reversal; 2]> = plans.collect();
        if explain::is_on() {
            explain::race(self, stepper, [first as usize, second], &places, &reversals);
        }
        let reversal = match reversals[..] {
            [] => Reversal::Impossible,
            [one] => one,
            _ if reversals.iter().all(|reversal| matches!(reversal, Reversal::Covered)) => Reversal::Covered,
            _ => Reversal::InSeveralPlaces,
        };
        self.prefix.execution.set_reversal(race, reversal);
    }

    /// Plans the second event before the first, after all events that do not depend on the first.
    fn plan(&mut self, first: usize, second: usize, stepper: &mut Stepper<'_>, learned: &mut Learned) -> Reversal {
        let ending = predict_event(&self.prefix, stepper, learned, first, second);
        let (reversal, differs) = self.plan_ending(first, second, ending);
        let event = self.prefix.execution.event(second);
        let place = event.place().filter(|_| differs && !event.ends());
        place.into_iter().for_each(|place| learned.varies_at(place));
        reversal
    }

    /// Plans the second event, predicted as `ending`, before the first one. Returns the reversal of the race,
    /// and true if the step of the second event was met elsewhere with another effect.
    pub(super) fn plan_ending(&mut self, first: usize, second: usize, ending: Rc<Event>) -> (Reversal, bool) {
        let execution = &self.prefix.execution;
        let (tree, sleep) = self.stack.plans(first);
        let is_as_it_was = Rc::ptr_eq(&ending, execution.event(second));
        if !self.is_source && is_as_it_was && sequence::is_covered(execution, first, second, sleep) {
            return (Reversal::Covered, false);
        }
        let mut sequence = Sequence::reversing(execution, first, second, ending);
        let reach = sequence.reach();
        let initial = if self.is_source {
            sequence.insert_initial(tree, sleep);
            Initial::Other
        } else {
            sequence.asleep(sleep).unwrap_or_else(|| sequence.insert(tree, sleep))
        };
        let reversal = match initial {
            Initial::Required => Reversal::Covered,
            Initial::Other => Reversal::Planned { before: first as u32, reach: reach as u32 },
        };
        (reversal, sequence.differs())
    }
}

/// The last position, from that of the first event of a race downwards, before which the second event may
/// come. Events after the second one do not matter.
///
/// If that is not the position of the first event, the list has further positions: the last one before it
/// whose event does not happen-before the event there, and so on. The event that made the second one wait may
/// be earlier, and events in between may only decide how the second one continues. For example, a signal
/// makes a wait continue that would have timed out (`tests/programs/sync/signal_during_section.c`).
fn places_for(
    prefix: &Prefix,
    stepper: &mut Stepper<'_>,
    learned: &Learned,
    first: usize,
    second: usize,
) -> SmallVec<[usize; 2]> {
    let execution = &prefix.execution;
    let event = execution.event(second);
    let mut places = SmallVec::new();
    let mut at = first;
    let mut open = None;
    loop {
        let release = execution.event(at).enabling_release(event);
        let is_possible = release.is_none()
            && !is_in_section_of_other(prefix, stepper, at, event)
            && (!may_wait_before(event, learned) || can_come_first(prefix, stepper, at, second));
        if is_possible {
            places.push(at);
            if at == first {
                return places;
            }
        }
        let open = open.get_or_insert_with(|| could_race(execution, second));
        if is_possible || release == Some(EnablingRelease::End) {
            open.subtract(execution.past(at));
        }
        open.cut(at);
        let Some(earlier) = last_race(execution, open, event) else { return places };
        at = earlier;
    }
}

/// The positions of events before one with which it may conflict, and before which its own thread would let
/// it come.
fn could_race(execution: &Execution, second: usize) -> Bits {
    let mut open = execution.candidates(execution.event(second), second);
    open.keep(execution.past(second));
    // It cannot come before its predecessors in its thread, nor before their pasts.
    let previous = execution.previous_of(second);
    previous.iter().for_each(|&at| open.subtract(execution.past(at)));
    open
}

/// The last of some positions at which an event conflicts with this one and program order does not order
/// them. Removes the positions that were looked at.
fn last_race(execution: &Execution, open: &mut Bits, event: &Event) -> Option<usize> {
    loop {
        let at = open.take_highest()?;
        if !execution.event(at).is_ordered_by_program(event) && execution.conflict(at, event) {
            return Some(at);
        }
    }
}

/// True if another thread than that of an event is in an atomic section before a position.
fn is_in_section_of_other(prefix: &Prefix, stepper: &Stepper<'_>, at: usize, event: &Event) -> bool {
    let first = prefix.execution.event(at);
    first.in_section() && first.action.thread != event.action.thread && stepper.is_in_section(prefix.state(at))
}

/// True if an event may have to wait before another one: at an instruction that may wait, or because it would
/// have no violation there and might reach an instruction that waits.
fn may_wait_before(event: &Event, learned: &Learned) -> bool {
    let may_block = |place| event.ends() || learned.may_block.contains(&place);
    event.place().is_some_and(may_block)
}
