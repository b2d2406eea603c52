//! Which stores are wanted, and what decides whether a prefix has a completion.

use rustc_hash::FxHashSet;

use super::prefix::Prefix;
use crate::problem::{EventNumber, StoreNumber};

impl Prefix<'_> {
    /// The pending stores that may have to reach memory before the next event of some thread.
    pub(super) fn wanted(&self) -> FxHashSet<u32> {
        let problem = self.problem;
        let mut wanted = FxHashSet::default();
        let mut cells = FxHashSet::default();
        let mut open: Vec<u32> = Vec::new();
        for (thread, events) in problem.threads.iter().enumerate() {
            let next = self.next[thread];
            if next >= events.end {
                continue;
            }
            if problem.waits_for_buffer(next) {
                open.extend(self.pending_of(thread).map(|store| store as u32));
            }
            for read in problem.reads_of(next) {
                open.extend(problem.slot_stores[read.slot as usize]);
                open.extend(read.own);
            }
            let written = problem.stores_of(next).filter(|&store| !problem.stores[store].delayed);
            cells.extend(written.flat_map(|store| problem.stores[store].slots()).map(|(cell, _)| cell));
        }
        let pending: Vec<(usize, StoreNumber)> = (0..problem.threads.len())
            .flat_map(|thread| self.pending_of(thread).map(move |store| (thread, store)))
            .collect();
        let is_pending = |store: &u32| pending.iter().any(|&(_, at)| at == *store as StoreNumber);
        loop {
            open.retain(is_pending);
            let mut grew = false;
            for store in open.drain(..) {
                if wanted.insert(store) {
                    grew = true;
                    let store = &problem.stores[store as usize];
                    cells.extend(store.slots().map(|(cell, _)| cell));
                    // It may have to be lost.
                    cells.extend(store.life.map(|(cell, _)| cell));
                }
            }
            for &(thread, store) in &pending {
                if wanted.contains(&(store as u32)) {
                    continue;
                }
                let data = &problem.stores[store];
                let precedes = |&later: &u32| {
                    let later = &problem.stores[later as usize];
                    later.event >= data.event
                        && problem.threads[thread].contains(&(later.event as EventNumber))
                        && later.epoch > data.epoch
                };
                // What it depends on is like a cell of it: to overwrite that would lose it.
                let mut touched = data.slots().chain(data.life);
                if touched.any(|(cell, _)| cells.contains(&cell)) || wanted.iter().any(precedes) {
                    open.push(store as u32);
                }
            }
            if open.is_empty() && !grew {
                return wanted;
            }
        }
    }

    /// The pending stores that are lost.
    fn lost(&self) -> impl Iterator<Item = StoreNumber> + '_ {
        let threads = if self.has_lives { self.next.len() } else { 0 };
        let made = (0..threads).flat_map(|thread| self.first_unsettled[thread]..self.made(thread));
        made.filter(|&store| !self.arrived[store] && self.is_lost(store))
    }

    /// The part of the prefix that decides whether it has a completion.
    pub(super) fn key(&self) -> Box<[u64]> {
        let problem = self.problem;
        let mut key: Vec<u64> = self.lost().map(|store| store as u64).collect();
        if self.has_lives {
            key.push(u64::MAX);
        }
        if !self.keeps_arrivals {
            // The stores of each thread that have reached memory are a prefix.
            key.extend(self.first_unsettled.iter().map(|&first| first as u64));
            return key.into_boxed_slice();
        }
        key.extend(self.next.iter().map(|&next| next as u64));
        let words = key.len();
        key.resize(words + problem.stores.len().div_ceil(64), 0);
        for (thread, &next) in self.next.iter().enumerate() {
            // A store that nothing is to read from memory reaches it as soon as its cell is not held. Whether
            // it has is of no consequence then, unless a fence or a barrier waits for it, or it is before a
            // store that shares only a part of its cells. One that may be lost hides memory from its thread
            // until it is.
            let keeps_all = !problem.is_uniform || self.last_fence[thread] > next;
            for store in problem.stores_of_thread(thread).filter(|&store| self.arrived[store]) {
                let data = &problem.stores[store];
                let is_read = || data.slots().any(|(_, slot)| self.readers[slot as usize] > 0);
                if keeps_all || data.may_be_lost || is_read() {
                    key[words + store / 64] |= 1 << (store % 64);
                }
            }
        }
        key.into_boxed_slice()
    }
}
