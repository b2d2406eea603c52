//! The events of operations, in words, for the recorder.
//!
//! A store is recorded when it is announced, and its record is completed when it was made.

use rmc_runtime::{Access, Bytes, MemoryOrder, Source, StoreTag};

use super::recorder::{Effect, Record, Stored};
use crate::ir::address::{self, ObjectId};
use crate::outcome::event::TraceEvent;
use crate::system::machine::Machine;
use crate::system::step::access::Target;

impl Machine<'_> {
    pub(super) fn observe_load(&mut self, target: &Target, value: Bytes, source: Source) {
        if self.observers.recorder.is_some() {
            let event = self.access_event("load", target, value);
            self.push_record(event, Effect::Load { at: target.at, source }, self.is_internal(target.at));
        }
    }

    /// Records a load that decides nothing about the order of stores: it does not matter whether its thread's
    /// own store is still pending.
    pub(super) fn observe_guarded_load(&mut self, target: &Target, value: Bytes) {
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

    /// Names a store and records it. [`Self::observe_stored`] completes the record.
    pub(super) fn observe_store(&mut self, target: &Target, value: Bytes, order: MemoryOrder) -> StoreTag {
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

    /// Records a store without effect.
    pub(super) fn observe_repeated(&mut self, target: &Target, value: Bytes) {
        if self.observers.recorder.is_some() {
            let event = self.access_event("store", target, value);
            self.push_record(event, Effect::None, self.is_internal(target.at));
        }
    }

    /// Records the write of a modelled function. The report shows it as the function's call.
    pub(super) fn observe_hidden_store(&mut self, target: &Target, value: Bytes) -> StoreTag {
        if let Some(recorder) = &mut self.observers.recorder {
            recorder.history.wrote = true;
        }
        self.named_store(target, true, |machine| machine.access_event("store", target, value))
    }

    /// Records a read-modify-write, or a compare-exchange that failed.
    pub(super) fn observe_exchange(&mut self, target: &Target, old: Bytes, new: Option<Bytes>) -> StoreTag {
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

    /// Names a store and records it. `event` is called only if a recorder exists.
    fn named_store(&mut self, target: &Target, hidden: bool, event: impl FnOnce(&Self) -> TraceEvent) -> StoreTag {
        if self.observers.recorder.is_none() {
            return self.unrecorded_tag();
        }
        let (event, internal) = (event(self), self.is_internal(target.at));
        let frames = self.running_frames().collect();
        let recorder = self.observers.recorder.as_mut().expect("it was there a moment ago");
        let event = event.sharing(&mut recorder.texts);
        recorder.stores.push(Stored { at: target.at, event: event.clone(), frames, internal });
        let tag = StoreTag(u32::try_from(recorder.stores.len()).expect("a schedule is short"));
        self.push_record(event, Effect::Store { tag, buffered: false }, hidden || internal);
        tag
    }

    /// Completes the record of a store: whether it waits in a buffer now, and which other stores it made
    /// reach memory.
    pub(super) fn observe_stored(&mut self, tag: StoreTag) {
        let arrived = self.arrived();
        let buffered = self.buffers.pending().any(|store| !store.committed && store.tag == tag);
        if let Some(record) = self.observers.recorder.as_mut().and_then(|recorder| recorder.records.last_mut()) {
            record.effect = Effect::Store { tag, buffered };
            record.arrived.extend(arrived);
        }
    }

    /// Completes the record of a store of a copy that waits in a buffer. No store of the copy made another
    /// one reach memory.
    pub(super) fn observe_buffered(&mut self, tag: StoreTag) {
        let records = self.observers.recorder.iter_mut().flat_map(|recorder| recorder.records.iter_mut().rev());
        let effect = Effect::Store { tag, buffered: false };
        if let Some(record) = records.into_iter().find(|record| record.effect == effect) {
            record.effect = Effect::Store { tag, buffered: true };
        }
    }

    /// Hides a load of a piece of a copy after that piece was loaded again, in the last record. If the copy
    /// `takes` the new value, the earlier load did not happen; else the new one did not.
    pub(super) fn observe_reload(&mut self, at: Access, takes: bool) {
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

    /// Records that the waiting store of a piece of a copy happens now, with another value.
    pub(super) fn observe_replaced(&mut self, target: &Target, value: Bytes) -> StoreTag {
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

    pub(super) fn observe_fence(&mut self, order: MemoryOrder) {
        let name = match order {
            MemoryOrder::SeqCst => "fence (full)",
            MemoryOrder::Release | MemoryOrder::AcqRel => "fence (release)",
            _ => "fence (acquire)",
        };
        self.observe_call(name, "");
    }

    /// Records a call of a library function, or another event without an address.
    pub(super) fn observe_call(&mut self, what: &str, detail: impl std::fmt::Display) {
        if self.observers.recorder.is_some() {
            let event = TraceEvent { value: detail.to_string().into(), ..self.event(what) };
            self.push_record(event, Effect::None, false);
        }
    }

    /// Records a call of a library function that acts on something at an address, such as a mutex.
    pub(super) fn observe_call_on(&mut self, what: &str, address: u64, detail: impl std::fmt::Display) {
        if self.observers.recorder.is_none() {
            return;
        }
        let Some((id, offset)) = address::split(address) else { return self.observe_call(what, detail) };
        let name = self.place_name(id, offset);
        let value = format!("`{name}` {detail}").trim_end().into();
        let event = TraceEvent { object: self.object_name(id).into(), value, ..self.event(what) };
        self.push_record(event, Effect::None, self.is_internal(Access { object: id.0, offset, len: 1 }));
    }

    /// Records a call of a library function whose argument is a whole object.
    pub(super) fn observe_object(&mut self, what: &str, address: u64) {
        let region = address::split(address).and_then(|(id, _)| self.memory.region(id));
        if let (true, Some(region)) = (self.observers.recorder.is_some(), region) {
            let (object, value) = (self.object_name(region.id).into(), self.describe(&region).into());
            let event = TraceEvent { object, value, ..self.event(what) };
            self.push_record(event, Effect::None, false);
        }
    }

    pub(super) fn observe_end(&mut self) {
        self.observe_call("thread ends", "");
    }

    /// Records that stores reached memory without an operation that found them there. Lost stores did not
    /// reach it.
    pub(super) fn observe_decided(&mut self) {
        let Some(recorder) = &mut self.observers.recorder else { return };
        recorder.before.retain(|tag| self.report.lost_stores.iter().all(|lost| lost.tag != *tag));
        let event = self.event("stores reach memory");
        self.push_record(event, Effect::None, true);
    }

    /// Records that stores to dying memory are dropped and never reach memory.
    pub(super) fn observe_evict(&mut self) {
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

    /// Collects the output of the program.
    pub(super) fn observe_output(&mut self, text: &[u8]) {
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
