//! The current execution, with the histories of its threads, the causal past of each step, and the writer
//! of each byte of memory.

use std::cell::OnceCell;
use std::rc::Rc;

use rmc_consistency::{EventId, Place, Read};
use rmc_runtime::Model;
use smallvec::SmallVec;

use super::candidate::Candidate;
use super::clock::Clock;
use super::histories::{Histories, HistoryId, Origin, Reads, ThreadHistories, source};
use super::memory::{Memory, Part, Parts, Version};
use crate::engine::stateless::accesses::Accesses;
use crate::engine::stateless::event::{Action, Event};
use crate::engine::stateless::prefix::Prefix;
use crate::engine::stateless::sources::Writer;
use crate::engine::stateless::state_cache::StateId;
use crate::system::{FootprintEntry, Touched};

/// A step of the execution.
#[derive(Clone, Debug)]
pub struct Step {
    /// Its position among the events.
    pub position: usize,
    /// Steps that come before it, with itself, in every execution with these sources ([`super::order`]).
    pub order: Clock,
    /// What its history decides.
    pub known: Known,
}

/// The history of a thread with a step, and what it decides.
#[derive(Clone, Debug)]
pub struct Known {
    /// The history.
    pub history: HistoryId,
    /// What it decides.
    pub facts: Rc<Facts>,
}

/// What the history of a thread with a step decides.
#[derive(Debug)]
pub struct Facts {
    /// The steps on which it depends, with itself: those before it in its thread, and those that wrote what
    /// they or it read, and so on.
    pub past: Clock,
    /// For each thread the number of its first delayed stores that are in memory before it, in every
    /// execution with these sources: those of the groups before one of which another thread has read a
    /// store. There may be more; under SC, where only pieces of copies are delayed, none are noted.
    pub arrived: Clock,
    /// The sources of its reads.
    pub parts: Parts,
}

#[derive(Default)]
pub(super) struct Thread {
    pub(super) steps: Vec<Step>,
    /// The numbers of the steps before which its stores are in memory.
    pub(super) fences: Vec<u32>,
    /// Its buffered stores.
    pub(super) stores: Vec<BufferedStore>,
    /// The creations of threads of this number.
    pub(super) creations: Vec<Creation>,
}

/// A buffered store.
pub(super) struct BufferedStore {
    /// Its step, and its number there.
    pub(super) origin: (u32, u32),
    /// The position of the update by which it reached memory.
    pub(super) position: usize,
    /// The number of stores before its group, once it is in memory.
    pub(super) group: u32,
    /// Steps that come before it is in memory, in every execution with these sources. Empty until it is
    /// there.
    pub(super) before: Clock,
}

/// The creation of a thread. Another thread of the same number may have ended before.
#[derive(Clone, Copy)]
pub(super) struct Creation {
    /// The number of the thread's first step.
    first: u32,
    /// The thread that created it, and the step.
    pub(super) creator: (usize, u32),
    /// A place that the creator's step writes and the thread's first step reads.
    pub(super) place: Place,
}

impl Thread {
    /// The creation after which a step is the first one.
    pub(super) fn creation(&self, number: u32) -> Option<Creation> {
        self.creations.iter().copied().find(|creation| creation.first == number)
    }

    /// True if the stores of a step of this thread are in memory before some of these steps, in every
    /// execution.
    fn has_arrived(&self, own: usize, step: u32, steps: &Clock) -> bool {
        let first = self.fences.partition_point(|&fence| fence <= step);
        self.fences.get(first).is_some_and(|&fence| steps.has(own, fence))
    }
}

/// What an event changed, to be undone.
#[derive(Default)]
pub(super) struct Undo {
    /// What was there before each of its writes.
    pub(super) before: SmallVec<[Version; 2]>,
    /// The threads that were created.
    pub(super) created: SmallVec<[usize; 0]>,
}

/// The current execution.
pub struct Trace {
    /// The events, and the states between them.
    pub prefix: Prefix,
    pub(super) threads: Vec<Thread>,
    pub(super) memory: Memory,
    pub(super) undo: Vec<Undo>,
    pub(super) model: Model,
    /// The number of times that events were taken again in their order.
    rebuilt: u64,
}

impl Trace {
    /// The execution without events, in the first state of a program.
    pub fn new(first: StateId, model: Model) -> Self {
        let mut prefix = Prefix::unordered();
        prefix.states.push(first);
        Self { prefix, threads: Vec::new(), memory: Memory::default(), undo: Vec::new(), model, rebuilt: 0 }
    }

    /// A number that changes when what is known of the order of the events may have changed.
    pub const fn rebuilt(&self) -> u64 {
        self.rebuilt
    }

    /// Records that events were taken again in their order.
    pub const fn note_rebuilt(&mut self) {
        self.rebuilt += 1;
    }

    /// The number of events.
    pub fn len(&self) -> usize {
        self.prefix.execution.len()
    }

    /// The event at a position.
    pub fn event(&self, at: usize) -> &Rc<Event> {
        self.prefix.execution.event(at)
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
        if count == 0 { 0 } else { self.step(thread, count - 1).known.history }
    }

    /// The histories of all threads, each with so many steps.
    pub fn histories(&self, counts: &Clock) -> ThreadHistories {
        let mut histories = ThreadHistories::new();
        for thread in 0..counts.threads() {
            histories.push(self.history(thread, counts.of(thread)));
        }
        without_empty(histories)
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
        let history = self.step(thread, step).known.history;
        Some(Origin { step: EventId::new(thread as u32, step), history, store })
    }

    /// All events.
    pub fn events(&self) -> Vec<Rc<Event>> {
        (0..self.len()).map(|at| Rc::clone(self.event(at))).collect()
    }

    /// All steps.
    pub fn clock(&self) -> Clock {
        self.threads.iter().map(|thread| thread.steps.len() as u32).collect()
    }

    /// True if the stores of a step are in memory before some of these steps, in every execution.
    pub fn has_arrived(&self, (thread, step): (usize, u32), steps: &Clock) -> bool {
        self.threads[thread].has_arrived(thread, step, steps)
    }

    /// For each thread the number of its first delayed stores that are known to be in memory before a step,
    /// whatever it reads.
    pub(super) fn arrived_before(&self, thread: usize, number: u32) -> Clock {
        match self.model {
            Model::Sc => Clock::default(),
            Model::Tso | Model::Pso => self.before(thread, number, |step| &step.known.facts.arrived),
        }
    }

    /// Adds the delayed stores that are in memory before a thread reads from a writer: those before the group
    /// of a store of another thread, and those that were before the writer's step.
    pub(super) fn add_arrived(&self, histories: &Histories, arrived: &mut Clock, reader: usize, writer: Writer) {
        let delays = self.model != Model::Sc;
        let Some((thread, step)) = self.step_of(writer).filter(|_| delays) else { return };
        let Known { history, facts } = &self.step(thread, step).known;
        arrived.unite(&facts.arrived);
        if let Writer::Store(_, store) = writer
            && thread != reader
        {
            let (_, write) = self.origin(thread as u32, store);
            let stores = histories.stores(*history);
            arrived.raise(thread, stores[write as usize].epoch);
        }
    }

    /// The writes that have bytes of a place.
    pub fn writes_to(&self, place: Place) -> impl Iterator<Item = &Part> + '_ {
        self.memory.writes_to(place)
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

    pub(super) fn origin(&self, thread: u32, store: u32) -> (u32, u32) {
        self.threads[thread as usize].stores[store as usize].origin
    }

    /// The history of the main thread with its first creation of another one.
    pub fn first_creation(&self) -> Option<HistoryId> {
        let creations = self.threads.iter().flat_map(|thread| thread.creations.first());
        let creators = creations.map(|creation| creation.creator).filter(|&(creator, _)| creator == 0);
        creators.min().map(|(creator, step)| self.step(creator, step).known.history)
    }

    /// The bytes of memory that are read in a footprint, with their writers at the end of the execution.
    pub fn reads_in(&self, footprint: &[FootprintEntry]) -> Parts {
        let touches = footprint.iter().filter(|touch| touch.touched() == Touched::Memory);
        let touches = touches.filter(|touch| touch.reads && !touch.hypothetical);
        touches.flat_map(|touch| self.memory.read(Place::new(touch.object, touch.offset, touch.len))).collect()
    }

    /// The steps on which a step of a thread depends before it reads anything.
    pub fn past_before(&self, thread: usize, number: u32) -> Clock {
        self.before(thread, number, |step| &step.known.facts.past)
    }

    /// Tells whether a step of a thread depends on another one whatever it reads, which is given as the
    /// history of its thread with it.
    pub fn comes_before(&self, histories: &Histories, thread: usize, number: u32) -> impl Fn(HistoryId) -> bool {
        let past = OnceCell::new();
        move |history| {
            let past = past.get_or_init(|| self.histories(&self.past_before(thread, number)));
            past.iter().any(|&last| histories.has(last, history))
        }
    }

    /// The clocks of the steps right before a step of a thread: its thread's, and that of its creation.
    pub(super) fn before(&self, thread: usize, number: u32, clock: impl Fn(&Step) -> &Clock) -> Clock {
        let mut before = match number {
            0 => Clock::default(),
            _ => clock(self.step(thread, number - 1)).clone(),
        };
        if let Some(Creation { creator: (creator, step), .. }) =
            self.threads.get(thread).and_then(|own| own.creation(number))
        {
            before.unite(clock(self.step(creator, step)));
        }
        before
    }

    /// The steps on which a step of a thread depends, with itself, if its reads have these sources.
    pub fn past(&self, thread: usize, number: u32, parts: &Parts) -> Clock {
        let mut past = self.past_before(thread, number);
        for part in parts {
            if let Some((writer, step)) = self.step_of(part.writer).filter(|&(writer, _)| writer != thread) {
                past.unite(&self.step(writer, step).known.facts.past);
            }
        }
        past.raise(thread, number + 1);
        past
    }

    /// True if these are the last writers of their places.
    pub fn has_in_memory(&self, sources: &Parts) -> bool {
        sources.iter().all(|part| self.has_last(part))
    }

    /// The position of the event that did a write.
    pub(super) fn position_of(&self, writer: Writer) -> Option<usize> {
        match writer {
            Writer::Initial => None,
            Writer::Step(thread, step) => Some(self.step(thread as usize, step).position),
            Writer::Store(thread, store) => Some(self.threads[thread as usize].stores[store as usize].position),
        }
    }

    /// The number of the events after which all of these are the last writers of their places for the last
    /// time, if there are such events.
    pub(super) fn last_with_in_memory(&self, sources: &Parts) -> Option<usize> {
        let mut last = self.len();
        for part in sources {
            let mut writers = self.memory.writes_down(part.place).map(|write| write.writer);
            let mut later = None;
            let is_there = loop {
                match writers.next() {
                    None => break part.writer == Writer::Initial,
                    Some(writer) if writer == part.writer => break true,
                    Some(writer) => later = Some(writer),
                }
            };
            if !is_there {
                return None;
            }
            if let Some(position) = later.and_then(|later| self.position_of(later)) {
                last = last.min(position);
            }
        }
        let is_written = |part: &Part| self.position_of(part.writer).is_none_or(|position| position < last);
        sources.iter().all(is_written).then_some(last)
    }

    /// True if this is the last writer of its place.
    pub fn has_last(&self, part: &Part) -> bool {
        self.memory.has_last(part)
    }

    /// The history of a candidate's thread with it, and what it decides.
    pub fn known(&self, histories: &mut Histories, candidate: &Candidate) -> Known {
        let Candidate { event, parts, .. } = candidate;
        let thread = event.action.thread;
        let number = self.count(thread);
        let history = self.history_with(histories, candidate, number);
        let past = self.past(thread, number, parts);
        let mut arrived = self.arrived_before(thread, number);
        parts.iter().for_each(|part| self.add_arrived(histories, &mut arrived, thread, part.writer));
        Known { history, facts: Rc::new(Facts { past, arrived, parts: Parts::from_slice(parts) }) }
    }

    /// Appends a step, which leads to a state.
    pub fn push_step(&mut self, event: &Rc<Event>, accesses: &Accesses, known: Known, state: StateId) {
        let thread = event.action.thread;
        let number = self.count(thread);
        let order = self.order(event, accesses, &known.facts.parts);
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
        let position = self.prefix.execution.len();
        for &place in &accesses.writes {
            self.write(place, Writer::Step(thread as u32, number), &order, &mut undo);
        }
        let step = Step { position, order, known };
        self.add_step(event, step);
        self.finish(Rc::clone(event), undo, state);
    }

    /// Adds a step to its thread, and its reads.
    pub(super) fn add_step(&mut self, event: &Event, step: Step) {
        let thread = event.action.thread;
        let number = self.count(thread);
        step.known.facts.parts.iter().for_each(|&part| self.memory.add_read(part, (thread, number)));
        let own = &mut self.threads[thread];
        own.steps.push(step);
        if event.is_fenced() {
            own.fences.push(number);
        }
        let writes = 0..event.pushed().len() as u32;
        let buffered =
            |write| BufferedStore { origin: (number, write), position: 0, group: 0, before: Clock::default() };
        own.stores.extend(writes.map(buffered));
    }

    /// Appends the update of a store, which leads to a state.
    pub fn push_update(&mut self, histories: &mut Histories, event: Rc<Event>, state: StateId) {
        let Action { thread, store } = event.action;
        let store = store.expect("an update has a store");
        let touch = event.footprint[0];
        let place = Place::new(touch.object, touch.offset, touch.len);
        let (step, write) = self.origin(thread as u32, store);
        let group = event.as_update().expect("it is an update").barrier_epoch;
        let life = touch.life().map(|life| Place::new(life, 0, 1));
        histories.set_store(self.step(thread, step).known.history, write, place, life, group);
        let mut undo = Undo::default();
        let position = self.len();
        let known = &mut self.threads[thread].stores[store as usize];
        (known.position, known.group) = (position, group);
        if !event.is_lost() {
            let before = self.order_of_arrival(thread, store, place, group);
            self.write(place, Writer::Store(thread as u32, store), &before, &mut undo);
            self.threads[thread].stores[store as usize].before = before;
        }
        self.finish(event, undo, state);
    }

    /// Writes a place. `before` are steps that come before that in every execution with these sources.
    fn write(&mut self, place: Place, writer: Writer, before: &Clock, undo: &mut Undo) {
        let Self { memory, threads, .. } = self;
        undo.before.push(memory.write(place, writer, |last| is_in_memory_before(threads, last, before)));
    }

    pub(super) fn finish(&mut self, event: Rc<Event>, undo: Undo, state: StateId) {
        self.prefix.execution.push(event);
        self.prefix.states.push(state);
        self.undo.push(undo);
    }

    /// A place, cut where writes to it begin or end. `others` are places of writes that are not in the
    /// execution.
    pub fn cells(&self, place: Place, others: &[Place]) -> SmallVec<[Place; 1]> {
        let end = place.offset + place.len;
        let others = others.iter().filter(|other| other.overlaps(place));
        let writes = self.writes_to(place).map(|write| &write.place).chain(others);
        let mut cuts: SmallVec<[u32; 8]> = SmallVec::new();
        for write in writes.filter(|write| !write.covers(place)) {
            let ends = [write.offset, write.offset + write.len].into_iter();
            cuts.extend(ends.filter(|&at| place.offset < at && at < end));
        }
        if cuts.is_empty() {
            return SmallVec::from_slice(&[place]);
        }
        cuts.extend([place.offset, end]);
        cuts.sort_unstable();
        cuts.dedup();
        cuts.windows(2).map(|cut| Place { offset: cut[0], len: cut[1] - cut[0], ..place }).collect()
    }
}

/// True if what a writer wrote is in memory before some of these steps, in every execution.
pub(super) fn is_in_memory_before(threads: &[Thread], writer: Writer, steps: &Clock) -> bool {
    match writer {
        Writer::Initial => true,
        Writer::Step(thread, step) => steps.has(thread as usize, step),
        Writer::Store(thread, store) => {
            let (own, thread) = (&threads[thread as usize], thread as usize);
            let (step, _) = own.stores[store as usize].origin;
            steps.has(thread, step) && own.has_arrived(thread, step, steps)
        }
    }
}

/// The bytes that two places have in common.
pub fn common(one: Place, other: Place) -> Option<Place> {
    let from = one.offset.max(other.offset);
    let to = (one.offset + one.len).min(other.offset + other.len);
    (one.object == other.object && from < to).then(|| Place { offset: from, len: to - from, ..one })
}

/// Histories of threads as they are compared: those without steps at the end are left out.
pub fn without_empty(mut histories: ThreadHistories) -> ThreadHistories {
    while histories.last() == Some(&0) {
        histories.pop();
    }
    histories
}
