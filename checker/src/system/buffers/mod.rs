//! Store buffers of a working state: by exact delayed flushing (crate `rmc_runtime`), or with explicit update
//! events ([`Updates`]).
//!
//! The explicit engine uses the former and the stateless engine the latter, so each checks the other's
//! treatment of buffers. All other parts of a state are the same for both.

mod updates;

use crate::system::state::decoded::Decoded;
use rmc_runtime::{Access, Buffers, Bytes, Choose, Loaded, Memory, Model, PendingStore, Source, StoreTag};

pub use updates::{BufferedStore, Updates};

/// The store buffers of all threads.
#[derive(Clone, Debug)]
#[allow(clippy::large_enum_variant)] // there is one per machine, and a pointer to follow at every access would cost time
pub enum StoreBuffers {
    /// A store gets its place in the order of memory when a load needs to know that place.
    Delayed(Decoded<Buffers>),
    /// A store reaches memory in an update event of its own.
    Updated(Updates),
}

use StoreBuffers::{Delayed, Updated};

impl StoreBuffers {
    /// Empty buffers.
    #[must_use]
    pub fn new(model: Model, updates: bool) -> Self {
        if updates { Updated(Updates::new(model)) } else { Delayed(Decoded::new(Buffers::new(model))) }
    }

    /// True if stores reach memory in update events.
    #[must_use]
    pub const fn has_updates(&self) -> bool {
        matches!(self, Updated(_))
    }

    /// True if nothing is pending.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Delayed(buffers) => buffers.is_empty(),
            Updated(updates) => updates.is_empty(),
        }
    }

    /// The number of pending stores.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Delayed(buffers) => buffers.len(),
            Updated(updates) => updates.pending().count(),
        }
    }

    /// The pending stores, by thread and then in program order.
    pub fn pending(&self) -> Box<dyn Iterator<Item = PendingStore> + '_> {
        match self {
            Delayed(buffers) => Box::new(buffers.pending()),
            Updated(updates) => Box::new(updates.pending()),
        }
    }

    /// True if a thread has pending stores.
    #[must_use]
    pub fn has_pending(&self, thread: usize) -> bool {
        match self {
            Delayed(buffers) => buffers.has_pending(thread),
            Updated(updates) => updates.delayed(thread) > 0,
        }
    }

    /// True if a thread has delayed stores.
    #[must_use]
    pub fn has_delayed(&self, thread: usize) -> bool {
        match self {
            Delayed(buffers) => buffers.has_delayed(thread),
            Updated(updates) => updates.delayed(thread) > 0,
        }
    }

    /// The number of a thread's delayed stores.
    #[must_use]
    pub fn delayed(&self, thread: usize) -> usize {
        match self {
            Delayed(buffers) => buffers.delayed(thread),
            Updated(updates) => updates.delayed(thread),
        }
    }

    /// True if a buffer with this bound (0 is unbounded) may have no room for another store of the thread.
    /// With update events the answer must not depend on which stores reached memory, so it is true of every
    /// buffer that can be full.
    #[must_use]
    pub fn is_full(&self, thread: usize, bound: usize) -> bool {
        let len = || match self {
            Delayed(buffers) => buffers.delayed(thread),
            Updated(updates) => updates.unfenced(thread),
        };
        bound > 0 && len() >= bound
    }

    /// True if a pending store overlaps these bytes.
    #[must_use]
    pub fn overlaps(&self, at: Access) -> bool {
        match self {
            Delayed(buffers) => buffers.overlaps(at),
            Updated(updates) => updates.pending().any(|store| store.at.overlaps(at)),
        }
    }

    /// Logs the order of stores as it becomes known, for a report.
    pub fn log_order(&mut self) {
        if let Delayed(buffers) = self {
            buffers.unencoded().log_order();
        }
    }

    /// Pairs of stores of which the first reaches memory before the second, unless that is evident from the
    /// events.
    #[must_use]
    pub fn known_order(&self) -> Vec<(StoreTag, StoreTag)> {
        match self {
            Delayed(buffers) => buffers.known_order(),
            Updated(_) => Vec::new(),
        }
    }

    /// The names of the pending stores.
    #[must_use]
    pub fn tags(&self) -> Vec<StoreTag> {
        self.pending().map(|store| store.tag).collect()
    }

    /// Names the pending stores.
    pub fn set_tags(&mut self, tags: &[StoreTag]) {
        match self {
            Delayed(buffers) => buffers.unencoded().set_tags(tags),
            Updated(updates) => updates.set_tags(tags),
        }
    }

    /// Makes a store of a thread.
    pub fn store<M: Memory>(&mut self, memory: &mut M, thread: usize, at: Access, value: Bytes, tag: StoreTag) {
        match self {
            Delayed(buffers) => buffers.store(memory, thread, at, value, tag),
            Updated(updates) => updates.push(thread, at, value, tag),
        }
    }

    /// Begins a copy of a thread, whose stores are one group.
    pub fn begin_copy(&mut self, thread: usize) {
        if let Updated(updates) = self {
            updates.begin_copy(thread);
        }
    }

    /// Makes the stores of a copy, without any order among themselves. With update events they may be a part
    /// of the copy's.
    pub fn store_group(&mut self, thread: usize, stores: &[(Access, Bytes, StoreTag)]) {
        match self {
            Delayed(buffers) => buffers.store_group(thread, stores.iter().copied()),
            Updated(updates) => stores.iter().for_each(|&(at, value, tag)| updates.push_piece(thread, at, value, tag)),
        }
    }

    /// The value of a thread's newest pending store to these bytes, if it is delayed and no wider.
    #[must_use]
    pub fn delayed_value(&self, thread: usize, at: Access) -> Option<Bytes> {
        match self {
            Delayed(buffers) => buffers.delayed_value(thread, at),
            Updated(_) => None,
        }
    }

    /// Lets that store happen now, with another value.
    pub fn replace(&mut self, thread: usize, at: Access, value: Bytes, tag: StoreTag) {
        match self {
            Delayed(buffers) => buffers.replace(thread, at, value, tag),
            Updated(_) => unreachable!("with update events a piece of a copy is loaded once"),
        }
    }

    /// Orders later stores of the thread after its earlier ones.
    pub fn store_barrier(&mut self, thread: usize) {
        match self {
            Delayed(buffers) => buffers.store_barrier(thread),
            Updated(updates) => updates.store_barrier(thread),
        }
    }

    /// Makes a full fence. With update events the thread has waited until its buffer was empty.
    pub fn fence<M: Memory>(&mut self, memory: &mut M, thread: usize) {
        match self {
            Delayed(buffers) => buffers.fence(memory, thread),
            Updated(updates) => updates.fence(thread),
        }
    }

    /// Lets the oldest delayed stores of a thread reach memory, until at most `left` are delayed.
    pub fn commit_down_to<M: Memory>(&mut self, memory: &mut M, thread: usize, left: usize) {
        match self {
            Delayed(buffers) => buffers.commit_down_to(memory, thread, left),
            Updated(_) => unreachable!("with update events a thread waits for its full buffer"),
        }
    }

    /// Begins an atomic section of a thread, with a full fence. With update events the thread has waited
    /// until its buffer was empty, and no update happens in a section.
    pub fn begin_section<M: Memory>(&mut self, memory: &mut M, thread: usize) {
        match self {
            Delayed(buffers) => buffers.begin_section(memory, thread),
            Updated(updates) => updates.fence(thread),
        }
    }

    /// Makes a store in an atomic section.
    pub fn store_in_section<M: Memory, C: Choose>(
        &mut self,
        memory: &mut M,
        thread: usize,
        (at, value, tag): (Access, Bytes, StoreTag),
        choose: &mut C,
    ) {
        match self {
            Delayed(buffers) => buffers.store_in_section(memory, thread, at, value, tag, choose),
            Updated(_) => memory.write(at, value),
        }
    }

    /// Ends an atomic section.
    pub fn end_section<M: Memory>(&mut self, memory: &mut M) {
        if let Delayed(buffers) = self {
            buffers.end_section(memory);
        }
    }

    /// True if a pending store to the object cannot reach memory before the atomic section under way ends.
    #[must_use]
    pub fn holds(&self, object: u32) -> bool {
        match self {
            Delayed(buffers) => buffers.holds(object),
            Updated(_) => false,
        }
    }

    /// Makes the write of an atomic access.
    pub fn store_now<M: Memory>(&mut self, memory: &mut M, thread: usize, at: Access, value: Bytes, tag: StoreTag) {
        match self {
            Delayed(buffers) => buffers.store_now(memory, thread, at, value, tag),
            Updated(_) => memory.write(at, value),
        }
    }

    /// Makes a load by a thread, or by an observer without a buffer.
    pub fn load<M: Memory, C: Choose>(
        &mut self,
        memory: &mut M,
        thread: Option<usize>,
        at: Access,
        choose: &mut C,
    ) -> Loaded {
        match self {
            // A load that overlaps no pending store decides nothing.
            Delayed(buffers) if !buffers.overlaps(at) => buffers.unencoded().load(memory, thread, at, choose),
            Delayed(buffers) => buffers.load(memory, thread, at, choose),
            Updated(updates) => match thread {
                Some(thread) => updates.load(memory, thread, at),
                None => Loaded { value: memory.read(at), source: Source::Memory, later: Vec::new() },
            },
        }
    }

    /// Drops the pending stores to memory that dies.
    ///
    /// # Errors
    /// The result is an error if another thread has a delayed store to the memory.
    pub fn evict<M: Memory>(&mut self, memory: &mut M, thread: usize, object: u32) -> Result<(), PendingStore> {
        match self {
            Delayed(buffers) => buffers.evict(memory, thread, object, None),
            Updated(updates) => updates.evict(thread, object),
        }
    }

    /// Lets the pending stores to an object reach memory before the object dies. With update events, stores
    /// that did are not pending any more.
    pub fn arrive<M: Memory>(&mut self, memory: &mut M, object: u32) {
        if let Delayed(buffers) = self {
            buffers.arrive(memory, object);
        }
    }

    /// Ends the process: delayed stores to ranges that matter reached memory or are lost. Returns the lost
    /// ones. With update events it returns none, since pending stores stay in their buffers.
    pub fn finish<M: Memory, C: Choose>(
        &mut self,
        memory: &mut M,
        choose: &mut C,
        matters: impl Fn(Access) -> bool,
    ) -> Vec<PendingStore> {
        match self {
            Delayed(buffers) => buffers.finish(memory, choose, matters),
            Updated(_) => Vec::new(),
        }
    }
}
