//! The keys by which threads are sorted: a hash of everything that belongs to a thread. It depends neither on
//! the numbers of threads nor on the order in which components were found.
//!
//! Two threads that differ only in their numbers have the same key. Other threads may have the same key by
//! chance, or because they differ only in what they have of each other. They then keep their order.

use std::hash::Hasher;

use rmc_runtime::Buffers;

use super::rename::mentions;
use super::{FIRST, Threads};
use crate::hash::{FxHashMap, FxHasher};
use crate::interp::watch::owner_of;
use crate::ir::address::{INDEX_BITS, OFFSET_BITS, ObjectId};
use crate::ir::thread_name;
use crate::store::Id;
use crate::system::machine::Machine;
use crate::system::state::object_table::{ObjectTable, pages};
use crate::system::state::threads;

/// Cached facts about components.
#[derive(Default)]
pub(super) struct Keys {
    /// The threads that components mention.
    mentions: FxHashMap<Id, Threads>,
    /// Hashes of components as a thread sees them. Components that mention no thread have one hash for all.
    seen: FxHashMap<(Id, usize), u64>,
    /// Hashes of lists of frames.
    lists: FxHashMap<(Id, usize), u64>,
    /// Hashes of delayed stores, as their thread sees them.
    stores: FxHashMap<(Id, usize), u64>,
}

/// The key in place of a thread for a component that mentions none.
const ANYONE: usize = usize::MAX;

/// Replacements for the number of the thread that looks, and for other numbers.
const SELF: u64 = 1 << 48;
const OTHER: u64 = 1 << 49;

impl Machine<'_> {
    /// The key of a thread in a state.
    pub(super) fn key(&self, keys: &mut Keys, table: &ObjectTable, vector: &[Id], thread: usize) -> u64 {
        let mut hasher = FxHasher::default();
        let (top, rest) = (vector[FIRST + 2 * thread], vector[FIRST + 2 * thread + 1]);
        hasher.write_u64(self.seen_by(keys, top, thread));
        hasher.write_u64(self.list_seen_by(keys, rest, thread));
        hasher.write_u64(self.stores_seen_by(keys, vector[1], thread));
        hasher.write_u64(u64::from(table.atomic == Some(thread)));
        for parked in table.parked.iter().filter(|parked| parked.thread == thread) {
            hasher.write_u64(seen(parked.at, thread));
            hasher.write_u64(seen(parked.with, thread));
        }
        let first = FIRST + 2 * table.threads.len();
        for object in table.objects.iter().filter(|object| object.id.owner() as usize == thread + 1) {
            let flags = u64::from(object.shared) | u64::from(object.dead) << 1 | (object.kind as u64) << 2;
            hasher.write_u64(u64::from(object.id.index()) << 32 | u64::from(object.size));
            hasher.write_u64(flags << 32 | u64::from(object.depth));
            for page in object.base..object.base + pages(object.size) {
                hasher.write_u64(self.seen_by(keys, vector[first + page], thread));
            }
        }
        for id in table.dangling.iter().filter(|id| id.owner() as usize == thread + 1) {
            hasher.write_u64(id.index().into());
        }
        for kept in table.kept.iter().filter(|kept| kept.thread == thread) {
            hasher.write_u64(seen(kept.id.address(0), thread));
            hasher.write_u64(kept.size.into());
        }
        // These are the parts of globals that mention the thread.
        for (at, &page) in vector[first..first + self.memory.global_pages].iter().enumerate() {
            if self.mentioned(keys, page) >> thread & 1 == 1 {
                hasher.write_u64(at as u64);
                hasher.write_u64(self.seen_by(keys, page, thread));
            }
        }
        hasher.finish()
    }

    /// The threads that a component mentions.
    pub(super) fn mentioned(&self, keys: &mut Keys, id: Id) -> Threads {
        *keys.mentions.entry(id).or_insert_with(|| mentions(self.memory.components.get(id)))
    }

    /// The threads that a state mentions anywhere except as the owners of their own components.
    pub(super) fn mentioned_in(&self, keys: &mut Keys, vector: &[Id]) -> Threads {
        let words = self.memory.components.get(vector[0]);
        let owners = ObjectTable::owners_of(words).filter(|&owner| owner > 0);
        let mut all = owners.fold(0, |set, owner| set | 1 << (owner - 1));
        let (slots, pages) = vector[FIRST..].split_at(2 * ObjectTable::threads_of(words));
        for &page in pages {
            all |= self.mentioned(keys, page);
        }
        for slots in slots.chunks_exact(2) {
            let (mut frame, mut list) = (slots[0], slots[1]);
            all |= self.mentioned(keys, frame);
            while let Some(caller) = threads::split_list(&self.memory.components, list) {
                (frame, list) = caller;
                all |= self.mentioned(keys, frame);
            }
        }
        all | self.mentioned_in_stores(vector[1])
    }

    fn mentioned_in_stores(&self, stores: Id) -> Threads {
        let mut buffers = Buffers::new(self.config.model());
        buffers.decode(self.memory.components.get(stores));
        let of_store = |store: rmc_runtime::PendingStore| {
            let value = store.value.bits;
            mentions(&[ObjectId(store.at.object).address(0), value as u64, (value >> 64) as u64]) | 1 << store.thread
        };
        buffers.pending().fold(0, |all, store| all | of_store(store))
    }

    fn seen_by(&self, keys: &mut Keys, id: Id, thread: usize) -> u64 {
        let who = if self.mentioned(keys, id) == 0 { ANYONE } else { thread };
        let words = || self.memory.components.get(id).iter();
        *keys.seen.entry((id, who)).or_insert_with(|| hash(words().map(|&word| seen(word, thread))))
    }

    fn list_seen_by(&self, keys: &mut Keys, list: Id, thread: usize) -> u64 {
        if let Some(&known) = keys.lists.get(&(list, thread)) {
            return known;
        }
        let hash = match threads::split_list(&self.memory.components, list) {
            Some((frame, below)) => {
                hash([self.seen_by(keys, frame, thread), self.list_seen_by(keys, below, thread)].into_iter())
            }
            None => u64::from(list == self.encoding.ended),
        };
        keys.lists.insert((list, thread), hash);
        hash
    }

    fn stores_seen_by(&self, keys: &mut Keys, stores: Id, thread: usize) -> u64 {
        *keys.stores.entry((stores, thread)).or_insert_with(|| {
            let mut buffers = Buffers::new(self.config.model());
            buffers.decode(self.memory.components.get(stores));
            let own = buffers.pending().filter(|store| store.thread == thread);
            hash(own.flat_map(|store| {
                let value = store.value;
                let at = seen(ObjectId(store.at.object).address(store.at.offset), thread);
                let form = u64::from(store.at.len) << 1 | u64::from(store.committed);
                let words = [value.bits, value.bits >> 64, value.undef, value.undef >> 64];
                let [low, high, undef, more] = words.map(|word| seen(word as u64, thread));
                [at, form, low, high, undef, more]
            }))
        })
    }
}

fn hash(words: impl Iterator<Item = u64>) -> u64 {
    let mut hasher = FxHasher::default();
    words.for_each(|word| hasher.write_u64(word));
    hasher.finish()
}

/// A word as a thread sees it. The numbers of other threads are all replaced by the same one.
const fn seen(word: u64, thread: usize) -> u64 {
    let within = word & ((1 << (OFFSET_BITS + INDEX_BITS)) - 1);
    match (thread_name::thread_of(word), owner_of(word)) {
        (Some(holder), _) => thread_name::note_of(word) << 32 | 1 | if holder == thread { SELF } else { OTHER },
        (None, 0 | 1) => word,
        (None, owner) => within | if owner as usize == thread + 1 { SELF } else { OTHER },
    }
}
