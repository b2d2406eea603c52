//! The textbook's store buffers: first-in first-out per thread (TSO) or per address (PSO), emptied by update
//! events (Abdulla et al., *Stateless Model Checking for TSO and PSO*, sections 3 and 5.1).
//!
//! A store is named by its thread and its number among the thread's buffered stores. So the update of a store
//! has the same name in every order of events. Under PSO an older store of the thread must reach memory first
//! if it overlaps or if a store-store barrier is in between.
//!
//! Every store belongs to a *group*. The stores of a thread reach memory group by group, and within a group
//! in any order that keeps stores with a common byte in program order. Under PSO a store-store barrier begins
//! a group. Under TSO every store is a group of its own, except for the pieces of one copy, which are one
//! group ([`Updates::begin_copy`]). Under SC only those pieces are buffered, until the copy ends.

use std::collections::BTreeMap;

use rmc_runtime::{Access, Bytes, Loaded, Memory, Model, PendingStore, Source, StoreTag};
use smallvec::SmallVec;

use crate::store::{Id, Interner};
use crate::system::state::decoded::Decoded;

/// A store that waits for its update.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferedStore {
    /// Its number among the buffered stores of its thread, from 0.
    pub number: u32,
    /// Its group: the number of stores that the thread had buffered when the group began.
    pub group: u32,
    /// For a piece of a copy, a number that the other pieces have, too: one more than the number of stores
    /// that the thread had buffered before. 0 for other stores.
    pub copy: u32,
    /// The bytes to which it stores.
    pub at: Access,
    /// The value that it stores.
    pub value: Bytes,
    /// True if the object is gone. The store still leaves the buffer when it is its turn, but reaches no
    /// memory.
    pub lost: bool,
    /// Its name in a report.
    pub tag: StoreTag,
}

#[derive(Clone, Debug, Default)]
struct Queue {
    /// The number of stores buffered so far.
    pushed: u32,
    /// The value of `pushed` when the thread last needed an empty buffer.
    emptied: u32,
    /// The group of the next store, unless it begins one: the number of stores buffered before the group.
    group: u32,
    /// The value of [`BufferedStore::copy`] for the pieces that follow.
    copy: u32,
    waiting: Vec<BufferedStore>,
}

/// The store buffers of all threads.
#[derive(Clone, Debug)]
pub struct Updates {
    model: Model,
    queues: Vec<Decoded<Queue>>,
    /// The number of queues, and its component.
    count: Option<(usize, Id)>,
}

/// The number of words of an encoded buffer before its stores, and of each store.
const HEAD: usize = 2;
const WORDS: usize = 7;

/// The size of the words in which [`Updates::coalesce`] keeps bytes.
const WORD: u32 = 8;

impl Updates {
    /// Empty buffers.
    #[must_use]
    pub const fn new(model: Model) -> Self {
        Self { model, queues: Vec::new(), count: None }
    }

    /// True if no store waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.queues.iter().all(|queue| queue.waiting.is_empty())
    }

    /// The waiting stores of a thread, oldest first.
    #[must_use]
    pub fn waiting(&self, thread: usize) -> &[BufferedStore] {
        self.queues.get(thread).map_or(&[][..], |queue| &queue.waiting)
    }

    /// The number of waiting stores of a thread.
    #[must_use]
    pub fn delayed(&self, thread: usize) -> usize {
        self.waiting(thread).len()
    }

    /// The number of stores that a thread buffered so far.
    #[must_use]
    pub fn pushed(&self, thread: usize) -> u32 {
        self.queues.get(thread).map_or(0, |queue| queue.pushed)
    }

    /// The number of stores that a thread would have in its buffer if none had left it since the thread's
    /// last fence.
    #[must_use]
    pub fn unfenced(&self, thread: usize) -> usize {
        self.queues.get(thread).map_or(0, |queue| (queue.pushed - queue.emptied) as usize)
    }

    /// Makes a fence of a thread, whose buffer must be empty.
    pub fn fence(&mut self, thread: usize) {
        debug_assert_eq!(self.delayed(thread), 0, "a fence waits for an empty buffer");
        if let Some(queue) = self.queues.get_mut(thread) {
            queue.emptied = queue.pushed;
        }
    }

    /// All stores that wait to reach memory.
    pub fn pending(&self) -> impl Iterator<Item = PendingStore> {
        let queues = self.queues.iter().enumerate();
        queues.flat_map(|(thread, queue)| {
            let pending = move |store: &BufferedStore| PendingStore {
                thread,
                at: store.at,
                value: store.value,
                committed: false,
                tag: store.tag,
            };
            queue.waiting.iter().filter(|store| !store.lost).map(pending)
        })
    }

    /// Names the waiting stores.
    pub fn set_tags(&mut self, tags: &[StoreTag]) {
        let waiting = self.queues.iter_mut().flat_map(|queue| queue.unencoded().waiting.iter_mut());
        waiting.filter(|store| !store.lost).zip(tags).for_each(|(store, &tag)| store.tag = tag);
    }

    /// Buffers a store of a thread.
    pub fn push(&mut self, thread: usize, at: Access, value: Bytes, tag: StoreTag) {
        self.begin_copy(thread);
        self.queues[thread].copy = 0;
        self.push_piece(thread, at, value, tag);
    }

    /// Begins a copy of a thread. The pieces that follow are one group.
    pub fn begin_copy(&mut self, thread: usize) {
        if self.queues.len() <= thread {
            self.queues.resize_with(thread + 1, Decoded::default);
        }
        let queue = &mut *self.queues[thread];
        if self.model != Model::Pso {
            queue.group = queue.pushed;
        }
        queue.copy = queue.pushed + 1;
    }

    /// Buffers the store of a piece of the copy that the thread began last.
    pub fn push_piece(&mut self, thread: usize, at: Access, value: Bytes, tag: StoreTag) {
        let queue = &mut *self.queues[thread];
        queue.waiting.push(BufferedStore {
            number: queue.pushed,
            group: queue.group,
            copy: queue.copy,
            at,
            value,
            lost: false,
            tag,
        });
        queue.pushed += 1;
    }

    /// Makes later stores of the thread wait for its earlier ones.
    pub fn store_barrier(&mut self, thread: usize) {
        // The group is also closed if nothing waits now: whether something does depends on the order of
        // events, and the order of stores must not depend on that.
        if self.model == Model::Pso
            && let Some(queue) = self.queues.get_mut(thread)
        {
            queue.group = queue.pushed;
        }
    }

    /// The stores of a thread whose update may happen now.
    pub fn ready(&self, thread: usize) -> impl Iterator<Item = &BufferedStore> {
        ready(self.waiting(thread))
    }

    /// The number of the first store in an encoded buffer whose update may happen now, among those with a
    /// number above `above`.
    pub fn next_ready_in(words: &[u64], above: Option<u32>) -> Option<u32> {
        let stores = || words[HEAD..].chunks_exact(WORDS);
        let first = stores().next()?[0];
        let is_above = |number: u32| above.is_none_or(|above| number > above);
        if is_above(decode_number(first)) {
            return Some(decode_number(first));
        }
        let is_of_first_group = |store: &[u64]| store[0] as u32 == first as u32;
        if !stores().nth(1).is_some_and(is_of_first_group) {
            return None;
        }
        let waiting: SmallVec<[_; 8]> = stores().map(decode_store).collect();
        ready(&waiting).map(|store| store.number).find(|&number| is_above(number))
    }

    /// True if no store waits in an encoded buffer.
    #[must_use]
    pub const fn is_empty_in(words: &[u64]) -> bool {
        words.len() == HEAD
    }

    /// Lets a store of a thread reach memory. The result is `None` if the store with this number may not do
    /// so now.
    pub fn update<M: Memory>(&mut self, memory: &mut M, thread: usize, number: u32) -> Option<BufferedStore> {
        self.ready(thread).find(|store| store.number == number)?;
        let waiting = &mut self.queues.get_mut(thread)?.waiting;
        let at = waiting.iter().position(|store| store.number == number)?;
        let store = waiting.remove(at);
        if !store.lost {
            memory.write(store.at, store.value);
        }
        Some(store)
    }

    /// The newest waiting store of a thread to this byte.
    #[must_use]
    pub fn newest(&self, thread: usize, byte: Access) -> Option<&BufferedStore> {
        self.waiting(thread).iter().rev().find(|store| !store.lost && store.at.overlaps(byte))
    }

    /// Makes a load: it reads each byte from the thread's newest store to it, else from memory.
    pub fn load<M: Memory>(&self, memory: &mut M, thread: usize, at: Access) -> Loaded {
        let own = self.waiting(thread).iter().filter(|store| !store.lost && store.at.overlaps(at));
        let (mut value, mut source) = (memory.read(at), Source::Memory);
        for store in own {
            value = value.overlaid(at, store.value, store.at);
            source = if store.at.covers(at) { Source::OwnBuffer(store.tag) } else { Source::Mixed };
        }
        Loaded { value, source, later: Vec::new() }
    }

    /// Handles memory that dies by a step of `thread`.
    ///
    /// # Errors
    /// The result is an error if a store of another thread to the memory waits.
    pub fn evict(&mut self, thread: usize, object: u32) -> Result<(), PendingStore> {
        if let Some(late) = self.pending().find(|store| store.at.object == object && store.thread != thread) {
            return Err(late);
        }
        if let Some(queue) = self.queues.get_mut(thread) {
            // These stores do not leave the buffer at once: their presence in it must not decide whether
            // other updates are enabled.
            queue.waiting.iter_mut().filter(|store| store.at.object == object).for_each(|store| store.lost = true);
        }
        Ok(())
    }

    /// Leaves of the stores of a thread only what the thread can still see of them: for each byte the newest
    /// value. So a buffer has as many stores as the thread has stored to words, whatever its length was.
    pub fn coalesce(&mut self, thread: usize) {
        let Some(queue) = self.queues.get_mut(thread) else { return };
        let mut newest = BTreeMap::new();
        for store in queue.waiting.iter().filter(|store| !store.lost) {
            newest.extend(
                (0..store.at.len).map(|at| ((store.at.object, store.at.offset + u32::from(at)), store.byte(at))),
            );
        }
        let bytes: Vec<((u32, u32), Bytes)> = newest.into_iter().collect();
        let are_of_one_word = |&((object, offset), _): &_, &((next, follows), _): &_| {
            object == next && offset + 1 == follows && offset / WORD == follows / WORD
        };
        let words = bytes.chunk_by(are_of_one_word);
        let waiting = (0..).zip(words).map(|(number, bytes)| {
            let (object, offset) = bytes[0].0;
            let at = Access { object, offset, len: bytes.len() as u8 };
            let value = bytes.iter().rev().fold(Bytes::defined(0), |value, (_, byte)| Bytes {
                bits: value.bits << 8 | byte.bits,
                undef: value.undef << 8 | byte.undef,
            });
            BufferedStore { number, group: number, copy: 0, at, value, lost: false, tag: StoreTag::default() }
        });
        let waiting: Vec<_> = waiting.collect();
        let pushed = waiting.len() as u32;
        **queue = Queue { pushed, emptied: 0, group: pushed, copy: 0, waiting };
    }

    /// Drops the stores of a thread from number `first` on.
    pub fn drop_from(&mut self, thread: usize, first: u32) {
        if let Some(queue) = self.queues.get_mut(thread).filter(|queue| queue.pushed > first) {
            queue.waiting.retain(|store| store.number < first);
            queue.pushed = first;
            queue.group = queue.group.min(first);
            queue.copy = 0;
        }
    }

    /// Numbers the stores of each thread whose buffer is empty from 0 again. The thread may be within a copy,
    /// whose remaining pieces keep their number of the copy. The next copy has another one.
    pub fn restart_numbers(&mut self) {
        for queue in &mut self.queues {
            let pushed = u32::from(queue.copy == 1);
            let restarts =
                queue.waiting.is_empty() && (queue.pushed != pushed || queue.emptied != 0 || queue.group != 0);
            if restarts {
                **queue = Queue { pushed, copy: queue.copy, ..Queue::default() };
            }
        }
        let is_used = |queue: &Decoded<Queue>| queue.pushed > 0 || queue.copy > 0;
        let used = self.queues.iter().rposition(is_used).map_or(0, |last| last + 1);
        self.queues.truncate(used);
    }

    /// Unpacks the buffers of a state: the component of their number, and the component of each. Returns the
    /// number.
    pub fn unpack(&mut self, components: &Interner, count: Id, queues: &[Id]) -> usize {
        let threads = components.get(count)[0] as usize;
        self.count = Some((threads, count));
        self.queues.resize_with(threads, Decoded::default);
        for (queue, &id) in self.queues.iter_mut().zip(queues) {
            queue.decode_from(id, |queue| queue.decode(components.get(id)));
        }
        threads
    }

    /// The component of the number of buffers. A thread has a buffer if it, or a thread with a higher number,
    /// has buffered a store.
    pub fn pack_count(&mut self, components: &mut Interner) -> Id {
        let threads = self.queues.len();
        match self.count {
            Some((same, id)) if same == threads => id,
            _ => components.intern(&[threads as u64]),
        }
    }

    /// Appends the component of each buffer.
    pub fn pack_queues(&self, components: &mut Interner, scratch: &mut Vec<u64>, out: &mut Vec<Id>) {
        out.extend(self.queues.iter().map(|queue| {
            queue.component().unwrap_or_else(|| {
                scratch.clear();
                queue.encode(scratch);
                components.intern(scratch)
            })
        }));
    }

    /// Forgets the ids of components, because components have other ids from now on.
    pub fn forget_components(&mut self) {
        self.count = None;
        self.queues.iter_mut().for_each(Decoded::forget);
    }

    /// The number of threads with a buffer: those that have buffered a store, and those with lower numbers.
    #[must_use]
    pub const fn threads(&self) -> usize {
        self.queues.len()
    }
}

impl BufferedStore {
    /// One byte of the value.
    fn byte(&self, at: u8) -> Bytes {
        let of = |word: u128| word >> (8 * u32::from(at)) & 0xff;
        Bytes { bits: of(self.value.bits), undef: of(self.value.undef) }
    }
}

impl Queue {
    /// Appends the buffer as words.
    fn encode(&self, out: &mut Vec<u64>) {
        out.push(u64::from(self.pushed) << 32 | u64::from(self.group));
        out.push(u64::from(self.copy) << 32 | u64::from(self.emptied));
        for store in &self.waiting {
            out.push(u64::from(store.number) << 32 | u64::from(store.group));
            out.push(u64::from(store.at.object) << 32 | u64::from(store.at.offset));
            out.push(u64::from(store.copy) << 32 | u64::from(store.lost) << 8 | u64::from(store.at.len));
            out.extend([store.value.bits as u64, (store.value.bits >> 64) as u64]);
            out.extend([store.value.undef as u64, (store.value.undef >> 64) as u64]);
        }
    }

    /// The inverse of [`Self::encode`].
    fn decode(&mut self, words: &[u64]) {
        (self.pushed, self.group) = ((words[0] >> 32) as u32, words[0] as u32);
        (self.copy, self.emptied) = ((words[1] >> 32) as u32, words[1] as u32);
        self.waiting.clear();
        self.waiting.extend(words[HEAD..].chunks_exact(WORDS).map(decode_store));
    }
}

/// The stores of the first group that need not wait for another one of the same thread. The first store never
/// waits.
fn ready(waiting: &[BufferedStore]) -> impl Iterator<Item = &BufferedStore> {
    let waits = move |at: usize| {
        let store = &waiting[at];
        waiting[..at].iter().any(|older| older.at.overlaps(store.at))
    };
    let first_group = waiting.iter().take_while(|store| store.group == waiting[0].group).count();
    (0..first_group).filter(move |&at| !waits(at)).map(|at| &waiting[at])
}

const fn decode_number(word: u64) -> u32 {
    (word >> 32) as u32
}

fn decode_store(words: &[u64]) -> BufferedStore {
    let wide = |low: u64, high: u64| u128::from(low) | u128::from(high) << 64;
    let at = Access { object: (words[1] >> 32) as u32, offset: words[1] as u32, len: words[2] as u8 };
    let value = Bytes { bits: wide(words[3], words[4]), undef: wide(words[5], words[6]) };
    let (number, group, lost) = (decode_number(words[0]), words[0] as u32, words[2] >> 8 & 1 != 0);
    BufferedStore { number, group, copy: (words[2] >> 32) as u32, at, value, lost, tag: StoreTag::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(object: u32) -> Access {
        Access { object, offset: 0, len: 4 }
    }

    fn ready(updates: &Updates) -> Vec<u32> {
        updates.ready(0).map(|store| store.number).collect()
    }

    #[test]
    fn stores_leave_in_the_order_of_the_model() {
        for (model, expected) in [(Model::Tso, vec![0]), (Model::Pso, vec![0, 1])] {
            let mut updates = Updates::new(model);
            [1, 2, 1].iter().for_each(|&object| updates.push(0, at(object), Bytes::defined(7), StoreTag(0)));
            updates.store_barrier(0);
            updates.push(0, at(3), Bytes::defined(8), StoreTag(0));
            assert_eq!(ready(&updates), expected, "{model}");
        }
    }

    #[test]
    fn pieces_of_a_copy_leave_in_any_order_and_the_rest_around_them() {
        for model in [Model::Sc, Model::Tso] {
            let mut updates = Updates::new(model);
            updates.push(0, at(1), Bytes::defined(7), StoreTag(0));
            updates.begin_copy(0);
            [2, 3].iter().for_each(|&object| updates.push_piece(0, at(object), Bytes::defined(7), StoreTag(0)));
            updates.push(0, at(4), Bytes::defined(7), StoreTag(0));
            let mut words = Vec::new();
            for (left, expected) in [(0, vec![0]), (2, vec![1, 2]), (1, vec![1]), (3, vec![3])] {
                assert_eq!(ready(&updates), expected, "{model}");
                words.clear();
                updates.queues[0].encode(&mut words);
                let next = |&tried: &Option<u32>| Some(Updates::next_ready_in(&words, tried)).filter(Option::is_some);
                let found: Vec<_> = std::iter::successors(next(&None), next).flatten().collect();
                assert_eq!(found, expected, "{model}");
                let memory = &mut forgetful();
                assert!(updates.update(memory, 0, left).is_some(), "{model}: {left}");
            }
        }
    }

    /// A memory that forgets what is written.
    fn forgetful() -> impl Memory {
        struct Forgets;
        impl Memory for Forgets {
            fn read(&mut self, at: Access) -> Bytes {
                Bytes::uninitialised(at.len)
            }
            fn write(&mut self, _: Access, _: Bytes) {}
        }
        Forgets
    }

    #[test]
    fn a_coalesced_buffer_has_the_newest_value_of_each_byte() {
        let mut updates = Updates::new(Model::Tso);
        let part = |offset, len| Access { object: 1, offset, len };
        let load = |updates: &Updates, at| updates.load(&mut forgetful(), 0, at).value;
        updates.push(0, part(4, 8), Bytes::defined(0x1122_3344_5566_7788), StoreTag(0));
        updates.push(0, part(6, 2), Bytes { bits: 0x00aa, undef: 0xff00 }, StoreTag(0));
        updates.push(0, part(0, 1), Bytes::defined(0xbb), StoreTag(0));
        let all = [part(4, 8), part(6, 2), part(0, 4), part(5, 2), part(8, 4)];
        let before = all.map(|at| load(&updates, at));
        let mut other = updates.clone();
        updates.coalesce(0);
        assert_eq!(all.map(|at| load(&updates, at)), before);
        let places: Vec<_> = updates.waiting(0).iter().map(|store| store.at).collect();
        assert_eq!(places, [part(0, 1), part(4, 4), part(8, 4)]);
        // Older values of these bytes, and their number, make no difference.
        other.push(0, part(0, 1), Bytes::defined(0xbb), StoreTag(0));
        other.coalesce(0);
        assert_eq!(updates.waiting(0), other.waiting(0));
        assert_eq!(updates.pushed(0), other.pushed(0));
        other.push(0, part(2, 1), Bytes::defined(1), StoreTag(0));
        other.drop_from(0, 3);
        assert_eq!(updates.waiting(0), other.waiting(0));
    }

    #[test]
    fn numbers_restart_within_a_copy() {
        let mut updates = Updates::new(Model::Tso);
        let arrive = |updates: &mut Updates| {
            while let [store, ..] = updates.waiting(0) {
                let number = store.number;
                assert!(updates.update(&mut forgetful(), 0, number).is_some());
            }
            updates.restart_numbers();
        };
        updates.push(0, at(1), Bytes::defined(7), StoreTag(0));
        arrive(&mut updates);
        assert_eq!(updates.threads(), 0);
        let mut copies = Vec::new();
        for _ in 0..3 {
            updates.begin_copy(0);
            for object in [1, 2] {
                updates.push_piece(0, at(object), Bytes::defined(7), StoreTag(0));
                copies.push(updates.waiting(0)[0].copy);
                arrive(&mut updates);
            }
        }
        assert_eq!(copies, [1, 1, 2, 2, 1, 1]);
    }

    #[test]
    fn words_keep_everything() {
        let mut updates = Updates::new(Model::Pso);
        updates.push(1, at(1), Bytes { bits: 3 << 70 | 5, undef: 1 << 90 }, StoreTag(0));
        updates.store_barrier(1);
        updates.push(1, at(2), Bytes::defined(6), StoreTag(0));
        updates.queues[1].emptied = 1;
        assert_eq!(updates.evict(1, 1), Ok(()));
        let (mut components, mut scratch) = (Interner::default(), Vec::new());
        let (mut packed, mut again) = (Vec::new(), Vec::new());
        updates.pack_queues(&mut components, &mut scratch, &mut packed);
        let count = updates.pack_count(&mut components);
        let mut copy = Updates::new(Model::Pso);
        copy.push(5, at(9), Bytes::defined(0), StoreTag(0));
        assert_eq!(copy.unpack(&components, count, &packed), 2);
        copy.forget_components();
        copy.pack_queues(&mut components, &mut scratch, &mut again);
        assert_eq!((copy.pack_count(&mut components), packed), (count, again));
        assert_eq!(copy.pending().collect::<Vec<_>>(), updates.pending().collect::<Vec<_>>());
        assert_eq!(copy.pushed(1), 2);
    }
}
