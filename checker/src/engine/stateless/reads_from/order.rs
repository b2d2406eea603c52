//! The order of steps that holds in every execution with the same sources, as far as the sources tell it at
//! once. More of it may hold.
//!
//! A step comes after those on which it depends. A write to a place comes after a read of a write that comes
//! before it. Under SC both are steps. Otherwise it is the arrival of a store in memory that comes after the
//! read, and whatever comes after that arrival: the steps of other threads that read the store, the next
//! fence of its thread, and the arrivals of the thread's later groups of stores. So the order of a store's
//! arrival is noted when it arrives ([`BufferedStore::before`]): all reads that come before are in the
//! execution by then.
//!
//! A read of a store in the own buffer comes before the arrival of a later store, too: it comes before its
//! source arrives, or it would find the later one.

use rmc_consistency::Place;
use rmc_runtime::Model;

use super::clock::Clock;
use super::memory::Parts;
use super::trace::{BufferedStore, Trace, is_in_memory_before};
use crate::engine::stateless::accesses::Accesses;
use crate::engine::stateless::event::Event;
use crate::engine::stateless::sources::Writer;

impl Trace {
    /// Steps that come before a step at the end of the execution, with itself.
    pub(super) fn order(&self, event: &Event, accesses: &Accesses, parts: &Parts) -> Clock {
        let thread = event.action.thread;
        let number = self.count(thread);
        let mut order = self.order_before(thread, number);
        for part in parts {
            self.add_order(&mut order, thread, part.writer);
        }
        if event.is_fenced() {
            self.add_arrivals(&mut order, thread);
        }
        for &place in &accesses.writes {
            self.add_readers(&mut order, place, None);
        }
        order.raise(thread, number + 1);
        order
    }

    /// Steps that come before a step of a thread whatever it reads.
    pub(super) fn order_before(&self, thread: usize, number: u32) -> Clock {
        self.before(thread, number, |step| &step.order)
    }

    /// Adds the steps that come before a thread can read what a writer wrote.
    pub(super) fn add_order(&self, order: &mut Clock, reader: usize, writer: Writer) {
        let Some((thread, step)) = self.step_of(writer) else { return };
        order.unite(&self.step(thread, step).order);
        if let Writer::Store(_, store) = writer
            && thread != reader
        {
            order.unite(&self.threads[thread].stores[store as usize].before);
        }
    }

    /// Steps that come before a store of a thread to a place is in memory, which it reaches next, after so
    /// many of its thread's first stores.
    pub(super) fn order_of_arrival(&self, thread: usize, store: u32, place: Place, group: u32) -> Clock {
        if self.model == Model::Sc {
            return Clock::default();
        }
        let (step, _) = self.origin(thread as u32, store);
        let mut order = self.step(thread, step).order.clone();
        // The group before has what comes before it.
        let earlier = &self.threads[thread].stores[..group as usize];
        let last = earlier.last().map(|last| last.group);
        earlier.iter().rev().take_while(|store| Some(store.group) == last).for_each(|store| order.unite(&store.before));
        self.add_readers(&mut order, place, Some((thread, store)));
        order
    }

    /// Adds the steps that come before the stores of a thread are in memory that may have been delayed since
    /// its last fence.
    fn add_arrivals(&self, order: &mut Clock, thread: usize) {
        let Some(own) = self.threads.get(thread) else { return };
        let since = own.fences.last().map_or(0, |&fence| fence);
        for BufferedStore { origin: (step, _), before, .. } in own.stores.iter().rev() {
            if *step < since {
                break;
            }
            order.unite(before);
        }
    }

    /// Adds the steps that read what is overwritten by a write to a place that comes after all of `order`: a
    /// write at once, or this store, by thread and number.
    fn add_readers(&self, order: &mut Clock, place: Place, store: Option<(usize, u32)>) {
        for &(part, (reader, step)) in self.memory.last_reads(place) {
            if part.place.overlaps(place) && !order.has(reader, step) && self.is_overwritten(part.writer, order, store)
            {
                order.unite(&self.step(reader, step).order);
            }
        }
    }

    /// True if what a writer wrote is in memory before such a write.
    pub(super) fn is_overwritten(&self, writer: Writer, order: &Clock, store: Option<(usize, u32)>) -> bool {
        let is_own = |thread: u32, number: u32| store.is_some_and(|(of, last)| of == thread as usize && number < last);
        match writer {
            Writer::Store(..) if self.model == Model::Sc => false,
            Writer::Store(thread, number) if is_own(thread, number) => true,
            _ => is_in_memory_before(&self.threads, writer, order),
        }
    }
}
