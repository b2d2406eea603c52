//! A prefix of a witness, and how it grows and shrinks.

use std::ops::Range;

use super::Step;
use crate::cells::Cell;
use crate::closure::Closure;
use crate::problem::{EventNumber, Problem, Slot, StoreNumber};

/// A prefix of a witness: the steps taken, and what they lead to.
pub(super) struct Prefix<'a> {
    pub(super) problem: &'a Problem,
    /// An order that all witnesses respect.
    pub(super) order: Option<&'a Closure>,
    /// The stores that must reach memory before each store, because it hides them ([`Problem::hidden`]): from
    /// this place in `needs` to that of the next store.
    pub(super) needs_from: Vec<u32>,
    pub(super) needs: Vec<u32>,
    /// The next event of each thread.
    pub(super) next: Vec<EventNumber>,
    /// The number of pending stores of each thread.
    pub(super) pending: Vec<u32>,
    /// The first store of each thread that has not reached memory.
    pub(super) first_unsettled: Vec<StoreNumber>,
    /// True for stores that have reached memory.
    pub(super) arrived: Vec<bool>,
    /// The last slot of each cell.
    pub(super) memory: Vec<Slot>,
    /// The number of reads of each slot that are still to happen.
    pub(super) readers: Vec<u32>,
    /// The stores to each cell, thread by thread: from this place in `cell_stores` to that of the next cell.
    cell_stores_from: Vec<u32>,
    cell_stores: Vec<u32>,
    /// The number of steps taken in each chain of the order.
    pub(super) progress: Vec<u32>,
    pub(super) trail: Vec<Step>,
    /// The slots that the arrivals of the trail replaced.
    pub(super) replaced: Vec<Slot>,
    /// The event behind the last one of each thread that waits for its buffer. In threads with barriers,
    /// which act on stores after them, the greatest number.
    pub(super) last_fence: Vec<EventNumber>,
    /// True if the stores of a thread that have reached memory need not be a prefix of its stores.
    pub(super) keeps_arrivals: bool,
    /// True if some stores may be lost.
    pub(super) has_lives: bool,
    /// The events that read each slot: from this place in `slot_readers` to that of the next slot.
    pub(super) slot_readers_from: Vec<u32>,
    pub(super) slot_readers: Vec<(u32, u32)>,
}

impl<'a> Prefix<'a> {
    /// The empty prefix. An order that all witnesses respect may be given.
    pub(super) fn new(problem: &'a Problem, order: Option<&'a Closure>) -> Self {
        let mut needs_from = vec![0; problem.stores.len() + 1];
        problem.hidden.iter().for_each(|&(_, store)| needs_from[store as usize + 1] += 1);
        for at in 1..needs_from.len() {
            needs_from[at] += needs_from[at - 1];
        }
        let mut needs = vec![0; problem.hidden.len()];
        let mut filled = needs_from.clone();
        for &(own, store) in &problem.hidden {
            needs[filled[store as usize] as usize] = own;
            filled[store as usize] += 1;
        }
        let last_fence = |events: &Range<EventNumber>| {
            let stores = &problem.stores[problem.stores_of_range(events)];
            if !problem.is_fifo && stores.first().map(|s| s.epoch) != stores.last().map(|s| s.epoch) {
                return EventNumber::MAX;
            }
            events.clone().rev().find(|&event| problem.waits_for_buffer(event)).map_or(0, |event| event + 1)
        };
        let mut slot_readers_from = vec![0; problem.slot_stores.len() + 1];
        for slot in 0..problem.slot_stores.len() {
            slot_readers_from[slot + 1] = slot_readers_from[slot] + problem.readers[slot];
        }
        let mut filled = slot_readers_from.clone();
        let mut slot_readers = vec![(0, 0); slot_readers_from[problem.slot_stores.len()] as usize];
        for (thread, events) in problem.threads.iter().enumerate() {
            for event in events.clone() {
                for read in problem.reads_of(event) {
                    slot_readers[filled[read.slot as usize] as usize] = (thread as u32, event as u32);
                    filled[read.slot as usize] += 1;
                }
            }
        }
        let (cell_stores_from, cell_stores) = stores_of_cells(problem);
        Self {
            cell_stores_from,
            cell_stores,
            problem,
            order,
            needs_from,
            needs,
            next: problem.threads.iter().map(|events| events.start).collect(),
            pending: vec![0; problem.threads.len()],
            first_unsettled: (0..problem.threads.len()).map(|thread| problem.stores_of_thread(thread).start).collect(),
            arrived: vec![false; problem.stores.len()],
            memory: (0..problem.cells as Slot).collect(),
            readers: problem.readers.clone(),
            progress: vec![0; order.map_or(0, Closure::chains)],
            trail: Vec::with_capacity(problem.events() + problem.stores.len()),
            replaced: Vec::with_capacity(problem.stores.len()),
            last_fence: problem.threads.iter().map(last_fence).collect(),
            slot_readers_from,
            slot_readers,
            has_lives: problem.stores.iter().any(|store| store.may_be_lost),
            keeps_arrivals: !problem.is_fifo,
        }
    }

    /// Takes all events that write nothing at once, as long as there are some.
    pub(super) fn take_events(&mut self) {
        let mut idle = 0;
        let threads = self.problem.threads.len();
        let mut thread = 0;
        while idle < threads {
            idle += 1;
            loop {
                let event = self.next[thread];
                let is_plain = event < self.problem.threads[thread].end && {
                    let mut stores = self.problem.stores_of(event);
                    stores.all(|store| self.problem.stores[store].delayed)
                };
                if !is_plain || !self.may_happen(thread, event) {
                    break;
                }
                self.happen(thread, event);
                idle = 1;
            }
            thread = if thread + 1 == threads { 0 } else { thread + 1 };
        }
    }

    pub(super) fn take(&mut self, step: Step) {
        match step {
            Step::Event(event) => self.happen(self.problem.thread_of(event as EventNumber), event as EventNumber),
            Step::Arrival(store) | Step::Loss(store) => self.arrive(store as StoreNumber, step),
        }
    }

    pub(super) fn happen(&mut self, thread: usize, event: EventNumber) {
        let problem = self.problem;
        for read in problem.reads_of(event) {
            self.readers[read.slot as usize] -= 1;
        }
        for store in problem.stores_of(event) {
            if problem.stores[store].delayed {
                self.pending[thread] += 1;
            } else {
                self.write(store);
            }
        }
        self.settle(thread);
        self.next[thread] += 1;
        self.advance(event, None, true);
        self.trail.push(Step::Event(event as u32));
    }

    pub(super) fn arrive(&mut self, store: StoreNumber, step: Step) {
        let event = self.problem.stores[store].event as EventNumber;
        let thread = self.problem.thread_of(event);
        match step {
            Step::Loss(_) => self.arrived[store] = true,
            Step::Event(_) | Step::Arrival(_) => self.write(store),
        }
        self.pending[thread] -= 1;
        self.settle(thread);
        self.advance(event, Some(store), true);
        self.trail.push(step);
    }

    pub(super) fn write(&mut self, store: StoreNumber) {
        for (cell, slot) in self.problem.stores[store].slots() {
            self.replaced.push(std::mem::replace(&mut self.memory[cell as usize], slot));
        }
        self.arrived[store] = true;
    }

    /// True if no store to a cell can be before one that is about to reach memory, or just did, but for those
    /// that reached memory or were lost: the first other one of each thread is a later one of the same
    /// thread, or the order has it later.
    pub(super) fn is_next_to(&self, cell: Cell, store: StoreNumber) -> bool {
        let mut rest = &self.cell_stores
            [self.cell_stores_from[cell as usize] as usize..self.cell_stores_from[cell as usize + 1] as usize];
        self.problem.threads.iter().all(|events| {
            let of_thread = self.problem.stores_of_range(events);
            let (mine, others) = rest.split_at(rest.partition_point(|&other| (other as usize) < of_thread.end));
            rest = others;
            // Those of a thread reach memory in their order.
            let first = mine.get(mine.partition_point(|&other| self.arrived[other as usize]));
            first.is_none_or(|&first| {
                let first = first as StoreNumber;
                let is_own = of_thread.contains(&store) && first >= store;
                is_own || self.order.is_some_and(|order| order.has_before(store, first))
            })
        })
    }

    pub(super) fn unwrite(&mut self, store: StoreNumber) {
        let store_data = self.problem.stores[store];
        for cell in (store_data.first_cell..store_data.first_cell + store_data.cells).rev() {
            self.memory[cell as usize] = self.replaced.pop().expect("one for each cell");
        }
        self.arrived[store] = false;
    }

    /// Moves the beginning of the stores of a thread that have not reached memory.
    pub(super) fn settle(&mut self, thread: usize) {
        let end = self.problem.stores_of_thread(thread).end;
        let first = &mut self.first_unsettled[thread];
        while *first < end && self.arrived[*first] {
            *first += 1;
        }
    }

    pub(super) fn advance(&mut self, event: EventNumber, store: Option<StoreNumber>, forward: bool) {
        if let Some(order) = self.order {
            let chain = order.chain(order.node(event, store));
            let progress = &mut self.progress[chain];
            *progress = if forward { *progress + 1 } else { *progress - 1 };
        }
    }

    /// Takes steps back until so many are left.
    pub(super) fn undo(&mut self, len: usize) {
        while self.trail.len() > len {
            let step = self.trail.pop().expect("it is longer");
            match step {
                Step::Event(event) => {
                    let event = event as EventNumber;
                    let thread = self.problem.thread_of(event);
                    self.advance(event, None, false);
                    self.next[thread] -= 1;
                    for store in self.problem.stores_of(event).rev() {
                        if self.problem.stores[store].delayed {
                            self.pending[thread] -= 1;
                        } else {
                            self.unwrite(store);
                            self.first_unsettled[thread] = self.first_unsettled[thread].min(store);
                        }
                    }
                    for read in self.problem.reads_of(event) {
                        self.readers[read.slot as usize] += 1;
                    }
                }
                Step::Arrival(store) | Step::Loss(store) => {
                    let store = store as StoreNumber;
                    let event = self.problem.stores[store].event as EventNumber;
                    let thread = self.problem.thread_of(event);
                    self.advance(event, Some(store), false);
                    match step {
                        Step::Loss(_) => self.arrived[store] = false,
                        Step::Event(_) | Step::Arrival(_) => self.unwrite(store),
                    }
                    self.pending[thread] += 1;
                    self.first_unsettled[thread] = self.first_unsettled[thread].min(store);
                }
            }
        }
    }

    pub(super) fn is_complete(&self) -> bool {
        let mut threads = self.problem.threads.iter().zip(&self.next);
        threads.all(|(events, &next)| next == events.end) && self.pending.iter().all(|&pending| pending == 0)
    }
}

/// The stores to each cell, cell by cell: where those of each cell begin, and the stores.
fn stores_of_cells(problem: &Problem) -> (Vec<u32>, Vec<u32>) {
    let mut from = vec![0; problem.cells + 1];
    let written = || (0..).zip(&problem.stores).flat_map(|(at, store)| store.slots().map(move |(cell, _)| (cell, at)));
    written().for_each(|(cell, _)| from[cell as usize + 1] += 1);
    for cell in 0..problem.cells {
        from[cell + 1] += from[cell];
    }
    let (mut filled, mut stores) = (from.clone(), vec![0; from[problem.cells] as usize]);
    for (cell, store) in written() {
        stores[filled[cell as usize] as usize] = store;
        filled[cell as usize] += 1;
    }
    (from, stores)
}
