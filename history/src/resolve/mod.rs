//! From a recorded history to one that can be decided: names become numbers, and values become sources.
//!
//! * A mutex is a variable of one byte. To lock it is an atomic read, from the unlock before, and an atomic
//!   write; to unlock it is an atomic write (T. L. Bui, K. Chatterjee, T. Gautam, A. Pavlogiannis, V. Toman,
//!   "The Reads-From Equivalence for the TSO and PSO Memory Models", OOPSLA 2021, Remark 1).
//! * A failed compare-exchange is a fence that loads.
//! * Final values are read by a further thread with a single event. It also reads a mark from each thread,
//!   which the thread writes atomically behind its last event: so all stores have reached memory. The marks
//!   forbid nothing: whatever order the events and arrivals have, they may come behind all of them.
//!
//! Values stand for sources (`sources.rs`) only where they leave no choice.
//!
//! Tests: `tests/messages.rs`; `tests/values.rs` compares with the sources of random executions.

mod bytes;
mod sources;

use std::collections::HashMap;

use rmc_consistency::{Event, EventId, EventKind, History, HistoryError, Place, Read, Source};

use crate::error::{InputError, Problem, count};
use crate::located::{Entry, Item};
use crate::recorded::{EventName, Operation, Recorded, SourceName};

use bytes::Variables;
use sources::Sources;

/// A problem of a part of a history.
type Failure = (Item, Problem);

/// The history that an entry means.
///
/// # Errors
/// It means none.
pub fn resolve(entry: Entry<'_>) -> Result<History, InputError> {
    Resolver::new(entry).and_then(|resolver| resolver.history()).map_err(|(item, problem)| entry.error(item, problem))
}

struct Resolver<'e> {
    entry: Entry<'e>,
    /// The numbers of threads.
    threads: HashMap<&'e str, usize>,
    variables: Variables<'e>,
}

impl<'e> Resolver<'e> {
    fn new(entry: Entry<'e>) -> Result<Self, Failure> {
        let recorded = &entry.located.recorded;
        let names = recorded.threads.iter().enumerate();
        let threads: HashMap<&str, usize> = names.map(|(number, thread)| (thread.name.as_str(), number)).collect();
        if threads.len() != recorded.threads.len() {
            return Err((Item::Whole, Problem::Twice("the name of a thread".to_owned())));
        }
        let longest = recorded.threads.iter().map(|thread| thread.events.len()).max().unwrap_or(0);
        if u32::try_from(threads.len().max(longest) + 1).is_err() {
            return Err((Item::Whole, Problem::TooMany("threads or events")));
        }
        Ok(Self { entry, threads, variables: Variables::of(recorded)? })
    }

    fn recorded(&self) -> &'e Recorded {
        &self.entry.located.recorded
    }

    fn history(&self) -> Result<History, Failure> {
        let sources = Sources::of(self.entry, &self.variables)?;
        let mut history = History::default();
        for (number, thread) in self.recorded().threads.iter().enumerate() {
            let events = thread.events.iter().enumerate();
            let events = events.map(|(at, operation)| self.event(Item::Event(number, at), operation, &sources));
            history.threads.push(events.collect::<Result<_, _>>()?);
        }
        if !self.recorded().finals.is_empty() {
            self.add_finals(&mut history, &sources)?;
        }
        Ok(history)
    }

    fn event(&self, item: Item, operation: &'e Operation, sources: &Sources<'e>) -> Result<Event, Failure> {
        let kind = match operation {
            Operation::Load(_) | Operation::Store(_) => EventKind::Plain,
            Operation::Update(..) | Operation::Lock { .. } | Operation::Unlock { .. } => EventKind::Atomic,
            Operation::FailedExchange(_) | Operation::Fence => EventKind::Fence,
            Operation::StoreBarrier => EventKind::StoreBarrier,
        };
        let mut event = Event::of(kind);
        if let Some(load) = operation.load() {
            event.reads = sources.of_load(item, load, |name| self.find(name))?.into_iter().collect();
        }
        if let Some((part, _)) = operation.stores() {
            event.writes.push(self.variables.place(part).map_err(|problem| (item, problem))?);
        }
        if let Some(mutex) = operation.mutex() {
            let place = self.variables.mutex(mutex);
            if let Operation::Lock { from, .. } = operation {
                let source = self.unlock(from, mutex).map_err(|problem| (item, problem))?;
                event.reads.push(Read { place, source });
            }
            event.writes.push(place);
        }
        Ok(event)
    }

    /// The unlock of a mutex that a lock reads from.
    fn unlock(&self, from: &SourceName, mutex: &str) -> Result<Source, Problem> {
        let SourceName::Event(name) = from else { return Ok(Source::Initial) };
        let id = self.find(name)?;
        let (thread, index) = (id.thread as usize, id.index as usize);
        match self.entry.event(thread, index) {
            Operation::Unlock { mutex: unlocked } if unlocked == mutex => Ok(Source::Event(id)),
            _ => Err(Problem::NotAnUnlock(self.entry.described(thread, index), mutex.to_owned())),
        }
    }

    /// The position of an event with a name.
    fn find(&self, name: &EventName) -> Result<EventId, Problem> {
        let Some(&thread) = self.threads.get(name.thread.as_str()) else {
            let known = self.recorded().threads.iter().map(|thread| thread.name.as_str()).collect::<Vec<_>>();
            return Err(Problem::NoSuchThread(name.thread.clone(), known.join(", ")));
        };
        let events = self.recorded().threads[thread].events.len() as u64;
        if name.number == 0 || u64::from(name.number) > events {
            return Err(Problem::NoSuchEvent(name.clone(), count(events, "event")));
        }
        Ok(EventId::new(thread as u32, name.number - 1))
    }

    /// Adds the thread that reads the final values, and the marks that it waits for.
    fn add_finals(&self, history: &mut History, sources: &Sources<'e>) -> Result<(), Failure> {
        let object = self.variables.count();
        let mut reader = Event::of(EventKind::Plain);
        for (number, thread) in history.threads.iter_mut().enumerate() {
            let mark = Place::new(object, number as u32, 1);
            let id = EventId::new(number as u32, thread.len() as u32);
            let mut end = Event::of(EventKind::Atomic);
            end.writes.push(mark);
            thread.push(end);
            reader.reads.push(Read { place: mark, source: Source::Event(id) });
        }
        for (number, load) in self.recorded().finals.iter().enumerate() {
            let item = Item::Final(number);
            let reads = sources.of_load(item, load, |name| self.find(name))?;
            let is_known = |read: &Read| reader.reads.iter().any(|known| known.place.overlaps(read.place));
            if reads.iter().any(is_known) {
                return Err((item, Problem::Twice(format!("the final value of {}", load.part))));
            }
            reader.reads.extend(reads);
        }
        history.threads.push(vec![reader]);
        Ok(())
    }
}

/// An error of the decision in words of the recorded history.
#[must_use]
pub fn described(entry: Entry<'_>, error: HistoryError) -> InputError {
    InputError { place: format!("{}: {}", entry.file, entry.title()), problem: Problem::Undecidable(error) }
}
