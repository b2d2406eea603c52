//! What a step will be where a plan puts it.
//!
//! A race is reversed by a sequence at whose end the later step comes without the earlier one. There it may do something else than in the execution that had the
//! race: a compare-exchange that failed may store, a step that went wrong may go on. Whether the sequence is new, and which later ones are nothing new beside
//! it, depends on what the step will conflict with (Abdulla et al., POPL 2014, section 5.1: happens-before of the sequence itself, its last event included).
//! Wrong about that, the engine misses executions, or explores some twice: `tests/programs/traces/other_in_another_place.c`.
//!
//! To try every step where it is planned would cost as much as to explore it. Most steps do the same everywhere. Those that went wrong are tried; which
//! others do not is learned, and the exploration then starts over: an instruction varies
//!
//! * if two of its steps were seen of which only one wrote, say (`Shape`);
//! * if a step that is planned and one explored from the same state are the same step, and did not do the same;
//! * if a step at the end of a planned sequence does something else than planned.
//!
//! Of those, a step is tried if something wrote to what it touched and is not to come before it any more.

use std::rc::Rc;

use super::memo::Sequel;
use super::search::Search;
use crate::engine::stateless::event::{Event, Label};
use crate::ir::ids::{FuncId, Pc};
use crate::system::{Commuting, FootprintEntry, StepEnd};

/// What kinds of things a step read and wrote: a bit per kind, memory among them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    reads: u128,
    writes: u128,
    /// How its first write that commutes with others does so.
    commuting: Option<std::mem::Discriminant<Commuting>>,
    in_section: bool,
}

impl Search<'_> {
    /// The event at position `second` as it will be before the one at position `first`, after what does not depend on that.
    pub(super) fn foretell(&mut self, first: usize, second: usize) -> Rc<Event> {
        let event = Rc::clone(self.execution.event(second));
        let may_differ = event.ends || self.varying.contains(&event.place) && self.may_be_changed(first, second);
        if event.label.store.is_some() || !may_differ {
            return event;
        }
        let Some((state, _)) = self.state_before(first, second) else { return event };
        match self.known_next(state, event.label.thread) {
            Some(known) if matches!(known.sequel, Sequel::Waits(_)) => event,
            Some(known) => self.execution.with_own_stores(Rc::clone(&known.event), known.event.pushed.start),
            None => {
                self.go_to(state);
                self.try_step(event.label).unwrap_or(event)
            }
        }
    }

    /// Whether the event at position `first`, or one between it and `second` that depends on it, wrote to what the event there touched.
    fn may_be_changed(&self, first: usize, second: usize) -> bool {
        let event = self.execution.event(second);
        let writes = |at: usize| {
            let changed = self.execution.event(at).touches.iter().filter(|touch| touch.write);
            changed.into_iter().any(|touch| event.touches.iter().any(|mine| mine.overlaps(touch)))
        };
        let matters = |&at: &usize| self.execution.happens_before(first, at);
        writes(first) || self.execution.past(second).positions().filter(matters).any(writes)
    }

    /// Takes note of what a step did, to learn whether its instruction does this or that.
    pub(super) fn note_shape(&mut self, event: &Event) {
        // An update has no instruction.
        if event.label.store.is_some() || event.touches.is_empty() || event.ends {
            return;
        }
        let shape = event.shape();
        if *self.shapes.entry(event.place).or_insert(shape) != shape {
            self.varies(event.place);
        }
    }

    /// Takes note that steps at an instruction may do this or that: what was planned before may be wrong.
    pub(super) fn varies(&mut self, place: (FuncId, Pc)) {
        self.learned |= self.varying.insert(place);
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
        let mut others: Vec<FootprintEntry> = Vec::new();
        self.machine.script.clear();
        loop {
            let report = self.machine.step(thread);
            let ends = report.end != StepEnd::Done;
            if matches!(report.end, StepEnd::Blocked | StepEnd::ExitsLast) || found.is_some() {
                others.extend_from_slice(&report.footprint);
            } else {
                let step = Event::step(&self.machine, &report, thread, place, ends);
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
            self.varies(event.place);
        }
    }
}

impl Event {
    fn shape(&self) -> Shape {
        let kinds = |write| {
            let touches = self.touches.iter().filter(|touch| touch.write == write && !touch.imagined);
            touches.fold(0, |kinds, touch| kinds | 1 << touch.kind())
        };
        let commuting = self.touches.iter().find_map(|touch| touch.commuting.as_ref().map(std::mem::discriminant));
        Shape { reads: kinds(false), writes: kinds(true), commuting, in_section: self.in_section }
    }

    /// Whether a step conflicts with the same as another one.
    pub(super) fn does_as(&self, other: &Self) -> bool {
        self.touches == other.touches && self.cuts_off == other.cuts_off && self.in_section == other.in_section
    }
}
