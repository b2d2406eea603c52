//! One execution of the textbook machine from the records of a delayed-flushing one: where each buffered store reaches memory.
//!
//! A store must be in memory before the operation at which delayed flushing found it in the past, and after every store that the memory model ordered
//! before it. It is put as late as that allows: right before that operation, its predecessors first. Later than every load that did not see it follows
//! by itself: such a load made the store later than all that was in the past, so none of these waits for it.

use fxhash::FxHashSet;
use rmc_runtime::{Access, Source, StoreTag};

use super::observe::{Effect, Event, Record, Recorder, Stored};

/// The events of the execution, with an event for each moment at which a buffered store reaches memory.
pub(super) fn linearise(recorder: Recorder, order: &[(StoreTag, StoreTag)]) -> Vec<Event> {
    let Recorder { records, stores, .. } = recorder;
    let mut execution = Execution {
        stores,
        order,
        events: Vec::new(),
        buffered: Vec::new(),
        memory: Vec::new(),
        done: FxHashSet::default(),
    };
    for record in records {
        execution.add(record);
    }
    execution.events
}

struct Execution<'a> {
    stores: Vec<Stored>,
    order: &'a [(StoreTag, StoreTag)],
    events: Vec<Event>,
    /// Stores in buffers, in program order.
    buffered: Vec<StoreTag>,
    /// What was written, oldest first.
    memory: Vec<(Access, StoreTag)>,
    /// Stores that reached memory or were dropped.
    done: FxHashSet<StoreTag>,
}

impl Execution<'_> {
    fn add(&mut self, record: Record) {
        let Record { mut event, effect, arrived, dropped, hidden } = record;
        for tag in arrived {
            self.flush(tag, event.step);
        }
        for tag in dropped {
            self.buffered.retain(|other| *other != tag);
            self.done.insert(tag);
        }
        match effect {
            Effect::None => {}
            Effect::Load { at, source } => event.source = self.origin(at, source),
            Effect::Store { tag, buffered: true } => self.buffered.push(tag),
            Effect::Store { tag, buffered: false } => {
                self.flush_before(tag, event.step);
                self.write(tag);
            }
        }
        if !hidden {
            event.buffers = self.buffers();
            self.events.push(event);
        }
    }

    /// A buffered store reaches memory, after all that must precede it.
    fn flush(&mut self, tag: StoreTag, step: usize) {
        if !self.buffered.contains(&tag) {
            return;
        }
        self.flush_before(tag, step);
        self.buffered.retain(|other| *other != tag);
        self.write(tag);
        if self.stored(tag).internal {
            return;
        }
        let event = Event {
            step,
            operation: "flush".to_owned(),
            source: String::new(),
            buffers: self.buffers(),
            ..self.stored(tag).event.clone()
        };
        self.events.push(event);
    }

    fn flush_before(&mut self, tag: StoreTag, step: usize) {
        let earlier: Vec<_> =
            self.order.iter().filter(|(_, later)| *later == tag).map(|(earlier, _)| *earlier).collect();
        for other in earlier {
            if !self.done.contains(&other) {
                self.flush(other, step);
            }
        }
    }

    fn write(&mut self, tag: StoreTag) {
        self.done.insert(tag);
        self.memory.push((self.stored(tag).at, tag));
    }

    fn stored(&self, tag: StoreTag) -> &Stored {
        &self.stores[tag.0 as usize - 1]
    }

    /// The buffered stores that are no internals of the library.
    fn buffers(&self) -> Vec<String> {
        let shown = self.buffered.iter().filter(|tag| !self.stored(**tag).internal);
        shown.map(|tag| self.text(*tag)).collect()
    }

    fn text(&self, tag: StoreTag) -> String {
        let Event { thread, address, value, .. } = &self.stored(tag).event;
        format!("thread {thread}: {address} = {value}")
    }

    /// Where a load's value came from.
    fn origin(&self, at: Access, source: Source) -> String {
        let place = |tag: StoreTag| {
            let Event { thread, file, line, function, .. } = &self.stored(tag).event;
            let place = match (*line, function.as_str()) {
                (0, "") => String::new(),
                (0, function) => format!(" in {function}"),
                (line, _) => format!(" at {}:{line}", file.rsplit('/').next().unwrap_or_default()),
            };
            format!("stored by thread {thread}{place}")
        };
        let writers = self.memory.iter().rev().filter(|(other, _)| other.overlaps(at));
        match source {
            Source::OwnBuffer(tag) if tag.0 != 0 => format!("its own buffer, {}", place(tag)),
            Source::OwnBuffer(_) => "its own buffer".to_owned(),
            Source::Mixed => "several stores".to_owned(),
            Source::Memory | Source::Pending { .. } => match writers.clone().next() {
                None => "memory, the initial value".to_owned(),
                Some((other, tag)) if other.covers(at) => format!("memory, {}", place(*tag)),
                Some(_) => "memory, several stores".to_owned(),
            },
        }
    }
}
