//! What components say about threads: whom they name, whose memory they may point to; and an order of frames that does not depend on when they were found.

use std::hash::Hasher;

use fxhash::FxHasher;
use rmc_runtime::{Buffers, Model};

use super::Threads;
use crate::interp::watch::owner_of;
use crate::ir::thread_name;
use crate::store::{Id, Interner};
use crate::system::threads::{self, ThreadSlots};

/// Reads components, and remembers what it read.
pub(super) struct Reader {
    buffers: Buffers,
    ended: Id,
    pages: Table<Threads>,
    /// Of top frames; of how threads ended; of lists of frames below.
    tops: Table<Threads>,
    ends: Table<Threads>,
    lists: Table<Threads>,
    stores: Table<Threads>,
    order_of_words: Table<u64>,
    order_of_lists: Table<u64>,
}

/// Values by component.
struct Table<T>(Vec<Option<T>>);

impl<T: Copy> Table<T> {
    const fn new() -> Self {
        Self(Vec::new())
    }

    #[inline]
    fn get(&self, id: Id) -> Option<T> {
        self.0.get(id as usize).copied().flatten()
    }

    fn set(&mut self, id: Id, value: T) -> T {
        if self.0.len() <= id as usize {
            self.0.resize(id as usize + 1, None);
        }
        self.0[id as usize] = Some(value);
        value
    }
}

impl Reader {
    /// Nothing read yet. `ended` is what ended threads have in place of their other frames.
    pub(super) fn new(model: Model, ended: Id) -> Self {
        Self {
            buffers: Buffers::new(model),
            ended,
            pages: Table::new(),
            tops: Table::new(),
            ends: Table::new(),
            lists: Table::new(),
            stores: Table::new(),
            order_of_words: Table::new(),
            order_of_lists: Table::new(),
        }
    }

    /// The threads that a page mentions.
    pub(super) fn page(&mut self, components: &Interner, page: Id) -> Threads {
        self.pages.get(page).unwrap_or_else(|| self.pages.set(page, mentions(components.get(page).iter().copied())))
    }

    /// The threads that a thread's frames mention, or what it ended with.
    pub(super) fn thread(&mut self, components: &Interner, slots: ThreadSlots) -> Threads {
        let words = components.get(slots.top).iter().copied();
        if slots.rest == self.ended {
            return self.ends.get(slots.top).unwrap_or_else(|| self.ends.set(slots.top, mentions(words)));
        }
        let top = self.tops.get(slots.top);
        top.unwrap_or_else(|| self.tops.set(slots.top, mentions(words.skip(HEADER))))
            | self.list(components, slots.rest)
    }

    fn list(&mut self, components: &Interner, list: Id) -> Threads {
        if let Some(known) = self.lists.get(list) {
            return known;
        }
        let all = threads::split_list(components, list).map_or(0, |(frame, below)| {
            mentions(components.get(frame).iter().skip(HEADER).copied()) | self.list(components, below)
        });
        self.lists.set(list, all)
    }

    /// The threads that have delayed stores, or that delayed stores mention.
    pub(super) fn stores(&mut self, components: &Interner, stores: Id) -> Threads {
        if let Some(known) = self.stores.get(stores) {
            return known;
        }
        self.buffers.decode(components.get(stores));
        let of_store = |store: rmc_runtime::PendingStore| {
            let value = mentioned(store.value.bits as u64) | mentioned((store.value.bits >> 64) as u64);
            value | 1 << store.thread
        };
        let all = self.buffers.pending().fold(0, |all, store| all | of_store(store));
        self.stores.set(stores, all)
    }

    /// Orders threads by their frames, whatever the numbers of components are. Frames are the same if they have the same order, but for chance.
    pub(super) fn order(&mut self, components: &Interner, slots: ThreadSlots) -> (u64, u64) {
        (self.order_of_words(components, slots.top), self.order_of_list(components, slots.rest))
    }

    fn order_of_words(&mut self, components: &Interner, id: Id) -> u64 {
        self.order_of_words.get(id).unwrap_or_else(|| {
            let mut hasher = FxHasher::default();
            components.get(id).iter().for_each(|&word| hasher.write_u64(word));
            self.order_of_words.set(id, hasher.finish())
        })
    }

    fn order_of_list(&mut self, components: &Interner, list: Id) -> u64 {
        if let Some(known) = self.order_of_lists.get(list) {
            return known;
        }
        let order = match threads::split_list(components, list) {
            None => u64::from(list == self.ended),
            Some((frame, below)) => {
                let mut hasher = FxHasher::default();
                hasher.write_u64(self.order_of_words(components, frame));
                hasher.write_u64(self.order_of_list(components, below));
                hasher.finish()
            }
        };
        self.order_of_lists.set(list, order)
    }
}

/// Words of a frame before its registers.
const HEADER: usize = 2;

/// The threads that words mention.
fn mentions(words: impl Iterator<Item = u64>) -> Threads {
    words.fold(0, |all, word| all | mentioned(word))
}

fn mentioned(word: u64) -> Threads {
    let thread = thread_name::thread_of(word).or_else(|| (owner_of(word) as usize).checked_sub(1));
    thread.map_or(0, |thread| 1 << thread)
}
