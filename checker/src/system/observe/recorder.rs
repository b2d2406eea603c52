//! Records the operations of a step in words, when a schedule is run again for a report.
//!
//! Delayed flushing decides late when a store reached memory. So the recorder stores only the facts known at
//! each operation: the delayed stores that turned out to be in the past, and, from the memory model, the
//! order in which stores reach memory. `linearise.rs` derives one execution from them.

use rmc_runtime::{Access, Source, StoreTag};

use crate::hash::FxHashMap;
use crate::ir::address::ObjectId;
use crate::ir::ids::{FuncId, Pc};
use crate::ir::program::Location;
use crate::outcome::event::TraceEvent;
use crate::outcome::text::{Text, Texts};
use crate::system::machine::Machine;
use crate::system::observe::history::History;
use crate::system::observe::linearise;
use crate::system::observe::names::Named;
use crate::system::state::threads;

/// The records of a schedule so far.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    /// The number of the step under way, from 1.
    step: usize,
    pub(super) records: Vec<Record>,
    /// Named stores; the one with tag n is at index n - 1.
    pub(super) stores: Vec<Stored>,
    pub(super) names: FxHashMap<ObjectId, Named>,
    /// The number of heap objects that each place allocated.
    pub(super) allocations: FxHashMap<String, usize>,
    pub(super) history: History,
    /// The texts of the events.
    pub(super) texts: Texts,
    /// The stores that were delayed before the operation under way.
    pub(super) before: Vec<StoreTag>,
    /// The stores that are in the past and in no record yet. An operation may have several parts, for
    /// instance a fence and the end of memory.
    arrived: Vec<StoreTag>,
}

/// An event and its effect on memory.
#[derive(Debug)]
pub(super) struct Record {
    pub event: TraceEvent,
    pub effect: Effect,
    /// The stores that were delayed before the operation and are in the past at it.
    pub arrived: Vec<StoreTag>,
    /// The stores that were dropped with their memory.
    pub dropped: Vec<StoreTag>,
    /// True if the event is left out of the report.
    pub hidden: bool,
}

/// The kinds of effects of an event on memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    None,
    Load { at: Access, source: Source },
    Store { tag: StoreTag, buffered: bool },
}

/// A named store.
#[derive(Debug)]
pub(super) struct Stored {
    pub at: Access,
    pub event: TraceEvent,
    /// The frames of the thread at the store, innermost first.
    pub frames: Vec<(FuncId, Pc)>,
    /// True if the store and its arrival in memory are left out of the report.
    pub internal: bool,
}

impl Machine<'_> {
    /// Begins to record.
    pub fn record(&mut self) {
        self.observers.recorder = Some(Box::default());
        self.buffers.log_order();
        self.record_output();
    }

    /// Sets the number of the step that is run next, if events are recorded.
    pub fn record_step(&mut self, number: usize) {
        if let Some(recorder) = &mut self.observers.recorder {
            recorder.step = number;
        }
    }

    /// Begins to keep the program's output.
    pub fn record_output(&mut self) {
        self.observers.output = Some(Vec::new());
    }

    /// The program's output since [`Self::record_output`]. Bytes that are no UTF-8 are replaced.
    pub fn recorded_output(&mut self) -> String {
        String::from_utf8_lossy(&self.observers.output.take().unwrap_or_default()).into_owned()
    }

    /// Ends the recording, and returns the events of one execution.
    pub fn recorded(&mut self) -> Vec<TraceEvent> {
        let order = self.buffers.known_order();
        self.observers.recorder.take().map_or_else(Vec::new, |recorder| linearise::linearise(*recorder, &order))
    }

    /// The recorded store of this name.
    #[must_use]
    pub fn recorded_store(&self, tag: StoreTag) -> Option<TraceEvent> {
        let at = (tag.0 as usize).checked_sub(1)?;
        self.observers.recorder.as_ref()?.stores.get(at).map(|store| store.event.clone())
    }

    /// The frames of its thread at the recorded store of this name, innermost first; empty if there is none.
    #[must_use]
    pub fn frames_of_store(&self, tag: StoreTag) -> Vec<(FuncId, Pc)> {
        let stored = (tag.0 as usize).checked_sub(1);
        let stored = stored.and_then(|at| self.observers.recorder.as_ref()?.stores.get(at));
        stored.map_or_else(Vec::new, |store| store.frames.clone())
    }

    /// The frames of the running thread, innermost first.
    pub(super) fn running_frames(&self) -> impl Iterator<Item = (FuncId, Pc)> {
        let at_hand = self.running.stack.frames().iter().rev().map(|frame| (frame.function, frame.pc));
        at_hand.chain(threads::frames_below(&self.memory.components, self.running.rest))
    }

    pub(in crate::system) fn here(&self) -> (FuncId, Pc) {
        let frame = self.running.stack.top();
        (frame.function, frame.pc)
    }

    /// The source location of the running thread: that of the frame that is shown.
    pub(in crate::system) fn source_location(&self) -> Location {
        self.source_place().map_or_else(Location::default, |(function, pc)| self.program.location(function, pc))
    }

    fn source_place(&self) -> Option<(FuncId, Pc)> {
        self.program.shown_frame(self.running_frames())
    }

    /// The event of an operation of the running thread where it is, without more than that.
    pub(super) fn event(&self, operation: &str) -> TraceEvent {
        let place = self.source_place();
        let location = place.map_or_else(Location::default, |(function, pc)| self.program.location(function, pc));
        let function = place.map_or(self.here().0, |(function, _)| function);
        TraceEvent {
            step: self.observers.recorder.as_ref().map_or(0, |recorder| recorder.step),
            thread: self.running.thread,
            file: self.program.file(location).into(),
            line: location.line,
            function: self.program.function(function).shown_name().into(),
            operation: operation.into(),
            object: Text::default(),
            offset: 0,
            bytes: 0,
            address: Text::default(),
            value: Text::default(),
            points_to: Text::default(),
            source: Text::default(),
            buffers: Vec::new(),
        }
    }

    /// Records the delayed stores before an operation that may decide about them.
    pub(super) fn observe_before(&mut self) {
        let arrived = self.no_longer_delayed();
        if let Some(recorder) = &mut self.observers.recorder {
            recorder.arrived.extend(arrived);
            let delayed = self.buffers.pending().filter(|store| !store.committed && store.tag.0 != 0);
            recorder.before = delayed.map(|store| store.tag).collect();
        }
    }

    /// Lets a store reach memory, as an event of its own.
    pub fn observe_update(&mut self, thread: usize, number: u32) -> Option<()> {
        self.observe_before();
        self.update(thread, number).map(|_| ())
    }

    /// Records an event, with the stores that became part of the past since the last record.
    pub(super) fn push_record(&mut self, event: TraceEvent, effect: Effect, hidden: bool) {
        let arrived = self.arrived();
        if let Some(recorder) = &mut self.observers.recorder {
            let event = event.sharing(&mut recorder.texts);
            recorder.records.push(Record { event, effect, arrived, dropped: Vec::new(), hidden });
        }
    }

    /// The stores that became part of the past since the last record.
    pub(super) fn arrived(&mut self) -> Vec<StoreTag> {
        let now = self.no_longer_delayed();
        let earlier = self.observers.recorder.as_mut().map(|recorder| std::mem::take(&mut recorder.arrived));
        earlier.into_iter().flatten().chain(now).collect()
    }

    /// The stores recorded before the operation that are not delayed any more.
    pub(super) fn no_longer_delayed(&mut self) -> Vec<StoreTag> {
        let Some(recorder) = &mut self.observers.recorder else { return Vec::new() };
        let mut gone = std::mem::take(&mut recorder.before);
        let delayed = |tag: &StoreTag| self.buffers.pending().any(|store| !store.committed && store.tag == *tag);
        gone.retain(|tag| !delayed(tag));
        gone
    }
}
