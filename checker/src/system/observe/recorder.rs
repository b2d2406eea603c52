//! Records what a step does, in words, when a schedule is run again for a report.
//!
//! Delayed flushing decides late when a store reached memory, so the recorder only notes what is known at
//! each operation: which delayed stores turned out to be in the past, and, from the memory model, in which
//! order stores reach memory. `linearise.rs` makes one execution of it.

use rmc_runtime::{Access, Bytes, MemoryOrder, Source, StoreTag};

use crate::hash::FxHashMap;
use crate::ir::address::{self, ObjectId};
use crate::ir::ids::{FuncId, Pc};
use crate::ir::program::Location;
use crate::outcome::event::TraceEvent;
use crate::outcome::text::{Text, Texts};
use crate::system::machine::Machine;
use crate::system::observe::history::History;
use crate::system::observe::linearise;
use crate::system::observe::names::Named;
use crate::system::state::threads;
use crate::system::step::access::Target;

/// The records of a schedule so far.
#[derive(Debug, Default)]
pub struct Recorder {
    /// The step under way, from 1.
    pub step: usize,
    pub(in crate::system) records: Vec<Record>,
    /// Named stores; tag n is number n - 1.
    pub(in crate::system) stores: Vec<Stored>,
    pub(in crate::system) names: FxHashMap<ObjectId, Named>,
    /// How many heap objects each place allocated.
    pub(in crate::system) allocations: FxHashMap<String, usize>,
    pub(in crate::system) history: History,
    /// The texts of the events.
    pub(in crate::system) texts: Texts,
    /// Stores that were delayed before the operation under way.
    before: Vec<StoreTag>,
    /// Stores that are in the past, though no record says so yet: an operation may have several parts, a
    /// fence and the end of memory, say.
    arrived: Vec<StoreTag>,
}

/// An event, and what it means for memory.
#[derive(Debug)]
pub(in crate::system) struct Record {
    pub event: TraceEvent,
    pub effect: Effect,
    /// Stores that were delayed before the operation and are in the past at it.
    pub arrived: Vec<StoreTag>,
    /// Stores that went away with their memory.
    pub dropped: Vec<StoreTag>,
    /// Whether the event is left out of the report.
    pub hidden: bool,
}

/// What an event does to memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::system) enum Effect {
    None,
    Load { at: Access, source: Source },
    Store { tag: StoreTag, buffered: bool },
}

/// A named store.
#[derive(Debug)]
pub(in crate::system) struct Stored {
    pub at: Access,
    pub event: TraceEvent,
    /// Whether the store is left out of the report, and so is its arrival in memory.
    pub internal: bool,
}

impl Machine<'_> {
    /// Records from now on.
    pub fn record(&mut self) {
        self.observers.recorder = Some(Box::default());
        self.buffers.log_order();
        self.record_output();
    }

    /// Keeps what the program prints from now on.
    pub fn record_output(&mut self) {
        self.observers.output = Some(Vec::new());
    }

    /// What the program printed since [`Self::record_output`]; bytes that are no UTF-8 are replaced.
    pub fn recorded_output(&mut self) -> String {
        String::from_utf8_lossy(&self.observers.output.take().unwrap_or_default()).into_owned()
    }

    /// Ends the recording: the events of one execution.
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

    pub(in crate::system) fn here(&self) -> (FuncId, Pc) {
        let frame = self.running.stack.top();
        (frame.function, frame.pc)
    }

    /// The place in the source of the running thread: that of its innermost frame that has one, since the
    /// support library has none.
    pub(in crate::system) fn source_location(&self) -> Location {
        self.source_place().map_or_else(Location::default, |(function, pc)| self.program.location(function, pc))
    }

    fn source_place(&self) -> Option<(FuncId, Pc)> {
        let at_hand = self.running.stack.frames().iter().rev().map(|frame| (frame.function, frame.pc));
        let below = threads::frames_below(&self.memory.components, self.running.rest);
        at_hand.chain(below).find(|&(function, pc)| self.program.location(function, pc).line > 0)
    }

    fn event(&self, operation: &str) -> TraceEvent {
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

    /// Notes the delayed stores before an operation that may decide about them.
    pub(in crate::system) fn observe_before(&mut self) {
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

    fn push_record(&mut self, event: TraceEvent, effect: Effect, hidden: bool) {
        let arrived = self.arrived();
        if let Some(recorder) = &mut self.observers.recorder {
            let event = event.sharing(&mut recorder.texts);
            recorder.records.push(Record { event, effect, arrived, dropped: Vec::new(), hidden });
        }
    }

    /// Stores that are in the past since the last record.
    fn arrived(&mut self) -> Vec<StoreTag> {
        let now = self.no_longer_delayed();
        let earlier = self.observers.recorder.as_mut().map(|recorder| std::mem::take(&mut recorder.arrived));
        earlier.into_iter().flatten().chain(now).collect()
    }

    /// Stores of those noted before that are not delayed any more.
    fn no_longer_delayed(&mut self) -> Vec<StoreTag> {
        let Some(recorder) = &mut self.observers.recorder else { return Vec::new() };
        let mut gone = std::mem::take(&mut recorder.before);
        let delayed = |tag: &StoreTag| self.buffers.pending().any(|store| !store.committed && store.tag == *tag);
        gone.retain(|tag| !delayed(tag));
        gone
    }

    pub(in crate::system) fn observe_load(&mut self, target: &Target, value: Bytes, source: Source) {
        if self.observers.recorder.is_some() {
            let event = self.access_event("load", target, value);
            self.push_record(event, Effect::Load { at: target.at, source }, self.is_internal(target.at));
        }
    }

    /// Records a load that decides nothing about the order of stores: whether its thread's own store is still
    /// pending does not matter.
    pub(in crate::system) fn observe_guarded_load(&mut self, target: &Target, value: Bytes) {
        if self.observers.recorder.is_none() {
            return;
        }
        let mut event = self.access_event("load", target, value);
        let effect = if self.buffers.overlaps(target.at) {
            event.source = "its own store".into();
            Effect::None
        } else {
            Effect::Load { at: target.at, source: Source::Memory }
        };
        self.push_record(event, effect, self.is_internal(target.at));
    }

    /// Names a store and records it; [`Self::observe_stored`] says what became of it.
    pub(in crate::system) fn observe_store(&mut self, target: &Target, value: Bytes, order: MemoryOrder) -> StoreTag {
        let operation = match order {
            MemoryOrder::Release => "store (release)",
            MemoryOrder::SeqCst => "store (seq_cst)",
            _ => "store",
        };
        let before = self.observers.recorder.as_mut().map(|recorder| std::mem::take(&mut recorder.before));
        let tag = self.named_store(target, false, |machine| machine.access_event(operation, target, value));
        if let (Some(recorder), Some(before)) = (&mut self.observers.recorder, before) {
            recorder.before = before;
        }
        tag
    }

    /// Records a store that is without effect.
    pub(in crate::system) fn observe_repeated(&mut self, target: &Target, value: Bytes) {
        if self.observers.recorder.is_some() {
            let event = self.access_event("store", target, value);
            self.push_record(event, Effect::None, self.is_internal(target.at));
        }
    }

    /// Records the write of a modelled function, which shows as the function's call.
    pub(in crate::system) fn observe_hidden_store(&mut self, target: &Target, value: Bytes) -> StoreTag {
        if let Some(recorder) = &mut self.observers.recorder {
            recorder.history.wrote = true;
        }
        self.named_store(target, true, |machine| machine.access_event("store", target, value))
    }

    /// Records a read-modify-write, or a compare-exchange that failed.
    pub(in crate::system) fn observe_exchange(&mut self, target: &Target, old: Bytes, new: Option<Bytes>) -> StoreTag {
        let len = target.at.len;
        match new {
            Some(new) => self.named_store(target, false, |machine| {
                let value = format!("{} -> {}", show(old, len), show(new, len)).into();
                TraceEvent { value, ..machine.access_event("atomic update", target, new) }
            }),
            None => {
                if self.observers.recorder.is_some() {
                    let event = self.access_event("compare-exchange fails", target, old);
                    self.push_record(event, Effect::None, self.is_internal(target.at));
                }
                StoreTag(0)
            }
        }
    }

    /// `event` is asked only where it is recorded.
    fn named_store(&mut self, target: &Target, hidden: bool, event: impl FnOnce(&Self) -> TraceEvent) -> StoreTag {
        if self.observers.recorder.is_none() {
            return self.unrecorded_tag();
        }
        let (event, internal) = (event(self), self.is_internal(target.at));
        let recorder = self.observers.recorder.as_mut().expect("it was there a moment ago");
        let event = event.sharing(&mut recorder.texts);
        recorder.stores.push(Stored { at: target.at, event: event.clone(), internal });
        let tag = StoreTag(u32::try_from(recorder.stores.len()).expect("a schedule is short"));
        self.push_record(event, Effect::Store { tag, buffered: false }, hidden || internal);
        tag
    }

    /// After a store: whether it waits in a buffer now, and which others it made reach memory.
    pub(in crate::system) fn observe_stored(&mut self, tag: StoreTag) {
        let arrived = self.arrived();
        let buffered = self.buffers.pending().any(|store| !store.committed && store.tag == tag);
        if let Some(record) = self.observers.recorder.as_mut().and_then(|recorder| recorder.records.last_mut()) {
            record.effect = Effect::Store { tag, buffered };
            record.arrived.extend(arrived);
        }
    }

    /// After the stores of a copy, none of which made another one reach memory: this one waits.
    pub(in crate::system) fn observe_buffered(&mut self, tag: StoreTag) {
        let records = self.observers.recorder.iter_mut().flat_map(|recorder| recorder.records.iter_mut().rev());
        let effect = Effect::Store { tag, buffered: false };
        if let Some(record) = records.into_iter().find(|record| record.effect == effect) {
            record.effect = Effect::Store { tag, buffered: true };
        }
    }

    /// A piece of a copy was loaded again, as the last record says. If the copy `takes` the value, the load
    /// before is the one that did not happen.
    pub(in crate::system) fn observe_sample(&mut self, at: Access, takes: bool) {
        let thread = self.running.thread;
        let Some(recorder) = &mut self.observers.recorder else { return };
        let is_load = |record: &&mut Record| {
            matches!(record.effect, Effect::Load { at: other, .. } if other == at) && record.event.thread == thread
        };
        let mut loads = recorder.records.iter_mut().rev().filter(is_load);
        if let Some(not_taken) = loads.nth(usize::from(takes)) {
            not_taken.hidden = true;
        }
    }

    /// The store of a piece of a copy that waits happens now, with another value.
    pub(in crate::system) fn observe_replaced(&mut self, target: &Target, value: Bytes) -> StoreTag {
        let thread = self.running.thread;
        let old = self.buffers.pending().filter(|store| store.thread == thread && store.at == target.at).last();
        if let (Some(recorder), Some(old)) = (&mut self.observers.recorder, old) {
            let is_old = |record: &&mut Record| matches!(record.effect, Effect::Store { tag, .. } if tag == old.tag);
            if let Some(record) = recorder.records.iter_mut().find(is_old) {
                (record.effect, record.hidden) = (Effect::None, true);
            }
        }
        let tag = self.observe_store(target, value, MemoryOrder::Plain);
        self.observe_buffered(tag);
        tag
    }

    pub(in crate::system) fn observe_fence(&mut self, order: MemoryOrder) {
        let name = match order {
            MemoryOrder::SeqCst => "fence (full)",
            MemoryOrder::Release | MemoryOrder::AcqRel => "fence (release)",
            _ => "fence (acquire)",
        };
        self.observe_call(name, "");
    }

    /// Records a call of a library function, or another event without an address.
    pub(in crate::system) fn observe_call(&mut self, what: &str, detail: impl std::fmt::Display) {
        if self.observers.recorder.is_some() {
            let event = TraceEvent { value: detail.to_string().into(), ..self.event(what) };
            self.push_record(event, Effect::None, false);
        }
    }

    /// Records a call of a library function that is about a whole object.
    pub(in crate::system) fn observe_object(&mut self, what: &str, address: u64) {
        let region = address::split(address).and_then(|(id, _)| self.memory.region(id));
        if let (true, Some(region)) = (self.observers.recorder.is_some(), region) {
            let (object, value) = (self.object_name(region.id).into(), self.describe(&region).into());
            let event = TraceEvent { object, value, ..self.event(what) };
            self.push_record(event, Effect::None, false);
        }
    }

    pub(in crate::system) fn observe_end(&mut self) {
        self.observe_call("thread ends", "");
    }

    /// Stores reached memory though nothing happened that found them there. Those that were lost did not.
    pub(in crate::system) fn observe_decided(&mut self) {
        let Some(recorder) = &mut self.observers.recorder else { return };
        recorder.before.retain(|tag| self.report.lost_stores.iter().all(|lost| lost.tag != *tag));
        let event = self.event("stores reach memory");
        self.push_record(event, Effect::None, true);
    }

    /// Stores to dying memory are dropped: they never reach memory.
    pub(in crate::system) fn observe_evict(&mut self) {
        let gone = self.no_longer_delayed();
        if gone.is_empty() {
            return;
        }
        let arrived = self.arrived();
        let event = self.event("memory ends");
        if let Some(recorder) = &mut self.observers.recorder {
            recorder.records.push(Record { event, effect: Effect::None, arrived, dropped: gone, hidden: true });
        }
    }

    /// Collects what the program prints.
    pub(in crate::system) fn observe_output(&mut self, text: &[u8]) {
        if self.observers.recorder.is_some() {
            self.observe_call("print", format_args!("{:?}", String::from_utf8_lossy(text)));
        }
        if let Some(output) = &mut self.observers.output {
            output.extend_from_slice(text);
        }
    }

    fn access_event(&self, operation: &str, target: &Target, value: Bytes) -> TraceEvent {
        let len = target.at.len;
        let address = (len == 8 && value.undef == 0).then_some(value.bits as u64);
        TraceEvent {
            object: self.object_name(ObjectId(target.at.object)).into(),
            offset: target.at.offset,
            bytes: len.into(),
            address: self.name(target).into(),
            value: show(value, len).into(),
            points_to: address.and_then(|address| self.pointee_name(address)).unwrap_or_default().into(),
            ..self.event(operation)
        }
    }
}

/// A value as a signed decimal number, an address as hexadecimal, or `uninitialised`.
fn show(value: Bytes, len: u8) -> String {
    if value.undef != 0 {
        return "uninitialised".to_owned();
    }
    if len > 8 {
        return format!("{:#x}", value.bits);
    }
    let bits = value.bits as u64;
    if let Some(thread) = crate::ir::thread_name::thread_of(bits).filter(|_| len == 8) {
        return format!("thread {thread}");
    }
    if len == 8 && address::split(bits).is_some() {
        return format!("{bits:#x}");
    }
    crate::ir::value::signed(bits, u32::from(len) * 8).to_string()
}
