//! The histories of threads, each stored once: what a thread did is its last step with the sources of the
//! reads of that step, and what it did before.
//!
//! A step and its effects are a function of the thread's history up to it, the sources of its reads and the
//! answers to its questions. So two executions are of one reads-from class if their threads have the same
//! histories.

use std::hash::Hasher;
use std::rc::Rc;
use std::sync::Arc;

use hashbrown::HashTable;
use rmc_consistency::{Event as HistoryEvent, EventId, EventKind, History, Place, Read, Source};
use smallvec::SmallVec;

use super::names::{self, Name, NamedWriter};
use crate::engine::stateless::accesses::Accesses;
use crate::engine::stateless::event::Event;
use crate::hash::{FxHasher, half, spread};

/// The history of a thread. 0 is that of a thread without steps.
pub type HistoryId = u32;

/// Reads with their sources.
pub type Reads = SmallVec<[Read; 1]>;

/// Histories thread by thread. Those without steps at the end are left out.
pub type ThreadHistories = SmallVec<[HistoryId; 8]>;

/// A delayed store of a step.
#[derive(Clone, Copy, Debug)]
pub struct DelayedStore {
    /// Its place, once it is known.
    pub place: Place,
    /// The place that stands for the existence of the object there, if the step touches it.
    life: Option<Place>,
    /// Its group in its thread: the number of stores before the group, which reach memory before it
    /// (`system/buffers/updates.rs`).
    pub epoch: u32,
}

/// The last step of a history.
struct Step {
    before: HistoryId,
    /// The number of steps with this one.
    count: u32,
    /// The first word of its name in `names`.
    name: usize,
    /// The number of its first delayed store in `stores`.
    stores: u32,
    /// The first history that was met after it, or 0.
    next: HistoryId,
    event: Rc<Event>,
    accesses: Arc<Accesses>,
}

/// A step of a history without numbers of histories, so that another worker can add it to its own.
pub struct DetachedStep {
    /// The step.
    pub event: Arc<Event>,
    accesses: Arc<Accesses>,
    reads: Reads,
    stores: Box<[DelayedStore]>,
}

/// All histories of threads that were met.
#[derive(Default)]
pub struct Histories {
    /// The last step of each history but that without steps.
    steps: Vec<Step>,
    /// The names of these steps, one after the other.
    names: Vec<u64>,
    stores: Vec<DelayedStore>,
    /// The steps by name, as positions in `steps`, with the hashes of the names: those that are not the first
    /// ones after another step.
    known: HashTable<(u32, u32)>,
}

/// The step of a write.
#[derive(Clone, Copy, Debug)]
pub struct Origin {
    /// The step.
    pub step: EventId,
    /// The history of its thread with it.
    pub history: HistoryId,
    /// The number of the store in the step, if it is a delayed store.
    pub store: Option<u32>,
}

/// A source as histories know it.
pub fn source(origin: Option<Origin>) -> Source {
    match origin {
        None => Source::Initial,
        Some(Origin { step, store: None, .. }) => Source::AtOnce(step),
        Some(Origin { step, store: Some(store), .. }) => Source::Write(step, store),
    }
}

impl Histories {
    /// The history of a thread after a step of this name.
    pub fn after(&mut self, name: &Name, event: &Rc<Event>, accesses: &Arc<Accesses>) -> HistoryId {
        let before = names::before(name);
        // Most histories go on in one way.
        let next = before.checked_sub(1).map(|before| self.steps[before as usize].next);
        if let Some(next @ 1..) = next
            && *self.name(next) == name[..]
        {
            return next;
        }
        let is_first = next == Some(0);
        let hash = if is_first { 0 } else { hash(name) };
        let is_it = |&(of, at): &(u32, u32)| of == hash && *self.name(at + 1) == name[..];
        if !is_first && let Some(&(_, at)) = self.known.find(spread(hash), is_it) {
            debug_assert_eq!(self.stores(at + 1).len(), event.pushed().len(), "a step is a function of its past");
            return at + 1;
        }
        let Self { steps, names, known, .. } = self;
        let at = u32::try_from(steps.len()).expect("fewer than 2^32 histories");
        let count = count_of(steps, before) + 1;
        let (start, stores) = (names.len(), self.stores.len() as u32);
        if is_first {
            steps[before as usize - 1].next = at + 1;
        } else {
            known.insert_unique(spread(hash), (hash, at), |&(hash, _)| spread(hash));
        }
        let (event, accesses) = (Rc::clone(event), Arc::clone(accesses));
        let pushed = event.pushed();
        steps.push(Step { before, count, name: start, stores, next: 0, event, accesses });
        names.extend_from_slice(name);
        let unknown = DelayedStore { place: Place::new(0, 0, 0), life: None, epoch: 0 };
        self.stores.extend(pushed.map(|_| unknown));
        at + 1
    }

    /// The name of the last step of a history.
    fn name(&self, id: HistoryId) -> &[u64] {
        let end = self.steps.get(id as usize).map_or(self.names.len(), |next| next.name);
        &self.names[self.steps[id as usize - 1].name..end]
    }

    /// Records the place of a delayed store of the last step of a history, the place that stands for the
    /// existence of the object there, and its group. The existence counts if the step touches it.
    pub fn set_store(&mut self, id: HistoryId, write: u32, place: Place, life: Option<Place>, epoch: u32) {
        let at = self.steps[id as usize - 1].stores + write;
        let known = self.stores[at as usize];
        if (known.place, known.epoch) == (place, epoch) {
            return;
        }
        let writes = &self.steps[id as usize - 1].accesses.writes;
        let life = life.filter(|life| writes.contains(life) || self.places_of_reads(id).contains(life));
        self.stores[at as usize] = DelayedStore { place, life, epoch };
    }

    /// The last step of a history, for another worker.
    pub fn detached(&self, id: HistoryId) -> DetachedStep {
        let Step { event, accesses, .. } = &self.steps[id as usize - 1];
        DetachedStep {
            event: Arc::new(Event::clone(event)),
            accesses: Arc::clone(accesses),
            reads: self.reads(id),
            stores: self.stores(id).into(),
        }
    }

    /// The history of a thread after a step that another worker took, and the step. `writer` is the history
    /// of a thread with a step from which that one reads.
    pub fn after_detached(
        &mut self,
        before: HistoryId,
        step: &DetachedStep,
        writer: impl Fn(EventId) -> HistoryId,
    ) -> (HistoryId, Rc<Event>) {
        let origin = |source: Source| match source {
            Source::Initial => None,
            Source::AtOnce(step) => Some(Origin { step, history: writer(step), store: None }),
            Source::Write(step, store) => Some(Origin { step, history: writer(step), store: Some(store) }),
            Source::Event(_) => unreachable!("a source is a write of a step"),
        };
        let parts = step.reads.iter().map(|read| (read.place, origin(read.source)));
        let name = names::name(before, &step.event, &step.accesses, parts);
        let event = Rc::new(Event::clone(&step.event));
        let id = self.after(&name, &event, &step.accesses);
        let first = self.steps[id as usize - 1].stores as usize;
        for (known, store) in self.stores[first..].iter_mut().zip(&step.stores) {
            if store.place.len > 0 {
                *known = *store;
            }
        }
        (id, event)
    }

    /// The histories in the name of the last step of a history.
    pub fn named(&self, id: HistoryId) -> impl Iterator<Item = HistoryId> + '_ {
        let name = self.name(id);
        std::iter::once(names::before(name)).chain(names::writers(name).map(NamedWriter::history))
    }

    /// The name of the last step of a history, with other numbers for the histories in it.
    pub fn renamed(&self, id: HistoryId, number: impl Fn(HistoryId) -> u32) -> Name {
        names::renamed(self.name(id), number)
    }

    /// The history without its last step.
    pub fn before(&self, id: HistoryId) -> HistoryId {
        self.steps[id as usize - 1].before
    }

    /// The number of steps of a history.
    pub fn count(&self, id: HistoryId) -> u32 {
        count_of(&self.steps, id)
    }

    /// The first steps of a history.
    pub fn first(&self, mut id: HistoryId, count: u32) -> HistoryId {
        while self.count(id) > count {
            id = self.steps[id as usize - 1].before;
        }
        id
    }

    /// The bytes in use, without events, which belong to others, too.
    pub fn bytes(&self) -> usize {
        let Self { steps, names, stores, known } = self;
        size_of_val(&steps[..]) + size_of_val(&names[..]) + size_of_val(&stores[..]) + known.allocation_size()
    }

    /// A history, and all that consist of its first steps, but for that without steps.
    pub fn firsts(&self, last: HistoryId) -> impl Iterator<Item = HistoryId> + '_ {
        let there_is = |id: HistoryId| (id != 0).then_some(id);
        std::iter::successors(there_is(last), move |&id| there_is(self.steps[id as usize - 1].before))
    }

    /// True if a history has another one as its first steps.
    pub fn has(&self, history: HistoryId, first: HistoryId) -> bool {
        self.first(history, self.count(first)) == first
    }

    /// The delayed stores of the last step of a history.
    pub fn stores(&self, id: HistoryId) -> &[DelayedStore] {
        let step = &self.steps[id as usize - 1];
        &self.stores[step.stores as usize..][..step.event.pushed().len()]
    }

    /// True if the places of all delayed stores of a history are known.
    pub fn knows_places(&self, last: HistoryId) -> bool {
        self.firsts(last).all(|id| self.stores(id).iter().all(|store| store.place.len > 0))
    }

    /// The last step of a history.
    pub fn event(&self, id: HistoryId) -> HistoryEvent {
        let Step { event, accesses, .. } = &self.steps[id as usize - 1];
        let stores = self.stores(id);
        HistoryEvent {
            reads: self.reads(id),
            writes: stores.iter().map(|store| store.place).collect(),
            epochs: stores.iter().map(|store| store.epoch).collect(),
            at_once: accesses.writes.iter().copied().collect(),
            lives: stores.iter().map(|store| store.life).collect(),
            ..HistoryEvent::of(if event.is_fenced() { EventKind::Fence } else { EventKind::Plain })
        }
    }

    /// The history that consists of these histories of threads.
    pub fn history(&self, threads: &[HistoryId]) -> History {
        let events = |&last: &HistoryId| {
            let mut events: Vec<_> = self.firsts(last).map(|id| self.event(id)).collect();
            events.reverse();
            events
        };
        History { threads: threads.iter().map(events).collect() }
    }

    /// The reads of the last step of a history.
    fn reads(&self, id: HistoryId) -> Reads {
        let step = |writer: HistoryId| {
            let thread = self.steps[writer as usize - 1].event.action.thread;
            EventId::new(thread as u32, self.count(writer) - 1)
        };
        let source = |writer: NamedWriter| match (writer.history(), writer.store()) {
            (0, _) => Source::Initial,
            (writer, None) => Source::AtOnce(step(writer)),
            (writer, Some(store)) => Source::Write(step(writer), store),
        };
        let sources = names::writers(self.name(id)).map(source);
        self.places_of_reads(id).into_iter().zip(sources).map(|(place, source)| Read { place, source }).collect()
    }

    /// The places of the reads of the last step of a history.
    fn places_of_reads(&self, id: HistoryId) -> SmallVec<[Place; 4]> {
        names::places(self.name(id), &self.steps[id as usize - 1].accesses)
    }
}

fn count_of(steps: &[Step], id: HistoryId) -> u32 {
    if id == 0 { 0 } else { steps[id as usize - 1].count }
}

fn hash(name: &[u64]) -> u32 {
    let mut hasher = FxHasher::default();
    name.iter().for_each(|&word| hasher.write_u64(word));
    half(&hasher)
}
