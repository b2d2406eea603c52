//! The executions of a class, by what memory holds at their end.
//!
//! The executions of a class may end with different memory: the order of stores that nobody tells apart is
//! left open. Where something depends on that memory, the executions of the class are searched for in which
//! the bytes that matter come last from other writes. Which bytes these are depends on the memory, so that is
//! asked again in each execution.
//!
//! The search asks for a history with one thread more, the *observer*. Its only step reads from a step that
//! each thread takes last, and for which its buffer is empty. What the observer reads besides is what is in
//! memory at the end.

use std::ops::ControlFlow;
use std::rc::Rc;

use rmc_consistency::{Event as HistoryEvent, EventId, EventKind, History, Place, Read, Source, WitnessStep};

use super::clock::Clock;
use super::histories::source;
use super::memory::{Part, Parts};
use super::occurrences::Repeated;
use super::search::Search;
use crate::engine::EngineError;
use crate::engine::stateless::event::{Action, Event};
use crate::engine::stateless::sources::Writer;

/// The object of the places by which the observer comes last. No object of a program has this number.
const LAST: u32 = u32::MAX;

/// The events of an execution.
pub(super) type Events = Vec<Rc<Event>>;

impl Search<'_> {
    /// Visits the executions of the class of some steps, one for each content of the bytes that are looked
    /// at, in which every store is in memory at the end. `steps` is closed under sources. A visit returns the
    /// bytes that it looked at, or ends the search.
    ///
    /// The current execution is the same afterwards, unless a visit ended the search; then the result is the
    /// execution before.
    pub(super) fn for_final_memories(
        &mut self,
        steps: &Clock,
        mut visit: impl FnMut(&mut Self) -> Result<ControlFlow<(), Parts>, EngineError>,
    ) -> Result<Option<Events>, EngineError> {
        let before = self.trace.events();
        let class = self.trace.histories(steps);
        // The execution at hand is the first one.
        let is_at_hand = class == self.trace.histories(&self.trace.clock());
        if is_at_hand {
            self.flush(None)?;
        }
        let mut demands = vec![Parts::new()];
        let mut is_first = is_at_hand;
        while let Some(demanded) = demands.pop() {
            if !std::mem::take(&mut is_first) {
                let history = self.histories.history(&class);
                let Some(events) = self.execution_with_last(history, &demanded)? else { continue };
                self.replay(&events)?;
            }
            if self.stepper.is_halted() {
                break;
            }
            match visit(self)? {
                ControlFlow::Break(()) => return Ok(Some(before)),
                ControlFlow::Continue(looks) => self.demand_others(&demanded, &looks, &mut demands),
            }
        }
        self.replay(&before)?;
        Ok(None)
    }

    /// Makes these events the current execution.
    pub(super) fn replay(&mut self, events: &[Rc<Event>]) -> Result<(), EngineError> {
        let is_taken = self.repeat_common(events)?;
        assert!(is_taken || self.is_over(), "the events of an execution happen");
        Ok(())
    }

    /// Makes these events the current execution, up to the first that is not taken. Returns false if there is
    /// one.
    pub(super) fn repeat_common(&mut self, events: &[Rc<Event>]) -> Result<bool, EngineError> {
        let is_there =
            |&(at, event): &(usize, &Rc<Event>)| at < self.trace.len() && self.trace.event(at).action == event.action;
        let common = events.iter().enumerate().take_while(is_there).count();
        self.trace.discard(common, &mut self.stepper);
        self.trace.note_rebuilt();
        let rest = events[common..].iter().map(|event| Repeated { event: Rc::clone(event), known: None });
        self.repeat_all(rest)
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
                (of as usize, number) != (thread, step)
                    && self.trace.step(of as usize, number).known.facts.past.has(thread, step)
            }
            _ => false,
        };
        !self.trace.writes_to(cell).any(|write| is_later(write.writer))
    }

    /// The events of an execution of a history at whose end these writers have the last word. `None`: there
    /// is none. The current execution has the steps of the history, and others may follow them.
    pub(super) fn execution_with_last(
        &mut self,
        mut history: History,
        demanded: &Parts,
    ) -> Result<Option<Events>, EngineError> {
        let steps: Vec<_> = history.threads.iter().map(|events| events.len() as u32).collect();
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
        Ok(witness.map(|witness| self.events_of(&witness, &steps)))
    }

    /// The first `steps` of each thread in the current execution, and their updates, in the order of a
    /// witness.
    fn events_of(&self, witness: &[WitnessStep], steps: &[u32]) -> Events {
        let is_there = |id: &EventId| steps.get(id.thread as usize).is_some_and(|&count| id.index < count);
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
