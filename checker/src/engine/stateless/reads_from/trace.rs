//! The current execution, with the histories of its threads, the causal past of each step, and the writer
//! of each byte of memory.

use std::rc::Rc;

use rmc_consistency::{EventId, Place, Read, Source};
use smallvec::SmallVec;

use super::accesses::Accesses;
use super::clock::Clock;
use super::histories::{Histories, HistoryId, StoreOrigin};
use super::memory::{Memory, Part, Parts, Writes, merged};
use super::node::Reads;
use crate::engine::stateless::event::{Action, Event};
use crate::engine::stateless::prefix::Prefix;
use crate::engine::stateless::sources::Writer;
use crate::engine::stateless::state_cache::StateId;
use crate::engine::stateless::stepper::Stepper;

/// A step of the execution.
pub struct Step {
    /// Its position among the events.
    pub position: usize,
    /// The history of its thread with it.
    pub history: HistoryId,
    /// The steps on which it depends, with itself: those before it in its thread, and those that wrote what
    /// they or it read, and so on.
    pub past: Clock,
}

#[derive(Default)]
struct Thread {
    steps: Vec<Step>,
    /// The step of each buffered store, and its number there.
    stores: Vec<StoreOrigin>,
    /// The step that created the thread, and the place that stands for it.
    creation: Option<(usize, u32, Place)>,
}

/// What an event changed, to be undone.
#[derive(Default)]
struct Undo {
    objects: SmallVec<[(u32, Parts); 1]>,
    writes: SmallVec<[u32; 1]>,
}

/// The current execution.
pub struct Trace {
    /// The events, and the states between them.
    pub prefix: Prefix,
    threads: Vec<Thread>,
    memory: Memory,
    writes: Writes,
    undo: Vec<Undo>,
}

/// A step that can be taken at the end of an execution.
pub struct Candidate {
    /// The step.
    pub event: Rc<Event>,
    /// Its accesses.
    pub accesses: Accesses,
    /// The sources of its reads.
    pub parts: Parts,
}

impl Candidate {
    /// The sources of its open reads.
    pub fn open_parts(&self) -> Parts {
        self.parts.iter().copied().filter(|part| self.is_open(part.place)).collect()
    }

    /// The sources of its other reads.
    pub fn fixed_parts(&self) -> Parts {
        self.parts.iter().copied().filter(|part| !self.is_open(part.place)).collect()
    }

    fn is_open(&self, place: Place) -> bool {
        self.accesses.reads.iter().any(|touch| touch.is_open && touch.place.overlaps(place))
    }
}

impl Trace {
    /// The execution without events, in the first state of a program.
    pub fn new(first: StateId) -> Self {
        let mut prefix = Prefix::unordered();
        prefix.states.push(first);
        let (threads, memory, writes) = (Vec::new(), Memory::default(), Writes::default());
        Self { prefix, threads, memory, writes, undo: Vec::new() }
    }

    /// The number of events.
    pub fn len(&self) -> usize {
        self.prefix.execution.len()
    }

    /// The event at a position.
    pub fn event(&self, at: usize) -> &Rc<Event> {
        self.prefix.execution.event(at)
    }

    /// The number of threads that had steps or were created.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    /// The number of steps of a thread.
    pub fn count(&self, thread: usize) -> u32 {
        self.threads.get(thread).map_or(0, |thread| thread.steps.len() as u32)
    }

    /// A step of a thread by its number.
    pub fn step(&self, thread: usize, number: u32) -> &Step {
        &self.threads[thread].steps[number as usize]
    }

    /// The history of a thread with its first steps.
    pub fn history(&self, thread: usize, count: u32) -> HistoryId {
        if count == 0 { 0 } else { self.step(thread, count - 1).history }
    }

    /// The histories of all threads, each with so many steps.
    pub fn histories(&self, counts: &Clock) -> Box<[HistoryId]> {
        without_empty((0..counts.threads()).map(|thread| self.history(thread, counts.of(thread))).collect())
    }

    /// The same with another history of one thread, of which more steps may be counted than there are.
    pub fn histories_with(&self, counts: &Clock, thread: usize, history: HistoryId) -> Box<[HistoryId]> {
        let of = |other| if other == thread { history } else { self.history(other, counts.of(other)) };
        without_empty((0..counts.threads()).map(of).collect())
    }

    /// Reads as histories know them.
    pub fn reads(&self, parts: &Parts) -> Reads {
        let source = |writer| match writer {
            Writer::Initial => Source::Initial,
            Writer::Step(thread, step) => Source::AtOnce(EventId::new(thread, step)),
            Writer::Store(thread, store) => {
                let (step, write) = self.origin(thread, store);
                Source::Write(EventId::new(thread, step), write)
            }
        };
        parts.iter().map(|part| Read { place: part.place, source: source(part.writer) }).collect()
    }

    /// All steps.
    pub fn clock(&self) -> Clock {
        let mut clock = Clock::default();
        for thread in 0..self.threads() {
            clock.raise(thread, self.count(thread));
        }
        clock
    }

    /// The writes that have bytes of a place.
    pub fn writes_to(&self, place: Place) -> impl Iterator<Item = &Part> + '_ {
        self.writes.to(place)
    }

    /// True if the last event did a writer's write.
    pub fn last_wrote(&self, writer: Writer) -> bool {
        let Some(last) = self.len().checked_sub(1) else { return false };
        let Action { thread, store } = self.event(last).action;
        match (writer, store) {
            (Writer::Step(of, number), None) => of as usize == thread && self.count(thread) == number + 1,
            (Writer::Store(of, number), Some(store)) => of as usize == thread && number == store,
            _ => false,
        }
    }

    /// The step of a writer, by thread and number.
    pub fn step_of(&self, writer: Writer) -> Option<(usize, u32)> {
        match writer {
            Writer::Initial => None,
            Writer::Step(thread, step) => Some((thread as usize, step)),
            Writer::Store(thread, store) => Some((thread as usize, self.origin(thread, store).0)),
        }
    }

    fn origin(&self, thread: u32, store: u32) -> StoreOrigin {
        self.threads[thread as usize].stores[store as usize]
    }

    /// The candidate that is a step at the end of the execution.
    pub fn candidate(&self, event: Rc<Event>) -> Result<Candidate, &'static str> {
        let accesses = Accesses::of(&event)?;
        let mut parts = Parts::new();
        let thread = event.action.thread;
        let creation = self.threads.get(thread).filter(|thread| thread.steps.is_empty());
        if let Some((creator, step, place)) = creation.and_then(|thread| thread.creation) {
            parts.push(Part { place, writer: Writer::Step(creator as u32, step) });
        }
        for touch in &accesses.reads {
            match touch.own {
                Some(own) => parts.push(Part { place: touch.place, writer: Writer::Store(thread as u32, own) }),
                None => parts.extend(self.memory.read(touch.place)),
            }
        }
        Ok(Candidate { event, accesses, parts: merged(parts) })
    }

    /// The steps on which a step of a thread depends before it reads anything.
    fn past_before(&self, thread: usize, number: u32) -> Clock {
        match number {
            0 => match self.threads.get(thread).and_then(|thread| thread.creation) {
                Some((creator, step, _)) => self.step(creator, step).past.clone(),
                None => Clock::default(),
            },
            _ => self.step(thread, number - 1).past.clone(),
        }
    }

    /// The steps on which a step of a thread at the end of the execution depends, with itself, if its reads
    /// have these sources.
    pub fn past(&self, thread: usize, parts: &Parts) -> Clock {
        let count = self.count(thread);
        let mut past = self.past_before(thread, count);
        for part in parts {
            if let Some((writer, step)) = self.step_of(part.writer).filter(|&(writer, _)| writer != thread) {
                past.unite(&self.step(writer, step).past);
            }
        }
        past.raise(thread, count + 1);
        past
    }

    /// The history of a candidate's thread with it.
    pub fn history_with(&self, histories: &mut Histories, candidate: &Candidate) -> HistoryId {
        let thread = candidate.event.action.thread;
        let before = self.history(thread, self.count(thread));
        let origin = |thread, store| self.origin(thread, store);
        histories.after(before, &candidate.event, &candidate.accesses, &candidate.parts, origin)
    }

    /// Appends a step, which leads to a state.
    pub fn push_step(&mut self, histories: &mut Histories, candidate: &Candidate, state: StateId) {
        let Candidate { event, accesses, parts } = candidate;
        let thread = event.action.thread;
        let history = self.history_with(histories, candidate);
        let past = self.past(thread, parts);
        let number = self.count(thread);
        let most = accesses.creates.iter().map(|&(created, _)| created).chain([thread]).max().expect("there is one");
        if self.threads.len() <= most {
            self.threads.resize_with(most + 1, Thread::default);
        }
        for &(created, place) in &accesses.creates {
            self.threads[created].creation = Some((thread, number, place));
        }
        let own = &mut self.threads[thread];
        own.steps.push(Step { position: self.prefix.execution.len(), history, past });
        own.stores.extend((0..event.pushed().len() as u32).map(|write| (number, write)));
        let mut undo = Undo::default();
        for &place in &accesses.writes {
            self.write(place, Writer::Step(thread as u32, number), &mut undo);
        }
        self.finish(Rc::clone(event), undo, state);
    }

    /// Appends the update of a store, which leads to a state.
    pub fn push_update(&mut self, histories: &mut Histories, event: Rc<Event>, state: StateId) {
        let Action { thread, store } = event.action;
        let store = store.expect("an update has a store");
        let touch = event.footprint[0];
        let place = Place::new(touch.object, touch.offset, touch.len);
        let (step, write) = self.origin(thread as u32, store);
        let group = event.as_update().expect("it is an update").barrier_epoch;
        histories.set_store(self.step(thread, step).history, write, place, group);
        let mut undo = Undo::default();
        if !event.is_lost() {
            self.write(place, Writer::Store(thread as u32, store), &mut undo);
        }
        self.finish(event, undo, state);
    }

    fn write(&mut self, place: Place, writer: Writer, undo: &mut Undo) {
        undo.objects.push((place.object, self.memory.write(place, writer)));
        self.writes.push(place, writer);
        undo.writes.push(place.object);
    }

    fn finish(&mut self, event: Rc<Event>, undo: Undo, state: StateId) {
        self.prefix.execution.push(event);
        self.prefix.states.push(state);
        self.undo.push(undo);
    }

    /// Removes the events from a position on. Returns them.
    pub fn truncate(&mut self, len: usize, stepper: &mut Stepper<'_>) -> Vec<Rc<Event>> {
        let mut removed = Vec::new();
        while self.len() > len {
            removed.push(self.pop());
        }
        if !removed.is_empty() {
            stepper.leave_state();
        }
        removed.reverse();
        removed
    }

    fn pop(&mut self) -> Rc<Event> {
        self.prefix.states.pop();
        let undo = self.undo.pop().expect("an event was pushed");
        let event = self.prefix.execution.pop();
        for (object, parts) in undo.objects.into_iter().rev() {
            self.memory.restore(object, parts);
        }
        for object in undo.writes {
            self.writes.pop(object);
        }
        if !event.is_update() {
            let own = &mut self.threads[event.action.thread];
            own.steps.pop();
            own.stores.truncate(own.stores.len() - event.pushed().len());
        }
        event
    }

    /// The events of the steps that are in `kept` and not in `base`, in order.
    pub fn between(&self, base: &Clock, kept: &Clock) -> Vec<Rc<Event>> {
        let mut counts = vec![0; self.threads()];
        let mut events = Vec::new();
        for at in 0..self.len() {
            let event = self.event(at);
            let Action { thread, store } = event.action;
            let step = match store {
                Some(store) => self.origin(thread as u32, store).0,
                None => {
                    counts[thread] += 1;
                    counts[thread] - 1
                }
            };
            if kept.has(thread, step) && !base.has(thread, step) {
                events.push(Rc::clone(event));
            }
        }
        events
    }

    /// All combinations of other sources for the open reads of a step, which is the step of its thread with
    /// this number. The bytes in `fixed` keep their sources. Left out are those that no execution has because of what the step depends on without
    /// its reads.
    pub fn alternatives(&self, candidate: &Candidate, number: u32, fixed: &Parts) -> Vec<Parts> {
        let thread = candidate.event.action.thread;
        let before = self.past_before(thread, number);
        let mut vectors = vec![Parts::new()];
        for part in &candidate.open_parts() {
            for cell in self.cells(part.place) {
                let mut writers = vec![part.writer];
                let is_fixed = fixed.iter().any(|fixed| fixed.place.overlaps(cell));
                let others = self.writes_to(cell).map(|write| write.writer).chain([Writer::Initial]);
                for writer in others {
                    let is_own = self.step_of(writer) == Some((thread, number));
                    if !is_fixed && !is_own && !writers.contains(&writer) && !self.is_hidden(writer, cell, thread, &before) {
                        writers.push(writer);
                    }
                }
                let extended = |vector: &Parts| {
                    let vector = vector.clone();
                    writers.iter().map(move |&writer| {
                        vector.iter().copied().chain([Part { place: cell, writer }]).collect::<Parts>()
                    }).collect::<Vec<_>>()
                };
                vectors = vectors.iter().flat_map(extended).collect();
            }
        }
        let vectors = vectors.into_iter().map(merged);
        vectors.filter(|vector| *vector != candidate.open_parts()).collect()
    }

    /// A place, cut where writes to it begin or end.
    fn cells(&self, place: Place) -> Vec<Place> {
        let end = place.offset + place.len;
        let ends = self.writes_to(place).flat_map(|write| [write.place.offset, write.place.offset + write.place.len]);
        let mut cuts: Vec<_> = ends.filter(|&at| place.offset < at && at < end).chain([place.offset, end]).collect();
        cuts.sort_unstable();
        cuts.dedup();
        cuts.windows(2).map(|cut| Place { offset: cut[0], len: cut[1] - cut[0], ..place }).collect()
    }

    /// True if a step of a thread cannot read a cell from a writer, because it depends on a write to the cell
    /// that comes after it. This is asked of the thread's own stores, and of writes that reach memory at once:
    /// of other stores on which a step depends it is not known that they are in memory.
    fn is_hidden(&self, writer: Writer, cell: Place, thread: usize, before: &Clock) -> bool {
        let own = |writer: Writer| self.step_of(writer).is_some_and(|(of, _)| of == thread);
        let is_certain = |writer: Writer| !matches!(writer, Writer::Store(..)) || own(writer);
        let source = self.step_of(writer);
        is_certain(writer)
            && self.writes_to(cell).any(|write| {
                let Some((other, step)) = self.step_of(write.writer) else { return false };
                let is_later = || match (writer, write.writer) {
                    (Writer::Store(of, one), Writer::Store(other, another)) if of == other => one < another,
                    _ => source.is_none_or(|source| {
                        source != (other, step) && self.step(other, step).past.has(source.0, source.1)
                    }),
                };
                is_certain(write.writer) && before.has(other, step) && is_later()
            })
    }
}

fn without_empty(mut histories: Vec<HistoryId>) -> Box<[HistoryId]> {
    while histories.last() == Some(&0) {
        histories.pop();
    }
    histories.into()
}
