//! What a step will be where a plan puts it.
//!
//! A race is reversed by a sequence at whose end the later step comes without the earlier one. There it may do something else than in the execution that had the
//! race: a compare-exchange that failed may store, a step that went wrong may go on. Whether the sequence is new, and which later ones are nothing new beside
//! it, depends on what the step will conflict with (Abdulla et al., POPL 2014, section 5.1: happens-before of the sequence itself, its last event included).
//! Wrong about that, the engine misses executions, or explores some twice: `tests/programs/traces/other_in_another_place.c`.
//!
//! To try every step where it is planned would cost as much as to explore it. Most steps do the same everywhere. Those that went wrong are tried; which
//! others do not is learned: when a step at the end of a planned sequence does something else than expected, its instruction is one whose steps are tried from
//! then on, and if it conflicts with more than expected the exploration starts over.

use std::rc::Rc;

use super::event::{Event, Label};
use super::search::Search;
use crate::system::{StepEnd, Touch};

impl Search<'_> {
    /// The event at position `second` as it will be before the one at position `first`, after what does not depend on that.
    pub(super) fn foretell(&mut self, first: usize, second: usize) -> Rc<Event> {
        let event = Rc::clone(self.execution.event(second));
        let may_differ = event.ends || self.varying.contains(&event.place);
        if event.label.store.is_some() || !may_differ || self.go_before(first, second).is_none() {
            return event;
        }
        self.try_step(event.label).unwrap_or(event)
    }

    /// What the next step of a thread would be in the state the machine is in: with the first answers with which it need not wait, and what it touches with
    /// others. `None`: it has to wait.
    fn try_step(&mut self, Label { thread, .. }: Label) -> Option<Rc<Event>> {
        if !self.machine.schedulable_threads().any(|other| other == thread) {
            return None;
        }
        let mut before = Vec::new();
        self.machine.pack(&mut before);
        let (place, pushed) = (self.machine.position(thread), self.machine.pushed(thread));
        let mut found: Option<Event> = None;
        let mut others: Vec<Touch> = Vec::new();
        self.machine.script.clear();
        loop {
            let end = self.machine.step(thread);
            let ends = end != StepEnd::Done;
            if end == StepEnd::Blocked || found.is_some() {
                others.extend_from_slice(self.machine.touched());
            } else {
                let step = Event::step(&self.machine, thread, place, ends);
                let pushed = pushed..self.machine.pushed(thread);
                found = Some(Event { pushed, fenced: step.fenced || ends, ..step });
            }
            if !self.machine.script.advance() {
                break;
            }
            self.machine.unpack(&before);
        }
        let event = self.execution.with_own_stores(Rc::new(found?), pushed);
        Some(event.touching(&others))
    }

    /// Takes note if a step at the end of a planned sequence is not what was planned.
    pub(super) fn compare(&mut self, planned: &Event, event: &Rc<Event>) {
        if event.label.store.is_some() {
            return;
        }
        let event = self.execution.with_own_stores(Rc::clone(event), event.pushed.start);
        if !event.does_as(planned) {
            let is_new = self.varying.insert(event.place);
            self.learned |= is_new && !planned.foresees(&event);
        }
    }
}

impl Event {
    /// Whether a step conflicts with the same as another one.
    fn does_as(&self, other: &Self) -> bool {
        self.touches == other.touches && self.cuts_off == other.cuts_off && self.in_section == other.in_section
    }

    /// Whether whatever conflicts with another event conflicts with this one.
    fn foresees(&self, other: &Self) -> bool {
        let covers = |mine: &Touch, its: &Touch| {
            let contains = mine.object == its.object
                && mine.offset <= its.offset
                && its.offset + its.len <= mine.offset + mine.len;
            contains && (mine.write || !its.write && mine.own == its.own)
        };
        let is_foreseen = |its: &Touch| self.touches.iter().any(|mine| covers(mine, its));
        let section = self.in_section || !other.in_section;
        self.cuts_off || !other.cuts_off && section && other.touches.iter().all(is_foreseen)
    }
}
