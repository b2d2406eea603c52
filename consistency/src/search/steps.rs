//! The steps that a prefix of a witness can be extended by (Bui et al., definitions of TSO- and
//! PSO-executable events in sections 4.1 and 4.2).

use super::Step;
use super::prefix::Prefix;
use crate::cells::Cell;
use crate::problem::{CellRead, EventNumber, Slot, StoreNumber};

impl Prefix<'_> {
    /// All steps by which stores can reach memory now.
    pub(super) fn steps(&self) -> Vec<Step> {
        let mut steps = Vec::new();
        for thread in 0..self.problem.threads.len() {
            let next = self.next[thread];
            if next < self.problem.threads[thread].end
                && !self.problem.stores_of(next).is_empty()
                && self.may_happen(thread, next)
                && self.may_write(next)
            {
                steps.push(Step::Event(next as u32));
            }
            if self.pending[thread] > 0 {
                for store in self.pending_of(thread) {
                    if self.is_lost(store) {
                        if self.is_next(thread, store) && self.follows_order_of(store) {
                            steps.push(Step::Loss(store as u32));
                        }
                    } else if self.may_arrive(thread, store) {
                        steps.push(Step::Arrival(store as u32));
                    }
                }
            }
        }
        steps
    }

    /// The delayed stores of a thread that were made and have not reached memory; under TSO only the first.
    pub(super) fn pending_of(&self, thread: usize) -> impl Iterator<Item = StoreNumber> + '_ {
        let first = self.first_unsettled[thread];
        let made = self.made(thread);
        let most = if self.problem.is_fifo { 1 } else { usize::MAX };
        (first..made).filter(|&store| self.problem.stores[store].delayed && !self.arrived[store]).take(most)
    }

    /// The stores of a thread from this number on were not made.
    pub(super) fn made(&self, thread: usize) -> StoreNumber {
        match self.next[thread] {
            next if next < self.problem.threads[thread].end => self.problem.stores_of(next).start,
            _ => self.problem.stores_of_thread(thread).end,
        }
    }

    /// True if the reads of an event find their sources, and it need not wait for the buffer.
    pub(super) fn may_happen(&self, thread: usize, event: EventNumber) -> bool {
        if self.pending[thread] > 0 && self.problem.waits_for_buffer(event) {
            return false;
        }
        self.problem.reads_of(event).iter().all(|read| match self.pending_own(thread, read) {
            Some(own) => self.problem.slot_stores[read.slot as usize] == Some(own),
            None => self.memory[read.cell as usize] == read.slot,
        })
    }

    /// The pending store of its own thread that a read reads, if there is one: the newest that is not lost.
    fn pending_own(&self, thread: usize, read: &CellRead) -> Option<u32> {
        let own = read.own.filter(|&own| !self.arrived[own as usize])?;
        if !self.is_lost(own as usize) {
            return Some(own);
        }
        let is_it = |&at: &StoreNumber| {
            let store = &self.problem.stores[at];
            let is_pending = store.delayed && !self.arrived[at] && !self.is_lost(at);
            is_pending && store.slots().any(|(cell, _)| cell == read.cell)
        };
        (self.first_unsettled[thread]..own as usize).rev().find(is_it).map(|at| at as u32)
    }

    /// True if the stores of an event that reaches memory at once may do so, after its reads.
    pub(super) fn may_write(&self, event: EventNumber) -> bool {
        let reads = self.problem.reads_of(event);
        let is_free = |(cell, _)| {
            let slot: Slot = self.memory[cell as usize];
            let mine = reads.iter().filter(|read| read.slot == slot).count() as u32;
            self.readers[slot as usize] == mine && !self.keeps_stores(cell)
        };
        let mut stores = self.problem.stores_of(event).filter(|&store| !self.problem.stores[store].delayed);
        self.follows_order(event, None)
            && stores.all(|store| self.needs_arrived(store) && self.problem.stores[store].slots().all(is_free))
    }

    /// True if a delayed store that was made may reach memory.
    pub(super) fn may_arrive(&self, thread: usize, number: StoreNumber) -> bool {
        let is_free = |(cell, _)| self.readers[self.memory[cell as usize] as usize] == 0 && !self.keeps_stores(cell);
        self.is_next(thread, number)
            && self.problem.stores[number].slots().all(is_free)
            && self.needs_arrived(number)
            && self.follows_order_of(number)
    }

    /// True if no pending store of the thread has to reach memory before a pending one.
    pub(super) fn is_next(&self, thread: usize, number: StoreNumber) -> bool {
        let store = &self.problem.stores[number];
        let first = self.first_unsettled[thread];
        first == number || {
            let earlier = (first..number).filter(|&at| self.problem.stores[at].delayed && !self.arrived[at]);
            let mut earlier = earlier.map(|at| &self.problem.stores[at]);
            !earlier.any(|earlier| {
                earlier.epoch < store.epoch
                    || earlier.first_cell < store.first_cell + store.cells
                        && store.first_cell < earlier.first_cell + earlier.cells
            })
        }
    }

    /// True if a delayed store has no effect any more, because memory that it is in ended.
    #[inline]
    pub(super) fn is_lost(&self, store: StoreNumber) -> bool {
        self.problem.stores[store].life.is_some_and(|(cell, slot)| self.memory[cell as usize] != slot)
    }

    /// True if a pending store that is still to be read would be lost if a cell were overwritten.
    pub(super) fn keeps_stores(&self, cell: Cell) -> bool {
        let is_kept = |store: StoreNumber| {
            let store = &self.problem.stores[store];
            let is_read = || store.slots().any(|(_, slot)| self.readers[slot as usize] > 0);
            store.life == Some((cell, self.memory[cell as usize])) && is_read()
        };
        let all_pending = |thread| {
            let stores = self.first_unsettled[thread]..self.made(thread);
            stores.filter(|&store| self.problem.stores[store].delayed && !self.arrived[store])
        };
        self.has_lives && (0..self.problem.threads.len()).any(|thread| all_pending(thread).any(is_kept))
    }

    /// True if everything happened that the order has before a delayed store.
    pub(super) fn follows_order_of(&self, store: StoreNumber) -> bool {
        self.follows_order(self.problem.stores[store].event as EventNumber, Some(store))
    }

    pub(super) fn needs_arrived(&self, store: StoreNumber) -> bool {
        let needs = &self.needs[self.needs_from[store] as usize..self.needs_from[store + 1] as usize];
        needs.iter().all(|&own| self.arrived[own as usize])
    }

    /// True if everything happened that comes before an event, or before a delayed store of it, in the order.
    pub(super) fn follows_order(&self, event: EventNumber, store: Option<StoreNumber>) -> bool {
        self.order.is_none_or(|order| order.may_follow(order.node(event, store), &self.progress))
    }

    /// True if a step made its stores hold cells that others may have to write first: somebody is to read the
    /// cells, or a store depends on them that is still to be read.
    pub(super) fn holds(&self, step: Step) -> bool {
        let stores = match step {
            Step::Event(event) => self.problem.stores_of(event as EventNumber),
            Step::Arrival(store) => store as usize..store as usize + 1,
            Step::Loss(_) => 0..0,
        };
        let slots =
            |store: StoreNumber| self.problem.stores[store].slots().map(move |(cell, slot)| (cell, slot, store));
        let mut slots = stores.filter(|&store| self.arrived[store]).flat_map(slots);
        slots.any(|(cell, slot, store)| {
            let is_held = self.readers[slot as usize] > 0 && !self.is_next_to(cell, store);
            is_held || self.keeps_stores(cell)
        })
    }

    /// True if a step wrote a cell on which the effect of a store that is still to be made depends. That one
    /// may have to be lost, by a step like this one that comes later.
    pub(super) fn may_come_too_early(&self, step: Step) -> bool {
        let stores = match step {
            Step::Event(event) => self.problem.stores_of(event as EventNumber),
            Step::Arrival(store) => store as usize..store as usize + 1,
            Step::Loss(_) => 0..0,
        };
        let is_life = |cell: Cell| {
            let of_thread = |thread: usize| self.made(thread)..self.problem.stores_of_thread(thread).end;
            let mut lives = (0..self.next.len()).flat_map(of_thread).filter_map(|at| self.problem.stores[at].life);
            lives.any(|(life, _)| life == cell)
        };
        let mut arrived = stores.filter(|&store| self.arrived[store]);
        self.has_lives && arrived.any(|store| self.problem.stores[store].slots().any(|(cell, _)| is_life(cell)))
    }

    /// The number of events of a thread that have to happen before a step holds nothing, at least.
    pub(super) fn distance(&self, step: Step) -> u32 {
        let stores = match step {
            Step::Event(event) => self.problem.stores_of(event as EventNumber),
            Step::Arrival(store) => store as usize..store as usize + 1,
            Step::Loss(_) => 0..0,
        };
        let slots = stores.flat_map(|store| self.problem.stores[store].slots());
        let readers = slots.flat_map(|(_, slot)| {
            &self.slot_readers
                [self.slot_readers_from[slot as usize] as usize..self.slot_readers_from[slot as usize + 1] as usize]
        });
        readers.map(|&(thread, event)| (event + 1).saturating_sub(self.next[thread as usize] as u32)).sum()
    }
}
