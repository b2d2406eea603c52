//! The footprint of a step: the memory and the resources that the step touches and that other threads may
//! know. The stateless engine derives from it which steps commute.
//!
//! It is kept only while stores reach memory by update events. A resource is something without an address
//! that steps touch besides bytes of memory: a thread (its creation, end and join), the numbers of threads,
//! the names of a thread's heap objects, and the queues of parked threads.

use rmc_runtime::Access;

use crate::ir::address::{self, MAX_THREADS, ObjectId};
use crate::system::buffers::StoreBuffers;
use crate::system::machine::Machine;
use crate::system::observe::commuting::Commuting;
use crate::system::state::memory::Content;
use crate::system::step::access::Target;

/// An entry of a footprint: a range that the step touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FootprintEntry {
    /// The number of the object or resource.
    pub object: u32,
    /// The first byte.
    pub offset: u32,
    /// The number of bytes.
    pub len: u32,
    /// True if the step changes the range.
    pub write: bool,
    /// For a load, the thread's newest buffered store to these bytes, whether it reached memory or not.
    /// Writes of other threads that precede that store are hidden from the load, and those that follow it are
    /// not. The machine knows the store while it is pending. For a write that is in memory at once, the
    /// number of stores that the thread had buffered before it, which is its place among them in program
    /// order.
    pub own: Option<u32>,
    /// The kind of a write that only combines its operand with the old value and whose result is not needed.
    /// It commutes with others of this kind to the same bytes.
    pub commuting: Option<Commuting>,
    /// True if the step also read the range that it changes.
    pub reads: bool,
    /// True if the step did not touch the range, but would have with other answers to its questions.
    pub hypothetical: bool,
    /// For what is touched to load and to buffer a piece of a copy whose pieces have no order.
    pub piece: Option<PieceLoad>,
}

/// The load of a piece of a copy, in the partial order of the copy's loads and stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceLoad {
    /// The number of the piece in its copy.
    pub index: u32,
    /// True if the thread made no load of this copy before.
    pub begins: bool,
    /// The number of stores that the thread had buffered before the load.
    pub place: u32,
    /// The number of the piece's store, if that is buffered.
    pub store: Option<u32>,
}

impl FootprintEntry {
    /// An entry for some bytes.
    #[must_use]
    pub fn of(at: Access, write: bool) -> Self {
        Self::range(at.object, at.offset, at.len.into(), write)
    }

    /// An entry for `len` bytes of an object or resource, from an offset on.
    #[must_use]
    pub const fn range(object: u32, offset: u32, len: u32, write: bool) -> Self {
        Self { object, offset, len, write, own: None, commuting: None, reads: !write, hypothetical: false, piece: None }
    }

    /// True if the entry is the creation of this thread.
    #[must_use]
    pub const fn is_creation(&self, thread: usize) -> bool {
        self.object == CREATIONS | thread as u32
    }

    /// The kind of resource that this entry releases and the other one waited for, if there is one. The step
    /// of the other entry could not have come right before that of this one.
    #[must_use]
    pub const fn enabling_release(&self, other: &Self) -> Option<EnablingRelease> {
        if !self.write || other.write || !self.overlaps(other) {
            None
        } else if self.object & END_RELEASES == END_RELEASES {
            Some(EnablingRelease::End)
        } else if self.object & MUTEX_RELEASES == MUTEX_RELEASES {
            Some(EnablingRelease::Mutex)
        } else {
            None
        }
    }

    /// A set of 64 bits. The sets of ranges that overlap have a bit in common.
    #[must_use]
    pub fn places(&self) -> u64 {
        let bit = |piece: u32| 1 << ((self.object ^ piece << 5).wrapping_mul(0x9E37_79B9) >> 26);
        let (first, last) = (self.offset / PIECE, (self.offset + self.len - 1) / PIECE);
        if last - first > 64 { u64::MAX } else { (first..=last).fold(0, |places, piece| places | bit(piece)) }
    }

    /// True if it depends on the entry which other places the step touches.
    #[must_use]
    pub fn decides_places(&self) -> bool {
        let decides = match self.object & !(CREATIONS - 1) {
            OUTSIDERS => self.offset as u16 == ROUND_NUMBER,
            ENDS | STANDINGS => true,
            _ => false,
        };
        decides || matches!(self.touched(), Touched::ThreadNumbers | Touched::HeapNames)
    }

    /// The thread whose creation the entry is, if it is one.
    #[must_use]
    pub const fn created(&self) -> Option<usize> {
        if self.object >= CREATIONS && self.object < ENDS { Some((self.object - CREATIONS) as usize) } else { None }
    }

    /// True if the entry is the end of this thread.
    #[must_use]
    pub const fn is_end_of(&self, thread: usize) -> bool {
        let thread = thread as u32;
        self.object == THREADS | thread || self.object == END_RELEASES | thread
    }

    /// The thread whose end the step waited for, if it did.
    #[must_use]
    pub const fn awaited(&self) -> Option<usize> {
        let thread = self.object & (CREATIONS - 1);
        if self.object ^ thread == END_RELEASES && !self.write { Some(thread as usize) } else { None }
    }

    /// The thread that the step creates, ends, joins, detaches or asks for its end, if the entry says that.
    #[must_use]
    pub const fn of_thread(&self) -> Option<usize> {
        let thread = self.object & (CREATIONS - 1);
        if self.object ^ thread == THREADS { Some(thread as usize) } else { None }
    }

    /// The kind of resource that was touched, below 128; 0 for memory.
    #[must_use]
    pub const fn kind(&self) -> u32 {
        self.object / CREATIONS
    }

    /// True if the entry is only there because the end of a thread and the wait for it touch the
    /// same resource.
    #[must_use]
    pub const fn is_of_join(&self) -> bool {
        matches!(self.object & !(CREATIONS - 1), THREADS | NUMBERS | END_RELEASES)
    }

    /// The resource that stands for the existence of the touched object, if the entry is bytes of memory of an
    /// object that can end.
    #[must_use]
    pub fn life(&self) -> Option<u32> {
        (!self.is_no_memory() && ObjectId(self.object).owner() != 0).then_some(LIVES | self.object)
    }

    /// The kind of thing that was touched, for engines that follow which step read the effect of which.
    #[must_use]
    pub const fn touched(&self) -> Touched {
        match self.object & !(CREATIONS - 1) {
            _ if !self.is_no_memory() => Touched::Memory,
            LIVES => Touched::Life,
            NAMES => Touched::HeapNames,
            NUMBERS => Touched::ThreadNumbers,
            THREADS => Touched::Thread,
            CREATIONS => Touched::Creation,
            END_RELEASES => Touched::End,
            MUTEX_RELEASES => Touched::MutexRelease,
            POSITIONS => Touched::Position,
            _ => Touched::Other,
        }
    }

    /// True if the entry is a resource, false for bytes of memory.
    #[must_use]
    pub const fn is_no_memory(&self) -> bool {
        self.object >= CREATIONS
    }

    /// True if the entry says only which order of steps is possible: the memory of a mutex, or the creation
    /// of a thread, decides that already.
    #[must_use]
    pub const fn is_order_only(&self) -> bool {
        self.object & MUTEX_RELEASES == MUTEX_RELEASES || self.created().is_some() || self.is_of_join()
    }

    /// True if the entry is names of a thread's heap objects, or numbers of threads. These are written where
    /// one is taken, and read where one becomes free.
    #[must_use]
    pub const fn is_names(&self) -> bool {
        self.object >= NAMES && self.object < NUMBERS || self.object & !(CREATIONS - 1) == NUMBERS
    }

    /// True if this range has all bytes of another one.
    #[must_use]
    pub const fn covers(&self, other: &Self) -> bool {
        self.object == other.object && self.offset <= other.offset && other.offset + other.len <= self.offset + self.len
    }

    /// True if the order of two touches matters.
    #[must_use]
    pub fn conflicts(&self, other: &Self) -> bool {
        self.overlaps(other) && (self.write || other.write) && !self.commutes_with(other)
    }

    /// True if both are writes of one kind to the same bytes whose order makes no difference.
    fn commutes_with(&self, other: &Self) -> bool {
        let (Some(one), Some(another)) = (self.commuting, other.commuting) else { return false };
        one.commutes_with(another) && (self.object, self.offset, self.len) == (other.object, other.offset, other.len)
    }

    /// True if two ranges have a byte in common.
    #[must_use]
    pub const fn overlaps(&self, other: &Self) -> bool {
        self.object == other.object && self.offset < other.offset + other.len && other.offset < self.offset + self.len
    }
}

/// The kinds of things that steps touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Touched {
    /// Bytes of memory.
    Memory,
    /// The existence of an object.
    Life,
    /// Names of a thread's heap objects.
    HeapNames,
    /// Numbers of threads.
    ThreadNumbers,
    /// A thread as a whole: it is created, ends, or is waited for.
    Thread,
    /// The creation of a thread.
    Creation,
    /// The end of a thread, and the wait for it.
    End,
    /// The release of a mutex. The memory of the mutex says as much.
    MutexRelease,
    /// How far a thread has come: each of its steps changes it.
    Position,
    /// Queues of waiting threads, rounds of barriers, and the like.
    Other,
}

/// The kinds of resources that one step releases and another one waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnablingRelease {
    /// A mutex, which is free from now on. It may also have been free before it was taken.
    Mutex,
    /// The end of a thread.
    End,
}

/// The size of the pieces that [`FootprintEntry::places`] does not tell apart, in bytes.
const PIECE: u32 = 8;

/// The numbers of resources, beyond those of all objects.
const THREADS: u32 = 1 << 31;
const NUMBERS: u32 = 1 << 30;
const NAMES: u32 = 1 << 29;
const PARKED: u32 = 1 << 28;
const ENDS: u32 = 1 << 26;
const CREATIONS: u32 = 1 << 25;
const PARKING: u32 = 1 << 27;
/// The resources of [`EnablingRelease`].
const MUTEX_RELEASES: u32 = PARKED | PARKING;
const END_RELEASES: u32 = THREADS | NUMBERS;
/// A round of a barrier. `ROUNDS` is touched by arrivals, `ROUND_RELEASES` by threads that wait until the
/// round is complete, and `OUTSIDERS` stands for a thread that is not in the round.
const ROUNDS: u32 = NUMBERS | PARKING;
const ROUND_RELEASES: u32 = NUMBERS | ENDS;
const OUTSIDERS: u32 = NUMBERS | PARKED;
/// In place of the number of an outsider: the number of the current round.
const ROUND_NUMBER: u16 = u16::MAX;
/// The existence of an object.
const LIVES: u32 = THREADS | PARKED;
/// Whether a thread can be joined, is detached, or has ended, in programs that ask for that without waiting.
const STANDINGS: u32 = THREADS | ENDS;
/// How far each thread has come, at an offset that is its number. What is lost where the process ends depends
/// on that.
const POSITIONS: u32 = THREADS | PARKING;

/// The offset of a touch of a round of a barrier, or of a thread there. If the object is large, two of them
/// may get the same offset; they then conflict.
const fn numbered(offset: u32, number: u16) -> u32 {
    (offset << 16 | number as u32) & (u32::MAX >> 1)
}

impl Machine<'_> {
    /// The name of a touched place; empty if it has no address.
    #[must_use]
    pub fn touch_name(&self, touch: &FootprintEntry) -> String {
        if touch.is_no_memory() {
            String::new()
        } else {
            self.part_name(ObjectId(touch.object), touch.offset, touch.len)
        }
    }

    fn touch(&mut self, object: u32, offset: u32, len: u32, write: bool) {
        // A thread that is alone at the end may still read different values: which of two stores came last is
        // seen only there.
        if !self.config.updates || self.is_alone() && !self.config.reads_from {
            return;
        }
        let own = write.then(|| self.pushed(self.running.thread));
        let touch = FootprintEntry { own, ..FootprintEntry::range(object, offset, len, write) };
        // The write of a read-modify-write says more than its load.
        match self.report.footprint.last_mut() {
            Some(last) if *last == (FootprintEntry { write: false, own: None, reads: true, ..touch }) => {
                *last = FootprintEntry { reads: true, ..touch };
            }
            _ => self.report.footprint.push(touch),
        }
    }

    /// Records a touch that adds to a resource that counts.
    fn touch_counter(&mut self, name: u32, number: u32) {
        self.touch(name, number, 1, true);
        self.combine_with(Access { object: name, offset: number, len: 1 }, Commuting::Count);
    }

    /// Records that the step read some bytes only to combine something with them, in a way of this kind, and
    /// does not otherwise depend on their values.
    pub(super) fn combine_with(&mut self, at: Access, kind: Commuting) {
        if self.config.reads_from {
            return;
        }
        let whole = FootprintEntry::of(at, true);
        self.report.footprint.retain(|touch| touch.write || !whole.covers(touch));
        self.report
            .footprint
            .iter_mut()
            .filter(|touch| whole.covers(touch))
            .for_each(|touch| touch.commuting = Some(kind));
    }

    pub(super) fn touch_bytes(&mut self, at: Access, write: bool) {
        self.touch(at.object, at.offset, at.len.into(), write);
    }

    /// Records that the step reads a whole object.
    pub(in crate::system) fn touch_whole(&mut self, object: u32, size: u32) {
        self.touch(object, 0, size.max(1), false);
    }

    /// Records a touch of a resource, as if it were one byte.
    fn touch_resource(&mut self, name: u32, write: bool) {
        self.report.acted |= write;
        self.touch(name, 0, 1, write);
    }

    /// Records a touch of the whole object, because it dies, and of the stores that are dropped with it.
    pub(super) fn touch_object(&mut self, object: u32, size: u32) {
        self.report.acted = true;
        self.touch(object, 0, size.max(1), true);
        self.touch_resource(LIVES | object, true);
        let StoreBuffers::Updated(updates) = &self.buffers else { return };
        let dropped = updates.waiting(self.running.thread).iter().filter(|store| store.at.object == object);
        self.report.dropped.extend(dropped);
    }

    /// Records that an object comes into being. A dangling pointer to an older object of the same name finds
    /// nothing before this, and this object afterwards.
    pub(super) fn touch_birth(&mut self, object: u32, size: u32) {
        self.touch(object, 0, size.max(1), true);
        self.touch(LIVES | object, 0, 1, true);
    }

    /// Records that a store to an object is buffered. It changes no bytes yet, but the object has to exist.
    pub(super) fn touch_life(&mut self, object: u32) {
        if ObjectId(object).owner() != 0 {
            self.touch_resource(LIVES | object, false);
        }
    }

    /// Records what a violation about the memory at an address depends on: what the operation would have touched
    /// first if the memory were there. For a load, these are the bytes.
    pub(super) fn touch_gone(&mut self, address: u64, missed_load: Option<Access>) {
        match (missed_load, address::split(address)) {
            (Some(at), _) => self.touch_bytes(at, false),
            (None, Some((object, _))) => self.touch_life(object.0),
            (None, None) => {}
        }
    }

    /// Records that a thread is created.
    pub(super) fn touch_creation(&mut self, thread: usize) {
        self.touch_resource(CREATIONS | thread as u32, true);
        self.touch_thread(thread, true);
        self.touch_number(thread, true);
    }

    /// Records that a thread gets its number, or gives it back. The order in which several become free does not
    /// matter. Where a step is known by what it reads, the one that gives a number reads that those which would
    /// come before it are taken.
    pub(super) fn touch_number(&mut self, thread: usize, given: bool) {
        self.report.acted = true;
        let numbers = NUMBERS | self.threads.numbering.owner(thread);
        if !self.config.reads_from {
            return self.touch(numbers, 0, 1, given);
        }
        let before = if given { self.threads.numbering.before(thread) } else { Vec::new() };
        before.into_iter().for_each(|number| self.touch(numbers, number as u32, 1, false));
        self.touch(numbers, thread as u32, 1, true);
    }

    /// Records that a thread begins, ends, or is waited for.
    pub(super) fn touch_thread(&mut self, thread: usize, write: bool) {
        self.touch_resource(THREADS | thread as u32, write);
        if self.config.reads_from && self.facts.ends_are_seen {
            self.touch_resource(STANDINGS | thread as u32, write);
        }
    }

    /// Records that a thread ends, in a program where it matters which thread ends last. While the first
    /// thread lives, no other one is the last.
    pub(super) fn touch_last_end(&mut self) {
        if self.running.thread != 0 {
            self.log_end_read(0);
        }
        let may_be_last = self.running.thread == 0 || !self.live_threads().any(|thread| thread == 0);
        // Where a step is known by what it reads, each end says that it was there.
        self.touch_resource(ENDS, may_be_last || self.config.reads_from);
    }

    /// Records that the running thread comes one step further, if something depends on that.
    pub(super) fn touch_position(&mut self) {
        if self.config.reads_from && self.looks_for_leaks() {
            self.touch(POSITIONS, self.running.thread as u32, 1, true);
        }
    }

    /// Records that the step depends on how far each thread has come.
    pub(in crate::system) fn touch_positions(&mut self) {
        self.touch(POSITIONS, 0, MAX_THREADS as u32, false);
    }

    /// Records that a thread becomes parked or unparked (`write`), or that the step depends on it.
    pub(super) fn touch_parked(&mut self, thread: usize, write: bool) {
        self.touch_resource(PARKED | thread as u32, write);
    }

    /// Records that the set of threads parked at an address changes (`write`), or that the step depends on
    /// it.
    pub(super) fn touch_parking(&mut self, at: u64, write: bool) {
        if let Some((object, offset)) = address::split(at) {
            self.report.acted |= write;
            self.touch(PARKING | object.0, offset, 1, write);
        }
    }

    /// Records that the running thread arrives at a barrier, in the round of this number, and whether that
    /// completes the round.
    pub(super) fn touch_arrival(&mut self, barrier: u64, number: u16, is_last: bool) {
        let Some((object, offset)) = address::split(barrier) else { return };
        self.report.acted = true;
        let thread = self.running.thread as u16;
        self.touch_counter(ROUNDS | object.0, numbered(offset, number));
        self.touch_counter(ROUND_RELEASES | object.0, numbered(offset, number));
        if self.config.reads_from {
            // Which places the step touches depends on the number of the round.
            self.touch(OUTSIDERS | object.0, numbered(offset, ROUND_NUMBER), 1, is_last);
        } else {
            self.touch(ROUNDS | object.0, numbered(offset, number.wrapping_add(1)), 1, false);
            self.touch(OUTSIDERS | object.0, numbered(offset, thread), 1, true);
        }
    }

    /// Records that the step depends on whether threads have arrived at a barrier in the round of this number.
    /// Where steps are compared by what they touch, the memory of the barrier says as much: the step changes it.
    pub(super) fn touch_round(&mut self, barrier: u64, number: u16) {
        if let Some((object, offset)) = address::split(barrier).filter(|_| self.config.reads_from) {
            self.touch(ROUNDS | object.0, numbered(offset, number), 1, false);
        }
    }

    /// Records that a thread does not take part in a round of a barrier that was completed.
    pub(super) fn touch_outsider(&mut self, barrier: u64, thread: usize) {
        if let Some((object, offset)) = address::split(barrier).filter(|_| !self.config.reads_from) {
            self.touch(OUTSIDERS | object.0, numbered(offset, thread as u16), 1, false);
        }
    }

    /// Records that the running thread leaves a barrier, or waits to leave it, after the round of this
    /// number.
    pub(super) fn touch_round_release(&mut self, barrier: u64, number: u16) {
        if let Some((object, offset)) = address::split(barrier) {
            self.touch(ROUND_RELEASES | object.0, numbered(offset, number), 1, false);
        }
    }

    /// Records that the running thread releases (`write`) or acquires what others wait for, at this place. A
    /// step within an atomic section may do both, so it records neither.
    pub(super) fn touch_mutex_release(&mut self, at: Access, write: bool) {
        if self.memory.table.atomic.is_none() {
            self.touch(MUTEX_RELEASES | at.object, at.offset, 1, write);
        }
    }

    /// Records that a thread ends.
    pub(super) fn touch_end(&mut self, thread: usize) {
        self.touch_thread(thread, true);
        self.touch(END_RELEASES | thread as u32, 0, 1, true);
    }

    /// Records that the end of a thread was waited for.
    pub(super) fn touch_awaited_end(&mut self, thread: usize) {
        self.touch(END_RELEASES | thread as u32, 0, 1, false);
    }

    /// Records that the name of a heap object is taken or becomes free. The order in which several become free
    /// does not matter. Where a step is known by what it reads, the one that takes a name reads that those
    /// below are taken.
    pub(super) fn touch_heap_name(&mut self, id: ObjectId, given: bool) {
        self.report.acted = true;
        let (names, index) = (NAMES | id.owner(), id.index());
        if !self.config.reads_from {
            return self.touch(names, 0, 1, given);
        }
        if given && index > 1 {
            self.touch(names, 1, index - 1, false);
        }
        self.touch(names, index, 1, true);
    }

    /// Records a load that the step would have made with another answer to its question.
    pub(super) fn touch_hypothetical_load(&mut self, target: &Target) {
        let before = self.report.footprint.len();
        self.touch_load(target);
        self.report.footprint[before..].iter_mut().for_each(|touch| touch.hypothetical = true);
    }

    /// Records a load, and for each byte whether it comes from the thread's own buffer or from memory.
    pub(super) fn touch_load(&mut self, target: &Target) {
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
            let touch = FootprintEntry { own, ..FootprintEntry::range(at.object, offset, len, false) };
            self.report.footprint.push(touch);
        }
    }
}
