//! The pending stores of all threads, and the known part of the order in which they reach memory.
//!
//! Invariants, between calls:
//! * `entries` is sorted by thread, and oldest first within a thread; `order` has one index per entry.
//! * Entries of one thread are ordered as the model says: under TSO all of them but those of one group; under
//!   PSO those with a byte in common and those with a store-store barrier between them. Everything else in
//!   `order` was decided by a load, an atomic or a fence, or follows from that.
//! * Every entry that precedes a committed entry is committed. So a delayed entry can always be later than
//!   everything that happened.
//! * An entry is `fenced` if a store-store barrier followed it and a new store of its thread would not be
//!   ordered behind it otherwise; it is delayed then, and the only one of its thread.
//! * The normal form of `settle.rs` holds.
//! * In an atomic section, `in_section` marks the entries that are after its beginning (`section.rs`);
//!   outside of sections no entry is marked.
//! * Under SC there are entries only while a copy is under way: its pieces ([`Buffers::store_group`]), and
//!   committed stores to their bytes.
//!
//! A *group* is the stores of one copy, `memcpy` or a structure assignment: C says nothing of their order,
//! compilers and libraries go up, down and in wide registers. So the stores of a group are unordered among
//! themselves. Earlier stores of their thread precede each of them, and later stores follow each, as far as
//! the model orders stores of one thread at all. Nothing else in this crate relies on the entries of a thread
//! being totally ordered; under PSO they are not. A load of the copy may be moved while its store is still
//! delayed ([`Buffers::replace`]).

use crate::alternatives::Scratch;
use crate::order::Order;
use crate::{Access, Bytes, Model};

/// The bytes that have reached memory.
pub trait Memory {
    /// The value of the range.
    fn read(&mut self, at: Access) -> Bytes;
    /// Replaces the value of the range.
    fn write(&mut self, at: Access, value: Bytes);
    /// Announces that the next write is that of the store with this name, by this thread. Does nothing by
    /// default.
    fn arrives(&mut self, _thread: usize, _at: Access, _tag: StoreTag) {}
    /// Reports that a named store of this thread reached memory and was overwritten there, so it is never
    /// written. `next` is the thread and the name of the store that overwrote it, unless the order leaves
    /// that open. Earlier stores are reported first. Does nothing by default.
    fn overwritten(&mut self, _thread: usize, _at: Access, _tag: StoreTag, _next: Option<(usize, StoreTag)>) {}
}

/// The source of nondeterminism: an explorer runs a step once for each answer.
pub trait Choose {
    /// Picks one of `n` alternatives, `n >= 2`; the answer is below `n`.
    fn choose(&mut self, n: usize) -> usize;
}

/// An opaque name of a store event, for reports. It takes no part in equality, encoding or behaviour. 0 means
/// no name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StoreTag(pub u32);

/// A store that has not reached memory, or whose place in memory is not decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PendingStore {
    /// The thread that stored.
    pub thread: usize,
    /// The bytes it stores to.
    pub at: Access,
    /// The value.
    pub value: Bytes,
    /// True if it reached memory in the past, though its place among other pending stores to its bytes may be
    /// open. Otherwise it is *delayed*: it may still be placed anywhere the order allows.
    pub committed: bool,
    /// Its name.
    pub tag: StoreTag,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    pub(crate) value: Bytes,
    pub(crate) at: Access,
    pub(crate) tag: StoreTag,
    pub(crate) thread: u16,
    pub(crate) committed: bool,
    pub(crate) fenced: bool,
    /// True if it is after the beginning of the atomic section under way: a store of the section, or held.
    pub(crate) in_section: bool,
    /// True if it reached memory and is about to be removed; always false between calls.
    pub(crate) is_gone: bool,
}

impl Entry {
    pub(crate) fn of(&self, thread: Option<usize>) -> bool {
        thread == Some(usize::from(self.thread))
    }
}

/// All pending stores of all threads. The header of the file has the invariants.
///
/// Threads are numbered from 0 and below 65,536. No call allocates once the buffers have been as full before,
/// unless they have more than 64 entries.
///
/// # Example
///
/// Message passing under PSO: the flag may be seen before the data, until the sender has fenced.
///
/// ```
/// use rmc_runtime::{Access, Buffers, Bytes, Choose, Memory, Model, StoreTag};
///
/// /// One word for each object.
/// struct Words([u128; 2]);
///
/// impl Memory for Words {
///     fn read(&mut self, at: Access) -> Bytes {
///         Bytes::defined(self.0[at.object as usize])
///     }
///     fn write(&mut self, at: Access, value: Bytes) {
///         self.0[at.object as usize] = value.bits;
///     }
/// }
///
/// /// The answers to the questions to come; an explorer tries all of them.
/// struct Answers(Vec<usize>);
///
/// impl Choose for Answers {
///     fn choose(&mut self, n: usize) -> usize {
///         let answer = self.0.remove(0);
///         assert!(answer < n);
///         answer
///     }
/// }
///
/// let (data, flag) = (Access { object: 0, offset: 0, len: 4 }, Access { object: 1, offset: 0, len: 4 });
/// let (mut buffers, mut memory) = (Buffers::new(Model::Pso), Words([0, 0]));
/// buffers.store(&mut memory, 0, data, Bytes::defined(42), StoreTag(1));
/// buffers.store(&mut memory, 0, flag, Bytes::defined(1), StoreTag(2));
/// assert_eq!(buffers.len(), 2);
///
/// // The receiver is asked twice: answer 0 is memory, answer 1 the pending store.
/// let mut answers = Answers(vec![1, 0]);
/// assert_eq!(buffers.load(&mut memory, Some(1), flag, &mut answers).value.bits, 1);
/// assert_eq!(buffers.load(&mut memory, Some(1), data, &mut answers).value.bits, 0);
///
/// buffers.fence(&mut memory, 0);
/// assert!(buffers.is_empty());
/// let loaded = buffers.load(&mut memory, Some(1), data, &mut Answers(Vec::new()));
/// assert_eq!(loaded.value.bits, 42, "there is one value, so nobody is asked");
/// ```
#[derive(Clone, Debug)]
pub struct Buffers {
    pub(crate) model: Model,
    pub(crate) entries: Vec<Entry>,
    pub(crate) order: Order,
    pub(crate) scratch: Scratch,
    /// True in an atomic section. It means nothing if nothing is pending.
    pub(crate) section: bool,
    /// For reports: pairs of named stores, earlier first, recorded when one of them is removed.
    pub(crate) order_log: Option<Vec<(StoreTag, StoreTag)>>,
}

impl Buffers {
    /// Buffers without pending stores.
    pub fn new(model: Model) -> Self {
        Buffers {
            model,
            entries: Vec::new(),
            order: Order::new(),
            scratch: Scratch::default(),
            section: false,
            order_log: None,
        }
    }

    /// The model given to [`new`](Buffers::new).
    pub fn model(&self) -> Model {
        self.model
    }

    /// True if there are no pending stores.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Number of pending stores of all threads.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Drops every pending store without writing it.
    pub fn clear(&mut self) {
        self.entries.clear();
        self.order.reset(0);
        self.section = false;
    }

    /// All pending stores in canonical order: by thread, then oldest first.
    pub fn pending(&self) -> impl Iterator<Item = PendingStore> {
        self.entries.iter().map(pending_store)
    }

    /// True if the thread has a pending store.
    pub fn has_pending(&self, thread: usize) -> bool {
        self.entries.iter().any(|e| e.of(Some(thread)))
    }

    /// True if the thread has a delayed store.
    pub fn has_delayed(&self, thread: usize) -> bool {
        self.entries.iter().any(|e| e.of(Some(thread)) && !e.committed)
    }

    /// The number of delayed stores of the thread, which a buffer bound limits.
    pub fn delayed(&self, thread: usize) -> usize {
        self.entries.iter().filter(|e| e.of(Some(thread)) && !e.committed).count()
    }

    /// True if a pending store of any thread overlaps the range.
    pub fn overlaps(&self, at: Access) -> bool {
        self.entries.iter().any(|e| e.at.overlaps(at))
    }

    /// True if the pending store with canonical index `i` is known to precede the one with index `j`.
    ///
    /// # Panics
    /// If there are no such stores.
    pub fn precedes(&self, i: usize, j: usize) -> bool {
        assert!(i < self.len() && j < self.len(), "no pending store {i} or {j}");
        self.order.precedes(i, j)
    }

    /// The names of the pending stores, in canonical order.
    pub fn tags(&self) -> Vec<StoreTag> {
        self.entries.iter().map(|e| e.tag).collect()
    }

    /// Names the pending stores, in canonical order: with [`tags`](Buffers::tags) it carries the names past
    /// [`encode`](Buffers::encode) and [`decode`](Buffers::decode).
    ///
    /// # Panics
    /// If there are not as many names as pending stores.
    pub fn set_tags(&mut self, tags: &[StoreTag]) {
        assert_eq!(tags.len(), self.len(), "one tag per pending store");
        for (entry, &tag) in self.entries.iter_mut().zip(tags) {
            entry.tag = tag;
        }
    }

    /// Executes a store of any order; the caller adds the barriers of [`OrderRules`](crate::OrderRules). The
    /// store is delayed, and after every committed store. Under SC it is in the past at once: it writes
    /// memory, or waits for its place among the pieces of a copy that it overlaps.
    pub fn store<M: Memory>(&mut self, memory: &mut M, thread: usize, at: Access, value: Bytes, tag: StoreTag) {
        if self.model != Model::Sc {
            self.push(thread, at, value, tag, usize::MAX);
        } else if self.overlaps(at) {
            let new = self.push(thread, at, value, tag, usize::MAX);
            self.commit(new);
            self.settle(memory);
        } else {
            memory.arrives(thread, at, tag);
            memory.write(at, value);
        }
    }

    /// Executes the stores of one copy, to ranges without a common byte. They are unordered among themselves,
    /// after every committed store, and delayed, also under SC; there a [`fence`](Buffers::fence) ends the
    /// copy.
    pub fn store_group(&mut self, thread: usize, stores: impl IntoIterator<Item = (Access, Bytes, StoreTag)>) {
        let before = self.entries.partition_point(|e| usize::from(e.thread) <= thread);
        for (at, value, tag) in stores {
            self.push(thread, at, value, tag, before);
        }
    }

    /// The value of the thread's newest pending store to the bytes, if it has exactly these bytes and is
    /// delayed.
    pub fn delayed_value(&self, thread: usize, at: Access) -> Option<Bytes> {
        let newest = self.entries.iter().rev().find(|e| e.of(Some(thread)) && e.at.overlaps(at))?;
        (newest.at == at && !newest.committed).then_some(newest.value)
    }

    /// Replaces the store of [`delayed_value`](Buffers::delayed_value) by one with another value that happens
    /// now: it is after every committed store. No load has seen the old one, since that would have committed
    /// it. Stores that precede it still do. So the buffers are as if it had been pushed now.
    ///
    /// # Panics
    /// If there is no such store.
    pub fn replace(&mut self, thread: usize, at: Access, value: Bytes, tag: StoreTag) {
        let newest = self.entries.iter().rposition(|e| e.of(Some(thread)) && e.at.overlaps(at));
        let new = newest.filter(|&i| self.entries[i].at == at && !self.entries[i].committed).expect("a delayed store");
        (self.entries[new].value, self.entries[new].tag) = (value, tag);
        for i in 0..self.len() {
            if self.entries[i].committed {
                self.order.relate(i, new);
            }
        }
    }

    /// Executes a store-store barrier: later stores of the thread are after its earlier ones. It has an
    /// effect only under PSO.
    pub fn store_barrier(&mut self, thread: usize) {
        if self.model != Model::Pso {
            return;
        }
        let newest_delayed = self.entries.iter().rposition(|e| e.of(Some(thread)) && !e.committed);
        for (i, entry) in self.entries.iter_mut().enumerate().filter(|(_, e)| e.of(Some(thread))) {
            entry.fenced = Some(i) == newest_delayed;
        }
    }

    /// Executes a full fence: every store of the thread is in the past now. Their places among other pending
    /// stores to the same bytes stay open.
    pub fn fence<M: Memory>(&mut self, memory: &mut M, thread: usize) {
        if self.entries.iter().all(|e| e.of(Some(thread))) {
            // Without pending stores of other threads, the buffer reaches memory in its own order.
            for entry in self.entries.drain(..) {
                memory.arrives(thread, entry.at, entry.tag);
                memory.write(entry.at, entry.value);
            }
            self.order.reset(0);
            return;
        }
        let mut changed = false;
        for entry in self.entries.iter_mut().filter(|e| e.of(Some(thread)) && !e.committed) {
            (entry.committed, changed) = (true, true);
        }
        if changed {
            self.settle(memory);
        }
    }

    /// Commits the oldest delayed stores of the thread, until at most `left` are delayed, as a bounded buffer
    /// does before it takes more.
    pub fn commit_down_to<M: Memory>(&mut self, memory: &mut M, thread: usize, left: usize) {
        let delayed = |(i, e): (usize, &Entry)| (e.of(Some(thread)) && !e.committed).then_some(i);
        let oldest: Vec<_> = self.entries.iter().enumerate().filter_map(delayed).collect();
        let surplus = oldest.len().saturating_sub(left);
        // The newest comes first, because committing it often commits the others.
        for &i in oldest[..surplus].iter().rev() {
            if !self.entries[i].committed {
                self.commit(i);
            }
        }
        if surplus > 0 {
            self.settle(memory);
        }
    }

    /// Ends the execution: nothing reaches memory after now, so every delayed store is in the past or lost.
    /// Asks which for stores to ranges that matter; for the others the order decides. Every choice that the
    /// order allows is one sequence of answers. Returns the lost stores.
    pub fn finish<M: Memory, C: Choose>(
        &mut self,
        memory: &mut M,
        choose: &mut C,
        matters: impl Fn(Access) -> bool,
    ) -> Vec<PendingStore> {
        let mut lost = Vec::new();
        for i in (0..self.len()).rev() {
            if self.entries[i].committed || !matters(self.entries[i].at) {
                continue;
            }
            // The newest stores of a thread come first, so an earlier answer that committed a store committed
            // those before it.
            let follows_lost = lost.iter().any(|&other| self.order.precedes(other, i));
            if !follows_lost && !self.is_held(i) && choose.choose(2) == 1 {
                self.commit(i);
            } else {
                lost.push(i);
            }
        }
        let mut gone = Vec::new();
        while let Some(i) = self.entries.iter().position(|e| !e.committed) {
            gone.push(pending_store(&self.entries[i]));
            self.remove(i);
        }
        self.order_before_section();
        self.settle(memory);
        gone
    }

    /// Executes the write of an atomic read-modify-write, right after [`fence`](Buffers::fence) and
    /// [`load`](Buffers::load) of the same range by the same thread. It reaches memory now, after everything
    /// committed and before everything delayed.
    pub fn store_now<M: Memory>(&mut self, memory: &mut M, thread: usize, at: Access, value: Bytes, tag: StoreTag) {
        if !self.overlaps(at) {
            memory.arrives(thread, at, tag);
            memory.write(at, value);
            return;
        }
        let new = self.push(thread, at, value, tag, usize::MAX);
        self.commit(new);
        self.entries[new].in_section = self.section;
        for j in 0..self.len() {
            if j != new && !self.entries[j].committed && self.entries[j].at.overlaps(at) {
                self.order.relate(new, j);
                if self.section {
                    self.hold(j);
                }
            }
        }
        self.settle(memory);
    }

    /// Renames threads, injectively, and the objects and the words of eight bytes in values. Named stores
    /// keep their names.
    ///
    /// # Panics
    /// If a number is 65,536 or more.
    pub fn rename(&mut self, thread: impl Fn(usize) -> usize, object: impl Fn(u32) -> u32, word: impl Fn(u64) -> u64) {
        for entry in &mut self.entries {
            entry.thread = u16::try_from(thread(entry.thread.into())).expect("fewer than 65,536 threads");
            entry.at.object = object(entry.at.object);
            let bits = entry.value.bits;
            if entry.at.len >= 8 {
                entry.value.bits = u128::from(word(bits as u64)) | u128::from(word((bits >> 64) as u64)) << 64;
            }
        }
        let mut places: Vec<_> = (0..self.len()).collect();
        places.sort_by_key(|&i| self.entries[i].thread);
        let old = std::mem::replace(&mut self.order, Order::new());
        self.order.reset(places.len());
        for (new, &i) in places.iter().enumerate() {
            let before = (0..).zip(&places).filter(|&(_, &j)| old.precedes(j, i));
            self.order.set(new, before.map(|(j, _)| (j, j + 1)));
        }
        self.entries = places.iter().map(|&i| self.entries[i]).collect();
    }

    /// Replaces the value of each pending store by what `map` makes of it, which has the same width.
    pub fn map_values(&mut self, mut map: impl FnMut(Bytes) -> Bytes) {
        self.entries.iter_mut().for_each(|entry| entry.value = map(entry.value));
    }

    /// Appends a delayed store to its thread's buffer; returns its index. If it belongs to a group, that
    /// begins at index `group`.
    fn push(&mut self, thread: usize, at: Access, value: Bytes, tag: StoreTag, group: usize) -> usize {
        let thread = u16::try_from(thread).expect("fewer than 65,536 threads");
        let index = self.entries.partition_point(|e| e.thread <= thread);
        let first = self.entries.partition_point(|e| e.thread < thread);
        let (committed, fenced, in_section, is_gone) = (false, false, false, false);
        self.entries.insert(index, Entry { value, at, tag, thread, committed, fenced, in_section, is_gone });
        let before = self.before_new(first, index, group);
        self.order.insert_after(index, &before);
        index
    }

    /// The stores before a new store at an index, as ranges: the committed stores, and those of its own
    /// thread that the model orders before it. Its own thread's stores begin at `first`, its group, if it
    /// belongs to one, at `group`.
    fn before_new(&self, first: usize, index: usize, group: usize) -> Vec<(u32, u32)> {
        let (entries, at) = (&self.entries, self.entries[index].at);
        let own = &entries[first..index];
        let ordered = match self.model {
            Model::Pso => own.iter().rposition(|e| e.fenced).map_or(first, |i| first + i + 1),
            _ => index.min(group).max(first),
        };
        let mut before = Vec::new();
        let mut add = |from: usize, to: usize| {
            let (from, to) = (u32::try_from(from), u32::try_from(to));
            before.push((from.expect("few stores"), to.expect("few stores")));
        };
        let committed = |range: std::ops::Range<usize>| range.filter(move |&i| entries[i].committed);
        committed(0..first).for_each(|i| add(i, i + 1));
        if ordered > first {
            add(first, ordered);
        }
        // Stores of one group share no byte, and are delayed while the group is made.
        let is_before = |&i: &usize| entries[i].at.overlaps(at) || entries[i].committed;
        (ordered..index.min(group)).filter(is_before).for_each(|i| add(i, i + 1));
        committed(index + 1..entries.len()).for_each(|i| add(i, i + 1));
        before
    }

    /// Commits entry `i` and every entry that precedes it. [`settle`](Buffers::settle) restores the other
    /// invariants.
    pub(crate) fn commit(&mut self, i: usize) {
        let Buffers { entries, order, .. } = self;
        entries[i].committed = true;
        order.each_before(i, |earlier| entries[earlier].committed = true);
    }
}

/// Equality of situations, without tags.
impl PartialEq for Buffers {
    fn eq(&self, other: &Self) -> bool {
        let key = |e: &Entry| (e.value, e.at, e.thread, e.committed, e.fenced, e.in_section);
        self.model == other.model
            && (self.section == other.section || self.is_empty())
            && self.entries.iter().map(key).eq(other.entries.iter().map(key))
            && (0..self.len()).all(|i| self.order.ranges(i) == other.order.ranges(i))
    }
}

impl Eq for Buffers {}

pub(crate) fn pending_store(entry: &Entry) -> PendingStore {
    let Entry { value, at, tag, thread, committed, .. } = *entry;
    PendingStore { thread: usize::from(thread), at, value, committed, tag }
}
