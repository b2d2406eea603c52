//! Conversion of the records of an execution with delayed flushing into an execution of the textbook machine,
//! in which each buffered store reaches memory at a definite moment.
//!
//! A store must be in memory before the operation at which delayed flushing found it in the past, and after
//! every store that the memory model ordered before it. It is placed as late as that allows: right before
//! that operation, its predecessors first. It then also follows every load that did not see it: such a load
//! made the store later than everything that was in the past, so none of these stores waits for it.

use rmc_runtime::{Access, Source, StoreTag};

use super::recorder::{Effect, Record, Recorder, Stored};
use crate::hash::{FxHashMap, FxHashSet};
use crate::outcome::event::TraceEvent;
use crate::outcome::text::{Text, Texts};

/// The number of stores listed at each end of a buffer. An event has such a list, so whole lists would take
/// memory in proportion to the square of a buffer's size.
const LISTED: usize = 32;

/// The events of the execution, with an event for each moment at which a buffered store reaches memory.
pub(super) fn linearise(recorder: Recorder, order: &[(StoreTag, StoreTag)]) -> Vec<TraceEvent> {
    let Recorder { records, stores, texts, .. } = recorder;
    let mut earlier = FxHashMap::<_, Vec<_>>::default();
    order.iter().for_each(|&(before, tag)| earlier.entry(tag).or_default().push(before));
    let mut execution = Linearisation {
        stores,
        earlier,
        events: Vec::new(),
        buffered: Vec::new(),
        memory: Vec::new(),
        done: FxHashSet::default(),
        texts,
    };
    for record in records {
        execution.add(record);
    }
    execution.events
}

struct Linearisation {
    stores: Vec<Stored>,
    /// For each store, the stores that must reach memory before it, without those that follow by
    /// transitivity.
    earlier: FxHashMap<StoreTag, Vec<StoreTag>>,
    events: Vec<TraceEvent>,
    /// The stores in buffers, in program order.
    buffered: Vec<StoreTag>,
    /// The writes to memory, oldest first.
    memory: Vec<(Access, StoreTag)>,
    /// The stores that reached memory or were dropped.
    done: FxHashSet<StoreTag>,
    texts: Texts,
}

impl Linearisation {
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
            Effect::Load { at, source } => event.source = self.origin(at, source).into(),
            Effect::Store { tag, buffered: true } => self.buffered.push(tag),
            Effect::Store { tag, buffered: false } => {
                self.flush_before(tag, event.step);
                self.write(tag);
            }
        }
        if !hidden {
            event.buffers = self.buffers();
            self.events.push(event.sharing(&mut self.texts));
        }
    }

    /// Lets a buffered store reach memory, after all stores that must precede it.
    fn flush(&mut self, tag: StoreTag, step: usize) {
        if self.buffered.contains(&tag) {
            self.flush_before(tag, step);
            self.leave_buffer(tag, step);
        }
    }

    /// Lets the stores that must precede a store reach memory. An explicit stack replaces recursion, because
    /// a chain of stores is as long as a buffer.
    fn flush_before(&mut self, tag: StoreTag, step: usize) {
        let mut path = vec![(tag, 0)];
        while let Some((later, next)) = path.last_mut() {
            let before = self.earlier.get(later).and_then(|earlier| earlier.get(*next)).copied();
            *next += 1;
            match before {
                Some(before) if self.done.contains(&before) || !self.buffered.contains(&before) => {}
                Some(before) => path.push((before, 0)),
                None => {
                    let (flushed, _) = path.pop().expect("the path is not empty");
                    if !path.is_empty() && !self.done.contains(&flushed) {
                        self.leave_buffer(flushed, step);
                    }
                }
            }
        }
    }

    fn leave_buffer(&mut self, tag: StoreTag, step: usize) {
        self.buffered.retain(|other| *other != tag);
        self.write(tag);
        if self.stored(tag).internal {
            return;
        }
        let event = TraceEvent {
            step,
            operation: "flush".into(),
            source: Text::default(),
            buffers: self.buffers(),
            ..self.stored(tag).event.clone()
        };
        self.events.push(event.sharing(&mut self.texts));
    }

    fn write(&mut self, tag: StoreTag) {
        self.done.insert(tag);
        self.memory.push((self.stored(tag).at, tag));
    }

    fn stored(&self, tag: StoreTag) -> &Stored {
        &self.stores[tag.0 as usize - 1]
    }

    /// The buffered stores that are no internals of the library: all of them, or the [`LISTED`] oldest and
    /// newest, and the number of those in between.
    fn buffers(&self) -> Vec<Text> {
        let shown: Vec<_> = self.buffered.iter().filter(|tag| !self.stored(**tag).internal).collect();
        let text = |tags: &[&StoreTag]| tags.iter().map(|tag| self.text(**tag)).collect::<Vec<_>>();
        let between = shown.len().saturating_sub(2 * LISTED);
        if between == 0 {
            return text(&shown);
        }
        let (oldest, newest) = (&shown[..LISTED], &shown[LISTED + between..]);
        [text(oldest), vec![format!("{between} more").into()], text(newest)].concat()
    }

    fn text(&self, tag: StoreTag) -> Text {
        let TraceEvent { thread, address, value, .. } = &self.stored(tag).event;
        format!("thread {thread}: {address} = {value}").into()
    }

    /// A description of where a load's value came from.
    fn origin(&self, at: Access, source: Source) -> String {
        let place = |tag: StoreTag| {
            let TraceEvent { thread, file, line, function, .. } = &self.stored(tag).event;
            let place = match (*line, &**function) {
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
