//! The histories of threads, each stored once: what a thread did is its last step with the sources of the
//! reads of that step, and what it did before.
//!
//! A step and its effects are a function of the thread's history up to it, the sources of its reads and the
//! answers to its questions. So two executions are of one reads-from class if their threads have the same
//! histories.

use rmc_consistency::{Event as HistoryEvent, EventId, EventKind, History, Place, Read, Source};

use super::accesses::Accesses;
use super::memory::{Part, Parts};
use crate::engine::stateless::event::Event;
use crate::engine::stateless::sources::Writer;
use crate::hash::FxHashMap;
use smallvec::SmallVec;

/// The history of a thread. 0 is that of a thread without steps.
pub type HistoryId = u32;

/// Reads with their sources.
pub type Reads = SmallVec<[Read; 1]>;

/// The last step of a history.
struct Step {
    before: HistoryId,
    /// The number of steps with this one.
    count: u32,
    event: HistoryEvent,
}

/// The steps of a thread that were met, by what came before, and their sources and answers.
type Key = (HistoryId, Box<[u64]>);

/// All histories of threads that were met.
pub struct Histories {
    steps: Vec<Step>,
    known: FxHashMap<Key, HistoryId>,
}

impl Default for Histories {
    fn default() -> Self {
        let none = Step { before: 0, count: 0, event: HistoryEvent::of(EventKind::Plain) };
        Self { steps: vec![none], known: FxHashMap::default() }
    }
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
    /// The history of a thread after another step. `origin` is the step of a writer.
    pub fn after(
        &mut self,
        before: HistoryId,
        event: &Event,
        accesses: &Accesses,
        parts: &Parts,
        origin: impl Fn(Writer) -> Option<Origin>,
    ) -> HistoryId {
        let origins: SmallVec<[_; 4]> = parts.iter().map(|part| (part, origin(part.writer))).collect();
        let key = (before, key(event, &origins));
        if let Some(&known) = self.known.get(&key) {
            debug_assert_eq!(self.event(known).writes.len(), event.pushed().len(), "a step is a function of its past");
            return known;
        }
        let kind = if event.is_fenced() { EventKind::Fence } else { EventKind::Plain };
        let stores = event.pushed().len();
        let event = HistoryEvent {
            reads: origins.iter().map(|(part, origin)| Read { place: part.place, source: source(*origin) }).collect(),
            writes: vec![Place::new(0, 0, 0); stores].into(),
            epochs: vec![0; stores].into(),
            at_once: accesses.writes.iter().copied().collect(),
            lives: vec![None; stores].into(),
            ..HistoryEvent::of(kind)
        };
        let id = HistoryId::try_from(self.steps.len()).expect("fewer than 2^32 histories");
        self.steps.push(Step { before, count: self.count(before) + 1, event });
        self.known.insert(key, id);
        id
    }

    /// Records the place of a delayed store of the last step of a history, the place that stands for the
    /// existence of the object there, and its group. The existence counts if the step touches it.
    pub fn set_store(&mut self, id: HistoryId, write: u32, place: Place, life: Option<Place>, group: u32) {
        let event = &mut self.steps[id as usize].event;
        let touches = |life: &Place| event.reads.iter().any(|read| read.place == *life) || event.at_once.contains(life);
        event.lives[write as usize] = life.filter(touches);
        event.writes[write as usize] = place;
        event.epochs[write as usize] = group;
    }

    /// The number of steps of a history.
    pub fn count(&self, id: HistoryId) -> u32 {
        self.steps[id as usize].count
    }

    /// The first steps of a history.
    pub fn first(&self, mut id: HistoryId, count: u32) -> HistoryId {
        while self.count(id) > count {
            id = self.steps[id as usize].before;
        }
        id
    }

    /// True if a history has another one as its first steps.
    pub fn has(&self, history: HistoryId, first: HistoryId) -> bool {
        self.first(history, self.count(first)) == first
    }

    /// The last step of a history.
    pub fn event(&self, id: HistoryId) -> &HistoryEvent {
        &self.steps[id as usize].event
    }

    /// The history that consists of these histories of threads.
    pub fn history(&self, threads: &[HistoryId]) -> History {
        let events = |&last: &HistoryId| {
            let mut events = Vec::with_capacity(self.count(last) as usize);
            let mut id = last;
            while id != 0 {
                let step = &self.steps[id as usize];
                events.push(step.event.clone());
                id = step.before;
            }
            events.reverse();
            events
        };
        History { threads: threads.iter().map(events).collect() }
    }
}

const ANSWER: u64 = 3 << 60;
const PART: u64 = 6 << 60;

/// Sources and answers as numbers. A source is the history of the thread that wrote it: so histories are
/// different if anything on which they depend is.
fn key(event: &Event, parts: &[(&Part, Option<Origin>)]) -> Box<[u64]> {
    let of_parts = parts.iter().flat_map(|(part, origin)| {
        let Place { object, offset, len } = part.place;
        let writer = origin
            .map_or(0, |origin| u64::from(origin.history) << 16 | origin.store.map_or(0, |store| u64::from(store) + 1));
        [PART | u64::from(offset), u64::from(object) << 32 | u64::from(len), writer]
    });
    of_parts.chain(event.answers().iter().map(|&answer| ANSWER | u64::from(answer))).collect()
}
