//! The footprint of a step: the memory and other things that it touches and other threads may know. From it
//! the stateless engine tells which steps commute.
//!
//! It is kept only while stores reach memory by update events. Besides bytes of memory, steps touch things
//! that have no address: a thread (its creation, end and join), the numbers of threads, the names of a
//! thread's heap objects, and who is parked where.

use rmc_runtime::Access;

use crate::ir::address::{self, ObjectId};
use crate::system::buffers::StoreBuffers;
use crate::system::machine::Machine;
use crate::system::observe::commuting::Commuting;
use crate::system::state::memory::Content;
use crate::system::step::access::Target;

/// An entry of a footprint: a touched range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FootprintEntry {
    /// The object, or a thing without an address.
    pub object: u32,
    /// First byte.
    pub offset: u32,
    /// Bytes.
    pub len: u32,
    /// Whether it is changed.
    pub write: bool,
    /// Of a load, the thread's newest buffered store to these bytes, whether it reached memory or not:
    /// foreign writes that came before that store are hidden from the load, and those that come after it are
    /// not. The machine knows it while the store is pending. Of a write at once, how many stores the thread
    /// had buffered before it: its place among them in program order.
    pub own: Option<u32>,
    /// Of a write that only combines something with what is there, and of which nothing else depends on the
    /// result, how it does: it commutes with others of this kind to the same bytes.
    pub commuting: Option<Commuting>,
    /// Whether the step did not touch this at all, but would have with other answers to its questions.
    pub imagined: bool,
}

impl FootprintEntry {
    /// Some bytes.
    #[must_use]
    pub fn of(at: Access, write: bool) -> Self {
        Self {
            object: at.object,
            offset: at.offset,
            len: at.len.into(),
            write,
            own: None,
            commuting: None,
            imagined: false,
        }
    }

    /// Whether it is the creation of a thread rather than bytes.
    #[must_use]
    pub const fn is_creation(&self, thread: usize) -> bool {
        self.object == CREATIONS | thread as u32
    }

    /// What this gives up that the other one waited for, so that the other could not have come right before
    /// it.
    #[must_use]
    pub const fn hands_over_to(&self, other: &Self) -> Option<EnablingRelease> {
        if !self.write || other.write || !self.overlaps(other) {
            None
        } else if self.object & HANDED_ENDS == HANDED_ENDS {
            Some(EnablingRelease::End)
        } else if self.object & HANDOVERS == HANDOVERS {
            Some(EnablingRelease::Mutex)
        } else {
            None
        }
    }

    /// A set of 64 bits: ranges that overlap have one in common.
    #[must_use]
    pub fn places(&self) -> u64 {
        let bit = |piece: u32| 1 << ((self.object ^ piece << 5).wrapping_mul(0x9E37_79B9) >> 26);
        let (first, last) = (self.offset / PIECE, (self.offset + self.len - 1) / PIECE);
        if last - first > 64 { u64::MAX } else { (first..=last).fold(0, |places, piece| places | bit(piece)) }
    }

    /// The thread of which it is the creation, if it is one.
    #[must_use]
    pub const fn created(&self) -> Option<usize> {
        if self.object >= CREATIONS && self.object < ENDS { Some((self.object - CREATIONS) as usize) } else { None }
    }

    /// Whether it is the end of this thread.
    #[must_use]
    pub const fn is_end_of(&self, thread: usize) -> bool {
        let thread = thread as u32;
        self.object == THREADS | thread || self.object == HANDED_ENDS | thread
    }

    /// The thread for whose end it waited, if it did.
    #[must_use]
    pub const fn awaited(&self) -> Option<usize> {
        let thread = self.object & (CREATIONS - 1);
        if self.object ^ thread == HANDED_ENDS && !self.write { Some(thread as usize) } else { None }
    }

    /// Which kind of thing it is, below 128; 0 if it is memory.
    #[must_use]
    pub const fn kind(&self) -> u32 {
        self.object / CREATIONS
    }

    /// Whether it is nothing but what the end of a thread and the wait for it have in common.
    #[must_use]
    pub const fn is_of_join(&self) -> bool {
        matches!(self.object & !(CREATIONS - 1), THREADS | NUMBERS | HANDED_ENDS)
    }

    /// Whether it is something that has no address rather than bytes.
    #[must_use]
    pub const fn is_no_memory(&self) -> bool {
        self.object >= CREATIONS
    }

    /// Whether it is names of a thread's heap objects, or numbers of threads: written where one is given
    /// away, read where one becomes free.
    #[must_use]
    pub const fn is_names(&self) -> bool {
        self.object >= NAMES && self.object < NUMBERS || self.object & !(CREATIONS - 1) == NUMBERS
    }

    /// Whether this range has all bytes of another one.
    #[must_use]
    pub const fn covers(&self, other: &Self) -> bool {
        self.object == other.object && self.offset <= other.offset && other.offset + other.len <= self.offset + self.len
    }

    /// Whether the order of two touches matters.
    #[must_use]
    pub fn conflicts(&self, other: &Self) -> bool {
        self.overlaps(other) && (self.write || other.write) && !self.commutes_with(other)
    }

    /// Whether both are writes of one kind, to the same bytes, of which either order does the same.
    fn commutes_with(&self, other: &Self) -> bool {
        let (Some(one), Some(another)) = (self.commuting, other.commuting) else { return false };
        one.commutes_with(another) && (self.object, self.offset, self.len) == (other.object, other.offset, other.len)
    }

    /// Whether two ranges have a byte in common.
    #[must_use]
    pub const fn overlaps(&self, other: &Self) -> bool {
        self.object == other.object && self.offset < other.offset + other.len && other.offset < self.offset + self.len
    }
}

/// What one step gives up and another one waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnablingRelease {
    /// The mutex is free from now on; it may also have been free before it was taken.
    Mutex,
    /// The thread has ended.
    End,
}

/// Bytes that [`FootprintEntry::places`] does not tell apart.
const PIECE: u32 = 8;

/// Names of things without an address, beyond those of all objects.
const THREADS: u32 = 1 << 31;
const NUMBERS: u32 = 1 << 30;
const NAMES: u32 = 1 << 29;
const PARKED: u32 = 1 << 28;
const ENDS: u32 = 1 << 26;
const CREATIONS: u32 = 1 << 25;
const PARKING: u32 = 1 << 27;
/// What is handed over: a mutex, or that a thread has ended.
const HANDOVERS: u32 = PARKED | PARKING;
const HANDED_ENDS: u32 = THREADS | NUMBERS;
/// A round of a barrier, for arrivals; the same for those who wait until it is complete; and a thread that is
/// not in it.
const ROUNDS: u32 = NUMBERS | PARKING;
const RELEASES: u32 = NUMBERS | ENDS;
const OUTSIDERS: u32 = NUMBERS | PARKED;
/// Whether an object is there.
const LIVES: u32 = THREADS | PARKED;

/// The first byte of a touch of a round of a barrier, or of a thread there. That of another one may be the
/// same, if the object is large: then they conflict.
const fn numbered(offset: u32, number: u16) -> u32 {
    (offset << 16 | number as u32) & (u32::MAX >> 1)
}

impl Machine<'_> {
    /// What a touched place is called; empty if it has no address.
    #[must_use]
    pub fn touch_name(&self, touch: &FootprintEntry) -> String {
        if touch.is_no_memory() {
            String::new()
        } else {
            self.part_name(ObjectId(touch.object), touch.offset, touch.len)
        }
    }

    fn touch(&mut self, object: u32, offset: u32, len: u32, write: bool) {
        if !self.config.updates || self.is_alone() {
            return;
        }
        let own = write.then(|| self.pushed(self.running.thread));
        let touch = FootprintEntry { object, offset, len, write, own, commuting: None, imagined: false };
        // The write of a read-modify-write says more than its load.
        match self.report.footprint.last_mut() {
            Some(last) if *last == (FootprintEntry { write: false, own: None, ..touch }) => *last = touch,
            _ => self.report.footprint.push(touch),
        }
    }

    /// Adds to something without an address.
    fn touch_sum(&mut self, name: u32, number: u32) {
        self.touch(name, number, 1, true);
        self.combine_with(Access { object: name, offset: number, len: 1 }, Commuting::Count);
    }

    /// The step read some bytes only to combine something with them, in a way of this kind, and does not
    /// depend on what they were otherwise.
    pub(in crate::system) fn combine_with(&mut self, at: Access, kind: Commuting) {
        let whole = FootprintEntry::of(at, true);
        self.report.footprint.retain(|touch| touch.write || !whole.covers(touch));
        self.report
            .footprint
            .iter_mut()
            .filter(|touch| whole.covers(touch))
            .for_each(|touch| touch.commuting = Some(kind));
    }

    pub(in crate::system) fn touch_bytes(&mut self, at: Access, write: bool) {
        self.touch(at.object, at.offset, at.len.into(), write);
    }

    /// Something without an address, one byte as it were.
    fn touch_thing(&mut self, name: u32, write: bool) {
        self.report.acted |= write;
        self.touch(name, 0, 1, write);
    }

    /// The whole object, because it dies, and the stores that are dropped with it.
    pub(in crate::system) fn touch_object(&mut self, object: u32, size: u32) {
        self.report.acted = true;
        self.touch(object, 0, size.max(1), true);
        self.touch_thing(LIVES | object, true);
        let StoreBuffers::Updated(updates) = &self.buffers else { return };
        let dropped = updates.waiting(self.running.thread).iter().filter(|store| store.at.object == object);
        self.report.dropped.extend(dropped);
    }

    /// An object comes to be. Who has a pointer to one that had its name before finds nothing until now, and
    /// from now on this one.
    pub(in crate::system) fn touch_birth(&mut self, object: u32, size: u32) {
        self.touch(object, 0, size.max(1), true);
        self.touch(LIVES | object, 0, 1, true);
    }

    /// A store to an object is buffered. It changes no bytes yet, but there has to be an object.
    pub(in crate::system) fn touch_life(&mut self, object: u32) {
        if ObjectId(object).owner() != 0 {
            self.touch_thing(LIVES | object, false);
        }
    }

    /// A thread is created.
    pub(in crate::system) fn touch_creation(&mut self, thread: usize) {
        self.touch_thing(CREATIONS | thread as u32, true);
        self.touch_thread(thread, true);
        self.touch_number(thread, true);
    }

    /// A thread begins, ends, or is waited for.
    pub(in crate::system) fn touch_thread(&mut self, thread: usize, write: bool) {
        self.touch_thing(THREADS | thread as u32, write);
    }

    /// A number of a thread is given away, or becomes free; in which order several become free does not
    /// matter. `owner`: whose numbers it is one of (`numbering.rs`).
    pub(in crate::system) fn touch_thread_numbers(&mut self, owner: u32, given: bool) {
        self.report.acted = true;
        self.touch(NUMBERS | owner, 0, 1, given);
    }

    /// A thread ends, in a program where it matters which one is the last. While the first one lives it is
    /// not another one.
    pub(in crate::system) fn touch_last_end(&mut self) {
        if self.running.thread != 0 {
            self.see_end(0);
        }
        let may_be_last = self.running.thread == 0 || !self.live_threads().any(|thread| thread == 0);
        self.touch_thing(ENDS, may_be_last);
    }

    /// Whether a thread is parked changes, or matters.
    pub(in crate::system) fn touch_parked(&mut self, thread: usize, write: bool) {
        self.touch_thing(PARKED | thread as u32, write);
    }

    /// Who is parked at an address changes, or matters.
    pub(in crate::system) fn touch_parking(&mut self, at: u64, write: bool) {
        if let Some((object, offset)) = address::split(at) {
            self.report.acted |= write;
            self.touch(PARKING | object.0, offset, 1, write);
        }
    }

    /// The running thread arrives at a barrier, in the round of this number.
    pub(in crate::system) fn touch_arrival(&mut self, barrier: u64, number: u16) {
        let Some((object, offset)) = address::split(barrier) else { return };
        self.report.acted = true;
        let thread = self.running.thread as u16;
        self.touch_sum(ROUNDS | object.0, numbered(offset, number));
        self.touch(ROUNDS | object.0, numbered(offset, number.wrapping_add(1)), 1, false);
        self.touch_sum(RELEASES | object.0, numbered(offset, number));
        self.touch(OUTSIDERS | object.0, numbered(offset, thread), 1, true);
    }

    /// A thread does not take part in a round of a barrier that was completed.
    pub(in crate::system) fn touch_outsider(&mut self, barrier: u64, thread: usize) {
        if let Some((object, offset)) = address::split(barrier) {
            self.touch(OUTSIDERS | object.0, numbered(offset, thread as u16), 1, false);
        }
    }

    /// The running thread leaves a barrier, or waits to, after the round of this number.
    pub(in crate::system) fn touch_release(&mut self, barrier: u64, number: u16) {
        if let Some((object, offset)) = address::split(barrier) {
            self.touch(RELEASES | object.0, numbered(offset, number), 1, false);
        }
    }

    /// The running thread gives up (`write`) or gets what others wait for, at this place. Within an atomic
    /// section it may do both in one step.
    pub(in crate::system) fn touch_handover(&mut self, at: Access, write: bool) {
        if self.memory.table.atomic.is_none() {
            self.touch(HANDOVERS | at.object, at.offset, 1, write);
        }
    }

    /// A thread has ended (`write`), or its end was waited for.
    pub(in crate::system) fn touch_end(&mut self, thread: usize, write: bool) {
        self.touch(HANDED_ENDS | thread as u32, 0, 1, write);
    }

    /// A name of a heap object is given away, or becomes free; in which order several become free does not
    /// matter.
    pub(in crate::system) fn touch_heap_names(&mut self, owner: u32, given: bool) {
        self.report.acted = true;
        self.touch(NAMES | owner, 0, 1, given);
    }

    /// A load that another answer to the running step's question would have made.
    pub(in crate::system) fn touch_imagined_load(&mut self, target: &Target) {
        let before = self.report.footprint.len();
        self.touch_load(target);
        self.report.footprint[before..].iter_mut().for_each(|touch| touch.imagined = true);
    }

    /// A load: per byte, whether it comes from the thread's own buffer or from memory.
    pub(in crate::system) fn touch_load(&mut self, target: &Target) {
        if !self.config.updates || matches!(target.region.content, Content::Constant(_)) {
            return;
        }
        let at = target.at;
        let StoreBuffers::Updated(updates) = &self.buffers else { return };
        if updates.delayed(self.running.thread) == 0 {
            return self.touch_bytes(at, false);
        }
        let byte = |offset| Access { offset, len: 1, ..at };
        let sources: Vec<_> = (at.offset..at.offset + u32::from(at.len))
            .map(|offset| (offset, updates.newest(self.running.thread, byte(offset)).map(|store| store.number)))
            .collect();
        for part in sources.chunk_by(|a, b| a.1 == b.1) {
            let (offset, own) = part[0];
            let len = part.len() as u32;
            self.report.footprint.push(FootprintEntry {
                object: at.object,
                offset,
                len,
                write: false,
                own,
                commuting: None,
                imagined: false,
            });
        }
    }
}
