//! The current execution, with the histories of its threads, the causal past of each step, and the writer
//! of each byte of memory.

use std::rc::Rc;

use rmc_consistency::{EventId, Place, Read};
use rmc_runtime::Model;
use smallvec::SmallVec;

use super::accesses::Accesses;
use super::clock::Clock;
use super::histories::{Histories, HistoryId, Origin, source};
use super::memory::{Memory, Part, Parts, Readers, Writes, merged};
use super::node::Reads;
use crate::engine::stateless::event::{Action, Event};
use crate::engine::stateless::prefix::Prefix;
use crate::engine::stateless::sources::Writer;
use crate::engine::stateless::state_cache::StateId;
use crate::engine::stateless::stepper::Stepper;
use crate::hash::FxHashMap;
use crate::system::{FootprintEntry, Touched};

/// A step of the execution.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its position among the events.
    pub position: usize,
    /// The history of its thread with it.
    pub history: HistoryId,
    /// The steps on which it depends, with itself: those before it in its thread, and those that wrote what
    /// they or it read, and so on.
    pub past: Clock,
    /// Steps that come before it, with itself, in every execution with these sources: those on which it
    /// depends, and under SC those that read what a write before it overwrites. There may be more.
    pub order: Clock,
    /// The sources of its reads.
    pub parts: Parts,
}

/// Bytes that a step reads and overwrites at the same time.
#[derive(Clone, Copy, Debug)]
pub struct Taken {
    /// The bytes.
    pub place: Place,
    /// The step, by thread and number.
    pub by: (usize, u32),
}

#[derive(Default)]
struct Thread {
    steps: Vec<Step>,
    /// The step of each buffered store, and its number there.
    stores: Vec<(u32, u32)>,
    /// The creations of threads of this number.
    creations: Vec<Creation>,
}

/// The creation of a thread. Another thread of the same number may have ended before.
#[derive(Clone, Copy)]
struct Creation {
    /// The number of the thread's first step.
    first: u32,
    /// The thread that created it, and the step.
    creator: (usize, u32),
    /// A place that the creator's step writes and the thread's first step reads.
    place: Place,
}

impl Thread {
    /// The creation after which a step is the first one.
    fn creation(&self, number: u32) -> Option<Creation> {
        self.creations.iter().copied().find(|creation| creation.first == number)
    }
}

/// What an event changed, to be undone.
#[derive(Default)]
struct Undo {
    objects: SmallVec<[(u32, Parts); 1]>,
    writes: SmallVec<[u32; 1]>,
    reads: SmallVec<[u32; 2]>,
    /// The threads that were created.
    created: SmallVec<[usize; 0]>,
}

/// An event that was removed, with what it changed.
pub struct Removed {
    /// The event.
    pub event: Rc<Event>,
    /// The state after it.
    state: StateId,
    /// What was there after it.
    undo: Undo,
    /// Its writes, the last one first.
    pub writes: SmallVec<[Part; 1]>,
    /// The threads that it created, the last one first.
    creations: SmallVec<[(usize, Creation); 0]>,
    /// The step, if it is one.
    pub step: Option<Step>,
}

impl Removed {
    /// True if the event writes bytes of these places.
    pub fn overwrites(&self, places: &Parts) -> bool {
        self.writes.iter().any(|write| places.iter().any(|part| part.place.overlaps(write.place)))
    }
}

/// The current execution.
pub struct Trace {
    /// The events, and the states between them.
    pub prefix: Prefix,
    threads: Vec<Thread>,
    memory: Memory,
    writes: Writes,
    reads: Readers,
    undo: Vec<Undo>,
    model: Model,
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

impl Trace {
    /// The execution without events, in the first state of a program.
    pub fn new(first: StateId, model: Model) -> Self {
        let mut prefix = Prefix::unordered();
        prefix.states.push(first);
        let (threads, memory) = (Vec::new(), Memory::default());
        let (writes, reads) = (Writes::default(), Readers::default());
        Self { prefix, threads, memory, writes, reads, undo: Vec::new(), model }
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

    /// Reads as histories know them.
    pub fn reads(&self, parts: &Parts) -> Reads {
        parts.iter().map(|part| Read { place: part.place, source: source(self.writer(part.writer)) }).collect()
    }

    /// The step of a writer.
    pub fn writer(&self, writer: Writer) -> Option<Origin> {
        let (thread, step) = self.step_of(writer)?;
        let store = match writer {
            Writer::Store(thread, store) => Some(self.origin(thread, store).1),
            Writer::Initial | Writer::Step(..) => None,
        };
        let history = self.step(thread, step).history;
        Some(Origin { step: EventId::new(thread as u32, step), history, store })
    }

    /// All events.
    pub fn events(&self) -> Vec<Rc<Event>> {
        (0..self.len()).map(|at| Rc::clone(self.event(at))).collect()
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

    fn origin(&self, thread: u32, store: u32) -> (u32, u32) {
        self.threads[thread as usize].stores[store as usize]
    }

    /// The candidate that is a step at the end of the execution.
    pub fn candidate(&self, event: Rc<Event>) -> Result<Candidate, &'static str> {
        let accesses = Accesses::of(&event)?;
        let has_created = self.threads.iter().any(|thread| !thread.creations.is_empty());
        let accesses = if has_created { accesses } else { accesses.without_memory() };
        let mut parts = Parts::new();
        let thread = event.action.thread;
        let creation = self.threads.get(thread).and_then(|own| own.creation(self.count(thread)));
        if let Some(Creation { creator: (creator, step), place, .. }) = creation {
            parts.push(Part { place, writer: Writer::Step(creator as u32, step), is_open: false });
        }
        for touch in &accesses.reads {
            match touch.own {
                Some(own) => {
                    parts.push(Part { place: touch.place, writer: Writer::Store(thread as u32, own), is_open: true });
                }
                None => {
                    let parts_there = self.memory.read(touch.place).into_iter();
                    parts.extend(parts_there.map(|part| Part { is_open: touch.is_open, ..part }));
                }
            }
        }
        Ok(Candidate { event, accesses, parts: merged(parts) })
    }

    /// The bytes of memory that are read in a footprint, with their writers at the end of the execution.
    pub fn reads_in(&self, footprint: &[FootprintEntry]) -> Parts {
        let touches = footprint.iter().filter(|touch| touch.touched() == Touched::Memory);
        let touches = touches.filter(|touch| touch.reads && !touch.hypothetical);
        touches.flat_map(|touch| self.memory.read(Place::new(touch.object, touch.offset, touch.len))).collect()
    }

    /// The steps on which a step of a thread depends before it reads anything.
    pub fn past_before(&self, thread: usize, number: u32) -> Clock {
        let mut past = match number {
            0 => Clock::default(),
            _ => self.step(thread, number - 1).past.clone(),
        };
        if let Some(Creation { creator: (creator, step), .. }) =
            self.threads.get(thread).and_then(|own| own.creation(number))
        {
            past.unite(&self.step(creator, step).past);
        }
        past
    }

    /// The steps on which a step of a thread depends, with itself, if its reads have these sources.
    pub fn past(&self, thread: usize, number: u32, parts: &Parts) -> Clock {
        let mut past = self.past_before(thread, number);
        for part in parts {
            if let Some((writer, step)) = self.step_of(part.writer).filter(|&(writer, _)| writer != thread) {
                past.unite(&self.step(writer, step).past);
            }
        }
        past.raise(thread, number + 1);
        past
    }

    /// Steps that come before a step, with itself, in every execution with these sources.
    fn order(&self, thread: usize, number: u32, candidate: &Candidate) -> Clock {
        let mut order = self.order_before(thread, number);
        for part in &candidate.parts {
            self.add_order(&mut order, part.writer);
        }
        if self.model == Model::Sc {
            for &place in &candidate.accesses.writes {
                for &(part, (reader, step)) in self.reads.last_of(place) {
                    let is_before = || self.step_of(part.writer).is_none_or(|(writer, step)| order.has(writer, step));
                    if part.place.overlaps(place) && !order.has(reader, step) && is_before() {
                        order.unite(&self.step(reader, step).order);
                    }
                }
            }
        }
        order.raise(thread, number + 1);
        order
    }

    /// Steps that come before a step of a thread whatever it reads.
    fn order_before(&self, thread: usize, number: u32) -> Clock {
        let mut order = match number {
            0 => Clock::default(),
            _ => self.step(thread, number - 1).order.clone(),
        };
        if let Some(Creation { creator: (creator, step), .. }) =
            self.threads.get(thread).and_then(|own| own.creation(number))
        {
            order.unite(&self.step(creator, step).order);
        }
        order
    }

    /// True if these are the last writers of their places.
    pub fn has_in_memory(&self, sources: &Parts) -> bool {
        sources.iter().all(|part| self.memory.read(part.place).iter().all(|there| there.writer == part.writer))
    }

    /// The bytes of sources that a step other than the given one reads and overwrites at the same time. No two
    /// steps can do so.
    pub fn taken(&self, sources: &Parts, except: (usize, u32)) -> Vec<Taken> {
        let mut taken = Vec::new();
        for part in sources {
            for write in self.writes_to(part.place) {
                let Writer::Step(taker, step) = write.writer else { continue };
                let taker = taker as usize;
                // A thread reads its own stores before they are in memory.
                let is_own = matches!(part.writer, Writer::Store(owner, _) if owner as usize == taker);
                if is_own || (taker, step) == except {
                    continue;
                }
                let reads = self.step(taker, step).parts.iter().filter(|read| read.writer == part.writer);
                let both = reads.filter_map(|read| common(read.place, write.place));
                let both = both.filter_map(|place| common(place, part.place));
                taken.extend(both.map(|place| Taken { place, by: (taker, step) }));
            }
        }
        taken
    }

    /// The history of a candidate's thread with it.
    pub fn history_with(&self, histories: &mut Histories, candidate: &Candidate) -> HistoryId {
        let thread = candidate.event.action.thread;
        let before = self.history(thread, self.count(thread));
        let writer = |writer| self.writer(writer);
        histories.after(before, &candidate.event, &candidate.accesses, &candidate.parts, writer)
    }

    /// True if a step ends an object, and a store of another thread to the object may not have reached memory
    /// in all executions with these sources.
    pub fn may_end_too_early(&self, candidate: &Candidate) -> bool {
        let thread = candidate.event.action.thread;
        if !candidate.accesses.changes_lives {
            return false;
        }
        let past = self.past(thread, self.count(thread), &candidate.parts);
        let has_arrived = |other: usize, step: u32| {
            let mut later = step + 1..past.of(other);
            later.any(|later| self.event(self.step(other, later).position).is_fenced())
        };
        candidate.accesses.writes.iter().flat_map(|&place| self.writes_to(place)).any(|write| match write.writer {
            Writer::Initial | Writer::Step(..) => false,
            Writer::Store(other, store) => {
                other as usize != thread && !has_arrived(other as usize, self.origin(other, store).0)
            }
        })
    }

    /// Appends a step, which leads to a state.
    pub fn push_step(&mut self, histories: &mut Histories, candidate: &Candidate, state: StateId) {
        let Candidate { event, accesses, parts } = candidate;
        let thread = event.action.thread;
        let history = self.history_with(histories, candidate);
        let number = self.count(thread);
        let past = self.past(thread, number, parts);
        let order = self.order(thread, number, candidate);
        let most = accesses.creates.iter().map(|&(created, _)| created).chain([thread]).max().expect("there is one");
        if self.threads.len() <= most {
            self.threads.resize_with(most + 1, Thread::default);
        }
        let mut undo = Undo::default();
        for &(created, place) in &accesses.creates {
            let first = self.count(created);
            self.threads[created].creations.push(Creation { first, creator: (thread, number), place });
            undo.created.push(created);
        }
        let own = &mut self.threads[thread];
        own.steps.push(Step { position: self.prefix.execution.len(), history, past, order, parts: parts.clone() });
        own.stores.extend((0..event.pushed().len() as u32).map(|write| (number, write)));
        if self.model == Model::Sc {
            for &part in parts {
                self.reads.push(part, (thread, number));
                undo.reads.push(part.place.object);
            }
        }
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
    pub fn truncate(&mut self, len: usize, stepper: &mut Stepper<'_>) -> Vec<Removed> {
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

    /// Removes the last event. The stepper has to leave its state.
    pub fn pop(&mut self) -> Removed {
        let state = self.prefix.states.pop().expect("there is a state after each event");
        let mut undo = self.undo.pop().expect("an event was pushed");
        let event = self.prefix.execution.pop();
        for (object, parts) in undo.objects.iter_mut().rev() {
            self.memory.exchange(*object, parts);
        }
        let writes = undo.writes.iter().rev().map(|&object| self.writes.pop(object)).collect();
        for &object in &undo.reads {
            self.reads.pop(object);
        }
        let creations = undo
            .created
            .iter()
            .rev()
            .map(|&created| (created, self.threads[created].creations.pop().expect("the thread was created")));
        let creations = creations.collect();
        let step = (!event.is_update()).then(|| {
            let own = &mut self.threads[event.action.thread];
            own.stores.truncate(own.stores.len() - event.pushed().len());
            own.steps.pop().expect("the step was taken")
        });
        Removed { event, state, undo, writes, creations, step }
    }

    /// The step that an event is or comes from, by thread and number, if the event was the last one and was
    /// removed.
    pub fn step_of_removed(&self, event: &Event) -> (usize, u32) {
        let Action { thread, store } = event.action;
        (thread, store.map_or_else(|| self.count(thread), |store| self.origin(thread as u32, store).0))
    }

    /// Puts back events that were removed, at the end of the execution to which they belong.
    pub fn put_back(&mut self, removed: impl IntoIterator<Item = Removed>) {
        for Removed { event, state, mut undo, writes, creations, step } in removed {
            let thread = event.action.thread;
            for (created, creation) in creations.into_iter().rev() {
                self.threads[created].creations.push(creation);
            }
            if let Some(step) = step {
                let number = self.count(thread);
                if self.model == Model::Sc {
                    for &part in &step.parts {
                        self.reads.push(part, (thread, number));
                    }
                }
                let own = &mut self.threads[thread];
                own.steps.push(step);
                own.stores.extend((0..event.pushed().len() as u32).map(|write| (number, write)));
            }
            for write in writes.into_iter().rev() {
                self.writes.push(write.place, write.writer);
            }
            for (object, parts) in &mut undo.objects {
                self.memory.exchange(*object, parts);
            }
            self.finish(event, undo, state);
        }
    }

    /// The events of the steps that are in `kept` and not in `base`, in order. `more` are events after the
    /// execution.
    pub fn between(&self, base: &Clock, kept: &Clock, more: &[Rc<Event>]) -> Vec<Rc<Event>> {
        let mut counts = vec![0; self.threads() + 1];
        let mut stores: FxHashMap<(usize, u32), u32> = FxHashMap::default();
        let mut events = Vec::new();
        for event in (0..self.len()).map(|at| self.event(at)).chain(more) {
            let Action { thread, store } = event.action;
            if counts.len() <= thread {
                counts.resize(thread + 1, 0);
            }
            let step = match store {
                Some(store) => stores[&(thread, store)],
                None => {
                    stores.extend(event.pushed().map(|store| ((thread, store), counts[thread])));
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

    /// The other sources that are in the execution for the reads of a step, which is the step of its thread
    /// with this number. Each result has another source for one read and the same for the reads before; the
    /// reads after may be others then. The bytes in `fixed` keep their sources. Left out are sources that
    /// the step cannot read because of what it depends on without its reads.
    pub fn alternatives(&self, candidate: &Candidate, number: u32, fixed: &Parts) -> Vec<Parts> {
        let thread = candidate.event.action.thread;
        let mut before = self.order_before(thread, number);
        for part in candidate.parts.iter().filter(|part| !part.is_open) {
            self.add_order(&mut before, part.writer);
        }
        let mut results = Vec::new();
        let mut first = Parts::new();
        for part in &candidate.parts {
            if !part.is_open {
                first.push(*part);
                continue;
            }
            for cell in self.cells(part.place, &[]) {
                let mut known = vec![part.writer];
                if !fixed.iter().any(|fixed| fixed.place.overlaps(cell)) {
                    let others = self.writes_to(cell).map(|write| write.writer).chain([Writer::Initial]);
                    for writer in others {
                        let is_own = self.step_of(writer) == Some((thread, number));
                        if !is_own
                            && !known.contains(&writer)
                            && !self.is_hidden(writer, cell, (thread, number), &before)
                        {
                            known.push(writer);
                            let changed = Part { place: cell, writer, is_open: true };
                            results.push(merged(first.iter().copied().chain([changed]).collect()));
                        }
                    }
                }
                first.push(Part { place: cell, ..*part });
            }
            self.add_order(&mut before, part.writer);
        }
        results
    }

    /// Adds the steps that come before what a writer wrote can be read.
    fn add_order(&self, order: &mut Clock, writer: Writer) {
        if let Some((thread, step)) = self.step_of(writer) {
            order.unite(&self.step(thread, step).order);
        }
    }

    /// A place, cut where writes to it begin or end. `others` are places of writes that are not in the
    /// execution.
    pub fn cells(&self, place: Place, others: &[Place]) -> Vec<Place> {
        let end = place.offset + place.len;
        let others = others.iter().filter(|other| other.overlaps(place));
        let writes = self.writes_to(place).map(|write| &write.place).chain(others);
        let ends = writes.flat_map(|write| [write.offset, write.offset + write.len]);
        let mut cuts: Vec<_> = ends.filter(|&at| place.offset < at && at < end).chain([place.offset, end]).collect();
        cuts.sort_unstable();
        cuts.dedup();
        cuts.windows(2).map(|cut| Place { offset: cut[0], len: cut[1] - cut[0], ..place }).collect()
    }

    /// True if a step of a thread cannot read a cell from a writer, because a write to the cell comes after it
    /// and before the step. This is asked of the thread's own stores, and of writes that reach memory at once:
    /// of other stores that come before a step it is not known that they are in memory.
    fn is_hidden(&self, writer: Writer, cell: Place, (thread, number): (usize, u32), before: &Clock) -> bool {
        let own = |writer: Writer| self.step_of(writer).is_some_and(|(of, _)| of == thread);
        let is_certain = |writer: Writer| !matches!(writer, Writer::Store(..)) || own(writer);
        let source = self.step_of(writer);
        is_certain(writer)
            && self.writes_to(cell).any(|write| {
                let Some((other, step)) = self.step_of(write.writer) else { return false };
                let is_later = || match (writer, write.writer) {
                    (Writer::Store(of, one), Writer::Store(other, another)) if of == other => one < another,
                    _ => source.is_none_or(|source| {
                        source != (other, step)
                            && (self.step(other, step).order.has(source.0, source.1)
                                || self.is_read_after(source, write.writer, cell, (thread, number)))
                    }),
                };
                // A store that is still in the buffer hides what others wrote meanwhile.
                let may_hide = matches!(writer, Writer::Store(..)) && other != thread;
                !may_hide && is_certain(write.writer) && before.has(other, step) && is_later()
            })
    }

    /// True if a step that comes after another one reads a cell from a writer, whatever a third one reads.
    fn is_read_after(&self, one: (usize, u32), writer: Writer, cell: Place, third: (usize, u32)) -> bool {
        let mut readers =
            self.reads.last_of(cell).filter(|(part, _)| part.writer == writer && part.place.overlaps(cell));
        readers.any(|&(_, reader)| {
            let order = &self.step(reader.0, reader.1).order;
            reader != one && order.has(one.0, one.1) && !order.has(third.0, third.1)
        })
    }
}

/// The bytes that two places have in common.
pub fn common(one: Place, other: Place) -> Option<Place> {
    let from = one.offset.max(other.offset);
    let to = (one.offset + one.len).min(other.offset + other.len);
    (one.object == other.object && from < to).then(|| Place { offset: from, len: to - from, ..one })
}

/// Histories of threads as they are compared: those without steps at the end are left out.
pub fn without_empty(mut histories: Vec<HistoryId>) -> Box<[HistoryId]> {
    while histories.last() == Some(&0) {
        histories.pop();
    }
    histories.into()
}
