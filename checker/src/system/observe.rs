//! Records what a step does, in words, when a schedule is run again for a report.
//!
//! Delayed flushing decides late when a store reached memory. The recorder compares the pending stores before and after each operation: a store that was
//! delayed and is not any more reached memory before that operation, so an event that says so is put in front of it, in an order that the
//! known order of the stores allows.

use fxhash::FxHashMap;
use rmc_runtime::{Bytes, MemoryOrder, Source, StoreTag};
use serde::{Deserialize, Serialize};

use super::access::Target;
use super::directory::ObjectKind;
use super::machine::Machine;
use super::memory::Region;
use crate::ir::address::{self, ObjectId};
use crate::ir::ids::{FuncId, Pc, SiteId};

/// One line of a counterexample.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// The step of the schedule, from 1.
    pub step: usize,
    /// The thread that acts, or whose store reaches memory.
    pub thread: usize,
    /// Source file, empty if unknown.
    pub file: String,
    /// Source line, 0 if unknown.
    pub line: u32,
    /// The function.
    pub function: String,
    /// `load`, `store`, `flush`, `fence`, the name of a library function, …
    pub operation: String,
    /// The variable and the byte offset in it.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub address: String,
    /// The value read or written.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub value: String,
    /// Where a loaded value came from; for a flush, where the store is.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub source: String,
    /// Stores that are still in a buffer after the operation, oldest first: `thread 0: x = 1`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub buffers: Vec<String>,
}

/// The events of a schedule so far.
#[derive(Debug, Default)]
pub struct Recorder {
    /// In order.
    pub events: Vec<Event>,
    /// The step under way, from 1.
    pub step: usize,
    /// Lines the program printed.
    pub output: String,
    stores: Vec<Stored>,
    names: FxHashMap<ObjectId, String>,
    before: Vec<StoreTag>,
    /// The known order of the stores delayed before the operation.
    order: Vec<(StoreTag, StoreTag)>,
}

#[derive(Debug)]
struct Stored {
    thread: usize,
    address: String,
    value: String,
    place: (String, u32, String),
}

impl Machine<'_> {
    fn here(&self) -> (FuncId, Pc) {
        let frame = self.stack.top();
        (frame.function, frame.pc)
    }

    fn event(&self, operation: &str) -> Event {
        let (function, pc) = self.here();
        let location = self.program.location(function, pc);
        Event {
            step: self.recorder.as_ref().map_or(0, |recorder| recorder.step),
            thread: self.current,
            file: self.program.file(location).to_owned(),
            line: location.line,
            function: self.program.function(function).name.clone(),
            operation: operation.to_owned(),
            address: String::new(),
            value: String::new(),
            source: String::new(),
            buffers: Vec::new(),
        }
    }

    /// Notes the delayed stores before an operation that may decide about them.
    pub(super) fn observe_before(&mut self) {
        let Some(mut recorder) = self.recorder.take() else { return };
        let pending: Vec<_> = self.buffers.pending().collect();
        recorder.before = pending.iter().filter(|store| !store.committed).map(|store| store.tag).collect();
        recorder.order.clear();
        for (i, earlier) in pending.iter().enumerate() {
            let later = pending.iter().enumerate().filter(|&(j, _)| self.buffers.precedes(i, j));
            recorder.order.extend(later.map(|(_, later)| (earlier.tag, later.tag)));
        }
        self.recorder = Some(recorder);
    }

    /// Adds an event, after events for the stores that turned out to have reached memory before it.
    fn record(&mut self, mut event: Event, last: Option<StoreTag>) {
        let Some(mut recorder) = self.recorder.take() else { return };
        let delayed: Vec<_> = self.buffers.pending().filter(|store| !store.committed).collect();
        let is_delayed = |tag: &StoreTag| delayed.iter().any(|store| store.tag == *tag);
        let mut arrived: Vec<_> = std::mem::take(&mut recorder.before);
        arrived.retain(|tag| tag.0 != 0 && !is_delayed(tag));
        while let Some(at) = next_arrival(&arrived, &recorder.order, last) {
            let tag = arrived.remove(at);
            let flush = recorder.flush(tag, event.step);
            recorder.events.push(flush);
        }
        event.buffers = delayed.iter().map(|store| recorder.pending_text(store.tag)).collect();
        recorder.events.push(event);
        self.recorder = Some(recorder);
    }

    pub(super) fn observe_load(&mut self, target: &Target, value: Bytes, source: Source, _later: &[StoreTag]) {
        let Some(recorder) = &self.recorder else { return };
        let (text, last) = match source {
            Source::Memory => ("memory".to_owned(), None),
            Source::OwnBuffer(tag) => (format!("its own buffer, {}", recorder.origin(tag)), None),
            Source::Pending { tag, .. } => (format!("memory, {}", recorder.origin(tag)), Some(tag)),
            Source::Mixed => ("several stores".to_owned(), None),
        };
        let event = Event { address: self.name(target), value: show(value, target.at.len), source: text, ..self.event("load") };
        self.record(event, last);
    }

    /// Records a store; its tag names it until it reaches memory.
    pub(super) fn observe_store(&mut self, target: &Target, value: Bytes, order: MemoryOrder) -> StoreTag {
        if self.recorder.is_none() {
            return StoreTag(0);
        }
        let operation = match order {
            MemoryOrder::Release => "store (release)",
            MemoryOrder::SeqCst => "store (seq_cst)",
            _ => "store",
        };
        let event = Event { address: self.name(target), value: show(value, target.at.len), ..self.event(operation) };
        let Some(recorder) = &mut self.recorder else { return StoreTag(0) };
        recorder.stores.push(Stored {
            thread: event.thread,
            address: event.address.clone(),
            value: event.value.clone(),
            place: (event.file.clone(), event.line, event.function.clone()),
        });
        recorder.events.push(event);
        StoreTag(u32::try_from(recorder.stores.len()).expect("a schedule is short"))
    }

    /// After a store: what it made reach memory, and what is pending now.
    pub(super) fn observe_after(&mut self) {
        if let Some(recorder) = &mut self.recorder
            && let Some(event) = recorder.events.pop()
        {
            self.record(event, None);
        }
    }

    pub(super) fn observe_fence(&mut self, order: MemoryOrder) {
        if self.recorder.is_some() {
            let name = match order {
                MemoryOrder::SeqCst => "fence (full)",
                MemoryOrder::Release | MemoryOrder::AcqRel => "fence (release)",
                _ => "fence (acquire)",
            };
            let event = self.event(name);
            self.record(event, None);
        }
    }

    /// Records a call of a library function.
    pub(super) fn observe_call(&mut self, what: &str, detail: String) {
        if self.recorder.is_some() {
            let event = Event { value: detail, ..self.event(what) };
            self.record(event, None);
        }
    }

    pub(super) fn observe_end(&mut self) {
        self.observe_call("thread ends", String::new());
    }

    pub(super) fn observe_evict(&mut self, _id: ObjectId) {
        // Stores to dying memory are dropped, not flushed: they are no events.
        if let Some(recorder) = &mut self.recorder {
            recorder.before.clear();
        }
    }

    /// Gives a local variable its name.
    pub(super) fn observe_variable(&mut self, address: u64, site: SiteId) {
        let (function, _) = self.here();
        let name = &self.program.function(function).allocas[site.index()];
        if let (Some(recorder), Some((id, _))) = (&mut self.recorder, address::split(address)) {
            recorder.names.insert(id, name.clone());
        }
    }

    /// Gives a heap object a name that says where it was allocated.
    pub(super) fn observe_allocation(&mut self, address: u64) {
        let (function, pc) = self.here();
        let place = self.program.place(self.program.location(function, pc));
        if let (Some(recorder), Some((id, _))) = (&mut self.recorder, address::split(address)) {
            recorder.names.insert(id, format!("heap({place})"));
        }
    }

    /// Collects what the program prints.
    pub(super) fn observe_output(&mut self, text: &str) {
        if self.recorder.is_some() {
            self.observe_call("print", format!("{text:?}"));
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.output.push_str(text);
        }
    }

    fn name(&self, target: &Target) -> String {
        let base = self.object_name(target.region.id);
        if target.at.offset == 0 { base } else { format!("{base}+{}", target.at.offset) }
    }

    fn object_name(&self, id: ObjectId) -> String {
        if let Some(global) = self.program.global_at(id) {
            return self.program.globals[global.index()].name.clone();
        }
        let known = self.recorder.as_ref().and_then(|recorder| recorder.names.get(&id)).cloned();
        known.unwrap_or_else(|| self.generic_name(id))
    }

    fn generic_name(&self, id: ObjectId) -> String {
        let thread = id.owner().saturating_sub(1);
        let kind = self.memory.directory.find(id).map(|at| self.memory.directory.objects[at].kind);
        match kind {
            Some(ObjectKind::ThreadLocal) => {
                let own = self.memory.directory.objects.iter().filter(|object| {
                    object.id.owner() == id.owner() && object.kind == ObjectKind::ThreadLocal && object.id < id
                });
                let global = self.program.thread_locals[own.count()];
                format!("{} (of thread {thread})", self.program.globals[global.index()].name)
            }
            Some(ObjectKind::Heap) => format!("a heap object of thread {thread}"),
            _ => format!("a local variable of thread {thread}"),
        }
    }

    /// An object with its size, for messages.
    pub(super) fn describe(&self, region: &Region) -> String {
        format!("`{}` ({} bytes)", self.object_name(region.id), region.size)
    }
}

/// The first arrived store that no other arrived one precedes; `last` comes after all others.
fn next_arrival(arrived: &[StoreTag], order: &[(StoreTag, StoreTag)], last: Option<StoreTag>) -> Option<usize> {
    let free = |tag: &StoreTag| !arrived.iter().any(|other| order.contains(&(*other, *tag)));
    let first = arrived.iter().position(|tag| Some(*tag) != last && free(tag));
    first.or_else(|| arrived.iter().position(free)).or(if arrived.is_empty() { None } else { Some(0) })
}

impl Recorder {
    fn stored(&self, tag: StoreTag) -> Option<&Stored> {
        self.stores.get((tag.0 as usize).checked_sub(1)?)
    }

    fn origin(&self, tag: StoreTag) -> String {
        match self.stored(tag) {
            Some(Stored { thread, place: (file, line, _), .. }) => format!("stored by thread {thread} at {file}:{line}"),
            None => "an earlier store".to_owned(),
        }
    }

    fn pending_text(&self, tag: StoreTag) -> String {
        match self.stored(tag) {
            Some(Stored { thread, address, value, .. }) => format!("thread {thread}: {address} = {value}"),
            None => "an earlier store".to_owned(),
        }
    }

    fn flush(&self, tag: StoreTag, step: usize) -> Event {
        let stored = self.stored(tag).expect("a named store");
        let (file, line, function) = stored.place.clone();
        Event {
            step,
            thread: stored.thread,
            file,
            line,
            function,
            operation: "flush".to_owned(),
            address: stored.address.clone(),
            value: stored.value.clone(),
            source: self.origin(tag),
            buffers: Vec::new(),
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
    if len == 8 && address::split(bits).is_some() {
        return format!("{bits:#x}");
    }
    crate::ir::value::signed(bits, u32::from(len) * 8).to_string()
}
