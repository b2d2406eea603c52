//! Executions of a class in which threads wait for ever.
//!
//! The executions of a class may end with different memory: the order of stores that nobody tells apart is
//! left open. A thread that waits in a loop to the end goes on, or waits for ever, depending on that order.
//! So where threads wait, and can go on with the memory of the execution that was found, others of the class
//! are searched for: those in which the bytes that the loops read come last from other writes. Which bytes
//! these are depends on the memory, so the threads are run by themselves in each execution.
//!
//! The search asks for a history with one thread more, the *observer*. Its only step reads from a step that
//! each thread takes last, and for which its buffer is empty. What the observer reads besides is what is in
//! memory at the end.
//!
//! Tests: `tests/programs/awaits/own_store_last.c`, `old_value_in_round.c`, and random programs with waiting
//! loops in `tests/tests/reads_from.rs`.

use std::rc::Rc;

use rmc_consistency::{Event as HistoryEvent, EventId, EventKind, Place, Read, Source, WitnessStep};

use super::histories::source;
use super::memory::{Part, Parts};
use super::search::Search;
use crate::engine::EngineError;
use crate::engine::stateless::event::{Action, Event};
use crate::engine::stateless::sources::Writer;
use crate::engine::stateless::termination;
use crate::system::ProgressCheck;

/// The object of the places by which the observer comes last. No object of a program has this number.
const LAST: u32 = u32::MAX;

/// The end of a class in which threads wait.
pub(super) struct WaitingEnd {
    /// The progress that is possible at the end of the current execution.
    pub progress: ProgressCheck,
    /// The events of the execution before, if another one is the current one now. They are to be put back.
    pub before: Option<Vec<Rc<Event>>>,
}

impl Search<'_> {
    /// Searches for an execution of the class of the current one that ends in a deadlock, or, if a thread
    /// would end the process, in which no other one can go on. If there is one, it becomes the current one.
    pub(super) fn find_waiting(&mut self, exits: bool) -> Result<WaitingEnd, EngineError> {
        let is_sought = |progress| match progress {
            ProgressCheck::Deadlock => true,
            ProgressCheck::CanProgress => false,
            ProgressCheck::Endless | ProgressCheck::Open | ProgressCheck::Undecided => exits,
        };
        let mut looks = Vec::new();
        let first = termination::progress(&mut self.stepper, &self.trace.prefix, Some(&mut looks));
        let mut demands = Vec::new();
        if !is_sought(first) {
            self.demand_others(&Parts::new(), &self.trace.reads_in(&looks), &mut demands);
        }
        let mut before = None;
        while let Some(demanded) = demands.pop() {
            let Some(events) = self.execution_with_last(&demanded)? else { continue };
            before.get_or_insert_with(|| self.trace.events());
            self.replay(&events)?;
            looks.clear();
            let progress = termination::progress(&mut self.stepper, &self.trace.prefix, Some(&mut looks));
            if is_sought(progress) {
                return Ok(WaitingEnd { progress, before });
            }
            if self.stepper.is_halted() {
                break;
            }
            self.demand_others(&demanded, &self.trace.reads_in(&looks), &mut demands);
        }
        if let Some(events) = before {
            self.replay(&events)?;
        }
        Ok(WaitingEnd { progress: first, before: None })
    }

    /// Makes these events the current execution.
    pub(super) fn replay(&mut self, events: &[Rc<Event>]) -> Result<(), EngineError> {
        let is_there =
            |&(at, event): &(usize, &Rc<Event>)| at < self.trace.len() && self.trace.event(at).action == event.action;
        let common = events.iter().enumerate().take_while(is_there).count();
        self.trace.truncate(common, &mut self.stepper);
        for event in &events[common..] {
            let is_taken = self.repeat(event.action, event.answers())?;
            assert!(is_taken || self.stepper.is_halted(), "the events of an execution happen");
        }
        Ok(())
    }

    /// Adds demands for other last writers of the bytes that are read. Bytes that are read before others keep
    /// their last writer, so no two demands are met by one execution.
    fn demand_others(&self, demanded: &Parts, reads: &Parts, demands: &mut Vec<Parts>) {
        let mut known = demanded.clone();
        for part in reads {
            for cell in self.trace.cells(part.place, &[]) {
                if known.iter().any(|part| part.place.overlaps(cell)) {
                    continue;
                }
                let writes = self.trace.writes_to(cell);
                let others = writes.map(|write| write.writer).filter(|&writer| writer != part.writer);
                for writer in others.filter(|&writer| self.may_be_last(writer, cell)) {
                    let other = Part { place: cell, writer, is_open: true };
                    demands.push(known.iter().copied().chain([other]).collect());
                }
                known.push(Part { place: cell, ..*part });
            }
        }
    }

    /// False if another write to a cell comes after one of these in every execution of the class.
    fn may_be_last(&self, writer: Writer, cell: Place) -> bool {
        let Some((thread, step)) = self.trace.step_of(writer) else { return false };
        let is_later = |other: Writer| match (writer, other) {
            (Writer::Store(of, one), Writer::Store(other, another)) => of == other && one < another,
            (Writer::Step(..), Writer::Step(of, number)) => {
                (of as usize, number) != (thread, step) && self.trace.step(of as usize, number).past.has(thread, step)
            }
            _ => false,
        };
        !self.trace.writes_to(cell).any(|write| is_later(write.writer))
    }

    /// The events of an execution of the current class at whose end these writers have the last word. `None`:
    /// there is none.
    fn execution_with_last(&mut self, demanded: &Parts) -> Result<Option<Vec<Rc<Event>>>, EngineError> {
        let mut history = self.histories.history(&self.trace.histories(&self.trace.clock()));
        let mut observer = HistoryEvent::of(EventKind::Plain);
        for (thread, events) in (0..).zip(&mut history.threads) {
            let place = Place::new(LAST, thread, 1);
            let last = EventId::new(thread, events.len() as u32);
            events.push(HistoryEvent { at_once: [place].into_iter().collect(), ..HistoryEvent::of(EventKind::Fence) });
            observer.reads.push(Read { place, source: Source::AtOnce(last) });
        }
        let last =
            demanded.iter().map(|part| Read { place: part.place, source: source(self.trace.writer(part.writer)) });
        observer.reads.extend(last);
        history.threads.push(vec![observer]);
        let last = Rc::clone(self.trace.event(self.trace.len() - 1));
        let witness = self.witness(&last, &history)?;
        Ok(witness.map(|witness| self.events_of(&witness)))
    }

    /// The events of the current execution in the order of a witness.
    fn events_of(&self, witness: &[WitnessStep]) -> Vec<Rc<Event>> {
        let is_there = |id: &EventId| id.index < self.trace.count(id.thread as usize);
        let step = |id: EventId| self.trace.event(self.trace.step(id.thread as usize, id.index).position);
        let updates = (0..self.trace.len()).map(|at| self.trace.event(at)).filter(|event| event.is_update());
        let updates: Vec<_> = updates.collect();
        let event = |&step_of_witness: &WitnessStep| match step_of_witness {
            WitnessStep::Event(id) => is_there(&id).then(|| Rc::clone(step(id))),
            WitnessStep::Arrival { event: id, write } => {
                let action = Action::update(id.thread as usize, step(id).pushed().start + write);
                updates.iter().find(|event| event.action == action).map(|&event| Rc::clone(event))
            }
        };
        witness.iter().filter_map(event).collect()
    }
}
